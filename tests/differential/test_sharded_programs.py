"""Sharded programs, interpreted and partitioned, give what XLA gives on eight devices."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from programs_of_jax import written_by_jax

import stablehlo_py
from stablehlo_py.spmd import partition, simulate

SCRIPT = Path(__file__).parent / "sharded_programs.py"
NAMES = re.findall(r'^    "(\w+)": ', SCRIPT.read_text(), re.MULTILINE)


@pytest.fixture(scope="module")
def programs(tmp_path_factory):
    return written_by_jax(SCRIPT, tmp_path_factory.mktemp("sharded"))


@pytest.mark.parametrize("name", NAMES)
def test_agrees_with_eight_devices(name, programs):
    module = stablehlo_py.deserialize(programs[f"{name}.program"].tobytes())
    (result,) = stablehlo_py.interpret(module, [programs["a"], programs["b"]])
    np.testing.assert_allclose(result, programs[f"{name}.result"], rtol=2e-4, atol=1e-4)
    (partitioned,) = simulate(partition(module), [programs["a"], programs["b"]]).results
    np.testing.assert_allclose(partitioned, programs[f"{name}.result"], rtol=2e-4, atol=1e-4)


def test_there_are_enough_programs():
    assert len(NAMES) >= 10
