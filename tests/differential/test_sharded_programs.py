"""Sharded programs, interpreted and partitioned, give what XLA gives on eight devices."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from programs_of_jax import written_by_jax

import stablehlo_py
from stablehlo_py.spmd import partition, simulate

SCRIPT = Path(__file__).parent / "results_on_devices.py"
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


@pytest.mark.parametrize("name", NAMES)
def test_forms_before_shardy_and_in_hlo_agree_with_eight_devices(name, programs):
    arguments = [programs["a"], programs["b"]]
    for form in ("gspmd", "gspmd_hlo", "round_trip"):
        text = programs[f"{name}.{form}"].tobytes()
        module = stablehlo_py.parse(text.decode(), form="" if form == "gspmd" else "hlo-text")
        expected = programs[f"{name}.result"]
        np.testing.assert_allclose(stablehlo_py.interpret(module, arguments)[0], expected, 2e-4, 1e-4, err_msg=form)
        found = partition(module)
        (result,) = simulate(found, arguments).results
        np.testing.assert_allclose(result, expected, rtol=2e-4, atol=1e-4, err_msg=form)
        assert found.cut["axes"], form


def test_there_are_enough_programs():
    assert len(NAMES) >= 10
