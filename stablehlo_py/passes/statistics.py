"""Statistics of passes that are written in Python, printed in the form of MLIR's own.

A manager of MLIR's counts for C++ passes only. Every Python pass is given the number of ops in front of it and behind
it; the optimization passes add what they report: ops folded and erased, and how often each pattern fired.
"""

from __future__ import annotations

import sys
from collections import defaultdict

from .report import ReportCollection

_RULE = "===-" + "-" * 73 + "-==="


class PassStatistics:
    """Statistics of the Python passes of one pipeline: a name, a number and a description for each pass."""

    def __init__(self) -> None:
        self.of_pass: dict[str, dict[str, tuple[int, str]]] = defaultdict(dict)

    def add(self, pass_name: str, before: int, after: int) -> None:
        """Count a run of a pass on an op that held `before` ops, and `after` ops then."""
        known = self.of_pass[pass_name]
        for name, number, text in (
            ("ops-before", before, "Number of ops that the pass ran on"),
            ("ops-after", after, "Number of ops behind the pass"),
        ):
            known[name] = (known.get(name, (0, ""))[0] + number, text)

    def include(self, reports: ReportCollection) -> None:
        """Add what the optimization passes report."""
        for pass_name, report in reports.reports.items():
            known = self.of_pass[pass_name]
            known["ops-folded"] = (report.ops_folded, "Number of ops folded into constants")
            known["ops-erased-as-dead"] = (report.ops_erased_as_dead, "Number of ops erased because nothing uses them")
            for name, record in report.patterns.items():
                if record.fired:
                    known[name] = (record.fired, "Number of times that the pattern fired")

    def print(self, *, as_list: bool) -> None:
        """Write them to standard error, in the order of the passes or sorted by name."""
        if not self.of_pass:
            return
        names = sorted(self.of_pass) if as_list else list(self.of_pass)
        lines = [_RULE, "Pass statistics report: passes in Python".center(len(_RULE)).rstrip(), _RULE]
        for name in names:
            lines.append(name)
            width = max(len(str(number)) for number, _ in self.of_pass[name].values())
            lines += [
                f"  (S) {number:>{width}} {statistic} - {text}"
                for statistic, (number, text) in self.of_pass[name].items()
            ]
        sys.stderr.write("\n".join([*lines, "", ""]))
