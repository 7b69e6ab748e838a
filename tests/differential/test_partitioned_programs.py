"""Programs with shardings of JAX's making, partitioned here, give what XLA gives on eight devices."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from programs_of_jax import written_by_jax

import stablehlo_py
from stablehlo_py.errors import StablehloError
from stablehlo_py.spmd import partition, simulate

SCRIPT = Path(__file__).parent / "partitioned_programs.py"


@pytest.fixture(scope="module")
def programs(tmp_path_factory):
    return written_by_jax(SCRIPT, tmp_path_factory.mktemp("partitioned"))


def test_devices_give_what_xla_gives_on_eight(programs):
    names = [key.removesuffix(".program") for key in programs if key.endswith(".program")]
    assert len(names) >= 40
    wrong, refused = dict[str, float](), dict[str, str]()
    for name in names:
        operands, results = [
            [programs[key] for number in range(10) if (key := f"{name}.{kind}.{number}") in programs]
            for kind in ("operand", "result")
        ]
        try:
            found = simulate(partition(stablehlo_py.parse(programs[f"{name}.program"].tobytes())), operands).results
        except StablehloError as error:
            refused[name] = str(error)
            continue
        for ours, theirs in zip(found, results, strict=True):
            assert ours.dtype == theirs.dtype, name
            if not np.allclose(ours, theirs, rtol=2e-3, atol=2e-4):
                wrong[name] = float(np.abs(ours - theirs).max())
    assert not wrong
    assert not refused
