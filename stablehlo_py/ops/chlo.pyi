# Written by tools/generate/op_stubs.py.
from collections.abc import Callable, Sequence
from typing import Any, Literal

from . import Operand, Operands, ResultType

def acos(operand: Operand, result_type: ResultType | None = None) -> Any:
    """Evaluate chlo.acos on arrays, or add it to the function that is being built."""

def acosh(operand: Operand, result_type: ResultType | None = None) -> Any:
    """Evaluate chlo.acosh on arrays, or add it to the function that is being built."""

def _asin_acos_kernel(operand: Operand, result_type: ResultType | None = None) -> Any:
    """Evaluate chlo._asin_acos_kernel on arrays, or add it to the function that is being built."""

def asin(operand: Operand, result_type: ResultType | None = None) -> Any:
    """Evaluate chlo.asin on arrays, or add it to the function that is being built."""

def asinh(operand: Operand, result_type: ResultType | None = None) -> Any:
    """Evaluate chlo.asinh on arrays, or add it to the function that is being built."""

def atan(operand: Operand, result_type: ResultType | None = None) -> Any:
    """Evaluate chlo.atan on arrays, or add it to the function that is being built."""

def atanh(operand: Operand, result_type: ResultType | None = None) -> Any:
    """Evaluate chlo.atanh on arrays, or add it to the function that is being built."""

def bessel_i1e(operand: Operand, result_type: ResultType | None = None) -> Any:
    """Evaluate chlo.bessel_i1e on arrays, or add it to the function that is being built."""

def broadcast_add(
    lhs: Operand,
    rhs: Operand,
    broadcast_dimensions: Sequence[int] | None = None,
    result_type: ResultType | None = None,
) -> Any:
    """Evaluate chlo.broadcast_add on arrays, or add it to the function that is being built."""

def broadcast_and(
    lhs: Operand,
    rhs: Operand,
    broadcast_dimensions: Sequence[int] | None = None,
    result_type: ResultType | None = None,
) -> Any:
    """Evaluate chlo.broadcast_and on arrays, or add it to the function that is being built."""

def broadcast_atan2(
    lhs: Operand,
    rhs: Operand,
    broadcast_dimensions: Sequence[int] | None = None,
    result_type: ResultType | None = None,
) -> Any:
    """Evaluate chlo.broadcast_atan2 on arrays, or add it to the function that is being built."""

def broadcast_compare(
    lhs: Operand,
    rhs: Operand,
    comparison_direction: Literal["EQ", "NE", "GE", "GT", "LE", "LT"],
    broadcast_dimensions: Sequence[int] | None = None,
    compare_type: Literal["FLOAT", "TOTALORDER", "SIGNED", "UNSIGNED"] | None = None,
    result_type: ResultType | None = None,
) -> Any:
    """Evaluate chlo.broadcast_compare on arrays, or add it to the function that is being built.

    Args:
        comparison_direction: #chlo<comparison_direction EQ|NE|GE|GT|LE|LT>
        compare_type: #chlo<comparison_type FLOAT|TOTALORDER|SIGNED|UNSIGNED>; by default follows from the element
            type
    """

def broadcast_complex(
    lhs: Operand,
    rhs: Operand,
    broadcast_dimensions: Sequence[int] | None = None,
    result_type: ResultType | None = None,
) -> Any:
    """Evaluate chlo.broadcast_complex on arrays, or add it to the function that is being built."""

def broadcast_divide(
    lhs: Operand,
    rhs: Operand,
    broadcast_dimensions: Sequence[int] | None = None,
    result_type: ResultType | None = None,
) -> Any:
    """Evaluate chlo.broadcast_divide on arrays, or add it to the function that is being built."""

def broadcast_maximum(
    lhs: Operand,
    rhs: Operand,
    broadcast_dimensions: Sequence[int] | None = None,
    result_type: ResultType | None = None,
) -> Any:
    """Evaluate chlo.broadcast_maximum on arrays, or add it to the function that is being built."""

def broadcast_minimum(
    lhs: Operand,
    rhs: Operand,
    broadcast_dimensions: Sequence[int] | None = None,
    result_type: ResultType | None = None,
) -> Any:
    """Evaluate chlo.broadcast_minimum on arrays, or add it to the function that is being built."""

