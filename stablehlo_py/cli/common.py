"""Shared parts of the command line tools: diagnostics on standard error, output files, and how a tool ends."""

from __future__ import annotations

import errno
import importlib
import io
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from ..errors import (
    NO_LINE,
    NO_MEMORY_TO_LOAD,
    Diagnostic,
    DiagnosticsError,
    ParseError,
    StablehloError,
    UsageError,
    as_diagnostics,
    is_out_of_memory,
    is_undecodable,
)
from ..extensions import LOAD_VARIABLE, load_file
from ..isolation.limits import file_limit, lift_memory_limit, memory_notes
from ..isolation.tool import Ended, Step, is_loaded, notes_on_memory, run_guarded
from .command_line import take_common_flags
from .messages import announce, finish, say, speak_as
from .options import COMMON, SWITCH, options_of

if TYPE_CHECKING:
    from ..isolation.outcome import Outcome
    from ..syntax.source import Source
    from .completion import Complete

# A shell's exit codes for a command that SIGINT or SIGPIPE ended.
INTERRUPTED = 130
BROKEN_PIPE = 141
# The beginning of a command line, which a shell wants to be completed.
COMPLETE_VARIABLE = "STABLEHLO_PY_COMPLETE"
TRACEBACK_VARIABLE = "STABLEHLO_PY_TRACEBACK"
_TAB_WIDTH = 8
_Function = TypeVar("_Function", bound=Callable[..., object])
# Of a longer source line only this many characters on each side of the column are shown.
_LINE_WINDOW = 100
_LONGEST_MESSAGE = 20_000


class DiagnosticPrinter:
    """Prints diagnostics like MLIR's tools: `file:line:column: error: …`, the source line and a caret."""

    def __init__(self, sources: dict[str, Source]) -> None:
        self.sources = sources

    def __call__(self, diagnostic: Diagnostic) -> None:
        """Write `diagnostic` and its notes to standard error. A note shows its line only if it differs."""
        say(diagnostic, self.format(diagnostic))

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
        text = f"{diagnostic.location.removesuffix(NO_LINE)}: {diagnostic.severity}: {message}\n"
        return text + self.source_line(diagnostic.location) if show_line else text

    def source_line(self, location: str) -> str:
        """Return the line at a location with a caret below it; empty if it is in none of the sources."""
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
    """Write an error that has not been printed yet."""
    prefix = "" if error.location or isinstance(error, DiagnosticsError) else f"{tool}: "
    text = f"{prefix}{error}\n"
    if isinstance(error, ParseError):
        from ..analysis.diagnostic_notes import suggested

        text += "".join(f"note: {guess}\n" for each in error.diagnostics if (guess := suggested(each, None)))
    for diagnostic in as_diagnostics(error):
        say(diagnostic, text)
        text = ""


def run_tool(tool: str, body: Callable[[list[str]], int], *, complete: Complete | None = None, failed: int = 1) -> int:
    """Run a tool on the process's arguments.

    Errors are printed, Ctrl-C and a closed pipe end quietly, and a crash of the compiler becomes a message.

    Args:
        tool: Its name.
        body: Takes the arguments and returns the exit code. It runs in a child process, and should import what is heavy
            itself.
        complete: Tells a shell what a command line may become.
        failed: The exit code after a crash.

    Returns:
        The exit code.
    """
    speak_as(tool)
    _open_closed_descriptors()
    # MLIR's text is UTF-8 whatever the locale says, and names of files that are not come out as they came in.
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="surrogateescape")
    if complete is not None and COMPLETE_VARIABLE in os.environ:  # a shell asks
        from .completion import answer

        answer(os.environ[COMPLETE_VARIABLE], complete)
        return 0
    try:
        arguments, loaded, trusted = take_common_flags(sys.argv[1:])
        work = partial(_run_quietly, tool, partial(_loading, loaded, body, arguments), failed)
        name = tool.replace("-", "_")  # `stablehlo-opt` is `stablehlo_py.cli.stablehlo_opt`
        entry = f"from {__package__} import {name}; {name}()"
        return run_guarded(work, partial(_tell_death, failed), entry, trusted=trusted)
    except UsageError as error:
        print_error(tool, error)
        finish()
        return failed
    except OSError as error:  # there is no child to be had
        _report(error)
        return failed


def run_table_tool(tool: str, module: str) -> NoReturn:
    """Run a tool whose options are in the table, and end the process; its module is imported in the child."""

    def body(arguments: list[str]) -> int:
        return importlib.import_module(module, __package__).run(arguments)

    def complete(words: list[str]) -> Iterator[tuple[str, str]]:
        from .completion import table_words

        return table_words(tool, words)

    sys.exit(run_tool(tool, body, complete=complete))


def _tell_death(failed: int, outcome: Outcome, step: Step) -> int:
    from .crash_report import report_death

    return report_death(failed, outcome, step)


def _loading(paths: list[str], body: Callable[[list[str]], int], arguments: list[str]) -> int:
    """Run the tool's body after loading the files that add to it; child processes load them as well."""
    if paths:
        os.environ[LOAD_VARIABLE] = os.pathsep.join(map(os.path.abspath, paths))
    for path in paths:
        load_file(path)
    return body(arguments)


def _open_closed_descriptors() -> None:
    """Replace standard streams that are closed (`2>&-`). So no file that is opened later can take their number, and
    using the stream fails; messages for a closed standard error are lost."""
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


def common_options(command: _Function) -> _Function:
    """Show `COMMON` in the help of a click command; `run_tool` has read them by then. And add `--version`."""
    import click

    def show_version(context: click.Context, _parameter: click.Parameter, is_given: bool) -> None:
        if is_given and not context.resilient_parsing:
            from .information import version_text

            click.echo(version_text(), nl=False)
            context.exit()

    about = f"{options_of('stablehlo')['version'].summary}."
    command = click.option(
        "--version", is_flag=True, is_eager=True, expose_value=False, callback=show_version, help=about
    )(command)
    for name, option in reversed(COMMON.items()):
        takes: dict[str, Any] = {"is_flag": True} if option.kind == SWITCH else {"metavar": option.value_name}
        command = click.option(f"--{name}", **takes, expose_value=False, help=f"{option.summary}.")(command)
    return command


def _run_quietly(tool: str, body: Callable[[], int], failed: int) -> int:
    try:
        code = body()
        sys.stdout.flush()
        return code
    except StablehloError as error:
        lift_memory_limit()
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
            finish()
            sys.stderr.flush()


def _report(error: Exception) -> None:
    """Say what happened: the system's, the input's, or our own mistake."""
    lift_memory_limit()
    if is_out_of_memory(error, is_limited=bool(notes_on_memory())):
        message = NO_MEMORY_TO_LOAD if memory_notes() and not is_loaded() else "out of memory"
        announce("error", message, *notes_on_memory())
    elif isinstance(error, OSError):
        where = "standard output is closed" if error.errno == errno.EBADF else error.strerror
        if error.errno == errno.EMFILE:
            message = f"too many open files{file_limit()}"
        else:
            message = (
                f"cannot open '{error.filename}': {where}" if error.filename else f"cannot write the output: {where}"
            )
        announce("error", message)
        with suppress(OSError):  # the interpreter would try once more, and complain
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    elif isinstance(error, RecursionError):
        announce("error", "the program is nested too deeply")
    elif is_undecodable(error):
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
