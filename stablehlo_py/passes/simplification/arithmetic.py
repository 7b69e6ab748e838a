"""Identities of elementwise arithmetic.

Floating point identities hold for every value, NaN, infinities and both zeros included, unless the comment says that
`optimize-float` allows a difference. The bits of a NaN do not count, as the spec leaves them open.
"""

from __future__ import annotations

from ...dialect.facts import facts, op_names
from ..matching import is_constant, is_neutral, splat_value
from ..rewriting import Pattern, Rewriter, pattern, plain
from ..snapshot.parts import Op, Value

PATTERNS: list[Pattern] = []


def _is_zero(value: Value) -> bool:
    splat = splat_value(value)
    return splat is not None and bool(splat == 0)


_COMMUTATIVE = tuple([name for name in op_names("stablehlo") if "Commutative" in facts(name).traits])


@pattern(PATTERNS, *_COMMUTATIVE, of={0: "constant"}, needs=lambda element: element.is_real or element.is_integral)
def constant_to_the_right(op: Op, rewriter: Rewriter) -> bool:
    """op(constant, x) = op(x, constant) for commutative ops: the other patterns need look for constants only there.

    Of complex numbers with NaN or zeros the position can decide which one is the maximum."""
    lhs, rhs = op.operands
    if not is_constant(lhs) or is_constant(rhs):
        return False
    return rewriter.rewrite_as(op, op.name, [rhs, lhs])


@pattern(PATTERNS, *_COMMUTATIVE, of={1: "constant"})
def neutral_on_the_right(op: Op, rewriter: Rewriter) -> bool:
    """x + 0 = x, x * 1 = x, max(x, lowest) = x, min(x, highest) = x, x and 1…1 = x, x or 0 = x, x xor 0 = x.

    For floats -0.0 is what adds nothing, where it exists (-0.0 + 0.0 is 0.0), and the bounds are infinities, where they
    exist. Nothing of the kind holds for complex numbers: inf * (1 + 0i) has a NaN."""
    lhs, rhs = op.operands
    return is_neutral(op.name.removeprefix("stablehlo."), rhs) and rewriter.forward(op, lhs)


@pattern(PATTERNS, "add", of={1: "constant"}, needs=lambda element: element.is_real)
def add_zero_of_either_sign(op: Op, rewriter: Rewriter) -> bool:
    """x + 0.0 = x, except for x = -0.0: only if `optimize-float` allows it."""
    lhs, rhs = op.operands
    return rewriter.options.optimize_float and _is_zero(rhs) and rewriter.forward(op, lhs)


@pattern(PATTERNS, "subtract", of={1: "constant"}, needs=lambda element: element.is_real)
def subtract_zero(op: Op, rewriter: Rewriter) -> bool:
    """x - 0 = x. For floats only 0.0 is neutral: -0.0 - -0.0 is 0.0; `optimize-float` allows -0.0 too."""
    lhs, rhs = op.operands
    is_nothing = is_neutral("subtract", rhs) or (rewriter.options.optimize_float and _is_zero(rhs))
    return is_nothing and rewriter.forward(op, lhs)


@pattern(PATTERNS, "subtract", "xor", needs=lambda element: element.is_integral)
def cancels_itself(op: Op, rewriter: Rewriter) -> bool:
    """x - x = 0 and x xor x = 0, for integers and booleans of static shape; for floats NaN - NaN is NaN."""
    lhs, rhs = op.operands
    result = op.results[0]
    if lhs != rhs or lhs.tensor.count is None or not result.tensor.has_array:
        return False
    return rewriter.replace(op, [rewriter.constant(0, result.type, before=op)])


@pattern(PATTERNS, "multiply", "and", of={1: "constant"}, needs=lambda element: element.is_integral)
def absorbed_by_zero(op: Op, rewriter: Rewriter) -> bool:
    """x * 0 = 0 and x and 0 = 0, for integers and booleans; for floats NaN * 0.0 is NaN and -1.0 * 0.0 is -0.0."""
    return _is_zero(op.operands[1]) and rewriter.forward(op, op.operands[1])


