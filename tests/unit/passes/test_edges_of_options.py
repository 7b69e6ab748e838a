"""Limits of folding at their bounds, and sums of products that are taken apart or stay as they are."""

from __future__ import annotations

import numpy as np
import pytest

import stablehlo_py
from stablehlo_py.bindings import ir
from stablehlo_py.errors import PassError, StablehloError, UsageError
from stablehlo_py.passes.optimization import AggressiveFolder, TargetIndependentOptimization
from stablehlo_py.passes.pipeline import run_pipeline
from stablehlo_py.passes.report import PassReport
from stablehlo_py.passes.rewriter import Rewriter
from stablehlo_py.passes.rewriting import Pattern, RewriteOptions, apply_patterns, pattern
from stablehlo_py.passes.snapshot.parts import Op

SUM = """func.func @main() -> tensor<4xi32> {
  %a = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %0 = stablehlo.add %a, %a : tensor<4xi32>
  return %0 : tensor<4xi32>
}"""
SPLAT = SUM.replace("[1, 2, 3, 4]", "1")
REFINED = """func.func @main(%x: tensor<2xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.add %x, %x : tensor<2xf32>
  %1 = stablehlo.add %x, %x : tensor<2xf32>
  %2 = stablehlo.multiply %0, %1 : (tensor<2xf32>, tensor<2xf32>) -> tensor<?xf32>
  return %2 : tensor<?xf32>
}"""
FOLDS = ("stablehlo-aggressive-folder", "stablehlo-target-independent-optimization")


@pytest.mark.parametrize("name", FOLDS)
@pytest.mark.parametrize(
    ("limit", "text", "folds"), [(3, SUM, False), (4, SUM, True), (0, SUM, False), (0, SPLAT, True)]
)
def test_constants_have_as_many_elements_as_the_limit_allows(name: str, limit: int, text: str, folds: bool) -> None:
    module = stablehlo_py.parse(text)
    stablehlo_py.run_passes(module, f"builtin.module(func.func({name}{{fold-op-element-limit={limit}}}))")
    assert ("stablehlo.add" not in str(module)) == folds
    with pytest.raises(UsageError, match=f"option fold-op-element-limit of --{name} must not be negative, but is -1"):
        stablehlo_py.run_passes(module, f"builtin.module(func.func({name}{{fold-op-element-limit=-1}}))")


@pytest.mark.parametrize(
    ("config", "left", "right", "ops"),
    [
        ("ij,jk->ik", (2, 3), (3, 4), ["dot_general"]),
        ("bij,bjk->bik", (5, 2, 3), (5, 3, 4), ["dot_general"]),
        ("ij,jk->ki", (2, 3), (3, 4), ["dot_general", "transpose"]),
        ("ij, kj -> k i", (2, 3), (4, 3), ["dot_general", "transpose"]),
        ("i,j->ij", (2,), (3,), ["dot_general"]),
        ("i,i->", (2,), (2,), ["dot_general"]),
        ("i,i->i", (2,), (2,), ["dot_general"]),
        ("ii,ij->ij", (2, 2), (2, 3), ["einsum"]),  # a diagonal
        ("ij,jj->ij", (2, 3), (3, 3), ["einsum"]),
        ("ij,jk->i", (2, 3), (3, 4), ["einsum"]),  # a sum of one operand
        ("ij,jk->k", (2, 3), (3, 4), ["einsum"]),
    ],
)
def test_einsum_is_a_product_of_two_whole_operands(
    config: str, left: tuple[int, ...], right: tuple[int, ...], ops: list[str]
) -> None:
    arrays = [np.arange(np.prod(shape), dtype=np.float32).reshape(shape) for shape in (left, right)]
    wanted = np.einsum(config, *arrays)
    a, b, c = ("tensor<" + "x".join([*map(str, each.shape), "f32"]) + ">" for each in (*arrays, wanted))
    module = stablehlo_py.parse(f"""func.func @main(%a: {a}, %b: {b}) -> {c} {{
      %0 = stablehlo.einsum %a, %b, config = "{config}" : ({a}, {b}) -> {c}
      return %0 : {c}
    }}""")
    stablehlo_py.run_passes(module, "builtin.module(stablehlo-decompose)")
    found = [line.partition("stablehlo.")[2].partition(" ")[0] for line in str(module).splitlines() if " = " in line]
    assert found == ops, module
    if ops != ["einsum"]:
        (result,) = stablehlo_py.interpret(module, arrays)
        assert result.tolist() == wanted.tolist()


def test_a_pass_on_a_copy_leaves_the_users_insertion_point_alone() -> None:
    module = stablehlo_py.parse(REFINED)
    other = ir.Module.create(ir.Location.unknown(module.context))
    with ir.InsertionPoint(other.body):
        stablehlo_py.run_passes(module, "builtin.module(stablehlo-shape-refinement-pipeline)")
    assert len(other.body.operations) == 0
    assert "-> tensor<2xf32>" in str(module)


def test_steps_behind_a_refinement_of_library_functions_run() -> None:
    module = stablehlo_py.parse(REFINED)
    steps = "stablehlo-reify-shape-calculations,stablehlo-refine-shapes,stablehlo-drop-abstract-interp-calculations"
    stablehlo_py.run_passes(module, f"builtin.module({steps},func.func(cse))")
    assert str(module).count("stablehlo.add") == 1


