"""Random numbers: which ones is the implementation's choice, not that they are in range and repeatable."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from ..case import Case, Expected, grouped
from ..catalog import Draw, cases_of
from ..generate.texts import tensor
from ..generate.values import WIDE_FLOATS, dtype_of

COUNT = 1000
_DEVIATIONS = 8


@cases_of("rng")
def rng(op: str, draw: Draw) -> Iterator[Case]:
    """UNIFORM is in [a, b); NORMAL has about the mean and the deviation of the operands."""
    for element in draw.only(["i32", "i64", "ui8", *WIDE_FLOATS]):
        for a, b in ((0, 1), (3, 9), (-4, 4)):
            if element.startswith("u") and a < 0:
                continue
            yield _drawn("UNIFORM", element, a, b, a, math.nextafter(b, a) if "f" in element else b - 1)
    for element in draw.only(WIDE_FLOATS):
        for mean, deviation in ((0, 1), (10, 2)):
            low, high = mean - _DEVIATIONS * deviation, mean + _DEVIATIONS * deviation
            yield _drawn("NORMAL", element, mean, deviation, low, high)


def _drawn(kind: str, element: str, a: float, b: float, low: float, high: float) -> Case:
    """Numbers and their average, each within bounds."""
    t, s, dtype = tensor((COUNT,), element), tensor((), element), dtype_of(element)
    average = tensor((), "f64")
    lines = (
        f"  %shape = stablehlo.constant dense<{COUNT}> : tensor<1xi64>\n"
        f"  %r = stablehlo.rng %0, %1, %shape, distribution = {kind} : ({s}, {s}, tensor<1xi64>) -> {t}\n"
        f"  %wide = stablehlo.convert %r : ({t}) -> {tensor((COUNT,), 'f64')}\n"
        "  %zero = stablehlo.constant dense<0.0> : tensor<f64>\n"
        f"  %sum = stablehlo.reduce(%wide init: %zero) applies stablehlo.add across dimensions = [0] : "
        f"({tensor((COUNT,), 'f64')}, {average}) -> {average}"
    )
    expected, spread = ((low + high) / 2, (high - low) / math.sqrt(12)) if kind == "UNIFORM" else (a, b)
    allowed = 6 * spread * math.sqrt(COUNT) + 0.02 * COUNT * max(1, abs(expected))
    value = np.full(COUNT, a).astype(dtype)
    highest = b if kind == "UNIFORM" and "f" in element else high
    numbers = Expected(value, element, "bounds", low=np.full(COUNT, float(low)), high=np.full(COUNT, float(highest)))
    total = np.array(float(expected * COUNT))
    sums = Expected(total, "f64", "bounds", low=total - allowed, high=total + allowed)
    operands = [np.array(number).astype(dtype) for number in (a, b)]
    source = "bounds of the distribution; the average within six deviations"
    results = [("%r", numbers), ("%sum", sums)]
    return grouped("rng", element, "implementation-defined", operands, results, lines, source=source)


@cases_of("rng_bit_generator")
def rng_bit_generator(op: str, draw: Draw) -> Iterator[Case]:
    """The same state gives the same bits and the same next state; another state gives other bits; ones are half."""
    for element in draw.only(("ui8", "ui16", "ui32", "ui64", "i32", "i64")):
        for algorithm, size in (("THREE_FRY", 2), ("PHILOX", 2), ("PHILOX", 3), ("DEFAULT", 2)):
            yield _bits(element, algorithm, size, draw(op, element, algorithm, size).getrandbits(63))


def _bits(element: str, algorithm: str, size: int, number: int) -> Case:
    t, s = tensor((COUNT,), element), tensor((size,), "ui64")
    bits = 8 * dtype_of(element).itemsize

    def call(name: str, state: str) -> str:
        return f"  {name}:2 = stablehlo.rng_bit_generator {state}, algorithm = {algorithm} : ({s}) -> ({s}, {t})\n"

    lines = call("%a", "%0") + call("%b", "%0") + call("%c", "%a#0")
    lines += f"  %same = stablehlo.compare EQ, %a#1, %b#1 : ({t}, {t}) -> {tensor((COUNT,), 'i1')}\n"
    lines += f"  %next = stablehlo.compare EQ, %a#0, %b#0 : ({s}, {s}) -> {tensor((size,), 'i1')}\n"
    lines += f"  %differs = stablehlo.compare NE, %a#1, %c#1 : ({t}, {t}) -> {tensor((COUNT,), 'i1')}\n"
    i64, scalar = tensor((COUNT,), "i64"), "tensor<i64>"
    lines += f"  %ones = stablehlo.popcnt %a#1 : {t}\n  %wide = stablehlo.convert %ones : ({t}) -> {i64}\n"
    lines += f"  %d = stablehlo.convert %differs : ({tensor((COUNT,), 'i1')}) -> {i64}\n"
    lines += f"  %zero = stablehlo.constant dense<0> : {scalar}\n"
    for name, operand in (("%count", "%wide"), ("%changed", "%d")):
        added = f"{name} = stablehlo.reduce({operand} init: %zero) applies stablehlo.add across dimensions = [0]"
        lines += f"  {added} : ({i64}, {scalar}) -> {scalar}\n"
    half, spread = COUNT * bits / 2, 6 * math.sqrt(COUNT * bits) / 2
    count = Expected(np.array(int(half)), "i64", "bounds", low=np.array(half - spread), high=np.array(half + spread))
    changed = Expected(np.array(COUNT), "i64", "bounds", low=np.array(COUNT * 0.9), high=np.array(float(COUNT)))
    results = [
        ("%same", Expected(np.ones(COUNT, bool), "i1")),
        ("%next", Expected(np.ones(size, bool), "i1")),
        ("%count", count),
        ("%changed", changed),
    ]
    operands = [("ui64", np.array([number, 7, 0][:size], np.uint64))]
    source = "the same state gives the same bits; half of the bits are ones within six deviations"
    kind = f"implementation-defined {algorithm}"
    return grouped("rng_bit_generator", element, kind, operands, results, lines.rstrip("\n"), source=source)