def broadcast_multiply(
    lhs: Operand,
    rhs: Operand,
    broadcast_dimensions: Sequence[int] | None = None,
    result_type: ResultType | None = None,
) -> Any:
    """Evaluate chlo.broadcast_multiply on arrays, or add it to the function that is being built."""

def broadcast_next_after(
    lhs: Operand,
    rhs: Operand,
    broadcast_dimensions: Sequence[int] | None = None,
    result_type: ResultType | None = None,
) -> Any:
    """Evaluate chlo.broadcast_next_after on arrays, or add it to the function that is being built."""

def broadcast_or(
    lhs: Operand,
    rhs: Operand,
    broadcast_dimensions: Sequence[int] | None = None,
    result_type: ResultType | None = None,
) -> Any:
    """Evaluate chlo.broadcast_or on arrays, or add it to the function that is being built."""

def broadcast_polygamma(
    lhs: Operand,
    rhs: Operand,
    broadcast_dimensions: Sequence[int] | None = None,
    result_type: ResultType | None = None,
) -> Any:
    """Evaluate chlo.broadcast_polygamma on arrays, or add it to the function that is being built."""

def broadcast_power(
    lhs: Operand,
    rhs: Operand,
    broadcast_dimensions: Sequence[int] | None = None,
    result_type: ResultType | None = None,
) -> Any:
    """Evaluate chlo.broadcast_power on arrays, or add it to the function that is being built."""

def broadcast_remainder(
    lhs: Operand,
    rhs: Operand,
    broadcast_dimensions: Sequence[int] | None = None,
    result_type: ResultType | None = None,
) -> Any:
    """Evaluate chlo.broadcast_remainder on arrays, or add it to the function that is being built."""

def broadcast_select(pred: Operand, on_true: Operand, on_false: Operand, result_type: ResultType | None = None) -> Any:
    """Evaluate chlo.broadcast_select on arrays, or add it to the function that is being built."""

def broadcast_shift_left(
    lhs: Operand,
    rhs: Operand,
    broadcast_dimensions: Sequence[int] | None = None,
    result_type: ResultType | None = None,
) -> Any:
    """Evaluate chlo.broadcast_shift_left on arrays, or add it to the function that is being built."""

def broadcast_shift_right_arithmetic(
    lhs: Operand,
    rhs: Operand,
    broadcast_dimensions: Sequence[int] | None = None,
    result_type: ResultType | None = None,
) -> Any:
    """Evaluate chlo.broadcast_shift_right_arithmetic on arrays, or add it to the function that is being built."""

def broadcast_shift_right_logical(
    lhs: Operand,
    rhs: Operand,
    broadcast_dimensions: Sequence[int] | None = None,
    result_type: ResultType | None = None,
) -> Any:
    """Evaluate chlo.broadcast_shift_right_logical on arrays, or add it to the function that is being built."""

def broadcast_subtract(
    lhs: Operand,
    rhs: Operand,
    broadcast_dimensions: Sequence[int] | None = None,
    result_type: ResultType | None = None,
) -> Any:
    """Evaluate chlo.broadcast_subtract on arrays, or add it to the function that is being built."""

def broadcast_xor(
    lhs: Operand,
    rhs: Operand,
    broadcast_dimensions: Sequence[int] | None = None,
    result_type: ResultType | None = None,
) -> Any:
    """Evaluate chlo.broadcast_xor on arrays, or add it to the function that is being built."""

def broadcast_zeta(
    lhs: Operand,
    rhs: Operand,
    broadcast_dimensions: Sequence[int] | None = None,
    result_type: ResultType | None = None,
) -> Any:
    """Evaluate chlo.broadcast_zeta on arrays, or add it to the function that is being built."""

def conj(operand: Operand, result_type: ResultType | None = None) -> Any:
    """Evaluate chlo.conj on arrays, or add it to the function that is being built."""

def constant_like(operand: Operand, value: Any, result_type: ResultType | None = None) -> Any:
    """Evaluate chlo.constant_like on arrays, or add it to the function that is being built."""

def constant(value: Any, result_type: ResultType | None = None) -> Any:
    """Evaluate chlo.constant on arrays, or add it to the function that is being built."""

def cosh(operand: Operand, result_type: ResultType | None = None) -> Any:
    """Evaluate chlo.cosh on arrays, or add it to the function that is being built."""

def digamma(operand: Operand, result_type: ResultType | None = None) -> Any:
    """Evaluate chlo.digamma on arrays, or add it to the function that is being built."""

