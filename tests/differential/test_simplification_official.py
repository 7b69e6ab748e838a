"""Simplification leaves no more ops than the official C++ pass does, on random programs.

Runs where torch-mlir is installed, or where STABLEHLO_PY_TORCH_PYTHON names a Python in which it is.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from random import Random

import pytest
from rewrites import CONTEXT
from simplification import module_after, official

from stablehlo_py.bindings.walk import operations_within
from stablehlo_py.conformance.fuzz.structures import draw_program
from stablehlo_py.passes.optimization import AggressiveSimplification

PYTHON = os.environ.get("STABLEHLO_PY_TORCH_PYTHON", sys.executable)


@pytest.mark.skipif(
    sys.executable == PYTHON and importlib.util.find_spec("torch_mlir") is None,
    reason="torch-mlir, which carries the official pass, is not installed",
)
def test_no_more_ops_are_left_than_officially() -> None:
    texts = [draw_program(Random(seed), context=CONTEXT).text for seed in range(200)]
    answers = official(texts, PYTHON)
    compared = [(text, answer) for text, answer in zip(texts, answers, strict=True) if answer is not None]
    assert len(compared) > 150
    for text, answer in compared:
        left, empty = simplified(text)
        assert left - empty <= answer[0], text


def simplified(text: str) -> tuple[int, int]:
    """The ops left, and how many constants without elements are among them.

    Where a loop hands one on unchanged, either pass may find first that the result is the loop's operand, or that it is
    such a constant.
    """
    module, _ = module_after(text, AggressiveSimplification())
    ops = [op for function in module.body.operations for op in operations_within(function.operation)]
    return len(ops), sum("dense<> :" in str(op) for op in ops if op.name == "stablehlo.constant")
