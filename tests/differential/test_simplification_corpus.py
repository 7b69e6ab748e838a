"""Every program of the lit suites goes through every optimization pass, and verifies afterwards."""

from __future__ import annotations

from pathlib import Path

import pytest
from rewrites import CONTEXT, optimize

from stablehlo_py.bindings import ir
from stablehlo_py.passes.base import Pass
from stablehlo_py.passes.fold_constants import FoldConstants
from stablehlo_py.passes.optimization import TargetIndependentOptimization

LIT = Path(__file__).parents[1] / "lit"
SUITES = sorted(path.name for path in LIT.iterdir() if path.is_dir() and any(path.glob("*.mlir")))

PASSES: tuple[Pass, ...] = (
    TargetIndependentOptimization(),
    TargetIndependentOptimization(optimize_float=False, fold_op_element_limit=0),
    FoldConstants(),
)


def programs(suite: str) -> list[tuple[str, str]]:
    """Every chunk of the suite's files that is a program, with its place. Others are about what is none.

    Programs of `…_errors.mlir` contradict themselves, which folding brings to light.
    """
    found = []
    for path in sorted((LIT / suite).glob("*.mlir")):
        if path.stem.endswith("_errors"):
            continue
        for number, text in enumerate(path.read_text().split("// -----")):
            try:
                ir.Module.parse(text, CONTEXT)
            except ir.MLIRError:
                continue
            found.append((f"{path.name}, chunk {number}", text))
    return found


@pytest.mark.parametrize(
    "suite", [pytest.param(suite, marks=[pytest.mark.release] * (suite == "vhlo")) for suite in SUITES]
)
def test_passes_leave_valid_programs(suite: str) -> None:
    for place, text in programs(suite):
        for each in PASSES:
            module = ir.Module.parse(text, CONTEXT)
            try:
                optimize(module, each)
            except ir.MLIRError as error:
                pytest.fail(f"{place} is invalid after {each}: {error}")
