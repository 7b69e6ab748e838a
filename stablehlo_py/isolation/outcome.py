"""The outcome of a call in another process: a result, an error, or the cause of its death."""

from __future__ import annotations

import os
import pickle
import re
import signal
from collections.abc import Callable
from typing import Any, Literal, NamedTuple

from ..errors import ResourceError
from .limits import memory_kills, memory_notes

_KILLED = -9  # by SIGKILL, which Windows does not have
_EXPLANATION_LINES, _EXPLANATION_WIDTH = 5, 400
# Exit codes of crashed processes on Windows. All are large.
_WINDOWS_ABORT, _WINDOWS_FAILURES = 3, 0xC0000000
_WINDOWS_CRASHES = {
    _WINDOWS_ABORT: "SIGABRT",
    0xC0000409: "SIGABRT",
    0xC000001D: "SIGILL",
    0xC0000094: "SIGFPE",
}
_CAUSES = (
    *("LLVM ERROR", "terminate called", "what():", "Assertion", "free():", "malloc():", "corrupted", "UNREACHABLE"),
    *("Memory allocation", "cannot allocate memory", "Check failed"),
)
_LOG_STAMP = re.compile(r"^[A-Z]\d{4} [\d:.]+ +\d+ ")  # the time and the thread, which differ from run to run


class Outcome(NamedTuple):
    """The outcome of a call in another process.

    Attributes:
        value: Its result.
        error: The exception that it raised.
        cause: The reason why the process gave neither; empty if it did.
        crash: The same in words, such as `SIGSEGV (Segmentation fault)`.
        code: The exit code of a process that died.
        notes: The lines that C++ printed about its own end.
        printed: All that the process printed.
    """

    value: Any = None
    error: Exception | None = None
    cause: Literal["", "crash", "timeout", "memory"] = ""
    crash: str = ""
    code: int = 0
    notes: tuple[str, ...] = ()
    printed: bytes = b""

    def result(self) -> Any:
        """The result of a call that did not crash. Raises what it raised."""
        if isinstance(self.error, MemoryError):
            raise ResourceError("out of memory", notes=memory_notes())
        if self.error is not None:
            raise self.error
        return self.value


def died(code: int, printed: bytes, kills: int) -> Outcome:
    """Return the outcome of a process that ended without an answer.

    Args:
        code: Its exit code.
        printed: What it printed.
        kills: The number of `limits.memory_kills` when it was started.
    """
    if code == _KILLED and memory_kills() > kills:
        return Outcome(cause="memory", crash="the system's memory killer ended it", code=code, printed=printed)
    crash = describe_crash(code) or f"it ended the process with exit code {code}"
    return Outcome(cause="crash", crash=crash, code=code, notes=cause_of_crash(printed), printed=printed)


def late(seconds: float) -> Outcome:
    """Return the outcome of a process that was ended since it took longer than `seconds`."""
    return Outcome(cause="timeout", crash=f"it did not end within {seconds:g} s")


def directly(function: Callable[[], Any]) -> Outcome:
    """The outcome of `function()` in this process."""
    try:
        return Outcome(value=function())
    except Exception as error:
        return Outcome(error=error)


def report_of(function: Callable[[], Any]) -> bytes:
    """The outcome of `function()` in this process, pickled."""
    outcome = directly(function)  # every error travels to the parent
    try:
        return pickle.dumps(outcome)
    except Exception:  # an exception that does not pickle: its text has to do
        return pickle.dumps(Outcome(error=RuntimeError(str(outcome.error))))


def describe_crash(code: int) -> str:
    """The cause that ended a process with this exit code, `SIGSEGV (Segmentation fault)`; empty where it ended itself.

    Windows tells by large numbers, and by 3 for `abort()`.
    """
    if code < 0:
        description, name = signal.strsignal(-code), signal.Signals(-code).name
        return f"{name} ({description})" if description else name
    if os.name != "nt" or (code != _WINDOWS_ABORT and code < _WINDOWS_FAILURES):
        return ""
    name = _WINDOWS_CRASHES.get(code, "SIGSEGV")
    return f"{name} (exit code {code:#x})"


def cause_of_crash(printed: bytes) -> tuple[str, ...]:
    """The lines that C++ printed about its own end: `LLVM ERROR: …` and its like."""
    lines = [_LOG_STAMP.sub("", line) for line in printed.decode("utf-8", "replace").splitlines()]
    found = [line.strip()[:_EXPLANATION_WIDTH] for line in lines if any(cause in line for cause in _CAUSES)]
    return tuple(found[:_EXPLANATION_LINES])
