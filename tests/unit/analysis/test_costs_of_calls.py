"""What functions cost that are called several times, and which ops of two functions are partners."""

from __future__ import annotations

import pytest

import stablehlo_py
from stablehlo_py.analysis import cost
from stablehlo_py.analysis.cost import cost_text
from stablehlo_py.analysis.matching import Matching, Side, outermost
from stablehlo_py.analysis.symbols import Labels, pair_functions
from stablehlo_py.bindings import make_context
from stablehlo_py.bindings.walk import functions
from stablehlo_py.errors import InputError
from stablehlo_py.syntax import parse

T = "tensor<4xf32>"
CALLS = f"""func.func @main(%a: {T}, %b: tensor<100xf32>) -> {T} {{
  %0 = call @outer(%a) : ({T}) -> {T}
  %1 = call @inner(%0) : ({T}) -> {T}
  %2 = stablehlo.add %1, %1 : {T} loc("f.py":3:4)
  %3 = stablehlo.slice %b [0:4] : (tensor<100xf32>) -> {T}
  %4 = stablehlo.add %2, %3 : {T}
  return %4 : {T}
}}
func.func private @outer(%a: {T}) -> {T} {{
  %0 = call @inner(%a) : ({T}) -> {T}
  %1 = call @inner(%0) : ({T}) -> {T}
  return %1 : {T}
}}
func.func private @inner(%a: {T}) -> {T} {{
  %0 = stablehlo.tanh %a : {T}
  %1 = stablehlo.multiply %0, %a : {T}
  %2 = call @declared(%1) : ({T}) -> {T}
  return %2 : {T}
}}
func.func private @declared({T}) -> {T}
func.func @loops(%a: {T}) -> {T} {{
  %0 = call @loops(%a) : ({T}) -> {T}
  return %0 : {T}
}}
"""


def test_calls_count_as_often_as_they_run_with_what_lives_around_them() -> None:
    found = cost(stablehlo_py.parse(CALLS))
    rows = [(one.function, one.index, one.op.rpartition(".")[2], one.runs) for one in found.ops]
    assert rows == [
        *(("main", 1, "call", 1), ("main", 2, "call", 1), ("main", 3, "add", 1), ("main", 4, "slice", 1)),
        *(("main", 5, "add", 1), ("outer", 1, "call", 1), ("outer", 2, "call", 1)),
        *(("inner", 1, "tanh", 3), ("inner", 2, "multiply", 3), ("inner", 3, "call", 3)),
    ]
    assert [one.flops for one in found.ops] == [0, 0, 4, 0, 4, 0, 0, 0, 3 * 4, 0]
    assert [one.transcendentals for one in found.ops] == [0] * 7 + [3 * 4, 0, 0]
    assert [one.bytes for one in found.ops] == [0, 0, 48, 32, 48, 0, 0, 3 * 32, 3 * 48, 0]
    # Around @inner live the 400 bytes of %b, and in it its argument and two results.
    assert [one.live for one in found.ops] == [448, 448, 432, 432, 48, 448, 448, 432, 448, 432]
    assert (found.peak_bytes, found.peak_at) == (448, "stablehlo.multiply at <string>:16:8")
    assert found.notes == ("@declared is not counted: it is recursive or has no body",)
    assert repr(found) == "<Cost: 20 operations, 368 B, peak 448 B>"
    head = """arithmetic operations:   20
functions (exp, log, …): 12
bytes read and written:  368 B
operations a byte:       0.0543
peak of live values:     448 B at stablehlo.multiply at <string>:16:8
      runs  operations   functions       bytes  op
"""
    note = "note: @declared is not counted: it is recursive or has no body"
    assert cost_text(found, 2) == (
        f"{head}         3          12           0         144  stablehlo.multiply\n"
        f"         3           0          12          96  stablehlo.tanh\n{note}"
    )
    assert cost_text(found, 3, each=True) == (
        f"{head}         3          12           0         144  stablehlo.multiply <string>:16:8\n"
        "         3           0          12          96  stablehlo.tanh <string>:15:8\n"
        f"         1           4           0          48  stablehlo.add f.py:3:4\n{note}"
    )
    assert found.as_dict()["ops"][2] == {
        "op": "stablehlo.add",
        "function": "main",
        "index": 3,
        "location": "f.py:3:4",
        "runs": 1,
        "flops": 4,
        "transcendentals": 0,
        "bytes": 48,
        "live": 432,
    }


