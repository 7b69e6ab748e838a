"""Runs of pipelines: what is printed around passes, their statistics, the text that is run, errors, and refinement."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from stablehlo_py.bindings import ir, make_context
from stablehlo_py.bindings.capabilities import lacking
from stablehlo_py.errors import Diagnostic, PassError, UsageError
from stablehlo_py.passes.catalog import compiled_passes, passes_elsewhere
from stablehlo_py.passes.pipeline import Instrumentation, Pipeline, _reason, resolved_text, run_pipeline

TEXT = """module @named {
  func.func @main(%arg0: tensor<3xi32>) -> tensor<3xi32> {
    %c = stablehlo.constant dense<2> : tensor<3xi32>
    %0 = stablehlo.multiply %arg0, %c : tensor<3xi32>
    %1 = stablehlo.multiply %arg0, %c : tensor<3xi32>
    %2 = stablehlo.add %0, %1 : tensor<3xi32>
    %3 = stablehlo.add %c, %c : tensor<3xi32>
    %4 = stablehlo.subtract %2, %3 : tensor<3xi32>
    return %4 : tensor<3xi32>
  }
  func.func private @unused() {
    return
  }
}
"""
PASSES = "stablehlo-fold-constants,cse,stablehlo-aggressive-simplification,symbol-dce"


@pytest.fixture(scope="module", autouse=True)
def context() -> Iterator[ir.Context]:
    with make_context() as made:
        yield made


def run(text: str, capfd: pytest.CaptureFixture[str], passes: str = PASSES, **fields: object) -> str:
    """What is printed on standard error while the passes run."""
    module = ir.Module.parse(text)
    pipeline = Pipeline.from_text(passes, nest=True)
    run_pipeline(module, pipeline, instrumentation=Instrumentation(**fields))  # type: ignore[arg-type]
    return capfd.readouterr().err


BEFORE_CSE, AFTER_CSE = "Before CSEPass", "After CSEPass"
ALL = ["FoldConstants", "CSEPass", "AggressiveSimplification", "SymbolDCEPass"]


@pytest.mark.parametrize(
    ("fields", "printed"),
    [
        ({}, []),
        ({"print_before": frozenset({"cse"})}, [BEFORE_CSE]),
        ({"print_after": frozenset({"cse"})}, [AFTER_CSE]),
        ({"print_before": frozenset({"cse"}), "print_after": frozenset({"symbol-dce"})},
         [BEFORE_CSE, "After SymbolDCEPass"]),
        ({"print_after": frozenset({"stablehlo-fold-constants"})}, ["After FoldConstants"]),
        ({"print_before": frozenset({"nothing"})}, []),
        ({"ir_printing": {"print_before_all": True}}, [f"Before {name}" for name in ALL]),
        ({"ir_printing": {"print_after_all": True}}, [f"After {name}" for name in ALL]),
        ({"ir_printing": {"print_after_change": True, "print_before_all": True}},
         [f"{when} {name}" for name in ALL for when in ("Before", "After")
          if (when, name) != ("After", "AggressiveSimplification")]),
        ({"ir_printing": {"print_after_change": False}}, []),
        ({"ir_printing": {"print_after_all": False}, "print_after": frozenset({"cse"})}, [AFTER_CSE]),
    ],
)  # fmt: skip
def test_programs_are_printed_around_the_passes_asked_for(
    fields: dict[str, object], printed: list[str], capfd: pytest.CaptureFixture[str]
) -> None:
    found = run(TEXT, capfd, **fields)
    assert re.findall(r"IR Dump (\w+ \w+)", found) == printed


def test_times_are_told_where_asked(capfd: pytest.CaptureFixture[str]) -> None:
    assert "Execution time report" in run(TEXT, capfd, timing=True)
    assert run(TEXT, capfd, timing=False) == ""


@pytest.mark.parametrize("as_list", [False, True])
def test_statistics_of_passes_in_python_sum_over_functions(as_list: bool, capfd: pytest.CaptureFixture[str]) -> None:
    passes = "stablehlo-verify-spec,stablehlo-fold-constants,cse"
    printed = run(TEXT, capfd, passes, statistics=True, statistics_as_list=as_list)
    own = printed[printed.index("Pass statistics report: passes in Python") :].splitlines()
    names = [line for line in own[2:] if line and not line.startswith(" ")]
    wanted = ["stablehlo-verify-spec", "stablehlo-fold-constants"]
    assert names == (sorted(wanted) if as_list else wanted)
    found = dict(zip(names, "\n".join(own[2:]).split("stablehlo-")[1:], strict=True))
    assert found["stablehlo-verify-spec"].splitlines()[1:3] == [
        "  (S) 10 ops-before - Number of ops that the pass ran on",
        "  (S) 10 ops-after - Number of ops behind the pass",
    ]
    assert found["stablehlo-fold-constants"].splitlines()[1:6] == [
        "  (S) 8 ops-before - Number of ops that the pass ran on",
        "  (S) 8 ops-after - Number of ops behind the pass",
        "  (S) 1 ops-folded - Number of ops folded into constants",
        "  (S) 0 ops-erased-as-dead - Number of ops erased because nothing uses them",
        "  (S) 1 fold stablehlo.add - Number of times that the pattern fired",
    ]
    assert "passes in Python" not in run(TEXT, capfd, "cse", statistics=True)


@pytest.mark.parametrize(
    ("text", "resolved"),
    [
        ("", "builtin.module()"),
        ("cse,symbol-dce", "builtin.module(cse,symbol-dce)"),
        ("builtin.module(cse)", "builtin.module(cse)"),
        ("any(cse)", "builtin.module(cse)"),
        ("func.func(cse)", "builtin.module(func.func(cse))"),
        ("stablehlo-fold-constants", "builtin.module(stablehlo-fold-constants)"),
        ("stablehlo-fold-constants,stablehlo-convert-to-signless",
         "builtin.module(stablehlo-fold-constants,stablehlo-convert-to-signless)"),
        ("stablehlo-legalize-composite-to-call", "builtin.module(func.func(stablehlo-legalize-composite-to-call{}))"),
        ("chlo-legalize-to-stablehlo", "builtin.module(chlo-expand-scan,func.func(chlo-legalize-to-stablehlo))"),
        ("stablehlo-canonicalize-dynamism",
         "builtin.module(stablehlo-canonicalize-dynamic-calls,func.func(stablehlo-canonicalize-dynamism))"),
        ("chlo-pre-serialization-pipeline,symbol-dce",
         "builtin.module(chlo-expand-scan,func.func(chlo-legalize-to-stablehlo),func.func(shape-legalize-to-stablehlo),"
         "reconcile-unrealized-casts,symbol-dce)"),
    ],
)  # fmt: skip
def test_the_text_of_what_is_run(text: str, resolved: str, context: ir.Context) -> None:
    found = resolved_text(Pipeline.from_text(text, nest=True), context)
    assert found == resolved


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("csee", "'csee' does not refer to a registered pass or pass pipeline; did you mean cse?"),
        ("xyzzy-passes", "'xyzzy-passes' does not refer to a registered pass or pass pipeline"),
        ("cse{a=1}", "pass 'cse' has no option 'a'; it has none"),
        ("canonicalize{max-iteration=1}",
         "pass 'canonicalize' has no option 'max-iteration'; did you mean max-iterations?"),
        ("cse,func.func(cse,canonicalize{top-downs=1})",
         "pass 'canonicalize' has no option 'top-downs'; did you mean top-down?"),
        ("canonicalize{max-iterations=x}",
         "the options of a pass cannot be understood: canonicalize{max-iterations=x}"),
        ("func.func(canonicalize{max-iterations=x})",
         "the options of a pass cannot be understood: func.func(canonicalize{max-iterations=x})"),
        ("composite-fixed-point-pass{pipeline=csee}", "Failed to parse composite pass pipeline"),
        ("func.func(stablehlo-refine-shapes)",
         "Can't add pass 'StablehloRefineShapesPass' restricted to 'builtin.module' on a PassManager intended to run "
         "on 'func.func', did you intend to nest?"),
        ("cse{a=\udcff}", "the options of cse are not UTF-8: 'cse{a=\\udcff}'"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("nest", [True, False])
def test_pipelines_that_cannot_be_understood(text: str, said: str, nest: bool, context: ir.Context) -> None:
    with pytest.raises(UsageError) as raised:
        resolved_text(Pipeline.from_text(text, nest=nest), context)
    assert raised.value.message == said


def test_a_pass_that_no_bindings_have_is_told_with_the_reason(context: ir.Context) -> None:
    name, reason = next(iter(passes_elsewhere().items()))
    with pytest.raises(UsageError) as raised:
        resolved_text(Pipeline.from_text(name), context)
    assert raised.value.message == f"the pass '{name}' cannot be had: {reason}"


HEAD = "MLIR Textual PassPipeline Parser:1:16: error: "


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("'cse' does not refer to a registered pass or pass pipeline",
         lacking("the pass 'cse'", f"jaxlib {compiled_passes()['cse'].since}")),
        ("'csee' does not refer to a registered pass",
         "'csee' does not refer to a registered pass or pass pipeline; did you mean cse?"),
        ("'???' does not refer to a registered pass", "'???' does not refer to a registered pass or pass pipeline"),
        ("", "the options of a pass cannot be understood: func.func(canonicalize{max-iterations=x})"),
        ("failed to add `canonicalize`\n\n",
         "the options of a pass cannot be understood: func.func(canonicalize{max-iterations=x})"),
        (f"failed to add `canonicalize`\n{HEAD}out of luck\nmore", "out of luck"),
        ("<Pass-Options-Parser>: 'x' is no number",
         "pass options of func.func(canonicalize{max-iterations=x}): 'x' is no number"),
        (f"{HEAD}<Pass-Options-Parser>: no such option max-iterations", None),
        ("<Pass-Options-Parser>: no such option other",
         "pass options of func.func(canonicalize{max-iterations=x}): no such option other"),
    ],
)  # fmt: skip
def test_what_the_bindings_say_of_a_pipeline_is_told_in_a_sentence(message: str, said: str | None) -> None:
    (step,) = Pipeline.from_text("builtin.module(func.func(canonicalize{max-iterations=x}))").steps()
    found = _reason(message, step)
    if said is None:
        assert "max-iterations" in found
        assert HEAD not in found
    else:
        assert found == said


@pytest.mark.parametrize("name", ["stablehlo-legalize-composite-to-call", "stablehlo-fold-constants"])
def test_function_passes_nest_in_flags_alone(name: str) -> None:
    run_pipeline(ir.Module.parse(TEXT), Pipeline.from_text(name, nest=True))
    with pytest.raises(UsageError, match="did you intend to nest"):
        run_pipeline(ir.Module.parse(TEXT), Pipeline.from_text(name))
    with pytest.raises(UsageError, match="did you intend to nest"):
        run_pipeline(ir.Module.parse(TEXT), Pipeline.from_text(f"builtin.module({name})", nest=True))


def test_passes_one_by_one_stand_where_they_stood() -> None:
    text = "builtin.module(cse,func.func(canonicalize{max-iterations=3},cse),stablehlo-deserialize)"
    parts = [str(part) for part in Pipeline.from_text(text).one_by_one()]
    assert parts[:3] == [
        "builtin.module(cse)",
        "builtin.module(func.func(canonicalize{max-iterations=3}))",
        "builtin.module(func.func(cse))",
    ]
    assert [part.partition("{")[0] for part in parts[3:]] == [
        "builtin.module(vhlo-to-version",
        "builtin.module(vhlo-legalize-to-stablehlo)",
    ]
    flags = Pipeline.from_text("stablehlo-fold-constants,cse", nest=True)
    assert [part.implicit_nesting for part in flags.one_by_one()] == [True, True]


REFINE = "stablehlo-refine-shapes"
COMPOSITE = """func.func @main(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.composite "own.same" %x {decomposition = @same} : (tensor<?xf32>) -> tensor<?xf32>
  %1 = stablehlo.concatenate %0, %y, dim = 0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %2 = stablehlo.concatenate %0, %y, dim = 0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %3 = stablehlo.add %1, %2 : tensor<?xf32>
  return %3 : tensor<?xf32>
}
func.func private @same(%a: tensor<?xf32>) -> tensor<?xf32> {
  return %a : tensor<?xf32>
}
func.func private @unused() {
  return
}
"""


NO_COMPOSITE = COMPOSITE.replace('stablehlo.composite "own.same" %x {decomposition = @same}', "stablehlo.abs %x")


@pytest.mark.parametrize("text", [COMPOSITE, NO_COMPOSITE], ids=["composite", "none"])
def test_passes_after_a_refinement_run(text: str) -> None:
    module, said = ir.Module.parse(text), list[Diagnostic]()
    arguments = "stablehlo-refine-arguments{types=tensor<4xf32>,tensor<5xf32>}"
    run_pipeline(module, f"builtin.module({arguments},{REFINE},symbol-dce,func.func(cse))", sink=said.append)
    found = str(module)
    assert "-> tensor<9xf32>" in found
    assert found.count("stablehlo.concatenate") == 1
    assert "@unused" not in found
    assert said == []


def asserting(size: int) -> str:
    return f"""func.func @main(%x: tensor<4xf32>, %y: tensor<{size}xf32>) -> tensor<?xf32> {{
  %a = stablehlo.abs %x : (tensor<4xf32>) -> tensor<?xf32>
  %n = stablehlo.get_dimension_size %a, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %m = stablehlo.get_dimension_size %y, dim = 0 : (tensor<{size}xf32>) -> tensor<i32>
  %same = stablehlo.compare EQ, %n, %m : (tensor<i32>, tensor<i32>) -> tensor<i1>
  stablehlo.custom_call @shape_assertion(%same, %n, %m) {{error_message = "x has {{0}} rows, y has {{1}}", has_side_effect = true}} : (tensor<i1>, tensor<i32>, tensor<i32>) -> ()
  %s = stablehlo.add %a, %y : (tensor<?xf32>, tensor<{size}xf32>) -> tensor<?xf32>
  return %s : tensor<?xf32>
}}"""  # noqa: E501


def test_an_assertion_of_the_program_comes_before_the_error_of_the_pass() -> None:
    module, said = ir.Module.parse(asserting(4)), list[Diagnostic]()
    run_pipeline(module, f"builtin.module({REFINE})", sink=said.append)
    assert "-> tensor<4xf32>" in str(module)
    assert said == []
    module = ir.Module.parse(asserting(5))
    before = str(module)
    with pytest.raises(PassError) as raised:
        run_pipeline(module, f"builtin.module({REFINE})", sink=said.append)
    (found,) = raised.value.diagnostics
    assert found.message == "'stablehlo.custom_call' op x has 4 rows, y has 5"
    assert found.location.endswith(":6:3")
    assert said == [found]
    assert str(module) == before


def test_errors_without_assertions_are_those_of_the_pass() -> None:
    text = re.sub(r".*shape_assertion.*\n", "", asserting(5))
    with pytest.raises(PassError) as raised:
        run_pipeline(ir.Module.parse(text), f"builtin.module({REFINE})")
    assert "rows" not in str(raised.value)
    assert raised.value.diagnostics


def test_other_custom_calls_and_passes_are_no_reason_for_library_functions() -> None:
    text = asserting(5).replace("@shape_assertion", "@other")
    with pytest.raises(PassError) as raised:
        run_pipeline(ir.Module.parse(text), f"builtin.module({REFINE})")
    assert "dimension 0 of the operands differs" not in str(raised.value)
    module = ir.Module.parse(asserting(5))
    run_pipeline(module, "builtin.module(cse)")
    assert "tensor<?xf32>" in str(module)


@pytest.mark.parametrize(
    ("asked", "needs"),
    [
        ({}, False),
        ({"verify_each": False}, False),
        ({"statistics_as_list": True}, False),
        ({"print_before": frozenset(["cse"])}, True),
        ({"print_after": frozenset(["cse"])}, True),
        ({"timing": True}, True),
        ({"statistics": True}, True),
        *[
            ({"ir_printing": {name: value}}, value and name.startswith("print_"))
            for name in ("print_before_all", "print_after_all", "print_after_change", "print_after_failure", "binary")
            for value in (True, False)
        ],
    ],
)
def test_what_only_pass_managers_can_give(asked: dict[str, Any], needs: bool) -> None:
    assert Instrumentation(**asked).needs_managers == needs
