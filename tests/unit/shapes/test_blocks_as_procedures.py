"""Library functions as the evaluator runs them: each op on numbers, on symbols and on what nobody knows."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from parsed import shared_context

from stablehlo_py.bindings import ir
from stablehlo_py.bindings.walk import body_of, functions
from stablehlo_py.shapes.errors import LibraryError
from stablehlo_py.shapes.evaluation.conditions import compare
from stablehlo_py.shapes.evaluation.evaluator import Evaluator, InfeasibleError, RefutedAssertionError
from stablehlo_py.shapes.evaluation.op_arguments import operand_groups
from stablehlo_py.shapes.evaluation.procedure_builder import build_procedure
from stablehlo_py.shapes.evaluation.symbols import Expression, symbol
from stablehlo_py.shapes.signatures import LibraryParameter

N = symbol("size", "n", 0)
LIST = "tensor<?xindex>"


class World:
    """A program whose tensors have two sizes and three elements, or nothing known, and one function."""

    def __init__(self, module: ir.Module, known: bool = True) -> None:
        self.module, self.known = module, known

    def sizes(self, value: ir.Value) -> Any:
        return (4, N) if self.known else None

    def elements(self, value: ir.Value) -> Any:
        return (7, 8, N) if self.known else None

    def procedure_of(self, name: str) -> Any:
        found = functions(self.module.operation).get(name)
        return (
            None if found is None or name == "none" else build_procedure(body_of(found).operations[0].operation.block)
        )


def run(body: str, *arguments: Any, types: str = "index", known: bool = True) -> list[Any]:
    """What the body returns, which is written with %0, %1, … for the arguments."""
    given = ", ".join([f"%{n}: {type_}" for n, type_ in enumerate(types.split(" "))][: len(arguments) or None])
    lines, _, returned = body.rpartition("return ")
    text = f"""func.func private @none(index) -> index
    func.func private @twice(%a: index) -> index {{ %b = arith.addi %a, %a : index return %b : index }}
    func.func @main({given}) -> ({returned.partition(" : ")[2]}) {{ {lines} return {returned} }}"""
    with shared_context(), ir.Location.unknown():
        module = ir.Module.parse(text)
        world: Any = World(module, known)
        evaluator = Evaluator(world)
        procedure = build_procedure(body_of(functions(module.operation)["main"]))
        return list(evaluator.run(procedure, list(arguments)))


def is_unknown(value: Any) -> bool:
    return isinstance(value, Expression) and [each.kind for each in value.symbols()] == ["unknown"]


TWO = "index index"
PAIRS = [(7, 2), (-7, 2), (6, 3), (0, 5), (-1, 4)]


@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_numbers_are_computed_as_in_python(a: int, b: int) -> None:
    names = ["addi", "subi", "muli", "floordivsi", "remsi", "minsi", "maxsi", "divsi", "divui", "remui"]
    body = "\n".join([f"%r{n} = arith.{name} %0, %1 : index" for n, name in enumerate(names)])
    results = ", ".join([f"%r{n}" for n in range(len(names))])
    found = run(f"{body}\nreturn {results} : {', '.join(['index'] * len(names))}", a, b, types=TWO)
    assert found == [a + b, a - b, a * b, a // b, a % b, min(a, b), max(a, b), a // b, a // b, a % b]


@pytest.mark.parametrize(("a", "b"), [*PAIRS, (3, 3)])
def test_comparisons_are_those_of_python(a: int, b: int) -> None:
    names = ["eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"]
    body = "\n".join([f"%r{n} = arith.cmpi {name}, %0, %1 : index" for n, name in enumerate(names)])
    results = ", ".join([f"%r{n}" for n in range(len(names))])
    found = run(f"{body}\nreturn {results} : {', '.join(['i1'] * len(names))}", a, b, types=TWO)
    order = [a < b, a <= b, a > b, a >= b]
    assert found == [a == b, a != b, *order, *order]


@pytest.mark.parametrize("a", [True, False])
@pytest.mark.parametrize("b", [True, False])
def test_truths_are_connected(a: bool, b: bool) -> None:
    body = """%r0 = arith.andi %0, %1 : i1
      %r1 = arith.ori %0, %1 : i1
      %r2 = arith.xori %0, %1 : i1
      %r3 = arith.index_castui %0 : i1 to index
      return %r0, %r1, %r2, %r3 : i1, i1, i1, index"""
    assert run(body, a, b, types="i1 i1") == [a and b, a or b, a != b, int(a)]


@pytest.mark.parametrize("name", ["floordivsi", "remsi"])
def test_a_quotient_by_zero_ends_the_function(name: str) -> None:
    with pytest.raises(InfeasibleError, match="division by zero"):
        run(f"%r = arith.{name} %0, %1 : index\nreturn %r : index", N, 0, types=TWO)


def test_constants_have_their_signs() -> None:
    body = f"""%a = arith.constant -3 : index
      %b = arith.constant true
      %c = arith.constant dense<[-1, 5]> : tensor<2xindex>
      %d = tensor.cast %c : tensor<2xindex> to {LIST}
      %e = arith.constant dense<> : tensor<0xindex>
      return %a, %b, %d, %e : index, i1, {LIST}, tensor<0xindex>"""
    assert run(body, 0) == [-3, True, (-1, 5), ()]


@pytest.mark.parametrize(
    ("position", "found"), [(0, 5), (2, 9), (3, "index 3 is outside"), (-1, "index -1 is outside"), (N, None)]
)
def test_items_of_a_list(position: Any, found: Any) -> None:
    body = f"%r = tensor.extract %0[%1] : {LIST}\nreturn %r : index"
    if isinstance(found, str):
        with pytest.raises(InfeasibleError, match=found):
            run(body, (5, N, 9), position, types=f"{LIST} index")
        return
    (item,) = run(body, (5, N, 9), position, types=f"{LIST} index")
    assert item == found or (found is None and is_unknown(item))
    assert is_unknown(*run(body, None, position, types=f"{LIST} index"))


@pytest.mark.parametrize(
    ("first", "count", "found"),
    [(0, 2, (5, 6)), (1, 9, (6, 7)), (3, 1, ()), (1, 0, ()), (2, -1, ()), (-1, 2, (5,)), (-2, 1, ()), (N, 1, None),
     (0, N, None)],
)  # fmt: skip
def test_slices_end_at_the_end_of_a_list(first: Any, count: Any, found: Any) -> None:
    body = f"%r = tensor.extract_slice %0[%1] [%2] [1] : {LIST} to {LIST}\nreturn %r : {LIST}"
    assert run(body, (5, 6, 7), first, count, types=f"{LIST} index index") == [found]
    assert run(body, None, first, count, types=f"{LIST} index index") == [None]


def test_lists_are_put_together() -> None:
    for count in (1, 2, 3):
        names, types = ", ".join([f"%{n}" for n in range(count)]), ", ".join([LIST] * count)
        body = f"%r = tensor.concat dim(0) {names} : ({types}) -> {LIST}\nreturn %r : {LIST}"
        for parts in itertools.product([(), (1,), (2, N), None], repeat=count):
            whole = None if None in parts else tuple(itertools.chain(*parts))
            assert run(body, *parts, types=" ".join([LIST] * count)) == [whole], parts
    row = "%r = tensor.from_elements %0, %1 : tensor<2xindex>\nreturn %r : tensor<2xindex>"
    assert run(row, 4, N, types=TWO) == [(4, N)]
    length = f"%z = arith.constant 0 : index\n%r = tensor.dim %0, %z : {LIST}\nreturn %r : index"
    assert run(length, (1, 2, 3), types=LIST) == [3]
    assert run(length, (), types=LIST) == [0]
    assert is_unknown(*run(length, None, types=LIST))


def test_branches_are_taken_as_their_condition_is_known() -> None:
    body = """%r = scf.if %0 -> index {
        %a = arith.addi %1, %1 : index
        scf.yield %a : index
      } else { scf.yield %1 : index }
      return %r : index"""
    assert [run(body, test, 3, types="i1 index") for test in (True, False)] == [[6], [3]]
    body = """%z = arith.constant 4 : index
      %c = arith.cmpi eq, %0, %z : index
      %r = scf.if %c -> index { scf.yield %0 : index } else { scf.yield %1 : index }
      return %r : index"""
    assert str(*run(body, N, 9, types=TWO)) == "(n if n == 4 else 9)"
    failing = """%z = arith.constant 0 : index
      %c = arith.cmpi eq, %0, %z : index
      %r = scf.if %c -> index {
        %a = arith.floordivsi %1, %A : index
        scf.yield %a : index
      } else {
        %b = arith.floordivsi %1, %B : index
        scf.yield %b : index
      }
      return %r : index"""
    three = "index index index"
    first = failing.replace("%A", "%z").replace("%B", "%2")
    assert run(first, N, 9, 3, types=three) == [3], "the way that fails is not taken"
    second = failing.replace("%A", "%2").replace("%B", "%z")
    assert run(second, N, 9, 3, types=three) == [3]
    with pytest.raises(InfeasibleError, match="both ways of a branch fail"):
        run(failing.replace("%A", "%z").replace("%B", "%z"), N, 9, 3, types=three)


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_what_is_asserted_in_any_order_holds_of_all(order: tuple[int, ...]) -> None:
    pairs = ["%0, %1", "%1, %2", "%2, %z"]
    lines = [f'%c{n} = arith.cmpi eq, {pairs[n]} : index cf.assert %c{n}, "equal"' for n in order]
    body = f"""%z = arith.constant 4 : index
      %c = arith.cmpi sge, %0, %z : index
      %r:3 = scf.if %c -> (index, index, index) {{
        {" ".join(lines)}
        scf.yield %0, %1, %2 : index, index, index
      }} else {{
        %no = arith.constant false cf.assert %no, "never"
        scf.yield %z, %z, %z : index, index, index
      }}
      return %r#0, %r#1, %r#2 : index, index, index"""
    sizes = [symbol("size", name, 0) for name in "nkm"]
    assert run(body, *sizes, types="index index index") == [4, 4, 4]


