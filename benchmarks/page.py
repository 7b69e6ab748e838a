"""Puts tables into docs/benchmarks.md and README.md: what stands between a table's marks is the benchmark's."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "benchmarks.md"
README = ROOT / "README.md"


def put(name: str, text: str) -> None:
    """Replace what `python benchmarks/NAME.py --write` wrote last, in the page all of it, in the readme the table."""
    table = "\n".join(line for line in text.splitlines() if line.startswith("|"))
    for file, content in ((PAGE, text), (README, table)):
        begin, end = f"<!-- benchmarks/{name}.py -->", f"<!-- end of {name.replace('_', ' ')} -->"
        before, mark, rest = file.read_text(encoding="utf-8").partition(begin)
        found, closing, after = rest.partition(end)
        if not closing:
            raise SystemExit(f"{file} has no '{end}' after '{begin}': {found[:40] if mark else ''}")
        file.write_text(f"{before}{begin}\n{content.strip()}\n{end}{after}", encoding="utf-8")
