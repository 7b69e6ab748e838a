"""The one notion of an allowed result: for an op and its operands, the values that the specification permits.

Each result of an op has an enclosure, which says of every element of an engine's result whether it is allowed, and the
sentence that it comes from:

| ops | allowed |
|---|---|
| data movement, comparisons, integers | the value |
| addition, subtraction, multiplication, division | the correctly rounded value |
| conversions | both neighbours: the spec leaves rounding to the implementation |
| functions | the exact value, widened by `result_accuracy`, otherwise by a profile |
| sums, contractions, convolutions, windows, scatters | what any order of additions gives, see `allowed_sums` |
| decompositions, triangular systems | matrices with a small residual |
| loops, branches, calls, other bodies | what the reference gives in other precisions, see `spread` |
| what the spec leaves to the implementation | anything |

Zeros of either sign count as one value, and so do all NaN.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import ml_dtypes
import numpy as np
import numpy.typing as npt

from ..bindings import ir
from ..bindings.types import Kind, dtype_name, element_type
from ..bindings.walk import operations
from ..dialect.facts import facts
from ..engines.reference import backend
from ..errors import UnsupportedOpError
from .extraction import Extract, Extractor
from .measures import Difference, Tolerance, difference, epsilon, is_float, parts_of, smallest_normal, spacing
from .profiles import DEFAULT, Accuracy, Profile, accuracy
from .slices import Values

Wide = npt.NDArray[np.longdouble]
Mask = npt.NDArray[np.bool_]
SPEC = "https://openxla.org/stablehlo/spec"
_EXACT = "the result has no rounding"
_ROUNDED = "the operation of IEEE-754, which is rounded to nearest"
_CONVERTED = "convert: where a value cannot be represented exactly, the behavior is TBD (#180): either neighbour"
_COMPLEX = "Errors: exceptions of complex arithmetic and of certain functions are implementation-defined"
_PAD = 8 * float(np.finfo(np.longdouble).eps)  # the error of functions in the wide type
_UNKNOWN_UNITS = 60.0  # functions that no standard has an accuracy for
_COMPLEX_UNITS = 8.0  # complex arithmetic by its formulas, relative to the magnitude of the result
_ALWAYS = {
    "stablehlo.rng": "rng: the exact way how random numbers are generated is implementation-defined",
    "stablehlo.rng_bit_generator": "rng_bit_generator: DEFAULT is an implementation-defined algorithm",
    "stablehlo.custom_call": "custom_call: the operation is implementation-defined",
}
_ARITHMETIC: dict[str, Callable[..., Wide]] = {
    "add": np.add, "subtract": np.subtract, "multiply": np.multiply, "divide": np.divide,
}  # fmt: skip
_FUNCTIONS: dict[str, Callable[..., Wide]] = {
    "atan2": np.arctan2,
    "cbrt": np.cbrt,
    "cosine": np.cos,
    "exponential": np.exp,
    "exponential_minus_one": np.expm1,
    "log": np.log,
    "log_plus_one": np.log1p,
    "logistic": lambda x: 1 / (1 + np.exp(-x)),
    "power": np.power,
    "rsqrt": lambda x: 1 / np.sqrt(x),
    "sine": np.sin,
    "sqrt": np.sqrt,
    "tan": np.tan,
    "tanh": np.tanh,
}


@dataclass(frozen=True)
class Allowed:
    """The values that one result of an op may have.

    Attributes:
        value: What the reference gives: one of them.
        outside: Tells which elements of an array are not allowed.
        sentence: Where that comes from.
        free: The elements that the spec leaves to the implementation.
    """

    value: np.ndarray
    outside: Callable[[np.ndarray], Mask]
    sentence: str
    free: Mask | bool = False

    def measure(self, given: np.ndarray) -> Difference:
        """Measure an engine's result: its mismatches are the elements outside."""
        return difference(given, self.value, Tolerance(), self.outside(given))

    def leaves_open(self, given: np.ndarray) -> bool:
        """Whether the result differs from the reference's where the spec leaves it open."""
        return bool((self.free & difference_mask(given, self.value)).any())


def difference_mask(a: np.ndarray, b: np.ndarray) -> Mask:
    """Which elements differ."""
    x, y = parts_of(a), parts_of(b)
    return np.asarray(((x != y) & ~(np.isnan(x) & np.isnan(y))).any(-1)).reshape(a.shape)


