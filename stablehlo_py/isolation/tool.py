"""A command-line tool whose work is done in a child process.

The parent passes on the signals that it gets, ends the child where a step takes too long, and tells how the child died
and what it was doing. Systems without fork start the tool again as the child.
"""

from __future__ import annotations

import os
import signal
import struct
import sys
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import closing, contextmanager, suppress
from functools import partial
from typing import Any, NamedTuple

from .children import SECONDS_BETWEEN_LOOKS, Child, be_child
from .files import read_all, replace_all
from .limits import Limits, Patience, limit_memory, limit_memory_of_step, limits, memory_kills, memory_notes
from .outcome import Outcome, describe_crash, died, late
from .policy import CAN_FORK, enter_guard
from .shared import NOTE_SIZE, Shared, shared_by_forks, shared_in

# The number of the step that is being done, and how many seconds it may take, 0 for any number.
_STEP = struct.Struct("qd")
# Behind these: how far the child is.
_STAGE, _LOADING, _WORKING, _ENDED = _STEP.size, 0, 1, 2
_TEXT = _STAGE + 1
# How long the child may take to end of a signal that the parent passed on, before it is killed.
_GRACE = 0.5
# How long a run may go on past its limit of time, which it names with the op: only one that does not is ended.
SECONDS_TO_SAY_SO = 1.0
# Signals that people and other programs send to end a tool.
ENDING = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT") if hasattr(signal, name)
)  # fmt: skip
_QUIET = (*ENDING, *([signal.SIGPIPE] if hasattr(signal, "SIGPIPE") else []))
# The flags that set the limits of a step.
GUARD_OPTIONS = "--guard-timeout", "--guard-memory"
# With these flags C++ prints to the terminal at once; without them it prints only when it crashes.
_FLAGS_THAT_PRINT = ("mlir-print-ir", "mlir-timing", "mlir-pass-statistics")


class Ended(BaseException):
    """A signal asked this process to end; context managers undo unfinished work."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.exit_code = 128 + number


class Step(NamedTuple):
    """The step that a process was at when it died.

    Attributes:
        activity: The step in words; empty if the process told none.
        options: The flags that set the limits of time and of memory.
        subject: What it worked on, as it told.
        path: The file to write after a crash; empty for none.
        contents: The contents of that file.
        is_loaded: Whether the libraries were loaded before.
    """

    activity: str
    options: tuple[str, str]
    subject: bytes
    path: str
    contents: bytes
    is_loaded: bool = True


Report = Callable[[Outcome, Step], int]
_shared: Shared | None = None
_parent: int | None = None
_memory_option = ""
_is_loaded = False


def note_loaded() -> None:
    """Note that the libraries are loaded: a limit of memory that ends the process before this is too low for them."""
    global _is_loaded
    _is_loaded = True
    _reach(_WORKING)


def is_loaded() -> bool:
    """Whether the libraries are loaded."""
    return _is_loaded


def _reach(stage: int) -> None:
    if _shared is not None:
        _shared.note[_STAGE] = stage


def keep_for_crash(path: str, data: bytes) -> None:
    """Hands the parent what to write to the file at `path` should this process crash."""
    if _shared is not None:
        replace_all(_shared.on_crash, os.fsencode(os.path.abspath(path)) + b"\0" + data)


def doing(
    activity: str,
    subject: bytes = b"",
    *,
    limit: Limits | None = None,
    options: tuple[str, str] = GUARD_OPTIONS,
) -> None:
    """Note what the tool is about to do, for the message about a crash: `parsing a.mlir`.

    Args:
        activity: The step, which the message continues with after "while".
        subject: What it works on, for the search for the cause of a crash.
        limit: How long the step may take, and how much memory; any time and amount without it.
        options: The flags that set the limits of time and of memory.
    """
    global _memory_option
    if _shared is None:
        return
    memory = None if limit is None else limit.memory_bytes
    limit_memory_of_step(memory)
    _memory_option = "" if memory is None else options[1]
    data = "\0".join((*options, activity)).encode("utf-8", "backslashreplace")[: NOTE_SIZE - _TEXT - 1]
    seconds = None if limit is None else limit.seconds
    number, _ = _STEP.unpack(_shared.note[: _STEP.size])
    _shared.note[_TEXT:] = data.ljust(NOTE_SIZE - _TEXT, b"\0")
    _shared.note[: _STEP.size] = _STEP.pack(number + 1, seconds or 0.0)
    replace_all(_shared.subject, subject)


def notes_on_memory() -> list[str]:
    """Return the notes for an error about memory: the flag that sets its limit, if there is one."""
    return [f"{_memory_option}=BYTES sets the limit"] if _memory_option else memory_notes()


@contextmanager
def waiting() -> Generator[None]:
    """Lift the limit of time while another process works that has its own; begin the step's time again after that."""
    if _shared is None:
        yield
        return
    number, seconds = _STEP.unpack(_shared.note[: _STEP.size])
    _shared.note[: _STEP.size] = _STEP.pack(number + 1, 0.0)
    try:
        yield
    finally:
        _shared.note[: _STEP.size] = _STEP.pack(number + 2, seconds)


def join(folder: str, parent: int) -> None:
    """Make this process the child of `parent`, which shares `folder` with it: `run_guarded` does the work here."""
    global _shared, _parent
    _shared, _parent = shared_in(folder), parent


