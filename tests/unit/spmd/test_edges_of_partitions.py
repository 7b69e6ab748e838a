"""What a partition says of values and collectives: which shardings were given, how often a collective runs."""

from __future__ import annotations

import numpy as np
import pytest

import stablehlo_py
from stablehlo_py.bindings import ir
from stablehlo_py.errors import ArgumentError, InputError, StablehloError
from stablehlo_py.interpreter.process_grid import ProcessGrid
from stablehlo_py.interpreter.settings import Settings
from stablehlo_py.spmd import partition, simulate
from stablehlo_py.spmd.collectives import collectives
from stablehlo_py.spmd.simulation import _cut

PROGRAM = """sdy.mesh @m = <["x"=2]>
func.func @main(%a: tensor<4x2xf32> GIVEN, %b: tensor<4x2xf32>) -> (tensor<4x2xf32>, tensor<2xf32> RESULT) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.add %a, %b : tensor<4x2xf32>
  %1 = stablehlo.reduce(%0 init: %z) applies stablehlo.add across dimensions = [0]
    : (tensor<4x2xf32>, tensor<f32>) -> tensor<2xf32>
  return %0, %1 : tensor<4x2xf32>, tensor<2xf32>
}"""
CUT, WHOLE = '{sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>}', "{sdy.sharding = #sdy.sharding<@m, [{}]>}"


@pytest.mark.parametrize(("argument", "result"), [(CUT, ""), (CUT, WHOLE), ("", WHOLE), ("", "")])
def test_which_shardings_were_given(argument: str, result: str) -> None:
    found = partition(stablehlo_py.parse(PROGRAM.replace("GIVEN", argument).replace("RESULT", result)))
    given = {each.name: each.given for each in found.values if each.name.startswith(("argument", "result"))}
    assert given == {"argument 0": bool(argument), "argument 1": False, "result 0": False, "result 1": bool(result)}


LOOP = """sdy.mesh @m = <["x"=2]>
func.func @main(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}, %n: tensor<i32>) -> tensor<f32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %i0 = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %most = stablehlo.constant dense<ROUNDS> : tensor<i32>
  %r:2 = stablehlo.while(%i = %i0, %s = %z) : tensor<i32>, tensor<f32>
  cond {
    %p = stablehlo.compare LT, %i, LIMIT : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %t = stablehlo.reduce(%a init: %s) applies stablehlo.add across dimensions = [0]
      : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    stablehlo.return %j, %t : tensor<i32>, tensor<f32>
  }
  return %r#1 : tensor<f32>
}"""


@pytest.mark.parametrize(("limit", "rounds", "runs"), [("%most", 3, 3), ("%most", 1, 1), ("%most", 0, 0), ("%n", 3, 1)])
def test_how_often_a_collective_in_a_loop_runs(limit: str, rounds: int, runs: int) -> None:
    found = partition(stablehlo_py.parse(LOOP.replace("LIMIT", limit).replace("ROUNDS", str(rounds))))
    sums = [each for each in found.collectives if each.op == "stablehlo.all_reduce"]
    assert sums, found
    assert {each.runs for each in sums} == {runs}
    assert found.bytes_sent == runs * sum(each.bytes_sent for each in sums) + sum(
        each.bytes_sent for each in found.collectives if each not in sums
    )


def test_a_collective_inside_an_asynchronous_op_runs_once() -> None:
    text = """func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
      %f = "stablehlo.async_start"(%a) ({
      ^bb0(%b: tensor<4xf32>):
        %q = "stablehlo.collective_permute"(%b) {source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}
          : (tensor<4xf32>) -> tensor<4xf32>
        stablehlo.return %q : tensor<4xf32>
      }) : (tensor<4xf32>) -> !stablehlo.future<tensor<4xf32>>
      %d = "stablehlo.async_done"(%f) : (!stablehlo.future<tensor<4xf32>>) -> tensor<4xf32>
      return %d : tensor<4xf32>
    }"""
    (found,) = collectives(stablehlo_py.parse(text))
    assert (found.op, found.runs, found.bytes_sent) == ("stablehlo.collective_permute", 1, 16)


