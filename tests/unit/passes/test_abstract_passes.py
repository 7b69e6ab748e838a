"""The steps of refinement by library functions, one by one and together, and the reports of it."""

from __future__ import annotations

import re

import pytest

from stablehlo_py import StablehloError, VerificationError
from stablehlo_py.bindings import ir, make_context
from stablehlo_py.bindings.walk import has_body, operations
from stablehlo_py.errors import Diagnostic
from stablehlo_py.passes.abstract_reports import symbolic_shapes, why_dynamic
from stablehlo_py.passes.abstract_transaction import Transaction
from stablehlo_py.passes.pipeline import run_pipeline
from stablehlo_py.passes.report import collect

TEXT = """module attributes {test.kept = "x"} {
  func.func @main(%arg0: tensor<2xf32>, %arg1: tensor<?xf32>) -> tensor<?xf32> {
    %0 = stablehlo.concatenate %arg0, %arg0, dim = 0 : (tensor<2xf32>, tensor<2xf32>) -> tensor<?xf32>
    %1 = stablehlo.get_dimension_size %0, dim = 0 : (tensor<?xf32>) -> tensor<i32>
    %2 = stablehlo.reshape %1 : (tensor<i32>) -> tensor<1xi32>
    %3 = stablehlo.dynamic_iota %2, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>
    %4 = stablehlo.add %3, %arg1 : tensor<?xf32>
    return %4 : tensor<?xf32>
  }
}
"""
UNKNOWN = TEXT.replace(
    "stablehlo.concatenate %arg0, %arg0, dim = 0 : (tensor<2xf32>, tensor<2xf32>)",
    "stablehlo.custom_call @f(%arg0) : (tensor<2xf32>)",
)
REFINED = """module attributes {test.kept = "x"} {
  func.func @main(%arg0: tensor<2xf32>, %arg1: tensor<?xf32>) -> tensor<4xf32> {
    %c = stablehlo.constant dense<4> : tensor<1xi32>
    %0 = stablehlo.dynamic_iota %c, dim = 0 : (tensor<1xi32>) -> tensor<4xf32>
    %1 = stablehlo.add %0, %arg1 : (tensor<4xf32>, tensor<?xf32>) -> tensor<4xf32>
    return %1 : tensor<4xf32>
  }
}
"""
REIFY, INLINE, SIMPLIFY = (f"stablehlo-{name}-calculations" for name in ("reify-shape", "inline", "simplify-shape"))
DROP, FOLD, GUARD = (
    "stablehlo-drop-abstract-interp-calculations",
    "stablehlo-fold-shape-values",
    "stablehlo-insert-shape-guards",
)
REFINE = "stablehlo-shape-refinement-pipeline"


CONTEXT = make_context()


def parsed(text: str) -> ir.Module:
    """The program, read in this process: children take most of the time."""
    return ir.Module.parse(text, CONTEXT)


def run(*passes: str, text: str = TEXT) -> ir.Module:
    module = parsed(text)
    run_pipeline(module, f"builtin.module({','.join(passes)})")
    return module


def counted(module: ir.Module) -> tuple[int, int, int]:
    """The library functions with bodies, the ops that stand beside one, and the calls of library functions there."""
    ops = operations(module.operation)
    functions = sum("stablehlo.calculation_function" in op.attributes and has_body(op) for op in ops)
    beside = sum("stablehlo.calculation" in op.attributes for op in ops)
    return functions, beside, sum(op.name == "func.call" for op in ops)


@pytest.mark.parametrize("kind", ["shape", "dtype"])
def test_library_functions_stand_beside_their_ops_until_they_are_dropped(kind: str) -> None:
    reify = f"stablehlo-reify-{kind}-calculations"
    functions, beside, calls = counted(run(reify))
    assert (beside, functions >= 5, calls >= 5) == (5, True, True)
    kinds = re.findall(r'stablehlo.calculation = "(\w+)"', str(run(reify)))
    assert kinds == [kind] * 5
    assert counted(run(reify, INLINE))[:2] == (0, 5), "library functions go once they are inlined"
    assert str(run(reify, INLINE, DROP)) == TEXT
    assert str(run(reify, DROP)) == TEXT


def test_simplified_functions_say_what_is_known_and_types_are_refined() -> None:
    before, after = run(REIFY, INLINE), run(REIFY, INLINE, SIMPLIFY)
    assert "tensor<4xf32>" not in str(before)
    assert "tensor<4xf32>" in str(after)
    assert len(str(after)) < len(str(before)) / 2
    assert counted(after)[1] == 5


def test_simplified_dtype_functions_keep_shapes() -> None:
    reify, simplify = (f"stablehlo-{name}-dtype-calculations" for name in ("reify", "simplify"))
    assert str(run(reify, INLINE, simplify, DROP)) == TEXT


