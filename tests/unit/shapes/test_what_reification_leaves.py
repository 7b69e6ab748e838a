"""What library functions leave in a program, and in which order a library tells of them."""

from __future__ import annotations

import re
from itertools import groupby
from pathlib import Path

import pytest

import stablehlo_py
from stablehlo_py.passes.abstract_reports import why_dynamic
from stablehlo_py.shapes.library import activate, active_library, library

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


SHARING = '''from __future__ import annotations
from stablehlo_py.shapes.language import *
from stablehlo_py.shapes.registry import *


def doubled(number: int) -> int:
    """What both kinds of functions call."""
    return number + number


@shape_function("stablehlo.custom_call", target="it")
def it(x: Shape) -> Shape:
    """One dimension, of twice the rank."""
    return [doubled(len(x))]


@dtype_function("stablehlo.custom_call", target="it")
def it_dtype(x: DType) -> DType:
    """The same."""
    assert doubled(1) == 2, "one and one is two"
    return x
'''


@pytest.mark.parametrize("passes", [REIFY, REIFY[::-1]])
def test_what_functions_of_two_kinds_call_is_there_once(passes: tuple[str, ...], tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(SHARING)
    module = stablehlo_py.parse("""func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
      %0 = stablehlo.custom_call @it(%x) : (tensor<?xf32>) -> tensor<?xf32>
      return %0 : tensor<?xf32>
    }""")
    activate(library([path]))
    try:
        stablehlo_py.run_passes(module, f"builtin.module({','.join(passes)})")
    finally:
        activate(None)
    names = re.findall(r"func.func private @(\S+?)\(", str(module))
    assert any("doubled" in name for name in names), names
    assert len(names) == len(set(names)), names


def test_a_library_is_the_one_of_passes_until_another_is(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(SHARING)
    mine, own = library([path]), library()
    found = []
    for each in (mine, own, mine, None):
        activate(each)
        found.append(active_library())
    assert [mine.find(kind, "stablehlo.custom_call", "it") is not None for kind in ("shape", "dtype")] == [True, True]
    assert own.find("shape", "stablehlo.custom_call", "it") is None
    assert [each is mine for each in found] == [True, False, True, False]
    assert found[1] is found[3] is own
    assert mine.find("shape", "stablehlo.add") is mine.find("shape", "stablehlo.add")
