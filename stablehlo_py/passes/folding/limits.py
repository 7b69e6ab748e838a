"""Which ops are not folded although their operands are constant, and why."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import ml_dtypes
import numpy as np

from ...bindings import ir
from ...bindings.elements import dtype_of
from ..matching import element_kind

# Ops that say that nothing may be known about their results, or whose results differ from run to run.
NEVER_FOLDED = frozenset(
    f"stablehlo.{name}"
    for name in (
        *("after_all", "composite", "constant", "create_token", "custom_call", "get_tuple_element"),
        *("optimization_barrier", "partition_id", "replica_id", "return", "rng", "rng_bit_generator", "tuple"),
    )
)
# Ops that choose which of their regions run, perhaps without end.
CONTROL_FLOW = frozenset({"stablehlo.case", "stablehlo.if", "stablehlo.while"})

# Ops whose results have no rounding in them: what they give for floats is the same everywhere.
_EXACT_ON_FLOATS = frozenset(
    f"stablehlo.{name}"
    for name in (
        *("abs", "bitcast_convert", "broadcast", "broadcast_in_dim", "ceil", "clamp", "compare", "complex"),
        *("concatenate", "dynamic_gather", "dynamic_pad", "dynamic_slice", "dynamic_update_slice", "floor", "gather"),
        *("imag", "is_finite", "maximum", "minimum", "negate", "pad", "real", "real_dynamic_slice", "reshape"),
        *("reverse", "round_nearest_afz", "round_nearest_even", "select", "sign", "slice", "sort", "transpose"),
    )
)

ELEMENTWISE = frozenset(
    f"stablehlo.{name}"
    for name in (
        *("abs", "add", "and", "atan2", "cbrt", "ceil", "clamp", "compare", "complex", "convert", "cosine"),
        *("count_leading_zeros", "divide", "exponential", "exponential_minus_one", "floor", "imag", "is_finite"),
        *("log", "log_plus_one", "logistic", "maximum", "minimum", "multiply", "negate", "not", "or", "popcnt"),
        *("power", "real", "reduce_precision", "remainder", "round_nearest_afz", "round_nearest_even", "rsqrt"),
        *("select", "shift_left", "shift_right_arithmetic", "shift_right_logical", "sign", "sine", "sqrt"),
        *("subtract", "tan", "tanh", "xor"),
    )
)

Arrays = Sequence[np.ndarray]


def _as_float(array: np.ndarray) -> np.ndarray:
    return array if array.dtype.kind in "fc" else array.astype(np.float64)


def _touches(test: Callable[[np.ndarray], np.ndarray]) -> Callable[[ir.Operation, Arrays], bool]:
    def check(op: ir.Operation, operands: Arrays) -> bool:
        if element_kind(op.operands[0]) != "float":
            return False
        with np.errstate(all="ignore"):
            return bool(np.any(test(_as_float(operands[0]))))

    return check


def _has_no_integer_quotient(op: ir.Operation, operands: Arrays) -> bool:
    if element_kind(op.operands[0]) != "integer":
        return False
    dividend, divisor = operands
    if np.any(divisor == 0):
        return True
    smallest = int(ml_dtypes.iinfo(dividend.dtype).min)
    return smallest < 0 and bool(np.any((dividend == smallest) & (divisor == -1)))


def _integer_limits(op: ir.Operation) -> tuple[int, int] | None:
    """The smallest and the largest result of a conversion from floats to integers, or None for other conversions."""
    if element_kind(op.operands[0]) != "float" or element_kind(op.results[0]) != "integer":
        return None
    limits = ml_dtypes.iinfo(dtype_of(ir.RankedTensorType(op.results[0].type).element_type))
    return int(limits.min), int(limits.max)


def _has_no_integer_value(op: ir.Operation, operands: Arrays) -> bool:
    """Whether a float that becomes an integer is not finite or too large for the integer type."""
    limits = _integer_limits(op)
    if limits is None:
        return False
    values = _as_float(operands[0]).astype(np.float64)
    if not np.all(np.isfinite(values)):
        return True
    whole = np.trunc(values)
    return bool(np.any(whole < float(limits[0])) or np.any(whole >= float(limits[1] + 1)))


def _loses_sign_of_zero(op: ir.Operation, operands: Arrays) -> bool:
    values = _as_float(operands[0])
    return _integer_limits(op) is not None and bool(np.any((values == 0) & np.signbit(values)))


Check = Callable[[ir.Operation, Arrays], bool]

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


def reason_to_keep(op: ir.Operation, operands: Arrays, *, keep_suspicious: bool) -> str:
    """Why an op of these constant operands is not to be folded; empty if it is."""
    for checks in (_OPEN, _SUSPICIOUS) if keep_suspicious else (_OPEN,):
        applies, reason = checks.get(op.name, (None, ""))
        if applies is not None and applies(op, operands):
            return reason
    return ""


def rounds_floats(op: ir.Operation) -> bool:
    """Whether the op, or one in its regions, computes with floats in a way that implementations may round
    differently."""
    kinds = {element_kind(value) for value in (*op.operands, *op.results)}
    own = op.name not in _EXACT_ON_FLOATS and not op.name.endswith(".return")
    if own and kinds & {"float", "complex"} and len(op.regions) == 0:
        return True
    return any(
        rounds_floats(nested.operation)
        for region in op.regions
        for block in region.blocks
        for nested in block.operations
        if nested.operation.name != "stablehlo.constant"
    )
