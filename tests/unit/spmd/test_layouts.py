"""Layouts and the steps between them, on arrays that are cut by hand; what is said of a partition."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stablehlo_py.bindings.meshes import AxisRef, Mesh
from stablehlo_py.errors import InputError
from stablehlo_py.spmd import Collective, Links
from stablehlo_py.spmd.layouts import Devices, whole
from stablehlo_py.spmd.partition import Placed
from stablehlo_py.spmd.texts import comparison_text, partition_text
from stablehlo_py.spmd.uneven import KeptWhole, Padding

SIZES = {"x": 2, "y": 3, "z": 2}
IDS = (5, 0, 11, 3, 8, 1, 10, 2, 7, 4, 9, 6)
DEVICES = Devices(Mesh(dict(SIZES), IDS), [])
SHAPE = (12, 12)


@st.composite
def layouts(draw):
    atoms = draw(st.permutations(range(3)))
    first, second = sorted([draw(st.integers(0, 3)), draw(st.integers(0, 3))])
    return tuple(atoms[:first]), tuple(atoms[first:second])


def parts(layout):
    """The part of an array that each device holds, from the digits of its place in the mesh."""
    array = np.arange(144).reshape(SHAPE)
    found = {}
    for place, device in zip(itertools.product(*[range(size) for size in SIZES.values()]), IDS, strict=True):
        box = []
        for size, atoms in zip(SHAPE, layout, strict=True):
            number, count = 0, 1
            for atom in atoms:
                length = list(SIZES.values())[atom]
                number, count = number * length + place[atom], count * length
            box.append(slice(number * size // count, (number + 1) * size // count))
        found[device] = array[tuple(box)]
    return found


def after(step, held):
    """What devices hold after a step, by what each kind of collective does."""
    groups = DEVICES.groups(step.atoms) if step.atoms else []
    if step.kind == "collective_permute":
        return {target: held[source] for source, target in DEVICES.pairs(step.before, step.after)}
    found = dict(held)
    for group in groups:
        for position, device in enumerate(group):
            count = len(group)
            if step.kind == "slice":
                found[device] = np.split(held[device], count, step.dimension)[position]
            elif step.kind == "all_gather":
                found[device] = np.concatenate([held[other] for other in group], step.dimension)
            else:
                pieces = [np.split(held[other], count, step.dimension)[position] for other in group]
                found[device] = np.concatenate(pieces, step.source)
    return found


@settings(max_examples=200, deadline=None, derandomize=True)
@given(layouts(), layouts())
def test_steps_lead_from_one_layout_to_the_other(before, end):
    held, now = parts(before), before
    moved = 0.0
    for step in DEVICES.steps(before, end):
        assert step.before == now
        held, now = after(step, held), step.after
        wanted = parts(now)
        assert all(np.array_equal(held[device], wanted[device]) for device in IDS), step
        size = held[IDS[0]].size
        share = {"slice": 0, "collective_permute": 1}.get(step.kind, 1 - 1 / DEVICES.parts(step.atoms))
        moved += size * share
    assert now == end
    assert DEVICES.bytes_moved(144.0, before, end) == pytest.approx(moved)
    assert (before == end) == (not DEVICES.steps(before, end))


@given(layouts())
def test_what_is_whole_is_cut_without_a_message(layout):
    assert {step.kind for step in DEVICES.steps(whole(2), layout)} <= {"slice"}
    assert {step.kind for step in DEVICES.steps(layout, whole(2))} <= {"all_gather"}
    assert DEVICES.local_shape(SHAPE, layout) == [*parts(layout)[0].shape]


@pytest.mark.parametrize(
    ("atoms", "size", "taken", "fits"),
    [
        ((0, 1, 2), 12, (), (0, 1, 2)),
        ((0, 1, 2), 6, (), (0, 1)),
        ((0, 1, 2), 4, (), (0,)),
        ((0, 2, 1), 4, (), (0, 2)),
        ((1, 0), 2, (), ()),
        ((0, 1), 0, (), ()),
        ((0, 1), 12, (1,), (0,)),
        ((0, 1), 12, (0,), ()),
        ((), 12, (), ()),
    ],
)
def test_atoms_that_cut_a_size_evenly(atoms, size, taken, fits):
    assert DEVICES.fitted(atoms, size, set(taken)) == fits


def test_parts_of_axes_are_atoms_where_they_divide_each_other():
    mesh = Mesh({"x": 8, "y": 2}, tuple(range(16)))
    cut = SimpleNamespace(mesh=mesh, dimensions=((AxisRef("x", 2, 2),), ()))
    devices = Devices(mesh, [cut])
    axes = [("x", 1, None), ("x", 1, 2), ("x", 2, 2), ("x", 4, None), ("y", 1, None)]
    found = [devices.atoms(mesh, AxisRef(*axis)) for axis in axes]
    assert found == [(0, 1, 2), (0,), (1,), (2,), (3,)]
    assert [devices.parts((atom,)) for atom in devices.every] == [2, 2, 2, 2]
    assert devices.layout(cut) == ((1,), ())
    assert devices.layout(SimpleNamespace(mesh=Mesh({"a": 2}, (0, 1)), dimensions=((), ()))) == whole(2)
    with pytest.raises(InputError, match="an axis without devices"):
        Devices(Mesh({"x": 0}, ()), [])
    odd = Mesh({"x": 12}, tuple(range(12)))
    wrong = [SimpleNamespace(mesh=odd, dimensions=((AxisRef("x", 1, size),),)) for size in (2, 3)]
    with pytest.raises(InputError, match="neither divides the other"):
        Devices(odd, wrong)


def partition(*collectives, **fields):
    usual = {
        "values": [],
        "padding": [],
        "kept_whole": [],
        "steps": ["a", "b"],
        "mesh": Mesh({"x": 2, "y": 3}, IDS[:6]),
    }
    sent = sum(one.runs * one.bytes_sent for one in collectives)
    return SimpleNamespace(**{**usual, **fields}, collectives=collectives, bytes_sent=sent)


def test_a_partition_in_words():
    links = Links(bandwidth=1e9, latency=2e-6)
    once = Collective("stablehlo.all_reduce", "f:1:2", ((0, 1), (2, 3)), 1000, 1000)
    often = Collective("stablehlo.collective_permute", "", ((0, 1), (1, 2), (2, 0)), 500, 400, 3)
    values = [
        Placed("argument 0", "tensor<4xf32>", '<@m, [{"x"}, {}]>', True, "f:1"),
        Placed("result 0", "tensor<4xf32>", "", False),
    ]
    text = partition_text(
        partition(once, often, values=values, padding=[Padding("result", 1, 2, 5, 6)],
                  kept_whole=[KeptWhole("stablehlo.add", 0, 5, 2, "f:3")]), links)  # fmt: skip
    assert text.splitlines() == [
        "mesh: x=2, y=3 (6 devices)",
        "steps: a, b",
        "shardings:",
        '  argument 0 tensor<4xf32>: [{"x"}, {}] (given)  f:1',
        "  result 0 tensor<4xf32>: on every device (propagated)",
        "padding: dimension 2 of result 1 from 5 to 6",
        "kept whole: dimension 0 of stablehlo.add, as 2 parts do not divide 5  f:3",
        "collectives:",
        "  stablehlo.all_reduce: 2 groups of 2, 1000 B a device  f:1:2",
        "  stablehlo.collective_permute: 3 groups of 2, 500 B a device, 400 B received, 3 times",
        "each device sends 2500 B in all; loops of unknown length count once",
        "the collectives take 12.5 us on a ring of links of 1 GB/s and 2 us",
    ]
    assert "no collectives\neach device sends 0 B" in partition_text(partition(), links)
    lines = comparison_text(("one", "two"), (partition(once), partition(once, often)), links).splitlines()
    assert len({len(line) for line in lines}) == 1
    assert [re.split("  +", line.strip()) for line in lines] == [
        ["one", "two"],
        ["bytes sent by a device", "1,000", "2,500"],
        ["collectives", "1", "2"],
        ["time on a ring of links of 1 GB/s and 2 us", "5.0 us", "12.5 us"],
        ["stablehlo.collective_permute", "-", "1,500 B, 7.5 us"],
        ["stablehlo.all_reduce", "f:1:2", "1,000 B, 5.0 us", "1,000 B, 5.0 us"],
    ]


def test_all_pairs_of_layouts_take_the_steps_that_they_took():
    """Steps in a worse order would lead there, too: what they move in all, and the kinds of ways, would differ."""
    every = sorted({
        (order[:first], order[first:second])
        for order in itertools.permutations(range(3))
        for first in range(4)
        for second in range(first, 4)
    })  # fmt: skip
    assert len(every) == 49
    ways = [DEVICES.steps(before, end) for before, end in itertools.product(every, every)]
    moved = sum(DEVICES.bytes_moved(144.0, before, end) for before, end in itertools.product(every, every))
    kinds = Counter([step.kind for way in ways for step in way])
    assert kinds == {"slice": 2144, "all_gather": 1954, "all_to_all": 1058, "collective_permute": 194}
    assert Counter(map(len, ways)) == {0: 49, 1: 468, 2: 944, 3: 766, 4: 174}
    assert moved == 144688
