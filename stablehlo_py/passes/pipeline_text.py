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
from ..syntax.scanner import TextCursor
from ..syntax.spelling import hint
from .base import Pass

_NAME = re.compile(r"[A-Za-z_][\w.\-]*")
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


class _Reader(TextCursor):
    """A recursive descent over the text of a pipeline."""

    def fail(self, message: str) -> UsageError:
        return UsageError(f"pass pipeline, column {self.position + 1}: {message}: {self.text}")

    def elements(self) -> tuple[PipelineElement, ...]:
        result: list[PipelineElement] = []
        while not self.peek(")") and self.position < len(self.text):
            result.append(self.element())
            if not self.accept(","):
                break
        return tuple(result)

    def element(self) -> PipelineElement:
        self.skip_blank()
        found = _NAME.match(self.text, self.position)
        if found is None:
            raise self.fail("expected the name of a pass or of an op")
        self.position = found.end()
        if self.accept("("):
            children = self.elements()
            if not self.accept(")"):
                raise self.fail(f"expected ')' after the passes of '{found[0]}'")
            return PipelineElement(found[0], children=children)
        return PipelineElement(found[0], self.options() if self.peek("{") else "")

    def options(self) -> str:
        start, depth = self.position + 1, 0
        for index in range(self.position, len(self.text)):
            depth += {"{": 1, "}": -1}.get(self.text[index], 0)
            if depth == 0:
                self.position = index + 1
                return self.text[start:index].strip()
        raise self.fail("missing closing '}' while processing pass options")


def parse_pipeline(text: str) -> tuple[PipelineElement, ...]:
    """Return the elements of a textual pipeline. Raises UsageError with the column of the error."""
    reader = _Reader(text)
    elements = reader.elements()
    reader.skip_blank()
    if reader.position < len(text):
        raise reader.fail(f"unexpected '{text[reader.position]}'")
    return elements


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
