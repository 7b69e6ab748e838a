"""Edges of ops as functions: their help, what they refuse, HLO of programs, and capabilities by name."""

from __future__ import annotations

import operator
from functools import partial
from typing import Any

import numpy as np
import pytest
from installed import needs_dialect

import stablehlo_py
from stablehlo_py import ops
from stablehlo_py.bindings import capabilities, hlo
from stablehlo_py.bindings.bytecode import bytecode_of
from stablehlo_py.errors import ArgumentError, InputError, StablehloError
from stablehlo_py.ops import attributes, eager
from stablehlo_py.ops.parameters import functions


def test_the_help_of_an_op_has_its_attributes_and_its_constraints() -> None:
    assert str(ops.transpose.__doc__).splitlines() == [
        "Evaluate stablehlo.transpose on arrays, or add it to the function that is being built.",
        "",
        "Args:",
        "    permutation: array<i64>",
        "",
        "Constraints:",
        "    C1: element type stays, the quantized dimension aside",
        "    C2: permutation is one",
        "    C3: sizes are permuted",
        "    C4: the quantized dimension is permuted",
    ]
    assert "    result_accuracy: #stablehlo.result_accuracy; by default the DEFAULT mode" in str(ops.sine.__doc__)
    assert repr(ops.transpose) == "<function of stablehlo.transpose>"
    assert (ops.transpose.is_op, ops.transpose is ops.transpose) == (True, True)


PRECISIONS = "precision DEFAULT|HIGH|HIGHEST"


@pytest.mark.parametrize(
    ("function", "lines"),
    [
        (ops.create_token, []),
        (ops.chlo.acos, []),
        (ops.tuple, ["", "Constraints:", "    C1: result's element types are those of the values"]),
        (
            ops.dot,
            [
                "",
                "Args:",
                f"    precision_config: array of #stablehlo<{PRECISIONS}>; by default DEFAULT for each operand",
            ],
        ),
        (
            ops.recv,
            [
                "",
                "Args:",
                "    channel_id: handle of #stablehlo.channel_handle",
                "    channel_type: type of #stablehlo.channel_handle; by default 1",
                "    is_host_transfer: bool; by default false",
                "    source_target_pairs: elements of i64, pairs; by default none",
                "",
                "Constraints:",
                "    C1: entries are pairs",
                "    C2: no source sends twice",
                "    C3: no target receives twice",
                "    C4: ids are those of processes",
                "    C5: the channel's type fits is_host_transfer",
            ],
        ),
        (
            ops.chlo.ragged_dot,
            [
                "",
                "Args:",
                *[
                    f"    {name}_dimensions: {name}_dimensions of #chlo.ragged_dot; by default []"
                    for name in ("lhs_batching", "rhs_batching", "lhs_contracting", "rhs_contracting")
                    + ("lhs_ragged", "rhs_group")
                ],
                f"    precision_config: array of #chlo<{PRECISIONS}>; by default DEFAULT for each operand",
            ],
        ),
    ],
    ids=lambda each: repr(each) if callable(each) else "",
)
def test_the_help_of_an_op_has_nothing_else(function: Any, lines: list[str]) -> None:
    name = repr(function).removeprefix("<function of ").removesuffix(">")
    first = f"Evaluate {name} on arrays, or add it to the function that is being built."
    assert str(function.__doc__).splitlines() == [first, *lines]


def test_regions_have_to_be_functions() -> None:
    x, zero = np.ones(3, np.float32), np.float32(0)
    with pytest.raises(ArgumentError) as raised:
        ops.reduce(x, zero, body=5, dimensions=[0])
    assert raised.value.op == "stablehlo.reduce"
    assert raised.value.message == "body is no function"
    assert float(np.asarray(ops.reduce(x, zero, body=ops.add, dimensions=[0]))) == 3


def test_programs_of_eager_ops_are_verified() -> None:
    with pytest.raises(StablehloError) as raised:
        ops.transpose(np.ones((2, 3), np.float32), permutation=[0, 0])
    assert "permutation" in str(raised.value)
    found = np.asarray(ops.concatenate([np.ones(2, np.float32), np.zeros(1, np.float32)], dimension=0))
    assert found.tolist() == [1, 1, 0]


PROGRAM = """func.func @main(%x: tensor<2xf32>, %y: tensor<3xi32>) -> (tensor<3xi32>, tensor<2xf32>) {
  return %y, %x : tensor<3xi32>, tensor<2xf32>
}"""