@pytest.mark.parametrize(
    "passes",
    [
        (REFINE,),
        (f"{REFINE}{{steps=true}}",),
        (f"{REFINE}{{dtypes=true}}",),
        (f"{REFINE}{{dtypes=true steps=true}}",),
        ("stablehlo-dtype-refinement-pipeline{shapes=true}",),
        (REIFY, REFINE),
        (REIFY, INLINE, SIMPLIFY, FOLD, DROP),
    ],
    ids=lambda passes: ",".join(passes),
)
def test_all_ways_of_refinement_lead_to_the_same_program(passes: tuple[str, ...]) -> None:
    assert str(run(*passes)) == REFINED


@pytest.mark.parametrize("steps", ["false", "true"])
def test_what_is_not_asked_for_is_not_refined(steps: str) -> None:
    assert str(run(f"stablehlo-dtype-refinement-pipeline{{steps={steps}}}")) == TEXT
    assert str(run(f"{REFINE}{{shapes=false steps={steps}}}")) == TEXT


def test_a_program_is_as_it_was_after_an_error() -> None:
    broken = TEXT.replace("%arg1: tensor<?xf32>", "%arg1: tensor<3xf32>").replace(
        "%3, %arg1 : tensor<?xf32>", "%3, %arg1 : (tensor<?xf32>, tensor<3xf32>) -> tensor<?xf32>"
    )
    for passes in ((REFINE,), (f"{REFINE}{{steps=true}}",), (REIFY, INLINE, SIMPLIFY), (GUARD,)):
        module, said = parsed(broken), list[Diagnostic]()
        *first, last = passes
        if first:
            run_pipeline(module, f"builtin.module({','.join(first)})")
        before = str(module)
        with pytest.raises(StablehloError, match=r"dimension 0 of the operands differs, 4 and 3"):
            run_pipeline(module, last, sink=said.append)
        assert str(module) == before
        assert [each.severity for each in said] == ["error"]


def test_guards_are_put_before_ops_and_nothing_else_stays() -> None:
    for passes in ((GUARD,), (REIFY, INLINE, SIMPLIFY, GUARD)):
        module = run(*passes)
        (guard,) = [op for op in operations(module.operation) if op.name == "stablehlo.custom_call"]
        assert "dimension 0 of the operands differs, 4 and {0} (dimension 0 of argument 1 is {0})" in str(guard)
        assert counted(module) == (0, 0, 0)
        assert "tensor<4xf32>" in str(module)


ASSUMED = """func.func @main(%arg0: tensor<2x3xf32>) -> (tensor<i32>, tensor<2xi32>) {
  %0 = stablehlo.get_dimension_size %arg0, dim = 1 : (tensor<2x3xf32>) -> tensor<i32>
  %1 = stablehlo.add %0, %0 : tensor<i32>
  %2 = stablehlo.reshape %1 : (tensor<i32>) -> tensor<1xi32>
  %3 = stablehlo.concatenate %2, %2, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %4 = stablehlo.negate %1 : tensor<i32>
  %5 = stablehlo.custom_call @unknown(%arg0) : (tensor<2x3xf32>) -> tensor<i32>
  %6 = stablehlo.custom_call @stablehlo.shape_refinement_operand_wrapper(%arg0, %3)
    {indices_of_shape_operands = dense<1> : tensor<1xi64>} : (tensor<2x3xf32>, tensor<2xi32>) -> tensor<2x3xf32>
  %7 = stablehlo.custom_call @use(%6, %4) {has_side_effect = true} : (tensor<2x3xf32>, tensor<i32>) -> tensor<i32>
  return %1, %3 : tensor<i32>, tensor<2xi32>
}"""


@pytest.mark.parametrize(
    "passes",
    [(FOLD,), (REIFY, FOLD, DROP), (REIFY, INLINE, FOLD, DROP)],
    ids=["alone", "beside library functions", "beside their assertions"],
)
def test_known_integers_become_constants_and_what_computed_them_goes(passes: tuple[str, ...]) -> None:
    with collect() as collection:
        text = str(run(*passes, text=ASSUMED))
    assert re.findall(r"constant dense<(.*?)>", text) == ["6", "6", "-6"]
    left = re.findall(r"= stablehlo\.(\w+)", text)
    assert left == ["constant", "constant", "constant", "custom_call", "custom_call"]
    assert "operand_wrapper" not in text
    assert collection.report_for(FOLD).ops_folded == 3
    assert [*collection.reports] == [FOLD]


def test_programs_without_known_integers_are_left_alone() -> None:
    assert str(run(FOLD, text=UNKNOWN)) == UNKNOWN


STATES = 12


