"""Ops that look at values: tolerances at their bounds, what a failed check says and where, prints at once."""

from __future__ import annotations

import io
import sys
from typing import Any

import numpy as np
import pytest

import stablehlo_py
from stablehlo_py.errors import CheckError, InterpreterError, ResourceError, StablehloError, UnsupportedOpError
from stablehlo_py.interpreter.custom_calls import registry
from stablehlo_py.interpreter.custom_calls.lookup import targets
from stablehlo_py.interpreter.program import Program
from stablehlo_py.interpreter.settings import Settings

TYPES = {"f64": np.float64, "f32": np.float32, "i32": np.int32, "i1": np.bool_}


def program(op: str, type_: str = "f64", fast: bool = True) -> Program:
    """A check of %a, and perhaps of %b, in a function that another one calls."""
    tensor = f"tensor<2x{type_}>"
    text = f"""func.func @checked(%a: {tensor}, %b: {tensor}) {{
      {op} loc("a.py":3:4)
      return
    }}
    func.func @main(%a: {tensor}, %b: {tensor}) {{
      call @checked(%a, %b) : ({tensor}, {tensor}) -> ()
      return
    }}"""
    return Program(stablehlo_py.parse(text), Settings(fast=fast))


def failure(checked: Program, a: Any, b: Any, type_: str = "f64") -> CheckError | None:
    try:
        checked.run([np.array(a, TYPES[type_]), np.array(b, TYPES[type_])])
    except CheckError as error:
        return error
    return None


OPS = {
    "check.expect_eq": "check.expect_eq %a, %b : tensor<2xf64>",
    "check.expect_eq_const": "check.expect_eq_const %a, dense<[1.0, 2.0]> : tensor<2xf64>",
    "check.expect_almost_eq": "check.expect_almost_eq %a, %b : tensor<2xf64>",
    "check.expect_almost_eq_const": "check.expect_almost_eq_const %a, dense<[1.0, 2.0]> : tensor<2xf64>",
    "check.expect_close": "check.expect_close %a, %b, max_ulp_difference = 1 : tensor<2xf64>, tensor<2xf64>",
}


@pytest.mark.parametrize("fast", [True, False])
@pytest.mark.parametrize("name", OPS)
def test_a_failed_check_says_what_it_found_and_where(name: str, fast: bool) -> None:
    checked = program(OPS[name], fast=fast)
    for _ in range(2):
        assert failure(checked, [1, 2], [1, 2]) is None
        error = failure(checked, [1, 2.5], [1, 2])
        assert error is not None
        assert (error.op, error.location, list(error.notes)) == (name, "a.py:3:4", ["in function @checked"])
        assert ": 2.5 (actual) vs 2.0 (expected) at index [1]; 1 of 2 elements differ" in error.message


@pytest.mark.parametrize("form", ["", "_const"])
@pytest.mark.parametrize("tolerance", [None, 0.25, 0.0, 1e-6])
def test_numbers_may_differ_by_the_tolerance(tolerance: float | None, form: str) -> None:
    most = 1e-4 if tolerance is None else tolerance
    given = "" if tolerance is None else f" {{tolerance = {tolerance:e} : f64}}"
    other = "dense<0.0>" if form else "%b"
    if tolerance is not None:
        operand = "%a" if form else "%a, %b"
        value = "value = dense<0.0> : tensor<2xf64>, " if form else ""
        types = "(tensor<2xf64>)" if form else "(tensor<2xf64>, tensor<2xf64>)"
        op = f'"check.expect_almost_eq{form}"({operand}) {{{value}tolerance = {tolerance:e} : f64}} : {types} -> ()'
    else:
        op = f"check.expect_almost_eq{form} %a, {other}{given} : tensor<2xf64>"
    checked = program(op)
    for sign in (1, -1):
        assert failure(checked, [0, sign * most], [0, 0]) is None
        beyond = failure(checked, [0, sign * np.nextafter(most, 1)], [0, 0])
        assert beyond is not None
        assert f"with tolerance {most:g}: " in beyond.message
    assert failure(checked, [0, np.nan], [0, 0]) is not None
    assert failure(checked, [0, -np.inf], [0, 0]) is not None


@pytest.mark.parametrize(("smallest", "largest"), [(0, 0), (0, 3), (2, 3), (1, 1), (None, 2), (None, 0)])
def test_steps_between_numbers_are_within_both_bounds(smallest: int | None, largest: int) -> None:
    """From 0 on unless the op says otherwise."""
    bounds = {"min_ulp_difference": smallest, "max_ulp_difference": largest}
    attributes = ", ".join(f"{name} = {value} : ui64" for name, value in bounds.items() if value is not None)
    checked = program(f'"check.expect_close"(%a, %b) {{{attributes}}} : (tensor<2xf64>, tensor<2xf64>) -> ()')
    low, high = smallest or 0, largest
    for steps in range(6):
        one = np.array([1.0, 1.5])
        other = one + np.array([0 if low == 0 else low, steps]) * 2.0**-52
        for a, b in ((one, other), (other, one)):
            error = failure(checked, a, b)
            assert (error is None) == (low <= steps <= high), f"{steps} steps of {low} to {high}"
            if error is not None:
                assert f"within {low} to {high} ULPs: " in error.message
                assert f"1 are {'at least ' if steps >= 4 else ''}{min(steps, 4)} apart" in error.message


