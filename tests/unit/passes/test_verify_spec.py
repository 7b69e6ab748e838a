"""The specification's verifier rejects what only the specification forbids, and accepts every valid program."""

from __future__ import annotations

import ast
from dataclasses import replace
from pathlib import Path

import contracts
import pytest
from parsed import shared_context

import stablehlo_py
from stablehlo_py import VerificationError
from stablehlo_py.bindings import ir
from stablehlo_py.bindings.op_signatures import op_signature
from stablehlo_py.bindings.types import decode_type
from stablehlo_py.bindings.walk import operations
from stablehlo_py.conformance.catalog import Choice
from stablehlo_py.conformance.catalog import cases as kit
from stablehlo_py.dialect.catalog import constraints
from stablehlo_py.passes.verify_spec import _WORDS, broken_constraints

GAPS = [case for op in contracts.provided_ops() for case in contracts.provided_cases(op) if case.spec_errors]
QUANTIZED = "tensor<2x!quant.uniform<u8<10:200>:f32, 0.5:100>>"


def errors(text, context):
    return [found.message for found in broken_constraints(ir.Module.parse(text, context).operation)]


def test_every_constraint_that_the_dialect_leaves_out_is_checked():
    assert len(GAPS) >= 50
    context = shared_context()
    for case in GAPS:
        (found,) = errors(case.text, context)
        assert case.spec_errors[0] in found, case.name
        assert f"breaks {case.constraints[0]} (" in found, case.name


@pytest.mark.parametrize("op", contracts.provided_ops())
def test_valid_programs_pass(op):
    context = shared_context()
    valid = [case for case in contracts.provided_cases(op) if not case.errors and not case.is_gap]
    assert {case.name: found for case in valid if (found := errors(case.text, context))} == {}


# To draw the kit's inputs takes most of the time, for floats far more than for these types.
@pytest.mark.parametrize("types", [("i1", "i32", "quantized"), pytest.param((), marks=pytest.mark.release)])
def test_the_programs_of_the_conformance_kit_pass(types):
    context = shared_context()
    programs = {case.module: case.name for case in kit(Choice(level="smoke", types=types))}
    assert len(programs) > 500
    assert {name: found for text, name in programs.items() if (found := errors(text, context))} == {}


def test_the_kit_can_be_checked(monkeypatch):
    add = next(kit(Choice(ops=("add",), level="smoke", verify_spec=True)))
    monkeypatch.setattr("stablehlo_py.conformance.catalog.families", lambda: {"add": [lambda *_: iter([broken])]})
    broken = replace(add, module=GAPS[0].text, kind="odd")
    assert len(list(kit(Choice()))) == 1
    with pytest.raises(VerificationError, match=rf"add\.{add.type}\.odd\.0: .* breaks C5 \(global ids"):
        list(kit(Choice(verify_spec=True)))


def test_the_bounds_of_a_storage_type_are_no_part_of_its_name():
    op = f"%y = stablehlo.uniform_quantize %x : (tensor<2xf32>) -> {QUANTIZED}"
    assert errors(f"func.func @main(%x: tensor<2xf32>) {{\n{op}\nreturn\n}}", shared_context()) == []


def test_long_attributes_are_cut():
    pairs = ", ".join(f"[{number}, {number + 1}]" for number in range(2000))
    op = f"""%t = "stablehlo.send"(%x, %token) {{
      channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>,
      source_target_pairs = dense<[{pairs}, [0, 5]]> : tensor<2001x2xi64>
    }} : (tensor<3xf32>, !stablehlo.token) -> !stablehlo.token"""
    program = f"func.func @main(%x: tensor<3xf32>, %token: !stablehlo.token) {{\n{op}\nreturn\n}}"
    (found,) = errors(program, shared_context())
    assert "breaks C2" in found
    assert len(found) < 1000


def test_every_error_of_a_program_is_told_at_its_line():
    text = "\n".join(["func.func @main(%x: tensor<3xf32>, %y: tensor<3xi32>) {"] + 2 * [
        "  stablehlo.dot_general %x, %y, contracting_dims = [0] x [0] : (tensor<3xf32>, tensor<3xi32>) -> tensor<f32>"
    ] + ["  return", "}"])  # fmt: skip
    module = stablehlo_py.load(text).module
    stablehlo_py.verify(module)
    for of in (module, operations(module.operation)[-2]):
        with pytest.raises(VerificationError, match=r"breaks C13 \(lhs and rhs") as caught:
            stablehlo_py.verify(of, strict=True)
        assert [each.location.split(":")[-2] for each in caught.value.diagnostics] == ["2", "3"]


