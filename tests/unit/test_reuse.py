"""Compiled plans let results take the place of arrays that die: no value may change that something still reads."""

import random
import tracemalloc

import numpy as np
import pytest

import stablehlo_py
from stablehlo_py.interpreter.fast import codegen

SIZE = 128  # of a side: 64 KiB a tensor
TYPE = f"tensor<{SIZE}x{SIZE}xf32>"
FIRST = f"tensor<1x{SIZE}xf32>"
ROW = f"tensor<{SIZE * SIZE}xf32>"


def loop_that_returns(name: str, first: str, last: str) -> str:
    """A loop of one round, which takes a value and returns another that it only looks at."""
    state = f"tensor<i32>, {TYPE}"
    return f"""
  {name}_zero = stablehlo.constant dense<0> : tensor<i32>
  {name}_one = stablehlo.constant dense<1> : tensor<i32>
  {name}:2 = stablehlo.while(%i = {name}_zero, %s = {first}) : {state}
    cond {{
      %c = stablehlo.compare LT, %i, {name}_one : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    }} do {{
      %n = stablehlo.add %i, {name}_one : tensor<i32>
      stablehlo.return %n, {last} : {state}
    }}"""


def loop_that_updates(name: str, updated: str, read: str) -> str:
    """A loop of five rounds, each of which writes a row of one value, and reads a row of it and of another."""
    state = f"tensor<i32>, {TYPE}, {TYPE}"
    return f"""
  {name}_zero = stablehlo.constant dense<0> : tensor<i32>
  {name}_one = stablehlo.constant dense<1> : tensor<i32>
  {name}_end = stablehlo.constant dense<5> : tensor<i32>
  {name}:3 = stablehlo.while(%i = {name}_zero, %s = {updated}, %t = {read}) : {state}
    cond {{
      %c = stablehlo.compare LT, %i, {name}_end : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    }} do {{
      %n = stablehlo.add %i, {name}_one : tensor<i32>
      %old = stablehlo.dynamic_slice %s, %i, {name}_zero, sizes = [1, {SIZE}] : (
        {TYPE}, tensor<i32>, tensor<i32>) -> {FIRST}
      %other = stablehlo.dynamic_slice %t, %n, {name}_zero, sizes = [1, {SIZE}] : (
        {TYPE}, tensor<i32>, tensor<i32>) -> {FIRST}
      %row = stablehlo.add %old, %other : {FIRST}
      %new = stablehlo.dynamic_update_slice %s, %row, %n, {name}_zero : (
        {TYPE}, {FIRST}, tensor<i32>, tensor<i32>) -> {TYPE}
      stablehlo.return %n, %new, %t : {state}
    }}"""


class _Program:
    """A random program: values are used again, looked at by views, caught by regions, handed to functions, returned."""

    def __init__(self, seed: int) -> None:
        self.draw = random.Random(seed)
        self.values = ["%x", "%y"]
        self.lines: list[str] = []

    def add(self, text: str) -> None:
        name = f"%v{len(self.values)}"
        self.lines.append(f"  {name} = {text}")
        self.values.append(name)

    def pick(self) -> str:
        """A value, mostly a late one, so that many die early."""
        return self.draw.choice(self.values[-3:] if self.draw.random() < 0.7 else self.values)

    def step(self) -> None:
        a, b = self.pick(), self.pick()
        kind = self.draw.randrange(14)
        if kind < 4:
            op = self.draw.choice(("add", "subtract", "multiply", "maximum", "negate", "sqrt", "divide"))
            self.add(f"stablehlo.{op} {a}{'' if op in ('negate', 'sqrt') else f', {b}'} : {TYPE}")
        elif kind == 4:
            row = f"%row{len(self.lines)}"
            self.lines.append(f"  {row} = stablehlo.reshape {a} : ({TYPE}) -> {ROW}")
            self.add(f"stablehlo.reshape {row} : ({ROW}) -> {TYPE}")
        elif kind == 5:
            self.add(f"stablehlo.transpose {a}, dims = [1, 0] : ({TYPE}) -> {TYPE}")
        elif kind == 6:
            self.add(
                f'"stablehlo.if"(%p) ({{ stablehlo.return {a} : {TYPE} }}, {{ %in = stablehlo.add {a}, {b} : {TYPE}\n'
                f"    stablehlo.return %in : {TYPE} }}) : (tensor<i1>) -> {TYPE}"
            )
        elif kind < 9:
            loop = f"%loop{len(self.lines)}"
            self.lines.append((loop_that_returns if kind == 7 else loop_that_updates)(loop, a, b))
            self.values.append(f"{loop}#1")
        elif kind < 11:
            part, at = f"%part{len(self.lines)}", f"%at{len(self.lines)}"
            self.lines.append(f"  {part} = stablehlo.slice {b} [3:4, 0:{SIZE}] : ({TYPE}) -> {FIRST}")
            self.lines.append(f"  {at} = stablehlo.constant dense<{self.draw.randrange(SIZE)}> : tensor<i32>")
            self.add(
                f"stablehlo.dynamic_update_slice {a}, {part}, {at}, {at} : "
                f"({TYPE}, {FIRST}, tensor<i32>, tensor<i32>) -> {TYPE}"
            )
        elif kind < 13:
            part, at = f"%part{len(self.lines)}", f"%at{len(self.lines)}"
            self.lines.append(f"  {part} = stablehlo.slice {b} [0:2, 0:{SIZE}] : ({TYPE}) -> tensor<2x{SIZE}xf32>")
            self.lines.append(f"  {at} = stablehlo.constant dense<[[5], [{self.draw.randrange(8)}]]> : tensor<2x1xi32>")
            self.add(
                f'"stablehlo.scatter"({a}, {at}, {part}) ({{\n  ^bb0(%l: tensor<f32>, %r: tensor<f32>):\n'
                "    %sum = stablehlo.add %l, %r : tensor<f32>\n    stablehlo.return %sum : tensor<f32>\n  }) "
                "{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], "
                "scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : "
                f"({TYPE}, tensor<2x1xi32>, tensor<2x{SIZE}xf32>) -> {TYPE}"
            )
        else:
            self.add(f"func.call @f({a}, {b}) : ({TYPE}, {TYPE}) -> {TYPE}")

    def text(self) -> str:
        for _ in range(14):
            self.step()
        results = [self.values[-1], *self.draw.sample(self.values, 2)]
        return (
            f"func.func @main(%x: {TYPE}, %y: {TYPE}, %p: tensor<i1>) -> ({TYPE}, {TYPE}, {TYPE}) {{\n"
            + "\n".join(self.lines)
            + f"\n  return {', '.join(results)} : {TYPE}, {TYPE}, {TYPE}\n}}\n"
            f"func.func private @f(%a: {TYPE}, %b: {TYPE}) -> {TYPE} {{\n"
            f"  %0 = stablehlo.multiply %a, %b : {TYPE}\n  %1 = stablehlo.add %0, %a : {TYPE}\n  return %1 : {TYPE}\n}}"
        )


