"""Calls into C++ that may crash, made in a child process that takes the fall.

MLIR's readers can be brought to a segmentation fault by damaged input, and its verifiers and passes by programs that
nobody thought of. `run_in_child` makes a call in a copy of this process; `handover` brings a module from there.
"""

from __future__ import annotations

import faulthandler
import importlib
import importlib.util
import os
import select
import signal
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, NoReturn

from ..errors import ResourceError
from ..processes import (
    Patience,
    anonymous_file,
    cause_of_crash,
    describe_crash,
    die_with_parent,
    fork,
    limit_memory,
    memory_kills,
    memory_notes,
    read_all,
)
from .provider import ir

CAN_FORK = hasattr(os, "fork")
# Modules that start threads in C++, which a forked child would be without.
_START_THREADS = frozenset(("jax", "jaxlib._jax", "jaxlib.xla_extension", "jaxlib.xla_client", "torch", "tensorflow"))
# Apple's libraries, on which numpy's algebra stands, start threads of their own, and do not survive a fork beside them.
_START_THREADS_ON_MACOS = frozenset(("numpy",))
_SECONDS_BETWEEN_LOOKS = 0.25
Job = Callable[[ir.Context], tuple[ir.Module | None, Any]]


@dataclass(frozen=True)
class Outcome:
    """The outcome of a call in a child: `value` is its result, `error` the exception that it raised, and `crash` a
    description of how the child died (empty where it did not), with what C++ said about it in `notes`."""

    value: Any = None
    error: Exception | None = None
    crash: str = ""
    notes: tuple[str, ...] = ()

    def result(self) -> Any:
        """The result of a call that did not crash. Raises what it raised."""
        if isinstance(self.error, MemoryError):
            raise ResourceError("out of memory", notes=memory_notes())
        if self.error is not None:
            raise self.error
        return self.value


def died(code: int, said: bytes) -> Outcome:
    """The outcome of a process that ended with this exit code, and gave no answer."""
    crash = describe_crash(code) or f"it ended the process with exit code {code}"
    return Outcome(crash=crash, notes=cause_of_crash(said))


def fork_is_safe() -> bool:
    """Whether a forked child can do all that this process could: no other thread holds a lock in it."""
    with_threads = _START_THREADS | _START_THREADS_ON_MACOS if sys.platform == "darwin" else _START_THREADS
    return CAN_FORK and threading.active_count() == 1 and not with_threads & sys.modules.keys()


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


def report_of(function: Callable[[], Any]) -> bytes:
    """The outcome of `function()` in this process, pickled."""
    import pickle

    outcome = directly(function)  # every error travels to the parent
    try:
        return pickle.dumps(outcome)
    except Exception:  # an exception that does not pickle: its text has to do
        return pickle.dumps(Outcome(error=RuntimeError(str(outcome.error))))


def _child(function: Callable[[], Any], report_to: int, printed: int, parent: int, memory: int | None) -> NoReturn:
    try:
        die_with_parent(parent)
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


def directly(function: Callable[[], Any]) -> Outcome:
    """The outcome of `function()` in this process."""
    try:
        return Outcome(value=function())
    except Exception as error:
        return Outcome(error=error)


def run_in_child(
    function: Callable[[], Any], *, timeout: float | None = 60.0, memory: int | None = None
) -> Outcome:  # fmt: skip
    """Return the outcome of `function()` in a copy of this process.

    The child shares this process's memory until it writes to it, so nothing is sent to it; what it changes is lost.
    Costs a few milliseconds. Without fork the call is made directly: `handover` knows another way.

    Args:
        function: What to call; its value or error is pickled.
        timeout: Seconds of work after which the child is killed, see `Patience`; None for any time.
        memory: Bytes that the child may allocate; None for any number.
    """
    if not CAN_FORK:
        return directly(function)
    _load_for_children()
    read_end, write_end = os.pipe()
    printed = anonymous_file("printed")
    parent, kills = os.getpid(), memory_kills()
    child = fork()
    if child == 0:
        os.close(read_end)
        _child(function, write_end, printed, parent, memory)
    os.close(write_end)
    message: bytes | None = None
    try:
        message = _read_all_of(read_end, None if timeout is None else Patience(child, timeout))
    finally:  # an interruption ends the child, too
        os.close(read_end)
        if message is None:
            os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        said = read_all(printed)
        os.close(printed)
    if message is None:
        return Outcome(crash=f"it did not end within {timeout:g} s")
    return _judge(message, status, said, out_of_memory=memory_kills() > kills)


def _judge(message: bytes, status: int, said: bytes, *, out_of_memory: bool) -> Outcome:
    code = os.waitstatus_to_exitcode(status)
    if code == -signal.SIGKILL and out_of_memory:
        return Outcome(crash="the system's memory killer ended it")
    if code < 0 or not message:  # LLVM ends the process after some errors
        return died(code, said)
    import pickle

    return pickle.loads(message)


def perform(job: Job, context: ir.Context, descriptor: int) -> tuple[bool, bool, Any]:
    """Do `job` in this process, the child: its module goes to the file `descriptor` as bytecode.

    Returns:
        Whether there is a module, whether `context` allows unregistered dialects now, and the job's value.
    """
    module, value = job(context)
    if module is not None:
        with open(descriptor, "wb", closefd=False) as file:
            module.operation.write_bytecode(file)
    return module is not None, context.allow_unregistered_dialects, value
