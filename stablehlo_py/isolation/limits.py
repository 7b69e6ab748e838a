"""Limits of time and memory for one step, and how a process keeps to them."""

from __future__ import annotations

import importlib
import importlib.util
import os
import time
from contextlib import suppress
from typing import Any, NamedTuple, TypeVar

from ..errors import UsageError

_Number = TypeVar("_Number", int, float)
TIMEOUT_VARIABLE = "STABLEHLO_PY_GUARD_TIMEOUT"
MEMORY_VARIABLE = "STABLEHLO_PY_GUARD_MEMORY"
# Reading bytecode takes milliseconds, or a second for 500 MB of weights; text takes longer. Some damage
# keeps the reader busy forever.
SECONDS_TO_READ, _SECONDS_PER_BYTE = 10.0, 1e-6
# An op of bytecode can take four bytes, and five hundred in memory. Some damage makes the reader ask for any amount.
MEMORY_TO_READ, _MEMORY_PER_BYTE = 1 << 30, 256
# Where Linux counts the processes that it ended because memory ran out.
_KILL_COUNTERS = "/sys/fs/cgroup/memory.events", "/proc/vmstat"


class Limits(NamedTuple):
    """Limits of one step or of one run of an engine.

    Attributes:
        seconds: Its time; None for any, or for ten minutes of an engine.
        memory_bytes: The memory that it may allocate beyond what its process has at the start; None for any.
    """

    seconds: float | None = None
    memory_bytes: int | None = None

    def for_reading(self, size: int) -> Limits:
        """Return these limits for reading `size` bytes. By default ten seconds and a GiB, and more for a lot."""
        seconds, memory = self
        return Limits(
            SECONDS_TO_READ + _SECONDS_PER_BYTE * size if seconds is None else seconds,
            MEMORY_TO_READ + _MEMORY_PER_BYTE * size if memory is None else memory,
        )


def _number(variable: str, kind: type[_Number]) -> _Number | None:
    text = os.environ.get(variable, "")
    if not text:
        return None
    with suppress(ValueError):
        value = kind(text)
        if value > 0:
            return value
    raise UsageError(f"{variable}={text}: expected a positive number")


def limits() -> Limits:
    """The limits that the environment sets for every guarded step; a tool's flags set them there. Raises UsageError."""
    memory = _number(MEMORY_VARIABLE, int)
    if memory is not None and _resource is None:
        raise UsageError(f"{MEMORY_VARIABLE}={memory}: this system cannot limit the memory of a process")
    return Limits(_number(TIMEOUT_VARIABLE, float), memory)


def memory_notes() -> list[str]:
    """Return the note about the limit of memory that the environment or the system sets; none without a limit."""
    size = os.environ.get(MEMORY_VARIABLE, "")
    if size:
        return [f"the limit is {size} bytes; --guard-memory=BYTES or {MEMORY_VARIABLE} sets it"]
    size = _system_limit("RLIMIT_AS")
    return [f"the system's limit is {size} bytes; `ulimit -v` sets it"] if size >= 0 else []


def file_limit() -> str:
    """Return what to add to an error about too many open files."""
    limit = _system_limit("RLIMIT_NOFILE")
    return f"; the limit is {limit}, `ulimit -n` sets it" if limit > 0 else ""


# A step that had a processor for this part of its time has used it up; by the clock it may take that much longer.
_PART_OF_THE_TIME, _TIMES_BY_THE_CLOCK = 0.8, 4


class Patience:
    """The CPU-time budget of a process for a step, or its time by the clock if the system does not tell.

    On a busy machine a step takes longer by the clock, and its input is not to blame.
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
    """Return the CPU seconds of a process; None if the system does not tell."""
    try:
        with open(f"/proc/{process}/stat", encoding="utf-8") as file:
            line = file.readline()
    except OSError:
        return None
    fields = line.rpartition(")")[2].split()  # from the third field on; utime and stime are numbers 14 and 15
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


_LARGEST = 1 << 62  # more does not fit where the system keeps the limit
_resource: Any = importlib.import_module("resource") if importlib.util.find_spec("resource") is not None else None


def _system_limit(name: str) -> int:
    """Return a limit that the system sets; -1 for none."""
    if _resource is None:
        return -1
    limit = _resource.getrlimit(getattr(_resource, name))[0]
    return -1 if limit == _resource.RLIM_INFINITY else limit  # from Python 3.15 on the largest number


# The memory limit of this process between steps with limits of their own; -1 for none.
_limit = _system_limit("RLIMIT_DATA")


def limit_memory(beyond: int | None) -> None:
    """Let this process allocate `beyond` bytes more than it has, where the system can; its allocations fail after
    that. None: any number."""
    global _limit
    if beyond is not None:
        _limit = taken_bytes() + min(beyond, _LARGEST)
        _set_limit(_limit)


def limit_memory_of_step(beyond: int | None) -> None:
    """As `limit_memory`, until the next step begins; the limit of the process stays above it."""
    wanted = _limit if beyond is None else taken_bytes() + min(beyond, _LARGEST)
    _set_limit(min(wanted, _limit) if _limit >= 0 else wanted)


def lift_memory_limit() -> None:
    """Let this process allocate anything again: to report a lack of memory takes some."""
    _set_limit(-1)


def _set_limit(limit: int) -> None:
    if _resource is not None:
        _, hard = _resource.getrlimit(_resource.RLIMIT_DATA)
        lowered = limit >= 0 and (hard == _resource.RLIM_INFINITY or limit < hard)
        _resource.setrlimit(_resource.RLIMIT_DATA, (limit if lowered else hard, hard))


def taken_bytes() -> int:
    """The bytes that count for the limit of memory."""
    if not os.path.exists("/proc/self/status"):
        return 0
    with open("/proc/self/status", encoding="utf-8") as file:
        line = next(line for line in file if line.startswith("VmData:"))
    return int(line.split()[1]) << 10


def memory_kills() -> int:
    """Return the number of processes that Linux killed so far for lack of memory; 0 if it does not say."""
    for path in _KILL_COUNTERS:
        with suppress(OSError), open(path, encoding="utf-8") as file:
            for line in file:
                if line.startswith("oom_kill "):
                    return int(line.split()[1])
    return 0
