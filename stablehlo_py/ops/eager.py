"""One op on arrays: a program of that op, which is kept for the next call with the same types and attributes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import FunctionType
from typing import Any, cast

import numpy as np

from ..bindings import ir, make_context
from ..bindings.diagnostics import file_location
from ..bindings.handover import verify
from ..bindings.python_numbers import is_number, is_plain, number_key, numbers
from ..bindings.types import ElementType, FutureType, TensorType, ValueType, element_type
from ..errors import ArgumentError, InterpreterError, require_type
from ..interpreter.program import Program
from .builder import Builder, building, located, readable, type_of_value
from .construction import bound, build
from .functions import define, unpacked
from .parameters import OpParameters, is_array, is_group
from .values import Value

_MOST_PROGRAMS = 1024


@dataclass(frozen=True)
class TypedValue:
    """A value with a type of its own, such as a quantized tensor. `typed` makes one."""

    value: Any
    type: ValueType

    def __repr__(self) -> str:
        return f"<{self.type}: {self.value}>"

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        """Return the stored array."""
        return np.array(self.value, dtype=dtype, copy=copy)


@located
def typed(value: Any, type_: TensorType | ElementType | str) -> TypedValue:
    """Return an array with a type of StableHLO.

    Args:
        value: An array, or lists of numbers: for a quantized type the integers that are stored.
        type_: A tensor type, an element type, or the text of an element type.

    Raises:
        ArgumentError: The array is not of this type.
        UsageError: `type_` is no type.
    """
    require_type(TensorType | ElementType | str, type_=type_)
    wanted = element_type(type_) if isinstance(type_, str) else type_
    element = wanted if isinstance(wanted, ElementType) else wanted.element_type
    array = readable(value)
    if not is_array(array) or array.dtype == element.dtype:
        array = numbers(array, element)
    declared = TensorType(array.shape, element) if isinstance(wanted, ElementType) else wanted
    if not declared.accepts(array.shape, array.dtype):
        raise ArgumentError(f"an array of {array.shape} and {array.dtype} is no value of {declared}")
    return TypedValue(array, declared)


class _UnkeyedError(Exception):
    """An argument that a program cannot be found by, such as a Python function."""


def _key(value: Any) -> Any:
    """Return what distinguishes an argument that is not an operand, or a number."""
    if isinstance(value, str):
        return value
    if is_number(value):
        return number_key(value)
    if is_group(value):
        return (type(value), *map(_key, cast("Sequence[Any]", value)))
    if isinstance(value, Mapping):
        return tuple([(key, _key(each)) for key, each in cast("Mapping[str, Any]", value).items()])
    if is_array(value) and not value.dtype.hasobject:
        return value.dtype, value.shape, value.tobytes()
    if (
        is_array(value)
        or isinstance(value, (FunctionType, ir.Attribute))
        or (callable(value) and not getattr(value, "is_op", False))
    ):
        raise _UnkeyedError
    return type(value), value


def _mapped(value: Any, is_variadic: bool, array: Callable[[Any], Any], number: Callable[[Any], Any]) -> Any:
    """Return an operand, or a group of operands, with `array` of each array and `number` of each number."""
    if is_variadic and is_group(value):
        return tuple([_mapped(each, False, array, number) for each in cast("Sequence[Any]", value)])
    return number(value) if is_plain(value) else array(readable(value))


class _Prepared:
    """A program of one op, and the types of its results that arrays do not tell."""

    def __init__(self, op: OpParameters, arguments: dict[str, Any], leaves: Sequence[Any], context: ir.Context) -> None:
        self.builder = builder = Builder(context)

        def body(*values: Value) -> list[Value]:
            left, placed = iter(values), dict(arguments)
            for each in op.operands:
                placed[each.name] = _mapped(placed[each.name], each.is_variadic, lambda _: next(left), lambda n: n)
            return list(map(Value, build(builder, op, placed).results))

        with building(builder):
            define(builder, "main", [builder.type(type_of_value(leaf)) for leaf in leaves], body)
        verify(builder.module)
        self.program = Program(builder.module)
        types = tuple(map(_untold, self.program.result_types()))
        self.types = types if any(types) else ()

    def __call__(self, leaves: Sequence[Any]) -> Any:
        values = [leaf[()] if is_array(leaf) else getattr(leaf, "value", leaf) for leaf in leaves]
        try:
            results = self.program.run_values(values)
        except InterpreterError as error:
            error.location = file_location(self.builder.location())
            raise
        if self.types:
            results = [
                r if type_ is None else TypedValue(r, type_) for r, type_ in zip(results, self.types, strict=True)
            ]
        return unpacked(results)


def _untold(type_: ValueType) -> ValueType | None:
    """Return the type of a result if its value does not tell it."""
    is_told = not isinstance(type_, FutureType) and not (
        isinstance(type_, TensorType) and type_.element_type.is_quantized
    )
    return None if is_told else type_


_programs: dict[Any, _Prepared] = {}


@cache
def _context() -> ir.Context:
    return make_context()


def evaluate(op: OpParameters, positional: Sequence[Any], named: Mapping[str, Any]) -> Any:
    """Return the results of an op for arrays.

    Raises:
        ArgumentError: The arguments are not such as the op takes.
        VerificationError: They break a constraint of the op.
        InterpreterError: The op fails on these arrays.
    """
    leaves: list[Any] = []

    def taken(array: Any) -> Any:
        leaves.append(array)
        return (array.dtype, array.shape) if is_array(array) else type_of_value(array)

    arguments = bound(op, positional, named)
    parts: list[Any] = [op.name]
    for each in op.operands:
        parts.append(_mapped(arguments[each.name], each.is_variadic, taken, _key))
    try:
        parts += [(name, _key(value)) for name, value in arguments.items() if op.by_name[name].role != "operand"]
    except _UnkeyedError:
        return _Prepared(op, arguments, leaves, make_context())(leaves)
    key = tuple(parts)
    found = _programs.get(key)
    if found is None:
        if len(_programs) >= _MOST_PROGRAMS:
            _programs.clear()
            _context.cache_clear()
        found = _programs[key] = _Prepared(op, arguments, leaves, _context())
    return found(leaves)
