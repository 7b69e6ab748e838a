"""A grid of processes over ranks of MPI: each rank runs its share of the processes and holds only their values.

When all processes of a rank wait, the rank waits for the other ranks. Then each rank tells the others the arrivals at
collectives, sends and waits of its processes. All ranks know the same, and take the possible steps in the same order.
So all ranks are in the same call of MPI. If no step is possible, all ranks know of the deadlock.

Results are the same bits as on one machine. Collectives combine values in the order of the group. If they work element
by element, each rank combines a part of the elements.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..errors import InterpreterError, StablehloError
from ..interpreter.activities import Event, Wait
from ..interpreter.process_grid import Compute, Meeting, ProcessGrid, ProcessId, Rendezvous, current_process, mismatch
from ..interpreter.values import Value
from .ranks import ranks

_SMALL = 1 << 12
"""Up to how many elements a value goes to all ranks, rather than a part of it to each."""

_Key = tuple[Hashable, ...]


@dataclass(frozen=True)
class _Arrival:
    """The message of a rank about a collective that its processes take part in."""

    op: str
    terms: str
    location: str
    process: ProcessId
    is_complete: bool
    form: tuple[Any, ...] = ()
    members: tuple[int, ...] = ()


@dataclass
class _Report:
    """The news of a rank since its last message."""

    arrivals: dict[_Key, _Arrival] = field(default_factory=dict[_Key, _Arrival])
    sent: list[Hashable] = field(default_factory=list[Hashable])
    wanted: list[Hashable] = field(default_factory=list[Hashable])
    reading: list[int] = field(default_factory=list[int])
    is_done: bool = False


@dataclass
class _Known:
    """The knowledge that all ranks share."""

    arrivals: dict[_Key, dict[int, _Arrival]] = field(default_factory=dict[_Key, dict[int, _Arrival]])
    sent: dict[Hashable, deque[int]] = field(default_factory=dict[Hashable, deque[int]])
    wanted: dict[Hashable, deque[int]] = field(default_factory=dict[Hashable, deque[int]])
    reading: list[int] = field(default_factory=list[int])
    done: bool = False


class MpiGrid(ProcessGrid):
    """A grid whose processes are spread over the ranks that `mpiexec` started.

    `note` is told where a process is whenever it comes to a collective or receives something.
    """

    def __init__(
        self,
        num_replicas: int,
        num_partitions: int,
        infeed: Sequence[Callable[[], tuple[Value, ...]]] = (),
        *,
        note: Callable[[str], None] = lambda _: None,
    ) -> None:
        super().__init__(num_replicas, num_partitions, infeed)
        self._note = note
        self._ranks = ranks()
        shares = [self._ranks.share(self.num_processes, rank) for rank in range(self._ranks.count)]
        self._share = shares[self._ranks.rank]
        self._owners = [rank for rank, share in enumerate(shares) for _ in share]
        self._member_ranks: dict[int, tuple[int, ...]] = {}
        self._known = _Known()
        self._news = _Report()
        self._open: dict[_Key, tuple[Rendezvous, Meeting]] = {}
        self._sent: dict[Hashable, deque[tuple[Value, ...]]] = {}
        self._wanted: dict[Hashable, deque[Event]] = {}
        self._reading: dict[int, Event] = {}

    @property
    def share(self) -> range:
        return self._share

    def _number(self, process: ProcessId) -> int:
        return process.replica_id * self.num_partitions + process.partition_id

    def _owner(self, process: ProcessId) -> int:
        return self._owners[self._number(process)]

    # Requests of ops.

    def _meet(self, meeting: Meeting, value: Any, how: str, compute: Compute | None) -> Rendezvous:
        self._note(f"process {meeting.process} in {meeting.op} at {meeting.location}")
        members = self._members(meeting)
        if len(members) == 1:
            return super()._meet(meeting, value, how, compute)
        rendezvous = self._join(meeting, value, how, compute)
        here = sum([self._owner(member) == self._ranks.rank for member in meeting.group])
        key = (hash(meeting.group), len(meeting.group), meeting.group[0], meeting.channel_id)
        self._open[key] = rendezvous, meeting
        is_complete = len(rendezvous.values) == here
        form = tuple([(part.shape, part.dtype.str) for part in map(np.asarray, value)]) if how == "by element" else ()
        self._news.arrivals[key] = _Arrival(
            meeting.op, meeting.terms, meeting.location, meeting.process, is_complete, form, members
        )
        if is_complete:
            del self._meetings[meeting.key]
        self.activities.wait(rendezvous.complete, Wait(meeting.process, meeting.__str__))
        return rendezvous

    def _members(self, meeting: Meeting) -> tuple[int, ...]:
        """Return the ranks that run processes of the group."""
        known = self._member_ranks.get(id(meeting.group))
        if known is None:
            known = self._member_ranks[id(meeting.group)] = tuple(sorted({*map(self._owner, meeting.group)}))
        return known

    def send(self, channel: Hashable, values: tuple[Value, ...]) -> None:
        """Put values into a channel, for a process of any rank."""
        if self._wanted.get(channel):
            self._offer(channel, values)
        else:
            super().send(channel, values)

    def receive(self, process: ProcessId, channel: Hashable, what: str) -> tuple[Value, ...]:
        """Return the next values from a channel, from a process of any rank."""
        self._note(f"process {process} in {what}")
        if not self._sent.get(channel):
            return super().receive(process, channel, what)
        event = Event()
        self._want(channel, event)
        return self.activities.wait(event, Wait(process, lambda: what))

    def _offer(self, channel: Hashable, values: tuple[Value, ...]) -> None:
        self._sent.setdefault(channel, deque()).append(values)
        self._news.sent.append(channel)

    def _want(self, channel: Hashable, event: Event) -> None:
        self._wanted.setdefault(channel, deque()).append(event)
        self._news.wanted.append(channel)

    def read_infeed(self) -> tuple[Value, ...]:
        """Return the next infeed values, identical on all ranks. The first waiting process gets them.

        Raises InterpreterError when the infeed is empty.
        """
        if self._ranks.count == 1:
            return super().read_infeed()
        process, event = current_process().id, Event()
        number = self._number(process)
        self._reading[number] = event
        self._news.reading.append(number)
        feed = self.activities.wait(event, Wait(process, lambda: "stablehlo.infeed"))
        if feed is None:
            raise InterpreterError("the infeed is empty")
        return feed()

    # Activities.

    def run(self, programs: Sequence[Callable[[], tuple[Value, ...]]]) -> list[tuple[Value, ...]]:
        """Run one program in each process of this rank, as the other ranks do in theirs.

        Raises the error of the first rank that fails, in all of them.
        """
        try:
            results = super().run(programs)
            self._news.is_done = True
            while not self._known.done:
                if not self._step():
                    raise self._stuck([])
        except StablehloError as error:
            if error is not self._ranks.failure:
                self._ranks.fail(error)
            raise
        return results

    def gathered(self, rows: Sequence[tuple[Value, ...]]) -> list[tuple[Value, ...]]:
        everyone = tuple(range(self._ranks.count))
        return [
            self._ranks.broadcast(everyone, owner, rows[number - self._share.start] if number in self._share else ())
            for number, owner in enumerate(self._owners)
        ]

    def _idle(self) -> bool:
        while self._step():
            if self.activities.has_ready:
                return True
        return False

    def _stuck(self, waits: Sequence[Wait]) -> InterpreterError:
        notes = self._ranks.all([f"process {wait.owner} waits in {wait.describe()}" for wait in waits])
        return self._failing(
            InterpreterError("deadlock: no process can continue", notes=[note for some in notes for note in some])
        )

    def _failing(self, error: InterpreterError) -> InterpreterError:
        """Return the error, noted as one that all ranks raise."""
        self._ranks.failure = error
        return error

    def _step(self) -> bool:
        """Exchange news with the other ranks, and take the possible steps. Return False if no rank has any."""
        for channel, queue in self._channels.items():
            while queue:
                self._offer(channel, queue.popleft())
        for channel, events in self._receivers.items():
            while events:
                self._want(channel, events.popleft())
        reports: list[_Report] = self._ranks.all(self._news)
        self._news = _Report(is_done=self._news.is_done)
        known = self._known
        known.done = all(report.is_done for report in reports)
        for rank, report in enumerate(reports):
            for key, arrival in report.arrivals.items():
                known.arrivals.setdefault(key, {})[rank] = arrival
            for channel in report.sent:
                known.sent.setdefault(channel, deque()).append(rank)
            for channel in report.wanted:
                known.wanted.setdefault(channel, deque()).append(rank)
            known.reading += report.reading
        moved = self._pass_values()
        moved = self._hold_meetings() or moved
        return self._feed() or moved or known.done

    def _feed(self) -> bool:
        """Give the next values of the infeed to the first process that waits for some."""
        if not self._known.reading:
            return False
        first = min(self._known.reading)
        self._known.reading.remove(first)
        feed = self._infeed.popleft() if self._infeed else None
        if first in self._share:
            self.activities.happen(self._reading.pop(first), feed)
        return True

    def _pass_values(self) -> bool:
        """Bring what was sent to those who wait for it."""
        moved = False
        for channel, sources in self._known.sent.items():
            targets = self._known.wanted.get(channel)
            while sources and targets:
                moved = True
                self._pass(channel, sources.popleft(), targets.popleft())
        return moved

    def _pass(self, channel: Hashable, source: int, target: int) -> None:
        here = self._ranks.rank
        values: tuple[Value, ...] = ()
        if source == here:
            values = self._sent[channel].popleft()
            if target != here:
                self._ranks.send(target, values)
        if target == here:
            received = values if source == here else self._ranks.receive(source)
            self.activities.happen(self._wanted[channel].popleft(), received)

    def _hold_meetings(self) -> bool:
        """Hold the meetings with all their processes present."""
        held = False
        for key, arrivals in list(self._known.arrivals.items()):
            first = next(iter(arrivals.values()))
            for other in arrivals.values():
                if (other.op, other.terms) != (first.op, first.terms):
                    raise self._mismatch(key, first, other)
            if len(arrivals) == len(first.members) and all(arrival.is_complete for arrival in arrivals.values()):
                held = True
                del self._known.arrivals[key]
                if self._ranks.rank in first.members:
                    self._hold(*self._open.pop(key), first.members, [arrivals[rank] for rank in first.members])
        return held

    def _mismatch(self, key: _Key, first: _Arrival, other: _Arrival) -> InterpreterError:
        error = mismatch(other.op, first.op, key[-1], other.location)
        error.notes = (f"in process {other.process}",)
        return self._failing(error)

    def _hold(
        self, rendezvous: Rendezvous, meeting: Meeting, members: tuple[int, ...], arrivals: Sequence[_Arrival]
    ) -> None:
        forms = {arrival.form for arrival in arrivals}
        is_large = len(forms) == 1 and any(math.prod(shape) > _SMALL for shape, _ in next(iter(forms)))
        if rendezvous.how == "pieces":
            self._swap_pieces(rendezvous, meeting)
        elif is_large:
            rendezvous.combined.append(self._by_parts(rendezvous, meeting, members))
        else:
            for member in meeting.group:
                owner = self._owner(member)
                value = rendezvous.values.get(member, ())
                rendezvous.values[member] = self._ranks.broadcast(members, owner, value)
        self.activities.happen(rendezvous.complete)

    def _swap_pieces(self, rendezvous: Rendezvous, meeting: Meeting) -> None:
        """Bring the pieces to their processes. Pieces for processes of this rank stay here."""
        here, owners = self._ranks.rank, [self._owner(member) for member in meeting.group]
        arrived: dict[ProcessId, Any] = {}
        for member, source in zip(meeting.group, owners, strict=True):
            pieces = rendezvous.values.get(member)
            if pieces is not None:
                arrived[member] = pieces
            for position, target in enumerate(owners):
                if source == here != target and pieces is not None:
                    self._ranks.send(target, pieces[position])
                elif target == here != source:
                    arrived.setdefault(member, {})[position] = self._ranks.receive(source)
        rendezvous.values = arrived

    def _by_parts(self, rendezvous: Rendezvous, meeting: Meeting, members: tuple[int, ...]) -> list[np.ndarray]:
        """Return the combined values. Each rank computes a part."""
        like = [np.asarray(part) for part in next(iter(rendezvous.values.values()))]
        parts = list[tuple[np.ndarray, ...]]()
        for member in meeting.group:
            own = rendezvous.values.pop(member, None)
            parts.append(
                tuple(
                    self._ranks.scatter(
                        members, self._owner(member), None if own is None else np.asarray(own[k]), array
                    )
                    for k, array in enumerate(like)
                )
            )
            del own
        if rendezvous.compute is None:
            raise ValueError(f"{meeting.op} does not combine values")
        computed = rendezvous.compute(parts)
        return [
            self._ranks.gather(members, np.asarray(part), array.size).reshape(array.shape)
            for part, array in zip(computed, like, strict=True)
        ]