@pytest.mark.parametrize("seed", range(80))
def test_each_run_gives_what_definitions_give(seed: int) -> None:
    text = _Program(seed).text()
    program = stablehlo_py.load(text)
    generator = np.random.default_rng(seed)
    x, y = (generator.normal(size=(SIZE, SIZE)).astype(np.float32) for _ in range(2))
    before = x.copy(), y.copy()
    with np.errstate(all="ignore"):
        arguments = [x, y, np.bool_(seed % 2)]
        right = stablehlo_py.interpret(stablehlo_py.parse(text), arguments, fast=False)
        kept = []
        for _ in range(3):
            kept.append(program(*arguments))
        for results in kept:  # no run may change what an earlier one returned
            for value, expected in zip(results, right, strict=True):
                different = (value.view(np.int32) != expected.view(np.int32)) & ~(np.isnan(value) & np.isnan(expected))
                assert not different.any()
    np.testing.assert_array_equal(x, before[0])
    np.testing.assert_array_equal(y, before[1])


def _peak_of_chain(monkeypatch: pytest.MonkeyPatch, least: int) -> int:
    """The bytes that the second run of a chain of additions takes at most."""
    monkeypatch.setattr(codegen, "_LEAST_REUSED", least)
    lines = [f"  %{index + 1} = stablehlo.add %{index}, %x : {TYPE}" for index in range(10)]
    text = "\n".join([f"  %0 = stablehlo.multiply %x, %x : {TYPE}", *lines])
    program = stablehlo_py.load(f"func.func @main(%x: {TYPE}) -> {TYPE} {{\n{text}\n  return %10 : {TYPE}\n}}")
    x = np.ones((SIZE, SIZE), np.float32)
    program(x)
    program(x)
    tracemalloc.start()
    try:
        program(x)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_a_chain_takes_one_array(monkeypatch: pytest.MonkeyPatch) -> None:
    one = SIZE * SIZE * 4
    assert _peak_of_chain(monkeypatch, codegen._LEAST_REUSED) < 1.5 * one
    assert _peak_of_chain(monkeypatch, 10 * one) > 1.9 * one


def test_what_a_loop_that_takes_other_values_returns_stays() -> None:
    """The loop empties a list of its first values, and returns a value that it only looks at, which is used later."""
    program = stablehlo_py.load(f"""func.func @main(%x: {TYPE}) -> ({TYPE}, {TYPE}) {{
  %a = stablehlo.add %x, %x : {TYPE}
  %b = stablehlo.multiply %x, %x : {TYPE}{loop_that_returns("%r", "%a", "%b")}
  %c = stablehlo.add %b, %x : {TYPE}
  return %r#1, %c : {TYPE}, {TYPE}
}}""")
    x = np.full((SIZE, SIZE), 3, np.float32)
    for _ in range(3):
        returned, later = program(x)
        assert returned[0, 0] == 9
        assert later[0, 0] == 12
