"""Puts tables into docs/benchmarks.md: what stands between a table's marks is the benchmark's, the rest is written."""

from __future__ import annotations

from pathlib import Path

PAGE = Path(__file__).resolve().parent.parent / "docs" / "benchmarks.md"


def put(name: str, text: str) -> None:
    """Replace what `python benchmarks/NAME.py --write` wrote last, or add it at the end of the page."""
    begin, end = f"<!-- benchmarks/{name}.py -->", f"<!-- end of {name.replace('_', ' ')} -->"
    before, mark, rest = PAGE.read_text(encoding="utf-8").partition(begin)
    found, closing, after = rest.partition(end)
    if mark and not closing:
        raise SystemExit(f"{PAGE} has no '{end}' after '{begin}': {found[:40]}")
    text = f"{before.rstrip()}\n\n{begin}\n{text.strip()}\n{end}"
    PAGE.write_text(text + (after if mark else "\n"), encoding="utf-8")
