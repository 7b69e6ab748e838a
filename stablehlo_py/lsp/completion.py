"""Completions at a position: values, symbols, ops, attributes, types, and passes in RUN lines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Literal

from ..bindings.context import PROGRAM_DIALECTS
from ..bindings.op_signatures import op_names, op_signature
from ..bindings.types import element_type_names
from ..dialect.catalog import contract
from .document import Document
from .writing import snippet, summary

MOST_PROPOSALS = 500
_MOST_AT_HAND = 8
TRIGGERS = ("%", "@", "^", "!", "#", ".", "-", "<", '"')
Kind = Literal["value", "symbol", "block", "op", "attribute", "type", "flag"]


@dataclass(frozen=True)
class Proposal:
    """A text that may follow `prefix`, with a word about it."""

    text: str
    kind: Kind
    detail: str = ""
    summary: str = ""
    snippet: str = ""


def completions(document: Document, offset: int, flags: Sequence[tuple[str, str]] = ()) -> tuple[list[Proposal], int]:
    """Return the completions at an offset, and the offset of the first character that they replace.

    Args:
        document: The text.
        offset: Where the cursor is.
        flags: The flags of tools with their summaries, for RUN lines.
    """
    line = document.text[document.line_start(document.line_of(offset)) : offset]
    token = document.outline.token_at(offset)
    if token is not None and token.kind == "comment" and token.start < offset:
        word = re.search(r"-{1,2}[\w-]*$", line) if "RUN:" in line else None
        proposals = [Proposal(f"--{name}", "flag", summary) for name, summary in flags] if word else []
        return proposals, offset - len(word[0]) if word else offset
    for pattern, propose in _POSITIONS:
        found = re.search(pattern, line)
        if found is not None:
            start = offset - len(found[1])
            return list(islice(propose(document, start, found[1]), MOST_PROPOSALS)), start
    return [], offset


def _values(document: Document, offset: int, written: str) -> Iterator[Proposal]:
    """Yield the values before an offset, the last one first; of too many those with `written` in their names."""
    visible = sorted(document.outline.visible_at(offset), key=lambda one: -one.token.start)
    if len(visible) > MOST_PROPOSALS:
        visible = [one for one in visible if written[1:] in one.token.text]
    for definition in visible:
        statement = definition.statement
        is_before = definition.kind == "argument" or (
            definition.kind == "result" and statement and statement.end < offset
        )
        if is_before:
            yield Proposal(definition.token.text, "value", document.type_of(definition))


def _blocks(document: Document, offset: int, _written: str) -> Iterator[Proposal]:
    visible = document.outline.visible_at(offset)
    return (Proposal(one.token.text, "block") for one in visible if one.kind == "block")


def _symbols(document: Document, _offset: int, _written: str) -> Iterator[Proposal]:
    return (Proposal(one.token.text, "symbol") for one in document.outline.definitions if one.kind == "symbol")


def _aliases(document: Document, _offset: int, written: str) -> Iterator[Proposal]:
    for one in document.outline.definitions:
        if one.kind == "alias" and one.token.text.startswith(written[0]):
            yield Proposal(one.token.text, "type" if written[0] == "!" else "attribute")


def _ops(document: Document, offset: int, written: str) -> Iterator[Proposal]:
    dialect = written.partition(".")[0]
    values = [(one.text, one.detail) for one in islice(_values(document, offset, ""), _MOST_AT_HAND)]
    for name in op_names(dialect):
        known = contract(name.removeprefix("stablehlo.")) if dialect == "stablehlo" else None
        yield Proposal(name, "op", ", ".join(known.traits) if known else "", summary(name), snippet(name, values))


def _types(_document: Document, _offset: int, _written: str) -> Iterator[Proposal]:
    return (Proposal(name, "type") for name in (*element_type_names(), "!quant.uniform", "complex"))


def _attributes(document: Document, offset: int, _written: str) -> Iterator[Proposal]:
    statement = document.outline.statement_at(offset)
    signature = None if statement is None else op_signature(statement.name)
    if signature is not None:
        yield from (Proposal(each.name, "attribute", each.kind) for each in signature.attributes)


def _dialects(document: Document, offset: int, written: str) -> Iterable[Proposal]:
    line = document.text[document.line_start(document.line_of(offset)) : offset]
    if line.strip() and not line.rstrip().endswith(("=", '"')):
        return _attributes(document, offset, written) if "{" in line else ()
    return (Proposal(f"{name}.", "op") for name in dict.fromkeys(("stablehlo", *PROGRAM_DIALECTS, "check")))


# The first pattern that matches the line up to the cursor decides; its group is the beginning of the word.
_POSITIONS = (
    (r"(%[\w$.-]*)$", _values),
    (r"(\^[\w$.-]*)$", _blocks),
    (r"(@[\w$.-]*)$", _symbols),
    (r"([!#][\w$.]*)$", _aliases),
    (r"(?:tensor|complex)<(?:[\d?]+x)*((?:[a-z]\w*)?)$", _types),
    (r"(?<![\w.%@#!])([a-z_]+\.\w*)$", _ops),
    (r"(?:<?\{|,)\s*(\w*)$", _attributes),
    (r"(?<![\w.%@#!])(\w*)$", _dialects),
)
