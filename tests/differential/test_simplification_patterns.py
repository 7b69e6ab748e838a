"""Every pattern fires in the lit test that is named after it, and changes no value on random inputs."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from pattern_programs import FUNCTIONS, UNRUNNABLE, arguments_of, parse_function
from rewrites import assert_equal_values, optimize
from samples import chequered

from stablehlo_py.interpreter.program import interpret
from stablehlo_py.passes.base import Pass
from stablehlo_py.passes.fold_constants import FoldConstants
from stablehlo_py.passes.folding import FOLDS
from stablehlo_py.passes.optimization import (
    AggressiveFolder,
    AggressiveSimplification,
    TargetIndependentOptimization,
)
from stablehlo_py.passes.simplification import SIMPLIFICATIONS

PATTERNS = {pattern.name: pattern for pattern in (*SIMPLIFICATIONS, *FOLDS)}

SEEDS = (1, 2, 3)


PASSES: dict[str, tuple[Pass, bool]] = {
    "simplification": (AggressiveSimplification(), False),
    "simplification, exact": (AggressiveSimplification(optimize_float=False), True),
    "folder": (AggressiveFolder(), True),
    "folder, exact": (AggressiveFolder(optimize_float=False), True),
    "both": (TargetIndependentOptimization(), False),
    "both, exact": (TargetIndependentOptimization(optimize_float=False), True),
    "constants": (FoldConstants(), True),
}


@pytest.mark.parametrize(("function", "pass_name"), chequered(FUNCTIONS, list(PASSES)), ids=str)
def test_values_stay(function: tuple[str, str], pass_name: str) -> None:
    file, name = function
    each, exact = PASSES[pass_name]
    module = parse_function(file, name)
    if name in UNRUNNABLE:
        optimize(module, each)  # verifies
        return
    optimize(module, each)
    for arguments, before in _runs(file, name):
        after = interpret(module, arguments, function=name)
        assert_equal_values(before, after, exact=exact, text=str(module))


@cache
def _runs(file: str, name: str) -> list[tuple[list[Any], list[Any]]]:
    """Return drawn arguments, and what the function as it is written gives for them."""
    module = parse_function(file, name)
    drawn = [arguments_of(module, name, seed) for seed in SEEDS]
    return [(arguments, interpret(module, arguments, function=name)) for arguments in drawn]


@pytest.mark.parametrize("name", sorted(PATTERNS))
def test_pattern_fires_where_its_name_says(name: str) -> None:
    candidates = [(file, function) for file, function in FUNCTIONS if function.startswith(name)]
    assert candidates, f"no lit test is called @{name}"
    limit = 6 if name.startswith("join") else 65536
    passes = (
        AggressiveSimplification(),
        AggressiveFolder(fold_op_element_limit=limit, assume_no_undeclared_side_effects=True),
    )
    assert any(
        optimize(parse_function(file, function), each).patterns[name].fired
        for file, function in candidates
        for each in passes
    )


@pytest.mark.parametrize(("file", "name"), [each for each in FUNCTIONS if each[1].startswith("keeps_")])
def test_nothing_fires_where_nothing_may_change(file: str, name: str) -> None:
    if file.startswith("fold_"):
        each: Pass = AggressiveFolder(fold_op_element_limit=6)
    else:
        each = AggressiveSimplification(optimize_float=False)
    report = optimize(parse_function(file, name), each)
    moved = {"tensors_without_elements", "constant_to_the_right", "reduce_of_empty", "broadcast_of_nothing"}
    fired = {pattern for pattern, record in report.patterns.items() if record.fired}
    assert not fired - moved
