"""Every error a user of stablehlo_py can meet.

An error knows what is wrong (`message`), where (`location`, MLIR's `file:line:column` form), in which op (`op`), what
else helps (`notes`), and with which code a command line tool ends (`exit_code`). The command line prints `str(error)`
and never a traceback.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Diagnostic:
    """One message of the compiler: severity is `error`, `warning`, `remark` or `note`; location is `file:line:column`
    (line and column count from 1) or empty where the compiler knows none."""

    severity: str
    location: str
    message: str
    notes: tuple[Diagnostic, ...] = ()

    def __str__(self) -> str:
        prefix = f"{self.location}: " if self.location else ""
        return "\n".join([f"{prefix}{self.severity}: {self.message}", *map(str, self.notes)])


class StablehloError(Exception):
    """Something went wrong in a way that the user can be told about."""

    exit_code = 1

    def __init__(self, message: str, *, location: str = "", op: str = "", notes: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.message = message
        self.location = location
        self.op = op
        self.notes = tuple(notes)

    def __str__(self) -> str:
        prefix = f"{self.location}: " if self.location else ""
        subject = f"'{self.op}' op " if self.op else ""
        return "\n".join([f"{prefix}error: {subject}{self.message}", *(f"{prefix}note: {note}" for note in self.notes)])


class ProviderError(StablehloError):
    """No package that carries the dialects could be loaded."""


class UsageError(StablehloError):
    """The command line or an option's value cannot be understood."""


class InputError(StablehloError):
    """A file cannot be read or written, or holds something other than what was asked for."""


class DiagnosticsError(StablehloError):
    """The compiler rejected something; `diagnostics` holds all that it said, in order."""

    def __init__(self, diagnostics: Sequence[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        first = self.diagnostics[0] if self.diagnostics else Diagnostic("error", "", "failed without a diagnostic")
        super().__init__(first.message, location=first.location)

    def __str__(self) -> str:
        return "\n".join(map(str, self.diagnostics)) or super().__str__()


class ParseError(DiagnosticsError):
    """The input is not a program of the dialects."""


class VerificationError(DiagnosticsError):
    """A program breaks a constraint of an op, a type or an attribute."""


# What is told of a pass that fails without a diagnostic. It is ours, so no test of the compiler's expects it.
SILENT_FAILURE = "a pass failed and did not say why"


class PassError(DiagnosticsError):
    """A pass failed."""


class InterpreterError(StablehloError):
    """A program could not be evaluated."""


class UnsupportedOpError(InterpreterError):
    """The interpreter has no kernel for an op or a custom call target."""


class ArgumentError(InterpreterError):
    """The arguments given to a function differ from its parameters in number, shape or type."""


class CheckError(InterpreterError):
    """A `check.expect_*` op found values other than those expected."""


class ResourceError(InterpreterError):
    """A limit on memory or steps was reached, or would be."""


class ArtifactError(StablehloError):
    """A portable artifact is damaged, of an unknown version, or cannot be written for the version asked for."""


def as_diagnostics(error: StablehloError) -> tuple[Diagnostic, ...]:
    """An error as the compiler would have told it."""
    if isinstance(error, DiagnosticsError) and error.diagnostics:
        return error.diagnostics
    subject = f"'{error.op}' op " if error.op else ""
    notes = tuple(Diagnostic("note", error.location, note) for note in error.notes)
    return (Diagnostic("error", error.location, subject + error.message, notes),)
