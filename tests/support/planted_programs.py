"""Programs in which every op matters to the result, with one op marked as wrong for `planted_engine`."""

from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np

TYPE = "tensor<4x4xf32>"
ROW = "tensor<4xf32>"
MAIN = f"func.func @main(%a: {TYPE}, %b: {TYPE}, %z: tensor<f32>) -> {TYPE}"
# A form of step: from its number, the value before it and the mark of the planted op to lines that define %v<number>.
# All values stay between -1 and 1 and never settle, as sin(3x) has no stable point.
Form = Callable[[int, str, str], list[str]]


def _sine(n: int, x: str, mark: str) -> list[str]:
    return [f"%m{n} = stablehlo.multiply {x}, %b : {TYPE}", f"%v{n} = stablehlo.sine %m{n}{mark} : {TYPE}"]


def _multiply(n: int, x: str, mark: str) -> list[str]:
    return [f"%m{n} = stablehlo.multiply {x}, %b{mark} : {TYPE}", f"%v{n} = stablehlo.sine %m{n} : {TYPE}"]


def _subtract(n: int, x: str, mark: str) -> list[str]:
    return [f"%m{n} = stablehlo.subtract {x}, %b{mark} : {TYPE}", f"%v{n} = stablehlo.sine %m{n} : {TYPE}"]


def _negate(n: int, x: str, mark: str) -> list[str]:
    return [f"%m{n} = stablehlo.negate {x}{mark} : {TYPE}",
            f"%s{n} = stablehlo.add %m{n}, %b : {TYPE}", f"%v{n} = stablehlo.sine %s{n} : {TYPE}"]  # fmt: skip


def _transpose(n: int, x: str, mark: str) -> list[str]:
    return [f"%v{n} = stablehlo.transpose {x}, dims = [1, 0]{mark} : ({TYPE}) -> {TYPE}"]


def _reverse(n: int, x: str, mark: str) -> list[str]:
    return [f"%v{n} = stablehlo.reverse {x}, dims = [0]{mark} : {TYPE}"]


def _dot(n: int, x: str, mark: str) -> list[str]:
    kind = f"({TYPE}, {TYPE}) -> {TYPE}"
    return [f"%m{n} = stablehlo.dot_general {x}, %b, contracting_dims = [1] x [0]{mark} : {kind}",
            f"%v{n} = stablehlo.sine %m{n} : {TYPE}"]  # fmt: skip


def _sum(n: int, x: str, outer: str = "", inner: str = "", spread: str = "") -> list[str]:
    attributes = f", {outer.strip(' {}')}" if outer else ""
    return [
        f'%r{n} = "stablehlo.reduce"({x}, %z) ({{',
        f"^bb0(%p{n}: tensor<f32>, %q{n}: tensor<f32>):",
        f"  %t{n} = stablehlo.add %p{n}, %q{n}{inner} : tensor<f32>",
        f"  stablehlo.return %t{n} : tensor<f32>",
        f"}}) {{dimensions = array<i64: 0>{attributes}}} : ({TYPE}, tensor<f32>) -> {ROW}",
        f"%s{n} = stablehlo.broadcast_in_dim %r{n}, dims = [1]{spread} : ({ROW}) -> {TYPE}",
        f"%u{n} = stablehlo.add %s{n}, {x} : {TYPE}",
        f"%v{n} = stablehlo.sine %u{n} : {TYPE}",
    ]


def _reduce(n: int, x: str, mark: str) -> list[str]:
    return _sum(n, x, outer=mark)


def _reduction(n: int, x: str, mark: str) -> list[str]:
    return _sum(n, x, inner=mark)


def _broadcast(n: int, x: str, mark: str) -> list[str]:
    return _sum(n, x, spread=mark)


