"""Write manual pages, one for each tool and each verb of `stablehlo`.

`python tools/generate/man_pages.py FOLDER`; `man -l FOLDER/stablehlo-opt.1` shows one.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from stablehlo_py.cli.compat import compat
from stablehlo_py.cli.information import INTRODUCTION, descriptions, served
from stablehlo_py.cli.options import ALIASES, OPT, TRANSLATE, options_of, spelling
from stablehlo_py.cli.stablehlo import stablehlo
from stablehlo_py.cli.verbs.lsp import command as lsp
from stablehlo_py.version import __version__


def escaped(text: str) -> str:
    """`text` as roff takes it literally."""
    text = " ".join(text.replace("\b", "").split()).replace("\\", "\\e").replace("-", "\\-")
    text = "".join(character if character.isascii() else f"\\[u{ord(character):04X}]" for character in text)
    return f"\\&{text}" if text.startswith((".", "'")) else text


def _head(name: str, summary: str) -> Iterator[str]:
    yield f'.TH "{name.upper()}" "1" "" "stablehlo\\-py {__version__}" "StableHLO"'
    yield f".SH NAME\n{escaped(name)} \\- {escaped(summary)}"


def _entries(entries: Sequence[tuple[str, str]]) -> Iterator[str]:
    yield from (f".TP\n\\fB{escaped(term)}\\fR\n{escaped(text)}" for term, text in entries)


def click_page(command: click.Command, name: str) -> str:
    """The page of a tool or a verb that click reads the command line of."""
    context = click.Context(command, info_name=name)
    text = command.help if command.help else ""
    lines = [*_head(name.replace(" ", "-"), command.get_short_help_str(200))]
    lines.append(f".SH SYNOPSIS\n\\fB{escaped(name)}\\fR {escaped(' '.join(command.collect_usage_pieces(context)))}")
    lines.append(".SH DESCRIPTION")
    lines += [f".PP\n{escaped(paragraph)}" for paragraph in text.split("\n\n")]
    if isinstance(command, click.Group):
        lines.append(".SH VERBS")
        verbs = [(verb, command.get_command(context, verb)) for verb in command.list_commands(context)]
        lines += _entries([(verb, "" if one is None else one.get_short_help_str(200)) for verb, one in verbs])
    lines.append(".SH OPTIONS")
    records = (parameter.get_help_record(context) for parameter in command.get_params(context))
    lines += _entries([record for record in records if record is not None])
    if command.epilog:
        lines.append(f".SH EXIT STATUS\n{escaped(command.epilog)}")
    return "\n".join(lines) + "\n"


def table_page(tool: str, summary: str) -> str:
    """The page of a tool whose options are in the table."""
    usage, introduction = INTRODUCTION[tool]
    lines = [*_head(tool, summary), f".SH SYNOPSIS\n\\fB{escaped(tool)}\\fR {escaped(usage)}"]
    lines.append(f".SH DESCRIPTION\n{escaped(introduction)}")
    for title, options in served(tool).items():
        lines.append(f".SH {escaped(title).upper()}")
        lines += _entries([(spelling(option, brackets=False), option.summary) for option in options])
    lines.append(".SH OTHER SPELLINGS")
    others = [(f"-{alias}", f"the same as --{name}") for alias, name in ALIASES.items() if name in options_of(tool)]
    lines += _entries(others)
    if tool == OPT:
        lines.append(".SH PASSES")
    for found in descriptions() if tool == OPT else ():
        options = "; ".join(f"{one.name}={one.default}" for one in found.options)
        text = f"{found.summary}. Options: {options}" if options else found.summary
        lines += _entries([(f"--{found.name}", text)])
    return "\n".join(lines) + "\n"


def pages() -> dict[str, str]:
    """The text of each page by the name of its file."""
    context = click.Context(stablehlo)
    verbs = {verb: stablehlo.get_command(context, verb) for verb in stablehlo.list_commands(context)}
    return {
        "stablehlo-opt.1": table_page(OPT, "read a StableHLO program, run passes on it, print it"),
        "stablehlo.1": click_page(stablehlo, "stablehlo"),
        "stablehlo-translate.1": table_page(TRANSLATE, "interpret a StableHLO program, or translate it"),
        "stablehlo-compat.1": click_page(compat, "stablehlo-compat"),
        **{
            f"stablehlo-{verb}.1": click_page(one, f"stablehlo {verb}")
            for verb, one in verbs.items()
            if one is not None
        },
        "stablehlo-lsp-server.1": click_page(lsp, "stablehlo-lsp-server"),
    }


def main() -> int:
    """Write all pages to the folder on the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    folder: Path = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in pages().items():
        (folder / name).write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
