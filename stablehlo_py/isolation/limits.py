"""Limits of time and memory for one step, and how a process keeps to them."""

from __future__ import annotations

import importlib.util
import os
import time
from typing import NamedTuple

from ..errors import UsageError

TIMEOUT_VARIABLE = "STABLEHLO_PY_GUARD_TIMEOUT"
MEMORY_VARIABLE = "STABLEHLO_PY_GUARD_MEMORY"
# Reading bytecode takes milliseconds, or a second where there are 500 MB of weights; text takes longer. Some damage
# keeps the reader busy forever.
SECONDS_TO_READ, _SECONDS_PER_BYTE = 10.0, 1e-6
# An op of bytecode can take four bytes, and five hundred in memory. Some damage makes the reader ask for any amount.
MEMORY_TO_READ, _MEMORY_PER_BYTE = 1 << 30, 256
# Where Linux counts the processes that it ended because memory ran out.
_KILL_COUNTERS = (("/sys/fs/cgroup/memory.events", "oom_kill"), ("/proc/vmstat", "oom_kill"))


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
    """Return the CPU seconds of a process; None if the system does not tell."""
    try:
        (line,) = _lines(f"/proc/{process}/stat")
    except (OSError, ValueError):
        return None
    fields = line.rpartition(")")[2].split()  # from the third field on; utime and stime are numbers 14 and 15
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _lines(path: str) -> list[str]:
    with open(path, encoding="utf-8") as file:
        return file.read().splitlines()


# The memory limit of this process between steps with limits of their own; None while no step has one.
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


def lift_memory_limit() -> None:
    """Let this process allocate anything again: to report a lack of memory takes some."""
    if importlib.util.find_spec("resource") is None:
        return
    import resource

    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (hard, hard))


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


def memory_kills() -> int:
    """Return the number of processes that Linux killed so far for lack of memory; 0 if it does not say."""
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
