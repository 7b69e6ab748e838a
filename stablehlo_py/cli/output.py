"""Output files, which appear whole or not at all."""

from __future__ import annotations

import os
import sys
from contextlib import suppress

from ..errors import InputError


class Output:
    """An output file, or standard output for `-`; a file appears when `commit` is called, whole or not at all."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._parts: list[bytes] = []

    def write(self, data: bytes) -> None:
        if self.path == "-":
            sys.stdout.buffer.write(data)
        else:
            self._parts.append(data)

    def commit(self) -> None:
        """Make what was written visible. Raises InputError where the file cannot be written."""
        if self.path == "-":
            sys.stdout.buffer.flush()
            return
        write_file(self.path, b"".join(self._parts), "cannot open output file")


def write_output(path: str, data: bytes) -> None:
    """Write a file, or standard output for `-`. Raises InputError if it cannot be written."""
    output = Output(path)
    output.write(data)
    output.commit()


def write_file(path: str, data: bytes, problem: str = "cannot write") -> None:
    """The same as `write_whole`; raises InputError with `problem`, the path and the reason if it cannot be written."""
    try:
        write_whole(path, data)
    except OSError as error:
        raise InputError(f"{problem} '{path}': {error.strerror}") from None


def write_whole(path: str, data: bytes) -> None:
    """Write the file at `path` in one step: readers see the old contents or the new. Raises OSError."""
    if os.path.exists(path) and not os.path.isfile(path):  # a device or a pipe cannot be replaced
        with open(path, "wb") as device:
            device.write(data)
        return
    target = os.path.realpath(path)
    _remove_remains(target)
    temporary = _temporary_name(target, os.getpid())
    locks: list[int] = []
    try:  # a signal can come at any point
        descriptor = _create(temporary)
        if os.name != "nt":  # which renames no file that is open
            locks.append(os.dup(descriptor))
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        os.chmod(temporary, _file_mode(target))
        os.replace(temporary, target)
    except FileExistsError:  # of another process, in another container
        raise
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise
    finally:
        for lock in locks:
            os.close(lock)


def _create(path: str) -> int:
    """Return the descriptor of a new file that this process has locked, so that no other one takes it for remains."""
    while True:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
        _lock(descriptor, wait=True)
        if os.name == "nt" or os.fstat(descriptor).st_nlink:
            return descriptor
        os.close(descriptor)  # removed by another process between the two calls


def _temporary_name(target: str, process: int) -> str:
    """Return the name of the file that `process` writes until it is whole."""
    name = os.path.basename(target)[:200]  # a name can have 255 bytes
    return os.path.join(os.path.dirname(target), f".{name}.{process}.part")


def _remove_remains(target: str) -> None:
    """Remove what processes that were killed while they wrote `target` left behind."""
    prefix, ending = os.path.basename(_temporary_name(target, 0)).split("0.part")[0], ".part"
    folder = os.path.dirname(target)
    with suppress(OSError):
        for name in os.listdir(folder):
            if not (name.startswith(prefix) and name.endswith(ending) and name[len(prefix) : -len(ending)].isdigit()):
                continue
            path = os.path.join(folder, name)
            descriptor = os.open(path, os.O_RDWR | getattr(os, "O_NOFOLLOW", 0))
            try:  # its process may have finished it by now, and begun another of that name
                if _lock(descriptor) and os.path.samestat(os.fstat(descriptor), os.stat(path)):
                    os.unlink(path)
            finally:
                os.close(descriptor)


def _lock(descriptor: int, *, wait: bool = False) -> bool:
    """Whether this process has locked the file now; no process has where files cannot be locked."""
    try:
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except (ImportError, OSError):
        return False
    return True


def _file_mode(path: str) -> int:
    """Return the mode of the file at `path`, or the one that a new file gets."""
    try:
        return os.stat(path).st_mode & 0o7777
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask
