"""Grids of processes: the groups of the spec, who meets whom, what a channel holds, and what ends a grid that waits."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest
from parsed import parsed
from ranks_in_threads import in_ranks

from stablehlo_py.errors import InterpreterError, ResourceError
from stablehlo_py.interpreter import limits
from stablehlo_py.interpreter.custom_calls import registry
from stablehlo_py.interpreter.process_grid import (
    PROCESS_BYTES,
    Meeting,
    Process,
    ProcessGrid,
    ProcessId,
    current_process,
    enter_process,
    leave_process,
)
from stablehlo_py.interpreter.program import Program, alone
from stablehlo_py.interpreter.settings import Settings
from stablehlo_py.spmd.mpi_grid import MpiGrid

SIZES = [(1, 1), (1, 3), (3, 1), (2, 3), (4, 2)]


@pytest.mark.parametrize(("replicas", "partitions"), SIZES)
def test_groups_are_those_of_the_spec_for_all_members(replicas: int, partitions: int) -> None:
    """The pseudo code of "Collective ops", a group in the order of its members."""
    grid = ProcessGrid(replicas, partitions)
    assert grid.num_processes == replicas * partitions
    assert list(grid.share) == list(range(replicas * partitions))
    rows = [[*range(replicas)][::-1], [0], [replicas - 1]]
    assert grid.cross_replica(rows) == [tuple((r, p) for r in row) for row in rows for p in range(partitions)]
    assert grid.cross_replica_and_partition(rows) == [
        tuple((r, p) for p in range(partitions) for r in row) for row in rows
    ]
    columns = [[*range(partitions)][::-1], [partitions - 1]]
    assert grid.cross_partition(columns) == [tuple((r, p) for p in row) for row in columns for r in range(replicas)]
    flat = [[*range(replicas * partitions)][::-1]]
    assert grid.flattened_ids(flat) == [tuple((i // partitions, i % partitions) for i in flat[0])]


def test_groups_are_asked_for_once_for_an_op_and_equal_ones_are_one_object() -> None:
    grid, asked = ProcessGrid(1, 3), list[str]()

    def split(name: str, rows: list[list[int]]) -> Callable[[ProcessGrid], Any]:
        return lambda grid: (asked.append(name), grid.cross_partition(rows))[1]

    zero, one, two = grid.process_ids
    first = grid.groups("a", split("a", [[0, 1], [1, 2], [2, 2]]))
    assert first == {zero: [(zero, one)], one: [(zero, one), (one, two)], two: [(one, two), (two, two)]}
    assert grid.groups("a", split("again", [[0]])) is first
    second = grid.groups("b", split("b", [[1, 2], [0, 1]]))
    assert asked == ["a", "b"]
    assert second[zero][0] is first[zero][0]
    assert second[two][0] is first[one][1]


def meeting(process: ProcessId, group: Any, channel: int = 0, op: str = "op", terms: str = "") -> Meeting:
    return Meeting(process, group, channel, op, "", terms)


def run_all(grid: ProcessGrid, work: Callable[[ProcessId], Any]) -> list[Any]:
    return [found for (found,) in grid.run_all([lambda each=each: (work(each),) for each in grid.process_ids])]


def test_values_meet_in_the_order_of_the_group_and_are_combined_once_each_time() -> None:
    grid, computed = ProcessGrid(2, 3), list[list[int]]()
    ids = grid.process_ids
    rows = [[5, 1, 3], [0, 2], [4]]
    table = grid.groups("op", lambda grid: [tuple(ids[i] for i in row) for row in rows])

    def compute(values: list[int]) -> list[int]:
        computed.append(values)
        return values

    def work(process: ProcessId) -> list[Any]:
        number, (group,) = ids.index(process), table[process]
        return [grid.combine(meeting(process, group, n % 2), 10 * number + n, compute) for n in range(4)]

    found = run_all(grid, work)
    for number, results in enumerate(found):
        row = next(row for row in rows if number in row)
        assert results == [[10 * member + n for member in row] for n in range(4)], f"process {number}"
        first = found[row[0]]
        assert all(mine is other for mine, other in zip(results, first, strict=True))
    assert sorted(computed) == sorted([10 * member + n for member in row] for row in rows for n in range(4))


def test_each_process_gets_the_pieces_that_are_meant_for_it() -> None:
    grid = ProcessGrid(2, 2)
    order = tuple(grid.process_ids[i] for i in (2, 0, 3, 1))

    def work(process: ProcessId) -> list[tuple[ProcessId, ProcessId]]:
        return grid.exchange(meeting(process, order), [(process, other) for other in order])

    for process, found in zip(grid.process_ids, run_all(grid, work), strict=True):
        assert found == [(other, process) for other in order]


def test_values_are_combined_as_a_whole_or_by_element_on_grids_of_several_ranks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Only where the caller says so, each element is computed for itself, by one of the ranks."""
    values = [np.arange(6000.0).reshape(2, 3000), np.float32([1, 2]), np.zeros((0, 3))]

    def work(_: object) -> Any:
        grid = MpiGrid(3, 1)
        group = tuple(grid.process_ids)

        def each(process: ProcessId) -> Any:
            alike = [value + process.replica_id for value in values]
            other = tuple([np.full(n + 1, process.replica_id) for n in range(process.replica_id)])
            large = (np.full(5000, process.replica_id),)
            return (
                grid.combine(meeting(process, group, 1), other, list),
                grid.combine(meeting(process, group, 3), large, lambda rows: [np.concatenate([r[0] for r in rows])]),
                grid.combine(meeting(process, group, 2), alike, lambda rows: list(map(sum, zip(*rows, strict=True))),
                             by_element=True),
            )  # fmt: skip

        return grid.run([partial(lambda p: (each(p),), process) for process in grid.local_ids])

    found = in_ranks(2, work, monkeypatch)
    assert [error for _, error in found] == [None, None]
    rows = [row for each, _ in found for (row,) in each]
    assert len(rows) == 3
    for whole, joined, sums in rows:
        assert joined[0].tolist() == [0] * 5000 + [1] * 5000 + [2] * 5000
        assert [[part.tolist() for part in parts] for parts in whole] == [[], [[1]], [[2], [2, 2]]]
        for found_sum, value in zip(sums, values, strict=True):
            np.testing.assert_array_equal(found_sum, 3 * value + 3)


