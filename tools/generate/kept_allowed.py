"""Write tests/unit/debug/kept_allowed.txt: what results of the kit's ops may be, as a digest for each op.

For each case, the elements of results are told that are not allowed if all are some units off, or have the other sign,
or are NaN. Takes 20 seconds.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from kept_draws import few, write

from stablehlo_py.bindings import ir, make_context
from stablehlo_py.conformance.case import Case
from stablehlo_py.conformance.catalog import Choice, cases, families
from stablehlo_py.conformance.oracle.scalars import TRANSCENDENTAL
from stablehlo_py.debug.allowed.enclosures import Question
from stablehlo_py.debug.allowed.ops import allowed
from stablehlo_py.debug.allowed.widths import DEFAULT, PROFILES
from stablehlo_py.debug.programs.subject import examine
from stablehlo_py.interpreter.element_types.ulp import spacing
from stablehlo_py.interpreter.program import Program

PATH = Path(__file__).resolve().parents[2] / "tests" / "unit" / "debug" / "kept_allowed.txt"
TYPES = ("i32", "f32", "complex<f32>")
_UNITS = (0, 1, 2, 5, 40, 3000)
_LEFT_OUT = {"rng", "rng_bit_generator", *TRANSCENDENTAL} - {"tanh", "cbrt"}
_MOST_ELEMENTS, _MOST_CASES = 300, 3


def _others(value: np.ndarray) -> Iterator[np.ndarray]:
    """Yield arrays like one that is right, each further off."""
    if value.dtype.kind in "iub" or value.dtype.name.startswith(("int", "uint")):
        yield from (value, ~value)
        return
    wide = value.astype(np.complex128 if value.dtype.kind == "c" else np.float64)
    unit = spacing(np.abs(wide), np.dtype(f"f{value.dtype.itemsize // 2}") if value.dtype.kind == "c" else value.dtype)
    for units in _UNITS:
        for sign in (-1, 1):
            yield (wide + sign * units * unit).astype(value.dtype)
    yield -value
    yield np.full_like(value, np.nan)


def _told(case: Case, context: ir.Context) -> Iterator[str]:
    """Yield what is said of the results of a case's only op."""
    module = ir.Module.parse(case.module, context)
    subject = examine(module)
    if len(subject.ops) != 1 or any(array.size > _MOST_ELEMENTS for array in case.inputs):
        return
    (op,) = subject.ops
    if op.name != f"stablehlo.{case.op}":
        return
    wanted = [np.asarray(result) for result in Program(module).run(list(case.inputs))]
    values = dict(zip(subject.block.arguments, case.inputs, strict=True))
    for name, profile in PROFILES.items() if not case.number else [("default", DEFAULT)]:
        types = [each.dtype for each in wanted]
        question = Question(op, values, wanted, types, subject.extractor, list(op.results), profile)
        for one, value in zip(allowed(question), wanted, strict=True):
            yield f"{name} {one.sentence} {one.opening} {np.packbits(np.asarray(one.free)).tobytes().hex()}"
            for other in _others(value):
                yield np.packbits(np.asarray(one.outside(other))).tobytes().hex()


def of_allowed(element: str, chosen: Callable[[str], bool] = lambda op: True) -> dict[str, str]:
    """Return a digest of what results of each op may be, for an element type; of all ops, or those `chosen`."""
    found: dict[str, hashlib._Hash] = {}
    context, ops = make_context(), [op for op in families() if op not in _LEFT_OUT and chosen(op)]
    with few(), np.errstate(all="ignore"):
        for case in cases(Choice(types=(element,), ops=ops)):
            if not case.kind.endswith("one by one") and case.number < _MOST_CASES:
                told = "\0".join(_told(case, context))
                if told:
                    found.setdefault(case.op, hashlib.sha256()).update(told.encode())
    return {f"{element} {op}": each.hexdigest()[:10] for op, each in found.items()}


def main() -> None:
    """Write the file."""
    found: dict[str, str] = {}
    for element in TYPES:
        found |= of_allowed(element)
    write(PATH, found)


if __name__ == "__main__":
    main()
