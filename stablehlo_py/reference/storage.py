"""Arrays in numpy's files. Element types that numpy lacks are stored as unsigned integers of their width in bytes."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ..errors import InputError

_NUMPY_KINDS = "biufc"
_NUMBERED = re.compile(r"\D*(\d+)")


def as_stored(array: np.ndarray) -> np.ndarray:
    """The array as numpy's files can hold it."""
    return array if array.dtype.kind in _NUMPY_KINDS else array.view(f"u{array.dtype.itemsize}")


def from_stored(array: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """The array as it was before `as_stored`, where `dtype` is one that numpy lacks; otherwise unchanged."""
    is_stored_form = array.dtype.kind in "uV" and array.dtype.itemsize == dtype.itemsize
    return array.view(dtype) if dtype.kind not in _NUMPY_KINDS and is_stored_form else array


def load_array(path: str) -> np.ndarray:
    """The array in an `.npy` file. Raises `InputError`."""
    try:
        array = np.load(path, allow_pickle=False)
    except OSError as error:
        raise InputError(f"cannot read '{path}': {error.strerror if error.strerror else error}") from error
    except (ValueError, EOFError) as error:
        raise InputError(f"'{path}' is not a file of numpy's: {error}") from error
    if not isinstance(array, np.ndarray):
        raise InputError(f"'{path}' holds several arrays; --inputs takes it")
    return array


def load_arrays(path: str) -> list[np.ndarray]:
    """The arrays in an `.npz` file: by number where all names end in one, else in the file's order."""
    try:
        archive = np.load(path, allow_pickle=False)
        if isinstance(archive, np.ndarray):
            raise InputError(f"'{path}' holds one array; --input takes it")
        with archive:
            names = list(archive.files)
            numbers = [_NUMBERED.fullmatch(name) for name in names]
            if all(numbers):
                names.sort(key=lambda name: int(_NUMBERED.sub(r"\1", name)))
            return [archive[name] for name in names]
    except OSError as error:
        raise InputError(f"cannot read '{path}': {error.strerror if error.strerror else error}") from error
    except (ValueError, EOFError, zipfile.BadZipFile) as error:
        raise InputError(f"'{path}' is not an archive of numpy's: {error}") from error


def save_arrays(path: str, arrays: Sequence[np.ndarray]) -> bytes:
    """The contents of the `.npy` or `.npz` file called `path` that holds the arrays, for the caller to write.

    Raises `InputError` for another ending, and for other than one array in an `.npy` file.
    """
    import io

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
