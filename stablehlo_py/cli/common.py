"""What the command line tools share: diagnostics on standard error, output files, and how a tool ends."""

from __future__ import annotations

import errno
import io
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from ..errors import UNDECODABLE, Diagnostic, DiagnosticsError, InputError, StablehloError, UsageError
from ..extensions import LOAD_VARIABLE, load_file
from ..processes import MEMORY_VARIABLE, TIMEOUT_VARIABLE
from .guard import Ended, run_guarded

if TYPE_CHECKING:
    from ..syntax.source import Source

# What a shell reports for a command that SIGINT or SIGPIPE ended.
INTERRUPTED = 130
BROKEN_PIPE = 141
TRACEBACK_VARIABLE = "STABLEHLO_PY_TRACEBACK"
_TAB_WIDTH = 8
_Function = TypeVar("_Function", bound=Callable[..., object])
# Of a longer source line only this many characters on each side of the column are shown.
_LINE_WINDOW = 100
_LONGEST_MESSAGE = 20_000
TRUST_FLAG = "trust-input"
_LOAD_FLAG = "load"
VERSION_SUMMARY = "Show the versions of this tool, of StableHLO, of the bytecode and of the package with the dialects."
# The flags of all tools, which are read before the tool's own; those with a value set a variable.
COMMON_FLAGS = {
    _LOAD_FLAG: "Load your own passes, patterns, kernels, handlers and shape functions from FILE.py; may be repeated",
    TRUST_FLAG: "Run without a guard: a crash of the compiler ends the tool",
    "guard-timeout": "Seconds that reading a program or running its passes may take; any number for passes by default",
    "guard-memory": "Bytes of memory that the tool may allocate",
}
_VARIABLES = {"guard-timeout": TIMEOUT_VARIABLE, "guard-memory": MEMORY_VARIABLE}


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
        message = diagnostic.message
        if len(message) > _LONGEST_MESSAGE:
            message = f"{message[:_LONGEST_MESSAGE]}… ({len(message) - _LONGEST_MESSAGE} more characters)"
        if not diagnostic.location:
            return f"<unknown>:0: {diagnostic.severity}: {message}\n"
        text = f"{diagnostic.location}: {diagnostic.severity}: {message}\n"
        return text + self._source_line(diagnostic.location) if show_line else text

    def _source_line(self, location: str) -> str:
        name, line_number, column = location.rsplit(":", 2)
        source = self.sources.get(name)
        if source is None:
            return ""
        shown = source.line_around(int(line_number), int(column), _LINE_WINDOW)
        if shown is None:
            return ""
        line, position = shown
        if not line.isascii():  # the column counts bytes, and how wide they are shown is the terminal's secret
            return f"{line}\n"
        before = line[:position].expandtabs(_TAB_WIDTH)
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
    target = os.path.realpath(path)
    _remove_remains(target)
    temporary = _temporary_name(target, os.getpid())
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
    lock = os.dup(descriptor) if _lock(descriptor) else None
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        os.chmod(temporary, _file_mode(target))
        os.replace(temporary, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise
    finally:
        if lock is not None:
            os.close(lock)


def _temporary_name(target: str, process: int) -> str:
    """The name under which `process` writes a file before it is whole."""
    name = os.path.basename(target)[:200]  # a name can have 255 bytes
    return os.path.join(os.path.dirname(target), f".{name}.{process}.part")


def _remove_remains(target: str) -> None:
    """Removes what processes that were killed while they wrote `target` left behind."""
    prefix, ending = os.path.basename(_temporary_name(target, 0)).split("0.part")[0], ".part"
    folder = os.path.dirname(target)
    with suppress(OSError):
        for name in os.listdir(folder):
            if not (name.startswith(prefix) and name.endswith(ending) and name[len(prefix) : -len(ending)].isdigit()):
                continue
            descriptor = os.open(os.path.join(folder, name), os.O_RDWR | getattr(os, "O_NOFOLLOW", 0))
            try:
                if _lock(descriptor):
                    os.unlink(os.path.join(folder, name))
            finally:
                os.close(descriptor)


def _lock(descriptor: int) -> bool:
    """Whether this process has locked the file now; no process has where files cannot be locked."""
    try:
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (ImportError, OSError):
        return False
    return True


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


def run_tool(tool: str, body: Callable[[list[str]], int], *, failed: int = 1) -> int:
    """Return the exit code of `body(arguments)`. Errors are printed, Ctrl-C and a closed pipe end quietly, and a crash
    of the compiler becomes a message and the exit code `failed`. `body` should import what is heavy itself: it runs in
    a child process."""
    _open_closed_descriptors()
    _speak_utf8()
    try:
        arguments, loaded, trusted = _take_common_flags(sys.argv[1:])
        work = partial(_run_quietly, tool, partial(_loading, loaded, body, arguments), failed)
        return run_guarded(tool, work, trusted=trusted, failed=failed)
    except UsageError as error:
        print_error(tool, error)
        return failed


def _loading(paths: list[str], body: Callable[[list[str]], int], arguments: list[str]) -> int:
    """What the tool's body returns, after loading the files that add to it; child processes load them as well."""
    if paths:
        os.environ[LOAD_VARIABLE] = os.pathsep.join(map(os.path.abspath, paths))
    for path in paths:
        load_file(path)
    return body(arguments)


def _open_closed_descriptors() -> None:
    """Puts something in the place of standard streams that are closed (`2>&-`): no file that is opened later can take
    their number, and using the stream fails, except that messages for a closed standard error go nowhere."""
    streams = (("stdin", os.O_WRONLY, "r"), ("stdout", os.O_RDONLY, "w"), ("stderr", os.O_WRONLY, "w"))
    for number, (name, flags, mode) in enumerate(streams):
        try:
            os.fstat(number)
        except OSError:
            opened = os.open(os.devnull, flags)
            if opened != number:
                os.dup2(opened, number)
                os.close(opened)
        if getattr(sys, name) is None:
            setattr(sys, name, open(number, mode, encoding="utf-8", closefd=False))  # noqa: SIM115 (as long as the tool)


def _speak_utf8() -> None:
    """Makes output the same bytes everywhere: MLIR's text is UTF-8 whatever the locale says, and names of files that
    are not come out as they came in."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="surrogateescape")


def _take_common_flags(arguments: list[str]) -> tuple[list[str], list[str], bool]:
    """The arguments without those in `COMMON_FLAGS`, the files to load, and whether the input is trusted; other values
    go into the environment. Raises UsageError."""
    rest: list[str] = []
    loaded: list[str] = []
    trusted = False
    supply = iter(arguments)
    for argument in supply:
        if argument == "--":
            return [*rest, argument, *supply], loaded, trusted
        name, has_value, value = argument.lstrip("-").partition("=")
        if not argument.startswith("-") or name not in COMMON_FLAGS:
            rest.append(argument)
        elif name == TRUST_FLAG:
            trusted = value != "false"
        else:
            value = value if has_value else next(supply, "")
            if not value:
                raise UsageError(f"flag {argument} needs a value: {argument}={_value_name(name)}")
            if name == _LOAD_FLAG:
                loaded.append(value)
            else:
                os.environ[_VARIABLES[name]] = value
    return rest, loaded, trusted


def _value_name(flag: str) -> str:
    return "FILE.py" if flag == _LOAD_FLAG else "NUMBER"


def common_options(command: _Function) -> _Function:
    """Show `COMMON_FLAGS` in the help of a click command; `run_tool` has read them by then. And add `--version`."""
    import click

    def show_version(context: click.Context, _parameter: click.Parameter, is_given: bool) -> None:
        if is_given and not context.resilient_parsing:
            from .version_text import version_text

            click.echo(version_text(), nl=False)
            context.exit()

    is_version = click.option(
        "--version", is_flag=True, is_eager=True, expose_value=False, callback=show_version, help=VERSION_SUMMARY
    )
    command = is_version(command)
    for name, summary in reversed(COMMON_FLAGS.items()):
        if name == TRUST_FLAG:
            option = click.option(f"--{name}", is_flag=True, expose_value=False, help=f"{summary}.")
        else:
            option = click.option(f"--{name}", metavar=_value_name(name), expose_value=False, help=f"{summary}.")
        command = option(command)
    return command


def _run_quietly(tool: str, body: Callable[[], int], failed: int) -> int:
    try:
        code = body()
        sys.stdout.flush()
        return code
    except StablehloError as error:
        with suppress(BrokenPipeError):
            sys.stdout.flush()
        print_error(tool, error)
        return error.exit_code
    except KeyboardInterrupt:
        return INTERRUPTED
    except Ended as ended:
        return ended.exit_code
    except BrokenPipeError:
        return BROKEN_PIPE
    except SystemExit as end:  # what libraries for command lines raise
        return end.code if isinstance(end.code, int) else 0
    except Exception as error:
        _report(tool, error)
        return failed
    finally:
        with suppress(OSError):
            sys.stderr.flush()


def _report(tool: str, error: Exception) -> None:
    """Says what happened: the system's, the input's, or our own mistake."""
    if isinstance(error, OSError):
        where = "standard output is closed" if error.errno == errno.EBADF else error.strerror
        sys.stderr.write(f"{tool}: error: cannot write the output: {where}\n")
        with suppress(OSError):  # the interpreter would try once more, and complain
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    elif isinstance(error, MemoryError):
        sys.stderr.write(f"{tool}: error: out of memory\n")
    elif isinstance(error, RecursionError):
        sys.stderr.write(f"{tool}: error: the program is nested too deeply\n")
    elif isinstance(error, RuntimeError) and UNDECODABLE in str(error):
        sys.stderr.write(f"{tool}: error: a name in the program is not UTF-8\n")
    elif isinstance(error, UnicodeDecodeError):
        sys.stderr.write(f"{tool}: error: a name in the program is not UTF-8: {error.object[:80]!r}\n")
    else:
        _print_internal_error(tool, error)


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
