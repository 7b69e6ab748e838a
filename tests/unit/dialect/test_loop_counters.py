"""Counters of loops: which loops have one, and that their rounds are those of a loop that is run number by number."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable

import pytest
from parsed import parsed

from stablehlo_py.bindings import ir
from stablehlo_py.bindings.walk import operations
from stablehlo_py.dialect.loops import LoopCounter, counter_of

LOOP = """func.func @main(%x: tensor<i32>, %n: tensor<i32>, %s: tensor<i32>) {{
  %r:3 = stablehlo.while(%a = %n, %i = %x, %step = %s) : tensor<i32>, tensor<i32>, tensor<i32> cond {{
    {test}
    stablehlo.return %p : tensor<i1>
  }} do {{
    {body}
    stablehlo.return %a, {returned}, %step : tensor<i32>, tensor<i32>, tensor<i32>
  }}
  return
}}"""
PAIR = "(tensor<i32>, tensor<i32>) -> tensor<i1>"


def loop(test: str, body: str, returned: str = "%j") -> tuple[ir.Module, LoopCounter | None]:
    """The module, which has to live, and the counter of its loop."""
    text = LOOP.format(test=test, body=f"%j = stablehlo.{body} : tensor<i32>", returned=returned)
    module = parsed(text)
    found = next(op for op in operations(module.operation) if op.name == "stablehlo.while")
    return module, counter_of(found)


def compare(direction: str, lhs: str = "%i", rhs: str = "%a") -> str:
    return f"%p = stablehlo.compare {direction}, {lhs}, {rhs} : {PAIR}"


WAYS: dict[str, Callable[[int, int], bool]] = {
    "LT": operator.lt, "LE": operator.le, "GT": operator.gt, "GE": operator.ge,
}  # fmt: skip


@pytest.mark.parametrize("direction", WAYS)
@pytest.mark.parametrize(
    ("body", "sign", "step_index"),
    [("add %i, %step", 1, 1), ("add %step, %i", 1, 0), ("subtract %i, %step", -1, 1)],
)
def test_rounds_are_those_of_a_loop_that_is_run(direction: str, body: str, sign: int, step_index: int) -> None:
    _module, counter = loop(compare(direction), body)
    assert counter is not None
    assert (counter.index, counter.step_index) == (1, step_index)
    assert counter.test.name == "stablehlo.compare"
    assert counter.addition.name == f"stablehlo.{body.split()[0]}"
    for start, limit, step in itertools.product(range(-4, 5), range(-4, 5), range(-3, 4)):
        found, number, values = counter.rounds(start, limit, step), start, []
        while WAYS[direction](number, limit) and len(values) < 20:
            values.append(number)
            number += sign * step
        shown = f"from {start} {direction} {limit} by {sign * step}"
        if found is None:
            towards = sign * step > 0 if direction in ("LT", "LE") else sign * step < 0
            assert not towards, f"{shown} has rounds, and is said to have none"
        else:
            assert list(found) == values, shown
            assert found.stop == number, f"{shown} ends at {number}, and is said to end at {found.stop}"


@pytest.mark.parametrize(
    ("test", "body", "returned"),
    [
        (compare("EQ"), "add %i, %step", "%j"),
        (compare("NE"), "add %i, %step", "%j"),
        (compare("LT", "%n"), "add %i, %step", "%j"),
        (compare("LT"), "multiply %i, %step", "%j"),
        (compare("LT"), "subtract %step, %i", "%j"),
        (compare("LT"), "add %a, %step", "%j"),
        (compare("LT"), "add %i, %step", "%i"),
        (compare("LT"), "add %step, %a", "%j"),
        (f"{compare('LT').replace('%p', '%q')}\n%p = stablehlo.not %q : tensor<i1>", "add %i, %step", "%j"),
        ("%p = stablehlo.constant dense<true> : tensor<i1>", "add %i, %step", "%j"),
    ],
)
def test_loops_without_a_counter(test: str, body: str, returned: str) -> None:
    _module, counter = loop(test, body, returned)
    assert counter is None
