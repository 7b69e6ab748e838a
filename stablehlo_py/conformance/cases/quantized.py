"""Quantized types: the spec's formulas on rational numbers, each step rounded to the expressed type."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import partial

import numpy as np

from ...bindings.types import ElementType, Quantization, element_type
from ..case import Case, Expected, single
from ..catalog import Draw, Family, cases_of
from ..generate.texts import ints
from ..oracle import scalars
from ..oracle.rounding import Number, rounded
from .contraction import contracted
from .elementwise import scalars_of
from .movement import by_index

case_of = partial(single, source="the spec's formulas, each step rounded to the expressed type")
TYPES = (
    "!quant.uniform<i8:f32, 0.5:-10>",
    "!quant.uniform<i4:f32, 0.75:2>",
    "!quant.uniform<i16:f32, 0.03125>",
    "!quant.uniform<u8:f32, 0.5:128>",
    "!quant.uniform<i8:f32, 5.5234375:3>",
    "!quant.uniform<i8<-127:127>:f32, 0.1>",
    "!quant.uniform<i8<-50:60>:f32, 0.25:4>",
)
PER_AXIS = "!quant.uniform<i8:f32:1, {0.5:1,0.25:-3,2.0}>"
COLUMN = "quantized"
COUNT = 60


def _cases_of(*ops: str) -> Callable[[Family], Family]:
    """Register a function of quantized cases, which are drawn if they are wanted."""
    return lambda function: cases_of(*ops)(lambda op, draw: function(op, draw) if draw.only([COLUMN]) else iter(()))


def _quantization(described: ElementType) -> Quantization:
    if described.quantization is None:
        raise ValueError(f"{described} is not quantized")
    return described.quantization


def draw_storage(name: str, shape: Sequence[int], draw: Draw, *words: object) -> np.ndarray:
    """Storage integers within the bounds of the type."""
    described, generator = element_type(name), draw(name, *words)
    quantization = _quantization(described)
    low, high = quantization.storage_min, quantization.storage_max
    drawn = [generator.choice((low, high, generator.randint(low, high))) for _ in range(math.prod(shape))]
    return np.array(drawn, object).astype(described.dtype).reshape(tuple(shape))


def dequantized(storage: int, name: str, slice_: int = 0) -> float:
    """(storage - zero_point) * scale, in f32."""
    quantization = _quantization(element_type(name))
    scale = rounded(Fraction(quantization.scales[slice_]), "f32")
    return rounded(Fraction(storage - quantization.zero_points[slice_]) * Fraction(scale), "f32")


def quantized(number: float, name: str, slice_: int = 0) -> int:
    """round(clamp(number / scale + zero_point)), the division and the sum in f32."""
    quantization = _quantization(element_type(name))
    scale = rounded(Fraction(quantization.scales[slice_]), "f32")
    divided = rounded(scalars.FLOAT_BINARY["divide"](number, scale), "f32")
    moved = rounded(scalars.FLOAT_BINARY["add"](divided, float(quantization.zero_points[slice_])), "f32")
    return round(min(max(moved, quantization.storage_min), quantization.storage_max))


def storage_array(values: Sequence[int], name: str, shape: Sequence[int]) -> np.ndarray:
    """Storage integers as the array that stands for a quantized tensor."""
    return np.array(values, object).astype(element_type(name).dtype).reshape(tuple(shape))


@_cases_of("uniform_quantize")
def uniform_quantize(op: str, draw: Draw) -> Iterator[Case]:
    """Floats to storage, beyond its bounds and at ties; storage to other storage; per axis."""
    for name in TYPES:
        generator, quantization = draw(op, name), _quantization(element_type(name))
        floats = [generator.gauss(0, 1) * 10.0 ** generator.randrange(-2, 5) for _ in range(COUNT)]
        halves = [(generator.randrange(-20, 20) + 0.5) * quantization.scales[0] for _ in range(COUNT)]
        special = [math.inf, -math.inf, 0.0, -0.0]
        for kind, drawn in (("ordinary", floats), ("ties", halves), ("special values", special)):
            operand = np.array(drawn, np.float32)
            value = storage_array([quantized(float(number), name) for number in operand], name, operand.shape)
            yield case_of(op, COLUMN, kind, [("f32", operand)], [Expected(value, name)])
        for other in TYPES:
            storage = draw_storage(name, (COUNT,), draw, op, other)
            value = [quantized(dequantized(each, name), other) for each in scalars_of(storage)]
            expected = [Expected(storage_array(value, other, storage.shape), other)]
            yield case_of(op, COLUMN, "requantize", [(name, storage)], expected)
    operand = np.arange(-6, 6, dtype=np.float32).reshape(4, 3) * np.float32(0.4)
    value = [quantized(float(operand[index]), PER_AXIS, index[1]) for index in np.ndindex(4, 3)]
    expected = [Expected(storage_array(value, PER_AXIS, (4, 3)), PER_AXIS)]
    yield case_of(op, COLUMN, "per axis", [("f32", operand)], expected)


@_cases_of("uniform_dequantize")
def uniform_dequantize(op: str, draw: Draw) -> Iterator[Case]:
    """Storage to floats, per tensor and per axis."""
    for name in TYPES:
        storage = draw_storage(name, (COUNT,), draw, op)
        value = np.array([dequantized(each, name) for each in scalars_of(storage)], np.float32)
        yield case_of(op, COLUMN, "ordinary", [(name, storage)], [Expected(value, "f32")])
    for axis, shape in ((0, (3, 4)), (1, (4, 3))):
        name = PER_AXIS.replace(":1,", f":{axis},")
        storage = draw_storage(name, shape, draw, op)
        value = [dequantized(int(storage[index]), name, index[axis]) for index in np.ndindex(shape)]
        expected = [Expected(np.array(value, np.float32).reshape(shape), "f32")]
        yield case_of(op, COLUMN, "per axis", [(name, storage)], expected)


_UNARY: dict[str, Callable[[float], Number]] = {
    **{op: scalars.FLOAT_UNARY[op] for op in ("abs", "negate", "sign", "floor", "ceil")},
    **{op: scalars.TRANSCENDENTAL[op] for op in ("exponential", "tanh", "sine", "sqrt", "logistic", "cosine")},
}
_BINARY = ("add", "subtract", "multiply", "divide", "maximum", "minimum")


@_cases_of(*_UNARY, *_BINARY)
def arithmetic(op: str, draw: Draw) -> Iterator[Case]:
    """Dequantize, compute, quantize."""
    count = 1 if op in _UNARY else 2
    function = _UNARY[op] if count == 1 else scalars.FLOAT_BINARY[op]
    for name in TYPES:
        operands = [draw_storage(name, (COUNT,), draw, op, number) for number in range(count)]
        values, kept = list[int](), list[int]()
        for position in range(COUNT):
            floats = [dequantized(int(operand[position]), name) for operand in operands]
            exact = rounded(function(*floats), "f32")
            if not math.isnan(exact):  # which integer stands for NaN is open
                values.append(quantized(exact, name))
                kept.append(position)
        expected = [Expected(storage_array(values, name, (len(kept),)), name)]
        yield case_of(op, COLUMN, "ordinary", [(name, operand[kept]) for operand in operands], expected)


@_cases_of("transpose", "reshape", "reverse", "slice", "concatenate", "broadcast_in_dim", "select")
def storage_moved(op: str, draw: Draw) -> Iterator[Case]:
    """Ops that move elements move storage."""
    box = "start_indices = array<i64: 1, 0>, limit_indices = array<i64: 3, 4>, strides = array<i64: 1, 2>"
    forms: dict[str, tuple[str, tuple[int, ...], Callable[[tuple[int, ...]], tuple[int, ...]]]] = {
        "transpose": ("permutation = array<i64: 1, 0>", (4, 3), lambda i: (i[1], i[0])),
        "reshape": ("", (2, 6), lambda i: divmod(i[0] * 6 + i[1], 4)),
        "reverse": ("dimensions = array<i64: 1>", (3, 4), lambda i: (i[0], 3 - i[1])),
        "slice": (box, (2, 2), lambda i: (i[0] + 1, 2 * i[1])),
        "concatenate": ("dimension = 0 : i64", (6, 4), lambda i: (i[0] % 3, i[1])),
        "broadcast_in_dim": (f"broadcast_dimensions = {ints([1, 2])}", (2, 3, 4), lambda i: i[1:]),
    }
    for name in TYPES:
        operand = draw_storage(name, (3, 4), draw, op)
        if op == "select":
            other, pred = draw_storage(name, (3, 4), draw, op, "other"), np.arange(12).reshape(3, 4) % 3 == 0
            expected = [Expected(np.where(pred, operand, other), name)]
            operands = [("i1", pred), (name, operand), (name, other)]
            yield case_of(op, COLUMN, "ordinary", operands, expected)
            continue
        attributes, shape, source_of = forms[op]
        operands = [(name, operand)] * (2 if op == "concatenate" else 1)
        expected = [Expected(by_index(shape, operand, source_of), name)]
        yield case_of(op, COLUMN, "ordinary", operands, expected, attributes)


@_cases_of("compare")
def compare(op: str, draw: Draw) -> Iterator[Case]:
    """Quantized numbers compare as the floats that they stand for."""
    for name in TYPES:
        for direction, holds in (("LT", operator.lt), ("EQ", operator.eq), ("GE", operator.ge)):
            lhs, rhs = [draw_storage(name, (COUNT,), draw, op, direction, side) for side in "lr"]
            pairs = zip(scalars_of(lhs), scalars_of(rhs), strict=True)
            value = np.array([holds(dequantized(a, name), dequantized(b, name)) for a, b in pairs], bool)
            attributes = f"comparison_direction = #stablehlo<comparison_direction {direction}>"
            yield case_of(op, COLUMN, "ordinary", [(name, lhs), (name, rhs)], [Expected(value, "i1")], attributes)


@_cases_of("dot_general", "dot")
def dot(op: str, draw: Draw) -> Iterator[Case]:
    """Scales that are powers of two: the sums are exact, one rounding at the end."""
    lhs_name, result_name = "!quant.uniform<i8:f32, 0.25:-3>", "!quant.uniform<i32:f32, 0.125>"
    rhs_name = "!quant.uniform<i8<-127:127>:f32, 0.5>"
    for number in range(4):
        rows, inner, columns = 2 + number, 5, 3
        lhs = draw_storage(lhs_name, (rows, inner), draw, op, number)
        rhs = draw_storage(rhs_name, (inner, columns), draw, op, number)
        numbers = [np.array([dequantized(each, name) for each in scalars_of(side)]).reshape(side.shape)
                   for side, name in ((lhs, lhs_name), (rhs, rhs_name))]  # fmt: skip
        (exact,) = contracted("ab,bc->ac", *numbers)
        value = [quantized(float(number), result_name) for number in exact.flat]
        expected = Expected(storage_array(value, result_name, (rows, columns)), result_name)
        dims = "lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]"
        attributes = f"dot_dimension_numbers = #stablehlo.dot<{dims}>" if op == "dot_general" else ""
        yield case_of(op, COLUMN, "ordinary", [(lhs_name, lhs), (rhs_name, rhs)], [expected], attributes)
