"""Simplification keeps its promise on time: 10,000 ops within 20 s, and twice the ops in twice the time."""

from __future__ import annotations

import pytest
from simplification import chain, run

from stablehlo_py.passes.base import Pass
from stablehlo_py.passes.optimization import AggressiveSimplification, TargetIndependentOptimization

PASSES = [AggressiveSimplification(), TargetIndependentOptimization()]


@pytest.mark.parametrize("each", PASSES, ids=lambda each: each.name)
def test_time_is_linear(each: Pass) -> None:
    run(chain(500), each)  # loads what is loaded on first use
    small = min(run(chain(5000), each)[1] for _ in range(2))
    large = run(chain(10000), each)[1]
    assert large < 20
    assert large < 4 * small


def nested_concatenations(count: int) -> str:
    """A tensor to which an element is added again and again."""
    lines = ["%v0 = stablehlo.concatenate %x, dim = 0 : (tensor<1xf32>) -> tensor<1xf32>"]
    lines += [
        f"%v{i} = stablehlo.concatenate %v{i - 1}, %x, dim = 0 : "
        f"(tensor<{i}xf32>, tensor<1xf32>) -> tensor<{i + 1}xf32>"
        for i in range(1, count)
    ]
    lines.append(f"return %v{count - 1} : tensor<{count}xf32>")
    body = "\n".join(lines)
    return f"func.func @main(%x: tensor<1xf32>) -> tensor<{count}xf32> {{\n{body}\n}}"


def test_deep_concatenations_become_one_at_once() -> None:
    left, seconds = run(nested_concatenations(4000), AggressiveSimplification())
    assert left == 2
    assert seconds < 2
