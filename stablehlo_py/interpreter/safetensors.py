"""Files in the form of safetensors. Arrays are mapped into memory, so that unused elements are not read.

The library of that name copies all elements and lacks bfloat16 for numpy. A file consists of the length of a header in
eight bytes, the header in JSON, and the elements in the order of rows.
"""

from __future__ import annotations

import math
import os
from typing import Any, TypeGuard

import ml_dtypes
import numpy as np

from ..errors import InputError

_LENGTH = 8
_LONGEST_HEADER = 100_000_000  # as the library has it
_DTYPES: dict[str, Any] = {
    "BOOL": np.bool_,
    **{f"{kind}{8 * size}": f"{kind.lower()}{size}" for size in (1, 2, 4, 8) for kind in "UI"},
    **{f"F{8 * size}": f"f{size}" for size in (2, 4, 8)},
    "C64": np.complex64,
    "BF16": ml_dtypes.bfloat16,
    "F8_E4M3": ml_dtypes.float8_e4m3fn,
    "F8_E5M2": ml_dtypes.float8_e5m2,
    "F8_E8M0": ml_dtypes.float8_e8m0fnu,
}


def load_safetensors(path: str) -> dict[str, np.ndarray]:
    """The arrays in a file by name, read-only. Raises `InputError`."""
    import json

    try:
        size = os.path.getsize(path)
        with open(path, "rb") as file:
            length = int.from_bytes(file.read(_LENGTH), "little")
            if not length <= min(size - _LENGTH, _LONGEST_HEADER):
                raise InputError(f"'{path}' is not a safetensors file: its header does not end in it")
            header = json.loads(file.read(length))
        start = _LENGTH + length
        data = np.memmap(path, np.uint8, "r", start) if size > start else np.empty(0, np.uint8)
    except OSError as error:
        raise InputError(f"cannot read '{path}': {error.strerror if error.strerror else error}") from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"'{path}' is not a safetensors file: {error}") from error
    if not isinstance(header, dict):
        raise InputError(f"'{path}' is not a safetensors file: its header is no object")
    entries = {str(name): entry for name, entry in header.items() if name != "__metadata__"}
    return {
        name: _array(np.asarray(data), entry, f"'{name}' in '{os.fspath(path)}'") for name, entry in entries.items()
    }


def _array(data: np.ndarray, entry: Any, what: str) -> np.ndarray:
    """The array that an entry of the header describes. Raises InputError."""
    fields = entry if isinstance(entry, dict) else {}
    name, shape, offsets = fields.get("dtype"), fields.get("shape"), fields.get("data_offsets")
    if name not in _DTYPES:
        raise InputError(f"{what} is of type {name}, expected one of {', '.join(_DTYPES)}")
    dtype = np.dtype(_DTYPES[name])
    if not (_are_sizes(shape) and _are_sizes(offsets) and len(offsets) == 2):
        raise InputError(f"{what} has no shape, or no offset in the file")
    first, last = offsets
    if not first <= last <= data.size or last - first != math.prod(shape) * dtype.itemsize:
        raise InputError(f"{what} is at bytes {first} to {last} of {data.size}, which is not where {name}{shape} fits")
    return data[first:last].view(dtype).reshape(shape)


def _are_sizes(values: Any) -> TypeGuard[list[int]]:
    return isinstance(values, list) and all(type(value) is int and value >= 0 for value in values)