def test_checks_name_parts_of_their_ops():
    assert constraints()
    for op, known in constraints().items():
        signature = op_signature(f"stablehlo.{op}")
        if signature is None:
            continue
        groups = (signature.operands, signature.attributes, signature.regions, signature.declared_results)
        parts = {each.name for group in groups for each in group}
        for constraint in known:
            names = {node.id for node in ast.walk(ast.parse(constraint.check)) if isinstance(node, ast.Name)}
            assert names <= parts | set(_WORDS), f"{constraint.number} of {op}"


def types(*texts):
    context = shared_context()
    return [decode_type(ir.Type.parse(f"tensor<{text}>", context)) for text in texts]


I8, I16 = "!quant.uniform<i8:f32, 0.5:1>", "!quant.uniform<i16:f32, 0.25>"


@pytest.mark.parametrize(
    ("narrow", "wide", "may"),
    [
        ("f32", "f32", True),
        ("f32", "f64", True),
        ("f64", "f32", False),
        ("i8", "i32", True),
        ("i32", "i8", False),
        ("i32", "f32", False),
        ("i32", "ui32", False),
        ("i1", "i1", True),
        ("i1", "i8", False),
        ("complex<f32>", "complex<f64>", True),
        ("complex<f64>", "complex<f32>", False),
        ("f32", "complex<f64>", False),
        (I8, I8, True),
        (I8, I8.replace("0.5:1", "0.25:3"), True),
        (I8, I16, True),
        (I16, I8, False),
        (I8, I16.replace("f32", "f64"), False),
        (I8, "f32", False),
        ("i8", I8, False),
        ("f32", I16, False),
    ],
)
def test_an_element_type_is_promoted_to_a_wider_one_of_its_kind(narrow, wide, may):
    one, other = types(narrow, wide)
    assert _WORDS["is_promotable"](one.element_type, other.element_type) is may


@pytest.mark.parametrize(
    ("takes", "returns", "inputs", "is_right"),
    [
        (["f32", "f32"], ["f32"], ["2xf32"], True),
        (["f64", "f64"], ["f64"], ["2xf32"], True),
        (["f32", "f32"], ["f32"], ["2xf64"], False),
        (["f32", "f32"], ["f32"], ["2xf32", "3xf32"], True),  # one for all inputs
        (["f32", "f32"], ["f32"], ["2xf32", "3xf64"], False),
        (["f32", "i32", "f32", "i32"], ["f32", "i32"], ["2xf32", "2xi32"], True),
        (["f32", "i32", "f32", "i32"], ["f32", "i32"], ["2xi32", "2xf32"], False),
        (["f32", "i32", "i32", "f32"], ["f32", "i32"], ["2xf32", "2xi32"], False),
        (["f32"], ["f32"], ["2xf32"], False),
        (["f32", "f32", "f32"], ["f32"], ["2xf32"], False),
        (["f32", "f64"], ["f32"], ["2xf32"], False),
        (["f32", "f32"], ["f64"], ["2xf32"], False),
        (["1xf32", "1xf32"], ["1xf32"], ["2xf32"], False),
        (["f32", "f32"], [], ["2xf32"], False),
    ],
)
def test_a_computation_takes_two_scalars_for_each_input(takes, returns, inputs, is_right):
    taken, returned, given = types(*takes), types(*returns), types(*inputs)
    assert _WORDS["combines"]([taken, returned], given) is is_right


@pytest.mark.parametrize(
    ("word", "numbers", "holds"),
    [
        ("is_positive", [], True), ("is_positive", [1, 2], True), ("is_positive", [1, 0], False),
        ("is_positive", [-1], False), ("is_unique", [], True), ("is_unique", [0, 1], True),
        ("is_unique", [1, 0, 1], False),
    ],
)  # fmt: skip
def test_words_about_numbers(word, numbers, holds):
    assert _WORDS[word](numbers) is holds


def test_the_table_of_gaps_has_each_case():
    page = (Path(__file__).parents[3] / "docs" / "spec-gaps.md").read_text(encoding="utf-8")
    rows = [line.split(" | ")[2].strip("`") for line in page.splitlines() if " breaks " not in line and "_gap`" in line]
    assert [case.name for op in contracts.contract_names() for case in contracts.cases(op) if case.spec_errors] == rows
