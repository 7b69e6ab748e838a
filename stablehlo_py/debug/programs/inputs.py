"""Draws arguments for a program: seeded, in ranges and distributions of the user's choice, with special values."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

import ml_dtypes
import numpy as np

from ...bindings import ir
from ...bindings.attributes import int_of
from ...bindings.types import LARGEST_RANK, Kind, TensorType, TypeReader, ValueType, decode_type
from ...errors import InputError, UsageError
from ...syntax.spelling import hint

DISTRIBUTIONS = ("normal", "uniform", "log", "special", "zeros", "ones")
_SPECIAL_SHARE = 0.25
_MOST_ELEMENTS = 1 << 58  # numpy has another error for arrays whose bytes it cannot count
_FORM = re.compile(
    r"(?:(?P<index>\d+)=)?(?P<kind>[a-z]+)?(?:\((?P<low>[-+\w.]+),(?P<high>[-+\w.]+)\))?(?P<special>\+special)?"
)
# Ops whose operands from this one on say where to start.
_INDEXED = {"stablehlo.dynamic_slice": (1, 0), "stablehlo.dynamic_update_slice": (2, 0)}
_PASS_ON = ("reshape", "convert", "broadcast_in_dim", "slice", "transpose", "concatenate", "clamp", "select", "add")


@dataclass(frozen=True)
class Distribution:
    """The distribution of the elements of an argument.

    Attributes:
        kind: `normal` (mean 0, deviation 1), `uniform` in a range, `log` (magnitudes over the whole range of the type),
            `special` (NaN, infinities, zeros of both signs, denormals, extremes), `zeros` or `ones`.
        low: The smallest value; None for the type's default.
        high: The largest value.
        special: Whether a quarter of the elements are special values.
    """

    kind: str = ""
    low: float | None = None
    high: float | None = None
    special: bool = False


def read_distributions(texts: Sequence[str]) -> dict[int | None, Distribution]:
    """Read `normal`, `uniform(-2,2)`, `0=log`, `1=uniform(0,7)+special` as distributions by argument, or for all.

    Raises UsageError if a text is not of that form. The key None stands for all.
    """
    found: dict[int | None, Distribution] = {}
    for text in texts:
        match = _FORM.fullmatch(text)
        if match is None or (match["kind"] and match["kind"] not in DISTRIBUTIONS):
            note = f"write KIND, KIND(LOW,HIGH) or NUMBER=KIND, with one of {', '.join(DISTRIBUTIONS)}"
            found_hint = hint(text.rpartition("=")[2], DISTRIBUTIONS)
            raise UsageError(f"not a distribution: '{text}'{found_hint}", notes=[note])
        try:
            bounds = [None if bound is None else float(bound) for bound in (match["low"], match["high"])]
        except ValueError:
            raise UsageError(f"not a range of numbers: '{text}'") from None
        index = None if match["index"] is None else int(match["index"])
        kind = match["kind"] if match["kind"] else ""
        low, high = bounds
        if low is not None and high is not None and not -math.inf < low <= high < math.inf:
            raise UsageError(f"not a range of numbers: '{text}'", notes=["the lower bound comes first"])
        found[index] = Distribution(kind, low, high, bool(match["special"]))
    return found


def _index_limit(argument: ir.Value) -> int | None:
    """Return the size that an integer argument indexes, found by following it forward through movement."""
    pending, seen, limit = [argument], {argument}, None
    while pending:
        value = pending.pop()
        for use in value.uses:
            op = use.owner.operation
            size = _indexed_size(op, use.operand_number)
            if size is not None:
                limit = size if limit is None else min(limit, size)
            elif op.name.removeprefix("stablehlo.") in _PASS_ON and op.results[0] not in seen:
                seen.add(op.results[0])
                pending.append(op.results[0])
    return limit


def _indexed_size(op: ir.Operation, operand: int) -> int | None:
    """Return the size of the dimension that `op` indexes with one of its operands, or None for another operand."""
    if op.name in _INDEXED:
        first, indexed = _INDEXED[op.name]
        shape = ir.RankedTensorType(op.operands[indexed].type).shape
        return shape[operand - first] if operand >= first else None
    if op.name == "stablehlo.set_dimension_size" and operand == 1:
        type_ = decode_type(op.operands[0].type)
        size = type_.largest.shape[int_of(op.attributes["dimension"])] if isinstance(type_, TensorType) else None
        return None if size is None else size + 1
    if op.name == "stablehlo.gather" and operand == 1:
        shape = ir.RankedTensorType(op.operands[0].type).shape
        return min(shape) if shape else None
    if op.name == "stablehlo.scatter":
        count = (len(op.operands) - 1) // 2
        shape = ir.RankedTensorType(op.operands[0].type).shape
        return min(shape) if operand == count and shape else None
    return None


def special_values(dtype: np.dtype, kind: Kind) -> np.ndarray:
    """Return values at the edges of a type, each once."""
    if kind is Kind.BOOLEAN:
        return np.array([False, True])
    if kind in (Kind.SIGNED, Kind.UNSIGNED):
        info = ml_dtypes.iinfo(dtype)
        values = [0, 1, info.min, info.max, info.max // 2] + ([-1] if info.min < 0 else [])
        return np.array(values, np.int64 if info.max < 2**63 else np.uint64).astype(dtype)
    part = np.dtype(f"f{dtype.itemsize // 2}") if kind is Kind.COMPLEX else dtype
    info = ml_dtypes.finfo(part)
    tiny = [float(info.smallest_normal), float(info.smallest_subnormal)]
    numbers = [0.0, -0.0, 1.0, -1.0, float(info.max), float(info.min), *tiny, *(-value for value in tiny)]
    numbers += [np.inf, -np.inf, np.nan]
    with np.errstate(all="ignore"):
        return np.array(numbers).astype(part).astype(dtype)


def _floats(random: np.random.Generator, shape: tuple[int, ...], how: Distribution, dtype: np.dtype) -> np.ndarray:
    if how.kind == "log":
        info = ml_dtypes.finfo(dtype)
        low, high = np.log2(float(info.smallest_normal)), np.log2(float(info.max))
        return np.exp2(random.uniform(low, high, shape)) * random.choice([-1.0, 1.0], shape)
    if how.kind == "uniform" or how.low is not None:
        low = -1.0 if how.low is None else how.low
        high = 1.0 if how.high is None else how.high
        return random.uniform(low, high, shape)
    return random.standard_normal(shape)


def draw(type_: ValueType, how: Distribution, random: np.random.Generator, index_limit: int | None) -> np.ndarray:
    """Draw one argument, its sizes within their bounds. Raises InputError for a type of sizes without bounds."""
    if not isinstance(type_, TensorType) or not type_.largest.is_static:
        raise InputError(f"cannot draw an argument of type {type_}", notes=["give the arguments with --inputs"])
    if type_.rank > LARGEST_RANK:
        raise InputError(f"cannot draw an argument of rank {type_.rank}: arrays have at most {LARGEST_RANK} dimensions")
    sizes = {d: int(random.integers(min(1, bound), bound, endpoint=True)) for d, bound in type_.bounded.items()}
    shape = tuple([sizes.get(d, size) for d, size in enumerate(type_.largest.static_shape)])
    if math.prod(shape) > _MOST_ELEMENTS:
        raise MemoryError
    dtype, kind = type_.dtype, type_.element_type.kind
    if how.kind in ("zeros", "ones"):
        return np.full(shape, how.kind == "ones").astype(dtype)
    specials = special_values(dtype, Kind.SIGNED if kind is Kind.QUANTIZED else kind)
    if how.kind == "special":
        return random.choice(specials, shape)
    if kind is Kind.BOOLEAN:
        array = random.integers(0, 2, shape).astype(bool)
    elif kind in (Kind.SIGNED, Kind.UNSIGNED, Kind.QUANTIZED):
        array = _integers(random, shape, how, dtype, index_limit)
    elif kind is Kind.COMPLEX:
        part = np.dtype(f"f{dtype.itemsize // 2}")
        array = (_floats(random, shape, how, part) + 1j * _floats(random, shape, how, part)).astype(dtype)
    else:
        with np.errstate(all="ignore"):
            array = _floats(random, shape, how, dtype).astype(dtype)
    if how.special:
        chosen = random.random(shape) < _SPECIAL_SHARE
        array = np.where(chosen, random.choice(specials, shape), array)
    return array


def _integers(
    random: np.random.Generator, shape: tuple[int, ...], how: Distribution, dtype: np.dtype, limit: int | None
) -> np.ndarray:
    info = ml_dtypes.iinfo(dtype)
    low, high = (0, limit - 1) if limit is not None else (max(int(info.min), -100), min(int(info.max), 100))
    low = low if how.low is None else int(how.low)
    high = high if how.high is None else int(how.high)
    low, high = max(low, int(info.min)), min(high, int(info.max))
    return random.integers(low, max(low, high), shape, endpoint=True).astype(dtype)


def draw_arguments(
    function: ir.Operation, seed: int, distributions: dict[int | None, Distribution] | None = None
) -> list[np.ndarray]:
    """Draw an argument for each parameter of a function.

    Args:
        function: A `func.func`.
        seed: The same seed gives the same arguments.
        distributions: By number of the parameter; None stands for all others. By default floats are normal, integers
            lie between -100 and 100, or inside the sizes that they index.

    Raises:
        InputError: A parameter is of a type that cannot be drawn, or larger than memory.
        UsageError: A distribution is for a parameter that does not exist, or the seed is negative.
    """
    if seed < 0:
        raise UsageError(f"a seed is 0 or more, found {seed}")
    given = {} if distributions is None else distributions
    types = TypeReader()
    default = given.get(None, Distribution())
    parameters = list(function.regions[0].blocks[0].arguments)
    missing = next((index for index in given if index is not None and index >= len(parameters)), None)
    if missing is not None:
        raise UsageError(f"a distribution is for argument {missing}, but the program has {len(parameters)}, from 0 on")
    arguments = list[np.ndarray]()
    for index, parameter in enumerate(parameters):
        random = np.random.default_rng([seed, index])
        try:
            how = given.get(index, default)
            arguments.append(draw(types[parameter.type], how, random, _index_limit(parameter)))
        except MemoryError:
            raise InputError(f"argument {index} of type {parameter.type} does not fit into memory") from None
    return arguments
