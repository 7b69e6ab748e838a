"""The interpreter's core: plans, checks of results, limits, listeners, memory, single ops."""

import tracemalloc

import numpy as np
import pytest

from stablehlo_py.errors import ArgumentError, InterpreterError, ResourceError, UnsupportedOpError
from stablehlo_py.interpreter import program, registry
from stablehlo_py.interpreter.custom_calls import CustomCall, custom_call_handler
from stablehlo_py.interpreter.profile import Profile, Progress
from stablehlo_py.interpreter.program import Program, fold, interpret
from stablehlo_py.interpreter.settings import Settings
from stablehlo_py.interpreter.tensors import Element, Tensor
from stablehlo_py.syntax import parse

ADD = "func.func @main(%a: tensor<2xf32>, %b: tensor<2xf32>) -> tensor<2xf32> {{ {} return %c : tensor<2xf32> }}"
SUM = ADD.format("%c = stablehlo.add %a, %b : tensor<2xf32>")
COUNT = """
func.func @main(%limit: tensor<i32>) -> tensor<i32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %result = stablehlo.while(%i = %zero) : tensor<i32> cond {
    %more = stablehlo.compare LT, %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %next : tensor<i32>
  }
  return %result : tensor<i32>
}
"""


def put_kernel(monkeypatch, name, kernel):
    monkeypatch.setitem(registry.kernels(), name, lambda op: kernel)


def f32(*values):
    return np.array(values, np.float32)


def test_the_same_program_runs_again_and_again():
    program = Program(parse(COUNT))
    assert [int(program.run([np.int32(n)])[0]) for n in (0, 1, 2, 1000)] == [0, 1, 2, 1000]


def test_results_are_the_callers_own():
    module = parse("func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> { return %a : tensor<2xf32> }")
    argument = f32(1, 2)
    (result,) = interpret(module, [argument])
    result[0] = 7
    constant = Program(parse("func.func @main() -> tensor<2xf32> { %0 = stablehlo.constant dense<3.0> : tensor<2xf32>\n"
                             "return %0 : tensor<2xf32> }"))  # fmt: skip
    (first,) = constant.run([])
    first[:] = 9
    assert np.array_equal(constant.run([])[0], f32(3, 3))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([f32(1, 2)], "takes 2 arguments, not 1"),
        ([f32(1, 2), f32(1)], "argument 1 of function @main is tensor<1xf32> instead of tensor<2xf32>"),
        ([np.array([1.0, 2.0]), f32(1, 2)], "argument 0 of function @main is tensor<2xf64> instead of tensor<2xf32>"),
        ([f32(1, 2), "text"], "argument 1 of function @main is"),
    ],
)
def test_arguments_must_fit(arguments, message):
    with pytest.raises(ArgumentError, match=message) as caught:
        interpret(parse(SUM), arguments)
    assert caught.value.location == "<string>:1:1"


def test_a_kernel_that_breaks_its_type_is_caught(monkeypatch):
    put_kernel(monkeypatch, "stablehlo.add", lambda a, b: np.zeros(3, np.float32))
    with pytest.raises(InterpreterError, match="produced tensor<3xf32> as result 0, expected tensor<2xf32>") as caught:
        interpret(parse(SUM), [f32(1, 2), f32(3, 4)])
    assert caught.value.op == "stablehlo.add"


@pytest.mark.parametrize("runs", [1, 2, 3])
def test_an_error_in_a_compiled_plan_has_its_location(monkeypatch, runs):
    module = parse(ADD.format("%x = stablehlo.add %a, %b : tensor<2xf32>\n %c = stablehlo.negate %x : tensor<2xf32>"))
    calls = []

    def negate(operand):
        calls.append(operand)
        if len(calls) == runs:
            raise ZeroDivisionError("on purpose")
        return -operand

    put_kernel(monkeypatch, "stablehlo.negate", negate)
    program = Program(module)
    for _ in range(runs - 1):
        program.run([f32(1, 2), f32(3, 4)])
    with pytest.raises(InterpreterError, match=r"evaluated on operands of types tensor<2xf32>\n") as caught:
        program.run([f32(1, 2), f32(3, 4)])
    assert "on purpose" not in str(caught.value)
    assert isinstance(caught.value.__cause__, ZeroDivisionError)
    assert (caught.value.op, caught.value.location) == ("stablehlo.negate", "<string>:2:7")


def test_an_op_without_a_kernel_is_named():
    module = parse(
        "func.func @main(%a: f32) -> f32 { %0 = vector.broadcast %a : f32 to vector<2xf32>\n return %a : f32 }"
    )
    with pytest.raises(UnsupportedOpError, match=r"'vector\.broadcast' op has no kernel") as caught:
        interpret(module, [np.float32(1)])
    assert caught.value.location == "<string>:1:40"


def test_steps_are_limited_and_counted_over_loops():
    program = Program(parse(COUNT), Settings(max_steps=50))
    assert int(program.run([np.int32(3)])[0]) == 3
    with pytest.raises(ResourceError, match="past the limit of 50"):
        program.run([np.int32(1000)])


