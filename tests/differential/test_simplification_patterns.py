"""Every pattern fires in the lit test that is named after it, and changes no value on random inputs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from agreement import edges_of
from rewrites import CONTEXT, assert_equal_values, optimize

from stablehlo_py.bindings import ir
from stablehlo_py.bindings.elements import to_numpy
from stablehlo_py.bindings.types import TensorType, TokenType, TupleType, ValueType, decode_type
from stablehlo_py.interpreter.program import interpret
from stablehlo_py.interpreter.values import Token
from stablehlo_py.passes.base import Pass
from stablehlo_py.passes.fold_constants import FoldConstants
from stablehlo_py.passes.folding import FOLDS
from stablehlo_py.passes.optimization import (
    AggressiveFolder,
    AggressiveSimplification,
    TargetIndependentOptimization,
)
from stablehlo_py.passes.simplification import SIMPLIFICATIONS

LIT = Path(__file__).parents[1] / "lit" / "passes"
FILES = sorted([*LIT.glob("simplify_*.mlir"), *LIT.glob("fold_*.mlir"), *LIT.glob("aggressive_target_*.mlir")])
FUNCTIONS = [
    (path.name, name)
    for path in FILES
    for name in re.findall(r"^func\.func @(\w+)\(", path.read_text(), flags=re.MULTILINE)
]
PATTERNS = {pattern.name: pattern for pattern in (*SIMPLIFICATIONS, *FOLDS)}

# Functions that cannot be run, and why.
UNRUNNABLE = {
    "shape_of_dynamic_reshape": "the interpreter has no shape dialect",
    "dynamic_broadcast_to_own_shape": "the interpreter has no shape dialect",
    "shape_of_static": "the interpreter has no shape dialect",
    "index_cast_of_constant": "the interpreter has no shape dialect",
    "keeps_index_cast_that_wraps": "the interpreter has no shape dialect",
    "keeps_state_that_an_effect_reads": "calls custom code",
    "backend_config_as_attribute": "calls custom code",
    "keeps_backend_config_in_use": "calls custom code",
    "keeps_effect_on_no_elements": "calls custom code",
    "inline_chosen_branch_beside_an_effect": "calls custom code",
    "keeps": "calls custom code",
    "keeps_unknown_ops": "uses ops of an unknown dialect",
    "loop_presumed_pure_that_never_runs": "the function it calls has no body",
    "endless": "does not end",
}
SEEDS = (1, 2, 3)


def parse_function(file: str, name: str) -> ir.Module:
    """The module of a lit test with only one function that has a body."""
    module = ir.Module.parse((LIT / file).read_text(), CONTEXT)
    for op in list(module.body.operations):
        if len(op.regions[0].blocks) and ir.StringAttr(op.attributes["sym_name"]).value != name:
            op.operation.erase()
    return module


def random_value(type_: ValueType, hints: dict[str, Any], generator: np.random.Generator) -> Any:
    """A value of the type with special values among its elements, or the one that the function asks for."""
    if isinstance(type_, TupleType):
        return tuple(random_value(part, {}, generator) for part in type_.types)
    if isinstance(type_, TokenType):
        return Token()
    assert isinstance(type_, TensorType)
    if "test.value" in hints:
        return to_numpy(hints["test.value"])
    shape = list(hints["test.shape"]) if "test.shape" in hints else [size or 0 for size in type_.shape]
    return generator.choice(edges_of(str(type_.element_type)), shape)


def arguments_of(module: ir.Module, name: str, seed: int) -> list[Any]:
    generator = np.random.default_rng(seed)
    function = next(
        op.operation for op in module.body.operations if ir.StringAttr(op.attributes["sym_name"]).value == name
    )
    block = function.regions[0].blocks[0]
    hints: list[dict[str, Any]] = [{} for _ in block.arguments]
    if "arg_attrs" in function.attributes:
        hints = [{entry.name: entry.attr for entry in ir.DictAttr(each)} for each in function.attributes["arg_attrs"]]
    return [
        random_value(decode_type(argument.type), hint, generator)
        for argument, hint in zip(block.arguments, hints, strict=True)
    ]


PASSES: dict[str, tuple[Pass, bool]] = {
    "simplification": (AggressiveSimplification(), False),
    "simplification, exact": (AggressiveSimplification(optimize_float=False), True),
    "folder": (AggressiveFolder(), True),
    "folder, exact": (AggressiveFolder(optimize_float=False), True),
    "both": (TargetIndependentOptimization(), False),
    "both, exact": (TargetIndependentOptimization(optimize_float=False), True),
    "constants": (FoldConstants(), True),
}


@pytest.mark.parametrize("pass_name", PASSES)
@pytest.mark.parametrize(("file", "name"), FUNCTIONS)
def test_values_stay(file: str, name: str, pass_name: str) -> None:
    each, exact = PASSES[pass_name]
    module = parse_function(file, name)
    if name in UNRUNNABLE:
        optimize(module, each)  # verifies
        return
    original = parse_function(file, name)
    optimize(module, each)
    for seed in SEEDS:
        arguments = arguments_of(original, name, seed)
        before = interpret(original, arguments, function=name)
        after = interpret(module, arguments, function=name)
        assert_equal_values(before, after, exact=exact, text=str(module))


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