def shifted(states: int) -> str:
    """A loop that hands each value on to the next, so that one more size is unknown after each round."""
    names = [f"%a{number}" for number in range(states)]
    types = ", ".join(["tensor<?xf32>"] * states)
    carried = ", ".join(f"{name} = %two" for name in names)
    return f"""func.func @main(%x: tensor<2xf32>, %n: tensor<?xf32>, %go: tensor<i1>) -> tensor<?xf32> {{
      %two = stablehlo.convert %x : (tensor<2xf32>) -> tensor<?xf32>
      %r:{states} = stablehlo.while({carried}) : {types}
      cond {{ stablehlo.return %go : tensor<i1> }}
      do {{ stablehlo.return %n, {", ".join(names[:-1])} : {types} }}
      return %r#{states - 1} : tensor<?xf32>
    }}"""


@pytest.mark.parametrize(
    "passes",
    [
        (REFINE,),
        (f"{REFINE}{{steps=true}}",),
        ("stablehlo-dtype-refinement-pipeline{shapes=true}",),
        (GUARD,),
        (REIFY, INLINE, SIMPLIFY),
    ],
    ids=lambda passes: passes[-1],
)
def test_ten_rounds_of_a_loop_are_looked_at_unless_told_otherwise(passes: tuple[str, ...]) -> None:
    def stopped(states: int, limit: int | None) -> str:
        chosen = "" if limit is None else f"max-iterations={limit}"
        *first, last = passes
        last = last.replace("=true}", f"=true {chosen}}}") if "{" in last else f"{last}{{{chosen}}}"
        said = list[Diagnostic]()
        pipeline = f"builtin.module({','.join([*first, last])})"
        run_pipeline(parsed(shifted(states)), pipeline, sink=said.append)
        return "; ".join(each.message for each in said)

    assert stopped(9, None) == ""
    assert stopped(10, 11) == ""
    for limit in (None, 10):
        assert stopped(10, limit) == "refinement stopped after 10 iterations of a loop"


class Breaks(Transaction):
    """Leaves a module that does not verify, or changes everything that a module has."""

    name = "my-breaks"
    summary = "Breaks modules"

    def change(self, module: ir.Operation) -> None:
        for op in operations(module):
            if op.name == "func.return" and "test.broken" in module.attributes:
                op.erase()
        if "test.gone" in module.attributes:
            del module.attributes["test.gone"]
        module.attributes["test.new"] = module.attributes["test.kept"]
        module.attributes["test.kept"] = ir.StringAttr.get("changed")
        body = module.regions[0].blocks[0]
        body.append(body.operations[0].operation.clone())
        body.operations[1].operation.attributes["sym_name"] = ir.StringAttr.get("second")


def test_a_changed_copy_replaces_the_program_with_all_attributes() -> None:
    module = parsed(TEXT.replace("test.kept", 'test.gone = "y", test.kept'))
    Breaks().run(module.operation)
    attributes = {name: str(module.operation.attributes[name]) for name in module.operation.attributes}
    assert attributes == {"test.kept": '"changed"', "test.new": '"x"'}
    assert [str(op.attributes["sym_name"]) for op in module.body.operations] == ['"main"', '"second"']
    assert module.operation.verify()


def test_a_copy_that_does_not_verify_is_thrown_away() -> None:
    module = parsed(TEXT.replace("test.kept", "test.broken, test.kept"))
    before = str(module)
    with pytest.raises(VerificationError, match=r"no terminator|empty block|must be the last"):
        Breaks().run(module.operation)
    assert str(module) == before


def test_reports_name_sizes_and_what_makes_them_unknown() -> None:
    module = parsed(TEXT)
    assert symbolic_shapes(module.operation).splitlines() == [
        "func @main",
        "  %arg0 : [2] f32",
        "  %arg1 : [arg1[0]] f32",
        "  %0 = stablehlo.concatenate : [4] f32",
        "  %1 = stablehlo.get_dimension_size : [] i32",
        "  %2 = stablehlo.reshape : [1] i32",
        "  %3 = stablehlo.dynamic_iota : [4] f32",
        "  %4 = stablehlo.add : [4] f32",
    ]
    assert why_dynamic(module.operation) == "every size is known\n"
    assert str(module) == TEXT
    lines = why_dynamic(parsed(UNKNOWN).operation).splitlines()
    assert lines[1:3] == [
        "  dimension 0 is custom_call.1[0]",
        "  custom_call.1[0]: 'f' has no shape function; give one with --abstract-interp-library",
    ]
    assert [line for line in lines if "stablehlo." in line] == [
        "<string>:3:10: %0 = stablehlo.custom_call @f : tensor<?xf32>",
        "<string>:6:10: %3 = stablehlo.dynamic_iota : tensor<?xf32>",
        "<string>:7:10: %4 = stablehlo.add : tensor<?xf32>",
    ]
