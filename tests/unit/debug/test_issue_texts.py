"""A reduced program as a test that checks itself, and as the text of a report."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

import stablehlo_py
from stablehlo_py.debug.reduction import question as questions
from stablehlo_py.debug.reduction.reduce import Reduction
from stablehlo_py.debug.reduction.reproducer import issue_text, self_checking
from stablehlo_py.engines import Engine, Limits, Outcome

pytestmark = pytest.mark.usefixtures("importable", "trusted")  # engines start with `planted_engine` at hand


def test_the_reproducer_checks_itself(tmp_path):
    text = """func.func @main(%a: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xi1>) {
      %0 = stablehlo.sine %a : tensor<2xf32>
      %1 = stablehlo.compare LT, %0, %a : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
      return %0, %1 : tensor<2xf32>, tensor<2xi1> }"""
    module, arguments = stablehlo_py.parse(text), [np.float32([0.5, -1])]
    results = stablehlo_py.interpret(module, arguments)
    path = tmp_path / "test.mlir"
    for wrong in (False, True):
        expected = [results[0] + wrong, results[1]]
        path.write_text(self_checking(module, arguments, expected))
        ended = subprocess.run(
            [sys.executable, "-c", "from stablehlo_py.cli import *; stablehlo_translate()", "--interpret", path],
            capture_output=True,
            text=True,
        )
        assert ended.returncode == int(wrong), ended.stderr


def test_the_issue_text_has_all_that_is_needed():
    module = stablehlo_py.parse("func.func @main() { return }")
    found = Reduction(module, (np.float32([1]),), 1, 500, "values differ", 40)
    text = issue_text(found, "stablehlo compare x.mlir", {"xla": {"provider": "jaxlib 1"}}, [("xla", "2.0")])
    for part in ("500 ops", "func.func @main", "0: [1.0]", "stablehlo compare x.mlir", "jaxlib 1", "2.0"):
        assert part in text


@pytest.mark.parametrize("wrong", [{4}, {1, 4, 7}, set(), set(range(12))])
def test_the_last_runs_tell_how_often_the_error_shows(monkeypatch, wrong):
    """The outcome of the engine is one of a run that was wrong, as the text of the issue has it."""

    class Sometimes(Engine):
        def __init__(self):
            super().__init__("sometimes", "stablehlo_py.engines.reference:backend")
            self.runs = 0

        def run(self, module, arguments):
            self.runs += 1
            value = np.float32([2 if self.runs - 1 in wrong else 1])
            return Outcome("ok", results=(value,))

    class Right(Sometimes):
        def __init__(self):
            super().__init__()
            self.name, self.runs = "right", 100

    engines = {"right": Right, "sometimes": Sometimes}
    monkeypatch.setattr(questions, "open_engine", lambda name, _: engines[name]())
    program = stablehlo_py.parse("func.func @main(%a: tensor<1xf32>) -> tensor<1xf32> { return %a : tensor<1xf32> }")
    found = Reduction(program, (np.float32([1]),), 1, 9, "values differ", 3)
    question = questions.Question(questions.EnginePair("right", "sometimes", None), False, None, "0", "")
    runs = questions.last_runs(question, found, Limits())
    assert runs.outcomes["sometimes"].results[0] == (2 if wrong else 1)
    counted = [f"{len(wrong)} of 12 runs in sometimes show the error"]
    counted = [counted[0] + ", the values below are of the first of these"] if wrong else counted
    varies = ["sometimes is not deterministic"] if 0 < len(wrong) < 12 else []
    assert list(runs.notes) == ([] if len(wrong) == 12 else [*varies, *counted])
