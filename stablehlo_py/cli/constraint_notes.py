"""Adds to a verifier's error which constraint of the specification the program breaks."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from ..errors import Diagnostic

if TYPE_CHECKING:
    from ..syntax import Source

Sink = Callable[[Diagnostic], None]

_OP_IN_MESSAGE = re.compile(r"'stablehlo\.(?P<op>[\w-]+)' op ")
_OP_IN_SOURCE = re.compile(r'"?stablehlo\.(?P<op>[\w-]+)')


def naming_constraints(source: Source, sink: Sink) -> Sink:
    """A sink that passes diagnostics on to `sink`, an error about a known constraint with a note that names it."""

    def receive(diagnostic: Diagnostic) -> None:
        sink(_with_constraint(diagnostic, source) if diagnostic.severity == "error" else diagnostic)

    return receive


def _with_constraint(diagnostic: Diagnostic, source: Source) -> Diagnostic:
    op = _op(diagnostic, source)
    if not op:
        return diagnostic
    from ..contracts.messages import violated_constraint

    constraint = violated_constraint(op, diagnostic.message)
    if constraint is None:
        return diagnostic
    text = f"this breaks constraint {constraint.number} of {op}: {constraint.label}; --explain-op={op} lists all"
    return replace(diagnostic, notes=(*diagnostic.notes, Diagnostic("note", diagnostic.location, text)))


def _op(diagnostic: Diagnostic, source: Source) -> str:
    """The op that a diagnostic is about: the message names it, or else the source does at the diagnostic's place."""
    found = _OP_IN_MESSAGE.match(diagnostic.message)
    if found is None and diagnostic.location.count(":") >= 2:
        name, line_number, column = diagnostic.location.rsplit(":", 2)
        line = source.line(int(line_number)) if name == source.name else None
        found = None if line is None else _OP_IN_SOURCE.match(line[int(column) - 1 :])
    return found["op"] if found is not None else ""
