"""Ops with a size for each dimension, and sums of which each device keeps a part, along any of the dimensions."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from installed import needs

import stablehlo_py
from stablehlo_py.bindings.walk import operations
from stablehlo_py.spmd import partition, simulate
from stablehlo_py.spmd.simulation import global_results

pytestmark = needs("partition")
SHAPE = (4, 6, 8)


def layout(cut: tuple[int, ...], rank: int = 3) -> str:
    """The attribute of a value whose dimensions in `cut` are cut along the axes x, y, … in their order."""
    axes = [f'{{"{"xy"[cut.index(dim)]}"}}' if dim in cut else "{}" for dim in range(rank)]
    return f"{{sdy.sharding = #sdy.sharding<@m, [{', '.join(axes)}]>}}"


def run(text: str, *arguments: np.ndarray) -> Any:
    """The partition of a program, whose devices give what the program gives."""
    module = stablehlo_py.parse(f'sdy.mesh @m = <["x"=2, "y"=2]>\n{text}')
    found = partition(module)
    simulated, expected = simulate(found, list(arguments)).results, global_results(module, list(arguments))
    for given, wanted in zip(simulated, expected, strict=True):
        np.testing.assert_array_equal(given, wanted, strict=True, err_msg=str(found.module))
    return found


@pytest.mark.parametrize("cut", [cut for count in (1, 2) for cut in itertools.permutations(range(3), count)])
@pytest.mark.parametrize("op", ["dynamic_slice", "gather"])
def test_slices_keep_the_sizes_of_dimensions_that_are_not_cut(op: str, cut: tuple[int, ...]) -> None:
    sizes = [SHAPE[dim] if dim in cut else SHAPE[dim] // 2 + 1 for dim in range(3)]
    result = f"tensor<{'x'.join(map(str, sizes))}xf32>"
    listed = ", ".join(map(str, sizes))
    slice_ = f"""%0 = stablehlo.dynamic_slice %a, %i, %i, %i, sizes = [{listed}]
      : (tensor<4x6x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> {result}"""
    gather = f"""%s = stablehlo.broadcast_in_dim %i, dims = [] : (tensor<i32>) -> tensor<3xi32>
      %0 = "stablehlo.gather"(%a, %s) {{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1, 2],
        start_index_map = [0, 1, 2], index_vector_dim = 0>, slice_sizes = array<i64: {listed}>}}
      : (tensor<4x6x8xf32>, tensor<3xi32>) -> {result}"""
    found = run(
        f"""func.func @main(%a: tensor<4x6x8xf32> {layout(cut)}, %i: tensor<i32>) -> ({result} {layout(cut)}) {{
      {slice_ if op == "dynamic_slice" else gather}
      return %0 : {result}
    }}""",
        np.arange(4 * 6 * 8, dtype=np.float32).reshape(SHAPE),
        np.int32(1),
    )
    assert [each.op for each in found.collectives] == [], "what is taken whole stays where it is"


@pytest.mark.parametrize("kept", range(3))
@pytest.mark.parametrize("summed", [1, 2])  # more than four, so that sums are less to send than terms
def test_each_device_keeps_its_part_of_a_sum_along_the_dimension_that_is_wanted(summed: int, kept: int) -> None:
    """A sum over one dimension of four, which is cut; of its result another one is."""
    shape = (4, 6, 8, 2)
    rest = [size for dim, size in enumerate(shape) if dim != summed]
    result, all_ = f"tensor<{'x'.join(map(str, rest))}xf32>", f"tensor<{'x'.join(map(str, shape))}xf32>"
    found = run(
        f"""func.func @main(%a: {all_} {layout((summed,), 4)}) -> ({result} {layout((kept,))}) {{
      %z = stablehlo.constant dense<0.0> : tensor<f32>
      %0 = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [{summed}]
        : ({all_}, tensor<f32>) -> {result}
      return %0 : {result}
    }}""",
        np.arange(np.prod(shape), dtype=np.float32).reshape(shape),
    )
    (scattered,) = [op for op in operations(found.module.operation) if op.name == "stablehlo.reduce_scatter"]
    assert int(scattered.attributes["scatter_dimension"]) == kept
