"""The flags of `stablehlo-opt` that only tell something: help, versions, passes, dialects."""

from __future__ import annotations

import shutil
import sys

import click

from ..bindings import make_context
from ..bindings.context import loaded_dialects
from ..passes.description import Description, available_passes, describe_pass
from .opt_flags import GROUPS, OPTIONAL, SWITCH, Flag, Options
from .version_text import version_text

INTRODUCTION = (
    "Reads a StableHLO module (text, MLIR bytecode or a portable artifact) from FILE, or from standard input for `-` "
    "or without FILE; runs passes on it in the order of their flags; prints the result. Flags can be written with one "
    "dash or two. The options of a pass follow its flag: --vhlo-to-version=target=1.9.0"
)


def descriptions() -> list[Description]:
    """All passes, with their options."""
    context = make_context()
    return [describe_pass(name, context) for name in available_passes()]


def _spelling(flag: Flag) -> str:
    dashes = "-" if len(flag.name) == 1 else "--"
    if flag.kind == SWITCH:
        return f"{dashes}{flag.name}"
    value = f"[=<{flag.value_name}>]" if flag.kind == OPTIONAL else f"=<{flag.value_name}>"
    return f"{dashes}{flag.name}{value}"


def _summary(flag: Flag) -> str:
    return f"{flag.summary} (default: {flag.default})" if flag.default else flag.summary


def show_help(_value: str, _options: Options) -> int:
    """Prints all flags and passes."""
    width = min(shutil.get_terminal_size().columns, 120)
    formatter = click.HelpFormatter(width=width)
    formatter.write_usage("stablehlo-opt", "[FLAG | PASS]... [FILE]")
    formatter.write_paragraph()
    with formatter.indentation():
        formatter.write_text(INTRODUCTION)
    for title, flags in GROUPS.items():
        with formatter.section(title):
            formatter.write_dl([(_spelling(flag), _summary(flag)) for flag in flags], col_max=34)
    with formatter.section("Pass flags (--list-passes shows their options)"):
        formatter.write_dl([(f"--{pass_.name}", pass_.summary) for pass_ in descriptions()], col_max=34)
    sys.stdout.write(formatter.getvalue())
    return 0


def show_version(_value: str, _options: Options) -> int:
    """Prints the versions."""
    sys.stdout.write(version_text())
    return 0


def list_passes(_value: str, _options: Options) -> int:
    """Print every pass: its flag, its anchor, its summary, and its options with their defaults."""
    for description in descriptions():
        where = "" if description.anchor == "any" else f" [{description.anchor}]"
        sys.stdout.write(f"--{description.name}{where}\n    {description.summary}\n")
        for option in description.options:
            summary = f"  {option.summary}" if option.summary else ""
            sys.stdout.write(f"      {option.name}={option.default}{summary}\n")
    return 0


def show_dialects(_value: str, _options: Options) -> int:
    """Prints the dialects that can be read, the check dialect included."""
    sys.stdout.write(f"Available Dialects: {','.join(sorted([*loaded_dialects(make_context()), 'check']))}\n")
    return 0
