"""What each of GSPMD's marks becomes among Shardy's."""

from __future__ import annotations

import re

import numpy as np
import pytest
from installed import needs

import stablehlo_py
from stablehlo_py.bindings.walk import functions, operations
from stablehlo_py.errors import InputError
from stablehlo_py.spmd import partition, simulate
from stablehlo_py.spmd.gspmd import import_gspmd
from stablehlo_py.spmd.manual import TO_GLOBAL, TO_LOCAL, enclose_manual

pytestmark = needs("partition")
GRID = "{devices=[2,2]<=[4]}"
ALONG = "{devices=[1,2,2]<=[2,2]T(1,0) last_tile_dims={manual}}"  # devices on their own along the first axis
T, S, P = "tensor<8x8xf32>", "tensor<4x8xf32>", "tensor<4x4xf32>"


def imported(text: str, axes: dict[str, int] | None = None) -> list[str]:
    """The lines of a program that say something, with each op's result and types left out."""
    module = stablehlo_py.parse(text)
    import_gspmd(module, axes)
    assert module.operation.verify()
    lines = [line.strip().removesuffix(" {") for line in str(module).splitlines()]
    return [line for line in lines if line not in ("}", "", "module")]


def main(body: str, *given: str, results: str = T) -> str:
    return f"func.func @main({', '.join(given)}) -> {results} {{\n{body} }}"


def argument(number: int, sharding: str, type_: str = T) -> str:
    return f'%{number}: {type_} {{mhlo.sharding = "{sharding}"}}'


def call(target: str, sharding: str, operand: str, before: str, after: str) -> str:
    return f'stablehlo.custom_call @{target}({operand}) {{mhlo.sharding = "{sharding}"}} : ({before}) -> {after}'


def test_arguments_and_results_keep_their_other_attributes() -> None:
    given = 'mhlo.sharding = "{replicated}"', 'mhlo.sharding = "{unknown}"'
    text = f"""module attributes {{mhlo.num_partitions = 6 : i32}} {{
      func.func @main(%0: {T} {{{given[0]}, jax.name = "x"}}) -> ({T} {{{given[1]}}}, {T} {{jax.other = 1 : i32}}) {{
        return %0, %0 : {T}, {T} }} }}"""
    assert imported(text) == [
        "module attributes {mhlo.num_partitions = 6 : i32}",
        'sdy.mesh @mesh = <["axis_0"=6]>',
        f'func.func @main(%arg0: {T} {{jax.name = "x", sdy.sharding = #sdy.sharding<@mesh, [{{}}, {{}}]>}}) -> '
        f"({T} {{sdy.sharding = #sdy.sharding<@mesh, [{{?}}, {{?}}]>}}, {T} {{jax.other = 1 : i32}})",
        f"return %arg0, %arg0 : {T}, {T}",
    ]


def test_what_is_known_of_no_value_is_left_out() -> None:
    body = f"""
      %2 = {call("Sharding", "{replicated}", "%0", "tensor<f32>", "tensor<f32>")}
      %3 = {call("Sharding", "{unknown}", "%1", T, T)}
      %4 = stablehlo.negate %3 {{mhlo.sharding = "{{unknown}}"}} : {T}
      %5 = stablehlo.negate %2 {{mhlo.sharding = "{{maximal device=1}}"}} : tensor<f32>
      return %5: tensor<f32>"""
    cut = argument(1, "{devices=[2,1]<=[2]}")
    assert imported(main(body, argument(0, "{replicated}", "tensor<f32>"), cut, results="tensor<f32>")) == [
        'sdy.mesh @mesh = <["axis_0"=2]>',
        "func.func @main(%arg0: tensor<f32> {sdy.sharding = #sdy.sharding<@mesh, []>}, "
        f'%arg1: {T} {{sdy.sharding = #sdy.sharding<@mesh, [{{"axis_0"}}, {{}}]>}}) -> tensor<f32>',
        f"%0 = stablehlo.negate %arg1 : {T}",
        "%1 = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, []>]>} : tensor<f32>",
        "return %1 : tensor<f32>",
    ]


def marked(target: str, operand: str, attributes: str, sharding: str, before: str, after: str) -> str:
    own = f", sdy.sharding = #sdy.sharding_per_value<[<@mesh, {sharding}>]>" if sharding else ""
    given = "mhlo.frontend_attributes = {" + attributes.replace('"', r"\22").replace("'", '"') + "}"
    return f"stablehlo.custom_call @xla.sdy.{target}({operand}) {{{given}{own}}} : ({before}) -> {after}"


