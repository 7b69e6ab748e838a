"""Mutants of the reference: what is changed, that some are caught, and what the kit exercises."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import stablehlo_py
from stablehlo_py.conformance.catalog import Choice, cases
from stablehlo_py.conformance.coverage import coverage, text
from stablehlo_py.conformance.registry import families
from stablehlo_py.measurement.mutation import Verdict, choose, mutants_of, source_of

OPS = Path(stablehlo_py.__file__).parent / "reference" / "ops"


def test_mutants_are_the_same_for_a_seed_and_differ_from_the_source() -> None:
    chosen = choose(300, 0)
    assert chosen == choose(300, 0)
    assert len(chosen) == 300
    assert len({mutant.file for mutant in chosen}) > 20
    for mutant in chosen[::20]:
        original = (OPS.parent / mutant.file).read_text(encoding="utf-8")
        assert ast.dump(source_of(mutant)) != ast.dump(ast.parse(original))


def test_errors_and_annotations_are_not_mutated() -> None:
    for mutant in mutants_of(OPS / "slicing.py", sorted(families())):
        line = (OPS / "slicing.py").read_text(encoding="utf-8").splitlines()[mutant.line - 1]
        assert "raise" not in line
        assert not line.lstrip().startswith("@")


def test_a_verdict_says_what_it_is_about() -> None:
    mutant = choose(1, 0)[0]
    assert str(Verdict(mutant, False, "")).startswith("MISSED ")
    assert "(add.i32.ordinary.0)" in str(Verdict(mutant, True, "add.i32.ordinary.0"))


@pytest.mark.parametrize("op", ["gather", "dot_general"])
def test_coverage_counts_types_kinds_and_constraints(op: str) -> None:
    (found,) = coverage(cases(Choice(ops=(op,))))
    assert found.cases == sum(found.types.values()) == sum(found.kinds.values())
    assert "C1" in found.constraints
    assert f"`{op}`" in text([found])
