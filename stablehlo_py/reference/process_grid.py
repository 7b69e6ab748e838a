"""Processes that run side by side, meet in collectives, and pass values through channels.

Each process, and each asynchronous op that one starts, is an activity with a thread of its own. An activity that
needs something from the others waits for it; when every activity waits and none of what they wait for has come
about, it never will: all of them end with an error that says which process waits where.
"""

from __future__ import annotations

import contextvars
import threading
from collections import deque
from collections.abc import Callable, Hashable, Sequence
from contextvars import ContextVar, Token
from dataclasses import dataclass, field
from typing import Any

from ..errors import InterpreterError, StablehloError
from .values import Future, Value

PROCESS_BYTES = 1 << 16
"""About what a process takes apart from its values: its thread."""


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


ProcessGroup = tuple[ProcessId, ...]
ProcessGroups = list[ProcessGroup]


@dataclass(frozen=True)
class Process:
    """A process as its ops see it."""

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


class StoppedError(InterpreterError):
    """A process was stopped because another one failed or none of them could continue."""


@dataclass
class Rendezvous:
    """Where the processes of a group bring a value each and, once all are there, see all of them."""

    size: int
    op: str
    values: dict[ProcessId, Any] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _shared: Any = None

    @property
    def is_complete(self) -> bool:
        return len(self.values) == self.size

    def once(self, compute: Callable[[], Any]) -> Any:
        """Return the result of `compute`, which only the first process of the group calls."""
        with self._lock:
            if self._shared is None:
                self._shared = (compute(),)
            return self._shared[0]


@dataclass
class _Wait:
    """A wait of an activity."""

    process: ProcessId
    what: str
    is_over: Callable[[], bool]


