"""Comments that say which diagnostics a test expects, and the comparison with those that came.

The comments are MLIR's: `expected-error {{text}}`, or `warning`, `remark` or `note`. With `-re` after it, `{{…}}`
inside the text are regular expressions. `@+N`, `@-N`, `@above`, `@below` name another line, and `@unknown` a diagnostic
without a location. A comment ends its line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from ..bindings.diagnostics import shows_op
from ..errors import SILENT_FAILURE, Diagnostic

_EXPECTED = re.compile(
    r"expected-(error|note|remark|warning)(-re)? *(@([+-][0-9]+|above|below|unknown))? *\{\{(.*)\}\}$"
)
_UNKNOWN = 0
_LONGEST_OFFSET = 10  # characters, the sign included


@dataclass
class Expectation:
    """One comment: `line` is the line that it speaks of, 0 for `@unknown`; `written_at` its own line and column."""

    severity: str
    text: str
    line: int
    written_at: tuple[int, int]
    matches: Callable[[str], bool]
    met: bool = False


def _pattern(text: str) -> re.Pattern[str]:
    """Literal text with regular expressions between double braces. Raises ValueError with the problem."""
    parts = ""
    while text:
        literal, opening, text = text.partition("{{")
        parts += re.escape(literal)
        if not opening:
            break
        expression, closing, text = text.partition("}}")
        if not closing:
            raise ValueError("found start of regex with no end '}}'")
        try:
            re.compile(expression)
        except re.error as error:
            raise ValueError(f"invalid regex: {error}") from None
        parts += f"({expression})"
    return re.compile(parts)


@dataclass
class ExpectedDiagnostics:
    """The expectations of one chunk of a test, and the mismatches of the diagnostics received so far.

    With `only_expected` diagnostics that no comment speaks of are let pass.
    """

    name: str
    only_expected: bool = False
    expectations: list[Expectation] = field(default_factory=list[Expectation])
    failures: list[Diagnostic] = field(default_factory=list[Diagnostic])

    @classmethod
    def read(cls, name: str, lines: list[bytes], *, only_expected: bool = False) -> ExpectedDiagnostics:
        """The expectations in `lines`, the text of the file called `name`."""
        result = cls(name, only_expected)
        waiting: list[Expectation] = []
        above = 1
        for number, line in enumerate(lines, start=1):
            found = b"expected-" in line and _EXPECTED.search(line.decode("utf-8", "replace").rstrip())
            if not found:
                for expectation in waiting:
                    expectation.line = number
                waiting.clear()
                above = number
                continue
            expectation = result._add(found, number, above, len(lines))
            if expectation is not None and found[4] == "below":
                waiting.append(expectation)
        return result

    def _add(self, found: re.Match[str], number: int, above: int, last: int) -> Expectation | None:
        severity, is_pattern, _, offset, text = found.groups()
        written_at = (number, found.start() + 1)
        lines = {None: number, "above": above, "below": last, "unknown": _UNKNOWN}
        try:
            matches: Callable[[str], object] = _pattern(text).search if is_pattern else lambda message: text in message
        except ValueError as error:
            self.failures.append(Diagnostic("error", self._location(written_at), str(error)))
            return None
        if len(str(offset)) > _LONGEST_OFFSET:
            self.failures.append(Diagnostic("error", self._location(written_at), "line offset is out of range"))
            return None
        line = lines[offset] if offset in lines else number + int(offset)
        expectation = Expectation(severity, text, line, written_at, lambda message: bool(matches(message)))
        self.expectations.append(expectation)
        return expectation

    def _location(self, written_at: tuple[int, int]) -> str:
        return f"{self.name}:{written_at[0]}:{written_at[1]}"

    def receive(self, diagnostic: Diagnostic) -> None:
        """Compare a diagnostic and its notes with the expectations. The op that the verifier shows is not expected,
        and neither are notes that only this package gives."""
        if diagnostic.message != SILENT_FAILURE:
            self._compare(diagnostic)
        for note in diagnostic.notes:
            if not shows_op(note):
                self._compare(note)

    def _compare(self, diagnostic: Diagnostic) -> None:
        near_miss: Expectation | None = None
        for expectation in self._candidates(diagnostic.location):
            if expectation.matches(diagnostic.message):
                if expectation.severity == diagnostic.severity:
                    expectation.met = True
                    return
                near_miss = expectation
        if self.only_expected:
            return
        if near_miss is None:
            message = f"unexpected {diagnostic.severity}: {diagnostic.message}"
            self.failures.append(Diagnostic("error", diagnostic.location, message))
        else:
            message = f"'{diagnostic.severity}' diagnostic emitted when expecting a '{near_miss.severity}'"
            self.failures.append(Diagnostic("error", self._location(near_miss.written_at), message))

    def _candidates(self, location: str) -> Iterator[Expectation]:
        name, line = self.name, _UNKNOWN
        if location:
            name, line_text, _ = location.rsplit(":", 2)
            line = int(line_text)
        return (expectation for expectation in self.expectations if name == self.name and expectation.line == line)

    def finish(self) -> list[Diagnostic]:
        """Return all that is wrong, expectations that nothing met included; empty where the test passes."""
        unmet = [expectation for expectation in self.expectations if not expectation.met]
        return self.failures + [
            Diagnostic("error", self._location(e.written_at), f'expected {e.severity} "{e.text}" was not produced')
            for e in unmet
        ]
