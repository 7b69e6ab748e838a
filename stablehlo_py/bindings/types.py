"""Types of the dialects as plain data: a tensor's shape, bounds and element type.

`decode_type` turns an `ir.Type` into one of the frozen dataclasses below. Source: the spec's section Types.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from enum import Enum
from functools import cache, cached_property

import numpy as np

from ..errors import StablehloError
from .provider import ir, stablehlo_extension

LARGEST_RANK = 64
"""The most dimensions that an array of numpy has."""


class Kind(Enum):
    """The categories of elements that ops treat differently."""

    BOOLEAN = "boolean"
    SIGNED = "signed integer"
    UNSIGNED = "unsigned integer"
    FLOAT = "float"
    COMPLEX = "complex"
    QUANTIZED = "quantized"


@dataclass(frozen=True)
class Quantization:
    """The parameters of a quantized element type; the spec calls the integer storage and the float expressed.

    Per tensor, `scales` and `zero_points` have one entry and `quantization_dimension` is None; per axis they have one
    entry for each slice along `quantization_dimension`.
    """

    expressed: ElementType
    storage_min: int
    storage_max: int
    scales: tuple[float, ...]
    zero_points: tuple[int, ...]
    quantization_dimension: int | None = None


@dataclass(frozen=True)
class ElementType:
    """The type of a tensor's elements. `dtype` is how it is stored in an array; `bits` its width in the program."""

    name: str
    dtype: np.dtype
    kind: Kind
    bits: int
    quantization: Quantization | None = None

    def __str__(self) -> str:
        return self.name

    def __getitem__(self, sizes: int | str | tuple[int | str | None, ...] | None) -> TensorType:
        """Return the tensor type of these dimension sizes; None, or a name, stands for a dynamic one."""
        shape = sizes if isinstance(sizes, tuple) else (sizes,)
        return TensorType(tuple([size if isinstance(size, int) else None for size in shape]), self)

    @property
    def is_integer(self) -> bool:
        """Signed or unsigned; booleans are neither."""
        return self.kind in (Kind.SIGNED, Kind.UNSIGNED)

    @property
    def is_integral(self) -> bool:
        """Integers and booleans: sums, differences and products wrap around, and are otherwise exact."""
        return self.is_integer or self.kind is Kind.BOOLEAN

    @property
    def is_real(self) -> bool:
        """Integers and floats."""
        return self.is_integer or self.kind is Kind.FLOAT

    @property
    def is_quantized(self) -> bool:
        """Whether elements stand for others."""
        return self.kind is Kind.QUANTIZED

    @cached_property
    def bounds(self) -> tuple[float, float]:
        """The least and the greatest value, or stored integer: infinities where the type has them."""
        if self.has_infinity:
            return -math.inf, math.inf
        if self.kind is Kind.FLOAT:
            from ml_dtypes import finfo

            return float(finfo(self.dtype).min), float(finfo(self.dtype).max)
        if self.quantization is not None:
            return self.quantization.storage_min, self.quantization.storage_max
        is_signed = self.kind is Kind.SIGNED
        return -(1 << (self.bits - 1)) if is_signed else 0, (1 << (self.bits - is_signed)) - 1

    @cached_property
    def has_infinity(self) -> bool:
        """Whether the type has infinities, which are the results of overflow."""
        return self.kind is Kind.COMPLEX or (self.kind is Kind.FLOAT and bool(np.isinf(self.dtype.type(math.inf))))

    @cached_property
    def has_sign(self) -> bool:
        """Whether there is a negative number for each positive one; -(-x) is x then."""
        if self.kind is Kind.FLOAT:
            from ml_dtypes import finfo

            return bool(finfo(self.dtype).min < 0)
        return self.kind in (Kind.SIGNED, Kind.COMPLEX)

    @cached_property
    def has_negative_zero(self) -> bool:
        """Whether floats have a zero of either sign."""
        return self.kind is Kind.FLOAT and self.has_zero and bool(np.signbit(self.dtype.type(-0.0)))

    @cached_property
    def has_zero(self) -> bool:
        """Whether there is a number that adds nothing."""
        return not self.is_quantized and bool(self.dtype.type(0) == 0)

    @cached_property
    def is_closed_under_rounding(self) -> bool:
        """Whether each float of the type, rounded to an integer in whichever direction, is that integer in the type."""
        return self.kind is Kind.FLOAT and self.has_zero and (self.has_infinity or self.bounds[1].is_integer())


