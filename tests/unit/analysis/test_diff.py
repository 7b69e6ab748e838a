"""Differences between programs are told op by op, and names and locations do not count."""

from __future__ import annotations

import json
import random
import re

import pytest
from browser import CHROMIUM, evaluate
from installed import needs_dialect

import stablehlo_py
from stablehlo_py.analysis.diff import diff
from stablehlo_py.analysis.diff_page import side_by_side
from stablehlo_py.analysis.matching import Matching
from stablehlo_py.bindings import ir, make_context
from stablehlo_py.syntax import parse

T = "tensor<4xf32>"
needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium to open the page in")


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
        from stablehlo_py.artifacts.artifact import deserialize

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


def random_lines(size, seed, names=("add", "multiply", "maximum")):
    choose = random.Random(seed)
    lines = [("%v0", "add", "%a", "%b")]
    for number in range(1, size):
        lines.append((f"%v{number}", choose.choice(names), f"%v{number - 1}", f"%v{choose.randrange(number)}"))
    return lines


def program(lines):
    return function(*(f"{name} = stablehlo.{op} {x}, {y} : {T}" for name, op, x, y in lines), result=lines[-1][0])


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("names", [("add",), ("add", "multiply", "maximum")])
def test_each_inserted_op_is_told_and_nothing_else(seed, names):
    """Property: with ops put in between, the diff is these ops and the op behind each; taken out again, likewise."""
    lines = random_lines(300, seed, names)
    places = random.Random(seed).sample(range(5, 295, 10), 5)
    longer = list(lines)
    for place in sorted(places, reverse=True):
        name, op, x, y = longer[place]
        longer[place : place + 1] = [(f"%n{place}", "power", x, x), (name, op, f"%n{place}", y)]
    for first, second, kind in ((lines, longer, "inserted"), (longer, lines, "removed")):
        found = changes(program(first), program(second))
        assert sorted({(change.kind, change.op) for change in found} & {(kind, "stablehlo.power")}) == [
            (kind, "stablehlo.power")
        ]
        assert sum(change.kind == kind for change in found) == 5
        assert {change.kind for change in found} == {kind, "changed"}
        assert sum(change.kind == "changed" for change in found) <= 5


def test_the_names_of_private_functions_do_not_count():
    text = f"""func.func @main(%a: {T}) -> {T} {{
      %0 = func.call @f(%a) : ({T}) -> {T}
      %1 = func.call @g(%0) : ({T}) -> {T}
      return %1 : {T} }}
    func.func private @f(%a: {T}) -> {T} {{ %0 = stablehlo.sine %a : {T} return %0 : {T} }}
    func.func private @g(%a: {T}) -> {T} {{ %0 = stablehlo.cosine %a : {T} return %0 : {T} }}"""
    swapped = text.replace("@f", "@h").replace("@g", "@f").replace("@h", "@g")
    assert changes(text, swapped) == []
    other_order = text.replace("call @f(%a)", "call @g(%a)").replace("call @g(%0)", "call @f(%0)")
    assert kinds(changes(text, other_order)) == [("changed", "func.call"), ("changed", "func.call")]
    assert [change.function for change in changes(text, text.replace("stablehlo.sine", "stablehlo.tan"))] == ["f"] * 3


def test_empty_attributes_of_arguments_are_none():
    plain = function(SUM, SINE, RESULT)
    context = make_context()
    first, second = parse(plain, context=context), parse(plain, context=context)
    with context:
        empty = ir.ArrayAttr.get([ir.DictAttr.get({}), ir.DictAttr.get({})])
        second.body.operations[0].attributes["arg_attrs"] = empty
    assert diff(first, second) == []
    with context:
        named = ir.DictAttr.get({"jax.name": ir.StringAttr.get("x")})
        second.body.operations[0].attributes["arg_attrs"] = ir.ArrayAttr.get([named, ir.DictAttr.get({})])
    (change,) = diff(first, second)
    assert change.details == ('attribute arg_attrs: absent -> [{jax.name = "x"}, {}]',)


def test_an_artifact_and_the_text_of_one_export_are_the_same():
    export = pytest.importorskip("jax.export", reason="the export is made with jax")
    import jax
    import jax.numpy as jnp

    exported = export.export(jax.jit(lambda x, w: jnp.sort(jax.nn.softmax(x @ w))))(jnp.ones((4, 8)), jnp.ones((8, 8)))
    context = make_context()
    text = parse(exported.mlir_module(), context=context)
    from stablehlo_py.artifacts.artifact import deserialize

    assert diff(text, deserialize(exported.mlir_module_serialized, context=context)) == []


def test_differing_elements_of_constants_are_counted():
    one = f"%r = stablehlo.constant dense<[1.0, 2.0, 3.0, 0x7FC00000]> : {T}"
    (change,) = changes(function(one), function(one.replace("2.0", "5.0")))
    assert change.details[0].endswith("(1 of 4 elements: [1]: 2.0 -> 5.0)")


def test_where_a_constant_stands_does_not_count():
    zero, one = (f"%{name} = stablehlo.constant dense<{value}> : {T}" for name, value in (("x", 0.0), ("y", 1.0)))
    use = f"%r = stablehlo.add %x, %y : {T}"
    assert changes(function(zero, one, use), function(one, zero, use)) == []


