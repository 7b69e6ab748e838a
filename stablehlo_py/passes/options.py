"""Options of passes in their textual form: `name=value name={a b}`, as between the braces of a pipeline."""

from __future__ import annotations

import types
import typing
from collections.abc import Collection, Iterator

from ..errors import UsageError
from ..syntax.spelling import hint
from .base import Pass

_TRUE, _FALSE = ("true", "1", ""), ("false", "0")
_OPENING, _CLOSING = "{[(<", "}])>"


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


def _unwrapped(value: str) -> str:
    """A value without the braces or quotes that keep it together."""
    if len(value) >= 2 and (value[0], value[-1]) in (("{", "}"), ('"', '"'), ("'", "'")):
        return value[1:-1]
    return value


def _convert(text: str, kind: object, subject: str) -> object:
    """`text` as a value of an option's type. Raises UsageError."""
    if kind is bool:
        if text.lower() in _TRUE:
            return True
        if text.lower() in _FALSE:
            return False
        raise UsageError(f"{subject} expects true or false, found '{text}'")
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
    """The message about an option that a pass does not have."""
    guess, listed = hint(option, known), f"; it has: {', '.join(known)}" if known else "; it has none"
    return f"pass '{pass_name}' has no option '{option}'{guess if guess else listed}"


def make_pass(pass_class: type[Pass], options: str) -> Pass:
    """The pass with the `options` of a flag or a pipeline. Raises UsageError for an unknown option or a bad value."""
    import dataclasses

    kinds = typing.get_type_hints(pass_class)
    fields = {option_name(field.name): field.name for field in dataclasses.fields(pass_class)}
    values: dict[str, object] = {}
    for part in split_top_level(options, " \t\n"):
        name, _, text = part.partition("=")
        if name not in fields:
            raise UsageError(no_such_option(pass_class.name, name, fields))
        subject = f"option '{name}' of pass '{pass_class.name}'"
        values[fields[name]] = _convert(_unwrapped(text), kinds[fields[name]], subject)
    return pass_class(**values)
