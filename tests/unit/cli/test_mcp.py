"""`stablehlo mcp`: the verbs as tools, asked by the protocol's own client."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytest.importorskip("mcp", reason="the extra mcp is not installed")
import anyio
import click
from mcp import Client, StdioServerParameters, stdio_client

from stablehlo_py.cli.mcp_server import Rules, make_server, verbs
from stablehlo_py.cli.stablehlo import VERBS, stablehlo

EXAMPLES = Path(__file__).parents[3] / "examples"
T = "tensor<4xf32>"
PLANTED = f"""func.func @main(%a: {T}) -> {T} {{
  %0 = stablehlo.abs %a : {T}
  %1 = stablehlo.cbrt %0 : {T}
  %2 = stablehlo.negate %1 : {T}
  return %2 : {T}
}}
"""
SAME = PLANTED.replace("stablehlo.negate %1", "stablehlo.negate %1 {note = 1 : i32}")
ENDLESS = """func.func @main(%a: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.while(%i = %a) : tensor<i32> cond {
    %c = stablehlo.compare EQ, %i, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do { stablehlo.return %i : tensor<i32> }
  return %0 : tensor<i32>
}
"""


def ask(rules, tool, given, seconds=60.0, heard=None):
    """The answer of one tool; None where the client cancels the call after some seconds."""

    async def progress(*told):
        heard.append(told)

    async def main():
        async with Client(make_server(rules)) as client:
            with anyio.move_on_after(seconds):
                return await client.call_tool(tool, given, progress_callback=None if heard is None else progress)

    return anyio.run(main)


def text(answer):
    return answer.content[0].text


def test_tools_are_the_verbs_that_answer_in_json(tmp_path):
    async def main():
        async with Client(make_server(Rules(str(tmp_path)))) as client:
            return (await client.list_tools()).tools

    found = {tool.name: tool for tool in anyio.run(main)}
    assert set(found) == set(verbs())
    without = {verb for verb in VERBS if not any(name == verb or name.startswith(f"{verb}-") for name in found)}
    assert without == {"lsp", "mcp", "completion"}
    command = stablehlo.get_command(click.Context(stablehlo), "compare")
    schema = found["compare"].input_schema
    assert schema["required"] == ["file"]
    assert len(schema["properties"]) == len(command.params) - 1
    assert schema["properties"]["samples"] == {
        "type": "integer",
        "minimum": 1,
        "description": "Sets of arguments to draw.",
    }
    assert schema["properties"]["profile"]["enum"] == ["strict", "default", "xla"]
    assert schema["properties"]["tolerance"]["type"] == "array"


def test_a_client_finds_the_wrong_op_of_an_engine(tmp_path):
    shutil.copy(EXAMPLES / "wrong_backend.py", tmp_path)
    (tmp_path / "planted.mlir").write_text(PLANTED, encoding="utf-8")
    engine = f"command+:{sys.executable} wrong_backend.py"
    code = "from stablehlo_py.cli import stablehlo; stablehlo()"
    words = ["-P", "-c", code, "mcp", f"--folder={tmp_path}", "--allow-commands"]

    async def main():
        server = stdio_client(StdioServerParameters(command=sys.executable, args=words))
        async with Client(server) as client:
            given = {"file": "planted.mlir", "engines": f"reference,{engine}", "verdict-only": True}
            compared = await client.call_tool("compare", given)
            found = await client.call_tool("bisect", {"file": PLANTED, "engine": engine, "reproducer": "wrong.mlir"})
            return compared, found

    compared, found = anyio.run(main)
    assert not compared.is_error, text(compared)
    assert compared.structured_content["exit_code"] == 1
    assert not found.is_error, text(found)
    assert "stablehlo.cbrt" in str(found.structured_content["result"]["culprit"])
    assert "stablehlo.cbrt" in (tmp_path / "wrong.mlir").read_text(encoding="utf-8")


def test_programs_are_texts_or_paths_and_an_answer_of_no_is_no_error(tmp_path):
    (tmp_path / "one.mlir").write_text(PLANTED, encoding="utf-8")
    rules = Rules(str(tmp_path))
    same = ask(rules, "equiv", {"first": "one.mlir", "second": SAME})
    assert (same.is_error, same.structured_content["exit_code"]) == (False, 0)
    assert same.structured_content["result"]["verdict"] == "the same function but for rounding"
    other = ask(rules, "equiv", {"first": PLANTED, "second": PLANTED.replace("negate", "sine")})
    assert (other.is_error, other.structured_content["exit_code"]) == (False, 1)
    assert os.listdir(tmp_path) == ["one.mlir"]


def test_errors_are_the_verbs_messages(tmp_path):
    rules = Rules(str(tmp_path))
    for tool, given, message in (
        ("cost", {"file": "none.mlir"}, "cannot open input file 'none.mlir'"),
        ("cost", {"file": PLANTED.replace("abs", "abz")}, "did you mean stablehlo.abs"),
        ("cost", {}, "Missing argument 'FILE'"),
        ("cost", {"file": PLANTED, "tops": 1}, "cost has no parameter 'tops'"),
        ("costs", {}, "there is no tool 'costs'"),
        ("cost", {"file": "--version"}, "cannot open input file '--version'"),
    ):
        answer = ask(rules, tool, given)
        assert answer.is_error
        assert message in text(answer)


@pytest.mark.skipif(os.name == "nt", reason="a link needs rights there")
def test_nothing_outside_the_folder_is_read_or_written(tmp_path):
    folder = tmp_path / "folder"
    folder.mkdir()
    secret = tmp_path / "secret.py"
    secret.write_text("a secret line\n", encoding="utf-8")
    (folder / "link").symlink_to(tmp_path)
    rules = Rules(str(folder))
    for tool, given in (
        ("cost", {"file": str(secret)}),
        ("cost", {"file": "../secret.py"}),
        ("cost", {"file": "link/secret.py"}),
        ("cost", {"file": "~/program.mlir"}),
        ("view", {"file": PLANTED, "output": "link/page.html"}),
        ("run", {"file": PLANTED, "output": str(tmp_path / "x.npz")}),
        ("run", {"file": PLANTED, "engine": "xla", "xla": [f"xla_dump_to={tmp_path}"]}),
        ("steps", {"file": PLANTED, "pipeline": f"cse{{x={tmp_path}/y}}"}),
        ("run", {"file": PLANTED, "work": ".."}),
    ):
        answer = ask(rules, tool, given)
        assert answer.is_error
        assert "is outside the folder" in text(answer)
    named = PLANTED.replace("negate %1 : tensor<4xf32>", f'negate %1 : tensor<4xf32> loc("{secret}":1:1)')
    assert not ask(rules, "view", {"file": named, "output": "page.html"}).is_error
    assert "a secret line" not in (folder / "page.html").read_text(encoding="utf-8")
    assert sorted(os.listdir(tmp_path)) == ["folder", "secret.py"]


@pytest.mark.parametrize("engine", ["command:true", "command+:true", "reference,command:true", "reference@python3"])
def test_commands_run_only_where_they_are_allowed(tmp_path, engine):
    answer = ask(Rules(str(tmp_path)), "run", {"file": PLANTED, "engine": engine})
    assert answer.is_error
    assert "runs a command, or works elsewhere" in text(answer)


def processes_of(folder):
    """The commands of processes that work in a folder."""
    listed = subprocess.run(["ps", "axww", "-o", "command"], capture_output=True, text=True, check=True).stdout
    return [line for line in listed.splitlines() if str(folder) in line or Path(folder).name in line]


@pytest.mark.skipif(shutil.which("ps") is None, reason="processes are listed by ps")
def test_a_cancelled_call_and_one_that_takes_too_long_leave_nothing(tmp_path):
    heard = []
    given = {"file": ENDLESS, "args": f"[dense<1> : tensor<i32>]{' ' * 3}", "work": str(tmp_path)}
    assert ask(Rules(str(tmp_path)), "run", given, seconds=3.5, heard=heard) is None
    assert [told[:2] for told in heard][:2] == [(1.0, 600.0), (2.0, 600.0)]
    late = ask(Rules(str(tmp_path), seconds=2.0), "run", given)
    assert late.is_error
    assert "run took longer than 2 s" in text(late)
    end = time.monotonic() + 10
    while processes_of(tmp_path) and time.monotonic() < end:
        time.sleep(0.2)
    assert processes_of(tmp_path) == []
    assert not [name for name in os.listdir(tmp_path) if name.startswith(".stablehlo_py.")]


# The compiler crashes on it, see docs/spec-gaps.md.
CRASHES = """func.func @main(%operand: tensor<2x3x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) {
  %0 = "stablehlo.transpose"(%operand) {permutation = array<i64>}
    : (tensor<2x3x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) -> tensor<3x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>
  return
}
"""


def test_a_crash_of_the_compiler_does_not_end_the_server(tmp_path):
    async def main():
        async with Client(make_server(Rules(str(tmp_path)))) as client:
            crashed = await client.call_tool("cost", {"file": CRASHES})
            return crashed, await client.call_tool("hash", {"file": PLANTED})

    crashed, after = anyio.run(main)
    assert crashed.is_error
    assert "error: the compiler crashed" in text(crashed)
    assert after.structured_content["result"]["by"] == "ops"
