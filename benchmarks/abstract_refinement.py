"""Times refinement by shape functions beside `stablehlo-refine-shapes`, by the number of ops.

    python benchmarks/abstract_refinement.py [--plot refinement.svg] [--sizes 500,1000,2000,5000,10000]

Prints a table for a chain of ops of several kinds, all of unknown types. It has the seconds of the pipeline (best of
three), of the same pipeline with its steps written into the program (once, up to 2000 ops), and of the C++ pass. Before
it come the times of building the library, cold and from memory. After it come seconds and megabytes beyond the parsed
module for programs that make careless evaluation grow without end.
"""

from __future__ import annotations

import argparse
import resource
import time
from collections.abc import Callable
from dataclasses import dataclass

from stablehlo_py.bindings import ir, make_context, passmanager
from stablehlo_py.passes.pipeline import run_pipeline
from stablehlo_py.shapes.library import library

_LARGEST_WITH_STEPS = 2000
OPEN = "tensor<?x?xf32>"
KINDS = (
    "stablehlo.add {0}, %y : ({1}, tensor<16x16xf32>) -> " + OPEN,
    "stablehlo.tanh {0} : ({1}) -> " + OPEN,
    "stablehlo.transpose {0}, dims = [1, 0] : ({1}) -> " + OPEN,
    "stablehlo.dot_general {0}, %y, contracting_dims = [1] x [0] : ({1}, tensor<16x16xf32>) -> " + OPEN,
    "chlo.broadcast_multiply {0}, %y : ({1}, tensor<16x16xf32>) -> " + OPEN,
)


def program(count: int) -> str:
    """Return a function with a chain of `count` ops."""
    lines = [f"func.func @main(%x: tensor<16x16xf32>, %y: tensor<16x16xf32>) -> {OPEN} {{"]
    value, type_ = "%x", "tensor<16x16xf32>"
    for i in range(count):
        lines.append(f"  %v{i} = " + KINDS[i % len(KINDS)].format(value, type_))
        value, type_ = f"%v{i}", OPEN
    return "\n".join([*lines, f"  return {value} : {OPEN}", "}"])


def best(text: str, run: Callable[[ir.Module], None], rounds: int = 3) -> float:
    """The least time in seconds that `run` takes on a fresh copy of the program."""
    times: list[float] = []
    for _ in range(rounds):
        module = ir.Module.parse(text)
        start = time.perf_counter()
        run(module)
        times.append(time.perf_counter() - start)
        if OPEN in str(module):
            raise RuntimeError("the program is not fully refined")
    return min(times)


@dataclass(frozen=True)
class Row:
    """Seconds for a number of ops."""

    count: int
    ours: float
    steps: float | None
    official: float


def measure(count: int) -> Row:
    """The times of one size."""
    text = program(count)

    def ours(module: ir.Module) -> None:
        run_pipeline(module, "builtin.module(stablehlo-shape-refinement-pipeline)")

    def steps(module: ir.Module) -> None:
        run_pipeline(module, "builtin.module(stablehlo-shape-refinement-pipeline{steps=true})")

    def official(module: ir.Module) -> None:
        passmanager.PassManager.parse("builtin.module(stablehlo-refine-shapes)").run(module.operation)

    with make_context():
        written = best(text, steps, 1) if count <= _LARGEST_WITH_STEPS else None
        return Row(count, best(text, ours), written, best(text, official))


def _integers(steps: list[str], last: str, read: bool) -> str:
    """Integer arithmetic, with a shape at its end that depends on it, or none."""
    end = "%r = stablehlo.negate %x : tensor<?xf32>"
    if read:
        end = f"""%s = stablehlo.reshape {last} : (tensor<i32>) -> tensor<1xi32>
        %r = stablehlo.dynamic_reshape %x, %s : (tensor<?xf32>, tensor<1xi32>) -> tensor<?xf32>"""
    arguments = "%a0: tensor<i32>, %b0: tensor<i32>, %p: tensor<i32>, %x: tensor<?xf32>"
    head = f"func.func @main({arguments}) -> tensor<?xf32> {{"
    return "\n".join([head, *steps, end, "return %r : tensor<?xf32> }"])


def selects(rounds: int, read: bool) -> str:
    """Pairs of selects that exchange two numbers or do not: written out, they double at every step."""
    steps = [
        f"""%c{i} = stablehlo.compare LT, %a{i}, %p : (tensor<i32>, tensor<i32>) -> tensor<i1>
        %a{i + 1} = stablehlo.select %c{i}, %a{i}, %b{i} : tensor<i1>, tensor<i32>
        %b{i + 1} = stablehlo.select %c{i}, %b{i}, %a{i} : tensor<i1>, tensor<i32>"""
        for i in range(rounds)
    ]
    return _integers(steps, f"%a{rounds}", read)


