"""What library functions leave in a program, and in which order a library tells of them."""

from __future__ import annotations

from itertools import groupby

import pytest

import stablehlo_py
from stablehlo_py.passes.abstract_reports import why_dynamic
from stablehlo_py.shapes.library import library

Q = "tensor<2x!quant.uniform<i8:f32, 0.5:1>>"
QUANTIZED = f"""func.func @main(%x: {Q}) -> {Q} {{
  %0 = stablehlo.negate %x : {Q}
  %1 = stablehlo.add %0, %x : {Q}
  return %1 : {Q}
}}"""
REIFY = ("stablehlo-reify-shape-calculations", "stablehlo-reify-dtype-calculations")
DROP = "stablehlo-drop-abstract-interp-calculations"


@pytest.mark.parametrize("passes", [REIFY[:1], REIFY[1:], REIFY, REIFY[::-1], REIFY * 2])
def test_nothing_is_left_of_reified_functions(passes: tuple[str, ...]) -> None:
    """Functions that several ops or kinds share are there once in between."""
    module, before = stablehlo_py.parse(QUANTIZED), stablehlo_py.parse(QUANTIZED)
    stablehlo_py.run_passes(module, f"builtin.module({','.join(passes)})")
    assert str(module).count("stablehlo.calculate}") == 2, module
    assert ("quantized" in str(module).partition("func.func")[0]) == (REIFY[1] in passes), module
    stablehlo_py.run_passes(module, f"builtin.module({DROP})")
    assert str(module) == str(before)


def test_functions_are_told_op_by_op() -> None:
    found = [(each.registration.op, each.registration.target) for each in library().functions()]
    runs = [key for key, _ in groupby(found)]
    assert len(runs) == len(set(runs))
    for op in ("stablehlo.add", "stablehlo.dot_general"):
        kinds = [each.registration.kind for each in library().functions(op=op)]
        assert kinds == ["shape", "dtype"]


def test_remedies_are_for_what_sizes_are_computed_from() -> None:
    module = stablehlo_py.parse("""func.func @main(%x: tensor<?xf32>, %z: tensor<f32>) -> tensor<?xf32> {
      %0 = "stablehlo.reduce_window"(%x, %z) ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %s = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %s : tensor<f32>
      }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 3>}
        : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
      return %0 : tensor<?xf32>
    }""")
    text = why_dynamic(module.operation)
    assert "//" in text
    assert "nothing is known" not in text
    assert text.count("pin down dimension 0 of argument 0 of @main") == 1, text
