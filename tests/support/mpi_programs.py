"""What test_mpi_grid.py runs on ranks: `mpiexec -n N python mpi_programs.py suite FILE …`, `… programs FOLDER NAME …`.

Each rank compares what its processes return with what a grid on one machine gives, bit for bit, and the first rank
prints `same` for each program.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import stablehlo_py
from stablehlo_py.interpreter.program import Program
from stablehlo_py.interpreter.settings import Settings
from stablehlo_py.spmd import partition, simulate
from stablehlo_py.spmd.mpi_grid import MpiGrid
from stablehlo_py.spmd.ranks import ranks
from stablehlo_py.syntax import parse

SETTINGS = Settings(make_grid=MpiGrid)


def suite(paths: list[str]) -> None:
    """Run the programs of lit files, which check themselves."""
    for path in paths:
        for number, chunk in enumerate(Path(path).read_text().split("// -----")):
            if "interpreter.run_parallel" not in chunk:
                continue
            Program(parse(chunk), SETTINGS).run([])
            say(f"same {Path(path).name} {number}")


def programs(folder: str, names: list[str]) -> None:
    """Simulate JAX's programs, with arguments that are read slice by slice."""
    for name in names:
        module = stablehlo_py.parse((Path(folder) / f"{name}.mlir").read_bytes())
        with np.load(Path(folder) / f"{name}.npz") as archive:
            arguments = [archive[f"arr_{number}"] for number in range(len(archive.files))]
        found = partition(module)
        expected = simulate(found, arguments)
        simulated = simulate(found, arguments, SETTINGS)
        share = ranks().share(len(expected.parts))
        assert len(simulated.parts) == len(share)
        for device, part in zip(share, simulated.parts, strict=True):
            assert [value.tobytes() for value in part] == [value.tobytes() for value in expected.parts[device]]
        assert [r.tobytes() for r in simulated.results] == [r.tobytes() for r in expected.results]
        say(f"same {name}")


LARGE = """
func.func @main(%x: tensor<3x7001x{type}>) -> (tensor<3x7001x{type}>, tensor<1x7001x{type}>, tensor<21003xi32>) {{
  %reduced = "stablehlo.all_reduce"(%x) ({{
  ^bb0(%left: tensor<{type}>, %right: tensor<{type}>):
    %both = stablehlo.add %left, %right : tensor<{type}>
    %doubled = stablehlo.add %both, %left : tensor<{type}>
    stablehlo.return %doubled : tensor<{type}>
  }}) {{replica_groups = dense<[[5, 0, 3], [1, 2, 4]]> : tensor<2x3xi64>}}
    : (tensor<3x7001x{type}>) -> tensor<3x7001x{type}>
  %scattered = "stablehlo.reduce_scatter"(%reduced) ({{
  ^bb0(%left: tensor<{type}>, %right: tensor<{type}>):
    %most = stablehlo.maximum %left, %right : tensor<{type}>
    stablehlo.return %most : tensor<{type}>
  }}) {{replica_groups = dense<[[2, 5, 1], [0, 4, 3]]> : tensor<2x3xi64>, scatter_dimension = 0 : i64}}
    : (tensor<3x7001x{type}>) -> tensor<1x7001x{type}>
  %integers = stablehlo.convert %scattered : (tensor<1x7001x{type}>) -> tensor<1x7001xi32>
  %gathered = "stablehlo.all_gather"(%integers) {{
    replica_groups = dense<[[3, 2, 1], [0, 4, 5]]> : tensor<2x3xi64>, all_gather_dim = 0 : i64
  }} : (tensor<1x7001xi32>) -> tensor<3x7001xi32>
  %flat = stablehlo.reshape %gathered : (tensor<3x7001xi32>) -> tensor<21003xi32>
  return %reduced, %scattered, %flat : tensor<3x7001x{type}>, tensor<1x7001x{type}>, tensor<21003xi32>
}}
"""


def large() -> None:
    """Combine tensors of which each rank computes a part, in an order that shows in the bits."""
    for type_ in ("f32", "bf16", "f64"):
        module = parse(LARGE.format(type=type_))
        dtype = Program(module).parameter_types()[0].dtype
        arguments = [[np.random.default_rng(n).standard_normal((3, 7001)).astype(dtype)] for n in range(6)]
        expected = Program(module).run_parallel(arguments, num_replicas=6)
        share = ranks().share(6)
        rows = Program(module, SETTINGS).run_parallel(arguments[share.start : share.stop], num_replicas=6)
        for number, row in zip(share, rows, strict=True):
            assert [value.tobytes() for value in row] == [value.tobytes() for value in expected[number]]
        say(f"same {type_}")


def say(text: str) -> None:
    """Print in the first rank, when all ranks have come here."""
    ranks().all(None)
    if ranks().rank == 0:
        print(text, flush=True)


if __name__ == "__main__":
    if sys.argv[1] == "suite":
        suite(sys.argv[2:])
    elif sys.argv[1] == "large":
        large()
    else:
        programs(sys.argv[2], sys.argv[3:])
