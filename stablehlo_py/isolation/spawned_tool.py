"""A tool's child on systems that cannot fork: a new interpreter that runs the same command.

Parent and child talk through files in a folder of their own, which is deleted when the tool ends.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from io import FileIO

from .commands import python_command
from .limits import memory_kills
from .process import Process

# The child looks for modules where the parent does.
_COMMAND = "import sys; sys.path[:] = {path!a}; from {room}.tool import join; join({folder!a}, {parent}); {entry}"


class _Started(subprocess.Popen[bytes], Process):
    """A program that was started, with a file in place of a pipe."""

    def __init__(self, command: list[str], pipe: FileIO) -> None:
        self._kills = memory_kills()
        super().__init__(command)
        self._pipe = pipe

    def ended_within(self, seconds: float) -> int | None:
        try:
            return self.wait(seconds)
        except subprocess.TimeoutExpired:
            return None

    def read(self) -> bytes:
        return self._pipe.readall()


def files_in(folder: str) -> list[FileIO]:
    """The files of a folder that parent and child share: in place of the pipe, for what C++ prints, and for a text."""
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0)
    return [FileIO(os.open(os.path.join(folder, name), flags, 0o600), "r+") for name in ("told", "printed", "text")]


@contextmanager
def started(entry: str) -> Generator[tuple[_Started, FileIO, FileIO]]:
    """Start the command of this process in a new interpreter, where `entry` is the code that runs the tool."""
    with tempfile.TemporaryDirectory(prefix="stablehlo_py.", ignore_cleanup_errors=True) as folder:
        path = [each if each else os.getcwd() for each in sys.path]
        code = _COMMAND.format(path=path, room=__package__, folder=folder, parent=os.getpid(), entry=entry)
        told, printed, text = files_in(folder)
        with told, printed, text:
            yield _Started(python_command("-c", code, *sys.argv[1:]), told), printed, text
