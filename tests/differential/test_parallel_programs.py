"""Programs for many devices: partitioned, they give what the global program gives and, up to 8 devices, what XLA
gives; and they move the bytes that XLA's program moves. `benchmarks/scale.py` prints the table."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
import scale
from speeds import later

DEVICES = tuple(devices for devices in scale.DEVICES if devices != 4)  # between 2 and 8 nothing is new
SLOW_ON_64 = ("pipeline", "ring_attention")
# On 2 and on 64 devices the partitions are like those on 8, where each check tries every second program.
CASES = [
    (name, devices) if devices == 8 and number % 2 == 0 else later(name, devices)
    for number, name in enumerate(scale.NAMES)
    for devices in DEVICES
    if not (devices == 64 and name in SLOW_ON_64)  # loops of 64 turns, which the command runs
]


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """Return a function that makes the folder of the programs for a number of devices."""

    @cache
    def made(devices):
        folder = tmp_path_factory.mktemp("programs")
        scale.make_programs(folder, [devices])
        return folder

    return made


@pytest.mark.parametrize(("name", "devices"), CASES, ids=str)
def test_results_and_bytes_are_those_of_the_global_program_and_xla(folders, name, devices):
    outcome = scale.examine_program(folders(devices), name, devices)
    assert outcome.wrong == ()
    if outcome.xla_collectives is None:
        return
    if name == "uneven":  # XLA pads what cannot be cut evenly and reduces the parts; here it stays whole
        assert {(one.size, one.parts) for one in outcome.found.kept_whole} == {(2 * devices + 1, devices)}
        assert outcome.found.bytes_sent == 0
    elif name == "fully_sharded":  # XLA on a CPU reduces gradients on every device, and cuts them after that
        assert scale.own_collectives(outcome.found) == {"all_gather": 2, "reduce_scatter": 2}
        assert outcome.xla_collectives == {"all_gather": 2, "all_reduce": 2}
        assert outcome.xla_bytes is not None
        assert scale.bytes_once(outcome.found) < outcome.xla_bytes
    elif name != "sharded_weights_step":  # XLA chooses other layouts for it, see docs/scale.md
        assert scale.own_collectives(outcome.found) == outcome.xla_collectives
        assert scale.bytes_once(outcome.found) == outcome.xla_bytes


@pytest.mark.parametrize(("ranks", "step"), [later(1, 1), (2, 3), later(2, 1), later(4, 1)])
def test_devices_on_ranks_of_mpi_return_the_same_bits(folders, ranks, step):
    pytest.importorskip("mpi4py", reason="a grid over MPI needs the extra mpi")
    mpiexec = shutil.which("mpiexec", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    if mpiexec is None:
        pytest.skip("mpiexec is not installed")
    names = [f"{name}.8" for name in scale.NAMES[::step]]
    driver = Path(__file__).parents[1] / "support" / "mpi_programs.py"
    command = [mpiexec, "-n", str(ranks), sys.executable, driver, "programs", folders(8), *names]
    completed = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert completed.returncode == 0, completed.stderr
    assert completed.stdout.splitlines() == [f"same {name}" for name in names]


def test_hlo_is_counted_by_its_shapes():
    text = """
      %a = (f32[], bf16[4,2]{1,0}) all-reduce(%x, %y), replica_groups={{0,1},{2,3}}, to_apply=%add
      %b = f32[8,3]{1,0} all-gather(%z), replica_groups=mesh['a'=2,'b'=4] {'b'}, dimensions={0}
      ROOT %c = pred[5]{0} collective-permute(%w), source_target_pairs={{0,1}}
    """
    counts, total = scale.hlo_collectives(text)
    assert counts == {"all_reduce": 2, "all_gather": 1, "collective_permute": 1}
    assert total == (4 + 16) + 3 * (8 * 3 * 4 // 4) + 5
