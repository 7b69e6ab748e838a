"""Programs whose values are updated in place where they die: none may change that something still reads.

They run by definitions, with updates in place, without, and with garbage in each array that is given up.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import numpy as np
from fuzzing import WrongError

import stablehlo_py
from stablehlo_py.interpreter.fast import codegen, indexing, plans, slicing
from stablehlo_py.interpreter.fast.ownership import owned

_SIZE = 6
_TYPE = f"tensor<{_SIZE}x{_SIZE}xf32>"
_FIRST = f"tensor<1x{_SIZE}xf32>"
_ROW = f"tensor<{_SIZE * _SIZE}xf32>"
_PAIR = f"tuple<{_TYPE}, {_TYPE}>"
_GARBAGE = 77
_MORE_THAN_SCALAR = 17
"""The bytes of an array that is no scalar of any type."""


class _Program:
    """A random program: values are used again, seen by views, captured by regions, passed to functions, returned."""

    def __init__(self, draw: random.Random) -> None:
        self.draw = draw
        self.values = ["%x", "%y"]
        self.lines: list[str] = []
        self.steps: list[Callable[[], None]] = [
            *[self.elementwise] * 4,
            *[self.update] * 3,
            *[self.scatter] * 2,
            *[self.loop] * 3,
            *[self.branch] * 2,
            *[self.call] * 2,
            *(self.view, self.constant, self.choice, self.barrier, self.pair, self.pad, self.sort, self.concatenate),
        ]

    def name(self, prefix: str) -> str:
        return f"%{prefix}{len(self.lines)}"

    def line(self, prefix: str, text: str) -> str:
        """Add an op, and return the name of its result."""
        name = self.name(prefix)
        self.lines.append(f"  {name} = {text}")
        return name

    def add(self, text: str) -> None:
        """Add an op whose result others may use."""
        self.values.append(self.line("v", text))

    def pick(self) -> str:
        """Return a value, mostly a late one, so that many die early."""
        return self.draw.choice(self.values[-3:] if self.draw.random() < 0.7 else self.values)

    def elementwise(self) -> None:
        op = self.draw.choice(("add", "subtract", "multiply", "maximum", "negate", "divide"))
        self.add(f"stablehlo.{op} {self.pick()}{'' if op == 'negate' else f', {self.pick()}'} : {_TYPE}")

    def view(self) -> None:
        kind, a = self.draw.randrange(3), self.pick()
        if kind == 0:
            row = self.line("row", f"stablehlo.reshape {a} : ({_TYPE}) -> {_ROW}")
            self.add(f"stablehlo.reshape {row} : ({_ROW}) -> {_TYPE}")
        elif kind == 1:
            self.add(f"stablehlo.transpose {a}, dims = [1, 0] : ({_TYPE}) -> {_TYPE}")
        else:
            self.add(f"stablehlo.reverse {a}, dims = [0] : {_TYPE}")

    def constant(self) -> None:
        self.add(f"stablehlo.constant dense<{self.draw.randrange(9)}.0> : {_TYPE}")

    def index(self) -> str:
        return self.line("at", f"stablehlo.constant dense<{self.draw.randrange(-1, _SIZE + 1)}> : tensor<i32>")

    def update(self) -> None:
        part = self.line("part", f"stablehlo.slice {self.pick()} [3:4, 0:{_SIZE}] : ({_TYPE}) -> {_FIRST}")
        at = self.index()
        self.add(_update(self.pick(), part, at))

    def scatter(self) -> None:
        rows = self.draw.choice((1, 2))
        part = self.line("part", f"stablehlo.slice {self.pick()} [0:{rows}, 0:{_SIZE}] : ({_TYPE}) -> {_rows(rows)}")
        places = ", ".join(f"[{self.draw.randrange(_SIZE + 1)}]" for _ in range(rows))
        at = self.line("at", f"stablehlo.constant dense<[{places}]> : tensor<{rows}x1xi32>")
        body, result = self.draw.choice((("%s = stablehlo.add %l, %r : tensor<f32>\n", "%s"), ("", "%r")))
        self.add(
            f'"stablehlo.scatter"({self.pick()}, {at}, {part}) ({{\n  ^bb0(%l: tensor<f32>, %r: tensor<f32>):\n'
            f"    {body}    stablehlo.return {result} : tensor<f32>\n  }}) "
            "{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], "
            "scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : "
            f"({_TYPE}, tensor<{rows}x1xi32>, {_rows(rows)}) -> {_TYPE}"
        )

    def loop(self) -> None:
        """A loop of some rounds that updates, exchanges or keeps two values, and may look at a third."""
        a, b, outside = self.pick(), self.pick(), self.pick()
        rounds = self.draw.choice((0, 1, 2, 5))
        end = self.line("end", f"stablehlo.constant dense<{rounds}> : tensor<i32>")
        returned = self.draw.choice(("%new, %t", "%t, %new", "%new, %s", "%new, %new", f"{outside}, %new", "%t, %s"))
        name, state = self.name("loop"), f"tensor<i32>, {_TYPE}, {_TYPE}"
        self.lines.append(f"""  {name}:3 = stablehlo.while(%i = %zero, %s = {a}, %t = {b}) : {state}
    cond {{
      %c = stablehlo.compare LT, %i, {end} : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    }} do {{
      %n = stablehlo.add %i, %one : tensor<i32>
      %old = {_row("%s", "%i")}
      %other = {_row(self.draw.choice(("%t", outside)), "%n")}
      %row = stablehlo.add %old, %other : {_FIRST}
      %new = {_update(self.draw.choice(("%s", "%s", "%t", outside)), "%row", "%n")}
      stablehlo.return %n, {returned} : {state}
    }}""")
        self.values += [f"{name}#1", f"{name}#2"]

    def branch(self) -> None:
        a, b = self.pick(), self.pick()
        changed = f"""%row = {_row(b, "%one")}
    %in = {_update(a, "%row", "%zero")}
    stablehlo.return %in : {_TYPE}"""
        regions = [changed, f"stablehlo.return {self.draw.choice((a, b))} : {_TYPE}"]
        self.draw.shuffle(regions)
        op, pred, type_ = self.draw.choice((("if", "%p", "i1"), ("case", "%one", "i32"), ("case", "%zero", "i32")))
        branches = ", ".join(f"{{ {region} }}" for region in regions)
        self.add(f'"stablehlo.{op}"({pred}) ({branches}) : (tensor<{type_}>) -> {_TYPE}')

    def call(self) -> None:
        function = self.draw.choice("fg")
        self.add(f"func.call @{function}({self.pick()}, {self.pick()}) : ({_TYPE}, {_TYPE}) -> {_TYPE}")

    def choice(self) -> None:
        self.add(f"stablehlo.select %p, {self.pick()}, {self.pick()} : tensor<i1>, {_TYPE}")

    def barrier(self) -> None:
        name = self.name("kept")
        operands = f"{self.pick()}, {self.pick()}"
        self.lines.append(f"  {name}:2 = stablehlo.optimization_barrier {operands} : {_TYPE}, {_TYPE}")
        self.values += [f"{name}#0", f"{name}#1"]

    def pair(self) -> None:
        pair = self.line("pair", f"stablehlo.tuple {self.pick()}, {self.pick()} : {_PAIR}")
        index = self.draw.randrange(2)
        self.add(f"stablehlo.get_tuple_element {pair}[{index}] : ({_PAIR}) -> {_TYPE}")

    def pad(self) -> None:
        low = self.draw.choice((-1, 0, 1))
        self.add(
            f"stablehlo.pad {self.pick()}, %half, low = [{low}, 0], high = [{-low}, 0], interior = [0, 0] : "
            f"({_TYPE}, tensor<f32>) -> {_TYPE}"
        )

    def sort(self) -> None:
        self.add(
            f'"stablehlo.sort"({self.pick()}) ({{\n  ^bb0(%l: tensor<f32>, %r: tensor<f32>):\n'
            "    %c = stablehlo.compare LT, %l, %r, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>\n"
            f"    stablehlo.return %c : tensor<i1>\n  }}) {{dimension = 0 : i64}} : ({_TYPE}) -> {_TYPE}"
        )

    def concatenate(self) -> None:
        a, b = self.pick(), self.pick()
        first = self.line("part", f"stablehlo.slice {a} [0:1, 0:{_SIZE}] : ({_TYPE}) -> {_FIRST}")
        rest = self.line("part", f"stablehlo.slice {b} [1:{_SIZE}, 0:{_SIZE}] : ({_TYPE}) -> {_rows(_SIZE - 1)}")
        self.add(f"stablehlo.concatenate {first}, {rest}, dim = 0 : ({_FIRST}, {_rows(_SIZE - 1)}) -> {_TYPE}")

    def text(self) -> str:
        for _ in range(self.draw.randint(3, 14)):
            self.draw.choice(self.steps)()
        results = [self.values[-1], *self.draw.sample(self.values, 2)]
        types = f"{_TYPE}, {_TYPE}, {_TYPE}"
        constants = [("%zero", "0", "i32"), ("%one", "1", "i32"), ("%half", "0.5", "f32")]
        head = [f"  {name} = stablehlo.constant dense<{value}> : tensor<{type_}>" for name, value, type_ in constants]
        return "\n".join(
            [
                f"func.func @main(%x: {_TYPE}, %y: {_TYPE}, %p: tensor<i1>) -> ({types}) {{",
                *(*head, *self.lines, f"  return {', '.join(results)} : {types}", "}"),
                f"func.func private @f(%a: {_TYPE}, %b: {_TYPE}) -> {_TYPE} {{",
                f"  %0 = stablehlo.multiply %a, %b : {_TYPE}\n  %1 = stablehlo.add %0, %a : {_TYPE}",
                f"  return %1 : {_TYPE}\n}}",
                f"func.func private @g(%a: {_TYPE}, %b: {_TYPE}) -> {_TYPE} {{",
                f"  %i = stablehlo.constant dense<2> : tensor<i32>\n  %r = {_row('%b', '%i')}",
                f"  %0 = {_update('%a', '%r', '%i')}\n  return %0 : {_TYPE}\n}}",
            ]
        )


def _rows(count: int) -> str:
    return f"tensor<{count}x{_SIZE}xf32>"


def _row(value: str, index: str) -> str:
    types = f"({_TYPE}, tensor<i32>, tensor<i32>) -> {_FIRST}"
    return f"stablehlo.dynamic_slice {value}, {index}, {index}, sizes = [1, {_SIZE}] : {types}"


def _update(value: str, row: str, index: str) -> str:
    types = f"({_TYPE}, {_FIRST}, tensor<i32>, tensor<i32>) -> {_TYPE}"
    return f"stablehlo.dynamic_update_slice {value}, {row}, {index}, {index} : {types}"


def draw_donated(generator: random.Random) -> bytes:
    """A program that updates values and uses old ones."""
    return _Program(generator).text().encode()


def _copied(operands: list[Any], index: int = 0) -> np.ndarray:
    value, operands[index] = operands[index], None
    return np.array(value, order="C")


def _garbled(operands: list[Any], index: int = 0) -> np.ndarray:
    """A copy of an operand, which becomes garbage where nothing else is thought to refer to it."""
    identity = id(operands[index])
    result = owned(operands, index)
    if id(result) != identity:
        return result
    copy = result.copy()
    result.fill(_GARBAGE)
    return copy


_reusing = codegen.Writer._reusing


def _not_reusing(_writer: Any, step: Any, operands: list[str], _results: list[str]) -> Any:
    return step.kernel, operands


def _garbling(writer: Any, step: Any, operands: list[str], results: list[str]) -> Any:
    kernel, arguments = _reusing(writer, step, operands, results)
    if len(arguments) == len(operands):
        return kernel, arguments

    def run(*values: Any, out: np.ndarray) -> Any:
        result = kernel(*values)
        out.fill(_GARBAGE)
        return result

    return run, arguments


WAYS = {"in place": (owned, _reusing), "copied": (_copied, _not_reusing), "garbage": (_garbled, _garbling)}
"""What becomes of arrays that die: `ownership.owned`, and `Writer._reusing`."""


@contextmanager
def donating(way: str) -> Generator[None]:
    """While this lasts, arrays of any size are donated and treated in one of `WAYS`."""
    take, reuse = WAYS[way]
    with (
        patch.object(indexing, "owned", take),
        patch.object(slicing, "owned", take),
        patch.object(codegen.Writer, "_reusing", reuse),
        patch.object(plans, "_LARGE", 0),
        patch.object(codegen, "_LEAST_REUSED", _MORE_THAN_SCALAR),
    ):
        yield


def judge_donated(case: bytes) -> str:
    """Each run gives what definitions give, and changes neither arguments nor results of earlier runs."""
    generator = np.random.default_rng(len(case))
    arguments = [*generator.normal(size=(2, _SIZE, _SIZE)).astype(np.float32), np.bool_(len(case) % 2)]
    before = [argument.copy() for argument in arguments]
    module = stablehlo_py.parse(case, trust_input=True)
    right = stablehlo_py.interpret(module, arguments, fast=False)
    for way in WAYS:
        with donating(way):
            program = stablehlo_py.load(module)
            runs = [program(*arguments) for _ in range(3)]
        for number, results in enumerate(runs):
            for index, (found, expected) in enumerate(zip(results, right, strict=True)):
                if not np.array_equal(found, expected, equal_nan=True):
                    raise WrongError(f"{way}: result {index} of run {number} is {found}, expected {expected}")
        for argument, kept in zip(arguments, before, strict=True):
            if not np.array_equal(argument, kept):
                raise WrongError(f"{way}: an argument has changed")
    return "the same"
