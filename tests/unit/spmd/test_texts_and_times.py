"""Partitions as text, pairs of collectives, shares of ranks, and time lines on a clock that the test turns."""

from __future__ import annotations

import html
import json
import re
from dataclasses import replace
from functools import partial
from types import SimpleNamespace

import pytest

from stablehlo_py.interpreter.process_grid import Meeting, ProcessId
from stablehlo_py.spmd import Collective, Links, Timeline, side_by_side, texts, timeline
from stablehlo_py.spmd.demands import LayoutDemand
from stablehlo_py.spmd.partition import Partition, Placed
from stablehlo_py.spmd.ranks import Ranks
from stablehlo_py.spmd.uneven import KeptWhole, Padding

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


@pytest.mark.parametrize(
    ("groups", "sent", "received", "runs", "said"),
    [
        (((0, 1, 2), (3,)), 8, 8, 1, "2 groups of 3, 8 B a device"),
        (((3,), (0, 1, 2)), 8, 8, 2, "2 groups of 3, 8 B a device, 2 times"),
        (((0, 1),), 8, 24, 1, "1 group of 2, 8 B a device, 24 B received"),
        (((0, 1),), 24, 8, 1, "1 group of 2, 24 B a device, 8 B received"),
        (((0, 1),), 24, 0, 0, "1 group of 2, 24 B a device, 0 B received, 0 times"),
        ((), 0, 0, 1, "0 groups of 0, 0 B a device"),
    ],
)
def test_a_collective_as_text(
    groups: tuple[tuple[int, ...], ...], sent: int, received: int, runs: int, said: str
) -> None:
    text = texts.partition_text(
        made(Collective("stablehlo.all_gather", "m.py:1:1", groups, sent, received, runs)), Links()
    )
    assert f"\n  stablehlo.all_gather: {said}  m.py:1:1\n" in text, text


def test_a_partition_in_a_notebook() -> None:
    """A row for each value and each collective."""
    values = (
        Placed("argument 0", "tensor<4xf32>", '<@mesh, [{"x"}]>', True, "m.py:3:1"),
        Placed("result 0", "tensor<4xf32>", "", False),
    )
    page = made(SUM, GATHER, values=values)._repr_html_()
    rows = [re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row) for row in page.split("<tr>")[1:]]
    assert [[html.unescape(cell) for cell in row] for row in rows] == [
        ["value or collective", "type", "sharding", "", "location"],
        ["argument 0", "tensor<4xf32>", '<@mesh, [{"x"}]>', "given", "m.py:3:1"],
        ["result 0", "tensor<4xf32>", "", "", ""],
        ["stablehlo.all_reduce", "64 B sent", "2 groups", "", "m.py:1:1"],
        ["stablehlo.all_gather", "192 B sent", "1 group", "", "m.py:2:1"],
    ]
    assert "Partition over x=2, y=2: 2 collectives, 640 B a device" in page


def test_a_partition_as_json() -> None:
    values = (Placed("argument 0", "tensor<4xf32>", '<@mesh, [{"x"}]>', True, "m.py:3:1"),)
    found = made(SUM, values=values, padding=(Padding("argument", 1, 0, 3, 4),),
                 kept_whole=(KeptWhole("stablehlo.sort", 1, 5, 2, "m.py:4:1"),), steps=("a", "b"))  # fmt: skip
    assert json.loads(json.dumps(found.as_dict())) == {
        "mesh": {"axes": {"x": 2, "y": 2}, "devices": 4},
        "values": [
            {"name": "argument 0", "type": "tensor<4xf32>", "sharding": '<@mesh, [{"x"}]>', "given": True,
             "location": "m.py:3:1"},
        ],
        "collectives": [
            {"op": "stablehlo.all_reduce", "location": "m.py:1:1", "groups": [[0, 1], [2, 3]], "bytes_sent": 64,
             "bytes_received": 64, "runs": 1, "demand": None},
        ],
        "padding": [{"kind": "argument", "number": 1, "dimension": 0, "size": 3, "padded": 4}],
        "kept_whole": [{"op": "stablehlo.sort", "dimension": 1, "size": 5, "parts": 2, "location": "m.py:4:1"}],
        "steps": ["a", "b"],
        "bytes_sent": 64,
    }  # fmt: skip


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


@pytest.mark.parametrize("last", [A, B])
def test_a_clock_runs_on_from_the_end_of_a_wait(last: ProcessId, clock: SimpleNamespace) -> None:
    """Whoever had the turn before it."""
    line = Timeline()
    line.clock(last)
    clock.now += 3.0
    line.wait_until(A, 0.0, 1.0, "stablehlo.all_reduce")
    clock.now += 0.5
    assert line.clock(A) == 1.5


def test_a_million_events_are_kept() -> None:
    line = Timeline()
    line.events = [{}] * (10**6 - 1)
    for start in (0.0, 1.0):
        line.wait_until(A, start, 2.0, "x")
    assert len(line.events) == 10**6
    assert line.events[-1]["ts"] == 0.0


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


