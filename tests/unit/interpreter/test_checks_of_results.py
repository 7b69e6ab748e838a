"""What a run gives is of the types that the program states, in the first run and in later ones, compiled or not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from parsed import parsed

from stablehlo_py.errors import InterpreterError, StablehloError, UnsupportedOpError
from stablehlo_py.interpreter import registry
from stablehlo_py.interpreter.custom_calls import registry as handlers
from stablehlo_py.interpreter.program import Program
from stablehlo_py.interpreter.settings import Settings

pytestmark = pytest.mark.usefixtures("users_leave")

D, S = "tensor<?xf32>", "tensor<3xf32>"


def program(body: str, fast: bool, result: str = S) -> Program:
    text = f"""func.func @main(%x: {D}, %n: tensor<2xi64>) -> {result} {{
      {body}
      return %r : {result}
    }}"""
    return Program(parsed(text), Settings(fast=fast))


CONSTANT = f"%c = stablehlo.constant dense<0.0> : {S} stablehlo.return %c : {S}"
CONTROL_FLOW = {
    "if": f"""%p = stablehlo.constant dense<true> : tensor<i1>
      %r = "stablehlo.if"(%p) ({{ stablehlo.return %x : {D} }}, {{ {CONSTANT} }}) : (tensor<i1>) -> {S}""",
    "case": f"""%i = stablehlo.constant dense<1> : tensor<i32>
      %r = "stablehlo.case"(%i) ({{ {CONSTANT} }}, {{ stablehlo.return %x : {D} }}) : (tensor<i32>) -> {S}""",
    "while": f"""%i = stablehlo.constant dense<0> : tensor<i32>
      %s:2 = "stablehlo.while"(%i, %x) ({{
      ^bb0(%j: tensor<i32>, %y: {D}):
        %end = stablehlo.constant dense<2> : tensor<i32>
        %p = stablehlo.compare LT, %j, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %p : tensor<i1>
      }}, {{
      ^bb0(%j: tensor<i32>, %y: {D}):
        %one = stablehlo.constant dense<1> : tensor<i32>
        %k = stablehlo.add %j, %one : tensor<i32>
        %z = stablehlo.negate %y : {D}
        stablehlo.return %k, %z : tensor<i32>, {D}
      }}) : (tensor<i32>, {D}) -> (tensor<i32>, {S})
      %r = stablehlo.add %s#1, %s#1 : {S}""",
}


@pytest.mark.parametrize("fast", [True, False])
@pytest.mark.parametrize("good_runs", [0, 1, 3])
@pytest.mark.parametrize("name", CONTROL_FLOW)
def test_what_a_branch_or_loop_gives_is_of_the_type_of_its_op(name: str, good_runs: int, fast: bool) -> None:
    one, sizes = program(CONTROL_FLOW[name], fast), np.zeros(2, np.int64)
    for _ in range(good_runs):
        assert np.shape(one.run([np.ones(3, np.float32), sizes])[0]) == (3,)
    for size in (4, 2, 0):
        with pytest.raises(
            InterpreterError, match=rf"produced tensor<{size}xf32> as result \d, expected {S}"
        ) as raised:
            one.run([np.ones(size, np.float32), sizes])
        assert raised.value.op == f"stablehlo.{name}"
        assert raised.value.location
    assert np.shape(one.run([np.ones(3, np.float32), sizes])[0]) == (3,)


PARTLY = "tensor<?x3xf32>"
SIZED = {
    "dynamic_reshape": f"%r = stablehlo.dynamic_reshape %x, %n : ({D}, tensor<2xi64>) -> {PARTLY}",
    "dynamic_broadcast_in_dim": f"""%one = stablehlo.constant dense<1.0> : tensor<f32>
      %r = stablehlo.dynamic_broadcast_in_dim %one, %n, dims = [] : (tensor<f32>, tensor<2xi64>) -> {PARTLY}""",
    "dynamic_iota": f"%r = stablehlo.dynamic_iota %n, dim = 0 : (tensor<2xi64>) -> {PARTLY}",
}


@pytest.mark.parametrize("fast", [True, False])
@pytest.mark.parametrize("name", SIZED)
def test_sizes_of_a_run_are_those_that_a_type_states(name: str, fast: bool) -> None:
    one, x = program(SIZED[name], fast, PARTLY), np.arange(6, dtype=np.float32)
    for rows, columns in ((2, 3), (3, 2), (2, 3), (2, 3), (6, 1), (1, 6), (2, 3)):
        if columns == 3:
            assert np.shape(one.run([x, np.array([rows, columns])])[0]) == (rows, columns)
            continue
        with pytest.raises(InterpreterError) as raised:
            one.run([x, np.array([rows, columns])])
        assert raised.value.op == f"stablehlo.{name}"


BAD: dict[str, Any] = {
    "nothing": None,
    "shape": np.zeros(4, np.float32),
    "dtype": np.zeros(3, np.float64),
    "several": (np.zeros(3, np.float32),) * 2,
    "text": "3",
}