@pytest.mark.parametrize(
    ("other", "said"),
    [
        ({"op": "another"}, "meets another of another process on channel 3"),
        ({"terms": "x"}, "meets op of another process with another computation or other dimensions on channel 3"),
        ({"channel": 4}, "deadlock: no process can continue"),
    ],
)
def test_what_differs_does_not_meet(other: dict[str, Any], said: str) -> None:
    """The second process says which op it has and which one waits there."""
    grid = ProcessGrid(1, 2)
    group = tuple(grid.process_ids)
    same: dict[str, Any] = {"op": "op", "terms": "", "channel": 3}

    def work(process: ProcessId) -> Any:
        mine = meeting(process, group, **(same if process == group[1] else same | other))
        return grid.combine(mine, 0, sum)

    with pytest.raises(InterpreterError) as raised:
        run_all(grid, work)
    assert raised.value.message == said
    if "deadlock" not in said:
        assert "in process (replica 0, partition 1)" in raised.value.notes
        assert raised.value.op == "op"


@pytest.mark.parametrize("count", [2, 15, 16, 17, 18, 40])
def test_a_deadlock_names_who_waits_and_the_first_members_of_their_groups(count: int) -> None:
    grid = ProcessGrid(count, 1)
    group = tuple(grid.process_ids)

    def work(process: ProcessId) -> Any:
        return grid.combine(Meeting(process, group, 0, "op", "a.py:1:2"), 0, sum) if process != group[-1] else 0

    with pytest.raises(InterpreterError, match="deadlock: no process can continue") as raised:
        run_all(grid, work)
    members = ", ".join(f"(replica {number}, partition 0)" for number in range(min(count, 16)))
    more = f" and {count - 16} more" if count > 16 else ""
    notes = [note for note in raised.value.notes if " waits in " in note]
    assert notes == [
        f"process (replica {number}, partition 0) waits in op at a.py:1:2 for {members}{more}"
        for number in range(count - 1)
    ]


