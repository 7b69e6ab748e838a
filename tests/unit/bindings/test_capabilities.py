"""What stands in where bindings lack something gives what the bindings give that have it."""

from __future__ import annotations

import importlib
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

import stablehlo_py
from stablehlo_py.artifacts.versions import current_version, version_log
from stablehlo_py.bindings import capabilities, ir, locations, make_context, op_signatures
from stablehlo_py.bindings.locations import CallSite, Elsewhere, FilePosition, Fused, Name, location_in_text
from stablehlo_py.bindings.provider import provider
from stablehlo_py.errors import PassError, ProviderError
from stablehlo_py.passes.inlining import Inline
from stablehlo_py.passes.pipeline import Instrumentation, Pipeline, resolved_text, run_pipeline
from stablehlo_py.spmd import partition

POINT = FilePosition("a.mlir", 3, 4, 3, 4)
PLACES = {
    'loc("a.mlir":3:4)': POINT,
    'loc("a.mlir":3:4 to 5:6)': FilePosition("a.mlir", 3, 4, 5, 6),
    'loc("a.mlir":3:4 to :6)': FilePosition("a.mlir", 3, 4, 3, 6),
    'loc("name")': Name("name", Elsewhere()),
    'loc("a \\"name\\"\\09"("a.mlir":3:4))': Name('a "name"\t', POINT),
    'loc(callsite("name"("a.mlir":3:4) at callsite("a.mlir":3:4 at unknown)))': CallSite(
        Name("name", POINT), CallSite(POINT, Elsewhere())
    ),
    'loc(fused["a.mlir":3:4, "name"])': Fused((POINT, Name("name", Elsewhere()))),
    'loc(fused<"<[">["a.mlir":3:4])': Fused((POINT,), '"<["'),
    "loc(unknown)": Elsewhere(),
}
CALLS = """
func.func @main(%x: tensor<4xf32>, %p: tensor<i1>) -> tensor<4xf32> {
  %0 = call @outer(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "stablehlo.if"(%p) ({
    %2 = func.call @inner(%0) : (tensor<4xf32>) -> tensor<4xf32>
    stablehlo.return %2 : tensor<4xf32>
  }, {
    stablehlo.return %x : tensor<4xf32>
  }) : (tensor<i1>) -> tensor<4xf32>
  %3 = call @outside(%1) : (tensor<4xf32>) -> tensor<4xf32>
  return %3 : tensor<4xf32>
}
func.func private @outer(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @inner(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.add %0, %x : tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func private @inner(%x: tensor<4xf32>) -> tensor<4xf32> {
  %init = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.map"(%x) <{dimensions = array<i64: 0>}> ({
  ^bb0(%e: tensor<f32>):
    %1 = stablehlo.subtract %e, %init : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @outside(%x: tensor<4xf32>) -> tensor<4xf32>
func.func private @kept(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
func.func @named(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @kept(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.composite "house.kept" %0 {decomposition = @kept} : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
"""


@pytest.fixture
def context():
    return make_context()


@pytest.fixture
def without(monkeypatch):
    """Makes the bindings lack a capability."""

    def hide(name: str) -> None:
        monkeypatch.setitem(capabilities._FOUND, name, False)

    return hide


@pytest.mark.parametrize(("text", "place"), PLACES.items())
def test_a_place_is_read_from_text(context, text, place):
    assert location_in_text(text) == place
    printed = str(ir.Module.parse(f"module {{}} {text}", context=context).operation.location)
    assert location_in_text(printed) == place


@given(st.text(max_size=12))
def test_any_name_is_read_back(name):
    context = ir.Context()
    encodable = name.encode("utf-8", "replace").decode().replace("\0", "")
    location = ir.Location.name(encodable, ir.Location.file(encodable or "-", 1, 2, context), context)
    assert locations.parsed_location(location) == Name(encodable, FilePosition(encodable or "-", 1, 2, 1, 2))


def test_a_nest_of_calls_is_no_deeper_than_its_text():
    text = "".join(f'callsite("f":{line}:1 at ' for line in range(1, 400)) + '"f":400:1' + ")" * 399
    assert list(locations.caller_positions(location_in_text(f"loc({text})")))[:2] == ["f:2:1", "f:3:1"]


@pytest.mark.skipif(not locations.HAS_SETTERS, reason="these bindings cannot change a location in place")
@pytest.mark.parametrize("text", PLACES)
def test_positions_move_in_text_as_they_do_in_place(context, monkeypatch, text):
    program = f'func.func @f(%x: tensor<f32> {text}) {{\n  "stablehlo.after_all"() : () -> !stablehlo.token {text}\n'
    program += f'  return {text}\n}} {text}\nmodule attributes {{house.text = "\\"a.mlir\\":3:4"}} {{}} {text}'

    def moved():
        module = ir.Module.parse(program, context)
        after = locations.map_positions(module, FilePosition.at_start)
        return after.operation.get_asm(enable_debug_info=True)

    in_place = moved()
    monkeypatch.setattr(locations, "HAS_SETTERS", False)
    assert moved() == in_place


@pytest.mark.skipif(not capabilities.has("inliner"), reason="these bindings do not inline functions")
def test_our_inliner_gives_what_the_compiled_one_gives(context):
    ours, theirs = ir.Module.parse(CALLS, context), ir.Module.parse(CALLS, context)
    Inline().run(ours.operation)
    run_pipeline(theirs, "inline")
    assert str(ours) == str(theirs)


