"""A quick check runs the tests that are nearest to a change."""

from __future__ import annotations

from pathlib import Path

import affected


def names(*files: str) -> list[str]:
    return [path.name for path in affected.affected(files)]


def test_a_module_leads_to_the_tests_that_import_it():
    found = names("stablehlo_py/spmd/partition.py")
    assert set(affected.ALWAYS) <= set(found[: len(affected.ALWAYS)])
    assert "test_partition_rules.py" in found
    assert "test_loops.py" not in found


def test_a_test_and_a_file_that_a_test_names_lead_to_it():
    assert "test_loops.py" in names("tests/unit/test_loops.py")
    assert "test_flags.py" in names("tools/generate/flags.py")
    assert "test_scale.py" not in names("README.md")
    assert "test_readme.py" in names("README.md")


def test_data_of_the_package_leads_to_the_users_of_its_module():
    assert "test_facts.py" in names("stablehlo_py/dialect/ops.toml")


def test_what_changed_is_in_the_tree():
    assert all(not Path(name).is_absolute() for name in affected.changed())