def along(axis: str) -> str:
    return f"xla.sdy.manual_axes = '#sdy<manual_axes{{\"{axis}\"}}>'"


def to_local(result: str, operand: str, sharding: str, axis: str, own: str, before: str, after: str) -> str:
    given = f"xla.sdy.in_shardings = '#sdy.sharding_per_value<[<@mesh, {sharding}>]>', {along(axis)}"
    return f"{result} = {marked('GlobalToLocalShape', operand, given, own, before, after)}"


def to_global(result: str, operand: str, axis: str, sharding: str, before: str, after: str) -> str:
    given = f"{along(axis)}, xla.sdy.out_shardings = '#sdy.sharding_per_value<[<@mesh, {sharding}>]>'"
    return f"{result} = {marked('LocalToGlobalShape', operand, given, sharding, before, after)}"


SHARDED = "xla.sdy.{}_shardings = '#sdy.sharding_per_value<[<@mesh, [{{\"a\"}}, {{}}]>]>'"
WHOLE, PART = '[{"a"}, {"b"}]', '[{}, {"b"}]'
MESH = ['sdy.mesh @mesh = <["a"=2, "b"=2]>']
MESH += [f"func.func @main(%arg0: {T} {{sdy.sharding = #sdy.sharding<@mesh, {WHOLE}>}}) -> {T}"]


def test_devices_on_their_own_along_some_axes() -> None:
    body = f"""
      %1 = {call("Sharding", GRID, "%0", T, T)}
      %2 = {call("SPMDFullToShardShape", ALONG, "%1", T, S)}
      %3 = stablehlo.negate %2 {{mhlo.sharding = "{ALONG}"}} : {S}
      %4 = {call("Sharding", ALONG, "%3", S, S)}
      %5 = {call("SPMDShardToFullShape", GRID, "%4", S, T)}
      return %5 : {T}"""
    assert imported(main(body, argument(0, GRID)), {"a": 2, "b": 2}) == [
        *MESH,
        f"%0 = sdy.sharding_constraint %arg0 <@mesh, {WHOLE}> : {T}",
        to_local("%1", "%0", WHOLE, "a", PART, T, S),
        f"%2 = stablehlo.negate %1 {{sdy.sharding = #sdy.sharding_per_value<[<@mesh, {PART}>]>}} : {S}",
        f"%3 = sdy.sharding_constraint %2 <@mesh, {PART}> : {S}",
        to_global("%4", "%3", "a", WHOLE, S, T),
        f"return %4 : {T}",
    ]


def test_devices_on_their_own_along_further_axes() -> None:
    body = f"""
      %1 = {call("Sharding", GRID, "%0", T, T)}
      %2 = {call("SPMDFullToShardShape", ALONG, "%1", T, S)}
      %3 = {call("Sharding", ALONG, "%2", S, S)}
      %4 = {call("SPMDFullToShardShape", "{manual}", "%3", S, P)}
      %5 = {call("Sharding", "{manual}", "%4", P, P)}
      %6 = {call("SPMDShardToFullShape", ALONG, "%5", P, S)}
      %7 = {call("Sharding", ALONG, "%6", S, S)}
      %8 = {call("SPMDShardToFullShape", GRID, "%7", S, T)}
      return %8 : {T}"""
    assert imported(main(body, argument(0, GRID)), {"a": 2, "b": 2}) == [
        *MESH,
        f"%0 = sdy.sharding_constraint %arg0 <@mesh, {WHOLE}> : {T}",
        to_local("%1", "%0", WHOLE, "a", PART, T, S),
        f"%2 = sdy.sharding_constraint %1 <@mesh, {PART}> : {S}",
        to_local("%3", "%2", PART, "b", "", S, P),
        to_global("%4", "%3", "b", PART, P, S),
        f"%5 = sdy.sharding_constraint %4 <@mesh, {PART}> : {S}",
        to_global("%6", "%5", "a", WHOLE, S, T),
        f"return %6 : {T}",
    ]


def nested() -> str:
    body = f"""
      %1 = {call("Sharding", GRID, "%0", T, T)}
      %2 = {call("SPMDFullToShardShape", ALONG, "%1", T, S)}
      %n = stablehlo.negate %2 : {S}
      %3 = {call("Sharding", ALONG, "%n", S, S)}
      %4 = {call("SPMDFullToShardShape", "{manual}", "%3", S, P)}
      %id = stablehlo.partition_id : tensor<ui32>
      %f = stablehlo.convert %id : (tensor<ui32>) -> tensor<f32>
      %b = stablehlo.broadcast_in_dim %f, dims = [] : (tensor<f32>) -> {P}
      %m = stablehlo.add %4, %b : {P}
      %5 = {call("Sharding", "{manual}", "%m", P, P)}
      %6 = {call("SPMDShardToFullShape", ALONG, "%5", P, S)}
      %q = stablehlo.abs %6 : {S}
      %7 = {call("Sharding", ALONG, "%q", S, S)}
      %8 = {call("SPMDShardToFullShape", GRID, "%7", S, T)}
      %9 = stablehlo.sign %8 : {T}
      %r = stablehlo.subtract %8, %9 : {T}
      return %r : {T}"""
    return main(body, argument(0, GRID))


