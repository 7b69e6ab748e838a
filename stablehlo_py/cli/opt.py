"""`stablehlo-opt`: reads a module, runs passes on it, prints it. Drop-in for the tool of the same name."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from .common import run_tool
from .options import OPT


def _run(arguments: list[str]) -> int:
    from .opt_tool import run

    return run(arguments)


def _complete(words: list[str]) -> Iterator[tuple[str, str]]:
    from .completion import table_words

    return table_words(OPT, words)


def main() -> None:
    """The console script."""
    sys.exit(run_tool(OPT, _run, complete=_complete))
