"""The shapes that ops reify against the types that they have: with static operands, folding the ops that a rule builds
has to give the static shape of the result."""

from __future__ import annotations

import re

import contracts
import pytest

from stablehlo_py.bindings import ir, make_context, passmanager
from stablehlo_py.dialect.catalog import contract_names
from stablehlo_py.passes.hlo_test.infer import HloTestInfer
from stablehlo_py.passes.hlo_test.reification import rule_of

# Rules that read an operand's values; tests/lit/infer covers those.
READ_VALUES = {
    *("dynamic_broadcast_in_dim", "dynamic_gather", "dynamic_iota", "dynamic_pad", "dynamic_reshape"),
    *("real_dynamic_slice", "rng"),
}
# Between elements of different kinds or widths, a bitcast has no rule.
WITHOUT_A_RULE = {"bitcast_convert_c1_smaller", "bitcast_convert_c1_larger", "bitcast_convert_c1_quantized"}


@pytest.fixture(scope="module")
def context():
    return make_context(allow_unregistered_dialects=True)


def candidates() -> list[contracts.Case]:
    ops = [op for op in contract_names() if rule_of(f"stablehlo.{op}") and op not in READ_VALUES]
    every = [case for op in ops for case in contracts.provided_cases(op) if not case.errors]
    return [case for case in every if "?" not in case.text and case.name not in WITHOUT_A_RULE]


def reified_shape(case: contracts.Case, context: ir.Context) -> tuple[list[int], str]:
    """The shape of the op's first result, and the folded program that computes it as our rule says."""
    module = ir.Module.parse(case.text, context)
    block = module.body.operations[0].regions[0].blocks[0]
    op = next(op.operation for op in block.operations if op.operation.name == f"stablehlo.{case.op}")
    result = op.results[0]
    shape = list(ir.RankedTensorType(result.type).shape)
    with context, op.location, ir.InsertionPoint.at_block_terminator(block):
        sizes = ir.RankedTensorType.get([len(shape)], ir.IndexType.get())
        asked = ir.Operation.create("hlo_test_infer.reify_return_type_shapes", results=[sizes], operands=[result])
        ir.Operation.create("test.use", operands=[asked.results[0]])
    HloTestInfer().run(module.body.operations[0].operation)
    passmanager.PassManager.parse("builtin.module(canonicalize)", context).run(module.operation)
    return shape, str(module)


@pytest.mark.parametrize("name", sorted(WITHOUT_A_RULE))
def test_a_bitcast_between_widths_is_not_reified(name, context):
    case = next(case for case in contracts.provided_cases("bitcast_convert") if case.name == name)
    assert "hlo_test_infer.reify_return_type_shapes" in reified_shape(case, context)[1]


@pytest.mark.parametrize("case", candidates(), ids=lambda case: case.name)
def test_the_reified_shape_of_static_operands_is_the_shape_of_the_result(case, context):
    shape, text = reified_shape(case, context)
    assert "hlo_test_infer" not in text, "not reified"
    if not shape:
        assert re.search(r"dense<> : tensor<0xindex>|const_shape \[\]|from_elements  *: tensor<0xindex>", text)
        return
    constant = re.search(r"(?:dense<|const_shape )(\[?[\d, ]+\]?)>? : tensor<\d+xindex>", text)
    assert constant is not None, text
    found = [int(size) for size in re.findall(r"\d+", constant[1])]
    assert found in (shape, list(dict.fromkeys(shape)))  # a splat prints once
