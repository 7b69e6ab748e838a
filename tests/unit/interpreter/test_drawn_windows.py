"""Drawn windows with strides, dilations and padding: accelerators give the bits of the definitions."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
import pytest
from bits import assert_same_bits
from test_edges_of_accelerators import programs

from stablehlo_py.bindings.types import element_type

ELEMENTS = ["f32", "f32", "bf16", "f64", "i8", "ui8", "i1", "i4"]


def tensor(shape: Sequence[int], element: str) -> str:
    return f"tensor<{''.join(f'{size}x' for size in shape)}{element}>"


def numbers(choose: random.Random, shape: Sequence[int], element: str) -> np.ndarray:
    special = [-0.0, 0.0, float("inf"), -float("inf"), 0.1, 0.7, 3.3] if element[0] in "fb" else []
    low = 0 if element[0] == "u" or element == "i1" else -3
    of = [*special, *range(low, 2 if element == "i1" else 4)]
    values = [choose.choice(of) for _ in range(int(np.prod(shape)))]
    return np.array(values, np.float64).astype(element_type(element).dtype).reshape(shape)


class Windows:
    """Windows of a shape, of which each dimension has at least one place if possible."""

    def __init__(self, choose: random.Random, rank: int, *, dilated: bool) -> None:
        self.shape = [choose.choice([1, 3, 4, 5]) for _ in range(rank)]
        self.sizes = [choose.choice([1, 2, 3]) for _ in range(rank)]
        self.strides = [choose.choice([1, 1, 2, 3]) for _ in range(rank)]
        self.base, self.apart = [[choose.choice([1, 1, 2]) if dilated else 1 for _ in range(rank)] for _ in range(2)]
        low = -1 if dilated else 0
        self.padding = [[choose.choice([0, 0, low, 1, 2]) for _ in range(2)] for _ in range(rank)]

    @property
    def result(self) -> list[int]:
        sizes = []
        for d, size in enumerate(self.shape):
            whole = max((size - 1) * self.base[d] + 1 + sum(self.padding[d]), 0)
            window = (self.sizes[d] - 1) * self.apart[d] + 1
            sizes.append((whole - window) // self.strides[d] + 1 if whole >= window else 0)
        return sizes

    def attributes(self, *, dilated: bool) -> str:
        lists = {"window_dimensions": self.sizes, "window_strides": self.strides}
        if dilated:
            lists |= {"base_dilations": self.base, "window_dilations": self.apart}
        texts = [f"{name} = array<i64: {', '.join(map(str, numbers))}>" for name, numbers in lists.items()]
        return ", ".join([*texts, f"padding = dense<{self.padding}> : tensor<{len(self.shape)}x2xi64>"])


def assert_agree(text: str, arguments: list[np.ndarray]) -> None:
    plain, fast = programs(text)
    expected = plain.run(arguments)
    for _ in range(2):
        for found, wanted in zip(fast.run(arguments), expected, strict=True):
            assert_same_bits(found, wanted, f"{arguments} by\n{text}")


@pytest.mark.parametrize("seed", range(6))
def test_reductions_of_windows(seed: int) -> None:
    choose = random.Random(seed)
    for _ in range(12):
        windows, element = Windows(choose, choose.choice([1, 2, 3]), dilated=True), choose.choice(ELEMENTS)
        is_float = element[0] in "fb"
        op = choose.choice(["maximum", "minimum", "add"] if is_float else ["maximum", "minimum", "and", "or", "xor"])
        types = tensor(windows.shape, element), tensor([], element), tensor(windows.result, element)
        text = f"""func.func @main(%x: {types[0]}, %i: {types[1]}) -> {types[2]} {{
  %r = "stablehlo.reduce_window"(%x, %i) ({{
    ^bb0(%a: {types[1]}, %b: {types[1]}):
      %c = stablehlo.{op} %a, %b : {types[1]}
      stablehlo.return %c : {types[1]}
  }}) {{{windows.attributes(dilated=True)}}} : ({types[0]}, {types[1]}) -> {types[2]}
  return %r : {types[2]}
}}"""
        assert_agree(text, [numbers(choose, windows.shape, element), numbers(choose, [], element)])


@pytest.mark.parametrize("seed", range(6))
def test_elements_chosen_of_windows(seed: int) -> None:
    choose = random.Random(seed)
    for _ in range(12):
        windows, element = Windows(choose, choose.choice([1, 2, 3]), dilated=False), choose.choice(ELEMENTS)
        scalar, whole, part = tensor([], element), tensor(windows.shape, element), tensor(windows.result, element)
        op = choose.choice(["maximum", "minimum", "add", "multiply"])
        body = choose.choice([(f"%c = stablehlo.{op} %a, %b : {scalar}", "%c"), ("", "%a"), ("", "%b")])
        direction = choose.choice(["GE", "GE", "LE", "GT", "LT", "EQ", "NE"])
        text = f"""func.func @main(%x: {whole}, %s: {part}, %i: {scalar}) -> {whole} {{
  %r = "stablehlo.select_and_scatter"(%x, %s, %i) ({{
    ^bb0(%a: {scalar}, %b: {scalar}):
      %c = stablehlo.compare {direction}, %a, %b : ({scalar}, {scalar}) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
  }}, {{
    ^bb0(%a: {scalar}, %b: {scalar}):
      {body[0]}
      stablehlo.return {body[1]} : {scalar}
  }}) {{{windows.attributes(dilated=False)}}} : ({whole}, {part}, {scalar}) -> {whole}
  return %r : {whole}
}}"""
        arguments = [numbers(choose, shape, element) for shape in (windows.shape, windows.result, [])]
        assert_agree(text, arguments)
