"""Partitions as text, pairs of collectives, shares of ranks, and time lines on a clock that the test turns."""

from __future__ import annotations

import json
from types import SimpleNamespace

import pytest

from stablehlo_py.interpreter.process_grid import ProcessId
from stablehlo_py.spmd import Collective, Links, Timeline, side_by_side, texts, timeline
from stablehlo_py.spmd.partition import Partition, Placed
from stablehlo_py.spmd.ranks import Ranks

SUM = Collective("stablehlo.all_reduce", "m.py:1:1", ((0, 1), (2, 3)), 64, 64)
GATHER = Collective("stablehlo.all_gather", "m.py:2:1", ((0, 1, 2, 3),), 192, 48, runs=3)
FAR = Collective("stablehlo.collective_permute", "", (), 0, 0)


def made(*collectives: Collective, **more: object) -> Partition:
    mesh = SimpleNamespace(axes={"x": 2, "y": 2}, device_ids=(0, 1, 2, 3))
    given = {"module": None, "mesh": mesh, "inputs": (), "outputs": (), "values": (), "collectives": collectives}
    return Partition(**{**given, **more})


def test_a_partition_as_text() -> None:
    values = (
        Placed("argument 0", "tensor<4xf32>", '#sdy.sharding<@mesh, [{"x"}, {}]>', True, "m.py:3:1"),
        Placed("result 0", "tensor<4xf32>", "", False),
    )
    padding = (SimpleNamespace(kind="argument", number=1, dimension=0, size=3, padded=4),)
    kept = (SimpleNamespace(op="stablehlo.sort", dimension=1, parts=2, size=5, location="m.py:4:1"),)
    found = made(SUM, GATHER, values=values, padding=padding, kept_whole=kept, steps=("a", "b"))
    assert (
        texts.partition_text(found, Links(1e6, 1e-5))
        == """mesh: x=2, y=2 (4 devices)
steps: a, b
shardings:
  argument 0 tensor<4xf32>: [{"x"}, {}] (given)  m.py:3:1
  result 0 tensor<4xf32>: on every device (propagated)
padding: dimension 0 of argument 1 from 3 to 4
kept whole: dimension 1 of stablehlo.sort, as 2 parts do not divide 5  m.py:4:1
collectives:
  stablehlo.all_reduce: 2 groups of 2, 64 B a device  m.py:1:1
  stablehlo.all_gather: 1 group of 4, 192 B a device, 48 B received, 3 times  m.py:2:1
each device sends 640 B in all; loops of unknown length count once
the collectives take 750.0 us on a ring of links of 1 MB/s and 10 us
"""
    )
    assert texts.partition_text(made(), Links()).splitlines()[-2:] == [
        "no collectives",
        "each device sends 0 B in all; loops of unknown length count once",
    ]
    assert found.bytes_sent == 640
    assert found.cut == {"arguments": 1, "results": 0, "values": 0, "axes": ["x"]}
    assert repr(found) == "<Partition over x=2, y=2: 2 collectives, 640 B a device>"


def test_two_partitions_side_by_side() -> None:
    found = texts.comparison_text(("a", "long name"), (made(SUM, SUM, FAR), made(SUM, GATHER)), Links(1e6, 1e-5))
    assert (
        found
        == """                                                           a        long name
bytes sent by a device                                   128              640
collectives                                                3                2
time on a ring of links of 1 MB/s and 10 us         168.0 us         750.0 us
stablehlo.all_gather  m.py:2:1                             -  576 B, 666.0 us
stablehlo.all_reduce  m.py:1:1               128 B, 168.0 us    64 B, 84.0 us
stablehlo.collective_permute                     0 B, 0.0 us                -
"""
    )


