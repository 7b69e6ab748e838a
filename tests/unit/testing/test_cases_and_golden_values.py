"""Cases of library functions as texts of MLIR, and golden values of programs of one op and of several."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from stablehlo_py import ops
from stablehlo_py.bindings import make_context
from stablehlo_py.bindings.op_signatures import AttributeParameter
from stablehlo_py.errors import ArgumentError
from stablehlo_py.shapes.errors import LibraryError
from stablehlo_py.shapes.library import LibraryFunction
from stablehlo_py.shapes.registry import Invocation, Registration
from stablehlo_py.shapes.signatures import LibraryParameter
from stablehlo_py.syntax import parse
from stablehlo_py.testing import cases
from stablehlo_py.testing.cases import attribute_text, element_text, program_text, type_text
from stablehlo_py.testing.golden import golden


@pytest.mark.parametrize(
    ("written", "type_", "element"),
    [
        ("2x3xf32", "tensor<2x3xf32>", "f32"),
        ("f32", "tensor<f32>", "f32"),
        ("?x10x!quant.uniform<i8:f32, 1.0>", "tensor<?x10x!quant.uniform<i8:f32, 1.0>>", "!quant.uniform<i8:f32, 1.0>"),
        ("?xf32, #stablehlo.bounds<4>", "tensor<?xf32, #stablehlo.bounds<4>>", "f32"),
        ("tensor<?x2xi1>", "tensor<?x2xi1>", "i1"),
        ("!stablehlo.token", "!stablehlo.token", "!stablehlo.token"),
        ("tuple<f32>", "tuple<f32>", "tuple<f32>"),
        ("2xcomplex<f32>", "tensor<2xcomplex<f32>>", "complex<f32>"),
        ("tensor<2xcomplex<f32>>", "tensor<2xcomplex<f32>>", "complex<f32>"),
        ("tensor<?xf32, #stablehlo.bounds<4>>", "tensor<?xf32, #stablehlo.bounds<4>>", "f32"),
    ],
)
def test_types_of_cases(written: str, type_: str, element: str) -> None:
    assert type_text(written) == type_
    assert element_text(written) == element


@dataclass(frozen=True)
class Numbers:
    """A record of an op."""

    first: int
    second: str

    @staticmethod
    def binding() -> Any:
        class Attribute:
            @staticmethod
            def get(first: int, second: str) -> str:
                return f"#d.numbers<{first}, {second}>"

        return Attribute


@pytest.mark.parametrize(
    ("name", "kind", "value", "expected"),
    [
        ("a", "int", None, None),
        ("a", "flag", False, None),
        ("a", "flag", True, "a"),
        ("a", "bool", False, "a = false"),
        ("a", "bool", True, "a = true"),
        ("a", "int", 3, "a = 3 : i64"),
        ("a", "int", 0, "a = 0 : i64"),
        ("exponent_bits", "int", 3, "exponent_bits = 3 : i32"),
        ("mantissa_bits", "int", 3, "mantissa_bits = 3 : i32"),
        ("index", "int", 3, "index = 3 : i32"),
        ("version", "int", 3, "version = 3 : i32"),
        ("channel_handle", "attribute", 3, "channel_handle = #stablehlo.channel_handle<handle = 3, type = 0>"),
        ("channel_handle", "attribute", "#x", "channel_handle = #x"),
        ("a", "int_array", [], "a = array<i64>"),
        ("a", "int_array", [1, 2], "a = array<i64: 1, 2>"),
        ("a", "int_matrix", [[1, 2], [3, 4], [5, 6]], "a = dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi64>"),
        ("a", "int_matrix", [], "a = dense<[]> : tensor<0x0xi64>"),
        ("a", "attribute", [[0], [1]], "a = dense<[[0], [1]]> : tensor<2x1xi64>"),
        ("fft_type", "attribute", "RFFT", "fft_type = #stablehlo<fft_type RFFT>"),
        ("einsum_config", "str", "ab,b->a", 'einsum_config = "ab,b->a"'),
        ("a", "text", "x", 'a = "x"'),
        ("a", "str", '"x"', 'a = "x"'),
        ("a", "symbol", "@f", "a = @f"),
        ("a", "attribute", Numbers(1, "x"), "a = #d.numbers<1, x>"),
    ],
)
def test_attributes_of_cases(name: str, kind: str, value: Any, expected: str | None) -> None:
    assert attribute_text(AttributeParameter(name, kind, False), value) == expected


S = '"stablehlo.return"'
TRUE = f"{S}(%true) : (tensor<i1>) -> ()"


@pytest.mark.parametrize(
    ("op", "invocation", "arguments", "line"),
    [
        (
            "slice",
            Invocation("4xf32", start_indices=[1], limit_indices=[2], strides=[1], returns="1xf32"),
            "%operand0: tensor<4xf32>",
            '%result = "stablehlo.slice"(%operand0) {start_indices = array<i64: 1>, limit_indices = array<i64: 2>, '
            "strides = array<i64: 1>} : (tensor<4xf32>) -> (tensor<1xf32>)",
        ),
        (
            "sort",
            Invocation(["4xf32", "4xi32"], dimension=0, is_stable=True, returns=["4xf32", "4xi32"]),
            "%inputs0: tensor<4xf32>, %inputs1: tensor<4xi32>",
            '%result:2 = "stablehlo.sort"(%inputs0, %inputs1) ({ ^bb0(%r0: tensor<f32>, %r1: tensor<f32>, '
            f"%r2: tensor<i32>, %r3: tensor<i32>): {TRUE} }}) {{dimension = 0 : i64, is_stable = true}} : "
            "(tensor<4xf32>, tensor<4xi32>) -> (tensor<4xf32>, tensor<4xi32>)",
        ),
        (
            "dynamic_reshape",
            Invocation("4xf32", "2xi32", returns="2x2xf32", values={"output_shape": "[2, 2]"}),
            "%operand0: tensor<4xf32>",
            '%output_shape0 = "stablehlo.constant"() {value = dense<[2, 2]> : tensor<2xi32>} : () -> tensor<2xi32>\n'
            '  %result = "stablehlo.dynamic_reshape"(%operand0, %output_shape0) {} : '
            "(tensor<4xf32>, tensor<2xi32>) -> (tensor<2x2xf32>)",
        ),
        (
            "map",
            Invocation(["4xf32", "4xf32"], returns="4xf32", dimensions=[0]),
            "%inputs0: tensor<4xf32>, %inputs1: tensor<4xf32>",
            '%result = "stablehlo.map"(%inputs0, %inputs1) ({ ^bb0(%r0: tensor<f32>, %r1: tensor<f32>): '
            f"{S}(%r0) : (tensor<f32>) -> () }}) {{dimensions = array<i64: 0>}} : "
            "(tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>)",
        ),
        (
            "reduce",
            Invocation(["4xf32", "4xi1"], ["f32", "i1"], returns=["f32", "i1"], dimensions=[0]),
            "%inputs0: tensor<4xf32>, %inputs1: tensor<4xi1>, %init_values0: tensor<f32>, %init_values1: tensor<i1>",
            '%result:2 = "stablehlo.reduce"(%inputs0, %inputs1, %init_values0, %init_values1) '
            "({ ^bb0(%r0: tensor<f32>, %r1: tensor<i1>, %r2: tensor<f32>, %r3: tensor<i1>): "
            f"{S}(%r0, %r1) : (tensor<f32>, tensor<i1>) -> () }}) {{dimensions = array<i64: 0>}} : "
            "(tensor<4xf32>, tensor<4xi1>, tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<i1>)",
        ),
        (
            "select_and_scatter",
            Invocation("4xf32", "2xf32", "f32", returns="4xf32", window_dimensions=[2], window_strides=[2]),
            "%operand0: tensor<4xf32>, %source0: tensor<2xf32>, %init_value0: tensor<f32>",
            '%result = "stablehlo.select_and_scatter"(%operand0, %source0, %init_value0) '
            f"({{ ^bb0(%r0: tensor<f32>, %r1: tensor<f32>): {TRUE} }}, "
            f"{{ ^bb0(%r0: tensor<f32>, %r1: tensor<f32>): {S}(%r0) : (tensor<f32>) -> () }}) "
            "{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>} : "
            "(tensor<4xf32>, tensor<2xf32>, tensor<f32>) -> (tensor<4xf32>)",
        ),
        (
            "create_token",
            Invocation(returns="!stablehlo.token"),
            "",
            '%result = "stablehlo.create_token"() {} : () -> (!stablehlo.token)',
        ),
        (
            "composite",
            Invocation(["2xf32"], returns=["2xf32"], name='"a.b"', decomposition="@twice"),
            "%inputs0: tensor<2xf32>",
            '%result = "stablehlo.composite"(%inputs0) {name = "a.b", decomposition = @twice} : '
            "(tensor<2xf32>) -> (tensor<2xf32>)",
        ),
    ],
)
def test_programs_of_cases(op: str, invocation: Invocation, arguments: str, line: str) -> None:
    text = program_text(f"stablehlo.{op}", invocation)
    assert text == (
        "module {\nfunc.func private @twice(tensor<2xf32>) -> tensor<2xf32>\n\n"
        f"func.func @case({arguments}) {{\n"
        '  %two = "stablehlo.constant"() {value = dense<0.0> : tensor<2xf32>} : () -> tensor<2xf32>\n'
        '  %true = "stablehlo.constant"() {value = dense<true> : tensor<i1>} : () -> tensor<i1>\n'
        f"{'' if line.startswith('%output') else '  '}{line}\n  return\n}}\n}}"
    )
    assert f"stablehlo.{op}" in str(parse(text, context=make_context()))


def test_a_scan_says_how_many_of_its_values_are_carried() -> None:
    regions = ["^bb0: x"]
    scan = Invocation(["4xf32", "4xi1"], ["f32"], returns=["4xf32", "4xi1", "f32"], dimension=0, regions=regions)
    text = program_text("chlo.scan", scan)
    assert '%result:3 = "chlo.scan"(%inputs0, %inputs1, %inits0) ({ ^bb0: x }) {dimension = 0 : i64, ' in text
    assert "operandSegmentSizes = array<i32: 2, 1>, resultSegmentSizes = array<i32: 2, 1>}" in text


def function_of(op: str, target: str, *parameters: tuple[str, str, str]) -> LibraryFunction:
    registration = Registration("shape", op, target, lambda: None)
    return LibraryFunction(registration, tuple([LibraryParameter(*each) for each in parameters]))


@pytest.mark.parametrize(("op", "target"), [("stablehlo.custom_call", "mine"), ("other.op", ""), ("other.op", "mine")])
def test_what_no_class_describes_has_the_operands_and_attributes_of_its_function(op: str, target: str) -> None:
    function = function_of(
        op,
        target,
        *[("x", "Shape", "operand"), ("rest", "list[Shape]", "operands"), ("y", "Shape", "operand")],
        *[("size", "int", "attribute"), ("name", "str", "attribute"), ("mode", "str | None", "attribute")],
        *[("perm", "list[int]", "attribute"), ("left_out", "int | None", "attribute"), ("regions", "any", "regions")],
    )
    given = {"perm": [1, 0], "mode": "fast", "name": "n", "size": 3}
    text = program_text(op, Invocation("2xf32", ["3xi1", "xi8"], "f32", returns="4xi1", **given), function)
    assert "@case(%x0: tensor<2xf32>, %rest0: tensor<3xi1>, %rest1: tensor<xi8>, %y0: tensor<f32>) {" in text
    assert (
        '%result = "case.op"(%x0, %rest0, %rest1, %y0) {size = 3 : i64, name = "n", mode = "fast", '
        "perm = array<i64: 1, 0>} : (tensor<2xf32>, tensor<3xi1>, tensor<xi8>, tensor<f32>) -> (tensor<4xi1>)\n"
    ) in text


def test_a_function_of_an_op_with_a_class_has_the_operands_and_attributes_of_that() -> None:
    function = function_of("stablehlo.transpose", "", ("own", "Shape", "operand"), ("order", "list[int]", "attribute"))
    text = program_text("stablehlo.transpose", Invocation("2x3xf32", returns="3x2xf32", permutation=[1, 0]), function)
    assert '"case.op"(%operand0) {permutation = array<i64: 1, 0>} : (tensor<2x3xf32>) -> (tensor<3x2xf32>)' in text


def test_an_op_that_is_unknown_has_no_program() -> None:
    with pytest.raises(LibraryError, match=r"the bindings know no op class of 'stablehlo\.none'"):
        program_text("stablehlo.none", Invocation("f32"))


@pytest.mark.parametrize(
    ("found", "expected", "agree"),
    [
        ([[1, 2]], [[1, 2]], True),
        ([[1, 2]], [[1, 3]], False),
        ([], [], True),
        ([1], [1, 1], False),
        ([7, cases.language.DYNAMIC], [7, 8], True),
        ([cases.language.DYNAMIC, 7], [7, 8], False),
        ([[cases.language.DYNAMIC]], [[3]], False),
    ],
)
def test_results_that_agree(found: list[Any], expected: list[Any], agree: bool) -> None:
    assert cases._agree(found, expected) == agree


# Golden values -------------------------------------------------------------------------------------------------

PAIR = """func.func @main(%a: tensor<2xf32>, %b: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %0 = stablehlo.add %a, %b : tensor<2xf32>
  %1 = stablehlo.multiply %0, %b : tensor<2xf32>
  return %0, %1 : tensor<2xf32>, tensor<2xf32>
}
"""
SINGLE = """func.func @main(%a: tensor<2xf32>) -> RESULT {
  %c = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %0 = stablehlo.add %a, %c : tensor<2xf32>
  return VALUES : RETURNED
}
"""
ONE = np.float32([1, 2])


def test_results_of_several_ops_are_held_against_what_rounding_explains() -> None:
    found = golden(PAIR, [ONE, np.float32([3, 4])])
    first, second = np.float32([4, 6]), np.float32([12, 24])
    assert [value.tolist() for value in found.values] == [first.tolist(), second.tolist()]
    assert repr(found) == f"result 0: {first!r}\nresult 1: {second!r}"
    assert found.allowed == ()
    found.check(first, second)
    found.check(first + np.float32(1e-6), second)
    with pytest.raises(AssertionError) as raised:
        found.check(first + 1, second * np.float32([1, 2]))
    lines = str(raised.value).splitlines()
    assert lines[0].startswith("result 0: 2 of 2 elements are not permitted (4 ulp or what rounding explains, up to ")
    assert lines[0].endswith("), the largest at [0]: 5.0, expected 4.0")
    assert lines[1].startswith("result 1: 1 of 2 elements are not permitted (")
    assert lines[1].endswith("), the largest at [1]: 48.0, expected 24.0")
    assert len(lines) == 2
    with pytest.raises(AssertionError, match=r"^result 1: 2 of 2"):
        found.check(first, second + 1)
    assert golden(parse(PAIR), [ONE, np.float32([3, 4])]).values[1].tolist() == [12, 24]


@pytest.mark.parametrize(
    ("result", "values", "returned", "is_single"),
    [
        ("tensor<2xf32>", "%0", "tensor<2xf32>", True),
        ("(tensor<2xf32>, tensor<2xf32>)", "%0, %0", "tensor<2xf32>, tensor<2xf32>", False),
        ("(tensor<2xf32>, tensor<2xf32>)", "%0, %c", "tensor<2xf32>, tensor<2xf32>", False),
        ("tensor<2xf32>", "%c", "tensor<2xf32>", False),
    ],
)
def test_a_program_of_one_op_and_its_constants_is_held_against_that_op(
    result: str, values: str, returned: str, is_single: bool
) -> None:
    text = SINGLE.replace("RESULT", result).replace("VALUES", values).replace("RETURNED", returned)
    found = golden(text, [ONE])
    assert len(found.allowed) == is_single
    found.check(*found.values)
    if is_single:
        assert found.allowed[0].sentence == "the operation of IEEE-754, which is rounded to nearest"
        with pytest.raises(AssertionError, match=r"result 0: 1 of 2 .*IEEE-754.*, the largest at \[1\]: 4\.0000005, "):
            found.check(np.float32([2, 4.0000005]))


def test_functions_on_values_and_results_that_are_no_arrays() -> None:
    found = golden(ops.tanh, [np.float32([0.5, 1])])
    assert len(found.allowed) == 1
    assert [argument.tolist() for argument in found.arguments] == [[0.5, 1]]
    found.check(found.values[0])
    for wrong in ([1.0, 2.0], "x"):
        with pytest.raises((ArgumentError, AssertionError), match=r"is no array|instead of"):
            found.check(wrong)
    with pytest.raises(ArgumentError, match="a list is no array: give the results one by one"):
        found.check([1.0, 2.0])
    for results in ((), (found.values[0],) * 2, (found.values[0][:1],), (found.values[0].astype(np.float64),)):
        with pytest.raises(AssertionError, match=r"^results of \[.*\] instead of \[\(\(2,\), dtype\('float32'\)\)\]$"):
            found.check(*results)
