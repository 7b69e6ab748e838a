"""Values at run time.

A tensor is a numpy array, or for a 0-d tensor also a numpy scalar, whose dtype is its element type's; a tuple is a
Python tuple; tokens and futures are below. `Tensor` and `Element` are the views of the interpreter's design document
for those who look at single elements.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..bindings import ir
from ..bindings.types import (
    LARGEST_RANK,
    ElementType,
    FutureType,
    OtherType,
    TensorType,
    TokenType,
    TupleType,
    TypeReader,
    ValueType,
    decode_type,
    dtype_name,
)
from ..errors import InterpreterError, StablehloError
from .element_types import arithmetic


@dataclass(frozen=True)
class Token:
    """The only value of a token type: side effects before it have happened."""


@dataclass(frozen=True)
class Future:
    """The result of an op that starts work: `wait()` returns its results once they are there."""

    wait: Callable[[], tuple[Any, ...]]


@dataclass(frozen=True)
class Witness:
    """The only value of `!shape.witness`: the constraint on shapes that gave it holds."""


Value = np.ndarray | np.generic | tuple[Any, ...] | Token | Future | Witness


def type_text(value: Value) -> str:
    """Return the type of the value in MLIR's spelling, without an encoding."""
    if isinstance(value, (np.ndarray, np.generic)):
        dimensions = "".join(f"{size}x" for size in value.shape)
        return f"tensor<{dimensions}{dtype_name(value.dtype)}>"
    if isinstance(value, tuple):
        return f"tuple<{', '.join(map(type_text, value))}>"
    return type(value).__name__.lower()


def belongs_to(value: Value, type_: ValueType) -> bool:
    """Whether `value` is a value of this type: kind, rank, static dimension sizes, bounds and element type."""
    if isinstance(type_, TensorType):
        return isinstance(value, (np.ndarray, np.generic)) and type_.accepts(value.shape, value.dtype)
    if isinstance(type_, TupleType):
        return isinstance(value, tuple) and len(value) == len(type_.types) and all(map(belongs_to, value, type_.types))
    if isinstance(type_, TokenType):
        return isinstance(value, Token)
    if isinstance(type_, OtherType):
        return isinstance(value, Witness) and type_.text == "!shape.witness"
    return isinstance(value, Future)


class ValueTypes(TypeReader):
    """Reads the types of a program's values. Raises `StablehloError` if a tensor has more dimensions than an array."""

    def __missing__(self, type_: ir.Type) -> ValueType:
        decoded = decode_type(type_)
        rank = _largest_rank(decoded)
        if rank > LARGEST_RANK:
            raise StablehloError(f"rank {rank}, and arrays have at most {LARGEST_RANK} dimensions")
        self[type_] = decoded
        return decoded


def _largest_rank(type_: ValueType) -> int:
    if isinstance(type_, (TupleType, FutureType)):
        return max(map(_largest_rank, type_.types), default=0)
    return type_.rank if isinstance(type_, TensorType) else 0


@dataclass(frozen=True)
class Element:
    """One element of a tensor: a number with the arithmetic of its type."""

    type: ElementType
    value: Any

    def _combine(self, other: Element, combine: Callable[[Any, Any], Any]) -> Element:
        if self.type != other.type:
            raise InterpreterError(f"elements of types {self.type} and {other.type} do not combine")
        with np.errstate(all="ignore"):
            return Element(self.type, combine(self.value, other.value))

    def __add__(self, other: Element) -> Element:
        return self._combine(other, arithmetic(self.type).add)

    def __sub__(self, other: Element) -> Element:
        return self._combine(other, arithmetic(self.type).subtract)

    def __mul__(self, other: Element) -> Element:
        return self._combine(other, arithmetic(self.type).multiply)

    def __neg__(self) -> Element:
        with np.errstate(all="ignore"):
            return Element(self.type, arithmetic(self.type).negate(self.value))


@dataclass(frozen=True)
class Tensor:
    """A type and contiguous storage in major-to-minor order."""

    type: TensorType
    storage: np.ndarray

    @staticmethod
    def of(type_: TensorType, array: np.ndarray | np.generic) -> Tensor:
        """The tensor with a copy of the array's elements. Raises `InterpreterError` when they are not of the type."""
        if not belongs_to(array, type_):
            raise InterpreterError(f"{type_text(array)} is not a value of {type_}")
        return Tensor(type_, np.array(array, order="C"))

    def _position(self, index: Sequence[int]) -> tuple[int, ...]:
        position = tuple(index)
        shape = self.storage.shape
        if len(position) != len(shape) or not all(0 <= i < size for i, size in zip(position, shape, strict=True)):
            raise InterpreterError(f"index {list(position)} is outside {self.type}")
        return position

    def get(self, index: Sequence[int]) -> Element:
        """The element at a multi-dimensional index. Raises `InterpreterError` outside the shape."""
        return Element(self.type.element_type, self.storage[self._position(index)])

    def set(self, index: Sequence[int], element: Element) -> None:
        """Replaces the element at a multi-dimensional index. Raises `InterpreterError` outside the shape, and for an
        element of another type."""
        if element.type != self.type.element_type:
            raise InterpreterError(f"an element of type {element.type} does not go into {self.type}")
        self.storage[self._position(index)] = element.value
