"""Child processes that may crash in place of this one: their limits, signals, and how they ended.

Nothing here loads the bindings: a tool's first process does not.
"""

from __future__ import annotations

import importlib.util
import os
import signal
import stat
import sys
import time
import warnings
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import BinaryIO

from .errors import InputError, UsageError

TIMEOUT_VARIABLE = "STABLEHLO_PY_GUARD_TIMEOUT"
MEMORY_VARIABLE = "STABLEHLO_PY_GUARD_MEMORY"
# Which imported programs are compared with their originals.
CHECK_VARIABLE = "STABLEHLO_PY_CHECK_IMPORT"
CHECK_CHOICES = ("all", "small", "none")
_SET_PARENT_DEATH_SIGNAL = 1  # prctl's PR_SET_PDEATHSIG
# Reading bytecode takes milliseconds, or a second where there are 500 MB of weights; text takes longer. Some damage
# keeps the reader busy forever.
SECONDS_TO_READ, _SECONDS_PER_BYTE = 10.0, 1e-6
# An op of bytecode can take four bytes, and five hundred in memory. Some damage makes the reader ask for any amount.
MEMORY_TO_READ, _MEMORY_PER_BYTE = 1 << 30, 256
# Limits of reading a device or a pipe, whose end nobody knows: bytes, or a part of the limit of memory.
_DEVICE_BYTES, _PIPE_BYTES, _PART_OF_MEMORY = 1 << 26, 1 << 30, 4
_CHUNK = 1 << 20
# Where Linux counts the processes that it ended because memory ran out.
_KILL_COUNTERS = (("/sys/fs/cgroup/memory.events", "oom_kill"), ("/proc/vmstat", "oom_kill"))
_EXPLANATION_LINES, _EXPLANATION_WIDTH = 5, 400
# The exit codes with which Windows ends a process that crashes, all of them large.
_WINDOWS_ABORT, _WINDOWS_FAILURES = 3, 0xC0000000
_WINDOWS_CRASHES = {
    _WINDOWS_ABORT: "SIGABRT",
    0xC0000409: "SIGABRT",
    0xC000001D: "SIGILL",
    0xC0000094: "SIGFPE",
}
_CAUSES = ("LLVM ERROR", "terminate called", "what():", "Assertion", "free():", "malloc():", "corrupted", "UNREACHABLE")


@dataclass(frozen=True)
class Limits:
    """Limits of one guarded step: `seconds` of time (None: any), `memory` in bytes beyond what is taken at its
    start (None: any)."""

    seconds: float | None = None
    memory: int | None = None

    def for_reading(self, size: int) -> Limits:
        """These limits for reading `size` bytes; where none is set, ten seconds and a GiB, and more for a lot."""
        seconds, memory = self.seconds, self.memory
        return Limits(
            SECONDS_TO_READ + _SECONDS_PER_BYTE * size if seconds is None else seconds,
            MEMORY_TO_READ + _MEMORY_PER_BYTE * size if memory is None else memory,
        )


def _number(variable: str, kind: type[int] | type[float]) -> int | float | None:
    text = os.environ.get(variable, "")
    if not text:
        return None
    try:
        value = kind(text)
    except ValueError:
        value = -1
    if not value > 0:
        raise UsageError(f"{variable}={text}: expected a positive number")
    return value


def limits() -> Limits:
    """The limits that the environment sets for every guarded step; a tool's flags set them there. Raises UsageError."""
    memory = _number(MEMORY_VARIABLE, int)
    if memory is not None and importlib.util.find_spec("resource") is None:
        raise UsageError(f"{MEMORY_VARIABLE}={memory}: this system cannot limit the memory of a process")
    return Limits(_number(TIMEOUT_VARIABLE, float), None if memory is None else int(memory))


