"""Becomes a command that ends with process `PARENT`: `python launcher.py PARENT COMMAND…`.

So no Python code runs between the fork of a process that has threads, and the command.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys

_SET_PARENT_DEATH_SIGNAL = 1  # prctl's PR_SET_PDEATHSIG


def die_with_parent(parent: int) -> None:
    """Make Linux end this process when process `parent`, which started it, ends in any way."""
    if sys.platform.startswith("linux"):
        ctypes.CDLL(None).prctl(_SET_PARENT_DEATH_SIGNAL, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


if __name__ == "__main__":
    die_with_parent(int(sys.argv[1]))
    os.execvp(sys.argv[2], sys.argv[2:])
