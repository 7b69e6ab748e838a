"""`stablehlo`: one command with a verb for each thing that can be done with a program. A verb is imported when used."""

from __future__ import annotations

import importlib
import sys
from functools import partial
from typing import NamedTuple

import click

from ..errors import StablehloError, UsageError
from .common import common_options
from .completion import click_words

TOOL = "stablehlo"
UNANSWERED = 2
EXIT_CODES = """Exit codes of every verb: 0 for yes, the same, nothing found; 1 for no, different, found; 2 where the
question could not be answered: a file that cannot be read, an engine that does not run."""


class Verb(NamedTuple):
    """A verb's module, and its line in the list of verbs."""

    purpose: str
    module: str
    summary: str


VERBS = {
    "run": Verb("Run and compare", "verbs.run", "Run a program in one engine."),
    "compare": Verb("Run and compare", "verbs.compare", "Compare the results of two or more engines."),
    "judge": Verb("Find what is wrong", "verbs.judge", "Say which engine is wrong, and how that is known."),
    "trace": Verb("Find what is wrong", "verbs.trace", "Measure every op in one engine against another."),
    "bisect": Verb("Find what is wrong", "verbs.bisect", "Find the wrong op by cutting the program."),
    "bisect-passes": Verb("Find what is wrong", "verbs.bisect_passes", "Find the pass that changes results."),
    "reduce": Verb("Find what is wrong", "verbs.reduce", "Make a program smaller that still shows an error."),
    "numerics": Verb("Find what is wrong", "verbs.numerics", "Show which ops lose digits, and why."),
    "fuzz": Verb("Measure a backend", "verbs.fuzz", "Draw programs, and reduce those that engines differ on."),
    "conformance": Verb("Measure a backend", "verbs.conformance", "Run the conformance kit, or export it."),
    "corpus": Verb("Measure a backend", "verbs.corpus", "Check thousands of modules, here or on a cluster."),
    "partition": Verb("Many devices", "verbs.partition", "Make the program of one device from a global one."),
    "simulate": Verb("Many devices", "verbs.simulate", "Run a global program on all its devices."),
    "view": Verb("Look at a program", "verbs.view", "Write a report as one page of HTML."),
    "cost": Verb("Look at a program", "verbs.cost", "Count arithmetic, bytes and memory."),
    "diff": Verb("Look at a program", "verbs.diff", "Show what differs between two programs."),
    "format": Verb("Write programs", "verbs.format", "Indent the ops of MLIR files."),
    "lsp": Verb("Write programs", "verbs.lsp", "Serve an editor: the language server."),
    "info": Verb("Versions", "compat", "Show what the header of an artifact says."),
    "explain": Verb("Versions", "compat", "Show what keeps a program from being written for a version."),
    "minimum": Verb("Versions", "compat", "Show the oldest version that a program can be written for."),
    "matrix": Verb("Versions", "compat", "Show which versions programs can be written for."),
    "upgrade": Verb("Versions", "compat", "Write a program as an artifact of the current version."),
    "downgrade": Verb("Versions", "compat", "Write a program as an artifact of an older version."),
    "roundtrip": Verb("Versions", "compat", "Write a program for a version, read it back, and compare."),
    "completion": Verb("This tool", "verbs.completion", "Print the script for completion in a shell."),
}


class _Verbs(click.Group):
    """A group that imports a verb's module when the verb is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        verb = VERBS.get(cmd_name)
        if verb is None:
            return None
        module = importlib.import_module(f".{verb.module}", __package__)
        command = module.compat.commands[cmd_name] if verb.module == "compat" else module.command
        command.epilog = EXIT_CODES
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the verbs by purpose, without importing them."""
        for purpose in dict.fromkeys(verb.purpose for verb in VERBS.values()):
            with formatter.section(purpose):
                formatter.write_dl([(name, verb.summary) for name, verb in VERBS.items() if verb.purpose == purpose])


@click.group(
    TOOL,
    cls=_Verbs,
    epilog=EXIT_CODES,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@common_options
def stablehlo() -> None:
    """Run, compare, debug and exchange StableHLO programs.

    Programs are files of text, MLIR bytecode or portable artifacts; - is standard input. `stablehlo completion
    bash` prints what makes the shell complete verbs, options, passes and their options; it knows zsh and fish, too.
    """


def _hints(error: click.ClickException, context: click.Context | None) -> list[str]:
    """Return the verb most like a misspelled one."""
    message = error.format_message()
    if context is not None and isinstance(context.command, click.Group) and message.startswith("No such command"):
        from ..syntax.spelling import nearest

        guess = nearest(message.split("'")[1], context.command.list_commands(context))
        return [f"did you mean {guess}?"] if guess else []
    return []


def run_group(group: click.Group, tool: str, arguments: list[str]) -> int:
    """Return the exit code of a verb. Raises StablehloError, with the exit code for what could not be answered."""
    try:
        result = group.main(arguments, prog_name=tool, standalone_mode=False)
    except click.ClickException as error:
        context = error.ctx if isinstance(error, click.UsageError) else None
        where = tool if context is None else context.command_path
        failure = UsageError(error.format_message(), notes=[*_hints(error, context), f"{where} --help says more"])
        failure.exit_code = UNANSWERED
        raise failure from None
    except StablehloError as error:
        error.exit_code = UNANSWERED
        raise
    except click.Abort:
        raise KeyboardInterrupt from None
    return result if isinstance(result, int) else 0


def main() -> None:
    """The console script."""
    from .common import run_tool

    sys.exit(
        run_tool(TOOL, partial(run_group, stablehlo, TOOL), complete=partial(click_words, stablehlo), failed=UNANSWERED)
    )
