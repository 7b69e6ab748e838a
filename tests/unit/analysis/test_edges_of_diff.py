"""Edges of comparisons of programs: constants by their bits, ops with regions, functions of one program alone."""

from __future__ import annotations

from typing import Any

import pytest
from parsed import shared_context

from stablehlo_py.analysis.diff import diff
from stablehlo_py.analysis.diff_page import sides_of
from stablehlo_py.analysis.listing import listing
from stablehlo_py.bindings import make_context
from stablehlo_py.syntax import parse

PROGRAM = """func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %c = stablehlo.constant dense<[1.0, 2.0, 3.0, -0.0]> : tensor<4xf32>
  %0 = stablehlo.add %a, %c : tensor<4xf32>
  %1 = stablehlo.sine %0 : tensor<4xf32>
  %2 = stablehlo.cosine %0 : tensor<4xf32>
  %3 = stablehlo.multiply %1, %2 : tensor<4xf32>
  return %3 : tensor<4xf32>
}
"""
CASE = """func.func @main(%a: tensor<4xf32>, %i: tensor<i32>) -> tensor<4xf32> {
  %0 = "stablehlo.case"(%i) ({
    %1 = stablehlo.sine %a : tensor<4xf32>
    stablehlo.return %1 : tensor<4xf32>
  }, {
    stablehlo.return %a : tensor<4xf32>
  }) : (tensor<i32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""


def changes(first: str, second: str) -> list[dict[str, Any]]:
    """The differences of two programs without the empty fields."""
    context = shared_context()
    found = diff(parse(first, context=context), parse(second, context=context))
    empty = ("", [], [None, None])
    return [{name: value for name, value in change.items() if value not in empty} for change in found.as_dict()]


def rows(first: str, second: str) -> tuple[list[str], dict[str, list[tuple[str, str, str]]]]:
    """What a page says beside functions, and each function's rows that are not the same, without indentation."""
    context = shared_context()
    modules = parse(first, context=context), parse(second, context=context)
    found = sides_of(*modules, diff(*modules))
    return found["beside"], {
        each["name"]: [
            (kind, *((line or "").strip() for line in lines)) for kind, *lines, _ in each["rows"] if kind != "same"
        ]
        for each in found["functions"]
    }


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ("[1.0, 2.0, 3.0, 0.0]", "(1 of 4 elements: [3]: -0.0 -> 0.0)"),
        ("[1.0, 2.0, 0x7FC00000, -0.0]", "(1 of 4 elements: [2]: 3.0 -> nan)"),
        ("[2.0, 1.0, 3.0, -0.0]", "(2 of 4 elements: [0]: 1.0 -> 2.0, [1]: 2.0 -> 1.0)"),
        ("[2.0, 1.0, 5.0, -0.0]", "(3 of 4 elements: [0]: 1.0 -> 2.0, [1]: 2.0 -> 1.0, [2]: 3.0 -> 5.0)"),
        ("[2.0, 1.0, 5.0, 1.0]", "(4 of 4 elements: [0]: 1.0 -> 2.0, [1]: 2.0 -> 1.0, [2]: 3.0 -> 5.0, …)"),
    ],
)
def test_elements_of_constants_are_compared_by_their_bits(values: str, said: str) -> None:
    (change,) = changes(PROGRAM, PROGRAM.replace("[1.0, 2.0, 3.0, -0.0]", values))
    (detail,) = change["details"]
    assert detail.startswith("attribute value: dense<[1.0")
    assert detail.endswith(f" : tensor<4xf32> {said}"), detail


@pytest.mark.parametrize(
    ("values", "is_counted"), [("tensor<1xi32>", False), ("tensor<2xi32>", True), ("tensor<i32>", False)]
)
def test_elements_are_counted_where_there_are_several(values: str, is_counted: bool) -> None:
    text = f"func.func @main() -> {values} {{ %0 = stablehlo.constant dense<1> : {values} return %0 : {values} }}"
    (change,) = changes(text, text.replace("dense<1>", "dense<2>"))
    found = f"attribute value: dense<1> : {values} -> dense<2> : {values}"
    assert change["details"] == [found + " (2 of 2 elements: [0]: 1 -> 2, [1]: 1 -> 2)" * is_counted]


