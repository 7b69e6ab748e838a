"""Options of `reduce` and of the kit's verbs, in this process: each reaches what it is for."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import click
import numpy as np
import pytest
from click.testing import CliRunner
from swapped_engine import Swapped

import stablehlo_py
from stablehlo_py.cli.stablehlo import stablehlo
from stablehlo_py.conformance.catalog import Choice, families
from stablehlo_py.conformance.score.run import Report
from stablehlo_py.conformance.score.scoring import Score
from stablehlo_py.debug.allowed.spread import Local
from stablehlo_py.debug.reduction.question import EnginePair, LastRuns, Question
from stablehlo_py.debug.reduction.reduce import Reduction
from stablehlo_py.isolation.limits import Limits

PROGRAM = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.negate %x : tensor<4xf32>
  %1 = stablehlo.tanh %0 : tensor<4xf32>
  %2 = stablehlo.add %1, %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
}
"""
PASSED = Score("add", "f32", "ordinary", "", "", "add f32", "pass")
Verb = Callable[..., tuple[int, str]]


@pytest.fixture
def verb(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Verb:
    """Runs a verb beside a program: exit code and output. Engines are of this process; `wrong` has a sine for tanh."""
    monkeypatch.chdir(tmp_path)
    Path("a.mlir").write_text(PROGRAM)

    def open_engine(name: str, *_: object) -> Local:
        found = Swapped({"tanh": "sine"}) if name == "wrong" else Local()
        found.name = name
        return found

    for module in ("engines", "debug.reduction.question"):
        monkeypatch.setattr(f"stablehlo_py.{module}.open_engine", open_engine)

    def run(*words: str) -> tuple[int, str]:
        found = CliRunner().invoke(stablehlo, [*words], standalone_mode=False)
        if isinstance(found.exception, (click.ClickException, stablehlo_py.StablehloError)):
            return -1, str(found.exception)
        assert found.exception is None, (words, found.exception, found.output)
        return found.return_value or 0, found.output

    return run


@pytest.mark.parametrize(
    ("words", "question", "more"),
    [
        ([], {}, {}),
        (["--fails"], {"fails": True}, {}),
        (["--command=test {module}"], {"script": "test {module}"}, {}),
        (["--command=test", "--interesting-if-exit=3"], {"script": "test", "exit_code": "3"}, {}),
        (["--command=test", "--interesting-if-exit=crash"], {"script": "test", "exit_code": "crash"}, {}),
        (["--match=a.*b"], {"pattern": "a.*b"}, {}),
        (["--tolerance=4ulp"], {"pair": EnginePair("right", "wrong", "4ulp")}, {}),
        (["--jobs=3"], {}, {"jobs": 3}),
        (["--cluster=local"], {}, {"cluster": "local"}),
        (["--work=kept"], {}, {"work": True}),
        (["--work=kept", "--keep"], {}, {"work": True, "keep": True}),
        (["--timeout=7", "--max-memory=9"], {}, {"limits": Limits(7.0, 9)}),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_search_asks_what_its_options_say(
    words: list[str], question: dict[str, Any], more: dict[str, Any], verb: Verb, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = list[Any]()

    class Predicates:
        def __init__(self, *given: Any) -> None:
            asked.append(given)

        def __enter__(self) -> tuple[()]:
            return ()

        def __exit__(self, *_: object) -> None: ...

    class Search:
        def __init__(self, predicates: object, folder: Path | None, keep: bool, *, progress: object) -> None:
            asked.append((predicates, folder, keep, progress))

    def reduce(module: object, arguments: list[np.ndarray], reference: Local, search: Search) -> Reduction:
        asked.append((reference.name, [array.shape for array in arguments], isinstance(search, Search)))
        return Reduction(stablehlo_py.parse(PROGRAM), tuple(arguments), 3, 5, "it differs", 7)

    monkeypatch.setattr("stablehlo_py.debug.reduction.question.predicates_of", Predicates)
    monkeypatch.setattr("stablehlo_py.debug.reduction.search.Search", Search)
    monkeypatch.setattr("stablehlo_py.debug.reduction.reduce.reduce", reduce)
    defaults = {"pair": EnginePair("right", "wrong", None), "fails": False, "script": None, "exit_code": "0"}
    expected = Question(**{**defaults, "pattern": "", **question})
    code, output = verb("reduce", "a.mlir", "--engine=wrong", "--reference=right", "--jobs=1", *words)
    assert code == 0, output
    assert "it differs: 5 ops reduced to 3 in 7 tests" in output
    limits, jobs, cluster = more.get("limits", Limits(600.0, None)), more.get("jobs", 1), more.get("cluster", "")
    assert asked[0] == (expected, limits, jobs, cluster)
    assert asked[1] == ((), expected.folder("kept" if "work" in more else None), "keep" in more, None)
    assert asked[2] == ("right", [(4,)], True)


def test_the_outputs_of_a_reduction(verb: Verb) -> None:
    words = ("reduce", "a.mlir", "--engine=wrong")
    code, output = verb(*words, "--test=test.mlir", "--issue=issue.md")
    assert code == 0, output
    assert output.splitlines()[1:] == [
        "wrote reduced.mlir and its arguments reduced.npz",
        "wrote test.mlir, which reference passes",
        "wrote issue.md",
    ]
    program = Path("reduced.mlir").read_text()
    assert ("stablehlo.tanh" in program, "stablehlo.negate" in program) == (True, False), program
    assert "check.expect" in Path("test.mlir").read_text()
    issue = Path("issue.md").read_text()
    assert "As a test that reference passes" in issue
    assert "compare reduced.mlir --engines=reference,wrong --inputs=reduced.npz" in issue
    code, output = verb(*words, "-o", "-")
    assert (code, "func.func" in output) == (0, True)
    assert "wrote the program without its arguments" in output
    code, output = verb(*words, "--json", "-o", "again.mlir")
    found, _ = json.JSONDecoder().raw_decode(output[output.index("{") :])
    assert (code, found["ops_before"], found["ops"]) == (0, 3, 1)
    assert "wrote again.mlir and its arguments again.npz" in output


def reduction_of(verb: Verb, monkeypatch: pytest.MonkeyPatch, **fields: Any) -> Callable[..., tuple[int, str, str]]:
    """Runs `reduce` with a search that finds the program itself: exit code, standard output, standard error."""
    found = Reduction(stablehlo_py.parse(PROGRAM), (np.zeros(4, np.float32),), 3, 5, "it differs", 7, **fields)
    monkeypatch.setattr("stablehlo_py.debug.reduction.reduce.reduce", lambda *_: found)

    def run(*words: str) -> tuple[int, str, str]:
        line = ["reduce", "a.mlir", "--engine=wrong", "--reference=right", "--jobs=1", *words]
        ended = CliRunner().invoke(stablehlo, line, standalone_mode=False)
        assert ended.exception is None, (words, ended.exception, ended.output)
        return ended.return_value or 0, ended.stdout, ended.stderr

    return run


@pytest.mark.parametrize(
    ("words", "start"),
    [
        ((), "on reduced.mlir with --inputs=reduced.npz and another -o"),
        (("--output=o.mlir", "--issue=issue.md"), "on o.mlir with --inputs=o.npz and another -o"),
        (("--work=kept", "--test=test.mlir"), "again, with --work=kept"),
    ],
)
def test_an_interrupted_search_writes_the_program_alone_and_says_how_to_go_on(
    words: tuple[str, ...], start: str, verb: Verb, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, output, errors = reduction_of(verb, monkeypatch, interrupted=True)(*words)
    assert (code, "it differs" in output) == (130, True), output
    assert errors.splitlines()[-1].endswith(f"to go on, run the same command {start}"), errors
    assert Path("o.mlir" if "--output=o.mlir" in words else "reduced.mlir").exists()
    assert not any(Path(name).exists() for name in ("issue.md", "test.mlir"))


def test_standard_output_is_for_the_program_or_the_json_alone(verb: Verb, monkeypatch: pytest.MonkeyPatch) -> None:
    run, told = reduction_of(verb, monkeypatch), "it differs: 5 ops reduced to 3 in 7 tests"
    code, output, errors = run("-o", "-", "--issue=issue.md", "--test=test.mlir")
    assert (code, str(stablehlo_py.parse(output))) == (0, str(stablehlo_py.parse(PROGRAM)))
    for said in (told, "wrote the program without its arguments", "wrote issue.md"):
        assert said in errors, errors
    code, output, errors = run("--json", "--issue=issue.md")
    assert (code, json.loads(output)["ops"]) == (0, 3)
    for said in ("wrote reduced.mlir and its arguments reduced.npz", "wrote issue.md"):
        assert said in errors, errors
    code, output, errors = run("--issue=issue.md")
    assert (code, errors) == (0, "")
    assert told in output
    assert output.endswith("wrote reduced.mlir and its arguments reduced.npz\nwrote issue.md\n")


def test_an_issue_has_the_notes_of_the_search_and_of_the_last_runs(verb: Verb, monkeypatch: pytest.MonkeyPatch) -> None:
    runs = LastRuns({}, {}, ("1 of 3 runs shows it",))
    monkeypatch.setattr("stablehlo_py.debug.reduction.question.last_runs", lambda *_: runs)
    assert reduction_of(verb, monkeypatch, notes=("every op is needed",))("--issue=issue.md")[0] == 0
    issue = Path("issue.md").read_text()
    assert -1 < issue.find("every op is needed") < issue.find("1 of 3 runs shows it"), issue


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("reduce a.mlir --keep", "--keep needs --work"),
        ("reduce a.mlir --interesting-if-exit=-1", "takes a number, crash or any, not '-1'"),
        ("reduce a.mlir --match=(", "--match takes a regular expression, not '('"),
        ("reduce a.mlir -o a.mlir", "'a.mlir' would be replaced by the output"),
        ("reduce a.mlir --inputs=x.npz -o x.mlir", "'x.npz' would be replaced by the output"),
        ("reduce a.mlir --json -o -", "both write to standard output"),
        ("reduce a.mlir --tolerance=f32=4ulp", "one amount for all values"),
        ("reduce a.mlir --engine=right", "there is nothing to reduce"),
        ("conformance run --ops=stablehlo.ad", "the kit has no cases of the op 'ad'"),
        ("conformance run --types=f23", "the kit has no cases of the element type 'f23'"),
        ("conformance run --known=none.txt", "none.txt"),
    ],
)
def test_mistakes_in_a_question(words: str, said: str, verb: Verb) -> None:
    code, output = verb(*words.split())
    assert (code, said in output) == (-1, True), output


@pytest.mark.parametrize(
    ("words", "choice", "given"),
    [
        ("", {}, {}),
        ("--ops=stablehlo.add,tanh --types=f32,i8", {"ops": ["add", "tanh"], "types": ["f32", "i8"]}, {}),
        ("--level=smoke", {"level": "smoke"}, {}),
        ("--seed=7", {"seed": 7}, {}),
        ("--verify-spec", {"verify_spec": True}, {}),
        ("--engine=right", {}, {"engine": "right"}),
        ("--target=1.2.3", {}, {"target": "1.2.3"}),
        ("--jobs=3", {}, {"jobs": 3}),
        ("--timeout=4", {}, {"limits": Limits(4.0)}),
        ("--work=scores", {}, {"work": Path("scores")}),
    ],
)
def test_the_kit_is_run_as_its_options_say(
    words: str, choice: dict[str, Any], given: dict[str, Any], verb: Verb, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = list[dict[str, Any]]()

    def run(engine: str, cases: Choice, **options: Any) -> Report:
        options["finished"](PASSED)
        ran.append({"engine": engine, "choice": cases, **options})
        return Report(engine, {}, cases, options["target"], (PASSED,), 1.0)

    monkeypatch.setattr("stablehlo_py.conformance.score.run.run", run)
    code, output = verb("conformance", "run", "--jobs=1", *words.split())
    expected = {"ops": [], "types": [], "level": "full", "seed": 0, "verify_spec": False} | choice
    assert code == 0, output
    (found,) = ran
    del found["finished"]
    defaults = {"engine": "reference", "target": "", "jobs": 1, "limits": Limits(20.0), "work": None}
    wanted = Choice(expected["ops"], expected["types"], expected["level"], expected["seed"], expected["verify_spec"])
    assert found == {**defaults, "choice": wanted, **given}


@pytest.mark.parametrize(
    ("words", "expected"), [("", None), ("--ops=add", (0, 1)), ("--ops=tanh,add", (0, 2)), ("--ops=abs,add", (1, 2))]
)
def test_progress_of_the_kit_counts_the_ops_that_are_chosen(
    words: str, expected: tuple[int, int] | None, verb: Verb, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = list[tuple[int, int]]()

    def run(engine: str, cases: Choice, **options: Any) -> Report:
        options["finished"](PASSED)
        return Report(engine, {}, cases, "", (PASSED,), 1.0)

    bar = nullcontext(lambda *counts: shown.append(counts))
    monkeypatch.setattr("stablehlo_py.cli.progress.progress_bar", lambda title: bar)
    monkeypatch.setattr("stablehlo_py.conformance.score.run.run", run)
    assert verb("conformance", "run", "--jobs=1", *words.split())[0] == 0
    names = list(families())
    assert shown == [(names.index("add"), len(names)) if expected is None else expected]
