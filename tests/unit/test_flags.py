"""The page about upstream's flags says what the tools do, for every flag."""

from __future__ import annotations

import random
import re
import runpy
from pathlib import Path

import pytest

from stablehlo_py.cli import translate_command
from stablehlo_py.cli.opt_flags import ALIASES, FLAGS, INTEGER, SWITCH, read_command_line
from stablehlo_py.cli.translate import read_simple
from stablehlo_py.cli.translate_command import command, llvm_arguments
from stablehlo_py.errors import UsageError

ROOT = Path(__file__).parents[2]
TOOL = runpy.run_path(str(ROOT / "tools" / "generate" / "flags.py"))
UPSTREAM = [
    (tool, name) for tool in TOOL["TOOLS"] for names in TOOL["upstream_flags"](tool).values() for name in names
]  # fmt: skip
# Each starts a process that ends at once: the flag is not read with others.
COMMON = {"color", "help", "h", "help-hidden", "help-list", "help-list-hidden", "version"}
SAMPLES = {
    "verify-diagnostics": "all",
    "mlir-timing-display": "list",
    "mlir-output-format": "text",
    "mlir-pass-statistics-display": "list",
    "mlir-diagnostic-verbosity-level": "errors",
}
RUN_LINES = "\n".join(
    line
    for path in (ROOT / "tests" / "lit").rglob("*.mlir")
    if "Output" not in path.parts
    for line in path.read_text(encoding="utf-8").splitlines()
    if "RUN:" in line
)


def test_the_page_is_up_to_date():
    assert (ROOT / "docs" / "flags.md").read_text(encoding="utf-8") == TOOL["page"]()


def sample(name: str) -> str:
    """A value for the flag, with the sign in front of it; empty for one without a value."""
    flag = FLAGS.get(ALIASES.get(name, name))
    if name in SAMPLES:
        return f"={SAMPLES[name]}"
    if flag is None or flag.kind == SWITCH:
        return ""
    return "=1" if flag.kind == INTEGER else "=x"


def read(tool: str, spelling: str) -> None:
    if tool == "stablehlo-opt":
        options = read_command_line([spelling], lambda _: False)
        assert len(options.values) == 1
    else:
        name = spelling.lstrip("-").partition("=")[0]
        value = "=x" if name in ("args", "target", "probe-output-dir", "o", "output-split-marker") else ""
        command.make_context(tool, llvm_arguments([spelling if "=" in spelling else f"{spelling}{value}"]))


@pytest.mark.parametrize("dashes", ["-", "--"])
def test_a_flag_works_or_is_refused_with_the_reason_on_the_page(dashes):
    for tool, name in UPSTREAM:
        if name in COMMON:
            continue
        flag, why = f"{dashes}{name}{sample(name)}", TOOL["refusal"](tool, name)
        if not why:
            read(tool, flag)
            continue
        with pytest.raises(UsageError, match=re.escape(f"flag --{name} cannot be had: {why}")):
            read(tool, flag)


def test_every_flag_of_the_page_has_a_lit_test():
    lines = {tool: "".join(re.findall(rf"{tool}\b(.*\n)", RUN_LINES)) for tool, _ in UPSTREAM}
    used = {tool: set(re.findall(r" --?([\w.-]+)(?=[ =\n])", text)) for tool, text in lines.items()}
    assert [(tool, name) for tool, name in UPSTREAM if name not in used[tool]] == []


PARTS = (
    *(["--interpret"], ["-serialize"], ["--deserialize"], ["a.mlir"], ["-"], ["-o", "b"], ["-o=c"], ["--target=1.2.3"]),
    *(["-args", "[dense<1> : tensor<i32>]"], ["--function=f"], ["--probe-output-dir", "d"], ["--strip-debuginfo"]),
    *(["-allow-other-dialects"], ["--allow-unregistered-dialect"], ["--progress"], ["--args="], ["--interpret=true"]),
    *(["--"], ["-o"], ["--nothing"], ["--target", "-o"]),
)


def test_simple_command_lines_are_read_as_click_reads_them(monkeypatch):
    found = []
    monkeypatch.setattr(translate_command, "translate", lambda flags, steps: found.append((flags, list(steps))) or 0)
    choose, simple = random.Random(0), 0
    for _ in range(500):
        arguments = [word for part in choose.sample(PARTS, choose.randint(1, 4)) for word in part]
        read = read_simple(arguments)
        if read is not None:
            translate_command.run(arguments)
            assert found.pop() == read, arguments
            simple += 1
    assert simple > 50
