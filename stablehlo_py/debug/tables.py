"""Tables for notebooks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape


def table(title: str, headers: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """An HTML table with a caption."""

    def line(cells: Sequence[object], tag: str) -> str:
        return f"<tr>{''.join(f'<{tag}>{escape(str(cell))}</{tag}>' for cell in cells)}</tr>"

    body = "".join([line(headers, "th"), *(line(row, "td") for row in rows)])
    return f"<table><caption>{escape(title)}</caption>{body}</table>"
