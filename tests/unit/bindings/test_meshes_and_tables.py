"""Meshes, shardings and flatbuffers: held against coordinates that are counted one by one, and cut at every byte."""

from __future__ import annotations

import itertools
import math
import random
import re
import struct

import numpy as np
import pytest

from stablehlo_py.bindings.flatbuffers import Table
from stablehlo_py.bindings.meshes import MOST_DEVICES, AxisRef, Mesh, groups_along, read_mesh
from stablehlo_py.bindings.shardings import (
    manual_axes,
    named_meshes,
    sdy_shardings,
    sharding_texts,
    with_whole_dimensions,
    xla_shardings,
    xla_tiling,
)
from stablehlo_py.errors import InputError, StablehloError


def drawn_mesh(chance: random.Random) -> Mesh:
    sizes = {name: chance.choice([1, 2, 3, 4, 6]) for name in "xyz"[: chance.randint(1, 3)]}
    count = math.prod(sizes.values())
    return Mesh(sizes, tuple(chance.sample(range(count), count)))


def parts_of(size: int) -> list[tuple[int, int]]:
    """The pre-size and size of each part of an axis of this size."""
    divisors = [d for d in range(1, size + 1) if size % d == 0]
    return [(pre, part) for pre in divisors for part in divisors if part > 1 and size % (pre * part) == 0]


def digits(position: int, size: int, pre: int, part: int) -> tuple[int, tuple[int, int]]:
    """The place in a part of an axis, and the place in what is before and after that part."""
    minor = size // (pre * part)
    return position // minor % part, (position // (minor * part), position % minor)


@pytest.mark.parametrize("seed", range(60))
def test_groups_along_axes_are_the_devices_that_agree_in_all_others(seed: int) -> None:
    chance = random.Random(seed)
    mesh = drawn_mesh(chance)
    names = chance.sample([*mesh.axes], chance.randint(0, len(mesh.axes)))
    references, read_as = [], []
    for name in names:
        options = parts_of(mesh.axes[name])
        pre, part = chance.choice(options) if options and chance.random() < 0.6 else (1, mesh.axes[name])
        is_whole = (pre, part) == (1, mesh.axes[name])
        references.append(AxisRef(name, 1, None) if is_whole else AxisRef(name, pre, part))
        read_as.append((name, pre, part))
    groups: dict[tuple[object, ...], list[tuple[tuple[int, ...], int]]] = {}
    positions = itertools.product(*[range(size) for size in mesh.axes.values()])
    for device, position in zip(mesh.device_ids, positions, strict=True):
        at = dict(zip(mesh.axes, position, strict=True))
        places, key = [], []
        for name in mesh.axes:
            cut = next(((pre, part) for other, pre, part in read_as if other == name), None)
            key += [at[name]] if cut is None else digits(at[name], mesh.axes[name], *cut)[1]
        for name, pre, part in read_as:
            places.append(digits(at[name], mesh.axes[name], pre, part)[0])
        groups.setdefault(tuple(key), []).append((tuple(places), device))
    expected = [[device for _, device in sorted(members)] for _, members in sorted(groups.items())]
    assert groups_along(mesh, references) == expected, f"{mesh} along {references}"