@dataclass(frozen=True)
class TensorType:
    """A ranked tensor. `shape` has None for each dynamic dimension. `bounds` has the largest size of such a dimension,
    and None for a static or unbounded one."""

    shape: tuple[int | None, ...]
    element_type: ElementType
    bounds: tuple[int | None, ...] = ()

    def __str__(self) -> str:
        dimensions = "".join(f"{'?' if size is None else size}x" for size in self.shape)
        bounds = ""
        if any(bound is not None for bound in self.bounds):
            bounds = ", #stablehlo.bounds<" + ", ".join("?" if b is None else str(b) for b in self.bounds) + ">"
        return f"tensor<{dimensions}{self.element_type}{bounds}>"

    @property
    def rank(self) -> int:
        return len(self.shape)

    @cached_property
    def dtype(self) -> np.dtype:
        return self.element_type.dtype

    @cached_property
    def is_static(self) -> bool:
        return None not in self.shape

    @cached_property
    def static_shape(self) -> tuple[int, ...]:
        """The shape of a static type. Raises `StablehloError` for a dynamic one."""
        static = tuple(size for size in self.shape if size is not None)
        if len(static) != len(self.shape):
            raise StablehloError(f"{self} has a dimension that is unknown before running")
        return static

    @cached_property
    def bounded(self) -> dict[int, int]:
        """The bound of each dimension that has one."""
        return {dimension: bound for dimension, bound in enumerate(self.bounds) if bound is not None}

    @cached_property
    def largest(self) -> TensorType:
        """The type with bounds as sizes."""
        shape = tuple([self.bounded.get(dimension, size) for dimension, size in enumerate(self.shape)])
        return TensorType(shape, self.element_type)

    def accepts(self, shape: tuple[int, ...], dtype: np.dtype) -> bool:
        """Whether an array of this shape and dtype is a value of this type."""
        if dtype != self.dtype or len(shape) != len(self.shape):
            return False
        if any(size is not None and size != actual for size, actual in zip(self.shape, shape, strict=True)):
            return False
        return not self.bounds or all(
            bound is None or actual <= bound for bound, actual in zip(self.bounds, shape, strict=True)
        )


@dataclass(frozen=True)
class TupleType:
    """A sequence of values of any type."""

    types: tuple[ValueType, ...]

    def __str__(self) -> str:
        return f"tuple<{', '.join(map(str, self.types))}>"


@dataclass(frozen=True)
class TokenType:
    """The type of tokens, which order side effects."""

    def __str__(self) -> str:
        return "!stablehlo.token"


@dataclass(frozen=True)
class FutureType:
    """The results that an asynchronous op will deliver."""

    types: tuple[ValueType, ...]

    def __str__(self) -> str:
        return f"!stablehlo.future<{', '.join(map(str, self.types))}>"


@dataclass(frozen=True)
class OtherType:
    """A type without values in the interpreter; kept by its text so that errors can name it."""

    text: str

    def __str__(self) -> str:
        return self.text


def is_future(type_: ir.Type) -> bool:
    """Whether the type is a future, which bindings of before StableHLO 1.15 do not know."""
    return hasattr(stablehlo_extension, "FutureType") and stablehlo_extension.FutureType.isinstance(type_)


ValueType = TensorType | TupleType | TokenType | FutureType | OtherType


_Row = tuple[np.dtype, Kind, int]


def _of_numpy() -> dict[str, _Row]:
    table: dict[str, _Row] = {"i1": (np.dtype(np.bool_), Kind.BOOLEAN, 1)}
    for bits in (8, 16, 32, 64):
        table[f"i{bits}"] = table[f"si{bits}"] = (np.dtype(f"int{bits}"), Kind.SIGNED, bits)
        table[f"ui{bits}"] = (np.dtype(f"uint{bits}"), Kind.UNSIGNED, bits)
    table["index"] = (np.dtype(np.int64), Kind.SIGNED, 64)
    for bits in (16, 32, 64):
        table[f"f{bits}"] = (np.dtype(f"float{bits}"), Kind.FLOAT, bits)
    table["complex<f32>"] = (np.dtype(np.complex64), Kind.COMPLEX, 64)
    table["complex<f64>"] = (np.dtype(np.complex128), Kind.COMPLEX, 128)
    return table


@cache
def _of_ml_dtypes() -> dict[str, _Row]:
    """Return the types that numpy lacks. The library takes as long to import as a small program to run."""
    import ml_dtypes

    table: dict[str, _Row] = {}
    for bits in (2, 4):
        table[f"i{bits}"] = (np.dtype(getattr(ml_dtypes, f"int{bits}")), Kind.SIGNED, bits)
        table[f"ui{bits}"] = (np.dtype(getattr(ml_dtypes, f"uint{bits}")), Kind.UNSIGNED, bits)
    floats = {"f4E2M1FN": 4, "f6E2M3FN": 6, "f6E3M2FN": 6}
    for name in ("E3M4", "E4M3", "E4M3FN", "E4M3FNUZ", "E4M3B11FNUZ", "E5M2", "E5M2FNUZ", "E8M0FNU"):
        floats[f"f8{name}"] = 8
    for name, bits in floats.items():
        numpy_name = f"float{bits}_{name[2:].lower()}"
        table[name] = (np.dtype(getattr(ml_dtypes, numpy_name)), Kind.FLOAT, bits)
    table["bf16"] = (np.dtype(ml_dtypes.bfloat16), Kind.FLOAT, 16)
    return table


