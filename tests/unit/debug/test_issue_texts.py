"""The last runs of a reduced program tell whether its error shows in every run."""

from __future__ import annotations

import numpy as np
import pytest

import stablehlo_py
from stablehlo_py.debug.reduction import question as questions
from stablehlo_py.debug.reduction.reduce import Reduction
from stablehlo_py.engines import Engine, Limits, Outcome


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
