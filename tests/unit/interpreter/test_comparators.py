"""The keys of sorts: which comparators have some, and that sorting by them is sorting by the comparator."""

from __future__ import annotations

import itertools
from functools import cmp_to_key

import numpy as np
import pytest
from parsed import parsed

from stablehlo_py.bindings import ir
from stablehlo_py.interpreter.fast.comparators import Comparator
from stablehlo_py.interpreter.planner import Planner
from stablehlo_py.interpreter.program import Program
from stablehlo_py.interpreter.settings import Settings

VALUES = "%x: tensor<f32>, %y: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>"


def compare(name: str, direction: str, lhs: str, rhs: str, element: str = "f32", kind: str = "") -> str:
    pair = f"(tensor<{element}>, tensor<{element}>) -> tensor<i1>"
    return f"%{name} = stablehlo.compare {direction}, %{lhs}, %{rhs}{kind and ', ' + kind} : {pair}\n"


def both(op: str, suffix: str = "", of: str = "xy", to: str = "ab", result: str = "tensor<f32>") -> str:
    """The op applied to one value of each side."""
    return "".join(
        f"%{name} = stablehlo.{op} %{value}{suffix} : {result}\n" for name, value in zip(to, of, strict=True)
    )


def logic(name: str, op: str, *operands: str) -> str:
    types = "tensor<i1>" + (", tensor<i1>" if op == "select" else "")
    return f"%{name} = stablehlo.{op} {', '.join(f'%{operand}' for operand in operands)} : {types}\n"


def constant(name: str, value: str) -> str:
    return f"%{name} = stablehlo.constant dense<{value}> : tensor<f32>\n"


