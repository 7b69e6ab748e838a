"""What the command line tools share: diagnostics on standard error, output files, and how a tool ends."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from ..errors import Diagnostic, DiagnosticsError, InputError, StablehloError
from .guard import run_guarded

if TYPE_CHECKING:
    from ..syntax.source import Source

# What a shell reports for a command that SIGINT or SIGPIPE ended.
INTERRUPTED = 130
BROKEN_PIPE = 141
TRACEBACK_VARIABLE = "STABLEHLO_PY_TRACEBACK"
_TAB_WIDTH = 8


class DiagnosticPrinter:
    """Prints diagnostics like MLIR's tools: `file:line:column: error: …`, the source line and a caret."""

    def __init__(self, sources: dict[str, Source]) -> None:
        self.sources = sources

    def __call__(self, diagnostic: Diagnostic) -> None:
        """Writes `diagnostic` and its notes to standard error. A note shows its line only where it is another one."""
        sys.stderr.write(self.format(diagnostic))
        sys.stderr.flush()

    def format(self, diagnostic: Diagnostic) -> str:
        text = self._one(diagnostic, show_line=True)
        previous = diagnostic.location
        for note in diagnostic.notes:
            text += self._one(note, show_line=note.location != previous)
            previous = note.location
        return text

    def _one(self, diagnostic: Diagnostic, *, show_line: bool) -> str:
        if not diagnostic.location:
            return f"<unknown>:0: {diagnostic.severity}: {diagnostic.message}\n"
        text = f"{diagnostic.location}: {diagnostic.severity}: {diagnostic.message}\n"
        return text + self._source_line(diagnostic.location) if show_line else text

    def _source_line(self, location: str) -> str:
        name, line_number, column = location.rsplit(":", 2)
        source = self.sources.get(name)
        line = source.line(int(line_number)) if source is not None else None
        if line is None:
            return ""
        if not line.isascii():  # the column counts bytes, and how wide they are shown is the terminal's secret
            return f"{line}\n"
        before = line[: max(int(column) - 1, 0)].expandtabs(_TAB_WIDTH)
        return f"{line.expandtabs(_TAB_WIDTH)}\n{' ' * len(before)}^\n"


class Output:
    """An output file, or standard output for `-`; a file appears when `commit` is called, whole or not at all."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._parts: list[bytes] = []

    def write(self, data: bytes) -> None:
        if self.path == "-":
            sys.stdout.buffer.write(data)
        else:
            self._parts.append(data)

    def commit(self) -> None:
        """Makes what was written visible. Raises InputError where the file cannot be written."""
        if self.path == "-":
            sys.stdout.buffer.flush()
            return
        try:
            write_whole(self.path, b"".join(self._parts))
        except OSError as error:
            raise InputError(f"cannot open output file '{self.path}': {error.strerror}") from None


def write_whole(path: str, data: bytes) -> None:
    """Writes the file at `path` in one step: readers see the old contents or the new. Raises OSError."""
    if os.path.exists(path) and not os.path.isfile(path):  # a device or a pipe cannot be replaced
        with open(path, "wb") as device:
            device.write(data)
        return
    import tempfile  # most runs write to standard output, and need not wait for it

    target = os.path.realpath(path)
    descriptor, temporary = tempfile.mkstemp(dir=os.path.dirname(target), prefix=f".{os.path.basename(target)}.")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        os.chmod(temporary, _file_mode(target))
        os.replace(temporary, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise


def _file_mode(path: str) -> int:
    """The mode of the file at `path`, or the one that a new file gets."""
    try:
        return os.stat(path).st_mode & 0o7777
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask


def print_error(tool: str, error: StablehloError) -> None:
    """Writes an error that has not been printed yet."""
    prefix = "" if error.location or isinstance(error, DiagnosticsError) else f"{tool}: "
    sys.stderr.write(f"{prefix}{error}\n")


def run_tool(tool: str, body: Callable[[list[str]], int]) -> int:
    """The exit code of `body(arguments)`. Errors are printed, Ctrl-C and a closed pipe end quietly, and a crash of the
    compiler becomes a message. `body` should import what is heavy itself: it runs in a child process."""
    return run_guarded(tool, lambda: _run_quietly(tool, body))


def _run_quietly(tool: str, body: Callable[[list[str]], int]) -> int:
    try:
        code = body(sys.argv[1:])
        sys.stdout.flush()
        return code
    except StablehloError as error:
        with suppress(BrokenPipeError):
            sys.stdout.flush()
        print_error(tool, error)
        return error.exit_code
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        return BROKEN_PIPE
    except OSError as error:
        sys.stderr.write(f"{tool}: error: cannot write the output: {error.strerror}\n")
        with suppress(OSError):  # the interpreter would try once more, and complain
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except SystemExit as end:  # what libraries for command lines raise
        return end.code if isinstance(end.code, int) else 0
    except Exception as error:
        _print_internal_error(tool, error)
        return 1
    finally:
        sys.stderr.flush()


def _print_internal_error(tool: str, error: Exception) -> None:
    """A mistake of ours. Its traceback helps us, not the user, who gets it on demand."""
    if os.environ.get(TRACEBACK_VARIABLE):
        import traceback

        traceback.print_exception(error)
    text = str(error).splitlines() or [""]
    sys.stderr.write(
        f"{tool}: error: internal error, please report it: {type(error).__name__}: {text[0]}\n"
        f"{tool}: note: {TRACEBACK_VARIABLE}=1 shows where it happened\n"
    )
