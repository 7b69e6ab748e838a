"""Judges what an engine returned against what a case allows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from ...bindings.types import dtype_name
from ...engines import Outcome
from ...interpreter.element_types.ulp import INCOMPARABLE, distance, parts
from ..case import Case, Expected
from ..generate.values import is_float, wide

Verdict = Literal["pass", "wrong", "unsupported", "crash", "timeout"]
VERDICTS: tuple[Verdict, ...] = ("pass", "wrong", "unsupported", "crash", "timeout")
_OF_STATUS: dict[str, Verdict] = {
    "unsupported": "unsupported",
    "rejected": "unsupported",
    "timeout": "timeout",
    "error": "crash",
    "crash": "crash",
    "memory": "crash",
}
_SHOWN = 3


@dataclass(frozen=True)
class Score:
    """The verdict on one case.

    Attributes:
        op: The op of the case.
        type: Its column in tables.
        kind: Its kind.
        source: Where its expectation comes from.
        reference: The section of the spec.
        case: Its name.
        verdict: The verdict.
        message: The difference, in words.
        ulp: The largest distance from the expected values, of results that are measured in ULP.
    """

    op: str
    type: str
    kind: str
    source: str
    reference: str
    case: str
    verdict: Verdict
    message: str = ""
    ulp: float = 0.0


def scored(case: Case, verdict: Verdict, message: str = "", ulp: float = 0.0) -> Score:
    """Return the score of a case."""
    return Score(case.op, case.type, case.kind, case.source, case.reference, case.name, verdict, message, ulp)


def same_bits(lhs: np.ndarray, rhs: np.ndarray) -> np.ndarray:
    """Where two arrays have the same bits, or both NaN."""
    first, second = parts(lhs), parts(rhs)
    unsigned = f"u{first.dtype.itemsize}"
    equal = first.view(unsigned) == second.view(unsigned)
    if is_float(dtype_name(first.dtype)):
        equal |= np.isnan(wide(first)) & np.isnan(wide(second))
    return np.asarray(equal.all(-1))


def score(case: Case, outcome: Outcome) -> Score:
    """Return the verdict on an engine's outcome of a case."""
    if not outcome.ok:
        return scored(case, _OF_STATUS[outcome.status], f"{outcome.status}: {outcome.message}")
    return judge(case, outcome.results)


def judge(case: Case, results: Sequence[np.ndarray]) -> Score:
    """Return the verdict on results of a case, wherever they come from."""
    if len(results) != len(case.expected):
        return scored(case, "wrong", f"{len(results)} results, expected {len(case.expected)}")
    largest = 0.0
    for index, (given, expected) in enumerate(zip(results, case.expected, strict=True)):
        if given.shape != expected.value.shape or given.dtype != expected.value.dtype:
            found = f"{dtype_name(given.dtype)}{list(given.shape)}"
            return scored(case, "wrong", f"result {index} is {found}, expected {expected.type}")
        wrong = _wrong(given, expected)
        if is_float(dtype_name(given.dtype)) and expected.rule in ("exact", "ulp"):
            apart = distance(given, expected.value).max(initial=0)
            largest = max(largest, float("inf") if apart == INCOMPARABLE else float(apart))
        if wrong.any():
            return scored(case, "wrong", _message(case, index, given, expected, wrong), largest)
    if not _is_permutation(case, results):
        return scored(case, "wrong", "the results are not the expected ones in any order", largest)
    return scored(case, "pass", "", largest)


def _wrong(given: np.ndarray, expected: Expected) -> np.ndarray:
    """Which elements are not allowed."""
    if expected.rule == "exact":
        return ~same_bits(given, expected.value)
    if expected.rule == "ulp":
        return distance(given, expected.value) > expected.ulp
    if expected.rule == "bounds" and expected.low is not None and expected.high is not None:
        given = wide(parts(given))
        low, high = expected.low.reshape(given.shape), expected.high.reshape(given.shape)
        return np.asarray(~((given >= low) & (given <= high)).all(-1))
    return np.zeros(given.shape, bool)


def _is_permutation(case: Case, results: Sequence[np.ndarray]) -> bool:
    """Whether the results that may come in any order are the expected ones, permuted alike."""
    chosen = [index for index, each in enumerate(case.expected) if each.rule == "any order"]
    if not chosen:
        return True
    dimension = case.expected[chosen[0]].dimension

    def lanes(arrays: Sequence[np.ndarray]) -> list[list[tuple[bytes, ...]]]:
        moved = [np.moveaxis(array, dimension, -1) for array in arrays]
        rows = [array.reshape(-1, array.shape[-1]) for array in moved]
        count, length = rows[0].shape
        return [
            sorted([tuple([row[lane, position].tobytes() for row in rows]) for position in range(length)])
            for lane in range(count)
        ]

    return lanes([results[index] for index in chosen]) == lanes([case.expected[index].value for index in chosen])


def _message(case: Case, index: int, given: np.ndarray, expected: Expected, wrong: np.ndarray) -> str:
    """Return the first wrong elements in words."""
    shown = list[str]()
    for position in np.argwhere(np.atleast_1d(wrong))[:_SHOWN]:
        at = tuple(map(int, position)) if wrong.ndim else ()
        operands = [str(array[at]) for array in case.inputs if array.shape == given.shape and len(case.expected) == 1]
        of = f" of ({', '.join(operands)})" if operands else ""
        shown.append(f"{given[at]}{of}, expected {expected.value[at]}")
    head = f"result {index}: {int(wrong.sum())} of {wrong.size} elements are wrong ({expected.tolerance})"
    return f"{head}: {'; '.join(shown)}"
