"""Shared parts of the command line tools: diagnostics on standard error, output files, and how a tool ends."""

from __future__ import annotations

import errno
import importlib
import io
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from ..errors import UNDECODABLE, Diagnostic, DiagnosticsError, Severity, StablehloError, UsageError, as_diagnostics
from ..extensions import LOAD_VARIABLE, load_file
from ..processes import CHECK_CHOICES, CHECK_VARIABLE, MEMORY_VARIABLE, TIMEOUT_VARIABLE
from .guard import Ended, notes_on_memory, run_guarded
from .messages import COLOR_VARIABLE, FORMAT_VARIABLE, FORMATS, finish, say

if TYPE_CHECKING:
    from ..syntax.source import Source

# What a shell reports for a command that SIGINT or SIGPIPE ended.
INTERRUPTED = 130
BROKEN_PIPE = 141
COMPLETE_VARIABLE = "STABLEHLO_PY_COMPLETE"
TRACEBACK_VARIABLE = "STABLEHLO_PY_TRACEBACK"
_TAB_WIDTH = 8
_Function = TypeVar("_Function", bound=Callable[..., object])
# Of a longer source line only this many characters on each side of the column are shown.
_LINE_WINDOW = 100
_LONGEST_MESSAGE = 20_000
_VERBS_COLORS = frozenset(("always", "auto", "never"))
_tool = "stablehlo"
TRUST_FLAG = "trust-input"
_LOAD_FLAG, _CHECK_FLAG = "load", "check-import"
# The values that flags stand for where they have none.
_BARE = {"color": "true", _CHECK_FLAG: "all"}
VERSION_SUMMARY = "Show the versions of this tool, of StableHLO, of the bytecode and of the package with the dialects."
# The flags of all tools, which are read before the tool's own; those with a value set a variable.
COMMON_FLAGS = {
    _LOAD_FLAG: "Load your own passes, patterns, kernels, handlers and shape functions from FILE.py; may be repeated",
    TRUST_FLAG: "Run without a guard: a crash of the compiler ends the tool",
    "guard-timeout": "Seconds that reading a program or running its passes may take; any number for passes by default",
    "guard-memory": "Bytes of memory that the tool may allocate",
    _CHECK_FLAG: "Compare imported programs with PyTorch and onnx.reference: all, or as by default only small ones",
    "error-format": "Write messages as text, as json with a line for each, or as one sarif document",
    "color": "Colour messages: true or false; by default on terminals, unless NO_COLOR is set",
}
_VARIABLES = {
    "guard-timeout": TIMEOUT_VARIABLE,
    "guard-memory": MEMORY_VARIABLE,
    _CHECK_FLAG: CHECK_VARIABLE,
    "error-format": FORMAT_VARIABLE,
    "color": COLOR_VARIABLE,
}
VALUE_NAMES = {
    _LOAD_FLAG: "FILE.py",
    TRUST_FLAG: "",
    "guard-timeout": "NUMBER",
    "guard-memory": "NUMBER",
    _CHECK_FLAG: "|".join(CHECK_CHOICES),
    "error-format": "|".join(FORMATS),
    "color": "true|false",
}


class DiagnosticPrinter:
    """Prints diagnostics like MLIR's tools: `file:line:column: error: …`, the source line and a caret."""

    def __init__(self, sources: dict[str, Source]) -> None:
        self.sources = sources

    def __call__(self, diagnostic: Diagnostic) -> None:
        """Writes `diagnostic` and its notes to standard error. A note shows its line only where it is another one."""
        say(_tool, diagnostic, self.format(diagnostic))

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


def print_error(tool: str, error: StablehloError) -> None:
    """Writes an error that has not been printed yet."""
    prefix = "" if error.location or isinstance(error, DiagnosticsError) else f"{tool}: "
    text = f"{prefix}{error}\n"
    for diagnostic in as_diagnostics(error):
        say(tool, diagnostic, text)
        text = ""


def announce(severity: Severity, message: str, *notes: str) -> None:
    """Writes a message that concerns no place in a program."""
    text = "".join([f"{_tool}: {severity}: {message}\n", *(f"{_tool}: note: {note}\n" for note in notes)])
    say(_tool, Diagnostic(severity, "", message, tuple(Diagnostic("note", "", note) for note in notes)), text)