@dataclass
class Question:
    """An op on operands, and what the reference gives for them.

    Attributes:
        op: The op.
        values: The values that it uses.
        wanted: The reference's results.
        types: The data types in which the engine returns the results; they may be narrower than the program's.
        extractor: Cuts the op out of its program.
        results: The op's results that `wanted` has.
        profile: How accurate functions have to be.
    """

    op: ir.Operation
    values: Values
    wanted: Sequence[np.ndarray]
    types: Sequence[np.dtype]
    extractor: Extractor
    results: Sequence[ir.Value]
    profile: Profile = DEFAULT
    _runs: dict[str, Callable[[Sequence[np.ndarray]], Sequence[np.ndarray]]] = field(default_factory=dict)

    @cached_property
    def operands(self) -> list[np.ndarray]:
        """The operands."""
        return [self.values[operand] for operand in self.op.operands]

    @cached_property
    def extract(self) -> Extract:
        """The op as a program."""
        return self.extractor.ops([self.op], self.results)

    @cached_property
    def floats(self) -> list[np.ndarray]:
        """The operands that are floats."""
        return [operand for operand in self.operands if is_float(operand.dtype)]

    def run(self, values: Values, element: str = "") -> list[np.ndarray]:
        """Run the op in this process on other values, with its floats in another type if one is named."""
        if element not in self._runs:
            self._runs[element] = backend(*filter(None, [element])).load(self.extract.bytecode())
        with np.errstate(all="ignore"):
            return list(self._runs[element]([values[value] for value in self.extract.inputs]))

    def with_operands(self, change: Callable[[int, np.ndarray], np.ndarray]) -> Values:
        """The values with each float operand changed, given its number."""
        changed = {
            value: change(number, self.values[value])
            for number, value in enumerate(self.op.operands)
            if is_float(self.values[value].dtype)
        }
        return {**self.values, **changed}


def allowed(question: Question) -> list[Allowed]:
    """Return the enclosure of each result of an op."""
    from .spread import spread_of_op

    try:
        found = _allowed(question)
    except UnsupportedOpError:  # tied to the bits of its type
        found = spread_of_op(question)
    if not question.profile.flushes or facts(question.op.name).is_control_flow:
        return found
    if not any(_has_denormals(operand) for operand in question.floats):
        return found
    values = question.with_operands(lambda _, array: _flushed(array))
    other = replace(question, values=values, wanted=question.run(values), _runs={})
    return [_either(*both) for both in zip(found, _allowed(other), strict=True)]


def _allowed(question: Question) -> list[Allowed]:
    from .allowed_sums import structured
    from .spread import spread_of_op

    op, name = question.op, question.op.name
    if name in _ALWAYS and (name != "stablehlo.rng_bit_generator" or "DEFAULT" in str(op.attributes["rng_algorithm"])):
        return [anything(wanted, _ALWAYS[name]) for wanted in question.wanted]
    found = structured(question)
    if found is not None:
        return found
    known = facts(name)
    if known.is_control_flow or known.opaque or "." not in name or name == "func.call":
        return spread_of_op(question)
    if len(op.regions) and not all(facts(inner.name).floats == "exact" or not _has_floats(inner)
                                   for inner in operations(op)[1:] if not facts(inner.name).ends):  # fmt: skip
        return spread_of_op(question)
    return [_elementwise(question, index) for index in range(len(question.wanted))]


def anything(wanted: np.ndarray, sentence: str) -> Allowed:
    """The enclosure of a result that the spec leaves to the implementation."""
    return Allowed(wanted, lambda given: np.zeros(given.shape, bool), sentence, np.ones(wanted.shape, bool))


def _has_floats(op: ir.Operation) -> bool:
    values = (*op.operands, *op.results)
    types = (value.type.element_type for value in values if isinstance(value.type, ir.RankedTensorType))
    return any(isinstance(type_, (ir.FloatType, ir.ComplexType)) for type_ in types)


def _elementwise(question: Question, index: int) -> Allowed:
    """The enclosure of an op that computes each element by itself, or moves elements."""
    wanted, dtype = question.wanted[index], question.types[index]
    short = question.op.name.partition(".")[2]
    if short == "convert":
        return _converted(question, wanted, dtype)
    if not is_float(wanted.dtype):
        return _integer(question, wanted)
    if wanted.dtype.kind == "c" or (short == "abs" and question.operands[0].dtype.kind == "c"):
        return _complex(question, short, wanted)
    if facts(question.op.name).floats == "exact" or short in ("remainder", "iota", "dynamic_iota", "reduce_precision"):
        return interval(question, wanted, parts_of(wanted), parts_of(wanted), dtype, _EXACT)
    with np.errstate(all="ignore"):
        operands = [parts_of(operand) for operand in question.operands]
        if short in _ARITHMETIC:
            return _rounded(question, _ARITHMETIC[short](*operands), wanted, dtype)
        chosen = accuracy(question.op, dtype, question.profile)
        if short in _FUNCTIONS:
            exact = _FUNCTIONS[short](*operands)
        else:  # of CHLO, or quantized
            exact, chosen = parts_of(wanted), replace(chosen, units=chosen.units + _UNKNOWN_UNITS)
        low, high = around(exact, dtype, chosen)
    return interval(question, wanted, low, high, dtype, chosen.sentence)


