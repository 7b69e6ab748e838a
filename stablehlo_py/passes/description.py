"""Descriptions of passes and their options, for lists and help."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from ..bindings import ir, passmanager
from ..bindings.context import is_registered_pass
from ..bindings.narrowing import is_tuple
from .catalog import find_pass, pass_names
from .compiled import compiled_passes
from .options import option_name, split_top_level
from .pipeline import PassPipeline


@dataclass(frozen=True)
class Option:
    """An option of a pass: its default is text as written in a pipeline, or empty."""

    name: str
    default: str
    summary: str


@dataclass(frozen=True)
class Description:
    """A pass: its flag, its summary, the kind of op that it runs on, and its options."""

    name: str
    summary: str
    anchor: str
    options: tuple[Option, ...]


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if is_tuple(value):
        return ",".join(map(str, value))
    return "" if value is None else str(value)


def _manager(name: str, anchor: str, context: ir.Context) -> tuple[str, str]:
    """Return the anchor of a compiled pass, and the text that its manager prints.

    Some releases run a pass on functions and some on modules; `anchor` is tried first.
    """
    first = "builtin.module" if anchor == "any" else anchor
    second = "func.func" if first == "builtin.module" else "builtin.module"
    try:
        manager = passmanager.PassManager(first, context=context)
        manager.add(name)
        return anchor, str(manager)
    except ValueError:
        manager = passmanager.PassManager(second, context=context)
        manager.add(name)
        return second, str(manager)


def _defaults(text: str, name: str) -> dict[str, str]:
    """Return the options that the bindings print for a pass, with their values; empty lists are not printed."""
    text = text[text.index("(") + 1 : -1].removeprefix(name)
    if not text.startswith("{"):
        return {}
    parts = (part.partition("=") for part in split_top_level(text[1:-1], " "))
    return {key: value for key, equals, value in parts if equals}


def available_passes() -> list[str]:
    """Return every pass that can run here in alphabetical order, as providers can lack compiled passes."""
    return [name for name in pass_names() if name not in compiled_passes() or is_registered_pass(name)]


def describe_pass(name: str, context: ir.Context) -> Description:
    """Return the description of the pass called `name`, one of `available_passes`."""
    python_pass = find_pass(name)
    if python_pass is None:
        compiled = compiled_passes()[name]
        # A pipeline prints the options of its last pass as its own.
        anchor, text = _manager(name, compiled.anchor, context)
        defaults = _defaults(text, name) if compiled.options else {}
        options = tuple(Option(key, defaults.get(key, ""), what) for key, what in sorted(compiled.options.items()))
        return Description(name, compiled.summary, anchor, options)
    options = tuple(
        Option(option_name(field.name), _text(field.default), str(field.metadata.get("summary", "")))
        for field in dataclasses.fields(python_pass)
    )
    anchor = "any" if issubclass(python_pass, PassPipeline) else python_pass.anchor
    return Description(name, python_pass.summary, anchor, options)