_OF_NUMPY = _of_numpy()
_NAMES = {dtype: name for name, (dtype, _, _) in reversed(_OF_NUMPY.items())}  # of several the first


def _row(text: str) -> _Row | None:
    return _OF_NUMPY[text] if text in _OF_NUMPY else _of_ml_dtypes().get(text)


_ELEMENT_TYPES: dict[str, ElementType] = {}

_QUANTIZED = (
    r"!quant\.uniform<(?P<storage>[a-z]*\d+)(<(?P<min>-?\d+):(?P<max>-?\d+)>)?:(?P<expressed>\w+)"
    r"(:(?P<axis>\d+))?, *(?P<parameters>.*)>$"
)


def element_type_names() -> tuple[str, ...]:
    """Return the names of all element types that are not quantized."""
    return (*_OF_NUMPY, *_of_ml_dtypes())


def dtype_name(dtype: np.dtype) -> str:
    """Return MLIR's name for elements of this dtype, or numpy's name for a dtype that the spec does not have."""
    if dtype in _NAMES:
        return _NAMES[dtype]
    return next((name for name, (known, _, _) in _of_ml_dtypes().items() if known == dtype), dtype.name)


def _decode_quantized(text: str) -> ElementType:
    match = re.match(_QUANTIZED, text)
    if match is None:
        raise StablehloError(f"unsupported quantized element type {text}")
    storage = element_type(match["storage"].replace("u", "ui"))  # the quant dialect writes u8 for ui8
    parts = [part.strip() for part in match["parameters"].strip("{}").split(",")]
    try:
        scales = tuple(float(part.partition(":")[0]) for part in parts)
        zero_points = tuple(int(part.partition(":")[2]) if ":" in part else 0 for part in parts)
    except ValueError:
        raise StablehloError(f"unsupported quantized element type {text}") from None
    signed = storage.kind is Kind.SIGNED
    smallest = -(1 << (storage.bits - 1)) if signed else 0
    largest = (1 << (storage.bits - 1)) - 1 if signed else (1 << storage.bits) - 1
    quantization = Quantization(
        expressed=element_type(match["expressed"]),
        storage_min=smallest if match["min"] is None else int(match["min"]),
        storage_max=largest if match["max"] is None else int(match["max"]),
        scales=scales,
        zero_points=zero_points,
        quantization_dimension=None if match["axis"] is None else int(match["axis"]),
    )
    return ElementType(text, storage.dtype, Kind.QUANTIZED, storage.bits, quantization)


def element_type(text: str) -> ElementType:
    """Return the element type that MLIR prints as `text`. Raises `StablehloError` for one outside the spec."""
    known = _ELEMENT_TYPES.get(text)
    if known is None:
        if text.startswith("!quant."):
            known = _decode_quantized(text)
        else:
            row = _row(text)
            if row is None:
                raise StablehloError(f"unsupported element type {text}")
            known = ElementType(text, *row)
        _ELEMENT_TYPES[text] = known
    return known


_DYNAMIC_SIZE = ir.ShapedType.get_dynamic_size()


def bounds_of(type_: ir.RankedTensorType) -> tuple[int | None, ...]:
    """Return the bound of each dimension of a tensor type, None for a dimension without bound; empty for a type
    without bounds."""
    encoding = type_.encoding
    if encoding is None or not stablehlo_extension.TypeExtensions.isinstance(encoding):
        return ()
    bounds = stablehlo_extension.TypeExtensions(encoding).bounds
    return tuple(None if bound == _DYNAMIC_SIZE else bound for bound in bounds)


def shape_of(type_: ir.RankedTensorType) -> tuple[int | None, ...]:
    """Return the size of each dimension of a tensor type, None for a dynamic one."""
    return tuple([None if size == _DYNAMIC_SIZE else size for size in type_.shape])


def decode_type(type_: ir.Type) -> ValueType:
    """Return the type as data. Raises `StablehloError` for a tensor of elements that the spec does not have."""
    if isinstance(type_, ir.RankedTensorType):
        return TensorType(shape_of(type_), element_type(str(type_.element_type)), bounds_of(type_))
    if isinstance(type_, ir.TupleType):
        return TupleType(tuple(decode_type(type_.get_type(i)) for i in range(type_.num_types)))
    if stablehlo_extension.TokenType.isinstance(type_):
        return TokenType()
    if is_future(type_):
        return FutureType(tuple(map(decode_type, stablehlo_extension.FutureType(type_).types)))
    text = str(type_)
    if _row(text) is not None:  # a scalar of arith, cf, scf or tensor: a 0-d tensor to the interpreter
        return TensorType((), element_type(text))
    return OtherType(text)


class TypeReader(dict[ir.Type, ValueType]):
    """`decode_type` that remembers. It keeps the context of its types alive, so it lives as long as one program."""

    def __missing__(self, type_: ir.Type) -> ValueType:
        decoded = self[type_] = decode_type(type_)
        return decoded
