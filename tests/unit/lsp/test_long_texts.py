"""The tree of symbols at the size from which it leaves out plain ops, and folds at each number of lines."""

from __future__ import annotations

import pytest

from stablehlo_py.lsp import navigation
from stablehlo_py.lsp.document import Document
from stablehlo_py.lsp.navigation import DocumentSymbol

BRANCHES = """  %i = "stablehlo.if"(%p) ({
    %t = stablehlo.constant dense<0> : tensor<i32>
    stablehlo.return %t : tensor<i32>
  }, {
    stablehlo.return %v0 : tensor<i32>
  }) : (tensor<i1>) -> tensor<i32>
"""
Tree = list[tuple[str, str, "Tree"]]


def tree(found: list[DocumentSymbol]) -> Tree:
    return [(one.name, one.detail, tree(one.children)) for one in found]


@pytest.mark.parametrize("count", [1999, 2000, 2001])
def test_of_more_than_2000_ops_those_with_a_symbol_or_a_region_are_in_the_tree(count: int) -> None:
    plain = count - 6  # beside the function, the branches with three ops, and the return
    lines = "".join(f"  %v{n} = stablehlo.constant dense<{n}> : tensor<i32>\n" for n in range(plain))
    document = Document(f"func.func @f(%p: tensor<i1>) {{\n{lines}{BRANCHES}  return\n}}\n")
    assert len(document.outline.op_names) == count
    found = tree(navigation.symbols(document))
    if count > 2000:
        assert found == [("@f", "func.func", [("%i", "stablehlo.if", [])])]
        return
    inside: Tree = [("%t", "stablehlo.constant", []), *[("stablehlo.return", "stablehlo.return", [])] * 2]
    constants: Tree = [(f"%v{n}", "stablehlo.constant", []) for n in range(plain)]
    body = [*constants, ("%i", "stablehlo.if", inside), ("return", "return", [])]
    assert found == [("@f", "func.func", body)]


@pytest.mark.parametrize("inner", range(4))
def test_an_op_folds_from_its_first_line_to_the_last_but_one(inner: int) -> None:
    body = "".join(f"  %{n} = stablehlo.constant dense<0> : tensor<i32>\n" for n in range(inner))
    for before in range(3):
        text = "\n" * before + f"func.func @f() {{\n{body}}}\nfunc.func private @g()\n"
        assert navigation.folds(Document(text)) == [(before, before + inner)] * (inner > 0), text
