"""The layout of MLIR text: indentation and the ends of lines, with names, comments and line breaks as they are."""

from __future__ import annotations

from .outline import Outline

_INDENT = 2


def laid_out(text: str) -> str:
    """Return the text with each op two columns further in than the op around it, and no blanks at the ends of lines.

    What continues an op on further lines moves with the op's first line. The text need not be a program; a second time
    nothing changes.
    """
    outline = Outline(text)
    depths, starts = _line_depths(text, outline), _first_lines(text, outline)
    lines: list[str] = []
    shift = 0
    for number, line in enumerate(text.split("\n")):
        content = line.strip()
        old = len(line) - len(line.lstrip())
        depth = depths[number]
        if content.startswith("}") or (content.startswith("^") and depth):
            shift = _INDENT * (depth - 1) - old
        elif number in starts or content.startswith("//"):
            shift = _INDENT * depth - old
        lines.append(" " * max(old + shift, 0) + content if content else "")
    return "\n".join(lines).rstrip("\n") + "\n" if text.strip() else ""


def _line_depths(text: str, outline: Outline) -> list[int]:
    """Return the number of braces that are open where each line begins."""
    depths, depth = [0], 0
    position = 0
    for token in outline.tokens:
        depths += [depth] * text.count("\n", position, token.start)
        position = token.start
        if token.kind == "mark":
            depth = max(depth + (token.text == "{") - (token.text == "}"), 0)
    return depths + [depth] * text.count("\n", position)


def _first_lines(text: str, outline: Outline) -> set[int]:
    """Return the numbers of the lines, from 0, that an op, an alias or a block's label begins."""
    offsets = [statement.start for statement in outline.all_statements()]
    offsets += [one.token.start for one in outline.definitions if one.kind in ("alias", "block")]
    lines: set[int] = set()
    line = position = 0
    for offset in sorted(offsets):
        line += text.count("\n", position, offset)
        position = offset
        lines.add(line)
    return lines