def test_manual_computations_lie_in_one_another() -> None:
    module = stablehlo_py.parse(nested())
    import_gspmd(module, {"a": 2, "b": 2})
    enclose_manual(functions(module.operation)["main"])
    assert module.operation.verify()
    lines = [line.strip() for line in str(module).splitlines()]
    starts = [n for n, line in enumerate(lines) if "sdy.manual_computation" in line]
    ins = [f"in_shardings=[<@mesh, {cut}>] out_shardings=[<@mesh, {cut}>]" for cut in (WHOLE, PART)]
    assert [lines[n].partition(") ")[2] for n in starts] == [
        f'{ins[0]} manual_axes={{"a"}} (%arg1: {S}) {{',
        f'{ins[1]} manual_axes={{"b"}} (%arg2: {P}) {{',
    ]
    ops = [re.split(r"[ (]", line.partition(" = ")[2] or line)[0] for line in lines[starts[0] :]]
    assert [op.removeprefix("stablehlo.") for op in ops if op] == [
        "sdy.manual_computation", "negate", "sdy.sharding_constraint", "sdy.manual_computation", "partition_id",
        "convert", "broadcast_in_dim", "add", "sdy.return", "}", "abs", "sdy.sharding_constraint", "sdy.return", "}",
        "sign", "subtract", "return", "}", "}",
    ]  # fmt: skip


def test_nested_manual_computations_run_on_their_devices() -> None:
    x = np.arange(64, dtype=np.float32).reshape(8, 8) - 32
    ids = np.array([[0, 1], [2, 3]], np.float32).repeat(4, 0).repeat(4, 1)
    whole = np.abs(-x + ids)
    found = partition(stablehlo_py.parse(nested()), mesh={"a": 2, "b": 2})
    np.testing.assert_array_equal(simulate(found, [x]).results[0], whole - np.sign(whole))
    assert found.collectives == ()
    meshed = [op.name for op in operations(found.module.operation) if "mesh" in op.attributes]
    assert set(meshed) <= {"sdy.mesh"}


def test_what_devices_do_on_their_own_stays_in_its_order() -> None:
    """Two values that are worked on in turn, until an op takes both."""
    local = marked("GlobalToLocalShape", "VALUE", f"{SHARDED.format('in')}, {along('a')}", "", T, S)
    whole = [
        marked("LocalToGlobalShape", f"%{name}", f"{SHARDED.format('out')}, {along('a')}", "", S, T) for name in "sn"
    ]
    body = f"""
      %a = {local.replace("VALUE", "%0")}
      %b = {local.replace("VALUE", "%1")}
      %c = stablehlo.sine %b : {S}
      %d = stablehlo.cosine %a : {S}
      %e = stablehlo.tanh %c : {S}
      %n = stablehlo.negate %d : {S}
      %s = stablehlo.add %n, %e : {S}
      %x = {whole[0]}
      %y = {whole[1]}
      %z = stablehlo.subtract %x, %y : {T}
      return %z : {T}"""
    module = stablehlo_py.parse(main(body, f"%0: {T}", f"%1: {T}").replace("func.func", MESH[0] + " func.func", 1))
    enclose_manual(functions(module.operation)["main"])
    assert module.operation.verify()
    lines = [line.strip() for line in str(module).splitlines()]
    ops = [re.split(r"[ (]", line.partition(" = ")[2] or line)[0] for line in lines]
    inside = ops[ops.index("sdy.manual_computation") + 1 : ops.index("sdy.return")]
    assert [op.removeprefix("stablehlo.") for op in inside] == ["sine", "cosine", "tanh", "negate", "add"]
    assert "sdy.return %6, %5" in str(module)
    assert "stablehlo.subtract %0#0, %0#1" in str(module)


