"""Times functions of scalars in a loop, beside others: `python benchmarks/scalar_functions.py`.

A round adds to a number and to a sum of the function's values; the time of the same loop without the function is taken
off ours. `--write` puts the table into docs/benchmarks.md. Exits with 1 if a row is off its limits.
"""

from __future__ import annotations

import argparse
import math
import sys

import numpy as np
import page
from cases import Case
from interpreter import duration, ratio, seconds

from stablehlo_py.interpreter.fast.scalars import BINARY, FUNCTIONS, mpfr_functions

ROUNDS = 10_000
COMPLEX = [("complex<f32>", "ours", math.inf), ("complex<f64>", "ours", math.inf)]
LIMITS = [("f32", "ours", 1.0), *[("f64", "ours", 3.0)] * bool(mpfr_functions()), ("f64", "ours without gmpy2", 15.0)]
"""Element types, engines, and how many microseconds a function may take."""


def loop(name: str, type_: str) -> str:
    """A loop that calls a function, or none for an empty name."""
    element = f"tensor<{type_}>"
    operands = "%x, %x" if name in BINARY else "%x"
    step, start = [f"({number}, {number})" if "complex" in type_ else number for number in ("1.0e-4", "0.25")]
    value = f"%y = stablehlo.{name} {operands} : {element}" if name else ""
    return f"""func.func @main(%n: tensor<i32>) -> {element} {{
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %step = stablehlo.constant dense<{step}> : {element}
  %start = stablehlo.constant dense<{start}> : {element}
  %r:3 = stablehlo.while(%i = %zero, %x = %start, %sum = %step) : tensor<i32>, {element}, {element} cond {{
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }} do {{
    %j = stablehlo.add %i, %one : tensor<i32>
    {value}
    %next = stablehlo.add %x, %step : {element}
    %total = stablehlo.add %sum, {"%y" if name else "%x"} : {element}
    stablehlo.return %j, %next, %total : tensor<i32>, {element}, {element}
  }}
  return %r#2 : {element}
}}
"""


def main() -> int:
    """Return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--budget", type=float, default=0.5, help="seconds for each program in each engine")
    parser.add_argument("--only", default="", help="only functions whose name contains this")
    parser.add_argument("--write", action="store_true", help="write the table")
    parser.add_argument(
        "--complex", action="store_true", help="functions of complex numbers, for which nothing is wanted"
    )
    options = parser.parse_args()
    lines = [
        f"| function, {ROUNDS:,} rounds | official interpreter | stablehlo-py | faster by | a function | XLA CPU |",
        "|---|--:|--:|--:|--:|--:|",
    ]
    print(*lines, sep="\n")
    missed: list[str] = []
    for type_, engine, limit in COMPLEX if options.complex else LIMITS:
        empty = seconds(engine, Case("", 0, loop("", type_), lambda: [np.int32(ROUNDS)]), options.budget) or 0.0
        for name in FUNCTIONS:
            if options.only not in name:
                continue
            case = Case(
                f"{name} {type_}{engine.removeprefix('ours')}",
                1,
                loop(name, type_),
                lambda: [np.array(ROUNDS, np.int32)],
            )
            official, ours, xla = [seconds(one, case, options.budget) for one in ("official", engine, "xla")]
            assert ours is not None
            alone = (ours - empty) / ROUNDS * 1e6
            faster = None if official is None else official / ours
            if alone > limit or (faster is not None and faster < 1):
                missed.append(case.name)
            cells = [case.name, duration(official), duration(ours), ratio(faster), f"{alone:.2f} µs", duration(xla)]
            lines.append(f"| {' | '.join(cells)} |")
            print(lines[-1], flush=True)
    if options.write:
        page.put("scalar_functions", "\n".join(lines))
    if missed:
        print("off their limits:", ", ".join(missed), file=sys.stderr)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
