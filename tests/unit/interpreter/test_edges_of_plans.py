"""Functions that are chosen by name, ops of the same types in all, and errors with the place of what they are about."""

from __future__ import annotations

import numpy as np
import pytest
from parsed import parsed

from stablehlo_py.bindings import ir
from stablehlo_py.errors import InterpreterError, ResourceError, UnsupportedOpError
from stablehlo_py.interpreter.planner import Planner
from stablehlo_py.interpreter.process_grid import PROCESS_BYTES
from stablehlo_py.interpreter.program import Program, interpret
from stablehlo_py.interpreter.program import eval as run_function
from stablehlo_py.interpreter.settings import Settings
from stablehlo_py.interpreter.tensors import Tensor

ROW = np.arange(8, dtype=np.int32)
DEVICES = """func.func @main(%x: tensor<8xi32>) -> tensor<8xi32> {
  return %x : tensor<8xi32>
}
func.func @on_devices(%x: tensor<8xi32>) -> tensor<4xi32> {
  %cut = stablehlo.custom_call @Sharding(%x) {mhlo.sharding = "{devices=[2]<=[2]}"} : (tensor<8xi32>) -> tensor<8xi32>
  %part = stablehlo.custom_call @SPMDFullToShardShape(%cut) {mhlo.sharding = "{manual}"}
    : (tensor<8xi32>) -> tensor<4xi32>
  return %part : tensor<4xi32>
}"""


def test_the_function_that_was_asked_for_runs_on_devices() -> None:
    assert Program(parsed(DEVICES)).run([ROW], function="on_devices")[0].tolist() == [0, 1, 2, 3]


def test_processes_need_room_for_the_results_of_their_function() -> None:
    """The other function has larger ones."""
    needed = 2 * (PROCESS_BYTES + 16)
    sets = [[ROW], [ROW]]
    enough = Program(parsed(DEVICES), Settings(max_memory=needed))
    rows = enough.run_parallel(sets, num_partitions=2, function="on_devices")
    assert [row.tolist() for (row,) in rows] == [[0, 1, 2, 3], [4, 5, 6, 7]]
    with pytest.raises(ResourceError, match=f"2 processes need about {needed + 32} bytes"):
        enough.run_parallel(sets, num_partitions=2)


def test_the_only_function_stands_for_a_missing_main() -> None:
    text = (
        "func.func @other(%x: tensor<i32>) -> tensor<f32> { %0 = stablehlo.convert %x : (tensor<i32>) -> tensor<f32> "
    )
    found = Program(parsed(text + "return %0 : tensor<f32> }"))
    assert found.parameter_names() == ("arg0",)
    assert [str(type_) for type_ in (*found.parameter_types(), *found.result_types())] == ["tensor<i32>", "tensor<f32>"]
    assert found.run([3]) == [3]


def test_ops_of_one_name_and_the_same_types_in_all_have_operands_and_results_of_their_own() -> None:
    text = """func.func @main(%x: tensor<i32>) -> tensor<i32> {
      %0 = call @sum(%x, %x) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %1:2 = call @both(%0) : (tensor<i32>) -> (tensor<i32>, tensor<i32>)
      %2 = call @sum(%1#0, %1#1) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      return %2 : tensor<i32>
    }
    func.func private @sum(%a: tensor<i32>, %b: tensor<i32>) -> tensor<i32> {
      %0 = stablehlo.add %a, %b : tensor<i32>
      return %0 : tensor<i32>
    }
    func.func private @both(%a: tensor<i32>) -> (tensor<i32>, tensor<i32>) {
      return %a, %a : tensor<i32>, tensor<i32>
    }"""
    for fast in (False, True):
        assert interpret(parsed(text), [3], settings=Settings(fast=fast)) == [12]


def test_the_place_of_a_function_without_a_body_is_told() -> None:
    with pytest.raises(InterpreterError, match="function @main has no body") as caught:
        interpret(parsed("\n  func.func private @main()"))
    assert caught.value.location == "<string>:2:3"


