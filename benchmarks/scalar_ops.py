"""Times every elementwise op on scalars and on four elements in the official interpreter and in this package:
`python benchmarks/scalar_ops.py`.

Writes docs/benchmarks-small.md.
"""

from __future__ import annotations

import argparse
import os
import pickle
import platform
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import version
from typing import BinaryIO

import numpy as np
from engines import fastest, official, ours
from interpreter import DOCS, processor, ratio

from stablehlo_py.bindings.types import element_type

COPIES = 500
SHAPES = {"scalar": "", "4 elements": "4x"}

REALS = ["f32", "f64", "bf16", "f16", "f8E4M3FN"]
COMPLEX = ["complex<f32>", "complex<f64>"]
INTEGERS = ["i32", "i64", "ui8", "ui32", "i4"]
ALL = [*REALS, *COMPLEX, *INTEGERS, "i1"]

# What each op takes, and the types of its operands; `compare` and its siblings are written out below.
UNARY = {
    "abs": [*REALS, *COMPLEX, "i32", "i4"],
    "cbrt": REALS,
    "ceil": REALS,
    "cosine": [*REALS, *COMPLEX],
    "count_leading_zeros": INTEGERS,
    "exponential": [*REALS, *COMPLEX],
    "exponential_minus_one": [*REALS, *COMPLEX],
    "floor": REALS,
    "imag": COMPLEX,
    "is_finite": REALS,
    "log": [*REALS, *COMPLEX],
    "log_plus_one": [*REALS, *COMPLEX],
    "logistic": [*REALS, *COMPLEX],
    "negate": [*REALS, *COMPLEX, *INTEGERS],
    "not": [*INTEGERS, "i1"],
    "popcnt": INTEGERS,
    "real": COMPLEX,
    "round_nearest_afz": REALS,
    "round_nearest_even": REALS,
    "rsqrt": [*REALS, *COMPLEX],
    "sign": [*REALS, *COMPLEX, "i32", "i4"],
    "sine": [*REALS, *COMPLEX],
    "sqrt": [*REALS, *COMPLEX],
    "tan": [*REALS, *COMPLEX],
    "tanh": [*REALS, *COMPLEX],
}
BINARY = {
    "add": ALL,
    "and": [*INTEGERS, "i1"],
    "atan2": [*REALS, *COMPLEX],
    "divide": [*REALS, *COMPLEX, *INTEGERS],
    "maximum": ALL,
    "minimum": ALL,
    "multiply": ALL,
    "or": [*INTEGERS, "i1"],
    "power": [*REALS, *COMPLEX, *INTEGERS],
    "remainder": [*REALS, *INTEGERS],
    "shift_left": INTEGERS,
    "shift_right_arithmetic": INTEGERS,
    "shift_right_logical": INTEGERS,
    "subtract": [*REALS, *COMPLEX, *INTEGERS],
    "xor": [*INTEGERS, "i1"],
}
CONVERSIONS = [
    *[(source, target) for source in REALS for target in ("f32", "f64", "bf16", "f8E4M3FN") if source != target],
    *[(source, "i32") for source in REALS],
    *[("i32", target) for target in ("i64", "ui8", "i4", "i1", *REALS, "complex<f32>")],
    *[("i64", "f32"), ("i64", "bf16"), ("ui8", "f32"), ("i4", "f32"), ("i4", "i32"), ("i1", "f32"), ("i1", "i32")],
    *[("f32", "i64"), ("f32", "ui8"), ("f32", "i4"), ("f32", "i1"), ("f32", "complex<f32>")],
    *[("complex<f32>", "complex<f64>"), ("complex<f32>", "f32"), ("complex<f32>", "i32")],
]
BITCASTS = [("f32", "i32"), ("i64", "f64"), ("bf16", "ui16"), ("i8", "f8E4M3FN")]


@dataclass(frozen=True)
class Small:
    """One op on operands of one shape, many times over, so that an op's own time is all that counts."""

    name: str
    elements: str
    parameters: tuple[str, ...]
    line: str
    result: str

    @property
    def program(self) -> str:
        names = [f"%a{index}" for index in range(len(self.parameters))]
        parameters = ", ".join(map(": ".join, zip(names, self.parameters, strict=True)))
        lines = [f"  %r{index} = {self.line.format(*names)}" for index in range(COPIES)]
        head = f"func.func @main({parameters}) -> {self.result} {{"
        return "\n".join([head, *lines, f"  return %r{COPIES - 1} : {self.result}", "}"])

    def arguments(self) -> list[np.ndarray]:
        return [_values(type_, index) for index, type_ in enumerate(self.parameters)]


