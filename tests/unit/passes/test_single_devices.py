"""Ops with single-device shardings run on their device, and every device gets their results."""

from __future__ import annotations

import re

import pytest

import stablehlo_py
from stablehlo_py.bindings.walk import functions
from stablehlo_py.errors import PassError
from stablehlo_py.passes.resolve_single_device import ResolveSingleDevice

T = "tensor<4xi32>"
MESHES = """sdy.mesh @empty = <[], device_ids=[5]>
sdy.mesh @mesh = <["x"=2, "y"=3]>
sdy.mesh @other = <["z"=6]>
sdy.mesh @second = <[], device_ids=[1]>
sdy.mesh @ninth = <[], device_ids=[9]>
sdy.mesh @sixteenth = <[], device_ids=[16]>
"""


def on(*shardings: str) -> str:
    return f"{{sdy.sharding = #sdy.sharding_per_value<[{', '.join(f'<{each}>' for each in shardings)}]>}}"


def resolved(*ops: str, meshes: str = MESHES, **options: int) -> list[str]:
    """The lines of a function of these ops, each `NAME = OP`, after the pass."""
    body = "\n".join(op if " : " in op else f"{op} : {T}" for op in ops)
    last = ops[-1].partition(" = ")[0]
    text = f"{meshes}func.func @main(%a: {T}) -> {T} {{\n{body}\nreturn {last} : {T} }}"
    module = stablehlo_py.parse(text)
    function = functions(module.operation)["main"]
    ResolveSingleDevice(**options).run(function)
    assert module.operation.verify()
    return [line.strip() for line in str(function).splitlines()[1:-1]]


@pytest.mark.parametrize(
    ("options", "identity"),
    [
        ({}, "partition_id"),
        ({"partition_count": 2}, "partition_id"),
        ({"replica_count": 2}, "replica_id"),
        ({"replica_count": 1, "partition_count": 7}, "partition_id"),
    ],
)
def test_an_op_runs_on_its_device_and_is_summed_over_the_first_mesh_of_several(
    options: dict[str, int], identity: str
) -> None:
    assert resolved(f"%0 = stablehlo.negate %a {on('@second, []')}", **options) == [
        f"%0 = stablehlo.{identity} : tensor<ui32>",
        "%1 = stablehlo.convert %0 : (tensor<ui32>) -> tensor<i64>",
        "%c = stablehlo.constant dense<1> : tensor<i64>",
        "%2 = stablehlo.compare EQ, %1, %c : (tensor<i64>, tensor<i64>) -> tensor<i1>",
        '%3 = "stablehlo.if"(%2) ({',
        f"%5 = stablehlo.negate %arg0 : {T}",
        f"stablehlo.return %5 : {T}",
        "}, {",
        f"%c_0 = stablehlo.constant dense<0> : {T}",
        f"stablehlo.return %c_0 : {T}",
        f"}}) : (tensor<i1>) -> {T}",
        f'%4 = sdy.all_reduce {{"x", "y"}} %3 out_sharding=<@mesh, [{{}}]> : {T}',
        f"return %4 : {T}",
    ]


def names(lines: list[str]) -> list[str]:
    """The names of the ops in order, with what stays sharded marked."""
    found = [(re.search(r"(?:^|= \"?)(stablehlo\.\w+|sdy\.\w+|return)", line), line) for line in lines]
    return [f"{name[1]}{'*' * ('sdy.sharding =' in line)}" for name, line in found if name is not None]


HEAD = ["stablehlo.partition_id", "stablehlo.convert", "stablehlo.constant", "stablehlo.compare", "stablehlo.if"]