def run_guarded(work: Callable[[], int], report: Report, entry: str, *, trusted: bool = False) -> int:
    """Return the exit code of `work()`, which runs in a child process if possible.

    Args:
        work: What the tool does; it raises nothing.
        report: Says how the child died, and returns the exit code for that.
        entry: The code that runs the tool in a new interpreter, for systems that cannot fork.
        trusted: Whether the input can do no harm, so that a child would be in vain.
    """
    global _shared
    if trusted:
        enter_guard()
        return work()
    signals = [number for number in ENDING if signal.getsignal(number) is not signal.SIG_IGN]
    main = partial(_work, work, signals, limits().memory_bytes)
    if _parent is not None:
        be_child(main, _parent)
    sys.stdout.flush()
    sys.stderr.flush()
    kills = memory_kills()
    if not CAN_FORK:
        from .spawned_tool import started

        with started(entry) as (process, shared):
            return Watch(process, shared, kills, report).wait(signals)
    with closing(shared_by_forks()) as _shared:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # who ignores it is not told how the child ended
        _hold_signals(True)
        return Watch(Child(main), _shared, kills, report).wait(signals)


def _hold_signals(hold: bool) -> None:
    """Keeps the signals that end a tool waiting, or lets them come."""
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_BLOCK if hold else signal.SIG_UNBLOCK, ENDING)


def _work(work: Callable[[], int], signals: Sequence[int], memory: int | None) -> int:
    """The exit code of `work()` in this process, the child."""

    def end(number: int, _frame: object) -> None:
        raise Ended(number)

    try:
        for number in signals:
            if number != signal.SIGINT:
                signal.signal(number, end)
        enter_guard()
        limit_memory(memory)
        if not any(flag in argument for argument in sys.argv for flag in _FLAGS_THAT_PRINT):
            with suppress(OSError):  # a lack of files is reported when the tool needs one
                _keep_what_is_printed()
        _hold_signals(False)
        if _is_loaded:  # by the process that this one is a fork of
            _reach(_WORKING)
        code = work()
    except Ended as ended:
        code = ended.exit_code
    except KeyboardInterrupt:
        code = 128 + signal.SIGINT
    _reach(_ENDED)
    return code


def _keep_what_is_printed() -> None:
    """Sends what C++ prints to a file, for the notes of a message; Python's standard error stays where it was."""
    if _shared is None:
        return
    before = sys.stderr
    sys.stderr = open(os.dup(2), "w", 1, before.encoding, before.errors)  # noqa: SIM115 (for the rest of the process)
    os.dup2(_shared.printed.fileno(), 2)


class Watch:
    """The parent's side: waits for the child, passes signals on, looks at the time."""

    def __init__(self, process: Any, shared: Shared, kills: int, report: Report) -> None:
        self.report = report
        self.process = process
        self.shared = shared
        self.kills = kills
        self.signal = 0
        self.kill_at = 0.0
        self.overran = False
        self.step = 0
        self.patience: Patience | None = None

    def wait(self, signals: Sequence[int]) -> int:
        """The exit code of the tool, after what is to be said about the child's end."""
        for number in signals:
            signal.signal(number, self.pass_on)
        _hold_signals(False)
        while (status := self.process.ended_within(SECONDS_BETWEEN_LOOKS)) is None:
            self.look_at_the_time()
        return self.finish(status)

    def pass_on(self, number: int, _frame: object) -> None:
        if self.signal:
            self.process.kill()
        elif os.name != "nt":  # its console tells both processes of Ctrl-C
            self.process.send_signal(number)
        self.signal = number
        self.kill_at = time.monotonic() + _GRACE

    def look_at_the_time(self) -> None:
        """Ends the child where its step, or its end after a signal, takes too long."""
        step, seconds = _STEP.unpack(self.shared.note[: _STEP.size])
        if step != self.step:
            self.step = step
            self.patience = Patience(self.process.pid, seconds) if seconds else None
        elif self.patience is not None and self.patience.is_over():
            self.overran = True
        if self.overran or (self.kill_at and time.monotonic() > self.kill_at):
            self.process.kill()

    def finish(self, status: int) -> int:
        """Return the exit code of the tool, whose child ended with `status`."""
        printed = read_all(self.shared.printed)
        if self.signal:
            return 128 + self.signal
        if self.overran:
            return self.report(late(0.0 if self.patience is None else self.patience.seconds), self._last_step())
        if -status in _QUIET:
            return 128 - status
        # Where memory runs out, some libraries end the process by an exit code.
        if describe_crash(status) or (memory_notes() and self.shared.note[_STAGE] != _ENDED):
            return self.report(died(status, printed, self.kills), self._last_step())
        with suppress(OSError), open(2, "wb", closefd=False) as stderr:
            stderr.write(printed)
        return status

    def _last_step(self) -> Step:
        text = self.shared.note[_TEXT:].rstrip(b"\0").decode("utf-8", "replace")
        time_option, memory_option, activity = text.split("\0", 2) if text else (*GUARD_OPTIONS, "")
        path, _, contents = read_all(self.shared.on_crash).partition(b"\0")
        subject = read_all(self.shared.subject)
        is_loaded = self.shared.note[_STAGE] != _LOADING
        return Step(activity, (time_option, memory_option), subject, os.fsdecode(path), contents, is_loaded)
