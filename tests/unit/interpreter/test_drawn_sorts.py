"""Drawn sorts whose comparators may have keys: they give the order of the definition, bit by bit."""

from __future__ import annotations

import random

import numpy as np
import pytest
from bits import assert_same_bits
from test_edges_of_accelerators import programs

from stablehlo_py.bindings.types import element_type

TYPES = ["f32", "bf16", "f64", "f8E5M2", "i8", "ui8", "i64", "i1", "i4", "ui4"]
INVERSE = {"LT": "GT", "GT": "LT", "EQ": "EQ", "NE": "NE"}


class Comparator:
    """Lines that compute whether the left values come before the right ones."""

    def __init__(self, choose: random.Random, elements: list[str]) -> None:
        self.choose, self.elements, self.lines = choose, elements, list[str]()

    def name(self, text: str) -> str:
        self.lines.append(f"%v{len(self.lines)} = stablehlo.{text}")
        return f"%v{len(self.lines) - 1}"

    def key(self, number: int) -> tuple[str, str, str]:
        """The same expression of both sides, and its element type."""
        element = self.elements[number]
        sides, kind = [f"%a{number}", f"%b{number}"], self.choose.randrange(6)
        if kind == 0 and element[0] in "fb":
            op = self.choose.choice(["negate", "abs", "floor"])
            sides = [self.name(f"{op} {side} : tensor<{element}>") for side in sides]
        elif kind == 1:
            target = self.choose.choice(["f32", "i32"])
            sides = [self.name(f"convert {side} : (tensor<{element}>) -> tensor<{target}>") for side in sides]
            element = target
        elif kind == 2:
            op = "xor" if element == "i1" else "subtract"
            sides = [self.name(f"{op} {side}, %s{number} : tensor<{element}>") for side in sides]
        elif kind == 3:  # by a truth of outside the same constant for all
            sides = [self.name(f"select %t, {side}, %s{number} : tensor<i1>, tensor<{element}>") for side in sides]
        return *sides, element

    def compare(self, direction: str, left: str, right: str, element: str, order: str) -> str:
        if self.choose.random() < 0.4:
            left, right, direction = right, left, INVERSE[direction]
        return self.name(
            f"compare {direction}, {left}, {right}{order} : (tensor<{element}>, tensor<{element}>) -> tensor<i1>"
        )

    def less(self, numbers: list[int]) -> str:
        """Whether the first key is less, or equal and the rest is."""
        left, right, element = self.key(numbers[0])
        order = ", TOTALORDER" if element[0] in "fb" and self.choose.random() < 0.5 else ""
        less = self.compare(self.choose.choice(["LT", "GT"]), left, right, element, order)
        if len(numbers) == 1:
            return less
        form = self.choose.randrange(3)
        equal = self.compare("NE" if form == 2 else "EQ", left, right, element, order)
        rest = self.less(numbers[1:])
        if form == 0:
            both = self.name(f"and {', '.join(self.choose.sample([equal, rest], 2))} : tensor<i1>")
            return self.name(f"or {', '.join(self.choose.sample([less, both], 2))} : tensor<i1>")
        branches = [rest, less] if form == 1 else [less, rest]
        return self.name(f"select {equal}, {', '.join(branches)} : tensor<i1>, tensor<i1>")


def values(choose: random.Random, element: str, shape: tuple[int, ...]) -> np.ndarray:
    special = [-0.0, 0.0, float("inf"), -float("inf"), 0.5] if element[0] in "fb" else []
    special += [1e30, 2e30] if element in ("f32", "f64", "bf16") else []
    low = 0 if element[0] == "u" or element == "i1" else -2
    chosen = [choose.choice([*special, *range(low, 2 if element == "i1" else 5)]) for _ in range(int(np.prod(shape)))]
    return np.array(chosen, np.float64).astype(element_type(element).dtype).reshape(shape)


@pytest.mark.parametrize("seed", range(10))
def test_sorts(seed: int) -> None:
    choose = random.Random(seed)
    for _ in range(10):
        count = choose.choice([1, 2, 3])
        elements = [choose.choice(TYPES) for _ in range(count)]
        shape = choose.choice([(9,), (4, 6), (7, 3), (2, 5, 3), (1, 4), (0, 3), (3, 0)])
        comparator = Comparator(choose, elements)
        result = comparator.less(choose.sample(range(count), choose.randint(1, count)))
        types = [f"tensor<{''.join(f'{size}x' for size in shape)}{element}>" for element in elements]
        parameters = [*[f"%x{n}: {type_}" for n, type_ in enumerate(types)]]
        parameters += [*[f"%s{n}: tensor<{element}>" for n, element in enumerate(elements)], "%t: tensor<i1>"]
        inner = [f"%{side}{n}: tensor<{element}>" for n, element in enumerate(elements) for side in "ab"]
        body = "\n      ".join(comparator.lines)
        text = f"""func.func @main({", ".join(parameters)}) -> ({", ".join(types)}) {{
  %r{f":{count}" if count > 1 else ""} = "stablehlo.sort"({", ".join(f"%x{n}" for n in range(count))}) ({{
    ^bb0({", ".join(inner)}):
      {body}
      stablehlo.return {result} : tensor<i1>
  }}) {{dimension = {choose.randrange(len(shape))} : i64, is_stable = true}}
    : ({", ".join(types)}) -> ({", ".join(types)})
  return {", ".join(f"%r#{n}" if count > 1 else "%r" for n in range(count))} : {", ".join(types)}
}}"""
        arguments = [values(choose, element, shape) for element in elements]
        arguments += [*[np.array(1).astype(element_type(e).dtype) for e in elements], np.array(choose.random() < 0.5)]
        plain, fast = programs(text)
        expected = plain.run(arguments)
        for _ in range(2):
            for found, wanted in zip(fast.run(arguments), expected, strict=True):
                assert_same_bits(found, wanted, f"{arguments} sorted by\n{text}")


@pytest.mark.parametrize("direction", ["LT", "GT"])
@pytest.mark.parametrize("element", ["f16", "bf16", "f32", "f64", "f8E5M2", "f8E4M3FN"])
def test_total_orders_of_all_bits(element: str, direction: str) -> None:
    """With NaN of both signs and all payloads."""
    dtype = element_type(element).dtype
    bits = np.random.default_rng(0).integers(0, 1 << 8 * dtype.itemsize, 60, f"u{dtype.itemsize}")
    special = np.array([np.nan, -np.nan, 0.0, -0.0, 1, -1]).astype(dtype)
    given = np.concatenate([bits.view(dtype), special, special])
    text = f"""func.func @main(%x: tensor<72x{element}>) -> (tensor<72x{element}>, tensor<72xi32>) {{
  %i = stablehlo.iota dim = 0 : tensor<72xi32>
  %r:2 = "stablehlo.sort"(%x, %i) ({{
    ^bb0(%a: tensor<{element}>, %b: tensor<{element}>, %p: tensor<i32>, %q: tensor<i32>):
      %c = stablehlo.compare {direction}, %a, %b, TOTALORDER : (tensor<{element}>, tensor<{element}>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
  }}) {{dimension = 0 : i64, is_stable = true}}
    : (tensor<72x{element}>, tensor<72xi32>) -> (tensor<72x{element}>, tensor<72xi32>)
  return %r#0, %r#1 : tensor<72x{element}>, tensor<72xi32>
}}"""
    plain, fast = programs(text)
    for found, wanted in zip(fast.run([given]), plain.run([given]), strict=True):
        assert_same_bits(found, wanted, text)
