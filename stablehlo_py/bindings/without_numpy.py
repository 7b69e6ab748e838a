"""Imports the bindings without numpy, which takes longer to import than they do and which most commands never need.

The bindings import numpy for four builders of attributes, and do without where there is none. While numpy is held back
they do without; `register_array_builders` puts builders in their place that import numpy when they are called.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def register_array_builders(ir: Any) -> None:
    """Register what the bindings build these attributes with, where they had no numpy to do it."""
    types: dict[str, tuple[str, Callable[[Any], Any]]] = {
        "F64ElementsAttr": ("float64", lambda context: ir.F64Type.get(context=context)),
        "I32ElementsAttr": ("int32", lambda context: ir.IntegerType.get_signless(32, context=context)),
        "I64ElementsAttr": ("int64", lambda context: ir.IntegerType.get_signless(64, context=context)),
        "IndexElementsAttr": ("int64", lambda context: ir.IndexType.get(context=context)),
    }
    for kind, (dtype, make_type) in types.items():
        if not ir.AttrBuilder.contains(kind):
            ir.register_attribute_builder(kind)(_builder(ir, dtype, make_type))


def _builder(ir: Any, dtype: str, make_type: Callable[[Any], Any]) -> Callable[[Any, Any], Any]:
    def build(values: Any, context: Any) -> Any:
        import numpy as np

        return ir.DenseElementsAttr.get(np.array(values, dtype=dtype), type=make_type(context), context=context)

    return build
