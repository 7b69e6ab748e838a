"""Pipelines: their text, options, nesting, and running passes of both kinds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import pytest

from stablehlo_py.artifacts.versions import Version, current_version
from stablehlo_py.bindings import ir, make_context, passmanager
from stablehlo_py.bindings.capabilities import has
from stablehlo_py.bindings.diagnostics import file_location
from stablehlo_py.bindings.provider import provider
from stablehlo_py.errors import Diagnostic, InterpreterError, PassError, UsageError
from stablehlo_py.passes import catalog, pipeline
from stablehlo_py.passes.base import Pass
from stablehlo_py.passes.catalog import available_passes, compiled_passes, describe_pass
from stablehlo_py.passes.pipeline import Instrumentation, PassPipeline, Pipeline, run_pipeline
from stablehlo_py.passes.pipeline_text import PipelineElement, make_pass, parse_pipeline, split_top_level
from stablehlo_py.syntax import parse, print_text

TEXT = """
func.func @first(%operand: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %0 = stablehlo.sine %operand : tensor<f32>
  %1 = stablehlo.sine %operand : tensor<f32>
  return %0, %1 : tensor<f32>, tensor<f32>
}
func.func private @second() {
  return
}
"""


@dataclass(frozen=True)
class Mark(Pass):
    """Marks the op that it runs on, or fails, as its options say."""

    name: ClassVar[str] = "mark"
    summary: ClassVar[str] = "Marks functions"
    anchor: ClassVar[str] = "func.func"
    text: str = "seen"
    times: int = 1
    fail: bool = False
    only: tuple[str, ...] = ()

    def run(self, op: ir.Operation) -> None:
        name = ir.StringAttr(op.attributes["sym_name"]).value
        if self.only and name not in self.only:
            return
        if self.fail:
            raise InterpreterError("cannot be marked", location="here.mlir:1:1", op="func.func")
        op.attributes["test.mark"] = ir.StringAttr.get(self.text * self.times)


@dataclass(frozen=True)
class Break(Pass):
    """Leaves a module that does not verify: two functions have one name."""

    name: ClassVar[str] = "break"
    summary: ClassVar[str] = "Breaks modules"

    def run(self, op: ir.Operation) -> None:
        for function in op.regions[0].blocks[0].operations:
            function.operation.attributes["sym_name"] = ir.StringAttr.get("same")


@dataclass(frozen=True)
class Both(PassPipeline):
    name: ClassVar[str] = "both"
    summary: ClassVar[str] = "Marks functions and tidies up"
    text: str = "both"

    def pipeline(self) -> str:
        return f"func.func(mark{{text={self.text}}}),cse,symbol-dce"


@dataclass(frozen=True)
class Crash(Pass):
    name: ClassVar[str] = "crash"
    summary: ClassVar[str] = "Has a mistake"

    def run(self, op: ir.Operation) -> None:
        raise ZeroDivisionError(op.name)


@pytest.fixture(autouse=True)
def passes(monkeypatch):
    known = {kind.name: kind for kind in (Mark, Break, Both, Crash)}
    for module in (catalog, pipeline):
        find = module.find_pass
        monkeypatch.setattr(module, "find_pass", lambda name, find=find: known.get(name) or find(name))


def test_a_name_for_other_passes_runs_them_where_it_is_called_itself():
    module = parse(TEXT)
    Both(text="here").run(module.operation)
    assert print_text(module) == run("both{text=here}")
    assert "here" in print_text(module)


def run(text: str, **arguments) -> str:
    module = parse(TEXT)
    run_pipeline(module, text, **arguments)
    return print_text(module)


@pytest.mark.parametrize(
    "text",
    [
        "cse",
        "cse,canonicalize{max-iterations=3}",
        "builtin.module(func.func(cse,canonicalize),symbol-dce)",
        "composite-fixed-point-pass{pipeline=any(cse,inline{max-iterations=2}) name=Tidy}",
        "builtin.module()",
    ],
)
def test_text_survives_reading(text):
    assert ",".join(map(str, parse_pipeline(text))) == text


def test_blanks_do_not_matter():
    assert parse_pipeline(" builtin.module( cse , func.func( inline ) ) ") == (
        PipelineElement(
            "builtin.module",
            children=(PipelineElement("cse"), PipelineElement("func.func", children=(PipelineElement("inline"),))),
        ),
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("builtin.module(cse", "column 19: expected '\\)' after the passes of 'builtin.module'"),
        ("cse)", "column 4: unexpected '\\)'"),
        ("cse{a=1", "column 4: missing closing '}'"),
        ("cse,,inline", "column 5: expected the name of a pass or of an op"),
    ],
)
def test_broken_text_names_the_column(text, message):
    with pytest.raises(UsageError, match=message):
        parse_pipeline(text)


def test_passes_of_both_kinds_run_in_order():
    printed = run("builtin.module(func.func(cse,mark{text=ab times=2}),symbol-dce)")
    assert printed.count("stablehlo.sine") == 1
    assert 'test.mark = "abab"' in printed
    assert "@second" not in printed


def test_an_option_chooses_functions():
    assert run("func.func(mark{only=second,third})").count("test.mark") == 1


def test_a_flag_nests_its_pass_and_a_pipeline_does_not():
    module = parse(TEXT)
    run_pipeline(module, Pipeline([PipelineElement("mark")], implicit_nesting=True))
    assert print_text(module).count("test.mark") == 2
    with pytest.raises(UsageError, match=r"restricted to 'func\.func'"):
        run("builtin.module(mark)")


def test_a_pipeline_with_a_name_runs_its_passes():
    printed = run("both{text=named}")
    assert 'test.mark = "named"' in printed
    assert printed.count("stablehlo.sine") == 1


def test_a_pipeline_runs_on_a_function():
    module = parse(TEXT)
    run_pipeline(module.body.operations[0].operation, "func.func(cse,mark)")
    printed = print_text(module)
    assert printed.count("test.mark") == 1
    assert printed.count("stablehlo.sine") == 1


def test_a_failing_pass_is_an_error_with_diagnostics():
    received: list[Diagnostic] = []
    with pytest.raises(PassError) as raised:
        run("func.func(mark{fail=true}),cse", sink=received.append)
    assert raised.value.location == "here.mlir:1:1"
    assert raised.value.message == "'func.func' op cannot be marked"
    assert received == list(raised.value.diagnostics)


def test_a_mistake_in_a_pass_is_reported_at_its_line():
    with pytest.raises(PassError, match=r"pass 'crash' raised ZeroDivisionError: .*builtin\.module") as raised:
        run("crash")
    assert "test_pipeline.py:" in raised.value.location
    assert isinstance(raised.value.__cause__, ZeroDivisionError)


def test_a_pass_that_fails_in_silence_is_told_of(monkeypatch):
    def fail(self: passmanager.PassManager, op: ir.Operation) -> None:
        raise ir.MLIRError("Failure while executing pass pipeline", [])

    module = parse(TEXT)
    monkeypatch.setattr(passmanager.PassManager, "run", fail)
    told: list[Diagnostic] = []
    with pytest.raises(PassError, match="a pass failed and did not say why") as raised:
        run_pipeline(module, "cse", sink=told.append)
    assert list(raised.value.diagnostics) == told
    assert [(each.severity, each.location, each.message) for each in told] == [
        ("error", file_location(module.operation.location), "a pass failed and did not say why")
    ]


@pytest.mark.parametrize("has_python_passes", [True, False])
def test_passes_are_verified_unless_told_otherwise(monkeypatch, has_python_passes):
    """So too where no pass manager takes passes in Python."""
    monkeypatch.setattr(pipeline, "has", lambda name: has_python_passes if name == "python-passes" else has(name))
    with pytest.raises(PassError, match="redefinition of symbol named 'same'"):
        run("break")
    assert run("break", instrumentation=Instrumentation(verify_each=False)).count("@same") == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("csee", "'csee' does not refer to a registered pass or pass pipeline; did you mean cse"),
        ("cse{speed=1}", "pass 'cse' has no option 'speed'; it has none"),
        ("func.func(mark{speed=1})", "pass 'mark' has no option 'speed'; it has: text, times, fail, only"),
        ("func.func(mark{times=often})", "option 'times' of pass 'mark' is an integer, not 'often'"),
        ("func.func(mark{fail=perhaps})", "option 'fail' of pass 'mark' expects true or false, found 'perhaps'"),
    ],
)
def test_what_cannot_be_understood_is_a_usage_error(text, message):
    with pytest.raises(UsageError, match=message):
        run(text)


def test_options_become_fields():
    assert make_pass(Mark, "text={a b} times=0x10 fail only=x,y") == Mark("a b", 16, True, ("x", "y"))
    assert make_pass(Mark, "") == Mark()


def test_separators_inside_brackets_do_not_split():
    assert list(split_top_level("a=tensor<1, 2> b={c d},e 'f g'", " ,")) == ["a=tensor<1, 2>", "b={c d}", "e", "'f g'"]


def test_the_table_of_compiled_passes_agrees_with_the_bindings():
    context = make_context()
    available = compiled_passes().keys() & set(available_passes())
    if provider.name == "jaxlib" and current_version() >= Version(1, 17, 0):
        assert available == compiled_passes().keys()
    for name in available:
        if catalog.find_pass(name) is not None:  # a substitute
            continue
        described, compiled = describe_pass(name, context), compiled_passes()[name]
        anchor = "builtin.module" if described.anchor == "any" else described.anchor
        passmanager.PassManager(anchor, context=context).add(name)
        assert {option.name for option in described.options} == set(compiled.options), name
        if current_version() >= Version(1, 22, 0):
            assert described.anchor == compiled.anchor, name


def test_python_passes_can_be_described():
    context = make_context()
    assert len(catalog.PYTHON_PASSES) > 20
    for name in catalog.PYTHON_PASSES:
        description = describe_pass(name, context)
        assert description.summary
        assert description.name == name
