"""Programs exported from JAX: no pass changes their values, and docs/optimization.md says how many ops remain."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from rewrites import CONTEXT, assert_equal_values, optimize

from stablehlo_py.bindings import ir
from stablehlo_py.bindings.types import TensorType
from stablehlo_py.bindings.walk import operations_within
from stablehlo_py.interpreter.program import Program, interpret
from stablehlo_py.passes.base import Pass
from stablehlo_py.passes.fold_constants import FoldConstants
from stablehlo_py.passes.optimization import (
    AggressiveFolder,
    AggressiveSimplification,
    TargetIndependentOptimization,
)
from stablehlo_py.passes.pipeline import run_pipeline

ROOT = Path(__file__).parents[2]
PROGRAMS = sorted((ROOT / "examples" / "jax").glob("*.mlir"))

PASSES: dict[str, Pass] = {
    "folder": AggressiveFolder(),
    "simplification": AggressiveSimplification(),
    "both": TargetIndependentOptimization(),
    "both, exact": TargetIndependentOptimization(optimize_float=False),
    "constants": FoldConstants(),
}


def inlined(path: Path) -> ir.Module:
    module = ir.Module.parse(path.read_text(), CONTEXT)
    run_pipeline(module, "builtin.module(inline)")
    return module


def random_arguments(module: ir.Module, seed: int) -> list[np.ndarray]:
    """Plain numbers: floats from 0 to 2, small integers."""
    generator = np.random.default_rng(seed)
    arguments = []
    for type_ in Program(module).parameter_types():
        assert isinstance(type_, TensorType)
        shape = type_.static_shape
        floats = type_.dtype.kind == "f"
        numbers = generator.random(shape) * 2 if floats else generator.integers(0, 5, shape)
        arguments.append(np.asarray(numbers).astype(type_.dtype))
    return arguments


def count_ops(module: ir.Module) -> int:
    return sum(len(operations_within(op.operation)) for op in module.body.operations)


def test_there_are_ten_programs():
    assert len(PROGRAMS) == 10


@pytest.mark.parametrize("name", PASSES)
@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_values_stay(path: Path, name: str) -> None:
    original, module = inlined(path), inlined(path)
    optimize(module, PASSES[name])
    exact = name not in ("simplification", "both")
    for seed in range(3):
        arguments = random_arguments(original, seed)
        before, after = interpret(original, arguments), interpret(module, arguments)
        assert_equal_values(before, after, exact=exact, text=str(module))


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_the_documented_table_is_true(path: Path) -> None:
    table = (ROOT / "docs" / "optimization.md").read_text()
    row = re.search(rf"^\| {path.stem} \| (.*) \|$", table, flags=re.MULTILINE)
    assert row is not None
    documented = [int(count) for count in row[1].split(" | ")[:5]]
    counts = [count_ops(ir.Module.parse(path.read_text(), CONTEXT)), count_ops(inlined(path))]
    for name in ("simplification", "both", "both, exact"):
        module = inlined(path)
        optimize(module, PASSES[name])
        counts.append(count_ops(module))
    assert documented == counts, "python benchmarks/simplification.py writes the table anew"