def test_elements_of_several_dimensions_are_counted_and_have_all_their_indices() -> None:
    value = "dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>"
    text = f"func.func @main() -> tensor<2x3xi32> {{ %0 = stablehlo.constant {value} return %0 : tensor<2x3xi32> }}"
    (change,) = changes(text, text.replace("6]", "8]"))
    assert change["details"][0].endswith(" (1 of 6 elements: [1, 2]: 6 -> 8)"), change
    (change,) = changes(text, text.replace("[[1, 2, 3]", "[[1, 7, 9]"))
    assert change["details"][0].endswith(" (2 of 6 elements: [0, 1]: 2 -> 7, [0, 2]: 3 -> 9)"), change


def test_an_op_that_is_gone_and_one_that_is_new() -> None:
    other = PROGRAM.replace("  %1 = stablehlo.sine %0 : tensor<4xf32>\n", "").replace("%1, %2", "%0, %2")
    other = other.replace("  return %3", "  %9 = stablehlo.tanh %3 : tensor<4xf32>\n  return %3")
    inside: dict[str, Any] = {"function": "main", "path": ["func.func"]}
    assert changes(PROGRAM, other) == [
        {**inside, "kind": "removed", "op": "stablehlo.sine", "first": "<string>:4:8", "indices": [3, None]},
        {
            **inside,
            "kind": "changed",
            "op": "stablehlo.multiply",
            "details": [
                "operand 0 is another value",
                "  result 0 of stablehlo.sine at <string>:4:8 -> result 0 of stablehlo.add at <string>:3:8",
            ],
            "first": "<string>:6:8",
            "second": "<string>:5:8",
            "partner": "main",
            "indices": [5, 4],
        },
        {
            **inside,
            "kind": "inserted",
            "op": "stablehlo.tanh",
            "second": "<string>:6:8",
            "partner": "main",
            "indices": [None, 5],
        },
    ]
    assert rows(PROGRAM, other) == (
        [],
        {
            "main": [
                ("removed", "%1 = stablehlo.sine %0 : tensor<4xf32>", ""),
                (
                    "changed",
                    "%3 = stablehlo.multiply %1, %2 : tensor<4xf32>",
                    "%2 = stablehlo.multiply %0, %1 : tensor<4xf32>",
                ),
                ("inserted", "", "%3 = stablehlo.tanh %2 : tensor<4xf32>"),
            ]
        },
    )


def test_functions_that_one_program_has_and_whether_others_can_call_them() -> None:
    more = PROGRAM.replace("func.func @main", "func.func private @main") + "func.func @more() {\n  return\n}\n"
    more_op: dict[str, Any] = {"function": "more", "op": "func.func"}
    visible = {"op": "func.func", "kind": "changed", "function": "main", "partner": "main", "indices": [0, 0]}
    assert changes(PROGRAM, more) == [
        {**more_op, "kind": "inserted", "second": "<string>:9:1", "partner": "more", "indices": [None, 0]},
        {**visible, "details": ["visibility: public -> private"]},
    ]  # fmt: skip
    assert changes(more, PROGRAM) == [
        {**more_op, "kind": "removed", "first": "<string>:9:1", "indices": [0, None]},
        {**visible, "details": ["visibility: private -> public"]},
    ]
    assert rows(PROGRAM, more)[1] == {
        "main": [],
        "more": [("inserted", "", "func.func @more() {"), ("inserted", "", "return")],
    }
    assert rows(more, PROGRAM)[1] == {
        "main": [],
        "more": [("removed", "func.func @more() {", ""), ("removed", "return", "")],
    }


def test_a_region_that_is_gone_and_values_from_around() -> None:
    negate = "%7 = stablehlo.negate %a : tensor<4xf32> stablehlo.return %7"
    lost = changes(CASE, CASE.replace("  }, {\n    stablehlo.return %a : tensor<4xf32>\n", ""))
    negated = changes(CASE, CASE.replace("stablehlo.return %a", negate))
    other = changes(CASE, CASE.replace("stablehlo.return %1", "stablehlo.return %a"))
    assert [(change["op"], change["kind"], change["path"], change.get("details")) for change in lost] == [
        ("stablehlo.case", "changed", ["func.func"], ["2 regions -> 1"]),
        ("stablehlo.return", "removed", ["func.func", "stablehlo.case"], None),
    ]
    assert negated[0]["details"] == [
        "operand 0 is another value",
        "  argument 0 of func.func -> result 0 of stablehlo.negate at <string>:6:10",
    ]
    assert other[0]["details"] == [
        "operand 0 is another value",
        "  result 0 of stablehlo.sine at <string>:3:10 -> argument 0 of func.func",
    ]