@pytest.mark.parametrize(
    ("start", "end", "shown"),
    [(0.1, 0.25, (1e5, 1.5e5)), (1.23456e-6, 3.45678e-6, (1.235, 2.222)), (0.0, 1e-10, (0.0, 0.0))],
)
def test_times_are_microseconds_with_three_digits(start: float, end: float, shown: tuple[float, float]) -> None:
    line = Timeline()
    line.wait_until(B, start, end, "stablehlo.recv")
    assert line.events == [
        {"ph": "X", "cat": "wait", "name": "wait in stablehlo.recv", "pid": 1, "tid": 2,
         "ts": shown[0], "dur": shown[1], "args": {}},
    ]  # fmt: skip
    assert json.loads(line.as_json())["displayTimeUnit"] == "ms"


def test_a_receiver_waits_until_its_value_was_sent_and_no_longer(clock: SimpleNamespace) -> None:
    line, got = Timeline(), list[object]()
    grid = line.make_grid(1, 2)

    def sender() -> tuple[()]:
        for value in (1, 2, 3):
            clock.now += 1.0
            grid.send("way", (value,))
        return ()

    def receiver() -> tuple[()]:
        process = ProcessId(0, 1)
        clock.now += 1.5
        for _ in range(3):
            got.append((*grid.receive(process, "way", "stablehlo.recv at m.py:1:1"), line.clock(process)))
        clock.now += 10.0
        got.append(line.clock(process))
        return ()

    line.clock(ProcessId(0, 0))
    grid.run([sender, receiver])
    line.clock(ProcessId(0, 1))
    assert got == [(1, 1.0), (2, 2.0), (3, 3.0), 13.0]  # the time before the first reading of its clock does not count
    assert [(each["name"], each["tid"], each["ts"], each["dur"]) for each in line.events] == [
        ("wait in stablehlo.recv", 1, 0.0, 1e6),
        ("wait in stablehlo.recv", 1, 1e6, 1e6),
        ("wait in stablehlo.recv", 1, 2e6, 1e6),
    ]


def test_a_receiver_that_comes_later_does_not_wait_and_keeps_its_time(clock: SimpleNamespace) -> None:
    line, got = Timeline(), list[float]()
    grid = line.make_grid(1, 2)

    def sender() -> tuple[()]:
        for _ in range(3):
            clock.now += 1.0
            grid.send("way", (1,))
        return ()

    def receiver() -> tuple[()]:
        process = ProcessId(0, 1)
        line.clock(process)
        for late in (5.0, 0.0, 0.25):
            clock.now += late
            grid.receive(process, "way", "stablehlo.recv at m.py:1:1")
            got.append(line.clock(process))
        return ()

    line.clock(ProcessId(0, 0))
    grid.run([sender, receiver])
    assert got == [5.0, 5.0, 5.25]
    assert line.events == []


@pytest.mark.parametrize("times", [(1.0, 2.0, 4.0), (4.0, 2.0, 1.0), (2.0, 2.0, 2.0)])
def test_all_of_a_group_leave_a_meeting_when_the_last_one_comes(
    times: tuple[float, ...], clock: SimpleNamespace
) -> None:
    line, left = Timeline(), list[float]()
    grid = line.make_grid(3, 1)
    members = tuple(grid.process_ids)

    def member(number: int) -> tuple[int]:
        process, total = members[number], 0
        line.clock(process)
        for _ in range(2):
            clock.now += times[number]
            total += grid.combine(Meeting(process, members, 1, "stablehlo.all_reduce", "", ""), number + 1, sum)
            left.append(line.clock(process))
        return (total,)

    assert grid.run([partial(member, number) for number in range(3)]) == [(12,)] * 3
    last = max(times)
    assert (grid._arrivals, grid._left) == ({}, {}), "something of a meeting is kept when it is over"
    assert sorted(left) == [last] * 3 + [2 * last] * 3
    waits = sorted((each["pid"], each["ts"] / 1e6, each["dur"] / 1e6) for each in line.events)
    assert waits == [(n, start + one, last - one) for n, one in enumerate(times) if one < last for start in (0, last)]


def test_what_a_collective_is_for_makes_it_no_other_one() -> None:
    demand = LayoutDemand("a", "", "[{}]", "b", "", '[{"x"}]')
    asked = replace(SUM, demand=demand)
    assert asked == SUM
    assert "demand" not in repr(asked)
    assert asked.as_dict() == {**SUM.as_dict(), "demand": demand._asdict()}
    assert replace(SUM, runs=2) != SUM


def test_a_collective_without_groups_sends_its_bytes_and_waits_for_nobody() -> None:
    links = Links(1000.0, 1.0)
    assert links.seconds(Collective("stablehlo.all_gather", "", (), 500, 500)) == 0.5
    assert links.seconds(Collective("stablehlo.all_reduce", "", ((0, 1), (2,)), 500, 500, runs=2)) == 2 * (2.0 + 0.5)
    assert links.seconds(Collective("stablehlo.collective_permute", "", (), 500, 500)) == 1.5
    assert links.seconds(Collective("stablehlo.all_gather", "", ((0, 1),), 0, 0)) == 0.0
    assert links.total([]) == 0.0
