"""Small parts of partitions: axes in Shardy's print, makers of values, identities by their bits, padding."""

from __future__ import annotations

import itertools
from types import SimpleNamespace

import ml_dtypes
import numpy as np
import pytest
from installed import needs

import stablehlo_py
from stablehlo_py.bindings import ir, make_context
from stablehlo_py.bindings.meshes import AxisRef, Mesh, symbol_mesh
from stablehlo_py.bindings.types import element_type
from stablehlo_py.bindings.walk import body_of, functions, operations, symbols, terminator_of
from stablehlo_py.dialect.facts import entry, op_names
from stablehlo_py.errors import InputError
from stablehlo_py.spmd import choices, partition, simulate
from stablehlo_py.spmd.attributes import add_mesh, dictionaries_of, parsed, set_shardings, signature
from stablehlo_py.spmd.collectives import bytes_sent, collectives, messages_sent
from stablehlo_py.spmd.demands import LayoutDemand, producer_of
from stablehlo_py.spmd.layouts import Devices
from stablehlo_py.spmd.manual import names_devices, one_by_one
from stablehlo_py.spmd.partition import Placed
from stablehlo_py.spmd.reshard import identity
from stablehlo_py.spmd.uneven import KeptWhole, Padding, keep_uneven_whole, pad_signature

PART = AxisRef("x", 1, 2)


class Cut:
    """A sharding of one dimension along the first half of an axis."""

    def __init__(self, mesh: Mesh) -> None:
        self.mesh, self.dimensions = mesh, ((PART,),)


def test_axes_are_printed_as_shardy_prints_them() -> None:
    mesh = Mesh({"x": 8, "y": 3}, tuple(range(24)))
    whole, split = Devices(mesh, []), Devices(mesh, [Cut(mesh)])  # type: ignore[list-item]
    assert [whole.axes_text(atoms) for atoms in ((), (0,), (1, 0))] == ["", '"x"', '"y", "x"']
    assert split.axes_text((0,)) == '"x":(1)2'
    assert split.axes_text((1, 2)) == '"x":(2)4, "y"'
    assert [split.parts((atom,)) for atom in split.every] == [2, 4, 3]


@pytest.mark.parametrize("seed", range(6))
def test_a_device_keeps_a_part_that_it_holds_and_others_come_from_devices_that_held_them(seed: int) -> None:
    ids = tuple(np.random.default_rng(seed).permutation(12).tolist())
    devices = Devices(Mesh({"x": 2, "y": 3, "z": 2}, ids), [])
    layouts = [layout for layout in itertools.product([(), (0,), (1,), (2,), (0, 2), (2, 0), (1, 2)], repeat=2)
               if len(set(layout[0]) | set(layout[1])) == len(layout[0]) + len(layout[1])]  # fmt: skip
    for before, after in itertools.product(layouts, repeat=2):
        if [devices.parts(one) for one in before] != [devices.parts(one) for one in after]:
            continue
        pairs = devices.pairs(before, after)
        held, wanted = ([tuple(devices.positions(atoms)[device] for atoms in layout) for device in range(12)]
                        for layout in (before, after))  # fmt: skip
        assert [target for _, target in sorted(pairs, key=lambda pair: pair[1])] == list(range(12))
        assert sorted(source for source, _ in pairs) == list(range(12))
        assert pairs == sorted(pairs)
        for source, target in pairs:
            assert held[source] == wanted[target]
            assert (source == target) == (held[target] == wanted[target])
        moved = sorted([pair for pair in pairs if pair[0] != pair[1]], key=lambda pair: pair[1])
        for part in {*held}:  # the first that wants a part gets it from the first that held it
            senders = [source for source, _ in moved if held[source] == part]
            assert senders == sorted(senders), (before, after)


PROGRAM = """sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<4xf32>, %n: tensor<i32> {sdy.sharding = #sdy.sharding<@mesh, []>}) -> tensor<4xf32> {
  %0 = stablehlo.negate %a : tensor<4xf32> loc("f.py":2:3)
  %1 = sdy.data_flow_edge %0 : tensor<4xf32>
  %2 = stablehlo.while(%v = %1) : tensor<4xf32> cond {
    %p = stablehlo.constant dense<false> : tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %s = stablehlo.negate %v : tensor<4xf32>
    stablehlo.return %s : tensor<4xf32>
  } loc("f.py":5:6)
  return %2 : tensor<4xf32>
}"""


