"""The command line of `stablehlo-translate`, as click reads it; `translate` reads simple ones without."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from ..errors import UsageError
from .common import common_options
from .opt_flags import ALIASES, FLAGS, INTEGER
from .printing import PRINTER_FLAGS
from .refused_flags import UNTIMED, UNTIMED_FLAGS, refuse
from .translation import TOOL, translate

SPLIT_MARKER = "// -----"

_NEGATIVE_NUMBER = re.compile(r"-\d")
_FORMS = "hlo-text, hlo-proto, jax-export, mhlo, onnx or torch-export"
# Flags with an optional value on LLVM's command lines, and the values that a missing one means.
_OPTIONAL_VALUES = {
    "split-input-file": SPLIT_MARKER,
    "verify-diagnostics": "all",
    "mlir-print-op-on-diagnostic": "true",
}
# The headings of the help, and their flags; flags of one step have its name before their summaries.
_GROUPS = {
    "What to do": ("--interpret", "--serialize", "--deserialize", "--export", "--import"),
    "Input and output": (
        *("-o", "--split-input-file", "--output-split-marker", "--allow-unregistered-dialect"),
        *("--no-implicit-module", "--load"),
    ),
    "Messages": (
        *("--verify-diagnostics", "--error-diagnostics-only", "--mlir-print-op-on-diagnostic"),
        *("--error-format", "--color"),
    ),
}
_STEP_GROUPS = {f"{step.capitalize()}: ": f"With --{step}" for step in ("serialize", "deserialize", "interpret")}
_OTHERS = "General"
_Function = TypeVar("_Function", bound=Callable[..., object])


def llvm_arguments(arguments: list[str]) -> list[str]:
    """The arguments as click understands them: LLVM's flags have one dash or two."""
    result = list[str]()
    for argument in arguments:
        if argument.startswith("-") and argument not in ("-", "-o", "-h") and not _NEGATIVE_NUMBER.match(argument):
            name, has_value, value = argument.lstrip("-").partition("=")
            if name in UNTIMED_FLAGS:
                raise UsageError(f"flag --{name} cannot be had: {UNTIMED}")
            refuse(name, value)
            name = ALIASES.get(name, name)
            argument = f"--{name}{has_value}{value}"
            if name == "o" and has_value:
                result.append("-o")
                argument = value
            elif name in _OPTIONAL_VALUES:
                argument = f"--{name}={value if value else _OPTIONAL_VALUES[name]}"
            elif name in _switches() and value.lower() in ("false", "0"):
                continue
            elif name in _switches() and value.lower() in ("true", "1", ""):
                argument = f"--{name}"
        result.append(argument)
    return result


def _note_step(ctx: click.Context, param: click.Parameter, value: Any) -> Any:
    """Keeps the order of the steps on the command line."""
    if value:
        ctx.meta.setdefault(TOOL, []).append(param.name)
    return value


def _printer_options(command: _Function) -> _Function:
    """Add the flags of MLIR's printer."""
    for name in reversed(PRINTER_FLAGS):
        flag = FLAGS[name]
        summary = f"Deserialize: {flag.summary[0].lower()}{flag.summary[1:]}."
        takes: dict[str, Any] = (
            {"type": int, "metavar": flag.value_name.upper()} if flag.kind == INTEGER else {"is_flag": True}
        )
        command = click.option(f"--{name}", **takes, help=summary)(command)
    return command


def _group_and_summary(flag: str, summary: str) -> tuple[str, str]:
    """The heading of a flag in the help, and its text there."""
    for prefix, heading in _STEP_GROUPS.items():
        if summary.startswith(prefix):
            text = summary.removeprefix(prefix)
            return heading, f"{text[0].upper()}{text[1:]}"
    return next((heading for heading, flags in _GROUPS.items() if flag in flags), _OTHERS), summary


class _Command(click.Command):
    """A command whose help has its flags grouped by purpose."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the flags, in groups."""
        groups: dict[str, list[tuple[str, str]]] = {
            heading: [] for heading in (*_GROUPS, *_STEP_GROUPS.values(), _OTHERS)
        }
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx) if isinstance(parameter, click.Option) else None
            if record is not None:
                heading, summary = _group_and_summary(parameter.opts[0], record[1])
                groups[heading].append((record[0], summary))
        for heading, records in groups.items():
            with formatter.section(heading):
                formatter.write_dl(records)


