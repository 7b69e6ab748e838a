"""Accelerators at the edges of what they take on: the same bits as the definitions, also for zeros, NaN and ties."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np
import pytest
from parsed import parsed

from stablehlo_py.interpreter.fast.contiguous import major_to_minor
from stablehlo_py.interpreter.fast.fused_sums import add_products
from stablehlo_py.interpreter.program import Program, interpret
from stablehlo_py.interpreter.settings import Settings

REDUCTION = """func.func @main(%x: tensor<SHAPExTYPE>, %i: tensor<SHAPExINDEX>) -> (tensor<OUTTYPE>, tensor<OUTINDEX>) {
  %v = stablehlo.constant dense<INITIAL> : tensor<TYPE>
  %n = stablehlo.constant dense<0> : tensor<INDEX>
  %r:2 = stablehlo.reduce(%x init: %v), (%i init: %n) across dimensions = [0]
    : (tensor<SHAPExTYPE>, tensor<SHAPExINDEX>, tensor<TYPE>, tensor<INDEX>) -> (tensor<OUTTYPE>, tensor<OUTINDEX>)
    reducer(%a: tensor<TYPE>, %b: tensor<TYPE>) (%p: tensor<INDEX>, %q: tensor<INDEX>) {
      %wins = stablehlo.compare ORDER, %a, %b : (tensor<TYPE>, tensor<TYPE>) -> tensor<i1>
      %equal = stablehlo.compare EQ, %a, %b : (tensor<TYPE>, tensor<TYPE>) -> tensor<i1>
      %first = stablehlo.compare LT, %p, %q : (tensor<INDEX>, tensor<INDEX>) -> tensor<i1>
      %tie = stablehlo.and %equal, %first : tensor<i1>
      %left = stablehlo.or %wins, %tie : tensor<i1>
      %value = stablehlo.select VALUE, %a, %b : tensor<i1>, tensor<TYPE>
      %index = stablehlo.select %left, %p, %q : tensor<i1>, tensor<INDEX>
      stablehlo.return %value, %index : tensor<TYPE>, tensor<INDEX>
    }
  return %r#0, %r#1 : tensor<OUTTYPE>, tensor<OUTINDEX>
}"""
NAN = float("nan")


Bits = list[tuple[str, tuple[int, ...], bytes]]


def programs(text: str) -> list[Program]:
    """The program by definitions, and with accelerators."""
    module = parsed(text)
    return [Program(module, Settings(fast=fast)) for fast in (False, True)]


def both(ways: list[Program], *arguments: Any) -> list[Bits]:
    """The results of both, by their types, shapes and bits."""
    results = [map(np.asarray, way.run(arguments)) for way in ways]
    return [[(str(each.dtype), each.shape, each.tobytes()) for each in found] for found in results]


ROWS = (
    [-0.0, 0.0, -1],
    [0.0, -0.0, -1],
    [1, 0.0, -0.0],
    [1, NAN, 2],
    [NAN, 1, 1],
    [3, 3, 1],
    [1, 3, 3],
    [-np.inf, np.inf, 1],
)


@pytest.mark.parametrize(
    ("index", "order", "initial", "value"),
    [
        ("i32", "GT", "0xFF800000", "%wins"),
        ("i32", "GT", "0xFF800000", "%left"),
        ("i64", "LT", "0x7F800000", "%wins"),
        ("ui32", "LT", "0x7F800000", "%left"),
        ("i32", "GE", "0xFF800000", "%wins"),
        ("i32", "LE", "0.0", "%left"),
    ],
)
def test_the_index_of_an_extreme(index: str, order: str, initial: str, value: str) -> None:
    dtype = np.dtype({"i32": "i4", "i64": "i8", "ui32": "u4"}[index])
    text = REDUCTION.replace("SHAPE", "3").replace("OUT", "").replace("VALUE", value).replace("TYPE", "f32")
    ways = programs(text.replace("INDEX", index).replace("ORDER", order).replace("INITIAL", initial))
    for row in ROWS:
        for numbers in (*permutations(range(3)), [4, 4, 4], [0, 2, 2], [1, 1, 2]):
            plain, fast = both(ways, np.array(row, np.float32), np.array(numbers, dtype))
            assert plain == fast, (row, numbers)


@pytest.mark.parametrize("order", ["GT", "LT"])
def test_the_index_of_an_extreme_of_each_column(order: str) -> None:
    random = np.random.default_rng(0)
    text = REDUCTION.replace("SHAPE", "5x3").replace("OUT", "3x").replace("VALUE", "%wins").replace("TYPE", "i8")
    text = text.replace("INDEX", "i32").replace("ORDER", order).replace("INITIAL", "0")
    ways = programs(text)
    for _ in range(5):
        values = random.integers(-3, 3, (5, 3)).astype(np.int8)
        plain, fast = both(ways, values, np.repeat(np.arange(5, dtype=np.int32)[:, None], 3, axis=1))
        assert plain == fast, values


@pytest.mark.parametrize("order", ["GT", "GE", "LT", "LE", "EQ", "NE"])
@pytest.mark.parametrize("value", ["%wins", "%left", "%first", "%tie", "%equal"])
@pytest.mark.parametrize("index", ["%left", "%wins", "%first", "%tie"])
def test_bodies_that_choose_values_and_indices_by_any_comparison(index: str, value: str, order: str) -> None:
    text = REDUCTION.replace("SHAPE", "3x40").replace("OUT", "40x").replace("VALUE", value).replace("ORDER", order)
    text = text.replace("%index = stablehlo.select %left", f"%index = stablehlo.select {index}")
    text = text.replace("TYPE", "i32").replace("INDEX", "i32").replace("INITIAL", "0")
    random = np.random.default_rng(0)
    values = random.integers(-1, 2, (3, 40)).astype(np.int32)
    plain, fast = both(programs(text), values, np.arange(1, 4, dtype=np.int32)[:, None].repeat(40, axis=1))
    assert plain == fast


def test_the_index_of_an_extreme_of_nothing() -> None:
    text = REDUCTION.replace("SHAPE", "0x3").replace("OUT", "3x").replace("VALUE", "%wins").replace("ORDER", "GT")
    ways = programs(text.replace("TYPE", "i32").replace("INDEX", "i32").replace("INITIAL", "5"))
    plain, fast = both(ways, np.zeros((0, 3), np.int32), np.zeros((0, 3), np.int32))
    assert plain == fast


LIKE_AN_EXTREME = {
    "a difference": "%d = stablehlo.subtract %a, %b : T\n%wins = stablehlo.compare GT, %d, %v : (T, T) -> P",
    "sizes": "%d = stablehlo.abs %a : T\n%e = stablehlo.abs %b : T\n%wins = stablehlo.compare GT, %d, %e : (T, T) -> P",
    "at most 20": """%c = stablehlo.constant dense<20> : T
      %d = stablehlo.minimum %a, %c : T
      %e = stablehlo.minimum %b, %c : T
      %wins = stablehlo.compare GT, %d, %e : (T, T) -> P""",
    "a bound": """%c = stablehlo.constant dense<20> : T
      %more = stablehlo.compare GT, %a, %b : (T, T) -> P
      %less = stablehlo.compare LT, %a, %c : (T, T) -> P
      %wins = stablehlo.and %more, %less : P""",
    "a value and an index": """%more = stablehlo.compare GT, %a, %b : (T, T) -> P
      %less = stablehlo.compare LT, %a, %p : (T, T) -> P
      %wins = stablehlo.and %more, %less : P""",
    "squares": "%d = stablehlo.multiply %a, %a : T\n%wins = stablehlo.compare GT, %d, %b : (T, T) -> P",
    "the left one": "%wins = stablehlo.constant dense<true> : P",
    "the largest value and the last index": """%wins = stablehlo.compare GT, %a, %b : (T, T) -> P
      %p_ = stablehlo.maximum %p, %q : T""",
    "numbers without signs": """%d = stablehlo.bitcast_convert %a : (T) -> tensor<ui32>
      %e = stablehlo.bitcast_convert %b : (T) -> tensor<ui32>
      %wins = stablehlo.compare GT, %d, %e : (tensor<ui32>, tensor<ui32>) -> P""",
    "an extreme": "%wins = stablehlo.compare GT, %a, %b : (T, T) -> P",
}


@pytest.mark.parametrize("name", LIKE_AN_EXTREME)
def test_bodies_that_choose_the_larger_one_of_small_numbers(name: str) -> None:
    text = REDUCTION.replace("SHAPE", "6").replace("OUT", "").replace("VALUE", "%wins").replace("INITIAL", "0")
    start, end = text.index("      %wins"), text.index("      %equal")
    text = (
        text[:start]
        + LIKE_AN_EXTREME[name]
        .replace("T)", "tensor<i32>)")
        .replace("(T", "(tensor<i32>")
        .replace(": T", ": tensor<i32>")
        .replace("P", "tensor<i1>")
        + "\n"
        + text[end:]
    )
    if "%p_" in text:
        text = text.replace("return %value, %index", "return %value, %p_")
    ways, random = programs(text.replace("TYPE", "i32").replace("INDEX", "i32")), np.random.default_rng(0)
    for largest in (3, 60, 2**31 - 1):
        for _ in range(3):
            values = random.integers(-largest, largest, 6, endpoint=True).astype(np.int32)
            plain, fast = both(ways, values, np.arange(6, dtype=np.int32))
            assert plain == fast, values


def test_another_function_than_main_is_run() -> None:
    text = """func.func @main(%x: tensor<i32>) -> tensor<i32> { return %x : tensor<i32> }
    func.func @other(%x: tensor<i32>) -> tensor<i32> {
      %0 = stablehlo.negate %x : tensor<i32>
      return %0 : tensor<i32>
    }"""
    module = parsed(text)
    assert [int(each) for each in interpret(module, [np.int32(3)], function="other")] == [-3]
    assert [int(each) for each in interpret(module, [np.int32(3)])] == [3]


LOOP = """func.func @main(%n: tensor<i32>, %x: tensor<SIZExf32>) -> (tensor<i32>, tensor<SIZExf32>, tensor<SIZExf32>) {
  %z = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<STEP> : tensor<i32>
  %r:2 = stablehlo.while(%i = %z, %v = %x) : tensor<i32>, tensor<SIZExf32>
  cond {
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %0 = stablehlo.add %v, %x : tensor<SIZExf32>
    %1 = stablehlo.reverse %0, dims = [0] : tensor<SIZExf32>
    stablehlo.return %j, %1 : tensor<i32>, tensor<SIZExf32>
  }
  return %r#0, %r#1, %x : tensor<i32>, tensor<SIZExf32>, tensor<SIZExf32>
}"""


@pytest.mark.parametrize("size", [3, 40_000])
@pytest.mark.parametrize("rounds", [-1, 0, 1, 2, 5])
@pytest.mark.parametrize("step", [1, 2])
def test_loops_of_small_and_of_large_state(size: int, rounds: int, step: int) -> None:
    given = np.arange(size, dtype=np.float32)
    text = LOOP.replace("SIZE", str(size)).replace("STEP", str(step))
    plain, fast = both(programs(text), np.int32(rounds), given)
    assert plain == fast
    assert given.tolist() == list(range(size)), "the argument changed"
    assert plain[2][2] == given.tobytes()


@pytest.mark.parametrize(
    "shape", [(1, 2, 3, 9000), (1, 5, 4, 7000), (2, 7000, 3, 5), (3, 4, 5, 4), (1, 200, 2, 200), (2, 130, 3, 130)]
)
def test_products_are_added_for_each_part_of_a_large_result(shape: tuple[int, int, int, int]) -> None:
    batch, rows, contracted, columns = shape
    random = np.random.default_rng(rows)
    lhs = random.integers(-9, 9, (batch, rows, contracted)).astype(np.float32)
    rhs = random.integers(-9, 9, (batch, contracted, columns)).astype(np.float32)
    np.testing.assert_array_equal(add_products(lhs, rhs), lhs @ rhs)


LAYOUTS = [
    *[((600, 17), (1, 0)), ((600, 257), (1, 0)), ((17, 600), (1, 0)), ((2, 3), (1, 0)), ((0, 600), (1, 0))],
    *[((600,), (0,)), ((), ()), ((600, 1), (1, 0)), ((20, 30, 33), (2, 1, 0)), ((20, 30, 33), (2, 0, 1))],
    *[((20, 30, 33), (1, 2, 0)), ((33, 5, 60), (2, 1, 0)), ((7, 300, 2), (1, 2, 0)), ((300, 1, 65), (2, 1, 0))],
]


@pytest.mark.parametrize("dtype", ["i1", "i2", "f4", "f8", "c16"])
@pytest.mark.parametrize(("shape", "order"), LAYOUTS)
def test_a_copy_in_major_to_minor_order_has_the_same_elements(
    shape: tuple[int, ...], order: tuple[int, ...], dtype: str
) -> None:
    """Of every layout: turned, in steps, backwards, and repeated without memory of its own."""
    plain = np.random.default_rng(1).integers(1, 99, shape).astype(dtype).transpose(order)
    views = {"turned": plain, "backwards": plain[(slice(None, None, -1),) * plain.ndim]}
    if plain.ndim:
        views["in steps"] = plain[..., ::2]
        views["repeated"] = np.broadcast_to(plain[..., :1], plain.shape)
    for name, view in views.items():
        copy = major_to_minor(view)
        assert (copy.dtype, copy.shape) == (view.dtype, view.shape)
        assert np.array_equal(copy, view), f"the copy of an array that is {name} has other elements"
        assert copy.flags.c_contiguous, name
        assert copy.flags.owndata, name
        assert not np.shares_memory(copy, plain), name
