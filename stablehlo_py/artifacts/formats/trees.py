"""Nested tuples, lists and dictionaries of a function's arguments and results, as JAX calls them pytrees."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from ...bindings.narrowing import is_dict, is_list, is_tuple
from ...errors import ArgumentError

Kind = Literal["leaf", "none", "tuple", "list", "dict"]


@dataclass(frozen=True)
class Tree:
    """The structure around leaves; a dictionary has `keys`, in the order of `children`."""

    kind: Kind
    children: tuple[Tree, ...] = ()
    keys: tuple[str, ...] = ()

    def flatten(self, value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
        """The leaves of a value with their paths. Raises `ArgumentError` where its structure is another."""
        if self.kind == "leaf":
            yield path, value
            return
        if self.kind == "none":
            if value is not None:
                raise ArgumentError(f"{_named(path)} is to be None, not {_described(value)}")
            return
        if self.kind == "dict":
            if not is_dict(value) or set(value) != set(self.keys):
                raise ArgumentError(
                    f"{_named(path)} is to be a dictionary of {list(self.keys)}, not {_described(value)}"
                )
            for key, child in zip(self.keys, self.children, strict=True):
                yield from child.flatten(value[key], f"{path}[{key!r}]")
            return
        if not (is_tuple(value) or is_list(value)) or len(value) != len(self.children):
            raise ArgumentError(
                f"{_named(path)} is to be a {self.kind} of {len(self.children)}, not {_described(value)}"
            )
        for index, child in enumerate(self.children):
            yield from child.flatten(value[index], f"{path}[{index}]")

    def unflatten(self, leaves: Iterator[Any]) -> Any:
        """The value with these leaves."""
        if self.kind == "leaf":
            return next(leaves)
        parts = [child.unflatten(leaves) for child in self.children]
        if self.kind == "dict":
            return dict(zip(self.keys, parts, strict=True))
        return None if self.kind == "none" else tuple(parts) if self.kind == "tuple" else parts


def _named(path: str) -> str:
    return f"argument {path}" if path else "the argument"


def _described(value: Any) -> str:
    if is_dict(value):
        return f"one of {list(value)}"
    if is_tuple(value) or is_list(value):
        return f"a {type(value).__name__} of {len(value)}"
    return "None" if value is None else f"a {type(value).__name__}"


def call_leaves(tree: Tree, arguments: Sequence[Any], keywords: dict[str, Any]) -> list[tuple[str, Any]]:
    """The leaves of a call's arguments, of a tree of their tuple and of the dictionary of named ones, with names as
    JAX has them: `args[0]['w']`, `kwargs['mask']`. Raises `ArgumentError` for a call of another structure."""
    positional, named = tree.children
    if len(arguments) != len(positional.children):
        raise ArgumentError(f"the program takes {len(positional.children)} positional arguments, not {len(arguments)}")
    if set(keywords) != set(named.keys):
        takes = ", ".join(named.keys) if named.keys else "none"
        raise ArgumentError(f"the program takes these named arguments: {takes}; not: {', '.join(keywords)}")
    return [*positional.flatten(tuple(arguments), "args"), *named.flatten(keywords, "kwargs")]