def _values(type_: str, index: int) -> np.ndarray:
    shape, _, name = type_.removeprefix("tensor<").removesuffix(">").rpartition("x")
    if "complex" in type_:
        shape, name = type_.removeprefix("tensor<").split("complex")[0].rstrip("x"), type_[type_.index("complex") : -1]
    dtype = element_type(name).dtype
    if name.startswith(("i", "ui")):
        values = np.array([[1, 0, 1, 1], [1, 1, 0, 0]] if name == "i1" else [[5, 7, 2, 3], [3, 1, 4, 2]])[index % 2]
    else:
        values = np.array([[0.75, 1.5, 0.25, 2.5], [1.75, 0.5, 1.25, 2.0]])[index % 2]
        values = values * (1 + 0.5j) if "complex" in name else values
    return values.astype(dtype) if shape else values.astype(dtype)[0].reshape(())


def _simple(op: str, element: str, prefix: str, operands: int) -> Small:
    type_ = f"tensor<{prefix}{element}>"
    placeholders = ", ".join(["{}"] * operands)
    return Small(op, element, (type_,) * operands, f"stablehlo.{op} {placeholders} : {type_}", type_)


def _parts(op: str, element: str, prefix: str) -> Small:
    """`real`, `imag` and `abs` of complex numbers, and what else has a result of another type."""
    part = element.removeprefix("complex<").removesuffix(">")
    result = f"tensor<{prefix}{'i1' if op == 'is_finite' else part}>"
    operand = f"tensor<{prefix}{element}>"
    return Small(op, element, (operand,), f"stablehlo.{op} {{}} : ({operand}) -> {result}", result)


def _conversion(op: str, source: str, target: str, prefix: str) -> Small:
    operand, result = f"tensor<{prefix}{source}>", f"tensor<{prefix}{target}>"
    return Small(op, f"{source} to {target}", (operand,), f"stablehlo.{op} {{}} : ({operand}) -> {result}", result)


def _compare(element: str, prefix: str, compare_type: str) -> Small:
    operand, result = f"tensor<{prefix}{element}>", f"tensor<{prefix}i1>"
    line = f"stablehlo.compare LT, {{}}, {{}}, {compare_type} : ({operand}, {operand}) -> {result}"
    return Small(f"compare {compare_type}", element, (operand, operand), line, result)


def _others(prefix: str) -> Iterator[Small]:
    pred = f"tensor<{prefix}i1>"
    for element in ALL:
        type_ = f"tensor<{prefix}{element}>"
        yield Small(
            "select", element, (pred, type_, type_), f"stablehlo.select {{}}, {{}}, {{}} : {pred}, {type_}", type_
        )
        yield Small("clamp", element, (type_,) * 3, f"stablehlo.clamp {{}}, {{}}, {{}} : {type_}", type_)
    for element in REALS:
        yield _compare(element, prefix, "FLOAT")
        yield _compare(element, prefix, "TOTALORDER")
        type_ = f"tensor<{prefix}{element}>"
        line = f"stablehlo.reduce_precision {{}}, format = e4m2 : {type_}"
        yield Small("reduce_precision", element, (type_,), line, type_)
    for element in [*INTEGERS, "i1"]:
        yield _compare(element, prefix, "UNSIGNED" if element[0] == "u" or element == "i1" else "SIGNED")
    for element in ("f32", "f64"):
        part, result = f"tensor<{prefix}{element}>", f"tensor<{prefix}complex<{element}>>"
        yield Small("complex", element, (part, part), f"stablehlo.complex {{}}, {{}} : {result}", result)


def cases(prefix: str) -> Iterator[Small]:
    """Every elementwise op on operands of a shape such as `4x`, for each of its representative types."""
    for op, elements in UNARY.items():
        for element in elements:
            retyped = op in ("real", "imag", "is_finite") or (op == "abs" and element in COMPLEX)
            yield _parts(op, element, prefix) if retyped else _simple(op, element, prefix, 1)
    for op, elements in BINARY.items():
        for element in elements:
            yield _simple(op, element, prefix, 2)
    yield from _others(prefix)
    for source, target in CONVERSIONS:
        yield _conversion("convert", source, target, prefix)
    for source, target in BITCASTS:
        yield _conversion("bitcast_convert", source, target, prefix)


