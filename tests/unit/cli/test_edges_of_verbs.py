"""Parts of verbs that other tests run in processes, or with the commonest options alone."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import click
import numpy as np
import pytest
from click.testing import CliRunner
from swapped_engine import Swapped

import stablehlo_py
from stablehlo_py.cli import ranks
from stablehlo_py.cli.stablehlo import VERBS, stablehlo
from stablehlo_py.cli.verbs import steps
from stablehlo_py.debug.allowed.spread import Local
from stablehlo_py.debug.equivalence import DIFFERENT
from stablehlo_py.debug.steps import PassStep, PassSteps
from stablehlo_py.errors import Diagnostic, InputError, UsageError
from stablehlo_py.isolation import policy
from stablehlo_py.isolation.limits import MEMORY_VARIABLE, Limits, limits

PROGRAM = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.negate %x : tensor<4xf32>
  %1 = stablehlo.tanh %0 : tensor<4xf32>
  %2 = stablehlo.add %1, %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
}
"""
FOLDED = """func.func @main() -> tensor<2xf32> {
  %0 = stablehlo.constant dense<1.0> : tensor<2xf32>
  %1 = stablehlo.add %0, %0 : tensor<2xf32>
  return %1 : tensor<2xf32>
}
"""
Verb = Callable[..., tuple[int, str]]


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """Opens engines of this process: `wrong` has a sine for tanh, `lacking` no tanh. Returns what was asked for."""
    asked = list[tuple[Any, ...]]()

    def open_engine(name: str, *options: Any) -> Local:
        asked.append((name, *options))
        if name in ("wrong", "lacking"):
            return Swapped({"tanh": "sine"} if name == "wrong" else {}, name=name, bad="tanh" * (name == "lacking"))
        found = Local()
        found.name = name
        return found

    monkeypatch.setattr("stablehlo_py.engines.open_engine", open_engine)
    return asked


@pytest.fixture
def verb(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, opened: list[tuple[Any, ...]]) -> Verb:
    """Runs a verb beside some programs: its exit code, and all that it prints."""
    monkeypatch.chdir(tmp_path)
    Path("a.mlir").write_text(PROGRAM)
    Path("folded.mlir").write_text(FOLDED)

    def run(*words: str) -> tuple[int, str]:
        found = CliRunner().invoke(stablehlo, [*words], standalone_mode=False)
        if isinstance(found.exception, (click.ClickException, stablehlo_py.StablehloError)):
            return -1, str(found.exception)
        assert found.exception is None, (words, found.exception, found.output)
        return found.return_value or 0, found.output

    return run


