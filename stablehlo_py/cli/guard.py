"""Keeps a tool's promise of one clear message when the compiler itself crashes.

The work runs in a child process. The parent passes on the signals that it gets, ends the child where a step takes too
long, and says what the child was doing where that dies. Systems without fork start the tool again as the child.
"""

from __future__ import annotations

import mmap
import os
import select
import signal
import struct
import sys
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn

from ..errors import Diagnostic
from ..processes import (
    Limits,
    Patience,
    anonymous_file,
    cause_of_crash,
    describe_crash,
    die_with_parent,
    enter_guard,
    limit_memory,
    limit_memory_of_step,
    limits,
    memory_kills,
    memory_notes,
    read_all,
    replace_all,
)
from .messages import finish, say
from .output import write_whole

if TYPE_CHECKING:
    from ..syntax.source import Source

NOTE_SIZE = 4096
# The number of the step that is being done, and how many seconds it may take, 0 for any number.
_STEP = struct.Struct("qd")
SECONDS_BETWEEN_LOOKS = 0.25
# How long the child may take to end of a signal that the parent passed on, before it is killed.
_GRACE = 0.5
# How long a run may go on past its limit of time, which it names with the op: only one that does not is ended.
SECONDS_TO_SAY_SO = 1.0
# Signals that people and other programs send to end a tool.
ENDING = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT") if hasattr(signal, name)
)  # fmt: skip
_QUIET = (*ENDING, *([signal.SIGPIPE] if hasattr(signal, "SIGPIPE") else []))
KILL = getattr(signal, "SIGKILL", 0)  # Windows has none, and ends a process without telling why
# The flags that set the limits of a step, and what C++ says where memory is not enough.
GUARD_OPTIONS = "--guard-timeout", "--guard-memory"
_NO_MEMORY = ("bad_alloc", "out of memory", "Allocation failed")
# What C++ prints while all is well goes to the terminal at once; without these flags it only prints when it crashes.
_FLAGS_THAT_PRINT = ("mlir-print-ir", "mlir-timing", "mlir-pass-statistics")


