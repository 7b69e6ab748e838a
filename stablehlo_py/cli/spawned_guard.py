"""The guard's child on systems that cannot fork: a new interpreter that runs the same command.

Parent and child talk through files in a folder of their own, which is gone when the tool ends.
"""

from __future__ import annotations

import mmap
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from signal import signal

from ..processes import memory_kills
from .guard import KILL, NOTE_SIZE, SECONDS_BETWEEN_LOOKS, Shared, Watch, join
from .messages import finish

# `stablehlo-opt` is `stablehlo_py.cli.stablehlo_opt`. The child looks for modules where the parent does.
_COMMAND = (
    "import sys; sys.path[:] = {path!a}; from stablehlo_py.cli import {entry}, spawned_guard; "
    "spawned_guard.join_in({folder!a}, {parent}); {entry}()"
)


def run_again(tool: str, signals: Sequence[int], failed: int) -> int:
    """Return the exit code of the tool's command, run in a new interpreter that this process watches.

    Args:
        tool: The name of the tool, one of the package's.
        signals: The signals to pass on.
        failed: The exit code for a crash, and for work that takes too long.
    """
    with tempfile.TemporaryDirectory(prefix="stablehlo_py.", ignore_cleanup_errors=True) as folder:
        shared, kills = _share(folder), memory_kills()
        path = [entry if entry else os.getcwd() for entry in sys.path]
        code = _COMMAND.format(path=path, entry=tool.replace("-", "_"), folder=folder, parent=os.getpid())
        process = subprocess.Popen([sys.executable, "-P", "-c", code, *sys.argv[1:]])
        watch = _SpawnWatch(tool, process, shared, kills, failed)
        try:
            exit_code = watch.wait(signals)
        finally:
            _close(shared)
    if watch.has_spoken:
        finish(tool)
    return exit_code


def join_in(folder: str, parent: int) -> None:
    """Makes this process the child of `parent`, which shares `folder` with it."""
    join(_share(folder), parent)


def _share(folder: str) -> Shared:
    """The files that parent and child share; the first of them makes them."""
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0)
    note, *others = (os.open(os.path.join(folder, name), flags, 0o600) for name in ("note", "text", "printed", "crash"))
    os.ftruncate(note, NOTE_SIZE)
    try:
        return Shared(mmap.mmap(note, NOTE_SIZE), *others)
    finally:
        os.close(note)


def _close(shared: Shared) -> None:
    shared.note.close()
    for descriptor in (shared.text, shared.printed, shared.on_crash):
        os.close(descriptor)


class _SpawnWatch(Watch):
    """The parent's side of a process that was started, not forked."""

    def __init__(self, tool: str, process: subprocess.Popen[bytes], shared: Shared, kills: int, failed: int) -> None:
        super().__init__(tool, process.pid, shared, kills, failed)
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
