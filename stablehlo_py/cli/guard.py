"""Keeps a tool's promise of one clear message when the compiler itself crashes.

The work runs in a child process; where that dies of a signal, the parent says what it was doing. On systems without
fork the work runs in the process itself.
"""

from __future__ import annotations

import mmap
import os
import signal
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..syntax.source import Source

_NOTE_SIZE = 4096
# Signals that people and other programs send to end a tool: the child ends, and the parent with it.
_FORWARDED = ("SIGTERM", "SIGHUP", "SIGQUIT")
_FROM_OUTSIDE = ("SIGINT", "SIGPIPE", "SIGKILL", *_FORWARDED)

_note: mmap.mmap | None = None
# A file without a name that holds the name of a source, a zero byte, and its text; -1 where there is none.
_text: int = -1


def doing(activity: str, source: Source | None = None) -> None:
    """Notes what the tool is about to do, for the message about a crash: `parsing a.mlir`. With `source`, its text is
    searched for the op that crashes the compiler."""
    if _note is None:
        return
    data = activity.encode("utf-8", "replace")[: _NOTE_SIZE - 1]
    _note.seek(0)
    _note.write(data.ljust(_NOTE_SIZE, b"\0"))
    if _text >= 0:
        os.ftruncate(_text, 0)
        if source is not None and not source.is_bytecode:
            os.pwrite(_text, source.name.encode("utf-8", "replace") + b"\0" + source.data, 0)


def run_guarded(tool: str, work: Callable[[], int]) -> int:
    """The exit code of `work()`, which runs in a child process where that is possible. A crash is exit code 1."""
    global _note, _text
    if not hasattr(os, "fork"):
        return work()
    _note = mmap.mmap(-1, _NOTE_SIZE)
    if hasattr(os, "memfd_create"):
        _text = os.memfd_create("source")
    sys.stdout.flush()
    sys.stderr.flush()
    child = os.fork()
    if child == 0:
        os._exit(work())
    return _wait(tool, child)


def _wait(tool: str, child: int) -> int:
    def forward(number: int, _frame: object) -> None:
        os.kill(child, number)

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the terminal sends it to the child as well
    for name in _FORWARDED:
        signal.signal(getattr(signal, name), forward)
    _, status = os.waitpid(child, 0)
    if not os.WIFSIGNALED(status):
        return os.WEXITSTATUS(status)
    number = os.WTERMSIG(status)
    name = signal.Signals(number).name
    if name in _FROM_OUTSIDE:
        return 128 + number
    sys.stderr.write(f"{tool}: error: the compiler crashed ({name}){_activity()}\n")
    _show_place()
    return 1


def _show_place() -> None:
    """Says on which op the compiler crashes, where that can be found out."""
    size = os.fstat(_text).st_size if _text >= 0 else 0
    if not size:
        return
    from .crash_site import locate

    name, _, data = os.pread(_text, size, 0).partition(b"\0")
    line = locate(data.decode("utf-8", "replace"))
    if line is not None:
        sys.stderr.write(f"{name.decode('utf-8', 'replace')}:{line}: note: it crashes on this\n")


def _activity() -> str:
    if _note is None:
        return ""
    text = _note[:_NOTE_SIZE].rstrip(b"\0").decode("utf-8", "replace")
    return f" while {text}" if text else ""
