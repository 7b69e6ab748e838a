"""Algorithms on sequences that several rooms use."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import Any, TypeGuard, TypeVar

Item = TypeVar("Item")

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


def longest_rising(numbers: Sequence[int]) -> list[int]:
    """Return the places of a longest subsequence in which each number is larger than the one before."""
    tails: list[int] = []
    ends: list[int] = []
    before: list[int] = []
    for place, number in enumerate(numbers):
        at = bisect_left(tails, number)
        before.append(ends[at - 1] if at else -1)
        tails[at : at + 1] = [number]
        ends[at : at + 1] = [place]
    found: list[int] = []
    place = ends[-1] if ends else -1
    while place != -1:
        found.append(place)
        place = before[place]
    return found[::-1]


def halved(items: Sequence[Item], crashes: Callable[[Sequence[Item]], bool]) -> Item | None:
    """Return the item that crashes by itself, found by halves; None where some halves do only together."""
    group = items
    while len(group) > 1:
        middle = len(group) // 2
        half = next((half for half in (group[:middle], group[middle:]) if crashes(half)), None)
        if half is None:
            return None
        group = half
    return group[0] if group and (len(items) > 1 or crashes(group)) else None
