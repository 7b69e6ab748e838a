"""Files without a name, and streams whose end nobody knows."""

from __future__ import annotations

import os
import stat
from collections.abc import Generator
from contextlib import contextmanager, suppress
from typing import BinaryIO

from ..errors import InputError
from .limits import MEMORY_VARIABLE, limits, memory_notes

# Limits of reading a device or a pipe, whose end nobody knows: bytes, or a part of the limit of memory.
_DEVICE_BYTES, _PIPE_BYTES, _PART_OF_MEMORY = 1 << 26, 1 << 30, 4
_CHUNK = 1 << 20


def anonymous_file(name: str) -> int:
    """Return the descriptor of a file without a name; the system deletes it after the last close."""
    if hasattr(os, "memfd_create"):
        return os.memfd_create(name)
    import tempfile

    with tempfile.TemporaryFile() as file:
        return os.dup(file.fileno())


@contextmanager
def shared_file(name: str) -> Generator[tuple[int, str]]:
    """Make a file for the time of the `with` block: its descriptor, and a path for other processes of the user."""
    descriptor = anonymous_file(name)
    path = f"/proc/{os.getpid()}/fd/{descriptor}"
    if os.path.exists(path):
        try:
            yield descriptor, path
        finally:
            os.close(descriptor)
        return
    os.close(descriptor)
    import tempfile

    descriptor, path = tempfile.mkstemp(prefix="stablehlo_py.")
    try:
        yield descriptor, path
    finally:
        os.close(descriptor)
        os.unlink(path)


def read_all(descriptor: int) -> bytes:
    """The contents of an anonymous file."""
    size = os.fstat(descriptor).st_size
    os.lseek(descriptor, 0, os.SEEK_SET)
    parts: list[bytes] = []
    while size > 0 and (part := os.read(descriptor, size)):
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def replace_all(descriptor: int, data: bytes) -> None:
    """Makes `data` the contents of an anonymous file."""
    os.ftruncate(descriptor, 0)
    os.lseek(descriptor, 0, os.SEEK_SET)
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


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
        memory = limits().memory_bytes
        return _read_within(file, name, most if memory is None else int(memory) // _PART_OF_MEMORY)
    except MemoryError:
        message = f"cannot open input file '{name}': it does not fit into memory"
        raise InputError(message, notes=memory_notes()) from None


def _read_within(file: BinaryIO, name: str, limit: int) -> bytes:
    chunks: list[bytes] = []
    size = 0
    while chunk := file.read(_CHUNK):
        chunks.append(chunk)
        size += len(chunk)
        if size > limit:
            message = f"cannot open input file '{name}': it is a device or a pipe and gives more than {limit} bytes"
            raise InputError(message, notes=[f"a quarter of --guard-memory=BYTES or {MEMORY_VARIABLE} sets the limit"])
    return b"".join(chunks)