@pytest.mark.parametrize(("type_", "values"), [("i32", (5, -7)), ("i1", (True, False)), ("f32", (1.5, -0.0))])
def test_constants_are_of_the_type_of_the_operand(type_: str, values: tuple[Any, Any]) -> None:
    listed = ", ".join(str(value).lower() for value in values)
    checked = program(f"check.expect_eq_const %a, dense<[{listed}]> : tensor<2x{type_}>", type_)
    assert failure(checked, values, values, type_) is None
    error = failure(checked, values[::-1], values, type_)
    assert error is not None
    assert "2 of 2 elements differ" in error.message


def test_a_print_is_there_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where the output is a pipe and the program ends badly afterwards."""

    class Pipe(io.StringIO):
        flushed = ""

        def flush(self) -> None:
            self.flushed = self.getvalue()

    pipe = Pipe()
    monkeypatch.setattr(sys, "stdout", pipe)
    text = """func.func @main(%number: tensor<i32>, %rows: tensor<2x2xi32>) {
      interpreter.print %number : tensor<i32>
      interpreter.print %rows : tensor<2x2xi32>
      check.expect_eq_const %number, dense<0> : tensor<i32>
      return
    }"""
    with pytest.raises(CheckError):
        stablehlo_py.interpret(stablehlo_py.parse(text), [3, [[1, 2], [3, 4]]])
    monkeypatch.undo()
    assert pipe.flushed == (
        "%arg0 = tensor<i32> {3}\n%arg1 = tensor<2x2xi32> {\n  [\n    [1, 2],\n    [3, 4]\n  ]\n}\n"
    )


CALL = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.custom_call @"TARGET"(%x) : (tensor<2xf32>) -> tensor<2xf32> loc("b.py":5:6)
  return %0 : tensor<2xf32>
}"""


@pytest.mark.parametrize(
    ("target", "kind"), [("nobodys.target", ""), ("tpu_custom_call", "; it is a Pallas kernel for TPUs")]
)
def test_a_target_without_a_handler_is_named_with_its_place(target: str, kind: str) -> None:
    with pytest.raises(UnsupportedOpError) as raised:
        stablehlo_py.interpret(stablehlo_py.parse(CALL.replace("TARGET", target)), [np.zeros(2, np.float32)])
    error = raised.value
    assert (error.op, error.location) == ("stablehlo.custom_call", "b.py:5:6")
    assert error.message.startswith(f"calls '{target}', which has no handler{kind}")
    assert list(error.notes) == [f"register one with @stablehlo_py.custom_call_handler('{target}')"]


def test_a_handler_of_a_start_of_a_collective_wins_and_fails_as_its_own() -> None:
    call = CALL.replace("TARGET", "all-reduce-start")
    with pytest.raises(InterpreterError, match="async_collective_config that cannot be read"):
        stablehlo_py.interpret(stablehlo_py.parse(call), [np.zeros(2, np.float32)])
    registry.custom_call_handler("all-reduce-start")(lambda _, x: x + 1)
    try:
        for fast in (True, False):
            one = Program(stablehlo_py.parse(call), Settings(fast=fast))
            assert np.asarray(one.run([np.zeros(2, np.float32)])[0]).tolist() == [1, 1]
    finally:
        del registry.USERS["all-reduce-start"]
    with pytest.raises(InterpreterError, match="cannot be read"):
        stablehlo_py.interpret(stablehlo_py.parse(call), [np.zeros(2, np.float32)])


@pytest.mark.parametrize(
    ("error", "kind", "message"),
    [
        (RecursionError("deep"), ResourceError, "calls go too deep"),
        (MemoryError("much"), ResourceError, "ran out of memory: much"),
        (UnsupportedOpError("is new"), UnsupportedOpError, "is new"),
        (ValueError("odd"), InterpreterError,
         "calls 'edges.own' with operands, results or options that its handler does not know"),
        (KeyError("uplo"), InterpreterError,
         "calls 'edges.own' with operands, results or options that its handler does not know"),
    ],
)  # fmt: skip
def test_what_a_handler_of_the_package_raises_is_told_by_its_kind(
    error: Exception, kind: type[StablehloError], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def handler(*_: object) -> None:
        raise error

    monkeypatch.setitem(targets(), "edges.own", handler)
    with pytest.raises(kind) as raised:
        stablehlo_py.interpret(stablehlo_py.parse(CALL.replace("TARGET", "edges.own")), [np.zeros(2, np.float32)])
    assert type(raised.value) is kind
    assert (raised.value.message, raised.value.location) == (message, "b.py:5:6")
