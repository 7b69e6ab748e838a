"""Passes that answer questions about ops: several results, other users, the ops of a pad; decompositions of users."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from stablehlo_py.bindings import ir, make_context
from stablehlo_py.bindings.walk import operations
from stablehlo_py.passes.pipeline import run_pipeline
from stablehlo_py.shapes.library import activate, library

T, V = "tensor<2xf32>", "tensor<?xf32>"


@pytest.fixture(scope="module", autouse=True)
def _context() -> Iterator[None]:
    with make_context(allow_unregistered_dialects=True), ir.Location.unknown():
        yield


def after(lines: list[str], passes: str, returned: str = "", types: str = "") -> list[str]:
    """The names of the ops of a function after a pass."""
    body = "\n  ".join([*lines, f"return {returned} : {types}" if returned else "return"])
    text = f"func.func @main(%x: {T}, %v: {V}) -> ({types}) {{\n  {body}\n}}"
    module = ir.Module.parse(text)
    run_pipeline(module, f"builtin.module(func.func({passes}))")
    assert module.operation.verify()
    return [op.name for op in operations(module.operation)[2:-1]]


QUESTION = '"hlo_test_speculatability.is_recursively_speculatable"(%0#{0}) : ({1}) -> ()'
REDUCE = f"""%z = stablehlo.constant dense<0.0> : tensor<f32>
  %0:2 = "stablehlo.reduce"(%x, %x, %z, %z) ({{
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>):
    stablehlo.return %a, %b : tensor<f32>, tensor<f32>
  }}) {{dimensions = array<i64: 0>}} : ({T}, {T}, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)"""


@pytest.mark.parametrize("asked", [0, 1])
@pytest.mark.parametrize("used", [None, 0, 1])
def test_an_op_goes_with_its_question_if_that_is_the_only_use_of_all_results(asked: int, used: int | None) -> None:
    lines = [REDUCE, QUESTION.format(asked, "tensor<f32>")]
    returned = "" if used is None else f"%0#{used}"
    found = after(lines, "hlo-test-speculatability", returned, "tensor<f32>" if returned else "")
    assert ("stablehlo.reduce" in found) == (used is not None), found
    assert (QUESTION.partition("(")[0].strip('"') in found) == (used is not None), found


@pytest.mark.parametrize("count", [1, 2, 3])
def test_an_answer_has_as_many_results_as_its_question(count: int) -> None:
    types = ", ".join([T] * count)
    line = f'%r:{count} = "hlo_test_infer.get_return_types"(%0) : ({T}) -> ({types})'
    returned = ", ".join(f"%r#{number}" for number in range(count))
    found = after([f"%0 = stablehlo.negate %x : {T}", line], "hlo-test-infer", returned, types)
    assert found == ["stablehlo.negate", "hlo_test_infer.return_types"]


@pytest.mark.parametrize("interior", [0, 2, 3])
def test_only_a_pad_between_elements_counts_the_gaps(interior: int) -> None:
    lines = [
        "%z = stablehlo.constant dense<0.0> : tensor<f32>",
        f"%0 = stablehlo.pad %v, %z, low = [1], high = [2], interior = [{interior}] : ({V}, tensor<f32>) -> {V}",
        f'%r = "hlo_test_infer.reify_return_type_shapes"(%0) : ({V}) -> tensor<1xindex>',
    ]
    found = after(lines, "hlo-test-infer", "%r", "tensor<1xindex>")
    gaps = ["arith.subi", "arith.maxsi", "arith.muli"]
    assert [name for name in found if name in gaps] == (gaps if interior else []), found
    assert found.count("arith.addi") == 1 + (interior > 0), found


def test_a_decomposition_of_a_user_comes_before_that_of_the_package(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(
        "from stablehlo_py.shapes.registry import decomposition\n\n\n"
        '@decomposition("stablehlo.logistic")\n'
        "def logistic(hlo, operand, result_accuracy):\n"
        "    return hlo.tanh(operand)\n"
    )
    text = f"func.func @main(%x: {T}) -> {T} {{ %0 = stablehlo.logistic %x : {T} return %0 : {T} }}"
    for mine, wanted in ((True, "stablehlo.tanh"), (False, "stablehlo.divide")):
        module = ir.Module.parse(text)
        activate(library([path]) if mine else None)
        try:
            run_pipeline(module, "builtin.module(stablehlo-decompose)")
        finally:
            activate(None)
        assert [op.name for op in operations(module.operation)][-2] == wanted, module