def run_tool(tool: str, body: Callable[[list[str]], int], *, failed: int = 1) -> int:
    """Return the exit code of `body(arguments)`. Errors are printed, Ctrl-C and a closed pipe end quietly, and a crash
    of the compiler becomes a message and the exit code `failed`. `body` should import what is heavy itself: it runs in
    a child process."""
    global _tool
    _tool = tool
    _open_closed_descriptors()
    _speak_utf8()
    if COMPLETE_VARIABLE in os.environ:  # a shell asks; what answers knows the tools' flags, which are made with this
        importlib.import_module(".completion", __package__).answer(tool)
        return 0
    try:
        arguments, loaded, trusted = _take_common_flags(sys.argv[1:])
        work = partial(_run_quietly, tool, partial(_loading, loaded, body, arguments), failed)
        return run_guarded(tool, work, _start_again, trusted=trusted, failed=failed)
    except UsageError as error:
        print_error(tool, error)
        finish(tool)
        return failed


def _start_again(tool: str, signals: Sequence[int], failed: int) -> int:
    from .spawned_guard import run_again

    return run_again(tool, signals, failed)


def _loading(paths: list[str], body: Callable[[list[str]], int], arguments: list[str]) -> int:
    """Run the tool's body after loading the files that add to it; child processes load them as well."""
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
    for position, argument in enumerate(supply):
        if argument == "--":
            return [*rest, argument, *supply], loaded, trusted
        name, has_value, value = argument.lstrip("-").partition("=")
        following = arguments[position + 1 : position + 2]
        if not argument.startswith("-") or name not in COMMON_FLAGS or _is_verbs_color(name, value, following):
            rest.append(argument)
        elif name == TRUST_FLAG:
            trusted = value != "false"
        else:
            value = value if has_value else _BARE[name] if name in _BARE else next(supply, "")
            if not value:
                raise UsageError(f"flag {argument} needs a value: {argument}={VALUE_NAMES[name]}")
            if "|" in VALUE_NAMES[name] and value not in VALUE_NAMES[name].split("|"):
                expected = VALUE_NAMES[name].replace("|", ", ")
                raise UsageError(f"flag --{name} expects one of {expected}, found '{value}'")
            if name == _LOAD_FLAG:
                loaded.append(value)
            else:
                os.environ[_VARIABLES[name]] = value
    return rest, loaded, trusted


def _is_verbs_color(name: str, value: str, following: list[str]) -> bool:
    """Whether `--color` is that of `stablehlo diff`, which colours what it finds: --color=always, --color never."""
    return name == "color" and (value in _VERBS_COLORS or (not value and bool(_VERBS_COLORS.intersection(following))))


def common_options(command: _Function) -> _Function:
    """Show `COMMON_FLAGS` in the help of a click command; `run_tool` has read them by then. And add `--version`."""
    import click

    def show_version(context: click.Context, _parameter: click.Parameter, is_given: bool) -> None:
        if is_given and not context.resilient_parsing:
            from .version_text import version_text

            click.echo(version_text(), nl=False)
            context.exit()

    command = click.option(
        "--version", is_flag=True, is_eager=True, expose_value=False, callback=show_version, help=VERSION_SUMMARY
    )(command)
    for name, summary in reversed(COMMON_FLAGS.items()):
        takes: dict[str, Any] = {"is_flag": True} if name == TRUST_FLAG else {"metavar": VALUE_NAMES[name]}
        command = click.option(f"--{name}", **takes, expose_value=False, help=f"{summary}.")(command)
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
        _report(error)
        return failed
    finally:
        with suppress(OSError):
            finish(tool)
            sys.stderr.flush()


def _report(error: Exception) -> None:
    """Says what happened: the system's, the input's, or our own mistake."""
    if isinstance(error, OSError):
        where = "standard output is closed" if error.errno == errno.EBADF else error.strerror
        announce("error", f"cannot write the output: {where}")
        with suppress(OSError):  # the interpreter would try once more, and complain
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    elif isinstance(error, MemoryError):
        announce("error", "out of memory", *notes_on_memory())
    elif isinstance(error, RecursionError):
        announce("error", "the program is nested too deeply")
    elif isinstance(error, RuntimeError) and UNDECODABLE in str(error):
        announce("error", "a name in the program is not UTF-8")
    elif isinstance(error, UnicodeDecodeError):
        announce("error", f"a name in the program is not UTF-8: {error.object[:80]!r}")
    else:  # a mistake of ours: its traceback helps us, not the user, who gets it on demand
        if os.environ.get(TRACEBACK_VARIABLE):
            import traceback

            traceback.print_exception(error)
        text = str(error).splitlines() or [""]
        message = f"internal error, please report it: {type(error).__name__}: {text[0]}"
        announce("error", message, f"{TRACEBACK_VARIABLE}=1 shows where it happened")
