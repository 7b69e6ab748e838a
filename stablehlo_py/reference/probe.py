"""Values written out while a program runs: one `.npy` file each, and `index.csv` that lists them.

A line of the index is `probe_id,type,file`. Files are numbered in the order of writing, because a probe's name may
not be one for a file.
"""

from __future__ import annotations

import itertools
import threading
from pathlib import Path

import numpy as np

from ..bindings.types import TensorType
from ..errors import InputError, InterpreterError
from .storage import as_stored, from_stored

INDEX = "index.csv"


class ProbeDirectory:
    """Where the probes of one program write. A previous run's index is removed first."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._serial = itertools.count(1)
        self._lock = threading.Lock()
        try:
            path.mkdir(parents=True, exist_ok=True)
            (path / INDEX).unlink(missing_ok=True)
        except OSError as error:
            raise InputError(f"cannot write probes to {path}: {error.strerror}") from error

    def write(self, probe_id: str, type_: TensorType, value: np.ndarray) -> None:
        """Adds a file with the value, as `as_stored` has it, and a line to the index."""
        static = TensorType(value.shape, type_.element_type)
        with self._lock:
            file = self.path / f"probe{next(self._serial)}.npy"
            np.save(file, as_stored(value), allow_pickle=False)
            with (self.path / INDEX).open("a", encoding="utf-8") as index:
                index.write(f"{probe_id},{static},{file}\n")


def read_probe(path: Path, probe_id: str, iteration: int, type_: TensorType) -> np.ndarray:
    """The value that a probe wrote when it ran for the `iteration`-th time (from 0), as an array of `type_`.

    Raises `InterpreterError` when the index has no such line, or its type is another one.
    """
    try:
        lines = (path / INDEX).read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise InterpreterError(f"no probe has written to {path}") from error
    entries = [line[len(probe_id) + 1 :] for line in lines if line.startswith(f"{probe_id},")]
    if iteration >= len(entries):
        raise InterpreterError(
            f"probe '{probe_id}' was written {len(entries)} times, iteration {iteration} does not exist"
        )
    written_type, _, file = entries[iteration].rpartition(",")
    if written_type != str(type_):
        raise InterpreterError(f"probe '{probe_id}' wrote {written_type}, not {type_}")
    return from_stored(np.load(file, allow_pickle=False), type_.dtype)