def test_makers_of_values_are_arguments_loops_and_ops_but_no_edges() -> None:
    module = ir.Module.parse(PROGRAM, make_context())
    ops = operations(functions(module.operation)["main"])
    negate, edge, loop = (next(op for op in ops if op.name.endswith(name)) for name in ("negate", "edge", "while"))
    assert producer_of(negate.operands[0]) == ("argument 0", "")
    assert producer_of(negate.results[0]) == ("stablehlo.negate", "f.py:2:3")
    assert producer_of(edge.results[0]) == ("stablehlo.negate", "f.py:2:3")
    assert producer_of(loop.regions[1].blocks[0].arguments[0]) == ("argument 0 of stablehlo.while", "f.py:5:6")
    assert [LayoutDemand("", "", "", "", "", text).is_halo for text in ("[{}]", "1 before")] == [False, True]


def test_signatures_have_arguments_then_results_with_their_shardings() -> None:
    module = ir.Module.parse(PROGRAM, make_context())
    function = functions(module.operation)["main"]
    found = signature(function)
    assert [(one.kind, one.number, one.sharding) for one in found] == [
        ("argument", 0, ""), ("argument", 1, "#sdy.sharding<@mesh, []>"), ("result", 0, "")]  # fmt: skip
    assert [one.value for one in found] == [*body_of(function).arguments, *terminator_of(body_of(function)).operands]
    sharding = parsed(function, "x", '#sdy.sharding<@mesh, [{"x"}]>')
    set_shardings(function, "result", 1, {0: sharding})
    set_shardings(function, "argument", 2, {0: sharding})
    assert [one.sharding for one in signature(function)] == [str(sharding), "#sdy.sharding<@mesh, []>", str(sharding)]
    assert [len(dictionaries_of(function, kind, count)) for kind, count in (("argument", 2), ("result", 1))] == [2, 1]
    with pytest.raises(InputError, match=r"cannot read name = #sdy\.shard") as caught:
        parsed(ops_of(function)[0], "name", "#sdy.shard")
    assert caught.value.location == "f.py:2:3"


def ops_of(function: ir.Operation) -> list[ir.Operation]:
    return [op.operation for op in body_of(function).operations]


@pytest.mark.parametrize(
    ("ids", "found"), [((), tuple(range(6))), (tuple(range(6)), tuple(range(6))), ((5, 4, 3, 2, 1, 0),) * 2]
)
def test_a_mesh_has_sizes_names_and_the_order_of_its_devices(ids: tuple[int, ...], found: tuple[int, ...]) -> None:
    module = ir.Module.parse("func.func @main() { return }", make_context())
    assert add_mesh(module, {"x": 2, "y": 3}, ids) == "mesh"
    mesh = symbol_mesh("mesh", symbols(module.operation).get)
    assert (dict(mesh.axes), tuple(mesh.device_ids)) == ({"x": 2, "y": 3}, found)
    assert next(iter(module.body.operations)).operation.name == "sdy.mesh"


@pytest.mark.parametrize("element", ["f32", "f64", "bf16", "i32", "ui8", "i1", "complex<f32>"])
@pytest.mark.parametrize("kind", ["add", "multiply", "xor"])
def test_identities_change_no_bit_of_a_value(kind: str, element: str) -> None:
    """A zero is negative for floats, whose sum with a negative zero is that."""
    with make_context(), ir.Location.unknown():
        found = identity(kind, ir.RankedTensorType.get([], ir.Type.parse(element)))
    dtype = element_type(element).dtype
    assert (found.shape, found.dtype) == ((), dtype)
    if kind == "multiply":
        assert found == np.ones((), dtype)
    elif dtype.kind in "fc" or dtype == ml_dtypes.bfloat16:
        parts = found.astype(np.complex128).reshape(1).view(np.float64)[: 1 + (dtype.kind == "c")]
        assert np.signbit(parts).all()
        assert not parts.any()
    else:
        assert found.tobytes() == bytes(dtype.itemsize)


@pytest.mark.parametrize(
    ("op", "count", "messages", "sent"),
    [
        ("all_gather", 4, 3, 300), ("all_gather", 1, 0, 0), ("all_reduce", 4, 6, 150), ("all_to_all", 4, 3, 75),
        ("reduce_scatter", 4, 3, 75), ("collective_permute", 4, 1, 100), ("collective_permute", 1, 1, 100),
        ("collective_broadcast", 4, 1, 100), ("collective_broadcast", 1, 1, 0), ("all_reduce", 1, 0, 0),
    ],
)  # fmt: skip
def test_messages_and_bytes_of_a_ring(op: str, count: int, messages: int, sent: int) -> None:
    assert messages_sent(f"stablehlo.{op}", count) == messages
    assert bytes_sent(f"stablehlo.{op}", 100, count) == sent