@pytest.mark.parametrize(
    ("reference", "said"),
    [
        (AxisRef("z", 1, None), "the mesh has no axis 'z'; it has x, y"),
        (AxisRef("x", 1, 4), "axis 'x' of size 6 cannot be split at 1:4"),
        (AxisRef("x", 4, 3), "axis 'x' of size 6 cannot be split at 4:12"),
    ],
)
def test_axes_that_a_mesh_does_not_have(reference: AxisRef, said: str) -> None:
    with pytest.raises(StablehloError) as caught:
        groups_along(Mesh({"x": 6, "y": 2}, tuple(range(12))), [reference])
    assert caught.value.message == said


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('#sdy.mesh<["x"=2, "y"=3]>', Mesh({"x": 2, "y": 3}, tuple(range(6)))),
        ('#sdy.mesh<["x"=2], device_ids=[1, 0]>', Mesh({"x": 2}, (1, 0))),
        ("#sdy.mesh<[]>", Mesh({}, (0,))),
        ("#sdy.mesh<[], device_ids=[3]>", Mesh({}, (3,))),
        ('#sdy.mesh<["x"=2], device_ids=[1]>', "a mesh of 2 positions has 1 device ids"),
        ("mesh<[]>", "cannot read the mesh mesh<[]>"),
        (f'#sdy.mesh<["x"={MOST_DEVICES}], device_ids=[0]>', f"a mesh of {MOST_DEVICES} positions has 1 device ids"),
        (f'#sdy.mesh<["x"={MOST_DEVICES + 1}]>', f"a mesh of {MOST_DEVICES + 1} devices is too large"),
    ],
)
def test_meshes_are_read_as_shardy_prints_them(text: str, found: Mesh | str) -> None:
    if isinstance(found, Mesh):
        assert read_mesh(text) == found
        return
    with pytest.raises(StablehloError, match=re.escape(found)):
        read_mesh(text)


def test_named_meshes_and_manual_axes_are_read_from_a_dictionary_and_a_list() -> None:
    found = named_meshes('{mesh = #sdy.mesh<["x"=2]>, "other.mesh" = #sdy.mesh<["y"=3], device_ids=[2, 1, 0]>}')
    assert found == {"mesh": Mesh({"x": 2}, (0, 1)), "other.mesh": Mesh({"y": 3}, (2, 1, 0))}
    assert manual_axes('#sdy<manual_axes{"x", "y"}>') == {"x", "y"}
    assert manual_axes("") == set()


@pytest.mark.parametrize("seed", range(30))
def test_parts_of_devices_make_the_tensor_again(seed: int) -> None:
    """Each device's part is where its coordinates say, the first axis of a dimension the major one."""
    chance = random.Random(seed)
    mesh = drawn_mesh(chance)
    names = chance.sample([*mesh.axes], len(mesh.axes))
    split = sorted(chance.choices(range(len(names) + 1), k=2))
    dimensions = [names[: split[0]], names[split[0] : split[1]]]
    text = ", ".join("{" + ", ".join(f'"{name}"' for name in axes) + "}" for axes in dimensions)
    axes = ", ".join(f'"{name}"={size}' for name, size in mesh.axes.items())
    inline = f"mesh<[{axes}], device_ids={list(mesh.device_ids)}>"
    for written in (f"<@mesh, [{text}]>", f"<{inline}, [{text}]>"):
        (sharding,) = sdy_shardings(f"#sdy.sharding_per_value<[{written}]>", {"mesh": mesh}.__getitem__)
        assert sharding.mesh == mesh
        counts = [math.prod(mesh.axes[name] for name in each) for each in dimensions]
        assert sharding.counts == counts
        whole = np.arange(math.prod(counts) * 6).reshape(counts[0] * 2, counts[1] * 3)
        tiling = sharding.tiling(frozenset(mesh.axes))
        parts = {}
        for device, position in zip(mesh.device_ids, itertools.product(*map(range, mesh.axes.values())), strict=True):
            at, places = dict(zip(mesh.axes, position, strict=True)), []
            for each in dimensions:
                place = 0
                for name in each:
                    place = place * mesh.axes[name] + at[name]
                places.append(place)
            parts[device] = whole[places[0] * 2 : places[0] * 2 + 2, places[1] * 3 : places[1] * 3 + 3]
            np.testing.assert_array_equal(tiling.part(whole, device), parts[device])
        np.testing.assert_array_equal(tiling.whole(parts), whole)


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (3, 2, 1, 0), (2, 0, 3, 1)])
def test_of_devices_with_one_part_the_first_one_counts(order: tuple[int, ...]) -> None:
    (sharding,) = sdy_shardings('<@m, [{"x"}]>', {"m": Mesh({"x": 2, "y": 2}, (3, 1, 0, 2))}.__getitem__)
    tiling = sharding.tiling(frozenset("xy"))
    assert [tiling.positions[device] for device in range(4)] == [(1,), (0,), (1,), (0,)]
    parts = {device: np.int32([device, 10 + device]) for device in order}
    assert tiling.whole(parts).tolist() == [1, 11, 0, 10]
    assert tiling.whole({device: parts[device] for device in order if device}).tolist() == [1, 11, 2, 12]


