"""Imports the bindings without numpy, which takes longer to import than they do and which most commands never need.

The bindings import numpy for four builders of attributes, and do without where there is none. `numpy_held_back` makes
them do without; `register_array_builders` puts builders in their place that import numpy when they are called.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any


class _HoldsBack:
    """A finder that lets one thread find no numpy."""

    def __init__(self) -> None:
        self.thread = threading.get_ident()

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """None, which sends the import to the next finder, except for numpy in the thread that made this one."""
        if name == "numpy" and threading.get_ident() == self.thread:
            raise ModuleNotFoundError("numpy is held back while the bindings are imported", name=name)
        return None


@contextmanager
def numpy_held_back() -> Generator[None]:
    """Make `import numpy` fail in this thread, unless numpy is imported already."""
    finder = _HoldsBack()
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)


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
