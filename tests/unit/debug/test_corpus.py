"""`stablehlo corpus`: every module has its row, whatever it does to the process that checks it."""

from __future__ import annotations

import importlib.util
import json
import re
import sys
from pathlib import Path
from types import SimpleNamespace

import corpus_proof
import numpy as np
import pytest
from swapped_engine import Swapped

from stablehlo_py.artifacts.formats.reading import read_program
from stablehlo_py.debug.allowed.spread import Local
from stablehlo_py.debug.corpus import Results, Row, Summary, TaskLimits, check_corpus, find_modules, read_check
from stablehlo_py.debug.corpus import run as corpus_run
from stablehlo_py.debug.corpus.checks import Checks
from stablehlo_py.engines import Engine, Limits, Outcome
from stablehlo_py.errors import InputError, ProviderError, UsageError

SINE = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.sine %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""
INVALID = "func.func @main(%x: tensor<4xf32>) -> tensor<2xf32> { return %x : tensor<4xf32> }\n"
LIMITS = TaskLimits(2.0, retries=0)
COMPARE = "compare:reference,official"


@pytest.fixture
def corpus(tmp_path):
    folder = tmp_path / "corpus"
    folder.mkdir()
    corpus_proof.write_corpus(folder, 4)
    (folder / "invalid.mlir").write_text(INVALID)
    (folder / "notes.txt").write_text("no module")
    return folder


def test_a_module_that_aborts_or_hangs_costs_its_own_row(corpus, tmp_path):
    path = tmp_path / "results.jsonl"
    modules = find_modules([str(corpus)])
    results = Results(str(path), resume=False)
    rows = check_corpus(modules, ["verify", COMPARE], results, limits=LIMITS, jobs=1)
    by_name = {(row.module.rpartition("/")[2], row.check): row for row in rows}
    assert len(by_name) == len(rows) == 10
    assert by_name["aborts.mlir", COMPARE].status == "crash"
    assert by_name["hangs.mlir", COMPARE].status == "timeout"
    assert {row.status for row in rows if "invalid" in row.module} == {"rejected"}
    assert sum(row.status == "ok" for row in rows) == 6
    assert set(map(_row, path.read_text().splitlines())) == set(rows)

    whole = path.read_bytes()
    path.write_bytes(whole[:-20])  # as if this process had been killed while it wrote
    for new in (1, 0):
        results = Results(str(path), resume=True)
        before = set(results.rows)
        again = check_corpus(modules, ["verify", COMPARE], results, limits=LIMITS)
        assert {row.key for row in again} == {row.key for row in rows}
        assert len(set(results.rows) - before) == new
    assert path.read_bytes().count(b"\n") == 10


@pytest.mark.parametrize("checks", [["verify"], ["verify", "interpret"], ["verify", "interpret", COMPARE]])
def test_progress_counts_the_checks_of_all_modules_also_those_of_an_earlier_run(checks, tmp_path):
    modules = [str(tmp_path / name) for name in ("a.mlir", "b.mlir")]
    results = Results(str(tmp_path / "results.jsonl"), resume=False)
    known, told = [], []
    for module in modules:
        Path(module).write_text("module {}")
        for check in checks:
            known.append(corpus_run.Task(module, b"module {}", check).row("ok"))
            results.add(known[-1])
    found = check_corpus(modules, checks, results, limits=LIMITS, show=lambda done, total: told.append((done, total)))
    count = 2 * len(checks)
    assert found == known
    assert told == [(done, count) for done in range(1, count + 1)]
    assert len((tmp_path / "results.jsonl").read_text().splitlines()) == count


def _row(line: str) -> Row:
    return Row(**json.loads(line))


def test_a_file_of_results_is_not_overwritten(tmp_path):
    path = tmp_path / "results.jsonl"
    path.write_text("{}\n")
    with pytest.raises(InputError, match="exists") as raised:
        Results(str(path), resume=False)
    assert raised.value.notes == ("--resume goes on with it",)
    with pytest.raises(InputError, match=r"results\.jsonl:1:1: error: not an entry"):
        Results(str(path), resume=True)


def test_a_changed_module_is_checked_again(tmp_path):
    module, path = tmp_path / "a.mlir", tmp_path / "results.jsonl"
    found = []
    for text in (SINE, SINE, INVALID):
        module.write_text(text)
        results = Results(str(path), resume=True)
        (row,) = check_corpus([str(module)], ["verify"], results, limits=LIMITS)
        found.append((row.status, len(results.rows)))
    assert found == [("ok", 1), ("ok", 1), ("rejected", 2)]