def test_an_op_that_holds_an_effect_is_not_erased_with_it() -> None:
    text = """func.func @main(%p: tensor<i1>) -> tensor<i32> {
      %0 = "stablehlo.if"(%p) ({
        stablehlo.custom_call @print() {has_side_effect = true} : () -> ()
        %a = stablehlo.constant dense<1> : tensor<i32>
        stablehlo.return %a : tensor<i32>
      }, {
        %a = stablehlo.constant dense<2> : tensor<i32>
        stablehlo.return %a : tensor<i32>
      }) : (tensor<i1>) -> tensor<i32>
      return %0 : tensor<i32>
    }"""
    patterns: list[Pattern] = []

    @pattern(patterns, "if", keeps_effects=True)  # which is wrong of it
    def to_constant(op: Op, rewriter: Rewriter) -> bool:
        return rewriter.replace(op, [rewriter.constant(7, op.results[0].type, before=op)])

    module = stablehlo_py.parse(text)
    with pytest.raises(
        StablehloError, match=r"cannot be erased as long as 'stablehlo\.custom_call', which has an effect"
    ) as raised:
        apply_patterns(module.body.operations[0].operation, patterns, RewriteOptions(), PassReport())
    found = raised.value
    assert (found.location, found.op) == ("<string>:2:12", "stablehlo.if")
    assert [str(note) for note in found.notes] == ["a pattern that is to remove the effect has to erase that op first"]
    assert "stablehlo.if" in str(module)


def test_patterns_see_the_defaults_of_the_passes() -> None:
    assert AggressiveFolder().options() == TargetIndependentOptimization().options() == RewriteOptions()
    assert RewriteOptions() == RewriteOptions(
        fold_op_element_limit=65536, optimize_float=True, assume_no_undeclared_side_effects=False
    )
    fields = {"fold_op_element_limit": 3, "optimize_float": False, "assume_no_undeclared_side_effects": True}
    for name, value in fields.items():
        for kind in (AggressiveFolder, TargetIndependentOptimization):
            assert kind(**{name: value}).options() == RewriteOptions(**{name: value})


@pytest.mark.parametrize("type_", ["tensor<2xi5>", "tensor<2xf80>"])
def test_a_check_of_what_stablehlo_has_no_type_for_is_an_error_at_its_line(type_: str) -> None:
    module = stablehlo_py.parse(
        f"func.func @main(%x: {type_}, %p: tensor<i1>) {{\n  %a = stablehlo.add %p, %p : tensor<i1>\n"
        f'  "check.expect_eq"(%x, %x) : ({type_}, {type_}) -> ()\n  return\n}}'
    )
    before = str(module)
    with pytest.raises(PassError) as raised:
        run_pipeline(module, "builtin.module(stablehlo-refine-shapes)")
    (found,) = raised.value.diagnostics
    assert (found.location, found.message) == (
        "<string>:3:3",
        f"'check.expect_eq' op on {type_}, {type_} is not for this pass: StableHLO has no such type",
    )
    assert str(module) == before


def test_replaced_ops_leave_their_attributes_only_where_asked() -> None:
    text = """func.func @main(%x: tensor<f32>) -> tensor<f32> {
      %0 = stablehlo.negate %x {mhlo.frontend = "a"} : tensor<f32>
      return %0 : tensor<f32>
    }"""
    for keep in (None, False, True):
        patterns: list[Pattern] = []

        @pattern(patterns, "negate")
        def to_sine(op: Op, rewriter: Rewriter, keep: bool | None = keep) -> bool:
            new = rewriter.create("sine", [op.operands[0]], {}, before=op, result=op.results[0].type)
            chosen = {} if keep is None else {"keep_attributes": keep}
            return rewriter.replace(op, [new.results[0]], **chosen)

        module = stablehlo_py.parse(text)
        apply_patterns(module.body.operations[0].operation, patterns, RewriteOptions(), PassReport())
        assert ("mhlo.frontend" in str(module)) == bool(keep), str(module)


@pytest.mark.parametrize("count", [0, 1, 2])
def test_attributes_of_an_op_go_to_the_only_value_that_replaces_it(count: int) -> None:
    results = ", ".join(["tensor<f32>"] * count)
    head = f"%0:{count} = " if count else ""
    uses = "\n".join(
        f"stablehlo.custom_call @use(%0#{number}) {{has_side_effect = true}} : (tensor<f32>) -> ()"
        for number in range(count)
    )
    module = stablehlo_py.parse(
        f"func.func @main(%x: tensor<f32>) {{\n{head}stablehlo.custom_call @f(%x) {{mhlo.note = 1 : i32}} : "
        f"(tensor<f32>) -> ({results})\n{uses}\nreturn\n}}"
    )
    patterns: list[Pattern] = []

    @pattern(patterns, "custom_call", keeps_effects=True)
    def to_others(op: Op, rewriter: Rewriter) -> bool:
        if "mhlo.note" not in op.attributes:
            return False
        new = [rewriter.create(name, op.operands, before=op) for name in ("sine", "cosine")[:count]]
        return rewriter.replace(op, [each.results[0] for each in new], keep_attributes=True)

    apply_patterns(module.body.operations[0].operation, patterns, RewriteOptions(), PassReport())
    assert str(module).count("mhlo.note") == (1 if count == 1 else 0), str(module)
    assert "@f" not in str(module)
