"""New ops and types, and ways through a program, against what the text of the program says."""

from __future__ import annotations

import re
import signal

import pytest
from installed import needs_dialect

from stablehlo_py.bindings import ir, make_context, walk
from stablehlo_py.bindings.attributes import enum_of, ints_of, is_set, symbol_name
from stablehlo_py.bindings.build import add_block, attributes_of, create, create_value, tensor_type
from stablehlo_py.bindings.locations import FilePosition, map_positions
from stablehlo_py.bindings.types import bounds_of
from stablehlo_py.bindings.walk import (
    any_operation,
    blocks,
    captured_values,
    children,
    functions,
    has_body,
    operations,
    operations_within,
    replace_operands,
    symbols,
    terminator_of,
)

PROGRAM = """
"builtin.module"() ({
  "t.a"() ({
    "t.b"() ({ "t.c"() : () -> () }, { "t.d"() : () -> () "t.e"() : () -> () }) : () -> ()
    "t.f"() : () -> ()
  }) : () -> ()
  "t.g"() : () -> ()
}) : () -> ()
"""


@pytest.fixture
def context():
    context = make_context(allow_unregistered_dialects=True)
    with context, ir.Location.unknown():
        yield context


def names(found):
    return "".join(op.name.removeprefix("t.") for op in found if op.name.startswith("t."))


def moved(_):
    return FilePosition("moved", 1, 2, 1, 2)


def nest(depth):
    return ir.Module.parse('"t.n"() ({' * depth + '"t.leaf"() : () -> ()' + "}) : () -> ()" * depth).operation


@pytest.mark.usefixtures("context")
def test_ops_come_in_the_order_of_the_text_or_inner_ones_first():
    module = ir.Module.parse(PROGRAM).operation
    assert names(operations(module)) == "abcdefg"
    assert names(operations(module, inner_first=True)) == "cdebfag"
    a = children(module)[0]
    assert names(operations_within(a)) == "bcdef"
    assert names(operations_within(a, inner_first=True)) == "cdebf"
    assert names(children(a)) == "bf"
    assert len(blocks(children(a)[0])) == 2
    assert terminator_of(blocks(a)[0]).name == "t.f"
    assert has_body(a)
    assert not has_body(children(module)[1])


@pytest.mark.usefixtures("context")
def test_a_question_is_asked_until_one_op_answers_yes():
    module = ir.Module.parse(PROGRAM).operation
    asked = []

    def is_d(op):
        asked.append(op)
        return op.name == "t.d"

    assert any_operation(module, is_d)
    assert names(asked) == "abcd"
    asked.clear()
    assert not any_operation(module, is_d, enters=lambda op: op.name != "t.b")
    assert names(asked) == "abfg"


@pytest.mark.usefixtures("context")
def test_an_error_in_a_question_passes_through():
    def fail(op):
        raise KeyError(op.name)

    with pytest.raises(KeyError, match=r"builtin\.module"):
        any_operation(ir.Module.parse(PROGRAM).operation, fail)


@pytest.mark.usefixtures("context")
def test_an_interrupt_stays_one(monkeypatch):
    module = ir.Module.parse(PROGRAM).operation

    class Interrupted(list):
        def append(self, op):
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(walk, "list", Interrupted, raising=False)
    previous = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            operations(module)
    finally:
        signal.signal(signal.SIGINT, previous)


@pytest.mark.usefixtures("context")
def test_a_nest_of_a_thousand_is_walked():
    module = nest(1000)
    assert len(operations(module)) == 1002
    assert operations(module, inner_first=True)[0].name == "t.leaf"
    assert any_operation(module, lambda op: op.name == "t.leaf")
    assert captured_values(module) == []
    replace_operands(module, {})
    assert '"moved"' in str(operations(map_positions(module, moved))[-1].location)


@needs_dialect("sdy")
@pytest.mark.usefixtures("context")
def test_symbols_and_captured_values():
    module = ir.Module.parse("""
      sdy.mesh @mesh = <["x"=2]>
      func.func private @outside(i32)
      func.func @main(%a: tensor<i32>, %b: tensor<i1>) -> tensor<i32> {
        %c = stablehlo.add %a, %a : tensor<i32>
        %d = "stablehlo.if"(%b) ({
          %e = stablehlo.add %c, %a : tensor<i32>
          stablehlo.return %e : tensor<i32>
        }, {
          stablehlo.return %a : tensor<i32>
        }) : (tensor<i1>) -> tensor<i32>
        func.return %d : tensor<i32>
      }
    """).operation
    assert list(symbols(module)) == ["mesh", "outside", "main"]
    assert list(functions(module)) == ["outside", "main"]
    main = functions(module)["main"]
    assert symbol_name(main) == "main"
    assert captured_values(main) == []
    add, choice, _ = children(main)
    assert captured_values(choice) == [add.results[0], blocks(main)[0].arguments[0]]
    assert captured_values(add) == []
    replace_operands(choice, {add.results[0]: add.operands[0]})
    assert captured_values(choice) == [blocks(main)[0].arguments[0]]


