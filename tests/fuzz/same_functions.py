#!/usr/bin/env python3
"""Measures `stablehlo equiv`: what it sees of planted changes, and what it says of passes that change nothing.

    tools/run fuzz/same_functions [planted|drawn|jax|sharded|model ...] [--count N]

`planted` changes programs of JAX in one place: a sign, a constant by a unit in the last place or by 1e-6, an epsilon,
operands, a term, an axis, a slice. Each change is also held against the tolerance 1e-3 and 1e-5 of the largest element.
`drawn` takes drawn programs through drawn passes, `jax` programs through XLA's passes, `sharded` programs on two meshes
through the partitioner. Of these no verdict may be `different`. `model` times GPT-2 small. The exit code is 1 if a
change that results show was called the same function, or if the same function was called a different one.
"""

from __future__ import annotations

import argparse
import random
import re
import resource
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

import stablehlo_py
from stablehlo_py.bindings import ir
from stablehlo_py.debug.compare import draw_samples
from stablehlo_py.debug.equivalence import DIFFERENT, SAME, UNKNOWN, equivalent
from stablehlo_py.debug.programs.subject import examine
from stablehlo_py.errors import StablehloError

ROOT = Path(__file__).resolve().parents[2]
PASSES = ("canonicalize", "cse", "inline", "stablehlo-aggressive-folder", "stablehlo-aggressive-simplification",
          "stablehlo-canonicalize-dynamism", "stablehlo-complex-math-expander",
          "stablehlo-legalize-composite-to-call", "stablehlo-legalize-deprecated-ops",
          "stablehlo-target-independent-optimization", "symbol-dce")  # fmt: skip
SECONDS = 0.5  # of a program that is changed
FLOAT = re.compile(r"dense<(-?\d\.\d+E?[-+]?\d*)> : tensor<(?:\d+x)*f32>")
NAME = r"(%[\w#]+)"


def _constants(text: str, change: Callable[[Any], Any]) -> Iterator[str]:
    for match in FLOAT.finditer(text):
        value = float(match[1])
        changed = change(np.float32(value))
        if changed is not None:
            yield f"{text[: match.start(1)]}{float(changed)!r}{text[match.end(1) :]}"


def _replaced(text: str, pattern: str, change: Callable[[re.Match[str]], str]) -> Iterator[str]:
    for match in re.finditer(pattern, text):
        yield text[: match.start()] + change(match) + text[match.end() :]


def _shifted(match: re.Match[str]) -> str:
    return f"[{match[1]}{int(match[2]) - 1}:{int(match[3]) - 1}{match[4]}"


_OTHER = {"add": "subtract", "subtract": "add"}
KINDS: dict[str, Callable[[str], Iterator[str]]] = {
    "sign": lambda t: _replaced(t, r"stablehlo\.(add|subtract) %", lambda m: f"stablehlo.{_OTHER[m[1]]} %"),
    "last place": lambda t: _constants(t, lambda v: np.nextafter(v, np.float32(np.inf)) if v else None),
    "1e-6": lambda t: _constants(t, lambda v: v * np.float32(1 + 1e-6) if v else None),
    "epsilon": lambda t: _constants(t, lambda v: 0.0 if 0 < abs(v) < 1e-3 else None),
    "operands": lambda t: _replaced(t, rf"stablehlo\.(subtract|divide|maximum|power) {NAME}, {NAME} :",
                                    lambda m: f"stablehlo.{m[1]} {m[3]}, {m[2]} :"),
    "term": lambda t: _replaced(t, rf"stablehlo\.add {NAME}, {NAME} :", lambda m: f"stablehlo.add {m[2]}, {m[2]} :"),
    "axis": lambda t: _replaced(t, r"dimensions = \[([01])\] :", lambda m: f"dimensions = [{1 - int(m[1])}] :"),
    "contraction": lambda t: _replaced(t, r"contracting_dims = \[([01])\] x \[([01])\]",
                                       lambda m: f"contracting_dims = [{1 - int(m[1])}] x [{m[2]}]"),
    "transpose": lambda t: _replaced(t, r"dims = \[1, 0\]", lambda _: "dims = [0, 1]"),
    "slice": lambda t: _replaced(t, r"\[((?:\d+:\d+, )*)(\d+):(\d+)((?:, \d+:\d+)*\])", _shifted),
    "function": lambda t: _replaced(t, r"stablehlo\.(tanh|sine|exponential|sqrt|rsqrt) %",
                                    lambda _: "stablehlo.logistic %"),
}  # fmt: skip


