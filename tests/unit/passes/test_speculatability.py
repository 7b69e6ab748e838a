"""The rules of speculatability against the official ones, which loop-invariant code motion applies.

Each op of a positive case in tests/lit/verify is put into a loop. An op without memory effects leaves it exactly when
the official interface says that it can be speculated.
"""

from __future__ import annotations

import contracts
import pytest

from stablehlo_py.bindings import ir, make_context, passmanager
from stablehlo_py.dialect.catalog import contract
from stablehlo_py.passes.hlo_test.speculatability import Speculatability, speculatability

WITHOUT_EFFECTS = {"NoMemoryEffect", "RecursiveMemoryEffects"}
LOOP = """
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %i = %zero to %one step %one {
  }
"""


@pytest.fixture(scope="module")
def context():
    return make_context()


def may_leave(op: ir.Operation) -> bool:
    """What our rules say about an op and, where it is asked for, about the ops inside."""
    answer = speculatability(op)
    if answer is not Speculatability.RECURSIVELY_SPECULATABLE:
        return answer is Speculatability.SPECULATABLE
    inner = (inner.operation for region in op.regions for block in region for inner in block)
    return all(map(may_leave, inner))


def into_a_loop(case: contracts.Case, context: ir.Context) -> tuple[ir.Module, ir.Operation]:
    """The case's module with its op as the only one in a loop, and the op."""
    head, _, body = case.text.partition("{\n")
    module = ir.Module.parse(head + "{" + LOOP + body, context)
    block = module.body.operations[0].regions[0].blocks[0]
    ops = [op.operation for op in block.operations]
    loop = next(op for op in ops if op.name == "scf.for")
    op = next(op for op in ops if op.name == f"stablehlo.{case.op}")
    outside = [other for other in ops if other not in (op, loop) and not other.name.endswith("return")]
    for other in outside:
        other.move_before(loop)
    op.move_before(loop.regions[0].blocks[0].operations[0])
    return module, op


def candidates() -> list[contracts.Case]:
    # The operands of the case of `return` are not in the loop's reach, and a terminator cannot move.
    ops = [op for op in contracts.provided_ops() if WITHOUT_EFFECTS & set(contract(op).traits) and op != "return"]
    return [
        case
        for op in ops
        for case in contracts.provided_cases(op)
        if not case.errors and "func.func private" not in case.text
    ]


@pytest.mark.parametrize("case", candidates(), ids=lambda case: case.name)
def test_an_op_leaves_a_loop_exactly_when_its_rule_allows_it(case, context):
    module, op = into_a_loop(case, context)
    expected = may_leave(op)
    passmanager.PassManager.parse("builtin.module(loop-invariant-code-motion)", context).run(module.operation)
    assert (op.parent.name != "scf.for") == expected, f"{case.name}: {op.name} has to leave the loop: {expected}"


def test_ops_of_other_dialects_have_no_rule(context):
    module = ir.Module.parse("func.func @main() {\n  return\n}", context)
    assert speculatability(module.body.operations[0].operation) is None
