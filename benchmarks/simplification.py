"""Times the optimization passes and counts what they leave: `python benchmarks/simplification.py`.

Seconds are processor time, so that other work on the machine does not count.

Rewrites the tables in docs/optimization.md and the plot docs/simplification.svg (which needs matplotlib: pip install
'stablehlo-py[plot]'). The official C++ pass `stablehlo-aggressive-simplification` runs beside ours if torch-mlir is
installed, here or in the Python of `--torch-python PYTHON`.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import process_time

import numpy as np
import page

from stablehlo_py.bindings import ir, make_context
from stablehlo_py.bindings.elements import from_numpy
from stablehlo_py.bindings.walk import operations_within
from stablehlo_py.passes.base import Pass
from stablehlo_py.passes.fold_constants import FoldConstants
from stablehlo_py.passes.optimization import (
    AggressiveFolder,
    AggressiveSimplification,
    TargetIndependentOptimization,
)
from stablehlo_py.passes.pipeline import run_pipeline

ROOT = Path(__file__).resolve().parents[1]
DOCUMENT = ROOT / "docs" / "optimization.md"
PLOT = ROOT / "docs" / "simplification.svg"
PROGRAMS = sorted((ROOT / "examples" / "jax").glob("*.mlir"))
SIZES = (1250, 2500, 5000, 10000, 20000)
CONTEXT = make_context()
# The largest ratio of the simplification's time to the official pass's.
LIMIT = 6.0

# Runs the official pass on programs given as a JSON list; prints ops left and seconds for each.
OFFICIAL = """
import json, sys, time
from torch_mlir import ir, passmanager
from torch_mlir._mlir_libs import _stablehlo, _torchMlir
answers = []
for text in json.load(sys.stdin):
    context = ir.Context()
    _stablehlo.register_dialect(context)
    context.allow_unregistered_dialects = True
    try:
        module = ir.Module.parse(text, context)
    except ir.MLIRError:
        answers.append(None)
        continue
    name = "builtin.module(func.func(stablehlo-aggressive-simplification))"
    manager = passmanager.PassManager.parse(name, context)
    start = time.process_time()
    manager.run(module.operation)
    seconds = time.process_time() - start
    def count(op):
        return sum(1 + count(o) for r in op.regions for b in r.blocks for o in b.operations)
    answers.append([sum(count(op) for op in module.body.operations), seconds])