SIDES = """sdy.mesh @m = <["x"=2]>
func.func @main(%a: tensor<2xf32>, %b: tensor<4xf32> {CUT}, %c: tensor<5xf32> {CUT},
    %d: tensor<3xf32> {CUT}) -> (tensor<2xf32>, tensor<4xf32> {CUT}, tensor<5xf32> {CUT}, tensor<3xf32> {CUT}) {
  return %a, %b, %c, %d : tensor<2xf32>, tensor<4xf32>, tensor<5xf32>, tensor<3xf32>
}"""


def test_each_argument_and_result_is_padded_that_is_not_cut_evenly() -> None:
    text = SIDES.replace("{CUT}", '{sdy.sharding = #sdy.sharding<@m, [{"x"}]>}')
    found = partition(stablehlo_py.parse(text))
    padded = [(each.kind, each.number, each.dimension, each.size, each.padded) for each in found.padding]
    sides = [("argument", 2, 0, 5, 6), ("argument", 3, 0, 3, 4), ("result", 2, 0, 5, 6), ("result", 3, 0, 3, 4)]
    assert padded == sides
    given = [np.arange(size, dtype=np.float32) for size in (2, 4, 5, 3)]
    results = simulate(found, given).results
    assert [result.tolist() for result in results] == [array.tolist() for array in given]


EMPTY = """sdy.mesh @m = <["x"=2, "y"=2]>
func.func @main(%a: tensor<0x8xELEMENT> {sdy.sharding = #sdy.sharding<@m, [{}, GIVEN]>})
    -> (tensor<0x8xELEMENT> {sdy.sharding = #sdy.sharding<@m, [{}, WANTED]>}) {
  %0 = stablehlo.add %a, %a : tensor<0x8xELEMENT>
  return %0 : tensor<0x8xELEMENT>
}"""


@pytest.mark.parametrize("element", ["f32", "i32"])
@pytest.mark.parametrize("wanted", ["{}", '{"x"}', '{"y"}', '{"x", "y"}', '{"y", "x"}'])
@pytest.mark.parametrize("given", ["{}", '{"x"}', '{"x", "y"}'])
def test_nothing_is_sent_of_a_value_without_elements(given: str, wanted: str, element: str) -> None:
    text = EMPTY.replace("GIVEN", given).replace("WANTED", wanted).replace("ELEMENT", element)
    found = partition(stablehlo_py.parse(text))
    assert (found.collectives, found.bytes_sent) == ((), 0)
    (result,) = simulate(found, [np.zeros((0, 8), {"f32": np.float32, "i32": np.int32}[element])]).results
    assert (result.shape, result.dtype.name) == ((0, 8), {"f32": "float32", "i32": "int32"}[element])


def test_a_partition_runs_on_one_replica_whatever_its_module_says() -> None:
    text = SUMS.replace("{CUT}", '{sdy.sharding = #sdy.sharding<@m, [{"x"}]>}')
    found = partition(stablehlo_py.parse(text))
    with found.module.context:
        found.module.operation.attributes["mhlo.num_replicas"] = ir.Attribute.parse("3 : i32")
        found.module.operation.attributes["mhlo.num_partitions"] = ir.Attribute.parse("5 : i32")
    grids = list[tuple[int, ...]]()

    def make_grid(*sizes: int) -> ProcessGrid:
        grids.append(sizes[:2])
        return ProcessGrid(*sizes)

    run = simulate(found, [np.arange(8, dtype=np.float32)], Settings(make_grid=make_grid))
    assert {*grids} == {(1, 2)}
    assert [result.tolist() for result in run.results] == [28.0]
    assert (run.devices, [part[0].tolist() for part in run.parts]) == (2, [28.0, 28.0])
    assert run.steps() == {}


SUMS = """sdy.mesh @m = <["x"=2]>
func.func @main(%a: tensor<8xf32> {CUT}) -> tensor<f32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [0]
    : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}"""


@pytest.mark.parametrize("op", ["sdy.sharding_constraint", "sdy.reshard"])
def test_shardings_that_the_program_asks_for_inside_are_given(op: str) -> None:
    """Shardy turns constraints into reshards."""
    text = f"""sdy.mesh @mesh = <["x"=2]>
    func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {{
      %0 = {op} %a <@mesh, [{{"x"}}]> : tensor<4xf32>
      %1 = stablehlo.abs %0 : tensor<4xf32>
      return %1 : tensor<4xf32>
    }}"""
    *_, asked, propagated = partition(stablehlo_py.parse(text)).values
    assert (asked.name, asked.axes, asked.given, asked.location) == ("sdy.reshard", ["x"], True, "<string>:3:12")
    assert (propagated.name, propagated.axes, propagated.given) == ("stablehlo.abs", ["x"], False)