def test_what_stands_beside_functions() -> None:
    mesh = 'sdy.mesh @m = <["x"=2]>\n'
    first, second = mesh + CASE, mesh.replace("2", "4") + CASE
    assert changes(first, second) == [
        {"kind": "removed", "op": "sdy.mesh", "details": ['sdy.mesh @m = <["x"=2]>'], "first": "<string>:1:1"},
        {"kind": "inserted", "op": "sdy.mesh", "details": ['sdy.mesh @m = <["x"=4]>'], "second": "<string>:1:1"},
    ]
    assert rows(first, second)[0] == [
        'removed sdy.mesh: sdy.mesh @m = <["x"=2]>',
        'inserted sdy.mesh: sdy.mesh @m = <["x"=4]>',
    ]
    (module,) = changes(f"module {{\n{CASE}}}", f"module @m attributes {{mhlo.num_replicas = 1 : i32}} {{\n{CASE}}}")
    assert (module["op"], module["details"]) == ("builtin.module", ["attribute mhlo.num_replicas: absent -> 1 : i32"])


def test_ops_in_another_order_are_moved() -> None:
    lines = PROGRAM.splitlines(keepends=True)
    swapped = "".join([*lines[:3], lines[4], lines[3], *lines[5:]])
    (change,) = changes(PROGRAM, swapped)
    assert (change["kind"], change["op"], change["indices"]) == ("moved", "stablehlo.sine", [3, 4])
    assert list(change.get("details", [])) == []
    assert rows(PROGRAM, swapped)[1]["main"] == [
        ("moved", "%1 = stablehlo.sine %0 : tensor<4xf32>", ""),
        ("moved", "", "%2 = stablehlo.sine %0 : tensor<4xf32>"),
    ]


SHORT = """func.func @main(%a: tensor<4xf32>, %z: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [0] :
    (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
"""
LONG = """func.func @main(%a: tensor<4xf32>, %z: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.reduce(%a init: %z) across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
   reducer(%x: tensor<f32>, %y: tensor<f32>) {
    %1 = stablehlo.add %y, %x : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }
  return %0 : tensor<f32>
}
"""


def whole_rows(first: str, second: str) -> list[tuple[str, bool, bool, int]]:
    """Each row of a page: its kind, whether each program has a line there, and how many details it has."""
    context = shared_context()
    modules = parse(first, context=context), parse(second, context=context)
    (found,) = sides_of(*modules, diff(*modules))["functions"]
    return [(kind, one is not None, other is not None, len(details)) for kind, one, other, details in found["rows"]]


def test_ops_that_one_text_alone_prints_have_a_row_with_one_line() -> None:
    both = ("same", True, True, 0)
    assert whole_rows(SHORT, LONG) == [both, both, ("changed", False, True, 4), ("same", False, True, 0), both]
    assert whole_rows(LONG, SHORT) == [both, both, ("changed", True, False, 4), ("same", True, False, 0), both]
    assert whole_rows(SHORT, SHORT) == [both] * 3
    assert whole_rows(LONG, LONG) == [both] * 5


GONE = LONG.partition("  %0 =")[0] + "  return %z : tensor<f32>\n}\n"
OTHERS = (
    PROGRAM,
    PROGRAM.replace("  %1 = stablehlo.sine %0 : tensor<4xf32>\n", "").replace("%1, %2", "%0, %2"),
    PROGRAM.replace("cosine %0", "abs %0").replace("sine %0", "tanh %0"),
    CASE,
    SHORT,
    LONG,
    GONE,
    SHORT.replace("  return %0", "  %1 = stablehlo.sine %0 : tensor<f32>\n  return %1"),
)


@pytest.mark.parametrize("second", range(len(OTHERS)))
@pytest.mark.parametrize("first", range(len(OTHERS)))
def test_a_page_has_every_line_of_an_op_once_and_no_empty_row(first: int, second: int) -> None:
    context = shared_context()
    modules = [parse(OTHERS[number], context=context) for number in (first, second)]
    (found,) = sides_of(modules[0], modules[1], diff(modules[0], modules[1]))["functions"]
    for side, module in enumerate(modules, 1):
        shown = [row[side] for row in found["rows"] if row[side] is not None]
        page = listing(module)
        lines = [page.lines[number] for number in dict.fromkeys(page.line_numbers[1:])]
        assert sorted(shown) == sorted(lines), (side, shown)
        if side == 1:
            assert shown == lines
    assert all(row[1] is not None or row[2] is not None for row in found["rows"]), found["rows"]
    if first == second:
        assert {row[0] for row in found["rows"]} == {"same"}