def _rounded(question: Question, exact: Wide, wanted: np.ndarray, dtype: np.dtype) -> Allowed:
    """The correctly rounded value: the reference's, unless the engine computes in another type."""
    nearest = parts_of(wanted)
    if dtype == wanted.dtype:
        return interval(question, wanted, nearest, nearest, dtype, _ROUNDED)
    if epsilon(dtype) > epsilon(wanted.dtype):
        step = spacing(exact, dtype)
        nearest = np.rint(exact / step) * step
        return interval(question, wanted, nearest, nearest, dtype, _ROUNDED)
    pad = _PAD * np.abs(exact) + spacing(exact, dtype)
    return interval(question, wanted, np.minimum(exact - pad, nearest), np.maximum(exact + pad, nearest), dtype,
                    _ROUNDED)  # fmt: skip


def around(exact: Wide, dtype: np.dtype, chosen: Accuracy) -> tuple[Wide, Wide]:
    """The bounds of a function whose value is known in a wide type."""
    step = spacing(exact, dtype)
    reach = np.maximum(chosen.units * step, np.maximum(chosen.absolute, chosen.relative * np.abs(exact)))
    reach = np.where(np.isfinite(exact), reach + _PAD * np.abs(exact), 0)
    nearest = np.where(np.isfinite(exact), np.rint(exact / step) * step, exact)
    return np.minimum(exact - reach, nearest), np.maximum(exact + reach, nearest)


def interval(
    question: Question,
    wanted: np.ndarray,
    low: Wide,
    high: Wide,
    dtype: np.dtype,
    sentence: str,
    free: Mask | None = None,
) -> Allowed:
    """The values from `low` to `high`, rounded outward where the engine has fewer digits than the program.

    NaN is allowed where a bound is NaN, infinity where a bound is too large for the type. Where denormals may be
    flushed, zero stands for them.
    """
    nan = np.isnan(low) | np.isnan(high)
    if is_float(dtype):
        most = largest(dtype)
        if is_float(wanted.dtype) and epsilon(dtype) > epsilon(wanted.dtype):
            low, high = _outward(low, high, dtype)
        if not _has_infinity(dtype):
            nan |= (high > most) | (low < -most)
        high, low = np.where(high > most, np.inf, high), np.where(low < -most, -np.inf, low)
    low, high = np.where(nan, np.inf, low), np.where(nan, -np.inf, high)
    tiny = smallest_normal(dtype) if question.profile.flushes and is_float(dtype) else 0.0
    is_free = np.zeros(wanted.shape, bool) if free is None else free

    def outside(given: np.ndarray) -> Mask:
        found = parts_of(given)
        inside = ((low <= found) & (found <= high)) | (np.isnan(found) & nan)
        if tiny:
            inside |= (found == 0) & (low < tiny) & (high > -tiny)
        return np.asarray(~inside.all(-1).reshape(wanted.shape) & ~is_free)

    return Allowed(wanted, outside, sentence, is_free)


def largest(dtype: np.dtype) -> float:
    """The largest finite number of a float type."""
    return float(ml_dtypes.finfo(_real(dtype)).max)


def _has_infinity(dtype: np.dtype) -> bool:
    return not dtype_name(dtype).endswith(("FN", "FNU", "FNUZ"))


def _outward(low: Wide, high: Wide, dtype: np.dtype) -> tuple[Wide, Wide]:
    """Bounds rounded outward to values of a type."""
    with np.errstate(all="ignore"):
        steps = spacing(low, dtype), spacing(high, dtype)
        down, up = np.floor(low / steps[0]) * steps[0], np.ceil(high / steps[1]) * steps[1]
    return np.where(np.isfinite(low), down, low), np.where(np.isfinite(high), up, high)


