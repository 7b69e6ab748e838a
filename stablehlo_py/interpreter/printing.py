"""Values as upstream's interpreter prints them; a 0-d tensor stays on one line.

tensor<i32> {1}

tensor<2x2xi64> {
  [
    [1, 2],
    [3, 4]
  ]
}
"""

from __future__ import annotations

import math

import numpy as np

from ..bindings import ir
from ..bindings.elements import from_numpy
from ..bindings.types import FutureType, TensorType, TupleType, ValueType
from .values import Future, Token, Value

# MLIR prints more elements than this as one hexadecimal string.
_CHUNK = 100


def element_texts(array: np.ndarray, element_type: ir.Type) -> list[str]:
    """Return each element, in major-to-minor order, as MLIR prints it; a complex one as `[real, imaginary]`."""
    flat = array.reshape(-1)
    texts: list[str] = []
    for start in range(0, flat.size, _CHUNK):
        chunk = flat[start : start + _CHUNK]
        listed = str(from_numpy(chunk, element_type)).removeprefix("dense<").rpartition("> : ")[0].strip("[]")
        if array.dtype.kind == "c":
            parts = [f"[{part.replace(',', ', ')}]" for part in listed.strip("()").split("), (")]
        else:
            parts = listed.split(", ")
        texts += parts * chunk.size if len(parts) == 1 else parts
    return texts


def _rows(texts: list[str], shape: tuple[int, ...], indent: int) -> str:
    """Return the elements as nested lists, the innermost on one line."""
    space = "  " * indent
    if len(shape) == 1 or shape[0] == 0:
        return f"{space}[{', '.join(texts)}]"
    size = math.prod(shape[1:])
    rows = [_rows(texts[i * size : (i + 1) * size], shape[1:], indent + 1) for i in range(shape[0])]
    return f"{space}[\n" + ",\n".join(rows) + f"\n{space}]"


def format_value(value: Value, type_: ValueType, context: ir.Context) -> str:
    """Return the value in upstream's form: type, then elements in braces. Dynamic dimensions get the value's sizes."""
    if isinstance(type_, (TupleType, FutureType)) and isinstance(value, (tuple, Future)):
        values = value if isinstance(value, tuple) else value.wait()
        parts = [format_value(part, part_type, context) for part, part_type in zip(values, type_.types, strict=True)]
        return f"{type_} (\n" + "".join(f"{part},\n" for part in parts[:-1]) + (f"{parts[-1]}\n)" if parts else ")")
    if isinstance(type_, TensorType) and isinstance(value, (np.ndarray, np.generic)):
        array = np.asarray(value)
        static = TensorType(array.shape, type_.element_type)
        texts = element_texts(array, ir.Type.parse(str(type_.element_type), context))
        return f"{static} {{{texts[0]}}}" if array.ndim == 0 else f"{static} {{\n{_rows(texts, array.shape, 1)}\n}}"
    return str(type_) if isinstance(value, Token) else f"{type_} {{...}}"


def format_dense(value: Value, type_: ValueType, context: ir.Context) -> str:
    """Return the value as a dense elements attribute; values other than tensors as `format_value`."""
    if not isinstance(type_, TensorType) or not isinstance(value, (np.ndarray, np.generic)):
        return format_value(value, type_, context)
    array = np.asarray(value)
    return str(from_numpy(array, ir.Type.parse(str(TensorType(array.shape, type_.element_type)), context)))
