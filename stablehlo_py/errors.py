"""The errors that stablehlo_py raises.

An error has a text (`message`), a location (`location`, MLIR's `file:line:column` form), an op (`op`), further hints
(`notes`), and the exit code of a command line tool (`exit_code`). The command line prints `str(error)` and never a
traceback.
"""

from __future__ import annotations

import errno
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from types import UnionType
from typing import Literal, NamedTuple

UNNAMED, STRING = "-", "<string>"
"""The names of text that comes from no file: MLIR's, and the one in locations that users see."""

Severity = Literal["error", "warning", "remark", "note"]


NO_LINE = ":0:0"  # the end of a location that names a file alone; messages leave it out


class Diagnostic(NamedTuple):
    """One message of the compiler.

    Attributes:
        severity: The kind of message.
        location: `file:line:column`, both counted from 1, or empty where the compiler knows none.
        message: The text.
        notes: Messages that belong to this one.
    """

    severity: Severity
    location: str
    message: str
    notes: tuple[Diagnostic, ...] = ()

    def __str__(self) -> str:
        prefix = f"{self.location.removesuffix(NO_LINE)}: " if self.location else ""
        return "\n".join([f"{prefix}{self.severity}: {self.message}", *map(str, self.notes)])


def counted(number: int, noun: str) -> str:
    """Return a number with its noun: `1 argument`, `2 arguments`."""
    return f"{number} {noun}" + "s" * (number != 1)


class StablehloError(Exception):
    """An error in the user's input or request.

    Attributes:
        message: What is wrong.
        location: Where, as `file:line:column`, or empty.
        op: The name of the op that it is about, or empty.
        notes: What else helps, such as the remedy.
        exit_code: What a command line tool ends with.
    """

    exit_code = 1

    def __init__(self, message: str, *, location: str = "", op: str = "", notes: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.message = message
        self.location = location
        self.op = op
        self.notes = tuple(notes)

    def __reduce__(self) -> tuple[object, ...]:
        """Errors travel between processes as they are, whatever their constructor takes."""
        return _restored, (type(self), self.args, self.__dict__)

    def __str__(self) -> str:
        prefix = f"{self.location.removesuffix(NO_LINE)}: " if self.location else ""
        subject = f"'{self.op}' op " if self.op else ""
        return "\n".join([f"{prefix}error: {subject}{self.message}", *(f"{prefix}note: {note}" for note in self.notes)])


def _restored(kind: type[StablehloError], args: tuple[object, ...], state: dict[str, object]) -> StablehloError:
    error = kind.__new__(kind)
    error.args = args
    error.__dict__.update(state)
    return error


class ProviderError(StablehloError):
    """No package that carries the dialects could be loaded."""


class UsageError(StablehloError):
    """The command line or an option's value cannot be understood."""


class InputError(StablehloError):
    """A file cannot be read or written, or has other contents than requested."""


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


# The message for a pass that fails without a diagnostic. It is ours, so no upstream test expects it.
SILENT_FAILURE = "a pass failed and did not say why"


class PassError(DiagnosticsError):
    """A pass failed."""


class InterpreterError(StablehloError):
    """A program could not be evaluated."""


class UnsupportedOpError(InterpreterError):
    """The interpreter has no kernel for an op, or no handler for a custom call target."""


class ArgumentError(InterpreterError):
    """The arguments given to a function differ from its parameters in number, shape or type."""


class NumberError(ArgumentError, InputError):
    """A number that comes from Python is not of the type that it is given for."""


class CheckError(InterpreterError):
    """A `check.expect_*` op found values other than those expected."""


class ResourceError(InterpreterError):
    """A limit on memory or steps was reached, or would be."""


class ArtifactError(StablehloError):
    """A portable artifact is damaged, of an unknown version, or cannot be written for the version asked for."""


def as_diagnostics(error: StablehloError) -> tuple[Diagnostic, ...]:
    """Return the diagnostics of `error`, or a diagnostic that says the same."""
    if isinstance(error, DiagnosticsError) and error.diagnostics:
        return error.diagnostics
    subject = f"'{error.op}' op " if error.op else ""
    notes = tuple(Diagnostic("note", error.location, note) for note in error.notes)
    return (Diagnostic("error", error.location, subject + error.message, notes),)


# The message of a tool that cannot start.
NO_MEMORY_TO_LOAD = "the limit of memory is too low to load the package with the StableHLO dialect"


# Messages of the system's loader about a lack of memory, and of Python about C code that does not say what failed.
_NO_MEMORY = "Cannot allocate memory", "failed to map segment", "without exception set", "without setting an exception"


def is_out_of_memory(error: Exception, *, is_limited: bool) -> bool:
    """Whether an error says that memory ran out. Only a limit of memory explains some errors of the loader and of C."""
    if isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno == errno.ENOMEM):
        return True
    may_say_so = is_limited and isinstance(error, (ImportError, SystemError))
    return may_say_so and any(text in str(error) for text in _NO_MEMORY)


def is_undecodable(error: Exception) -> bool:
    """Whether this is the error of some release of the bindings about a string that is not UTF-8."""
    texts = "str_from_cstr_and_size", "str(): conversion error"
    return isinstance(error, RuntimeError) and any(text in str(error) for text in texts)


def require_type(expected: type | UnionType, **values: object) -> None:
    """Raise UsageError unless values from the caller, given by their parameters' names, have the expected type."""
    for name, value in values.items():
        if not isinstance(value, expected):
            types = (expected,) if isinstance(expected, type) else expected.__args__
            names = ["None" if each is type(None) else each.__name__ for each in types]
            raise UsageError(f"parameter '{name}' takes {' | '.join(names)}, found {type(value).__name__}")


@contextmanager
def documented_errors() -> Generator[None]:
    """Turn what Python raises at its limits into errors of this module: the API raises no others."""
    try:
        yield
    except RecursionError:
        raise ResourceError("the program or a value is nested too deeply") from None
    except MemoryError as error:
        raise ResourceError(f"out of memory: {error}" if str(error) else "out of memory") from None
    except RuntimeError as error:
        if not is_undecodable(error):
            raise
        raise InputError("a name in the program is not UTF-8") from None
    except UnicodeError as error:
        raise InputError(f"a name or text is not UTF-8: {error}") from None
