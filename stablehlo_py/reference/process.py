"""A process: one run of a program at a place in the process grid."""

from __future__ import annotations

from contextvars import ContextVar, Token
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..errors import InterpreterError

if TYPE_CHECKING:
    from .process_grid import ProcessGrid


class NeedsPartitionsError(InterpreterError):
    """The program turns to what one of `count` devices holds, and runs alone: it is to be run once for each."""

    def __init__(self, count: int) -> None:
        super().__init__(f"turns to what one of {count} devices holds; run it with as many partitions")
        self.count = count


@dataclass(frozen=True, order=True)
class ProcessId:
    """The place of a process in the grid. Spec: Parallel execution."""

    replica_id: int
    partition_id: int

    def __str__(self) -> str:
        return f"(replica {self.replica_id}, partition {self.partition_id})"


@dataclass(frozen=True)
class Process:
    """What an op can know of the process that it runs in."""

    id: ProcessId
    grid: ProcessGrid


_current: ContextVar[Process] = ContextVar("process")


def enter_process(process: Process) -> Token[Process]:
    """From here on this thread runs ops of `process`, until the token is given to `leave_process`."""
    return _current.set(process)


def leave_process(token: Token[Process]) -> None:
    """This thread runs again what it did before `enter_process` gave the token."""
    _current.reset(token)


def current_process() -> Process:
    """The process whose ops this thread runs."""
    return _current.get()
