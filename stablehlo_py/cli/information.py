"""The options that only tell something: help, versions, passes, dialects."""

from __future__ import annotations

import shutil
import sys

import click

from ..bindings import make_context
from ..bindings.context import loaded_dialects
from ..passes.description import Description, available_passes, describe_pass
from .command_line import Options
from .options import GROUPS, OPT, TRANSLATE, Option, spelling
from .version_text import version_text

# What a tool is called with, and what it does.
INTRODUCTION = {
    OPT: (
        "[FLAG | PASS]... [FILE]",
        "Reads a StableHLO module (text, MLIR bytecode or a portable artifact) from FILE, or from standard input for "
        "`-` or without FILE; runs passes on it in the order of their flags; prints the result. Flags can be written "
        "with one dash or two. The options of a pass follow its flag: --vhlo-to-version=target=1.9.0",
    ),
    TRANSLATE: (
        "[FLAG]... [FILE]",
        "Interprets a StableHLO program (text, bytecode or portable artifact), or translates it to and from portable "
        "artifacts. FILE is a path, or - for standard input; a flag may have one dash or two. Several steps are taken "
        "in their order.",
    ),
}


def descriptions() -> list[Description]:
    """All passes, with their options."""
    context = make_context()
    return [describe_pass(name, context) for name in available_passes()]


def _summary(option: Option) -> str:
    has_default = option.default and not option.variable  # which may say something else
    return f"{option.summary} (default: {option.default})" if has_default else option.summary


def served(tool: str) -> dict[str, list[Option]]:
    """Return the options that a tool serves, by their headings."""
    found = {title: [one for one in group if tool in one.tools and not one.refused] for title, group in GROUPS.items()}
    return {title: group for title, group in found.items() if group}


def show_help(_value: str, options: Options) -> int:
    """Prints all options and passes."""
    usage, introduction = INTRODUCTION[options.tool]
    formatter = click.HelpFormatter(width=min(shutil.get_terminal_size().columns, 120))
    formatter.write_usage(options.tool, usage)
    formatter.write_paragraph()
    with formatter.indentation():
        formatter.write_text(introduction)
    for title, group in served(options.tool).items():
        with formatter.section(title):
            formatter.write_dl([(spelling(one), _summary(one)) for one in group], col_max=34)
    if options.tool == OPT:
        with formatter.section("Pass flags (--list-passes shows their options)"):
            formatter.write_dl([(f"--{one.name}", one.summary) for one in descriptions()], col_max=34)
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
