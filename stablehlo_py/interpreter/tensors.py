"""The views of the interpreter's design document for those who look at single elements."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..bindings.python_numbers import numbers
from ..bindings.types import ElementType, Kind, TensorType, dtype_name, element_type
from ..errors import InterpreterError
from . import check
from .element_types import arithmetic, converter
from .values import belongs_to, type_text


def _operation(name: str) -> Callable[..., Element]:
    """Return the method for an op of this name, whose operands are the element and the arguments."""

    def method(self: Element, *others: Element) -> Element:
        return self.apply(getattr(arithmetic(self.type), name), *others)

    method.__doc__ = f"Return the result of the op `{name.rstrip('_')}` on this element and the others."
    return method


def _comparison(direction: str) -> Callable[[Element, Any], Element]:
    def compare(self: Element, other: Any) -> Element:
        if not isinstance(other, Element):
            return NotImplemented
        if self.type.kind is Kind.COMPLEX and direction not in ("EQ", "NE"):
            raise InterpreterError(f"elements of type {self.type} have no order")
        return self.apply(arithmetic(self.type).comparison(direction), other)

    return compare


@dataclass(frozen=True, eq=False)
class Element:
    """One element of a tensor: a number with the arithmetic of its type.

    Operators and methods have the meaning of the ops of the same names. A comparison is an element of type i1, whose
    truth is what `not` and `or` look at. An operation that the type lacks raises `InterpreterError`.
    """

    type: ElementType
    value: Any

    def __post_init__(self) -> None:
        if not (isinstance(self.value, np.generic) and self.value.dtype == self.type.dtype):
            object.__setattr__(self, "value", numbers(self.value, self.type)[()])

    def apply(self, operation: Callable[..., Any], *others: Element) -> Element:
        """Return what an operation on values makes of this element and others of its type."""
        for other in others:
            if other.type != self.type:
                raise InterpreterError(f"elements of types {self.type} and {other.type} do not combine")
        with np.errstate(all="ignore"):
            value = operation(self.value, *[other.value for other in others])
        same = value.dtype == self.type.dtype
        return Element(self.type if same else element_type(dtype_name(value.dtype)), value)

    __add__ = _operation("add")
    __sub__ = _operation("subtract")
    __mul__ = _operation("multiply")
    __truediv__ = _operation("divide")
    __mod__ = remainder = _operation("remainder")
    __pow__ = power = _operation("power")
    __neg__ = _operation("negate")
    __and__ = _operation("and_")
    __or__ = _operation("or_")
    __xor__ = _operation("xor")
    __invert__ = _operation("not_")
    __lshift__ = shift_left = _operation("shift_left")
    __rshift__ = shift_right_arithmetic = _operation("shift_right_arithmetic")
    shift_right_logical = _operation("shift_right_logical")
    __lt__, __le__, __gt__, __ge__ = map(_comparison, ("LT", "LE", "GT", "GE"))
    __eq__, __ne__ = map(_comparison, ("EQ", "NE"))  # type: ignore[assignment]  # elements, as in the document
    __abs__ = abs = _operation("abs")
    maximum, minimum, atan2 = map(_operation, ("maximum", "minimum", "atan2"))
    cbrt, sqrt, rsqrt = map(_operation, ("cbrt", "sqrt", "rsqrt"))
    cosine, sine, tan, tanh = map(_operation, ("cosine", "sine", "tan", "tanh"))
    exponential, exponential_minus_one = map(_operation, ("exponential", "exponential_minus_one"))
    log, log_plus_one, logistic = map(_operation, ("log", "log_plus_one", "logistic"))
    ceil, floor, sign = map(_operation, ("ceil", "floor", "sign"))
    round_nearest_afz, round_nearest_even = map(_operation, ("round_nearest_afz", "round_nearest_even"))
    real, imag, is_finite = map(_operation, ("real", "imag", "is_finite"))
    popcnt, count_leading_zeros = map(_operation, ("popcnt", "count_leading_zeros"))

    def __bool__(self) -> bool:
        if self.type.kind is not Kind.BOOLEAN:
            raise InterpreterError(f"an element of type {self.type} is neither true nor false")
        return bool(self.value)

    def __str__(self) -> str:
        return str(self.value)

    @staticmethod
    def zero(type_: ElementType) -> Element:
        """Return the zero of a type."""
        return Element(type_, type_.dtype.type(0))

    def complex(self, imaginary: Element) -> Element:
        """Return the complex number of this real part and an imaginary one."""
        return self.apply(arithmetic(element_type(f"complex<{self.type}>")).complex, imaginary)

    def convert(self, type_: ElementType) -> Element:
        """Return the element as one of another type, as the op `convert` has it."""
        with np.errstate(all="ignore"):
            return Element(type_, converter(self.type, type_)(self.value))

    def reduce_precision(self, exponent_bits: int, mantissa_bits: int) -> Element:
        """Return the element rounded to a float with these numbers of bits."""
        return self.apply(arithmetic(self.type).reduce_precision(exponent_bits, mantissa_bits))

    def is_approximately_equal(self, other: Element, tolerance: float = 1e-4) -> Element:
        """Return whether the elements differ by at most `tolerance`, as `check.expect_almost_eq` has it."""
        return self.apply(lambda a, b: np.bool_(not check.almost_equal(np.array(a), np.array(b), tolerance)), other)

    def to_bits(self) -> int:
        """Return the bits of the element as an unsigned integer."""
        return int.from_bytes(self.value.tobytes(), "little") & ((1 << self.type.bits) - 1)

    @staticmethod
    def from_bits(type_: ElementType, bits: int) -> Element:
        """Return the element of a type with these bits."""
        return Element(type_, np.frombuffer(bits.to_bytes(type_.dtype.itemsize, "little"), type_.dtype)[0])


def bitcast_convert(type_: ElementType, *elements: Element) -> list[Element]:
    """Return the bits of elements as elements of another type: one, several for one, or one for several.

    Raises:
        InterpreterError: The bits are not those of whole elements.
    """
    bits = total = 0
    for element in elements:
        bits |= element.to_bits() << total
        total += element.type.bits
    if total % type_.bits:
        raise InterpreterError(f"{total} bits do not make elements of type {type_}, which have {type_.bits}")
    mask = (1 << type_.bits) - 1
    return [Element.from_bits(type_, (bits >> start) & mask) for start in range(0, total, type_.bits)]


class Tensor:
    """A type and contiguous storage in major-to-minor order, of zeros until elements are set."""

    def __init__(self, type: TensorType, storage: np.ndarray | None = None) -> None:  # noqa: A002  # the attribute's name
        self.type = type
        self.storage = np.zeros(type.static_shape, type.dtype) if storage is None else storage

    @staticmethod
    def of(type_: TensorType, array: np.ndarray | np.generic) -> Tensor:
        """The tensor with a copy of the array's elements. Raises `InterpreterError` when they are not of the type."""
        if not belongs_to(array, type_):
            raise InterpreterError(f"{type_text(array)} is not a value of {type_}")
        return Tensor(type_, np.array(array, order="C"))

    def index_space(self) -> Iterator[tuple[int, ...]]:
        """Return the indices of all elements in lexicographical order."""
        return np.ndindex(self.storage.shape)

    def _position(self, index: Sequence[int]) -> tuple[int, ...]:
        position = tuple(index)
        shape = self.storage.shape
        if len(position) != len(shape) or not all(0 <= i < size for i, size in zip(position, shape, strict=True)):
            raise InterpreterError(f"index {list(position)} is outside {self.type}")
        return position

    def get(self, index: Sequence[int]) -> Element:
        """Return the element at a multi-dimensional index. Raises `InterpreterError` outside the shape."""
        return Element(self.type.element_type, self.storage[self._position(index)])

    def set(self, index: Sequence[int], element: Element) -> None:
        """Replace the element at a multi-dimensional index. Raises `InterpreterError` outside the shape, and for an
        element of another type."""
        if element.type != self.type.element_type:
            raise InterpreterError(f"an element of type {element.type} does not go into {self.type}")
        self.storage[self._position(index)] = element.value