def test_parts_of_axes_and_axes_that_are_not_manual() -> None:
    mesh = Mesh({"x": 8, "y": 2}, tuple(range(16)))
    text = '[<@m, [{"x":(1)2}, {"x":(2)4, "y"}]>, <@m, [{"x":(4)2}, {}], unreduced={"y"}>]'
    first, second = sdy_shardings(text, {"m": mesh}.__getitem__)
    assert (first.counts, second.counts) == ([2, 8], [2, 1])
    assert (first.has_unreduced, second.has_unreduced) == (False, True)
    tiling = first.tiling(frozenset(["x", "y"]))
    assert [tiling.positions[device] for device in (0, 1, 2, 8, 15)] == [(0, 0), (0, 1), (0, 2), (1, 0), (1, 7)]
    assert second.tiling(frozenset(["x"])).positions[2] == (1, 0)
    alone = first.tiling(frozenset(["y"]))
    assert (alone.counts, alone.positions[3], alone.wholes[3]) == ((1, 2), (0, 1), (1,))
    assert sharding_texts(text) == [f"#sdy.sharding{each}" for each in (
        '<@m, [{"x":(1)2}, {"x":(2)4, "y"}]>', '<@m, [{"x":(4)2}, {}], unreduced={"y"}>'
    )]  # fmt: skip
    whole = with_whole_dimensions(text, [{1}, {0}])
    assert whole == '[<@m, [{"x":(1)2}, {}]>, <@m, [{}, {}], unreduced={"y"}>]'
    with pytest.raises(StablehloError, match="the mesh has no axis 'z'; it has x, y"):
        sdy_shardings('<@m, [{"z"}]>', {"m": mesh}.__getitem__)
    with pytest.raises(StablehloError, match=r"a tensor of shape \[3, 8\] cannot be cut into \[2, 8\] parts"):
        tiling.part(np.zeros((3, 8)), 0)


def buffer() -> bytes:
    """A table: a number, nothing, a text, numbers, a table with a double, and tables of texts."""
    data = bytearray(struct.pack("<I", 0))
    fields: list[int] = []

    def put(packed: bytes) -> int:
        while len(data) % 4:
            data.append(0)
        data.extend(packed)
        return len(data) - len(packed)

    vtable = put(struct.pack("<8H", 16, 32, 28, 0, 4, 8, 12, 16))
    table = put(struct.pack("<i6IB3x", len(data) - vtable, 0, 0, 0, 0, 0, 0, 7))
    data[0:4] = struct.pack("<I", table)
    text = put(struct.pack("<I", 5) + b"hello")
    numbers = put(struct.pack("<I3h", 3, 1, -2, 300))
    inner_vtable = put(struct.pack("<3H", 6, 12, 4))
    inner = put(struct.pack("<id", len(data) + len(data) % 4 - inner_vtable, 2.5))
    data[inner : inner + 4] = struct.pack("<i", inner - inner_vtable)
    vector = put(struct.pack("<3I", 2, 0, 0))
    words = [put(struct.pack("<I", len(word)) + word) for word in (b"a", b"bc")]
    for index, word in enumerate(words):
        at = vector + 4 + 4 * index
        data[at : at + 4] = struct.pack("<I", (word - at) % (1 << 32))
    fields = [text, numbers, inner, vector]
    for index, target in enumerate(fields):
        at = table + 4 + 4 * index
        data[at : at + 4] = struct.pack("<I", (target - at) % (1 << 32))
    return bytes(data)


