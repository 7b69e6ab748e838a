"""Values at run time.

A tensor is a numpy array, or for a 0-d tensor also a numpy scalar, whose dtype is its element type's; a tuple is a
Python tuple; tokens and futures are below.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..bindings import ir
from ..bindings.types import (
    LARGEST_RANK,
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
from ..errors import StablehloError


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


def tensors_in(types: Sequence[ValueType], names: Sequence[str] = ()) -> list[tuple[str, TensorType]]:
    """Return the tensors in values of these types, each with its name: `x.0` is the first element of a tuple `x`."""
    found: list[tuple[str, TensorType]] = []
    for index, type_ in enumerate(types):
        name = names[index] if names else ""
        if isinstance(type_, TensorType):
            found.append((name, type_))
        elif isinstance(type_, (TupleType, FutureType)):
            inner = [f"{name}.{number}" if name else "" for number in range(len(type_.types))]
            found += tensors_in(type_.types, inner)
    return found


def flat(values: Iterable[Any]) -> list[Any]:
    """Return the values in tuples, and those that futures deliver, in their order; tokens are dropped."""
    found: list[Any] = []
    for value in values:
        if isinstance(value, (tuple, Future)):
            found += flat(value if isinstance(value, tuple) else value.wait())
        elif not isinstance(value, Token):
            found.append(value)
    return found


def nested(tensors: Iterator[Any], types: Iterable[ValueType]) -> list[Any]:
    """Undo `flat`: return values of these types that hold as many of the tensors as they need."""
    return [
        tuple(nested(tensors, type_.types)) if isinstance(type_, (TupleType, FutureType))
        else Token() if isinstance(type_, TokenType) else next(tensors, None)
        for type_ in types
    ]  # fmt: skip


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
