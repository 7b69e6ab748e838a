"""Arrays in messages between an engine's child process and its parent.

They travel as data type, shape and bytes, so that both sides may have different versions of numpy.
"""

from __future__ import annotations

from pickle import PickleBuffer

import ml_dtypes
import numpy as np


def pack(array: np.ndarray) -> tuple[str, tuple[int, ...], PickleBuffer]:
    """Return an array as data that does not depend on numpy's version; its bytes are not copied."""
    return array.dtype.name, array.shape, PickleBuffer(np.ascontiguousarray(array).reshape(-1).view(np.uint8))


def unpack(packed: tuple[str, tuple[int, ...], bytes | bytearray | PickleBuffer]) -> np.ndarray:
    """Return the array that `pack` was given, as one that may be changed. Bytes that may be changed are not copied."""
    name, shape, data = packed
    dtype = np.dtype(getattr(ml_dtypes, name, name))
    return np.frombuffer(data if isinstance(data, bytearray) else bytearray(data), dtype).reshape(shape)
