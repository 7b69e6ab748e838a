"""`stablehlo-translate`: interprets, serializes and deserializes programs. Drop-in for the tool of the same name.

Command lines of a few common flags are read here; all others, and all with mistakes, by click, which takes longer to
import than most programs to translate.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import Any

from .common import run_tool
from .translation import TOOL, translate

STEPS = ("interpret", "serialize", "deserialize", "export")
# The flags that are read here: those with a value, and switches.
_TEXTS = {
    "o": "output_file",
    "target": "target",
    "args": "args",
    "function": "function",
    "probe-output-dir": "probe_output_dir",
}
_SWITCHES = (*STEPS[:3], "strip-debuginfo", "allow-other-dialects", "allow-unregistered-dialect")


def read_simple(arguments: Sequence[str]) -> tuple[dict[str, Any], list[str]] | None:
    """The given flags and the steps of a command line of common flags and one input; None for any other."""
    given: dict[str, Any] = {}
    steps: list[str] = []
    supply = iter(arguments)
    for argument in supply:
        name, has_value, value = argument.lstrip("-").partition("=")
        if not argument.startswith("-") or argument == "-":
            key, read = "input_file", argument
        elif name in _TEXTS:
            key, read = _TEXTS[name], value if has_value else next(supply, None)
        elif name in _SWITCHES and not has_value:
            key, read = name.replace("-", "_"), True
            steps += [name] if name in STEPS else []
        else:
            return None
        if key in given or not read or (read != "-" and str(read).startswith("-")):
            return None
        given[key] = read
    return (given, steps) if steps else None


def _run(arguments: list[str]) -> int:
    simple = read_simple(arguments)
    if simple is not None:
        return translate(*simple)
    from .translate_command import run

    return run(arguments)


def _complete(words: list[str]) -> Iterator[tuple[str, str]]:
    from .completion import click_words
    from .translate_command import command

    return click_words(command, words)


def main() -> None:
    """The console script."""
    sys.exit(run_tool(TOOL, _run, complete=_complete))