def test_a_call_that_needs_no_less_than_what_it_calls_is_the_peak() -> None:
    text = """func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
      %0 = func.call @f(%a) : (tensor<4xf32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    func.func private @f(%a: tensor<4xf32>) -> tensor<4xf32> {
      %0 = stablehlo.negate %a : tensor<4xf32>
      return %0 : tensor<4xf32>
    }"""
    found = cost(stablehlo_py.parse(text))
    assert (found.peak_bytes, found.peak_at) == (32, "func.call at <string>:2:12")


def test_functions_that_call_themselves_and_that_are_not_there() -> None:
    module = stablehlo_py.parse(CALLS)
    found = cost(module, "loops")
    assert [(one.index, one.runs, one.bytes, one.live) for one in found.ops] == [(1, 1, 0, 32)]
    assert (found.peak_bytes, found.peak_at) == (32, "func.call at <string>:22:8")
    assert found.notes == ("@loops is not counted: it is recursive or has no body",)
    for name in ("none", "declared", "mainn"):
        with pytest.raises(
            InputError, match=rf"^error: the program has no function @{name}(; did you mean \w+\?)?$"
        ) as raised:
            cost(module, name)
        assert "mean declared" not in str(raised.value)
    assert len(cost(module, "inner").ops) == 3
    only = stablehlo_py.parse("func.func @only() { return }")
    assert cost(only).ops == ()
    assert cost_text(cost(only), 5).splitlines()[3] == "operations a byte:       0"


HEAD = "func.func @main(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {\n"


def program(lines: str) -> str:
    """A program of ops, each written as `%c = add %a, %b`; the last result is returned."""
    ops = [line.strip() for line in lines.split(";")]
    last = ops[-1].split(" ")[0]
    body = [f"  {op.replace('= ', '= stablehlo.')} : {T}\n" for op in ops]
    return f"{HEAD}{''.join(body)}  return {last} : {T}\n}}\n"


def partners(first: str, second: str) -> tuple[list[tuple[int, int]], set[int]]:
    """The partners of the ops of two programs, the function and the return left out, and what has moved."""
    context = make_context()
    modules = [parse(program(text), context=context) for text in (first, second)]
    sides = [Side(functions(module.operation)["main"], Labels({}).own) for module in modules]
    found = Matching(*sides)
    pairs = found.pairs()
    assert pairs[0] == (0, 0)
    assert (len(sides[0].ops) - 1, len(sides[1].ops) - 1) in pairs
    for one, other in pairs:
        assert (found.partner[0][one], found.partner[1][other]) == (other, one)
        assert sides[0].kinds[one] == sides[1].kinds[other]
    last = len(sides[0].ops) - 1
    return [pair for pair in pairs if pair[0] not in (0, last)], found.moved()


CHAIN = "%c = add %a, %b; %d = sine %c; %e = cosine %d; %f = tanh %e"


@pytest.mark.parametrize(
    ("first", "second", "pairs", "moved"),
    [
        (CHAIN, CHAIN, [(1, 1), (2, 2), (3, 3), (4, 4)], set()),
        # An op in the middle of a chain leaves both ends matched.
        (CHAIN, "%c = add %a, %b; %d = sine %c; %x = sqrt %d; %e = cosine %x; %f = tanh %e",
         [(1, 1), (2, 2), (3, 4), (4, 5)], set()),
        (CHAIN, "%c = add %a, %b; %e = cosine %c; %f = tanh %e", [(1, 1), (3, 2), (4, 3)], set()),
        # Independent ops may stand in any order.
        ("%c = sine %a; %d = cosine %a; %e = add %c, %d", "%d = cosine %a; %c = sine %a; %e = add %c, %d",
         [(1, 2), (2, 1), (3, 3)], {1}),
        # Equal ops are partners in their order.
        ("%c = sine %a; %d = sine %a; %e = add %c, %d", "%c = sine %a; %d = sine %a; %x = sine %a; %e = add %c, %d",
         [(1, 1), (2, 2), (3, 4)], set()),
        # The operands of a partner are partners if they are of a kind.
        ("%c = sine %a; %d = tanh %c", "%c = sine %b; %d = tanh %c", [(1, 1), (2, 2)], set()),
        ("%c = sine %a; %d = tanh %c", "%c = cosine %a; %d = tanh %c", [(2, 2)], set()),
        ("%c = sine %a; %d = sine %b; %e = add %c, %d", "%c = sine %a; %d = sine %b; %e = subtract %c, %d",
         [(1, 1), (2, 2)], set()),
        ("%c = negate %a; %d = add %c, %c", "%c = abs %a; %x = negate %b; %d = add %c, %x", [(1, 2), (2, 3)], set()),
    ],
)  # fmt: skip
def test_partners_of_ops(first: str, second: str, pairs: list[tuple[int, int]], moved: set[int]) -> None:
    assert partners(first, second) == (pairs, moved)
    found, back = partners(second, first)
    assert sorted((b, a) for a, b in found) == pairs
    assert len(back) == len(moved)