class Ended(BaseException):
    """A signal asked this process to end; what is under way is undone."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.exit_code = 128 + number


@dataclass(frozen=True)
class Shared:
    """Messages of the child to its parent while it works: the number and the limit of the step, the flags that set
    its limits and a note of it, with zero bytes between them; the name, the pipeline and the text of the source that
    it works on, with zero bytes between them; what C++ printed; the path of a file, a zero byte and what to write to
    it should the child crash."""

    note: mmap.mmap
    text: int
    printed: int
    on_crash: int


StartAgain = Callable[[str, Sequence[int], int], int]
_shared: Shared | None = None
_parent: int | None = None
_memory_option = ""


def keep_for_crash(path: str, data: bytes) -> None:
    """Hands the parent what to write to the file at `path` should this process crash."""
    if _shared is not None:
        replace_all(_shared.on_crash, os.fsencode(os.path.abspath(path)) + b"\0" + data)


def doing(
    activity: str,
    source: Source | None = None,
    *,
    limit: Limits | None = None,
    pipeline: str = "",
    options: tuple[str, str] = GUARD_OPTIONS,
) -> None:
    """Notes what the tool is about to do, for the message about a crash: `parsing a.mlir`.

    Args:
        activity: The step, which the message continues with after "while".
        source: The text to search for the op that crashes the compiler.
        limit: How long the step may take, and how much memory; any time and amount without it.
        pipeline: The passes that run on the text.
        options: The flags that set the limits of time and of memory.
    """
    global _memory_option
    if _shared is None:
        return
    memory = None if limit is None else limit.memory
    limit_memory_of_step(memory)
    _memory_option = "" if memory is None else options[1]
    data = "\0".join((*options, activity)).encode("utf-8", "backslashreplace")[: NOTE_SIZE - _STEP.size - 1]
    seconds = None if limit is None else limit.seconds
    number, _ = _STEP.unpack(_shared.note[: _STEP.size])
    _shared.note.seek(0)
    _shared.note.write((_STEP.pack(number + 1, seconds or 0.0) + data).ljust(NOTE_SIZE, b"\0"))
    text = b""
    if source is not None and not source.is_bytecode:
        text = f"{source.name}\0{pipeline}\0".encode("utf-8", "backslashreplace") + source.data
    replace_all(_shared.text, text)


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


def join(shared: Shared, parent: int) -> None:
    """Makes this process, which `parent` started, the child: `run_guarded` does the work here."""
    global _shared, _parent
    _shared, _parent = shared, parent


def run_guarded(
    tool: str, work: Callable[[], int], start_again: StartAgain, *, trusted: bool = False, failed: int = 1
) -> int:
    """Return the exit code of `work()`, which runs in a child process where that is possible.

    Args:
        tool: The name in front of messages.
        work: What the tool does; it raises nothing.
        start_again: Where this process cannot be forked, returns the exit code of the tool in a new one; it takes the
            tool's name, the signals to pass on, and the exit code for a crash.
        trusted: Whether the input can do no harm, so that a child would be in vain.
        failed: The exit code for a crash, and for work that takes too long.
    """
    global _shared
    if trusted:
        enter_guard()
        return work()
    memory = limits().memory
    signals = [number for number in ENDING if signal.getsignal(number) is not signal.SIG_IGN]
    if _parent is not None:
        _be_child(_parent, signals, memory, work)
    sys.stdout.flush()
    sys.stderr.flush()
    if not hasattr(os, "fork"):
        return start_again(tool, signals, failed)
    _shared = Shared(
        mmap.mmap(-1, NOTE_SIZE), anonymous_file("source"), anonymous_file("printed"), anonymous_file("on_crash")
    )
    parent, kills = os.getpid(), memory_kills()
    _hold_signals(True)
    child = os.fork()
    if child == 0:
        _be_child(parent, signals, memory, work)
    watch = Watch(tool, child, _shared, kills, failed)
    code = watch.wait(signals)
    if watch.has_spoken:
        finish(tool)
        _end_other_ranks(code)
    return code


def _end_other_ranks(code: int) -> None:
    """Asks mpich's `mpiexec`, if that started this process, to end all ranks.

    It does so by itself where one is lost that had joined the others. Before that they would wait for it forever.
    """
    descriptor = os.environ.get("PMI_FD", "")
    if descriptor.isdigit():
        _wait_for_readers()
        with suppress(OSError):
            os.write(int(descriptor), f"cmd=abort exitcode={code}\n".encode())


def _wait_for_readers() -> None:
    """Waits until what was said has been read from the pipe that it went to, or a second."""
    import fcntl
    import termios

    pending, over = bytearray(struct.calcsize("i")), time.monotonic() + 1
    with suppress(OSError):
        while fcntl.ioctl(2, termios.FIONREAD, pending) == 0 and any(pending) and time.monotonic() < over:
            time.sleep(0.005)


def _hold_signals(hold: bool) -> None:
    """Keeps the signals that end a tool waiting, or lets them come."""
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_BLOCK if hold else signal.SIG_UNBLOCK, ENDING)


def _be_child(parent: int, signals: Sequence[int], memory: int | None, work: Callable[[], int]) -> NoReturn:
    def end(number: int, _frame: object) -> None:
        raise Ended(number)

    code = 1
    try:
        if os.name != "nt":
            die_with_parent(parent)
        for number in signals:
            if number != signal.SIGINT:
                signal.signal(number, end)
        enter_guard()
        limit_memory(memory)
        if not any(flag in argument for argument in sys.argv for flag in _FLAGS_THAT_PRINT):
            _keep_what_is_printed()
        _hold_signals(False)
        code = work()
    except Ended as ended:
        code = ended.exit_code
    except KeyboardInterrupt:
        code = 128 + signal.SIGINT
    finally:
        os._exit(code)


def _keep_what_is_printed() -> None:
    """Sends what C++ prints to a file, for the notes of a message; Python's standard error stays where it was."""
    if _shared is None:
        return
    before = sys.stderr
    sys.stderr = open(  # noqa: SIM115 (it stays open for the rest of the process)
        os.dup(2), "w", buffering=1, encoding=before.encoding, errors=before.errors, newline=None
    )
    os.dup2(_shared.printed, 2)


