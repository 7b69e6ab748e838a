"""Distances that results may have from exact values: the numbers behind `allowed` and the cases of the kit.

Exact values and the sums of their terms' magnitudes come as arrays: `allowed` has them from the reference in double
precision, the kit from its oracle. Profiles say how accurate functions have to be
where the specification, whose section Accuracy gives no guarantee, and `result_accuracy` do not.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from ...bindings import ir, stablehlo_extension
from ...bindings.types import dtype_name, element_type
from ...errors import UsageError
from ...interpreter.element_types.ulp import epsilon, smallest_normal, spacing


@dataclass(frozen=True)
class AccuracyProfile:
    """The accuracy that functions have to have.

    Attributes:
        name: The profile's name.
        sentence: Where its bounds come from.
        wide: Units in the last place that functions in f32 and in f64 may be off.
        narrow: The same for narrower types, which engines compute in a wider one.
        functions: The units of single functions, in f32 and f64.
        flushes: Whether denormal operands and results may be taken for zeros.
        nearest: Whether units are counted from the correctly rounded value, as tests of libraries do.
    """

    name: str
    sentence: str
    wide: tuple[float, float]
    narrow: float = 1.0
    functions: Mapping[str, tuple[float, float]] = field(default_factory=dict[str, tuple[float, float]])
    flushes: bool = True
    nearest: bool = True

    def units(self, op: str, dtype: np.dtype) -> float:
        """Return the units in the last place that a function may be off in a float type."""
        return self.whole_units(op.partition(".")[2], dtype_name(dtype)) + (0.5 if self.nearest else 0.0)

    def whole_units(self, function: str, element: str) -> float:
        """Return the same without the half unit of a correct rounding, of an element type by name."""
        if function == "logistic" and not element.startswith("complex"):
            return 2 * self.whole_units("exponential", element) + 1  # division(1, addition(1, exp(-x))), says the spec
        if element not in ("f32", "f64", "complex<f32>", "complex<f64>"):
            return self.narrow
        return self.functions.get(function, self.wide)["64" in element]


# XLA states budgets of its CPU functions in xla/codegen/intrinsic/accuracy/accuracy_budget.h, November 2026.
_XLA = {
    "exponential": (6.0, 1.0),
    "tanh": (3.0, 4.0),
    "erf": (2.0, 1.0),
    **dict.fromkeys(("log", "log_plus_one", "rsqrt", "sqrt"), (1.0, 1.0)),
}
_STRICT = "profile strict: functions are one of the two nearest values, denormals are kept"
_DEFAULT = "profile default: functions are at most 4 ULP from the rounded value in f32 and f64, 1 ULP in other types"
_BUDGETS = "profile xla: functions are as accurate as XLA's budgets say, 4 ULP where it has none"
_KNOWN = (
    AccuracyProfile("strict", _STRICT, (1.0, 1.0), flushes=False, nearest=False),
    AccuracyProfile("default", _DEFAULT, (4.0, 4.0)),
    AccuracyProfile("xla", _BUDGETS, (4.0, 4.0), functions=_XLA),
)
PROFILES = {profile.name: profile for profile in _KNOWN}
DEFAULT = PROFILES["default"]


def profile(name: str) -> AccuracyProfile:
    """Return the profile of a name. Raises UsageError if there is none."""
    if name not in PROFILES:
        raise UsageError(f"unknown profile '{name}'", notes=[f"the profiles are {', '.join(PROFILES)}"])
    return PROFILES[name]


@dataclass(frozen=True)
class Accuracy:
    """The error that a function may have: the largest of the three, and the sentence that says so."""

    units: float
    sentence: str
    absolute: float = 0.0
    relative: float = 0.0


def stated(op: ir.Operation) -> Accuracy | None:
    """Return the accuracy that the op's `result_accuracy` states, or None. A bound that is NaN states nothing."""
    if "result_accuracy" not in op.attributes:
        return None
    given = stablehlo_extension.ResultAccuracyAttr(op.attributes["result_accuracy"])
    if given.mode == "DEFAULT":
        return None
    if given.mode == "HIGHEST":
        return Accuracy(1.0, "result_accuracy of the op has the mode HIGHEST")
    absolute, relative = [0.0 if bound != bound else bound for bound in (given.atol, given.rtol)]
    sentence = f"result_accuracy of the op: atol {absolute:g}, rtol {relative:g}, {given.ulps} ULP"
    return Accuracy(float(given.ulps), sentence, absolute, relative)


def accuracy(op: ir.Operation, dtype: np.dtype, chosen: AccuracyProfile) -> Accuracy:
    """Return the accuracy of a function: of the op's `result_accuracy`, otherwise of the profile."""
    own = stated(op)
    return Accuracy(chosen.units(op.name, dtype), chosen.sentence) if own is None else own


Wide = npt.NDArray[np.longdouble]
Sizes = npt.NDArray[Any]
Count = Sizes | np.longdouble | int

PAD = 8 * float(np.finfo(np.longdouble).eps)  # the error of functions in the wide type
EXTRA_TERMS = 2  # the initial value, and the rounding to the type of the result
_WIDE = np.dtype(np.float32)
_BY_FORMULAS = {"multiply": 3.0, "divide": 3.0}  # units of the magnitude; the textbook's quotient needs 2.7
_BY_LOGARITHMS = {"atan2": 50.0, "power": 50.0}
# What several products of parts keep of an operand, by the type of the parts and the number of products.
_PARTS = {("bf16", 3): 2.0**-15, ("bf16", 6): 2.0**-22, ("bf16", 9): 2.0**-22, ("tf32", 3): 2.0**-20}


