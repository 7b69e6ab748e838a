"""The diagnostics, and the notes, that a command line of `stablehlo-opt` asks for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ..errors import Diagnostic

if TYPE_CHECKING:
    from ..bindings.diagnostics import Sink
    from .command_line import Options

ERRORS = frozenset(("error",))
ALL = frozenset(("error", "warning", "remark", "note"))
_LEVELS = {"errors": ERRORS, "warnings": frozenset(("error", "warning")), "remarks": ALL}


@dataclass(frozen=True)
class Filter:
    """The severities to show, and whether to show notes: all, all but the op that an error is about, or none."""

    severities: frozenset[str]
    with_ops: bool
    with_notes: bool

    @classmethod
    def of(cls, options: Options) -> Filter:
        """Read the flags of the command line."""
        return cls(
            _LEVELS[options.text("mlir-diagnostic-verbosity-level")],
            options.switch("mlir-print-op-on-diagnostic"),
            not options.switch("mlir-disable-diagnostic-notes"),
        )

    def kept(self, diagnostics: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
        """The diagnostics to show, with the notes to show."""
        for diagnostic in diagnostics:
            if diagnostic.severity in self.severities:
                yield replace(diagnostic, notes=tuple(filter(self._keeps_note, diagnostic.notes)))

    def before(self, sink: Sink) -> Sink:
        """A sink that hands on to `sink` what is to be shown."""

        def receive(diagnostic: Diagnostic) -> None:
            for kept in self.kept([diagnostic]):
                sink(kept)

        return receive

    def _keeps_note(self, note: Diagnostic) -> bool:
        return self.with_notes and (self.with_ops or not note.message.startswith("see current operation: "))
