"""Custom calls: what a target does is registered by its users.

@custom_call_handler("my_scale")
def my_scale(call: CustomCall, operand: np.ndarray) -> np.ndarray:
    return operand * call.backend_config["factor"]
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ..bindings import ir
from ..bindings.elements import to_numpy
from ..bindings.types import ValueType
from .op import Op


@dataclass(frozen=True)
class CustomCall:
    """One `stablehlo.custom_call` op, as its handler sees it."""

    op: Op

    @property
    def target(self) -> str:
        """call_target_name."""
        return self.op.string("call_target_name")

    @property
    def result_types(self) -> tuple[ValueType, ...]:
        return self.op.result_types

    @cached_property
    def backend_config(self) -> Any:
        """A text, or a dictionary of texts, booleans, numbers and arrays; None where the op has none."""
        return _as_python(self.op.attribute("backend_config", None))

    @property
    def has_side_effect(self) -> bool:
        return self.op.bool("has_side_effect", False)


Handler = Callable[..., Any]
"""Takes a `CustomCall` and the operands' values; returns the result, a tuple of several, or None for none."""

_HANDLERS: dict[str, Handler] = {}


def custom_call_handler(target: str) -> Callable[[Handler], Handler]:
    """Registers the decorated function as what runs `stablehlo.custom_call @target`. A later one replaces it."""

    def register(handler: Handler) -> Handler:
        _HANDLERS[target] = handler
        return handler

    return register


def find_handler(target: str) -> Handler | None:
    """What runs custom calls of this target, or None."""
    return _HANDLERS.get(target)


def _as_python(attribute: Any) -> Any:
    if attribute is None:
        return None
    if isinstance(attribute, ir.DictAttr):
        return {named.name: _as_python(named.attr) for named in attribute}
    if isinstance(attribute, ir.ArrayAttr):
        return [_as_python(part) for part in attribute]
    if isinstance(attribute, (ir.StringAttr, ir.BoolAttr, ir.IntegerAttr, ir.FloatAttr)):
        return attribute.value
    if isinstance(attribute, ir.FlatSymbolRefAttr):
        return attribute.value
    return to_numpy(attribute)
