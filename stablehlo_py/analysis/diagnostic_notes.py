"""Notes of a diagnostic: the constraint that a program breaks, and the nearest spelling of a word."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..errors import Diagnostic

if TYPE_CHECKING:
    from ..syntax import Source


def explained(diagnostic: Diagnostic, source: Source) -> Diagnostic:
    """Return an error with a note about what the op's specification says; any other diagnostic as it is."""
    text = _note(diagnostic, source) if diagnostic.severity == "error" else ""
    if not text:
        return diagnostic
    return diagnostic._replace(notes=(*diagnostic.notes, Diagnostic("note", diagnostic.location, text)))


def _note(diagnostic: Diagnostic, source: Source) -> str:
    unknown = re.match(r"unregistered operation 'stablehlo\.([\w-]+)' found in dialect", diagnostic.message)
    if unknown is not None:
        from ..dialect.catalog import contract
        from .op_description import too_new

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
