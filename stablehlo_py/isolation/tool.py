"""A command-line tool whose work is done in a child process.

The child tells its steps by lines of JSON in a pipe. The parent passes its signals on, ends the child if a step takes
too long, and reports its death and its last step. Systems without fork start the tool again as the child, with a file
for a pipe.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from io import FileIO
from typing import Any, NamedTuple

from .files import anonymous_file, read_all
from .limits import Limits, limit_memory, limit_memory_of_step, limits, memory_notes
from .outcome import Outcome, describe_crash
from .policy import CAN_FORK, enter_guard
from .process import Fork, be_child, write_all

# The time until the child is killed after a signal that the parent passed on.
_GRACE = 0.5
# A run ends by itself at its limit of time, and names the op. After this time it is ended.
SECONDS_TO_SAY_SO = 1.0
# Signals that people and other programs send to end a tool.
ENDING = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT") if hasattr(signal, name)
)  # fmt: skip
_QUIET = (*ENDING, *([signal.SIGPIPE] if hasattr(signal, "SIGPIPE") else []))
# The flags that set the limits of a step.
GUARD_OPTIONS = "--guard-timeout", "--guard-memory"
# The module of this package that loads the libraries.
_LIBRARIES = f"{__name__.partition('.')[0]}.bindings.provider"
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
        source: The name of the text that it worked on.
        passes: The pipeline that it ran on that.
        text: The text; empty if it told none.
        path: The file to write after a crash; empty for none.
        contents: The contents of that file.
        is_loaded: Whether the libraries were loaded before.
    """

    activity: str = ""
    options: Sequence[str] = GUARD_OPTIONS
    source: str = ""
    passes: str = ""
    path: str = ""
    contents: str = ""
    is_loaded: bool = False
    text: bytes = b""


class Teller:
    """The child's side of a tool: it tells its parent what it is doing.

    Attributes:
        printed: The file for what C++ prints, which both have.
        text: The file for the text that the child works on.
        pipe: The descriptor for lines of JSON, objects with the fields of `Step`, `seconds` and `has_ended`.
        parent: The process that waits for this one, if it did not fork it.
        seconds: The limit of the step.
        memory_option: The flag that set the limit of its memory; empty without a limit.
    """

    def __init__(self, printed: FileIO, text: FileIO, pipe: int, parent: int | None = None) -> None:
        self.printed, self.text, self.pipe, self.parent = printed, text, pipe, parent
        self.seconds: float | None = None
        self.memory_option = ""
        self._kept = b""

    def tell(self, **news: object) -> None:
        """Tell the parent."""
        write_all(self.pipe, json.dumps({**news, "is_loaded": is_loaded()}).encode() + b"\n")

    def keep(self, text: bytes) -> None:
        """Hand the parent the text of the step, once for several steps."""
        if text is not self._kept:
            self._kept = text
            self.text.truncate(0)
            self.text.seek(0)
            write_all(self.text.fileno(), text)


Report = Callable[[Outcome, Step], int]
_teller: Teller | None = None
"""The teller of this process, if another one waits for it."""


def is_loaded() -> bool:
    """Whether the libraries are loaded: a limit of memory that ends the process before this is too low for them."""
    return hasattr(sys.modules.get(_LIBRARIES), "stablehlo_extension")


def keep_for_crash(path: str, text: str) -> None:
    """Hand the parent what to write to the file at `path` should this process crash."""
    if _teller is not None:
        _teller.tell(path=os.path.abspath(path), contents=text)


def doing(
    activity: str,
    subject: tuple[str, str, bytes] = ("", "", b""),
    *,
    limit: Limits | None = None,
    options: tuple[str, str] = GUARD_OPTIONS,
) -> None:
    """Note what the tool is about to do, for the message about a crash: `parsing a.mlir`.

    Args:
        activity: The step, which the message continues with after "while".
        subject: The name of a text, the passes that it runs on that, and the text, for the search for the cause of a
            crash.
        limit: How long the step may take, and how much memory; any time and amount without it.
        options: The flags that set the limits of time and of memory.
    """
    if _teller is None:
        return
    _teller.seconds, memory = Limits() if limit is None else limit
    limit_memory_of_step(memory)
    _teller.memory_option = "" if memory is None else options[1]
    source, passes, text = subject
    _teller.tell(activity=activity, options=options, source=source, passes=passes, seconds=_teller.seconds)
    _teller.keep(text)


def notes_on_memory() -> list[str]:
    """Return the notes for an error about memory: the flag that sets its limit, if there is one."""
    option = "" if _teller is None else _teller.memory_option
    return [f"{option}=BYTES sets the limit"] if option else memory_notes()


@contextmanager
def waiting() -> Generator[None]:
    """Lift the limit of time while another process works that has its own; begin the step's time again after that."""
    if _teller is None:
        yield
        return
    _teller.tell(seconds=None)
    try:
        yield
    finally:
        _teller.tell(seconds=_teller.seconds)


