"""Python values as the texts of attributes: each kind of parameter, and what does not fit it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from stablehlo_py import ops
from stablehlo_py.bindings import ir, make_context
from stablehlo_py.errors import ArgumentError
from stablehlo_py.ops.attributes import array_text, generic, struct, text_of
from stablehlo_py.ops.dialect import plain_name
from stablehlo_py.ops.parameters import Parameter, functions, is_array, is_group, parameters_of


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (True, "true"),
        (False, "false"),
        (3, "3 : i64"),
        (-1, "-1 : i64"),
        (1.0, "0x3FF0000000000000 : f64"),
        ("a", '"a"'),
        ('é "\\\n', '"é \\22\\5C\\0A"'),
        ("#d.a", "#d.a"),
        ("@f", "@f"),
        ("dense<1> : tensor<i32>", "dense<1> : tensor<i32>"),
        ("array<i64>", "array<i64>"),
        ({}, "{}"),
        ({"a": 1, "b c": "x"}, '{"a" = 1 : i64, "b c" = "x"}'),
        ([1, "a", [True]], '[1 : i64, "a", [true]]'),
        ((), "[]"),
        (np.array([1, 2]), "dense<[1, 2]> : tensor<2xi64>"),
        (np.array([[1], [2]]), "dense<[[1], [2]]> : tensor<2x1xi64>"),
        (SimpleNamespace(symbol="f g"), '@"f g"'),
    ],
)
def test_values_that_no_table_describes(value: Any, text: str) -> None:
    assert generic(value) == text


def test_values_that_are_no_attributes() -> None:
    for value in (None, object(), {1}):
        with pytest.raises(TypeError, match="is no attribute"):
            generic(value)
    with make_context():
        assert generic(ir.Attribute.parse("7 : i8")) == "7 : i8"


@pytest.mark.parametrize(
    ("values", "element", "text"),
    [
        ([], "i64", "array<i64>"),
        ([1, -2], "i64", "array<i64: 1, -2>"),
        ((1,), "i64", "array<i64: 1>"),
        (np.int32([3, 4]), "i64", "array<i64: 3, 4>"),
        ([True, False], "i1", "array<i1: true, false>"),
    ],
)
def test_dense_arrays(values: Any, element: str, text: str) -> None:
    assert array_text(values, element) == text


@pytest.mark.parametrize(
    ("kind", "type_", "value", "text"),
    [
        ("int", "i64", 3, "3 : i64"),
        ("int", "i32, positive", 3, "3 : i32"),
        ("float", "f32", 1, "0x3F800000 : f32"),
        ("float", "f32", 0.5, "0x3F000000 : f32"),
        ("bool", "i1", True, "true"),
        ("bool", "i1", np.bool_(False), "false"),
        ("flag", "unit", True, "unit"),
        ("str", "string", "a b", '"a b"'),
        ("symbol", "symbol", "f", '@"f"'),
        ("symbol", "symbol", SimpleNamespace(symbol="g"), '@"g"'),
        ("int_array", "", [1, 2], "array<i64: 1, 2>"),
        ("bool_array", "", [True], "array<i1: true>"),
        ("int_matrix", "pairs", [[1, 2]], "dense<[[1, 2]]> : tensor<1x2xi64>"),
        ("int_matrix", "pairs", [], "dense<> : tensor<0x2xi64>"),
        ("int_matrix", "table", [], "dense<> : tensor<0x0xi64>"),
        ("int_matrix", "list", [4], "dense<[4]> : tensor<1xi64>"),
        ("dictionary", "", {"a": 1}, '{"a" = 1 : i64}'),
        ("array", "array of #stablehlo<precision DEFAULT|HIGH|HIGHEST>", ["high", "DEFAULT"],
         "[#stablehlo<precision HIGH>, #stablehlo<precision DEFAULT>]"),
        ("array", "array of arrays of one-dimensional elements of index, since 1.18.0", [[[0, 1], [2]], []],
         "[[dense<[0, 1]> : tensor<2xindex>, dense<[2]> : tensor<1xindex>], []]"),
        ("array", "array of arrays of integers", [[0, 1], [], [2]], "[[0 : i64, 1 : i64], [], [2 : i64]]"),
        ("array", "array of anything", [1, "a"], '[1 : i64, "a"]'),
        ("attribute", "#stablehlo<comparison_direction EQ|NE>", "eq", "#stablehlo<comparison_direction EQ>"),
        ("attribute", "#stablehlo<comparison_direction EQ|NE>", "#x", "#x"),
        ("attribute", "i32, something", 3, "3 : i32"),
        ("attribute", "elements of i64", [1, 2], "dense<[1, 2]> : tensor<2xi64>"),
        ("attribute", "elements of i64", "dense<1> : tensor<1xi64>", "dense<1> : tensor<1xi64>"),
        ("attribute", "elements of index", [1], "dense<[1]> : tensor<1xindex>"),
        ("attribute", "#stablehlo.result_accuracy", {"mode": "HIGHEST"},
         "#stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>"),
        ("attribute", "#stablehlo.result_accuracy, or so", {"atol": 1.5, "ulps": 2},
         "#stablehlo.result_accuracy<atol = 1.5, ulps = 2>"),
        ("attribute", "anything", 3, "3 : i64"),
    ],
)  # fmt: skip
def test_values_of_parameters(kind: str, type_: str, value: Any, text: str) -> None:
    assert text_of(Parameter("a", "attribute", kind=kind, type=type_), value) == text
    with make_context():
        attribute = ir.Attribute.parse("7 : i8")
        assert text_of(Parameter("a", "attribute", kind=kind, type=type_), attribute) == "7 : i8"


@pytest.mark.parametrize(
    ("kind", "type_", "value", "said"),
    [
        ("int", "i32, positive", [1], "a=[1] is not of type i32: it is a list"),
        ("int", "", "x", "a='x' is not of type int: "),
        ("int", "i32", 1 << 40, "a=1099511627776 is not of type i32: "),
        ("int_array", "array<i64>", 3, "a=3 is not of type array<i64>: it is no list of numbers"),
        ("int_array", "array<i64>", [1.5], "a=[1.5] is not of type array<i64>: "),
        ("str", "", 3, "a=3 is not of type str: "),
        ("array", "array of x", 3, "a=3 is not of type array of x: "),
        ("attribute", "x, y", object, "a=<class 'object'> is not of type x: "),
    ],
)
def test_values_that_do_not_fit_a_parameter(kind: str, type_: str, value: Any, said: str) -> None:
    with pytest.raises(ArgumentError) as raised:
        text_of(Parameter("a", "attribute", kind=kind, type=type_), value)
    assert raised.value.message.startswith(said)
    assert "error:" not in raised.value.message


def test_structured_attributes_leave_out_what_is_none() -> None:
    values = {"a": 1, "b": None, "c": [2, 3], "d": True, "e": np.array([4]), "f": "x", "g": ()}
    assert struct("#d.x", values) == "#d.x<a = 1, c = [2, 3], d = true, e = [4], f = x, g = []>"
    assert struct("#d.conv", {"a": 1}) == "#d.conv<raw a = 1>"
    assert struct("#d.x", {}) == "#d.x<>"


def test_parameters_in_their_order() -> None:
    found = parameters_of("stablehlo.gather")
    assert found is not None
    assert [each.name for each in found.parameters] == [
        *("operand", "start_indices", "index_vector_dim", "slice_sizes", "offset_dims", "collapsed_slice_dims"),
        *("operand_batching_dims", "start_indices_batching_dims", "start_index_map", "indices_are_sorted"),
        "result_type",
    ]
    assert found.required == ("operand", "start_indices", "index_vector_dim", "slice_sizes")
    assert [each.name for each in found.operands] == ["operand", "start_indices"]
    assert found.structs == {"dimension_numbers": "#stablehlo.gather"}
    assert found.optional_structs == []
    assert found.infers_results
    dims = found.by_name["offset_dims"]
    assert (dims.role, dims.kind, dims.default, dims.part_of, dims.field, dims.is_required) == (
        *("attribute", "ints", "[]", "dimension_numbers", "offset_dims", False),
    )
    dot = parameters_of("stablehlo.dot_general")
    assert dot is not None
    assert [len(group) for group in dot.optional_structs] == [4]
    send = parameters_of("stablehlo.send")
    assert send is not None
    channel = [(each.name, each.field, each.is_required, each.default) for each in send.parameters if each.part_of]
    assert channel == [("channel_id", "handle", True, ""), ("channel_type", "type", False, "1")]
    reduce, case = parameters_of("stablehlo.reduce"), parameters_of("stablehlo.case")
    assert reduce is not None
    assert case is not None
    assert [(one.name, one.role, one.is_required, one.is_variadic) for one in reduce.parameters] == [
        *(("inputs", "operand", True, True), ("init_values", "operand", True, True)),
        *(("dimensions", "attribute", True, False), ("body", "region", True, False)),
        ("result_type", "result", False, False),
    ]
    assert not reduce.infers_results
    assert case.by_name["branches"].is_variadic
    assert parameters_of("stablehlo.none") is None


def test_functions_have_names_that_python_takes() -> None:
    found = functions("stablehlo")
    assert {name: found[name] for name in ("and_", "or_", "not_", "if_", "while_", "add")} == {
        **{f"{name}_": f"stablehlo.{name}" for name in ("and", "or", "not", "if", "while")},
        "add": "stablehlo.add",
    }
    assert "return" not in found
    assert all(name.isidentifier() and hasattr(ops, name) for name in found)
    assert [plain_name(name) for name in ("f32", "complex<f32>", "!quant.any<i8:f32>")] == [
        *("f32", "complex_f32", "quant_any_i8_f32"),
    ]


def test_kinds_of_values() -> None:
    masked = np.ma.masked_array([1], [True])
    values: list[Any] = [np.zeros(2), np.float32(1), masked, [1], (1,), 1, "a", None]
    assert [is_array(value) for value in values] == [True, True, False, False, False, False, False, False]
    assert [is_group(value) for value in values] == [False, False, False, True, True, False, False, False]
