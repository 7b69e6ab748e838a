"""The shapes that ops reify against the types that they have: with static operands, folding the ops that a rule builds
has to give the static shape of the result."""

from __future__ import annotations

import re
from types import SimpleNamespace

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


CONSTANTS = {
    "real_dynamic_slice": (
        """%1 = stablehlo.constant dense<[1, 0, 2]> : tensor<3xi32>
        %2 = stablehlo.constant dense<[4, 5, 2]> : tensor<3xi32>
        %3 = stablehlo.constant dense<[2, 3, 1]> : tensor<3xi32>
        %0 = stablehlo.real_dynamic_slice %x, %1, %2, %3
          : (tensor<4x5x6xf32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<?x?x?xf32>""",
        [2, 2, 0],
    ),
    "dynamic_pad": (
        """%1 = stablehlo.constant dense<[1, -1, 0]> : tensor<3xi32>
        %2 = stablehlo.constant dense<[0, 2, 7]> : tensor<3xi32>
        %3 = stablehlo.constant dense<[2, 0, 1]> : tensor<3xi32>
        %0 = stablehlo.dynamic_pad %x, %f, %1, %2, %3
          : (tensor<4x5x6xf32>, tensor<f32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<?x?x?xf32>""",
        [11, 6, 18],
    ),
    "dynamic_gather": (
        """%1 = stablehlo.constant dense<[[3, 1], [0, 4], [2, 2], [1, 0], [3, 3], [0, 0], [1, 1]]> : tensor<7x2xi32>
        %2 = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
        %0 = "stablehlo.dynamic_gather"(%x, %1, %2) {dimension_numbers = #stablehlo.gather<offset_dims = [0, 2],
          collapsed_slice_dims = [0], start_index_map = [0, 1], index_vector_dim = 1>}
          : (tensor<4x5x6xf32>, tensor<7x2xi32>, tensor<3xi32>) -> tensor<?x?x?xf32>""",
        [2, 7, 3],
    ),
    "dynamic_iota": (
        """%1 = stablehlo.constant dense<[3, 7]> : tensor<2xi32>
        %0 = stablehlo.dynamic_iota %1, dim = 1 : (tensor<2xi32>) -> tensor<?x?xf32>""",
        [3, 7],
    ),
    "dynamic_reshape": (
        """%1 = stablehlo.constant dense<[8, 15]> : tensor<2xi32>
        %0 = stablehlo.dynamic_reshape %x, %1 : (tensor<4x5x6xf32>, tensor<2xi32>) -> tensor<?x?xf32>""",
        [8, 15],
    ),
    "dynamic_broadcast_in_dim": (
        """%1 = stablehlo.constant dense<[4, 9, 5, 6]> : tensor<4xi32>
        %0 = stablehlo.dynamic_broadcast_in_dim %x, %1, dims = [0, 2, 3]
          : (tensor<4x5x6xf32>, tensor<4xi32>) -> tensor<?x?x?x?xf32>""",
        [4, 9, 5, 6],
    ),
}


@pytest.mark.parametrize("op", CONSTANTS)
def test_sizes_from_constants(op, context):
    lines, sizes = CONSTANTS[op]
    text = f"func.func @main(%x: tensor<4x5x6xf32>, %f: tensor<f32>) {{\n{lines}\nreturn }}"
    found = reified_shape(SimpleNamespace(text=text, op=op), context)[1]
    assert "hlo_test_infer" not in found
    assert re.search(rf"(?:dense<|const_shape ){re.escape(str(sizes))}>? : tensor<\d+x(?:index|i32)>", found), found
