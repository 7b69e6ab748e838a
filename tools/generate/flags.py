"""Write docs/flags.md: every flag of upstream's two tools and its effect here.

`python tools/generate/flags.py` writes the page; a test compares it with the tools' command lines.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import click

from stablehlo_py.cli.common_flags import COMMON_FLAGS
from stablehlo_py.cli.opt_flags import ALIASES, FLAGS
from stablehlo_py.cli.refused_flags import REFUSED, REFUSED_VALUES, UNTIMED, UNTIMED_FLAGS
from stablehlo_py.cli.translate_command import command

TOP = Path(__file__).parents[2]
PAGE = TOP / "docs" / "flags.md"
UPSTREAM = TOP / "third_party" / "upstream_flags.toml"
TOOLS = ("stablehlo-opt", "stablehlo-translate")
HEAD = """# Flags of upstream's tools

`stablehlo-opt` and `stablehlo-translate` read the command lines of the tools that StableHLO builds in C++. This is
every flag of those, by the source file that defines it, with one dash or two. A flag that the Python bindings of MLIR
cannot serve ends the tool with the reason given here, so that no script believes that something was done which was
not. Passes are flags of `stablehlo-opt` as well; `stablehlo-opt --list-passes` shows them. `tools/generate/flags.py`
writes this page, and a test tries every line of it.
"""


def upstream_flags(tool: str) -> dict[str, list[str]]:
    """The flags of upstream's `tool`, by the file that defines them."""
    table = tomllib.loads(UPSTREAM.read_text(encoding="utf-8"))
    return {**table[tool], **table["both"]}


def refusal(tool: str, name: str) -> str:
    """Why the flag cannot be had; empty where it works."""
    if tool == "stablehlo-translate" and name in UNTIMED_FLAGS:
        return UNTIMED
    return REFUSED.get(name, "")


def _translate_help() -> dict[str, str]:
    return {
        option.lstrip("-"): parameter.help if parameter.help else ""
        for parameter in command.params
        if isinstance(parameter, click.Option)
        for option in parameter.opts
    }


def summary(tool: str, name: str) -> str:
    """Return the effect of the flag here. Raises KeyError if it is neither there nor refused."""
    name = ALIASES.get(name, name)
    if name == "help":
        return "Show this help"
    if name in COMMON_FLAGS:
        return COMMON_FLAGS[name]
    if tool == "stablehlo-translate":
        return _translate_help()[name].removesuffix(".")
    found = FLAGS[name].summary
    lacking = [f"`{value}` is refused: {why}" for (flag, value), why in REFUSED_VALUES.items() if flag == name]
    return "; ".join([found, *lacking])


def page() -> str:
    """The text of the page."""
    return "\n".join([HEAD, *_sections()])


def _sections() -> Iterator[str]:
    for tool in TOOLS:
        names = [name for found in upstream_flags(tool).values() for name in found]
        refused = sum(bool(refusal(tool, name)) for name in names)
        yield f"## {tool}\n\n{len(names) - refused} of {len(names)} flags work, {refused} are refused.\n"
        for file, found in upstream_flags(tool).items():
            yield f"### `{file}`\n\n| flag | status | |\n|---|---|---|"
            for name in found:
                why = refusal(tool, name)
                dashes = "-" if len(name) == 1 else "--"
                text = (why if why else summary(tool, name)).replace("|", "\\|")
                yield f"| `{dashes}{name}` | {'refused' if why else 'works'} | {text} |"
            yield ""


def main() -> int:
    """Write the page."""
    PAGE.write_text(page(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
