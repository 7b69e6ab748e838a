"""Every flag and every pass of stablehlo-opt has a lit test."""

from __future__ import annotations

import re
from pathlib import Path

from stablehlo_py.cli.opt_flags import FLAGS
from stablehlo_py.passes.catalog import PYTHON_PASSES
from stablehlo_py.passes.compiled import COMPILED_PASSES

LIT = Path(__file__).parents[1] / "lit"
RUN_LINES = "\n".join(
    line
    for path in LIT.rglob("*.mlir")
    if "Output" not in path.parts
    for line in path.read_text(encoding="utf-8").splitlines()
    if "RUN:" in line
)


def test_every_flag_is_tested():
    assert [name for name in FLAGS if not re.search(rf" --?{re.escape(name)}[ =\n]", RUN_LINES + "\n")] == []


def test_every_pass_is_tested_by_flag_and_in_a_pipeline():
    for name in COMPILED_PASSES:
        assert re.search(rf" --?{name}[ =\n]", RUN_LINES), name
        assert re.search(rf"--pass-pipeline='[^']*\b{name}[{{,)]", RUN_LINES), name


def test_every_python_pass_is_tested():
    assert [name for name in PYTHON_PASSES if not re.search(rf"[ (,]-?-?{name}\b", RUN_LINES)] == []
