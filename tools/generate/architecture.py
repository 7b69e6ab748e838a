"""Write the picture and the table of rooms in docs/architecture.md from the imports and the docstrings of packages.

python tools/generate/architecture.py            write it
python tools/generate/architecture.py --check    fail if it is out of date
"""

from __future__ import annotations

import argparse
import ast
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "stablehlo_py"
PAGE = ROOT / "docs" / "architecture.md"
MARKS = (
    "<!-- from here on: tools/generate/architecture.py -->\n",
    "<!-- up to here: tools/generate/architecture.py -->\n",
)


def rooms() -> list[str]:
    """The packages at the top level."""
    return sorted(path.parent.name for path in PACKAGE.glob("*/__init__.py"))


def _targets(path: Path) -> set[str]:
    """The rooms that a file imports from, wherever in it."""
    package = path.relative_to(PACKAGE.parent).parent.parts
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            origin = package[: len(package) - node.level + 1] if node.level else ()
            base = ".".join([*origin, *([node.module] if node.module else [])])
            names = [f"{base}.{alias.name}" for alias in node.names]
        else:
            continue
        found |= {name.split(".")[1] for name in names if name.startswith(f"{PACKAGE.name}.")}
    return found


def imported() -> dict[str, set[str]]:
    """For each room the other rooms that it imports from."""
    known = set(rooms())
    return {
        room: set().union(*(_targets(path) for path in (PACKAGE / room).rglob("*.py"))) & known - {room}
        for room in known
    }


def arrows() -> list[tuple[str, str]]:
    """The imports without those that follow from others: an arrow to a room stands for those below it too."""
    direct = imported()
    below: dict[str, set[str]] = {}

    def reach(room: str) -> set[str]:
        if room not in below:
            below[room] = set()  # a circle would end here; the import test rejects it
            below[room] = direct[room].union(*(reach(other) for other in direct[room]))
        return below[room]

    return [
        (room, other)
        for room in sorted(direct)
        for other in sorted(direct[room])
        if not any(other in reach(between) for between in direct[room] - {other})
    ]


def _summary(room: str) -> str:
    text = ast.get_docstring(ast.parse((PACKAGE / room / "__init__.py").read_text(encoding="utf-8")))
    paragraph = " ".join((text or "").split("\n\n")[0].split())
    return paragraph.replace("|", "\\|")


def drawing() -> str:
    """The picture and the table, between the marks."""
    lines = ["", "```mermaid", "flowchart TD"]
    lines += [f"  {room} --> {other}" for room, other in arrows()]
    lines += ["```", "", "| room | what it holds |", "|---|---|"]
    lines += [f"| `{room}` | {_summary(room)} |" for room in rooms()]
    return "\n".join([*lines, "", ""])


def page() -> str:
    """The whole page, with the part between the marks made anew."""
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(MARKS[0])
    return f"{before}{MARKS[0]}{drawing()}{MARKS[1]}{rest.partition(MARKS[1])[2]}"


def main() -> int:
    """The exit code: 1 where `--check` finds the page out of date."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing; fail if the page is out of date")
    if not parser.parse_args().check:
        PAGE.write_text(page(), encoding="utf-8")
        return 0
    if PAGE.read_text(encoding="utf-8") == page():
        return 0
    sys.stderr.write(f"{PAGE.relative_to(ROOT)} is out of date; run python tools/generate/architecture.py\n")
    return 1


if __name__ == "__main__":
    sys.exit(main())
