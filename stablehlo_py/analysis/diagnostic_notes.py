"""Notes of a diagnostic: the constraint that a program breaks, and the nearest spelling of a word."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..errors import Diagnostic
from ..syntax.scanner import LineIndex
from ..syntax.suggestions import suggestion, without_cpp_names
from ..syntax.tokens import tokens

if TYPE_CHECKING:
    from ..syntax import Source


def explained(diagnostic: Diagnostic, source: Source) -> Diagnostic:
    """Return an error with a note about its remedy, and without names of C++; any other diagnostic as it is."""
    if diagnostic.severity != "error":
        return diagnostic
    text = _note(diagnostic, source)
    location = diagnostic.location
    if not text and (brace := _open_brace(diagnostic, source)):
        location, text = brace, "this brace is never closed"
    notes = (*diagnostic.notes, *([Diagnostic("note", location, text)] if text else ()))
    return diagnostic._replace(message=without_cpp_names(diagnostic.message), notes=notes)


def _open_brace(diagnostic: Diagnostic, source: Source) -> str:
    """Return the location of the last brace that is never closed, for an error at the end of the program."""
    name, _, line = diagnostic.location.rpartition(":")[0].rpartition(":")
    text = "" if source.is_bytecode or name != source.name else source.data.decode("latin-1")
    if not line.isdigit() or "\n".join(text.split("\n")[int(line) :]).strip():
        return ""
    open_braces = list[int]()
    for token in tokens(text):
        if token.text == "{":
            open_braces.append(token.start)
        elif token.text == "}" and open_braces:
            open_braces.pop()
    if not open_braces:
        return ""
    row, column = LineIndex(text).position(open_braces[-1])
    return f"{name}:{row}:{column}"


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

    name, _, rest = diagnostic.location.rpartition(":")[0].rpartition(":")
    if not name or not rest.isdigit():
        return ""
    line = linecache.getline(name, int(rest)) if source is None else source.line(int(rest))
    program = "".join(linecache.getlines(name)) if source is None else source.data.decode("utf-8", "surrogateescape")
    behind = _behind(line or "", diagnostic.location.rpartition(":")[2])
    found = suggestion(diagnostic.message, behind, (line or "").removesuffix(behind), program)
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
