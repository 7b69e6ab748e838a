"""What an op on given values comes to here and officially, and how far apart that is."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
from oracle import official
from structures import program, run, tensor

from stablehlo_py.bindings.types import Kind, element_type
from stablehlo_py.conformance.generate.values import every_value, special_values
from stablehlo_py.conformance.score.scoring import same_bits
from stablehlo_py.interpreter.element_types.ulp import distance

__all__ = ["assert_same_bits", "distance", "op_text", "ours", "pairs", "random_values", "report", "same_bits", "theirs"]


def op_text(
    op: str,
    names: Sequence[str],
    arguments: Sequence[np.ndarray],
    result: str,
    attributes: str = "",
    result_shape: Sequence[int] | None = None,
) -> str:
    """A program of one op on arguments of these element types; the result has the shape of the last argument unless
    told otherwise."""
    operands = ", ".join(f"%{index}" for index in range(len(arguments)))
    shape = arguments[-1].shape if result_shape is None else result_shape
    return program(arguments, names, [tensor(shape, result)], f'"stablehlo.{op}"({operands}) {{{attributes}}}')


def ours(text: str, arguments: Sequence[np.ndarray]) -> np.ndarray:
    """The only result of a program here."""
    return np.asarray(run(text, arguments)[0])


def theirs(text: str, arguments: Sequence[np.ndarray]) -> np.ndarray:
    """The only result of a program officially. Fails where there is none."""
    results = official(text, arguments)
    if results is None:
        raise AssertionError(f"the official interpreter does not run\n{text}")
    return results[0]


def report(
    op: str, names: Sequence[str], wrong: np.ndarray, arguments: Sequence[np.ndarray], *results: np.ndarray
) -> str:
    """The first few disagreements in words."""
    lines = [f"{op} on {', '.join(names)}: {int(wrong.sum())} of {wrong.size} disagree"]
    for index in list(zip(*np.nonzero(wrong), strict=True))[:5]:
        operands = ", ".join(
            str(argument[index] if argument.shape == wrong.shape else argument) for argument in arguments
        )
        lines.append(f"  ({operands}): here {results[0][index]}, officially {results[1][index]}")
    return "\n".join(lines)


def assert_same_bits(
    op: str,
    names: Sequence[str],
    arguments: Sequence[np.ndarray],
    result: str,
    attributes: str = "",
    result_shape: Sequence[int] | None = None,
) -> None:
    """Fails unless an op gives the official results, bit by bit. Which NaN is left open."""
    text = op_text(op, names, arguments, result, attributes, result_shape)
    here, officially = ours(text, arguments), theirs(text, arguments)
    assert here.dtype == officially.dtype
    assert here.shape == officially.shape
    wrong = ~same_bits(here, officially)
    assert not wrong.any(), report(op, names, wrong, arguments, here, officially)


def pairs(lhs: np.ndarray, rhs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Every element of lhs with every element of rhs."""
    return np.repeat(lhs, len(rhs)), np.tile(rhs, len(lhs))


def _near_one(generator: random.Random) -> float:
    """A number of either sign whose magnitude is mostly between 1e-4 and 1e4; the same on every machine."""
    return (generator.random() * 2 - 1) * 10.0 ** generator.randrange(-3, 5)


def edges_of(name: str) -> np.ndarray:
    """The values of a type where operations have their edges; all values of a small one."""
    described = element_type(name)
    if described.bits <= 8:
        return every_value(name)
    if described.is_integer:
        limits = np.iinfo(described.dtype)
        picked = [limits.min, limits.min + 1, limits.max, limits.max - 1, limits.max // 2, 0, 1, 2, 3, 7, 8, 15, 16]
        picked += [31, 32, 33, 63, 64, 65, 100] + ([-1, -2, -3, -8, -31, -32, -64] if limits.min else [])
        return np.array(picked, described.dtype)
    if described.kind is Kind.COMPLEX:
        parts = special_values(f"f{described.bits // 2}")[:22]
        return np.array([complex(real, imag) for real in parts for imag in parts], described.dtype)
    return every_value(name)[:: 1 << 6] if described.bits == 16 else special_values(name)


def random_values(name: str, count: int, generator: random.Random) -> np.ndarray:
    """Values of a type: a third random bits, a third of a random magnitude near one, a third special ones."""
    described = element_type(name)
    if described.bits <= 8:
        return _chosen(every_value(name), count, generator)
    bits = np.frombuffer(generator.randbytes(count * described.dtype.itemsize), described.dtype)
    if described.is_integer:
        moderate = np.array([generator.randrange(100) for _ in range(count)]).astype(described.dtype)
    else:
        parts = [np.array([_near_one(generator) for _ in range(count)]) for _ in range(2)]
        moderate = (parts[0] + 1j * parts[1] if described.kind is Kind.COMPLEX else parts[0]).astype(described.dtype)
    special = _chosen(edges_of(name), count, generator)
    which = np.array([generator.randrange(3) for _ in range(count)], np.int64)
    return np.where(which == 0, bits, np.where((which == 1) | (described.bits == 16), moderate, special))


def _chosen(values_: np.ndarray, count: int, generator: random.Random) -> np.ndarray:
    return values_[np.array([generator.randrange(len(values_)) for _ in range(count)], np.int64)]
