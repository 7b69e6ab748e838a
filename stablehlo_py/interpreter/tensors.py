"""The views of the interpreter's design document for those who look at single elements."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..bindings.types import ElementType, TensorType
from ..errors import InterpreterError
from .element_types import arithmetic
from .values import belongs_to, type_text


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
