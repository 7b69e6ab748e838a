"""A run of the kit as a profile: the features that the engine takes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date

from ...bindings import ir, make_context
from ...passes.check_profile import BackendProfile
from ..catalog import cases
from .reports import Known
from .run import Report


def profile_toml(report: Report, known: Sequence[Known]) -> bytes:  # what is known changes nothing
    """Return the profile as a file. A wrong result counts as taken: errors are the matter of other reports."""
    verdicts, context = {entry.case: entry.verdict for entry in report.entries}, make_context()

    def runs() -> Iterator[tuple[ir.Operation, str, bool]]:
        for case in cases(report.choice):
            verdict = verdicts.get(case.name, "timeout")
            if verdict != "timeout":
                module = ir.Module.parse(case.module, context)  # which lives until the next one is asked for
                yield module.operation, f"stablehlo.{case.op}", verdict in ("pass", "wrong")

    versions = " ".join([f"{name} {version}" for name, version in report.versions.items()])
    about = {
        "engine": report.engine,
        "versions": versions,
        "date": date.today().isoformat(),
        "cases": f"{len(verdicts)} of level {report.choice.level}, seed {report.choice.seed}",
    }
    return BackendProfile.learned(about, runs()).toml().encode()