def memory_notes() -> list[str]:
    """Return the note about the limit of memory that the environment sets; none where it sets no limit."""
    size = os.environ.get(MEMORY_VARIABLE, "")
    return [f"the limit is {size} bytes; --guard-memory=BYTES or {MEMORY_VARIABLE} sets it"] if size else []


def read_stream(file: BinaryIO, name: str) -> bytes:
    """Return the contents of a file, of a device or of a pipe that is called `name`.

    Raises:
        InputError: A device or a pipe gives more than its limit, or a file does not fit into memory.
    """
    try:
        most = _PIPE_BYTES
        with suppress(OSError):  # bytes in memory have no descriptor
            about = os.fstat(file.fileno())
            if stat.S_ISREG(about.st_mode) and about.st_size:  # the system's own files do not tell their size
                return file.read()
            most = _DEVICE_BYTES if stat.S_ISCHR(about.st_mode) else _PIPE_BYTES
        memory = limits().memory
        return _read_within(file, name, most if memory is None else int(memory) // _PART_OF_MEMORY)
    except MemoryError:
        message = f"cannot open input file '{name}': it does not fit into memory"
        raise InputError(message, notes=memory_notes()) from None


def _read_within(file: BinaryIO, name: str, limit: int) -> bytes:
    chunks: list[bytes] = []
    size = 0
    while chunk := file.read(_CHUNK):
        chunks.append(chunk)
        size += len(chunk)
        if size > limit:
            message = f"cannot open input file '{name}': it is a device or a pipe and gives more than {limit} bytes"
            raise InputError(message, notes=[f"a quarter of --guard-memory=BYTES or {MEMORY_VARIABLE} sets the limit"])
    return b"".join(chunks)


# A step that had a processor for this part of its time has used it up; by the clock it may take that much longer.
_PART_OF_THE_TIME, _TIMES_BY_THE_CLOCK = 0.8, 4


class Patience:
    """The time that a process may take for a step: seconds in which it has a processor, as far as the system tells.

    On a machine with much else to do a step takes longer by the clock, and its input is not to blame.
    """

    def __init__(self, process: int, seconds: float) -> None:
        self.process, self.seconds = process, seconds
        self._began, self._used = time.monotonic(), _processor_seconds(process)

    def is_over(self) -> bool:
        """Whether the time is used up."""
        waited = time.monotonic() - self._began
        if waited < self.seconds:
            return False
        used = _processor_seconds(self.process)
        if used is None or self._used is None or waited >= _TIMES_BY_THE_CLOCK * self.seconds:
            return True
        return used - self._used >= _PART_OF_THE_TIME * self.seconds


def _processor_seconds(process: int) -> float | None:
    """The seconds for which a process has had a processor; None where the system does not tell."""
    try:
        (line,) = _lines(f"/proc/{process}/stat")
    except (OSError, ValueError):
        return None
    fields = line.rpartition(")")[2].split()  # from the third field on; utime and stime are numbers 14 and 15
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


_expendable = False


def enter_guard() -> None:
    """Notes that another process waits for this one and reports its crash: nothing needs another child here."""
    global _expendable
    _expendable = True


def is_expendable() -> bool:
    """Whether a crash of this process is reported by another one, or its input is trusted."""
    return _expendable


@contextmanager
def sparing() -> Generator[None]:
    """Guard what is done here by children even in an expendable process, which has more to do than this."""
    global _expendable
    before, _expendable = _expendable, False
    try:
        yield
    finally:
        _expendable = before


def fork() -> int:
    """Fork without the warnings of Python and JAX about threads.

    The child only calls C++ code that starts no threads and takes no lock that a thread of ours could hold.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        warnings.simplefilter("ignore", RuntimeWarning)
        return os.fork()


def die_with_parent(parent: int) -> None:
    """Makes Linux end this process when process `parent`, which forked it, ends in any way."""
    if sys.platform.startswith("linux"):
        import ctypes

        ctypes.CDLL(None).prctl(_SET_PARENT_DEATH_SIGNAL, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def _lines(path: str) -> list[str]:
    with open(path, encoding="utf-8") as file:
        return file.read().splitlines()


# What this process may allocate while no step sets a limit of its own; None while none does.
_allowance: int | None = None


_LARGEST = 1 << 62  # more does not fit where the system keeps the limit


def limit_memory(beyond: int | None) -> None:
    """Lets this process allocate `beyond` bytes more than it has, where the system can; its allocations fail after
    that. None: any number."""
    if beyond is None or importlib.util.find_spec("resource") is None:
        return
    import resource

    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    wanted = taken_bytes() + min(beyond, _LARGEST)
    resource.setrlimit(resource.RLIMIT_DATA, (wanted if hard < 0 else min(wanted, hard), hard))


def limit_memory_of_step(beyond: int | None) -> None:
    """As `limit_memory`, until the next step begins; the limit of the process stays above it."""
    global _allowance
    if (beyond is None and _allowance is None) or importlib.util.find_spec("resource") is None:
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    allowance = soft if _allowance is None else _allowance
    wanted = allowance if beyond is None else taken_bytes() + min(beyond, _LARGEST)
    if allowance >= 0:  # -1 is any number
        wanted = min(wanted, allowance)
    resource.setrlimit(resource.RLIMIT_DATA, (wanted, hard))
    _allowance = None if beyond is None else allowance


def taken_bytes() -> int:
    """The bytes that count for the limit of memory."""
    if not os.path.exists("/proc/self/status"):
        return 0
    line = next(line for line in _lines("/proc/self/status") if line.startswith("VmData:"))
    return int(line.split()[1]) << 10


def anonymous_file(name: str) -> int:
    """The descriptor of a file without a name: it is gone when nobody has it open."""
    if hasattr(os, "memfd_create"):
        return os.memfd_create(name)
    import tempfile

    with tempfile.TemporaryFile() as file:
        return os.dup(file.fileno())


def describe_signal(number: int) -> str:
    """`SIGSEGV (Segmentation fault)` for 11."""
    description = signal.strsignal(number)
    name = signal.Signals(number).name
    return f"{name} ({description})" if description else name


def describe_crash(code: int) -> str:
    """The cause that ended a process with this exit code, as `describe_signal` says it; empty where it ended itself.

    Windows tells by large numbers, and by 3 for `abort()`.
    """
    if code < 0:
        return describe_signal(-code)
    if os.name != "nt" or (code != _WINDOWS_ABORT and code < _WINDOWS_FAILURES):
        return ""
    name = _WINDOWS_CRASHES.get(code, "SIGSEGV")
    return f"{name} (exit code {code:#x})"


def memory_kills() -> int:
    """The number of processes that Linux has ended so far because memory ran out; 0 where it does not say."""
    for path, key in _KILL_COUNTERS:
        try:
            lines = _lines(path)
        except OSError:
            continue
        for line in lines:
            name, _, count = line.partition(" ")
            if name == key:
                return int(count)
    return 0


def cause_of_crash(printed: bytes) -> tuple[str, ...]:
    """The lines that C++ printed about its own end: `LLVM ERROR: …` and its like."""
    lines = printed.decode("utf-8", "replace").splitlines()
    return tuple(
        line.strip()[:_EXPLANATION_WIDTH] for line in lines if any(cause in line for cause in _CAUSES)
    )[:_EXPLANATION_LINES]  # fmt: skip


def read_all(descriptor: int) -> bytes:
    """The contents of an anonymous file."""
    size = os.fstat(descriptor).st_size
    os.lseek(descriptor, 0, os.SEEK_SET)
    parts: list[bytes] = []
    while size > 0 and (part := os.read(descriptor, size)):
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def replace_all(descriptor: int, data: bytes) -> None:
    """Makes `data` the contents of an anonymous file."""
    os.ftruncate(descriptor, 0)
    os.lseek(descriptor, 0, os.SEEK_SET)
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]
