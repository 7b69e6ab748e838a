"""Identities of arithmetic and logic by one pattern alone: where they hold, and beside that where they do not."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from one_pattern import applied

from stablehlo_py.bindings import ir, make_context
from stablehlo_py.bindings.walk import operations

N, F, B, C = "tensor<4xi32>", "tensor<4xf32>", "tensor<4xi1>", "tensor<4xcomplex<f32>>"


@pytest.fixture(scope="module", autouse=True)
def _context() -> Iterator[None]:
    with make_context(), ir.Location.unknown():
        yield


def returned(pattern: str, lines: str, type_: str, result: str, **options: bool) -> str | None:
    """What `%r` is after one pattern alone: an argument by name, or the name of an op; None if it does not fire."""
    body = "\n".join(line.strip().replace(" : T", f" : {type_}") for line in lines.split(";"))
    text = f"func.func @main(%x: {type_}, %y: {type_}) -> {result} {{\n{body}\nreturn %r : {result}\n}}"
    module, fires = applied(text, pattern, tidies=False, **options)
    function = module.body.operations[0].operation
    (value,) = operations(function)[-1].operands
    if not fires:
        return None
    arguments = list(function.regions[0].blocks[0].arguments)
    return "xy"[arguments.index(value)] if value in arguments else value.owner.name.removeprefix("stablehlo.")


def constant(value: str, type_: str) -> str:
    return f"%c = stablehlo.constant dense<{value}> : {type_}"


def binary(op: str, value: str, type_: str, operands: str = "%x, %c") -> tuple[str, str]:
    return f"{constant(value, type_)}; %r = stablehlo.{op} {operands} : T", type_


def unary(outer: str, inner: str, type_: str) -> tuple[str, str]:
    return f"%m = stablehlo.{inner} %x : T; %r = stablehlo.{outer} %m : T", type_


def parts(first: str, second: str) -> tuple[str, str, str]:
    lines = "; ".join(f"%{n} = stablehlo.{part} : ({C}) -> {F}" for n, part in (("a", first), ("b", second)))
    return f"{lines}; %r = stablehlo.complex %a, %b : {C}", C, C


U, UNKNOWN = "tensor<4xui8>", "tensor<?xi32>"
CASES: list[tuple[str, tuple[str, ...], str | None]] = [
    ("cancels_itself", ("%r = stablehlo.subtract %x, %x : T", N), "constant"),
    ("cancels_itself", ("%r = stablehlo.xor %x, %x : T", B), "constant"),
    ("cancels_itself", ("%r = stablehlo.subtract %x, %y : T", N), None),
    ("cancels_itself", ("%r = stablehlo.subtract %x, %x : T", F), None),
    ("cancels_itself", ("%r = stablehlo.subtract %x, %x : T", UNKNOWN), None),
    ("absorbed_by_zero", binary("multiply", "0", N), "constant"),
    ("absorbed_by_zero", binary("multiply", "1", N), None),
    ("absorbed_by_zero", binary("multiply", "[0, 0, 0, 1]", N), None),
    ("absorbed_by_zero", binary("multiply", "0.0", F), None),
    ("absorbed_by_zero", binary("and", "false", B), "constant"),
    ("absorbed_by_zero", binary("and", "true", B), None),
    ("or_ones", binary("or", "-1", N), "constant"),
    ("or_ones", binary("or", "1", N), None),
    ("or_ones", binary("or", "255", U), "constant"),
    ("or_ones", binary("or", "254", U), None),
    ("or_ones", binary("or", "true", B), "constant"),
    ("or_ones", binary("or", "false", B), None),
    ("shift_by_nothing", binary("shift_left", "0", N), "x"),
    ("shift_by_nothing", binary("shift_right_logical", "0", N), "x"),
    ("shift_by_nothing", binary("shift_right_arithmetic", "1", N), None),
    ("divide_by_one", binary("divide", "1", N), "x"),
    ("divide_by_one", binary("divide", "1.0", F), "x"),
    ("divide_by_one", binary("divide", "-1", N), None),
    ("divide_by_one", binary("divide", "(1.0, 0.0)", C), None),
    ("idempotent", ("%r = stablehlo.maximum %x, %x : T", F), "x"),
    ("idempotent", ("%r = stablehlo.and %x, %x : T", B), "x"),
    ("idempotent", ("%r = stablehlo.minimum %x, %y : T", N), None),
    ("idempotent", ("%r = stablehlo.add %x, %x : T", N), None),
    ("idempotent", ("%r = stablehlo.xor %x, %x : T", N), None),
    *[
        ("involution", unary(outer, inner, type_), "x" if outer == inner else None)
        for type_ in (N, U)
        for outer in ("negate", "not")
        for inner in ("negate", "not", "popcnt")
    ],
    ("involution", unary("negate", "negate", F), "x"),
    ("involution", unary("not", "not", B), "x"),
    ("abs_of_sign", unary("abs", "negate", F), "abs"),
    ("abs_of_sign", unary("abs", "abs", N), "abs"),
    ("abs_of_sign", unary("abs", "not", N), None),
    ("abs_of_sign", unary("negate", "abs", F), None),
    ("rounded_already", unary("ceil", "floor", F), "floor"),
    ("rounded_already", unary("round_nearest_even", "round_nearest_afz", F), "round_nearest_afz"),
    ("rounded_already", unary("ceil", "abs", F), None),
    ("rounded_already", unary("abs", "ceil", F), None),
    ("convert_to_same_type", (f"%r = stablehlo.convert %x : ({F}) -> {F}", F), "x"),
    ("convert_to_same_type", (f"%r = stablehlo.convert %x : ({F}) -> tensor<4xf16>", F, "tensor<4xf16>"), None),
    ("convert_to_same_type", (f"%r = stablehlo.convert %x : ({F}) -> tensor<?xf32>", F, "tensor<?xf32>"), None),
    *[
        ("part_of_complex", (f"%m = stablehlo.complex %x, %y : {C}; %r = stablehlo.{part} %m : ({C}) -> {F}", F), found)
        for part, found in (("real", "x"), ("imag", "y"))
    ],
    ("complex_of_parts", parts("real %x", "imag %x"), "x"),
    ("complex_of_parts", parts("real %x", "imag %y"), None),
    ("complex_of_parts", parts("real %y", "imag %x"), None),
    ("complex_of_parts", parts("imag %x", "real %x"), None),
    ("complex_of_parts", parts("real %x", "real %x"), None),
    ("constant_to_the_right", binary("add", "2", N, "%c, %x"), "add"),
    ("constant_to_the_right", binary("add", "2", N, "%x, %c"), None),
    ("constant_to_the_right", binary("add", "2", N, "%c, %c"), None),
    ("constant_to_the_right", binary("subtract", "2", N, "%c, %x"), None),
    ("constant_to_the_right", binary("maximum", "(1.0, 0.0)", C, "%c, %x"), None),
    ("select_between_equals", (f"%p = stablehlo.constant dense<[true, false, true, true]> : {B}; "
                               f"%r = stablehlo.select %p, %y, %y : {B}, {N}", N), "y"),
    *[
        ("select_by_constant", (f"%p = stablehlo.constant dense<{value}> : {B}; "
                                f"%r = stablehlo.select %p, %x, %y : {B}, {N}", N), found)
        for value, found in (("true", "x"), ("false", "y"), ("[true, false, true, true]", None))
    ],
    *[
        ("compare_with_itself", (f"%r = stablehlo.compare {direction}, %x, {other}{kind} : ({type_}, {type_}) -> {B}",
                                 type_, B), found)
        for direction in ("EQ", "NE", "GE", "GT", "LE", "LT")
        for other, kind, type_, found in (
            ("%x", "", N, "constant"), ("%y", "", N, None), ("%x", "", F, None), ("%x", ", TOTALORDER", F, "constant")
        )
    ],
]  # fmt: skip


@pytest.mark.parametrize(("pattern", "program", "found"), CASES)
def test_an_identity_holds_for_what_it_says(pattern: str, program: tuple[str, ...], found: str | None) -> None:
    lines, type_, result = (*program, program[1])[:3]
    assert returned(pattern, lines, type_, result) == found, lines


@pytest.mark.parametrize("optimize", [True, False])
@pytest.mark.parametrize(
    ("pattern", "op", "zero", "is_exact"),
    [
        ("add_zero_of_either_sign", "add", "0.0", False),
        ("add_zero_of_either_sign", "add", "-0.0", False),
        ("subtract_zero", "subtract", "0.0", True),
        ("subtract_zero", "subtract", "-0.0", False),
    ],
)
def test_zeros_of_the_wrong_sign_add_nothing_where_that_is_allowed(
    pattern: str, op: str, zero: str, is_exact: bool, optimize: bool
) -> None:
    lines, type_ = binary(op, zero, F)
    assert returned(pattern, lines, type_, F, optimize_float=optimize) == ("x" if optimize or is_exact else None)
    lines, type_ = binary(op, "1.0", F)
    assert returned(pattern, lines, type_, F, optimize_float=optimize) is None


HOLDS = {"EQ": True, "NE": False, "GE": True, "GT": False, "LE": True, "LT": False}


@pytest.mark.parametrize("direction", HOLDS)
def test_what_is_compared_with_itself_is_known(direction: str) -> None:
    text = f"""func.func @main(%x: {N}) -> {B} {{
      %r = stablehlo.compare {direction}, %x, %x : ({N}, {N}) -> {B}
      return %r : {B}
    }}"""
    module, _ = applied(text, "compare_with_itself")
    assert f"dense<{str(HOLDS[direction]).lower()}>" in str(module)


MIRRORED = {"EQ": "EQ", "NE": "NE", "GE": "LE", "GT": "LT", "LE": "GE", "LT": "GT"}


@pytest.mark.parametrize("direction", MIRRORED)
def test_a_comparison_is_mirrored_with_its_kind(direction: str) -> None:
    text = f"""func.func @main(%x: {F}) -> {B} {{
      %c = stablehlo.constant dense<2.0> : {F}
      %r = stablehlo.compare {direction}, %c, %x, TOTALORDER : ({F}, {F}) -> {B}
      return %r : {B}
    }}"""
    module, _ = applied(text, "compare_constant_to_the_right")
    assert f"{MIRRORED[direction]}, %arg0, %cst, TOTALORDER" in str(module)
