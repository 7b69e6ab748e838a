"""What the official passes and inference do that differs from release to release, found by trying.

Tests ask for these in `REQUIRES:`, next to the features of `stablehlo_py.testing.lit`. Each is a pipeline, a program,
and a text that the output has; where the text is empty, it is enough that the pipeline can be made.
"""

from __future__ import annotations

from stablehlo_py.bindings import ir, make_context, passmanager
from stablehlo_py.errors import StablehloError
from stablehlo_py.passes.pipeline import run_pipeline

_MESHES = 'sdy.mesh @mesh = <["x"=2, "y"=4]>\n'
_PLACED = 'func.func @f(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})'
_EMPTY = "module {}"
BEHAVIOURS = {
    "anchor-sdy-add-data-flow-edges-module": ("builtin.module(sdy-add-data-flow-edges)", _EMPTY, ""),
    "anchor-sdy-constant-or-scalar-splitter-module": ("builtin.module(sdy-constant-or-scalar-splitter)", _EMPTY, ""),
    "anchor-sdy-pad-for-divisibility-function": ("builtin.module(func.func(sdy-pad-for-divisibility))", _EMPTY, ""),
    "option-enable-cosh": (
        "builtin.module(func.func(chlo-legalize-to-high-level-mhlo{enable-cosh=true}))",
        "func.func @f(%x: tensor<f32>) -> tensor<f32> { %0 = chlo.cosh %x : tensor<f32> -> tensor<f32> "
        "return %0 : tensor<f32> }",
        "mhlo.cosh",
    ),
    "option-verbose-level": ("builtin.module(generate-runtime-verification{verbose-level=0})", _EMPTY, ""),
    "expands-tuples-of-functions": (
        "builtin.module(expand-hlo-tuples)",
        "func.func @main(%x: tuple<tensor<f32>, tensor<i32>>) -> tensor<f32> { %0 = mhlo.get_tuple_element %x[0] : "
        "(tuple<tensor<f32>, tensor<i32>>) -> tensor<f32> return %0 : tensor<f32> }",
        "mhlo.tuple",
    ),
    "expands-static-broadcasts": (
        "builtin.module(func.func(chlo-legalize-to-stablehlo))",
        "func.func @f(%x: tensor<3xf32>, %y: tensor<2x3xf32>) -> tensor<2x3xf32> { %0 = chlo.broadcast_add %x, %y : "
        "(tensor<3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32> return %0 : tensor<2x3xf32> }",
        "stablehlo.broadcast_in_dim",
    ),
    "exports-named-meshes": (
        "builtin.module(sdy-export-pipeline)",
        _MESHES + _PLACED + " -> tensor<8xf32> { return %x : tensor<8xf32> }",
        "<@mesh,",
    ),
    "lifts-meshes-for-stablehlo": (
        "builtin.module(sdy-lift-inlined-meshes)",
        'func.func @f(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<mesh<["x"=2]>, [{"x"}]>}) { return }',
        "stablehlo.mesh",
    ),
    "applies-constraints-with-rules": (
        "builtin.module(sdy-apply-sharding-constraints)",
        _MESHES + "func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> { %0 = stablehlo.tanh %x : tensor<8xf32> "
        '%1 = sdy.sharding_constraint %0 <@mesh, [{"x"}]> : tensor<8xf32> return %1 : tensor<8xf32> }',
        "sdy.sharding_rule",
    ),
    "reshards-before-permutation": (
        "builtin.module(sdy-resolve-permutation-factors)",
        _MESHES + _PLACED + " -> tensor<8xf32> { %0 = stablehlo.reverse %x, dims = [0] {sdy.sharding = "
        '#sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<8xf32> return %0 : tensor<8xf32> }',
        "sdy.reshard %arg0",
    ),
    "keeps-sub-axes-in-closed-shardings": (
        "builtin.module(sdy-remove-sub-axes-in-input-output-shardings)",
        _MESHES + 'func.func @f(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y":(1)2}]>}) { return }',
        '[{"y":(1)2}]',
    ),
    "prints-no-inline-once": (
        "builtin.module()",
        "func.func @f() { scf.execute_region no_inline { scf.yield } {told} return }",
        "} {told}",
    ),
    "infers-bounds": (
        "builtin.module(func.func(hlo-test-infer))",
        "func.func @f(%x: tensor<?xi32, #stablehlo.bounds<6>>) -> tensor<?xi1> { %0 = stablehlo.compare LT, %x, %x : "
        "(tensor<?xi32, #stablehlo.bounds<6>>, tensor<?xi32, #stablehlo.bounds<6>>) -> tensor<?xi1> "
        '%1 = "hlo_test_infer.get_return_types"(%0) : (tensor<?xi1>) -> tensor<?xi1> return %1 : tensor<?xi1> }',
        "types0 = tensor<?xi1, #stablehlo.bounds<6>>",
    ),
    "infers-components": (
        "builtin.module(func.func(hlo-test-infer))",
        "func.func @f(%x: tensor<2x3xf32>, %y: tensor<3x4xf32>) -> tensor<?x?xf32> { "
        "%0 = stablehlo.dot %x, %y : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<?x?xf32> "
        '%1 = "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xf32>) -> tensor<?x?xf32> '
        "return %1 : tensor<?x?xf32> }",
        "types0 = tensor<2x4xindex>",
    ),
    "infers-components-of-ragged-dots": (
        "builtin.module(func.func(hlo-test-infer))",
        "func.func @f(%x: tensor<11x5xf32>, %y: tensor<3x5x7xf32>, %sizes: tensor<3xi64>) -> tensor<?x?xf32> { "
        '%0 = "chlo.ragged_dot"(%x, %y, %sizes) {ragged_dot_dimension_numbers = #chlo.ragged_dot<'
        "lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], "
        "rhs_group_dimensions = [0]>} : (tensor<11x5xf32>, tensor<3x5x7xf32>, tensor<3xi64>) -> tensor<?x?xf32> "
        '%1 = "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xf32>) -> tensor<?x?xf32> '
        "return %1 : tensor<?x?xf32> }",
        "types0 = tensor<11x7xindex>",
    ),
    "folds-in-greedy-rewriting": (
        "builtin.module(func.func(hlo-test-infer))",
        "func.func @f(%x: tensor<?x5xf32>) -> tensor<3xindex> { %0 = stablehlo.broadcast %x, sizes = [7] : "
        '(tensor<?x5xf32>) -> tensor<7x?x5xf32> %1 = "hlo_test_infer.reify_return_type_shapes"(%0) : '
        "(tensor<7x?x5xf32>) -> tensor<3xindex> return %1 : tensor<3xindex> }",
        "%c5 = arith.constant 5 : index",
    ),
}


def _shows(pipeline: str, program: str, expected: str) -> bool:
    context = make_context()
    context.allow_unregistered_dialects = True
    try:
        if not expected:
            passmanager.PassManager.parse(pipeline, context=context)
            return True
        module = ir.Module.parse(program, context)
        run_pipeline(module.operation, pipeline)
    except (StablehloError, ValueError, ir.MLIRError):
        return False
    return expected in str(module)


def behaviours() -> set[str]:
    """The names of those that the installed bindings show."""
    return {name for name, (pipeline, program, expected) in BEHAVIOURS.items() if _shows(pipeline, program, expected)}
