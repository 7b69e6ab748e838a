"""One `stablehlo.custom_call` op, as its handler sees it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ...bindings import ir
from ...bindings.elements import to_numpy
from ...bindings.types import ValueType
from ..op import Kernel, Op
from .shape_operands import SHAPE_OPERANDS

Layout = tuple[int, ...]
"""The dimensions of a tensor in memory, from the one whose neighbours are next to each other to the outermost."""


@dataclass(frozen=True)
class CustomCall:
    """One `stablehlo.custom_call` op: its target, options and types, decoded when asked for."""

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
        """`backend_config`, or where the op has none JAX's `mhlo.backend_config`: a text, or a dictionary of texts,
        booleans, numbers and arrays; None where the op has neither."""
        own = _as_python(self.op.attribute("backend_config", None))
        return _as_python(self.op.attribute("mhlo.backend_config", None)) if own is None or own == "" else own

    @property
    def opaque(self) -> bytes:
        """The bytes of a `backend_config` that is a text: the descriptors of JAX's older calls."""
        attribute = self.op.attribute("backend_config", None)
        return attribute.value_bytes if isinstance(attribute, ir.StringAttr) else b""

    @cached_property
    def frontend_attributes(self) -> dict[str, Any]:
        """`mhlo.frontend_attributes`, empty where the op has none."""
        found = _as_python(self.op.attribute("mhlo.frontend_attributes", None))
        return {} if found is None else found

    @property
    def has_side_effect(self) -> bool:
        return self.op.bool("has_side_effect", False)

    @cached_property
    def operand_layouts(self) -> tuple[Layout, ...] | None:
        """A layout for each operand that the handler gets; None where the op leaves them to the default, row-major."""
        layouts, dropped = self._layouts("operand_layouts"), self.op.ints(SHAPE_OPERANDS, ())
        return layouts and tuple([layout for index, layout in enumerate(layouts) if index not in dropped])

    @cached_property
    def result_layouts(self) -> tuple[Layout, ...] | None:
        """A layout for each result; None where the op leaves them to the default, row-major."""
        return self._layouts("result_layouts")

    @cached_property
    def called_computations(self) -> tuple[str, ...]:
        """The names of the functions that the call refers to."""
        return tuple([ir.FlatSymbolRefAttr(name).value for name in self.op.attribute("called_computations", ())])

    def computation(self, name: str) -> Kernel:
        """Return a callable for a function of `called_computations`: it takes arguments and returns a tuple."""
        return self.op.program.callable(name)

    def _layouts(self, name: str) -> tuple[Layout, ...] | None:
        attribute = self.op.attribute(name, None)
        if attribute is None:
            return None
        return tuple([tuple([int(dimension) for dimension in to_numpy(layout)]) for layout in attribute])


def _as_python(attribute: Any) -> Any:
    if attribute is None:
        return None
    if isinstance(attribute, ir.DictAttr):
        return {named.name: _as_python(named.attr) for named in attribute}
    if isinstance(attribute, ir.ArrayAttr):
        return [_as_python(part) for part in attribute]
    if isinstance(attribute, ir.StringAttr):
        data = attribute.value_bytes
        return data.decode(errors="surrogateescape")
    if isinstance(attribute, (ir.BoolAttr, ir.IntegerAttr, ir.FloatAttr)):
        return attribute.value
    if isinstance(attribute, ir.FlatSymbolRefAttr):
        return attribute.value
    return to_numpy(attribute)