def test_a_branch_that_uses_what_a_device_has_is_on_its_own_too() -> None:
    local = marked("GlobalToLocalShape", "%0", f"{SHARDED.format('in')}, {along('a')}", "", T, S)
    whole = marked("LocalToGlobalShape", "%r", f"{SHARDED.format('out')}, {along('a')}", "", S, T)
    body = f"""
      %a = {local}
      %r = "stablehlo.if"(%1) ({{ stablehlo.return %a : {S} }}, {{
        %n = stablehlo.negate %a : {S}
        stablehlo.return %n : {S} }}) : (tensor<i1>) -> {S}
      %x = {whole}
      return %x : {T}"""
    text = main(body, f"%0: {T}", "%1: tensor<i1>").replace("func.func", MESH[0] + " func.func", 1)
    module = stablehlo_py.parse(text)
    function = functions(module.operation)["main"]
    enclose_manual(function)
    (branch,) = [op for op in operations(function) if op.name == "stablehlo.if"]
    assert branch.parent.operation.name == "sdy.manual_computation"
    assert module.operation.verify()


def test_a_call_has_a_sharding_for_each_operand() -> None:
    one = "<@mesh, [{}, {}]>"
    text = f"""func.func @main(%0: {T}) -> {T} {{
      %1 = stablehlo.custom_call @{TO_LOCAL}(%0) {{mhlo.frontend_attributes = {{
        xla.sdy.in_shardings = "#sdy.sharding_per_value<[{one}, {one}]>",
        xla.sdy.manual_axes = "#sdy<manual_axes{{}}>"}}}} : ({T}) -> {T}
      %2 = stablehlo.custom_call @{TO_GLOBAL}(%1) {{mhlo.frontend_attributes = {{
        xla.sdy.out_shardings = "#sdy.sharding_per_value<[{one}]>",
        xla.sdy.manual_axes = "#sdy<manual_axes{{}}>"}}}} : ({T}) -> {T}
      return %2 : {T} }}"""
    module = stablehlo_py.parse(text)
    with pytest.raises(InputError) as error:
        enclose_manual(functions(module.operation)["main"])
    said = f'cannot read xla.sdy.in_shardings = "#sdy.sharding_per_value<[{one}, {one}]>": 1 shardings were expected'
    assert (error.value.message, error.value.location) == (f"'{TO_LOCAL}' op: {said}", "<string>:2:12")


def shardings(lines: list[str]) -> tuple[str, list[str]]:
    mesh, function = [next(line for line in lines if line.startswith(start)) for start in ("sdy.mesh", "func.func")]
    return mesh.partition(" = ")[2], [each.partition(">}")[0] for each in function.split("#sdy.sharding")[1:]]


@pytest.mark.parametrize(
    ("texts", "axes", "mesh", "found"),
    [
        (["{devices=[6,4]<=[24]}"], None, '["axis_0"=6, "axis_1"=4]', ['{"axis_0"}, {"axis_1"}']),
        (["{devices=[4,1]<=[4]}"], {"a": 2, "b": 2}, '["a"=2, "b"=2]', ['{"a", "b"}, {}']),
        (["{devices=[2,2]<=[4]}"], {"a": 4}, '["a"=4]', ['{"a":(1)2}, {"a":(2)2}']),
        (["{devices=[2,2]<=[2,2]T(1,0)}"], {"a": 4}, '["a"=4]', ['{"a":(2)2}, {"a":(1)2}']),
        (["{devices=[1,2,4]<=[8] last_tile_dim_replicate}"], {"a": 4, "b": 2}, '["a"=4, "b"=2]', ['{}, {"a":(1)2}']),
        (["{devices=[1,2,4]<=[4,2]T(1,0) last_tile_dim_replicate}"], {"a": 8}, '["a"=8]', ['{}, {"a":(4)2}']),
        (
            ["{devices=[6,4]<=[24]}", "{devices=[2,12]<=[12,2]T(1,0)}"],
            None,
            '["axis_0"=6, "axis_1"=2, "axis_2"=2]',
            ['{"axis_0"}, {"axis_1", "axis_2"}', '{"axis_2"}, {"axis_0", "axis_1"}'],
        ),
        (
            ["{replicated}", "{devices=[2,2]3,1,0,2}", "{devices=[4,1]3,1,0,2}"],
            None,
            '["axis_0"=2, "axis_1"=2], device_ids=[3, 1, 0, 2]',
            ["{}, {}", '{"axis_0"}, {"axis_1"}', '{"axis_0", "axis_1"}, {}'],
        ),
    ],
)
def test_a_mesh_that_fits_all_shardings(texts: list[str], axes: dict[str, int] | None, mesh: str, found: list[str]):
    text = main(f"return %0 : {T}", *[argument(number, each) for number, each in enumerate(texts)])
    assert shardings(imported(text, axes)) == (f"<{mesh}>", [f"<@mesh, [{each}]" for each in found])


