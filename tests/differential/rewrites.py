"""Programs before and after a pass: both verify, and both give the same values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from structures import bits

from stablehlo_py.bindings import ir, make_context
from stablehlo_py.interpreter.program import interpret
from stablehlo_py.passes.base import Pass
from stablehlo_py.passes.report import PassReport, collect

CONTEXT = make_context(allow_unregistered_dialects=True)


def optimize(module: ir.Module, *passes: Pass) -> PassReport:
    """Runs the passes on each function with a body; the module verifies afterwards. Returns the last pass's report."""
    with collect() as collection:
        for each in passes:
            for op in module.body.operations:
                if op.operation.name == "func.func" and len(op.regions[0].blocks):
                    each.run(op.operation)
    module.operation.verify()
    return list(collection.reports.values())[-1] if collection.reports else PassReport()


def positive_zeros(array: np.ndarray) -> np.ndarray:
    """The array with zeros of one sign."""
    if array.dtype.kind == "c":
        array = np.ascontiguousarray(array).reshape(-1).view(f"f{array.itemsize // 2}")
    return np.where(array == 0, array.dtype.type(0), array)


def assert_equal_values(before: Sequence[Any], after: Sequence[Any], *, exact: bool, text: str) -> None:
    """The results agree bit by bit, every NaN counting as the same; unless `exact`, zeros of both signs do too."""
    assert len(before) == len(after)
    for index, (old, new) in enumerate(zip(before, after, strict=True)):
        if isinstance(old, tuple):
            assert_equal_values(old, new, exact=exact, text=text)
            continue
        if not isinstance(old, np.ndarray):
            assert old == new, text
            continue
        assert (old.dtype, old.shape) == (new.dtype, new.shape), text
        if not exact and old.dtype.kind not in "biu" and not old.dtype.name.startswith(("int", "uint")):
            old, new = (positive_zeros(value) for value in (old, new))
        assert bits(old) == bits(new), f"result {index} was\n{old}\nand is\n{new}\nin\n{text}"


def assert_unchanged(text: str, arguments: Sequence[Any], *passes: Pass, exact: bool = True) -> PassReport:
    """Runs `main` before and after the passes on the same arguments."""
    module = ir.Module.parse(text, CONTEXT)
    before = interpret(module, arguments)
    report = optimize(module, *passes)
    after = interpret(module, arguments)
    assert_equal_values(before, after, exact=exact, text=f"{text}\nnow\n{module}")
    return report
