"""A quick check runs the tests that are nearest to a change."""

from __future__ import annotations

from pathlib import Path

import affected


def names(*files: str) -> list[str]:
    return [path.name for path in affected.affected(files)]


def test_a_module_leads_to_the_tests_that_import_it():
    found = names("stablehlo_py/spmd/partition.py")
    always = {Path(name).name for name in affected.ALWAYS}
    assert always <= set(found[: len(always)])
    assert "test_partition_rules.py" in found
    assert "test_loops.py" not in found


def test_a_test_and_a_file_that_a_test_names_lead_to_it():
    assert "test_loops.py" in names("tests/unit/interpreter/test_loops.py")
    assert "test_flags.py" in names("tools/generate/flags.py")
    assert "test_scale.py" not in names("README.md")
    assert "test_readme.py" in names("README.md")


def test_a_file_that_is_loaded_by_name_leads_to_the_tests_of_its_room():
    """Verbs, kernels, shape functions, cases and accelerators are reached by no import."""
    for file, test in (
        ("stablehlo_py/interpreter/ops/fourier.py", "test_discrete_fourier.py"),
        ("stablehlo_py/interpreter/fast/indexing.py", "test_fast.py"),
        ("stablehlo_py/shapes/functions/slicing.py", "test_abstract_cases.py"),
        ("stablehlo_py/cli/verbs/info.py", "test_crashes.py"),
        ("stablehlo_py/conformance/cases/sorting.py", "test_conformance.py"),
    ):
        assert test in names(file)
        assert names(file).index("test_import_rule.py") < names(file).index(test)


def test_data_of_the_package_leads_to_the_users_of_its_module():
    assert "test_op_facts.py" in names("stablehlo_py/dialect/ops.toml")


def test_a_room_leads_to_its_suites():
    assert affected.suites(["stablehlo_py/interpreter/ops/sorting.py", "README.md"]) == [
        "tests/lit/choices",
        "tests/lit/interpret",
    ]
    assert affected.suites(["stablehlo_py/shapes/library.py"]) == ["tests/lit/abstract", "tests/lit/infer"]
    assert affected.suites(["stablehlo_py/passes/cse.py", "stablehlo_py/syntax/parse.py"]) == ["tests/lit"]
    assert affected.suites(["tests/lit/verify/add.mlir"]) == ["tests/lit/verify/add.mlir"]
    assert affected.suites(["docs/index.md"]) == []
    rooms = {path.name for path in (affected.ROOT / affected.PACKAGE).iterdir() if path.is_dir()}
    suites = {name for names in affected.SUITES.values() for name in names}
    assert set(affected.SUITES) <= rooms
    assert all((affected.ROOT / "tests/lit" / name).is_dir() for name in suites)


def test_what_changed_is_in_the_tree():
    assert all(not Path(name).is_absolute() for name in affected.changed())
