"""Tables for notebooks, and numbers that are short enough for them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

_MOST = 160
_PREFIXES = ("", "k", "M", "G", "T", "P")


def table(title: str, headers: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return an HTML table with a caption."""
    from html import escape

    def line(cells: Sequence[object], tag: str) -> str:
        return f"<tr>{''.join(f'<{tag}>{escape(str(cell))}</{tag}>' for cell in cells)}</tr>"

    body = "".join([line(headers, "th"), *(line(row, "td") for row in rows)])
    return f"<table><caption style='white-space: nowrap; text-align: left'>{escape(title)}</caption>{body}</table>"


def shortened(value: object) -> str:
    """Return a value's text on one line, cut to 160 characters."""
    text = " ".join(str(value).split())
    return text if len(text) <= _MOST else f"{text[:_MOST]}…"


def short(number: object, unit: str = "") -> str:
    """1234567 as `1.23 M`; anything else than a number as it prints."""
    if not isinstance(number, int | float):
        return f"{number} {unit}".rstrip()
    for prefix in _PREFIXES:
        if abs(number) < 999.5 or prefix == _PREFIXES[-1]:
            return f"{number:.3g} {prefix}{unit}".rstrip()
        number /= 1000
    return ""
