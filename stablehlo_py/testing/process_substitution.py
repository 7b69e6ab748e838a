"""Bash's `<(…)` for lit's own shell, which lacks it: the command in it runs first, and a file has its output.

As in bash, its exit code counts for nothing.
"""

from __future__ import annotations

import re

# The ends of a command, and the marks that hide them: quotes, and a backslash before one character.
_TOKEN = re.compile(r"""'[^']*'|"(?:[^"\\]|\\.)*"|\\.|<\(|[()]|&&|\|\||;""")
_ENDS = ("&&", "||", ";")


def with_files(command: str, name: str) -> str:
    """Return `command` with files called `name`.1, `name`.2 and so on in place of each `<(…)`.

    Args:
        command: A line for lit's shell. It is returned as it is where a part is nested, or follows `&&`, `||` or `;`:
            lit's shell rejects that.
        name: The start of the files' names, which need no quotes.
    """
    before: list[str] = []
    after = ""
    copied = begin = 0  # where the rest of the command begins, and the part that is open
    depth = 0
    for token in _TOKEN.finditer(command):
        if depth == 0 and token[0] in _ENDS:
            break
        if token[0] == "<(":
            if depth:
                return command
            depth, begin = 1, token.end()
            after += command[copied : token.start()]
        elif token[0] == "(" or (depth and token[0] in _ENDS):
            return command
        elif token[0] == ")" and depth:
            before.append(f"{command[begin : token.start()]} > {name}.{len(before) + 1}")
            after += f"{name}.{len(before)}"
            depth, copied = 0, token.end()
    if depth or "<(" in _TOKEN.sub(_without_quoted, command[copied:]):
        return command
    return "; ".join([*before, after + command[copied:]])


def _without_quoted(token: re.Match[str]) -> str:
    return "" if token[0][0] in "'\"\\" else token[0]
