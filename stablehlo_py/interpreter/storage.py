"""Arrays in files of numpy and of safetensors; large ones are mapped into memory.

Element types that numpy lacks are stored in numpy's files as unsigned integers of their width in bytes. The library
called safetensors copies all elements and lacks bfloat16 for numpy. Its files consist of the length of a header in
eight bytes, the header in JSON, and the elements in the order of rows.
"""

from __future__ import annotations

import io
import json
import math
import os
import re
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import Any, BinaryIO, TypeGuard

import ml_dtypes
import numpy as np

from ..bindings.python_numbers import native
from ..errors import InputError
from ..isolation.files import read_stream
from ..syntax.spelling import hint

_NUMPY_KINDS = "biufc"
_MAGIC = b"\x93NUMPY"
_SHOWN = 5  # names in a message
_MAPPED = 1 << 20
"""From how many bytes on a file is mapped."""
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


def _is_numpys(dtype: np.dtype) -> bool:
    """Whether numpy's files know the type; ml_dtypes gives some of its own, f8E5M2 among them, numpy's kinds."""
    return dtype.kind in _NUMPY_KINDS and dtype.isbuiltin != 2


def as_stored(array: np.ndarray) -> np.ndarray:
    """Return the array as numpy's files can hold it."""
    return array if _is_numpys(array.dtype) else array.view(f"u{array.dtype.itemsize}")


def from_stored(array: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """Undo `as_stored` for a `dtype` that numpy lacks; return any other array unchanged."""
    is_stored_form = array.dtype.kind in "uV" and array.dtype.itemsize == dtype.itemsize
    return array.view(dtype) if not _is_numpys(dtype) and is_stored_form else array


def _damage() -> tuple[type[Exception], ...]:
    """Return the exceptions of numpy and the libraries below it for damaged files, besides OSError."""
    import struct
    import tokenize
    import zipfile
    import zlib

    # A package that Python can be built without.
    lzma = getattr(zipfile, "lzma", None)
    damaged_lzma = () if lzma is None else (lzma.LZMAError,)
    python = (ValueError, EOFError, TypeError, OverflowError, RuntimeError, MemoryError, KeyError, SyntaxError)
    return (*python, tokenize.TokenError, zipfile.BadZipFile, struct.error, zlib.error, *damaged_lzma)


def _numbers(array: object, path: str) -> np.ndarray:
    """`array` in this machine's byte order. Raises InputError where it holds no numbers."""
    if not isinstance(array, np.ndarray):
        raise InputError(f"'{path}' holds something other than arrays")
    is_bits = array.dtype.kind == "V" and array.dtype.names is None
    if array.dtype.kind not in _NUMPY_KINDS and not is_bits:
        raise InputError(f"'{path}' holds values of type {array.dtype}, expected numbers")
    return native(array)


@contextmanager
def _opened(path: str) -> Generator[BinaryIO]:
    """Give the file at `path`, or all that a pipe gives: numpy goes back and forth in it."""
    with open(path, "rb") as file:
        yield file if file.seekable() else io.BytesIO(read_stream(file, path))


def load_array(path: str) -> np.ndarray:
    """Return the array in an `.npy` file, mapped into memory if it is large. Raises `InputError`."""
    try:
        with _opened(path) as file:  # numpy leaves it open where it is damaged
            is_large = os.path.getsize(path) >= _MAPPED and file.read(len(_MAGIC)) == _MAGIC
            file.seek(0)
            array = np.asarray(np.load(path, "r")) if is_large else np.load(file, allow_pickle=False)
    except OSError as error:
        raise InputError(f"cannot read '{path}': {error.strerror if error.strerror else error}") from error
    except _damage() as error:
        raise InputError(f"'{path}' is not a numpy file: {error}") from error
    if isinstance(array, np.lib.npyio.NpzFile):
        raise InputError(f"'{path}' holds several arrays; --inputs takes it")
    return _numbers(array, path)


def load_arrays(path: str, parameters: Sequence[str] = (), part: slice = slice(None)) -> list[np.ndarray]:
    """Return the arrays in an `.npz` or `.safetensors` file, or in a folder of `.npy` files.

    They are in the order of `parameters` where those are their names, else by the numbers that their names end in; of
    these the ones in `part` are read. Raises `InputError`, also where the names tell no order.
    """
    if os.path.isdir(path):
        from pathlib import Path

        files = {file.stem: file for file in sorted(Path(path).glob("*.npy"))}
        return [load_array(str(files[name])) for name in _in_order(path, list(files), parameters)[part]]
    if path.endswith(".safetensors"):
        arrays = load_safetensors(path)
        return [arrays[name] for name in _in_order(path, list(arrays), parameters)[part]]
    try:
        with _opened(path) as file:
            archive = np.load(file, allow_pickle=False)
            if isinstance(archive, np.ndarray):
                raise InputError(f"'{path}' holds one array; --input takes it")
            names = list(archive.files)
            names = _in_order(path, names, parameters)
            return [_numbers(archive[name], path) for name in names[part]]
    except OSError as error:
        raise InputError(f"cannot read '{path}': {error.strerror if error.strerror else error}") from error
    except _damage() as error:
        why = "" if "pickle" in str(error) else f": {error}"  # which numpy takes any other file for
        raise InputError(f"'{path}' is not a numpy archive{why}") from error


def _in_order(path: str, names: list[str], parameters: Sequence[str]) -> list[str]:
    if set(names) == set(parameters):
        return list(parameters)
    missing = next((name for name in parameters if name not in names), None)
    others = [name for name in names if name not in parameters and not re.fullmatch(r"arr_\d+", name)]  # as numpy's
    guess = "" if missing is None else hint(missing, others)
    if guess or (missing is not None and not set(names).isdisjoint(parameters)):
        raise InputError(f"no array in '{path}' is called '{missing}'{guess}")
    if len(names) < 2:
        return names
    if all(re.fullmatch(r"\D*\d+", name) for name in names):
        return sorted(names, key=lambda name: int(re.sub(r"\D", "", name)))
    listed = _some(parameters)
    raise InputError(
        f"the names in '{path}' tell no order: {_some(names)}",
        notes=[f"name the arrays {listed}, or number them" if parameters else "number the arrays"],
    )


def _some(names: Sequence[str]) -> str:
    """The first names, and how many more there are."""
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more


def save_arrays(path: str, arrays: Sequence[np.ndarray]) -> bytes:
    """Return the contents of the `.npy` or `.npz` file called `path` that holds the arrays, for the caller to write.

    Raises `InputError` for another ending, and for other than one array in an `.npy` file.
    """
    from pathlib import Path

    buffer = io.BytesIO()
    suffix = Path(path).suffix
    if suffix == ".npz":
        np.savez(buffer, *map(as_stored, arrays), allow_pickle=False)
    elif suffix != ".npy":
        raise InputError(f"'{path}' ends in neither .npy nor .npz")
    elif len(arrays) != 1:
        raise InputError(f"an .npy file holds one array, not {len(arrays)}; use an .npz file")
    else:
        np.save(buffer, as_stored(arrays[0]), allow_pickle=False)
    return buffer.getvalue()


def load_safetensors(path: str) -> dict[str, np.ndarray]:
    """Return the arrays in a file by name, read-only. Raises `InputError`."""
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
        name: _array_of_entry(np.asarray(data), entry, f"'{name}' in '{os.fspath(path)}'")
        for name, entry in entries.items()
    }


def _array_of_entry(data: np.ndarray, entry: Any, what: str) -> np.ndarray:
    """Return the array that an entry of the header describes. Raises InputError."""
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