json.dump(answers, sys.stdout)
"""


def chain(size: int) -> str:
    """Return a program of about `size` ops. The result depends on all ops; half are superfluous."""
    choose, t, transposed = random.Random(size), "tensor<8x16xf32>", "tensor<16x8xf32>"
    lines = [
        f"%zero = stablehlo.constant dense<-0.0> : {t}",
        f"%one = stablehlo.constant dense<1.0> : {t}",
        "%start = stablehlo.constant dense<0> : tensor<i32>",
    ]
    names = ["%a", "%b"]
    while len(lines) < size - 1:
        name, last, other = f"%v{len(lines)}", names[-1], choose.choice(names[-20:])
        kind = choose.randrange(8)
        if kind == 0:
            lines.append(f"{name} = stablehlo.add %zero, {last} : {t}")
        elif kind == 1:
            lines.append(f"{name}t = stablehlo.transpose {last}, dims = [1, 0] : ({t}) -> {transposed}")
            lines.append(f"{name} = stablehlo.transpose {name}t, dims = [1, 0] : ({transposed}) -> {t}")
        elif kind == 2:
            lines.append(f"{name}r = stablehlo.reshape {last} : ({t}) -> tensor<128xf32>")
            lines.append(f"{name} = stablehlo.reshape {name}r : (tensor<128xf32>) -> {t}")
        elif kind == 3:
            whole = "tensor<16x16xf32>"
            lines.append(f"{name}c = stablehlo.concatenate {last}, {other}, dim = 0 : ({t}, {t}) -> {whole}")
            lines.append(
                f"{name} = stablehlo.dynamic_slice {name}c, %start, %start, sizes = [8, 16] : "
                f"({whole}, tensor<i32>, tensor<i32>) -> {t}"
            )
        elif kind == 4:
            lines.append(f"{name} = stablehlo.multiply {last}, %one : {t}")
        else:
            lines.append(f"{name} = stablehlo.{choose.choice(('add', 'multiply'))} {last}, {other} : {t}")
        names.append(name)
    body = "\n".join(lines)
    return f"func.func @main(%a: {t}, %b: {t}) -> {t} {{\n{body}\nreturn {names[-1]} : {t}\n}}\n"


def count_ops(module: ir.Module) -> int:
    """The ops of all functions, at any depth."""
    return sum(len(operations_within(op.operation)) for op in module.body.operations)


def nested_concatenations(count: int) -> str:
    """Return a program that appends an element to a tensor again and again."""
    lines = ["%v0 = stablehlo.concatenate %x, dim = 0 : (tensor<1xf32>) -> tensor<1xf32>"]
    lines += [
        f"%v{i} = stablehlo.concatenate %v{i - 1}, %x, dim = 0 : "
        f"(tensor<{i}xf32>, tensor<1xf32>) -> tensor<{i + 1}xf32>"
        for i in range(1, count)
    ]
    lines.append(f"return %v{count - 1} : tensor<{count}xf32>")
    body = "\n".join(lines)
    return f"func.func @main(%x: tensor<1xf32>) -> tensor<{count}xf32> {{\n{body}\n}}"


def module_after(text: str, each: Pass) -> tuple[ir.Module, float]:
    """The program after the pass, and its seconds."""
    module = ir.Module.parse(text, CONTEXT)
    start = process_time()
    for op in module.body.operations:
        if len(op.regions[0].blocks):
            each.run(op.operation)
    return module, process_time() - start


def run(text: str, each: Pass) -> tuple[int, float]:
    """Return the number of ops after the pass, and its seconds."""
    module, seconds = module_after(text, each)
    return count_ops(module), seconds


def official(texts: list[str], python: str) -> list[tuple[int, float] | None]:
    """The same for the official pass; None for each program where torch-mlir is not there or cannot read it."""
    process = subprocess.run(
        [python, "-c", OFFICIAL], input=json.dumps(texts), capture_output=True, text=True, check=False
    )
    if process.returncode != 0:
        return [None] * len(texts)
    return [None if answer is None else (answer[0], answer[1]) for answer in json.loads(process.stdout)]


@dataclass(frozen=True)
class Scale:
    """One size of `chain`."""

    before: int
    simplified: tuple[int, float]
    both: tuple[int, float]
    official: tuple[int, float] | None


def measure_scales(python: str) -> list[Scale]:
    texts = [chain(size) for size in SIZES]
    run(texts[0], TargetIndependentOptimization())  # what is loaded on first use is not counted
    theirs = official(texts, python)
    return [
        Scale(
            count_ops(ir.Module.parse(text, CONTEXT)),
            min((run(text, AggressiveSimplification()) for _ in range(3)), key=lambda result: result[1]),
            min((run(text, TargetIndependentOptimization()) for _ in range(3)), key=lambda result: result[1]),
            their,
        )
        for text, their in zip(texts, theirs, strict=True)
    ]


def scale_table(scales: list[Scale]) -> str:
    lines = [
        "| ops | simplification leaves | in | target-independent leaves | in | official simplification leaves | in "
        "| of its time | wanted |",
        "|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for scale in scales:
        their = ("not run", "", "")
        if scale.official is not None:
            left, seconds = scale.official
            their = (str(left), f"{seconds:.3f} s", f"{scale.simplified[1] / seconds:.1f}x")
        lines.append(
            f"| {scale.before} | {scale.simplified[0]} | {scale.simplified[1]:.2f} s | {scale.both[0]} | "
            f"{scale.both[1]:.2f} s | {' | '.join(their)} | {LIMIT:.0f}x |"
        )
    return "\n".join(lines)


def inlined(path: Path) -> str:
    """The program with its calls inlined, as text."""
    module = ir.Module.parse(path.read_text(), CONTEXT)
    run_pipeline(module, "builtin.module(inline)")
    return str(module)


def program_table(python: str) -> str:
    """Ops before and after, for each exported program. The counts are what `python` runs officially, the rest ours."""
    lines = [
        "| program | exported | inlined | simplified | folded too | folded too, exactly | officially simplified |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    texts = [inlined(path) for path in PROGRAMS]
    for path, text, their in zip(PROGRAMS, texts, official(texts, python), strict=True):
        counts = [
            count_ops(ir.Module.parse(path.read_text(), CONTEXT)),
            count_ops(ir.Module.parse(text, CONTEXT)),
            run(text, AggressiveSimplification())[0],
            run(text, TargetIndependentOptimization())[0],
            run(text, TargetIndependentOptimization(optimize_float=False))[0],
        ]
        last = "not run" if their is None else str(their[0])
        lines.append(f"| {path.stem} | {' | '.join(map(str, counts))} | {last} |")
    return "\n".join(lines)


def constant_module(array: np.ndarray) -> ir.Module:
    """A program that negates a constant."""
    t = f"tensor<{array.size}xf32>"
    module = ir.Module.parse(
        f"func.func @main() -> {t} {{ %a = stablehlo.constant dense<0.0> : {t}\n"
        f"%b = stablehlo.negate %a : {t}\nreturn %b : {t} }}",
        CONTEXT,
    )
    with CONTEXT:
        constant = operations_within(module.body.operations[0].operation, inner_first=True)[0]
        constant.attributes["value"] = from_numpy(array, constant.results[0].type)
    return module


def fastest(work: Callable[[], object]) -> float:
    """Seconds of the fastest of three runs."""
    times = []
    for _ in range(3):
        start = process_time()
        work()
        times.append(process_time() - start)
    return min(times)


def folding_table() -> str:
    """How long 100 MB of constants take, and a pass of numpy over them."""
    array = np.random.default_rng(0).random(25_000_000, dtype=np.float32)
    plain = fastest(lambda: np.negative(array))
    lines = ["| folding 100 MB | in | passes of numpy |", "|---|---:|---:|", f"| numpy | {plain * 1e3:.0f} ms | 1.0 |"]
    for each in (AggressiveFolder(fold_op_element_limit=1 << 30), FoldConstants(max_bytes=1 << 30)):
        times = []
        for _ in range(3):
            module = constant_module(array)
            start = process_time()
            each.run(module.body.operations[0].operation)
            times.append(process_time() - start)
        lines.append(f"| {each.name} | {min(times) * 1e3:.0f} ms | {min(times) / plain:.1f} |")
    return "\n".join(lines)


def write_section(name: str, text: str) -> None:
    """Replaces what stands between the marks of a section in the document."""
    document = DOCUMENT.read_text()
    section = re.compile(rf"(<!-- {name}: begin -->\n).*?(\n<!-- {name}: end -->)", re.DOTALL)
    DOCUMENT.write_text(section.sub(lambda match: match[1] + text + match[2], document))


def plot(scales: list[Scale]) -> None:
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "stablehlo-py"
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(6, 3.5), layout="constrained")
    sizes = [scale.before for scale in scales]
    axes.plot(sizes, [scale.simplified[1] for scale in scales], marker="o", label="stablehlo-aggressive-simplification")
    axes.plot(sizes, [scale.both[1] for scale in scales], marker="s", label="stablehlo-target-independent-optimization")
    theirs = [(scale.before, scale.official[1]) for scale in scales if scale.official is not None]
    if theirs:
        axes.plot(*zip(*theirs, strict=True), marker="^", label="official simplification, in C++")
    # C++ is tens of times as fast: on linear axes it would lie flat. A line of slope 1 is linear time.
    axes.set(xlabel="ops in the program", ylabel="seconds", xscale="log", yscale="log")
    axes.set_xticks(sizes, [f"{size:,}" for size in sizes])
    axes.tick_params(axis="x", which="minor", bottom=False, labelbottom=False)
    figure.legend(loc="outside upper center")
    figure.savefig(PLOT, metadata={"Date": None})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--torch-python", default=sys.executable, help="a Python with torch-mlir")
    parser.add_argument("--write", action="store_true", help="put the table of sizes into docs/benchmarks.md as well")
    arguments = parser.parse_args()
    scales = measure_scales(arguments.torch_python)
    for name, text in (
        ("programs", program_table(arguments.torch_python)),
        ("scales", scale_table(scales)),
        ("folding", folding_table()),
    ):
        print(text, end="\n\n")
        write_section(name, text)
    if arguments.write:
        about = "Simplification of longer and longer programs; made by `python benchmarks/simplification.py`."
        page.put("simplification", f"{about}\n\n{scale_table(scales)}")
    plot(scales)


if __name__ == "__main__":
    main()