@click.command(TOOL, cls=_Command, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120})
@click.argument("input_file", required=False)
@click.option("-o", "output_file", metavar="FILE", help="Write to this file, whole or not at all.")
@click.option("--interpret", is_flag=True, callback=_note_step, help="Run the program and print its results.")
@click.option("--serialize", is_flag=True, callback=_note_step, help="Write the program as a portable artifact.")
@click.option("--deserialize", is_flag=True, callback=_note_step, help="Print the program in a portable artifact.")
@click.option("--export", metavar="FORM", callback=_note_step, help="Write hlo-text, hlo-proto or mhlo.")
@click.option("--import", "import_form", metavar="FORM", help=f"Read {_FORMS}.")
@click.option("--split-input-file", metavar="MARKER", help="Treat the chunks between markers as separate files.")
@click.option("--output-split-marker", metavar="MARKER", help="Print this between the chunks' results.")
@click.option("--allow-unregistered-dialect", is_flag=True, help="Let ops of unknown dialects pass.")
@click.option(
    "--verify-diagnostics",
    type=click.Choice(["all", "only-expected"]),
    help="Compare diagnostics with expected-* comments.",
)
@click.option("--error-diagnostics-only", is_flag=True, help="Print errors alone.")
@click.option("--mlir-print-op-on-diagnostic", type=bool, help="Show the op that an error is about.")
@click.option("--mlir-disable-threading", is_flag=True, help="Run on one thread, which is what this tool always does.")
@click.option("--no-implicit-module", is_flag=True, help="Reject a program that is not written as a module.")
@click.option("--target", metavar="VERSION", help="Serialize: X.Y.Z, current, minimum, 4w or 12w.")
@click.option("--strip-debuginfo", is_flag=True, help="Serialize: leave locations out.")
@click.option("--allow-other-dialects", is_flag=True, help="Serialize: let other dialects' ops pass.")
@click.option("--print-stablehlo-version", is_flag=True, help="Deserialize: print the artifact's version first.")
@_printer_options
@click.option("--args", metavar="ATTRIBUTES", help="Interpret: arguments, [dense<1> : tensor<2xi32>, …].")
@click.option("--input", "inputs", multiple=True, metavar="@FILE.npy", help="Interpret: the next argument.")
@click.option(
    "--inputs", "inputs_archive", metavar="FILE.npz", help="Interpret: all arguments; or .safetensors, a folder."
)
@click.option("--output", metavar="@FILE", help="Interpret: write results to an .npy or .npz file.")
@click.option("--function", metavar="NAME", help="Interpret: what to run, default main.")
@click.option("--interpreter-print-dense", "print_dense", is_flag=True, help="Interpret: print dense attributes.")
@click.option("--probe-output-dir", metavar="FOLDER", help="Interpret: where probes write.")
@click.option("--num-replicas", type=click.IntRange(1, 4096), help="Interpret: rows of the process grid.")
@click.option("--num-partitions", type=click.IntRange(1, 4096), help="Interpret: columns of the grid.")
@click.option("--grid", type=click.Choice(["local", "mpi"]), help="Interpret: what runs the processes.")
@click.option("--max-memory", type=click.IntRange(0), metavar="BYTES", help="Interpret: no tensor larger than this.")
@click.option("--max-steps", type=click.IntRange(0), metavar="N", help="Interpret: stop after N ops.")
@click.option("--timeout", type=click.FloatRange(0), metavar="SECONDS", help="Interpret: stop after so long.")
@click.option("--deterministic", is_flag=True, help="Interpret: the same bits everywhere, also of large contractions.")
@click.option("--progress", is_flag=True, help="Interpret: show a bar on a terminal.")
@click.option("--profile", is_flag=True, help="Interpret: print time and bytes by op and location to stderr.")
@click.option("--profile-output", metavar="FILE", help="Interpret: write the profile as JSON.")
@common_options
def command(**flags: Any) -> int:
    """Interprets a StableHLO program (text, bytecode or portable artifact), or translates it to and from portable
    artifacts. INPUT_FILE is a path, or - for standard input; a flag may have one dash or two."""
    context = click.get_current_context()
    steps: list[str] = context.meta.get(TOOL, [])
    if not steps:
        raise UsageError("one of --interpret, --serialize and --deserialize is needed")
    if sum(bool(flags[name]) for name in ("args", "inputs", "inputs_archive")) > 1:
        raise UsageError("--args, --input and --inputs exclude each other")
    given = {name for name in flags if context.get_parameter_source(name) is ParameterSource.COMMANDLINE}
    return translate({name: value for name, value in flags.items() if name in given}, steps)


@cache
def _switches() -> frozenset[str]:
    """The flags that take no value."""
    return frozenset(
        option.removeprefix("--")
        for parameter in command.params
        if isinstance(parameter, click.Option) and parameter.is_flag
        for option in parameter.opts
    )


def run(arguments: list[str]) -> int:
    """Return the exit code of the tool for a command line. Raises StablehloError."""
    try:
        code = command.main(llvm_arguments(arguments), TOOL, standalone_mode=False)
    except click.ClickException as error:
        raise UsageError(f"{error.format_message()} (--help lists all flags)") from error
    except click.Abort:
        raise KeyboardInterrupt from None
    return code if isinstance(code, int) else 0
