"""What an op on given values comes to here and officially, and how far apart that is."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from oracle import official
from structures import program, run, tensor


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


def same_bits(lhs: np.ndarray, rhs: np.ndarray) -> np.ndarray:
    """Where two arrays have the same bits, or both NaN."""
    if lhs.dtype.kind == "c":
        part = np.dtype(f"f{lhs.dtype.itemsize // 2}")
        both = same_bits(np.ascontiguousarray(lhs).view(part), np.ascontiguousarray(rhs).view(part))
        return both.reshape(*lhs.shape, 2).all(-1)
    unsigned = f"u{lhs.dtype.itemsize}"
    equal = lhs.view(unsigned) == rhs.view(unsigned)
    if lhs.dtype.kind in "biu" or lhs.dtype.name.startswith(("int", "uint")):
        return equal
    wide = np.float64
    return equal | (np.isnan(lhs.astype(wide)) & np.isnan(rhs.astype(wide)))


def ulps(lhs: np.ndarray, rhs: np.ndarray) -> np.ndarray:
    """How many values of their float type lie between two arrays; 0 for two NaN, infinite for one."""
    if lhs.dtype.kind == "c":
        part = np.dtype(f"f{lhs.dtype.itemsize // 2}")
        both = ulps(np.ascontiguousarray(lhs).view(part), np.ascontiguousarray(rhs).view(part))
        return both.reshape(*lhs.shape, 2).max(-1)
    lhs_nan, rhs_nan = np.isnan(lhs.astype(np.float64)), np.isnan(rhs.astype(np.float64))
    distance = np.abs(_ordinal(lhs) - _ordinal(rhs))
    return np.where(lhs_nan & rhs_nan, 0.0, np.where(lhs_nan | rhs_nan, np.inf, distance))


def _ordinal(values: np.ndarray) -> np.ndarray:
    """Floats as numbers that grow by one from each value to the next, exact for near ones."""
    width = 8 * values.dtype.itemsize
    bits = values.view(f"u{values.dtype.itemsize}").astype(np.uint64)
    sign = bits >> np.uint64(width - 1)
    magnitude = (bits & np.uint64((1 << (width - 1)) - 1)).astype(np.longdouble)
    return np.where(sign, -magnitude, magnitude)


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
