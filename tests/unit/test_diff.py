"""Differences between programs are told op by op, and names and locations do not count."""

from __future__ import annotations

import random

import pytest

import stablehlo_py
from stablehlo_py.bindings import make_context
from stablehlo_py.report.diff import diff
from stablehlo_py.syntax import parse

T = "tensor<4xf32>"


def changes(first, second):
    context = make_context()
    return diff(parse(first, context=context), parse(second, context=context))


def function(*lines, result="%r", arguments=f"%a: {T}, %b: {T}"):
    body = "\n".join(lines)
    return f"func.func @main({arguments}) -> {T} {{\n{body}\nreturn {result} : {T} }}"


SUM = f"%s = stablehlo.add %a, %b : {T}"
SINE = f"%t = stablehlo.sine %s : {T}"
RESULT = f"%r = stablehlo.multiply %t, %a : {T}"


def kinds(found):
    return [(change.kind, change.op) for change in found]


def test_names_and_locations_do_not_count():
    renamed = function(SUM.replace("%s", "%other"), "", SINE.replace("%s", "%other"), RESULT)
    assert changes(function(SUM, SINE, RESULT), renamed) == []


@pytest.mark.parametrize("form", [str, lambda module: stablehlo_py.serialize(module, "1.0.0")])
def test_the_same_program_in_another_form_is_the_same(form):
    module = stablehlo_py.parse(function(SUM, SINE, RESULT))
    context = make_context()
    other = form(module)
    again = parse(other, context=context) if isinstance(other, str) else None
    if again is None:
        from stablehlo_py.vhlo.artifact import deserialize

        again = deserialize(other, context=context)
    assert diff(parse(function(SUM, SINE, RESULT), context=context), again) == []


def test_an_inserted_op_and_the_use_of_it_are_told():
    extra = f"%u = stablehlo.negate %t : {T}"
    found = changes(function(SUM, SINE, RESULT), function(SUM, SINE, extra, RESULT.replace("%t", "%u")))
    assert ("inserted", "stablehlo.negate") in kinds(found)
    assert not any(change.op in ("stablehlo.add", "stablehlo.sine") for change in found)


def test_a_removed_op_is_told_with_its_place():
    dead = f"%dead = stablehlo.cosine %a : {T}"
    (change,) = changes(function(SUM, dead, SINE, RESULT), function(SUM, SINE, RESULT))
    assert (change.kind, change.op, change.second) == ("removed", "stablehlo.cosine", "")
    assert change.first.endswith(":3:9")


def test_changed_attributes_types_and_constants_are_told():
    one = f"%r = stablehlo.constant dense<1.0> : {T}"
    (change,) = changes(function(one), function(one.replace("1.0", "2.0")))
    assert change.kind == "changed"
    assert "dense<1.000000e+00>" in change.details[0]
    assert "dense<2.000000e+00>" in change.details[0]


def test_swapped_operands_are_a_change():
    found = changes(function(SUM, SINE, RESULT), function(SUM, SINE, f"%r = stablehlo.multiply %a, %t : {T}"))
    assert ("changed", "stablehlo.multiply") in kinds(found)
    assert "operand 0 is another value" in found[0].details


def test_a_moved_op_is_told_once():
    first, second, third = (
        f"%{name} = stablehlo.{op} %a : {T}" for name, op in (("x", "sine"), ("y", "cosine"), ("z", "tan"))
    )
    result = f"%r = stablehlo.add %x, %y : {T}\n%q = stablehlo.add %r, %z : {T}"
    found = changes(function(first, second, third, result), function(second, third, first, result))
    assert kinds(found) == [("moved", "stablehlo.sine")]


def test_changes_inside_regions_are_told_with_their_path():
    text = """func.func @main(%p: tensor<i1>, %a: tensor<f32>) -> tensor<f32> {
      %0 = "stablehlo.if"(%p) ({ %1 = stablehlo.sine %a : tensor<f32>
        stablehlo.return %1 : tensor<f32> }, { stablehlo.return %a : tensor<f32> }) : (tensor<i1>) -> tensor<f32>
      return %0 : tensor<f32> }"""
    found = changes(text, text.replace("sine", "cosine"))
    assert ("removed", "stablehlo.sine") in kinds(found)
    assert ("inserted", "stablehlo.cosine") in kinds(found)
    assert all("stablehlo.if" in change.path for change in found if change.op != "stablehlo.if")


def test_functions_are_compared_by_name():
    other = function(SUM, SINE, RESULT).replace("@main", "@other")
    assert kinds(changes(function(SUM, SINE, RESULT), other)) == [("removed", "func.func"), ("inserted", "func.func")]


def test_any_single_change_is_found():
    """Property: a random program differs from itself with one op replaced, and from no copy of itself."""
    choose = random.Random(0)
    for _ in range(20):
        lines = [f"%v0 = stablehlo.add %a, %b : {T}"]
        for number in range(1, 30):
            x, y = (f"%v{choose.randrange(number)}" for _ in range(2))
            lines.append(f"%v{number} = stablehlo.{choose.choice(['add', 'multiply'])} {x}, {y} : {T}")
        text = function(*lines, result="%v29")
        assert changes(text, text) == []
        place = choose.randrange(30)
        lines[place] = lines[place].replace("stablehlo.add", "stablehlo.divide").replace("multiply", "divide")
        assert changes(text, function(*lines, result="%v29"))


def test_long_programs_are_compared_in_linear_time():
    lines = [f"%{n} = stablehlo.add %{n - 1}, %a : {T}" for n in range(1, 5000)]
    text = f"func.func @main(%a: {T}, %0: {T}) -> {T} {{\n" + "\n".join(lines) + f"\nreturn %4999 : {T} }}"
    assert changes(text, text) == []
    assert changes(text, text.replace("stablehlo.add %2500, %a", "stablehlo.subtract %2500, %a"))
