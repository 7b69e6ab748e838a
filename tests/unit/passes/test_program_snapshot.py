"""Snapshots: what patterns do to one happens to the program, whatever the program holds."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from simplification import chain, nested_concatenations

from stablehlo_py.bindings import ir, make_context
from stablehlo_py.bindings.walk import operations_within
from stablehlo_py.errors import StablehloError
from stablehlo_py.passes.folding import FOLDS
from stablehlo_py.passes.report import PassReport
from stablehlo_py.passes.rewriting import Pattern, RewriteOptions, apply_patterns, inner_ops, pattern, snapshot_of
from stablehlo_py.passes.simplification import SIMPLIFICATIONS
from stablehlo_py.passes.snapshot.parts import body_of
from stablehlo_py.passes.snapshot.program import Snapshot


@pytest.fixture(scope="module", autouse=True)
def _context() -> Iterator[None]:
    with make_context(allow_unregistered_dialects=True), ir.Location.unknown():
        yield


def simplified(text: str, *patterns: Pattern) -> tuple[ir.Module, ir.Operation]:
    """The only function of a program, after these patterns, or after simplification."""
    module = ir.Module.parse(text)
    root = module.body.operations[0].operation
    apply_patterns(root, patterns if patterns else SIMPLIFICATIONS, RewriteOptions(), PassReport())
    module.operation.verify()
    return module, root


def nest(depth: int) -> str:
    """Branches in branches, each of which adds nothing to a value from outside."""
    t = "tensor<4xf32>"
    body = f"%r0 = stablehlo.abs %x : {t}\n"
    for i in range(depth):
        start = f"%n{i} = stablehlo.constant dense<-0.0> : {t} %a{i} = stablehlo.add %n{i}, %r{i} : {t}"
        end = f"stablehlo.return %a{i} : {t} }}, {{ stablehlo.return %x : {t} }}) : (tensor<i1>) -> {t}"
        body = f'%r{i + 1} = "stablehlo.if"(%p) ({{\n{body}{start} {end}\n'
    return f"func.func @main(%p: tensor<i1>, %x: {t}) -> {t} {{\n{body}return %r{depth} : {t} }}"


def repeated(count: int) -> str:
    """A value of many uses, and an op of many operands, each of which becomes another."""
    t = "tensor<2xi32>"
    body = "\n".join(f"%v{i} = stablehlo.add %zero, %x : {t}" for i in range(count))
    names, types = ", ".join(f"%v{i}" for i in range(count)), ", ".join([t] * count)
    return (
        f"func.func @main(%x: {t}) -> ({types}) {{\n%zero = stablehlo.constant dense<0> : {t}\n"
        f"{body}\nreturn {names} : {types} }}"
    )


@pytest.mark.parametrize(
    ("text", "left"),
    [(chain(10000), 2649), (nest(1000), 3002), (repeated(10000), 1), (nested_concatenations(300), 2)],
)
def test_long_deep_and_wide_programs_arrive(text: str, left: int) -> None:
    module, root = simplified(text)
    assert len(operations_within(root)) == left
    del module


LOOP = """
func.func @main(%x: tensor<4xi32>, %p: tensor<i1>) -> tensor<4xi32> {
  %zero = stablehlo.constant dense<0> : tensor<4xi32>
  %y = stablehlo.add %x, %zero : tensor<4xi32>
  %r:2 = stablehlo.while(%a = %y, %b = %p) : tensor<4xi32>, tensor<i1>
  cond { stablehlo.return %b : tensor<i1> }
  do {
    %not = stablehlo.not %b : tensor<i1>
    stablehlo.return %a, %not : tensor<4xi32>, tensor<i1>
  }
  return %r#0 : tensor<4xi32>
}
"""


def test_a_loop_loses_state_in_one_run() -> None:
    module, root = simplified(LOOP)
    assert [op.name for op in operations_within(root)] == ["func.return"]
    assert "return %arg0" in str(module)


BRANCHES = """
func.func @main(%x: tensor<4xi32>) -> tensor<4xi32> {
  %true = stablehlo.constant dense<true> : tensor<i1>
  %r = "stablehlo.if"(%true) ({
    %one = stablehlo.constant dense<1> : tensor<4xi32>
    %i = stablehlo.constant dense<1> : tensor<i32>
    %s = "stablehlo.case"(%i) ({
      stablehlo.return %x : tensor<4xi32>
    }, {
      %a = stablehlo.add %x, %one : tensor<4xi32>
      stablehlo.return %a : tensor<4xi32>
    }) : (tensor<i32>) -> tensor<4xi32>
    %b = stablehlo.multiply %s, %s : tensor<4xi32>
    stablehlo.return %b : tensor<4xi32>
  }, {
    stablehlo.return %x : tensor<4xi32>
  }) : (tensor<i1>) -> tensor<4xi32>
  return %r : tensor<4xi32>
}
"""


def test_ops_move_out_of_chosen_branches() -> None:
    _, root = simplified(BRANCHES, *FOLDS)
    names = [op.name.removeprefix("stablehlo.") for op in operations_within(root)]
    assert names == ["constant", "add", "multiply", "func.return"]


JUMPS = """
func.func @main(%x: tensor<4xi32>, %p: i1) -> tensor<4xi32> {
  cf.br ^last
^first:
  %a = stablehlo.negate %y : tensor<4xi32>
  return %a : tensor<4xi32>
^last:
  %z = stablehlo.negate %x : tensor<4xi32>
  %y = stablehlo.abs %z : tensor<4xi32>
  cf.br ^first
}
"""


def test_a_value_may_be_used_in_a_block_before_that_of_its_op() -> None:
    _, root = simplified(JUMPS)
    ops = operations_within(root)
    assert [op.name for op in ops] == ["cf.br", "stablehlo.negate", "func.return", "stablehlo.abs", "cf.br"]
    assert ops[1].operands[0] == ops[3].results[0]


def test_ops_that_no_pattern_touches_stay_themselves() -> None:
    module = ir.Module.parse(LOOP)
    root = module.body.operations[0].operation
    returning = operations_within(root)[-1]
    apply_patterns(root, SIMPLIFICATIONS, RewriteOptions(), PassReport())
    assert operations_within(root)[-1] == returning


def test_types_that_are_new_are_inferred() -> None:
    patterns: list[Pattern] = []

    @pattern(patterns, "negate")
    def through_halves(op, rewriter):
        half = rewriter.create("convert", op.operands, before=op, result=ir.Type.parse("tensor<4xf16>"))
        twice = rewriter.create("add", [half.results[0]] * 2, before=op)
        assert str(twice.results[0].type) == "tensor<4xf16>"
        return rewriter.rewrite_as(op, "convert", [twice.results[0]])

    module, _ = simplified(
        "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
        "%0 = stablehlo.negate %x : tensor<4xf32>\nreturn %0 : tensor<4xf32> }",
        *patterns,
    )
    assert "stablehlo.add" in str(module)


def test_patterns_without_end_are_an_error() -> None:
    patterns: list[Pattern] = []

    @pattern(patterns, "not")
    def to_and_fro(op, rewriter):
        return rewriter.rewrite_as(op, "not", [op.operands[0]])

    module = ir.Module.parse(
        "func.func @main(%p: tensor<i1>) -> tensor<i1> {\n%0 = stablehlo.not %p : tensor<i1>\nreturn %0 : tensor<i1> }"
    )
    before = str(module)
    with pytest.raises(StablehloError, match="the patterns do not come to an end; the last was to_and_fro"):
        apply_patterns(module.body.operations[0].operation, patterns, RewriteOptions(), PassReport())
    assert str(module) == before


def test_the_program_stays_where_a_pattern_raises() -> None:
    patterns: list[Pattern] = []

    @pattern(patterns, "add")
    def fail(op, rewriter):
        rewriter.rewrite_as(op, "subtract", op.operands)
        raise ZeroDivisionError

    module = ir.Module.parse(LOOP)
    before = str(module)
    with pytest.raises(ZeroDivisionError):
        apply_patterns(module.body.operations[0].operation, patterns, RewriteOptions(), PassReport())
    assert str(module) == before


def test_a_snapshot_needs_no_current_context() -> None:
    module = ir.Module.parse(LOOP)
    names: list[str] = []
    with ThreadPoolExecutor(1) as pool:  # where no context is entered
        names += pool.submit(lambda: [op.name for op in inner_ops(Snapshot(module.operation).root)]).result()
    assert names[-1] == "func.func"


def test_parts_know_where_they_are() -> None:
    module = ir.Module.parse(LOOP)
    with snapshot_of(module.body.operations[0].operation, PassReport()) as snapshot:
        loop = next(op for op in inner_ops(snapshot.root) if op.name == "stablehlo.while")
        body = body_of(loop, 1)
        negation = body.operations[0]
        assert negation.parent is loop
        assert negation.block is body
        assert body.arguments[1].users == [negation]
        assert negation.operation is negation
        assert str(negation.location) == str(operations_within(module.operation)[5].location)


def test_users_come_in_the_order_of_the_bindings() -> None:
    module = ir.Module.parse("""func.func @main(%x: tensor<4xi32>) -> tensor<4xi32> {
      %0 = stablehlo.negate %x : tensor<4xi32>
      %1 = stablehlo.add %0, %x : tensor<4xi32>
      %2 = stablehlo.multiply %0, %0 : tensor<4xi32>
      %3 = stablehlo.abs %x : tensor<4xi32>
      %4 = stablehlo.subtract %1, %0 : tensor<4xi32>
      return %4 : tensor<4xi32>
    }""")
    with snapshot_of(module.body.operations[0].operation, PassReport()) as snapshot:
        (block,) = snapshot.root.regions[0].blocks
        values = [*block.arguments, *(result for op in inner_ops(snapshot.root) for result in op.results)]
        assert [len(value.users) for value in values] == [3, 4, 1, 0, 0, 1]
        for value in values:
            assert value.ir is not None
            assert [user.name for user in value.users] == [use.owner.name for use in value.ir.uses]
            assert value.has_one_use == (len(value.users) == 1)