@pattern(PATTERNS, "divide", of={1: "constant"}, needs=lambda element: element.is_real)
def divide_by_one(op: Op, rewriter: Rewriter) -> bool:
    """x / 1 = x, for integers and floats."""
    lhs, rhs = op.operands
    return is_neutral("divide", rhs) and rewriter.forward(op, lhs)


@pattern(PATTERNS, "or", of={1: "constant"})
def or_ones(op: Op, rewriter: Rewriter) -> bool:
    """x or 1…1 = 1…1, for integers and booleans."""
    return is_neutral("and", op.operands[1]) and rewriter.forward(op, op.operands[1])


@pattern(PATTERNS, "shift_left", "shift_right_arithmetic", "shift_right_logical", of={1: "constant"})
def shift_by_nothing(op: Op, rewriter: Rewriter) -> bool:
    """A shift by 0 gives the operand."""
    return _is_zero(op.operands[1]) and rewriter.forward(op, op.operands[0])


@pattern(PATTERNS, *[name for name in op_names("stablehlo") if facts(name).idempotent], needs=plain)
def idempotent(op: Op, rewriter: Rewriter) -> bool:
    """x and x = x, x or x = x, max(x, x) = x, min(x, x) = x; NaN stays NaN."""
    lhs, rhs = op.operands
    return lhs == rhs and rewriter.forward(op, lhs)


@pattern(PATTERNS, "negate", "not", of={0: "negate not"}, needs=lambda element: element.is_integral or element.has_sign)
def involution(op: Op, rewriter: Rewriter) -> bool:
    """-(-x) = x and not(not x) = x, wrapping integers and signed zeros included."""
    inner = op.source(0)
    return inner.name == op.name and rewriter.forward(op, inner.operands[0])


@pattern(PATTERNS, "abs", of={0: "negate abs"}, needs=lambda element: element.has_sign)
def abs_of_sign(op: Op, rewriter: Rewriter) -> bool:
    """|-x| = |x| and ||x|| = |x|; the smallest integer is its own negation."""
    return rewriter.rewrite_as(op, "abs", op.source(0).operands)


_ROUNDING = ("ceil", "floor", "round_nearest_afz", "round_nearest_even")


@pattern(PATTERNS, *_ROUNDING, of={0: " ".join(_ROUNDING)}, needs=lambda element: element.is_closed_under_rounding)
def rounded_already(op: Op, rewriter: Rewriter) -> bool:
    """Rounding a rounded number, in whichever direction, changes nothing."""
    return rewriter.forward(op, op.operands[0])


@pattern(PATTERNS, "convert", "bitcast_convert")
def convert_to_same_type(op: Op, rewriter: Rewriter) -> bool:
    """A conversion to the type that the operand has gives the operand."""
    return rewriter.forward(op, op.operands[0])


@pattern(PATTERNS, "bitcast_convert", of={0: "bitcast_convert"}, needs=plain)
def bitcast_of_bitcast(op: Op, rewriter: Rewriter) -> bool:
    """bitcast_convert(bitcast_convert(x)) = bitcast_convert(x): the bits are the same throughout."""
    values = (op.source(0).operands[0], op.operands[0], op.results[0])
    if values[0].tensor.element is None or any(value.tensor.count is None for value in values):
        return False
    # Elements of different widths share a dimension of bits; then the shapes may not fit.
    is_of_one_rank = len({len(value.tensor.shape) for value in values}) == 1
    return is_of_one_rank and rewriter.rewrite_as(op, "bitcast_convert", [values[0]])


@pattern(PATTERNS, "real", "imag", of={0: "complex"})
def part_of_complex(op: Op, rewriter: Rewriter) -> bool:
    """real(complex(a, b)) = a and imag(complex(a, b)) = b."""
    return rewriter.forward(op, op.source(0).operands[0 if op.name == "stablehlo.real" else 1])


@pattern(PATTERNS, "complex", of={0: "real", 1: "imag"})
def complex_of_parts(op: Op, rewriter: Rewriter) -> bool:
    """complex(real(x), imag(x)) = x."""
    (real,), (imag,) = op.source(0).operands, op.source(1).operands
    return real == imag and rewriter.forward(op, real)
