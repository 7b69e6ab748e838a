"""Drawn programs with loops, branches and calls, on numbers and on vectors of unknown sizes."""

from __future__ import annotations

import random
from itertools import count
from typing import Any

N, V = "tensor<i32>", "tensor<?xf32>"
CALLEES = ("@f", "@g")


class Writer:
    """Writes functions of a number, a vector and a truth value that return a number and a vector."""

    def __init__(self, seed: int) -> None:
        self.chance, self.names, self.lines = random.Random(seed), count(), list[str]()

    def new(self, text: str, *more: str) -> str:
        name = f"%v{next(self.names)}"
        self.lines += [f"{name} = {text}", *more]
        return name

    def function(self, head: str, callees: tuple[str, ...], length: int) -> str:
        self.lines = []
        n, v = self.block(["%n", "%m"], ["%x"], callees, length, 2)
        body = "\n  ".join(self.lines)
        head = f"{head}(%n: {N}, %m: {N}, %x: {V}, %p: tensor<i1>) -> ({N}, {V})"
        return f"{head} {{\n  {body}\n  return {n}, {v} : {N}, {V}\n}}"

    def block(
        self, numbers: list[str], vectors: list[str], callees: tuple[str, ...], length: int, depth: int
    ) -> tuple[str, str]:
        """Write statements, and return a number and a vector that are known behind them."""
        numbers, vectors = list(numbers), list(vectors)
        for _ in range(length):
            kinds = ["number", "number", "vector", "vector", "sum"]
            kinds += ["call"] * 2 * bool(callees) + ["branch", "loop", "loop"] * bool(depth)
            made = getattr(self, self.chance.choice(kinds))(numbers, vectors, callees, depth)
            for name, known in zip(made, (numbers, vectors), strict=True):
                known += [name] if name else []
        return self.chance.choice(numbers[-3:]), self.chance.choice(vectors[-3:])

    def number(self, numbers: list[str], vectors: list[str], *_: object) -> tuple[str, str]:
        kind = self.chance.choice(["size", "constant", "op"])
        if kind == "size":
            vector = self.chance.choice(vectors)
            return self.new(f"stablehlo.get_dimension_size {vector}, dim = 0 : ({V}) -> {N}"), ""
        if kind == "constant":
            return self.new(f"stablehlo.constant dense<{self.chance.randint(1, 3)}> : {N}"), ""
        op = self.chance.choice(["add", "minimum", "maximum", "minimum"])
        return self.new(f"stablehlo.{op} {self.chance.choice(numbers)}, {self.chance.choice(numbers)} : {N}"), ""

    def vector(self, numbers: list[str], vectors: list[str], *_: object) -> tuple[str, str]:
        if self.chance.random() < 0.3:
            parts = self.chance.choices(vectors, k=2)
            return "", self.new(f"stablehlo.concatenate {', '.join(parts)}, dim = 0 : ({V}, {V}) -> {V}")
        sizes = self.new(f"stablehlo.reshape {self.chance.choice(numbers)} : ({N}) -> tensor<1xi32>")
        return "", self.new(f"stablehlo.dynamic_iota {sizes}, dim = 0 : (tensor<1xi32>) -> {V}")

    def sum(self, numbers: list[str], vectors: list[str], *_: object) -> tuple[str, str]:
        """Two vectors that may have the same size: one is as long as the other, or nobody knows."""
        first = self.chance.choice(vectors)
        second = self.chance.choice([first, self.new(f"stablehlo.negate {first} : {V}"), self.chance.choice(vectors)])
        return "", self.new(f"stablehlo.add {first}, {second} : {V}")

    def call(self, numbers: list[str], vectors: list[str], callees: tuple[str, ...], depth: int) -> tuple[str, str]:
        given = [*self.chance.choices(numbers, k=2), self.chance.choice(vectors), "%p"]
        made = f"%v{next(self.names)}"
        callee = self.chance.choice(callees)
        self.lines.append(
            f"{made}:2 = func.call {callee}({', '.join(given)}) : ({N}, {N}, {V}, tensor<i1>) -> ({N}, {V})"
        )
        return f"{made}#0", f"{made}#1"

    def region(self, *given: Any) -> list[str]:
        """Write a block apart; its last line returns a number and a vector."""
        outer, self.lines = self.lines, []
        n, v = self.block(*given)
        made, self.lines = [*self.lines, f"stablehlo.return {n}, {v} : {N}, {V}"], outer
        return made

    def branch(self, numbers: list[str], vectors: list[str], callees: tuple[str, ...], depth: int) -> tuple[str, str]:
        made = f"%v{next(self.names)}"
        ways = [self.region(numbers, vectors, callees, self.chance.randint(0, 2), depth - 1) for _ in range(2)]
        texts = ["\n  ".join(lines) for lines in ways]
        self.lines.append(
            f'{made}:2 = "stablehlo.if"(%p) ({{\n  {texts[0]}\n}}, {{\n  {texts[1]}\n}}) : (tensor<i1>) -> ({N}, {V})'
        )
        return f"{made}#0", f"{made}#1"

    def loop(self, numbers: list[str], vectors: list[str], callees: tuple[str, ...], depth: int) -> tuple[str, str]:
        made, i, n, v, j, c = (f"%v{next(self.names)}" for _ in range(6))
        start = self.new(f"stablehlo.constant dense<0> : {N}")
        rounds = self.chance.choice(["%m", self.new(f"stablehlo.constant dense<{self.chance.randint(0, 2)}> : {N}")])
        one = self.new(f"stablehlo.constant dense<1> : {N}")
        first = self.chance.choice(numbers), self.chance.choice(vectors)
        body = self.region([*numbers, n, i], [*vectors, v, v], callees, self.chance.randint(0, 3), depth - 1)
        returned = body.pop().removeprefix("stablehlo.return ").partition(" : ")[0]
        inner = "\n  ".join(body)
        self.lines.append(
            f"{made}:3 = stablehlo.while({i} = {start}, {n} = {first[0]}, {v} = {first[1]}) : {N}, {N}, {V}\n"
            f"cond {{\n  {c} = stablehlo.compare LT, {i}, {rounds} : ({N}, {N}) -> tensor<i1>\n"
            f"  stablehlo.return {c} : tensor<i1>\n}} do {{\n  {inner}\n  {j} = stablehlo.add {i}, {one} : {N}\n"
            f"  stablehlo.return {j}, {returned} : {N}, {N}, {V}\n}}"
        )
        return f"{made}#1", f"{made}#2"


def program(seed: int, *, recursive: bool = False) -> str:
    """A program of three functions; with `recursive` two of them call each other and themselves."""
    writer, again = Writer(seed), CALLEES if recursive else ()
    return "\n".join(
        [
            writer.function("func.func @main", CALLEES, 6),
            writer.function("func.func private @f", again or CALLEES[1:], 3),
            writer.function(f"func.func {writer.chance.choice(['', 'private '])}@g", again, 3),
        ]
    )
