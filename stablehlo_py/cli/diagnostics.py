"""The diagnostics that a command line asks for."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ..errors import Diagnostic

if TYPE_CHECKING:
    from .command_line import Options

ERRORS = frozenset(("error",))
ALL = frozenset(("error", "warning", "remark", "note"))
_LEVELS = {"errors": ERRORS, "warnings": frozenset(("error", "warning")), "remarks": ALL}


class Filter(NamedTuple):
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

    def __call__(self, diagnostic: Diagnostic) -> Diagnostic | None:
        """Return the diagnostic with the notes to show, or None if it is not shown."""
        from ..bindings.diagnostics import shows_op

        if diagnostic.severity not in self.severities:
            return None
        notes = diagnostic.notes if self.with_notes else ()
        return diagnostic._replace(notes=tuple(note for note in notes if self.with_ops or not shows_op(note)))
