"""The peak memory of each rank for a program of large tensors: `python benchmarks/mpi_memory.py [--megabytes 64]`.

Each of eight processes holds a tensor of this size and a derived one of the same size. An eighth of that goes to
other processes and is added up. The tool starts itself with mpiexec on 1, 2 and 4 ranks.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

from stablehlo_py.interpreter.program import Program
from stablehlo_py.interpreter.settings import Settings
from stablehlo_py.syntax import parse

PROCESSES = 8
RANKS = (1, 2, 4)
ADD = """({{
  ^bb0(%left: tensor<f32>, %right: tensor<f32>):
    %both = stablehlo.add %left, %right : tensor<f32>
    stablehlo.return %both : tensor<f32>
  }})"""
PROGRAM = f"""
func.func @main(%x: tensor<64x{{columns}}xf32>) -> tensor<f32> {{{{
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %y = stablehlo.multiply %x, %x : tensor<64x{{columns}}xf32>
  %some = stablehlo.slice %y [0:8, 0:{{columns}}] : (tensor<64x{{columns}}xf32>) -> tensor<8x{{columns}}xf32>
  %moved = "stablehlo.collective_permute"(%some) {{{{
    source_target_pairs = dense<[[0, 4], [1, 5], [2, 6], [3, 7], [4, 0], [5, 1], [6, 2], [7, 3]]> : tensor<8x2xi64>
  }}}} : (tensor<8x{{columns}}xf32>) -> tensor<8x{{columns}}xf32>
  %swapped = "stablehlo.all_to_all"(%moved) {{{{
    split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 8 : i64,
    replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>
  }}}} : (tensor<8x{{columns}}xf32>) -> tensor<8x{{columns}}xf32>
  %sum = "stablehlo.all_reduce"(%swapped) {ADD}
    {{{{replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>}}}}
    : (tensor<8x{{columns}}xf32>) -> tensor<8x{{columns}}xf32>
  %parts = stablehlo.slice %x [56:64, 0:{{columns}}] : (tensor<64x{{columns}}xf32>) -> tensor<8x{{columns}}xf32>
  %difference = stablehlo.subtract %parts, %sum : tensor<8x{{columns}}xf32>
  %first = stablehlo.reduce(%difference init: %zero) applies stablehlo.add across dimensions = [0, 1]
    : (tensor<8x{{columns}}xf32>, tensor<f32>) -> tensor<f32>
  %second = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0, 1]
    : (tensor<64x{{columns}}xf32>, tensor<f32>) -> tensor<f32>
  %total = stablehlo.add %first, %second : tensor<f32>
  return %total : tensor<f32>
}}}}
"""


def resident(field: str) -> int:
    """VmRSS or VmHWM of this process in bytes."""
    line = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith(field))
    return int(line.split()[1]) << 10


def run_rank(megabytes: int) -> None:
    """Run this rank's share, and print what each rank took at most and what came out."""
    from stablehlo_py.spmd.mpi_grid import MpiGrid
    from stablehlo_py.spmd.ranks import ranks

    columns = megabytes << 12
    program = Program(parse(PROGRAM.format(columns=columns)), Settings(make_grid=MpiGrid))
    before = resident("VmRSS")
    arguments = [
        [np.random.default_rng(number).standard_normal((64, columns), np.float32)]
        for number in ranks().share(PROCESSES)
    ]
    started = time.perf_counter()
    rows = program.run_parallel(arguments, num_replicas=PROCESSES)
    seconds = time.perf_counter() - started
    taken = ranks().all((resident("VmHWM") - before, [np.asarray(value).tobytes().hex() for (value,) in rows]))
    if ranks().rank == 0:
        peaks, results = [peak for peak, _ in taken], [result for _, some in taken for result in some]
        print(max(peaks), min(peaks), f"{seconds:.1f}", ",".join(results), flush=True)


def main() -> int:
    """Print the table; exit code 1 where results differ between numbers of ranks."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=int, default=64)
    parser.add_argument("--rank", action="store_true", help="What the tool starts on ranks.")
    options = parser.parse_args()
    if options.rank:
        run_rank(options.megabytes)
        return 0
    mpiexec = shutil.which("mpiexec", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    if mpiexec is None:
        sys.exit("mpiexec is not there; pip install stablehlo-py[mpi] brings it")
    print(f"tensors of {PROCESSES} processes: {PROCESSES * options.megabytes} MB of arguments")
    print("| ranks | peak of a rank, MB | times ranks, against one rank | seconds |\n|--:|--:|--:|--:|")
    first, outcomes = 0.0, set()
    for count in RANKS:
        command = [mpiexec, "-n", str(count), sys.executable, __file__, "--rank", f"--megabytes={options.megabytes}"]
        completed = subprocess.run(command, capture_output=True, text=True, check=True)
        most, _, seconds, results = completed.stdout.split()
        peak = int(most) / (1 << 20)
        first = first if first else peak
        outcomes.add(results)
        print(f"| {count} | {peak:,.0f} | {peak * count / first:.2f} | {seconds} |", flush=True)
    print("results are the same bits" if len(outcomes) == 1 else "results differ")
    return int(len(outcomes) != 1)


if __name__ == "__main__":
    sys.exit(main())
