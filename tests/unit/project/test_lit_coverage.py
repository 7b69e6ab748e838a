"""Every flag and every pass of stablehlo-opt has a lit test."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest

from stablehlo_py.cli.options import OPT, TRANSLATE, options_of
from stablehlo_py.cli.stablehlo import VERBS, stablehlo
from stablehlo_py.passes.catalog import PYTHON_PASSES, compiled_passes

LIT = Path(__file__).parents[2] / "lit"
RUN_LINES = "\n".join(
    line
    for path in LIT.rglob("*.mlir")
    if "Output" not in path.parts
    for line in path.read_text(encoding="utf-8").splitlines()
    if "RUN:" in line
)


@pytest.mark.parametrize("tool", [OPT, TRANSLATE])
def test_every_flag_is_tested(tool):
    lines = RUN_LINES + "\n"
    assert [name for name in options_of(tool) if not re.search(rf" --?{re.escape(name)}[ =\n]", lines)] == []


def test_every_pass_is_tested_by_flag_and_in_a_pipeline():
    assert len(compiled_passes()) > 20
    for name in compiled_passes():
        assert re.search(rf" --?{name}[ =\n]", RUN_LINES), name
        assert re.search(rf"--pass-pipeline='[^']*\b{name}[{{,)]", RUN_LINES), name


def test_every_python_pass_is_tested():
    assert [name for name in PYTHON_PASSES if not re.search(rf"[ (,]-?-?{name}\b", RUN_LINES)] == []


@pytest.mark.parametrize(
    "verb", [name for name, verb in VERBS.items() if verb.purpose in ("Run and compare", "Find what is wrong")]
)
def test_every_option_of_the_debugger_is_tested(verb):
    lines = [line for line in RUN_LINES.splitlines() if f"stablehlo {verb} " in line]
    everywhere = "\n".join(line for line in RUN_LINES.splitlines() if "stablehlo run " in line)
    command = stablehlo.get_command(click.Context(stablehlo), verb)
    assert command is not None
    shared = {option for one in command.params for option in one.opts} & {
        "--inputs", "--args", "--cast-inputs", "--input-distribution", "--seed", "--timeout", "--max-memory", "--work",
        "--function",
    }  # fmt: skip
    text = "\n".join(lines) + "\n"
    names = [max(one.opts, key=len) for one in command.params if isinstance(one, click.Option)]
    missing = [name for name in names if not re.search(rf" {name}[ =\n]", everywhere if name in shared else text)]
    assert missing == []
