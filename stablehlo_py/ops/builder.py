"""The module under construction: its context, its insertion point, and the creation of ops with their regions."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from itertools import chain, count
from types import FrameType
from typing import Any, ParamSpec, TypeVar

import numpy as np

from ..bindings import ir, make_context
from ..bindings.build import create, tensor_type
from ..bindings.diagnostics import describe
from ..bindings.elements import build_constant, from_numpy, to_numpy
from ..bindings.narrowing import is_tuple
from ..bindings.python_numbers import is_number, is_plain, number_key, numbers
from ..bindings.types import (
    ElementType,
    TensorType,
    TokenType,
    TupleType,
    ValueType,
    dtype_name,
    element_type,
)
from ..errors import ArgumentError, StablehloError, UsageError, VerificationError
from ..interpreter.arguments import as_array
from ..interpreter.values import Token
from ..syntax.suggestions import suggestion, without_cpp_names
from .parameters import is_array
from .results import ResultTypes

_HERE = __file__.rpartition("builder.py")[0]
P = ParamSpec("P")
R = TypeVar("R")
Group = Sequence[ir.Value]
TypeLike = ValueType | ElementType | str


def caller() -> FrameType | None:
    """Return the innermost frame outside of this folder: the line of the user's program."""
    frame: FrameType | None = sys._getframe(1)  # pyright: ignore[reportPrivateUsage]
    while frame is not None and frame.f_code.co_filename.startswith(_HERE):
        frame = frame.f_back
    return frame