def jax_texts() -> dict[str, tuple[str, bytes]]:
    """Return the text of each program of `optimized_hlo`, and its HLO behind XLA's passes."""
    import jax
    import optimized_hlo

    found = {}
    for name, (function, arguments) in optimized_hlo.PROGRAMS.items():
        lowered = jax.jit(function, keep_unused=True).lower(*arguments)
        modules = lowered.compile().runtime_executable().hlo_modules()
        found[name] = str(lowered.compiler_ir()), modules[0].as_serialized_hlo_module_proto()
    return found


def distance(first: ir.Module, second: ir.Module) -> float:
    """Return the largest distance of results, relative to the largest element."""
    (arguments,) = draw_samples(examine(first), 1, 0)
    largest = 0.0
    results = [stablehlo_py.interpret(each, arguments, max_steps=20_000) for each in (first, second)]
    for a, b in zip(*results, strict=True):
        x, y = [np.asarray(each).astype(np.complex128) for each in (a, b)]
        size = np.max(np.abs(x), initial=0.0, where=np.isfinite(x))
        apart = np.where((x == y) | (np.isnan(x) & np.isnan(y)), 0, np.abs(x - y))
        largest = max(largest, float(np.max(np.nan_to_num(apart, nan=1e30), initial=0.0)) / (size if size else 1))
    return largest


def planted(count: int) -> bool:
    """Plant changes, and count what is seen."""
    generator, drawn = random.Random(0), []
    for name, (text, _) in jax_texts().items():
        start = time.perf_counter()
        module = stablehlo_py.parse(text)
        if equivalent(module, module).verdict != SAME or time.perf_counter() - start > SECONDS:
            continue
        drawn += [(kind, name, text, changed) for kind, changes in KINDS.items() for changed in changes(text)]
    generator.shuffle(drawn)
    print(f"{len(drawn)} changes can be made, {count} are", flush=True)
    verdicts, tolerances, effects, missed = Counter(), Counter(), Counter(), []
    for kind, name, text, changed in drawn:
        if sum(effects.values()) == count:
            break
        try:
            first, second = stablehlo_py.parse(text), stablehlo_py.parse(changed)
            apart = distance(first, second)
        except StablehloError:
            continue  # no program
        found = equivalent(first, second)
        effects[kind] += 1
        verdicts[kind, found.verdict] += 1
        for tolerance in (1e-3, 1e-5):
            tolerances[kind, tolerance] += apart > tolerance
        if found.verdict in (SAME, UNKNOWN):
            missed.append((kind, name, apart, str(found).splitlines()[0]))
    print("change       programs  different  rounding  same  cannot tell  1e-3 sees  1e-5 sees")
    for kind in effects:
        by = [verdicts[kind, verdict] for verdict in (DIFFERENT, *_others())]
        print(f"{kind:12} {effects[kind]:8}  {by[0]:9}  {by[1]:8}  {by[2]:4}  {by[3]:11}"
              f"  {tolerances[kind, 1e-3]:9}  {tolerances[kind, 1e-5]:9}")  # fmt: skip
    for kind, name, apart, verdict in missed:
        print(f"  {kind} in {name}: {verdict[:100]}; results are {apart:.1e} apart")
    return all(apart < 1e-5 for _, _, apart, verdict in missed if verdict == SAME)


def _others() -> tuple[str, ...]:
    from stablehlo_py.debug.equivalence import ROUNDED

    return ROUNDED, SAME, UNKNOWN