def test_pairs_are_of_one_op_and_one_line_the_largest_difference_first() -> None:
    elsewhere = SUM.__class__(SUM.op, "m.py:9:9", SUM.groups, 100, 100)
    pairs = side_by_side([SUM, GATHER, SUM], [GATHER, elsewhere])
    assert [(pair.op, pair.location, pair.bytes_sent) for pair in pairs] == [
        (SUM.op, SUM.location, (128, 0)),
        (SUM.op, "m.py:9:9", (0, 100)),
        (GATHER.op, GATHER.location, (576, 576)),
    ]
    assert side_by_side([], []) == []


@pytest.mark.parametrize("total", [0, 1, 5, 8, 9])
@pytest.mark.parametrize("count", [1, 2, 3, 8, 9])
def test_ranks_share_everything_in_order_and_evenly(total: int, count: int) -> None:
    shares = [Ranks.share(SimpleNamespace(rank=0, count=count), total, rank) for rank in range(count)]
    assert [each for share in shares for each in share] == list(range(total))
    assert max(map(len, shares)) - min(map(len, shares)) <= 1
    assert Ranks.share(SimpleNamespace(rank=count - 1, count=count), total) == shares[-1]


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    turned = SimpleNamespace(now=100.0)
    monkeypatch.setattr(timeline.time, "perf_counter", lambda: turned.now)
    return turned


A, B = ProcessId(0, 0), ProcessId(1, 2)


def test_a_clock_runs_while_its_process_has_its_turn(clock: SimpleNamespace) -> None:
    line = Timeline()
    assert line.clock(A) == 0.0
    clock.now += 2.0
    assert line.clock(A) == 2.0
    clock.now += 5.0
    assert line.clock(B) == 0.0  # the time before its turn is none of its own
    clock.now += 1.0
    assert (line.clock(B), line.clock(A)) == (1.0, 2.0)
    line.wait_until(B, 1.0, 2.0, "stablehlo.all_reduce")
    line.wait_until(A, 2.0, 2.0, "stablehlo.all_reduce")  # who comes last does not wait
    clock.now += 0.5
    assert line.clock(A) == 2.5
    assert [(e["cat"], e["name"], e["pid"], e["tid"], e["ts"], e["dur"]) for e in line.events] == [
        ("wait", "wait in stablehlo.all_reduce", 1, 2, 1e6, 1e6)
    ]
    found = json.loads(line.as_json())["traceEvents"]
    assert [(each["name"], each["pid"], each["tid"], each["args"]["name"]) for each in found[:4]] == [
        ("process_name", 0, 0, "replica 0"),
        ("thread_name", 0, 0, "partition 0"),
        ("process_name", 1, 2, "replica 1"),
        ("thread_name", 1, 2, "partition 2"),
    ]
    assert found[4:] == line.events


def test_only_the_first_events_are_kept(monkeypatch: pytest.MonkeyPatch, clock: SimpleNamespace) -> None:
    monkeypatch.setattr(timeline, "MOST_EVENTS", 2)
    line = Timeline()
    for end in (1.0, 2.0, 3.0):
        line.wait_until(A, 0.0, end, "x")
    assert [each["dur"] for each in line.events] == [1e6, 2e6]


def test_ops_are_noted_with_their_process_and_those_inside(
    monkeypatch: pytest.MonkeyPatch, clock: SimpleNamespace
) -> None:
    step = {name: SimpleNamespace(op=SimpleNamespace(name=name, location=f"{name}.py:1:1")) for name in ("out", "in")}
    line, turn = Timeline(), SimpleNamespace(id=B)
    monkeypatch.setattr(timeline, "current_process", lambda: turn)
    for name in ("out", "in"):
        line.before(step[name], ())
        clock.now += 1.0
    for name in ("in", "out"):
        line.after(step[name], (), ())
        clock.now += 1.0
    assert [(e["name"], e["ts"], e["dur"], e["pid"], e["tid"], e["args"]["location"]) for e in line.events] == [
        ("in", 1e6, 1e6, 1, 2, "in.py:1:1"),
        ("out", 0.0, 3e6, 1, 2, "out.py:1:1"),
    ]
