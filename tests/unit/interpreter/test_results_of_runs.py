"""Results as callers get them: arrays in major-to-minor order, on grids by the reading of their program."""

from __future__ import annotations

import numpy as np
import pytest
from parsed import parsed

from stablehlo_py.interpreter.fingerprints.reading import FingerprintReading
from stablehlo_py.interpreter.fingerprints.storage import residues
from stablehlo_py.interpreter.program import Program
from stablehlo_py.interpreter.settings import Settings

X = np.arange(6, dtype=np.float32).reshape(2, 3)
TURNED = """func.func @main(%x: tensor<2x3xf32>) -> (tensor<3x2xf32>, tensor<3x2xf32>) {
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %1 = stablehlo.negate %0 : tensor<3x2xf32>
  return %1, %0 : tensor<3x2xf32>, tensor<3x2xf32>
}"""


@pytest.mark.parametrize("fast", [False, True])
@pytest.mark.parametrize("processes", [1, 2])
def test_results_are_in_major_to_minor_order_however_they_were_computed(processes: int, fast: bool) -> None:
    program = Program(parsed(TURNED), Settings(fast=fast))
    for _ in range(2):
        rows = program.run_parallel([[X]] * processes, num_replicas=processes)
        for negated, turned in [*rows, program.run([X])]:
            assert negated.flags.c_contiguous
            assert turned.flags.c_contiguous
            np.testing.assert_array_equal(negated, -X.T)
            np.testing.assert_array_equal(turned, X.T)


def test_processes_of_a_grid_compute_with_the_elements_of_their_reading() -> None:
    text = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
      %0 = "stablehlo.all_reduce"(%x) ({
        ^bb0(%a: tensor<f32>, %b: tensor<f32>):
          %c = stablehlo.add %a, %b : tensor<f32>
          stablehlo.return %c : tensor<f32>
      }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xf32>) -> tensor<2xf32>
      return %0 : tensor<2xf32>
    }"""
    reading = FingerprintReading()
    program = Program(parsed(text), Settings(), reading)
    (argument,) = reading.arguments_of([np.float32([1, 2])], program.parameter_types())
    rows = program.run_parallel([[argument], [argument]], num_replicas=2)
    floats = reading.arithmetic(program.result_types()[0].element_type)
    for (found,) in rows:
        np.testing.assert_array_equal(found["value"], [2, 4])
        np.testing.assert_array_equal(residues(found), residues(floats.add(argument, argument)))
