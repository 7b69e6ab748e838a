"""Numbers and conditions of sizes that refinement writes into a program are computed there as Python computes them."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from stablehlo_py.bindings import ir, make_context
from stablehlo_py.bindings.build import create, refresh_type
from stablehlo_py.bindings.walk import body_of, functions, terminator_of
from stablehlo_py.interpreter.program import Program
from stablehlo_py.shapes.evaluation.conditions import both, choose, compare, either, negate, replace
from stablehlo_py.shapes.evaluation.evaluator import Evaluator
from stablehlo_py.shapes.evaluation.symbols import Expression, Symbol, interval, maximum, minimum, symbol
from stablehlo_py.shapes.refinement.guards import ProgramAlgebra
from stablehlo_py.shapes.refinement.symbol_writing import NotExpressibleError, SymbolWriter
from stablehlo_py.shapes.refinement.value_facts import ValueFacts

Drawn = tuple[Any, Callable[[int, int], Any]]
"""A number or a condition of two sizes, and the same in Python."""
N, M = symbol("size", "arg0[0]", 0), symbol("size", "arg0[1]", 0)
SIZES = [(0, 0), (0, 1), (1, 0), (1, 1), (2, 3), (3, 2), (4, 4), (7, 5), (5, 12)]
PREDICATES: dict[str, Callable[[int, int], bool]] = {
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "slt": lambda a, b: a < b,
    "sle": lambda a, b: a <= b,
    "sgt": lambda a, b: a > b,
    "sge": lambda a, b: a >= b,
}


def number(chance: random.Random, depth: int) -> Drawn:
    kind = chance.randrange(9 if depth else 3)
    if kind == 0:
        return N, lambda n, m: n
    if kind == 1:
        return M, lambda n, m: m
    if kind == 2:
        constant = chance.randint(-4, 5)
        return constant, lambda n, m: constant
    (a, f), (b, g) = number(chance, depth - 1), number(chance, depth - 1)
    if kind == 3:
        return a + b, lambda n, m: f(n, m) + g(n, m)
    if kind == 4:
        return a - b, lambda n, m: f(n, m) - g(n, m)
    if kind == 5:
        return a * b, lambda n, m: f(n, m) * g(n, m)
    if kind == 6:
        divisor, h = chance.choice([*[(each, lambda n, m, each=each: each) for each in (1, 2, 3, 5)],
                                    (N + 1, lambda n, m: n + 1), (M + 2, lambda n, m: m + 2)])  # fmt: skip
        return a // divisor, lambda n, m: f(n, m) // h(n, m)
    if kind == 7:
        condition, h = truth(chance, depth - 1)
        return choose(condition, a, b), lambda n, m: f(n, m) if h(n, m) else g(n, m)
    extreme, python = chance.choice([(minimum, min), (maximum, max)])
    return extreme(a, b), lambda n, m: python(f(n, m), g(n, m))


def truth(chance: random.Random, depth: int) -> Drawn:
    kind = chance.randrange(4 if depth else 1)
    if kind == 0:
        (a, f), (b, g) = number(chance, depth), number(chance, depth)
        name = chance.choice([*PREDICATES])
        return compare(name, a, b), lambda n, m: PREDICATES[name](f(n, m), g(n, m))
    first, f = truth(chance, depth - 1)
    if kind == 1:
        return negate(first), lambda n, m: not f(n, m)
    second, g = truth(chance, depth - 1)
    if kind == 2:
        return both(first, second), lambda n, m: f(n, m) and g(n, m)
    return either(first, second), lambda n, m: f(n, m) or g(n, m)


def written(values: list[Any]) -> tuple[Program, str]:
    """A program of a tensor with both sizes that returns the values."""
    with make_context(), ir.Location.unknown():
        module = ir.Module.parse("func.func @main(%x: tensor<?x?xi1>) { return }")
        function = functions(module.operation)["main"]
        old = terminator_of(body_of(function))
        facts = ValueFacts(function="main")
        assert facts.sizes(body_of(function).arguments[0]) == (N, M)
        writer = SymbolWriter(ProgramAlgebra(old, {}), facts, old)
        is_truth = [isinstance(value, bool) or hasattr(value, "parts") for value in values]
        made = [writer.condition(value) if true else writer.number(value)
                for value, true in zip(values, is_truth, strict=True)]  # fmt: skip
        create("func.return", made, [], at=ir.InsertionPoint(old), location=old.location)
        old.erase()
        refresh_type(function)
        assert module.operation.verify()
        return Program(module), str(module)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("draw", [number, truth])
def test_what_is_written_is_what_python_computes(draw: Callable[[random.Random, int], Drawn], seed: int) -> None:
    chance = random.Random(f"{draw.__name__} {seed}")
    drawn = [draw(chance, chance.randint(0, 3)) for _ in range(30)]
    program, text = written([value for value, _ in drawn])
    for n, m in SIZES:
        results = [np.asarray(each).item() for each in program.run([np.zeros((n, m), np.bool_)])]
        for (value, python), found in zip(drawn, results, strict=True):
            assert found == python(n, m), f"{value} of {n} and {m}\n{text}"
            known = {next(N.symbols()): n, next(M.symbols()): m}
            if " if " not in str(value):  # what a condition chooses is not decided later
                assert replace(value, known) == found, f"{value} of {n} and {m}"


def test_numbers_are_within_their_bounds() -> None:
    for seed in range(400):
        chance = random.Random(seed)
        value, python = number(chance, 2)
        low, high = interval(value)
        numbers = [python(n, m) for n, m in SIZES]
        assert low is None or low <= min(numbers), (seed, value, numbers)
        assert high is None or max(numbers) <= high, (seed, value, numbers)


def test_two_unknown_values_are_never_the_same() -> None:
    environment: Any = None
    evaluator = Evaluator(environment)
    first, second = evaluator.unknown("index"), evaluator.unknown("index")
    assert not isinstance(compare("eq", first, second), bool)
    assert compare("eq", first, first) is True
    truths = [evaluator.unknown("i1") for _ in range(3)]
    assert len({str(each) for each in (first, second, *truths)}) == 5
    assert both(truths[0], negate(truths[1])) is not False
    assert both(truths[0], negate(truths[0])) is False
    assert evaluator.unknown("list") is None


@pytest.mark.parametrize("part", [Symbol("unknown", "?1"), Symbol("size", "elsewhere[0]")])
def test_what_stands_for_nothing_here_is_not_written(part: Symbol) -> None:
    for value in (Expression({(part,): 1}), N + Expression({(part,): 2}), maximum(N, Expression({(part,): 1}))):
        with pytest.raises(NotExpressibleError):
            written([value])
