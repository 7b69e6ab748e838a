"""Write docs/flags.md: every flag of upstream's two tools and its effect here.

`python tools/generate/flags.py` writes the page; a test compares it with the tools' command lines.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

from stablehlo_py.cli.options import ALIASES, OPT, TRANSLATE, Option, options_of
from stablehlo_py.passes.catalog import passes_elsewhere

TOP = Path(__file__).parents[2]
PAGE = TOP / "docs" / "flags.md"
UPSTREAM = TOP / "third_party" / "upstream_flags.toml"
TOOLS = (OPT, TRANSLATE)
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


def option_of(tool: str, name: str) -> Option:
    """Return the option here. Raises KeyError if the tool does not know it."""
    return options_of(tool)[ALIASES.get(name, name)]


def summary(option: Option) -> str:
    """Return the effect of the option here, or why it is refused."""
    value, why = option.refused_value
    lacking = f"; `{value}` is refused: {why}" if value else ""
    return option.refused if option.refused else option.summary + lacking


def page() -> str:
    """The text of the page."""
    return "\n".join([HEAD, *_sections()])


def _sections() -> Iterator[str]:
    for tool in TOOLS:
        names = [name for found in upstream_flags(tool).values() for name in found]
        refused = sum(bool(option_of(tool, name).refused) for name in names)
        yield f"## {tool}\n\n{len(names) - refused} of {len(names)} flags work, {refused} are refused.\n"
        for file, found in upstream_flags(tool).items():
            yield f"### `{file}`\n\n| flag | status | |\n|---|---|---|"
            for name in found:
                option, dashes = option_of(tool, name), "-" if len(name) == 1 else "--"
                status, text = "refused" if option.refused else "works", summary(option).replace("|", "\\|")
                yield f"| `{dashes}{name}` | {status} | {text} |"
            yield ""
    yield "## Passes of upstream's that jaxlib lacks\n\nEach is refused with the reason, unless the provider has it.\n"
    reasons = passes_elsewhere()
    for reason in dict.fromkeys(reasons.values()):
        names = [f"`--{name}`" for name, why in reasons.items() if why == reason]
        yield f"- {len(names)}: {reason}.\n\n  {', '.join(names)}\n"


def main() -> int:
    """Write the page."""
    PAGE.write_text(page(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