def erf_inv(operand: Operand, result_type: ResultType | None = None) -> Any:
    """Evaluate chlo.erf_inv on arrays, or add it to the function that is being built."""

def erf(operand: Operand, result_type: ResultType | None = None) -> Any:
    """Evaluate chlo.erf on arrays, or add it to the function that is being built."""

def erfc(operand: Operand, result_type: ResultType | None = None) -> Any:
    """Evaluate chlo.erfc on arrays, or add it to the function that is being built."""

def is_inf(operand: Operand, result_type: ResultType | None = None) -> Any:
    """Evaluate chlo.is_inf on arrays, or add it to the function that is being built."""

def is_neg_inf(operand: Operand, result_type: ResultType | None = None) -> Any:
    """Evaluate chlo.is_neg_inf on arrays, or add it to the function that is being built."""

def is_pos_inf(operand: Operand, result_type: ResultType | None = None) -> Any:
    """Evaluate chlo.is_pos_inf on arrays, or add it to the function that is being built."""

def lgamma(operand: Operand, result_type: ResultType | None = None) -> Any:
    """Evaluate chlo.lgamma on arrays, or add it to the function that is being built."""

def mulhi(lhs: Operand, rhs: Operand, result_type: ResultType | None = None) -> Any:
    """Evaluate chlo.mulhi on arrays, or add it to the function that is being built."""

def next_after(x: Operand, y: Operand, result_type: ResultType | None = None) -> Any:
    """Evaluate chlo.next_after on arrays, or add it to the function that is being built."""

def polygamma(n: Operand, x: Operand, result_type: ResultType | None = None) -> Any:
    """Evaluate chlo.polygamma on arrays, or add it to the function that is being built."""

def ragged_dot(
    lhs: Operand,
    rhs: Operand,
    group_sizes: Operand,
    lhs_batching_dimensions: Sequence[int] | None = None,
    rhs_batching_dimensions: Sequence[int] | None = None,
    lhs_contracting_dimensions: Sequence[int] | None = None,
    rhs_contracting_dimensions: Sequence[int] | None = None,
    lhs_ragged_dimensions: Sequence[int] | None = None,
    rhs_group_dimensions: Sequence[int] | None = None,
    precision_config: Sequence[Literal["DEFAULT", "HIGH", "HIGHEST"]] | None = None,
    result_type: ResultType | None = None,
) -> Any:
    """Evaluate chlo.ragged_dot on arrays, or add it to the function that is being built.

    Args:
        lhs_batching_dimensions: lhs_batching_dimensions of #chlo.ragged_dot; by default []
        rhs_batching_dimensions: rhs_batching_dimensions of #chlo.ragged_dot; by default []
        lhs_contracting_dimensions: lhs_contracting_dimensions of #chlo.ragged_dot; by default []
        rhs_contracting_dimensions: rhs_contracting_dimensions of #chlo.ragged_dot; by default []
        lhs_ragged_dimensions: lhs_ragged_dimensions of #chlo.ragged_dot; by default []
        rhs_group_dimensions: rhs_group_dimensions of #chlo.ragged_dot; by default []
        precision_config: array of #chlo<precision DEFAULT|HIGH|HIGHEST>; by default DEFAULT for each operand
    """

def scan(
    inputs: Operands,
    inits: Operands,
    dimension: int,
    body: Callable[..., Any],
    scan_dim_size: int | None = None,
    is_reverse: bool | None = None,
    is_associative: bool | None = None,
    result_type: ResultType | None = None,
) -> Any:
    """Evaluate chlo.scan on arrays, or add it to the function that is being built."""

def sinh(operand: Operand, result_type: ResultType | None = None) -> Any:
    """Evaluate chlo.sinh on arrays, or add it to the function that is being built."""

def square(operand: Operand, result_type: ResultType | None = None) -> Any:
    """Evaluate chlo.square on arrays, or add it to the function that is being built."""

def tan(operand: Operand, result_type: ResultType | None = None) -> Any:
    """Evaluate chlo.tan on arrays, or add it to the function that is being built."""

def top_k(operand: Operand, k: int, is_stable: bool | None = None, result_type: ResultType | None = None) -> Any:
    """Evaluate chlo.top_k on arrays, or add it to the function that is being built."""

def zeta(x: Operand, q: Operand, result_type: ResultType | None = None) -> Any:
    """Evaluate chlo.zeta on arrays, or add it to the function that is being built."""