def _converted(question: Question, wanted: np.ndarray, dtype: np.dtype) -> Allowed:
    """Both neighbours of a converted value; anything where an integer type cannot hold it."""
    operand = question.operands[0]
    exact = parts_of(operand.real if operand.dtype.kind == "c" and wanted.dtype.kind != "c" else operand)
    if not is_float(wanted.dtype):
        known = element_type(dtype_name(wanted.dtype))
        free = np.zeros(wanted.shape, bool)
        if known.kind is not Kind.BOOLEAN and is_float(operand.dtype):
            whole = np.trunc(exact)
            lowest, highest = known.bounds
            free = np.asarray(~((whole >= float(lowest)) & (whole < float(highest) + 1)).all(-1)).reshape(wanted.shape)
        bounds = parts_of(wanted)
        return interval(question, wanted, bounds, bounds, wanted.dtype, _CONVERTED, free)
    if wanted.dtype.kind == "c" and exact.shape[-1] == 1:
        exact = np.concatenate([exact, np.zeros_like(exact)], -1)
    free = None
    if not _has_infinity(dtype):
        free = np.asarray((np.abs(exact) > largest(dtype)).any(-1)).reshape(wanted.shape)
    return interval(question, wanted, *_outward(exact, exact, dtype), dtype, _CONVERTED, free)


def _integer(question: Question, wanted: np.ndarray) -> Allowed:
    """Integers and booleans: the value; anything for a quotient that is none."""
    free = None
    name = question.op.name
    if name in ("stablehlo.divide", "stablehlo.remainder"):
        dividend, divisor = question.operands
        lowest = np.iinfo(dividend.dtype).min if dividend.dtype.kind in "iu" else 0
        free = np.asarray((divisor == 0) | ((dividend == lowest) & (divisor == -1) & (lowest < 0)))
    sentence = "Errors: out-of-range integer results are implementation-defined" if free is not None else _EXACT
    bounds = parts_of(wanted)
    return interval(question, wanted, bounds, bounds, wanted.dtype, sentence, free)


def _complex(question: Question, short: str, wanted: np.ndarray) -> Allowed:
    """Complex arithmetic and functions: an error in proportion to the magnitude of the result."""
    dtype, exact = wanted.dtype, parts_of(wanted)
    if facts(question.op.name).floats == "exact" and short != "abs":
        return interval(question, wanted, exact, exact, dtype, _EXACT)
    if short in ("add", "subtract"):
        return interval(question, wanted, exact, exact, dtype, _ROUNDED)
    chosen = accuracy(question.op, dtype, question.profile)
    size = np.sqrt((exact * exact).sum(-1, keepdims=True))
    units = chosen.units + _COMPLEX_UNITS
    reach = np.broadcast_to(np.maximum(units * spacing(size, dtype), chosen.absolute + chosen.relative * size),
                            exact.shape)  # fmt: skip
    large, small = largest(dtype) ** 0.5 / 4, smallest_normal(dtype) ** 0.5 * 4
    free = ~np.isfinite(exact).all(-1)
    for operand in question.floats:
        with np.errstate(all="ignore"):
            sizes = np.abs(parts_of(operand)).max(-1)
        far = ~(sizes < large) | ((sizes < small) & (sizes > 0))
        free |= np.broadcast_to(far, free.shape)
    open_ = np.asarray(free).reshape(wanted.shape)
    return interval(question, wanted, exact - reach, exact + reach, dtype,
                    _COMPLEX if open_.any() else chosen.sentence, open_)  # fmt: skip


def _real(dtype: np.dtype) -> np.dtype:
    return np.dtype(f"f{dtype.itemsize // 2}") if dtype.kind == "c" else dtype


def _has_denormals(array: np.ndarray) -> bool:
    if array.dtype == ml_dtypes.float8_e8m0fnu:
        return False
    sizes = np.abs(parts_of(array))
    return bool(((sizes > 0) & (sizes < smallest_normal(array.dtype))).any())


def _flushed(array: np.ndarray) -> np.ndarray:
    """An array with zeros in place of denormal numbers."""
    real = array.view(_real(array.dtype)) if array.dtype.kind == "c" else array
    sizes = np.abs(real.astype(np.float64))
    flushed = np.where(sizes < smallest_normal(array.dtype), np.zeros((), real.dtype), real)
    return flushed.view(array.dtype).reshape(array.shape)


def _either(first: Allowed, second: Allowed) -> Allowed:
    """What one of two enclosures allows."""

    def outside(given: np.ndarray) -> Mask:
        return first.outside(given) & second.outside(given)

    return replace(first, outside=outside, free=first.free | second.free)
