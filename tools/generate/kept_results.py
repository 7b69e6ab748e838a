"""Write tests/unit/interpreter/kept_results.txt: what the reference returns for the kit, as a digest for each op.

Results have the same bits on every processor, and names of programs are kept by users. Generated functions are kept
because what they compute hides which values they free and count. Takes 20 seconds.
"""

from __future__ import annotations

import hashlib
import linecache
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from kept_draws import OPTIONS, few, write

from stablehlo_py.bindings import ir, make_context
from stablehlo_py.conformance.case import Case
from stablehlo_py.conformance.catalog import Choice, cases, families
from stablehlo_py.conformance.fuzz.builder import ProgramOptions
from stablehlo_py.conformance.fuzz.structures import draw_program
from stablehlo_py.conformance.oracle.scalars import TRANSCENDENTAL
from stablehlo_py.debug.equivalence import function_hash
from stablehlo_py.errors import StablehloError
from stablehlo_py.interpreter.program import Program
from stablehlo_py.interpreter.settings import Settings

PATH = Path(__file__).resolve().parents[2] / "tests" / "unit" / "interpreter" / "kept_results.txt"
TYPES = ("i1", "i4", "ui8", "i32", "f32", "complex<f32>", "complex<f64>")
_DRAWN = ("rng", "rng_bit_generator")  # their results differ from run to run, or are another test's
_SLOW_OF_F32 = {*TRANSCENDENTAL, "atan2", "power", "dot_general"}  # to draw; complex types have their accelerators, too
_LOOPS = ProgramOptions(size=8, weights={"loop": 8, "elementwise": 8}, elements=("i32", "f32", "i1"))
_NESTING = ("branch", "loop", "function", "reduce", "sort", "map")


def _ops(element: str, chosen: Callable[[str], bool]) -> list[str]:
    left_out = {*_DRAWN, *(_SLOW_OF_F32 if element == "f32" else ())}
    return [op for op in families() if op not in left_out and chosen(op)]


def bits(results: Sequence[Any]) -> list[str]:
    """Return the bits of arrays, those of a NaN as zeros; tokens have none."""
    arrays = [np.asarray(result) for result in results if isinstance(result, (np.ndarray, np.generic))]
    return [
        f"{array.dtype.name}{array.shape} {np.where(array != array, array.dtype.type(0), array).tobytes().hex()} "
        f"{np.packbits(array != array).tobytes().hex()}"
        for array in arrays
    ]


def runs(element: str, chosen: Callable[[str], bool]) -> Iterator[tuple[Case, list[list[str]]]]:
    """Yield the cases of a type with the bits of four runs: by definitions, and three with accelerators.

    The cases are those of `chosen` ops. The second and the third run are compiled, the third on other arrays of the
    same values.
    """
    context = make_context()
    with few(), np.errstate(all="ignore"):
        for case in cases(Choice(types=(element,), ops=_ops(element, chosen))):
            module, inputs = ir.Module.parse(case.module, context), list(case.inputs)
            fast = Program(module, Settings(deterministic=True))
            plain = Program(module, Settings(fast=False, deterministic=True))
            found = [bits(each.run(inputs)) for each in (plain, fast, fast)]
            yield case, [*found, bits(fast.run([array.copy() for array in inputs]))]


def of_hashes() -> dict[str, str]:
    """Return a digest of the names of drawn programs, by what they are drawn from."""
    context, found = make_context(), dict[str, str]()
    for name, options in OPTIONS.items():
        texts = [draw_program(Random(seed), options, context).text for seed in range(6)]
        names = [_hash(ir.Module.parse(text, context)) for text in texts]
        found[f"hash {name}"] = hashlib.sha256(" ".join(names).encode()).hexdigest()[:10]
    return found


def _hash(module: ir.Module) -> str:
    try:
        return function_hash(module, samples=1)
    except StablehloError as error:
        return type(error).__name__


def of_code() -> dict[str, str]:
    """Return a digest of the functions that are generated for drawn programs, by what they are drawn from."""
    context, found = make_context(), dict[str, str]()
    for name, options in {**OPTIONS, "loops": _LOOPS}.items():
        lines, count = list[str](), 12 if name in ("usual", "undefined", "loops", *_NESTING) else 3
        for seed in range(count):
            drawn, before = draw_program(Random(seed), options, context), {*linecache.cache}
            program = Program(ir.Module.parse(drawn.text, context))
            for _ in range(3):
                program.run(list(drawn.arguments))
            plans = [plan for plan in linecache.cache if plan.startswith("<plan") and plan not in before]
            assert plans, f"nothing is compiled of seed {seed} of {name}"
            lines += [line for plan in plans for line in linecache.getlines(plan)]
        found[f"code {name}"] = hashlib.sha256("".join(lines).encode()).hexdigest()[:10]
    return found


def of_results(element: str, chosen: Callable[[str], bool] = lambda op: True) -> tuple[dict[str, str], list[str]]:
    """Return a digest of the results of each op for a type, by definitions, and what accelerators give otherwise.

    Of all ops, or those `chosen`.
    """
    found: dict[str, hashlib._Hash] = {}
    wrong = list[str]()
    for case, (plain, *others) in runs(element, chosen):
        found.setdefault(case.op, hashlib.sha256()).update("\0".join([case.name, *plain]).encode())
        wrong += [f"{case.name}: run {number} gives {other}, by definition {plain}\n{case.module}"
                  for number, other in enumerate(others) if other != plain]  # fmt: skip
    return {f"{element} {op}": each.hexdigest()[:10] for op, each in found.items()}, wrong


def main() -> None:
    """Write the file."""
    found = of_hashes() | of_code()
    for element in TYPES:
        found |= of_results(element)[0]
    write(PATH, found)


if __name__ == "__main__":
    main()
