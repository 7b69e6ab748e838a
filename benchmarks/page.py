"""Puts tables into docs/benchmarks.md, between the marks of each table."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "benchmarks.md"


def put(name: str, text: str) -> None:
    """Replace what `python benchmarks/NAME.py --write` wrote last."""
    begin, end = f"<!-- benchmarks/{name}.py -->", f"<!-- end of {name.replace('_', ' ')} -->"
    before, mark, rest = PAGE.read_text(encoding="utf-8").partition(begin)
    found, closing, after = rest.partition(end)
    if not closing:
        raise SystemExit(f"{PAGE} has no '{end}' after '{begin}': {found[:40] if mark else ''}")
    PAGE.write_text(f"{before}{begin}\n{text.strip()}\n{end}{after}", encoding="utf-8")