@pytest.mark.parametrize("fails", ["%no = arith.constant false", "%no = arith.cmpi sgt, %z, %z : index"])
def test_a_way_on_which_an_assertion_fails_is_not_taken(fails: str) -> None:
    body = """%z = arith.constant 4 : index
      %c = arith.cmpi eq, %0, %z : index
      %r = scf.if %c -> index {
        FIRST
        scf.yield %0 : index
      } else {
        SECOND
        scf.yield %1 : index
      }
      return %r : index"""
    failing = f'{fails} cf.assert %no, "never"'
    assert run(body.replace("FIRST", failing).replace("SECOND", ""), N, 9, types=TWO) == [9]
    assert run(body.replace("SECOND", failing).replace("FIRST", ""), N, 9, types=TWO) == [N]


@pytest.mark.parametrize(("predicate", "taken"), [("sgt", [1]), ("sle", [2]), ("slt", [2]), ("sge", [1])])
def test_what_was_asserted_before_decides_a_branch(predicate: str, taken: list[int]) -> None:
    body = f"""%z = arith.constant 4 : index
      %c = arith.cmpi sgt, %0, %z : index
      cf.assert %c, "more than four"
      %d = arith.cmpi {predicate}, %0, %z : index
      %one = arith.constant 1 : index
      %two = arith.constant 2 : index
      %r = scf.if %d -> index {{ scf.yield %one : index }} else {{ scf.yield %two : index }}
      return %r : index"""
    assert run(body, N) == taken


