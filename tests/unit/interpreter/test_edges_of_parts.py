"""Parts of tensors on devices: programs that never join them, several values, meshes without axes, mistakes."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from parsed import parsed

from stablehlo_py.errors import InterpreterError, StablehloError
from stablehlo_py.interpreter.process_grid import NeedsPartitionsError
from stablehlo_py.interpreter.program import Program
from stablehlo_py.interpreter.settings import Settings

X = np.arange(8, dtype=np.int32) * 3
SUM = """%r = "stablehlo.all_reduce"(%part) ({
    ^bb0(%l: tensor<i32>, %m: tensor<i32>):
      %n = stablehlo.add %l, %m : tensor<i32>
      stablehlo.return %n : tensor<i32>
    }) {replica_groups = dense<IDS> : tensor<1xCOUNTxi64>, use_global_device_ids,
        channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>} : (PART) -> PART"""


def quoted(text: str) -> str:
    return text.replace('"', "\\22")


def shardy(name: str, shardings: list[str], axes: str = '"a"') -> str:
    words = ", ".join(f"<@mesh, {each}>" if each.startswith("[") else each for each in shardings)
    return (
        f'mhlo.frontend_attributes = {{xla.sdy.{name} = "#sdy.sharding_per_value<[{quoted(words)}]>", '
        f'xla.sdy.manual_axes = "#sdy<manual_axes{{{quoted(axes)}}}>"}}'
    )


def with_meshes(function: str, meshes: str) -> str:
    return f'module attributes {{mhlo.frontend_attributes = {{xla.sdy.meshes = "{quoted(meshes)}"}}}} {{ {function} }}'


@pytest.mark.parametrize("fast", [True, False])
@pytest.mark.parametrize("count", [1, 2, 4, 8])
@pytest.mark.parametrize("words", ["gspmd", "shardy"])
def test_a_program_that_adds_up_its_parts_and_joins_none(words: str, count: int, fast: bool) -> None:
    part, whole = f"tensor<{8 // count}xi32>", "tensor<8xi32>"
    total = SUM.replace("IDS", str([[*range(count)]])).replace("COUNT", str(count)).replace("PART", part)
    if words == "gspmd":
        cut = f"""%cut = stablehlo.custom_call @Sharding(%x) {{mhlo.sharding = "{{devices=[{count}]<=[{count}]}}"}}
            : ({whole}) -> {whole}
          %part = stablehlo.custom_call @SPMDFullToShardShape(%cut) {{mhlo.sharding = "{{manual}}"}}
            : ({whole}) -> {part}"""
    else:
        cut = f"""%part = stablehlo.custom_call @xla.sdy.GlobalToLocalShape(%x)
          {{{shardy("in_shardings", ['[{"a"}]'])}}} : ({whole}) -> {part}"""
    text = f"func.func @main(%x: {whole}) -> {part} {{ {cut} {total} return %r : {part} }}"
    text = with_meshes(text, f'{{mesh = #sdy.mesh<["a"={count}]>}}')
    program, expected = Program(parsed(text), Settings(fast=fast)), X.reshape(count, -1).sum(0)
    for _ in range(2):
        (found,) = program.run([X])
        np.testing.assert_array_equal(found, expected)
    for (each,) in program.run_parallel([[X]] * count, num_partitions=count):
        np.testing.assert_array_equal(each, expected)
    if count == 1:  # the only device has all
        np.testing.assert_array_equal(program.run_parallel([[X]])[0][0], expected)
        return
    with pytest.raises(NeedsPartitionsError) as raised:
        program.run_parallel([[X]])
    assert raised.value.count == count


@pytest.mark.parametrize("count", [1, 2, 3])
def test_parts_of_devices_that_the_grid_lacks_are_not_made_up(count: int) -> None:
    sharding = "{devices=[4]<=[4]}"
    text = f"""func.func @main(%x: tensor<8xi32>) -> tensor<8xi32> {{
      %cut = stablehlo.custom_call @Sharding(%x) {{mhlo.sharding = "{sharding}"}} : (tensor<8xi32>) -> tensor<8xi32>
      %part = stablehlo.custom_call @SPMDFullToShardShape(%cut) {{mhlo.sharding = "{{manual}}"}}
        : (tensor<8xi32>) -> tensor<2xi32>
      %r = stablehlo.custom_call @SPMDShardToFullShape(%part) {{mhlo.sharding = "{sharding}"}}
        : (tensor<2xi32>) -> tensor<8xi32>
      return %r : tensor<8xi32>
    }}"""
    program = Program(parsed(text))
    with pytest.raises(NeedsPartitionsError, match="one of 4 devices holds; run it with as many partitions"):
        program.run_parallel([[X]] * count, num_partitions=count)
    for (found,) in program.run_parallel([[X]] * 4, num_partitions=4):
        np.testing.assert_array_equal(found, X)


MANY = """func.func @main(%x: tensor<8xi32>, %y: tensor<8xi32>, %z: tensor<i32>)
    -> (tensor<8xi32>, tensor<8xi32>, tensor<i32>) {
  %p:3 = stablehlo.custom_call @xla.sdy.GlobalToLocalShape(%x, %y, %z) {IN}
    : (tensor<8xi32>, tensor<8xi32>, tensor<i32>) -> (tensor<4xi32>, tensor<8xi32>, tensor<i32>)
  %id = stablehlo.partition_id : tensor<ui32>
  %n = stablehlo.convert %id : (tensor<ui32>) -> tensor<i32>
  %b = stablehlo.broadcast_in_dim %n, dims = [] : (tensor<i32>) -> tensor<4xi32>
  %s = stablehlo.add %p#0, %b : tensor<4xi32>
  %r:3 = stablehlo.custom_call @xla.sdy.LocalToGlobalShape(%s, %p#1, %p#2) {OUT}
    : (tensor<4xi32>, tensor<8xi32>, tensor<i32>) -> (tensor<8xi32>, tensor<8xi32>, tensor<i32>)
  return %r#0, %r#1, %r#2 : tensor<8xi32>, tensor<8xi32>, tensor<i32>
}"""


@pytest.mark.parametrize("scalar", ["[]", "<mesh<[]>, []>", "<@none, []>"])
def test_each_of_several_values_has_a_sharding_of_its_own(scalar: str) -> None:
    shardings = ['[{"a"}]', "[{}]", scalar]
    text = MANY.replace("IN", shardy("in_shardings", shardings)).replace("OUT", shardy("out_shardings", shardings))
    text = with_meshes(text, '{mesh = #sdy.mesh<["a"=2]>, none = #sdy.mesh<[]>}')
    program = Program(parsed(text))
    for _ in range(2):
        first, second, third = program.run([X, X[::-1].copy(), np.int32(7)])
        np.testing.assert_array_equal(first, X + np.repeat([0, 1], 4))
        np.testing.assert_array_equal(second, X[::-1])
        assert int(np.asarray(third)) == 7


@pytest.mark.parametrize("fast", [True, False])
@pytest.mark.parametrize("scalar", ["<@mesh, []>", "<mesh<[]>, []>", "<@none, []>"])
@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_an_empty_mesh_is_any_mesh_that_cuts_nothing(order: tuple[int, ...], scalar: str, fast: bool) -> None:
    """At any place among the operands and results."""
    values = [("tensor<4xi32>", "tensor<1xi32>", '<@mesh, [{"a"}]>'), ("tensor<i32>", "tensor<i32>", scalar)]
    kinds = [values[min(each, 1)] for each in order]
    names, parts = ", ".join(f"%{i}" for i in range(3)), ", ".join(f"%p{i}" for i in range(3))
    given = ", ".join(f"%{i}: {kind[0]}" for i, kind in enumerate(kinds))
    inner = ", ".join(f"%p{i}: {kind[1]}" for i, kind in enumerate(kinds))
    types, local, shardings = [", ".join(kind[field] for kind in kinds) for field in range(3)]
    text = f"""sdy.mesh @mesh = <["a"=4]>
    sdy.mesh @none = <[]>
    func.func @main({given}) -> ({types}) {{
      %r:3 = sdy.manual_computation({names}) in_shardings=[{shardings}] out_shardings=[{shardings}]
        manual_axes={{"a"}} ({inner}) {{ sdy.return {parts} : {local} }} : ({types}) -> ({types})
      return %r#0, %r#1, %r#2 : {types}
    }}"""
    arguments = [np.arange(4, dtype=np.int32) if not each else np.int32(each) for each in order]
    found = Program(parsed(text), Settings(fast=fast)).run(arguments)
    for result, argument in zip(found, arguments, strict=True):
        np.testing.assert_array_equal(result, argument)


@pytest.mark.parametrize(
    ("sharding", "said"),
    [
        ('<@other, [{"a"}]>', "names mesh @other, which is not in the module's xla.sdy.meshes"),
        ('[{"b"}]', "the mesh has no axis 'b'; it has a"),
    ],
)
def test_meshes_and_axes_that_nobody_defined(sharding: str, said: str) -> None:
    text = f"""func.func @main(%x: tensor<8xi32>) -> tensor<4xi32> {{
      %0 = stablehlo.custom_call @xla.sdy.GlobalToLocalShape(%x) {{{shardy("in_shardings", [sharding])}}}
        : (tensor<8xi32>) -> tensor<4xi32>
      return %0 : tensor<4xi32>
    }}"""
    with pytest.raises(StablehloError) as raised:
        Program(parsed(with_meshes(text, '{mesh = #sdy.mesh<["a"=2]>}'))).run([X])
    assert said in str(raised.value)
    assert raised.value.op == "stablehlo.custom_call"
    if "other" in sharding:
        with pytest.raises(InterpreterError, match="names mesh @other"):
            Program(parsed(text)).run([X])


UNREDUCED = """sdy.mesh @mesh = <["a"=2, "b"=2]>
func.func @main(%x: tensor<8xi32>) -> tensor<8xi32> {
  %r = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"a"}]IN>] out_shardings=[<@mesh, [{"a"}]OUT>]
    manual_axes={"a", "b"} (%p: tensor<4xi32>) { sdy.return %p : tensor<4xi32> } : (tensor<8xi32>) -> tensor<8xi32>
  return %r : tensor<8xi32>
}"""


@pytest.mark.parametrize("where", ["", "IN", "OUT"])
def test_parts_that_have_yet_to_be_added_are_refused(where: str) -> None:
    text = UNREDUCED.replace(where, ', unreduced={"b"}') if where else UNREDUCED
    program = Program(parsed(text.replace("IN>", ">").replace("OUT>", ">")))
    if not where:
        np.testing.assert_array_equal(program.run([X])[0], X)
        return
    name = "in_shardings" if where == "IN" else "out_shardings"
    with pytest.raises(InterpreterError, match=f"has {name} with unreduced axes") as raised:
        program.run([X])
    assert (raised.value.op, bool(raised.value.location)) == ("sdy.manual_computation", True)


@pytest.mark.parametrize("size", [8, 6, 4, 2])
def test_tensors_that_cannot_be_cut_evenly_are_refused(size: int) -> None:
    text = f"""func.func @main(%x: tensor<{size}xi32>) -> tensor<?xi32> {{
      %0 = stablehlo.custom_call @xla.sdy.GlobalToLocalShape(%x) {{{shardy("in_shardings", ['[{"a"}]'])}}}
        : (tensor<{size}xi32>) -> tensor<?xi32>
      return %0 : tensor<?xi32>
    }}"""
    program = Program(parsed(with_meshes(text, '{mesh = #sdy.mesh<["a"=4]>}')))
    given: Any = X[:size]
    if size % 4 == 0:
        np.testing.assert_array_equal(program.run([given])[0], X[: size // 4])
        return
    with pytest.raises(StablehloError, match=rf"of shape \[{size}\] cannot be cut into \[4\] parts"):
        program.run([given])


@pytest.mark.parametrize("fast", [True, False])
@pytest.mark.parametrize(("cuts", "manual"), [(2, 2), (4, 2), (2, 4), (1, 4), (4, 1)])
def test_devices_along_manual_axes_join_tensors_of_their_own(cuts: int, manual: int, fast: bool) -> None:
    """Of each tensor there are as many parts as it is cut into."""
    count = cuts * manual
    part, joined = "tensor<1xi32>", f"tensor<{cuts}xi32>"
    sharding = f"{{devices=[{cuts},{manual}]<=[{count}] last_tile_dims={{manual}}}}"
    text = f"""func.func @main(%x: {part}) -> {joined} {{
      %held = stablehlo.custom_call @Sharding(%x) {{mhlo.sharding = "{{manual}}"}} : ({part}) -> {part}
      %r = stablehlo.custom_call @SPMDShardToFullShape(%held) {{mhlo.sharding = "{sharding}"}} : ({part}) -> {joined}
      return %r : {joined} }}"""
    program = Program(parsed(text), Settings(fast=fast))
    rows = program.run_parallel([[np.int32([device])] for device in range(count)], num_partitions=count)
    for device, (row,) in enumerate(rows):
        assert row.tolist() == [device % manual + manual * number for number in range(cuts)], f"device {device}"