def drawn(count: int) -> bool:
    """Take drawn programs through drawn passes."""
    from stablehlo_py.conformance.fuzz.builder import Options
    from stablehlo_py.conformance.fuzz.structures import draw_program

    verdicts, wrong = Counter[str](), 0
    for seed in range(count):
        generator = random.Random(seed)
        program = draw_program(generator, Options())
        passes = ",".join(generator.choices(PASSES, k=generator.randint(1, 4)))
        first, second = stablehlo_py.parse(program.text), stablehlo_py.parse(program.text)
        try:
            stablehlo_py.run_passes(second, passes)
        except StablehloError:
            verdicts["the passes fail"] += 1
            continue
        found = equivalent(first, second, samples=1, arguments=program.arguments)
        verdicts[found.verdict] += 1
        if found.verdict == DIFFERENT:
            wrong += 1
            print(f"seed {seed}, {passes}: {found}")
        elif found.verdict == UNKNOWN:
            reason = re.sub(r"\d+|<.*?>:|result .* program, ", "", found.message)
            verdicts[f"  {reason[:110]}"] += 1
    _print(verdicts)
    return not wrong


def _print(verdicts: Counter[str]) -> None:
    for verdict, number in sorted(verdicts.items()):
        print(f"{number:5} {verdict}")


def through_xla(count: int) -> bool:
    """Compare programs of JAX with their HLO behind XLA's passes."""
    verdicts = Counter[str]()
    for name, (text, optimized) in jax_texts().items():
        try:
            found = equivalent(stablehlo_py.parse(text), stablehlo_py.parse(optimized, form="hlo-proto"))
            verdict, shown = found.verdict, str(found)
        except StablehloError as error:
            verdict = shown = f"not compared: {error.message}"
        verdicts[verdict] += 1
        print(f"{name}: {shown}")
    _print(verdicts)
    return not verdicts[DIFFERENT]


def sharded(count: int) -> bool:
    """Compare sharded programs with their partitioned forms."""
    sys.path.insert(0, str(ROOT / "tests" / "differential"))
    import subprocess
    import tempfile

    from stablehlo_py.debug.equivalence import same_function
    from stablehlo_py.spmd import partition
    from stablehlo_py.spmd.simulation import fingerprint_runs

    verdicts = Counter[str]()
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/programs.npz"
        script = ROOT / "tests" / "differential" / "partitioned_programs.py"
        subprocess.run([sys.executable, str(script), path], check=True)
        arrays = np.load(path)
        names = [name.removesuffix(".program") for name in arrays.files if name.endswith(".program")]
        for name in names:
            module = stablehlo_py.parse(arrays[f"{name}.program"].tobytes())
            operands = [arrays[key] for key in arrays.files if key.startswith(f"{name}.operand.")]
            try:
                found = same_function([fingerprint_runs(module, partition(module), operands)])
            except StablehloError as error:
                verdicts[f"not partitioned: {error.message}"] += 1
                continue
            verdicts[found.verdict] += 1
            if found.verdict != SAME:
                print(f"{name}: {found}")
    _print(verdicts)
    return not verdicts[DIFFERENT]


def model(count: int) -> bool:
    """Time GPT-2 small, with numbers by definitions and with fingerprints."""
    sys.path.insert(0, str(ROOT / "benchmarks"))
    import jax
    from loop_models import gpt2_arguments
    from models import gpt2

    from stablehlo_py.debug.equivalence import runner
    from stablehlo_py.interpreter.fingerprints.reading import FingerprintReading
    from stablehlo_py.interpreter.program import Program
    from stablehlo_py.interpreter.settings import Settings

    text = str(jax.jit(gpt2).lower(*gpt2_arguments()).compiler_ir())
    subject = examine(stablehlo_py.parse(text))
    (arguments,) = draw_samples(subject, 1, 0)
    arguments = [a * np.float32(0.05) if a.dtype == np.float32 else a for a in arguments]
    program = Program(subject.module, Settings(fast=False))
    times = []
    by_fingerprints = runner(subject, arguments, Settings())
    for name, run in (("numbers", lambda: program.run(arguments)),
                      ("fingerprints", lambda: by_fingerprints(FingerprintReading(0)))):  # fmt: skip
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
        print(f"{name}: {times[-1]:.1f} s, at most {peak} MiB")
    return times[1] < 10 * times[0]


PARTS = {"planted": planted, "drawn": drawn, "jax": through_xla, "sharded": sharded, "model": model}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART", choices=[*PARTS, []], default=[])
    parser.add_argument("--count", type=int, default=500)
    options = parser.parse_args()
    chosen = options.parts if options.parts else list(PARTS)
    return int(sum(not PARTS[part](options.count) for part in chosen) > 0)


if __name__ == "__main__":
    sys.exit(main())
