"""Random programs: valid, runnable, the same for a seed; and the search around them, on an engine that is wrong."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from itertools import count
from pathlib import Path
from random import Random

import numpy as np
import pytest
from click.testing import CliRunner
from parsed import parsed

from stablehlo_py.bindings import ir, make_context
from stablehlo_py.cli.verbs.fuzz import command
from stablehlo_py.conformance.fuzz.builder import ELEMENTS, ProgramOptions, rounds
from stablehlo_py.conformance.fuzz.session import Session, Trial, answer_of
from stablehlo_py.conformance.fuzz.structures import STEPS, draw_program
from stablehlo_py.debug.reduction.search import Candidate, Search
from stablehlo_py.engines import Engine, Limits, Outcome, open_engine
from stablehlo_py.errors import UsageError
from stablehlo_py.interpreter.program import interpret

PLANTED = """
from stablehlo_py.engines.reading import read_module
from stablehlo_py.engines.reference import backend as reference


class Planted:
    def load(self, module):
        run = reference().load(module)
        if "stablehlo.transpose" not in str(read_module(module).operation):
            return run
        return lambda arguments: [~result if result.dtype.kind == "b" else result + 1 for result in run(arguments)]


def backend():
    return Planted()
"""


@pytest.mark.parametrize("seed", range(25))
def test_programs_are_valid_and_run(seed: int) -> None:
    context = make_context()
    drawn = draw_program(Random(seed), ProgramOptions(dynamic=bool(seed % 2), undefined=bool(seed % 3)), context)
    assert (
        drawn.text == draw_program(Random(seed), ProgramOptions(dynamic=bool(seed % 2), undefined=bool(seed % 3))).text
    )
    interpret(ir.Module.parse(drawn.text, context), drawn.arguments)


def test_every_step_is_taken_and_weights_leave_steps_out() -> None:
    for name in STEPS:
        alone = ProgramOptions(size=12, depth=1, weights={**dict.fromkeys(STEPS, 0), name: 1})
        texts = [draw_program(Random(seed), alone).text for seed in range(3)]
        assert any(len(text.splitlines()) > 3 for text in texts), name
    without = ProgramOptions(weights={"sort": 0, "loop": 0})
    assert not any("stablehlo.sort" in draw_program(Random(seed), without).text for seed in range(8))


def test_element_types_are_those_that_are_asked_for() -> None:
    only = ProgramOptions(elements=("i8", "i32"), weights={"complex_parts": 0, "convert": 0, "compare_and_select": 0})
    for seed in range(10):
        assert "f64" not in draw_program(Random(seed), only).text


HANGING = PLANTED.replace("[~result if", "time.sleep(600) or [~result if").replace("\n", "\nimport time\n", 1)


def planted(folder: Path, monkeypatch: pytest.MonkeyPatch, source: str = PLANTED) -> Session:
    (folder / "planted.py").write_text(source, encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(folder))
    limits = Limits(60)
    options = ProgramOptions(
        size=10, elements=("i1", "i32"), special=False, weights={"loop": 0, "function": 0, "transpose_or_reverse": 6}
    )
    trial = Trial(
        lambda: (open_engine("reference", limits), Engine("planted", "planted:backend", (), limits)),
        options,
        "stablehlo fuzz --seed={seed}",
    )
    return Session(trial, folder / "work")


def test_an_error_is_found_reduced_and_grouped_and_a_session_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = planted(tmp_path, monkeypatch)
    tally = first.run(iter(range(8)))
    assert tally.programs == 8
    assert tally.answers["differs"] >= 2
    causes = [cause for cause in tally.groups if "transpose" in cause]
    assert causes == list(tally.groups)
    smallest = min((tmp_path / "work" / "groups").rglob("program.mlir"), key=lambda path: path.stat().st_size)
    assert smallest.read_text(encoding="utf-8").count("stablehlo.") <= 3
    assert "To reproduce" in smallest.with_name("issue.md").read_text(encoding="utf-8")
    np.load(smallest.with_name("program.npz")).close()
    log = tmp_path / "work" / "seeds.jsonl"
    log.write_text(log.read_text(encoding="utf-8") + '{"seed": 8', encoding="utf-8")  # killed while writing
    again = planted(tmp_path, monkeypatch)
    assert again.run(iter(range(9))).programs == 9
    done = [json.loads(line)["seed"] for line in log.read_text(encoding="utf-8").splitlines() if line.endswith("}")]
    assert sorted(done) == list(range(9))


def test_time_ends_a_session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert planted(tmp_path, monkeypatch).run(count(), seconds=0).programs == 0


@pytest.mark.release
def test_the_reduction_of_what_does_not_end_is_bounded_and_runs_keep_their_limits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, opened = planted(tmp_path, monkeypatch, HANGING), list[Engine]()

    def open_engines() -> tuple[Engine, Engine]:
        pair = open_engine("reference", Limits(60)), Engine("planted", "planted:backend", (), Limits(1))
        opened.extend(pair)
        return pair

    session.trial = replace(session.trial, open_engines=open_engines, reduction_seconds=2.0)
    started = time.monotonic()
    tally = session.run(iter(range(3)))
    assert tally.answers["timeout"] >= 1
    assert time.monotonic() - started < 60
    assert [each.limits.seconds for each in opened] == [60, 1]
    issues = [path.read_text(encoding="utf-8") for path in (tmp_path / "work" / "groups").rglob("issue.md")]
    assert issues
    assert all("timeout" in issue for issue in issues)


def test_a_search_whose_time_is_used_up_tries_nothing_more() -> None:
    looked: list[bytes] = []

    class Always:
        def signature(self, module: bytes, arguments: object) -> str:
            looked.append(module)
            return "wrong"

        def limit(self, seconds: float) -> None: ...

        def close(self) -> None: ...

    module = parsed("func.func @main() { return }")
    search = Search([Always()], end=time.monotonic())
    search.start(Candidate(module, ()))
    assert search.first([Candidate(module, ())]) is None
    assert (len(looked), search.stopped) == (1, True)


@pytest.mark.parametrize(
    ("expected", "given", "rejects", "answer"),
    [
        (Outcome("ok", (np.float32([1]),)), Outcome("ok", (np.float32([1 + 1e-7]),)), False, "same"),
        (Outcome("ok", (np.int32([1]),)), Outcome("ok", (np.int32([2]),)), False, "differs"),
        (Outcome("ok"), Outcome("rejected"), False, "unsupported"),
        (Outcome("ok"), Outcome("rejected"), True, "rejected"),
        (Outcome("ok"), Outcome("crash"), False, "crash"),
        (Outcome("error"), Outcome("ok"), False, "reference: error"),
    ],
)
def test_what_two_runs_say(expected: Outcome, given: Outcome, rejects: bool, answer: str) -> None:
    results = expected.results if expected.results else (np.float32([1]),)
    type_ = f"tensor<1x{'i32' if results[0].dtype == np.int32 else 'f32'}>"
    program = f"func.func @main(%x: {type_}) -> {type_} {{ return %x : {type_} }}".encode()
    assert answer_of(program, results, expected, given, rejects=rejects) == answer


@pytest.mark.parametrize("change", ["--passes=builtin.module(canonicalize,cse)", "--through=1.0.0"])
def test_programs_survive_passes_and_versions(change: str) -> None:
    found = CliRunner().invoke(command, [change, "--count=3", "--size=8"], standalone_mode=False)
    assert found.return_value == 0, found.output
    assert found.output.startswith("3 programs")


def test_passes_on_what_a_program_is_not_are_refused_at_once() -> None:
    found = CliRunner().invoke(command, ["--passes=builtin.module(stablehlo-aggressive-folder)", "--count=3"])
    assert isinstance(found.exception, UsageError)
    assert "did you intend to nest?" in str(found.exception)


@pytest.mark.parametrize(
    ("option", "said"),
    [("--weights=sorts=1", "not a weight"), ("--types=f31", "unknown element type"), ("--engines=xla", "two engines")],
)
def test_bad_options_are_said(option: str, said: str) -> None:
    found = CliRunner().invoke(command, [option, "--count=1"])
    assert isinstance(found.exception, UsageError)
    assert said in str(found.exception)


def test_narrow_floats_alone_may_be_computed_with_more_digits() -> None:
    narrow = {
        element for element in ("bf16", "f16", *ELEMENTS, "f8E4M3FN", "f8E5M2", "f4E2M1FN", "i4") if rounds(element)
    }
    assert narrow == {"bf16", "f16", "f8E4M3FN", "f8E5M2", "f4E2M1FN"}