def around(exact: Wide, dtype: np.dtype, chosen: Accuracy) -> tuple[Wide, Wide]:
    """Return the bounds of a function whose value is known in a wide type."""
    step = spacing(exact, dtype)
    reach = np.fmax(chosen.units * step, np.fmax(chosen.absolute, chosen.relative * np.abs(exact)))
    reach = np.where(np.isfinite(exact), reach + PAD * np.abs(exact), 0)
    nearest = np.where(np.isfinite(exact), np.rint(exact / step) * step, exact)
    return np.minimum(exact - reach, nearest), np.maximum(exact + reach, nearest)


def complex_reach(op: str, sizes: Sizes, dtype: np.dtype, chosen: Accuracy) -> Sizes:
    """The error allowed for parts of a product, a quotient or a function of complex numbers, given the magnitudes.

    A function of complex numbers takes two functions of real numbers of the `chosen` accuracy.
    """
    step = spacing(sizes, dtype)
    units = _BY_LOGARITHMS.get(op, 2 * chosen.units + 1)
    reach = _BY_FORMULAS[op] * np.fmax(epsilon(dtype) * sizes, step) if op in _BY_FORMULAS else units * step
    return np.fmax(reach, np.fmax(chosen.absolute, chosen.relative * sizes))


def sum_reach(
    dtype: np.dtype,
    exact: Sizes,
    sizes: Sizes,
    terms: Count,
    profile: AccuracyProfile,
    *,
    products: bool = False,
    converted: bool = False,
    unit: float = 0.0,
    additions: Sizes | None = None,
) -> Sizes:
    """Return the error allowed for sums, added in any order or tree, in their type or a wider one.

    An addition is off by a unit of its partial sum, a product of two terms by one of itself. A partial sum is no
    larger than all positive terms, or all negative ones. Without a conversion, n - 1 units of all terms suffice.

    Args:
        dtype: The type of the sums.
        exact: The exact sums.
        sizes: The sums of the magnitudes of the terms.
        terms: How many there are.
        profile: Whether what is denormal may be flushed.
        products: Whether the terms are products.
        converted: Whether terms and sums are rounded to `dtype` from another type.
        unit: The roundoff of the type that the sums are made in, if it has fewer digits.
        additions: The sum of the magnitudes of all partial sums in the worst order, if that is known.
    """
    roundoff, count = max(epsilon(dtype) / 2, unit), terms + EXTRA_TERMS
    within = np.where(np.isfinite(exact), np.abs(exact), sizes)
    partial_sums = np.minimum(sizes, (sizes + within) / 2)
    total = partial_sums * np.maximum(terms - 1, 0) if additions is None else additions
    if converted or roundoff > epsilon(dtype) / 2:
        total = partial_sums * count
    reach = roundoff * (total * (1 + 2 * count * roundoff) + (sizes if products else 0))
    if not converted and roundoff == epsilon(dtype) / 2:
        reach = np.minimum(reach, roundoff * np.maximum(terms - 1 + products, 0) * sizes)
    return reach + count * smallest_normal(dtype) * (1 if profile.flushes else epsilon(dtype))


def factor_reach(factors: int, sizes: Sizes, dtype: np.dtype) -> Sizes:
    """Return the error allowed for products of factors, given their magnitudes; zero where these are not finite."""
    units = _BY_FORMULAS["multiply"] if dtype.kind == "c" else 1.0
    return np.where(np.isfinite(sizes), factors * units * epsilon(dtype) * sizes + spacing(sizes, dtype), 0)


def roundoff_of(precision: str, products: int = 1) -> float:
    """Return the roundoff of a type that an algorithm names, or of operands in parts that several products take."""
    own = 2.0**-11 if precision == "tf32" else epsilon(element_type(precision).dtype) / 2
    return _PARTS.get((precision, products), own)


def operand_reach(roundoff: float, sizes: Sizes) -> Sizes:
    """Return the error of sums of products from the rounding of both operands."""
    return 3 * roundoff * sizes


def transform_reach(sizes: Sizes, count: int, dtype: np.dtype) -> Sizes:
    """Return the error allowed for a Fourier transform, given the sums of the magnitudes of its terms.

    It holds for the definition in any order of additions, and for fast algorithms. Prime sizes take three transforms.
    """
    return (count / 2 + 8) * epsilon(dtype) * sizes


def residual(products: Sizes, order: int, dtype: np.dtype) -> Sizes:
    """The error allowed for a product of computed factors, or of a matrix and a solution, given that of magnitudes.

    As functions of them, these are computed in f32 for narrower types; `last_rounding` is not counted here.
    """
    return (4 * order + 16) * min(epsilon(dtype), epsilon(_WIDE)) * products + 16 * smallest_normal(dtype)


def last_rounding(dtype: np.dtype) -> float:
    """Return the roundoff of a narrower type, to which results are rounded from f32."""
    return epsilon(dtype) if epsilon(dtype) > epsilon(_WIDE) else 0.0