class Watch:
    """The parent's side: waits for the child, passes signals on, looks at the time."""

    def __init__(self, tool: str, child: int, shared: Shared, kills: int, failed: int) -> None:
        self.tool = tool
        self.failed = failed
        self.child = child
        self.shared = shared
        self.kills = kills
        self.signal = 0
        self.kill_at = 0.0
        self.overran = False
        self.step = 0
        self.patience: Patience | None = None
        self.has_spoken = False

    def wait(self, signals: Sequence[int]) -> int:
        """The exit code of the tool, after what is to be said about the child's end."""
        read_end, write_end = os.pipe()
        for end in (read_end, write_end):
            os.set_blocking(end, False)
        signal.set_wakeup_fd(write_end, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda _number, _frame: None)
        for number in signals:
            signal.signal(number, self.pass_on)
        _hold_signals(False)
        while True:
            ended, status = os.waitpid(self.child, os.WNOHANG)
            if ended:
                return self.finish(os.waitstatus_to_exitcode(status))
            select.select([read_end], [], [], SECONDS_BETWEEN_LOOKS)
            with suppress(BlockingIOError):
                os.read(read_end, 4096)
            self.look_at_the_time()

    def send(self, number: int) -> None:
        """Sends a signal to the child."""
        os.kill(self.child, number)

    def pass_on(self, number: int, _frame: object) -> None:
        again = self.signal != 0
        self.signal = number
        self.send(KILL if again else number)
        self.kill_at = time.monotonic() + _GRACE

    def look_at_the_time(self) -> None:
        """Ends the child where its step, or its end after a signal, takes too long."""
        now = time.monotonic()
        step, seconds = _STEP.unpack(self.shared.note[: _STEP.size])
        if step != self.step:
            self.step = step
            self.patience = Patience(self.child, seconds) if seconds else None
        elif self.patience is not None and self.patience.is_over():
            self.overran = True
        if self.overran or (self.kill_at and now > self.kill_at):
            self.send(KILL)

    def finish(self, status: int) -> int:
        """The exit code of the tool, whose child ended with `status`, after what is to be said about that."""
        printed = read_all(self.shared.printed)
        crash = describe_crash(status)
        if self.signal:
            return 128 + self.signal
        if self.overran:
            self._say(f"{self._activity('the work')} took too long", [f"{self._options()[0]}=SECONDS sets the limit"])
            self._keep_reproducer()
            return self.failed
        if KILL and status == -KILL:
            return self._killed()
        if -status in _QUIET:
            return 128 - status
        if crash:
            activity, causes = self._activity(""), cause_of_crash(printed)
            if any(text in cause for cause in causes for text in _NO_MEMORY):
                causes = (*causes, f"{self._options()[1]}=BYTES sets the limit of memory")
            self._say(f"the compiler crashed ({crash.split()[0]}){activity and f' while {activity}'}", causes)
            self._keep_reproducer()
            self._show_place()
            return self.failed
        with suppress(OSError):
            _write_raw(printed)
        return status

    def _killed(self) -> int:
        while_ = self._activity("")
        while_ = f" while {while_}" if while_ else ""
        if memory_kills() > self.kills:
            self._say(f"the system's memory killer ended the tool{while_}", ["the machine ran out of memory"])
        else:
            self._say(f"the tool was killed (SIGKILL){while_}", [])
        return 128 + KILL

    def _noted(self) -> list[str]:
        """Return the flags that set the limits of time and of memory, and the activity."""
        text = self.shared.note[_STEP.size : NOTE_SIZE].rstrip(b"\0").decode("utf-8", "replace")
        return text.split("\0", 2) if text else [*GUARD_OPTIONS, ""]

    def _options(self) -> list[str]:
        return self._noted()[:2]

    def _activity(self, otherwise: str) -> str:
        activity = self._noted()[2]
        return activity if activity else otherwise

    def _say(self, message: str, notes: Sequence[str]) -> None:
        self.has_spoken = True
        text = "".join([f"{self.tool}: error: {message}\n", *(f"{self.tool}: note: {note}\n" for note in notes)])
        say(self.tool, Diagnostic("error", "", message, tuple(Diagnostic("note", "", note) for note in notes)), text)

    def _note(self, location: str, message: str) -> None:
        prefix = location if location else self.tool
        say(self.tool, Diagnostic("note", location, message), f"{prefix}: note: {message}\n")

    def _keep_reproducer(self) -> None:
        """Writes the file that the child left for the case of its crash."""
        path, _, data = read_all(self.shared.on_crash).partition(b"\0")
        if not path:
            return
        name = os.fsdecode(path)
        try:
            write_whole(name, data)
        except OSError as error:
            self._note("", f"cannot write the reproducer '{name}': {error.strerror}")
            return
        self._note("", f"a reproducer was written to '{name}'; --run-reproducer runs it")

    def _show_place(self) -> None:
        """Says on which op and in which pass the compiler crashes, where that can be found out."""
        name, _, rest = read_all(self.shared.text).decode("utf-8", "replace").partition("\0")
        pipeline, _, text = rest.partition("\0")
        if not text:
            return
        if pipeline:
            self._show_op(name, text, pipeline)
            return
        from ..syntax.crash_site import locate

        line = locate(text)
        if line is not None:
            self._note(f"{name}:{line}", "it crashes on this")

    def _show_op(self, name: str, text: str, pipeline: str) -> None:
        from ..errors import StablehloError
        from ..passes.crash_site import locate_in_pipeline
        from ..syntax import Source

        with suppress(StablehloError):  # a pass that only the child knew
            found = locate_in_pipeline(Source(name, text.encode()), pipeline)
            if found.op:
                self._note(found.location, f"it crashes on this '{found.op}' op")
            self._note("", f"it crashes in the pass {found.pass_name}")


def _write_raw(data: bytes) -> None:
    while data:
        data = data[os.write(2, data) :]