@pytest.mark.parametrize(
    ("sharding", "axes"),
    [("", []), ("#sdy.sharding<@mesh, [{}, {}]>", []), ('#sdy.sharding<@"m", [{"x"}, {"y", "z"}]>', ["x", "y", "z"]),
     ('<@m, [{"x":(1)2}]>', ["x"])],
)  # fmt: skip
def test_axes_that_cut_a_value(sharding: str, axes: list[str]) -> None:
    assert Placed("", "", sharding, True).axes == axes


UNEVEN = """sdy.mesh @mesh = <["x"=2, "y"=3]>
func.func @main(%a: tensor<5x7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<6xf32>)
    -> (tensor<5x7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}, tensor<6xf32>) {
  %0 = stablehlo.sine %a : tensor<5x7xf32> loc("f.py":3:4)
  return %0, %b : tensor<5x7xf32>, tensor<6xf32>
}"""


@needs("partition")
def test_what_cannot_be_cut_is_padded_at_the_border_and_whole_inside() -> None:
    found = partition(stablehlo_py.parse(UNEVEN))
    assert found.padding == (
        Padding("argument", 0, 0, 5, 6), Padding("argument", 0, 1, 7, 9),
        Padding("result", 0, 0, 5, 6), Padding("result", 0, 1, 7, 8),
    )  # fmt: skip
    assert found.kept_whole == tuple(
        KeptWhole(op, dimension, size, parts, location)
        for op, location in (("stablehlo.slice", ""), ("stablehlo.sine", "f.py:3:4"))
        for dimension, size, parts in ((0, 5, 2), (1, 7, 3))
    )
    types = [str(argument.type) for argument in body_of(functions(found.module.operation)["main"]).arguments]
    assert types == ["tensor<3x3xf32>", "tensor<6xf32>"]
    given = [np.arange(35, dtype=np.float32).reshape(5, 7), np.arange(6, dtype=np.float32)]
    first, second = simulate(found, given).results
    np.testing.assert_allclose(first, np.sin(given[0]), rtol=1e-6)
    assert second.tolist() == given[1].tolist()
    names = [step for step in found.steps if "uneven" in step or "pad" in step]
    assert names == ["pad-arguments-and-results", "keep-uneven-dimensions-whole"]
    even = partition(stablehlo_py.parse(UNEVEN.replace("5x7", "6x6")))
    assert (even.padding, even.kept_whole) == ((), ())
    assert not [step for step in even.steps if "uneven" in step or "pad" in step]


@pytest.mark.parametrize(
    ("type_", "size"),
    [("tensor<3x5xf32>", 60), ("tensor<f64>", 8), ("tensor<10xi1>", 1.25), ("tensor<3xbf16>", 6),
     ("tensor<0x4xf32>", 0), ("tensor<3xcomplex<f32>>", 24), ("tensor<?x4xf32>", 0), ("tensor<*xf32>", 0)],
)  # fmt: skip
def test_sizes_by_which_layouts_are_chosen(type_: str, size: float) -> None:
    module = ir.Module.parse(f"func.func private @f({type_}) -> {type_}", make_context())
    (given,) = ir.FunctionType(ir.TypeAttr(module.body.operations[0].attributes["function_type"]).value).inputs
    assert choices._size(SimpleNamespace(type=given)) == size


@pytest.mark.parametrize("name", op_names("stablehlo"))
def test_ops_that_name_devices_have_groups_or_channels_or_ask_for_one(name: str) -> None:
    attributes = {"replica_groups", "source_target_pairs"} & {*(entry(name) or {}).get("attributes", ())}
    asks = name in {"stablehlo.partition_id", "stablehlo.replica_id", "stablehlo.infeed", "stablehlo.outfeed"}
    assert names_devices(name) == (bool(attributes) or asks)
    assert not names_devices("some.op")


@pytest.mark.parametrize(
    ("text", "each"),
    [
        ("#sdy.sharding_per_value<[]>", [""]),
        ('#sdy.sharding_per_value<[<@m, [{"x"}, {}]>]>', ['<@m, [{"x"}, {}]>']),
        ('#sdy.sharding_per_value<[<@m, [{"x"}, {}]>, <@m, []>]>', ['<@m, [{"x"}, {}]>', "<@m, []>"]),
    ],
)
def test_shardings_of_several_values_one_by_one(text: str, each: list[str]) -> None:
    assert one_by_one(text) == each


BORDERS = """sdy.mesh @m = <["x"=2]>
sdy.mesh @one = <[], device_ids=[1]>
func.func @main(%t: !stablehlo.token {sdy.sharding = #sdy.sharding<@m, []>},
    %d: tensor<?xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>},
    %s: tensor<3xf32> {sdy.sharding = #sdy.sharding<@one, []>},
    %u: tensor<3xf32>, %a: tensor<3xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>})
    -> (!stablehlo.token {sdy.sharding = #sdy.sharding<@m, []>}, tensor<3xf32>) {
  return %t, %u : !stablehlo.token, tensor<3xf32>
}"""


