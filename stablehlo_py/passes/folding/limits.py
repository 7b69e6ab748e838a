"""Reasons not to fold ops of constant operands."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ...bindings.types import Kind
from ...dialect.facts import facts
from ..snapshot.parts import Op, any_operation

Arrays = Sequence[np.ndarray]


def _as_float(array: np.ndarray) -> np.ndarray:
    return array if array.dtype.kind in "fc" else array.astype(np.float64)


def _touches(test: Callable[[np.ndarray], np.ndarray]) -> Callable[[Op, Arrays], bool]:
    def check(op: Op, operands: Arrays) -> bool:
        if op.operands[0].tensor.kind is not Kind.FLOAT:
            return False
        with np.errstate(all="ignore"):
            return bool(np.any(test(_as_float(operands[0]))))

    return check


def _has_no_integer_quotient(op: Op, operands: Arrays) -> bool:
    element = op.operands[0].tensor.element
    if element is None or not element.is_integer:
        return False
    dividend, divisor = operands
    if np.any(divisor == 0):
        return True
    smallest = element.bounds[0]
    return smallest < 0 and bool(np.any((dividend == smallest) & (divisor == -1)))


def _integer_limits(op: Op) -> tuple[float, float] | None:
    """The smallest and the largest result of a conversion from floats to integers, or None for other conversions."""
    element = op.results[0].tensor.element
    if op.operands[0].tensor.kind is not Kind.FLOAT or element is None or not element.is_integer:
        return None
    return element.bounds


def _has_no_integer_value(op: Op, operands: Arrays) -> bool:
    """Return whether a float that becomes an integer is not finite or too large for the integer type."""
    limits = _integer_limits(op)
    if limits is None:
        return False
    with np.errstate(invalid="ignore"):  # a signalling NaN
        values = _as_float(operands[0]).astype(np.float64)
    if not np.all(np.isfinite(values)):
        return True
    whole = np.trunc(values)
    return bool(np.any(whole < float(limits[0])) or np.any(whole >= float(limits[1] + 1)))


def _loses_sign_of_zero(op: Op, operands: Arrays) -> bool:
    values = _as_float(operands[0])
    return _integer_limits(op) is not None and bool(np.any((values == 0) & np.signbit(values)))


Check = Callable[[Op, Arrays], bool]

# Where the spec leaves the result to the implementation: no constant is right for all of them.
_OPEN: dict[str, tuple[Check, str]] = {
    "stablehlo.divide": (_has_no_integer_quotient, "the spec leaves the quotient to the implementation"),
    "stablehlo.remainder": (_has_no_integer_quotient, "the spec leaves the remainder to the implementation"),
    "stablehlo.convert": (_has_no_integer_value, "the spec leaves the converted value to the implementation"),
}

_FAULT = "the operand hints at a fault, so the op stays where it can be seen"
# Where a result is defined but more likely a fault than a wish; the official pass keeps these ops too.
_SUSPICIOUS: dict[str, tuple[Check, str]] = {
    "stablehlo.convert": (_loses_sign_of_zero, _FAULT),
    "stablehlo.log": (_touches(lambda x: x <= 0), _FAULT),
    "stablehlo.log_plus_one": (_touches(lambda x: x <= -1), _FAULT),
    "stablehlo.rsqrt": (_touches(lambda x: x <= 0), _FAULT),
    "stablehlo.sign": (_touches(np.isnan), _FAULT),
    "stablehlo.sqrt": (_touches(lambda x: x < 0), _FAULT),
}


def is_never_folded(op: Op) -> bool:
    """Return whether the op is a constant or a terminator, or hides what its results are."""
    known = facts(op.name)
    return known.is_constant or known.opaque or bool(known.ends)


def reason_to_keep(op: Op, operands: Arrays, *, keep_suspicious: bool) -> str:
    """Return why an op of these constant operands is not to be folded; empty if it is."""
    for checks in (_OPEN, _SUSPICIOUS) if keep_suspicious else (_OPEN,):
        applies, reason = checks.get(op.name, (None, ""))
        if applies is not None and applies(op, operands):
            return reason
    return ""


def rounds_floats(op: Op) -> bool:
    """Return whether the op, or one in its regions, computes with floats in a way that implementations may round
    differently."""
    return any_operation(op, _rounds_floats_alone)


def _rounds_floats_alone(op: Op) -> bool:
    kinds = {value.tensor.kind for value in (*op.operands, *op.results)}
    known = facts(op.name)
    is_rounded = known.floats == "rounded" and not known.ends
    return is_rounded and not kinds.isdisjoint({Kind.FLOAT, Kind.COMPLEX}) and not op.regions
