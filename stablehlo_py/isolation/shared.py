"""Messages of a tool's child to its parent."""

from __future__ import annotations

import mmap
import os
from io import FileIO
from typing import NamedTuple

from .files import anonymous_file

NOTE_SIZE = 4096


class Shared(NamedTuple):
    """Messages of the child to its parent while it works: the number and the limit of the step, the stage, the flags
    that set its limits and a note of it, with zero bytes between them; the subject of the step; what C++ printed; the
    path of a file, a zero byte and what to write to it should the child crash."""

    note: mmap.mmap
    subject: FileIO
    printed: FileIO
    on_crash: FileIO

    def close(self) -> None:
        """Close all of them."""
        for each in self:
            each.close()


def shared_by_forks() -> Shared:
    """Return files that this process shares with its forks."""
    return Shared(mmap.mmap(-1, NOTE_SIZE), *map(anonymous_file, ("subject", "printed", "on_crash")))


def shared_in(folder: str) -> Shared:
    """Return the files in a folder that parent and child share; the first of them makes them."""
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0)
    names = ("note", "subject", "printed", "crash")
    note, *others = (FileIO(os.open(os.path.join(folder, name), flags, 0o600), "r+") for name in names)
    with note:
        note.truncate(NOTE_SIZE)
        return Shared(mmap.mmap(note.fileno(), NOTE_SIZE), *others)
