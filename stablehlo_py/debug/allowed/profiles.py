"""Profiles: how accurate the functions of an engine have to be where the specification and the program do not say.

The spec's section Accuracy gives no guarantee. An op may carry its own bound as `result_accuracy`; it comes first.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from ...bindings import ir, stablehlo_extension
from ...bindings.types import dtype_name
from ...errors import UsageError


@dataclass(frozen=True)
class Profile:
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
        """The units in the last place that a function may be off in a float type."""
        return self.whole_units(op.partition(".")[2], dtype_name(dtype)) + (0.5 if self.nearest else 0.0)

    def whole_units(self, function: str, element: str) -> float:
        """The same without the half unit of a correct rounding, of an element type by name."""
        if function == "logistic" and not element.startswith("complex"):
            return 2 * self.whole_units("exponential", element) + 1  # division(1, addition(1, exp(-x))), says the spec
        if element not in ("f32", "f64", "complex<f32>", "complex<f64>"):
            return self.narrow
        return self.functions.get(function, self.wide)["64" in element]


# XLA states budgets of its CPU functions in xla/codegen/intrinsic/accuracy/accuracy_budget.h, November 2026.
_XLA = {
    "exponential": (6.0, 1.0),
    "log": (1.0, 1.0),
    "log_plus_one": (1.0, 1.0),
    "rsqrt": (1.0, 1.0),
    "tanh": (3.0, 4.0),
    "erf": (2.0, 1.0),
    "sqrt": (1.0, 1.0),
}
_STRICT = "profile strict: functions are one of the two nearest values, denormals are kept"
_DEFAULT = "profile default: functions are at most 4 ULP from the rounded value in f32 and f64, 1 ULP in other types"
_BUDGETS = "profile xla: functions are as accurate as XLA's budgets say, 4 ULP where it has none"
_KNOWN = (
    Profile("strict", _STRICT, (1.0, 1.0), flushes=False, nearest=False),
    Profile("default", _DEFAULT, (4.0, 4.0)),
    Profile("xla", _BUDGETS, (4.0, 4.0), functions=_XLA),
)
PROFILES = {profile.name: profile for profile in _KNOWN}
DEFAULT = PROFILES["default"]


def profile(name: str) -> Profile:
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


def accuracy(op: ir.Operation, dtype: np.dtype, chosen: Profile) -> Accuracy:
    """Return the accuracy of a function: of the op's `result_accuracy`, otherwise of the profile."""
    own = stated(op)
    return Accuracy(chosen.units(op.name, dtype), chosen.sentence) if own is None else own
