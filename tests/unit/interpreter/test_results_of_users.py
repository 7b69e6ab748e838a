"""Results of handlers and kernels of users are checked at every run; each result of a run is an array of its own."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import stablehlo_py
from stablehlo_py.errors import InterpreterError
from stablehlo_py.interpreter import registry
from stablehlo_py.interpreter.program import Program
from stablehlo_py.interpreter.settings import Settings

pytestmark = pytest.mark.usefixtures("users_leave")

TYPE = "tensor<3xf32>"
CALL = f"""func.func @main(%a: {TYPE}) -> {TYPE} {{
  %0 = stablehlo.custom_call @test_users(%a) : ({TYPE}) -> {TYPE}
  return %0 : {TYPE}
}}"""
IN_A_LOOP = f"""func.func @main(%a: {TYPE}) -> {TYPE} {{
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %end = stablehlo.constant dense<5> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %x = %a) : tensor<i32>, {TYPE} cond {{
    %more = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  }} do {{
    %next = stablehlo.add %i, %one : tensor<i32>
    %y = stablehlo.custom_call @test_users(%x) : ({TYPE}) -> {TYPE}
    stablehlo.return %next, %y : tensor<i32>, {TYPE}
  }}
  return %r#1 : {TYPE}
}}"""
ROW = np.arange(3, dtype=np.float32)
BAD = {
    "nothing": None,
    "shape": np.zeros(4, np.float32),
    "rank": np.zeros((3, 1), np.float32),
    "dtype": np.zeros(3, np.float64),
    "several": (ROW, ROW),
    "text": "3",
}


@pytest.mark.parametrize("bad", BAD.values(), ids=BAD)
@pytest.mark.parametrize("good_runs", [0, 1, 2, 4])
def test_a_handler_that_turns_bad(good_runs: int, bad: object) -> None:
    results = [ROW] * good_runs + [bad]
    stablehlo_py.custom_call_handler("test_users")(lambda _call, _operand: results.pop(0))
    program = Program(stablehlo_py.parse(CALL))
    for _ in range(good_runs):
        assert (program.run([ROW])[0] == ROW).all()
    with pytest.raises(InterpreterError, match=r"custom_call' op (produced|handler returned)"):
        program.run([ROW])


@pytest.mark.parametrize("bad", BAD.values(), ids=BAD)
def test_a_handler_that_turns_bad_in_a_loop(bad: object) -> None:
    results = [ROW, ROW, ROW, ROW, bad]
    stablehlo_py.custom_call_handler("test_users")(lambda _call, _operand: results.pop(0))
    with pytest.raises(InterpreterError, match=r"custom_call' op (produced|handler returned)"):
        stablehlo_py.interpret(stablehlo_py.parse(IN_A_LOOP), [ROW])
    assert not results


def test_a_handler_may_use_its_result_again() -> None:
    scratch = np.zeros(3, np.float32)

    @stablehlo_py.custom_call_handler("test_users")
    def twice(_call: object, operand: np.ndarray) -> np.ndarray:
        return np.add(operand, operand, out=scratch)

    text = f"""func.func @main(%a: {TYPE}) -> ({TYPE}, {TYPE}) {{
      %0 = stablehlo.custom_call @test_users(%a) : ({TYPE}) -> {TYPE}
      %1 = stablehlo.custom_call @test_users(%0) : ({TYPE}) -> {TYPE}
      return %0, %1 : {TYPE}, {TYPE}
    }}"""
    program = Program(stablehlo_py.parse(text))
    for _ in range(3):
        once, again = program.run([ROW])
        assert (once == 2 * ROW).all()
        assert (again == 4 * ROW).all()
        assert not np.shares_memory(once, scratch)
        assert not np.shares_memory(again, scratch)


def test_a_kernel_that_turns_bad() -> None:
    results = [ROW, ROW, np.zeros(3, np.float64)]
    registry.op_kernel("stablehlo.cosine")(lambda _op: lambda _operand: results.pop(0))
    text = f"func.func @main(%a: {TYPE}) -> {TYPE} {{\n%0 = stablehlo.cosine %a : {TYPE}\nreturn %0 : {TYPE}\n}}"
    program = Program(stablehlo_py.parse(text))
    for _ in range(2):
        program.run([ROW])
    with pytest.raises(InterpreterError, match=r"produced tensor<3xf64> as result 0, expected tensor<3xf32>"):
        program.run([ROW])


def test_a_reduction_runs_the_kernel_that_a_user_gave_its_body() -> None:
    registry.op_kernel("stablehlo.add")(lambda _op: lambda lhs, rhs: np.maximum(lhs, rhs))
    text = f"""func.func @main(%a: {TYPE}) -> tensor<f32> {{
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %0 = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [0]
        : ({TYPE}, tensor<f32>) -> tensor<f32>
      return %0 : tensor<f32>
    }}"""
    program = Program(stablehlo_py.parse(text))
    for _ in range(3):
        assert program.run([ROW])[0] == 2


@pytest.mark.parametrize("fast", [False, True])
@pytest.mark.parametrize("op", ["stablehlo.negate", "stablehlo.convert", "stablehlo.reverse", "chlo.sinh"])
def test_a_kernel_counts_from_its_registration_on(op: str, fast: bool) -> None:
    """Also in a program that ran before, whose plans and kernels are known: in functions, regions and calls."""
    attributes = "{dimensions = array<i64>}" if op == "stablehlo.reverse" else ""
    one = f'"{op}"(%a) {attributes} : (tensor<f32>) -> tensor<f32>'
    text = f"""func.func private @inner(%a: tensor<f32>) -> tensor<f32> {{
      %0 = {one}
      return %0 : tensor<f32>
    }}
    func.func @main(%a: tensor<f32>) -> (tensor<f32>, tensor<f32>, tensor<f32>) {{
      %0 = {one}
      %1 = func.call @inner(%a) : (tensor<f32>) -> tensor<f32>
      %yes = stablehlo.constant dense<true> : tensor<i1>
      %2 = "stablehlo.if"(%yes) ({{
        %3 = {one}
        stablehlo.return %3 : tensor<f32>
      }}, {{
        stablehlo.return %a : tensor<f32>
      }}) : (tensor<i1>) -> tensor<f32>
      return %0, %1, %2 : tensor<f32>, tensor<f32>, tensor<f32>
    }}"""
    module, argument = stablehlo_py.parse(text), np.array(3, np.float32)
    program = Program(stablehlo_py.parse(text), Settings(fast=fast))
    for _ in range(3):
        assert 7 not in program.run([argument])
        assert 7 not in stablehlo_py.interpret(module, [argument], fast=fast)
    registry.op_kernel(op)(lambda _op: lambda _operand: np.array(7, np.float32))
    for _ in range(3):
        for found in (program.run([argument]), stablehlo_py.interpret(module, [argument], fast=fast)):
            assert list(found) == [7, 7, 7], f"{op} still has another kernel in {found}"


def _shared(results: list[np.ndarray], *others: np.ndarray) -> bool:
    arrays = [*results, *others]
    return any(np.shares_memory(x, y) for i, x in enumerate(arrays) for y in arrays[i + 1 :])


TYPES = f"{TYPE}, {TYPE}, {TYPE}, {TYPE}, {TYPE}, tensor<1x3xf32>, tensor<f32>, tensor<f32>"
RESULTS = f"""func.func @main(%a: {TYPE}, %b: tensor<f32>) -> ({TYPES}) {{
  %0 = stablehlo.negate %a : {TYPE}
  %c = stablehlo.constant dense<[1.0, 2.0, 3.0]> : {TYPE}
  %1 = stablehlo.optimization_barrier %0 : {TYPE}
  %2 = stablehlo.reshape %0 : ({TYPE}) -> tensor<1x3xf32>
  return %0, %0, %a, %c, %1, %2, %b, %b : {TYPES}
}}"""


def test_results_are_arrays_of_their_own() -> None:
    program = Program(stablehlo_py.parse(RESULTS))
    argument, scalar = ROW.copy(), np.array(2, np.float32)
    for _ in range(4):
        results = [np.asarray(result) for result in program.run([argument, scalar])]
        assert not _shared(results, argument, scalar)
        assert results[3].tolist() == [1, 2, 3]
        for result in results:
            result[...] = 7
        assert (argument == ROW).all()
    rows = program.run_parallel([[argument, scalar]] * 2, num_replicas=2)
    assert not _shared([np.asarray(result) for row in rows for result in row], argument, scalar)


def test_results_in_a_tuple_are_arrays_of_their_own() -> None:
    tuple_type = f"tuple<{TYPE}, {TYPE}>"
    text = f"""func.func @main(%a: {TYPE}) -> {tuple_type} {{
      %0 = stablehlo.negate %a : {TYPE}
      %1 = stablehlo.tuple %0, %0 : {tuple_type}
      return %1 : {tuple_type}
    }}"""
    program = Program(stablehlo_py.parse(text))
    for _ in range(3):
        (both,) = program.run([ROW])
        assert isinstance(both, tuple)
        assert not _shared([np.asarray(part) for part in both], ROW)


@pytest.mark.parametrize("fast", [False, True])
@pytest.mark.parametrize(
    ("result", "count"),
    [(np.float32(1), 0), (np.float32(1), 2), (np.array(1), 0), (np.array(1), 2), (7, 2), ((1.0,), 2), ((), 2)],
)
def test_results_are_counted(result: object, count: int, fast: bool) -> None:
    stablehlo_py.custom_call_handler("test_users")(lambda _call: result)
    types = ", ".join(["tensor<f32>"] * count)
    left, type_ = ("%r:2 = ", f"({types})") if count else ("", "()")
    program = Program(
        stablehlo_py.parse(f"func.func @main() {{ {left}stablehlo.custom_call @test_users() : () -> {type_} return }}"),
        Settings(fast=fast),
    )
    found = len(result) if isinstance(result, tuple) else 1
    for _ in range(2):
        with pytest.raises(InterpreterError, match=rf"produced {found} results, expected {count}"):
            program.run([])


@pytest.mark.parametrize("fast", [False, True])
def test_what_a_users_kernel_raises_is_no_mistake_of_the_interpreter(fast: bool) -> None:
    calls: list[int] = []

    def fails_later(operand: np.ndarray) -> np.ndarray:
        calls.append(1)
        return np.asarray(operand) if len(calls) < 3 else operand.reshape(-1, 5)

    registry.op_kernel("stablehlo.cbrt")(lambda _op: fails_later)
    text = f"func.func @main(%a: {TYPE}) -> {TYPE} {{\n%0 = stablehlo.cbrt %a : {TYPE}\nreturn %0 : {TYPE}\n}}"
    program = Program(stablehlo_py.parse(text), Settings(fast=fast))
    for _ in range(2):
        assert program.run([ROW])[0].tolist() == [0, 1, 2]
    with pytest.raises(InterpreterError, match="runs code of yours, which raises ValueError: cannot reshape") as caught:
        program.run([ROW])
    assert caught.value.op == "stablehlo.cbrt"
    assert not any("mistake of the interpreter" in note for note in caught.value.notes)


class Seen:
    """A listener that keeps the names of ops."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.ended: list[str] = []

    def before(self, step: Any, operands: Any) -> None:
        self.begun.append(step.op.name)

    def after(self, step: Any, operands: Any, results: Any) -> None:
        self.ended.append(step.op.name)


def test_listeners_see_the_op_that_fails_begin_and_not_end() -> None:
    stablehlo_py.custom_call_handler("test_users")(lambda _call, _operand: np.zeros(4, np.float32))
    seen = Seen()
    with pytest.raises(InterpreterError, match=r"produced tensor<4xf32>"):
        Program(stablehlo_py.parse(CALL), Settings(listeners=(seen,))).run([ROW])
    assert (seen.begun, seen.ended) == (["stablehlo.custom_call"], [])
    text = f"""func.func @main(%a: {TYPE}, %n: tensor<1xi32>) -> tensor<?xf32> {{
      %0 = stablehlo.negate %a : {TYPE}
      %1 = stablehlo.dynamic_reshape %0, %n : ({TYPE}, tensor<1xi32>) -> tensor<?xf32>
      return %1 : tensor<?xf32>
    }}"""
    seen = Seen()
    with pytest.raises(InterpreterError, match="the operand has 3 elements, the result would have 2"):
        Program(stablehlo_py.parse(text), Settings(listeners=(seen,))).run([ROW, [2]])
    assert (seen.begun, seen.ended) == (["stablehlo.negate", "stablehlo.dynamic_reshape"], ["stablehlo.negate"])
