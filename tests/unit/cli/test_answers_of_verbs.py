"""What verbs print about one program and its neighbours, line by line: as text, as JSON, in files; exit codes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import click
import numpy as np
import pytest
from click.testing import CliRunner
from swapped_engine import Swapped

import stablehlo_py
from stablehlo_py.cli.stablehlo import stablehlo
from stablehlo_py.cli.verbs import reduce
from stablehlo_py.debug.allowed.spread import Local
from stablehlo_py.debug.reduction.question import EnginePair, LastRuns, Question
from stablehlo_py.debug.reduction.reduce import Reduction
from stablehlo_py.engines import Limits, Outcome

PROGRAM = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.negate %x : tensor<4xf32>
  %1 = stablehlo.tanh %0 : tensor<4xf32>
  %2 = stablehlo.add %1, %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
}
"""
FILES = {
    "a.mlir": PROGRAM,
    "b.mlir": PROGRAM.replace("tanh", "sine"),
    "c.mlir": PROGRAM.replace("%0", "%q"),
    "none.mlir": "func.func @main() -> tensor<i32> {\n  %0 = stablehlo.constant dense<1> : tensor<i32>\n"
    "  return %0 : tensor<i32>\n}\n",
}
Verb = Callable[[str], tuple[int, str]]


@pytest.fixture
def verb(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Verb:
    """Runs a verb beside FILES: its exit code and output. Engines are of this process; `wrong` has a sine for tanh."""
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        Path(name).write_text(text)
    np.savez("x.npz", np.float32([0.5, -1, 1.5, 2]))

    def open_engine(name: str, *_: object) -> Local:
        found = Swapped({"tanh": "sine"}) if name == "wrong" else Local()
        found.name = name
        return found

    monkeypatch.setattr("stablehlo_py.engines.open_engine", open_engine)

    def run(line: str) -> tuple[int, str]:
        found = CliRunner().invoke(stablehlo, line.split(), standalone_mode=False)
        if isinstance(found.exception, (click.ClickException, stablehlo_py.StablehloError)):
            return -1, str(found.exception)
        assert found.exception is None, (line, found.exception, found.output)
        return found.return_value or 0, found.output

    return run


def value(verb: Verb, line: str, code: int) -> object:
    """What a verb prints with --json, and nothing beside it."""
    ended, output = verb(f"{line} --json")
    assert ended == code, output
    return json.loads(output)


DRAWN = "the arguments are drawn with --seed=0; --inputs and --args give others\n"
WRONG_OP = "#1 stablehlo.tanh at a.mlir:3:8"
FIRST_OPS = """  first op of program 1 that the other lacks: stablehlo.tanh at a.mlir:3:8
  first op of program 2 that the other lacks: stablehlo.sine at b.mlir:3:8
"""
DIFFERENCES = """- @main: stablehlo.tanh  a.mlir:3:8
~ @main: stablehlo.add  a.mlir:4:8 -> b.mlir:4:8
    operand 0 is another value
      result 0 of stablehlo.tanh at a.mlir:3:8 -> result 0 of stablehlo.sine at b.mlir:3:8
    operand 1 is another value
      result 0 of stablehlo.tanh at a.mlir:3:8 -> result 0 of stablehlo.sine at b.mlir:3:8
+ @main: stablehlo.sine  b.mlir:3:8
"""


@pytest.mark.parametrize(
    ("line", "code", "output"),
    [
        ("run none.mlir", 0, "tensor<i32> {1}\n"),  # there is nothing to draw
        ("run none.mlir --seed=1", 0, "tensor<i32> {1}\n"),
        ("run a.mlir --engine=xyz -o out.npy", 0, DRAWN),
        (
            "compare a.mlir --engines=reference,right",
            0,
            "same: 1 of 1 results agree with reference\nlargest difference: 0 ULP\n",
        ),
        (
            "compare a.mlir c.mlir --engines=reference",
            0,
            "same: 1 of 1 results agree with reference\nlargest difference: 0 ULP\n"
            "the same function but for rounding\n",
        ),
        ("bisect a.mlir --engine=right", 0, "the results agree: right is not wrong on these arguments\n"),
        ("bisect-passes a.mlir", -1, "one of --pass-pipeline and --xla is needed"),
        ("bisect-passes a.mlir --xla --pass-pipeline=cse", -1, "one of --pass-pipeline and --xla is needed"),
        (
            "bisect-passes a.mlir --pass-pipeline=canonicalize,cse",
            0,
            "no pass is to blame: the results are right after all of them\n",
        ),
        ("bisect-passes a.mlir --pass-pipeline=cse --json", 0, "null\n"),
        ("equiv a.mlir c.mlir", 0, "the same function but for rounding\n"),
        ("format x.npz", -1, "x.npz:1:1: error: expected text, found a zip file"),
        ("format a.mlir", 0, ""),
        ("format --check a.mlir --json", 0, '{\n  "changed": [],\n  "written": false\n}\n'),
        ("format a.mlir --json", 0, '{\n  "changed": [],\n  "written": true\n}\n'),
        ("steps a.mlir canonicalize,cse", 0, "1 canonicalize: changed nothing\n2 cse: changed nothing\n"),
        ("diff a.mlir a.mlir", 0, ""),
        ("diff a.mlir c.mlir --json", 0, "[]\n"),
        ("minimum a.mlir", 0, "0.9.0\n"),
        ("minimum a.mlir --json", 0, '{\n  "minimum": "0.9.0",\n  "held_by": []\n}\n'),
        (
            "explain a.mlir --target=1.0.0",
            0,
            "a.mlir can be written for StableHLO 1.0.0; the oldest it fits is 0.9.0\n",
        ),
    ],
)
def test_what_is_printed(line: str, code: int, output: str, verb: Verb) -> None:
    assert verb(line) == (code, output)


def test_an_engine_that_is_wrong_is_compared_and_its_op_named(verb: Verb) -> None:
    words = "compare a.mlir --engines=reference,wrong --inputs=x.npz"
    code, output = verb(words)
    lines = output.splitlines()
    assert code == 1
    assert lines[0].startswith("sample 0, result 0 tensor<4xf32>: wrong differs (allowed: 4 ulp or ")
    assert lines[-2:] == ["sample 0, result 0: wrong", f"  first wrong op: {WRONG_OP}"]
    verdict = lines.index("differs: 0 of 1 results agree with reference")
    assert verb(f"{words} --verdict-only") == (1, "\n".join(lines[: verdict + 2]) + "\n")
    found = value(verb, words, 1)
    assert isinstance(found, dict)
    assert (found["engines"], found["verdict"], "function" in found) == (["reference", "wrong"], "differs", False)
    assert found["results"][0]["culprit"] == WRONG_OP
    assert value(verb, f"{words} --verdict-only", 1)["results"][0]["culprit"] == ""  # type: ignore[index]
    assert verb(f"{words} --junit=j.xml") == (1, output)
    assert 'failures="1"' in Path("j.xml").read_text()


def test_another_program_is_compared_as_an_engine_and_as_a_function(verb: Verb) -> None:
    words = "compare a.mlir b.mlir --engines=right,wrong --inputs=x.npz"
    code, output = verb(words)
    assert code == 1
    assert "sample 0, result 0 tensor<4xf32>: b.mlir differs" in output
    assert "first wrong op" not in output
    assert output.endswith(f"{FIRST_OPS}")
    found = value(verb, words, 1)
    assert isinstance(found, dict)
    assert found["engines"] == ["right", "b.mlir"]
    assert found["function"]["verdict"] == "different functions"
    assert found["function"]["first"] == ["stablehlo.tanh at a.mlir:3:8", "stablehlo.sine at b.mlir:3:8"]
    assert found["results"][0]["culprit"] == ""


def test_the_op_that_is_wrong_is_found_and_written(verb: Verb) -> None:
    code, output = verb("bisect a.mlir --engine=wrong --inputs=x.npz --reproducer=r.mlir")
    assert code == 1
    assert output.startswith(f"first wrong op: {WRONG_OP}\nit shows alone, found in ")
    assert output.endswith("}\nwrote r.mlir and its arguments r.npz\n")
    assert Path("r.mlir").read_text().count("stablehlo.") == 1
    with np.load("r.npz") as archive:
        assert [archive[name].tolist() for name in archive.files] == [[-0.5, 1, -1.5, -2]]
    found = value(verb, "bisect a.mlir --engine=wrong --inputs=x.npz", 1)
    assert isinstance(found, dict)
    assert found["culprit"]["op"] == "stablehlo.tanh"
    assert value(verb, "bisect a.mlir --engine=right --inputs=x.npz", 0)["culprit"] is None  # type: ignore[index]
    code, output = verb("trace a.mlir --engine=wrong --reference=right --inputs=x.npz --reproducer=t.mlir")
    assert code == 1
    assert output.startswith("wrong measured against right\n")
    assert f"\nfirst wrong op: {WRONG_OP}\n" in output
    assert output.endswith("wrote t.mlir and its arguments t.npz\n")
    assert "#0 stablehlo.negate" not in output
    assert "#0 stablehlo.negate" in verb("trace a.mlir --engine=wrong --reference=right --inputs=x.npz --all")[1]


def test_two_functions_are_told_apart(verb: Verb) -> None:
    code, output = verb("equiv a.mlir b.mlir --sarif=s.sarif")
    first, rest = output.split("\n", 1)
    assert code == 1
    assert first.startswith("different functions: result 0[")
    assert rest == f"{FIRST_OPS}  seen on the arguments of --seed=0\n"
    assert json.loads(Path("s.sarif").read_text())["runs"][0]["results"]
    given = verb("equiv a.mlir b.mlir --inputs=x.npz")[1]
    assert given.split("\n", 1)[1] == FIRST_OPS
    for samples in (1, 3):
        assert verb(f"equiv a.mlir b.mlir --seed=5 --samples={samples}")[1].endswith(
            "  seen on the arguments of --seed=5\n"
        )
    found = value(verb, "equiv a.mlir b.mlir", 1)
    assert isinstance(found, dict)
    assert (found["verdict"], found["samples"]) == ("different functions", 1)
    code, output = verb("diff a.mlir b.mlir")
    first, rest = output.split("\n", 1)
    assert (code, first.startswith("different functions: result 0["), rest) == (1, True, DIFFERENCES)
    kinds = [(each["kind"], each["op"], each["indices"]) for each in value(verb, "diff a.mlir b.mlir", 1)]  # type: ignore[attr-defined]
    assert kinds == [
        ("removed", "stablehlo.tanh", [2, None]),
        ("changed", "stablehlo.add", [3, 3]),
        ("inserted", "stablehlo.sine", [None, 2]),
    ]


def test_digits_that_are_lost(verb: Verb) -> None:
    code, output = verb("numerics a.mlir --inputs=x.npz --as=bf16")
    ops = re.findall(r"#\d stablehlo\.\w+ at a\.mlir:\d:8", output)
    assert (code, sorted(ops)) == (
        0,
        [f"#{n} stablehlo.{op} at a.mlir:{n + 2}:8" for n, op in enumerate(("negate", "tanh", "add"))],
    )
    assert len(re.findall(r"#\d stablehlo", verb("numerics a.mlir --inputs=x.npz --as=bf16 --top=1")[1])) == 1
    found = value(verb, "numerics a.mlir --inputs=x.npz --as=bf16", 0)
    assert isinstance(found, dict)
    assert len(found["contributions"]) == 3


@pytest.mark.parametrize(
    ("outcome", "said"),
    [
        (Outcome("ok", (), load_seconds=1.25, run_seconds=0.0625, peak_bytes=7 << 20),
         "load 1.250 s, run 0.062 s, peak 7 MiB\n"),
        (Outcome("ok", (), peak_bytes=(1 << 20) - 1), "load 0.000 s, run 0.000 s, peak 0 MiB\n"),
        (Outcome("ok", (), peak_bytes=5 << 30), "load 0.000 s, run 0.000 s, peak 5120 MiB\n"),
    ],
)  # fmt: skip
def test_times_and_the_peak_are_those_of_the_outcome(
    outcome: Outcome, said: str, verb: Verb, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("stablehlo_py.debug.allowed.spread.Local.run", lambda *_: outcome)
    monkeypatch.setattr("stablehlo_py.cli.verbs.run.print_results", lambda *_: None)
    assert verb("run none.mlir --engine=right --stats")[1] == said


def test_times_go_to_standard_error(verb: Verb) -> None:
    assert verb("run none.mlir --stats")[0] == 0
    found = CliRunner().invoke(stablehlo, ["run", "none.mlir", "--stats"], standalone_mode=False)
    assert found.stdout == "tensor<i32> {1}\n"
    assert re.fullmatch(r"load \d\.\d{3} s, run \d\.\d{3} s, peak \d+ MiB\n", found.stderr)


def test_judgements(verb: Verb) -> None:
    words = "judge a.mlir --inputs=x.npz --engine="
    code, output = verb(f"{words}wrong --sarif=s.sarif --reproducer=r.mlir")
    assert code == 1
    assert WRONG_OP in output
    assert output.endswith("wrote r.mlir and its arguments r.npz\n")
    assert json.loads(Path("s.sarif").read_text())["runs"][0]["results"]
    found = value(verb, f"{words}wrong --engine=right", 1)
    assert isinstance(found, dict)
    assert [each["verdict"] for each in found["judgements"]] == ["wrong", "permitted"]
    assert verb(f"{words}right")[0] == 0


@pytest.mark.parametrize("size", [4, 400])
@pytest.mark.parametrize(("test", "issue"), [(None, None), ("t.mlir", None), (None, "i.md"), ("t.mlir", "i.md")])
@pytest.mark.parametrize("right", ["reference", "wrong", ""])
def test_a_test_has_all_values_and_an_issue_has_few(
    size: int, test: str | None, issue: str | None, right: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    values = np.arange(size, dtype=np.float32)
    fine, failed = Outcome("ok", (values,)), Outcome("error", message="it fails")
    outcomes = {name: fine if name == right else failed for name in ("reference", "wrong")}
    runs = LastRuns(outcomes, {"wrong": {"wrong": "1.2"}}, ("wrong is not deterministic",))
    asked = list[object]()
    monkeypatch.setattr(
        "stablehlo_py.debug.reduction.question.last_runs", lambda *given: (asked.append(given), runs)[1]
    )
    program = stablehlo_py.parse(PROGRAM.replace("4xf32", f"{size}xf32"))
    found = Reduction(program, (values,), 3, 9, "values differ", 7, notes=("own note",))
    question = Question(EnginePair("reference", "wrong", None), False, None, "0", "")
    limits = Limits(5.0, None)
    said = list(reduce._write_texts(issue, test, found, question, "r.mlir", limits))
    assert asked == ([(question, found, limits)] if test or issue else [])
    assert said == [
        *([f"wrote t.mlir, which {right} passes"] if test and right else []),
        *(["wrote i.md"] if issue else []),
    ]
    warned = f"did not write {test}: no engine gives results to check, or they are not tensors"
    assert (warned in capsys.readouterr().err) == bool(test and not right)
    assert Path("t.mlir").exists() == bool(test and right)
    if test and right:
        assert Path("t.mlir").read_text().count("check.expect_almost_eq_const") == 1
    if issue:
        text = Path("i.md").read_text()
        assert text.startswith("## values differ on a program of 3 ops\n\nReduced from 9 ops in 7 tests")
        assert "Note: own note.\n\nNote: wrong is not deterministic.\n" in text
        assert text.endswith("Versions:\n\n- wrong: wrong 1.2\n")
        assert "compare r.mlir --engines=reference,wrong --inputs=r.npz" in text
        assert (f"As a test that {right} passes:" in text) == (bool(right) and size == 4)
        assert ("reference:\n\n```\nerror: it fails\n```" in text) == (right != "reference")


@pytest.mark.parametrize(
    ("entries", "code", "lines"),
    [
        (
            {"negate": None, "tanh": "takes", "add": "takes"},
            1,
            [
                "a.mlir:2:8: error: 'stablehlo.negate' op is outside the profile 'own': the op is refused",
                "1 problem for the profile 'own'",
            ],
        ),
        (
            {"negate": "refuses", "tanh": None},
            1,
            [
                "a.mlir:2:8: error: ",
                "a.mlir:3:8: error: ",
                "2 problems for the profile 'own'; not measured: stablehlo.add (1)",
            ],
        ),
        (
            {"negate": "takes"},
            0,
            ["0 problems for the profile 'own'; not measured: stablehlo.tanh (1), stablehlo.add (1)"],
        ),
        ({"negate": "takes", "tanh": "takes", "add": "takes"}, 0, ["0 problems for the profile 'own'"]),
    ],
)
def test_a_program_is_held_against_a_profile(
    entries: dict[str, str | None], code: int, lines: list[str], verb: Verb
) -> None:
    parts = ['[about]\nengine = "mine"\n']
    for op, word in entries.items():
        parts.append(f'[ops."stablehlo.{op}".takes]\n')
        parts.append('"element types" = ["f32"]\n' if word == "takes" else '"rank" = ["1"]\n' if word else "")
        if word == "refuses":
            parts.append(f'[ops."stablehlo.{op}".refuses]\n"element types" = ["f32"]\n')
    Path("own.toml").write_text("".join(parts))
    ended, output = verb("check a.mlir --profile=own.toml")
    found = [line for line in output.splitlines() if "note: " not in line and not line.startswith(" ")]
    assert ended == code, output
    assert len(found) == len(lines), output
    for line, start in zip(found, lines, strict=True):
        assert line.startswith(start), output
    assert found[-1] == lines[-1]
    values = value(verb, "check a.mlir --profile=own.toml", code)
    assert isinstance(values, dict)
    assert values["profile"] == {"engine": "mine"}
    assert [each["location"] for each in values["outside"]] == [f"a.mlir:{n}:8" for n in range(2, 1 + len(lines))]
    assert set(values["unmeasured"]) == {f"stablehlo.{op}" for op in ("negate", "tanh", "add") if op not in entries}


@pytest.mark.parametrize(("verdict", "code"), [("changed", 1), ("inconclusive", 2)])
@pytest.mark.parametrize("shows", [False, True])
def test_programs_around_a_pass_are_printed_where_they_are_asked_for(
    verdict: str, code: int, shows: bool, verb: Verb, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = SimpleNamespace(verdict=verdict, as_dict=lambda: {"verdict": verdict})
    room = "stablehlo_py.debug.bisect_passes"
    monkeypatch.setattr(f"{room}.bisect_pipeline", lambda *_: found)
    monkeypatch.setattr(f"{room}.passes_text", lambda one, *, show=False: f"{one is found} {show}")
    words = f"bisect-passes a.mlir --pass-pipeline=cse{' --show' * shows}"
    assert verb(words) == (code, f"True {shows}\n")
    assert value(verb, words, code) == {"verdict": verdict}