def test_rounds_over_ranges() -> None:
    body = """%z = arith.constant 0 : index
      %r = scf.for %i = %0 to %1 step %2 iter_args(%s = %z) -> index {
        %t = arith.muli %s, %1 : index
        %u = arith.addi %t, %i : index
        scf.yield %u : index
      }
      return %r : index"""
    three = "index index index"
    for low, high, step in ((0, 4, 1), (1, 9, 3), (3, 3, 1), (5, 2, 1)):
        total = 0
        for index in range(low, high, step):
            total = total * high + index
        assert run(body, low, high, step, types=three) == [total]
    assert is_unknown(*run(body, 0, N, 1, types=three))


def test_rounds_while_something_holds() -> None:
    body = """%r:2 = scf.while (%a = %0, %b = %1) : (index, index) -> (index, index) {
        %z = arith.constant 10 : index
        %c = arith.cmpi slt, %a, %z : index
        scf.condition(%c) %b, %a : index, index
      } do {
      ^bb0(%x: index, %y: index):
        %t = arith.addi %y, %x : index
        scf.yield %t, %x : index, index
      }
      return %r#0, %r#1 : index, index"""
    a, b = 1, 3
    while a < 10:
        a, b = a + b, b
    assert run(body, 1, 3, types=TWO) == [b, a]
    assert run(body, 12, 3, types=TWO) == [3, 12]
    assert all(map(is_unknown, run(body, N, 3, types=TWO)))


