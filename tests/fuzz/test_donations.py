"""The suite of the interpreter, with updates in place, without, and with garbage in arrays that are given up."""

from __future__ import annotations

from pathlib import Path

import pytest
from donated_programs import WAYS, donating
from speeds import later

import stablehlo_py
from stablehlo_py.interpreter.program import Program

SUITE = Path(__file__).resolve().parent.parent / "lit" / "interpret"
SPLIT = "// -----"
RUN = "RUN: stablehlo-translate --interpret --split-input-file %s"


def _runs(text: str) -> int:
    """Run each function of a program without parameters three times; return how many there are."""
    program = Program(stablehlo_py.parse(text, trust_input=True))
    functions = [name for name in program.functions if not program.parameter_types(name)]
    for function in functions:
        for _ in range(3):
            program.run([], function=function)
    return len(functions)


@pytest.mark.parametrize(("way", "step"), [("garbage", 3), *[later(way, 1) for way in WAYS]])
def test_suite(way: str, step: int) -> None:
    """Programs that check their results, each run step by step and compiled, of every file or every third."""
    ran = 0
    for path in sorted(SUITE.glob("*.mlir"))[::step]:
        text = path.read_text(encoding="utf-8")
        if RUN in text and "REQUIRES" not in text:  # any release of the dialects can read it
            with donating(way):
                ran += sum(map(_runs, text.split(SPLIT)))
    assert ran > 400 / step