def test_functions_that_call_themselves_stay(context):
    text = """
    func.func @main(%x: tensor<f32>) -> tensor<f32> {
      %0 = call @even(%x) : (tensor<f32>) -> tensor<f32>
      return %0 : tensor<f32>
    }
    func.func private @even(%x: tensor<f32>) -> tensor<f32> {
      %0 = call @odd(%x) : (tensor<f32>) -> tensor<f32>
      return %0 : tensor<f32>
    }
    func.func private @odd(%x: tensor<f32>) -> tensor<f32> {
      %0 = call @even(%x) : (tensor<f32>) -> tensor<f32>
      return %0 : tensor<f32>
    }"""
    module = ir.Module.parse(text, context)
    before = str(module)
    Inline().run(module.operation)
    assert str(module) == before


def test_a_chain_of_calls_is_inlined_in_linear_time(context):
    links = [
        f"func.func private @f{n}(%x: tensor<f32>) -> tensor<f32> {{\n"
        f"  %0 = call @f{n + 1}(%x) : (tensor<f32>) -> tensor<f32>\n  return %0 : tensor<f32>\n}}"
        for n in range(2000)
    ]
    end = "func.func private @f2000(%x: tensor<f32>) -> tensor<f32> {\n  return %x : tensor<f32>\n}"
    start = "func.func @main(%x: tensor<f32>) -> tensor<f32> {\n  %0 = call @f0(%x) : (tensor<f32>) -> tensor<f32>\n"
    module = ir.Module.parse("\n".join([start + "  return %0 : tensor<f32>\n}", *links, end]), context)
    Inline().run(module.operation)
    assert [op.operation.name for op in module.body.operations[0].regions[0].blocks[0]] == ["func.return"]
    assert len(module.body.operations) == 1


def test_passes_in_python_run_between_managers(context, without):
    text = "func.func @f() -> tensor<i32> {\n  %0 = stablehlo.constant dense<1> : tensor<i32>\n"
    text += "  %1 = stablehlo.add %0, %0 : tensor<i32>\n  return %1 : tensor<i32>\n}"
    pipeline = "cse,func.func(stablehlo-aggressive-folder),canonicalize"
    with_managers = ir.Module.parse(text, context)
    run_pipeline(with_managers, pipeline)
    whole = resolved_text(Pipeline.from_text(pipeline), context)
    without("python-passes")
    between = ir.Module.parse(text, context)
    run_pipeline(between, pipeline)
    assert str(between) == str(with_managers)
    assert "stablehlo-aggressive-folder" in resolved_text(Pipeline.from_text(pipeline), context)
    assert whole.startswith("builtin.module(cse,")


def test_a_failing_pass_between_managers_is_told(context, without):
    without("python-passes")
    module = ir.Module.parse("func.func @main(%x: tensor<?xf32>) {\n  return\n}", context)
    with pytest.raises(PassError):
        run_pipeline(module, "stablehlo-shape-refinement-pipeline,stablehlo-refine-arguments{types=tensor<2xi32>}")


def test_what_is_missing_is_said_in_one_sentence(context, without):
    without("pass-statistics")
    module = ir.Module.parse("", context)
    with pytest.raises(ProviderError) as caught:
        run_pipeline(module, "cse", instrumentation=Instrumentation(statistics=True))
    assert str(caught.value).startswith("error: the statistics of passes needs jaxlib 0.8.0 or later, and ")
    assert str(caught.value).endswith(" is installed")


def test_a_program_is_not_partitioned_where_the_pass_for_it_is_missing_or_leaves_something_out(without):
    without("partition")
    with pytest.raises(ProviderError, match=r"partitioning a program over devices needs jaxlib 0\.10\.0 or later"):
        partition(stablehlo_py.parse(CALLS), mesh={"x": 2})


@pytest.mark.skipif(not capabilities.has("memory-effects"), reason="these bindings have no interface to compare with")
@pytest.mark.parametrize("dialect", ["arith", "chlo", "func", "math", "scf", "stablehlo"])
def test_ops_without_memory_effects_are_listed(context, dialect):
    """The list that old bindings get says what the interface says."""
    disagreeing = []
    for name, op_class in op_signatures._op_classes(dialect).items():
        try:
            with context:
                ir.MemoryEffectsOpInterface(op_class)
            declares = True
        except ValueError:
            declares = False
        if declares != (name not in capabilities._SILENT_ABOUT_EFFECTS):
            disagreeing.append(name)
    assert set(disagreeing) <= {"stablehlo.async_done", "stablehlo.async_start", "stablehlo.collective_reduce"}


def test_the_signatures_are_those_of_the_newest_release():
    if current_version() < version_log()[-1].version:
        pytest.skip("the table is written from the newest release, and this is an older one")
    writer = importlib.import_module("op_signatures")
    assert writer.OUTPUT.read_text(encoding="utf-8") == writer.text()


@pytest.mark.parametrize("dialect", ["stablehlo", "chlo"])
def test_every_op_has_a_signature(dialect):
    assert op_signatures.op_names(dialect)
    for name in op_signatures.op_names(dialect):
        declared = op_signatures.declared_signature(name)
        signature = op_signatures.op_signature(name)
        assert signature is not None
        if declared is not None:  # what came later stands behind what was there before
            assert {attribute.name for attribute in declared.attributes} <= {a.name for a in signature.attributes}


def test_the_module_of_sdy_is_whole_for_those_who_import_it_later():
    code = """
import importlib
import stablehlo_py
stablehlo_py.parse("func.func @main() {return}", trust_input=True)
from stablehlo_py.bindings.provider import provider
module, extension = provider.module("dialects.sdy"), provider.module("_mlir_libs._sdy")
print([name for name in dir(extension) if not hasattr(module, name)])
"""
    if provider.optional_module("_mlir_libs._sdy") is None:
        pytest.skip("these bindings have no sdy")
    completed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert completed.stdout == "[]\n"