def test_tokens_and_dynamic_sizes_are_not_padded() -> None:
    """Nor is what names a single device, or has no sharding."""
    meshes = {"m": Mesh({"x": 2}, (0, 1)), "one": Mesh({}, (1,))}.__getitem__
    module = ir.Module.parse(BORDERS, make_context())
    function = functions(module.operation)["main"]
    assert pad_signature(function, meshes) == [Padding("argument", 4, 0, 3, 4)]
    types = [str(one.value.type) for one in signature(function)]
    assert types == ["!stablehlo.token", "tensor<?xf32>", "tensor<3xf32>", "tensor<3xf32>", "tensor<4xf32>",
                     "!stablehlo.token", "tensor<3xf32>"]  # fmt: skip
    assert pad_signature(function, meshes) == []


def test_only_static_dimensions_are_kept_whole() -> None:
    negated = """%0 = stablehlo.negate %u {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x"}]>]>} : tensor<3xf32>
      return"""
    meshes = {"m": Mesh({"x": 2}, (0, 1)), "one": Mesh({}, (1,))}.__getitem__
    module = ir.Module.parse(BORDERS.replace("return", negated), make_context())
    function = functions(module.operation)["main"]
    found = keep_uneven_whole(function, meshes)
    assert [(one.op, one.dimension, one.size, one.parts) for one in found] == [
        ("argument 4", 0, 3, 2), ("stablehlo.negate", 0, 3, 2)]  # fmt: skip
    one, whole = "#sdy.sharding<@m, []>", "#sdy.sharding<@m, [{}]>"
    cut, single = '#sdy.sharding<@m, [{"x"}]>', "#sdy.sharding<@one, []>"
    assert [each.sharding for each in signature(function)] == [one, cut, single, "", whole, one, ""]
    assert "sharding_per_value<[<@m, [{}]>]>" in str(module)


@pytest.mark.parametrize(
    ("ids", "said"),
    [
        ((), ""),
        ((0, 1, 2, 3), ""),
        ((1, 0, 2, 3), ", device_ids=[1, 0, 2, 3]"),
        ((3, 2, 1, 0), ", device_ids=[3, 2, 1, 0]"),
    ],
)
def test_a_mesh_tells_the_order_of_its_devices_where_it_is_not_theirs(ids: tuple[int, ...], said: str) -> None:
    with make_context(), ir.Location.unknown():
        module = ir.Module.parse("func.func @main() { return }")
        assert add_mesh(module, {"x": 2, "y": 2}, ids) == "mesh"
        assert module.operation.verify()
        assert str(symbols(module.operation)["mesh"]) == f'sdy.mesh @mesh = <["x"=2, "y"=2]{said}>'
        assert [*functions(module.operation)] == ["main"]


GROUPED = {
    "all_gather": ("all_gather_dim = 0 : i64", "tensor<4xf32>", "tensor<4xf32>", ""),
    "all_reduce": ("", "tensor<4xf32>", "tensor<4xf32>", "add"),
    "all_to_all": ("split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 1 : i64",
                   "tensor<4xf32>", "tensor<4xf32>", ""),
    "reduce_scatter": ("scatter_dimension = 0 : i64", "tensor<4xf32>", "tensor<4xf32>", "add"),
    "collective_broadcast": ("", "tensor<4xf32>", "tensor<4xf32>", ""),
}  # fmt: skip


@pytest.mark.parametrize("name", GROUPED)
@pytest.mark.parametrize("groups", ["dense<> : tensor<0x0xi64>", "dense<0> : tensor<1x1xi64>"])
def test_a_group_of_one_device_or_of_none_sends_nothing(name: str, groups: str) -> None:
    attributes, given, taken, combiner = GROUPED[name]
    region = f"""({{ ^bb0(%l: tensor<f32>, %r: tensor<f32>): %s = stablehlo.{combiner} %l, %r : tensor<f32>
        stablehlo.return %s : tensor<f32> }})""" if combiner else ""  # fmt: skip
    listed = ", ".join(filter(None, [attributes, f"replica_groups = {groups}"]))
    text = f"""func.func @main(%a: {given}) -> {taken} {{
      %0 = "stablehlo.{name}"(%a) {region} {{{listed}}} : ({given}) -> {taken}
      return %0 : {taken} }}"""
    if name == "all_to_all" and "0x0" in groups:  # the bindings take no such op
        return
    (found,) = collectives(stablehlo_py.parse(text))
    assert (found.op, found.bytes_sent, found.bytes_received, found.runs) == (f"stablehlo.{name}", 0, 0, 1)