def test_the_mesh_of_the_program_comes_before_the_axes_that_are_asked_for() -> None:
    ids = "1,0,2,3,4,5,6,7"
    given = (
        argument(0, f"{{devices=[2,4]{ids}}}"),
        argument(1, "{devices=[1,2,4]1,0,4,5,2,3,6,7 last_tile_dim_replicate}"),
    )
    text = f'sdy.mesh @m = <["a"=2, "b"=4], device_ids=[{ids}]>\n{main(f"return %0 : {T}", *given)}'
    mesh, found = shardings(imported(text, {"z": 8}))
    assert mesh == '<["a"=2, "b"=4], device_ids=[1, 0, 2, 3, 4, 5, 6, 7]>'
    assert found == ['<@m, [{"a"}, {"b"}]', '<@m, [{}, {"b":(1)2}]']


def test_one_sharding_is_that_of_all_results() -> None:
    one = '{mhlo.sharding = "{devices=[2,1]<=[2]}"}'
    text = main(
        f'%1:2 = "stablehlo.optimization_barrier"(%0, %0) {one} : ({T}, {T}) -> ({T}, {T})\nreturn %1#1 : {T}',
        f"%0: {T}",
    )
    both = ", ".join(['<@mesh, [{"axis_0"}, {}]>'] * 2)
    assert f"%0:2 = stablehlo.optimization_barrier {{sdy.sharding = #sdy.sharding_per_value<[{both}]>}}" in str(
        imported(text)
    )


def test_functions_that_others_call_may_be_on_their_own_or_on_one_device() -> None:
    text = f"""func.func @main(%0: {T}) -> {T} {{
        %1 = func.call @f(%0) : ({T}) -> {T}
        return %1: {T} }}
      func.func private @f({argument(0, "{manual}")}) -> ({T} {{mhlo.sharding = "{{maximal device=0}}"}}) {{
        return %0: {T} }}"""
    found = [line for line in imported(text, {"q": 3}) if "@f(%arg0:" in line or "mesh @" in line]
    assert found == [
        'sdy.mesh @mesh = <["q"=3]>',
        f"func.func private @f(%arg0: {T} {{sdy.sharding = #sdy.sharding<@mesh, [{{?}}, {{?}}]>}}) -> "
        f"({T} {{sdy.sharding = #sdy.sharding<@mesh, [{{}}, {{}}]>}})",
    ]


def test_devices_on_their_own_take_a_value_that_has_a_sharding() -> None:
    body = f"%1 = stablehlo.negate %0 : {T}\n%2 = {call('SPMDFullToShardShape', ALONG, '%1', T, S)}\nreturn %2 : {S}"
    with pytest.raises(InputError) as error:
        imported(main(body, f"%0: {T}", results=S))
    named = f"cannot read mhlo.sharding = \"{ALONG}\" of 'stablehlo.custom_call' op"
    assert error.value.message == f"{named}: an operand that has a sharding was expected"
    assert error.value.location.endswith(":3:6"), error.value.location


def test_a_program_without_marks_stays_as_it_is() -> None:
    text = main(f"return %0 : {T}", f"%0: {T}")
    assert imported(text, {"a": 2}) == [f"func.func @main(%arg0: {T}) -> {T}", f"return %arg0 : {T}"]


@pytest.mark.parametrize("inside", [False, True])
def test_what_a_device_has_on_its_own_is_not_returned(inside: bool) -> None:
    """Neither from the program nor from a branch."""
    local = marked("GlobalToLocalShape", "%0", f"{SHARDED.format('in')}, {along('a')}", "", T, S)
    end = "stablehlo.return" if inside else "return"
    lines = f"""%a = {local}
      %n = stablehlo.negate %a : {S} loc("f.py":2:1)
      {end} %n : {S} loc("f.py":3:1)"""
    if inside:
        lines = f"""%r = "stablehlo.if"(%1) ({{ {lines} }}, {{
          %c = stablehlo.constant dense<0.0> : {S}
          stablehlo.return %c : {S} }}) : (tensor<i1>) -> {S}
        return %r : {S}"""
    text = f"func.func @main(%0: {T}, %1: tensor<i1>) -> {S} {{ {lines} }}"
    module = stablehlo_py.parse(f"{MESH[0]}\n{text}")
    with pytest.raises(
        InputError, match=r"a value of single devices is returned; a '.*LocalToGlobalShape' call"
    ) as caught:
        enclose_manual(functions(module.operation)["main"])
    assert caught.value.message.startswith(f"'{'stablehlo' if inside else 'func'}.return' op: ")
    assert caught.value.location == "f.py:3:1"
