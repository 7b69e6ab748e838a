"""The checks for continuous integration in this process: what is run, what is said, and the exit code."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from stablehlo_py.isolation.commands import LIT
from stablehlo_py.testing import checks

MESSAGE: dict[str, Any] = {
    "tool": "t", "severity": "error", "file": "a.mlir", "line": 3, "column": 5, "message": "is wrong",
    "notes": [{"message": "first"}, {"message": "second"}],
}  # fmt: skip
NOWHERE = {**MESSAGE, "file": None, "line": None, "column": None, "severity": "warning", "notes": []}
PLACES = [{"location": "b.mlir:7:2"}, {"location": ""}, {"location": "c.mlir"}]
NEEDS = {
    "blockers": [{"what": "tan", "version": "1.4.0", "places": PLACES}, {"what": "x", "version": "2", "places": []}]
}


@pytest.fixture
def tools(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """Answers in the place of tools, which are taken one after the other, and the words that they were called with."""
    found = SimpleNamespace(answers=list[tuple[int, str, str]](), calls=list[list[str]]())

    def run(words: list[str]) -> subprocess.CompletedProcess[str]:
        found.calls.append(words[2:])
        code, errors, output = found.answers.pop(0)
        return subprocess.CompletedProcess(words, code, output, errors)

    monkeypatch.setattr(checks, "run_command", run)
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    return found


def lines(*messages: dict[str, Any]) -> str:
    return "".join(["noise\n", *(json.dumps(message) + "\n" for message in messages)])


SAID = "a.mlir:3:5: error: is wrong\n"
ANNOTATED = "::error file=a.mlir,line=3,col=5::is wrong%0Afirst%0Asecond\n"


@pytest.mark.parametrize(
    ("answers", "code", "said", "annotated"),
    [
        ([], 0, "", ""),
        ([(0, "", "")], 0, "", ""),
        ([(1, "", "")], 1, "", ""),
        (
            [(1, lines(MESSAGE), ""), (0, lines(NOWHERE), "")],
            1,
            f"{SAID}warning: is wrong\n",
            f"{ANNOTATED}::warning ::is wrong\n",
        ),
        ([(0, lines(MESSAGE), ""), (3, "", "")], 1, SAID, ANNOTATED),
    ],
)
@pytest.mark.parametrize("annotates", [False, True])
def test_files_are_verified(
    answers: list[tuple[int, str, str]], code: int, said: str, annotated: str, annotates: bool,
    tools: SimpleNamespace, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    tools.answers.extend(answers)
    files = [f"{number}.mlir" for number in range(len(answers))]
    assert checks.main([*(["--annotate"] if annotates else []), "verify", *files]) == code
    assert capsys.readouterr().out == (annotated if annotates else said)
    expected = ["--error-format=json", "--split-input-file", "-o", os.devnull]
    assert [words[-5:] for words in tools.calls] == [[*expected, file] for file in files]
    assert all("stablehlo_opt()" in words[1] for words in tools.calls)


@pytest.mark.parametrize("annotates", [False, True])
def test_files_that_are_too_new_say_what_needs_the_version(
    annotates: bool, tools: SimpleNamespace, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    tools.answers.extend([(1, "", json.dumps(NEEDS)), (0, "", json.dumps({"blockers": []})), (1, lines(MESSAGE), "")])
    if annotates:
        monkeypatch.setenv("GITHUB_ACTIONS", "true")
    assert checks.main(["minimum", "--version=1.3.0", "a.mlir", "b.mlir", "c.mlir"]) == 1
    text = "tan needs StableHLO 1.4.0"
    if annotates:
        found = [
            f"::error file=b.mlir,line=7,col=2::{text}",
            f"::error file=a.mlir::{text}",
            f"::error file=c.mlir::{text}",
        ]
        assert capsys.readouterr().out == "\n".join(found) + f"\n{ANNOTATED}"
    else:
        found = [f"b.mlir:7:2: error: {text}", f"a.mlir:0:0: error: {text}", f"c.mlir:0:0: error: {text}"]
        assert capsys.readouterr().out == "\n".join(found) + f"\n{SAID}"
    words = ["--error-format=json", "explain", "--target=1.3.0", "--json"]
    assert [call[-5:] for call in tools.calls] == [[*words, f"{name}.mlir"] for name in "abc"]
    assert all("stablehlo_compat()" in call[1] for call in tools.calls)


@pytest.mark.parametrize("codes", [(), (0,), (1,), (0, 0), (1, 0), (0, 2), (0, 3, 0), (1, 1)])
@pytest.mark.parametrize("check", [["minimum", "--version=1.3.0"], ["verify"]])
def test_a_check_fails_where_it_fails_on_any_file(
    check: list[str], codes: tuple[int, ...], tools: SimpleNamespace
) -> None:
    tools.answers.extend((code, "", json.dumps({"blockers": []})) for code in codes)
    assert checks.main([*check, *(f"{number}.mlir" for number in range(len(codes)))]) == int(any(codes))
    assert tools.answers == []


@pytest.mark.parametrize("annotates", [False, True])
@pytest.mark.parametrize("has_report", [False, True])
def test_a_part_of_a_suite_runs(
    annotates: bool, has_report: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    calls = list[list[str]]()
    codes = ("PASS", "FAIL", "XPASS", "TIMEOUT", "UNRESOLVED", "XFAIL", "UNSUPPORTED")
    tests = [{"code": code, "name": f"suite :: {code}.mlir", "output": "y" + "x" * 1999} for code in codes]

    def run(words: list[str]) -> int:
        calls.append(words)
        report = Path(words[-2].removeprefix("--output="))
        assert (report.name, report.parent.is_dir()) == ("report.json", True)
        if has_report:
            report.write_text(json.dumps({"tests": tests}))
        return 3

    monkeypatch.setattr(checks, "show_command", run)
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    flags = ["--annotate"] if annotates else []
    assert checks.main([*flags, "lit", "--shards=4", "--shard=2", "suites"]) == 3
    assert calls[0][: len(LIT)] == list(LIT)
    assert calls[0][len(LIT) : -2] == ["-v", "--num-shards=4", "--run-shard=2"]
    assert calls[0][-1] == "suites"
    shown = [f"::error file=suites/{code}.mlir,line=1::{code}%0Ay{'x' * 1999}" for code in codes[1:5]]
    assert capsys.readouterr().out.splitlines() == (shown if annotates and has_report else [])
    tests[1]["output"] = "cut" + "z" * 2000
    checks.main([*flags, "lit", "suites"])
    assert calls[1][len(LIT) : -2] == ["-v", "--num-shards=1", "--run-shard=1"]
    assert "cut" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (("error", "m", "a", 1, 2), "::error file=a,line=1,col=2::m"),
        (("warning", "m", "a", 1, None), "::warning file=a,line=1::m"),
        (("remark", "m", None, None, None), "::notice ::m"),
        (("note", "m", "a", 0, 0), "::notice file=a::m"),
        (("error", "a%\r\nb:,", "c:,%\n", 1, 2), "::error file=c%3A%2C%25%0A,line=1,col=2::a%25%0D%0Ab:,"),
    ],
)
def test_lines_that_annotate(given: tuple[Any, ...], expected: str) -> None:
    assert checks.workflow_command(*given) == expected


@pytest.mark.parametrize("words", [[], ["none"], ["minimum", "a.mlir"], ["lit"], ["lit", "--shards=x", "a"]])
def test_command_lines_that_name_no_check(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        checks.main(words)
    assert ended.value.code == 2
    assert "usage: python -m stablehlo_py.testing.checks" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("value", "annotates"), [(None, False), ("true", True), ("false", False), ("", False), ("1", False)]
)
def test_problems_are_annotated_in_workflows_and_on_demand(
    value: str | None, annotates: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    if value is not None:
        monkeypatch.setenv("GITHUB_ACTIONS", value)
    asked = list[Any]()
    for name in ("verify", "minimum", "lit"):
        monkeypatch.setattr(checks, name, lambda *given, annotate: (asked.append((*given, annotate)), 7)[1])
    for words in ([], ["--annotate"]):
        assert checks.main([*words, "verify", "a", "b"]) == 7
        assert checks.main([*words, "minimum", "--version=1.0.0", "a"]) == 7
        assert checks.main([*words, "lit", "--shards=3", "--shard=2", "folder"]) == 7
        assert checks.main([*words, "lit", "folder"]) == 7
        each = annotates or bool(words)
        assert asked == [(["a", "b"], each), (["a"], "1.0.0", each), ("folder", 3, 2, each), ("folder", 1, 1, each)]
        asked.clear()
