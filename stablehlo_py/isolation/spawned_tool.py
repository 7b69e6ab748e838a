"""A tool's child on systems that cannot fork: a new interpreter that runs the same command.

Parent and child talk through files in a folder of their own, which is deleted when the tool ends.
"""

from __future__ import annotations

import mmap
import os
import subprocess
import sys
import tempfile
from collections.abc import Generator
from contextlib import closing, contextmanager
from io import FileIO

from .tool import NOTE_SIZE, Shared, join

# The child looks for modules where the parent does.
_COMMAND = "import sys; sys.path[:] = {path!a}; from {module} import join_in; join_in({folder!a}, {parent}); {entry}"


class _Process(subprocess.Popen[bytes]):
    """A process that is waited for as a `Child`."""

    def ended_within(self, seconds: float) -> int | None:
        try:
            return self.wait(seconds)
        except subprocess.TimeoutExpired:
            return None


@contextmanager
def started(entry: str) -> Generator[tuple[_Process, Shared]]:
    """Start the command of this process in a new interpreter, where `entry` is the code that runs the tool."""
    with tempfile.TemporaryDirectory(prefix="stablehlo_py.", ignore_cleanup_errors=True) as folder:
        path = [each if each else os.getcwd() for each in sys.path]
        code = _COMMAND.format(path=path, module=__name__, folder=folder, parent=os.getpid(), entry=entry)
        with closing(_share(folder)) as shared:
            yield _Process([sys.executable, "-P", "-c", code, *sys.argv[1:]]), shared


def join_in(folder: str, parent: int) -> None:
    """Make this process the child of `parent`, which shares `folder` with it."""
    join(_share(folder), parent)


def _share(folder: str) -> Shared:
    """The files that parent and child share; the first of them makes them."""
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0)
    names = ("note", "subject", "printed", "crash")
    note, *others = (FileIO(os.open(os.path.join(folder, name), flags, 0o600), "r+") for name in names)
    with note:
        note.truncate(NOTE_SIZE)
        return Shared(mmap.mmap(note.fileno(), NOTE_SIZE), *others)