def test_parameters_of_hlo_are_those_of_the_program() -> None:
    module = stablehlo_py.parse(PROGRAM)
    text = hlo.program_to_hlo_text(bytecode_of(module)).decode()
    assert "f32[2]{0} parameter(0)" in text
    assert "s32[3]{0} parameter(1)" in text
    assert "entry_computation_layout={(f32[2]{0}, s32[3]{0})->(s32[3]{0}, f32[2]{0})}" in text


@pytest.mark.parametrize("size", [1, 10, 11, 300])
def test_texts_of_hlo_have_all_elements_of_constants(size: int) -> None:
    values = [2 * number + 1 for number in range(size)]
    module = stablehlo_py.parse(f"""func.func @main() -> tensor<{size}xi32> {{
      %0 = stablehlo.constant dense<{values}> : tensor<{size}xi32>
      return %0 : tensor<{size}xi32>
    }}""")
    text = hlo.program_to_hlo_text(bytecode_of(module)).decode()
    assert f"constant({{{', '.join(map(str, values))}}})" in " ".join(text.split()), text
    assert f"entry_computation_layout={{()->s32[{size}]{{0}}}}" in text, "one result is no tuple"


def test_programs_that_hlo_cannot_hold_say_why_without_a_place_in_a_copy() -> None:
    with pytest.raises(InputError) as raised:
        hlo.program_to_hlo_text(b"module {\n  wrong\n}")
    assert raised.value.message.startswith("cannot be expressed in HLO: ")
    assert "INVALID_ARGUMENT" not in raised.value.message
    with pytest.raises(InputError) as raised:
        hlo.program_to_hlo_text(b"func.func @other() { return }")
    assert raised.value.message == "cannot be expressed in HLO: conversion requires module with `main` function"


@needs_dialect("mhlo")
def test_programs_go_through_mhlo_and_back() -> None:
    negated = PROGRAM.replace("return", "%0 = stablehlo.negate %x : tensor<2xf32>\n  return")
    text = hlo.program_to_mhlo(bytecode_of(stablehlo_py.parse(negated)))
    assert b"mhlo.negate" in text
    assert "stablehlo.negate" in str(stablehlo_py.parse(hlo.mhlo_to_bytecode(text)))
    other = negated.replace("stablehlo.negate %x : tensor<2xf32>", '"other.op"(%x) : (tensor<2xf32>) -> tensor<2xf32>')
    assert b'"other.op"' in hlo.program_to_mhlo(other.encode())
    for read in (hlo.mhlo_to_bytecode, hlo.program_to_mhlo):
        with pytest.raises(InputError, match="custom op 'wrong' is unknown") as raised:
            read(b"module {\n  wrong\n}")
        assert raised.value.location == "<string>:2:3"


def test_missing_capabilities_are_those_that_are_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    known = capabilities.capabilities()
    found: dict[bool, Any] = {with_: capabilities.missing(with_substitute=with_) for with_ in (True, False)}
    assert sorted([*found[True], *found[False]]) == sorted(name for name, there in known.items() if not there)
    monkeypatch.setattr(capabilities, "_FOUND", dict.fromkeys(known, True))
    assert [capabilities.missing(with_substitute=with_) for with_ in (True, False)] == [[], []]
    monkeypatch.setattr(capabilities, "_FOUND", dict.fromkeys(known, False))
    both = [capabilities.missing(with_substitute=with_) for with_ in (True, False)]
    assert sorted([*both[0], *both[1]]) == sorted(known)
    assert all(both)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([np.float32([1]), [2.0, 3.0]], [1, 2, 3]),
        ([[1.0], np.float32([2])], [1, 2]),
        ((np.float32([1]), [2.0]), [1, 2]),
        ([np.int32([4])], [4]),
    ],
)
def test_lists_of_numbers_stand_beside_arrays(values: Any, expected: list[int]) -> None:
    """A second call with the same types takes the program that was made, with other numbers too."""
    for _ in range(2):
        found = ops.concatenate(values, dimension=0)
        assert found.tolist() == expected
    other = [[each + 1 for each in value] if isinstance(value, list) else value + 1 for value in values]
    assert ops.concatenate(other, dimension=0).tolist() == [number + 1 for number in expected]