def squares(rounds: int, read: bool) -> str:
    """x*x + b again and again: the degree doubles at every step."""
    steps = [
        f"""%m{i} = stablehlo.multiply %a{i}, %a{i} : tensor<i32>
        %a{i + 1} = stablehlo.add %m{i}, %b0 : tensor<i32>"""
        for i in range(rounds)
    ]
    return _integers(steps, f"%a{rounds}", read)


def nest(depth: int) -> str:
    """Loops in loops that carry a counter and a tensor of unknown shape."""
    types = "tensor<i32>, tensor<?xf32>"
    lines = ["func.func @main(%i0: tensor<i32>, %x0: tensor<?xf32>) -> tensor<?xf32> {"]
    for i in range(1, depth + 1):
        lines.append(
            f"""%r{i}:2 = "stablehlo.while"(%i{i - 1}, %x{i - 1}) ({{
            ^bb0(%j{i}: tensor<i32>, %y{i}: tensor<?xf32>):
              %c{i} = stablehlo.compare LT, %j{i}, %i0 : (tensor<i32>, tensor<i32>) -> tensor<i1>
              "stablehlo.return"(%c{i}) : (tensor<i1>) -> ()
            }}, {{
            ^bb0(%i{i}: tensor<i32>, %x{i}: tensor<?xf32>):"""
        )
    lines.append(f"%next = stablehlo.add %i{depth}, %i0 : tensor<i32>")
    counter, tensor = "%next", f"%x{depth}"
    for i in range(depth, 0, -1):
        lines.append(f'"stablehlo.return"({counter}, {tensor}) : ({types}) -> ()\n}}) : ({types}) -> ({types})')
        counter, tensor = f"%r{i}#0", f"%r{i}#1"
    return "\n".join([*lines, f"return {tensor} : tensor<?xf32> }}"])


ADVERSARIES = {
    "16 pairs of selects, unread": lambda: selects(16, False),
    "16 pairs of selects, read by a shape": lambda: selects(16, True),
    "8 rounds of x*x + b, unread": lambda: squares(8, False),
    "8 rounds of x*x + b, read by a shape": lambda: squares(8, True),
    "10,000 ops of selects, unread": lambda: selects(3333, False),
    "10,000 ops of selects, read by a shape": lambda: selects(3333, True),
    "10,000 ops of x*x + b, unread": lambda: squares(5000, False),
    "10,000 ops of x*x + b, read by a shape": lambda: squares(5000, True),
    "100 loops in each other": lambda: nest(100),
    "1,000 loops in each other": lambda: nest(1000),
}


def measure_adversaries() -> None:
    """Print seconds, and the growth of the process in megabytes, for each adversary."""
    print(f"{'adversary':<40} {'seconds':>8} {'MB':>5}")
    for name, make in ADVERSARIES.items():
        with make_context():
            module = ir.Module.parse(make())
            before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            start = time.perf_counter()
            run_pipeline(module, "builtin.module(stablehlo-shape-refinement-pipeline)")
            seconds = time.perf_counter() - start
            grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024
        print(f"{name:<40} {seconds:>7.3f}s {grown:>5}")


def plot(rows: list[Row], path: str) -> None:
    """Writes the times as a picture; needs matplotlib, the extra `plot`."""
    import matplotlib.pyplot as plt

    counts = [row.count for row in rows]
    figure, axes = plt.subplots(figsize=(6, 4))
    axes.plot(counts, [row.ours for row in rows], marker="o", label="stablehlo-shape-refinement-pipeline")
    axes.plot(counts, [row.official for row in rows], marker="o", label="stablehlo-refine-shapes (C++)")
    axes.set(xlabel="ops", ylabel="seconds", xscale="log", yscale="log")  # so that C++ is seen, too
    axes.legend()
    figure.savefig(path, bbox_inches="tight")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plot", help="write a picture of the times to this file")
    parser.add_argument("--sizes", default="500,1000,2000,5000,10000", help="numbers of ops")
    arguments = parser.parse_args()
    start = time.perf_counter()
    library().text(library().functions())
    cold = time.perf_counter() - start
    start = time.perf_counter()
    library().text(library().functions())
    warm = time.perf_counter() - start
    print(f"library: {cold:.3f} s cold, {warm:.3f} s from memory")
    measure(100)
    rows = [measure(int(size)) for size in arguments.sizes.split(",")]
    print(f"{'ops':>6} {'ours':>8} {'µs/op':>7} {'steps':>8} {'C++':>8} {'ratio':>6}")
    for row in rows:
        ratio = row.ours / row.official
        per_op = row.ours / row.count * 1e6
        written = "" if row.steps is None else f"{row.steps:.3f}s"
        print(f"{row.count:>6} {row.ours:>7.3f}s {per_op:>7.0f} {written:>8} {row.official:>7.4f}s {ratio:>6.1f}")
    measure_adversaries()
    if arguments.plot:
        plot(rows, arguments.plot)


if __name__ == "__main__":
    main()
