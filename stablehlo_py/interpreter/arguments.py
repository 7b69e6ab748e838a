"""Callers' arguments, and results of users' handlers, as values of tensor types: arrays of any library, Python numbers,
lists."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..bindings import ir
from ..bindings.attributes import string_of, symbol_name
from ..bindings.python_numbers import is_plain, native, numbers
from ..bindings.types import TensorType, TokenType, TupleType, ValueType, dtype_name
from ..bindings.walk import body_of
from ..errors import ArgumentError, NumberError, counted
from .op import Op
from .values import Token, Value, belongs_to, type_text


def parameter_names(function: ir.Operation) -> tuple[str, ...]:
    """Return a name for each parameter: JAX's, its location's, or `arg` and its number."""
    from ..bindings.locations import name_of

    attributes = ir.ArrayAttr(function.attributes["arg_attrs"]) if "arg_attrs" in function.attributes else ()
    given = [string_of(one["jax.arg_info"]) if "jax.arg_info" in one else "" for one in map(ir.DictAttr, attributes)]
    names = []
    for index, argument in enumerate(body_of(function).arguments):
        name = given[index] if given else ""
        located = name if name else name_of(argument.location)
        names.append(located if located else f"arg{index}")
    return tuple(names) if len(set(names)) == len(names) else tuple([f"arg{index}" for index in range(len(names))])


def as_array(value: Any) -> Any:
    """Return the array of an array-like: one of numpy, jax or torch, or anything with `__array__` or DLPack.

    Raises `ArgumentError` where the array-like does not give one.
    """
    if isinstance(value, (np.ndarray, np.generic)):
        if hasattr(value, "mask"):
            raise ArgumentError("a masked array has elements without a value", notes=["x.filled(0) gives them one"])
        return value if value.dtype.isnative else native(value)
    try:
        torch = sys.modules.get("torch")
        if torch is not None and isinstance(value, torch.Tensor):
            return _from_torch(value.detach().cpu().contiguous(), torch)
        jax = sys.modules.get("jax")
        if jax is not None and isinstance(value, jax.Array) and jax.dtypes.issubdtype(value.dtype, jax.dtypes.prng_key):
            return np.asarray(jax.random.key_data(value))
        if hasattr(value, "__array__"):
            return np.asarray(value)
        return np.from_dlpack(value) if hasattr(value, "__dlpack__") else value
    except (TypeError, ValueError, RuntimeError, BufferError) as error:
        raise ArgumentError(f"a {type(value).__name__} cannot be read as an array: {error}") from None


def _from_torch(tensor: Any, torch: Any) -> np.ndarray:
    try:
        return tensor.numpy()
    except TypeError:  # numpy lacks the type
        import ml_dtypes

        name = str(tensor.dtype).removeprefix("torch.")
        dtype = np.dtype(getattr(ml_dtypes, name))
        return tensor.view({1: torch.uint8, 2: torch.int16}[dtype.itemsize]).numpy().view(dtype)


def check_arguments(arguments: Sequence[Any], types: Sequence[ValueType], function: ir.Operation) -> list[Value]:
    """Return the arguments as values of these types.

    Python numbers and lists convert by the rule of `numbers`; arrays have to be of the type already. Raises
    `ArgumentError` at the function's location.
    """
    name = symbol_name(function)

    def refusal(message: str, notes: Sequence[str] = ()) -> ArgumentError:
        from ..bindings.diagnostics import file_location

        return ArgumentError(message, location=file_location(function.location), notes=notes)

    try:
        arguments = list(arguments)
    except TypeError:
        found = type(arguments).__name__
        raise refusal(f"expected a list of arguments for function @{name}, found {found}") from None
    arguments = arguments if len(arguments) == len(types) else with_tokens(arguments, types)
    if len(arguments) != len(types):
        raise refusal(f"function @{name} takes {counted(len(types), 'argument')}, not {len(arguments)}")
    values: list[Value] = []
    for index, (argument, type_) in enumerate(zip(arguments, types, strict=True)):
        value, notes = _as_value(as_array(argument), type_)
        if not belongs_to(value, type_):
            shown = parameter_names(function)[index]
            which = f"argument {index}" if shown == f"arg{index}" else f"argument {index} ('{shown}')"
            raise refusal(f"{which} of function @{name} is {type_text(value)} instead of {type_}", notes)
        values.append(value)
    return values


def with_tokens(values: Sequence[Any], types: Sequence[ValueType]) -> list[Any]:
    """Return the values with the tokens among these types, if those are left out."""
    is_token = [isinstance(type_, TokenType) for type_ in types]
    if len(values) != len(types) - sum(is_token):
        return list(values)
    supply = iter(values)
    return [Token() if token else next(supply) for token in is_token]


def _as_value(value: Any, type_: ValueType) -> tuple[Any, list[str]]:
    """Return the value, and advice if it is not of the type. A 0-d tensor is run as a scalar, which costs a tenth of
    an array."""
    if isinstance(type_, TupleType) and isinstance(value, (tuple, list)):
        parts = with_tokens(value, type_.types)
        if len(parts) != len(type_.types):
            return tuple(parts), []
        pairs = [_as_value(as_array(part), inner) for part, inner in zip(parts, type_.types, strict=True)]
        return tuple([part for part, _ in pairs]), [note for _, notes in pairs for note in notes]
    if not isinstance(type_, TensorType):
        return value, []
    is_array = isinstance(value, (np.ndarray, np.generic))
    if is_array and value.dtype != type_.dtype:
        return np.asarray(value)[()], [_cast(type_, value.dtype)]
    try:
        return converted(value, type_)[()], []
    except NumberError as error:
        return _of_another_type(value), [error.message, *([] if is_array else [_cast(type_)])]


def _of_another_type(value: Any) -> Any:
    """Return numbers as an array of their own type; anything else as it is."""
    try:
        return numbers(value)[()]
    except NumberError:
        return value


def _cast(type_: TensorType, given: np.dtype | None = None) -> str:
    dtype = type_.dtype
    module = "np" if dtype.isbuiltin == 1 else "ml_dtypes"
    name = f"{module}.{'bool_' if dtype == np.bool_ else dtype.name}"
    cast = f"x.astype({name}) converts an array x to {dtype_name(dtype)}"
    is_bits = given is not None and given.kind in "uV" and given.itemsize == dtype.itemsize and module == "ml_dtypes"
    return f"x.view({name}) takes the bits of an array x for {dtype_name(dtype)}; {cast}" if is_bits else cast


def converted(value: Any, type_: TensorType) -> np.ndarray:
    """Return the array of this type that a Python number or a list of them stands for. Raises `NumberError`; see
    `numbers`."""
    array = numbers(value, type_.element_type)
    # A list ends at a dimension of size zero, whatever the sizes behind it.
    is_cut_off = not array.size and type_.is_static and array.shape == type_.shape[: array.ndim]
    return array.reshape(type_.static_shape) if is_cut_off else array


def as_result_values(result: Any, op: Op) -> Any:
    """Return a handler's results with arrays in place of Python numbers and lists."""
    types = op.result_types
    if len(types) == 1:
        return _result_value(result, types[0], op)
    if not isinstance(result, (tuple, list)) or len(result) != len(types):
        return result  # which the check of results reports
    return tuple([_result_value(value, type_, op) for value, type_ in zip(result, types, strict=True)])


def _result_value(value: Any, type_: ValueType, op: Op) -> Any:
    if isinstance(value, (np.ndarray, np.generic)):
        return value
    if isinstance(type_, TupleType) and isinstance(value, (tuple, list)) and len(value) == len(type_.types):
        return tuple([_result_value(part, part_type, op) for part, part_type in zip(value, type_.types, strict=True)])
    if not isinstance(type_, TensorType) or not is_plain(value):
        return value
    try:
        return converted(value, type_)[()]
    except NumberError as error:
        raise op.error(f"handler returned {value!r}, expected {type_}: {error.message}") from None
