"""Forks of this process, and calls in them that may crash."""

from __future__ import annotations

import faulthandler
import os
import pickle
import select
import signal
import warnings
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from io import FileIO
from typing import Any, NoReturn

from .files import anonymous_file, read_all
from .launcher import die_with_parent
from .limits import Limits, Patience, limit_memory, memory_kills
from .outcome import Outcome, died, directly, late, report_of
from .policy import CAN_FORK

SECONDS_BETWEEN_LOOKS = 0.25
_A_MINUTE = Limits(60.0)


def fork() -> int:
    """Fork without the warnings of Python and JAX about threads.

    The child only calls C++ code that starts no threads and takes no lock that a thread of ours could hold.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return os.fork()


def be_child(main: Callable[[], int], parent: int) -> NoReturn:
    """Call `main` in this process, which ends with its exit code, or with process `parent`, which started it."""
    code = 1
    try:
        if os.name != "nt":
            die_with_parent(parent)
        code = main()
    finally:
        os._exit(code)


class Process:
    """A fork of this process, with some of the methods of `subprocess.Popen`.

    Args:
        main: What it calls, with the descriptor of a pipe to this process; its exit code is what that returns, or 1
            where it raises.

    Raises:
        OSError: There is no process to be had.
    """

    def __init__(self, main: Callable[[int], int]) -> None:
        self.returncode: int | None = None
        self._unread = b""
        parent = os.getpid()
        read_end, write_end = os.pipe()  # the system closes the one of the child when that ends
        os.set_blocking(read_end, False)
        self._pipe = open(read_end, "rb", buffering=0)  # noqa: SIM115 (it is closed when the child has ended)
        try:
            self.pid = fork()
            if self.pid == 0:
                be_child(partial(main, write_end), parent)
        finally:
            os.close(write_end)

    def read(self) -> bytes:
        """Return what the child has written to the pipe since the last call; `ended_within` waits for that, too."""
        if not self._pipe.closed:
            self._unread += self._pipe.readall() or b""
        data, self._unread = self._unread, b""
        return data

    def ended_within(self, seconds: float) -> int | None:
        """Return the exit code, minus the signal's number where one ended it; None while it runs after this time, or
        after it has written."""
        if self.returncode is None:
            select.select([self._pipe], [], [], seconds)
        return self.poll()

    def poll(self) -> int | None:
        """Return the exit code, or None while it runs."""
        return self._wait(os.WNOHANG)

    def wait(self) -> int:
        """Return the exit code once there is one."""
        return self._wait(0) or 0

    def _wait(self, options: int) -> int | None:
        if self.returncode is None:
            ended, status = os.waitpid(self.pid, options)
            if ended:
                self._unread += self._pipe.readall() or b""
                self._pipe.close()
                self.returncode = os.waitstatus_to_exitcode(status)
        return self.returncode

    def send_signal(self, number: int) -> None:
        """Send a signal to the child if it still runs."""
        if self.returncode is None:
            with suppress(ProcessLookupError):  # it has ended right now
                os.kill(self.pid, number)

    def kill(self) -> None:
        """End the child if it still runs."""
        self.send_signal(signal.SIGKILL)


def _answer(function: Callable[[], Any], printed: FileIO, memory: int | None, pipe: int) -> int:
    """Write the outcome of a call to the pipe, and what C++ prints to the file `printed`."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    faulthandler.disable()
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    os.dup2(printed.fileno(), 2)
    limit_memory(memory)
    write_whole(pipe, report_of(function))
    return 0


def write_whole(descriptor: int, data: bytes) -> None:
    """Write all of these bytes."""
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


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
    kills = memory_kills()
    with anonymous_file("printed") as printed:
        child = Process(partial(_answer, function, printed, limits.memory_bytes))
        patience = None if limits.seconds is None else Patience(child.pid, limits.seconds)
        message = bytearray()
        try:
            while (code := child.ended_within(min(limits.seconds or 1.0, SECONDS_BETWEEN_LOOKS))) is None:
                message += child.read()
                if patience is not None and patience.is_over():
                    return late(patience.seconds)
            message += child.read()
        finally:  # an interruption ends the child, too
            child.kill()
            child.wait()
        if code or not message:  # LLVM ends the process after some errors
            return died(code, read_all(printed), kills)
    return pickle.loads(message)
