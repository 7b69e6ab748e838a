"""Marks that an editor shows in the text: colours of tokens, and shapes behind the names of results."""

from __future__ import annotations

from collections.abc import Iterator

from ..syntax.outline import Statement
from ..syntax.tokens import Token
from .document import Document

KINDS = (
    "comment",
    "string",
    "variable",
    "parameter",
    "label",
    "function",
    "type",
    "macro",
    "number",
    "method",
    "keyword",
)
_KIND_OF_TOKEN = {
    "comment": "comment", "string": "string", "block": "label", "symbol": "function", "type": "type",
    "attribute": "macro", "number": "number",
}  # fmt: skip
_TYPES = ("tensor", "complex", "tuple", "vector", "memref", "index", "none")
_KEYWORDS = frozenset((
    "dense", "loc", "true", "false", "array", "private", "public", "to", "init", "applies", "across", "dimensions",
    "reducer", "cond", "do", "else", "contracting_dims", "batching_dims", "unit",
))  # fmt: skip


def token_kinds(document: Document) -> Iterator[tuple[Token, str]]:
    """Yield each token that has a colour with its kind, one of `KINDS`."""
    names = {statement.token.start for statement in document.outline.all_statements()}
    for token in document.outline.tokens:
        if token.start in names:
            yield token, "method"
        elif token.kind == "value":
            definition = document.outline.definition(token)
            yield token, "parameter" if definition is not None and definition.kind == "argument" else "variable"
        elif token.kind in _KIND_OF_TOKEN:
            yield token, _KIND_OF_TOKEN[token.kind]
        elif token.kind == "word" and token.text in _TYPES:
            yield token, "type"
        elif token.kind == "word" and token.text in _KEYWORDS:
            yield token, "keyword"


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