def test_the_outermost_of_some_ops() -> None:
    parents = [-1, 0, 1, 1, 0, 4, 5]
    assert outermost([], parents) == []
    assert outermost([3, 2, 1], parents) == [1]
    assert outermost([6, 5, 2], parents) == [2, 5]
    assert outermost([6, 4], parents) == [4, 6]
    assert outermost([0, 1], parents) == [0]


def pairs_of(first: str, second: str) -> list[tuple[str, str]]:
    context = make_context()
    return pair_functions(parse(first, context=context), parse(second, context=context))


def function(name: str, op: str, sort: str = "private ", calls: str = "") -> str:
    line = f"  %r = call @{calls}(%0) : ({T}) -> {T}\n  return %r : {T}" if calls else f"  return %0 : {T}"
    return f"func.func {sort}@{name}(%a: {T}) -> {T} {{\n  %0 = stablehlo.{op} %a : {T}\n{line}\n}}\n"


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ([("f", "sine", ""), ("g", "abs", "")], [("g", "sine", ""), ("f", "abs", "")], [("f", "f"), ("g", "g")]),
        # Private functions correspond by what they do, then by name, then by name without a number.
        ([("f", "sine"), ("g", "abs")], [("g", "sine"), ("f", "abs")], [("f", "g"), ("g", "f")]),
        ([("f", "sine"), ("g", "abs")], [("f", "tanh"), ("h", "abs")], [("f", "f"), ("g", "h")]),
        ([("f_1", "sine")], [("f_27", "tanh")], [("f_1", "f_27")]),
        ([("f", "sine")], [("other", "tanh")], []),
        ([("f", "sine", "")], [("f", "sine")], [("f", "f")]),
        ([("f", "sine", "")], [("g", "sine")], []),
        # What others can call in one program alone keeps its name.
        ([("f", "sine", "")], [("f", "tanh")], [("f", "f")]),
        ([("f", "sine", ""), ("g", "abs")], [("f", "abs"), ("g", "tanh")], [("f", "f"), ("g", "g")]),
        ([("f", "sine"), ("f_0", "sine")], [("f", "sine"), ("f_0", "sine")], [("f", "f"), ("f_0", "f_0")]),
    ],
)
def test_functions_that_correspond(
    first: list[tuple[str, ...]], second: list[tuple[str, ...]], expected: list[tuple[str, str]]
) -> None:
    texts = ["".join(function(*each) for each in side) for side in (first, second)]
    assert pairs_of(*texts) == expected
    assert sorted((b, a) for a, b in pairs_of(*texts[::-1])) == sorted(expected)


def test_what_a_function_calls_is_part_of_what_it_does() -> None:
    first = function("f", "sine", calls="g") + function("g", "abs")
    second = function("x", "sine", calls="y") + function("y", "abs")
    other = function("x", "sine", calls="y") + function("y", "tanh")
    assert pairs_of(first, second) == [("f", "x"), ("g", "y")]
    assert pairs_of(first, other) == []
    recursive = function("f", "sine", calls="f")
    assert pairs_of(recursive, recursive) == [("f", "f")]
    assert pairs_of(recursive, recursive.replace("@f", "@f_1")) == [("f", "f_1")]
    assert pairs_of(recursive, recursive.replace("@f", "@other")) == []


def test_names_in_a_circle_of_calls_count_where_it_begins_alone() -> None:
    """The first function of the text begins; who calls it is known by what is called."""
    first = function("main", "sine", "", calls="one") + function("one", "abs", calls="main")
    assert pairs_of(first, first.replace("@one", "@other")) == [("main", "main"), ("one", "other")]
    assert pairs_of(first, first.replace("@one", "@other").replace("stablehlo.abs", "stablehlo.tanh")) == [
        ("main", "main")
    ]


def test_a_value_of_a_later_block_is_another_one_than_an_earlier_value() -> None:
    """Blocks may stand in another order than they run in."""

    def jumps(name: str, value: str) -> str:
        return f"""func.func private @{name}(%a: {T}, %b: {T}) -> {T} {{
  cf.br ^bb2
^bb1:
  %0 = stablehlo.abs {value} : {T}
  return %0 : {T}
^bb2:
  %1 = stablehlo.sine %a : {T}
  cf.br ^bb1
}}
"""

    values = ("%1", "%a", "%b")
    first = "".join(jumps(f"f{number}x", value) for number, value in enumerate(values))
    second = "".join(jumps(f"f{number}x", value) for number, value in enumerate([*values[1:], values[0]]))
    assert pairs_of(first, second) == [("f0x", "f2x"), ("f1x", "f0x"), ("f2x", "f1x")]


