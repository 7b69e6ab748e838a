"""Bash's `<(…)` for lit's own shell, which lacks it: the command in it runs first, and a file has its output."""

from __future__ import annotations

import re
from typing import Any

import lit.formats
import lit.TestRunner

_HIDDEN = r"""'[^']*'|"(?:[^"\\]|\\.)*"|\\."""  # quotes, and a backslash before one character
# A part of a command without `(`, `;`, `&&` and `||`.
_PART = rf"""((?:{_HIDDEN}|&(?!&)|\|(?!\|)|<(?!\()|[^'"\\&|<();])*)"""
_SUBSTITUTION = re.compile(rf"{_PART}<\({_PART}\)")
_MORE = re.compile(rf"""(?:{_HIDDEN}|<(?!\()|[^'"\\<])*<\(""")


def with_files(command: str, name: str) -> str:
    """Return a command for lit's shell with files called `name`.1, `name`.2 and so on in place of each `<(…)`.

    As in bash, the exit codes of the commands in them count for nothing.

    Args:
        command: The command, maybe after lit's note of its line. It is returned as it is where a part is nested, or
            follows `&&`, `||` or `;`: lit's shell rejects that.
        name: The start of the files' names, which need no quotes.
    """
    note = re.match(r"(?:%dbg\([^)]*\))?", command)
    start = position = note.end() if note else 0
    before, after = list[str](), ""
    while found := _SUBSTITUTION.match(command, position):
        before.append(f"{found[2]} > {name}.{len(before) + 1}; ")
        after += f"{found[1]}{name}.{len(before)}"
        position = found.end()
    if _MORE.match(command, position):
        return command
    return command[:start] + "".join(before) + after + command[position:]


class SubstitutingShTest(lit.formats.ShTest):
    """lit's format for tests with RUN lines, whose shell understands bash's `<(…)` as well."""

    def __init__(self) -> None:
        super().__init__(execute_external=False)

    def execute(self, test: Any, litConfig: Any) -> Any:  # noqa: N803 (lit's name)
        """Return the result of a test."""
        shell, run = lit.TestRunner.__dict__, lit.TestRunner.executeScriptInternal

        def run_understood(*given: Any, **more: Any) -> Any:
            test, config, temporary, commands, *rest = given
            found = [with_files(command, f"{temporary}.{index}") for index, command in enumerate(commands)]
            return run(test, config, temporary, found, *rest, **more)

        shell.update(executeScriptInternal=run_understood)
        try:
            return super().execute(test, litConfig)
        finally:
            shell.update(executeScriptInternal=run)