def test_the_summary_has_the_smallest_example_of_each_cause():
    def row(name: str, size: int, message: str) -> Row:
        return Row(name, name, size, "verify", "error", message)

    summary = Summary.of(
        [
            row("a", 30, "<string>:1:2: error: expected tensor<4xf32>, found %3 = 17"),
            row("b", 20, "<string>:7:9: error: expected tensor<8xi1>, found %arg0#1 = 2.5\nmore"),
            row("c", 10, "out of luck"),
            Row("d", "d", 5, "verify", "ok"),
        ]
    )
    assert summary.statuses == {"error": 3, "ok": 1}
    assert [(cause.count, cause.smallest.module) for cause in summary.causes] == [(2, "b"), (1, "c")]
    assert summary.causes[0].smallest.cause == "expected tensor<…>, found %… = N"


@pytest.mark.parametrize(
    ("message", "cause"),
    [
        ("f.mlir:12:3: error: f32 has 23 bits, bf16 7.5", "f32 has N bits, bf16 N"),
        ("%arg0#1 of @f0 is !quant.uniform<i8:f32, 0.5> at x_2", "%… of @f0 is !quant.uniform<…> at x_2"),
        ("one\ntwo 2", "one"),
        ("é" * 170, "é" * 160),
        ("", ""),
    ],
)
def test_a_cause_has_no_locations_types_values_and_numbers_but_all_names(message: str, cause: str) -> None:
    assert Row("a", "a", 1, "verify", "error", message).cause == cause


@pytest.mark.parametrize(
    ("check", "seconds"),
    [("verify", 5.0), ("interpret", 5.0), ("passes:cse,inline", 5.0), ("compare:a,b", 75.0), ("judge:a,b,c", 110.0)],
)
def test_engines_of_a_check_have_time_to_start_and_to_run(check: str, seconds: float, monkeypatch: pytest.MonkeyPatch):
    asked = list[float]()

    class Child:
        def __init__(self, *_: object) -> None: ...
        def start(self) -> bool:
            return False

        def ask(self, _request: object, limit: float) -> SimpleNamespace:
            asked.append(limit)
            return SimpleNamespace(cause="", value=("ok", ""))

        def close(self) -> None: ...

    monkeypatch.setattr(corpus_run, "Worker", Child)
    with corpus_run.Checking(TaskLimits(5.0)).open() as work:
        assert work(corpus_run.Task("m", b"", check)).status == "ok"
    assert asked == [seconds], "30 s to start an engine"


def _verdict(program: str, check: str) -> tuple[str, str]:
    return Checks(Limits(10.0)).answer((check, program.encode()))


def _engine(name: str, outcome: Outcome) -> Engine:
    """An engine whose every run has this outcome."""
    engine = Engine(name, "none:none")
    engine.run = lambda *_: outcome  # type: ignore[method-assign]
    engine.runs = lambda _, sets: [outcome for _ in sets]  # type: ignore[method-assign]
    return engine


SAME = np.full(4, 0.5, np.float32)


@pytest.mark.parametrize(
    ("given", "compared", "judged"),
    [
        (Outcome("ok", (SAME,)), ("ok", ""), None),
        (Outcome("ok", (1e30 * SAME,)), ("differs", "result 0 of type tensor<4xf32> differs by .+"), "differs"),
        (Outcome("ok", (SAME[:2],)), ("differs", "result 0 of type tensor<4xf32> is of another shape"), None),
        (Outcome("crash", message="signal 11"), ("crash", "signal 11"), "crash"),
        (Outcome("timeout", message="60 s"), ("timeout", "60 s"), "crash"),
        (Outcome("rejected", message="why"), ("rejected", "why"), "unsupported"),
        (Outcome("unsupported", message="why"), ("unsupported", "why"), "unsupported"),
    ],
    ids=str,
)
def test_a_verdict_has_the_status_and_the_words_of_the_engine(given, compared, judged):
    checks = Checks(Limits(10.0))
    checks._engines.update(first=_engine("first", Outcome("ok", (SAME,))), other=_engine("other", given))
    status, message = checks.answer(("compare:first,other", SINE.encode()))
    wanted, words = compared
    assert status == wanted, message
    assert re.fullmatch(f"other: {words}" if words else "", message), message
    if judged is not None:
        checks._engines.update(reference=Local())
        assert checks.answer(("judge:reference,other", SINE.encode()))[0] == judged