def test_a_channel_hands_on_what_is_sent_in_its_order_to_those_who_ask_in_theirs() -> None:
    """Whether the receivers come first or the senders."""
    for senders, receivers in (([0, 1], [2, 3]), ([2, 3], [0, 1]), ([0, 3], [1, 2]), ([1, 2], [0, 3])):
        grid = ProcessGrid(1, 4)
        ids = grid.process_ids

        def work(process: ProcessId, grid: Any = grid, senders: Any = senders, ids: Any = ids) -> Any:
            number = ids.index(process)
            if number in senders:
                for n in range(2):
                    grid.send("a", (10 * number + n,))
                    grid.send("b", (-10 * number - n,))
                return None
            return [grid.receive(process, name, "what")[0] for name in ("a", "b", "a", "b")]

        found = [each for each in run_all(grid, work) if each is not None]
        sent = [10 * number + n for number in senders for n in range(2)]
        for sign, places in ((1, (0, 2)), (-1, (1, 3))):
            lists = [[row[place] for place in places] for row in found]
            assert sorted(sign * each for each in itertools.chain(*lists)) == sent, f"{senders} to {receivers}"
            assert all(sign * row[0] < sign * row[1] for row in lists)


def test_a_receiver_of_nothing_says_what_it_waits_for() -> None:
    grid = ProcessGrid(1, 2)
    with pytest.raises(InterpreterError, match="deadlock") as raised:
        run_all(grid, lambda process: grid.receive(process, process, f"recv {process.partition_id}"))
    assert list(raised.value.notes) == [
        *[f"process (replica 0, partition {number}) waits in recv {number}" for number in range(2)],
        "in process (replica 0, partition 0)",
    ]


@pytest.mark.parametrize(("replicas", "partitions"), [(1, 1), (1, 2), (2, 1)])
def test_an_error_names_its_process_where_there_are_several(replicas: int, partitions: int) -> None:
    grid = ProcessGrid(replicas, partitions)

    def work(process: ProcessId) -> None:
        if process == grid.process_ids[-1]:
            raise InterpreterError("fails", notes=["first"])

    with pytest.raises(InterpreterError) as raised:
        run_all(grid, work)
    note = f"in process (replica {replicas - 1}, partition {partitions - 1})"
    assert list(raised.value.notes) == (["first", note] if replicas * partitions > 1 else ["first"])


def test_an_activity_knows_its_process_and_returns_to_that_before() -> None:
    with alone():
        outer = current_process()
        assert outer.id == (0, 0)
        assert (outer.grid.num_replicas, outer.grid.num_partitions) == (1, 1)
        inner = Process(ProcessId(1, 0), ProcessGrid(2, 1))
        token = enter_process(inner)
        assert current_process() is inner
        leave_process(token)
        assert current_process() is outer
    grid = ProcessGrid(2, 2)
    assert run_all(grid, lambda process: current_process() == (process, grid)) == [True] * 4
    with pytest.raises(LookupError):
        current_process()


def test_work_at_the_side_is_of_the_same_process() -> None:
    grid = ProcessGrid(1, 3)

    def work(process: ProcessId) -> Any:
        futures = [
            grid.start(current_process(), partial(lambda n: (current_process().id.partition_id, n), n))
            for n in range(3)
        ]
        return [future.wait() for future in reversed(futures)]

    assert run_all(grid, work) == [[(p, 2), (p, 1), (p, 0)] for p in range(3)]


