"""Processes that this one waits for within a limit of time, forks of it, and calls in them that may crash."""

from __future__ import annotations

import faulthandler
import os
import pickle
import select
import signal
import time
import warnings
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from io import FileIO
from typing import Any, NoReturn

from .files import anonymous_file, read_all
from .launcher import die_with_parent
from .limits import Limits, Patience, limit_memory, memory_kills
from .outcome import Outcome, died, late, report_of
from .policy import CAN_FORK

_SECONDS_BETWEEN_LOOKS = 0.25
_SECONDS_TO_LEAVE = 0.0005  # about what a small process takes to end
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
    """A process that this one waits for: a fork, or a program that was started."""

    pid: int
    _kills: int
    _patience: Patience | None = None
    _pace = _SECONDS_BETWEEN_LOOKS

    def wait(self) -> int:
        """Return the exit code once there is one, minus the signal's number where one ended it."""
        raise NotImplementedError

    def ended_within(self, seconds: float) -> int | None:
        """Return the exit code; None while it runs after this time, or after it has written."""
        raise NotImplementedError

    def read(self) -> bytes:
        """Return what the process has written for this one since the last call."""
        raise NotImplementedError

    def kill(self) -> None:
        """End the process if it still runs."""
        raise NotImplementedError

    def limit(self, seconds: float | None) -> None:
        """Limit the time of the process from now on, see `Patience`; None for any time."""
        self._patience = Patience(self.pid, seconds) if seconds else None
        self._pace = min(_SECONDS_BETWEEN_LOOKS, seconds or _SECONDS_BETWEEN_LOOKS)

    def ended(self, hear: Callable[[bytes], object]) -> int | None:
        """Wait until the process has ended and return its exit code, or end it once its time is over and return None.

        Args:
            hear: Takes what `read` returns; called four times a second or more often.
        """
        code = None
        try:
            while (code := self.ended_within(self._pace)) is None:
                hear(self.read())
                if self._patience is not None and self._patience.is_over():
                    break
        finally:  # an interruption ends it, too
            if code is None:
                self.kill()
                self.wait()
        hear(self.read())
        return code

    def death(self, code: int | None, printed: FileIO) -> Outcome:
        """Return the outcome of the process, which gave no answer, from what `ended` returned and what it printed."""
        if code is None:
            assert self._patience is not None
            return late(self._patience.seconds)
        return died(code, read_all(printed), self._kills)


class Fork(Process):
    """A fork of this process, with some of the methods of `subprocess.Popen`.

    Args:
        main: What it calls, with the descriptor of a pipe to this process; its exit code is what that returns, or 1
            where it raises.

    Raises:
        OSError: There is no process to be had.
    """

    def __init__(self, main: Callable[[int], int]) -> None:
        self.returncode: int | None = None
        self._kills = memory_kills()
        self._unread = b""
        self._is_at_end = False
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
        if not self._pipe.closed:
            found = self._pipe.readall()
            self._is_at_end = found == b""
            self._unread += found or b""
        data, self._unread = self._unread, b""
        return data

    def ended_within(self, seconds: float) -> int | None:
        if self._is_at_end and self.poll() is None:  # it is on its way out; its pipe tells no more
            time.sleep(min(seconds, _SECONDS_TO_LEAVE))
        elif self.returncode is None:
            select.select([self._pipe], [], [], seconds)
        return self.poll()

    def wait(self) -> int:
        return self.poll(waits=True) or 0

    def poll(self, *, waits: bool = False) -> int | None:
        """Return the exit code, or None while it runs."""
        if self.returncode is None:
            ended, status = os.waitpid(self.pid, 0 if waits else os.WNOHANG)
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
        self.send_signal(signal.SIGKILL)


def _answer(function: Callable[[], Any], printed: FileIO, memory: int | None, pipe: int) -> int:
    """Write the outcome of a call to the pipe, and what C++ prints to the file `printed`."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    faulthandler.disable()
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    os.dup2(printed.fileno(), 2)
    limit_memory(memory)
    write_all(pipe, report_of(function))
    return 0


def write_all(descriptor: int, data: bytes) -> None:
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
        return pickle.loads(report_of(function))
    message = bytearray()
    with anonymous_file("printed") as printed:
        child = Fork(partial(_answer, function, printed, limits.memory_bytes))
        if limits.seconds:
            child.limit(limits.seconds)
        code = child.ended(message.extend)
        if code != 0 or not message:  # LLVM ends the process after some errors
            return child.death(code, printed)
    return pickle.loads(message)