@pytest.mark.parametrize("fast", [True, False])
@pytest.mark.parametrize("name", BAD)
def test_handlers_and_kernels_of_users_give_what_their_op_states(name: str, fast: bool) -> None:
    given: list[Any] = []
    handlers.custom_call_handler("checks.of")(lambda _call, _operand: given.pop(0))
    registry.op_kernel("stablehlo.cosine")(lambda _op: lambda _operand: given.pop(0))
    for body in (f"%r = stablehlo.custom_call @checks.of(%x) : ({D}) -> {S}",
                 f"%r = stablehlo.cosine %x : ({D}) -> {S}"):  # fmt: skip
        one, arguments = program(body, fast), [np.zeros(3, np.float32), np.zeros(2, np.int64)]
        given[:] = [np.ones(3, np.float32)] * 2 + [BAD[name], np.ones(3, np.float32)]
        for run in range(4):
            if run != 2:
                assert np.asarray(one.run(arguments)[0]).tolist() == [1, 1, 1]
                continue
            with pytest.raises(InterpreterError, match=r"' op (produced|handler returned)"):
                one.run(arguments)


@pytest.mark.parametrize("fast", [True, False])
def test_a_kernel_of_a_user_decides_about_sizes_itself(fast: bool) -> None:
    """The op of the spec would refuse this shape, and the user's meaning of it does not."""
    body = f"%r = stablehlo.dynamic_reshape %x, %n : ({D}, tensor<2xi64>) -> {PARTLY}"
    arguments = [np.zeros(4, np.float32), np.array([5, 5])]
    with pytest.raises(InterpreterError):
        program(body, fast, PARTLY).run(arguments)
    registry.op_kernel("stablehlo.dynamic_reshape")(lambda _op: lambda _x, _n: np.ones((2, 3), np.float32))
    one = program(body, fast, PARTLY)
    for _ in range(3):
        np.testing.assert_array_equal(one.run(arguments)[0], np.ones((2, 3), np.float32))


def test_an_op_without_a_kernel_is_named_so_whatever_its_types_are() -> None:
    text = """func.func @main() {{
      %0 = "{name}"() {attributes} : () -> {type}
      return
    }}"""
    cases = {
        ("tensor.empty", "", "tensor<2xi128>"): (UnsupportedOpError, "has no kernel in the interpreter"),
        ("tensor.empty", "", "tensor<2xf32>"): (UnsupportedOpError, "has no kernel in the interpreter"),
        ("arith.constant", "{value = dense<1> : tensor<2xi128>}", "tensor<2xi128>"): (
            InterpreterError,
            "has a result of unsupported element type i128",
        ),
        ("arith.constant", "{value = 1 : i128}", "i128"): (StablehloError, "unsupported element type i128"),
    }
    for (name, attributes, type_), (error, said) in cases.items():
        with pytest.raises(StablehloError, match=said) as raised:
            Program(parsed(text.format(name=name, attributes=attributes, type=type_))).run([])
        assert type(raised.value) is error, (name, type_)
        assert raised.value.op == name
        assert raised.value.location


def test_a_region_that_runs_on_arrays_is_not_checked_and_one_of_scalars_is() -> None:
    """A reduction's body sees whole arrays, or the elements one by one."""
    text = f"""func.func @main(%x: {S}) -> tensor<f32> {{
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %r = "stablehlo.reduce"(%x, %zero) ({{
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %s = stablehlo.add %a, %b : tensor<f32>
        %t = stablehlo.OP %s : tensor<f32>
        stablehlo.return %t : tensor<f32>
      }}) {{dimensions = array<i64: 0>}} : ({S}, tensor<f32>) -> tensor<f32>
      return %r : tensor<f32>
    }}"""
    x = np.arange(3, dtype=np.float32)
    for fast in (True, False):
        one = Program(parsed(text.replace("OP", "abs")), Settings(fast=fast))
        assert [float(np.asarray(one.run([x])[0])) for _ in range(3)] == [3.0] * 3
        registry.op_kernel("stablehlo.floor")(lambda _op: lambda _operand: np.float64(1))
        with pytest.raises(InterpreterError, match=r"floor' op produced tensor<f64> as result 0, expected tensor<f32>"):
            Program(parsed(text.replace("OP", "floor")), Settings(fast=fast)).run([x])


@pytest.mark.parametrize("fast", [True, False])
def test_results_are_in_major_to_minor_order(fast: bool) -> None:
    """Also where an op keeps the order of a transposed operand."""
    types = "tensor<3x2xf32>, tensor<3x2xf32>, tensor<2x3xf32>, tensor<3x2xi1>"
    text = f"""func.func @main(%x: tensor<2x3xf32>) -> ({types}) {{
      %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
      %1 = stablehlo.negate %0 : tensor<3x2xf32>
      %2 = stablehlo.transpose %1, dims = [1, 0] : (tensor<3x2xf32>) -> tensor<2x3xf32>
      %3 = stablehlo.compare LT, %0, %1 : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x2xi1>
      return %0, %1, %2, %3 : {types}
    }}"""
    one, x = Program(parsed(text), Settings(fast=fast)), np.arange(6, dtype=np.float32).reshape(2, 3)
    for given in (x, np.asfortranarray(x), x):
        found = [np.asarray(each) for each in one.run([given])]
        for result, expected in zip(found, (x.T, -x.T, -x, x.T < -x.T), strict=True):
            np.testing.assert_array_equal(result, expected, strict=True)
            assert (result.flags.c_contiguous, result.flags.owndata, result.flags.writeable) == (True, True, True)
