"""A tool's child on systems that cannot fork: a new interpreter that runs the same command.

Parent and child talk through files in a folder of their own, which is deleted when the tool ends.
"""

from __future__ import annotations

import mmap
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from signal import signal

from .limits import memory_kills
from .tool import KILL, NOTE_SIZE, SECONDS_BETWEEN_LOOKS, Report, Shared, Watch, join

# The child looks for modules where the parent does.
_COMMAND = "import sys; sys.path[:] = {path!a}; from {module} import join_in; join_in({folder!a}, {parent}); {entry}"


def run_again(entry: str, signals: Sequence[int], report: Report) -> int:
    """Return the exit code of this process's command, run in a new interpreter that this process watches.

    Args:
        entry: The code that runs the tool.
        signals: The signals to pass on.
        report: Says how the child died, and returns the exit code for that.
    """
    with tempfile.TemporaryDirectory(prefix="stablehlo_py.", ignore_cleanup_errors=True) as folder:
        shared, kills = _share(folder), memory_kills()
        path = [folder if folder else os.getcwd() for folder in sys.path]
        code = _COMMAND.format(path=path, module=__name__, folder=folder, parent=os.getpid(), entry=entry)
        process = subprocess.Popen([sys.executable, "-P", "-c", code, *sys.argv[1:]])
        try:
            return _SpawnWatch(process, shared, kills, report).wait(signals)
        finally:
            _close(shared)


def join_in(folder: str, parent: int) -> None:
    """Make this process the child of `parent`, which shares `folder` with it."""
    join(_share(folder), parent)


def _share(folder: str) -> Shared:
    """The files that parent and child share; the first of them makes them."""
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0)
    names = ("note", "subject", "printed", "crash")
    note, *others = (os.open(os.path.join(folder, name), flags, 0o600) for name in names)
    os.ftruncate(note, NOTE_SIZE)
    try:
        return Shared(mmap.mmap(note, NOTE_SIZE), *others)
    finally:
        os.close(note)


def _close(shared: Shared) -> None:
    shared.note.close()
    for descriptor in (shared.subject, shared.printed, shared.on_crash):
        os.close(descriptor)


class _SpawnWatch(Watch):
    """The parent's side of a process that was started, not forked."""

    def __init__(self, process: subprocess.Popen[bytes], shared: Shared, kills: int, report: Report) -> None:
        super().__init__(process.pid, shared, kills, report)
        self.process = process

    def wait(self, signals: Sequence[int]) -> int:
        for number in signals:
            signal(number, self.pass_on)
        while True:
            try:
                return self.finish(self.process.wait(SECONDS_BETWEEN_LOOKS))
            except subprocess.TimeoutExpired:
                self.look_at_the_time()

    def send(self, number: int) -> None:
        if number == KILL:
            self.process.kill()
        elif os.name != "nt":  # its console tells both processes of Ctrl-C
            self.process.send_signal(number)
