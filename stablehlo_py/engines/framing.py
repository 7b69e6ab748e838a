"""Arrays in messages between an engine's child process and its parent.

They travel as data type, shape and bytes, so that both sides may have different versions of numpy.
"""

from __future__ import annotations

import ml_dtypes
import numpy as np


def pack(array: np.ndarray) -> tuple[str, tuple[int, ...], bytes]:
    """Return an array as data that does not depend on numpy's version."""
    return array.dtype.name, array.shape, np.ascontiguousarray(array).tobytes()


def unpack(packed: tuple[str, tuple[int, ...], bytes]) -> np.ndarray:
    """Return the array that `pack` was given, as one that may be changed."""
    name, shape, data = packed
    dtype = np.dtype(getattr(ml_dtypes, name, name))
    return np.frombuffer(bytearray(data), dtype).reshape(shape)
