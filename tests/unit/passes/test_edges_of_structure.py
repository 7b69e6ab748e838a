"""Tuples, custom calls and the state of loops by one pattern alone: what goes, and what has to stay."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from one_pattern import applied

from stablehlo_py.bindings import ir, make_context
from stablehlo_py.bindings.walk import operations
from stablehlo_py.interpreter.program import interpret

PAIR = "tuple<tensor<f32>, tensor<f32>>"


@pytest.fixture(scope="module", autouse=True)
def _context() -> Iterator[None]:
    with make_context(), ir.Location.unknown():
        yield


@pytest.mark.parametrize(
    ("elements", "is_same"),
    [
        ([("%p", 0), ("%p", 1)], True),
        ([("%q", 0), ("%q", 1)], True),
        ([("%p", 1), ("%p", 0)], False),
        ([("%p", 0), ("%p", 0)], False),
        ([("%p", 0), ("%q", 1)], False),
        ([("%q", 0), ("%p", 1)], False),
        ([("%p", 0)], False),
    ],
)
def test_a_tuple_of_all_elements_of_another_is_that_one(elements: list[tuple[str, int]], is_same: bool) -> None:
    lines = [
        f"%e{n} = stablehlo.get_tuple_element {source}[{index}] : ({PAIR}) -> tensor<f32>"
        for n, (source, index) in enumerate(elements)
    ]
    result = f"tuple<{', '.join(['tensor<f32>'] * len(elements))}>"
    lines.append(f"%r = stablehlo.tuple {', '.join(f'%e{n}' for n in range(len(elements)))} : {result}")
    text = (
        f"func.func @main(%p: {PAIR}, %q: {PAIR}) -> {result} {{\n" + "\n".join(lines) + f"\nreturn %r : {result}\n}}"
    )
    module, fires = applied(text, "tuple_of_elements")
    assert fires == is_same, module
    if is_same:
        assert f"return %arg{'pq'.index(elements[0][0][1])}" in str(module)


@pytest.mark.parametrize("index", [0, 1])
def test_an_element_of_a_tuple_is_what_was_put_there(index: int) -> None:
    module, fires = applied(
        f"""func.func @main(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {{
          %t = stablehlo.tuple %a, %b : {PAIR}
          %r = stablehlo.get_tuple_element %t[{index}] : ({PAIR}) -> tensor<f32>
          return %r : tensor<f32>
        }}""",
        "element_of_tuple",
    )
    assert fires
    assert f"return %arg{index}" in str(module)


@pytest.mark.parametrize("version", [None, 0, 1, 2, 3, 4])
@pytest.mark.parametrize(
    ("config", "is_free"), [(None, True), ('""', True), ('"own"', False), ("{b = 2 : i32}", False)]
)
def test_a_dictionary_beside_a_call_of_the_original_interface_becomes_its_own(
    version: int | None, config: str | None, is_free: bool
) -> None:
    if config is not None and (config.startswith("{") != (version == 4)):
        return  # no such call verifies
    attributes = ['call_target_name = "f"', "mhlo.backend_config = {a = 1 : i32}"]
    attributes += [] if version is None else [f"api_version = {version} : i32"]
    attributes += [] if config is None else [f"backend_config = {config}"]
    text = f'func.func @main() {{\n"stablehlo.custom_call"() {{{", ".join(attributes)}}} : () -> ()\nreturn\n}}'
    module, fires = applied(text, "backend_config_as_attribute")
    assert fires == (is_free and version in (None, 1)), text
    (call,) = (op for op in operations(module.operation) if op.name == "stablehlo.custom_call")
    assert ("mhlo.backend_config" in call.attributes) != fires
    if fires:
        assert str(call.attributes["backend_config"]) == "{a = 1 : i32}"
        assert ir.IntegerAttr(call.attributes["api_version"]).value == 4


def test_other_notes_beside_a_call_stay() -> None:
    for held in ('"text"', "1 : i32"):
        text = f'"stablehlo.custom_call"() {{call_target_name = "f", mhlo.backend_config = {held}}} : () -> ()'
        assert not applied(f"func.func @main() {{\n{text}\nreturn\n}}", "backend_config_as_attribute")[1]


LOOP = """func.func @main(%x: {first}, %y: tensor<4xf32>, %n: tensor<i32>) -> ({results}) {{
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %r:3 = "stablehlo.while"(%zero, %x, %y) ({{
  ^bb0(%i: tensor<i32>, %a: {second}, %b: tensor<4xf32>):
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }}, {{
  ^bb0(%i: tensor<i32>, %a: {second}, %b: tensor<4xf32>):
    %j = stablehlo.add %i, %one : tensor<i32>
    {body}
  }}) : (tensor<i32>, {first}, tensor<4xf32>) -> (tensor<i32>, {third}, tensor<4xf32>)
  return {returned} : {results}
}}"""
T = "tensor<4xf32>"


def returning(a: str, b: str, type_: str = T, *lines: str) -> str:
    return "\n".join([*lines, f'"stablehlo.return"(%j, {a}, {b}) : (tensor<i32>, {type_}, {T}) -> ()'])


SUM = f"%c = stablehlo.add %a, %b : {T}"
NEGATED = f"%c = stablehlo.negate %b : {T}"


@pytest.mark.parametrize(
    ("body", "left"),
    [
        (returning("%a", "%b"), 1),
        (returning("%x", "%b"), 1),
        (returning("%a", "%y"), 1),
        (returning("%b", "%a"), 3),
        (returning("%a", "%a"), 2),
        (returning("%y", "%b"), 2),
        (returning("%c", "%b", T, SUM), 2),
        (returning("%c", "%c", T, SUM), 3),
    ],
)
def test_state_that_every_iteration_hands_on_leaves_the_loop(body: str, left: int) -> None:
    results = f"tensor<i32>, {T}, {T}"
    text = LOOP.format(first=T, second=T, third=T, body=body, results=results, returned="%r#0, %r#1, %r#2")
    module, fires = applied(text, "loop_invariant_state")
    assert fires == (left < 3), module
    (loop,) = (op for op in operations(module.operation) if op.name == "stablehlo.while")
    assert len(loop.operands) == left


@pytest.mark.parametrize("types", [(T, "tensor<?xf32>", T), (T, T, "tensor<?xf32>"), ("tensor<?xf32>", T, T)])
def test_state_of_several_types_stays(types: tuple[str, str, str]) -> None:
    first, second, third = types
    body = returning("%a", "%b", second)
    text = LOOP.format(
        first=first, second=second, third=third, body=body, results=f"{third}, {T}", returned="%r#1, %r#2"
    )
    module, _ = applied(text, "loop_invariant_state")
    (loop,) = (op for op in operations(module.operation) if op.name == "stablehlo.while")
    assert [str(operand.type) for operand in loop.operands] == ["tensor<i32>", first], "the third is as it was"


EFFECT = f"stablehlo.custom_call @use(%a) {{has_side_effect = true}} : ({T}) -> ()"


@pytest.mark.parametrize(
    ("body", "returned", "left"),
    [
        (returning("%c", "%b", T, NEGATED), "%r#2", 2),
        (returning("%c", "%c", T, SUM), "%r#2", 3),  # the other state needs it
        (returning("%c", "%b", T, SUM), "%r#2", 2),
        (returning("%c", "%b", T, SUM, EFFECT), "%r#2", 3),  # so does an effect
        (returning("%c", "%d", T, SUM, f"%d = stablehlo.abs %a : {T}"), "%r#2", 3),
        (returning("%c", "%d", T, SUM, f"%d = stablehlo.abs %b : {T}"), "%r#1", 3),
        (returning("%c", "%d", T, NEGATED, f"%d = stablehlo.abs %b : {T}"), "%r#0", 1),
        (returning("%c", "%d", T, SUM, f"%d = stablehlo.abs %a : {T}"), "%r#0", 1),  # both need but each other
    ],
)
def test_state_that_nobody_reads_leaves_the_loop(body: str, returned: str, left: int) -> None:
    result = "tensor<i32>" if returned == "%r#0" else T
    text = LOOP.format(first=T, second=T, third=T, body=body, results=result, returned=returned)
    module, fires = applied(text, "loop_state_nobody_reads")
    assert fires == (left < 3), module
    (loop,) = (op for op in operations(module.operation) if op.name == "stablehlo.while")
    assert len(loop.operands) == left, module
    names = [op.name for op in operations(loop)]
    assert ("stablehlo.custom_call" in names) == (EFFECT in body)
    assert ("stablehlo.abs" in names) == ("stablehlo.abs" in body and left > 1)


@pytest.mark.parametrize("left_out", [[1, 8], [8, 16, 1], [4], [2, 9], [*range(1, 17)], []])
def test_any_choice_of_state_leaves_the_loop_and_the_rest_keeps_its_values(left_out: list[int]) -> None:
    """Of a counter and sixteen others, each of which adds its own number in each of three rounds."""
    count = 17
    types = ", ".join(["tensor<i32>"] * count)
    chosen = [number for number in range(count) if number not in left_out]
    lines = [f"%n{i} = stablehlo.constant dense<{i if i else 1}> : tensor<i32>" for i in range(count)]
    sums = [f"%s{i} = stablehlo.add %a{i}, %n{i} : tensor<i32>" for i in range(count)]
    text = f"""func.func @main() -> ({", ".join(["tensor<i32>"] * len(chosen))}) {{
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %limit = stablehlo.constant dense<3> : tensor<i32>
      {" ".join(lines)}
      %r:{count} = stablehlo.while({", ".join(f"%a{i} = %zero" for i in range(count))}) : {types} cond {{
        %more = stablehlo.compare LT, %a0, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %more : tensor<i1>
      }} do {{
        {" ".join(sums)}
        stablehlo.return {", ".join(f"%s{i}" for i in range(count))} : {types}
      }}
      return {", ".join(f"%r#{i}" for i in chosen)} : {", ".join(["tensor<i32>"] * len(chosen))}
    }}"""
    module, fires = applied(text, "loop_state_nobody_reads")
    left = len(chosen)
    assert fires == (left < count)
    (loop,) = (op for op in operations(module.operation) if op.name == "stablehlo.while")
    assert len(loop.operands) == left, module
    assert [int(value) for value in interpret(module)] == [3 * (i if i else 1) for i in chosen]
