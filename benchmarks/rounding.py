"""How far functions are from the exact values: `tools/run benchmarks/rounding` draws points, and compares with mpmath.

Points are random numbers of common and of all sizes, those of 131,072 that are so close to the middle between two
results that they are decided exactly, and hard doubles from the tables of Lefèvre and Muller. For complex numbers, near
ties are constructed from the Taylor series: the linear term is in the middle between two results, and the sign of the
remaining terms, of less than 2^-53, decides. `--write` puts the table into docs/arithmetic.md; `--count=200` is quick,
and measures no times. Exits with 1 if an error is more than half a last bit.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from stablehlo_py.bindings.types import ElementType, element_type
from stablehlo_py.conformance.cases.near_ties import HARDEST
from stablehlo_py.conformance.oracle.functions import of_complex, of_real
from stablehlo_py.interpreter.element_types import exact
from stablehlo_py.interpreter.element_types.ulp import layout
from stablehlo_py.interpreter.fast import blocks
from stablehlo_py.interpreter.fast.memory_retention import retain_freed_memory

PAGE = Path(__file__).parents[1] / "docs" / "arithmetic.md"
BEGIN, END = "<!-- tools/run benchmarks/rounding --write -->", "<!-- end of the table -->"
TYPES = ["bf16", "f16", "f32", "f64", "complex<f32>", "complex<f64>"]
NUMPY: dict[str, Callable[..., Any]] = {
    "atan2": np.arctan2,
    "cbrt": np.cbrt,
    "cosine": np.cos,
    "divide": np.divide,
    "exponential": np.exp,
    "exponential_minus_one": np.expm1,
    "log": np.log,
    "log_plus_one": np.log1p,
    "logistic": lambda x: 1 / (1 + np.exp(-x)),
    "power": np.power,
    "rsqrt": lambda x: 1 / np.sqrt(x),
    "sign": np.sign,
    "sine": np.sin,
    "sqrt": np.sqrt,
    "tan": np.tan,
    "tanh": np.tanh,
}
COMPLEX_ONLY, REAL_ONLY = frozenset({"divide", "sign"}), frozenset({"atan2"})
POSITIVE = frozenset({"log", "log_plus_one", "power", "rsqrt", "sqrt"})
# Points z with f(z + d) = value + slope d + ...; no value where it is no fraction. Other operands follow.
TAYLOR: dict[str, list[tuple[tuple[float, ...], float | None, Fraction]]] = {
    "cbrt": [((1,), 1, Fraction(1, 3)), ((8,), 2, Fraction(1, 12))],
    "divide": [((2, 2), 1, Fraction(1, 2)), ((3, 4), 0.75, Fraction(1, 4))],
    "exponential": [((0,), 1, Fraction(1))],
    "log": [((2,), None, Fraction(1, 2)), ((4,), None, Fraction(1, 4))],
    "log_plus_one": [((1,), None, Fraction(1, 2)), ((3,), None, Fraction(1, 4))],
    "logistic": [((0,), 0.5, Fraction(1, 4))],
    "power": [((1, 3), 1, Fraction(3)), ((4, 1.5), 8, Fraction(3)), ((1, 0.5), 1, Fraction(1, 2))],
    "rsqrt": [((1,), 1, Fraction(-1, 2)), ((4,), 0.5, Fraction(-1, 16))],
    "sign": [((2,), None, Fraction(1, 2))],
    "sqrt": [((1,), 1, Fraction(1, 2)), ((4,), 2, Fraction(1, 4))],
}
LARGEST = {"exponential": 700, "exponential_minus_one": 700, "logistic": 700, "tanh": 700}


class Decided:
    """Counts and keeps the operands that are decided exactly."""

    def __init__(self) -> None:
        self.operands: list[tuple[float, ...]] = []
        self._rounded = exact.rounded
        exact.rounded = self

    def __call__(self, name: str, operands: tuple[float, ...], *layout_: int) -> float:
        self.operands.append(operands)
        return self._rounded(name, operands, *layout_)

    def taken(self) -> list[tuple[float, ...]]:
        """Return what was decided since the last time."""
        taken, self.operands = self.operands, []
        return taken


def draw(random: np.random.Generator, name: str, type_: ElementType, count: int) -> np.ndarray:
    """Random operands: common sizes, sizes from 2^-40 to the largest that matters, and a few bits."""
    part = np.dtype(f"f{type_.dtype.itemsize // 2}") if type_.dtype.kind == "c" else type_.dtype

    def parts() -> np.ndarray:
        limit = np.log2(LARGEST.get(name, 2**20))
        sizes = 2.0 ** random.uniform(-40, min(limit, 6 if type_.dtype.kind == "c" else limit), count // 3 + 1)
        few = np.rint(random.normal(size=count // 3 + 1) * 20) / 4
        values = np.concatenate(
            [random.normal(size=count // 3 + 1) * 3, sizes * random.choice([-1, 1], sizes.size), few]
        )
        return random.permutation(values)[:count].astype(part)

    if type_.dtype.kind == "c":
        return (parts() + 1j * parts()).astype(type_.dtype)
    return np.abs(parts()) if name in POSITIVE else parts()


def near_ties(random: np.random.Generator, name: str, type_: ElementType, count: int) -> list[np.ndarray]:
    """Operands of a function of complex numbers, constructed so that a part of the value is next to a tie."""
    part = np.dtype(f"f{type_.dtype.itemsize // 2}")
    _, bits, least = layout(part)
    unit, subnormal = Fraction(2) ** -(bits + 1), Fraction(2) ** (least - bits)
    rows: list[tuple[complex, ...]] = []

    def tiny(most: int) -> float:
        return float(
            part.type(random.choice([-1, 1]) * random.uniform(1, 2) * 2.0 ** random.integers(least // 4, most))
        )

    while len(rows) < count and name in TAYLOR | SECOND_ORDER:
        if name in SECOND_ORDER:
            rows.append((SECOND_ORDER[name](random, bits),))
            continue
        (point, *others), value, slope = TAYLOR[name][random.integers(len(TAYLOR[name]))]
        most = 2 ** int(random.integers(9))
        odd = 2 * int(random.integers(-most, most)) + 1
        if value is not None and random.integers(2):  # the real part is a tie, and the imaginary one decides
            real, imag = point + odd * Fraction(value) * unit / slope, tiny(-bits // 2 - 8)
        else:  # the imaginary part lies between two subnormal numbers
            real, imag = Fraction(point), float(odd * subnormal / 2 / slope)
        if Fraction(float(part.type(float(real)))) == real and Fraction(float(part.type(imag))) == Fraction(imag):
            rows.append((complex(float(real), imag), *others))
    return [np.array(column).astype(type_.dtype) for column in zip(*rows, strict=True)]


def _odd(random: np.random.Generator, bits: int) -> int:
    """Return an odd number of so many bits."""
    return 2 * int(random.integers(2 ** (bits - 2), 2 ** (bits - 1))) + 1


def _cosine_tie(random: np.random.Generator, bits: int) -> complex:
    """-xy, the imaginary part's first term, has one bit too many."""
    x = y = 0
    while (x * y).bit_length() != bits + 2:
        x, y = _odd(random, bits // 2 + 1), _odd(random, bits - bits // 2 + 1)
    return complex(*[number * 2.0 ** -random.integers(bits + 20, bits + 30) for number in (x, y)])


def _difference_tie(random: np.random.Generator, bits: int) -> complex:
    """x - y²/2, the real part's first terms, is half a unit below x."""
    y = 2.0 ** -int(random.integers(bits + 15, bits + 35))
    return complex(_odd(random, bits + 1) * y * y, y)


SECOND_ORDER = {"cosine": _cosine_tie, "exponential_minus_one": _difference_tie}


def error(result: float, value: Fraction, part: np.dtype) -> Fraction:
    """The distance in last bits, 0 where the value is beyond the numbers of the type. It is exact: at a near tie the
    wrong neighbour is off by less than a double tells from half a last bit."""
    _, bits, least = layout(part)
    size = abs(value)
    if not np.isfinite(result) or size >= Fraction(2) ** (1 - least):
        return Fraction(0)
    exponent = size.numerator.bit_length() - size.denominator.bit_length()
    exponent -= size < Fraction(2) ** exponent
    return abs(Fraction(result) - value) / Fraction(2) ** (max(exponent, least) - bits)


def largest_error(
    name: str, type_: ElementType, operands: list[np.ndarray], results: np.ndarray, bits: int = 400
) -> Fraction:
    """The largest error of the results, or of their parts, beside values of so many bits."""
    is_complex, largest = type_.dtype.kind == "c", Fraction(0)
    part = np.dtype(f"f{type_.dtype.itemsize // 2}") if is_complex else type_.dtype
    for result, *numbers in zip(results.tolist(), *[operand.tolist() for operand in operands], strict=True):
        found = complex(result)
        if numbers[0] == 0 or not (np.isfinite(found.real) and np.isfinite(found.imag)):
            continue
        values = of_complex(name, *numbers, bits=bits) if is_complex else (of_real(name, *numbers),)
        for own, value in zip((found.real, found.imag), values, strict=False):
            is_zero = abs(value) <= max(map(abs, values)) / 2 ** (bits - 50)  # but for mpmath's rounding
            largest = max(largest, Fraction(abs(own)) if is_zero else error(own, value, part))
    return largest


def time_ratio(name: str, function: Callable[..., Any], operands: list[np.ndarray]) -> float:
    """The processor time beside numpy's, each of the fastest of seven runs in turns."""
    times = [float("inf"), float("inf")]
    for _ in range(7):
        for index, run in enumerate((function, NUMPY[name])):
            started = time.process_time()
            run(*operands)
            times[index] = min(times[index], time.process_time() - started)
    return times[0] / times[1]


def measured(name: str, type_name: str, count: int, decided: Decided, *, timed: bool) -> tuple[str, Fraction]:
    """A row of the table, with the time if it is `timed`, and the largest error."""
    random, type_ = np.random.default_rng(0), element_type(type_name)
    function = getattr(blocks.arithmetic(type_), name)
    arity = 2 if name in ("atan2", "divide", "power") else 1
    operands = [draw(random, name if index == 0 else "", type_, count) for index in range(arity)]
    many = [np.resize(draw(random, name if index == 0 else "", type_, 1 << 16), 1 << 17) for index in range(arity)]
    decided.taken()
    function(*many)
    hard = sorted(set(decided.taken()))[: count // 4]
    share = len(hard) / many[0].size
    if hard and type_.dtype.kind == "f" and type_.bits >= 16:
        operands = [
            np.concatenate([operand, np.array(column).astype(type_.dtype)])
            for operand, column in zip(operands, zip(*hard, strict=True), strict=True)
        ]
    if type_name == "f64" and name in HARDEST:
        operands = [np.concatenate([operands[0], np.array([float.fromhex(text) for text in HARDEST[name]])])]
    worst = largest_error(name, type_, operands, function(*operands))
    if type_.dtype.kind == "c" and (ties := near_ties(random, name, type_, count // 4)):
        worst = max(worst, largest_error(name, type_, ties, function(*ties), bits=5000))
        operands = [np.concatenate(pair) for pair in zip(operands, ties, strict=True)]
    numpy_has_it = type_name != "bf16" and not (type_.dtype.kind == "c" and name == "cbrt")
    ratio = f"{time_ratio(name, function, many):.1f}" if timed and numpy_has_it else ""
    return f"| {name} | {type_name} | {operands[0].size:,} | {float(worst):.4f} | {share:.0e} | {ratio} |", worst


def main() -> None:
    """Print or write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, help="random points for each; 100,000 up to f32 by default, then 20,000")
    parser.add_argument("--type", action="append", choices=TYPES, help="of these types")
    parser.add_argument("--write", action="store_true", help="write the table in docs/arithmetic.md")
    options = parser.parse_args()
    retain_freed_memory()
    decided, rows, largest = Decided(), [], Fraction(0)
    with np.errstate(all="ignore"):
        for type_name in options.type or TYPES:
            for name in NUMPY:
                if name in (REAL_ONLY if type_name.startswith("complex") else COMPLEX_ONLY):
                    continue
                count = options.count if options.count else 100_000 if type_name in TYPES[:3] else 20_000
                row, worst = measured(name, type_name, count, decided, timed=not options.count)
                rows, largest = [*rows, row], max(largest, worst)
                print(row, "WRONG" if worst > Fraction(1, 2) else "", flush=True)
    if options.write:
        head = "| function | type | points | largest error, ULP | decided exactly | time : numpy |"
        table = "\n".join([BEGIN, head, "|---|---|--:|--:|--:|--:|", *rows, END])
        text = PAGE.read_text(encoding="utf-8")
        PAGE.write_text(re.sub(f"{BEGIN}.*{END}", lambda _: table, text, flags=re.DOTALL), encoding="utf-8")
    sys.exit(largest > Fraction(1, 2))


if __name__ == "__main__":
    main()
