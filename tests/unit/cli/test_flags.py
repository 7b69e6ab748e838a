"""The page about upstream's flags says what the tools do, for every flag."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

from stablehlo_py.cli.command_line import read_command_line
from stablehlo_py.cli.options import ALIASES, GROUPS, INTEGER, NUMBER, SWITCH, TOOLS, TRANSLATE, options_of
from stablehlo_py.errors import UsageError

ROOT = Path(__file__).parents[3]
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


def sample(tool: str, name: str) -> str:
    """A value for the flag, with the sign in front of it; empty for one without a value."""
    option = options_of(tool)[ALIASES.get(name, name)]
    if name in SAMPLES:
        return f"={SAMPLES[name]}"
    if option.refused or option.kind == SWITCH:
        return ""
    return f"={option.choices[0]}" if option.choices else "=1" if option.kind in (INTEGER, NUMBER) else "=x"


@pytest.mark.parametrize("dashes", ["-", "--"])
def test_a_flag_works_or_is_refused_with_the_reason_on_the_page(dashes):
    for tool, name in UPSTREAM:
        if name in COMMON:
            continue
        flag, why = f"{dashes}{name}{sample(tool, name)}", TOOL["option_of"](tool, name).refused
        if not why:
            assert len(read_command_line(tool, [flag]).values) == 1
            continue
        with pytest.raises(UsageError, match=re.escape(f"flag --{name} cannot be had: {why}")):
            read_command_line(tool, [flag])


def test_the_table_says_a_thing_once():
    options = [option for group in GROUPS.values() for option in group]
    for tool in TOOLS:
        names = [option.name for option in options if tool in option.tools]
        assert sorted(names) == sorted(set(names)), tool


def test_every_flag_of_the_page_has_a_lit_test():
    lines = {tool: "".join(re.findall(rf"{tool}\b(.*\n)", RUN_LINES)) for tool, _ in UPSTREAM}
    used = {tool: set(re.findall(r" --?([\w.-]+)(?=[ =\n])", text)) for tool, text in lines.items()}
    assert [(tool, name) for tool, name in UPSTREAM if name not in used[tool]] == []


def test_a_command_line_is_read():
    arguments = ["-interpret", "a.mlir", "--input", "b", "--input=c", "-max-steps", "7", "--progress=false", "-o=d"]
    options = read_command_line(TRANSLATE, arguments)
    assert list(options.values) == ["interpret", "input", "max-steps", "progress", "o"]
    assert (options.input, options.all("input"), options.text("o")) == ("a.mlir", ["b", "c"], "d")
    assert (options.integer("max-steps"), options.integer("max-memory"), options.switch("progress")) == (7, None, False)


@pytest.mark.parametrize(
    ("argument", "message"),
    [
        ("--num-replicas=0", "flag --num-replicas expects an integer from 1 to 4096, found '0'"),
        (
            "--max-steps=9223372036854775808",
            "flag --max-steps expects an integer of 64 bits, found '9223372036854775808'",
        ),
        ("--max-steps=many", "flag --max-steps expects an integer, found 'many'"),
        ("--timeout=-1", "flag --timeout expects a number of at least 0, found '-1'"),
        ("--timeout=nan", "flag --timeout expects a number of at least 0, found 'nan'"),
        ("--grid=global", "flag --grid expects one of local, mpi, found 'global'"),
        ("--seralize", "unknown flag '--seralize'; did you mean --serialize?"),
        ("--args", "flag --args needs a value: --args=attributes"),
    ],
)
def test_a_mistake_in_a_command_line_is_told(argument, message):
    with pytest.raises(UsageError, match=re.escape(message)):
        read_command_line(TRANSLATE, [argument])