class Engine:
    """A process that times one program after the other; started again when one has ended it."""

    def __init__(self, name: str, budget: float) -> None:
        self.name, self.budget = name, budget
        self._child: subprocess.Popen[bytes] | None = None

    def nanoseconds(self, case: Small) -> float | None:
        """The time of one op, or None where the engine cannot run it."""
        if self._child is None:
            command = [sys.executable, __file__, "--engine", self.name]
            pipe, quiet = subprocess.PIPE, subprocess.DEVNULL
            self._child = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=quiet)
        requests, answers = self._child.stdin, self._child.stdout
        if requests is None or answers is None:
            raise RuntimeError("the engine's process has no pipes")
        pickle.dump((case.program, case.arguments(), self.budget), requests)
        requests.flush()
        answer = answers.readline()
        if answer:
            return float(answer) / COPIES * 1e9
        self.close()
        return None

    def close(self) -> None:
        """Ends the process."""
        if self._child is not None:
            self._child.kill()
            self._child.communicate()
            self._child = None


def serve(name: str, requests: BinaryIO) -> None:
    """Prints the seconds of each program asked for, until there are no more."""
    engine = {"official": official, "ours": ours}[name]
    while requests.peek(1):  # type: ignore[attr-defined]  # standard input is buffered
        program, arguments, budget = pickle.load(requests)
        run = engine(program, arguments)
        print(fastest(run, budget), flush=True)


@dataclass(frozen=True)
class Timing:
    """Nanoseconds of one op; None where the official interpreter cannot run it."""

    case: Small
    shape: str
    official: float | None
    ours: float

    @property
    def speedup(self) -> float | None:
        return None if self.official is None else self.official / self.ours


def measure(case: Small, shape: str, engines: tuple[Engine, Engine]) -> Timing:
    ours_ = engines[1].nanoseconds(case)
    if ours_ is None:
        raise SystemExit(f"{case.name} on {case.elements}: our own run failed")
    return Timing(case, shape, engines[0].nanoseconds(case), ours_)


def row(timings: list[Timing]) -> str:
    cells = [timings[0].case.name, timings[0].case.elements]
    for timing in timings:
        official_ = "cannot run it" if timing.official is None else f"{timing.official:,.0f}"
        cells += [
            official_,
            f"{timing.ours:,.0f}",
            ratio(timing.speedup) if timing.speedup is None or timing.speedup >= 10 else f"{timing.speedup:.2f}x",
        ]
    return f"| {' | '.join(cells)} |"


def document(rows: list[list[Timing]]) -> str:
    timings = [timing for row_ in rows for timing in row_ if timing.speedup is not None]
    slower = [timing for timing in timings if timing.speedup is not None and timing.speedup < 1]
    lines = "\n".join(map(row, rows))
    shapes = " | ".join(f"{shape}: official | stablehlo-py | faster by" for shape in SHAPES)
    return f"""# How fast small tensors are

Nanoseconds of one op on tensors of no dimension and of four elements. Of {len(timings)} measurements that the official
interpreter can run too, {len(slower)} are slower here than there.

| op | elements | {shapes} |
|---|---|{"--:|--:|--:|" * len(SHAPES)}
{lines}

Each program is one op {COPIES} times over; the time is that of the fastest run, divided by {COPIES}. Both engines
run side by side, each in a process of its own. Made by `python benchmarks/scalar_ops.py` with jaxlib
{version("jaxlib")} and numpy {version("numpy")} on Python {platform.python_version()}, {os.cpu_count()} cores of
{processor()}.
"""


def main() -> int:
    """The exit code: 0 when nothing is slower than in the official interpreter."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--budget", type=float, default=0.05, help="seconds for each program in each engine")
    parser.add_argument("--only", default="", help="only rows that contain this; nothing is written")
    parser.add_argument("--slower", action="store_true", help="print only rows with something slower")
    parser.add_argument("--engine", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.engine:
        serve(options.engine, sys.stdin.buffer)
        return 0
    engines = Engine("official", options.budget), Engine("ours", options.budget)
    rows: list[list[Timing]] = []
    for shapes in zip(*map(cases, SHAPES.values()), strict=True):
        if options.only not in f"{shapes[0].name} {shapes[0].elements}":
            continue
        rows.append([measure(case, shape, engines) for case, shape in zip(shapes, SHAPES, strict=True)])
        is_slower = any(timing.speedup is not None and timing.speedup < 1 for timing in rows[-1])
        if is_slower or not options.slower:
            print(row(rows[-1]), flush=True)
    for engine in engines:
        engine.close()
    if not options.only:
        DOCS.joinpath("benchmarks-small.md").write_text(document(rows), encoding="utf-8")
    return 1 if any(t.speedup is not None and t.speedup < 1 for row_ in rows for t in row_) else 0


if __name__ == "__main__":
    sys.exit(main())
