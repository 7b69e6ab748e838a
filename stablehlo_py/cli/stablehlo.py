"""`stablehlo`: one command with a verb for each thing that can be done with a program. A verb is imported when used."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple, NoReturn

import click

from ..errors import StablehloError, UsageError
from .common import common_options, run_tool
from .completion import click_words

UNANSWERED = 2
EXIT_CODES = """Exit codes of every verb: 0 for yes, the same, nothing found; 1 for no, different, found; 2 where the
question could not be answered: a file that cannot be read, an engine that does not run."""


class Verb(NamedTuple):
    """A verb's module, and its line in the list of verbs."""

    purpose: str
    module: str
    summary: str


VERBS = {
    "run": Verb("Run and compare", "run", "Run a program in one engine."),
    "compare": Verb("Run and compare", "compare", "Compare the results of two or more engines."),
    "equiv": Verb("Run and compare", "equiv", "Say whether two programs are the same function."),
    "judge": Verb("Find what is wrong", "judge", "Say which engine is wrong, and how that is known."),
    "trace": Verb("Find what is wrong", "trace", "Measure every op in one engine against another."),
    "bisect": Verb("Find what is wrong", "bisect", "Find the wrong op by cutting the program."),
    "bisect-passes": Verb("Find what is wrong", "bisect_passes", "Find the pass that changes results."),
    "steps": Verb("Find what is wrong", "steps", "Show what each pass of a pipeline does."),
    "reduce": Verb("Find what is wrong", "reduce", "Make a program smaller that still shows an error."),
    "numerics": Verb("Find what is wrong", "numerics", "Show which ops lose digits, and why."),
    "fuzz": Verb("Measure a backend", "fuzz", "Draw programs, and reduce those that engines differ on."),
    "conformance": Verb("Measure a backend", "conformance", "Run the conformance kit, or export it."),
    "corpus": Verb("Measure a backend", "corpus", "Check thousands of modules, here or on a cluster."),
    "check": Verb("Measure a backend", "check", "Name the ops that a backend does not take."),
    "partition": Verb("Many devices", "partition", "Make the program of one device from a global one."),
    "simulate": Verb("Many devices", "simulate", "Run a global program on all its devices."),
    "view": Verb("Look at a program", "view", "Write a report as one page of HTML."),
    "cost": Verb("Look at a program", "cost", "Count arithmetic, bytes and memory."),
    "diff": Verb("Look at a program", "diff", "Show what differs between two programs."),
    "hash": Verb("Look at a program", "hash", "Print a name for a program."),
    "format": Verb("Write programs", "format", "Indent the ops of MLIR files."),
    "lsp": Verb("Write programs", "lsp", "Serve an editor: the language server."),
    "info": Verb("Versions", "info", "Show what the header of an artifact says."),
    "explain": Verb("Versions", "versions", "Show what keeps a program from being written for a version."),
    "minimum": Verb("Versions", "versions", "Show the oldest version that a program can be written for."),
    "matrix": Verb("Versions", "versions", "Show which versions programs can be written for."),
    "upgrade": Verb("Versions", "versions", "Write the program of an artifact as text of the current version."),
    "downgrade": Verb("Versions", "versions", "Write a program as an artifact of an older version."),
    "roundtrip": Verb("Versions", "versions", "Write a program for a version, read it back, and compare."),
    "mcp": Verb("This tool", "mcp", "Serve the verbs as tools, for agents and programs."),
    "completion": Verb("This tool", "completion", "Print the script for completion in a shell."),
}


class Verbs(click.Group):
    """A group that imports a verb's module when the verb is used."""

    def __init__(self, *args: Any, verbs: Sequence[str], **options: Any) -> None:
        super().__init__(*args, **options)
        self.verbs = {name: VERBS[name] for name in verbs}

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.verbs)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        verb = self.verbs.get(cmd_name)
        if verb is None:
            return None
        module = importlib.import_module(f".verbs.{verb.module}", __package__)
        command = getattr(module, cmd_name if verb.module == "versions" else "command")
        command.epilog = EXIT_CODES
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the verbs by purpose, without importing them."""
        for purpose in dict.fromkeys(verb.purpose for verb in self.verbs.values()):
            with formatter.section(purpose):
                formatter.write_dl(
                    [(name, verb.summary) for name, verb in self.verbs.items() if verb.purpose == purpose]
                )


def group_of(tool: str, verbs: Sequence[str]) -> Callable[[Callable[[], None]], Verbs]:
    """Make a function the tool of this name with these verbs; its docstring is the tool's help."""
    settings = {"help_option_names": ["-h", "--help"], "max_content_width": 100}
    make = click.group(tool, cls=Verbs, verbs=verbs, epilog=EXIT_CODES, context_settings=settings)
    return lambda function: make(common_options(function))


@group_of("stablehlo", list(VERBS))
def stablehlo() -> None:
    """Run, compare, debug and exchange StableHLO programs.

    Programs are files of text, MLIR bytecode or portable artifacts; - is standard input. `stablehlo completion
    bash` prints what makes the shell complete verbs, options, passes and their options; it knows zsh and fish, too.
    """


def _hints(error: click.ClickException, context: click.Context | None) -> list[str]:
    """Return the verb most like a misspelled one."""
    message = error.format_message()
    is_verb = message.startswith("No such command") and "Did you mean" not in message  # as newer clicks ask
    if is_verb and context is not None and isinstance(context.command, click.Group):
        from ..syntax.spelling import nearest

        guess = nearest(message.split("'")[1], context.command.list_commands(context))
        return [f"did you mean {guess}?"] if guess else []
    return []


def _run(group: click.Group, arguments: list[str]) -> int:
    """Return the exit code of a verb. Raises StablehloError, with the exit code for what could not be answered."""
    try:
        result = group.main(arguments, prog_name=group.name, standalone_mode=False)
    except click.ClickException as error:
        context = error.ctx if isinstance(error, click.UsageError) else None
        where = group.name if context is None else context.command_path
        failure = UsageError(error.format_message(), notes=[*_hints(error, context), f"{where} --help says more"])
        failure.exit_code = UNANSWERED
        raise failure from None
    except StablehloError as error:
        error.exit_code = UNANSWERED
        raise
    except click.Abort:
        raise KeyboardInterrupt from None
    return result if isinstance(result, int) else 0


def run_group(group: Verbs) -> NoReturn:
    """Run a tool on the process's arguments, and end the process."""
    complete = partial(click_words, group)
    sys.exit(run_tool(str(group.name), partial(_run, group), complete=complete, failed=UNANSWERED))


def main() -> None:
    """The console script."""
    run_group(stablehlo)
