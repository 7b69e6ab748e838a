"""Every op of StableHLO and CHLO as a Python function.

    from stablehlo_py import ops

    ops.add(x, y)                                   # on arrays: the reference's result
    ops.reduce(x, 0.0, dimensions=[0], body=ops.add)

    with ops.module() as m:                         # on values: a program
        @ops.function(x=ops.f32[4, "n"])
        def main(x):
            return ops.tanh(x) + 1.0

The functions come from the tables of op signatures; `__init__.pyi` lists them with their parameters.
"""

from __future__ import annotations

from typing import Any

from ..bindings.types import ElementType, TensorType, element_type, element_type_names
from . import chlo
from .dialect import Dialect, OpFunction, plain_name
from .eager import TypedValue, typed
from .functions import Function, function, module
from .values import Value

__all__ = [
    "ElementType",
    "Function",
    "OpFunction",
    "TensorType",
    "TypedValue",
    "Value",
    "chlo",
    "element_type",
    "function",
    "module",
    "typed",
]
_stablehlo = Dialect("stablehlo")


_element_types = {plain_name(name): name for name in element_type_names()}


def __getattr__(name: str) -> Any:
    return element_type(_element_types[name]) if name in _element_types else getattr(_stablehlo, name)


def __dir__() -> list[str]:
    return sorted({*__all__, *_element_types, *dir(_stablehlo)})