LESS, EQUAL = compare("l", "LT", "x", "y"), compare("e", "EQ", "x", "y")
REST = compare("r", "GT", "i", "j", "i32")
PRECISION = "%a = stablehlo.reduce_precision %x, format = e8m{0} : tensor<f32>\n"
PRECISION += "%b = stablehlo.reduce_precision %y, format = e8m{1} : tensor<f32>\n"
CONVERTED = "".join(
    f"%{name}{element} = stablehlo.convert %{name} : (tensor<f32>) -> tensor<{element}>\n"
    f"%{result} = stablehlo.convert %{name}{element} : (tensor<{element}>) -> tensor<f32>\n"
    for name, element, result in (("x", "f16", "a"), ("y", "bf16", "b"))
)
# The lines of a comparator that returns %p, and the directions of its keys.
WITH_KEYS = {
    "ascending": (compare("p", "LT", "x", "y"), ["LT"]),
    "descending": (compare("p", "GT", "x", "y"), ["GT"]),
    "ascending, turned round": (compare("p", "GT", "y", "x"), ["LT"]),
    "descending, turned round": (compare("p", "LT", "y", "x"), ["GT"]),
    "of the second operand": (compare("p", "LT", "i", "j", "i32"), ["LT"]),
    "of the second operand, turned round": (compare("p", "LT", "j", "i", "i32"), ["GT"]),
    "a function": (both("sine") + compare("p", "LT", "a", "b"), ["LT"]),
    "a function of a constant": (
        constant("c", "2.0") + both("remainder", ", %c") + compare("p", "GT", "a", "b"),
        ["GT"],
    ),
    "a function of equal constants": (
        constant("c", "2.0")
        + constant("d", "2.0")
        + both("remainder", ", %c", "x", "a")
        + both("remainder", ", %d", "y", "b")
        + compare("p", "GT", "a", "b"),
        ["GT"],
    ),
    "an option that is the same": (PRECISION.format(2, 2) + compare("p", "LT", "a", "b"), ["LT"]),
    "two keys": (LESS + EQUAL + REST + logic("n", "and", "e", "r") + logic("p", "or", "l", "n"), ["LT", "GT"]),
    "two keys, in another order": (
        LESS + EQUAL + REST + logic("n", "and", "r", "e") + logic("p", "or", "n", "l"),
        ["LT", "GT"],
    ),
    "two keys by select": (LESS + EQUAL + REST + logic("p", "select", "e", "r", "l"), ["LT", "GT"]),
    "two keys by select of unequal": (
        LESS + compare("e", "NE", "y", "x") + REST + logic("p", "select", "e", "l", "r"),
        ["LT", "GT"],
    ),
    "two total orders": (
        compare("l", "LT", "x", "y", "f32", "TOTALORDER")
        + compare("e", "EQ", "x", "y", "f32", "TOTALORDER")
        + REST
        + logic("p", "select", "e", "r", "l"),
        ["LT", "GT"],
    ),
}
WITHOUT_KEYS = {
    "not strict": compare("p", "LE", "x", "y"),
    "not strict, turned round": compare("p", "LE", "y", "x"),
    "equal": compare("p", "EQ", "x", "y"),
    "conversions by other types": CONVERTED + compare("p", "LT", "a", "b"),
    "one side alone": compare("p", "LT", "x", "x"),
    "no side": constant("c", "1.0") + constant("d", "1.0") + compare("p", "LT", "c", "d"),
    "a side and a constant": constant("c", "1.0") + compare("p", "LT", "x", "c"),
    "the sum of both sides": both("add", ", %y", "x", "a")
    + both("add", ", %x", "y", "b")
    + compare("p", "LT", "a", "b"),
    "two functions": both("sine", "", "x", "a") + both("cosine", "", "y", "b") + compare("p", "LT", "a", "b"),
    "a function of one side": both("sine", "", "x", "a") + compare("p", "LT", "a", "y"),
    "two options": PRECISION.format(2, 3) + compare("p", "LT", "a", "b"),
    "two constants": constant("c", "2.0")
    + constant("d", "3.0")
    + both("remainder", ", %c", "x", "a")
    + both("remainder", ", %d", "y", "b")
    + compare("p", "LT", "a", "b"),
    "operands in another order": constant("c", "2.0")
    + both("subtract", ", %c", "x", "a")
    + "%b = stablehlo.subtract %c, %y : tensor<f32>\n"
    + compare("p", "LT", "a", "b"),
    "or of other logic": LESS + REST + logic("p", "or", "l", "r"),
    "or of xor": LESS + EQUAL + REST + logic("n", "xor", "e", "r") + logic("p", "or", "l", "n"),
    "and of other logic": LESS
    + EQUAL
    + REST
    + logic("m", "or", "e", "r")
    + logic("n", "and", "m", "r")
    + logic("p", "or", "l", "n"),
    "xor": LESS + EQUAL + REST + logic("n", "and", "e", "r") + logic("p", "xor", "l", "n"),
    "equality of another key": LESS
    + compare("e", "EQ", "i", "j", "i32")
    + REST
    + logic("n", "and", "e", "r")
    + logic("p", "or", "l", "n"),
    "equality of a function of the key": LESS
    + both("sign")
    + compare("e", "EQ", "a", "b")
    + REST
    + logic("p", "select", "e", "r", "l"),
    "select the wrong way round": LESS + EQUAL + REST + logic("p", "select", "e", "l", "r"),
    "select of unequal the wrong way round": LESS
    + compare("e", "NE", "x", "y")
    + REST
    + logic("p", "select", "e", "r", "l"),
    "a total order and another": compare("l", "LT", "x", "y", "f32", "TOTALORDER")
    + EQUAL
    + REST
    + logic("p", "select", "e", "r", "l"),
    "a first key that is not strict": compare("l", "LE", "x", "y") + EQUAL + REST + logic("p", "select", "e", "r", "l"),
    "a rest without keys": LESS + EQUAL + compare("r", "NE", "i", "j", "i32") + logic("p", "select", "e", "r", "l"),
}
ALL = {name: lines for name, (lines, _) in WITH_KEYS.items()} | WITHOUT_KEYS


def module(text: str) -> ir.Module:
    return parsed(text)


def keys_of(lines: str) -> list[str] | None:
    text = f"func.func @less({VALUES}) -> tensor<i1> {{\n{lines}return %p : tensor<i1>\n}}"
    body, _ = Planner(module(text).operation, Settings()).body("less")
    keys = Comparator(body.plan, 0).keys()
    return None if keys is None else [key.direction for key in keys]


@pytest.mark.parametrize("lines", ["", logic("p", "or", "l", "m"), logic("p", "select", "m", "l", "l")])
def test_comparators_of_truth_values_that_are_arguments(lines: str) -> None:
    argument = "%m: tensor<i1>, %n: tensor<i1>" if lines else "%p: tensor<i1>, %q: tensor<i1>"
    text = f"func.func @less({argument}, {VALUES}) -> tensor<i1> {{\n{LESS}{lines}return %p : tensor<i1>\n}}"
    body, _ = Planner(module(text).operation, Settings()).body("less")
    assert Comparator(body.plan, 0).keys() is None


