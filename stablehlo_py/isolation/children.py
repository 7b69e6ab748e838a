"""Calls that may crash, made in a forked child process."""

from __future__ import annotations

import faulthandler
import importlib
import importlib.util
import os
import select
import signal
import warnings
from collections.abc import Callable
from functools import cache
from typing import Any, NoReturn

from . import launcher
from .files import anonymous_file, read_all
from .limits import Limits, Patience, limit_memory, memory_kills
from .outcome import Outcome, died, directly, late, report_of
from .policy import CAN_FORK

_SECONDS_BETWEEN_LOOKS = 0.25
_A_MINUTE = Limits(60.0)


def fork() -> int:
    """Fork without the warnings of Python and JAX about threads.

    The child only calls C++ code that starts no threads and takes no lock that a thread of ours could hold.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        warnings.simplefilter("ignore", RuntimeWarning)
        return os.fork()


@cache
def _load_for_children() -> None:
    """Import what each forked child would import again, in half of the time that guarding a small file takes."""
    for name in ("ctypes", "pickle", "resource"):
        if importlib.util.find_spec(name) is not None:
            importlib.import_module(name)


def _redirect(printed: int) -> None:
    """Sends the child's stdout to nowhere and its stderr to the file `printed`."""
    faulthandler.disable()
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    os.dup2(printed, 2)


def _child(function: Callable[[], Any], report_to: int, printed: int, parent: int, memory: int | None) -> NoReturn:
    try:
        launcher.die_with_parent(parent)
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_DFL)
        _redirect(printed)
        limit_memory(memory)
        message = report_of(function)
        with os.fdopen(report_to, "wb") as pipe:
            pipe.write(message)
    finally:
        os._exit(0)


def _read_all_of(descriptor: int, patience: Patience | None) -> bytes | None:
    """All that arrives on `descriptor` until it is closed; None where patience ends before that."""
    received = bytearray()
    while True:
        wait = None if patience is None else min(patience.seconds, _SECONDS_BETWEEN_LOOKS)
        if not select.select([descriptor], [], [], wait)[0]:
            if patience is not None and patience.is_over():
                return None
            continue
        chunk = os.read(descriptor, 1 << 16)
        if not chunk:
            return bytes(received)
        received += chunk


def run_in_child(function: Callable[[], Any], limits: Limits = _A_MINUTE) -> Outcome:
    """Return the outcome of `function()` in a copy of this process.

    The child shares this process's memory until it writes to it, so nothing is sent to it; what it changes is lost.
    Costs a few milliseconds. Without fork the call is made directly.

    Args:
        function: What to call; its value or error is pickled.
        limits: The time after which the child is killed, see `Patience`, and the bytes that it may allocate.
    """
    if not CAN_FORK:
        return directly(function)
    _load_for_children()
    parent, kills, printed = os.getpid(), memory_kills(), anonymous_file("printed")
    read_end, write_end = os.pipe()
    try:
        child = fork()
        if child == 0:
            os.close(read_end)
            _child(function, write_end, printed, parent, limits.memory_bytes)
    except OSError:  # there may be no more processes
        os.close(read_end)
        os.close(printed)
        raise
    finally:
        os.close(write_end)
    message: bytes | None = None
    try:
        message = _read_all_of(read_end, None if limits.seconds is None else Patience(child, limits.seconds))
    finally:  # an interruption ends the child, too
        os.close(read_end)
        if message is None:
            os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        said = read_all(printed)
        os.close(printed)
    if message is None:
        return late(limits.seconds or 0.0)
    code = os.waitstatus_to_exitcode(status)
    if code < 0 or not message:  # LLVM ends the process after some errors
        return died(code, said, kills)
    import pickle

    return pickle.loads(message)