class ProcessGrid:
    """A grid of `num_replicas` by `num_partitions` processes.

    `infeed` holds what `stablehlo.infeed` reads, an entry a read, each called to get the values; `outfeed` collects
    what `stablehlo.outfeed` writes. Spec: Parallel execution.
    """

    def __init__(
        self, num_replicas: int, num_partitions: int, infeed: Sequence[Callable[[], tuple[Value, ...]]] = ()
    ) -> None:
        self.num_replicas = num_replicas
        self.num_partitions = num_partitions
        self.outfeed: list[tuple[Value, ...]] = []
        self._infeed = deque(infeed)
        self._changed = threading.Condition()
        self._running = 1  # whoever made the grid, until `run` hands over to the processes
        self._waits: list[_Wait] = []
        self._failure: tuple[ProcessId, StablehloError] | None = None
        self._meetings: dict[Hashable, Rendezvous] = {}
        self._channels: dict[Hashable, deque[tuple[Value, ...]]] = {}

    # Process groups. Spec: Collective ops.

    @property
    def process_ids(self) -> list[ProcessId]:
        return [ProcessId(r, p) for r in range(self.num_replicas) for p in range(self.num_partitions)]

    def cross_replica(self, replica_groups: Sequence[Sequence[int]]) -> ProcessGroups:
        """A group for each replica group and partition."""
        return [
            tuple(ProcessId(replica_id, partition_id) for replica_id in replica_group)
            for replica_group in replica_groups
            for partition_id in range(self.num_partitions)
        ]

    def cross_partition(self, partition_groups: Sequence[Sequence[int]]) -> ProcessGroups:
        """A group for each partition group and replica."""
        return [
            tuple(ProcessId(replica_id, partition_id) for partition_id in partition_group)
            for partition_group in partition_groups
            for replica_id in range(self.num_replicas)
        ]

    def cross_replica_and_partition(self, replica_groups: Sequence[Sequence[int]]) -> ProcessGroups:
        """A group for each replica group, with all partitions of its replicas."""
        return [
            tuple(
                ProcessId(replica_id, partition_id)
                for partition_id in range(self.num_partitions)
                for replica_id in replica_group
            )
            for replica_group in replica_groups
        ]

    def flattened_ids(self, flattened_id_groups: Sequence[Sequence[int]]) -> ProcessGroups:
        """A group for each list of `replica_id * num_partitions + partition_id`."""
        return [
            tuple(ProcessId(*divmod(flattened_id, self.num_partitions)) for flattened_id in flattened_id_group)
            for flattened_id_group in flattened_id_groups
        ]

    # Communication.

    def rendezvous(
        self, process: ProcessId, group: ProcessGroup, channel_id: int, op: str, what: str, value: Any
    ) -> Rendezvous:
        """The rendezvous of the group on this channel, once each of its processes has brought a value.

        `op` names the kind of collective, which all must agree on; `what` tells where this process waits.
        """
        key = (group, channel_id)
        with self._changed:
            meeting = self._meetings.get(key)
            if meeting is None:
                meeting = self._meetings[key] = Rendezvous(len(group), op)
            if meeting.op != op:
                raise InterpreterError(f"meets {meeting.op} of another process on channel {channel_id}", op=op)
            meeting.values[process] = value
            if meeting.is_complete:
                del self._meetings[key]
                self._changed.notify_all()
            members = ", ".join(map(str, group))
            self._wait(process, f"{what} for {members}", lambda: meeting.is_complete)
        return meeting

    def send(self, channel: Hashable, values: tuple[Value, ...]) -> None:
        """Puts values into a channel; they are received in the order in which they were sent."""
        with self._changed:
            self._channels.setdefault(channel, deque()).append(values)
            self._changed.notify_all()

    def receive(self, process: ProcessId, channel: Hashable, what: str) -> tuple[Value, ...]:
        """The next values from a channel, once there are some."""
        with self._changed:
            queue = self._channels.setdefault(channel, deque())
            self._wait(process, what, lambda: bool(queue))
            return queue.popleft()

    def read_infeed(self) -> tuple[Value, ...]:
        """The next values of the infeed. Raises `InterpreterError` when it is empty: nobody can fill it any more."""
        with self._changed:
            if not self._infeed:
                raise InterpreterError("the infeed is empty")
            produce = self._infeed.popleft()
        return produce()

    def start(self, process: Process, work: Callable[[], tuple[Value, ...]]) -> Future:
        """Runs `work` as another activity of `process`; the future waits for what it returns."""
        outcome: list[tuple[Value, ...]] = []

        def wait() -> tuple[Value, ...]:
            with self._changed:
                self._wait(process.id, "an asynchronous op", lambda: bool(outcome))
            return outcome[0]

        self._begin_activity(process, lambda: outcome.append(work()))
        return Future(wait)

    # Activities.

    def run(self, programs: Sequence[Callable[[], tuple[Value, ...]]]) -> list[tuple[Value, ...]]:
        """Run one program in each process, and return their results in the order of `process_ids`.

        Raises the error of the first process that fails, with a note that names it.
        """
        results: dict[ProcessId, tuple[Value, ...]] = {}
        threads = []
        for process_id, program in zip(self.process_ids, programs, strict=True):
            threads.append(self._begin_activity(Process(process_id, self), _storing(results, process_id, program)))
        self._end_activity()
        for thread in threads:
            thread.join()
        with self._changed:
            if self._failure is not None:
                process_id, error = self._failure
                error.notes = (*error.notes, f"in process {process_id}") if self._is_plural else error.notes
                raise error
        return [results[process_id] for process_id in self.process_ids]

    @property
    def _is_plural(self) -> bool:
        return self.num_replicas * self.num_partitions > 1

    def _begin_activity(self, process: Process, work: Callable[[], object]) -> threading.Thread:
        def activity() -> None:
            enter_process(process)
            try:
                work()
            except StoppedError:
                pass  # another process failed first; that is what is reported
            except StablehloError as error:
                self._fail(process.id, error)
            finally:
                self._end_activity()

        with self._changed:
            self._running += 1
        context = contextvars.copy_context()  # numpy's error state and the limit on memory come along
        thread = threading.Thread(target=context.run, args=(activity,), daemon=True)
        thread.start()
        return thread

    def _end_activity(self) -> None:
        with self._changed:
            self._running -= 1
            self._changed.notify_all()
            self._stop_if_stuck()

    def _fail(self, process: ProcessId, error: StablehloError) -> None:
        with self._changed:
            if self._failure is None:
                self._failure = (process, error)
            self._changed.notify_all()

    def _wait(self, process: ProcessId, what: str, is_over: Callable[[], bool]) -> None:
        """Waits, with the lock held, until `is_over`. Raises `StoppedError` where that will not come about."""
        if is_over():
            return
        wait = _Wait(process, what, is_over)
        self._waits.append(wait)
        self._running -= 1
        try:
            self._stop_if_stuck()
            while not is_over():
                if self._failure is not None:
                    culprit, error = self._failure
                    raise error if culprit == process else StoppedError(f"was stopped while waiting in {what}")
                self._changed.wait()
        finally:
            self._waits.remove(wait)
            self._running += 1

    def _stop_if_stuck(self) -> None:
        """Fails the grid when every activity waits for what none of them will bring about."""
        if self._running or not self._waits or self._failure is not None:
            return
        if any(wait.is_over() for wait in self._waits):
            return
        notes = [f"process {wait.process} waits in {wait.what}" for wait in self._waits]
        error = InterpreterError("deadlock: no process can continue", notes=notes)
        self._failure = (self._waits[0].process, error)
        self._changed.notify_all()


def _storing(
    results: dict[ProcessId, tuple[Value, ...]], process_id: ProcessId, program: Callable[[], tuple[Value, ...]]
) -> Callable[[], None]:
    def store() -> None:
        results[process_id] = program()

    return store
