"""Statements and names of a text with the ops and values that they stand for, in every form of writing."""

from __future__ import annotations

import pytest

from stablehlo_py.lsp import hover
from stablehlo_py.lsp.document import Document
from stablehlo_py.syntax.tokens import Token

TEXT = """module @m {
  func.func private @p(tensor<4xf32>) -> tensor<f32>
  func.func @main(%x: tensor<4xf32>, %z: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
    %e = stablehlo.custom_call @"é🙂"(%x) : (tensor<4xf32>) -> tensor<4xf32>
    %0 = stablehlo.reduce(%e init: %z) applies stablehlo.add across dimensions = [0] :
      (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    %1:2 = stablehlo.reduce(%x init: %z), (%x init: %z) across dimensions = [0] :
      (tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
     reducer(%a: tensor<f32>, %b: tensor<f32>) (%c: tensor<f32>, %d: tensor<f32>) {
      %2 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %2, %c : tensor<f32>, tensor<f32>
    }
    %3 = stablehlo.constant dense<0> : tensor<i32>
    %4:2 = stablehlo.while(%i = %3, %v = %z) : tensor<i32>, tensor<f32>
     cond {
      %t = stablehlo.compare LT, %i, %3 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %t : tensor<i1>
    } do {
      %5 = func.call @p(%x) : (tensor<4xf32>) -> tensor<f32>
      stablehlo.return %i, %5 : tensor<i32>, tensor<f32>
    }
    %6:2, %7 = "stablehlo.optimization_barrier"(%1#0, %3, %x)
      : (tensor<f32>, tensor<i32>, tensor<4xf32>) -> (tensor<f32>, tensor<i32>, tensor<4xf32>)
    %8 = call @p(%7) : (tensor<4xf32>) -> tensor<f32>
    %9 = chlo.acos %8 : tensor<f32> -> tensor<f32>
    return %0, %9 : tensor<f32>, tensor<f32>
  }
}
"""
SHORT = {"module": "builtin.module", "call": "func.call", "return": "func.return"}
F, N, V = "tensor<f32>", "tensor<i32>", "tensor<4xf32>"
TYPES = {
    "%x": V, "%z": F, "%e": V, "%0": F, "%1": F, "%a": F, "%b": F, "%c": F, "%d": F, "%2": F, "%3": N, "%4": N,
    "%i": N, "%v": F, "%t": "tensor<i1>", "%5": F, "%6": F, "%7": V, "%8": F, "%9": F,
}  # fmt: skip


@pytest.fixture(scope="module")
def document() -> Document:
    found = Document(TEXT).compile()
    assert found.diagnostics == []
    return found


def test_each_statement_has_its_op(document: Document) -> None:
    statements = list(document.outline.all_statements())
    names = [(one.name, operation.name) for one in statements if (operation := document.op(one)) is not None]
    assert [name for name, _ in names] == [one.name for one in statements]
    assert [name for _, name in names] == [SHORT.get(one.name, one.name) for one in statements]
    assert len(names) == 18
    assert document.op(None) is None
    for statement, (_, name) in zip(statements, names, strict=True):
        shown = hover.hover(document, statement.token.start)
        assert shown is not None
        assert shown[0].startswith(f"```mlir\n{name} : ("), shown[0]


def test_each_name_has_its_value_and_leads_back(document: Document) -> None:
    values = {one.token.text: (one, document.value(one)) for one in document.outline.definitions}
    assert {name: str(value.type) for name, (_, value) in values.items() if value is not None} == TYPES
    for name, (definition, value) in values.items():
        if value is not None:
            assert document.definition_of(value) is definition, name
            assert document.type_of(definition) == TYPES[name]


@pytest.mark.parametrize(
    ("name", "types"),
    [
        ("%1", [F, F, None]),
        ("%4", [N, F, None]),
        ("%6", [F, N, V, None]),  # the third one is the result that has a name of its own
        ("%7", [V, None]),
        ("%z", [F, None]),
        ("%c", [F, F, None]),
    ],
)
def test_a_number_behind_a_name_is_a_result_behind_it(name: str, types: list[str | None], document: Document) -> None:
    (definition,) = [one for one in document.outline.definitions if one.token.text == name]
    found = [document.value(definition, Token("value", f"{name}#{number}", 0, 0)) for number in range(len(types))]
    assert [None if value is None else str(value.type) for value in found] == types


def test_a_text_that_is_not_compiled_has_no_ops(document: Document) -> None:
    fresh = Document(TEXT, document)
    assert fresh.ops == {}
    assert fresh.compiled is document
    assert not fresh.is_whole
    assert [fresh.op(one) for one in fresh.outline.all_statements()] == [None] * 18
    assert fresh.compile() is fresh
    assert (fresh.compiled, fresh.before, fresh.is_whole) == (fresh, None, True)
    assert {offset: one.name for offset, one in fresh.ops.items()} == {
        offset: one.name for offset, one in document.ops.items()
    }


def test_without_a_program_an_op_is_called_by_its_whole_name() -> None:
    fresh = Document(TEXT)
    for statement in fresh.outline.all_statements():
        shown = hover.hover(fresh, statement.token.start)
        assert shown is not None
        name = SHORT.get(statement.name, statement.name)
        assert shown[0].startswith(f"```mlir\n{name}\n```"), shown[0]


def test_a_text_is_whole_where_each_of_its_programs_is() -> None:
    good, bad = "func.func private @f()\n", "func.func @g(\n"
    for parts, whole in (((good,), True), ((bad,), False), ((good, bad), False), ((bad, good), False), ((), True)):
        document = Document("// -----\n".join(parts)).compile()
        assert document.is_whole == whole, parts
        assert len(document.diagnostics) == parts.count(bad)


@pytest.mark.parametrize("size", range(299, 304))
def test_values_of_constants_are_cut_behind_300_characters(size: int) -> None:
    elements = ["11"] * (size - 298) + ["1"] * (395 - size)  # of 298 characters with `dense<[]>` where all have one
    written = f"dense<[{', '.join(elements)}]>"
    assert len(written) == size
    text = f"func.func @f() {{\n  %c = stablehlo.constant {written} : tensor<{len(elements)}xi32>\n  return\n}}"
    document = Document(text).compile()
    shown = hover.constant_text(document.op(document.outline.statement_at(text.index("%c"))))
    assert shown == (written if size <= 300 else f"{written[:300]}…")
