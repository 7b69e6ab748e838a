"""Processes that run side by side, meet in collectives, and pass values through channels.

Each process, and each asynchronous op that it starts, is an activity. An activity waits for values of others. When all
activities wait, they wait forever: they end with an error that says which process waits where.

The interface of a grid does not tell the location of processes. Here all of them are in this interpreter.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Sequence
from contextvars import ContextVar, Token
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

from ..errors import InterpreterError, StablehloError
from .activities import STACK_BYTES, Activities, Event, Wait
from .values import Future, Value

PROCESS_BYTES = STACK_BYTES
"""About what a process takes apart from its values."""
_MEMBERS_SHOWN = 16


class NeedsPartitionsError(InterpreterError):
    """The program turns to what one of `count` devices holds, and runs alone: it is to be run once for each."""

    def __init__(self, count: int) -> None:
        super().__init__(f"turns to what one of {count} devices holds; run it with as many partitions")
        self.count = count


class ProcessId(NamedTuple):
    """The position of a process in the grid. Spec: Parallel execution."""

    replica_id: int
    partition_id: int

    def __str__(self) -> str:
        return f"(replica {self.replica_id}, partition {self.partition_id})"


ProcessGroup = tuple[ProcessId, ...]
ProcessGroups = list[ProcessGroup]


class Process(NamedTuple):
    """A process as its ops see it."""

    id: ProcessId
    grid: ProcessGrid


_current: ContextVar[Process] = ContextVar("process")


def enter_process(process: Process) -> Token[Process]:
    """From here on this activity runs ops of `process`, until the token is given to `leave_process`."""
    return _current.set(process)


def leave_process(token: Token[Process]) -> None:
    """This activity runs again what it did before `enter_process` gave the token."""
    _current.reset(token)


def current_process() -> Process:
    """Return the process whose ops this activity runs."""
    return _current.get()


class Meeting(NamedTuple):
    """A run of a collective by a process: its group and its channel.

    The groups of one grid are the same objects wherever they are equal: `ProcessGrid.groups` gives them. The `terms`,
    the dimensions and the computation of the op as text, are the same in all processes of the group.
    """

    process: ProcessId
    group: ProcessGroup
    channel_id: int
    op: str
    location: str
    terms: str = ""

    @property
    def key(self) -> Hashable:
        """A key that the members of the group have in common."""
        return id(self.group), self.channel_id

    @property
    def position(self) -> int:
        """The position of the process in the group."""
        return self.group.index(self.process)

    def __str__(self) -> str:
        at = f" at {self.location}" if self.location else ""
        members = ", ".join(map(str, self.group[:_MEMBERS_SHOWN]))
        hidden = len(self.group) - _MEMBERS_SHOWN
        return f"{self.op}{at} for {members}" + (f" and {hidden} more" if hidden > 0 else "")


def mismatch(op: str, other: str, channel: Hashable, location: str) -> InterpreterError:
    """Return the error of an op where another process of its group runs `other`, or the same op on other terms."""
    terms = " with another computation or other dimensions" if other == op else ""
    return InterpreterError(f"meets {other} of another process{terms} on channel {channel}", location=location, op=op)


Compute = Callable[[list[Any]], Any]


@dataclass(eq=False)
class Rendezvous:
    """A meeting of a group's processes: each brings a value and, once all are there, sees all of them.

    `how` says what becomes of the values: they are all needed ("whole"), combined "by element", or "pieces" for each
    process of the group.
    """

    op: str
    terms: str
    how: str
    compute: Compute | None
    values: dict[ProcessId, Any] = field(default_factory=dict[ProcessId, Any])
    complete: Event = field(default_factory=Event)
    combined: list[Any] = field(default_factory=list[Any])


class ProcessGrid:
    """A grid of `num_replicas` by `num_partitions` processes.

    `infeed` holds what `stablehlo.infeed` reads, an entry a read, each called to get the values; `outfeed` collects
    what `stablehlo.outfeed` writes. `kept` is for what processes share. Spec: Parallel execution.
    """

    def __init__(
        self, num_replicas: int, num_partitions: int, infeed: Sequence[Callable[[], tuple[Value, ...]]] = ()
    ) -> None:
        self.num_replicas = num_replicas
        self.num_partitions = num_partitions
        self.outfeed: list[tuple[Value, ...]] = []
        self.activities = Activities(self._idle, self._stuck)
        self.kept: Any = None
        self._infeed = deque(infeed)
        self._meetings: dict[Hashable, Rendezvous] = {}
        self._channels: dict[Hashable, deque[tuple[Value, ...]]] = {}
        self._receivers: dict[Hashable, deque[Event]] = {}
        self._groups: dict[Hashable, dict[ProcessId, ProcessGroups]] = {}
        self._known_groups: dict[ProcessGroup, ProcessGroup] = {}

    @property
    def share(self) -> range:
        """The numbers of the processes that run in this interpreter."""
        return range(self.num_processes)

    @property
    def local_ids(self) -> list[ProcessId]:
        """The processes that run in this interpreter."""
        return [ProcessId(*divmod(number, self.num_partitions)) for number in self.share]

    @property
    def num_processes(self) -> int:
        """The number of processes."""
        return self.num_replicas * self.num_partitions

    # Process groups. Spec: Collective ops.

    @property
    def process_ids(self) -> list[ProcessId]:
        return [ProcessId(r, p) for r in range(self.num_replicas) for p in range(self.num_partitions)]

    def cross_replica(self, replica_groups: Sequence[Sequence[int]]) -> ProcessGroups:
        """Return a group for each replica group and partition."""
        return [
            tuple(ProcessId(replica_id, partition_id) for replica_id in replica_group)
            for replica_group in replica_groups
            for partition_id in range(self.num_partitions)
        ]

    def cross_partition(self, partition_groups: Sequence[Sequence[int]]) -> ProcessGroups:
        """Return a group for each partition group and replica."""
        return [
            tuple(ProcessId(replica_id, partition_id) for partition_id in partition_group)
            for partition_group in partition_groups
            for replica_id in range(self.num_replicas)
        ]

    def cross_replica_and_partition(self, replica_groups: Sequence[Sequence[int]]) -> ProcessGroups:
        """Return a group for each replica group, with all partitions of its replicas."""
        return [
            tuple(
                ProcessId(replica_id, partition_id)
                for partition_id in range(self.num_partitions)
                for replica_id in replica_group
            )
            for replica_group in replica_groups
        ]

    def flattened_ids(self, flattened_id_groups: Sequence[Sequence[int]]) -> ProcessGroups:
        """Return a group for each list of `replica_id * num_partitions + partition_id`."""
        return [
            tuple(ProcessId(*divmod(flattened_id, self.num_partitions)) for flattened_id in flattened_id_group)
            for flattened_id_group in flattened_id_groups
        ]

    def groups(self, op: Hashable, split: Callable[[ProcessGrid], ProcessGroups]) -> dict[ProcessId, ProcessGroups]:
        """Return the groups of each process that is in some, by `split`, which is asked once for each `op`."""
        table = self._groups.get(op)
        if table is None:
            table = self._groups[op] = {}
            for group in split(self):
                group = self._known_groups.setdefault(group, group)
                for member in dict.fromkeys(group):  # a process may be its own partner
                    table.setdefault(member, []).append(group)
        return table

    def __contains__(self, process: ProcessId) -> bool:
        return 0 <= process.replica_id < self.num_replicas and 0 <= process.partition_id < self.num_partitions

    # Communication.

    def combine(self, meeting: Meeting, value: Any, compute: Compute, *, by_element: bool = False) -> Any:
        """The result of `compute` for the values that the processes of the group bring, in the order of the group; all
        of them get the same object.

        With `by_element` the values are tuples of arrays, of one shape in all processes, and so is the result, each
        element of which is computed from the elements at the same index.
        """
        rendezvous = self._meet(meeting, value, "by element" if by_element else "whole", compute)
        if not rendezvous.combined:
            rendezvous.combined.append(compute([rendezvous.values[member] for member in meeting.group]))
        return rendezvous.combined[0]

    def exchange(self, meeting: Meeting, pieces: Sequence[Any]) -> list[Any]:
        """The pieces that each process of the group has for this one, in the order of the group; `pieces` are those
        that this process has for each of them."""
        values, position = self._meet(meeting, pieces, "pieces", None).values, meeting.position
        return [values[member][position] for member in meeting.group]

    def _meet(self, meeting: Meeting, value: Any, how: str, compute: Compute | None) -> Rendezvous:
        rendezvous = self._join(meeting, value, how, compute)
        if len(rendezvous.values) == len(meeting.group):
            del self._meetings[meeting.key]
            self.activities.happen(rendezvous.complete)
        self.activities.wait(rendezvous.complete, Wait(meeting.process, meeting.__str__))
        return rendezvous

    def _join(self, meeting: Meeting, value: Any, how: str, compute: Compute | None) -> Rendezvous:
        """Bring a value to the rendezvous of the group on this channel."""
        rendezvous = self._meetings.get(meeting.key)
        if rendezvous is None:
            rendezvous = self._meetings[meeting.key] = Rendezvous(meeting.op, meeting.terms, how, compute)
        if (rendezvous.op, rendezvous.terms) != (meeting.op, meeting.terms):
            raise mismatch(meeting.op, rendezvous.op, meeting.channel_id, meeting.location)
        rendezvous.values[meeting.process] = value
        return rendezvous

    def send(self, channel: Hashable, values: tuple[Value, ...]) -> None:
        """Put values into a channel; they are received in the order of sending."""
        receivers = self._receivers.get(channel)
        if receivers:
            self.activities.happen(receivers.popleft(), values)
        else:
            self._channels.setdefault(channel, deque()).append(values)

    def receive(self, process: ProcessId, channel: Hashable, what: str) -> tuple[Value, ...]:
        """The next values from a channel, once there are some."""
        queue = self._channels.get(channel)
        if queue:
            return queue.popleft()
        event = Event()
        self._receivers.setdefault(channel, deque()).append(event)
        return self.activities.wait(event, Wait(process, lambda: what))

    def read_infeed(self) -> tuple[Value, ...]:
        """The next values of the infeed. Raises `InterpreterError` when it is empty: nobody can fill it any more."""
        if not self._infeed:
            raise InterpreterError("the infeed is empty")
        return self._infeed.popleft()()

    def start(self, process: Process, work: Callable[[], tuple[Value, ...]]) -> Future:
        """Run `work` as another activity of `process`; return a future of its results."""
        done = Event()
        self._start(process, lambda: self.activities.happen(done, work()))
        return Future(lambda: self.activities.wait(done, Wait(process.id, lambda: "an asynchronous op")))

    # Activities.

    def run(self, programs: Sequence[Callable[[], tuple[Value, ...]]]) -> list[tuple[Value, ...]]:
        """Run one program in each process of `local_ids`, and return their results in that order.

        Raises the error of the first process that fails, with a note that names it.
        """
        results: dict[ProcessId, tuple[Value, ...]] = {}

        def store(process_id: ProcessId, program: Callable[[], tuple[Value, ...]]) -> None:
            results[process_id] = program()

        for process_id, program in zip(self.local_ids, programs, strict=True):
            self._start(Process(process_id, self), partial(store, process_id, program))
        self.activities.run()
        return [results[process_id] for process_id in self.local_ids]

    def run_all(self, programs: Sequence[Callable[[], tuple[Value, ...]]]) -> list[tuple[Value, ...]]:
        """Run one program in each process, and return the results of all of them in the order of `process_ids`."""
        return self.gathered(self.run(programs[self.share.start : self.share.stop]))

    def gathered(self, rows: Sequence[tuple[Value, ...]]) -> list[tuple[Value, ...]]:
        """Return the rows of all processes in the order of `process_ids`, given the rows of `local_ids`."""
        return [*rows]

    def _start(self, process: Process, work: Callable[[], object]) -> None:
        def activity() -> None:
            enter_process(process)
            try:
                work()
            except StablehloError as error:
                if self.num_processes > 1:
                    error.notes = (*error.notes, f"in process {process.id}")
                raise

        self.activities.start(activity)

    def _idle(self) -> bool:
        """Called when no activity can go on: return whether one can now."""
        return False

    def _stuck(self, waits: Sequence[Wait]) -> InterpreterError:
        """Return the error where every activity waits for what none of them will bring about."""
        notes = [f"process {wait.owner} waits in {wait.describe()}" for wait in waits]
        return InterpreterError("deadlock: no process can continue", notes=notes)