@pytest.mark.parametrize("count", [1, 5, 6, 7, 12, 13, 40])
def test_ops_that_share_nothing_but_their_kind_are_partners_in_their_order(count: int) -> None:
    context = make_context()

    def text(offset: int) -> str:
        lines = [f"  %{number} = stablehlo.constant dense<{number + offset}> : tensor<i32>" for number in range(count)]
        return "\n".join(["func.func @main() {", *lines, "  return", "}"])

    modules = [parse(text(offset), context=context) for offset in (0, 1000)]
    sides = [Side(functions(module.operation)["main"], Labels({}).own) for module in modules]
    assert Matching(*sides).pairs() == [(number, number) for number in range(count + 2)]


def test_ops_and_the_sizes_that_are_open_are_told_in_their_order() -> None:
    shape = "x".join("?" * 7)
    text = f"""func.func @main(%n: tensor<{shape}xf32>, %p: tensor<i1>, %a: {T}) -> {T} {{
  %0 = "stablehlo.if"(%p) ({{
    %1 = stablehlo.sine %a : {T}
    stablehlo.return %1 : {T}
  }}, {{
    stablehlo.return %a : {T}
  }}) : (tensor<i1>) -> {T}
  %2 = stablehlo.abs %n : tensor<{shape}xf32>
  return %0 : {T}
}}"""
    found = cost(parse(text, context=make_context()))
    assert [(one.op, one.index) for one in found.ops] == [
        ("stablehlo.if", 1),
        ("stablehlo.sine", 2),
        ("stablehlo.abs", 5),
    ]
    assert found.notes == tuple(f"arg0[{n}] is a dynamic size" for n in range(7))
    assert found.at({f"arg0[{n}]": 2 for n in range(6)}).notes == ("arg0[6] is a dynamic size",)


def test_loops_in_loops_run_as_often_as_both_together() -> None:
    def loop(trips: int, name: str, body: str) -> str:
        return f"""%{name}:2 = stablehlo.while(%i{name} = %zero, %v{name} = %a) : tensor<i32>, {T}
  cond {{
    %n{name} = stablehlo.constant dense<{trips}> : tensor<i32>
    %c{name} = stablehlo.compare LT, %i{name}, %n{name} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c{name} : tensor<i1>
  }} do {{
    {body}
    %one{name} = stablehlo.constant dense<1> : tensor<i32>
    %j{name} = stablehlo.add %i{name}, %one{name} : tensor<i32>
    stablehlo.return %j{name}, %v{name} : tensor<i32>, {T}
  }}"""

    nest = loop(3, "x", loop(4, "y", loop(5, "z", f"%s = stablehlo.sine %a : {T}")))
    head = f"func.func @main(%a: {T}) -> {T} {{\n%zero = stablehlo.constant dense<0> : tensor<i32>\n"
    found = cost(parse(f"{head}{nest}\nreturn %a : {T}\n}}", context=make_context()))
    runs = {name: [one.runs for one in found.ops if one.op == f"stablehlo.{name}"] for name in ("while", "compare")}
    assert runs == {"while": [1, 3, 12], "compare": [4, 15, 72]}
    assert [one.runs for one in found.ops if one.op == "stablehlo.sine"] == [60]
    assert sorted(one.runs for one in found.ops if one.op == "stablehlo.add") == [3, 12, 60]


def test_functions_of_equal_contents_correspond_in_their_order_through_composites_too() -> None:
    def program(*names: str) -> str:
        body = "func.func private @{}(%a: {}) -> {} {{\n%0 = stablehlo.sine %a : {}\nreturn %0 : {}\n}}\n"
        outer = f"func.func private @{names[0]}(%a: {T}) -> {T} {{\n"
        outer += (
            f'%0 = stablehlo.composite "x.y" %a {{decomposition = @{names[1]}}} : ({T}) -> {T}\nreturn %0 : {T}\n}}\n'
        )
        return outer + "".join(body.format(name, *[T] * 4) for name in names[1:])

    context = make_context()
    first, second = program("h", "one", "two", "three"), program("k", "a", "b", "c")
    found = pair_functions(parse(first, context=context), parse(second, context=context))
    assert found == [("h", "k"), ("one", "a"), ("two", "b"), ("three", "c")]
