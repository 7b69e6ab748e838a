"""From the command line to a tool's work: entry points, flags of every tool, the guard, and words about a crash."""

from __future__ import annotations

import importlib
import os
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import stablehlo_py
from stablehlo_py import cli
from stablehlo_py.analysis import page
from stablehlo_py.bindings import make_context, provider
from stablehlo_py.cli import common, crash_report, information, opt_tool
from stablehlo_py.cli.command_line import take_common_flags
from stablehlo_py.cli.driver import load_program
from stablehlo_py.errors import UsageError
from stablehlo_py.isolation.outcome import Outcome
from stablehlo_py.isolation.tool import Step
from stablehlo_py.syntax import Source

TANH = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.tanh %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""


@pytest.mark.parametrize(
    ("entry", "module", "words"),
    [
        ("stablehlo_opt", "opt", ["a"]),
        ("stablehlo_translate", "translate", ["a"]),
        ("stablehlo_compat", "compat", ["a"]),
        ("stablehlo", "stablehlo", ["a"]),
        ("stablehlo_lsp_server", "stablehlo", ["lsp", "a"]),
    ],
)
def test_each_entry_point_runs_its_tool(
    entry: str, module: str, words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = list[Any]()
    tool = SimpleNamespace(main=lambda: calls.append(list(sys.argv)))
    imported = SimpleNamespace(import_module=lambda *given: (calls.append(given), tool)[1])
    # A module of its own: once its tool is imported, the package has the module `stablehlo` in place of the function.
    ways: dict[str, Any] = {"__package__": "stablehlo_py.cli"}
    exec(compile(Path(cli.__file__).read_text(encoding="utf-8"), cli.__file__, "exec"), ways)
    ways |= {"importlib": imported, "gc": SimpleNamespace(set_threshold=calls.append)}
    monkeypatch.setattr(sys, "argv", ["tool", "a"])
    ways[entry]()
    assert calls == [20_000, (f".{module}", "stablehlo_py.cli"), ["tool", *words]]
    monkeypatch.setattr(sys, "argv", ["tool", "--version"])
    ways[entry]()
    assert calls[-1] == ["tool", "--version"]

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    imported.import_module = interrupted
    with pytest.raises(SystemExit) as ended:
        ways[entry]()
    assert ended.value.code == 130


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What `run_tool` does before it starts the guard, and what the guard gets."""
    found = list[Any]()

    def guarded(work: Any, report: Any, entry: str, *, trusted: bool) -> int:
        found.append((entry, trusted))
        return work()

    monkeypatch.setattr(common, "run_guarded", guarded)
    monkeypatch.setattr(common, "_open_closed_descriptors", lambda: found.append("descriptors"))
    monkeypatch.setattr(common, "speak_as", lambda tool: found.append(tool))
    monkeypatch.setattr(common, "load_file", lambda path: found.append(("load", path)))
    monkeypatch.delenv(common.COMPLETE_VARIABLE, raising=False)
    monkeypatch.setenv("STABLEHLO_PY_LOAD", "")
    return found


def test_a_tool_runs_in_the_guard_with_its_own_arguments(steps: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["x", "--trust-input", "a", "--load=b.py", "--load", "c.py", "--", "--load=d"])
    assert common.run_tool("stablehlo-opt", lambda words: (steps.append(words), 7)[1]) == 7
    assert steps == [
        *("stablehlo-opt", "descriptors"),
        ("from stablehlo_py.cli import stablehlo_opt; stablehlo_opt()", True),
        *(("load", "b.py"), ("load", "c.py")),
        ["a", "--", "--load=d"],
    ]
    assert os.environ["STABLEHLO_PY_LOAD"] == os.pathsep.join(os.path.abspath(name) for name in ("b.py", "c.py"))
    monkeypatch.setattr(sys, "argv", ["x"])
    assert common.run_tool("tool", len) == 0
    assert steps[-1] == ("from stablehlo_py.cli import tool; tool()", False)


@pytest.mark.parametrize(
    ("tool", "line", "words"),
    [
        ("stablehlo", "stablehlo bis", ["bisect", "bisect-passes"]),
        ("compat", "stablehlo-compat mini", ["minimum"]),
        ("opt", "stablehlo-opt --verify-e", ["--verify-each"]),
        ("translate", "stablehlo-translate --seri", ["--serialize"]),
    ],
)
def test_each_tool_tells_a_shell_what_its_line_may_become(
    tool: str, line: str, words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(common, "_open_closed_descriptors", lambda: None)
    monkeypatch.setattr(common, "run_guarded", lambda *_, **__: pytest.fail("the tool runs"))
    monkeypatch.setenv(common.COMPLETE_VARIABLE, line)
    monkeypatch.setattr(sys, "argv", ["x"])
    with pytest.raises(SystemExit) as ended:
        importlib.import_module(f"stablehlo_py.cli.{tool}").main()
    assert ended.value.code == 0
    assert [each.partition("\t")[0] for each in capsys.readouterr().out.splitlines()] == words


def test_a_mistake_in_flags_of_every_tool_ends_it_before_the_guard(
    steps: list[Any], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["x", "--load"])
    assert common.run_tool("tool", len, failed=5) == 5
    assert steps == ["tool", "descriptors"]
    assert capsys.readouterr().err == "tool: error: flag --load needs a value: --load=FILE.py\n"

    def full(*_: object, **__: object) -> int:
        raise OSError(11, "no more processes")

    monkeypatch.setattr(common, "run_guarded", full)
    monkeypatch.setattr(common, "_report", lambda error: steps.append(str(error)))
    monkeypatch.setattr(sys, "argv", ["x"])
    assert common.run_tool("tool", len, failed=5) == 5
    assert steps[-1] == "[Errno 11] no more processes"


def test_a_shell_is_answered_without_the_guard(
    steps: list[Any], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["x"])
    monkeypatch.setenv(common.COMPLETE_VARIABLE, "tool a --load=b.py --load c.py --f")

    def complete(words: list[str]) -> Any:
        assert words == ["a", "--load=b.py", "--load", "c.py", "--f"]
        return iter([("--first", "the  first\n"), ("--second", "second"), ("--four", "")])

    monkeypatch.setattr("stablehlo_py.cli.completion.load_file", lambda path: steps.append(("load", path)))
    assert common.run_tool("tool", len, complete=complete) == 0
    assert steps == ["tool", "descriptors", ("load", "b.py"), ("load", "c.py")]
    assert capsys.readouterr().out == "--first\tthe first\n--four\t\n"
    assert common.run_tool("tool", lambda words: 3) == 3  # a tool that completes nothing


@pytest.mark.parametrize(
    ("words", "rest", "loaded", "trusted", "variables"),
    [
        ("", "", [], False, {}),
        ("a --b", "a --b", [], False, {}),
        ("--trust-input a", "a", [], True, {}),
        ("-trust-input=false a", "a", [], False, {}),
        ("--trust-input --trust-input=0", "", [], False, {}),
        ("--trust-input=1", "", [], True, {}),
        ("--guard-timeout=3 --guard-memory 5", "", [], False, {"GUARD_TIMEOUT": "3", "GUARD_MEMORY": "5"}),
        ("--color a", "a", [], False, {"COLOR": "true"}),
        ("--color=false a", "a", [], False, {"COLOR": "false"}),
        ("diff --color a never", "diff a never", [], False, {"COLOR": "true"}),
        ("diff --guard-memory 5 --color never a", "diff never a", [], False, {"GUARD_MEMORY": "5", "COLOR": "true"}),
        ("color=always", "color=always", [], False, {}),
        ("--error-format=json", "", [], False, {"ERROR_FORMAT": "json"}),
        ("--load a --load=b c", "c", ["a", "b"], False, {}),
        ("-- --load=b", "-- --load=b", [], False, {}),
        ("trust-input", "trust-input", [], False, {}),
    ],
)
def test_flags_that_every_tool_takes(
    words: str, rest: str, loaded: list[str], trusted: bool, variables: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ("GUARD_TIMEOUT", "GUARD_MEMORY", "COLOR", "ERROR_FORMAT", "CHECK_IMPORT")
    for name in names:
        monkeypatch.setenv(f"STABLEHLO_PY_{name}", "")
        monkeypatch.delenv(f"STABLEHLO_PY_{name}")
    assert take_common_flags(words.split()) == (rest.split(), loaded, trusted)
    found = {name: os.environ[f"STABLEHLO_PY_{name}"] for name in names if f"STABLEHLO_PY_{name}" in os.environ}
    assert found == variables


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--load="], "flag --load needs a value: --load=FILE.py"),
        (["-guard-memory"], "flag -guard-memory needs a value: -guard-memory=NUMBER"),
        (["--trust-input=x"], "flag --trust-input expects true or false, found 'x'"),
        (["--error-format=xml"], "flag --error-format expects one of text, json, sarif, found 'xml'"),
        (["--color=blue"], "flag --color expects one of true, false, found 'blue'"),
    ],
)
def test_values_that_such_flags_do_not_have(words: list[str], said: str) -> None:
    with pytest.raises(UsageError) as raised:
        take_common_flags(words)
    assert raised.value.message == said


# The message about a child that died ----------------------------------------------------------------------------------

CRASH = Outcome(cause="crash", code=-11, crash="SIGSEGV at 0", notes=("own note",))


def told(step: Step, outcome: Outcome, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr("stablehlo_py.cli.messages._tool", "tool")
    monkeypatch.delenv("PMI_FD", raising=False)
    code = crash_report.report_death(7, outcome, step)
    return code, capsys.readouterr().err.splitlines()


@pytest.mark.parametrize(
    ("outcome", "limits", "loaded", "code", "lines"),
    [
        (
            Outcome(cause="timeout"),
            [],
            True,
            7,
            ["tool: error: reading took too long", "tool: note: --guard-timeout=SECONDS sets the limit"],
        ),
        (
            Outcome(cause="memory", code=-9),
            [],
            True,
            137,
            [
                "tool: error: the system's memory killer ended the tool while reading",
                "tool: note: the machine ran out of memory",
            ],
        ),
        (
            Outcome(cause="crash", code=-9),
            ["limit"],
            True,
            137,
            ["tool: error: the tool was killed (SIGKILL) while reading"],
        ),
        (CRASH, [], True, 7, ["tool: error: the compiler crashed (SIGSEGV) while reading", "tool: note: own note"]),
        (
            CRASH,
            ["limit"],
            True,
            7,
            [
                "tool: error: the compiler crashed (SIGSEGV) while reading",
                "tool: note: own note",
                "tool: note: --guard-memory=BYTES sets the limit of memory",
            ],
        ),
        (CRASH._replace(notes=("std::bad_alloc",)), [], True, 7, None),
        (
            Outcome(cause="crash", code=1, crash="exit 1"),
            ["limit"],
            True,
            7,
            ["tool: error: out of memory while reading", "tool: note: limit"],
        ),
        (CRASH, ["limit"], False, 7, None),
    ],
)
def test_how_a_child_died_is_told(
    outcome: Outcome, limits: list[str], loaded: bool, code: int, lines: list[str] | None,
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setattr(crash_report, "memory_notes", lambda: limits)
    found = told(Step("reading", is_loaded=loaded), outcome, capsys, monkeypatch)
    if lines is not None:
        assert found == (code, lines)
    elif not loaded:
        assert found == (
            7,
            [f"tool: error: {crash_report.NO_MEMORY_TO_LOAD}", "tool: note: limit", "tool: note: own note"],
        )
    else:
        assert found[1][-1] == "tool: note: --guard-memory=BYTES sets the limit of memory"


def test_the_place_of_a_crash_is_told_after_its_reproducer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = SimpleNamespace(op="stablehlo.tanh", location="a.mlir:2:3", pass_name="cse")
    asked = list[Any]()
    located = "stablehlo_py.passes.guarded_pipeline.locate_in_pipeline"
    monkeypatch.setattr(located, lambda *given: (asked.append(given), found)[1])
    monkeypatch.setattr("stablehlo_py.syntax.crash_site.locate", lambda text: {"known": 5}.get(text))
    head = ["tool: error: the compiler crashed (SIGSEGV) while running", "tool: note: own note"]
    step = Step("running", source="a.mlir", passes="any(cse)", text=b"text", is_loaded=True)
    last = "tool: note: it crashes in the pass cse"
    assert told(step, CRASH, capsys, monkeypatch)[1] == [
        *head, "a.mlir:2:3: note: it crashes on this 'stablehlo.tanh' op", last,
    ]  # fmt: skip
    ((source, pipeline),) = asked
    assert (source.name, bytes(source.data), pipeline) == ("a.mlir", b"text", "any(cse)")
    found.op = ""
    assert told(step, CRASH, capsys, monkeypatch)[1] == [*head, last]

    def unknown(*_: object) -> None:
        raise UsageError("no such pass")

    monkeypatch.setattr(located, unknown)
    assert told(step, CRASH, capsys, monkeypatch)[1] == head
    for text, lines in ((b"known", ["a.mlir:5: note: it crashes on this"]), (b"other", []), (b"", [])):
        step = Step("running", source="a.mlir", text=text, is_loaded=True)
        assert told(step, CRASH, capsys, monkeypatch)[1] == [*head, *lines]
    path = tmp_path / "again.mlir"
    step = Step("running", path=str(path), contents="é", is_loaded=True)
    kept = f"tool: note: a reproducer was written to '{path}'; --run-reproducer runs it"
    assert told(step, CRASH, capsys, monkeypatch)[1] == [*head, kept]
    assert path.read_text(encoding="utf-8") == "é"
    assert told(step, Outcome(cause="timeout"), capsys, monkeypatch)[1][-1] == kept
    step = Step("running", path=str(tmp_path / "no" / "a"), contents="", is_loaded=True)
    said = told(step, CRASH, capsys, monkeypatch)[1][-1]
    assert said.startswith(f"tool: note: cannot write the reproducer '{tmp_path}/no/a': ")


# Programs and versions ------------------------------------------------------------------------------------------------


def test_an_artifact_stays_as_it_is_stored_where_it_is_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    monkeypatch.chdir(tmp_path)
    data = stablehlo_py.serialize(TANH, "1.0.0")
    source = Source("a.mlirbc", data)
    for stays, op in ((True, "vhlo.tanh_v1"), (False, "stablehlo.tanh")):
        assert op in str(load_program(source, make_context(), artifact_as_vhlo=stays))
    assert "stablehlo.tanh" in str(load_program(source, make_context()))
    Path("a.mlirbc").write_bytes(data)
    assert opt_tool.run(["a.mlirbc"]) == 0
    assert b"vhlo.tanh_v1" in capfdbinary.readouterr().out
    assert opt_tool.run(["a.mlirbc", "--vhlo-to-version=target=0.9.0"]) == 0
    assert b"vhlo.func_v1" in capfdbinary.readouterr().out


LOOP = """func.func @main(%x: tensor<?xf32>, %n: tensor<i32>) -> tensor<?xf32> {
  %0:2 = "stablehlo.while"(%n, %x) ({
  ^bb0(%i: tensor<i32>, %y: tensor<TYPE>):
    %p = stablehlo.compare LT, %i, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%i: tensor<i32>, %y: tensor<TYPE>):
    stablehlo.return %i, %y : tensor<i32>, tensor<TYPE>
  }) : (tensor<i32>, tensor<?xf32>) -> (tensor<i32>, tensor<?xf32>)
  return %0#1 : tensor<?xf32>
}
"""


@pytest.mark.parametrize(
    ("type_", "words", "warns"),
    [("4xf32", [], True), ("4xf32", ["--mlir-print-op-generic"], False), ("?xf32", [], False)],
)
def test_a_loop_whose_pretty_form_lacks_types_is_warned_of(
    type_: str, words: list[str], warns: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("stablehlo_py.cli.messages._tool", "tool")
    Path("a.mlir").write_text(LOOP.replace("TYPE", type_))
    assert opt_tool.run(["a.mlir", *words]) == 0
    assert (
        capfd.readouterr().err
        == (
            "tool: warning: the pretty form of a 'stablehlo.while' with other types inside cannot be read again\n"
            "tool: note: --mlir-print-op-generic prints a text that can\n"
        )
        * warns
    )


def test_what_the_provider_lacks_is_told_with_the_versions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        information, "missing_capabilities", lambda *, with_substitute: ["b" if with_substitute else "a"]
    )
    monkeypatch.setattr(information, "has_dialect", lambda _, name: name != "sdy")
    monkeypatch.setattr(information, "compiled_passes", lambda: {"new": None, "cse": None, "brandnew": None})
    monkeypatch.setattr(information, "available_passes", lambda: ["cse"])
    lines = information.version_text().splitlines()
    assert [line.split(" ")[0] for line in lines[:4]] == ["stablehlo-py", "StableHLO", "MLIR", "provider"]
    assert lines[3] == f"provider {provider.name} {provider.version()}"
    assert lines[4:] == [
        "  lacks dialects: sdy",
        "  lacks passes: brandnew, new",
        "  lacks capabilities: a",
        "  lacks capabilities that have a substitute: b",
    ]
    monkeypatch.setattr(information, "missing", lambda: {"dialects": [], "passes": ["x"]})
    assert information.version_text().splitlines()[4:] == ["  lacks passes: x"]


def test_the_layout_of_graphs_comes_with_the_package_or_from_its_tree(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "dagre" in page._asset("dagre.min.js")
    monkeypatch.setattr(page, "_ASSETS", tmp_path)
    (tmp_path / "other.js").write_text("é", encoding="utf-8")
    assert page._asset("other.js") == "é"
    assert len(page._asset("dagre.min.js")) > 10_000
    (tmp_path / "dagre.min.js").write_text("own")
    assert page._asset("dagre.min.js") == "own"
