"""A backend with five errors, to try the conformance kit on: `stablehlo conformance run --engine='command+:python …'`.

It answers lines of JSON as `docs/how-to/own-engine.md` says. Its arithmetic is the reference interpreter's, but for
`add` of booleans, `atan2` of denormals, `cbrt`, `sort` of unsigned integers and `dynamic_slice` out of range.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import stablehlo_py
from stablehlo_py.extend import op_kernel
from stablehlo_py.interpreter.program import Program
from stablehlo_py.interpreter.registry import kernel_maker
from stablehlo_py.interpreter.storage import from_stored, load_arrays, save_arrays

Kernel = Callable[..., Any]


def wrong(name: str) -> Callable[[Callable[[Kernel, Any], Kernel]], object]:
    """Put what is decorated in place of an op; it takes the right kernel and the op."""
    right = kernel_maker(name)

    def enter(function: Callable[[Kernel, Any], Kernel]) -> object:
        return op_kernel(name)(lambda op: function(right(op), op))

    return enter


@wrong("stablehlo.add")
def add(right: Kernel, op: Any) -> Kernel:
    """True and true is false."""
    return lambda a, b: np.logical_xor(a, b) if np.asarray(a).dtype == bool else right(a, b)


@wrong("stablehlo.atan2")
def atan2(right: Kernel, op: Any) -> Kernel:
    """Denormals of f32 give NaN."""

    def run(y: Any, x: Any) -> Any:
        found = np.array(right(y, x))
        if found.dtype != np.float32:
            return found
        tiny = np.finfo(np.float32).tiny
        is_denormal = (np.abs(y) > 0) & (np.abs(y) < tiny) | (np.abs(x) > 0) & (np.abs(x) < tiny)
        return np.where(is_denormal, np.float32("nan"), found)

    return run


@wrong("stablehlo.cbrt")
def cbrt(right: Kernel, op: Any) -> Kernel:
    """Results in f32 are off by a millionth."""

    def run(x: Any) -> Any:
        found = np.asarray(right(x))
        return found * np.float32(1 + 1e-6) if found.dtype == np.float32 else found

    return run


@wrong("stablehlo.sort")
def sort(right: Kernel, op: Any) -> Kernel:
    """Unsigned integers are sorted by their signed values."""

    def run(comparator: Any, *operands: Any) -> Any:
        if operands[0].dtype.kind != "u":
            return right(comparator, *operands)
        signed = [each.view(f"i{each.dtype.itemsize}") if each.dtype.kind == "u" else each for each in operands]
        results = right(comparator, *signed)
        several = results if isinstance(results, tuple) else (results,)
        views = [each.view(operand.dtype) for each, operand in zip(several, operands, strict=True)]
        return tuple(views) if len(views) > 1 else views[0]

    return run


@wrong("stablehlo.dynamic_slice")
def dynamic_slice(right: Kernel, op: Any) -> Kernel:
    """Positions wrap around instead of being clamped."""

    def run(operand: Any, *starts: Any) -> Any:
        pairs = zip(map(np.asarray, starts), operand.shape, strict=True)
        return right(operand, *[(start % max(size, 1)).astype(start.dtype) for start, size in pairs])

    return run


def answer(files: dict[str, str]) -> dict[str, str]:
    """Run one program, and write its results."""
    try:
        program = Program(stablehlo_py.parse(Path(files["module"])))
        given = zip(load_arrays(files["inputs"]), program.parameter_types(), strict=True)
        results = program.run([from_stored(value, type_.dtype) for value, type_ in given])
        Path(files["outputs"]).write_bytes(save_arrays("outputs.npz", results))
    except stablehlo_py.StablehloError as error:
        return {"status": "error", "message": str(error)}
    return {"status": "ok"}


for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))), flush=True)
