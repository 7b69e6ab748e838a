"""Type guards for values of any type."""

from __future__ import annotations

from typing import Any, TypeGuard

# To a type checker `isinstance` leaves open what is in a value of any type; these do not.


def is_tuple(value: object) -> TypeGuard[tuple[Any, ...]]:
    """Whether a value is a tuple, whatever is in it."""
    return isinstance(value, tuple)


def is_list(value: object) -> TypeGuard[list[Any]]:
    """Whether a value is a list, whatever is in it."""
    return isinstance(value, list)


def is_dict(value: object) -> TypeGuard[dict[Any, Any]]:
    """Whether a value is a dictionary, whatever is in it."""
    return isinstance(value, dict)
