"""Diagnostics of the compiler as data, in the order in which they were emitted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ..errors import Diagnostic
from .provider import ir

Sink = Callable[[Diagnostic], None]

_SEVERITIES = {
    ir.DiagnosticSeverity.ERROR: "error",
    ir.DiagnosticSeverity.WARNING: "warning",
    ir.DiagnosticSeverity.REMARK: "remark",
    ir.DiagnosticSeverity.NOTE: "note",
}
# As many callers as MLIR's own tools show for an inlined location.
_CALL_STACK_LIMIT = 10


def _children(location: ir.Location) -> Sequence[Any]:
    if isinstance(location, ir.CallSiteLoc):
        return [location.callee]
    if isinstance(location, ir.NameLoc):
        return [location.child_loc]
    if isinstance(location, ir.FusedLoc):
        return location.locations
    return []


def file_location(location: ir.Location) -> str:
    """`file:line:column` of the first position in a file that `location` holds, or an empty string."""
    if isinstance(location, ir.FileLineColLoc):
        return f"{location.filename}:{location.start_line}:{location.start_col}"
    for child in _children(location):
        found = file_location(child)
        if found:
            return found
    return ""


def _callers(location: ir.Location) -> list[Diagnostic]:
    """A note for each caller of an inlined location, the innermost first."""
    notes: list[Diagnostic] = []
    while isinstance(location, ir.CallSiteLoc) and len(notes) < _CALL_STACK_LIMIT:
        location = location.caller
        position = file_location(location)
        if position:
            notes.append(Diagnostic("note", position, "called from"))
    return notes


def _message(diagnostic: ir.Diagnostic | ir.DiagnosticInfo) -> str:
    """Damaged bytecode is quoted with bytes that are no UTF-8, which the bindings cannot make a string of."""
    try:
        return diagnostic.message
    except RuntimeError:
        return "the input is damaged: the compiler's message about it is no text"


def describe(diagnostic: ir.Diagnostic | ir.DiagnosticInfo) -> Diagnostic:
    """`diagnostic` as data that outlives its context. A location that names no file goes in front of the message, as
    MLIR's tools print it."""
    location = diagnostic.location
    position = file_location(location)
    message = _message(diagnostic)
    if not position and not isinstance(location, ir.UnknownLoc):
        message = f"{location}: {message}"
    notes = (*_callers(location), *map(describe, diagnostic.notes))
    return Diagnostic(_SEVERITIES[diagnostic.severity], position, message, notes)


_sinks: list[Sink] = []


def warn(location: ir.Location, message: str) -> None:
    """Emits a warning for `location` to the innermost `diagnostics_to`; nobody sees it where there is none.

    The bindings themselves can only emit errors.
    """
    if _sinks:
        _sinks[-1](Diagnostic("warning", file_location(location), message))


@contextmanager
def diagnostics_to(context: ir.Context, sink: Sink) -> Iterator[None]:
    """Hands every diagnostic that is emitted in `context` to `sink`, errors included.

    Without it the bindings keep errors for the exception they raise and print warnings nowhere. `sink` must not
    raise: it is called from the compiler.
    """

    def receive(diagnostic: ir.Diagnostic) -> bool:
        sink(describe(diagnostic))
        return True

    before = context.emit_error_diagnostics
    context.emit_error_diagnostics = True
    handler: Any = context.attach_diagnostic_handler(receive)
    _sinks.append(sink)
    try:
        yield
    finally:
        _sinks.pop()
        handler.detach()
        context.emit_error_diagnostics = before
