"""The textual form of pipelines and of the passes' options.

A pipeline is `builtin.module(func.func(canonicalize),inline{option=value})`; options are `name=value name={a b}`.
"""

from __future__ import annotations

import dataclasses
import re
import types
import typing
from collections.abc import Collection, Iterator
from typing import NamedTuple

from ..errors import UsageError
from ..syntax.spelling import hint
from .base import Pass

_NAME = re.compile(r"(?P<name>[A-Za-z_][\w.\-]*)\s*(?P<next>[({]?)")
_BRACE = re.compile("[{}]")
_BOOLEANS = {"true": True, "1": True, "": True, "false": False, "0": False}
_OPENING, _CLOSING = "{[(<", "}])>"


class PipelineElement(NamedTuple):
    """A pass with its options, or, where `children` is not None, an op name with the passes that run on such ops."""

    name: str
    options: str = ""
    children: tuple[PipelineElement, ...] | None = None

    def __str__(self) -> str:
        if self.children is not None:
            return f"{self.name}({','.join(map(str, self.children))})"
        return f"{self.name}{{{self.options}}}" if self.options else self.name


def parse_pipeline(text: str) -> tuple[PipelineElement, ...]:
    """Return the elements of a textual pipeline. Raises UsageError with the column of the error."""
    position, elements, around = 0, list[PipelineElement](), list[tuple[str, list[PipelineElement]]]()
    may_begin = True  # whether a pass may begin here

    def fail(message: str) -> UsageError:
        return UsageError(f"pass pipeline, column {position + 1}: {message}: {text}")

    while position < len(text):
        token = text[position]
        if token.isspace():
            position += 1
        elif token == ")" and around:
            name, before = around.pop()
            elements, may_begin = [*before, PipelineElement(name, children=tuple(elements))], False
            position += 1
        elif may_begin and token != ")":
            found = _NAME.match(text, position)
            if found is None:
                raise fail("expected the name of a pass or of an op")
            position = found.end()
            if found["next"] == "(":
                around.append((found["name"], elements))
                elements = []
                continue
            options = ""
            if found["next"] == "{":
                end = _end_of_options(text, position)
                if not end:
                    position -= 1
                    raise fail("missing closing '}' while processing pass options")
                options, position = text[position : end - 1].strip(), end
            elements.append(PipelineElement(found["name"], options))
            may_begin = False
        elif token == "," and not may_begin:
            may_begin = True
            position += 1
        else:
            raise fail(f"expected ')' after the passes of '{around[-1][0]}'" if around else f"unexpected '{token}'")
    if around:
        raise fail(f"expected ')' after the passes of '{around[-1][0]}'")
    return tuple(elements)


def _end_of_options(text: str, position: int) -> int:
    """Return the place after the brace that closes the options which begin at `position`; 0 if there is none."""
    depth = 1
    for found in _BRACE.finditer(text, position):
        depth += 1 if found[0] == "{" else -1
        if depth == 0:
            return found.end()
    return 0


def split_top_level(text: str, separators: str) -> Iterator[str]:
    """Split `text` at `separators` outside of brackets and quotes; leave out empty parts."""
    depth, quote, part = 0, "", ""
    for character in text:
        if quote:
            quote = "" if character == quote else quote
        elif character in "\"'":
            quote = character
        elif character in _OPENING:
            depth += 1
        elif character in _CLOSING:
            depth -= 1
        elif depth <= 0 and character in separators:
            if part:
                yield part
            part = ""
            continue
        part += character
    if part:
        yield part


def option_name(field_name: str) -> str:
    return field_name.replace("_", "-")


def _convert(text: str, kind: object, subject: str) -> object:
    """`text` as a value of an option's type. Raises UsageError."""
    if kind is bool:
        if text.lower() not in _BOOLEANS:
            raise UsageError(f"{subject} expects true or false, found '{text}'")
        return _BOOLEANS[text.lower()]
    if kind is int:
        try:
            return int(text, 0)
        except ValueError:
            raise UsageError(f"{subject} is an integer, not '{text}'") from None
    if kind is str:
        return text
    if typing.get_origin(kind) is tuple:
        return tuple(part.strip() for part in split_top_level(text, ","))
    if isinstance(kind, types.UnionType):
        return _convert(text, next(member for member in typing.get_args(kind) if member is not type(None)), subject)
    raise TypeError(f"{subject} has a type that no option can have: {kind}")


def no_such_option(pass_name: str, option: str, known: Collection[str]) -> str:
    """Return the message about an option that a pass does not have."""
    guess, listed = hint(option, known), f"; it has: {', '.join(known)}" if known else "; it has none"
    return f"pass '{pass_name}' has no option '{option}'{guess if guess else listed}"


def make_pass(pass_class: type[Pass], options: str) -> Pass:
    """The pass with the `options` of a flag or a pipeline. Raises UsageError for an unknown option or a bad value."""
    kinds = typing.get_type_hints(pass_class)
    fields = {option_name(field.name): field.name for field in dataclasses.fields(pass_class)}
    values: dict[str, object] = {}
    for part in split_top_level(options, " \t\n"):
        name, _, text = part.partition("=")
        if name not in fields:
            raise UsageError(no_such_option(pass_class.name, name, fields))
        subject = f"option '{name}' of pass '{pass_class.name}'"
        if len(text) >= 2 and (text[0], text[-1]) in (("{", "}"), ('"', '"'), ("'", "'")):  # which keep it together
            text = text[1:-1]
        values[fields[name]] = _convert(text, kinds[fields[name]], subject)
    return pass_class(**values)