@pytest.mark.parametrize("check", ["judge", "compare"])
def test_the_first_engine_is_the_one_that_is_right(check):
    checks = Checks(Limits(10.0))
    right = Swapped(name="right")
    checks._engines.update(right=right, wrong=Swapped({"sine": "cosine"}, name="wrong"), other=Local())
    for engines, blamed in (("right,wrong", "wrong"), ("right,other,wrong", "wrong")):
        before = right.asked
        status, message = checks.answer((f"{check}:{engines}", SINE.encode()))
        assert status == "differs", (engines, message)
        head = f"{blamed}: wrong stablehlo.sine: " if check == "judge" else f"{blamed}: result 0 of type tensor<4xf32> "
        assert message.startswith(head), (engines, message)
        assert right.asked > before
    assert checks.answer((f"{check}:right,other", SINE.encode())) == ("ok", "")


def test_engines_of_a_check_are_opened_once_with_its_limits(monkeypatch):
    opened = []

    def note(name, limits):
        opened.append((name, limits))
        return Local()

    monkeypatch.setattr("stablehlo_py.debug.corpus.checks.open_engine", note)
    checks = Checks(Limits(3.0, None))
    for _ in range(2):
        assert checks.answer(("compare:a,b", SINE.encode())) == ("ok", "")
    assert opened == [("a", Limits(3.0, None)), ("b", Limits(3.0, None))]


@pytest.mark.parametrize(
    ("program", "check", "status", "said"),
    [
        ("nonsense", "verify", "rejected", "nonsense"),
        (INVALID, "interpret", "rejected", "tensor<2xf32>"),
        (SINE.replace("4xf32", "?xf32"), "interpret", "unsupported", "cannot draw an argument of type"),
        (SINE.replace("4xf32", "?xf32"), "passes:cse", "unsupported", "cannot draw an argument of type"),
        (SINE, "passes:nothing", "error", "nothing"),
        (SINE, "roundtrip:1.0.0,0.9.0", "ok", ""),
        (SINE.replace("sine", "tan"), "roundtrip:current,1.0.0", "unsupported", "1.0.0: "),
        (SINE, "interpret:,,", "ok", ""),
    ],
)
def test_why_a_check_is_not_passed_is_told_by_its_status_and_message(program, check, status, said):
    found = _verdict(program, check)
    assert found[0] == status, found
    assert said in found[1]
    assert bool(found[1]) == (status != "ok")


def test_a_pass_that_changes_results_is_found(monkeypatch):
    assert _verdict(SINE, "passes:canonicalize,cse") == ("ok", "")

    def plant(module, pipeline, **_):
        assert pipeline == "planted"
        sine = module.body.operations[0].body.blocks[0].operations[0]
        with sine.operation.context, sine.operation.location:
            from stablehlo_py.bindings import ir

            new = ir.Operation.create(
                "stablehlo.cosine", [sine.result.type], list(sine.operands), ip=ir.InsertionPoint(sine)
            )
        sine.result.replace_all_uses_with(new.result)

    monkeypatch.setattr("stablehlo_py.debug.corpus.checks.run_guarded_pipeline", plant)
    status, message = _verdict(SINE, "passes:planted")
    assert status == "differs"
    assert "result 0 of type tensor<4xf32>" in message


def test_a_check_op_that_fails_is_a_difference():
    program = """func.func @main() {
      %0 = stablehlo.constant dense<1> : tensor<i32>
      check.expect_eq_const %0, dense<NUMBER> : tensor<i32>
      return
    }"""
    assert _verdict(program.replace("NUMBER", "1"), "interpret") == ("ok", "")
    assert _verdict(program.replace("NUMBER", "2"), "interpret")[0] == "differs"


def test_a_program_that_is_too_new_for_a_version_is_not_supported():
    program = SINE.replace("sine", "tan")
    assert _verdict(program, "roundtrip:current") == ("ok", "")
    assert _verdict(program, "roundtrip:1.0.0")[0] == "unsupported"


def test_checks_are_refused_before_anything_runs():
    assert read_check("compare") == "compare:reference,xla"
    assert read_check("passes:a,,b") == "passes:a,b"
    for wrong in ("nothing", "verify:1", "compare:reference", "compare:reference,nobody", "roundtrip:0.0.1"):
        with pytest.raises(UsageError):
            read_check(wrong)


def test_without_dask_the_extra_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    module = tmp_path / "a.mlir"
    module.write_text(SINE)
    results = Results(str(tmp_path / "results.jsonl"), resume=False)
    with pytest.raises(ProviderError, match="--cluster needs Dask") as raised:
        check_corpus([str(module)], ["verify"], results, limits=LIMITS, cluster="local")
    assert "stablehlo-py[cluster]" in raised.value.notes[0]


