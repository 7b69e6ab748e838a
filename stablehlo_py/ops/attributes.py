"""Plain Python values as the text of attributes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ..bindings import ir
from ..bindings.narrowing import is_dict
from ..bindings.python_numbers import numbers
from ..bindings.types import element_type
from ..errors import ArgumentError, NumberError
from .parameters import Parameter, is_array, is_group

_ENUM = re.compile(r"#(\w+)<(\w+) [A-Z_0-9|]+>")
_STRUCT = re.compile(r"#\w+\.\w+")


def _string(value: Any) -> str:
    """Return a string as MLIR writes it."""
    plain = "".join(
        c if c.isprintable() and c not in '"\\' else "".join(f"\\{b:02X}" for b in c.encode()) for c in value
    )
    return f'"{plain}"'


def _number(value: Any, type_: str) -> str:
    element = "i32" if type_.startswith("i32") else "i64"
    return f"{_scalar(value, element)} : {element}"


def _float(value: Any, type_: str) -> str:
    return f"0x{_scalar(value, 'f32').view(np.uint32):08X} : f32"


def _scalar(value: Any, element: str) -> Any:
    array = numbers(value, element_type(element))
    if array.ndim:
        raise TypeError("it is a list")
    return array[()]


def array_text(values: Any, element: str = "i64") -> str:
    """Return the text of a dense array."""
    array = numbers(values, element_type(element))
    if array.ndim != 1:
        raise TypeError("it is no list of numbers")
    texts = [str(value).lower() for value in array]
    return f"array<{element}{': ' if texts else ''}{', '.join(texts)}>"


def _elements(values: Any, type_: str) -> str:
    """Return dense elements: pairs, a table, or a list of integers."""
    array = numbers(values, element_type("i64"))
    if not array.size:
        array = array.reshape((0, 2) if "pairs" in type_ else (0, 0))
    shape = "".join(f"{size}x" for size in array.shape)
    return f"dense<{json.dumps(array.tolist()) if array.size else ''}> : tensor<{shape}i64>"


def _rows(values: Any, type_: str) -> str:
    """Return dense elements as `_elements`, of a list."""
    if not numbers(values, element_type("i64")).ndim:
        raise TypeError("it is no list of numbers")
    return _elements(values, type_)


def generic(value: Any) -> str:
    """Return the text of a Python value where no table says more about the attribute.

    Raises:
        TypeError: No attribute stands for such a value.
    """
    if isinstance(value, ir.Attribute):
        return str(value)
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return f"{value} : i64"
    if isinstance(value, float):
        return f"0x{np.float64(value).view(np.uint64):016X} : f64"
    if isinstance(value, str):
        return value if value.startswith(("#", "@", "dense<", "array<")) else _string(value)
    if is_dict(value):
        return "{" + ", ".join(f"{_string(key)} = {generic(each)}" for key, each in value.items()) + "}"
    if is_array(value):
        return _elements(value, "")
    if is_group(value):
        return f"[{', '.join(map(generic, value))}]"
    if hasattr(value, "symbol"):
        return f"@{_string(value.symbol)}"
    raise TypeError(f"{value!r} is no attribute")


def _field(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return f"[{', '.join(map(str, value))}]" if is_group(value) or is_array(value) else str(value)


def struct(type_: str, values: Mapping[str, Any]) -> str:
    """Return the text of a structured attribute such as `#stablehlo.gather`; without the fields that are None."""
    texts = ", ".join(f"{key} = {_field(value)}" for key, value in values.items() if value is not None)
    return f"{type_}<{'raw ' if type_.endswith('.conv') else ''}{texts}>"


def _described(value: Any, type_: str) -> str:
    """Return the text of an attribute by the words of its type."""
    enum = _ENUM.search(type_)
    if isinstance(value, str) and value.startswith("#"):
        return value
    if enum is not None and isinstance(value, str):
        return f"#{enum[1]}<{enum[2]} {value.upper()}>"
    if "elements of index" in type_:
        return _rows(value, type_).replace("xi64>", "xindex>")
    if type_.startswith("i32"):
        return _number(value, type_)
    if "elements of i64" in type_ and not isinstance(value, str):
        return _rows(value, type_)
    if _STRUCT.match(type_) and is_dict(value):
        if "mode" in value:
            value = {**value, "mode": f"#stablehlo.result_accuracy_mode<{value['mode']}>"}
        return struct(type_.split(",")[0], value)
    return generic(value)


def _members(values: Any, type_: str) -> str:
    inner = type_.removeprefix("array of " if type_.startswith("array of ") else "arrays of ")
    if inner.startswith("arrays of "):
        return f"[{', '.join(_members(value, inner) for value in values)}]"
    return f"[{', '.join(_described(value, inner) for value in values)}]"


_WRITERS: dict[str, Callable[[Any, str], str]] = {
    "int": _number,
    "float": _float,
    "bool": lambda value, _: str(_scalar(value, "i1")).lower(),
    "flag": lambda value, _: "unit",
    "str": lambda value, _: _string(value),
    "symbol": lambda value, _: generic(value if hasattr(value, "symbol") else f"@{_string(value)}"),
    "int_array": lambda value, _: array_text(value),
    "bool_array": lambda value, _: array_text(value, "i1"),
    "int_matrix": _rows,
    "dictionary": lambda value, _: generic(value),
    "array": _members,
    "attribute": _described,
}


def text_of(parameter: Parameter, value: Any) -> str:
    """Return the text of the attribute that a parameter's value stands for.

    Raises:
        ArgumentError: The value does not fit the parameter.
    """
    if isinstance(value, ir.Attribute):
        return str(value)
    try:
        return _WRITERS[parameter.kind](value, parameter.type)
    except (TypeError, ValueError, OverflowError, AttributeError, KeyError, NumberError) as error:
        wanted = parameter.type.split(",")[0] if parameter.type else parameter.kind
        why = error.message if isinstance(error, NumberError) else error
        raise ArgumentError(f"{parameter.name}={value!r} is not of type {wanted}: {why}") from None