@pytest.mark.parametrize(
    ("source", "place"),
    [
        ("ops.add(x, y)", "1:1"),
        ("z = 1\nz = (z, ops.add(x, y))", "2:9"),
        ("def f():\n    return [\n        ops.add(\n            x, y)]\nf()", "3:9"),
    ],
)
def test_an_error_is_where_the_call_begins(source: str, place: str) -> None:
    given = {"ops": ops, "x": np.zeros(2, np.float32), "y": np.zeros(3, np.float32)}
    with pytest.raises(StablehloError) as error:
        exec(compile(source, "theirs.py", "exec"), given)
    assert error.value.location == f"theirs.py:{place}"


@pytest.mark.parametrize(
    ("values", "type_", "text"),
    [
        ([], "pairs of integers", "dense<> : tensor<0x2xi64>"),
        ([], "a table of integers", "dense<> : tensor<0x0xi64>"),
        ([[1, 2], [3, 4]], "pairs of integers", "dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>"),
        ([[1, 2, 3]], "a table of integers", "dense<[[1, 2, 3]]> : tensor<1x3xi64>"),
        ([5], "integers", "dense<[5]> : tensor<1xi64>"),
    ],
)
def test_lists_of_lists_are_dense_elements(values: list[Any], type_: str, text: str) -> None:
    assert attributes._elements(values, type_) == text


def test_programs_of_calls_are_kept_up_to_a_number(monkeypatch: pytest.MonkeyPatch) -> None:
    known = dict[Any, Any]()
    monkeypatch.setattr(eager, "_programs", known)
    monkeypatch.setattr(eager, "_MOST_PROGRAMS", 3)
    counts = list[int]()
    for size in (1, 2, 3, 2, 4, 1, 2):
        assert ops.negate(np.ones(size, np.float32)).tolist() == [-1] * size
        counts.append(len(known))
    assert counts == [1, 2, 3, 3, 1, 2, 3]


def test_only_what_a_module_calls_itself_is_private() -> None:
    def twice(x: Any) -> Any:
        return x + x

    with ops.module() as built:

        @ops.function(x=ops.f32[2])
        def main(x: Any) -> Any:
            return ops.composite([x], name="my.twice", decomposition=twice)

    lines = [line.strip() for line in str(built).splitlines() if "func.func" in line]
    heads = sorted(line.partition("(")[0] for line in lines)
    assert heads == ["func.func @main", "func.func private @twice"]


@pytest.mark.parametrize(
    ("shape", "result"), [(np.int32([2, 3]), "2x3"), (np.int64([6]), "6"), (np.zeros(0, np.int32), ""), (None, "?x?")]
)
def test_a_shape_that_is_a_constant_is_known(shape: np.ndarray | None, result: str) -> None:
    with ops.module() as built:

        @ops.function(x=ops.f32[1 if result == "" else 6], s=ops.i32[2])
        def main(x: Any, s: Any) -> Any:
            return ops.dynamic_reshape(x, s if shape is None else ops.constant(shape))

    (line,) = [line for line in str(built).splitlines() if "stablehlo.dynamic_reshape" in line]
    assert line.endswith(f"-> tensor<{result}{'x' if result else ''}f32>")


# The operands that may be no tensors.
OTHERS = {
    "after_all": "inputs", "async_done": "operand", "composite": "inputs", "custom_call": "inputs",
    "get_tuple_element": "operand", "infeed": "token", "optimization_barrier": "operand", "outfeed": "inputs token",
    "recv": "token", "send": "inputs token", "tuple": "val", "while_": "operand",
}  # fmt: skip
GIVEN = {"int": 0, "ints": [0], "int_array": [0], "int_matrix": [[0]], "bool": True, "float": 1.0, "bool_array": [True]}


@pytest.mark.parametrize("dialect", ["stablehlo", "chlo"])
@pytest.mark.parametrize("other", ["tuple", "token"])
def test_operands_that_are_no_tensors_are_refused_by_name(dialect: str, other: str) -> None:
    """Whatever the other arguments are, so that C++ and the shape functions meet tensors alone."""
    wrong = list[str]()
    with ops.module():

        @ops.function(x=ops.f32[2])
        def main(x: Any) -> Any:
            for name in functions(dialect):
                function = getattr(ops if dialect == "stablehlo" else ops.chlo, name)
                op = function.parameters
                for at, operand in enumerate(op.operands):
                    if operand.name in OTHERS.get(name, "").split():
                        continue
                    named = {
                        each.name: GIVEN.get(each.kind, "a")
                        for each in op.parameters
                        if each.is_required or each.part_of
                    }
                    named |= {each.name: [x] if each.is_variadic else x for each in op.operands}
                    value = (x, x) if other == "tuple" else ops.create_token()
                    named[operand.name] = [value] if operand.is_variadic else value
                    try:
                        function(**named)
                    except ArgumentError as error:
                        if "an operand is of type" in error.message and error.op == op.name:
                            continue
                        wrong.append(f"{name}, operand {at}: {error.message}")
                    else:
                        wrong.append(f"{name}, operand {at} is taken")
            return x

    assert wrong == []


