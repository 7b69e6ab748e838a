#!/usr/bin/env python3
"""Measures `stablehlo equiv`: what it sees of planted changes, and what it says of passes that change nothing.

    tools/run fuzz/same_functions [planted|collectives|drawn|official|jax|sharded|models ...] [--count N]

`planted` changes programs of JAX in one place: a sign, a constant by a unit in the last place or by 1e-6, an epsilon,
operands, a term, an axis, a slice. `collectives` leaves one out of partitioned programs. Each change is also held
against the tolerance 1e-3 and 1e-5 of the largest element, and it is counted which changed no bit of a result.
`drawn` takes drawn programs through drawn passes, `official` programs of patterns through official passes, `jax`
programs through XLA's passes, `sharded` programs on two meshes through the partitioner. Of these no verdict may be
`different`. `models` times those of the benchmarks. The exit code is 1 if a change that results show was called the
same function, or if the same function was called a different one.
"""

from __future__ import annotations

import argparse
import random
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import stablehlo_py
from stablehlo_py.bindings.walk import operations
from stablehlo_py.debug.compare import draw_samples
from stablehlo_py.debug.equivalence import (
    DIFFERENT,
    ROUNDED,
    SAME,
    UNKNOWN,
    Equivalence,
    equivalent,
    runner,
    same_function,
)
from stablehlo_py.debug.programs.subject import examine
from stablehlo_py.errors import StablehloError
from stablehlo_py.interpreter.fingerprints.reading import FingerprintReading
from stablehlo_py.interpreter.program import Program
from stablehlo_py.interpreter.settings import Settings
from stablehlo_py.isolation.limits import Limits
from stablehlo_py.isolation.process import run_in_child
from stablehlo_py.spmd import partition
from stablehlo_py.spmd.simulation import fingerprint_runs, simulate

ROOT = Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "tests" / "external"), str(ROOT / "tests" / "differential"), str(ROOT / "benchmarks")]
PASSES = ("canonicalize", "cse", "inline", "stablehlo-aggressive-folder", "stablehlo-aggressive-simplification",
          "stablehlo-canonicalize-dynamism", "stablehlo-complex-math-expander",
          "stablehlo-legalize-composite-to-call", "stablehlo-legalize-deprecated-ops",
          "stablehlo-target-independent-optimization", "symbol-dce")  # fmt: skip
OFFICIAL = tuple(f"builtin.module({name})" for name in (
    "canonicalize", "cse", "sccp", "loop-invariant-code-motion", "control-flow-sink", "inline", "remove-dead-values",
    *(f"func.func(stablehlo-{name})" for name in (
        "canonicalize-dynamism", "complex-math-expander", "legalize-deprecated-ops", "legalize-composite-to-call")),
    "func.func(stablehlo-legalize-quant-to-math)", "func.func(stablehlo-legalize-quantized-op-to-qdq)",
    "stablehlo-refine-shapes", "stablehlo-compatibility-expander{target=0.9.0}"))  # fmt: skip
SECONDS = 0.5  # of a program that is changed
FLOAT = re.compile(r"dense<(-?\d\.\d+E?[-+]?\d*)> : tensor<(?:\d+x)*f32>")
# What such a program multiplies by errors of rounding is zero as a function.
COMPENSATED = ("special_functions",)
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
    "axis": lambda t: _replaced(t, r"(dim\w* = \[?)([01])(?=\]| :)", lambda m: f"{m[1]}{1 - int(m[2])}"),
    "contraction": lambda t: _replaced(t, r"contracting_dims = \[([01])\] x \[([01])\]",
                                       lambda m: f"contracting_dims = [{1 - int(m[1])}] x [{m[2]}]"),
    "transpose": lambda t: _replaced(t, r"dims = \[(\d), (\d)", lambda m: f"dims = [{m[2]}, {m[1]}"),
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


def distance(first: Sequence[Any], second: Sequence[Any]) -> float:
    """Return the largest distance of results, relative to the largest element."""
    largest = 0.0
    for a, b in zip(first, second, strict=True):
        x, y = [np.asarray(each).astype(np.complex128) for each in (a, b)]
        size = np.max(np.abs(x), initial=0.0, where=np.isfinite(x))
        with np.errstate(invalid="ignore"):
            apart = np.where((x == y) | (np.isnan(x) & np.isnan(y)), 0, np.abs(x - y))
        largest = max(largest, float(np.max(np.nan_to_num(apart, nan=1e30), initial=0.0)) / (size if size else 1))
    return largest


