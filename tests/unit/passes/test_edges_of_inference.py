"""What is inferred of ops with regions, whatever their types are, and which broadcasts have a shape to reify."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from stablehlo_py.bindings import ir, make_context
from stablehlo_py.bindings.diagnostics import diagnostics_to
from stablehlo_py.bindings.walk import operations
from stablehlo_py.passes.hlo_test.infer import HloTestInfer, inferred_components, inferred_types
from stablehlo_py.passes.hlo_test.reification import is_unsupported_broadcast, reify_result_shapes

ADD = """^bb0(%a: tensor<f32>, %b: tensor<f32>):
  %s = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  "stablehlo.return"(%s) : (tensor<f32>) -> ()"""
GREATER = """^bb0(%a: tensor<f32>, %b: tensor<f32>):
  %s = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  "stablehlo.return"(%s) : (tensor<i1>) -> ()"""
BOUNDED = "tensor<?xf32, #stablehlo.bounds<7>>"
CHOICE = '"stablehlo.if"(%p) ({ "stablehlo.return"(%x) : (T) -> () }, { "stablehlo.return"(%x) : (T) -> () })'
CHOICE += " : (tensor<i1>) -> T"
PAIR = '{ "stablehlo.return"(%x, %n) : (T, tensor<i32>) -> () }'
LOOP = f"""{{ ^bb0(%a: T, %b: tensor<i32>): "stablehlo.return"(%p) : (tensor<i1>) -> () }},
  {{ ^bb0(%a: T, %b: tensor<i32>): {PAIR.replace("%x, %n", "%a, %b").strip("{}")} }}"""
REDUCE = f'"stablehlo.all_reduce"(%x) ({{ {ADD} }}) {{replica_groups = dense<0> : tensor<1x1xi64>}} : (T) -> T'
SORT = f'"stablehlo.sort"(%x) ({{ {GREATER} }}) {{dimension = 0 : i64}} : (T) -> T'
MAP = f'"stablehlo.map"(%x, %x) ({{ {ADD} }}) {{dimensions = array<i64: 0>}} : (T, T) -> T'


@pytest.fixture(scope="module", autouse=True)
def _context() -> Iterator[None]:
    with make_context(allow_unregistered_dialects=True), ir.Location.unknown():
        yield


def with_op(line: str, type_: str) -> tuple[ir.Module, ir.Operation]:
    parameters = f"%x: {type_}, %n: tensor<i32>, %p: tensor<i1>"
    text = f"func.func @main({parameters}) {{ {line.replace('T)', f'{type_})').replace('T,', f'{type_},')} return }}"
    module = ir.Module.parse(text.replace("-> T", f"-> {type_}").replace(": T", f": {type_}"))
    return module, next(op for op in operations(module.operation) if op.name.startswith("stablehlo."))


@pytest.mark.parametrize(
    "type_",
    [
        *("tensor<f32>", "tensor<7xf32>", "tensor<3x7xf32>", "tensor<7xf16>", "tensor<2xi16>", "tensor<?xf32>"),
        *(BOUNDED, "tensor<7x!quant.uniform<i8:f32, 5.000000e-01>>", "!stablehlo.token"),
    ],
)
def test_a_branch_infers_the_types_that_it_returns(type_: str) -> None:
    for line, types in (
        (f"%r = {CHOICE}", [type_]),
        (f'%r:2 = "stablehlo.if"(%p) ({PAIR}, {PAIR}) : (tensor<i1>) -> (T, tensor<i32>)', [type_, "tensor<i32>"]),
        (f'%r:2 = "stablehlo.case"(%n) ({PAIR}) : (tensor<i32>) -> (T, tensor<i32>)', [type_, "tensor<i32>"]),
        (f'%r:2 = "stablehlo.while"(%x, %n) ({LOOP}) : (T, tensor<i32>) -> (T, tensor<i32>)', [type_, "tensor<i32>"]),
    ):
        module, op = with_op(line, type_)
        before = str(module)
        found = inferred_types(op)
        assert found is not None, module
        assert list(map(str, found)) == types
        assert inferred_components(op) is None, "the shape is not inferred apart"
        assert str(module) == before


@pytest.mark.parametrize(
    ("line", "inferred"),
    [
        (REDUCE, ["tensor<7xf32>", "tensor<?xf32>", "tensor<?xf32>"]),
        (MAP, ["tensor<7xf32>", "tensor<?xf32>", "tensor<?xf32>"]),
        (SORT, ["tensor<7xf32>", "tensor<?xf32>", BOUNDED]),
    ],
    ids=["all_reduce", "map", "sort"],
)
def test_ops_whose_traits_compare_shapes_infer_theirs(line: str, inferred: list[str]) -> None:
    for type_, wanted in zip(("tensor<7xf32>", "tensor<?xf32>", BOUNDED), inferred, strict=True):
        _, op = with_op(f"%r = {line}", type_)
        for found in (inferred_types(op), inferred_components(op)):
            assert found is not None
            assert list(map(str, found)) == [wanted]


def test_an_op_without_results_infers_none() -> None:
    empty = '{ "stablehlo.return"() : () -> () }'
    _, op = with_op(f'"stablehlo.if"(%p) ({empty}, {empty}) : (tensor<i1>) -> ()', "tensor<f32>")
    assert inferred_types(op) == []


@pytest.mark.parametrize(
    ("types", "dimensions", "unsupported"),
    [
        (("?x?", "?x?"), None, False),
        (("?x?", "?x?"), "0, 1", False),
        (("?x?", "?x?"), "1, 0", False),  # both have all dimensions
        (("?", "?x?"), None, False),
        (("?", "?x?"), "1", False),
        (("?", "?x?"), "0", True),
        (("?x?", "?"), "1", False),
        (("?x?", "?"), "0", True),
        (("?x?", "?x?x?"), "1, 2", False),
        (("?x?", "?x?x?"), "0, 2", True),
        (("?x?", "?x?x?"), "2, 1", True),
        (("*", "?"), None, False),
        (("*", "?"), "0", True),
        (("?", "*"), "0", True),
        (("*", "*"), "0", True),
    ],
)
def test_shapes_of_broadcasts_are_reified_where_they_are_those_of_numpy(
    types: tuple[str, str], dimensions: str | None, unsupported: bool
) -> None:
    one, other = (f"tensor<{shape}xf32>" for shape in types)
    result = "tensor<*xf32>" if "*" in types else max(one, other, key=len)
    attributes = "" if dimensions is None else f" {{broadcast_dimensions = array<i64: {dimensions}>}}"
    sizes = f"tensor<{'?' if '*' in types else result.count('?')}xindex>"
    text = f"""func.func @main(%x: {one}, %y: {other}) {{
      %0 = "chlo.broadcast_add"(%x, %y){attributes} : ({one}, {other}) -> {result}
      %1 = "hlo_test_infer.reify_return_type_shapes"(%0) : ({result}) -> {sizes}
      "test.use"(%1) : ({sizes}) -> ()
      return
    }}"""
    module = ir.Module.parse(text)
    op, said = operations(module.operation)[2], list[str]()
    assert is_unsupported_broadcast(op) == unsupported
    with diagnostics_to(module.context, lambda found: said.append(found.message)):
        HloTestInfer().run(module.body.operations[0].operation)
    warning = f"unsupported non prefix-padded dynamic rank broadcast_dimensions = array<i64: {dimensions}>"
    assert set(said) == ({warning} if unsupported else set())
    assert ("hlo_test_infer" in str(module)) == unsupported
    if unsupported:
        with ir.InsertionPoint(op):
            assert reify_result_shapes(op) is None


def test_dimensions_are_no_reason_where_an_op_does_not_broadcast() -> None:
    type_ = "tensor<?xf32>"
    _, op = with_op("%r = stablehlo.add %x, %x {broadcast_dimensions = array<i64: 5>} : T", type_)
    assert not is_unsupported_broadcast(op)
