"""Programs with shardings of JAX's making, partitioned here, give what XLA gives on eight devices."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from installed import needs
from programs_of_jax import written_by_jax
from speeds import later

import stablehlo_py
from stablehlo_py.errors import StablehloError
from stablehlo_py.spmd import Links, partition, simulate
from stablehlo_py.spmd.why import why

SCRIPT = Path(__file__).parent / "partitioned_programs.py"
SOME = ["transformer_step", "fully_sharded_step", "adam", "layers", "remat", "branches"]
TEN = [*SOME, "tensor_parallel_step", "data_parallel_step", "both_axes_for_the_batch", "embedding"]
NETWORKS = ["convolution_in_space", "stripes", "stripes_gradient"]


@pytest.fixture(scope="module", params=[pytest.param([*SOME, *NETWORKS], id="few"), later([], id="all")])
def programs(request, tmp_path_factory):
    """The programs of these names, or all."""
    found = written_by_jax(SCRIPT, tmp_path_factory.mktemp("partitioned"), *request.param)
    assert len([key for key in found if key.endswith(".program")]) >= (len(request.param) or 40)
    return found


def test_devices_give_what_xla_gives_on_eight(programs):
    names = [key.removesuffix(".program") for key in programs if key.endswith(".program")]
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


def test_networks_on_stripes_of_images_send_halos(programs):
    for name in NETWORKS:
        found = partition(stablehlo_py.parse(programs[f"{name}.program"].tobytes()))
        halos = [one for one in found.collectives if one.demand is not None and one.demand.is_halo]
        assert {one.op for one in halos} == {"stablehlo.collective_permute"}, name
        assert "stablehlo.convolution" in {one.demand.consumer for one in halos}, name


@needs("sharding-origins")
@pytest.mark.parametrize("step", [2, later(1)])
def test_every_reshard_is_explained(programs, step):
    for name in [name for name in TEN if f"{name}.program" in programs][::step]:
        module = stablehlo_py.parse(programs[f"{name}.program"].tobytes())
        found, reasons = why(lambda after, module=module: partition(module, after_step=after), Links())
        assert found.collectives
        assert [one.collective for one in reasons.collectives] == list(found.collectives), name
        assert all(one.collective.demand.had != one.collective.demand.wanted for one in reasons.collectives), name
        said = {one.name for one in found.values if one.given}
        sources = {origin.source for value in reasons.values for origin in value.origins}
        assert sources <= said, name


@needs("sharding-origins")
@pytest.mark.parametrize("name", ["adam", "layers", "remat"])
def test_a_proposed_sharding_moves_less_and_gives_the_same(programs, name):
    module = stablehlo_py.parse(programs[f"{name}.program"].tobytes())
    operands, results = [
        [programs[key] for number in range(10) if (key := f"{name}.{kind}.{number}") in programs]
        for kind in ("operand", "result")
    ]
    found, reasons = why(lambda after: partition(module, after_step=after), Links())
    changes = [change for one in reasons.collectives for change in one.tried if change.removes]
    best = min(changes, key=lambda change: change.bytes_sent[1])
    kind, number = best.source.split()
    other = partition(
        module, **{"in_shardings" if kind == "argument" else "out_shardings": {int(number): best.sharding}}
    )
    assert (found.bytes_sent, other.bytes_sent) == best.bytes_sent
    assert other.bytes_sent < found.bytes_sent
    for ours, theirs in zip(simulate(other, operands).results, results, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=2e-3, atol=2e-4)
