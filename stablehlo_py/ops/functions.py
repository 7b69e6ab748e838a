"""Modules and functions written in Python."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import Any

from ..bindings import ir
from ..bindings.attributes import symbol_name
from ..bindings.build import create
from ..bindings.handover import verify
from ..bindings.walk import terminator_of
from ..errors import ArgumentError, counted
from ..interpreter.program import interpret
from .builder import Builder, TypeLike, active, building, located, require, type_of_value
from .values import Value, as_operand, filling


@contextmanager
def module() -> Generator[ir.Module]:
    """Build a module: functions that are defined while this lasts belong to it. It is verified at the end.

    Raises:
        VerificationError: An op breaks a constraint; the location is a line of Python.
    """
    with building(Builder()) as builder:
        yield builder.module
    verify(builder.module)


def built(python_function: Callable[..., Any], arguments: Sequence[Any]) -> ir.Module:
    """Return a verified module whose main is a Python function, for arguments of these types.

    Raises:
        StablehloError: The function cannot be built.
    """
    with module() as made:
        builder = require()
        define(builder, "main", [builder.type(type_of_value(each)) for each in arguments], python_function)
    return made


class Function:
    """A function of a module, by its name `symbol`. Called in another function it is a call; on arrays it runs."""

    def __init__(self, builder: Builder, operation: ir.Operation) -> None:
        self.module = builder.module
        self.symbol = symbol_name(operation)
        self._type = ir.FunctionType(ir.TypeAttr(operation.attributes["function_type"]).value)

    def __repr__(self) -> str:
        return f"<function @{self.symbol}: {self._type}>"

    @located
    def __call__(self, *arguments: Any) -> Any:
        """Call the function.

        Raises:
            ArgumentError: The arguments do not fit the parameters.
            InterpreterError: The function fails on these arrays.
        """
        builder = active()
        if builder is None:
            return unpacked(interpret(self.module, arguments, function=self.symbol))
        inputs = self._type.inputs
        if len(inputs) != len(arguments):
            takes = counted(len(inputs), "argument")
            raise ArgumentError(f"function @{self.symbol} takes {takes}, not {len(arguments)}")
        values = [as_operand(builder, value, type_) for value, type_ in zip(arguments, inputs, strict=True)]
        callee = {"callee": builder.attribute(f'@"{self.symbol}"')}
        return unpacked(list(map(Value, builder.create("func.call", values, self._type.results, callee).results)))


def unpacked(results: Sequence[Any]) -> Any:
    """Return one result as it is, several as a tuple, and None for none."""
    return results[0] if len(results) == 1 else tuple(results) if results else None


def function(**types: TypeLike) -> Callable[[Callable[..., Any]], Function]:
    """Make a Python function a function of the module that is being built.

    Args:
        types: The type of each parameter, such as `ops.f32[4, "n"]`, or the text of any type.

    Returns:
        A decorator. It calls the Python function once, with a `Value` for each parameter.

    Raises:
        UsageError: No module is being built.
        ArgumentError: A parameter has no type, or a type no parameter.
    """

    @located
    def decorate(python_function: Callable[..., Any]) -> Function:
        builder = require()
        names = list(inspect.signature(python_function).parameters)
        if set(names) != set(types):
            raise ArgumentError(f"the parameters are {names}, and types are given for {list(types)}")
        listed = [builder.type(types[name]) for name in names]
        return Function(builder, define(builder, python_function.__name__, listed, python_function, names))

    return decorate


def define(
    builder: Builder,
    name: str,
    types: Sequence[ir.Type],
    fill: Callable[..., Any],
    names: Sequence[str] = (),
    *,
    is_private: bool = False,
) -> ir.Operation:
    """Add a function to the builder's module.

    Args:
        builder: The builder.
        name: The function's name; a number is added to one that is taken.
        types: The types of its parameters.
        fill: The Python function; it takes a `Value` for each parameter.
        names: The names of the parameters.
        is_private: Whether only this module calls it.
    """
    block = builder.block(types, filling(builder, types, fill), "func.return", names)
    results = [each.type for each in terminator_of(block).operands]
    with builder.context:
        attributes: dict[str, ir.Attribute] = {
            "sym_name": ir.StringAttr.get(builder.free_name(name)),
            "function_type": ir.TypeAttr.get(ir.FunctionType.get(list(types), results)),
        }
        if is_private:
            attributes["sym_visibility"] = ir.StringAttr.get("private")
    end = ir.InsertionPoint(builder.module.body)
    op = create("func.func", [], [], attributes, regions=1, at=end, location=builder.location())
    block.append_to(op.regions[0])
    return op