def test_reshards_to_the_device_and_from_it_go_and_others_stay() -> None:
    moved = "%m = sdy.reshard %a <@second, []>"
    back = "%r = sdy.reshard %0 <@mesh, [{}]>"
    add = f"%0 = stablehlo.add %m, %m {on('@second, []')}"
    one = [*HEAD, "stablehlo.add", "stablehlo.return", "stablehlo.constant", "stablehlo.return", "sdy.all_reduce"]
    assert [line for line in resolved(moved, add, back) if "reshard" in line] == []
    assert "%5 = stablehlo.add %arg0, %arg0 : tensor<4xi32>" in resolved(moved, add, back)
    cut = resolved(moved, add, '%r = sdy.reshard %0 <@mesh, [{"x"}]>')
    assert sum("sdy.reshard" in line for line in cut) == 1
    assert any(line.startswith("%5 = sdy.reshard %4 ") for line in cut), cut
    single = resolved(add.replace("%m", "%a"), "%r = sdy.reshard %0 <@ninth, []>")
    assert sum("sdy.reshard" in line for line in single) == 1
    kept = resolved(moved, add, f"%k = stablehlo.add %m, %0 : {T}")
    assert sum("sdy.reshard" in line for line in kept) == 1  # another op uses it, too
    whole = resolved("%m = sdy.reshard %a <@mesh, [{}]>", add)
    assert sum("sdy.reshard" in line for line in whole) == 1
    assert len([line for line in whole if line.startswith("%6 = stablehlo.add %0, %0")]) == 1, whole
    assert names(resolved(moved, add, back)) == [*one, "return"]


def test_several_ops_are_placed_each_on_its_own_device() -> None:
    lines = resolved(
        f"%0 = stablehlo.negate %a {on('@second, []')}",
        "%1 = stablehlo.abs %a " + on('@mesh, [{"x"}]'),
        f"%2 = stablehlo.add %0, %1 {on('@ninth, []')}",
    )
    assert [line.rpartition("dense")[2] for line in lines if "tensor<i64>" in line and "constant" in line] == [
        "<1> : tensor<i64>", "<9> : tensor<i64>"]  # fmt: skip
    assert sum("sdy.all_reduce" in line for line in lines) == 2
    assert sum("sdy.sharding" in line for line in lines) == 1  # the one that is cut


@pytest.mark.parametrize(
    ("shardings", "said"),
    [
        (("@sixteenth, []", "@ninth, []"), "its results are on the devices 9, 16"),
        (("@mesh, [{\"x\"}]", "@ninth, []"), "one result is on a single device, another one is cut"),
        (("@ninth, []", "@mesh, [{\"x\"}]"), "one result is on a single device, another one is cut"),
    ],
)  # fmt: skip
def test_results_in_several_places_are_an_error(shardings: tuple[str, ...], said: str) -> None:
    op = f"%0:2 = stablehlo.optimization_barrier {on(*shardings)} %a, %a : {T}, {T}"
    with pytest.raises(PassError) as raised:
        resolved(op, f"%1 = stablehlo.add %0#0, %0#1 : {T}")
    (diagnostic,) = raised.value.diagnostics
    assert diagnostic.message == f"cannot place stablehlo.optimization_barrier: {said}"
    assert ":8:" in diagnostic.location


def test_results_on_one_device_and_on_all_are_placed() -> None:
    op = f"%0:2 = stablehlo.optimization_barrier {on('@ninth, []', '@mesh, [{}]')} %a, %a : {T}, {T}"
    lines = resolved(op, f"%1 = stablehlo.add %0#0, %0#1 : {T}")
    assert [line for line in lines if "sdy.all_reduce" in line] == [
        f'%4 = sdy.all_reduce {{"x", "y"}} %3#0 out_sharding=<@mesh, [{{}}]> : {T}',
        f'%5 = sdy.all_reduce {{"x", "y"}} %3#1 out_sharding=<@mesh, [{{}}]> : {T}',
    ]


def test_a_grid_of_replicas_and_partitions_has_no_single_devices() -> None:
    negate, abs_ = f"%0 = stablehlo.negate %a {on('@second, []')}", f"%0 = stablehlo.abs %a {on('@mesh, [{}]')}"
    both = {"replica_count": 2, "partition_count": 2}
    message = "cannot place func.func: single-device shardings with several replicas and several partitions"
    with pytest.raises(PassError) as raised:
        resolved(negate, **both)
    assert [each.message for each in raised.value.diagnostics] == [message]
    assert names(resolved(abs_, **both)) == ["stablehlo.abs*", "return"]


def test_without_a_mesh_of_several_devices_nothing_changes() -> None:
    second = "sdy.mesh @second = <[], device_ids=[1]>\n"
    found = resolved(f"%0 = stablehlo.negate %a {on('@second, []')}", meshes=second)
    assert names(found) == ["stablehlo.negate*", "return"]
