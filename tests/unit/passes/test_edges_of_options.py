"""Limits of folding at their bounds, and sums of products that are taken apart or stay as they are."""

from __future__ import annotations

import numpy as np
import pytest

import stablehlo_py
from stablehlo_py.errors import PassError

SUM = """func.func @main() -> tensor<4xi32> {
  %a = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %0 = stablehlo.add %a, %a : tensor<4xi32>
  return %0 : tensor<4xi32>
}"""
SPLAT = SUM.replace("[1, 2, 3, 4]", "1")
FOLDS = ("stablehlo-aggressive-folder", "stablehlo-target-independent-optimization")


@pytest.mark.parametrize("name", FOLDS)
@pytest.mark.parametrize(
    ("limit", "text", "folds"), [(3, SUM, False), (4, SUM, True), (0, SUM, False), (0, SPLAT, True)]
)
def test_constants_have_as_many_elements_as_the_limit_allows(name: str, limit: int, text: str, folds: bool) -> None:
    module = stablehlo_py.parse(text)
    stablehlo_py.run_passes(module, f"builtin.module(func.func({name}{{fold-op-element-limit={limit}}}))")
    assert ("stablehlo.add" not in str(module)) == folds
    with pytest.raises(PassError, match=f"option fold-op-element-limit of --{name} must not be negative, but is -1"):
        stablehlo_py.run_passes(module, f"builtin.module(func.func({name}{{fold-op-element-limit=-1}}))")


@pytest.mark.parametrize(
    ("config", "left", "right", "ops"),
    [
        ("ij,jk->ik", (2, 3), (3, 4), ["dot_general"]),
        ("bij,bjk->bik", (5, 2, 3), (5, 3, 4), ["dot_general"]),
        ("ij,jk->ki", (2, 3), (3, 4), ["dot_general", "transpose"]),
        ("ij, kj -> k i", (2, 3), (4, 3), ["dot_general", "transpose"]),
        ("i,j->ij", (2,), (3,), ["dot_general"]),
        ("i,i->", (2,), (2,), ["dot_general"]),
        ("i,i->i", (2,), (2,), ["dot_general"]),
        ("ii,ij->ij", (2, 2), (2, 3), ["einsum"]),  # a diagonal
        ("ij,jj->ij", (2, 3), (3, 3), ["einsum"]),
        ("ij,jk->i", (2, 3), (3, 4), ["einsum"]),  # a sum of one operand
        ("ij,jk->k", (2, 3), (3, 4), ["einsum"]),
    ],
)
def test_einsum_is_a_product_of_two_whole_operands(
    config: str, left: tuple[int, ...], right: tuple[int, ...], ops: list[str]
) -> None:
    arrays = [np.arange(np.prod(shape), dtype=np.float32).reshape(shape) for shape in (left, right)]
    wanted = np.einsum(config, *arrays)
    a, b, c = ("tensor<" + "x".join([*map(str, each.shape), "f32"]) + ">" for each in (*arrays, wanted))
    module = stablehlo_py.parse(f"""func.func @main(%a: {a}, %b: {b}) -> {c} {{
      %0 = stablehlo.einsum %a, %b, config = "{config}" : ({a}, {b}) -> {c}
      return %0 : {c}
    }}""")
    stablehlo_py.run_passes(module, "builtin.module(stablehlo-decompose)")
    found = [line.partition("stablehlo.")[2].partition(" ")[0] for line in str(module).splitlines() if " = " in line]
    assert found == ops, module
    if ops != ["einsum"]:
        (result,) = stablehlo_py.interpret(module, arrays)
        assert result.tolist() == wanted.tolist()
