"""Every constraint of the specification has a positive and a negative case, or a reason why it cannot have one."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import contracts
import pytest

from stablehlo_py.artifacts.versions import current_version, version_log
from stablehlo_py.bindings.op_signatures import op_names
from stablehlo_py.dialect.catalog import constraints, contract, contract_names
from stablehlo_py.shapes.library import library
from stablehlo_py.shapes.signatures import SHAPE

ROOT = Path(__file__).parents[3]


def test_what_is_written_from_the_suites_is_up_to_date_and_has_no_holes():
    command = [sys.executable, str(ROOT / "tools" / "generate" / "contracts.py"), "--check"]
    completed = subprocess.run(command, capture_output=True, text=True, check=False)
    assert completed.stderr == ""
    assert completed.returncode == 0, completed.stderr


def test_every_op_of_the_dialect_has_a_suite():
    dialect = {name.removeprefix("stablehlo.") for name in op_names("stablehlo")}
    assert set(contracts.provided_ops()) == dialect
    newest = current_version() >= version_log()[-1].version
    assert not newest or set(contract_names()) == dialect
    assert [op for op in contract_names() if not contracts.suite(op).exists()] == []


def test_every_op_has_a_positive_and_a_negative_case():
    assert contract_names()
    for op in contract_names():
        found = list(contracts.cases(op))
        assert any(not case.errors for case in found), op
        assert any(case.errors for case in found), op


@pytest.mark.parametrize("op", sorted(constraints()))
def test_constraints_are_numbered_without_holes(op):
    numbers = [constraint.number for constraint in constraints()[op]]
    assert numbers == [f"C{position}" for position in range(1, len(numbers) + 1)]


def test_a_constraint_without_a_case_is_a_hole(monkeypatch, tmp_path):
    (tmp_path / "cholesky.mlir").write_text("func.func @cholesky() {\n  return\n}\n")
    monkeypatch.setattr(contracts, "SUITES", tmp_path)
    found = contracts.holes()
    assert "cholesky: no negative case for C3" in found
    assert "gather: no suite" in found


def test_a_case_about_an_unknown_constraint_is_told(monkeypatch, tmp_path):
    (tmp_path / "cholesky.mlir").write_text("func.func @cholesky_c9() {\n  return\n}\n")
    monkeypatch.setattr(contracts, "SUITES", tmp_path)
    assert "cholesky_c9: cholesky has no C9" in contracts.holes()


def test_names_of_functions_do_not_repeat():
    assert contract_names()
    for op in contract_names():
        names = [case.name for case in contracts.cases(op)]
        assert len(names) == len(set(names)), op


def test_every_op_that_infers_shows_the_types():
    """In a suite of its own, or in the cases of its library function, which are compared with the official
    inference."""
    inferring = [op for op in contract_names() if "InferTypeOpInterface" in contract(op).traits]
    silent = [op for op in inferring if not (ROOT / "tests" / "lit" / "infer" / f"{op}.mlir").exists()]
    library_functions = {op: library().find(SHAPE, f"stablehlo.{op}") for op in silent}
    assert [op for op, found in library_functions.items() if found is None or not found.registration.cases] == []
    broadcasting = [name for name in op_names("chlo") if "broadcast" in name]
    suites = [ROOT / "tests" / "lit" / "infer" / f"{name.replace('.', '_')}.mlir" for name in broadcasting]
    assert [suite.name for suite in suites if not suite.exists()] == []
