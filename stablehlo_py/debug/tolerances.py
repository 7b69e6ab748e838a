"""The default tolerances between engines."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence

import numpy as np

from ..bindings.types import dtype_name, element_type_names
from ..errors import UsageError
from .measures import Difference, Tolerance, difference, epsilon

EXACT = Tolerance()
# Whole programs: relative to the larger of the value and the typical value, by element type. About half of the
# significant digits, as errors grow on the way through a program.
_WHOLE = {
    "f64": 1e-9,
    "complex<f64>": 1e-9,
    "f32": 2e-4,
    "complex<f32>": 2e-4,
    "f16": 2e-2,
    "bf16": 6e-2,
}
_NARROWEST = 0.26  # float types of eight bits and fewer have one to three digits
# One op on the same operands: arithmetic is rounded once, functions and sums have some freedom.
LOCAL = Tolerance(ulp=3.5)
# Ops whose every result is a sum of many terms, which engines add in any order.
SUMS = frozenset(
    f"stablehlo.{name}"
    for name in ("dot", "dot_general", "einsum", "convolution", "dynamic_conv", "reduce", "reduce_window", "scatter")
)
# Ops whose every result depends on many operands in a way that the spec does not state step by step.
WHOLES = frozenset(
    f"stablehlo.{name}"
    for name in ("fft", "cholesky", "triangular_solve", "batch_norm_training", "batch_norm_grad", "custom_call")
)
_SPELLED = re.compile(r"(?P<amount>\d+(?:\.\d*)?(?:e[+-]?\d+)?)(?P<unit>ulp|abs|rel)?")


def whole_program(dtype: np.dtype) -> Tolerance:
    """The default tolerance for results of a whole program."""
    name = dtype_name(dtype)
    if name in _WHOLE:
        return Tolerance(ulp=4, relative=_WHOLE[name])
    return Tolerance(ulp=1, relative=_NARROWEST) if name.startswith("f") else EXACT


def first_beyond(
    given: Sequence[np.ndarray], expected: Sequence[np.ndarray], tolerance: Tolerance | None
) -> tuple[int, Difference | None] | None:
    """The first result beyond its tolerance, by default that of whole programs, and how far it is apart; the difference
    is None where the shapes differ."""
    for number, (a, b) in enumerate(zip(given, expected, strict=True)):
        allowed = whole_program(a.dtype) if tolerance is None else tolerance
        found = difference(a, b, allowed) if a.shape == b.shape else None
        if found is None or not found.same:
            return number, found
    return None


def read_tolerances(texts: Sequence[str]) -> dict[str, Tolerance]:
    """Read `f32=1e-3rel`, `2=4ulp` and `1e-5abs` as tolerances by type, by number of a result, and for all ("").

    Raises:
        UsageError: A text is not of that form.
    """
    found: dict[str, Tolerance] = {}
    for text in texts:
        subject, equals, rest = text.partition("=")
        key, amounts = (subject, rest) if equals else ("", text)
        fields: dict[str, float] = {}
        for part in amounts.split("|"):
            match = _SPELLED.fullmatch(part.strip())
            if match is None:
                note = "write an amount and ulp, rel or abs: --tolerance=f32=4ulp, --tolerance=1e-3rel"
                raise UsageError(f"not a tolerance: '{text}'", notes=[note])
            unit = {"abs": "absolute", "ulp": "ulp"}.get(match["unit"] if match["unit"] else "rel", "relative")
            fields[unit] = float(match["amount"])
        found[key] = Tolerance(**fields)
    return found


def check_tolerances(given: Mapping[str, Tolerance], results: int) -> None:
    """Raise UsageError where a tolerance is for a result or an element type that does not exist."""
    for key in given:
        if key.isdigit() and int(key) >= results:
            raise UsageError(f"a tolerance is for result {key}, but the program has {results}, from 0 on")
        if key and not key.isdigit() and key not in element_type_names():
            raise UsageError(f"a tolerance is for '{key}', which is no element type")


def tolerance_for(index: int, dtype: np.dtype, given: dict[str, Tolerance]) -> Tolerance:
    """The tolerance of a result: the user's for the result, for its type, for all, or the default."""
    for key in (str(index), dtype_name(dtype), ""):
        if key in given:
            return given[key]
    return whole_program(dtype)


def sum_tolerance(terms: int, dtype: np.dtype) -> Tolerance:
    """The tolerance for a sum of `terms` terms, relative to the sum of their magnitudes: rounding errors grow as the
    square root of the number of terms."""
    return Tolerance(ulp=LOCAL.ulp, relative=(LOCAL.ulp + math.sqrt(terms)) * epsilon(dtype))
