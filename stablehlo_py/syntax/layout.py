"""The layout of MLIR text: indentation and the ends of lines, with names, comments and line breaks as they are."""

from __future__ import annotations

from .outline import Outline
from .scanner import LineIndex

_INDENT = 2


def laid_out(text: str) -> str:
    """Return the text with each op two columns further in than the op around it, and no blanks at the ends of lines.

    What continues an op on further lines moves with the op's first line. The text need not be a program; a second time
    nothing changes.
    """
    outline = Outline(text)
    offsets = [statement.start for statement in outline.all_statements()]
    offsets += [one.token.start for one in outline.definitions if one.kind in ("alias", "block")]
    index, depths = LineIndex(text), _line_depths(text, outline)
    starts = {index.position(offset)[0] - 1 for offset in offsets}
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