def test_values_die_at_their_last_use():
    lines = [f"%v{i + 1} = stablehlo.negate %v{i} : tensor<262144xf32>" for i in range(20)]
    module = parse(
        "func.func @main(%v0: tensor<262144xf32>) -> tensor<262144xf32> {\n" + "\n".join(lines)
        + "\nreturn %v20 : tensor<262144xf32> }"
    )  # fmt: skip
    program, argument = Program(module), np.zeros(262144, np.float32)
    program.run([argument])
    for _ in range(2):  # step by step, and compiled
        tracemalloc.start()
        program.run([argument])
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert peak < 4 * argument.nbytes


def test_profile_and_progress_see_every_op():
    profile, shown = Profile(), []
    progress = Progress(lambda done, op, iteration: shown.append((done, op, iteration)), interval=0.0)
    Program(parse(COUNT), Settings(listeners=(profile, progress))).run([np.int32(5)])
    counts = {name: cost.count for name, cost in profile.by_op.items()}
    assert counts == {"stablehlo.constant": 2, "stablehlo.while": 1, "stablehlo.compare": 6, "stablehlo.add": 5}
    assert profile.by_op["stablehlo.add"].result_bytes == 5 * 4
    assert "stablehlo.add" in profile.report()
    assert progress.done == 14
    assert shown[-1][1:] == ("stablehlo.compare", 5)


def test_custom_calls_are_open_to_users():
    @custom_call_handler("test.scale")
    def scale(call: CustomCall, operand: np.ndarray) -> np.ndarray:
        return operand * np.float32(call.backend_config["factor"])

    module = parse("""
    func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
      %0 = stablehlo.custom_call @test.scale(%a) {api_version = 4 : i32, backend_config = {factor = 2.5 : f32}}
        : (tensor<2xf32>) -> tensor<2xf32>
      return %0 : tensor<2xf32>
    }
    """)
    assert np.array_equal(interpret(module, [f32(2, -4)])[0], f32(5, -10))


def test_fold_evaluates_one_op_with_its_regions():
    module = parse(
        """
    func.func @main(%a: tensor<4xi64>, %i: tensor<i64>) -> tensor<i64> {
      %0 = stablehlo.reduce(%a init: %i) applies stablehlo.add across dimensions = [0]
        : (tensor<4xi64>, tensor<i64>) -> tensor<i64>
      %1 = "stablehlo.if"(%p) ({ stablehlo.return %0 : tensor<i64> }, { stablehlo.return %i : tensor<i64> })
        : (tensor<i1>) -> tensor<i64>
      return %1 : tensor<i64>
    }
    """.replace("%i: tensor<i64>)", "%i: tensor<i64>, %p: tensor<i1>)")
    )
    reduce, branch = list(module.body.operations[0].regions[0].blocks[0].operations)[:2]
    (total,) = fold(reduce.operation, [np.arange(4), np.array(10)])
    assert total.dtype == np.int64
    assert int(total) == 16
    with pytest.raises(InterpreterError, match="uses values from outside"):
        fold(branch.operation, [np.array(True)])


def test_the_design_documents_interface():
    module = parse(SUM)
    function = module.body.operations[0].operation
    type_ = Program(module).parameter_types()[0]
    lhs, rhs = Tensor.of(type_, f32(1, 2)), Tensor.of(type_, f32(10, 20))
    rhs.set([1], Element(type_.element_type, np.float32(-2)))
    (result,) = program.eval(function, [lhs, rhs])
    assert [result.get([i]) for i in range(2)] == [lhs.get([i]) + rhs.get([i]) for i in range(2)]
    assert result.get([1]).value == 0
    with pytest.raises(InterpreterError, match=r"index \[2\] is outside tensor<2xf32>"):
        result.get([2])


def test_dynamic_shapes_are_checked_in_every_run():
    module = parse("""
    func.func @main(%a: tensor<?xf32>, %shape: tensor<1xi32>) -> tensor<?xf32> {
      %0 = stablehlo.dynamic_reshape %a, %shape : (tensor<?xf32>, tensor<1xi32>) -> tensor<?xf32>
      return %0 : tensor<?xf32>
    }
    """)
    program = Program(module)
    for size in (3, 0, 5):
        (result,) = program.run([np.zeros(size, np.float32), np.array([size], np.int32)])
        assert result.shape == (size,)
    with pytest.raises(InterpreterError):
        program.run([np.zeros(3, np.float32), np.array([4], np.int32)])


def test_chlo_in_a_callee_is_lowered_when_it_is_met():
    module = parse("""
    func.func private @square(%a: tensor<2xf32>) -> tensor<2xf32> {
      %0 = chlo.square %a : tensor<2xf32> -> tensor<2xf32>
      return %0 : tensor<2xf32>
    }
    func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
      %0 = call @square(%a) : (tensor<2xf32>) -> tensor<2xf32>
      %1 = call @square(%0) : (tensor<2xf32>) -> tensor<2xf32>
      return %1 : tensor<2xf32>
    }
    """)
    assert np.array_equal(interpret(module, [f32(2, -3)])[0], f32(16, 81))