@pytest.mark.parametrize("side", ["in_shardings", "out_shardings"])
def test_shardings_are_for_values_that_there_are_and_name_axes_of_the_first_mesh(side: str) -> None:
    text = """sdy.mesh @first = <["x"=2]>
    sdy.mesh @second = <["y"=2]>
    func.func @main(%a: tensor<4xf32>, %b: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
      return %a, %b : tensor<4xf32>, tensor<4xf32>
    }"""
    module = stablehlo_py.parse(text)
    found = partition(module, **{side: {1: '[{"x"}]'}})
    chosen = found.inputs if side == "in_shardings" else found.outputs
    assert [None if one is None else [[axis.name for axis in axes] for axes in one.dimensions] for one in chosen] == [
        None, [["x"]],
    ]  # fmt: skip
    for number in (-1, 2):
        with pytest.raises(InputError, match=f"^error: there is no value number {number} to shard; there are 2$"):
            partition(module, **{side: {number: '[{"x"}]'}})


SINE = "%r = stablehlo.sine %a : tensor<{0}x3xf32>"
SLICED = """%s = stablehlo.slice %a [0:3, 0:3] : (tensor<4x3xf32>) -> tensor<3x3xf32>
  %r = stablehlo.sine %s : tensor<3x3xf32>"""


@pytest.mark.parametrize(
    ("size", "returned", "body", "beside"),
    [
        (4, 4, SINE.format(4), set()),
        (5, 5, SINE.format(5), {"pad-arguments-and-results", "keep-uneven-dimensions-whole"}),
        (4, 3, SLICED, {"keep-uneven-dimensions-whole"}),
        (4, 4, "%r = chlo.tan %a : tensor<4x3xf32> -> tensor<4x3xf32>", {"func.func(chlo-legalize-to-stablehlo)"}),
    ],
    ids=["even", "uneven arguments", "uneven values", "chlo"],
)
def test_each_step_that_changes_a_program_is_named_and_shown(size: int, returned: int, body: str, beside: set[str]):
    text = f"""sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<{size}x3xf32> {{sdy.sharding = #sdy.sharding<@mesh, [{{"x"}}, {{}}]>}})
    -> tensor<{returned}x3xf32> {{
  {body}
  return %r : tensor<{returned}x3xf32>
}}"""
    shown = list[tuple[str, str]]()
    found = partition(stablehlo_py.parse(text), after_step=lambda name, module: shown.append((name, str(module))))
    every = ["pad-arguments-and-results", "inline,symbol-dce", "func.func(chlo-legalize-to-stablehlo)",
             "sdy-propagation-pipeline", "keep-uneven-dimensions-whole", "localize"]  # fmt: skip
    always = {"inline,symbol-dce", "sdy-propagation-pipeline", "localize"}
    assert list(found.steps) == [name for name in every if name in beside | always]
    assert [name for name, _ in shown] == list(found.steps) == found.as_dict()["steps"]
    assert shown[-1][1] == str(found.module)
    assert shown[-2][1] != shown[-1][1]
    assert bool(found.padding) == ("pad-arguments-and-results" in beside)
    assert bool(found.kept_whole) == ("keep-uneven-dimensions-whole" in beside)


@pytest.mark.parametrize("before", ["", 'sdy.mesh @mesh = <["x"=2]>\n'])
@pytest.mark.parametrize("axes", [{'a"b': 2}, {"x": 0}, {"x": -2}, {"x": 2, "y": -1}, {"x": 10**30}, {"x": "two"}])
def test_a_mesh_that_cannot_be_is_refused_with_its_text(axes: dict[str, int], before: str) -> None:
    module = stablehlo_py.parse(
        f"{before}func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {{ return %a : tensor<4xf32> }}"
    )
    sizes = ", ".join(f'"{name}"={size}' for name, size in axes.items())
    with pytest.raises(InputError) as caught:
        partition(module, mesh=axes)
    assert caught.value.message == f"not an attribute of Shardy's: #sdy.mesh<[{sizes}]>"


