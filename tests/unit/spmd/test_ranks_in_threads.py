"""Grids over ranks: messages, meetings, infeeds and errors, with threads for ranks."""

from __future__ import annotations

import os
import threading
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from installed import needs
from ranks_in_threads import ThreadRanks, in_ranks

import stablehlo_py
from stablehlo_py.errors import InterpreterError
from stablehlo_py.interpreter.program import Program
from stablehlo_py.interpreter.settings import Settings
from stablehlo_py.spmd import partition, simulate
from stablehlo_py.spmd import ranks as real
from stablehlo_py.spmd.mpi_grid import MpiGrid

SETTINGS = Settings(make_grid=MpiGrid)


def ended(
    count: int, text: str, rows: list[list[Any]], monkeypatch: pytest.MonkeyPatch, partitions: int = 1, **more: Any
) -> tuple[list[Any], list[Exception]]:
    """Run a program on ranks; return the results of all processes and the errors of the ranks."""

    def work(ranks: ThreadRanks) -> Any:
        program = Program(stablehlo_py.parse(text), SETTINGS)
        own = [rows[number] for number in ranks.share(len(rows))]
        return program.run_parallel(own, num_replicas=len(rows) // partitions, num_partitions=partitions, **more)

    found = in_ranks(count, work, monkeypatch)
    return [row for each, _ in found for row in each or ()], [error for _, error in found if error is not None]


def on_ranks(*run: Any, **more: Any) -> list[Any]:
    found, errors = ended(*run, **more)
    if errors:
        raise errors[0]
    return found


def failing(count: int, *run: Any, **more: Any) -> InterpreterError:
    """Return the error of the first rank; all of them raise it, with what they know of their own processes."""
    found, errors = ended(count, *run, **more)
    assert not found
    assert all(isinstance(error, InterpreterError) for error in errors), errors
    assert [error.message for error in errors] == [errors[0].message] * count
    return errors[0]


def in_one(text: str, rows: list[list[Any]], partitions: int = 1, **more: Any) -> list[Any]:
    program = Program(stablehlo_py.parse(text))
    return program.run_parallel(rows, num_replicas=len(rows) // partitions, num_partitions=partitions, **more)


def bits(rows: list[Any]) -> list[list[tuple[Any, ...]]]:
    return [[(np.asarray(x).dtype.name, np.shape(x), np.asarray(x).tobytes()) for x in row] for row in rows]


ADD = """({
  ^bb0(%a: tensor<T>, %b: tensor<T>):
    %both = stablehlo.add %a, %b : tensor<T>
    %more = stablehlo.add %both, %a : tensor<T>
    stablehlo.return %more : tensor<T>
  })"""
SUM = """func.func @main(%x: tensor<SxT>) -> tensor<SxT> {
  %0 = "stablehlo.all_reduce"(%x) ADD {replica_groups = dense<GROUPS>} : (tensor<SxT>) -> tensor<SxT>
  return %0 : tensor<SxT>
}"""


def summed(shape: str, element: str, groups: str) -> str:
    text = SUM.replace("ADD", ADD).replace("<GROUPS>", groups).replace("SxT", f"{shape}x{element}")
    return text.replace("<T>", f"<{element}>")


def drawn(shape: tuple[int, ...], count: int, dtype: Any) -> list[list[np.ndarray]]:
    random = np.random.default_rng(1)
    return [[(random.standard_normal(shape) * 100).astype(dtype)] for _ in range(count)]


@pytest.mark.parametrize("count", [1, 2, 3, 4])
@pytest.mark.parametrize(
    ("shape", "element", "groups"),
    [
        ((3,), "f32", "<[[3, 0, 2, 1]]> : tensor<1x4xi64>"),
        ((4099,), "f32", "<[[3, 0, 2, 1]]> : tensor<1x4xi64>"),
        ((41, 101), "f64", "<[[2, 0], [1, 3]]> : tensor<2x2xi64>"),
        ((1 << 12,), "i8", "<[[0, 1], [2, 3]]> : tensor<2x2xi64>"),
        ((0, 3), "f32", "<[[0, 1, 2, 3]]> : tensor<1x4xi64>"),
    ],
)
def test_sums_have_the_same_bits_on_ranks(
    shape: tuple[int, ...], element: str, groups: str, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = summed("x".join(map(str, shape)), element, groups)
    rows = drawn(shape, 4, {"f32": np.float32, "f64": np.float64, "i8": np.int8}[element])
    assert bits(on_ranks(count, text, rows, monkeypatch)) == bits(in_one(text, rows))


@pytest.mark.parametrize("size", [3, 4099])
@pytest.mark.parametrize("count", [1, 2, 4])
def test_the_same_group_meets_again(count: int, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rows, one = drawn((size,), 4, np.float32), f"tensor<{size}xf32>"
    text = summed(str(size), "f32", "<[[1, 0, 3, 2]]> : tensor<1x4xi64>").replace("@main", "private @sum")
    calls = " ".join([f"%{n + 1} = func.call @sum(%{n}) : ({one}) -> {one}" for n in range(2)])
    text += f"func.func @main(%0: {one}) -> {one} {{ {calls} return %2 : {one} }}"
    assert bits(on_ranks(count, text, rows, monkeypatch)) == bits(in_one(text, rows))


PIECES = """func.func @main(%x: tensor<4x2xf32>, %y: tensor<2xi32>) -> (tensor<4x2xf32>, tensor<2xi32>, tensor<2xf32>) {
  %0 = "stablehlo.all_to_all"(%x) {split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 4 : i64,
    replica_groups = dense<[[1, 3, 0, 2]]> : tensor<1x4xi64>} : (tensor<4x2xf32>) -> tensor<4x2xf32>
  %1 = "stablehlo.collective_permute"(%y) {source_target_pairs = dense<[[0, 3], [3, 1], [2, 2]]> : tensor<3x2xi64>}
    : (tensor<2xi32>) -> tensor<2xi32>
  %2 = "stablehlo.reduce_scatter"(%x) ADD {scatter_dimension = 0 : i64,
    replica_groups = dense<[[0, 2], [3, 1]]> : tensor<2x2xi64>} : (tensor<4x2xf32>) -> tensor<2x2xf32>
  %3 = "stablehlo.all_gather"(%2) {all_gather_dim = 1 : i64, replica_groups = dense<[[0], [1], [2], [3]]>
    : tensor<4x1xi64>} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %4 = stablehlo.slice %3 [0:1, 0:2] : (tensor<2x2xf32>) -> tensor<1x2xf32>
  %5 = stablehlo.reshape %4 : (tensor<1x2xf32>) -> tensor<2xf32>
  return %0, %1, %5 : tensor<4x2xf32>, tensor<2xi32>, tensor<2xf32>
}""".replace("ADD", ADD.replace("<T>", "<f32>"))


@pytest.mark.parametrize("count", [2, 3, 4])
def test_pieces_come_to_their_processes(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [[one[0], np.array([n, -n], np.int32)] for n, one in enumerate(drawn((4, 2), 4, np.float32))]
    assert bits(on_ranks(count, PIECES, rows, monkeypatch)) == bits(in_one(PIECES, rows))


SENT = """func.func @main(%x: tensor<2xf32>, %n: tensor<i32>) -> (tensor<2xf32>, tensor<i32>) {
  %token = stablehlo.create_token : !stablehlo.token
  %t = "stablehlo.send"(%x, %n, %token) {channel_handle = #stablehlo.channel_handle<handle = 5, type = 1>,
    is_host_transfer = false, source_target_pairs = dense<PAIRS> : tensor<3x2xi64>}
    : (tensor<2xf32>, tensor<i32>, !stablehlo.token) -> !stablehlo.token
  %r:3 = "stablehlo.recv"(%t) {channel_handle = #stablehlo.channel_handle<handle = 5, type = 1>,
    is_host_transfer = false, source_target_pairs = dense<PAIRS> : tensor<3x2xi64>}
    : (!stablehlo.token) -> (tensor<2xf32>, tensor<i32>, !stablehlo.token)
  return %r#0, %r#1 : tensor<2xf32>, tensor<i32>
}""".replace("PAIRS", "[[0, 2], [1, 0], [2, 1]]")


@pytest.mark.parametrize("count", [1, 2, 3])
def test_values_that_are_sent_come_to_their_process(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [[one[0], np.array(n, np.int32)] for n, one in enumerate(drawn((2,), 3, np.float32))]
    found = on_ranks(count, SENT, rows, monkeypatch, partitions=3)
    assert bits(found) == bits([rows[1], rows[2], rows[0]]) == bits(in_one(SENT, rows, partitions=3))


@pytest.mark.parametrize("count", [1, 2, 3])
def test_it_is_noted_where_each_process_is(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """So a rank that is killed can say where it was."""
    rows, notes = [[np.array(n, np.float32), np.array(n + 10, np.float32)] for n in range(3)], list[str]()

    def work(ranks: ThreadRanks) -> Any:
        program = Program(stablehlo_py.parse(QUEUED), Settings(make_grid=partial(MpiGrid, note=notes.append)))
        return program.run_parallel([rows[n] for n in ranks.share(3)], num_partitions=3)

    assert [error for _, error in in_ranks(count, work, monkeypatch)] == [None] * count
    places = [f"stablehlo.recv at <string>:{line}:10 on channel 5" for line in (15, 17)]
    places.append("stablehlo.all_reduce at <string>:5:8")
    assert sorted(notes) == sorted([f"process (replica 0, partition {n}) in {one}" for n in range(3) for one in places])


QUEUED = """func.func @main(%x: tensor<f32>, %y: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %t0 = stablehlo.create_token : !stablehlo.token
  %t1 = SEND(%x, %t0) HOW : (tensor<f32>, !stablehlo.token) -> !stablehlo.token
  %n = "stablehlo.all_reduce"(%x) ADD {replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>,
    channel_handle = #stablehlo.channel_handle<handle = 6, type = 1>, use_global_device_ids}
    : (tensor<f32>) -> tensor<f32>
  %t2 = SEND(%y, %t1) HOW : (tensor<f32>, !stablehlo.token) -> !stablehlo.token
  %r:2 = "stablehlo.recv"(%t2) HOW : (!stablehlo.token) -> (tensor<f32>, !stablehlo.token)
  %s:2 = "stablehlo.recv"(%r#1) HOW : (!stablehlo.token) -> (tensor<f32>, !stablehlo.token)
  return %r#0, %s#0 : tensor<f32>, tensor<f32>
}""".replace("ADD", ADD.replace("<T>", "<f32>")).replace("SEND", '"stablehlo.send"').replace(
    "HOW", """{channel_handle = #stablehlo.channel_handle<handle = 5, type = 1>,
    is_host_transfer = false, source_target_pairs = dense<[[0, 0], [1, 2], [2, 1]]> : tensor<3x2xi64>}""")  # fmt: skip


@pytest.mark.parametrize("count", [1, 2, 3])
def test_values_come_in_the_order_of_being_sent(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [[np.array(n, np.float32), np.array(n + 10, np.float32)] for n in range(3)]
    found = on_ranks(count, QUEUED, rows, monkeypatch, partitions=3)
    assert [[float(value) for value in row] for row in found] == [[0, 10], [2, 12], [1, 11]]


ALIKE = """func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = "stablehlo.all_reduce"(%x) ADD {replica_groups = dense<[[0, 1], [2, -1], [3, -1]]> : tensor<3x2xi64>}
    : (tensor<3xf32>) -> tensor<3xf32>
  %1 = "stablehlo.all_reduce"(%0) ADD {replica_groups = dense<[[0, 2], [1, -1], [3, -1]]> : tensor<3x2xi64>}
    : (tensor<3xf32>) -> tensor<3xf32>
  %2 = "stablehlo.all_reduce"(%1) ADD {replica_groups = dense<[[0, 1, 2], [3, -1, -1]]> : tensor<2x3xi64>}
    : (tensor<3xf32>) -> tensor<3xf32>
  return %2 : tensor<3xf32>
}""".replace("ADD", ADD.replace("<T>", "<f32>"))


@pytest.mark.parametrize("count", [2, 4])
def test_groups_that_begin_alike_meet_each_on_its_own(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Process 2 waits for its second group while process 0 is in the first one."""
    rows = drawn((3,), 4, np.float32)
    assert bits(on_ranks(count, ALIKE, rows, monkeypatch)) == bits(in_one(ALIKE, rows))


FED = """func.func @main() -> (tensor<i32>, tensor<i32>) {
  %t = stablehlo.create_token : !stablehlo.token
  %a, %u = "stablehlo.infeed"(%t) : (!stablehlo.token) -> (tensor<i32>, !stablehlo.token)
  %b, %v = "stablehlo.infeed"(%u) : (!stablehlo.token) -> (tensor<i32>, !stablehlo.token)
  return %a, %b : tensor<i32>, tensor<i32>
}"""


@pytest.mark.parametrize("count", [1, 2, 3])
def test_the_infeed_goes_to_processes_in_their_order(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    feeds = [(np.array(number, np.int32),) for number in range(7)]
    found = on_ranks(count, FED, [[]] * 3, monkeypatch, infeed=feeds)
    assert bits(found) == bits(in_one(FED, [[]] * 3, infeed=feeds))
    assert [[int(value) for value in row] for row in found] == [[0, 1], [2, 3], [4, 5]]
    error = failing(count, FED, [[]] * 3, monkeypatch, infeed=feeds[:5])
    assert (error.op, error.message) == ("stablehlo.infeed", "the infeed is empty")
    assert (error.location, list(error.notes)) == ("<string>:4:12", ["in process (replica 2, partition 0)"])


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_a_deadlock_names_all_processes_that_wait(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    error = failing(count, WAITS, [[np.array(n in (1, 3))] for n in range(4)], monkeypatch)
    assert "deadlock: no process can continue" in error.message
    group = ", ".join([f"(replica {number}, partition 0)" for number in (3, 1, 0, 2)])
    assert [note for note in error.notes if "waits in" in note] == [
        f"process (replica {n}, partition 0) waits in stablehlo.collective_broadcast at f.py:2:3 for {group}"
        for n in (0, 2)
    ]


WAITS = """func.func @main(%stops: tensor<i1>) -> tensor<i32> {
  %n = stablehlo.constant dense<1> : tensor<i32>
  %0 = "stablehlo.if"(%stops) ({
    stablehlo.return %n : tensor<i32>
  }, {
    %1 = "stablehlo.collective_broadcast"(%n) {replica_groups = dense<[[3, 1, 0, 2]]> : tensor<1x4xi64>}
      : (tensor<i32>) -> tensor<i32> loc("f.py":2:3)
    stablehlo.return %1 : tensor<i32>
  }) : (tensor<i1>) -> tensor<i32>
  return %0 : tensor<i32>
}"""
OTHERS = WAITS.replace("stablehlo.return %n : tensor<i32>", """%2 = "stablehlo.all_reduce"(%n) ADD {
      replica_groups = dense<[[3, 1, 0, 2]]> : tensor<1x4xi64>} : (tensor<i32>) -> tensor<i32> loc("f.py":5:6)
    stablehlo.return %2 : tensor<i32>""").replace("ADD", ADD.replace("<T>", "<i32>"))  # fmt: skip


@pytest.mark.parametrize("count", [1, 2, 4])
def test_another_collective_of_the_same_processes_is_refused(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    error = failing(count, OTHERS, [[np.array(n == 3)] for n in range(4)], monkeypatch)
    assert error.message == "meets stablehlo.collective_broadcast of another process on channel 0"
    assert (error.op, list(error.notes)) == ("stablehlo.all_reduce", ["in process (replica 3, partition 0)"])
    assert error.location == "f.py:5:6"


SUMS = OTHERS.replace('collective_broadcast"(%n) {', 'all_reduce"(%n) MAX {').replace(
    "MAX", ADD.replace("<T>", "<i32>").replace("stablehlo.add %both", "stablehlo.maximum %both")
)


@pytest.mark.parametrize("count", [1, 2, 4])
def test_another_computation_of_the_same_collective_is_refused(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    error = failing(count, SUMS, [[np.array(n == 3)] for n in range(4)], monkeypatch)
    assert error.message == (
        "meets stablehlo.all_reduce of another process with another computation or other dimensions on channel 0"
    )
    assert (error.location, list(error.notes)) == ("f.py:5:6", ["in process (replica 3, partition 0)"])


ON_CHANNEL = """%CHANNEL = "stablehlo.all_reduce"(%n) ADD {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>,
      channel_handle = #stablehlo.channel_handle<handle = CHANNEL, type = 1>, use_global_device_ids}
      : (tensor<i32>) -> tensor<i32>
    stablehlo.return %CHANNEL : tensor<i32>""".replace("ADD", ADD.replace("<T>", "<i32>"))
CHANNELS = f"""func.func @main(%is: tensor<i1>) -> tensor<i32> {{
  %n = stablehlo.constant dense<1> : tensor<i32>
  %0 = "stablehlo.if"(%is) ({{
    {ON_CHANNEL.replace("CHANNEL", "1")}
  }}, {{
    {ON_CHANNEL.replace("CHANNEL", "2")}
  }}) : (tensor<i1>) -> tensor<i32>
  return %0 : tensor<i32>
}}"""


@pytest.mark.parametrize("count", [1, 2])
def test_collectives_on_two_channels_do_not_meet(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    same = on_ranks(count, CHANNELS, [[np.array(True)]] * 2, monkeypatch, partitions=2)
    assert [int(row[0]) for row in same] == [3, 3]
    error = failing(count, CHANNELS, [[np.array(n == 1)] for n in range(2)], monkeypatch, partitions=2)
    assert "deadlock" in error.message


CHECKED = """func.func @main(%x: tensor<f32>) -> tensor<f32> {
  check.expect_eq_const %x, dense<1.5> : tensor<f32> loc("f.py":3:3)
  return %x : tensor<f32>
}"""


@pytest.mark.parametrize("count", [1, 2, 4])
def test_an_error_of_one_process_is_that_of_all_ranks(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    error = failing(count, CHECKED, [[np.float32(1.5 + (n > 1))] for n in range(4)], monkeypatch)
    assert error.location == "f.py:3:3"
    assert list(error.notes) == ["in function @main", "in process (replica 2, partition 0)"]


SHARDED = """sdy.mesh @mesh = <["x"=2, "y"=3]>
func.func @main(%x: tensor<5x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>})
    -> (tensor<6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}, tensor<5x6xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0]
    : (tensor<5x6xf32>, tensor<f32>) -> tensor<6xf32>
  %sine = stablehlo.sine %x : tensor<5x6xf32>
  return %sum, %sine : tensor<6xf32>, tensor<5x6xf32>
}"""


@needs("partition")
@pytest.mark.parametrize("count", [1, 2, 4])
def test_a_simulation_on_ranks_has_its_parts_here_and_all_results(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    (x,) = drawn((5, 6), 1, np.float32)[0]
    each = [partition(stablehlo_py.parse(SHARDED)) for _ in range(count)]
    expected = simulate(each[0], [x])

    def work(ranks: ThreadRanks) -> Any:
        return simulate(each[ranks.rank], [x], SETTINGS)

    found = [one for one, error in in_ranks(count, work, monkeypatch) if error is None]
    assert [bits([one.results]) for one in found] == [bits([expected.results])] * count
    assert [row for one in found for row in bits(one.parts)] == bits(expected.parts)
    assert {one.devices for one in found} == {6}


def alike(values: tuple[Any, ...], others: tuple[Any, ...]) -> bool:
    return bits([values]) == bits([others]) and [type(v) for v in values] == [type(v) for v in others]


def test_values_arrive_as_they_are_and_from_their_owner(monkeypatch: pytest.MonkeyPatch) -> None:
    grid = np.arange(6, dtype=np.float64).reshape(2, 3)
    values = (
        grid.T,
        np.zeros((0, 2), np.int8),
        5,
        np.array(True),
        grid[::-1, ::2],
        grid[1, ::-1],
        np.float32(2),
        "text",
    )

    def work(ranks: ThreadRanks) -> Any:
        some = ranks.broadcast((0, 2), 2, values if ranks.rank == 2 else ()) if ranks.rank != 1 else None
        each = [ranks.broadcast((0, 1, 2), owner, (np.array(ranks.rank),)) for owner in range(3)]
        for target in range(3):
            if target != ranks.rank:
                ranks.send(target, (np.full(3, 10 * ranks.rank + target), *values))
        received = [ranks.receive(source) for source in range(3) if source != ranks.rank]
        assert ranks.communicator((0, 1, 2)) is ranks.communicator((0, 1, 2))
        return some, [int(one[0]) for one in each], received, ranks.at_first(ranks.rank * 2), ranks.all(ranks.rank)

    for rank, (found, error) in enumerate(in_ranks(3, work, monkeypatch)):
        if error is not None:
            raise error
        some, owners, received, first, everyone = found
        assert (some is None) if rank == 1 else alike(some, values)
        assert owners == everyone == [0, 1, 2]
        assert [one[0].tolist() for one in received] == [[10 * n + rank] * 3 for n in range(3) if n != rank]
        assert all(alike(one[1:], values) for one in received)
        assert first == ([0, 2, 4] if rank == 0 else [])


@pytest.mark.parametrize("size", [0, 2, 3, 7])
def test_parts_of_arrays_go_to_ranks_in_order_and_come_together(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = np.arange(2 * size, dtype=np.int16)[::2]

    def work(ranks: ThreadRanks) -> Any:
        part = ranks.scatter((0, 1, 2), 1, whole if ranks.rank == 1 else None, np.empty(size, np.int16))
        return part.tolist(), ranks.gather((0, 1, 2), np.repeat(part, 2)[::2], size)

    found = [each for each, _ in in_ranks(3, work, monkeypatch)]
    bounds = [0, size // 3, 2 * size // 3, size]
    assert [part for part, _ in found] == [whole[bounds[n] : bounds[n + 1]].tolist() for n in range(3)]
    assert [joined.tolist() for _, joined in found] == [whole.tolist()] * 3
    assert {joined.dtype for _, joined in found} == {whole.dtype}


def test_a_rank_that_fails_ends_those_that_do_not_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(real, "SECONDS_TO_JOIN", 0.02)
    said: list[Any] = []

    def work(ranks: ThreadRanks) -> Any:
        if ranks.rank == 0:
            try:
                ranks.fail(InterpreterError("it is over", location="f.py:1:2"))
            finally:
                said.append((ranks._stderr.getvalue(), ranks._world.aborted))
        return "goes on"

    (_, error), other = in_ranks(2, work, monkeypatch)
    assert isinstance(error, threading.BrokenBarrierError), error
    assert other == ("goes on", None)
    assert said == [("f.py:1:2: error: it is over\n", [1])]


def test_the_error_of_the_first_rank_that_fails_is_that_of_all(monkeypatch: pytest.MonkeyPatch) -> None:
    known: dict[int, tuple[Any, list[int]]] = {}

    def work(ranks: ThreadRanks) -> Any:
        try:
            if ranks.rank == 1:
                ranks.all(1)
            else:
                ranks.fail(InterpreterError(f"rank {ranks.rank}"))
        finally:
            known[ranks.rank] = ranks.failure, ranks._world.aborted

    errors = [error for _, error in in_ranks(4, work, monkeypatch)]
    assert [str(error) for error in errors] == ["error: rank 0"] * 4
    assert known == {rank: (errors[rank], []) for rank in range(4)}


def test_an_abort_waits_until_a_pipe_is_read_and_for_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read_end, write_end = os.pipe()
    with open(read_end, "rb", buffering=0) as reader, open(write_end, "w") as writer, open(tmp_path / "x", "w") as file:
        for stream in (writer, file):
            naps: list[float] = []
            with monkeypatch.context() as patch:
                patch.setattr(real, "time", SimpleNamespace(sleep=naps.append))
                real._wait_until_read(stream)
            assert naps == [], stream
        writer.write("it is over\n")
        writer.flush()
        read: list[bytes] = []
        late = threading.Timer(0.05, lambda: read.append(reader.read(100)))
        late.start()
        real._wait_until_read(writer)
        assert read == [b"it is over\n"], "it did not wait until the pipe was read"
