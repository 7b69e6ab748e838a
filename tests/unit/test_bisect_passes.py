"""The pass that changes results is named, and a pass that cannot be left out is not blamed."""

from __future__ import annotations

import numpy as np
import pytest
from speeds import later
from test_debug import ARGUMENTS, ROW

import stablehlo_py
from stablehlo_py.debug import Tolerance
from stablehlo_py.debug.bisect_passes import bisect_pipeline, bisect_xla, dump_hlo, split_pipeline
from stablehlo_py.debug.program import examine
from stablehlo_py.engines import Engine, Limits, open_engine
from stablehlo_py.errors import UsageError

pytestmark = pytest.mark.usefixtures("importable")  # engines start with `planted_engine` at hand

PROGRAM = f"""func.func @main(%a: {ROW}) -> {ROW} {{
  %0 = stablehlo.tanh %a : {ROW}
  %1 = stablehlo.multiply %0, %a : {ROW}
  return %1 : {ROW} }}"""


@pytest.fixture(scope="module")
def reference():
    with open_engine("reference") as engine:
        yield engine


def test_pipelines_are_split_at_their_own_commas():
    text = "builtin.module(canonicalize,func.func(a{x=1,2},b),inline{default-pipeline=})"
    assert split_pipeline(text) == ["canonicalize", "func.func(a{x=1,2},b)", "inline{default-pipeline=}"]


def test_passes_that_keep_results_are_not_blamed(reference):
    subject = examine(stablehlo_py.parse(PROGRAM))
    assert bisect_pipeline(subject, "canonicalize,cse,symbol-dce", ARGUMENTS[:1], reference) is None


def test_the_first_pass_that_changes_results_is_named(reference):
    """The expansion of a complex function rounds differently from the op itself."""
    text = """func.func @main(%a: tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>> {
      %0 = stablehlo.log_plus_one %a : tensor<2xcomplex<f32>>
      return %0 : tensor<2xcomplex<f32>> }"""
    arguments = [np.complex64([1e-4 + 1e-4j, 3 - 2j])]
    subject = examine(stablehlo_py.parse(text))
    pipeline = "canonicalize,cse,func.func(stablehlo-complex-math-expander),canonicalize"
    found = bisect_pipeline(subject, pipeline, arguments, reference, Tolerance(ulp=0.4))
    assert found is not None
    assert found.guilty == ("func.func(stablehlo-complex-math-expander)",)
    assert found.verdict == "changes results"
    assert "log_plus_one" in found.before
    assert "log_plus_one %arg0 : tensor<2xcomplex" not in found.after


def test_a_pass_that_fails_is_named(reference):
    subject = examine(stablehlo_py.parse(PROGRAM))
    found = bisect_pipeline(subject, "cse,stablehlo-legalize-to-vhlo,canonicalize", ARGUMENTS[:1], reference)
    assert found.guilty == ("stablehlo-legalize-to-vhlo",)
    assert found.verdict == "fails"


def test_an_empty_pipeline_is_refused(reference):
    with pytest.raises(UsageError, match="pipeline"):
        bisect_pipeline(examine(stablehlo_py.parse(PROGRAM)), " , ", ARGUMENTS[:1], reference)


DIVISION = f"""func.func @main(%a: {ROW}) -> {ROW} {{
  %c = stablehlo.constant dense<3.0> : {ROW}
  %0 = stablehlo.divide %a, %c : {ROW}
  return %0 : {ROW} }}"""


def test_xla_tells_which_passes_change_a_program(tmp_path):
    subject = examine(stablehlo_py.parse(DIVISION))
    dumps = dump_hlo(subject.bytecode(), ARGUMENTS[:1], Limits(), tmp_path)
    names = [name for name, _ in dumps]
    assert names[0] == ""
    assert "algsimp" in names
    assert all(path.read_text().startswith("HloModule") for _, path in dumps)


@pytest.mark.release
def test_the_hlo_before_and_after_the_guilty_pass_is_shown(reference):
    """XLA multiplies by a third in place of dividing by three."""
    found = bisect_xla(examine(stablehlo_py.parse(DIVISION)), ARGUMENTS[:1], reference, Tolerance(ulp=0.1))
    assert found.guilty == ("algsimp",)
    assert "divide(" in found.before
    assert "multiply(" not in found.before
    assert "multiply(" in found.after
    assert "divide(" not in found.after


def test_a_pass_that_does_not_exist_is_no_pass_that_fails(reference):
    with pytest.raises(UsageError, match="did you mean 'canonicalize'"):
        bisect_pipeline(examine(stablehlo_py.parse(PROGRAM)), "cse,canonicalise", ARGUMENTS[:1], reference)


@pytest.mark.parametrize(
    ("harmful", "guilty", "verdict"),
    [
        ("algsimp", ("algsimp",), "changes results"),
        later("algsimp+fusion", None, "changes results"),
        later("unknown-pass", (), "inconclusive"),
    ],
)
def test_the_guilty_hlo_pass_is_the_one_without_which_results_are_right(reference, harmful, guilty, verdict):
    """An engine that is wrong unless all the harmful passes are disabled stands for a miscompiling XLA."""
    marked = stablehlo_py.parse(f"""func.func @main(%a: {ROW}) -> {ROW} {{
      %c = stablehlo.constant dense<3.0> : {ROW}
      %0 = stablehlo.divide %a, %c : {ROW}
      %1 = stablehlo.tanh %0 {{planted = "negated"}} : {ROW}
      %2 = stablehlo.add %1, %0 : {ROW}
      return %2 : {ROW} }}""")  # XLA's algsimp and fusion change it

    def engine(name):
        disabled = name.partition("=")[2].split("+")
        right = set(harmful.split("+")) <= set(disabled)
        return open_engine("reference") if right else Engine("planted", "planted_engine:backend")

    found = bisect_xla(examine(marked), ARGUMENTS[:1], reference, make_engine=engine)
    assert found.verdict == verdict
    if guilty is None:
        assert {"algsimp", "fusion"} <= set(found.guilty)
    else:
        assert found.guilty == guilty


def test_xla_that_is_right_has_no_guilty_pass(reference):
    subject = examine(stablehlo_py.parse(PROGRAM))
    assert bisect_xla(subject, ARGUMENTS[:1], reference, make_engine=lambda _: open_engine("reference")) is None
