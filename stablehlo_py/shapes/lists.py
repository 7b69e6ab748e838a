"""Operations on lists that MLIR has no op for, in the library language itself."""

from __future__ import annotations


def equal(left: list[int], right: list[int]) -> bool:
    """Whether both lists have the same elements: `left == right`."""
    same = len(left) == len(right)
    if same:
        for i in range(len(left)):
            if left[i] != right[i]:
                same = False
    return same


def contains(values: list[int], wanted: int) -> bool:
    """Whether one of the elements is `wanted`: `wanted in values`."""
    found = False
    for value in values:
        if value == wanted:
            found = True
    return found


def total(values: list[int]) -> int:
    """Return the sum of the elements: `sum(values)`."""
    result = 0
    for value in values:
        result += value
    return result


def times(values: list[int], count: int) -> list[int]:
    """`values`, `count` times in a row: `values * count`."""
    result: list[int] = []
    for _ in range(count):
        result = result + values
    return result


def at(flat: list[int], lengths: list[int], index: int) -> list[int]:
    """The list number `index` of a list of lists, given as all elements in a row and the lengths of the lists."""
    start = 0
    for i in range(index):
        start += lengths[i]
    return flat[start : start + lengths[index]]
