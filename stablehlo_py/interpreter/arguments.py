"""Callers' arguments, and results of users' handlers, as values of tensor types: arrays of any library, Python numbers,
lists."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..bindings import ir
from ..bindings.attributes import string_of, symbol_name
from ..bindings.types import TensorType, TupleType, ValueType, dtype_name
from ..bindings.walk import body_of
from ..errors import ArgumentError
from .op import Op
from .values import Value, belongs_to, type_text


def parameter_names(function: ir.Operation) -> tuple[str, ...]:
    """Return a name for each parameter: JAX's, that of its location, or `arg` and its number."""
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
    """The array of an array-like: one of numpy, jax or torch, or anything with `__array__` or DLPack.

    Raises `ArgumentError` where the array-like does not give one.
    """
    if isinstance(value, (np.ndarray, np.generic)):
        if hasattr(value, "mask"):
            raise ArgumentError("a masked array has elements without a value", notes=["x.filled(0) gives them one"])
        return value
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
    """The arguments as values of these types.

    Python numbers and lists convert where nothing is lost; arrays have to be of the type already. Raises
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
    if len(arguments) != len(types):
        plural = "s" * (len(types) != 1)
        raise refusal(f"function @{name} takes {len(types)} argument{plural}, not {len(arguments)}")
    values: list[Value] = []
    for index, (argument, type_) in enumerate(zip(arguments, types, strict=True)):
        value, notes = _as_value(as_array(argument), type_)
        if not belongs_to(value, type_):
            shown = parameter_names(function)[index]
            which = f"argument {index}" if shown == f"arg{index}" else f"argument {index} ('{shown}')"
            raise refusal(f"{which} of function @{name} is {type_text(value)} instead of {type_}", notes)
        values.append(value)
    return values


def _as_value(value: Any, type_: ValueType) -> tuple[Any, list[str]]:
    """Return the value, and advice if it is not of the type. A 0-d tensor is run as a scalar, which costs a tenth of
    an array."""
    if not isinstance(type_, TensorType):
        return value, []
    if isinstance(value, (np.ndarray, np.generic)):
        return np.asarray(value)[()], [] if value.dtype == type_.dtype else [_cast(type_)]
    try:
        array = converted(value, type_)
    except ValueError:  # lists of different lengths
        return value, ["it is a list of lists of different lengths"]
    if array is None:
        given = np.asarray(value)
        casts = [_cast(type_)] if given.dtype.kind in "biufc" else []
        return given[()], [f"not every number in it is of type {type_.element_type}", *casts]
    return array[()], []


def _cast(type_: TensorType) -> str:
    dtype = type_.dtype
    module = "np" if dtype.isbuiltin == 1 else "ml_dtypes"
    name = "bool_" if dtype == np.bool_ else dtype.name
    return f"x.astype({module}.{name}) converts an array x to {dtype_name(dtype)}"


def converted(value: Any, type_: TensorType) -> np.ndarray | None:
    """The array of this type that a Python number or a list of them stands for; None where one of the numbers is not
    of the type: a fraction for an integer, an integer past the range, a number for a boolean, …

    Floats are rounded to the type's nearest, as a literal in a program is.
    """
    given = np.asarray(value)
    if not given.size:  # lists cannot say what follows a dimension of size zero
        empty = given.astype(type_.dtype)
        return (
            empty.reshape(type_.static_shape) if type_.is_static and given.shape == type_.shape[: given.ndim] else empty
        )
    if given.dtype == type_.dtype:
        return given
    if given.dtype.kind not in "biufc" or (given.dtype.kind == "b") != (type_.dtype == np.bool_):
        return None
    element = type_.element_type
    if element.is_integer:
        if given.dtype.kind not in "iu":
            return None
        result = given.astype(type_.dtype)
        return result if (result.astype(object) == given.astype(object)).all() else None
    if given.dtype.kind == "c" and type_.dtype.kind != "c":
        return None
    with np.errstate(all="ignore"):
        result = given.astype(type_.dtype)
    if given.dtype.kind in "iu":
        exact = np.real(result.astype(np.complex128)).astype(object) == given.astype(object)
        return result if np.all(exact) else None
    overflows = np.isinf(result.astype(np.complex128)) & ~np.isinf(given)
    return None if overflows.any() else result


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
    if not isinstance(type_, TensorType) or not isinstance(value, (bool, int, float, complex, list)):
        return value
    array = converted(value, type_)
    if array is None:
        raise op.error(f"handler returned {value!r}, expected {type_}")
    return array[()]
