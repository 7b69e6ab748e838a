"""Arrays on their way to devices of XLA and back, also of element types that DLPack lacks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import DTypeLike

from ..bindings.types import TensorType, element_type

_ALIGNMENT = 64


@dataclass(frozen=True)
class Carrier:
    """A type that arrays have on their way to a device: element type, data type, and the op that converts them."""

    element: str
    dtype: DTypeLike
    op: str


def carrier_of(type_: TensorType) -> Carrier | None:
    """Return a carrier for arrays of a type that DLPack lacks; None for other types."""
    dtype = type_.dtype
    if dtype.isbuiltin == 1:  # ml_dtypes says that its float8_e5m2 is of numpy's kind for floats
        return None
    bits = type_.element_type.bits
    if bits == 8 * dtype.itemsize:
        return Carrier(f"ui{bits}", f"u{dtype.itemsize}", "bitcast_convert")
    if type_.element_type.is_integer:
        is_signed = dtype.name.startswith("int")
        return Carrier("i8", np.int8, "convert") if is_signed else Carrier("ui8", np.uint8, "convert")
    return Carrier("f32", np.float32, "convert")


def carried(array: np.ndarray, carrier: Carrier | None) -> np.ndarray:
    """Return the array as its carrier holds it; as it is where it needs none."""
    if carrier is None:
        return array
    return array.view(carrier.dtype) if carrier.op == "bitcast_convert" else array.astype(carrier.dtype)


def restored(array: np.ndarray, type_: TensorType, carrier: Carrier | None) -> np.ndarray:
    """Return the array that a carrier holds."""
    if carrier is None:
        return array
    return array.view(type_.dtype) if carrier.op == "bitcast_convert" else array.astype(type_.dtype)


def shareable(array: np.ndarray) -> np.ndarray:
    """Return a copy in memory that a device can share: writable, nobody else's, and aligned; plugins do not copy it."""
    memory = np.empty(array.nbytes + _ALIGNMENT, np.uint8)
    start = -memory.ctypes.data % _ALIGNMENT
    copy = memory[start : start + array.nbytes].view(array.dtype).reshape(array.shape)
    copy[...] = array
    return copy


def carried_type(type_: TensorType, carrier: Carrier | None) -> str:
    """Return the type that arrays have on their way."""
    return str(type_ if carrier is None else TensorType(type_.shape, element_type(carrier.element)))