class Tally:
    """What is said of changes, by their kind."""

    def __init__(self) -> None:
        self.found: list[tuple[str, str, Equivalence, float]] = []

    def print(self) -> bool:
        """Print the verdicts of each kind, and return whether none was wrong."""
        print("change       programs  different  rounding  same  no bit changes  cannot tell  1e-3 sees  1e-5 sees")
        for kind in dict.fromkeys(kind for kind, *_ in self.found):
            own = [(found.verdict, apart) for other, _, found, apart in self.found if other == kind]
            by = Counter(verdict for verdict, _ in own)
            unchanged = sum(verdict == SAME and not apart for verdict, apart in own)
            seen = [sum(apart > tolerance for _, apart in own) for tolerance in (1e-3, 1e-5)]
            print(f"{kind:12} {len(own):8}  {by[DIFFERENT]:9}  {by[ROUNDED]:8}  {by[SAME]:4}  {unchanged:14}"
                  f"  {by[UNKNOWN]:11}  {seen[0]:9}  {seen[1]:9}")  # fmt: skip
        for kind, name, found, apart in self.found:
            if found.verdict == UNKNOWN or (found.verdict == SAME and apart):
                print(f"  {kind} in {name}: {str(found).splitlines()[0][:100]}; results are {apart:.1e} apart")
        return all(apart < 1e-5 or name in COMPENSATED
                   for _, name, found, apart in self.found if found.verdict == SAME)  # fmt: skip


def planted(count: int) -> bool:
    """Plant changes, and count what is seen."""
    generator, drawn, tally = random.Random(0), [], Tally()
    for name, (text, _) in jax_texts().items():
        start = time.perf_counter()
        module = stablehlo_py.parse(text)
        if equivalent(module, module).verdict != SAME or time.perf_counter() - start > SECONDS:
            continue
        drawn += [(kind, name, text, changed) for kind, changes in KINDS.items() for changed in changes(text)]
    generator.shuffle(drawn)
    print(f"{len(drawn)} changes can be made, {count} are", flush=True)
    for kind, name, text, changed in drawn:
        if len(tally.found) == count:
            break
        try:
            modules = stablehlo_py.parse(text), stablehlo_py.parse(changed)
            samples = draw_samples(examine(modules[0]), 2, 0)  # those of `equivalent`
            apart = max(distance(*[stablehlo_py.interpret(each, arguments, max_steps=20_000) for each in modules])
                        for arguments in samples)  # fmt: skip
        except StablehloError:
            continue  # no program
        tally.found.append((kind, name, equivalent(*modules), apart))
    return tally.print()


_COLLECTIVES = {f"stablehlo.{name}" for name in
                ("all_gather", "all_reduce", "all_to_all", "collective_permute", "reduce_scatter")}  # fmt: skip


def collectives(count: int) -> bool:
    """Leave one collective out of a partitioned program."""
    tally = Tally()
    for name, text, operands in sharded_texts():
        module = stablehlo_py.parse(text)
        try:
            whole = partition(module)
        except StablehloError:
            continue
        expected = simulate(whole, operands).results
        for number in range(sum(op.name in _COLLECTIVES for op in operations(whole.module.operation))):
            if len(tally.found) == count:
                break
            changed = partition(module)
            op = [op for op in operations(changed.module.operation) if op.name in _COLLECTIVES][number]
            if [each.type for each in op.operands] != [each.type for each in op.results]:
                continue
            kind = op.name.removeprefix("stablehlo.")
            for result, operand in zip(list(op.results), list(op.operands), strict=True):
                result.replace_all_uses_with(operand)
            op.erase()
            try:
                apart = distance(expected, simulate(changed, operands).results)
            except StablehloError:
                continue  # devices wait for each other
            tally.found.append(
                (kind, name, same_function([fingerprint_runs(module, partial(simulate, changed), operands)]), apart)
            )
    return tally.print()


def drawn(count: int) -> bool:
    """Take drawn programs through drawn passes."""
    from stablehlo_py.conformance.fuzz.builder import ProgramOptions
    from stablehlo_py.conformance.fuzz.structures import draw_program

    verdicts, wrong = Counter[str](), 0
    for seed in range(count):
        generator = random.Random(seed)
        program = draw_program(generator, ProgramOptions())
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


