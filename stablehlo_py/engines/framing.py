"""Messages between an engine's child process and its parent: a length, then plain data and the bytes of arrays.

Arrays travel as data type, shape and bytes, so that both sides may have different versions of numpy.
"""

from __future__ import annotations

import pickle
from typing import Any, BinaryIO

import ml_dtypes
import numpy as np

_HEADER = 8  # bytes of the length in front of each message


def pack(array: np.ndarray) -> tuple[str, tuple[int, ...], bytes]:
    """An array as data that does not depend on numpy's version."""
    return array.dtype.name, array.shape, np.ascontiguousarray(array).tobytes()


def unpack(packed: tuple[str, tuple[int, ...], bytes]) -> np.ndarray:
    """The array that `pack` was given, as one that may be changed."""
    name, shape, data = packed
    dtype = np.dtype(getattr(ml_dtypes, name, name))
    return np.frombuffer(bytearray(data), dtype).reshape(shape)


def send(stream: BinaryIO, message: dict[str, Any]) -> None:
    """Write one message."""
    data = pickle.dumps(message, protocol=4)
    stream.write(len(data).to_bytes(_HEADER, "little"))
    stream.write(data)
    stream.flush()


def receive(stream: BinaryIO) -> dict[str, Any]:
    """Read the next message.

    Raises:
        EOFError: The other side is gone.
    """
    header = stream.read(_HEADER)
    size = int.from_bytes(header, "little")
    data = stream.read(size) if len(header) == _HEADER else b""
    if len(header) < _HEADER or len(data) < size:
        raise EOFError
    return pickle.loads(data)
