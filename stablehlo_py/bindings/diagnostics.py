"""Diagnostics of the compiler as data, in the order of their emission."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any, TypeVar, cast

from ..errors import Diagnostic, Severity, VerificationError
from .provider import ir

Sink = Callable[[Diagnostic], None]
_Result = TypeVar("_Result")


def file_location(location: ir.Location) -> str:
    """`file:line:column` of the first position in a file that `location` holds, or an empty string."""
    from .locations import first_position, parsed_location

    return first_position(parsed_location(location))


def _message(diagnostic: ir.Diagnostic | ir.DiagnosticInfo) -> str:
    """Return the message; the bindings cannot make a string of one that quotes bytes that are not UTF-8."""
    try:
        return diagnostic.message
    except UnicodeDecodeError as error:
        return error.object.decode("utf-8", "backslashreplace")
    except RuntimeError:
        return "the compiler's message quotes bytes that are not UTF-8"


def describe(diagnostic: ir.Diagnostic | ir.DiagnosticInfo) -> Diagnostic:
    """`diagnostic` as data that outlives its context. A location that names no file goes in front of the message, as
    MLIR's tools print it."""
    from .locations import UNKNOWN, caller_positions, first_position, parsed_location

    parsed = parsed_location(diagnostic.location)
    position = first_position(parsed)
    message = _message(diagnostic)
    if not position and parsed != UNKNOWN:
        message = f"{diagnostic.location}: {message}"
    callers = (Diagnostic("note", caller, "called from") for caller in caller_positions(parsed))
    notes = (*callers, *map(describe, diagnostic.notes))
    return Diagnostic(cast("Severity", diagnostic.severity.name.lower()), position, message, notes)


def shows_op(note: Diagnostic) -> bool:
    """Whether a note is that of the verifier with the op that it rejects, which has the op's location, as `describe`
    writes it."""
    location, shown, _ = note.message.partition("see current operation: ")
    return bool(shown) and (not location or (location.startswith("loc(") and location.endswith("): ")))


def describe_exception(error: Exception) -> Diagnostic:
    """Return an exception of C++, as the bindings pass it on, as data."""
    if isinstance(error, MemoryError):
        note = Diagnostic("note", "", "--guard-memory=BYTES and STABLEHLO_PY_GUARD_MEMORY set the limit")
        return Diagnostic("error", "", "this takes more memory than it may", (note,))
    return Diagnostic("error", "", str(error))


_sinks: list[tuple[ir.Context, Sink]] = []


def warn(location: ir.Location, message: str) -> None:
    """Emit a warning for `location` to the innermost `diagnostics_to`; without one it is lost.

    The bindings themselves can only emit errors.
    """
    if _sinks:
        _sinks[-1][1](Diagnostic("warning", file_location(location), message))


def verified(context: ir.Context, call: Callable[[], _Result]) -> _Result:
    """Return what `call` does, which verifies something. Raises VerificationError with all that is said on the way."""
    diagnostics: list[Diagnostic] = []
    with diagnostics_to(context, diagnostics.append):
        try:
            return call()
        except ir.MLIRError:
            raise VerificationError(diagnostics) from None


@contextmanager
def diagnostics_to(context: ir.Context, sink: Sink) -> Generator[None, None, None]:
    """Give every diagnostic that is emitted in `context` to `sink`, errors included.

    Without it the bindings keep errors for the exception they raise and print warnings nowhere. `sink` must not
    raise: it is called from the compiler.
    """

    def receive(diagnostic: ir.Diagnostic) -> bool:
        sink(describe(diagnostic))
        return True

    try:
        before = context.emit_error_diagnostics  # whether errors go to handlers, too
    except AttributeError:  # old bindings cannot be asked: it is so while a sink is in place
        before = any(known is context for known, _ in _sinks)
    context.emit_error_diagnostics = True
    handler: Any = context.attach_diagnostic_handler(receive)
    _sinks.append((context, sink))
    try:
        yield
    finally:
        _sinks.pop()
        handler.detach()
        context.emit_error_diagnostics = before