@pytest.mark.parametrize("longer", [False, True])
@pytest.mark.parametrize(
    ("name", "lists"),
    [
        ("slice", ["start_indices", "limit_indices", "strides"]),
        ("pad", ["edge_padding_low", "edge_padding_high", "interior_padding"]),
    ],
)
def test_lists_of_an_op_have_one_length(name: str, lists: list[str], longer: bool) -> None:
    """The bindings look at the length of the first one alone."""
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    operands = [x, 0.0] if name == "pad" else [x]
    assert getattr(ops, name)(*operands, **{key: [1, 1] for key in lists}).shape == (
        (5, 7) if name == "pad" else (0, 0)
    )
    for other in lists:
        for size in (3, 9) if longer else (0, 1):
            with pytest.raises(ArgumentError) as caught:
                getattr(ops, name)(*operands, **{key: [1] * (size if key == other else 2) for key in lists})
            assert caught.value.message == f"{', '.join(lists)} differ in length"
            assert caught.value.op == f"stablehlo.{name}"


BINARY = (
    *(operator.add, operator.sub, operator.mul, operator.truediv, operator.pow, operator.and_, operator.or_),
    *(operator.xor, operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne, operator.matmul),
)


@pytest.mark.parametrize("kind", ["token", "tuple"])
def test_operators_take_tensors_alone(kind: str) -> None:
    """The bindings would read the shape that a token or a tuple does not have."""
    with ops.module():

        @ops.function(x=ops.f32[2])
        def main(x: Any) -> Any:
            value = ops.create_token() if kind == "token" else ops.tuple([x, x])
            calls = [partial(one, *both) for one in BINARY for both in ((value, value), (value, x), (x, value))]
            calls += [partial(one, value) for one in (operator.neg, operator.abs, operator.inv)]
            for call in (*calls, partial(operator.getitem, value, 0)):
                with pytest.raises(ArgumentError, match="is not a tensor") as caught:
                    call()
                assert "test_edges_of_ops.py:" in caught.value.location, call
            for one in BINARY[:-1]:
                with pytest.raises(ArgumentError, match="tensor type with static sizes, found"):
                    one(value, 1)
            return x


@pytest.mark.parametrize(("count", "type_"), [(0, "tensor<f32>"), (1, "tensor<1xf32>"), (2, "tensor<?x?xf32>")])
def test_a_shape_has_as_many_sizes_as_its_list_whose_numbers_are_unknown(count: int, type_: str) -> None:
    """The one size of a vector follows from the number of elements; a scalar has none."""
    with ops.module() as module:

        @ops.function(x=ops.f32[1, 1], shape=f"tensor<{count}xi64>")
        def main(x: Any, shape: Any) -> Any:
            given, computed = ops.dynamic_reshape(x, shape), ops.dynamic_reshape(x, shape * 1)
            assert given.type == computed.type
            return computed

    assert f"-> {type_} {{" in str(module)


@pytest.mark.parametrize(("size", "type_"), [(0, "tensor<4x0xf32>"), (3, "tensor<4x3xf32>"), (None, "tensor<4x?xf32>")])
def test_a_size_of_nothing_is_a_size(size: int | None, type_: str) -> None:
    with ops.module() as module:

        @ops.function(x=ops.f32[2, size])
        def main(x: Any) -> Any:
            return ops.all_gather([x], all_gather_dim=0, replica_groups=[[0, 1]])

    assert f"-> {type_} {{" in str(module)


def test_arrays_of_the_same_bytes_are_constants_of_their_own() -> None:
    """The program of a call is kept for the next one, whose value may differ in its shape or its type alone."""
    zeros = [np.zeros(shape, dtype) for shape in ((2, 2), (4,), (1, 4)) for dtype in (np.float32, np.int32, np.uint32)]
    for each in (*zeros, *zeros):
        np.testing.assert_array_equal(np.asarray(ops.constant(each)), each, strict=True)