def test_a_changed_op_without_neighbours_is_matched_by_its_likeness():
    dead = f"%dead = stablehlo.reduce_precision %a, format = e5m10 : {T}"
    (change,) = changes(function(dead, SUM, SINE, RESULT), function(dead.replace("m10", "m7"), SUM, SINE, RESULT))
    assert (change.kind, change.op) == ("changed", "stablehlo.reduce_precision")
    assert change.details == ("attribute mantissa_bits: 10 : i32 -> 7 : i32",)


def test_a_removed_loop_is_told_once_with_what_is_inside():
    loop = f"""%s = "stablehlo.if"(%p) ({{ %1 = stablehlo.sine %a : {T}
      stablehlo.return %1 : {T} }}, {{ stablehlo.return %b : {T} }}) : (tensor<i1>) -> {T}"""
    arguments = f"%a: {T}, %b: {T}, %p: tensor<i1>"
    rest = f"%r = stablehlo.tan %b : {T}"
    (change,) = changes(function(loop, rest, arguments=arguments), function(rest, arguments=arguments))
    assert (change.kind, change.op, change.details) == ("removed", "stablehlo.if", ("with 3 ops inside",))


def test_a_replaced_op_stands_beside_what_replaced_it():
    context = make_context()
    cosine = SINE.replace("sine", "cosine")
    sides = [parse(function(SUM, one, RESULT), context=context) for one in (SINE, cosine)]
    data = json.loads(re.search(r'id="data">(.*?)</script>', side_by_side(*sides, ("a", "b")).html, re.DOTALL)[1])
    (rows,) = [[row[:3] for row in part["rows"] if row[0] == "replaced"] for part in data["functions"]]
    assert [[text.split()[2] for text in row[1:]] for row in rows] == [["stablehlo.sine", "stablehlo.cosine"]]


@needs_dialect("sdy")
def test_attributes_of_modules_and_meshes_are_compared():
    text = (
        'module attributes {mhlo.num_replicas = 1 : i32} { sdy.mesh @mesh = <["x"=2]>\nfunc.func @main() { return } }'
    )
    assert changes(text, text.replace("module attributes", "module @name attributes")) == []
    found = changes(text, text.replace("1 : i32", "2 : i32").replace('"x"=2', '"x"=4'))
    assert kinds(found) == [("changed", "builtin.module"), ("removed", "sdy.mesh"), ("inserted", "sdy.mesh")]


def test_likeness_is_asked_for_a_bounded_number_of_candidates_an_op(monkeypatch):
    count, original = [0], Matching._likeness

    def counted(*given):
        count[0] += 1
        return original(*given)

    monkeypatch.setattr(Matching, "_likeness", counted)
    asked = []
    for size in (1000, 4000):
        count[0] = 0
        changes(program(random_lines(size, 1)), program(random_lines(size, 2)))
        asked.append(count[0])
    assert asked[1] < 6 * asked[0]


def test_differences_show_themselves():
    found = changes(function(SUM, SINE, RESULT), function(SUM, SINE.replace("sine", "tan"), RESULT))
    assert repr(found) == "<Diff: 1 changed, 1 inserted, 1 removed>"
    assert "<td>removed</td><td>@main</td><td>stablehlo.sine</td>" in found._repr_html_()
    assert repr(changes(function(SUM, SINE, RESULT), function(SUM, SINE, RESULT))) == "<Diff: the same program>"


# Side by side --------------------------------------------------------------------------------------------------------


def page(first, second):
    context = make_context()
    return side_by_side(parse(first, context=context), parse(second, context=context), ("one", "two"))


def test_every_line_of_both_programs_is_on_the_page_once():
    lines = random_lines(200, 3)
    other = [*lines[:50], *lines[60:]]
    known = {name for name, *_ in other}
    other = [(n, op, *(v if v in known or v in "%a%b" else "%a" for v in rest)) for n, op, *rest in other]
    html = page(program(lines), program(other)).html
    data = json.loads(re.search(r'id="data">(.*?)</script>', html, re.DOTALL)[1])
    rows = data["functions"][0]["rows"]
    for side, size in ((1, 200), (2, 190)):
        texts = [row[side] for row in rows if row[side] is not None]
        assert len(texts) == size + 2
        assert [re.match(r" *%(\d+)", text)[1] for text in texts[1:-1]] == [str(n) for n in range(size)]
    assert [row[0] for row in rows].count("removed") == 10
    assert all((row[1] is None) == (row[0] == "inserted") for row in rows if row[0] != "moved")


@needs_chromium
def test_equal_lines_fold_and_keys_lead_to_differences():
    lines = random_lines(100, 3)
    other = [(n, "power" if n in ("%v40", "%v80") else op, *rest) for n, op, *rest in lines]
    script = """const press = (key) => document.dispatchEvent(new KeyboardEvent('keydown', {key}));
    const seen = {folds: [...document.querySelectorAll('.fold')].map((fold) => fold.textContent)};
    press('n');
    seen.first = document.querySelector('.pair.current').textContent;
    const before = document.querySelectorAll('.pair').length;
    document.querySelector('.fold').click();
    seen.opened = document.querySelectorAll('.pair').length - before;
    return seen;"""
    seen = evaluate(page(program(lines), program(other)).html, script)
    assert len(seen["folds"]) == 3
    assert seen["folds"][0] == f"{seen['opened']} equal lines"
    assert "%40 = stablehlo." in seen["first"]
