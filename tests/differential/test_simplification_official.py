"""Simplification leaves no more ops than the official C++ pass does, on random programs.

Runs where torch-mlir is installed, or where STABLEHLO_PY_TORCH_PYTHON names a Python in which it is.
"""

from __future__ import annotations

import importlib.util
import os
import sys

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from random_programs import random_program
from rewrites import CONTEXT
from simplification import official, run

from stablehlo_py.passes.optimization import AggressiveSimplification

PYTHON = os.environ.get("STABLEHLO_PY_TORCH_PYTHON", sys.executable)


@pytest.mark.skipif(
    sys.executable == PYTHON and importlib.util.find_spec("torch_mlir") is None,
    reason="torch-mlir, which carries the official pass, is not installed",
)
def test_no_more_ops_are_left_than_officially() -> None:
    texts: list[str] = []

    @settings(max_examples=200, derandomize=True, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(st.data())
    def write(data: st.DataObject) -> None:
        texts.append(random_program(data.draw, CONTEXT, exact=True)[0])

    write()
    answers = official(texts, PYTHON)
    compared = [(text, answer) for text, answer in zip(texts, answers, strict=True) if answer is not None]
    assert len(compared) > 150
    for text, answer in compared:
        assert run(text, AggressiveSimplification())[0] <= answer[0], text