@pytest.mark.parametrize("processes", [0, 1, 2])
def test_asynchronous_ops_are_awaited_one_after_another_and_within_each_other(processes: int) -> None:
    start = """%fN = "stablehlo.async_start"(%X) ({
      ^bb0(%v: tensor<2xf32>):
        BODY
        stablehlo.return %w : tensor<2xf32>
      }) : (tensor<2xf32>) -> !stablehlo.future<tensor<2xf32>>"""
    done = '%rN = "stablehlo.async_done"(%fN) : (!stablehlo.future<tensor<2xf32>>) -> tensor<2xf32>'
    same = "%w = stablehlo.slice %v [0:2] : (tensor<2xf32>) -> tensor<2xf32>"

    def text(*parts: tuple[int, str, str]) -> str:
        pieces = [part.replace("N", str(n)).replace("%X", x).replace("BODY", same) for n, part, x in parts]
        return (
            f"func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {{ {' '.join(pieces)} return %r3 : tensor<2xf32> }}"
        )

    in_turn = text(*[(n, part, x) for n, x in ((1, "%x"), (2, "%r1"), (3, "%r2")) for part in (start, done)])
    at_once = text((1, start, "%x"), (2, start, "%x"), (2, done, ""), (3, start, "%r2"), (1, done, ""), (3, done, ""))
    for program in (in_turn, at_once):
        given = [np.float32([1, 2])]
        runner = Program(parsed(program))
        for _ in range(2):
            rows = (
                runner.run_parallel([given] * processes, num_replicas=processes) if processes else [runner.run(given)]
            )
            assert [np.asarray(row[0]).tolist() for row in rows] == [[1, 2]] * max(processes, 1)


def test_infeeds_are_read_in_their_order_and_called_only_then() -> None:
    called = list[int]()
    grid = ProcessGrid(1, 1, [partial(lambda n: (called.append(n), (n,))[1], n) for n in range(3)])
    assert called == []
    assert [grid.read_infeed() for _ in range(2)] == [(0,), (1,)]
    assert called == [0, 1]
    assert grid.read_infeed() == (2,)
    with pytest.raises(InterpreterError, match="the infeed is empty"):
        grid.read_infeed()


F = "tensor<4xf32>"
ONE = f"func.func @main(%x: {F}) -> ({F}, {F}) {{ return %x, %x : {F}, {F} }}"


@pytest.mark.parametrize("count", [1, 2, 5])
def test_processes_need_room_for_themselves_and_their_results(count: int) -> None:
    needed = count * (PROCESS_BYTES + 2 * 16)
    Program(parsed(ONE), Settings(max_memory=needed)).check_processes(count)
    Program(parsed(ONE.replace("@main", "@f")), Settings(max_memory=needed)).check_processes(count)
    program = Program(parsed(ONE), Settings(max_memory=needed - 1))
    said = f"{count} processes need about {needed} bytes, more than the limit of {needed - 1} bytes"
    with pytest.raises(ResourceError, match=said):
        program.check_processes(count)
    with pytest.raises(ResourceError, match=said):
        program.run_parallel([[np.zeros(4, np.float32)]] * count, num_replicas=count)


LATE = """func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.custom_call @edges.late(%x) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}"""


@pytest.mark.parametrize("fast", [True, False])
@pytest.mark.parametrize("processes", [0, 1, 2])
def test_the_time_of_the_last_op_counts(processes: int, fast: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    now, takes = [100.0], [0.0]
    monkeypatch.setattr(limits.time, "monotonic", lambda: now[0])

    def late(_: object, x: Any) -> Any:
        now[0] += takes[0]
        return x

    def run() -> Any:
        x = [np.float32(3)]
        return program.run_parallel([x] * processes, num_partitions=processes) if processes else program.run(x)

    registry.custom_call_handler("edges.late")(late)
    try:
        program = Program(parsed(LATE), Settings(fast=fast, timeout=10.0))
        for seconds in (0, 10 / max(processes, 1), 0):
            takes[0] = seconds
            assert np.asarray(run()).reshape(-1).tolist() == [3] * max(processes, 1)
        takes[0] = 10.5 / max(processes, 1)
        for _ in range(3):
            with pytest.raises(ResourceError, match="ran for longer than the limit of 10 s"):
                run()
        takes[0] = 0
        run()
    finally:
        del registry.USERS["edges.late"]
