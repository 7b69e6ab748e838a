"""Work on a copy of a program leaves what the caller is building alone."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import stablehlo_py
from stablehlo_py.artifacts import explain, serialize
from stablehlo_py.artifacts.versions import Version
from stablehlo_py.bindings import ir

PROGRAM = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.add %x, %x : tensor<2xf32>
  %1 = chlo.erf_inv %0 : tensor<2xf32> -> tensor<2xf32>
  return %1 : tensor<2xf32>
}"""
DYNAMIC = PROGRAM.replace("-> tensor<2xf32> {", "-> tensor<?xf32> {").replace(
    "  return %1 : tensor<2xf32>",
    "  %2 = stablehlo.tan %1 : (tensor<2xf32>) -> tensor<?xf32>\n  return %2 : tensor<?xf32>",
)


def lowered(module: ir.Module) -> ir.Module:
    stablehlo_py.run_passes(module, "builtin.module(func.func(chlo-legalize-to-stablehlo))")
    return module


WORK: dict[str, Callable[[ir.Module], object]] = {
    "interpret": lambda module: stablehlo_py.interpret(module, [np.ones(2, np.float32)]),
    "serialize": lambda module: serialize(lowered(module)),
    "explain": lambda module: explain(lowered(module), Version(1, 0, 0)),
    "refine": lambda module: stablehlo_py.run_passes(module, "builtin.module(stablehlo-shape-refinement-pipeline)"),
    "refine in C++": lambda module: stablehlo_py.run_passes(
        module,
        "builtin.module(stablehlo-reify-shape-calculations,stablehlo-refine-shapes,stablehlo-drop-abstract-interp-calculations)",
    ),
    "reify": lambda module: stablehlo_py.run_passes(
        module, "builtin.module(stablehlo-reify-shape-calculations,stablehlo-inline-calculations)"
    ),
}


@pytest.mark.parametrize("text", [PROGRAM, DYNAMIC], ids=["static", "dynamic"])
@pytest.mark.parametrize("name", WORK)
def test_nothing_comes_to_the_callers_insertion_point(name: str, text: str) -> None:
    module = stablehlo_py.parse(text)
    other = ir.Module.create(ir.Location.unknown(module.context))
    with ir.InsertionPoint(other.body), ir.Location.unknown(module.context):
        WORK[name](module)
    assert [op.operation.name for op in other.body.operations] == []
