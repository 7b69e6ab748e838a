"""The diagnostics that a command line asks for, with notes about broken constraints and misspelled words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ..errors import Diagnostic

if TYPE_CHECKING:
    from ..syntax import Source
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
        if diagnostic.severity not in self.severities:
            return None
        return diagnostic._replace(notes=tuple(filter(self._keeps_note, diagnostic.notes)))

    def _keeps_note(self, note: Diagnostic) -> bool:
        return self.with_notes and (self.with_ops or not note.message.startswith("see current operation: "))


def explained(diagnostic: Diagnostic, source: Source) -> Diagnostic:
    """Return an error with a note about what the op's specification says; any other diagnostic as it is."""
    text = _note(diagnostic, source) if diagnostic.severity == "error" else ""
    if not text:
        return diagnostic
    return diagnostic._replace(notes=(*diagnostic.notes, Diagnostic("note", diagnostic.location, text)))


def _note(diagnostic: Diagnostic, source: Source) -> str:
    unknown = re.match(r"unregistered operation 'stablehlo\.([\w-]+)' found in dialect", diagnostic.message)
    if unknown is not None:
        from ..analysis.op_description import too_new
        from ..dialect.catalog import contract

        if contract(unknown[1]) is not None:
            return too_new(unknown[1])
    guess = suggested(diagnostic, source)
    if guess:
        return guess
    op = _op(diagnostic, source)
    if not op:
        return ""
    from ..dialect.messages import constraint_note

    return constraint_note(op, diagnostic.message)


def suggested(diagnostic: Diagnostic, source: Source | None) -> str:
    """Return a question that names the nearest op or element type, or an empty text."""
    import linecache

    from ..syntax.suggestions import suggestion

    name, _, rest = diagnostic.location.rpartition(":")[0].rpartition(":")
    if not name or not rest.isdigit():
        return ""
    line = linecache.getline(name, int(rest)) if source is None else source.line(int(rest))
    found = suggestion(diagnostic.message, _behind(line or "", diagnostic.location.rpartition(":")[2]))
    return "" if found is None else f"did you mean {found[1]}?"


def _op(diagnostic: Diagnostic, source: Source) -> str:
    """The op that a diagnostic is about: the message names it, or else the source does at the diagnostic's location."""
    found = re.match(r"'stablehlo\.([\w-]+)' op ", diagnostic.message)
    if found is None and diagnostic.location.count(":") >= 2:
        name, line_number, column = diagnostic.location.rsplit(":", 2)
        line = source.line(int(line_number)) if name == source.name else None
        found = None if line is None else re.match(r'"?stablehlo\.([\w-]+)', _behind(line, column))
    return found[1] if found is not None else ""


def _behind(line: str, column: str) -> str:
    """The text of a line from a column on, which counts bytes."""
    return line.encode("utf-8", "surrogateescape")[max(int(column) - 1, 0) :].decode("utf-8", "surrogateescape")