@pytest.mark.usefixtures("context")
@pytest.mark.parametrize(("closed", "visited"), [("", "abcdefg"), ("a", "ag"), ("b", "abfg"), ("cdefg", "abcdefg")])
def test_ops_are_entered_in_the_order_of_the_text(closed: str, visited: str):
    seen = []

    def enters(op: ir.Operation) -> bool:
        seen.append(op)
        return names([op]) not in list(closed)

    walk.descend(ir.Module.parse(PROGRAM).operation, enters)
    assert names(seen) == visited


@pytest.mark.usefixtures("context")
def test_ops_are_made_with_given_and_with_inferred_types():
    module = ir.Module.create()
    i32 = ir.IntegerType.get_signless(32)
    place = ir.InsertionPoint(module.body)
    value = create_value("t.value", [], tensor_type([2, None], i32, [None, 5]), at=place)
    double = create("stablehlo.add", [value, value], at=place, location=ir.Location.name("here"))
    assert double.results[0].type == value.type
    assert "here" in str(double.location)
    there = create_value("t.value", [], i32, {"a": ir.UnitAttr.get()}, at=place, location=ir.Location.name("there"))
    assert str(there.owner.location) == 'loc("there")'
    assert list(attributes_of(there.owner)) == ["a"]
    empty = create("t.nothing", results=(), attributes={"a": ir.UnitAttr.get()}, regions=2, at=place)
    assert (len(empty.results), len(empty.regions)) == (0, 2)
    assert list(attributes_of(empty)) == ["a"]
    block = add_block(empty.regions[0], [i32, i32])
    assert [argument.type for argument in block.arguments] == [i32, i32]
    assert "tensor<2x?xi32, #stablehlo.bounds<?, 5>>" in str(module)


@pytest.mark.usefixtures("context")
@pytest.mark.parametrize(("shape", "bounds"), [((2, 3), ()), ((), ()), ((None, 2), ()), ((None, 2), (7, None))])
def test_tensor_types_are_read_as_they_were_made(shape, bounds):
    made = tensor_type(shape, ir.F32Type.get(), bounds)
    assert tuple(made.shape) == tuple(ir.ShapedType.get_dynamic_size() if size is None else size for size in shape)
    assert bounds_of(made) == bounds


@pytest.mark.usefixtures("context")
def test_attributes_are_read():
    module = ir.Module.parse("""
      func.func @main(%a: tensor<2xi32>) -> tensor<2xi1> attributes {yes = true, no = false} {
        %0 = stablehlo.compare LT, %a, %a : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
        func.return %0 : tensor<2xi1>
      }
    """).operation
    main = functions(module)["main"]
    assert enum_of(children(main)[0].attributes["comparison_direction"]) == "LT"
    assert [is_set(main, name) for name in ("yes", "no", "absent")] == [True, False, False]
    for text in ("array<i64: 1, 2>", "dense<[1, 2]> : tensor<2xi64>", "[1, 2]", "dense<[[1], [2]]> : tensor<2x1xi32>"):
        assert ints_of(ir.Attribute.parse(text)) == (1, 2)
    assert ints_of(ir.Attribute.parse("array<i64>")) == ()


@pytest.mark.usefixtures("context")
def test_every_location_is_moved():
    module = ir.Module.parse('func.func @f(%a: i32 loc("x":1:2)) { func.return loc("x":3:4) } loc("x":5:6)')
    text = map_positions(module, moved).operation.get_asm(enable_debug_info=True)
    assert set(re.findall(r"loc\(([^#].*?)\)", text)) == {'"moved":1:2'}


@pytest.mark.parametrize("text", ["unknown", '"f.py":1:2', '"name"', 'fused["a", "b"]', 'callsite("a" at "b")'])
def test_a_location_can_be_the_value_of_an_attribute(text):
    context = make_context(allow_unregistered_dialects=True)
    module = ir.Module.parse(f"module attributes {{house.origin = loc({text})}} {{}} loc({text})", context)
    assert str(module.operation.attributes["house.origin"]) == f"loc({text})"
    assert f"loc({text})" in str(module.operation.location)
    assert isinstance(module.operation.location, ir.Location)
