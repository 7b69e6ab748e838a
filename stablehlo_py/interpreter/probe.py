"""Values written out while a program runs: one `.npy` file each, and `index.csv` that lists them.

A line of the index is `probe_id,type,file`; what would end a line is escaped in the id.
Files are numbered in the order of writing, because a probe's name may not be one for a file. Several runs can write to
one folder at once: each file is created by one of them, and each line is written at once.
"""

from __future__ import annotations

import io
import itertools
import os
import re
import threading
import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ..bindings.types import TensorType
from ..errors import InputError, InterpreterError, StablehloError
from ..syntax.tables import table
from .storage import as_stored, from_stored, load_array

if TYPE_CHECKING:
    from pathlib import Path

INDEX = "index.csv"
_FILE = re.compile(r"probe\d+\.npy")
_SPECIAL = re.compile(r"[\\\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
# Neither follows a link that somebody else has put there, nor hands the file to programs that are started.
_SAFE = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)


def _field(probe_id: str) -> str:
    """`probe_id` as a field of the index."""
    return _SPECIAL.sub(lambda found: "\\\\" if found[0] == "\\" else f"\\u{ord(found[0]):04x}", probe_id)


def _write(path: Path, flags: int, data: bytes) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | flags | _SAFE, 0o666)
    with open(descriptor, "wb", buffering=0) as file:
        left = memoryview(data)
        while left:
            left = left[file.write(left) :]


class ProbeDirectory:
    """The folder of one program's probes. Files of a previous run are removed first, unless it is still running."""

    _in_this_process: ClassVar[weakref.WeakSet[ProbeDirectory]] = weakref.WeakSet()

    def __init__(self, path: Path) -> None:
        self.path = path
        self._serial = itertools.count(1)
        self._lock = threading.Lock()
        self._release: Callable[[], object] | None = None
        try:
            path.mkdir(parents=True, exist_ok=True)
            if self._is_alone():
                for entry in os.scandir(path):
                    if entry.name == INDEX or _FILE.fullmatch(entry.name):
                        os.unlink(entry.path)
        except OSError as error:
            raise self._failure(error) from error
        self._in_this_process.add(self)

    def _failure(self, error: OSError) -> InputError:
        return InputError(f"cannot write probes to {self.path}: {error.strerror}")

    def _is_alone(self) -> bool:
        """Whether no other process writes here. From now on, others see that this one does."""
        try:
            import fcntl
        except ImportError:  # Windows
            return True
        for other in list(self._in_this_process):
            if other.path == self.path and other._release is not None:
                other._release()
        claim = os.open(self.path, os.O_RDONLY)
        self._release = weakref.finalize(self, os.close, claim)
        try:
            fcntl.flock(claim, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        finally:
            fcntl.flock(claim, fcntl.LOCK_SH)
        return True

    def write(self, probe_id: str, type_: TensorType, value: np.ndarray) -> None:
        """Add a file with the value, as `as_stored` has it, and a line to the index. Raises InputError."""
        static = TensorType(value.shape, type_.element_type)
        buffer = io.BytesIO()
        np.save(buffer, as_stored(value), allow_pickle=False)
        try:
            with self._lock:
                file = self._new_file(buffer.getvalue())
                line = f"{_field(probe_id)},{static},{file}".replace("\n", "\\u000a") + "\n"
                _write(self.path / INDEX, os.O_APPEND, os.fsencode(line))
        except OSError as error:
            raise self._failure(error) from error

    def _new_file(self, data: bytes) -> Path:
        while True:
            file = self.path / f"probe{next(self._serial)}.npy"
            try:
                _write(file, os.O_EXCL, data)
            except FileExistsError:
                continue
            return file


def read_probe(path: Path, probe_id: str, iteration: int, type_: TensorType) -> np.ndarray:
    """Return the value that a probe wrote when it ran for the `iteration`-th time (from 0), as an array of `type_`.

    Raises `InterpreterError` when the index has no such line, or its type is another one.
    """
    entries = [entry for entry in _entries(path, InterpreterError) if entry[0] == _field(probe_id)]
    if iteration >= len(entries):
        raise InterpreterError(
            f"probe '{probe_id}' was written {len(entries)} times, iteration {iteration} does not exist"
        )
    _, written_type, name = entries[iteration]
    if written_type != str(type_):
        raise InterpreterError(f"probe '{probe_id}' wrote {written_type}, not {type_}")
    return from_stored(_load(path, name, InterpreterError), type_.dtype)


class Probes(dict[str, list[np.ndarray]]):
    """Values that probes wrote, by id, in the order of writing."""

    def __repr__(self) -> str:
        return f"<Probes: {', '.join(f'{name} ({len(values)})' for name, values in self.items())}>"

    def _repr_html_(self) -> str:
        rows = [
            (name, number, f"{value.dtype.name}{list(value.shape)}", np.array2string(value, threshold=8))
            for name, values in self.items()
            for number, value in enumerate(values)
        ]
        return table("probes", ("id", "time", "type", "value"), rows)


def read_probes(path: str | os.PathLike[str]) -> Probes:
    """Read all that probes wrote to a folder.

    Args:
        path: The folder, `probe_directory` of `stablehlo_py.load`.

    Returns:
        The values by id; of types that numpy lacks as they are stored.

    Raises:
        InputError: No probe has written there, or the index names what no probe has written.
    """
    from pathlib import Path

    folder = Path(path)
    found = Probes()
    for probe_id, _, name in _entries(folder, InputError):
        found.setdefault(probe_id, []).append(_load(folder, name, InputError))
    return found


def _entries(path: Path, failure: type[StablehloError]) -> list[tuple[str, str, str]]:
    """Return the lines of the index."""
    try:
        lines = (path / INDEX).read_text(encoding="utf-8", errors="replace").split("\n")
    except OSError as error:
        raise failure(f"no probe has written to {path}") from error
    return [_entry(line) for line in lines if line]


def _load(path: Path, name: str, failure: type[StablehloError]) -> np.ndarray:
    if not _FILE.fullmatch(name) or (path / name).is_symlink():
        raise failure(f"the index in {path} names '{name}', which no probe has written")
    return load_array(str(path / name))


def _entry(line: str) -> tuple[str, str, str]:
    """Return the id, the type and the name of the file in a line of the index; ids and folders can hold commas."""
    name = re.split(r"[/\\,]", line)[-1]
    head = line[: -len(name)].rpartition(">,")[0]
    probe_id, _, written_type = head.rpartition(",tensor<")
    return probe_id, f"tensor<{written_type}>", name
