"""Simplification of long programs arrives; `benchmarks/limits.py` checks how long it takes."""

from __future__ import annotations

import pytest
from simplification import chain, nested_concatenations, run

from stablehlo_py.passes.base import Pass
from stablehlo_py.passes.optimization import AggressiveSimplification, TargetIndependentOptimization

PASSES = [AggressiveSimplification(), TargetIndependentOptimization()]


@pytest.mark.parametrize("each", PASSES, ids=lambda each: each.name)
def test_a_long_chain_loses_what_is_superfluous(each: Pass) -> None:
    left = run(chain(10000), each)[0]
    assert left < 5000, f"{left} ops of 10,000 are left, of which half does nothing"


def test_deep_concatenations_become_one_at_once() -> None:
    left = run(nested_concatenations(4000), AggressiveSimplification())[0]
    assert left == 2, f"{left} ops are left: one concatenation and the return were expected"
