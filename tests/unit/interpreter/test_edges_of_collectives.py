"""Collectives that do not fit their grid or their options: what is said of them."""

from __future__ import annotations

import numpy as np
import pytest
from parsed import parsed

from stablehlo_py.errors import InterpreterError
from stablehlo_py.interpreter.program import Program
from stablehlo_py.interpreter.settings import Settings

ROW = np.arange(6, dtype=np.float32)
SCATTER = """func.func @main(%x: TYPE) -> RESULT {
  %0 = "stablehlo.reduce_scatter"(%x) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %c : tensor<f32>
    }) {scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>,
        channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>} : (TYPE) -> RESULT
  return %0 : RESULT
}"""
START = """func.func @main(%x: tensor<6xf32>) -> tensor<6xf32> {
  %0 = "stablehlo.custom_call"(%x) {call_target_name = "TARGET",
    mhlo.frontend_attributes = {async_collective_config = "CONFIG"}} : (tensor<6xf32>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}"""


@pytest.mark.parametrize("fast", [False, True])
@pytest.mark.parametrize(("type_", "result"), [("tensor<6xf32>", "tensor<3xf32>"), ("tensor<?xf32>", "tensor<?xf32>")])
def test_a_sum_that_does_not_fall_into_a_part_for_each_process_is_told(type_: str, result: str, fast: bool) -> None:
    """How many processes are in a group of replicas with all their partitions depends on the grid."""
    program = Program(parsed(SCATTER.replace("TYPE", type_).replace("RESULT", result)), Settings(fast=fast))
    halves = program.run_parallel([[ROW]] * 2, num_replicas=2)
    assert [half.tolist() for (half,) in halves] == [[0, 2, 4], [6, 8, 10]]
    with pytest.raises(InterpreterError, match=r"dimension 0, 6, cannot be divided among 4 processes") as caught:
        program.run_parallel([[ROW]] * 4, num_replicas=2, num_partitions=2)
    assert caught.value.op == "stablehlo.reduce_scatter"


ALL_TO_ALL = '{"split_dimension": 0, "concat_dimension": 0, "split_count": COUNT, "replica_groups": [[0, 1, 2]]}'


@pytest.mark.parametrize(
    ("target", "config"),
    [
        ("all-to-all-start", ALL_TO_ALL.replace("COUNT", "2")),
        ("all-to-all-start", ALL_TO_ALL.replace("COUNT", "4")),
        ("all-gather-start", '{"all_gather_dimension": 1, "replica_groups": [[0, 1, 2]]}'),
        ("all-reduce-start", '{"replica_groups": [[0, 1, 2]]}'),
        ("reduce-scatter-start", '{"scatter_dimension": 0, "replica_groups": [[0, 1, 2]]}'),
    ],
)
def test_options_of_asynchronous_calls_that_do_not_fit_are_no_mistake_of_users_code(target: str, config: str) -> None:
    text = START.replace("TARGET", target).replace("CONFIG", config.replace('"', "\\22"))
    said = f"calls '{target}' with operands, results or options that its handler does not know"
    with pytest.raises(InterpreterError, match=said) as caught:
        Program(parsed(text)).run_parallel([[ROW]] * 3, num_replicas=3)
    assert (caught.value.op, caught.value.location) == ("stablehlo.custom_call", "<string>:2:8")
    right = START.replace("TARGET", "all-to-all-start").replace("CONFIG", ALL_TO_ALL.replace('"', "\\22"))
    results = Program(parsed(right.replace("COUNT", "3"))).run_parallel([[ROW]] * 3, num_replicas=3)
    assert [row.tolist() for (row,) in results] == [[0, 1] * 3, [2, 3] * 3, [4, 5] * 3]
