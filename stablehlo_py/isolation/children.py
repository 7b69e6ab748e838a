"""Children: forks of this process, and calls in them that may crash."""

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

from .files import anonymous_file, read_all, replace_all
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


class Child:
    """A fork of this process, with some of the methods of `subprocess.Popen`.

    Args:
        main: What it calls; its exit code is what that returns, or 1 where it raises.

    Raises:
        OSError: There is no process to be had.
    """

    def __init__(self, main: Callable[[], int]) -> None:
        self.returncode: int | None = None
        parent = os.getpid()
        read_end, held = os.pipe()  # `held` is closed when the child ends
        self._end = open(read_end, "rb", buffering=0)  # noqa: SIM115 (it is closed with this object)
        try:
            self.pid = fork()
            if self.pid == 0:
                be_child(main, parent)
        finally:
            os.close(held)

    def ended_within(self, seconds: float) -> int | None:
        """Return the exit code, minus the signal's number where one ended it; None while it runs after this time."""
        if self.returncode is None:
            select.select([self._end], [], [], seconds)
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
                self._end.close()
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


def _answer(function: Callable[[], Any], report: FileIO, printed: FileIO, memory: int | None) -> int:
    """Write the outcome of a call to the file `report`, and what C++ prints to the file `printed`."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    faulthandler.disable()
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    os.dup2(printed.fileno(), 2)
    limit_memory(memory)
    replace_all(report, report_of(function))
    return 0


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
    with anonymous_file("report") as report, anonymous_file("printed") as printed:
        child = Child(partial(_answer, function, report, printed, limits.memory_bytes))
        try:
            code = _ended(child, limits.seconds)
        finally:  # an interruption ends the child, too
            child.kill()
            child.wait()
        if code is None:
            return late(limits.seconds or 0.0)
        message = read_all(report)
        if code or not message:  # LLVM ends the process after some errors
            return died(code, read_all(printed), kills)
    return pickle.loads(message)


def _ended(child: Child, seconds: float | None) -> int | None:
    """The exit code of a child; None where it takes longer than `seconds`."""
    if seconds is None:
        return child.wait()
    patience = Patience(child.pid, seconds)
    while (code := child.ended_within(min(seconds, SECONDS_BETWEEN_LOOKS))) is None and not patience.is_over():
        pass
    return code
