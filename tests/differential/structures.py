"""Random shapes, values and programs for the ops that move, index, reduce, contract and sort."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from hypothesis import strategies as st
from oracle import official

from stablehlo_py.bindings import ir, make_context
from stablehlo_py.conformance.generate.texts import body, ints, tensor, typed_program
from stablehlo_py.conformance.generate.values import ELEMENTS
from stablehlo_py.conformance.generate.values import values as drawn_values
from stablehlo_py.interpreter.program import interpret

Draw = Callable[[st.SearchStrategy[Any]], Any]

__all__ = [
    "ELEMENTS",
    "Draw",
    "assert_close",
    "assert_same",
    "bits",
    "body",
    "generators",
    "ints",
    "program",
    "run",
    "shapes",
    "tensor",
    "values",
]

_CONTEXT = make_context()


def generators() -> st.SearchStrategy[random.Random]:
    """What the conformance kit's generators draw from; hypothesis makes what they draw smaller."""
    return st.randoms(use_true_random=False)


def shapes(rank: int | None = None, smallest: int = 0, largest: int = 4) -> st.SearchStrategy[list[int]]:
    """Shapes of up to four dimensions, or of `rank`."""
    low, high = (0, 4) if rank is None else (rank, rank)
    return st.lists(st.integers(smallest, largest), min_size=low, max_size=high)


def values(draw: Draw, shape: Sequence[int], element: str, *, tame: bool = False) -> np.ndarray:
    """An array with special values among its elements; `tame` leaves them out and keeps floats to small integers."""
    return drawn_values(random.Random(draw(st.integers(0, 2**32 - 1))), shape, element, tame=tame)


def program(operands: Sequence[np.ndarray], elements: Sequence[str], results: Sequence[str], op: str) -> str:
    """A module whose main gives its arguments %0, %1, … to an op, written up to its types."""
    types = [tensor(array.shape, element) for array, element in zip(operands, elements, strict=True)]
    return typed_program(types, results, op)


def run(text: str, arguments: Sequence[np.ndarray]) -> list[np.ndarray]:
    """What our interpreter makes of main."""
    return interpret(ir.Module.parse(text, _CONTEXT), arguments)  # pyright: ignore[reportReturnType]


def bits(array: np.ndarray) -> bytes:
    """The elements' bits, with every NaN the same."""
    if array.dtype.kind == "c":
        array = array.reshape(-1).view(f"f{array.itemsize // 2}")
    if array.dtype.kind not in "biu" and not array.dtype.name.startswith(("int", "uint")):
        array = np.where(np.isnan(array), array.dtype.type(math.nan), array)
    return array.tobytes()


def assert_same(text: str, arguments: Sequence[np.ndarray]) -> list[np.ndarray]:
    """Ours, which are the official results bit by bit where the official interpreter has any."""
    ours, theirs = run(text, arguments), official(text, arguments)
    if theirs is not None:
        for index, (our, their) in enumerate(zip(ours, theirs, strict=True)):
            assert our.dtype == their.dtype
            assert our.shape == their.shape
            assert bits(our) == bits(their), f"result {index} of\n{text}\nis\n{our}\nofficially\n{their}"
    return ours


def assert_close(text: str, arguments: Sequence[np.ndarray], rtol: float, atol: float = 0.0) -> list[np.ndarray]:
    """Ours, which are the official results within a tolerance where the official interpreter has any."""
    ours, theirs = run(text, arguments), official(text, arguments)
    if theirs is not None:
        for our, their in zip(ours, theirs, strict=True):
            wide = np.complex128 if our.dtype.kind == "c" else np.float64
            np.testing.assert_allclose(our.astype(wide), their.astype(wide), rtol=rtol, atol=atol, err_msg=text)
    return ours