def read(data: bytes) -> list[object]:
    table = Table.root(data)
    inner = table.table(4)
    return [
        table.number(0, "B"),
        table.number(1, "I"),
        table.text(2),
        table.bytes(2),
        table.numbers(3, "h"),
        table.texts(5),
        None if inner is None else inner.number(0, "d"),
        *(table.number(9, "Q"), table.text(9), table.numbers(9, "I"), table.tables(9), table.table(9), table.texts(9)),
    ]


def test_fields_of_tables_are_read_and_absent_ones_are_empty() -> None:
    assert read(buffer()) == [7, 0, "hello", b"hello", [1, -2, 300], ["a", "bc"], 2.5, 0, None, [], [], None, []]


def test_a_buffer_that_is_cut_anywhere_is_refused_or_read_the_same() -> None:
    data = buffer()
    expected, refused = read(data), set[str]()
    for size in range(len(data)):
        try:
            found: object = read(data[:size])
        except InputError as error:
            found = expected
            refused.add(error.message)
        assert found == expected, f"of the first {size} bytes"
    assert refused == {"a flatbuffer ends in the middle of its data"}
    with pytest.raises(InputError):
        read(data[: len(data) // 2])


@pytest.mark.parametrize("back", [9, 1 << 20, (1 << 31) - 1, -9, -(1 << 20)])
def test_a_table_whose_fields_lie_outside_of_the_buffer_is_refused(back: int) -> None:
    data = struct.pack("<Ii", 4, back) + bytes(4)
    with pytest.raises(InputError, match="a flatbuffer ends in the middle of its data"):
        Table.root(data).number(0, "B")


@pytest.mark.parametrize("text", ["{devices=[2,1]", "{what}", "", "{devices=[2]0,1} x"])
def test_a_sharding_that_cannot_be_read_is_told_without_its_place_in_itself(text: str) -> None:
    pytest.importorskip("jaxlib.xla_client")
    with pytest.raises(StablehloError) as error:
        xla_shardings(text)
    start, reason = f"cannot read the sharding {text}: ", error.value.message.removeprefix("cannot read the sharding ")
    assert error.value.message.startswith(start)
    assert len(error.value.message) > len(start)
    assert not any(word in reason.lower() for word in ("\n", "error", "parsing"))


@pytest.mark.parametrize("text", ["", "{replicated}", "{maximal device=1}", "{manual}"])
def test_a_sharding_of_xla_that_does_not_cut_has_no_tiling(text: str) -> None:
    assert xla_tiling(text, 2) is None


@pytest.mark.parametrize(
    ("text", "positions", "wholes"),
    [
        ("{devices=[2,1]<=[2]}", {0: (0, 0), 1: (1, 0)}, {0: (), 1: ()}),
        ("{devices=[2,1]1,0}", {1: (0, 0), 0: (1, 0)}, {0: (), 1: ()}),
        ("{devices=[1,3]<=[3]}", {0: (0, 0), 1: (0, 1), 2: (0, 2)}, {0: (), 1: (), 2: ()}),
        ("{devices=[2,1,2]<=[4] last_tile_dim_replicate}", {0: (0, 0), 1: (0, 0), 2: (1, 0), 3: (1, 0)},
         dict.fromkeys(range(4), ())),
        ("{devices=[2,1,2]<=[4] last_tile_dims={manual}}", {0: (0, 0), 1: (0, 0), 2: (1, 0), 3: (1, 0)},
         {0: (0,), 1: (1,), 2: (0,), 3: (1,)}),
    ],
)  # fmt: skip
def test_a_tiling_of_xla_has_the_places_of_its_devices(
    text: str, positions: dict[int, tuple[int, ...]], wholes: dict[int, tuple[int, ...]]
) -> None:
    found = xla_tiling(text, 2)
    assert found is not None
    assert (found.positions, found.wholes) == (positions, wholes)
    assert found.counts == tuple(max(place[d] for place in positions.values()) + 1 for d in range(2))