def test_an_op_that_a_call_stands_for_is_named_where_it_lacks_an_attribute() -> None:
    config = 'mhlo.frontend_attributes = {async_collective_config = "{}"}'
    call = f'"stablehlo.custom_call"(%x) {{call_target_name = "all-gather-start", {config}}}'
    line = f"%0 = {call} : (tensor<2xf32>) -> tensor<2xf32>"
    with pytest.raises(InterpreterError, match="requires attribute 'all_gather_dim'") as caught:
        interpret(
            parsed(f"func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {{ {line} return %0 : tensor<2xf32> }}"),
            [[1, 2]],
        )
    assert caught.value.op == "stablehlo.all_gather"


def test_tensors_that_a_function_gives_have_the_sizes_of_the_run() -> None:
    module = parsed("""func.func @main(%n: tensor<1xi32>) -> tensor<?xi64> {
      %0 = stablehlo.dynamic_iota %n, dim = 0 : (tensor<1xi32>) -> tensor<?xi64>
      return %0 : tensor<?xi64>
    }""")
    function = module.body.operations[0].operation
    (kind,) = Program(module).parameter_types()
    assert isinstance(function, ir.Operation)
    (found,) = run_function(function, [Tensor(kind, np.array([3], np.int32))])
    assert (str(found.type), found.storage.tolist()) == ("tensor<3xi64>", [0, 1, 2])


@pytest.mark.parametrize("fast", [False, True])
@pytest.mark.parametrize("element", ["f32", "i32"])
@pytest.mark.parametrize(("returned", "expected"), [("%a", 7), ("%b", 3)])
def test_a_computation_is_the_op_in_it_only_where_it_returns_its_result(
    returned: str, expected: int, element: str, fast: bool
) -> None:
    type_ = f"tensor<{element}>"
    text = f"""func.func @main(%x: tensor<3x{element}>, %init: {type_}) -> {type_} {{
      %0 = stablehlo.reduce(%x init: %init) across dimensions = [0] : (tensor<3x{element}>, {type_}) -> {type_}
        reducer(%a: {type_}, %b: {type_}) {{
          %1 = stablehlo.add %a, %b : {type_}
          stablehlo.return {returned} : {type_}
        }}
      return %0 : {type_}
    }}"""
    assert interpret(parsed(text), [[1, 2, 3], 7], settings=Settings(fast=fast)) == [expected]


def test_a_loop_of_dynamic_values_whose_body_nobody_can_run_may_not_begin() -> None:
    text = """func.func @main(%more: tensor<i1>, %x: tensor<?xf32>) -> tensor<?xf32> {
      %r:2 = stablehlo.while(%a = %more, %b = %x) : tensor<i1>, tensor<?xf32> cond {
        stablehlo.return %a : tensor<i1>
      } do {
        %y = stablehlo.custom_call @nobody_has_this(%b) : (tensor<?xf32>) -> tensor<?xf32>
        stablehlo.return %a, %y : tensor<i1>, tensor<?xf32>
      }
      return %r#1 : tensor<?xf32>
    }"""
    for fast in (False, True):
        program = Program(parsed(text), Settings(fast=fast))
        assert program.run([False, [1.0, 2.0]])[0].tolist() == [1, 2]
        with pytest.raises(UnsupportedOpError, match="calls 'nobody_has_this', which has no handler"):
            program.run([True, [1.0, 2.0]])


def test_values_are_let_go_after_their_last_use() -> None:
    """An argument that nothing uses before the first op, and a result that nothing uses after its own."""
    text = """func.func @main(%x: tensor<2xf32>, %unused: tensor<2xf32>) -> tensor<2xf32> {
      %0 = stablehlo.negate %x : tensor<2xf32>
      %1 = stablehlo.add %0, %x : tensor<2xf32>
      %2 = stablehlo.multiply %0, %0 : tensor<2xf32>
      return %2 : tensor<2xf32>
    }"""
    plan = Planner(parsed(text).operation, Settings(fast=False)).plan("main")
    x, unused = plan.inputs
    negated, added, squared = [step.results[0] for step in plan.steps]
    assert [set(step.dies) for step in plan.steps] == [set(), {x, added}, {negated}]
    assert plan.returns == (squared,)
    values = plan.environment([ROW, ROW])
    assert values[x] is ROW
    assert values[unused] is None