@pytest.mark.skipif(sys.platform != "linux", reason="lists the children of a process as Linux does")
@pytest.mark.skipif(importlib.util.find_spec("distributed") is None, reason="needs the extra cluster")
@pytest.mark.release
def test_a_lost_worker_loses_no_row():
    found = corpus_proof.run(20, 2, 2.0)
    assert found["modules_with_a_row"] == found["rows"] == 20
    assert found["statuses"] == {"ok": 18, "crash": 1, "timeout": 1}
    assert found["rows_of_resume"] == 0


@pytest.mark.parametrize(
    ("statuses", "retries", "attempts", "status"),
    [
        (["crash", "timeout", "ok"], 2, 3, "ok"),
        (["crash", "memory", "ok"], 1, 2, "memory"),
        (["timeout"], 0, 1, "timeout"),
        (["rejected", "ok"], 2, 1, "rejected"),
        (["ok", "crash"], 2, 1, "ok"),
        *[([status, "ok"], 2, 1, status) for status in ("differs", "unsupported", "error", "lost")],
        *[([status] * 3, 2, 3, status) for status in ("crash", "timeout", "memory")],
    ],
)
def test_what_a_process_did_not_survive_is_tried_again(
    monkeypatch: pytest.MonkeyPatch, statuses: list[str], retries: int, attempts: int, status: str
) -> None:
    left = iter(statuses)
    monkeypatch.setattr(corpus_run, "_verdict", lambda *_: (next(left), ""))
    with corpus_run.Checking(TaskLimits(2.0, retries=retries)).open() as check:
        row = check(corpus_run.Task("a.mlir", b"", "verify"))
    assert (row.status, row.attempts) == (status, attempts)


@pytest.mark.parametrize("memory", [None, 0, 1 << 30])
def test_memory_is_limited_before_a_module_is_read(memory: int | None, monkeypatch: pytest.MonkeyPatch):
    limits = list[int]()
    monkeypatch.setattr("stablehlo_py.debug.corpus.checks.limit_process", limits.append)
    checks = Checks(Limits(10.0, memory_bytes=memory))
    assert [checks.answer(("verify", text)) for text in (SINE.encode(), SINE.encode())] == [("ok", "")] * 2
    assert checks.answer(("verify", b"nothing"))[0] == "rejected"
    assert limits == ([] if memory is None else [memory] * 3)


@pytest.mark.parametrize(("modules", "reads"), [(1, 1), (8, 8), (9, 27)])
def test_the_last_eight_modules_are_read_once_for_all_of_their_checks(
    modules: int, reads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = list[bytes]()

    def read(module: bytes) -> tuple[object, str]:
        asked.append(module)
        return read_program(module)

    monkeypatch.setattr("stablehlo_py.debug.corpus.checks.read_program", read)
    checks = Checks(Limits(10.0))
    texts = [f"// {modules} {number}\n{SINE}".encode() for number in range(modules)]
    for _ in range(3):
        for text in texts:
            assert [checks.answer((check, text)) for check in ("verify", "interpret")] == [("ok", "")] * 2
    assert len(asked) == reads


@pytest.mark.parametrize(("memory", "word"), [(None, ""), (0, "0"), (1 << 30, "1073741824")])
@pytest.mark.parametrize("seconds", [0.5, 60.0])
def test_a_child_has_the_limits_of_its_tasks(
    seconds: float, memory: int | None, word: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What took how long is told to milliseconds, of all attempts together."""
    commands, times = list[list[str]](), iter([10.0, 12.34567])

    class Child:
        def __init__(self, command: list[str], _environment: object) -> None:
            commands.append(command)

        def close(self) -> None: ...

    monkeypatch.setattr(corpus_run, "Worker", Child)
    monkeypatch.setattr(corpus_run, "_verdict", lambda *_: ("crash", "so"))
    monkeypatch.setattr(corpus_run, "time", SimpleNamespace(perf_counter=lambda: next(times)))
    with corpus_run.Checking(TaskLimits(seconds, memory, retries=2)).open() as check:
        row = check(corpus_run.Task("a.mlir", b"abc", "verify"))
    assert [command[-2:] for command in commands] == [[str(seconds), word]]
    assert (row.status, row.message, row.attempts, row.seconds, row.bytes) == ("crash", "so", 3, 2.346, 3)
