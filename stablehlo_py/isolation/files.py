"""Files without a name, and streams whose end nobody knows."""

from __future__ import annotations

import os
import stat
from collections.abc import Generator
from contextlib import contextmanager, suppress
from io import FileIO
from typing import BinaryIO

from ..errors import InputError
from .limits import MEMORY_VARIABLE, limits, memory_notes

# Limits of reading a device or a pipe, whose end nobody knows: bytes, or a part of the limit of memory.
_DEVICE_BYTES, _PIPE_BYTES, _PART_OF_MEMORY = 1 << 26, 1 << 30, 4
_CHUNK = 1 << 20


def anonymous_file(name: str) -> FileIO:
    """Return a file without a name; the system deletes it after the last close."""
    if hasattr(os, "memfd_create"):
        return FileIO(os.memfd_create(name), "w+")
    import tempfile

    with tempfile.TemporaryFile() as file:
        return FileIO(os.dup(file.fileno()), "r+")


@contextmanager
def shared_file(name: str) -> Generator[tuple[FileIO, str]]:
    """Make a file for the time of the `with` block, with a path for other processes of the user."""
    with anonymous_file(name) as file:
        path = f"/proc/{os.getpid()}/fd/{file.fileno()}"
        if os.path.exists(path):
            yield file, path
            return
    import tempfile

    descriptor, path = tempfile.mkstemp(prefix="stablehlo_py.")
    try:
        with FileIO(descriptor, "r+") as file:
            yield file, path
    finally:
        os.unlink(path)


def read_all(file: FileIO) -> bytes:
    """The contents of an anonymous file."""
    file.seek(0)
    return file.readall()


def read_stream(file: BinaryIO, name: str) -> bytes:
    """Return the contents of a file, of a device or of a pipe that is called `name`.

    Raises:
        InputError: A device or a pipe gives more than its limit, or a file does not fit into memory.
    """
    try:
        most = _PIPE_BYTES
        with suppress(OSError):  # bytes in memory have no descriptor
            about = os.fstat(file.fileno())
            if stat.S_ISREG(about.st_mode) and about.st_size:  # the system's own files do not tell their size
                return file.read()
            most = _DEVICE_BYTES if stat.S_ISCHR(about.st_mode) else _PIPE_BYTES
        memory, data = limits().memory_bytes, bytearray()
        limit = most if memory is None else memory // _PART_OF_MEMORY
        while chunk := file.read(_CHUNK):
            data += chunk
            if len(data) > limit:
                message = f"cannot open input file '{name}': it is a device or a pipe and gives more than {limit} bytes"
                notes = [f"a quarter of --guard-memory=BYTES or {MEMORY_VARIABLE} sets the limit"]
                raise InputError(message, notes=notes)
        return bytes(data)
    except MemoryError:
        message = f"cannot open input file '{name}': it does not fit into memory"
        raise InputError(message, notes=memory_notes()) from None