PARTS = """func.func @main(%a: tensor<4xf32>, %i: tensor<i32>) -> tensor<4xf32> {
  %0 = call @part_1(%a, %i) : (tensor<4xf32>, tensor<i32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""


def test_a_function_with_another_number_is_told_by_both_names() -> None:
    part = CASE.replace("func.func @main", "func.func private @part_1")
    other = (PARTS + part.replace("sine", "cosine")).replace("@part_1", "@part_2")
    found = changes(PARTS + part, other)
    assert [(each["kind"], each["op"], each["function"], each.get("partner")) for each in found] == [
        ("removed", "stablehlo.sine", "part_1", None),
        ("changed", "stablehlo.return", "part_1", "part_2"),
        ("inserted", "stablehlo.cosine", "part_1", "part_2"),
    ]
    shown = (PARTS + part.replace("func.func private", "func.func")).replace("@part_1", "@part_2")
    kinds = [(each["kind"], each["function"], each["op"]) for each in changes(PARTS + part, shown)]
    assert ("removed", "part_1", "func.func") in kinds
    assert ("inserted", "part_2", "func.func") in kinds
    assert ("changed", "main", "func.call") in kinds


@pytest.mark.parametrize("kind", ["removed", "inserted"])
def test_the_path_of_an_op_begins_with_the_outermost_one(kind: str) -> None:
    inner = "%7 = stablehlo.tanh %a : tensor<4xf32>\n"
    nested = CASE.replace(
        "    %1 = stablehlo.sine %a : tensor<4xf32>\n",
        '    %1 = "stablehlo.if"(%p) ({\nstablehlo.return %a : tensor<4xf32>\n}, {\nINNER'
        "stablehlo.return %a : tensor<4xf32>\n}) : (tensor<i1>) -> tensor<4xf32>\n",
    ).replace("%i: tensor<i32>)", "%i: tensor<i32>, %p: tensor<i1>)", 1)
    programs = [nested.replace("INNER", inner), nested.replace("INNER", "")]
    (change,) = changes(*programs if kind == "removed" else programs[::-1])
    assert (change["kind"], change["op"]) == (kind, "stablehlo.tanh")
    assert change["path"] == ["func.func", "stablehlo.case", "stablehlo.if"]


def test_numbers_of_regions_and_operands_are_told_from_the_first_program_to_the_second() -> None:
    fewer = CASE.replace("  }, {\n    stablehlo.return %a : tensor<4xf32>\n", "")
    for first, second, said in ((CASE, fewer, "2 regions -> 1"), (fewer, CASE, "1 regions -> 2")):
        assert said in changes(first, second)[0]["details"]
    two = """func.func @main(%a: tensor<4xf32>) -> tensor<8xf32> {
      %0 = stablehlo.concatenate %a, %a, dim = 0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
      return %0 : tensor<8xf32>
    }"""
    one = two.replace("%a, %a,", "%a,").replace("(tensor<4xf32>, tensor<4xf32>)", "(tensor<8xf32>)")
    one = one.replace("%a: tensor<4xf32>", "%a: tensor<8xf32>")
    for first, second, said in ((two, one, "2 operands -> 1"), (one, two, "1 operands -> 2")):
        found = {each["op"]: each["details"] for each in changes(first, second)}
        assert found["stablehlo.concatenate"] == [said]
        types = ("4", "8") if first == two else ("8", "4")
        function = [f"tensor<{size}xf32>" for size in types]
        assert found["func.func"] == [
            "attribute function_type: " + " -> ".join(f"({each}) -> tensor<8xf32>" for each in function)
        ]


VALUES = """func.func @main(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %0:3 = stablehlo.optimization_barrier %a, %b, %a : tensor<f32>, tensor<f32>, tensor<f32>
  %1:3 = stablehlo.while(%x = %0#0, %y = %0#1, %z = %a) : tensor<f32>, tensor<f32>, tensor<f32>
  cond {
    %c = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %s = stablehlo.sine %y : tensor<f32>
    stablehlo.return %s, %y, %z : tensor<f32>, tensor<f32>, tensor<f32>
  }
  %t = stablehlo.tan %1#1 : tensor<f32>
  return %t : tensor<f32>
}
"""


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("%z = %a)", "%z = %b)", "argument 0 of func.func -> argument 1 of func.func"),
        ("LT, %x, %y :", "LT, %z, %y :", "argument 0 of stablehlo.while -> argument 2 of stablehlo.while"),
        ("sine %y", "sine %z", "argument 1 of stablehlo.while -> argument 2 of stablehlo.while"),
        ("return %s, %y,", "return %s, %x,", "argument 1 of stablehlo.while -> argument 0 of stablehlo.while"),
        ("%y = %0#1", "%y = %0#2",
         "result 1 of stablehlo.optimization_barrier at <string>:2:10 -> result 2 of stablehlo.optimization_barrier at "
         "<string>:2:10"),
        ("tan %1#1", "tan %1#2",
         "result 1 of stablehlo.while at <string>:3:10 -> result 2 of stablehlo.while at <string>:3:10"),
    ],
)  # fmt: skip
def test_values_are_named_by_their_numbers_whatever_region_they_are_of(before: str, after: str, said: str) -> None:
    (change,) = changes(VALUES, VALUES.replace(before, after))
    assert change["details"][1] == f"  {said}"
    back = " -> ".join(reversed(said.split(" -> ")))
    (change,) = changes(VALUES.replace(before, after), VALUES)
    assert change["details"][1] == f"  {back}"


def test_ops_of_other_dialects_are_compared_with_their_regions_and_beside_functions() -> None:
    def details(first: str, second: str) -> list[tuple[str, str, tuple[str, ...]]]:
        context = make_context(allow_unregistered_dialects=True)
        programs = [parse(text, context=context) for text in (first, second)]
        return [(change.kind, change.op, change.details) for change in diff(*programs)]

    text = 'func.func @main() {\n  "x.y"() OTHER : () -> ()\n  return\n}\n'
    regions = [text.replace("OTHER", each) for each in ("", '({ "x.z"() : () -> () })')]
    for first, second, said, kind in ((0, 1, "0 regions -> 1", "inserted"), (1, 0, "1 regions -> 0", "removed")):
        assert details(regions[first], regions[second]) == [("changed", "x.y", (said,)), (kind, "x.z", ())]
    held = [f'"x.held"() {{sym_name = "g", value = {n} : i32}} : () -> ()\n{regions[0]}' for n in (1, 2)]
    assert [each[:2] for each in details(*held)] == [("removed", "x.held"), ("inserted", "x.held")]


NAMED = """func.func @main(%a: tensor<f32>) -> tensor<f32> {
  %0 = call @NAME(%a) : (tensor<f32>) -> tensor<f32>
  %1 = stablehlo.custom_call @other(%0) {backend_config = "runs @TEXT"} : (tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}
func.func private @NAME(%a: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.sine %a : tensor<f32>
  return %0 : tensor<f32>
}
"""


@pytest.mark.parametrize("names", [("one", "two"), ('"my-one"', '"my-two"'), ("one", '"my two"'), ('"@one"', "one")])
def test_names_of_functions_do_not_count_but_in_strings(names: tuple[str, str]) -> None:
    def named(name: str, text: str) -> str:
        return NAMED.replace("NAME", name).replace("TEXT", text)

    first, second = names
    assert changes(named(first, "one"), named(second, "one")) == []
    assert changes(named(first, "two"), named(second, "two")) == []
    (change,) = changes(named(first, "one"), named(second, "two"))
    assert change["details"] == ['attribute backend_config: "runs @one" -> "runs @two"']


def test_a_function_of_the_same_name_that_does_something_else_is_another_one() -> None:
    head, tail = NAMED.replace("NAME", "f").split("}\n", 1)
    main = f"{head}}}\n"
    second = main + tail.replace("@f", "@g") + tail.replace("sine", "cosine")
    callee = [each for each in changes(main + tail, second) if each["op"] == "func.call"]
    assert [each["details"] for each in callee] == [["attribute callee: @f -> @f"]]
    assert [each["kind"] for each in changes(main + tail, second) if each["op"] == "func.func"] == ["inserted"]


@pytest.mark.parametrize(
    ("order", "moved"),
    [([2, 1, 0], [("sine", 1, 3), ("cosine", 2, 2)]), ([1, 2, 0], [("sine", 1, 3)]), ([2, 0, 1], [("abs", 3, 1)])],
)
def test_ops_are_moved_also_to_the_place_that_they_had(order: list[int], moved: list[tuple[str, int, int]]) -> None:
    type_ = "tensor<4xf32>"
    ops = [f"%{number} = stablehlo.{name} %a : {type_}\n" for number, name in enumerate(("sine", "cosine", "abs"))]
    first, second = (
        f"func.func @main(%a: {type_}) -> ({type_}, {type_}, {type_}) {{\n{''.join(ops[number] for number in each)}"
        f"return %0, %1, %2 : {type_}, {type_}, {type_}\n}}"
        for each in ([0, 1, 2], order)
    )
    found = [(each["kind"], each["op"].removeprefix("stablehlo."), *each["indices"]) for each in changes(first, second)]
    assert found == [("moved", *each) for each in moved]
