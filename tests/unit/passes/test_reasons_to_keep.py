"""Ops of constants at the edges of what is folded: which stay, for which reason, and what becomes of the others."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from stablehlo_py.bindings import ir, make_context
from stablehlo_py.interpreter.program import interpret
from stablehlo_py.passes.pipeline import run_pipeline
from stablehlo_py.passes.report import collect

FOLDER, WHOLE = "stablehlo-aggressive-folder", "stablehlo-fold-constants"
FAULT = "the operand hints at a fault, so the op stays where it can be seen"
OPEN = "the spec leaves the {} to the implementation"
QUOTIENT, REMAINDER, CONVERTED = (OPEN.format(word) for word in ("quotient", "remainder", "converted value"))
TINY, BELOW_ONE = "0x00000001", "0xBF7FFFFF"  # the smallest float above 0, and the next above -1
# An op of one operand: its operand and result types, the operand, and the reason that the first pass has to keep it.
UNARY = [
    ("log", "f32", "f32", "0.0", FAULT),
    ("log", "f32", "f32", "-0.0", FAULT),
    ("log", "f32", "f32", "-1.0", FAULT),
    ("log", "f32", "f32", TINY, ""),
    ("log", "complex<f32>", "complex<f32>", "(-1.0, 0.0)", ""),
    ("log_plus_one", "f32", "f32", "-1.0", FAULT),
    ("log_plus_one", "f32", "f32", "-2.0", FAULT),
    ("log_plus_one", "f32", "f32", BELOW_ONE, ""),
    ("rsqrt", "f32", "f32", "0.0", FAULT),
    ("rsqrt", "f32", "f32", "-1.0", FAULT),
    ("rsqrt", "f32", "f32", TINY, ""),
    ("sqrt", "f32", "f32", "-1.0", FAULT),
    ("sqrt", "f32", "f32", "0x80000001", FAULT),
    ("sqrt", "f32", "f32", "-0.0", ""),
    ("sqrt", "f32", "f32", "0.0", ""),
    ("sign", "f32", "f32", "0x7FC00000", FAULT),
    ("sign", "f32", "f32", "0x7F800000", ""),
    ("sign", "i32", "i32", "0", ""),
    ("convert", "f32", "i8", "-0.0", FAULT),
    ("convert", "f32", "f64", "-0.0", ""),
    ("convert", "f32", "i8", "127.5", ""),
    ("convert", "f32", "i8", "128.0", CONVERTED),
    ("convert", "f32", "i8", "-128.5", ""),
    ("convert", "f32", "i8", "-129.0", CONVERTED),
    ("convert", "f32", "ui8", "-0.5", ""),
    ("convert", "f32", "ui8", "-1.0", CONVERTED),
    ("convert", "f32", "ui8", "255.9", ""),
    ("convert", "f32", "ui8", "256.0", CONVERTED),
    ("convert", "f32", "i32", "0x7FC00000", CONVERTED),
    ("convert", "f32", "i32", "0x7F800000", CONVERTED),
    ("convert", "f32", "i32", "2147483648.0", CONVERTED),
    ("convert", "f32", "i32", "-2147483648.0", ""),
    ("convert", "f32", "i1", "0x7FC00000", ""),
    ("convert", "i32", "i8", "300", ""),
    ("convert", "complex<f32>", "i32", "(3.5, 1.0)", ""),
]  # fmt: skip
BINARY = [
    ("divide", "i8", "7", "0", QUOTIENT),
    ("divide", "i8", "-128", "-1", QUOTIENT),
    ("divide", "i8", "-127", "-1", ""),
    ("divide", "i8", "-128", "1", ""),
    ("divide", "ui8", "128", "255", ""),
    ("divide", "ui8", "1", "0", QUOTIENT),
    ("divide", "ui4", "0", "15", ""),
    ("divide", "ui2", "0", "3", ""),
    ("divide", "i4", "-8", "-1", QUOTIENT),
    ("divide", "f32", "1.0", "0.0", ""),
    ("remainder", "i8", "7", "0", REMAINDER),
    ("remainder", "i8", "-128", "-1", REMAINDER),
    ("remainder", "i8", "-128", "2", ""),
    ("remainder", "ui8", "0", "3", ""),
]


@pytest.fixture(scope="module", autouse=True)
def context() -> Iterator[ir.Context]:
    with make_context() as made:
        yield made


def judged(text: str, pass_name: str) -> tuple[str, bool, bool]:
    """The reason in the report, whether the op is gone, and whether the results are those of before."""
    module = ir.Module.parse(text)
    with np.errstate(all="ignore"):
        before = interpret(module)
    with collect() as collection:
        run_pipeline(module, f"builtin.module(func.func({pass_name}))")
    with np.errstate(all="ignore"):
        after = interpret(module)
    kept = collection.report_for(pass_name).kept
    reasons = [reason for _, reason in kept]
    same = all(np.array_equal(a, b, equal_nan=True) for a, b in zip(before, after, strict=True))
    return "; ".join(reasons), str(module).count("stablehlo.") == str(module).count("stablehlo.constant"), same


@pytest.mark.parametrize(("op", "operand", "result", "value", "reason"), UNARY)
def test_ops_of_one_operand(op: str, operand: str, result: str, value: str, reason: str) -> None:
    types = f"(tensor<{operand}>) -> tensor<{result}>"
    text = f"""func.func @main() -> tensor<{result}> {{
      %c = stablehlo.constant dense<{value}> : tensor<{operand}>
      %0 = "stablehlo.{op}"(%c) : {types}
      return %0 : tensor<{result}>
    }}"""
    assert judged(text, FOLDER) == (reason, not reason, True)
    open_ = reason if reason != FAULT else ""
    assert judged(text, WHOLE) == (open_, not open_, True)


@pytest.mark.parametrize(("op", "type_", "left", "right", "reason"), BINARY)
def test_ops_of_two_operands(op: str, type_: str, left: str, right: str, reason: str) -> None:
    text = f"""func.func @main() -> tensor<2x{type_}> {{
      %a = stablehlo.constant dense<[{left}, {left}]> : tensor<2x{type_}>
      %b = stablehlo.constant dense<[{"3.0" if type_ == "f32" else "3"}, {right}]> : tensor<2x{type_}>
      %0 = stablehlo.{op} %a, %b : tensor<2x{type_}>
      return %0 : tensor<2x{type_}>
    }}"""
    for name in (FOLDER, WHOLE):
        assert judged(text, name) == (reason, not reason, True)


@pytest.mark.parametrize(
    ("line", "type_", "rounds"),
    [
        ("stablehlo.add %f, %f", "2xf32", True),
        ("stablehlo.abs %f", "2xf32", False),
        ("stablehlo.maximum %f, %f", "2xf32", False),
        ("stablehlo.sine %f", "2xf32", True),
        ("stablehlo.add %i, %i", "2xi32", False),
    ],
)
def test_floats_that_others_round_otherwise_stay_without_optimize_float(line: str, type_: str, rounds: bool) -> None:
    text = f"""func.func @main() -> tensor<{type_}> {{
      %f = stablehlo.constant dense<[1.5, 2.5]> : tensor<2xf32>
      %i = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
      %0 = {line} : tensor<{type_}>
      return %0 : tensor<{type_}>
    }}"""
    assert judged(text, FOLDER) == ("", True, True)
    module = ir.Module.parse(text)
    with collect() as collection:
        run_pipeline(module, f"builtin.module(func.func({FOLDER}{{optimize-float=false}}))")
    kept = [reason for _, reason in collection.report_for(FOLDER).kept]
    assert kept == (["optimize-float is off"] if rounds else [])


@pytest.mark.parametrize(
    ("op", "type_", "rounds"),
    [("add", "f32", True), ("multiply", "f32", True), ("maximum", "f32", False), ("add", "i32", False)],
)
def test_an_op_with_regions_rounds_what_is_computed_in_them(op: str, type_: str, rounds: bool) -> None:
    numbers, zero = ("[1.5, 2.5]", "0.0") if type_ == "f32" else ("[1, 2]", "0")
    scalar = f"tensor<{type_}>"
    module = ir.Module.parse(f"""func.func @main() -> {scalar} {{
      %x = stablehlo.constant dense<{numbers}> : tensor<2x{type_}>
      %i = stablehlo.constant dense<{zero}> : {scalar}
      %0 = "stablehlo.reduce"(%x, %i) ({{
      ^bb0(%a: {scalar}, %b: {scalar}):
        %s = stablehlo.{op} %a, %b : {scalar}
        stablehlo.return %s : {scalar}
      }}) {{dimensions = array<i64: 0>}} : (tensor<2x{type_}>, {scalar}) -> {scalar}
      return %0 : {scalar}
    }}""")
    run_pipeline(module, f"builtin.module(func.func({FOLDER}{{optimize-float=false}}))")
    assert ("stablehlo.reduce" in str(module)) == rounds
    run_pipeline(module, f"builtin.module(func.func({FOLDER}))")
    assert "stablehlo.reduce" not in str(module)


@pytest.mark.parametrize(("limit", "folds"), [(8, True), (7, False), (0, False)])
def test_tensors_of_more_bytes_are_not_computed(limit: int, folds: bool) -> None:
    text = """func.func @main() -> tensor<2xi32> {
      %i = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
      %0 = stablehlo.negate %i : tensor<2xi32>
      return %0 : tensor<2xi32>
    }"""
    module = ir.Module.parse(text)
    with collect() as collection:
        run_pipeline(module, f"builtin.module(func.func({WHOLE}{{max-bytes={limit}}}))")
    report = collection.report_for(WHOLE)
    assert ("negate" not in str(module)) == folds
    assert dict(report.kept) == ({} if folds else {("stablehlo.negate", f"more than {limit} bytes"): 1})
    assert (report.ops_folded, report.ops_erased_as_dead) == ((1, 1) if folds else (0, 0))
    assert report.constant_bytes_created == (8 if folds else 0)
    assert (report.constant_bytes_before, report.constant_bytes_after) == (8, 8)