def test_calls_of_functions() -> None:
    assert run("%r = func.call @twice(%0) : (index) -> index\nreturn %r : index", 4) == [8]
    assert is_unknown(*run("%r = func.call @none(%0) : (index) -> index\nreturn %r : index", 4))


def test_ops_that_the_evaluator_lacks_are_refused() -> None:
    with pytest.raises(LibraryError, match=r"a library function cannot contain arith\.ceildivsi"):
        run("%r = arith.ceildivsi %0, %1 : index\nreturn %r : index", 1, 2, types=TWO)


def groups(sources: str, op: str, *types: str) -> list[int]:
    """How many operands belong to each parameter, whose sources are told by `1` and `*`."""
    kinds = {"1": "operand", "*": "operands", "a": "attribute"}
    parameters = [LibraryParameter(f"p{n}", "Shape", kinds[each]) for n, each in enumerate(sources)]
    given = ", ".join([f"%{n}: {type_}" for n, type_ in enumerate(types)])
    with shared_context():
        module = ir.Module.parse(f"func.func @main({given}) {{ {op} return }}")
        first = body_of(functions(module.operation)["main"]).operations[0].operation
        return [len(group) for group in operand_groups(first, parameters)]


@pytest.mark.parametrize(
    ("sources", "count", "found"),
    [
        ("11", 2, [1, 1]), ("1a1", 2, [1, 1]), ("*", 3, [3]), ("*", 0, [0]), ("1*", 1, [1, 0]), ("*1", 3, [2, 1]),
        ("**", 4, [2, 2]), ("*1*", 5, [2, 1, 2]), ("1", 2, None), ("111", 2, None), ("1*", 0, None), ("**", 3, None),
    ],
)  # fmt: skip
def test_operands_belong_to_parameters(sources: str, count: int, found: list[int] | None) -> None:
    types = ["tensor<2xf32>"] * count
    names = ", ".join([f"%{n}" for n in range(count)])
    op = f"stablehlo.custom_call @it({names}) : ({', '.join(types)}) -> ()"
    if found is not None:
        assert groups(sources, op, *types) == found
        return
    with pytest.raises(LibraryError, match=f"the library function takes {len(sources)} operands, the op has {count}"):
        groups(sources, op, *types)


@pytest.mark.parametrize("known", [True, False])
def test_elements_of_a_tensor_of_the_program(known: bool) -> None:
    """Whether an index is outside is for the program to find out."""
    with shared_context():
        module = ir.Module.parse("func.func @main(%t: tensor<3xi64>) { return }")
        tensor = body_of(functions(module.operation)["main"]).arguments[0]
        body = "%r = tensor.extract %0[%1] : tensor<3xindex>\nreturn %r : index"
        for position, found in ((0, 7), (1, 8), (2, N), (3, None), (-1, None), (N, None)):
            (item,) = run(body, tensor, position, types="tensor<3xindex> index", known=known)
            assert is_unknown(item) if found is None or not known else item == found, position
        scalar = "%r = tensor.extract %0[] : tensor<index>\nreturn %r : index"
        (item,) = run(scalar, tensor, types="tensor<index>", known=known)
        assert item == 7 if known else is_unknown(item)


def test_a_branch_without_results_may_have_one_way() -> None:
    body = """%z = arith.constant 0 : index
      scf.if %0 {
        %c = arith.cmpi ne, %1, %z : index
        cf.assert %c, "it is zero"
      }
      return %1 : index"""
    assert [run(body, way, 5, types="i1 index") for way in (True, False)] == [[5], [5]]
    assert run(body, False, 0, types="i1 index") == [0]
    with pytest.raises(RefutedAssertionError, match="it is zero"):
        run(body, True, 0, types="i1 index")
    assert run(body, compare("eq", N, 1), N, types="i1 index") == [N]
