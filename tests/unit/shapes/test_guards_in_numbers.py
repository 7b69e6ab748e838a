"""Guards: the ops that compute their numbers, their messages, and the values of two ways joined."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from parsed import parsed

from stablehlo_py.bindings import ir, make_context
from stablehlo_py.bindings.build import create, refresh_type
from stablehlo_py.bindings.walk import body_of, functions, operations, terminator_of
from stablehlo_py.interpreter.program import interpret
from stablehlo_py.passes.pipeline import run_pipeline
from stablehlo_py.shapes.evaluation.conditions import Condition, choose, compare
from stablehlo_py.shapes.evaluation.evaluator import Assertion, Evaluator
from stablehlo_py.shapes.evaluation.symbols import Expression, Number, Symbol, symbol
from stablehlo_py.shapes.refinement.guards import ProgramAlgebra, guard_message
from stablehlo_py.shapes.refinement.symbol_writing import NotExpressibleError
from stablehlo_py.shapes.refinement.value_facts import ValueFacts

HEAD = "%l: tensor<i64>, %r: tensor<i64>, %p: tensor<i1>, %q: tensor<i1>, %m: tensor<2x3xi32>, %d: tensor<?x5xf32>"
ARGUMENTS = [np.int64(7), np.int64(-2), np.bool_(True), np.bool_(False)]
ARGUMENTS += [np.arange(10, 16, dtype=np.int32).reshape(2, 3), np.zeros((4, 5), np.float32)]


def computed(
    make: Callable[[ProgramAlgebra, list[ir.Value]], list[ir.Value]], *arguments: Any
) -> tuple[list[Any], str]:
    """What the ops that an algebra makes compute, and the program with them."""
    given = [*arguments, *ARGUMENTS[len(arguments) :]]
    with make_context(), ir.Location.unknown():
        module = ir.Module.parse(f"func.func @main({HEAD}) {{ return }}")
        function = functions(module.operation)["main"]
        block = body_of(function)
        old = terminator_of(block)
        made = make(ProgramAlgebra(old, {}), list(block.arguments))
        create("func.return", made, [], at=ir.InsertionPoint(old), location=old.location)
        old.erase()
        refresh_type(function)
        assert module.operation.verify()
        return [np.asarray(each).tolist() for each in interpret(module, given)], str(module)


def test_constants() -> None:
    made = computed(lambda algebra, _: [algebra.integer(0), algebra.integer(-(1 << 40)), algebra.boolean(True),
                                        algebra.boolean(False)])  # fmt: skip
    assert made[0] == [0, -(1 << 40), True, False]


@pytest.mark.parametrize(("left", "right"), [*itertools.product([-7, -6, 0, 6, 7], [1, 2, 3, -2])])
def test_operators_are_those_of_python(left: int, right: int) -> None:
    names = ["+", "*", "min", "max", *["floor"] * (right > 0), *["//"] * (left >= 0 and right > 0)]
    predicates = ["eq", "ne", "lt", "le", "gt", "ge"]

    def make(algebra: ProgramAlgebra, given: list[ir.Value]) -> list[ir.Value]:
        numbers = [algebra.binary(name, *given[:2]) for name in names]
        return numbers + [algebra.compare(name, *given[:2]) for name in predicates]

    found = {"+": left + right, "*": left * right, "min": min(left, right), "max": max(left, right)}
    found |= {"floor": left // right, "//": left // right}
    truths = [left == right, left != right, left < right, left <= right, left > right, left >= right]
    assert computed(make, np.int64(left), np.int64(right))[0] == [*[found[name] for name in names], *truths]


@pytest.mark.parametrize(("first", "second"), [*itertools.product([True, False], repeat=2)])
def test_truths_and_choices(first: bool, second: bool) -> None:
    def make(algebra: ProgramAlgebra, given: list[ir.Value]) -> list[ir.Value]:
        left, right, p, q, *_ = given
        truths = [algebra.logical(name, p, q) for name in ("and", "or", "xor")]
        return [*truths, algebra.select(p, left, right)]

    found, _ = computed(make, *ARGUMENTS[:2], np.bool_(first), np.bool_(second))
    assert found == [first and second, first or second, first != second, 7 if first else -2]


def test_sizes_and_elements_are_asked_for_once_in_a_block() -> None:
    def make(algebra: ProgramAlgebra, given: list[ir.Value]) -> list[ir.Value]:
        left, _, _, _, matrix, dynamic = given
        sizes = [algebra.size(dynamic, d) for d in (0, 1, 0)] + [algebra.size(matrix, 0)]
        elements = [algebra.element(matrix, n) for n in (0, 2, 3, 5, 3)]
        assert sizes[0] == sizes[2]
        assert elements[2] == elements[4]
        return [*sizes, *elements, algebra.element(left, 0)]

    found, text = computed(make)
    assert found == [4, 5, 4, 2, 10, 12, 13, 15, 13, 7]
    assert text.count("get_dimension_size") == 3
    assert text.count("stablehlo.slice") == 4


def test_elements_of_index_type_cannot_be_computed() -> None:
    with make_context(), ir.Location.unknown():
        module = ir.Module.parse("func.func @main(%i: tensor<2xindex>) { return }")
        block = body_of(functions(module.operation)["main"])
        with pytest.raises(NotExpressibleError, match="an element of index type"):
            ProgramAlgebra(terminator_of(block), {}).element(block.arguments[0], 0)


def told(message: str, condition: Any, *inputs: Number) -> tuple[str, list[str]]:
    """The message of a guard and its numbers, in a function of two arguments."""
    with make_context():
        text = 'func.func @main(%a: tensor<?x?xf32> loc("x"), %b: tensor<2xi32>) { return }'
        module = ir.Module.parse(text)
        arguments = body_of(functions(module.operation)["main"]).arguments
        facts = ValueFacts(function="main")
        facts.sizes(arguments[0])
        facts.elements(arguments[1])
        found, numbers = guard_message("stablehlo.add", Assertion(condition, message, inputs), facts)
        return found, [str(number) for number in numbers]


N, M = symbol("size", "arg0[0]", 0), symbol("size", "arg0[1]", 0)
E = Expression({(Symbol("element", "arg1{1}"),): 1})
A0, A1, B1 = "dimension 0 of argument 0 ('x')", "dimension 1 of argument 0 ('x')", "element 1 of argument 1"


@pytest.mark.parametrize(
    ("message", "condition", "inputs", "said", "numbers"),
    [
        ("no numbers", True, (), "no numbers", []),
        ("{0} and {1}", True, (3, -4), "3 and -4", []),
        ("{0} is {1}", compare("eq", N, M), (N, M), f"{{0}} is {{1}} ({A0} is {{0}}, {A1} is {{1}})", [N, M]),
        ("{1} is {0}", compare("eq", N, M), (N, M), f"{{1}} is {{0}} ({A0} is {{0}}, {A1} is {{1}})", [N, M]),
        ("{0} is {1}", compare("eq", N, 4), (4, N), f"4 is {{0}} ({A0} is {{0}})", [N]),
        ("{0}, {1}, {2}", compare("eq", N, 4), (N, 4, N), f"{{0}}, 4, {{0}} ({A0} is {{0}})", [N]),
        ("twice {0}", compare("eq", N, 4), (N + N,), f"twice {{0}} ({A0} is {{1}})", [N + N, N]),
        ("it", compare("sle", N * M, E), (), f"it ({A0} is {{0}}, {A1} is {{1}}, {B1} is {{2}})", [N, M, E]),
        ("it", compare("eq", N // 2, M), (), f"it ({A0} is {{0}}, {A1} is {{1}})", [N, M]),
        ("it", Condition("unknown", Expression({(Symbol("unknown", "u"),): 1})), (), "it", []),
        ("it", compare("eq", symbol("size", "other", 0), 1), (), "it (other is {0})", [symbol("size", "other", 0)]),
        ("it", Condition("not", parts=(compare("sle", N, 3),)), (), f"it ({A0} is {{0}})", [N]),
    ],
)
def test_messages_of_guards(
    message: str, condition: Any, inputs: tuple[Number, ...], said: str, numbers: list[Number]
) -> None:
    assert told(message, condition, *inputs) == (f"stablehlo.add: {said}", [str(number) for number in numbers])


def test_values_of_two_ways_are_joined() -> None:
    environment: Any = SimpleNamespace()
    join = Evaluator(environment).join
    condition = compare("eq", N, 1)
    assert isinstance(condition, Condition)
    assert (join(True, 1, 2), join(False, 1, 2), join(True, None, (1,)), join(False, None, (1,))) == (1, 2, None, (1,))
    assert join(condition, (1, 2), (1, 2)) == (1, 2)
    assert join(condition, None, None) is None
    assert join(condition, None, (1,)) is None
    assert join(condition, (1,), None) is None
    assert join(condition, (1, 2), (1,)) is None
    assert join(condition, (), ()) == ()
    assert join(condition, 5, 6) == choose(condition, 5, 6)
    assert join(condition, (5, 7), (6, 7)) == (choose(condition, 5, 6), 7)
    assert join(condition, True, False) == condition


@pytest.mark.parametrize(
    ("ops", "guards"),
    [
        (["add %x, %y"], 1),
        (["add %x, %y", "subtract %x, %y", "multiply %y, %x"], 1),
        (["add %x, %y", "add %y, %k", "add %x, %k"], 2),
        (["add %x, %y", "add %0, %y", "add %0, %k"], 2),
        (["add %x, %x"], 0),
    ],
)
def test_sizes_that_were_found_equal_are_not_compared_again(ops: list[str], guards: int) -> None:
    lines = "\n".join(f"%{number} = stablehlo.{op} : tensor<?xf32>" for number, op in enumerate(ops))
    head = "%x: tensor<?xf32>, %y: tensor<?xf32>, %k: tensor<?xf32>"
    module = parsed(f"func.func @main({head}) -> tensor<?xf32> {{\n{lines}\nreturn %0 : tensor<?xf32> }}")  # fmt: skip
    run_pipeline(module, "builtin.module(stablehlo-insert-shape-guards)")
    assert str(module).count("@shape_assertion") == guards, str(module)


KINDS = """func.func @main(%x: tensor<2x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %a = stablehlo.custom_call @open(%x) : (tensor<2x?xf32>) -> tensor<?x?xf32>
  %0 = func.call @h(%a) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %b = stablehlo.reshape %a : (tensor<?x?xf32>) -> tensor<3x4xf32>
  %c = stablehlo.custom_call @open(%b) : (tensor<3x4xf32>) -> tensor<?x?xf32>
  %1 = func.call @h(%c) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0, %1 : tensor<?x?xf32>, tensor<?x?xf32>
}
func.func private @h(%y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %b = stablehlo.custom_call @other(%y) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %c = stablehlo.custom_call @other(%y) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %0 = stablehlo.add %b, %c : tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}"""


@pytest.mark.parametrize("before", ["", "stablehlo-reify-shape-calculations,"])
def test_each_kind_of_call_has_the_guards_of_its_own_ops(before: str) -> None:
    module = parsed(KINDS)
    run_pipeline(module, f"builtin.module({before}stablehlo-insert-shape-guards)")
    made = {name: str(op) for name, op in functions(module.operation).items() if name != "main"}
    assert {name: text.count("@shape_assertion") for name, text in made.items()} == {"h": 2, "h_0": 2}, str(module)
    assert module.operation.verify()


@pytest.mark.parametrize("wrapped", [False, True])
def test_a_guard_that_cannot_be_computed_is_left_out_with_a_word_at_its_op(wrapped: bool) -> None:
    module = parsed("""func.func @main(%x: tensor<?xf32>, %s: tensor<1xindex>) -> tensor<?xf32> {
          %r = stablehlo.dynamic_reshape %x, %s : (tensor<?xf32>, tensor<1xindex>) -> tensor<?xf32> loc("op":7:1)
          return %r : tensor<?xf32> }""")
    if wrapped:  # the op's own location is another one than that of what is around it
        run_pipeline(module, "builtin.module(stablehlo-reify-shape-calculations)")
        text: Any = module.operation.get_asm(enable_debug_info=True)
        moved = re.sub(r"(= stablehlo.dynamic_reshape .*) loc\(#\w+\)", r'\1 loc("op":8:1)', text)
        module = parsed(moved)
    said: list[Any] = []
    run_pipeline(module, "builtin.module(stablehlo-insert-shape-guards)", sink=said.append)
    assert [(each.severity, each.location) for each in said] == [("warning", "op:8:1" if wrapped else "op:7:1")]
    reason = "an element of index type cannot be computed here"
    wrong = "'the operand has arg0[0] elements, the result would have arg1{0}'"
    assert said[0].message == f"no guard for {wrong}: {reason}"
    assert "shape_assertion" not in str(module)


@pytest.mark.parametrize("before", ["", "stablehlo-reify-shape-calculations,"])
@pytest.mark.parametrize("number", [0, 1, 2])
def test_a_guard_compares_the_result_that_its_op_takes(number: int, before: str) -> None:
    """The group of a gather is unknown here, and so is the size of each of its results."""
    t = "tensor<?x4xf32>"
    module = parsed(f"""func.func @main(%x: {t}, %y: {t}, %z: {t}) -> {t} {{
          %r:3 = "stablehlo.all_gather"(%x, %y, %z) {{all_gather_dim = 0 : i64,
            replica_groups = dense<> : tensor<0x0xi64>}} : ({t}, {t}, {t}) -> ({t}, {t}, {t})
          %s = stablehlo.add %r#{number}, %x : {t}
          return %s : {t} }}""")
    run_pipeline(module, f"builtin.module({before}stablehlo-insert-shape-guards)")
    text = str(module)
    asked = re.findall(r"get_dimension_size (%\w+(?:#\d)?), dim = 0", text)
    (gathered,) = re.findall(r'(%\w+):3 = (?:"stablehlo.all_gather"|scf.execute_region -> \()', text)[:1]
    assert asked == [f"{gathered}#{number}", "%arg0"], text
    assert f"(dimension 0 of all_gather.{number + 1} is {{0}}, dimension 0 of argument 0 is {{1}})" in text
    assert module.operation.verify()


KINDS_OF_FUNCTIONS = ["", "reify-shape", "reify-shape,reify-dtype", "reify-dtype,reify-shape", "reify-dtype"]


@pytest.mark.parametrize("simplified", [False, True])
@pytest.mark.parametrize("reified", KINDS_OF_FUNCTIONS)
def test_every_op_has_its_own_guards_and_no_others(reified: str, simplified: bool) -> None:
    """What types declare is checked at the op of the type, whatever functions are next to the ops."""
    v = "tensor<?xf32>"
    ops = [
        f"%a = stablehlo.negate %x : ({v}) -> tensor<4xf32>",
        f"%b = stablehlo.add %y, %z : ({v}, {v}) -> {v}",
        f"%c = stablehlo.abs %w : ({v}) -> tensor<5xf32>",
        f"%d = stablehlo.add %x, %x : {v}",
        "%e = stablehlo.exponential %c : tensor<5xf32>",
        f"%f = stablehlo.concatenate %k, dim = 0 : ({v}) -> tensor<6xf32>",
    ]
    lines = "\n".join(f'{op} loc("op":{number}:1)' for number, op in enumerate(ops))
    head = ", ".join(f"%{name}: {v}" for name in "xyzwk")
    module = parsed(f"func.func @main({head}) {{\n{lines}\nreturn }}")
    passes = [f"stablehlo-{each}-calculations" for each in filter(None, reified.split(","))]
    if simplified:
        passes += [f"stablehlo-simplify-{each[6:]}-calculations" for each in filter(None, reified.split(","))]
        run_pipeline(module, f"builtin.module({','.join(passes)})", sink=lambda _: None)
        for op in operations(module.operation):
            if op.name == "scf.execute_region":
                inner = op.regions[0].blocks[0].operations
                assert {str(each.location) for each in inner} == {str(op.location)}, str(module)
        passes = []
    run_pipeline(module, f"builtin.module({','.join([*passes, 'stablehlo-insert-shape-guards'])})")
    found = [
        (str(op.location), str(op.attributes["error_message"]).split(" (")[0].strip('"'))
        for op in operations(module.operation)
        if op.name == "stablehlo.custom_call"
    ]
    sums = [op for op in operations(module.operation) if op.name == "stablehlo.add"]
    assert [str(op.results[0].type) for op in sums] == [v, "tensor<4xf32>"], "what a type declares is known behind it"
    declared = "dimension 0 of result 0 is declared {}, it is {{0}}"
    assert found == [
        ('loc("op":0:1)', "stablehlo.negate: " + declared.format(4)),
        ('loc("op":1:1)', "stablehlo.add: dimension 0 of the operands differs, {0} and {1}"),
        ('loc("op":2:1)', "stablehlo.abs: " + declared.format(5)),
        ('loc("op":5:1)', "stablehlo.concatenate: " + declared.format(6)),
    ], str(module)


@pytest.mark.parametrize("before", ["", "stablehlo-reify-shape-calculations,"])
@pytest.mark.parametrize(("holder", "guards"), [("scf.execute_region", 1), ("stablehlo.if", 2)])
def test_what_a_region_that_always_runs_demands_holds_behind_it(holder: str, guards: int, before: str) -> None:
    v = "tensor<?xf32>"
    inside, end = (
        f"%0 = stablehlo.add %x, %y : {v}",
        "scf.yield" if holder == "scf.execute_region" else "stablehlo.return",
    )
    region = f"{{ {inside}\n {end} %0 : {v} }}"
    if holder == "scf.execute_region":
        op = f"scf.execute_region -> {v} {region}"
    else:
        op = f'"stablehlo.if"(%p) ({region}, {{ stablehlo.return %x : {v} }}) : (tensor<i1>) -> {v}'
    module = parsed(f"""func.func @main(%x: {v}, %y: {v}, %p: tensor<i1>) -> {v} {{
      %r = {op}
      %s = stablehlo.subtract %y, %x : {v}
      return %s : {v} }}""")  # fmt: skip
    run_pipeline(module, f"builtin.module({before}stablehlo-insert-shape-guards)")
    assert str(module).count("@shape_assertion") == guards, str(module)


@pytest.mark.parametrize("before", ["", "stablehlo-reify-shape-calculations,"])
@pytest.mark.parametrize("learning", [0, 1])
def test_what_one_branch_demands_does_not_hold_in_the_other_nor_where_both_meet(learning: int, before: str) -> None:
    """The sizes of %x and %y are equal in the branch that adds them; the other one takes either."""
    v = "tensor<?xf32>"
    ways = [f"%1 = stablehlo.subtract %x, %y : {v} stablehlo.return %y : {v}", f"stablehlo.return %y : {v}"]
    for other, guards in zip(ways, (3, 2), strict=True):
        branches = [f"{{ {other} }}"] * 2
        branches[learning] = f"{{ %0 = stablehlo.add %x, %y : {v} stablehlo.return %x : {v} }}"
        module = parsed(f"""func.func @main(%x: {v}, %y: {v}, %p: tensor<i1>) -> {v} {{
          %r = "stablehlo.if"(%p) ({", ".join(branches)}) : (tensor<i1>) -> {v}
          %s = stablehlo.multiply %r, %x : {v}
          return %s : {v} }}""")  # fmt: skip
        run_pipeline(module, f"builtin.module({before}stablehlo-insert-shape-guards)")
        assert str(module).count("@shape_assertion") == guards, str(module)


def test_a_number_that_is_told_has_its_place_even_behind_others_that_are_not() -> None:
    """A guard takes 32 numbers. The last one of the condition is in the message, so it is the first of them."""
    numbers = [symbol("size", f"s{n}", 0) for n in range(40)]
    condition = compare("eq", sum(numbers[1:], start=numbers[0]), 0)
    message, inputs = guard_message("op", Assertion(condition, "{0} is wrong", (numbers[-1],)), ValueFacts())
    places = ", ".join([*(f"s{n} is {{{n + 1}}}" for n in range(31)), "s39 is {0}"])
    assert message == f"op: {{0}} is wrong ({places})"
    assert inputs == [numbers[-1], *numbers[:31]]