@pytest.mark.parametrize("name", WITH_KEYS)
def test_comparators_with_keys(name: str) -> None:
    lines, directions = WITH_KEYS[name]
    assert keys_of(lines) == directions


@pytest.mark.parametrize("name", WITHOUT_KEYS)
def test_comparators_without_keys(name: str) -> None:
    assert keys_of(WITHOUT_KEYS[name]) is None


NUMBERS = np.array([3, -0.0, 1, 0.0, -2, 1.125, 3, 1, -1.0, 0.0, 1.125, -2], np.float32)
INDICES = np.array([5, 1, 2, 7, 4, 4, 0, 2, 9, -3, 4, 3], np.int32)
SORT = f"""func.func @main(%v: tensor<12xf32>, %w: tensor<12xi32>, %c1: tensor<f32>, %c2: tensor<f32>)
    -> (tensor<12xf32>, tensor<12xi32>) {{
  %r:2 = "stablehlo.sort"(%v, %w) ({{^bb0({VALUES}):
    LINES
    stablehlo.return %p : tensor<i1>
  }}) {{dimension = 0 : i64, is_stable = true}} : (tensor<12xf32>, tensor<12xi32>) -> (tensor<12xf32>, tensor<12xi32>)
  return %r#0, %r#1 : tensor<12xf32>, tensor<12xi32>
}}"""


def sorted_both_ways(lines: str, one: float = 2, other: float = 2) -> list[bytes]:
    arguments = [NUMBERS, INDICES, np.float32(one), np.float32(other)]
    found = []
    for fast in (True, False):
        results = Program(module(SORT.replace("LINES", lines)), Settings(fast=fast)).run(arguments)
        found.append(b"".join(np.asarray(result).tobytes() for result in results))
    return found


@pytest.mark.parametrize("name", ALL)
def test_sorts_by_keys_are_those_by_the_comparator(name: str) -> None:
    by_keys, by_comparator = sorted_both_ways(ALL[name])
    assert by_keys == by_comparator, f"sorted by keys: {by_keys.hex()}\nby the comparator: {by_comparator.hex()}"


@pytest.mark.parametrize(("first", "second"), list(itertools.product(["c1", "c2", "x", "y"], repeat=2)))
def test_captured_values_and_arguments_are_told_apart(first: str, second: str) -> None:
    lines = both("subtract", f", %{first}", "x", "a") + both("subtract", f", %{second}", "y", "b")
    by_keys, by_comparator = sorted_both_ways(lines + compare("p", "LT", "a", "b"), 0.5, 2.5)
    assert by_keys == by_comparator, f"x - {first} < y - {second}: {by_keys.hex()}, expected {by_comparator.hex()}"


@pytest.mark.parametrize(("direction", "sign"), [("LT", 1), ("GT", -1)])
@pytest.mark.parametrize("element", ["i1", "i4", "ui4", "i8", "ui8", "i64", "ui64", "bf16", "f8E5M2", "f64"])
def test_keys_of_every_kind_of_element(element: str, direction: str, sign: int) -> None:
    type_, size = f"tensor<9x{element}>", 9
    value = f"tensor<{element}>"
    text = f"""func.func @main(%v: {type_}) -> {type_} {{
      %r = "stablehlo.sort"(%v) ({{^bb0(%x: {value}, %y: {value}):
        {compare("p", direction, "x", "y", element)} stablehlo.return %p : tensor<i1>
      }}) {{dimension = 0 : i64, is_stable = true}} : ({type_}) -> {type_}
      return %r : {type_}
    }}"""
    program = Program(module(text))
    dtype = program.parameter_types()[0].dtype
    values = (
        (np.arange(size) * 5 % 7).astype(dtype)
        if "u" in element or element == "i1"
        else (np.arange(size) * 5 % 7 - 3).astype(dtype)
    )
    plain = sorted(values.astype(np.float64).tolist(), key=cmp_to_key(lambda a, b: sign * ((a > b) - (a < b))))
    assert program.run([values])[0].astype(np.float64).tolist() == plain