@pytest.mark.parametrize("rank", [0, 1, 2])
@pytest.mark.parametrize(
    ("error", "failed", "code", "said"),
    [
        (None, None, 3, ""),
        (None, 2, 3, ""),
        (InputError("bad"), None, 1, "error: bad\n"),
        (UsageError("bad"), None, 1, "error: bad\n"),
        (UsageError("bad"), 7, 7, "error: bad\n"),
        (InputError("bad"), 0, 0, "error: bad\n"),
    ],
)
def test_the_first_rank_alone_prints_and_all_end_with_the_code(
    rank: int, error: InputError | None, failed: int | None, code: int, said: str,
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    ended = list[int]()
    monkeypatch.setattr(ranks, "ranks", lambda: SimpleNamespace(rank=rank, exit=ended.append))
    kept = sys.stdout, sys.stderr
    monkeypatch.setattr(sys, "stdout", kept[0])  # restored afterwards, as are those of the other ranks
    monkeypatch.setattr(sys, "stderr", kept[1])

    def work() -> int:
        sys.stdout.write("a result\n")
        if error is not None:
            raise error
        return 3

    ranks.run_on_ranks(work, failed)
    for stream in (sys.stdout, sys.stderr) if rank else ():
        stream.close()
    assert ended == [code]
    assert capsys.readouterr() == (("", "") if rank else ("a result\n", said))


@pytest.mark.parametrize(("is_terminal", "is_coloured"), [(False, False), (True, False), (True, True)])
def test_steps_are_shown_in_the_pager_of_a_terminal(
    is_terminal: bool, is_coloured: bool, verb: Verb, monkeypatch: pytest.MonkeyPatch
) -> None:
    paged = list[tuple[str, bool | None]]()
    code, plain = verb("steps", "folded.mlir", "canonicalize,stablehlo-aggressive-folder")
    assert (code, "\n-    %0 = stablehlo.add" in plain) == (0, True), plain
    stream = SimpleNamespace(isatty=lambda: is_terminal, write=sys.stdout.write, flush=sys.stdout.flush)
    monkeypatch.setattr(steps, "sys", SimpleNamespace(stdout=stream))
    monkeypatch.setattr(click, "echo_via_pager", lambda texts, color: paged.append(("".join(texts), color)))
    if is_coloured:
        monkeypatch.delenv("NO_COLOR", raising=False)
        monkeypatch.setenv("TERM", "xterm")
    else:
        monkeypatch.setenv("NO_COLOR", "1")
    code, output = verb("steps", "folded.mlir", "canonicalize,stablehlo-aggressive-folder")
    if not is_terminal:
        assert (code, output, paged) == (0, plain, [])
        return
    assert (code, output) == (0, "")
    ((text, color),) = paged
    assert (click.unstyle(text), color) == (plain, None if is_coloured else False)
    lines = {line[:1]: line for line in map(click.unstyle, text.splitlines())}
    for sign, colour in (("-", "red"), ("+", "green"), ("@", "cyan"), (" ", None)):
        assert click.style(lines[sign], fg=colour) in text, sign


def test_steps_end_with_the_pass_that_fails(verb: Verb) -> None:
    Path("dynamic.mlir").write_text(PROGRAM.replace("4xf32", "?xf32"))
    words = ("steps", "dynamic.mlir", "canonicalize,no-such-pass,cse")
    assert "no-such-pass" in verb(*words)[1]
    assert verb(*words)[0] == -1
    named = "stablehlo-legalize-to-vhlo,vhlo-to-version{target=0.9.0},canonicalize"
    Path("new.mlir").write_text(PROGRAM.replace("tanh", "tan"))
    code, output = verb("steps", "new.mlir", named, "--json")
    assert (code, [step["name"] for step in json.loads(output)]) == (1, named.split(",")[:2]), output


def test_the_first_program_that_shows_an_error_is_kept(verb: Verb, opened: list[tuple[Any, ...]]) -> None:
    words = ("judge", "a.mlir", "--reproducer=wrong.mlir")
    for engines, code in ((("right",), 0), (("right", "wrong"), 1), (("wrong", "right"), 1)):
        opened.clear()
        assert verb(*words, *[f"--engine={name}" for name in engines])[0] == code, engines
        assert [name for name, *_ in opened] == ["reference", *engines]
        assert Path("wrong.mlir").exists() == bool(code), engines
        if code:
            assert "stablehlo.tanh" in Path("wrong.mlir").read_text()
            os.unlink("wrong.mlir")
            os.unlink("wrong.npz")


def test_limits_and_the_folder_of_outcomes_reach_each_engine(verb: Verb, opened: list[tuple[Any, ...]]) -> None:
    limits, words = Limits(7.0, 1 << 33), ("--timeout=7", "--max-memory", str(1 << 33))
    given = "--args=[dense<[0.5, 1.0, 1.5, 2.0]> : tensor<4xf32>]"
    for verb_words, names in (
        (("run", "a.mlir", "--engine=right", given), ["right"]),
        (("compare", "a.mlir", "--engines=reference,right"), ["reference", "right"]),
        (("judge", "a.mlir", "--engine=right", "--reference=left"), ["left", "right"]),
        (("bisect", "a.mlir", "--engine=right", "--reference=left"), ["left", "right"]),
        (("trace", "a.mlir", "--engine=right", "--reference=left"), ["left", "right"]),
        (("bisect-passes", "a.mlir", "--engine=right", "--pass-pipeline=canonicalize"), ["right"]),
        (("numerics", "a.mlir"), ["reference", "reference:f64"]),
        (("numerics", "a.mlir", "--as=bf16"), ["reference:bf16", "reference:f64"]),
    ):
        for more, folder in (((), None), (("--work=kept",), Path("kept").absolute() / "outcomes")):
            opened.clear()
            code, output = verb(*verb_words, *words, *more)
            assert code == 0, (verb_words, output)
            assert opened == [(name, limits, folder) for name in names], verb_words


def test_a_run_prints_or_writes_results_and_times(verb: Verb) -> None:
    given = "--args=[dense<[0.0, 1.0, 0.0, 0.0]> : tensor<4xf32>]"
    words = ("run", "a.mlir", "--engine=right", given)
    code, output = verb(*words)
    assert (code, output.splitlines()) == (
        0,
        ["tensor<4xf32> {", "  [-0.000000e+00, -1.52318835, -0.000000e+00, -0.000000e+00]", "}"],
    )
    assert verb(*words, "-o", "out.npy") == (0, "")
    expected = np.array([0, 2 * np.tanh(np.float32(-1)), 0, 0], np.float32)
    np.testing.assert_allclose(np.load("out.npy"), expected, rtol=1e-6)
    code, output = verb(*words, "--json")
    found = json.loads(output)
    assert (code, found["status"], found["message"]) == (0, "ok", "")
    assert set(found) == {"status", "message", "load_seconds", "run_seconds", "peak_bytes"}
    assert "MiB" in verb(*words, "--stats", "-o", "out.npy")[1]
    code, output = verb("run", "a.mlir", "--engine=lacking", given, "-o", "none.npy")
    assert (code, Path("none.npy").exists()) == (2, False)
    assert "stablehlo run: error: lacking: " in output
    assert "lacks tanh" in output
    code, output = verb("run", "a.mlir", "--engine=lacking", given, "--json")
    assert (code, json.loads(output)["message"]) == (2, "lacks tanh")
    assert "drawn with --seed=3" in verb("run", "a.mlir", "--engine=right", "--seed=3")[1]
    assert "drawn" not in verb(*words)[1]


@pytest.mark.parametrize(
    ("seconds", "memory", "step", "run"),
    [
        (600.0, None, Limits(600.0, None), Limits(601.0, None)),
        (0.5, 1 << 33, Limits(10.0, 1 << 33), Limits(1.5, 1 << 33)),
        (70.0, 1 << 29, Limits(70.0, 1 << 30), Limits(71.0, 1 << 30)),
    ],
)
def test_each_step_is_guarded_by_the_limits_that_it_may_have(
    seconds: float, memory: int | None, step: Limits, run: Limits, verb: Verb, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = list[tuple[str, Any, Any]]()

    def doing(activity: str, *_: object, limit: Any = None, options: Any = None) -> None:
        told.append((activity, limit, options))

    monkeypatch.setattr("stablehlo_py.isolation.tool.doing", doing)
    monkeypatch.setenv(MEMORY_VARIABLE, str(3 << 30))
    words = [f"--timeout={seconds}", *([] if memory is None else [f"--max-memory={memory}"])]
    options = ("--timeout", "--max-memory")
    assert verb("run", "a.mlir", "--engine=right", *words)[0] == 0
    assert told[-2:] == [
        ("working on a.mlir", limits(), None),
        ("working on a.mlir", step, options),
    ]
    assert verb("simulate", "a.mlir", "--mesh=x=2", *words)[0] == 0
    assert ("simulating a.mlir", run, options) in told, told


@pytest.mark.parametrize(
    ("words", "activity"),
    [
        ("corpus a.mlir --check=verify --output=rows.jsonl", "checking a corpus"),
        ("reduce a.mlir --engine=right --reference=left", "reducing a.mlir"),
    ],
)
def test_runs_without_an_end_have_no_limit(
    words: str, activity: str, verb: Verb, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = list[tuple[Any, ...]]()
    monkeypatch.setattr("stablehlo_py.isolation.tool.doing", lambda *given, **options: told.append((*given, options)))
    verb(*words.split())
    assert told[-1] == (activity, {})


def test_defaults_are_written_into_programs_of_any_dialect(verb: Verb) -> None:
    text = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.sine %xRESULT : tensor<4xf32>
  %1 = math.sin %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}
"""
    Path("absent.mlir").write_text(text.replace("RESULT", ""))
    default = " {result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<DEFAULT>>}"
    Path("default.mlir").write_text(text.replace("RESULT", default))
    assert verb("diff", "absent.mlir", "default.mlir")[0] == 1
    assert verb("diff", "absent.mlir", "default.mlir", "--write-defaults") == (0, "")


def test_what_an_engine_lacks_is_an_error_in_each_format(verb: Verb, monkeypatch: pytest.MonkeyPatch) -> None:
    said = list[tuple[Diagnostic, str]]()
    monkeypatch.setattr("stablehlo_py.cli.messages.say", lambda diagnostic, text: said.append((diagnostic, text)))
    assert verb("run", "a.mlir", "--engine=lacking", "--args=[dense<0.0> : tensor<4xf32>]")[0] == 2
    ((diagnostic, text),) = said
    assert (diagnostic.severity, diagnostic.location) == ("error", "")
    assert diagnostic.message.startswith("lacking: ")
    assert text == f"stablehlo run: error: {diagnostic.message}\n"


def test_artifacts_come_from_standard_input(verb: Verb) -> None:
    data = stablehlo_py.serialize(PROGRAM, "1.0.0")
    Path("-").write_bytes(b"another file")
    Path("a.mlirbc").write_bytes(data)
    read = CliRunner().invoke(stablehlo, ["info", "-"], input=data, standalone_mode=False)
    assert read.exception is None
    assert "1.0.0" in read.output
    code, output = verb("info", "a.mlirbc")
    assert (code, output.replace("a.mlirbc", "-")) == (0, read.output.replace("<stdin>", "-"))


def test_the_help_has_each_verb_under_its_purpose() -> None:
    lines = CliRunner().invoke(stablehlo, ["--help"], standalone_mode=False).output.splitlines()
    purpose, listed = "", list[tuple[str, str]]()
    for line in lines:
        if line.endswith(":") and not line.startswith(" "):
            purpose = line.removesuffix(":")
        elif line.startswith("  ") and line[2:3].isalpha():
            listed.append((purpose, line.split()[0]))
    assert [pair for pair in listed if pair[1] in VERBS] == [(verb.purpose, name) for name, verb in VERBS.items()]


@pytest.mark.parametrize(("words", "started"), [(["--tcp=7777"], ("tcp", "localhost", 7777)), ([], ("io",))])
def test_the_language_server_serves_a_port_of_this_machine_or_standard_streams(
    words: list[str], started: tuple[Any, ...], verb: Verb, monkeypatch: pytest.MonkeyPatch
) -> None:
    lsp_server = pytest.importorskip("stablehlo_py.lsp.server", reason="the extra lsp is not installed")
    calls = list[tuple[Any, ...]]()

    guarded = list[bool]()

    def start_io(*streams: Any) -> None:
        guarded.append(not policy.is_expendable())
        calls.append(("io",))
        for stream in streams:
            stream.close()

    def start_tcp(*given: Any) -> None:
        guarded.append(not policy.is_expendable())
        calls.append(("tcp", *given))

    server = SimpleNamespace(start_tcp=start_tcp, start_io=start_io)
    monkeypatch.setattr(lsp_server, "make_server", lambda _: server)
    monkeypatch.setattr("gc.set_threshold", lambda _: None)
    with policy.guarding(False):  # the tool's own process is guarded by another one, which could only report the end
        assert verb("lsp", *words)[0] == 0
    assert calls == [started]
    assert guarded == [True], "a text that crashes the compiler would end the session"


@pytest.mark.parametrize(
    ("error", "function", "code"),
    [("", "the same", 0), ("", f"{DIFFERENT}: result 0", 1), ("it fails", "", 1), ("", "cannot tell", 0), ("", "", 0)],
)
@pytest.mark.parametrize("words", [[], ["--json"]])
@pytest.mark.parametrize("which", ["cse", "canonicalize"])
def test_a_pass_that_fails_or_makes_another_function_is_an_error(
    which: str,
    error: str,
    function: str,
    code: int,
    words: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whichever of the passes it is."""
    (tmp_path / "a.mlir").write_text(PROGRAM)
    found = PassSteps(stablehlo_py.parse(PROGRAM), "a.mlir", 5.0)

    @contextmanager
    def watch(name: str, _module: object) -> Iterator[PassStep]:
        with PassSteps.watch(found, name, stablehlo_py.parse(PROGRAM)) as step:
            yield step
        if name == which:
            step.error, step.function = error, function

    monkeypatch.setattr(found, "watch", watch)
    monkeypatch.setattr("stablehlo_py.debug.steps.PassSteps", lambda *_: found)
    ended = CliRunner().invoke(
        stablehlo, ["steps", str(tmp_path / "a.mlir"), "cse,canonicalize", *words], standalone_mode=False
    )
    assert (ended.exception, ended.return_value) == (None, code), ended.output
