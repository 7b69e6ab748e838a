"""`stablehlo-translate`: interprets, serializes and deserializes programs. Drop-in for the tool of the same name."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from .common import run_tool
from .options import TRANSLATE


def _run(arguments: list[str]) -> int:
    from .translation import run

    return run(arguments)


def _complete(words: list[str]) -> Iterator[tuple[str, str]]:
    from .completion import table_words

    return table_words(TRANSLATE, words)


def main() -> None:
    """The console script."""
    sys.exit(run_tool(TRANSLATE, _run, complete=_complete))
