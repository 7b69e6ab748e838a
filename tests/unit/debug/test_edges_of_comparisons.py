"""Comparisons with the first wrong op, reports of them, and random originals of imports."""

from __future__ import annotations

import importlib
import xml.etree.ElementTree as ElementTree
from typing import Any

import numpy as np
import pytest
from parsed import parsed
from swapped_engine import Swapped

from stablehlo_py.artifacts.formats.original import Original
from stablehlo_py.debug import judge
from stablehlo_py.debug.allowed.measures import EXACT
from stablehlo_py.debug.allowed.spread import Local
from stablehlo_py.debug.compare import as_junit, compare, explained
from stablehlo_py.debug.imports import ImportCheck
from stablehlo_py.engines import Limits, Outcome
from stablehlo_py.errors import InputError

PROGRAM = """func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = stablehlo.negate %x : tensor<4xf32>
  %1 = stablehlo.tanh %0 : tensor<4xf32>
  %2 = stablehlo.add %1, %1 : tensor<4xf32>
  return %2, %0 : tensor<4xf32>, tensor<4xf32>
}"""
X = np.array([0.5, 1.0, -1.5, 2.0], np.float32)


def engines(outcome: Outcome | None = None) -> list[Any]:
    """The reference, one that is right, and one with a sine for tanh or, if one is given, an outcome."""
    found = [
        Local(),
        Local(),
        Swapped({} if outcome else {"tanh": "sine"}, bad="tanh" if outcome else "", outcome=outcome),
    ]
    for engine, name in zip(found, ("reference", "right", "wrong"), strict=True):
        engine.name = name
    return found


def test_results_that_differ_name_the_first_wrong_op() -> None:
    module, chosen = parsed(PROGRAM), engines()
    found = compare(module, chosen, arguments=[[X], [2 * X]], explains=False)
    verdicts = [(each.sample, each.result, each.engine, each.verdict) for each in found.results]
    assert verdicts == [
        (sample, result, engine, "differs" if (engine, result) == ("wrong", 0) else "same")
        for sample in (0, 1)
        for engine in ("right", "wrong")
        for result in (0, 1)
    ]
    assert {each.culprit for each in found.results} == {""}
    named = explained(found, module, chosen)
    assert [bool(each.culprit) for each in named.results] == [verdict == "differs" for *_, verdict in verdicts]
    wrong = [each for each in named.results if each.culprit]
    assert all("stablehlo.tanh" in each.culprit for each in wrong), wrong
    assert all(each.because[-1] == f"  first wrong op: {each.culprit}" for each in wrong)
    assert named.verdict == "differs"
    text = str(named)
    assert text.count("first wrong op: ") == 2
    assert "\ndiffers: 6 of 8 results agree with reference\n" in text


@pytest.mark.parametrize("number", [0, 1])
def test_a_tolerance_for_one_result_leaves_the_other_what_rounding_explains(number: int) -> None:
    wide = Local("f64")
    found = compare(parsed(PROGRAM), [Local(), wide], arguments=[[X]], tolerances={str(number): EXACT}, explains=False)
    allowed = [each.tolerance for each in found.results]
    assert allowed[number] == EXACT
    assert "what rounding explains" in str(allowed[1 - number])


@pytest.mark.parametrize("name", ["compare", "judge"])
@pytest.mark.parametrize("limits", [None, Limits(2.5)])
def test_engines_that_are_opened_have_the_limits_that_are_given(
    name: str, limits: Limits | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = list[tuple[str, Limits | None]]()

    def opening(engine: str, bounds: Limits | None = None) -> Local:
        opened.append((engine, bounds))
        return Local()

    module = importlib.import_module(f"stablehlo_py.debug.{name}")
    monkeypatch.setattr(module, "open_engine", opening)
    if name == "compare":
        compare(parsed(PROGRAM), ["a", "b"], arguments=[[X]], limits=limits)
    else:
        judge(parsed(PROGRAM), ["b"], reference="a", arguments=[X], limits=limits)
    assert opened == [("a", limits), ("b", limits)]


def test_a_report_has_a_case_for_each_result_and_each_failure() -> None:
    module = parsed(PROGRAM)
    for outcome, kinds in ((None, ["failure"]), (Outcome("crash", message="SIGSEGV"), ["error"])):
        found = compare(module, engines(outcome), arguments=[[X]], explains=False)
        suites = list(ElementTree.fromstring(as_junit("a.mlir", found)).iter("testsuite"))
        assert [suite.get("name") for suite in suites] == ["stablehlo compare a.mlir"]
        cases = [(case.get("classname"), case.get("name"), [part.tag for part in case]) for case in suites[0]]
        right = [("right", f"sample 0 result {number}", []) for number in (0, 1)]
        numbered = [("wrong", f"sample 0 result {number}", kinds * (number == 0)) for number in (0, 1)]
        wrong = numbered if outcome is None else [("wrong", "sample 0", kinds)]
        assert sorted(cases) == sorted([*right, *wrong])


IDENTITY = b"func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> { return %x : tensor<2xf32> }"


@pytest.mark.parametrize(
    ("results", "said"),
    [
        (lambda x, seed: x, ""),
        (lambda x, seed: x + seed, "its results are random"),
        (lambda x, seed: x[: 2 - seed], "its results are random"),
        (lambda x, seed: x * np.float32(1 + seed * 1e-7), ""),
    ],
)
def test_originals_whose_results_are_random_are_left_alone(results: Any, said: str) -> None:
    def expanded() -> Any:
        raise InputError("cannot be expressed")

    original = Original("theirs", lambda arguments, seed: [results(arguments[0], seed)], expanded, ())
    assert ImportCheck()(IDENTITY, original).removeprefix("it is not compared with theirs: ") == said