def join(folder: str, parent: int) -> None:
    """Make this process the child of `parent`, which shares `folder` with it: `run_guarded` does the work here."""
    from .spawned_tool import files_in

    global _teller
    told, printed, text = files_in(folder)
    with told:
        _teller = Teller(printed, text, os.dup(told.fileno()), parent)


def run_guarded(work: Callable[[], int], report: Report, entry: str, *, trusted: bool = False) -> int:
    """Return the exit code of `work()`, which runs in a child process if possible.

    Args:
        work: What the tool does; it raises nothing.
        report: Says how the child died, and returns the exit code for that.
        entry: The code that runs the tool in a new interpreter, for systems that cannot fork.
        trusted: Whether the input can do no harm, so that a child would be in vain.
    """
    if trusted:
        enter_guard()
        return work()
    signals = [number for number in ENDING if signal.getsignal(number) is not signal.SIG_IGN]
    main = partial(_work, work, signals, limits().memory_bytes)
    if _teller is not None and _teller.parent is not None:
        be_child(partial(main, _teller), _teller.parent)
    sys.stdout.flush()
    sys.stderr.flush()
    if not CAN_FORK:
        from .spawned_tool import started

        with started(entry) as (process, printed, text):
            return Watch(process, printed, text, report).wait(signals)
    with anonymous_file("printed") as printed, anonymous_file("text") as text:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # who ignores it is not told how the child ended
        _hold_signals(True)
        fork = Fork(lambda pipe: main(Teller(printed, text, pipe)))
        return Watch(fork, printed, text, report).wait(signals)


def _hold_signals(hold: bool) -> None:
    """Keep the signals that end a tool waiting, or let them come."""
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_BLOCK if hold else signal.SIG_UNBLOCK, ENDING)


def _work(work: Callable[[], int], signals: Sequence[int], memory: int | None, teller: Teller) -> int:
    """The exit code of `work()` in this process, the child."""
    global _teller
    _teller = teller

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
                _keep_what_is_printed(teller.printed)
        _hold_signals(False)
        teller.tell()
        code = work()
    except Ended as ended:
        code = ended.exit_code
    except KeyboardInterrupt:
        code = 128 + signal.SIGINT
    teller.tell(has_ended=True)
    return code


def _keep_what_is_printed(file: FileIO) -> None:
    """Send what C++ prints to a file, for the notes of a message. Python's standard error goes on as before."""
    before = sys.stderr
    sys.stderr = open(os.dup(2), "w", 1, before.encoding, before.errors)  # noqa: SIM115 (for the rest of the process)
    os.dup2(file.fileno(), 2)


class Watch:
    """The parent's side: hears what the child does, passes signals on, and reports its end."""

    def __init__(self, process: Any, printed: FileIO, text: FileIO, report: Report) -> None:
        self.process, self.printed, self.text, self.report = process, printed, text, report
        self.signal, self.kill_at = 0, 0.0
        self._known: dict[str, Any] = {}
        self._unread = bytearray()

    def wait(self, signals: Sequence[int]) -> int:
        """The exit code of the tool, after what is to be said about the child's end."""
        for number in signals:
            signal.signal(number, self.pass_on)
        _hold_signals(False)
        return self.finish(self.process.death(self.process.ended(self.hear), self.printed))

    def pass_on(self, number: int, _frame: object) -> None:
        if self.signal:
            self.process.kill()
        elif os.name != "nt":  # its console tells both processes of Ctrl-C
            self.process.send_signal(number)
        self.signal = number
        self.kill_at = time.monotonic() + _GRACE

    def hear(self, data: bytes) -> None:
        """Take note of the lines of the child; end it if its end after a signal takes too long."""
        if self.kill_at and time.monotonic() > self.kill_at:
            self.process.kill()
        self._unread += data
        if b"\n" not in data:
            return
        *lines, self._unread = self._unread.split(b"\n")
        for line in lines:
            with suppress(ValueError):  # a signal ended the telling
                news = json.loads(line)
                if "seconds" in news:
                    self.process.limit(news.pop("seconds"))
                self._known |= news

    def finish(self, outcome: Outcome) -> int:
        """Return the exit code of the tool, whose child ended so."""
        code, has_ended = outcome.code, self._known.pop("has_ended", False)
        if self.signal:
            return 128 + self.signal
        if -code in _QUIET:
            return 128 - code
        # Where memory runs out, some libraries end the process by an exit code.
        if outcome.cause == "timeout" or describe_crash(code) or (memory_notes() and not has_ended):
            return self.report(outcome, Step(**self._known, text=read_all(self.text)))
        with suppress(OSError), open(2, "wb", closefd=False) as stderr:
            stderr.write(outcome.printed)
        return code
