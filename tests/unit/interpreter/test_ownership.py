"""Arrays that an op may write into: those that nobody else sees. Of others it gets a copy of its own."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from stablehlo_py.interpreter.fast.ownership import owned

SHAPE = (3, 4)
KEPT: list[Any] = []


class Subclass(np.ndarray):
    """A user's own kind of array."""


def fresh(dtype: Any = np.float32) -> np.ndarray:
    return np.arange(12).reshape(SHAPE).astype(dtype)


def kept(array: np.ndarray, keep: Callable[[np.ndarray], Any]) -> np.ndarray:
    KEPT.append(keep(array))
    return array


def read_only(array: np.ndarray) -> np.ndarray:
    array.flags.writeable = False
    return array


OWN = {
    "a new array": fresh,
    "of bytes": lambda: fresh(np.int8),
    "of no elements": lambda: np.zeros((0, 4), np.float32),
    "of no dimensions": lambda: np.array(1.5),
}
OTHERS = {
    "one with a name": lambda: kept(fresh(), lambda array: array),
    "one in a list": lambda: kept(fresh(), lambda array: [array]),
    "one with a weak reference": lambda: kept(fresh(), weakref.ref),
    "one with a view": lambda: kept(fresh(), lambda array: array[:1]),
    "a view": lambda: fresh()[:],
    "a part": lambda: fresh()[1:],
    "every other column": lambda: fresh()[:, ::2],
    "a constant": lambda: read_only(fresh()),
    "a transposed copy": lambda: np.asfortranarray(fresh()),
    "a transposed view": lambda: fresh().T,
    "another class": lambda: kept(fresh(), lambda _: None).view(Subclass),
    "a copy of another class": lambda: fresh().view(Subclass).copy(),
    "a scalar": lambda: np.float32(1.5),
    "memory of others": lambda: np.frombuffer(bytearray(48), np.float32),
}


@pytest.mark.parametrize("index", range(3))
@pytest.mark.parametrize("name", [*OWN, *OTHERS])
def test_an_operand_is_taken_as_it_is_where_nobody_else_sees_it(name: str, index: int) -> None:
    KEPT.clear()
    operands: list[Any] = [np.array(number) for number in range(3)]
    operands[index] = {**OWN, **OTHERS}[name]()
    before, expected = id(operands[index]), operands[index].tolist()
    others = [id(other) for other in operands if id(other) != before]
    found = owned(operands, index)
    assert operands[index] is None
    assert [id(other) for other in operands if other is not None] == others
    assert (id(found) == before) == (name in OWN), name
    assert type(found) is np.ndarray
    assert found.flags.c_contiguous
    assert found.flags.writeable
    assert found.flags.owndata
    assert found.tolist() == expected


def test_the_first_operand_is_meant_where_no_number_is_given() -> None:
    operands: list[Any] = [np.zeros(2), np.ones(2)]
    assert owned(operands).tolist() == [0, 0]
    assert operands[0] is None
