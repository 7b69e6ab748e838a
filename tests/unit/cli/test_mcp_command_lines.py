"""Calls of the Model Context Protocol as command lines: the words of each parameter, schemas, and what is refused."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

pytest.importorskip("mcp", reason="the server needs the extra mcp")

from stablehlo_py.cli.mcp_server import Rules, command_line, tools, verbs
from stablehlo_py.cli.verbs.mcp import command as mcp
from stablehlo_py.errors import UsageError

PROGRAM = "func.func @main() {\n  return\n}\n"


def line(tmp_path: Path, tool: str, given: dict[str, Any], **rules: Any) -> list[str]:
    return command_line(tool, given, Rules(str(tmp_path), **rules), str(tmp_path))


@pytest.mark.parametrize(
    ("tool", "given", "words"),
    [
        ("hash", {"file": "a.mlir"}, ["hash", "--json", "--", "a.mlir"]),
        ("hash", {"by": "function", "file": "a.mlir"}, ["hash", "--by=function", "--json", "--", "a.mlir"]),
        ("cost", {"file": "a.mlir", "top": 3, "ops": True}, ["cost", "--top=3", "--ops", "--json", "--", "a.mlir"]),
        ("cost", {"file": "a.mlir", "ops": False}, ["cost", "--json", "--", "a.mlir"]),
        ("cost", {"file": "a.mlir", "at": ["n=1", "m=2"]}, ["cost", "--at=n=1", "--at=m=2", "--json", "--", "a.mlir"]),
        ("cost", {"file": "a.mlir", "at": []}, ["cost", "--json", "--", "a.mlir"]),
        ("diff", {"first": "a.mlir", "second": "b.mlir"}, ["diff", "--json", "--", "a.mlir", "b.mlir"]),
        ("conformance-run", {"engine": "xla"}, ["conformance", "run", "--engine=xla", "--json", "--"]),
    ],
)
def test_parameters_become_words(tool: str, given: dict[str, Any], words: list[str], tmp_path: Path) -> None:
    assert line(tmp_path, tool, given) == words


def test_programs_may_be_given_as_text(tmp_path: Path) -> None:
    words = line(tmp_path, "diff", {"first": PROGRAM, "second": "b.mlir"})
    assert words[:3] == ["diff", "--json", "--"]
    assert Path(words[3]).read_text() == PROGRAM
    assert words[4] == "b.mlir"
    both = line(tmp_path, "diff", {"first": PROGRAM, "second": PROGRAM.replace("main", "other")})
    assert [Path(word).read_text() for word in both[3:]] == [PROGRAM, PROGRAM.replace("main", "other")]
    (path,) = line(tmp_path, "hash", {"file": "-"})[3:]  # a call has no standard input
    assert Path(path).read_text() == "-"


@pytest.mark.parametrize(
    ("tool", "given", "said"),
    [
        ("hush", {}, "there is no tool 'hush'"),
        ("hash", {"files": "a"}, "hash has no parameter 'files'"),
        ("hash", {"file": "../a.mlir"}, "file: '../a.mlir' is outside the folder"),
        ("hash", {"file": "/a.mlir"}, "file: '/a.mlir' is outside the folder"),
        ("hash", {"file": "~/a.mlir"}, "file: '~/a.mlir' is outside the folder"),
        ("run", {"file": "a.mlir", "inputs": "b/../../x.npz"}, "inputs: 'b/../../x.npz' is outside the folder"),
        ("run", {"file": "a.mlir", "args": "[0=/etc/x]"}, "is outside the folder"),
        ("run", {"file": "a.mlir", "engine": "command:rm"}, "engine: 'command:rm' runs a command, or works elsewhere"),
        ("run", {"file": "a.mlir", "engine": "command+: rm"}, "runs a command"),
        ("run", {"file": "a.mlir", "engine": "xla@host"}, "runs a command, or works elsewhere"),
        ("reduce", {"file": "a.mlir", "command": "true"}, "command: 'true' runs a command"),
        ("compare", {"file": "a.mlir", "cluster": "local"}, "cluster: 'local' runs a command, or works elsewhere"),
    ],
)
def test_what_is_not_allowed_is_refused(tool: str, given: dict[str, Any], said: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError) as caught:
        line(tmp_path, tool, given)
    assert said in caught.value.message, caught.value.message
    if "runs a command" in said:
        assert caught.value.notes == ("stablehlo mcp --allow-commands lets calls run them",)
        assert line(tmp_path, tool, given, commands=True)[0] == tool
    elif "outside" in said:
        assert caught.value.notes == ("use a path within it",)


@pytest.mark.parametrize("path", ["a.mlir", "./a.mlir", "b/../a.mlir", "b/c/a.mlir", "0=a.mlir", ".", "engine:x"])
def test_paths_within_the_folder_are_taken(path: str, tmp_path: Path) -> None:
    Rules(str(tmp_path)).check("name", path)
    Rules(str(tmp_path)).check("name", str(tmp_path / path))
    (tmp_path / "link").symlink_to("/")
    with pytest.raises(UsageError, match="is outside the folder"):
        Rules(str(tmp_path)).check("name", f"link/{path}")


@pytest.mark.parametrize("name", ["in-two", "in.mlir", "inside/a.mlir", "i", "", "in/../in2"])
def test_a_folder_beside_that_begins_like_it_is_outside(name: str, tmp_path: Path) -> None:
    rules = Rules(str(tmp_path / "in"))
    with pytest.raises(UsageError, match=r"^error: name: '.*' is outside the folder"):
        rules.check("name", str(tmp_path / name))
    with pytest.raises(UsageError, match="is outside the folder"):
        rules.check("name", f"../{name}")


def test_schemas_have_the_types_bounds_and_needs_of_the_options() -> None:
    found = {tool.name: tool.input_schema for tool in tools()}
    assert set(found) == set(verbs())
    cost = found["cost"]
    assert (cost["type"], cost["required"], cost["additionalProperties"]) == ("object", ["file"], False)
    assert "json" not in cost["properties"]
    kinds = {name: {k: v for k, v in each.items() if k != "description"} for name, each in cost["properties"].items()}
    assert kinds["top"] == {"type": "integer", "minimum": 1}
    assert kinds["ops"] == {"type": "boolean"}
    assert kinds["at"] == {"type": "array", "items": {"type": "string"}}
    assert kinds["file"] == {"type": "string"}
    by = found["hash"]["properties"]["by"]
    assert by["enum"][0] == "ops"
    assert found["run"]["properties"]["timeout"]["type"] == "number"
    assert found["diff"]["required"] == ["first", "second"]
    texts = [each["description"] for schema in found.values() for each in schema["properties"].values()]
    assert all(texts), "a parameter has no description"
    assert "a line break" in cost["properties"]["file"]["description"]


def test_rules_are_strict_unless_they_are_loosened() -> None:
    rules = Rules("folder")
    assert (rules.commands, rules.seconds) == (False, 600.0)


@pytest.mark.parametrize(
    ("missing", "error", "said"),
    [
        ("mcp", UsageError, "mcp is not installed"),
        ("anyio", UsageError, "mcp is not installed"),
        ("stablehlo_py.analysis.view", ModuleNotFoundError, "stablehlo_py.analysis.view"),
    ],
)
def test_a_missing_extra_is_told_and_other_missing_modules_are_not_hidden(
    missing: str, error: type[Exception], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "stablehlo_py.cli.mcp_server")
    monkeypatch.delattr("stablehlo_py.cli.mcp_server", raising=False)
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(error, match=said) as caught:
        CliRunner().invoke(mcp, [f"--folder={tmp_path}"], standalone_mode=False, catch_exceptions=False)
    if isinstance(caught.value, UsageError):
        assert caught.value.notes == ("pip install 'stablehlo-py[mcp]'",)


def test_the_folder_of_a_server_has_to_be_one(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="none' is not a folder"):
        CliRunner().invoke(mcp, [f"--folder={tmp_path / 'none'}"], standalone_mode=False, catch_exceptions=False)