def _position(frame: FrameType) -> tuple[str, int, int]:
    column = list(frame.f_code.co_positions())[frame.f_lasti // 2][2]
    return frame.f_code.co_filename, frame.f_lineno, 0 if column is None else column + 1


def located(function: Callable[P, R]) -> Callable[P, R]:
    """Let the errors of a function that users call name the line of the call."""

    @wraps(function)
    def wrapper(*arguments: P.args, **named: P.kwargs) -> R:
        try:
            return function(*arguments, **named)
        except StablehloError as error:
            frame = caller()
            if frame is not None and not error.location:
                error.location = ":".join(map(str, _position(frame)))
            raise

    return wrapper


def type_of_value(value: Any) -> ValueType:
    """Return the type of a value at run time: an array, a token, a tuple, or a value with a type of its own."""
    if is_array(value):
        return TensorType(value.shape, element_type(dtype_name(value.dtype)))
    if is_tuple(value):
        return TupleType(tuple(map(type_of_value, value)))
    if isinstance(value, Token):
        return TokenType()
    declared = getattr(value, "type", None)
    if isinstance(declared, ValueType):
        return declared
    raise ArgumentError(f"a {type(value).__name__} is no array and no other value of StableHLO")


class Builder:
    """A module under construction."""

    def __init__(self, context: ir.Context | None = None) -> None:
        self.context = make_context() if context is None else context
        self.module = ir.Module.create(ir.Location.unknown(self.context))
        self.point = ir.InsertionPoint(self.module.body)
        self._names: set[str] = set()
        self._types: dict[str, ir.Type] = {}
        self._attributes: dict[str, ir.Attribute] = {}
        self._numbers: dict[Any, ir.Attribute] = {}
        self._locations: dict[tuple[Any, int], ir.Location] = {}
        self._results = ResultTypes()
        self._open: list[ir.Block] = []

    def location(self) -> ir.Location:
        """Return the line and column of the caller in the user's program."""
        frame = caller()
        if frame is None:
            return ir.Location.unknown(self.context)
        key = frame.f_code, frame.f_lasti
        found = self._locations.get(key)
        if found is None:
            found = self._locations[key] = ir.Location.file(*_position(frame), self.context)
        return found

    def type(self, wanted: TypeLike) -> ir.Type:
        """Return a type in this module's context. Raises `ArgumentError` for text that is none."""
        text = str(wanted)
        found = self._types.get(text)
        if found is None:
            found = self._types[text] = self._parsed(ir.Type.parse, text)
        return found

    def attribute(self, text: str) -> ir.Attribute:
        """Return an attribute in this module's context. Raises `ArgumentError` for text that is none."""
        found = self._attributes.get(text)
        if found is None:
            found = self._attributes[text] = self._parsed(ir.Attribute.parse, text)
        return found

    def _parsed(self, parse: Callable[..., Any], text: str) -> Any:
        try:
            return parse(text, self.context)
        except (ir.MLIRError, ValueError) as error:
            found = getattr(error, "error_diagnostics", ())
            message = without_cpp_names(describe(found[0]).message if found else str(error))
            words = suggestion(message, text.rpartition(" ")[2])
            raise ArgumentError(f"{text}: {message}", notes=[f"did you mean {words[1]}?"] if words else []) from None

    def constant(self, value: Any, wanted: ir.Type | None = None) -> ir.Value:
        """Return a new constant.

        Args:
            value: An array, a number, or a list of numbers. A number fills the type that is wanted.
            wanted: The type, or by default the array's own.
        """
        if isinstance(value, Token):
            return self.value("create_token", [])
        if wanted is not None and not (isinstance(wanted, ir.RankedTensorType) and wanted.has_static_shape):
            raise ArgumentError(f"a constant has a tensor type with static sizes, found {wanted}")
        if is_number(value) and wanted is not None:
            key = number_key(value), wanted
            held = self._numbers.get(key)
            if held is None:
                number = to_numpy(from_numpy(value, tensor_type((), wanted.element_type)))
                held = self._numbers[key] = from_numpy(np.broadcast_to(number, tuple(wanted.shape)), wanted)
            return self.create("stablehlo.constant", [], [wanted], {"value": held}).results[0]
        type_ = type_of_value(value if not is_plain(value) else numbers(value) if wanted is None else np.empty(0))
        if not isinstance(type_, TensorType):
            raise ArgumentError(f"a value of type {type_} cannot be a constant")
        with self.context, self.location(), self.point:
            return build_constant(getattr(value, "value", value), self.type(type_) if wanted is None else wanted)

    def create(
        self,
        name: str,
        operands: Sequence[ir.Value],
        results: Sequence[ir.Type] | None = None,
        attributes: Mapping[str, ir.Attribute] | None = None,
        blocks: Sequence[ir.Block] = (),
    ) -> ir.Operation:
        """Create an op at the caller's location. Its blocks become regions.

        Raises:
            VerificationError: The types of its results cannot be inferred.
        """
        location = self.location()
        try:
            op = create(name, operands, results, attributes, regions=len(blocks), at=self.point, location=location)
        except ir.MLIRError as error:
            raise VerificationError([describe(each) for each in error.error_diagnostics]) from None
        for block, region in zip(blocks, op.regions, strict=True):
            block.append_to(region)
        return op

    def value(self, name: str, operands: Sequence[ir.Value], type_: ir.Type | None = None, **texts: str) -> ir.Value:
        """Return the result of a new op of StableHLO, of this type or an inferred one; `texts` are its attributes."""
        attributes = {key: self.attribute(text) for key, text in texts.items()}
        return self.create(f"stablehlo.{name}", operands, None if type_ is None else [type_], attributes).results[0]

    def is_in_scope(self, value: ir.Value) -> bool:
        """Whether a value belongs to a block that is being filled."""
        owner = value.owner
        return (owner if isinstance(owner, ir.Block) else owner.operation.block) in self._open

    def infer_shapes(self, op: ir.Operation, elements: Sequence[ir.Type]) -> None:
        """Give the results of an op their shapes; see `ResultTypes.infer`. An op that is refused goes."""
        try:
            self._results.infer(op, elements)
        except ArgumentError:
            op.erase()
            raise

    def block(
        self, types: Sequence[ir.Type], fill: Callable[..., Group], end: str, names: Sequence[str] = ()
    ) -> ir.Block:
        """Return a block of a region to come.

        Args:
            types: The types of its arguments.
            fill: Builds its ops from these arguments, and returns what the terminator takes.
            end: The name of the terminator.
            names: The names of the arguments.
        """
        location = self.location()
        holder = create("builtin.module", results=[], regions=1, location=location)
        locations = [ir.Location.name(name, location, self.context) for name in names]
        block = holder.regions[0].blocks.append(*types, arg_locs=locations or [location] * len(types))
        before = self.point, self._open
        self.point = ir.InsertionPoint(block)
        self._open = [block] if end == "func.return" else [*self._open, block]
        try:
            create(end, fill(*block.arguments), [], at=self.point, location=location)
        finally:
            self.point, self._open = before
        return block

    def free_name(self, name: str) -> str:
        """Return the name for a new function: `name`, with a number if it is taken."""
        found = next(each for each in chain([name], (f"{name}_{n}" for n in count(1))) if each not in self._names)
        self._names.add(found)
        return found


_active: ContextVar[Builder | None] = ContextVar("builder", default=None)


def active() -> Builder | None:
    """Return the builder of the function that is being built, or None."""
    return _active.get()


def require() -> Builder:
    """Return the builder in use. Raises `UsageError` outside of `with ops.module()`."""
    builder = _active.get()
    if builder is None:
        raise UsageError("no module is being built: write `with ops.module() as m:` around it")
    return builder


@contextmanager
def building(builder: Builder) -> Generator[Builder]:
    """Use a builder while this lasts."""
    token = _active.set(builder)
    try:
        yield builder
    finally:
        _active.reset(token)


def readable(value: Any) -> Any:
    """Return an array-like of any library as an array of numpy; a value of another kind as it is."""
    is_value = is_tuple(value) or isinstance(value, str) or isinstance(getattr(value, "type", None), ValueType)
    return value if is_value else as_array(value)
