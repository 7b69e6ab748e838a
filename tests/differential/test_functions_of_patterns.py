"""Patterns and decompositions keep the function of a program: fingerprints before and after each are the same."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from pattern_programs import FUNCTIONS, UNRUNNABLE, arguments_of, parse_function, retyped_programs
from rewrites import CONTEXT, optimize
from samples import chequered
from test_decomposition_elements import PROGRAMS, operands_of, program

from stablehlo_py.bindings import ir
from stablehlo_py.debug.equivalence import DIFFERENT, SAME, Run, same_function
from stablehlo_py.interpreter.fingerprints.reading import FingerprintReading
from stablehlo_py.interpreter.fingerprints.storage import argument
from stablehlo_py.interpreter.program import Program
from stablehlo_py.interpreter.values import flat
from stablehlo_py.passes.fold_constants import FoldConstants
from stablehlo_py.passes.optimization import AggressiveFolder, AggressiveSimplification, TargetIndependentOptimization
from stablehlo_py.passes.pipeline import run_pipeline

PASSES = (AggressiveSimplification(), AggressiveFolder(), TargetIndependentOptimization(), FoldConstants())


ELEMENTS = ("bf16", "f16", "f64", "f8E4M3FN", "complex<f32>", "i8", "ui32", "i1")


def runs(module: ir.Module, name: str, arguments: list[Any]) -> Run:
    def run(reading: FingerprintReading) -> list[Any]:
        program = Program(module, None, reading)
        pairs = enumerate(zip(arguments, program.parameter_types(name), strict=True))
        given = [argument(reading.state, value, type_, number) for number, (value, type_) in pairs]
        return flat(program.run_values(given, name))

    return run


@pytest.mark.parametrize("each", PASSES, ids=lambda each: each.name)
def test_functions_stay(each):
    """Constants are folded by rounding, so that a rounding of them is no change."""
    wrong, verdicts = [], dict[str, int]()
    for file, name in FUNCTIONS:
        if name in UNRUNNABLE:
            continue
        original, module = parse_function(file, name), parse_function(file, name)
        optimize(module, each)
        arguments = arguments_of(original, name, 1)
        found = same_function([(runs(original, name, arguments), runs(module, name, arguments), [])])
        verdicts[found.verdict] = verdicts.get(found.verdict, 0) + 1
        if found.verdict == DIFFERENT:
            wrong.append(f"@{name} of {file}: {found}\n{module}")
    assert wrong == []
    assert sum(count for verdict, count in verdicts.items() if "same" in verdict) > 0.9 * sum(verdicts.values()), (
        verdicts
    )


@pytest.mark.parametrize(("kind", "element"), chequered(["simplify_", "fold_"], ELEMENTS, 4))
def test_functions_of_other_elements_stay(kind, element):
    with CONTEXT, ir.Location.unknown():
        names, module, arguments = retyped_programs(kind, element)
        _, changed, _ = retyped_programs(kind, element)
        optimize(changed, AggressiveSimplification(optimize_float=False), AggressiveFolder(optimize_float=False))
    assert str(changed) != str(module)
    found = same_function([(runs(module, "main", arguments), runs(changed, "main", arguments), [])])
    assert found.verdict != DIFFERENT, f"{len(names)} results of {kind}: {found}"


@pytest.mark.parametrize("element", ["f32", "f64", "complex<f64>", "i32"])
def test_functions_of_decompositions_stay(element):
    """Each result of a decomposition has the residues that the op's definition gives.

    Narrower types have another epsilon in a decomposition, where it is a constant, than in the definition."""
    generator, found = np.random.default_rng(1), dict[str, str]()
    for op in PROGRAMS:
        operands = [np.where(np.abs(each) < 100, each, 1).astype(each.dtype)
                    for each in operands_of(op, element, generator)]  # fmt: skip
        # The interpreter evaluates an einsum as the product of two matrices that it is here.
        first = program("stablehlo.dot" if op == "stablehlo.einsum" else op, element, len(operands[0]))
        second = program(op, element, len(operands[0]))
        if first is None or second is None:
            continue
        run_pipeline(second, "builtin.module(stablehlo-decompose)")
        if str(first) != str(second):
            verdict = same_function([(runs(first, "main", operands), runs(second, "main", operands), [])])
            found[op] = verdict.summary
    assert len(found) > 3
    assert found == dict.fromkeys(found, SAME)