def official(count: int) -> bool:
    """Take the programs of the lit tests of patterns through each official pass that leaves StableHLO."""
    from pattern_programs import FUNCTIONS, UNRUNNABLE, parse_function

    wrong = 0
    for name in OFFICIAL:
        verdicts = Counter[str]()
        for file, function in [each for each in FUNCTIONS if each[1] not in UNRUNNABLE][:count]:
            first, second = parse_function(file, function), parse_function(file, function)
            try:
                stablehlo_py.run_passes(second, name)
                found = Equivalence(SAME) if str(first) == str(second) else equivalent(first, second, samples=1)
            except StablehloError:
                verdicts["not run"] += 1
                continue
            verdicts["unchanged" if str(first) == str(second) else found.verdict] += 1
            if found.verdict == DIFFERENT:
                wrong += 1
                print(f"{name} on @{function} of {file}: {found}")
        print(f"{name}: {', '.join(f'{number} {verdict}' for verdict, number in sorted(verdicts.items()))}", flush=True)
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


def sharded_texts() -> Iterator[tuple[str, bytes, list[np.ndarray]]]:
    """Yield the name, text and operands of sharded programs of JAX on a mesh of 4 x 2 devices."""
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/programs.npz"
        script = ROOT / "tests" / "differential" / "partitioned_programs.py"
        subprocess.run([sys.executable, str(script), path], check=True)
        arrays = np.load(path)
        for name in [name.removesuffix(".program") for name in arrays.files if name.endswith(".program")]:
            operands = [arrays[key] for key in arrays.files if key.startswith(f"{name}.operand.")]
            yield name, arrays[f"{name}.program"].tobytes(), operands


def sharded(count: int) -> bool:
    """Compare sharded programs with their partitioned forms, on a mesh of 4 x 2 devices, and of 2 x 4."""
    verdicts = Counter[str]()
    for name, text, operands in sharded_texts():
        texts = [text, text.replace(b'["x"=4, "y"=2]', b'["x"=2, "y"=4]')]
        # What is manual is written for one mesh.
        for number, each in enumerate(texts[:1] if b"manual" in text else texts):
            module = stablehlo_py.parse(each)
            try:
                found = same_function([fingerprint_runs(module, partial(simulate, partition(module)), operands)])
            except StablehloError as error:
                verdicts[f"not partitioned: {error.message}"] += 1
                continue
            verdicts[found.verdict] += 1
            if found.verdict != SAME:
                print(f"{name} on mesh {number}: {found}")
    _print(verdicts)
    return not verdicts[DIFFERENT]


def models(count: int) -> bool:
    """Time the models of the benchmarks, with numbers by definitions and with fingerprints, each in a process."""
    import jax
    from loop_models import PROGRAMS

    print("| model | by definitions | by fingerprints | times as long | times the memory |\n|---|---|---|---|---|")
    slowest = 0.0
    for name, (function, arguments, _) in PROGRAMS.items():
        text = str(jax.jit(function).lower(*arguments()).compiler_ir())
        rows = [
            run_in_child(partial(_timed, text, by_fingerprints), Limits(900.0)).value
            for by_fingerprints in (False, True)
        ]
        (plain, memory), (seconds, more) = rows
        slowest = max(slowest, seconds / plain)
        print(f"| {name} | {plain:.1f} s, {memory:.1f} GiB | {seconds:.1f} s, {more:.1f} GiB | {seconds / plain:.1f}"
              f" | {more / memory:.1f} |", flush=True)  # fmt: skip
    return slowest < 10


def _timed(text: str, by_fingerprints: bool) -> tuple[float, float]:
    """Return the seconds of a run and the GiB that this process has had at most."""
    subject = examine(stablehlo_py.parse(text))
    (arguments,) = draw_samples(subject, 1, 0)
    arguments = [a * a.dtype.type(0.05) if a.dtype.kind != "i" else a for a in arguments]
    program, by_reading = Program(subject.module, Settings(fast=False)), runner(subject, arguments, Settings())
    start = time.perf_counter()
    _ = by_reading(FingerprintReading(0)) if by_fingerprints else program.run(arguments)
    return time.perf_counter() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << 20)


PARTS = {"planted": planted, "collectives": collectives, "drawn": drawn, "official": official, "jax": through_xla,
         "sharded": sharded, "models": models}  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART", choices=[*PARTS, []], default=[])
    parser.add_argument("--count", type=int, default=500)
    options = parser.parse_args()
    chosen = options.parts if options.parts else list(PARTS)
    return int(sum(not PARTS[part](options.count) for part in chosen) > 0)


if __name__ == "__main__":
    sys.exit(main())
