"""Adds to an error which constraint of the specification the program breaks, or which version has an unknown op."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from ..errors import Diagnostic

if TYPE_CHECKING:
    from ..syntax import Source
    from .diagnostic_filter import Filter

Sink = Callable[[Diagnostic], None]

_OP_IN_MESSAGE = re.compile(r"'stablehlo\.(?P<op>[\w-]+)' op ")
_UNKNOWN_OP = re.compile(r"unregistered operation 'stablehlo\.(?P<op>[\w-]+)' found in dialect")
_OP_IN_SOURCE = re.compile(r'"?stablehlo\.(?P<op>[\w-]+)')


def naming_constraints(source: Source, sink: Sink, shown: Filter) -> Sink:
    """A sink that passes what is `shown` on to `sink`, an error with a note about what the op's specification says."""

    def receive(diagnostic: Diagnostic) -> None:
        text = _note(diagnostic, source) if diagnostic.severity == "error" else ""
        if text:
            note = Diagnostic("note", diagnostic.location, text)
            diagnostic = replace(diagnostic, notes=(*diagnostic.notes, note))
        for kept in shown.kept([diagnostic]):
            sink(kept)

    return receive


def _note(diagnostic: Diagnostic, source: Source) -> str:
    unknown = _UNKNOWN_OP.match(diagnostic.message)
    if unknown is not None:
        from ..dialect.catalog import contract
        from .explain_op import too_new

        if contract(unknown["op"]) is not None:
            return too_new(unknown["op"])
    guess = suggested(diagnostic, source)
    if guess:
        return guess
    op = _op(diagnostic, source)
    if not op:
        return ""
    from ..dialect.messages import violated_constraint

    constraint = violated_constraint(op, diagnostic.message)
    if constraint is None:
        return ""
    return f"this breaks constraint {constraint.number} of {op}: {constraint.label}; --explain-op={op} lists all"


def suggested(diagnostic: Diagnostic, source: Source | None) -> str:
    """Return a question that names the nearest op or element type, or an empty text."""
    import linecache

    from ..syntax.suggestions import suggestion

    name, _, rest = diagnostic.location.rpartition(":")[0].rpartition(":")
    if not name or not rest.isdigit():
        return ""
    line = linecache.getline(name, int(rest)) if source is None else source.line(int(rest))
    found = suggestion(diagnostic.message, line or "", int(diagnostic.location.rpartition(":")[2]))
    return "" if found is None else f"did you mean {found[1]}?"


def _op(diagnostic: Diagnostic, source: Source) -> str:
    """The op that a diagnostic is about: the message names it, or else the source does at the diagnostic's place."""
    found = _OP_IN_MESSAGE.match(diagnostic.message)
    if found is None and diagnostic.location.count(":") >= 2:
        name, line_number, column = diagnostic.location.rsplit(":", 2)
        line = source.line(int(line_number)) if name == source.name else None
        found = None if line is None else _OP_IN_SOURCE.match(line[int(column) - 1 :])
    return found["op"] if found is not None else ""