def _loop(n: int, x: str, mark: str, outer: str = "", negation: str = "") -> list[str]:
    attributes = f" attributes {outer.strip()}" if outer else ""
    return [
        f"%i{n} = stablehlo.constant dense<0> : tensor<i32>",
        f"%w{n}:2 = stablehlo.while(%k = %i{n}, %y = {x}) : tensor<i32>, {TYPE}{attributes}",
        "cond {",
        "  %three = stablehlo.constant dense<3> : tensor<i32>",
        "  %p = stablehlo.compare LT, %k, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>",
        "  stablehlo.return %p : tensor<i1>",
        "} do {",
        "  %one = stablehlo.constant dense<1> : tensor<i32>",
        "  %next = stablehlo.add %k, %one : tensor<i32>",
        f"  %c = stablehlo.negate %y{negation} : {TYPE}",
        f"  %d = stablehlo.multiply %c, %b{mark} : {TYPE}",
        f"  %e = stablehlo.cosine %d : {TYPE}",
        f"  stablehlo.return %next, %e : tensor<i32>, {TYPE}",
        "}",
        f"%v{n} = stablehlo.subtract %w{n}#1, {x} : {TYPE}",
    ]


def _whole_loop(n: int, x: str, mark: str) -> list[str]:
    return _loop(n, x, "", outer=mark)


def _negation_in_loop(n: int, x: str, mark: str) -> list[str]:
    return [line.replace("cosine", "sine") for line in _loop(n, x, "", negation=mark)]


def _branch(n: int, x: str, mark: str) -> list[str]:
    return [
        f"%g{n} = stablehlo.constant dense<true> : tensor<i1>",
        f'%v{n} = "stablehlo.if"(%g{n}) ({{',
        f"  %c = stablehlo.multiply {x}, %b{mark} : {TYPE}",
        f"  %d = stablehlo.sine %c : {TYPE}",
        f"  stablehlo.return %d : {TYPE}",
        "}, {",
        f"  stablehlo.return {x} : {TYPE}",
        f"}}) : (tensor<i1>) -> {TYPE}",
    ]


# What can be planted: the error, and the form of the step that has it.
PLANTED: dict[str, tuple[str, Form]] = {
    "one ULP above tolerance: sine": ("few_ulp", _sine),
    "one ULP above tolerance: multiply": ("few_ulp", _multiply),
    "one ULP above tolerance, in a loop": ("few_ulp", _loop),
    "one ULP above tolerance, in a branch": ("few_ulp", _branch),
    "wrong axis: reduce": ("axis", _reduce),
    "wrong axis: broadcast_in_dim": ("axis", _broadcast),
    "wrong axis: transpose": ("axis", _transpose),
    "wrong axis: reverse": ("axis", _reverse),
    "dropped negation": ("dropped", _negate),
    "dropped negation, in a loop": ("dropped", _negation_in_loop),
    "wrong sign: dot_general": ("negated", _dot),
    "wrong sign, in a reduction": ("negated", _reduction),
    "wrong region results: reduce": ("region", _reduce),
    "wrong region results: while": ("region", _whole_loop),
}
_COMMON = (_sine, _multiply, _subtract, _negate, _transpose, _reverse, _dot)
_LARGE = (_reduce, _loop, _branch)  # one step in eight


def program(planted: str, ops: int, seed: int) -> str:
    """A program of at least `ops` ops in `main`, with one marked.

    Args:
        planted: One of `PLANTED`; empty for none.
        ops: How many ops.
        seed: Of the choice of the steps.
    """
    choose = random.Random(seed)
    error, form = PLANTED.get(planted, ("", _sine))
    at = choose.randrange(ops // 4, 3 * ops // 4) if planted else -1
    lines: list[str] = []
    count, previous, number = 0, "%a", 0
    while count < ops:
        mark = ""
        step = choose.choice(_LARGE if choose.random() < 1 / 8 else _COMMON)
        if 0 <= at <= count:
            step, mark, at = form, f' {{planted = "{error}"}}', -1
        made = step(number, previous, mark)
        lines += made
        count += sum(line.startswith("%") for line in made)
        previous, number = f"%v{number}", number + 1
    return "\n".join([f"{MAIN} {{", *lines, f"return {previous} : {TYPE}", "}"])


def arguments() -> list[np.ndarray]:
    """Arguments for every such program."""
    random = np.random.default_rng(0)
    return [random.uniform(-1, 1, (4, 4)).astype("f4"), random.uniform(2.6, 3.2, (4, 4)).astype("f4"), np.float32(0)]
