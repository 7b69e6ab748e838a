"""Definitions and uses of names, and the tree of a text's symbols."""

from __future__ import annotations

import re
from typing import NamedTuple

from ..errors import UsageError
from ..syntax.outline import Statement
from ..syntax.tokens import Token
from .document import Document

_FILE_LOCATION = re.compile(r'"((?:[^"\\]|\\.)*)":(\d+):(\d+)')
_LOCATION_ALIAS = re.compile(r"#loc\w*")
_MOST_ALIASES = 50
_MOST_SYMBOLS = 2000


def definition(document: Document, offset: int) -> Token | None:
    """Return the token that defines the name at an offset."""
    token = document.outline.token_at(offset)
    found = None if token is None else document.outline.definition(token)
    return None if found is None else found.token


def occurrences(document: Document, offset: int, *, with_definition: bool = True) -> list[Token]:
    """Return every token of the name at an offset, in the order of the text."""
    token = document.outline.token_at(offset)
    found = None if token is None else document.outline.definition(token)
    if found is None:
        return []
    tokens = [*([found.token] if with_definition else []), *found.uses]
    return sorted(tokens, key=lambda one: one.start)


def new_name(document: Document, offset: int, name: str) -> str:
    """Return the new text of the name at an offset, with its mark.

    Raises:
        UsageError: There is no name at the offset, or the new one is none, or has another meaning already.
    """
    token = definition(document, offset)
    if token is None:
        raise UsageError("there is no name to change")
    mark = token.text[:1]
    bare = name[1:] if name[:1] == mark else name
    if not re.fullmatch(r"\d+|[A-Za-z_$.-][\w$.-]*" if mark in "%^" else r"[A-Za-z_][\w$.]*", bare, re.ASCII):
        raise UsageError(f"'{name}' is not a name that can follow {mark}")
    taken = {one.token.name for one in document.outline.definitions} - {token.name}
    if mark + bare in taken:
        raise UsageError(f"{mark}{bare} exists already")
    return mark + bare


def folds(document: Document) -> list[tuple[int, int]]:
    """Return the first line and the last line but one of each op that has more than two."""
    found = [(document.line_of(one.start), document.line_of(one.end)) for one in document.outline.all_statements()]
    return [(first, last - 1) for first, last in found if last > first + 1]


def source_location(document: Document, offset: int) -> tuple[str, int, int] | None:
    """Return the first file, line and column that the location at an offset names, through its aliases."""
    line = document.line_of(offset)
    start = document.line_start(line)
    text = document.text[start : document.line_end(line)]
    column = offset - start
    spot = next(
        (found for found in re.finditer(r"loc\(.*\)|#loc\w*", text) if found.start() <= column <= found.end()), None
    )
    written = "" if spot is None else spot[0]
    for _ in range(_MOST_ALIASES):
        found = _FILE_LOCATION.search(written)
        if found is not None:
            return found[1], int(found[2]), int(found[3])
        alias = _LOCATION_ALIAS.search(written)
        body = alias and re.search(rf"^{re.escape(alias[0])} = (.*)$", document.text, re.MULTILINE)
        if not body:
            return None
        written = body[1]
    return None


class DocumentSymbol(NamedTuple):
    """An entry of the tree: its name, its statement, and the entries in it."""

    name: str
    detail: str
    statement: Statement
    children: list[DocumentSymbol]


def symbols(document: Document) -> list[DocumentSymbol]:
    """Return the tree of ops, each by its symbol or its results; of a long text those with a symbol or a region."""
    is_long = len(document.outline.op_names) > _MOST_SYMBOLS

    def entries(statements: list[Statement]) -> list[DocumentSymbol]:
        shown = (one for one in statements if not is_long or one.symbol is not None or one.children)
        return [DocumentSymbol(_name(one), one.name, one, []) for one in shown]

    roots = entries(document.outline.statements)
    waiting = list(roots)
    while waiting:
        symbol = waiting.pop()
        symbol.children.extend(entries(symbol.statement.children))
        waiting += symbol.children
    return roots


def _name(statement: Statement) -> str:
    if statement.symbol is not None:
        return statement.symbol.token.text
    results = ", ".join(result.token.text for result in statement.results)
    return results or statement.name
