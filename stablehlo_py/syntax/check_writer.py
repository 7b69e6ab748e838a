"""Printed text with check ops in generic form → the same text with their assembly form."""

from __future__ import annotations

import re

from .check_dialect import CHECK_OPS, CheckOp, GenericForm, written_entries
from .scanner import AttributeText, Cursor, ScanError

# An op starts a line in printed text.
_PRINTED = re.compile(r'^([ \t]*)(?="check\.)', re.MULTILINE)


def _dictionary(attributes: dict[str, AttributeText]) -> str:
    return f" {{{written_entries(attributes)}}}" if attributes else ""


def _assembly(form: GenericForm, op: CheckOp) -> str:
    text = f"{form.name} {', '.join(form.operands)}"
    others = dict(form.attributes)
    for attribute in op.attributes:
        value = others.pop(attribute.name, None)
        if value is None or (attribute.default and value.value == attribute.default):
            continue
        written = value.value if attribute.type else str(value)
        text += f", {attribute.keyword} = {written}" if attribute.keyword else f", {written}"
    if op.dictionary_behind_colon:
        return f"{text} :{_dictionary(others)} {', '.join(form.operand_types[: op.types])}"
    text += _dictionary(others)
    return f"{text} : {', '.join(form.operand_types[: op.types])}" if op.types else text


def _generic(form: GenericForm, op: CheckOp) -> str:
    """The generic form as a registered op prints it: attributes of the op's definition are properties."""
    names = {attribute.name for attribute in op.attributes}
    own = {name: value for name, value in form.attributes.items() if name in names}
    others = {name: value for name, value in form.attributes.items() if name not in names}
    properties = f" <{{{written_entries(own)}}}>" if own else ""
    types = ", ".join(form.operand_types)
    return f'"{form.name}"({", ".join(form.operands)}){properties}{_dictionary(others)} : ({types}) -> ()'


def write_check_ops(text: str, *, generic: bool = False) -> str:
    """Printed `text` with every check op as a tool that knows the dialect prints it."""
    if '"check.' not in text:
        return text
    parts: list[str] = []
    done = 0
    for found in _PRINTED.finditer(text):
        cursor = Cursor(text, found.end())
        try:
            form = GenericForm.read(cursor)
        except ScanError:  # an op with regions or successors, which no check op has
            continue
        op = CHECK_OPS.get(form.name)
        if op is None:
            continue
        parts += [text[done : found.end()], (_generic if generic else _assembly)(form, op)]
        done = cursor.position
    return "".join([*parts, text[done:]])
