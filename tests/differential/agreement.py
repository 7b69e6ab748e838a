"""What an op on given values comes to here and officially, and how far apart that is."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from oracle import official
from structures import program, run, tensor

from stablehlo_py.measurement.scoring import same_bits, ulps

__all__ = ["assert_same_bits", "op_text", "ours", "report", "same_bits", "theirs", "ulps"]


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
