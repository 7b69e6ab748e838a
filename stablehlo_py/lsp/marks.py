"""Marks that an editor shows in the text: colours of tokens, and shapes behind the names of results."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ..syntax.outline import Statement
from .document import Document

KINDS = (
    "comment", "string", "variable", "parameter", "label", "function", "type", "macro", "number", "method", "keyword",
)  # fmt: skip
_NUMBERS = {kind: number for number, kind in enumerate(KINDS)}
_METHOD, _PARAMETER, _VARIABLE = (_NUMBERS[kind] for kind in ("method", "parameter", "variable"))
_NUMBER_OF_TOKEN = {kind: _NUMBERS[kind] for kind in ("comment", "string", "type", "number")} | {
    "block": _NUMBERS["label"], "symbol": _NUMBERS["function"], "attribute": _NUMBERS["macro"],
}  # fmt: skip
_KEYWORDS = (
    "dense", "loc", "true", "false", "array", "private", "public", "to", "init", "applies", "across", "dimensions",
    "reducer", "cond", "do", "else", "contracting_dims", "batching_dims", "unit",
)  # fmt: skip
_TYPES = ("tensor", "complex", "tuple", "vector", "memref", "index", "none")
_NUMBER_OF_WORD: dict[str, int] = {
    **dict.fromkeys(_KEYWORDS, _NUMBERS["keyword"]),
    **dict.fromkeys(_TYPES, _NUMBERS["type"]),
}


def colours(document: Document, size: Callable[[str], int], start: int = 0, end: int | None = None) -> list[int]:
    """Return the tokens in a range of the text that have a colour, as the protocol has them, five numbers each.

    Args:
        document: The text.
        size: Returns the size of a piece of a line in the units of the editor.
        start: Where the range begins.
        end: Where it ends, by default at the end of the text.
    """
    text, outline, data = document.text, document.outline, list[int]()
    line_end = -1
    line = column = begin = before = 0  # the line, the last column, the line's offset, and the line of the last token
    for token in outline.tokens_between(start, len(text) if end is None else end):
        number = _NUMBER_OF_WORD.get(token.text) if token.kind == "word" else _NUMBER_OF_TOKEN.get(token.kind)
        if token.start in outline.op_names:
            number = _METHOD
        elif token.kind == "value":
            definition = outline.definition(token)
            number = _PARAMETER if definition is not None and definition.kind == "argument" else _VARIABLE
        if number is None:
            continue
        if token.start >= line_end:
            line = document.line_of(token.start)
            begin, line_end, column = document.line_start(line), document.line_end(line), 0
        at = size(text[begin : token.start])
        data += (line - before, at - column, size(token.text), number, 0)
        before, column = line, at
    return data


def shapes(document: Document, start: int, end: int) -> Iterator[tuple[int, str]]:
    """Yield the type of each result between two offsets of the text, with the offset behind its name."""
    waiting: list[Statement] = list(document.outline.statements)
    while waiting:
        statement = waiting.pop()
        if statement.end < start or statement.start > end:
            continue
        waiting += statement.children
        for result in statement.results:
            type_ = document.type_of(result)
            if type_ and start <= result.token.start <= end:
                yield result.token.end, type_.removeprefix("tensor<").removesuffix(">") if "tensor<" in type_ else type_