@pytest.mark.parametrize(
    ("number", "text", "said"),
    [
        (0, '[{"x"}] junk', 'not an attribute of Shardy\'s: #sdy.sharding<@mesh, [{"x"}] junk>'),
        (0, "", "not an attribute of Shardy's: #sdy.sharding<@mesh, >"),
        (2, "[{}]", "there is no value number 2 to shard; there are 2"),
        (-1, "[{}]", "there is no value number -1 to shard; there are 2"),
        (0, '[{"y"}]', "arg 0 - unknown axis name"),
        (1, '[{"x"}]', "arg 1 - sharding doesn't match tensor rank: 1 != 0"),
        (0, '[{"x", "x"}]', "arg 0 - duplicate axis ref"),
    ],
)
@pytest.mark.parametrize("kind", ["argument", "result"])
def test_shardings_that_do_not_fit_are_refused_with_their_value(kind: str, number: int, text: str, said: str) -> None:
    module = stablehlo_py.parse("""sdy.mesh @mesh = <["x"=2]>
      func.func @main(%a: tensor<4xf32>, %n: tensor<f32>) -> (tensor<4xf32>, tensor<f32>) {
        return %a, %n : tensor<4xf32>, tensor<f32> }""")
    given = {"in_shardings": {number: text}} if kind == "argument" else {"out_shardings": {number: text}}
    with pytest.raises(StablehloError) as caught:
        partition(module, **given)
    assert said.replace("arg ", "arg " if kind == "argument" else "result ") in str(caught.value)


@pytest.mark.parametrize("count", [0, 1, 3])
def test_a_run_tells_how_many_arguments_it_takes(count: int) -> None:
    found = partition(
        stablehlo_py.parse("""sdy.mesh @mesh = <["x"=2]>
      func.func @main(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> { return %b : tensor<4xf32> }""")
    )
    with pytest.raises(ArgumentError, match=f"expected 2 arguments, found {count}"):
        simulate(found, [np.zeros(4, np.float32)] * count)


@pytest.mark.parametrize(("dimensions", "parts"), [('[{"x"}]', 2), ('[{"x", "y"}]', 4), ("[{}]", 1), ('[{"y"}]', 2)])
def test_devices_with_the_same_part_share_its_memory(dimensions: str, parts: int) -> None:
    found = partition(
        stablehlo_py.parse(f"""sdy.mesh @mesh = <["x"=2, "y"=2]>
      func.func @main(%a: tensor<4xf32> {{sdy.sharding = #sdy.sharding<@mesh, {dimensions}>}}) -> tensor<4xf32> {{
        return %a : tensor<4xf32> }}""")
    )
    cut = _cut(np.arange(4, dtype=np.float32), found.inputs[0], range(4))
    assert len({id(part) for part in cut}) == parts
    assert sorted({tuple(part.tolist()) for part in cut}) == [
        tuple(range(start, start + 4 // parts)) for start in range(0, 4, 4 // parts)
    ]


@pytest.mark.parametrize("levels", [3, 40])
def test_calls_that_double_are_refused_if_there_are_too_many_ops(levels: int) -> None:
    one = "(%x: tensor<4xf32>) -> tensor<4xf32> {{\n{}\n  return %1 : tensor<4xf32>\n}}\n"
    text = 'sdy.mesh @mesh = <["x"=2]>\n'
    for level in range(levels + 1):
        name = "public @main" if level == levels else f"private @f{level}"
        if level:
            calls = [f"func.call @f{level - 1}({x}) : (tensor<4xf32>) -> tensor<4xf32>" for x in ("%x", "%0")]
            body = f"  %0 = {calls[0]}\n  %1 = {calls[1]}"
        else:
            body = "  %1 = stablehlo.negate %x : tensor<4xf32>"
        text += f"func.func {name}" + one.format(body)
    module = stablehlo_py.parse(text)
    if levels == 3:
        assert simulate(partition(module), [np.ones(4, np.float32)]).results[0].tolist() == [1.0] * 4
        return
    with pytest.raises(InputError, match=f"the program has {2**levels} ops with its calls inlined, too many") as raised:
        partition(module)
    assert raised.value.location.endswith(f":{text[: text.index('func.func public')].count(chr(10)) + 1}:1")
