"""Shape functions, the evaluator and refinement at their edges: codes, positions and lists of nothing known."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

import stablehlo_py
from stablehlo_py.bindings import ir, make_context
from stablehlo_py.bindings.walk import operations
from stablehlo_py.errors import PassError
from stablehlo_py.shapes import element_types
from stablehlo_py.shapes.evaluation import procedure_builder
from stablehlo_py.shapes.evaluation.evaluator import InfeasibleError
from stablehlo_py.shapes.evaluation.op_arguments import ElementTypes
from stablehlo_py.shapes.evaluation.symbols import Expression, Symbol
from stablehlo_py.shapes.functions.collectives import reduce_scatter
from stablehlo_py.shapes.functions.contraction import dot_shape
from stablehlo_py.shapes.language import DYNAMIC
from stablehlo_py.shapes.refinement.application import refined_type
from stablehlo_py.shapes.refinement.symbol_writing import NotExpressibleError, SymbolWriter

PIPELINE = "stablehlo-shape-refinement-pipeline"


def refined(text: str, passes: str = PIPELINE) -> str:
    module = stablehlo_py.parse(text)
    stablehlo_py.run_passes(module, f"builtin.module({passes})")
    return str(module)


def test_codes_without_an_element_type_are_unknown():
    names = element_types.NAMES
    codes = [-1, 0, len(names) - 1, len(names), len(names) + 1]
    assert [ElementTypes().name(code) for code in codes] == ["unknown", names[0], names[-1], "unknown", "unknown"]


@pytest.mark.parametrize(
    ("dimensions", "message"),
    [
        (([], [], [2], [0]), "dimension 2"),
        (([], [], [0], [3]), "dimension 3"),
        (([0], [0], [0], [1]), "listed twice"),
        (([1], [0], [0], [0]), "listed twice"),
        (([0], [], [], []), "1 batching dimensions of lhs and 0 of rhs"),
        (([], [], [0], []), "1 contracting dimensions of lhs and 0 of rhs"),
        (([0], [0], [], []), "batching dimension 0 differs, it is 2 in lhs and 3 in rhs"),
    ],
)
def test_what_a_dot_product_refuses(dimensions: tuple[list[int], ...], message: str):
    with pytest.raises(AssertionError, match=message):
        dot_shape([2, 4], [3, 2], *dimensions)


def test_a_dimension_that_is_divided_among_nobody_known_is_unknown():
    for groups, channel, is_global in (([], None, False), ([], 1, True), ([[0, 1, 2]], 1, False)):
        assert reduce_scatter([4, 6], 1, groups, channel, is_global) == [4, DYNAMIC]
    for channel, is_global in ((None, False), (0, False), (1, True)):
        assert reduce_scatter([4, 6], 1, [[0, 1, 2]], channel, is_global) == [4, 2]


def test_a_list_with_an_item_at_an_unknown_position_is_unknown():
    evaluator: Any = None
    symbol = Expression({(Symbol("size", "n"),): 1})
    for values, position in ((None, 0), ((1, 2), symbol), (None, symbol)):
        assert procedure_builder._insert(evaluator, 7, values, position) is procedure_builder.UNKNOWN_LIST
    assert procedure_builder._insert(evaluator, 7, (1, 2), 1) == (1, 7)
    with pytest.raises(InfeasibleError, match="index 2 is outside a list of 2"):
        procedure_builder._insert(evaluator, 7, (1, 2), 2)


def test_nothing_stands_between_an_argument_that_gets_a_type_and_its_uses():
    text = """func.func @main(%a: tensor<?x3xf32>) -> tensor<?x3xf32> {
      %0 = stablehlo.add %a, %a : tensor<?x3xf32>
      return %0 : tensor<?x3xf32>
    }"""
    found = refined(text, f"stablehlo-refine-arguments{{types=tensor<4x3xf32>}},{PIPELINE}")
    assert "custom_call" not in found
    assert "stablehlo.add %arg0, %arg0 : tensor<4x3xf32>" in found


def test_numbers_that_an_inner_loop_keeps_are_known_in_each_round():
    """The inner loop is looked at again when the outer counter turns out to change; the shape it carries does not."""
    carried = "tensor<i32>, tensor<?xf32>, tensor<1xi64>"
    text = f"""func.func @main(%n: tensor<i32>) -> tensor<?xf32> {{
      %shape = stablehlo.constant dense<[4]> : tensor<1xi64>
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %start = stablehlo.constant dense<0> : tensor<i32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %0 = stablehlo.dynamic_broadcast_in_dim %zero, %shape, dims = []
        : (tensor<f32>, tensor<1xi64>) -> tensor<?xf32>
      %r:3 = stablehlo.while(%i = %start, %y = %0, %k = %shape) : {carried}
      cond {{
        %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %c : tensor<i1>
      }} do {{
        %q:3 = stablehlo.while(%j = %i, %w = %y, %l = %k) : {carried}
        cond {{
          %c = stablehlo.compare LT, %j, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
          stablehlo.return %c : tensor<i1>
        }} do {{
          %v = stablehlo.dynamic_broadcast_in_dim %zero, %l, dims = []
            : (tensor<f32>, tensor<1xi64>) -> tensor<?xf32>
          %j1 = stablehlo.add %j, %one : tensor<i32>
          stablehlo.return %j1, %v, %l : {carried}
        }}
        %i1 = stablehlo.add %i, %one : tensor<i32>
        stablehlo.return %i1, %q#1, %q#2 : {carried}
      }}
      return %r#1 : tensor<?xf32>
    }}"""
    assert "?" not in refined(text)


class Written:
    """An algebra that writes texts."""

    def integer(self, value: int) -> str:
        return str(value)

    def binary(self, operator: str, left: str, right: str) -> str:
        return f"({left} {operator} {right})"

    def size(self, value: ir.Value, dimension: int) -> str:
        return f"size {dimension}"


@pytest.mark.parametrize(
    ("factor", "offset", "text"),
    [
        (1, 0, "size 0"),
        (2, 0, "(size 0 // 2)"),
        (1, 3, "(size 0 + -3)"),
        (2, -3, "((size 0 + 3) // 2)"),
        (-1, 9, "((size 0 + -9) // -1)"),
    ],
)
def test_an_unknown_size_is_written_by_what_is_at_hand(factor: int, offset: int, text: str):
    symbol = Symbol("size", "n")
    terms = {(symbol,): factor} | ({(): offset} if offset else {})
    module = stablehlo_py.parse("func.func @f(%a: tensor<?xf32>) { %0 = stablehlo.negate %a : tensor<?xf32> return }")
    negate = next(op for op in operations(module.operation) if op.name == "stablehlo.negate")
    names = SimpleNamespace(origin=lambda part: None)
    facts: Any = SimpleNamespace(sizes=lambda value: (Expression(terms),), symbol_names=names)
    algebra: Any = Written()
    assert SymbolWriter(algebra, facts, negate).number(Expression({(symbol,): 1})) == text


def test_a_size_that_more_than_one_number_goes_into_tells_none_of_them():
    n, m = Symbol("size", "n"), Symbol("size", "m")
    module = stablehlo_py.parse("func.func @f(%a: tensor<?xf32>) { %0 = stablehlo.negate %a : tensor<?xf32> return }")
    negate = next(op for op in operations(module.operation) if op.name == "stablehlo.negate")
    algebra: Any = Written()
    for size in ({(n,): 1, (m,): 1}, {(n, m): 1}, {(n, n): 1}, {(n,): 1, (n, n): 1, (): 2}, {(m,): 1}):
        names = SimpleNamespace(origin=lambda part: None)
        facts: Any = SimpleNamespace(sizes=lambda value, size=size: (Expression(size),), symbol_names=names)
        with pytest.raises(NotExpressibleError, match="n"):
            SymbolWriter(algebra, facts, negate).number(Expression({(n,): 1}))


def test_a_refined_type_keeps_its_encoding_and_the_bounds_of_sizes_that_stay_unknown():
    with make_context():
        bounded = ir.Type.parse("tensor<?x?x4xf32, #stablehlo.bounds<8, 9, ?>>")
        encoded, plain = ir.Type.parse('tensor<?x4xf32, "row">'), ir.Type.parse("tensor<?x4xf32>")
    for type_, sizes, expected in (
        (bounded, (3, None, 4), "tensor<3x?x4xf32, #stablehlo.bounds<?, 9, ?>>"),
        (bounded, (None, 5, 4), "tensor<?x5x4xf32, #stablehlo.bounds<8, ?, ?>>"),
        (bounded, (3, 5, 4), "tensor<3x5x4xf32>"),
        (encoded, (None, 4), 'tensor<?x4xf32, "row">'),
        (encoded, (0, 4), 'tensor<0x4xf32, "row">'),
        (plain, (7, 4), "tensor<7x4xf32>"),
    ):
        assert str(refined_type(type_, sizes)) == expected, (str(type_), sizes)


LOOP = """func.func @main() -> tensor<?xf32> {
  %s = stablehlo.constant dense<7> : tensor<1xi32>
  %six = stablehlo.constant dense<6> : tensor<1xi32>
  %one = stablehlo.constant dense<1> : tensor<1xi32>
  %z = stablehlo.constant dense<0> : tensor<i32>
  %n = stablehlo.constant dense<3> : tensor<i32>
  %f = stablehlo.constant dense<0.0> : tensor<f32>
  %r0 = stablehlo.dynamic_broadcast_in_dim %f, %s, dims = [] : (tensor<f32>, tensor<1xi32>) -> tensor<?xf32>
  %carried = stablehlo.add %six, %one : tensor<1xi32>
  %w:3 = stablehlo.while(%i = %z, %shape = %carried, %r = %r0) : tensor<i32>, tensor<1xi32>, tensor<?xf32>
  cond {
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %t = stablehlo.KEEP %shape, %one : tensor<1xi32>
    %r1 = stablehlo.dynamic_broadcast_in_dim %f, %t, dims = [] : (tensor<f32>, tensor<1xi32>) -> tensor<?xf32>
    %j = stablehlo.add %i, %n : tensor<i32>
    stablehlo.return %j, %t, %r1 : tensor<i32>, tensor<1xi32>, tensor<?xf32>
  }
  return %w#2 : tensor<?xf32>
}"""


def test_a_shape_that_a_loop_carries_is_known_where_no_round_changes_it():
    assert "func.func @main() -> tensor<7xf32>" in refined(LOOP.replace("KEEP", "multiply"))
    assert "func.func @main() -> tensor<?xf32>" in refined(LOOP.replace("KEEP", "add"))


DECLARED = """func.func @main(%a: tensor<?xf32>) -> tensor<DECLAREDxf32> {
  %one = stablehlo.constant dense<1> : tensor<1xi32>
  %n = stablehlo.constant dense<COUNT> : tensor<1xi32>
  %s = stablehlo.add %n, %one : tensor<1xi32>
  %0 = stablehlo.dynamic_iota %s, dim = 0 : (tensor<1xi32>) -> tensor<DECLAREDxf32>
  return %0 : tensor<DECLAREDxf32>
}"""


@pytest.mark.parametrize("declared", ["0", "1", "3", "?"])
@pytest.mark.parametrize("size", [0, 1, 3])
def test_sizes_that_are_declared_are_those_that_come_out(declared: str, size: int):
    text = DECLARED.replace("DECLARED", declared).replace("COUNT", str(size - 1))
    if declared in ("?", str(size)):
        assert f"-> tensor<{size}xf32> {{" in refined(text)
        return
    with pytest.raises(PassError) as raised:
        refined(text)
    assert f"dimension 0 of result 0 is declared {declared}, it is {size}" in str(raised.value)
