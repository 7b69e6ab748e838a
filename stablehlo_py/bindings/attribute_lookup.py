"""The attributes of an op as a dictionary, where old bindings lack its methods."""

from __future__ import annotations

from typing import Any

from .provider import ir

HAS_ATTRIBUTE_LOOKUP = hasattr(ir.OpAttributeMap, "get")


def _items(attributes: Any) -> list[tuple[str, ir.Attribute]]:
    named = (attributes[index] for index in range(len(attributes)))
    return [(attribute.name, attribute.attr) for attribute in named]


def _get(attributes: Any, key: str, default: object = None) -> object:
    if key not in attributes:
        return default
    return attributes[key]


def _keys(attributes: Any) -> list[str]:
    return [name for name, _ in _items(attributes)]


def _values(attributes: Any) -> list[ir.Attribute]:
    return [attribute for _, attribute in _items(attributes)]


def complete_bindings() -> None:
    """Gives the attributes of an op the methods of a dictionary that old bindings lack. Iteration over them gives the
    same as without this package, as others in the process may rely on it."""
    if not HAS_ATTRIBUTE_LOOKUP:
        for method in (_get, _items, _keys, _values):
            setattr(ir.OpAttributeMap, method.__name__.removeprefix("_"), method)
