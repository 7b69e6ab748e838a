"""Random shapes, values and programs for the ops that move, index, reduce, contract and sort."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from elements import BOOLEAN, COMPLEX, FLOATS, INTEGERS, dtype_of
from hypothesis import strategies as st
from oracle import official

from stablehlo_py.bindings import ir, make_context
from stablehlo_py.reference.interpreter import interpret

Draw = Callable[[st.SearchStrategy[Any]], Any]

ELEMENTS = [*BOOLEAN, *INTEGERS, *FLOATS, *COMPLEX]

_CONTEXT = make_context()
_SPECIAL = [0.0, -0.0, 1.0, -1.0, math.inf, -math.inf, math.nan, 2.0**-30, -(2.0**-140), 3.0e38]


def tensor(shape: Sequence[int], element: str) -> str:
    """The text of a tensor type."""
    return f"tensor<{''.join(f'{size}x' for size in shape)}{element}>"


def ints(values: Sequence[int]) -> str:
    """The text of an `array<i64>` attribute."""
    return f"array<i64: {', '.join(map(str, values))}>" if len(values) else "array<i64>"


def shapes(rank: int | None = None, smallest: int = 0, largest: int = 4) -> st.SearchStrategy[list[int]]:
    """Shapes of up to four dimensions, or of `rank`."""
    low, high = (0, 4) if rank is None else (rank, rank)
    return st.lists(st.integers(smallest, largest), min_size=low, max_size=high)


def values(draw: Draw, shape: Sequence[int], element: str, *, tame: bool = False) -> np.ndarray:
    """An array with special values among its elements; `tame` leaves them out and keeps floats to small integers."""
    dtype = dtype_of(element)
    generator = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    size = math.prod(shape)
    if dtype == np.bool_:
        flat = generator.integers(0, 2, size).astype(dtype)
    elif element.startswith(("i", "ui")):
        small = generator.integers(0 if element.startswith("u") else -8, 8, size)
        wide = np.frombuffer(generator.bytes(size * 8), np.int64)
        flat = (small if tame or draw(st.booleans()) else wide).astype(dtype)
    else:
        flat = _floats(generator, size, tame)
        if dtype.kind == "c":
            flat = np.stack([flat, _floats(generator, size, tame)], axis=-1).view(np.complex128)
        with np.errstate(all="ignore"):
            flat = flat.astype(dtype)
    return flat.reshape(tuple(shape))


def _floats(generator: np.random.Generator, size: int, tame: bool) -> np.ndarray:
    if tame:
        return generator.integers(-4, 5, size).astype(np.float64)
    plain = generator.normal(size=size) * 10.0 ** generator.integers(-3, 4, size)
    special = generator.choice(_SPECIAL, size)
    return np.where(generator.random(size) < 0.3, special, plain)


def program(operands: Sequence[np.ndarray], elements: Sequence[str], results: Sequence[str], op: str) -> str:
    """A module whose main gives its arguments %0, %1, … to an op, written up to its types."""
    types = [tensor(array.shape, element) for array, element in zip(operands, elements, strict=True)]
    parameters = ", ".join(f"%{index}: {type_}" for index, type_ in enumerate(types))
    outputs = ", ".join(results)
    names = "%r" if len(results) == 1 else ", ".join(f"%r#{index}" for index in range(len(results)))
    count = "" if len(results) == 1 else f":{len(results)}"
    return (
        f"func.func @main({parameters}) -> ({outputs}) {{\n"
        f"  %r{count} = {op} : ({', '.join(types)}) -> ({outputs})\n"
        f"  return {names} : {outputs}\n}}\n"
    )


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


def body(kind: str, element: str) -> str:
    """The text of a region that combines an old and a new element: an op's name, `update` for the new one, `several`
    for an elementwise function of several ops, or `branches` for one with a region inside."""
    t = f"tensor<{element}>"
    if kind == "update":
        return f"^bb0(%x: {t}, %y: {t}): stablehlo.return %y : {t}"
    lines = {
        "several": f"%z = stablehlo.add %x, %y : {t}\n %r = stablehlo.maximum %z, %y : {t}",
        "branches": f"%p = stablehlo.compare LT, %x, %y : ({t}, {t}) -> tensor<i1>\n"
        f' %r = "stablehlo.if"(%p) ({{stablehlo.return %x : {t}}}, {{stablehlo.return %y : {t}}})'
        f" : (tensor<i1>) -> {t}",
    }
    line = lines.get(kind, f"%r = stablehlo.{kind} %x, %y : {t}")
    return f"^bb0(%x: {t}, %y: {t}):\n {line}\n stablehlo.return %r : {t}"
