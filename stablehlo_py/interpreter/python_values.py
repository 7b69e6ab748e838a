"""Python numbers and lists as values of tensor types."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..bindings.types import TensorType, TupleType, ValueType

if TYPE_CHECKING:
    from .op import Op


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
        return _as_value(result, types[0], op)
    if not isinstance(result, (tuple, list)) or len(result) != len(types):
        return result  # which the check of results reports
    return tuple([_as_value(value, type_, op) for value, type_ in zip(result, types, strict=True)])


def _as_value(value: Any, type_: ValueType, op: Op) -> Any:
    if isinstance(value, (np.ndarray, np.generic)):
        return value
    if isinstance(type_, TupleType) and isinstance(value, (tuple, list)) and len(value) == len(type_.types):
        return tuple([_as_value(part, part_type, op) for part, part_type in zip(value, type_.types, strict=True)])
    if not isinstance(type_, TensorType) or not isinstance(value, (bool, int, float, complex, list)):
        return value
    array = converted(value, type_)
    if array is None:
        raise op.error(f"handler returned {value!r}, expected {type_}")
    return array[()]
