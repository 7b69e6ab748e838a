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
from .tool import Teller, join

# The child looks for modules where the parent does.
_COMMAND = "import sys; sys.path[:] = {path!a}; from {module} import join_in; join_in({folder!a}, {parent}); {entry}"


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


def _files(folder: str) -> tuple[FileIO, Teller]:
    """The files of a folder that parent and child share: the one in place of the pipe, and the others."""
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0)
    descriptors = [os.open(os.path.join(folder, name), flags, 0o600) for name in ("told", "printed", "text")]
    told, printed, text = [FileIO(descriptor, "r+") for descriptor in descriptors]
    return told, Teller(printed, text)


@contextmanager
def started(entry: str) -> Generator[tuple[_Started, Teller]]:
    """Start the command of this process in a new interpreter, where `entry` is the code that runs the tool."""
    with tempfile.TemporaryDirectory(prefix="stablehlo_py.", ignore_cleanup_errors=True) as folder:
        path = [each if each else os.getcwd() for each in sys.path]
        code = _COMMAND.format(path=path, module=__name__, folder=folder, parent=os.getpid(), entry=entry)
        told, teller = _files(folder)
        with told, teller.printed, teller.text:
            yield _Started(python_command("-c", code, *sys.argv[1:]), told), teller


def join_in(folder: str, parent: int) -> None:
    """Make this process the child of `parent`, which shares `folder` with it."""
    told, teller = _files(folder)
    with told:
        teller.pipe, teller.parent = os.dup(told.fileno()), parent
    join(teller)
