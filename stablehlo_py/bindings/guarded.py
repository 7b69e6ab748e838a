"""Calls into C++ that may crash, made in a child process that takes the fall.

MLIR's bytecode reader can be brought to a segmentation fault by a damaged file. `run_in_child` finds out what a call
does before it is made in this process. It needs `os.fork`; where there is none (Windows) the call is made directly.
"""

from __future__ import annotations

import faulthandler
import os
import pickle
import select
import signal
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NoReturn

CAN_FORK = hasattr(os, "fork")
# Reading takes milliseconds, or a second where there are 500 MB of weights. Some damage keeps the reader busy forever.
_SECONDS_TO_READ, _SECONDS_PER_BYTE = 10.0, 5e-8


@dataclass(frozen=True)
class Outcome:
    """What became of a call in a child: `value` is what it returned, `error` the exception that it raised, and
    `crash` a description of how the child died (empty where it did not)."""

    value: Any = None
    error: Exception | None = None
    crash: str = ""


def _fork() -> int:
    with warnings.catch_warnings():
        # The child only calls C++ code that starts no threads and takes no lock that a thread of ours could hold:
        # neither Python's warning about threads nor JAX's is about it.
        warnings.simplefilter("ignore", DeprecationWarning)
        warnings.simplefilter("ignore", RuntimeWarning)
        return os.fork()


def _silence() -> None:
    """Points the child's stdout and stderr to nowhere: what C++ prints on its way down helps nobody."""
    faulthandler.disable()
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.dup2(null, 2)


def _child(function: Callable[[], Any], report_to: int) -> NoReturn:
    try:
        _silence()
        try:
            outcome = Outcome(value=function())
        except Exception as error:  # every error travels to the parent
            outcome = Outcome(error=error)
        try:
            message = pickle.dumps(outcome)
        except Exception:  # an exception that does not pickle: its text has to do
            message = pickle.dumps(Outcome(error=RuntimeError(str(outcome.error))))
        with os.fdopen(report_to, "wb") as pipe:
            pipe.write(message)
    finally:
        os._exit(0)


def _read_until(descriptor: int, deadline: float) -> bytes | None:
    """All that arrives on `descriptor` until it is closed; None where that takes longer than `deadline`."""
    received = bytearray()
    while True:
        remaining = deadline - time.monotonic()
        if remaining <= 0 or not select.select([descriptor], [], [], remaining)[0]:
            return None
        chunk = os.read(descriptor, 1 << 16)
        if not chunk:
            return bytes(received)
        received += chunk


def describe_signal(number: int) -> str:
    """`SIGSEGV (Segmentation fault)` for 11."""
    description = signal.strsignal(number)
    return f"{signal.Signals(number).name} ({description})" if description else signal.Signals(number).name


def run_in_child(function: Callable[[], Any], *, timeout: float = 60.0) -> Outcome:
    """What `function()` does in a copy of this process: its value and errors are pickled back, a crash or an overrun
    of `timeout` seconds is described. The child shares this process's memory until it writes to it, so nothing is
    sent to it; what it changes is lost. Costs a few milliseconds."""
    if not CAN_FORK:
        try:
            return Outcome(value=function())
        except Exception as error:
            return Outcome(error=error)
    read_end, write_end = os.pipe()
    child = _fork()
    if child == 0:
        os.close(read_end)
        _child(function, write_end)
    os.close(write_end)
    try:
        message = _read_until(read_end, time.monotonic() + timeout)
    finally:
        os.close(read_end)
    if message is None:
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    if message is None:
        return Outcome(crash=f"it did not end within {timeout:g} s")
    if os.WIFSIGNALED(status):
        return Outcome(crash=describe_signal(os.WTERMSIG(status)))
    if not message:  # LLVM ends the process after some errors
        return Outcome(crash=f"it ended the process with exit code {os.waitstatus_to_exitcode(status)}")
    return pickle.loads(message)


def read_in_child(read: Callable[[], object], size: int) -> Outcome:
    """What becomes of `read()`, which reads `size` bytes of bytecode, in a child process: an error or a crash, and
    never a value. It gets ten seconds, and more for large data."""

    def attempt() -> None:
        read()

    return run_in_child(attempt, timeout=_SECONDS_TO_READ + _SECONDS_PER_BYTE * size)
