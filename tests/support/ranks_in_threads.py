"""Ranks of MPI that are threads of this process: what `Ranks` calls of mpi4py, with messages as strict as MPI's."""

from __future__ import annotations

import io
import pickle
import threading
from collections.abc import Callable
from queue import Queue
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from stablehlo_py.spmd import mpi_grid, simulation
from stablehlo_py.spmd import ranks as real

_SECONDS = 20.0


def _copied(value: Any) -> Any:
    return pickle.loads(pickle.dumps(value))


class _Shared:
    """What the ranks of a communicator share."""

    def __init__(self, members: tuple[int, ...]) -> None:
        self.members = members
        self.barrier = threading.Barrier(len(members), timeout=_SECONDS)
        self.brought: list[Any] = [None] * len(members)
        self.arrived = [0] * len(members)
        self.changed = threading.Condition()
        self.queues: dict[tuple[int, int], Queue[Any]] = {(a, b): Queue() for a in members for b in members}
        self.groups: dict[tuple[int, ...], _Shared] = {}


class Communicator:
    """A communicator as one of its ranks sees it."""

    def __init__(self, shared: _Shared, rank: int) -> None:
        self._shared, self.rank, self.size = shared, shared.members.index(rank), len(shared.members)
        self.group = SimpleNamespace(Incl=lambda members: SimpleNamespace(members=members, Free=lambda: None))
        self.aborted: list[int] = []

    def _exchanged(self, value: Any) -> list[Any]:
        self._shared.brought[self.rank] = value
        self._shared.barrier.wait()
        found = list(self._shared.brought)
        self._shared.barrier.wait()
        return found

    def Create_group(self, group: Any) -> Communicator:  # noqa: N802
        with self._shared.changed:
            made = self._shared.groups.setdefault(group.members, _Shared(group.members))
        return Communicator(made, self._shared.members[self.rank])

    def Ibarrier(self) -> Any:  # noqa: N802
        with self._shared.changed:
            self._shared.arrived[self.rank] += 1
            number = self._shared.arrived[self.rank]
            self._shared.changed.notify_all()

        def test() -> bool:
            return min(self._shared.arrived) >= number

        return SimpleNamespace(Test=test)

    def Abort(self, code: int) -> None:  # noqa: N802
        self.aborted.append(code)
        self._shared.barrier.abort()

    def allgather(self, value: Any) -> list[Any]:
        return [_copied(each) for each in self._exchanged(value)]

    def gather(self, value: Any) -> list[Any] | None:
        found = self._exchanged(value)
        return [_copied(each) for each in found] if self.rank == 0 else None

    def bcast(self, value: Any, root: int) -> Any:
        return _copied(self._exchanged(value)[root])

    def Bcast(self, array: np.ndarray, root: int) -> None:  # noqa: N802
        given = self._exchanged(array.copy())[root]
        assert given.size == array.size, (given.size, array.size)
        array[...] = given

    def Scatterv(self, sent: Any, received: Any, root: int) -> None:  # noqa: N802
        given = self._exchanged(None if sent is None else (sent[0].copy(), *sent[1], sent[2]))[root]
        data, counts, offsets, unit = given
        part = data[offsets[self.rank] : offsets[self.rank] + counts[self.rank]]
        assert unit == received[1] == "byte"
        assert part.size == received[0].size, (part.size, received[0].size)
        received[0][...] = part

    def Allgatherv(self, sent: Any, received: Any) -> None:  # noqa: N802
        whole, (counts, offsets), unit = received
        assert unit == sent[1] == "byte"
        assert sum(counts) == whole.size, (counts, whole.size)
        for part, count, offset in zip(self._exchanged(sent[0].copy()), counts, offsets, strict=True):
            assert part.size == count, (part.size, count)
            whole[offset : offset + count] = part

    def send(self, value: Any, target: int) -> None:
        self._shared.queues[self.rank, target].put(("object", _copied(value)))

    def recv(self, *, source: int) -> Any:
        kind, value = self._shared.queues[source, self.rank].get(timeout=_SECONDS)
        assert kind == "object", "bytes come where an object is received"
        return value

    def Send(self, array: np.ndarray, target: int) -> None:  # noqa: N802
        self._shared.queues[self.rank, target].put(("bytes", array.copy()))

    def Recv(self, array: np.ndarray, source: int) -> None:  # noqa: N802
        kind, value = self._shared.queues[source, self.rank].get(timeout=_SECONDS)
        assert kind == "bytes", "an object comes where bytes are received"
        assert value.size == array.size, (value.size, array.size)
        array[...] = value


class ThreadRanks(real.Ranks):
    """A rank that is a thread."""

    def __init__(self, world: Communicator) -> None:
        self._mpi = SimpleNamespace(BYTE="byte")
        self._stderr = io.StringIO()
        self._world, self._communicators, self.failure = world, {}, None
        self.rank, self.count = world.rank, world.size

    def _wait_for_all(self, seconds: float | None) -> bool:
        found = super()._wait_for_all(_SECONDS if seconds is None else seconds)
        assert found or seconds is not None, "a rank waits for one that never comes"
        return found


def in_ranks(
    count: int, work: Callable[[ThreadRanks], Any], monkeypatch: pytest.MonkeyPatch
) -> list[tuple[Any, Exception | None]]:
    """Let each of `count` ranks do the work; return what it returned and raised, by rank."""
    shared, here = _Shared(tuple(range(count))), threading.local()
    for module in (mpi_grid, simulation, real):
        if hasattr(module, "ranks"):
            monkeypatch.setattr(module, "ranks", lambda: here.ranks)
    found: list[tuple[Any, Exception | None]] = [(None, AssertionError("it did not end"))] * count

    def run(rank: int) -> None:
        here.ranks = ThreadRanks(Communicator(shared, rank))
        try:
            found[rank] = work(here.ranks), None
        except Exception as error:
            found[rank] = None, error
            if not hasattr(error, "notes"):  # none of the program's: let nobody wait for this rank
                shared.barrier.abort()

    threads = [threading.Thread(target=run, args=(rank,), daemon=True) for rank in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(2 * _SECONDS)
    return found
