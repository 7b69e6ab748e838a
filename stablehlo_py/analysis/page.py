"""Pages of HTML that need nothing else: styles, scripts and data of one file."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

_ASSETS = Path(__file__).parent / "assets"
_DAGRE = "dagre.min.js"


class Page:
    """A page of HTML.

    `html` is the whole file. A notebook shows it in a frame.
    """

    def __init__(self, title: str, html: str, height: int = 640) -> None:
        self.title = title
        self.html = html
        self._height = height

    def save(self, path: str | Path) -> None:
        """Write the file."""
        Path(path).write_bytes(self.encoded())

    def encoded(self) -> bytes:
        """Return the bytes of the file; bytes in a program's name that are not text stay as they are."""
        return self.html.encode("utf-8", "surrogateescape")

    def __repr__(self) -> str:
        return f"<stablehlo_py report on {self.title}, {len(self.html) / 1e6:.2f} MB; save(path) writes it>"

    def _repr_html_(self) -> str:
        return (
            f'<iframe srcdoc="{escape(self.html)}" style="width:100%;height:{self._height}px;border:1px solid #8884" '
            f'title="{escape(self.title)}"></iframe>'
        )


def make_page(title: str, body: str, scripts: Sequence[str], data: Mapping[str, Any]) -> Page:
    """Put a page together.

    Args:
        title: What the browser shows.
        body: The file of the page's body.
        scripts: The files of its scripts, in the order in which they run.
        data: What they show; they find it as JSON in the element `data`.
    """
    parts = {
        "title": escape(title),
        "style": _asset("style.css"),
        "body": _asset(body),
        # JSON in an element `script` must not end the element.
        "data": json.dumps(data, separators=(",", ":"), ensure_ascii=False, allow_nan=False).replace("<", "\\u003c"),
        "script": "\n".join(map(_asset, scripts)),
    }
    return Page(title, re.sub(r"\{\{(\w+)\}\}", lambda found: parts[found[1]], _asset("page.html")))


def _asset(name: str) -> str:
    if name == _DAGRE and not (_ASSETS / name).is_file():  # in the source tree it is with other people's files
        return (Path(__file__).parents[2] / "third_party" / "dagre" / name).read_text(encoding="utf-8")
    return (_ASSETS / name).read_text(encoding="utf-8")
