"""The question that a reduction asks, the command that shows its answer again, and the report of what is left."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
from swapped_engine import Swapped, program

import stablehlo_py
from stablehlo_py.bindings import ir
from stablehlo_py.bindings.bytecode import bytecode_of
from stablehlo_py.debug import Tolerance
from stablehlo_py.debug.allowed.spread import Local
from stablehlo_py.debug.reduction import question as questions
from stablehlo_py.debug.reduction.predicates import Command, Disagreement, Failure, same_error
from stablehlo_py.debug.reduction.question import (
    DistantPredicate,
    EnginePair,
    LastRuns,
    Question,
    last_runs,
    predicates_of,
    read_tolerance,
    shown_outcome,
)
from stablehlo_py.debug.reduction.reduce import Reduction
from stablehlo_py.debug.reduction.reproducer import issue_text, self_checking
from stablehlo_py.engines import Limits, Outcome
from stablehlo_py.errors import CheckError, UsageError
from stablehlo_py.interpreter.program import Program
from stablehlo_py.isolation.pool import open_pool
from stablehlo_py.version import __version__

F = np.float32
T = "tensor<2xf32>"
PAIR = EnginePair("reference", "xla:a=1", None)
ASKS = Question(PAIR, False, None, "0", "")


def test_a_tolerance_of_a_reduction_is_one_amount_for_all_values() -> None:
    assert read_tolerance(None) is None
    assert PAIR.tolerance is None
    assert read_tolerance("4ulp|1e-3rel") == Tolerance(ulp=4, relative=1e-3)
    assert replace(PAIR, amount="0.5abs").tolerance == Tolerance(absolute=0.5)
    with pytest.raises(UsageError, match="takes one amount for all values, not 'f32=1ulp'"):
        read_tolerance("f32=1ulp")


@pytest.mark.parametrize(
    ("question", "words"),
    [
        (ASKS, ["compare", "p q.mlir", "--engines=reference,xla:a=1", "--inputs=i.npz"]),
        (replace(ASKS, pair=replace(PAIR, amount="1abs|2ulp")),
         ["compare", "p q.mlir", "--engines=reference,xla:a=1", "--tolerance=1abs|2ulp", "--inputs=i.npz"]),
        (replace(ASKS, pair=EnginePair("reference:f64,reverse", "xla", None)),
         ["compare", "p q.mlir", "--engine=reference:f64,reverse", "--engine=xla", "--inputs=i.npz"]),
        (replace(ASKS, pair=EnginePair("reference", "xla:a=1,b=2", "1ulp")),
         ["compare", "p q.mlir", "--engine=reference", "--engine=xla:a=1,b=2", "--tolerance=1ulp", "--inputs=i.npz"]),
        (replace(ASKS, fails=True, pair=EnginePair("reference", "xla:a=1,b=2", "1ulp")),
         ["run", "p q.mlir", "--engine=xla:a=1,b=2", "--inputs=i.npz"]),
        (replace(ASKS, fails=True), ["run", "p q.mlir", "--engine=xla:a=1", "--inputs=i.npz"]),
    ],
)  # fmt: skip
def test_the_command_shows_the_error_of_the_program_again(question: Question, words: list[str]) -> None:
    assert shlex.split(question.command("p q.mlir", "i.npz")) == ["stablehlo", *words]
    script = replace(question, script="./mine {module} --with={inputs}")
    assert script.command("p.mlir", "i.npz") == "./mine p.mlir --with=i.npz"
    braces = replace(question, script="awk '{print} {}' {module}")
    assert braces.command("p.mlir", "i.npz") == "awk '{print} {}' p.mlir"


def test_verdicts_on_each_question_have_a_folder_of_their_own(tmp_path: Path) -> None:
    others = [
        ASKS, replace(ASKS, fails=True), replace(ASKS, script="true {module}"), replace(ASKS, exit_code="any"),
        replace(ASKS, pattern="x"), replace(ASKS, pair=replace(PAIR, amount="1ulp")),
        replace(ASKS, pair=replace(PAIR, engine="xla")), replace(ASKS, pair=replace(PAIR, reference="xla:a=1")),
    ]  # fmt: skip
    folders = [each.folder(str(tmp_path)) for each in others]
    assert len(set(folders)) == len(folders)
    assert {folder.parent for folder in folders if folder is not None} == {tmp_path}
    assert replace(ASKS).folder(str(tmp_path)) == folders[0]
    assert ASKS.folder(None) is None


@pytest.mark.parametrize(("seconds", "found"), [(None, 600.0), (7.0, 7.0)])
def test_the_options_make_a_predicate(seconds: float | None, found: float) -> None:
    bounds = Limits(seconds, 1 << 30)
    command = replace(ASKS, script="true {module}", exit_code="3", pattern="x").predicate(bounds)
    assert command == Command("true {module}", "3", "x", found)
    failure = replace(ASKS, fails=True, pattern="x").predicate(bounds)
    assert isinstance(failure, Failure)
    assert (failure.pattern, failure.status, failure.engine.name, failure.engine.limits) == ("x", "", "xla:a=1", bounds)
    pair = replace(ASKS, pair=replace(PAIR, amount="2ulp")).predicate(bounds)
    assert isinstance(pair, Disagreement)
    assert (pair.reference.name, pair.engine.name, pair.tolerance) == ("reference", "xla:a=1", Tolerance(ulp=2))
    assert pair.reference.limits == pair.engine.limits == bounds


@pytest.mark.parametrize("jobs", [1, 3])
def test_each_job_has_a_predicate_that_is_closed_in_the_end(jobs: int, monkeypatch: pytest.MonkeyPatch) -> None:
    closed: list[str] = []

    class Noting(Swapped):
        def close(self) -> None:
            closed.append(self.name)

    monkeypatch.setattr(questions, "open_engine", lambda name, _: Noting(name=name))
    with predicates_of(ASKS, Limits(), jobs, "") as found:
        assert len(found) == jobs
        assert not closed
    assert sorted(closed) == sorted(["reference", "xla:a=1"] * jobs)


SINE = program("%r = stablehlo.sine %x", x=T)
FOUND = Reduction(SINE, (F([0.5, 1]),), 1, 9, "values differ", 3)


def at_most(engine: Swapped, runs: int) -> Callable[[bytes, Sequence[np.ndarray]], Outcome]:
    plain = engine.run

    def run(module: bytes, arguments: Sequence[np.ndarray]) -> Outcome:
        assert engine.asked < runs, f"{engine.name} is asked more than {runs} times"
        return plain(module, arguments)

    return run


def asked(question: Question, monkeypatch: pytest.MonkeyPatch, **engines: Swapped) -> LastRuns:
    monkeypatch.setattr(questions, "open_engine", lambda name, _: engines[name])
    for engine in engines.values():
        monkeypatch.setattr(engine, "run", at_most(engine, 12))
        monkeypatch.setattr(type(engine), "versions", property(lambda each: {"of": each.name}))
    return last_runs(question, FOUND, Limits())


def test_the_last_runs_have_results_versions_and_no_notes_if_all_is_steady(monkeypatch: pytest.MonkeyPatch) -> None:
    question = replace(ASKS, pair=EnginePair("right", "wrong", None))
    engines = {"right": Swapped(name="right"), "wrong": Swapped({"sine": "cosine"}, name="wrong")}
    found = asked(question, monkeypatch, **engines)
    assert found.notes == ()
    assert found.versions == {"right": {"of": "right"}, "wrong": {"of": "wrong"}}
    assert [engine.asked for engine in engines.values()] == [12, 12]
    for name, function in (("right", np.sin), ("wrong", np.cos)):
        np.testing.assert_allclose(found.outcomes[name].results[0], function(FOUND.arguments[0]), rtol=1e-6)


@pytest.mark.parametrize(("status", "runs"), [("timeout", 1), ("crash", 12)])
def test_what_takes_too_long_is_run_once(status: str, runs: int, monkeypatch: pytest.MonkeyPatch) -> None:
    question = replace(ASKS, pair=EnginePair("right", "fails", None), fails=True)
    fails = Swapped(name="fails", bad="sine", outcome=Outcome(status, message="so"))  # type: ignore[arg-type]
    found = asked(question, monkeypatch, right=Swapped(name="right"), fails=fails)
    assert fails.asked == runs
    assert found.notes == ()
    assert found.outcomes["fails"].status == status
    right = asked(question, monkeypatch, right=Swapped(name="right"), fails=Swapped(name="fails"))
    assert right.notes == ("0 of 12 runs in fails show the error",)


@pytest.mark.parametrize("late", [0, 1, 2, 10, 11, 12])
def test_nothing_is_run_again_after_a_run_that_took_too_long(late: int, monkeypatch: pytest.MonkeyPatch) -> None:
    class Slow(Swapped):
        def run(self, module: bytes, arguments: Sequence[np.ndarray]) -> Outcome:
            found = super().run(module, arguments)
            return Outcome("timeout", message="1 s") if self.asked == late + 1 else found

    slow = Slow({"sine": "cosine"}, name="slow")
    question = replace(ASKS, pair=EnginePair("right", "slow", None))
    found = asked(question, monkeypatch, right=Swapped(name="right"), slow=slow)
    count = min(late + 1, 12)
    assert slow.asked == count
    assert found.outcomes["slow"].status == ("timeout" if late == 0 else "ok")  # which shows an error, too
    told = f"{count} of {count} runs in slow show the error, the values below are of the first of these"
    assert found.notes == (("slow is not deterministic", told) if 0 < late < 12 else ())


def test_a_run_that_took_too_long_shows_no_error_if_the_reference_has_no_results(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    slow = Swapped(name="slow", bad="sine", outcome=Outcome("timeout", message="1 s"))
    question = replace(ASKS, pair=EnginePair("right", "slow", None))
    found = asked(question, monkeypatch, right=Swapped(name="right", bad="sine"), slow=slow)
    assert found.notes == ("0 of 1 runs in slow show the error",)


@pytest.mark.parametrize("wrong", [{0}, {1}, {2}, {11}, {3, 4}])
@pytest.mark.parametrize("who", ["right", "other"])
def test_an_engine_whose_results_change_in_any_run_is_told(
    wrong: set[int], who: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Changes(Swapped):
        def run(self, module: bytes, arguments: Sequence[np.ndarray]) -> Outcome:
            self.swaps = {"sine": "cosine"} if self.asked in wrong else {}
            return super().run(module, arguments)

    engines = {name: Changes(name=name) if name == who else Swapped(name=name) for name in ("right", "other")}
    found = asked(replace(ASKS, pair=EnginePair("right", "other", None)), monkeypatch, **engines)
    assert found.notes[0] == f"{who} is not deterministic"
    shown = len(wrong) if who == "other" else 0  # a reference that is wrong shows how far rounding may go
    assert found.notes[1].startswith(f"{shown} of 12 runs in other show the error")


def test_of_a_script_nothing_is_run_again() -> None:
    assert last_runs(replace(ASKS, script="true {module}"), FOUND, Limits()) == LastRuns({}, {})


def test_outcomes_in_words() -> None:
    assert shown_outcome(Outcome("ok", (F([1, 2]), np.array(True)))) == "[1.0, 2.0]\nTrue"
    assert shown_outcome(Outcome("crash", message="signal 11")) == "crash: signal 11"


def test_a_report_has_its_parts_in_order() -> None:
    found = replace(FOUND, notes=("first", "second"), arguments=(F([0.5, 1]), np.int32(7)))
    text = issue_text(found, "run it", {"a": {"x": "1", "y": "2"}, "b": {"z": "3"}}, [("a", "1.0"), ("b", "2.0\n")])
    reduced = f"Reduced from 9 ops in 3 tests by stablehlo-py {__version__}."
    assert text.splitlines()[:6] == ["## values differ on a program of 1 op", "", reduced, "", "Note: first.", ""]
    parts = ["Note: second.", "```mlir\n", "stablehlo.sine", "Arguments:\n\n```\n0: [0.5, 1.0]\n1: 7\n```",
             "a:\n\n```\n1.0\n```", "b:\n\n```\n2.0\n```", "To reproduce:\n\n```sh\nrun it\n```",
             "Versions:\n\n- a: x 1, y 2\n- b: z 3\n"]  # fmt: skip
    places = [text.index(part) for part in parts]
    assert all(first < second for first, second in pairwise(places))
    assert text.endswith(parts[-1])
    assert "of 2 ops" in issue_text(replace(found, ops=2), "", {}, [])


def checked(text: str | None) -> None:
    assert text is not None
    Program(stablehlo_py.parse(text)).run([])


SEVERAL = program("%a = stablehlo.sine %x", "%b = stablehlo.add %n, %n : tensor<2xi32>", x=T, n="tensor<2xi32>",
                  results=(f"%a: {T}", "%b: tensor<2xi32>"))  # fmt: skip


@pytest.mark.parametrize(
    ("module", "arguments"), [(SINE, [F([0.5, -1])]), (SEVERAL, [F([0.5, -1]), np.int32([3, 4])])], ids=["one", "two"]
)
def test_a_reproducer_checks_each_result(module: ir.Module, arguments: list[np.ndarray]) -> None:
    results = [np.asarray(one) for one in Program(module).run(arguments)]
    text = self_checking(module, arguments, results)
    checked(text)
    for number, result in enumerate(results):
        wrong = [*results[:number], result + 1, *results[number + 1 :]]
        with pytest.raises(CheckError):
            checked(self_checking(module, arguments, wrong))
    with pytest.raises(CheckError):
        checked(self_checking(module, [arguments[0] + 1, *arguments[1:]], results))
    narrow = [one.astype(ml_dtypes.bfloat16) if one.dtype == F else one for one in results]
    said = self_checking(module, arguments, narrow)
    assert said is not None
    assert "bf16" not in said  # it has the program's own types
    size = sum(one.size for one in (*arguments, *results))
    assert self_checking(module, arguments, results, most=size) == text
    assert self_checking(module, arguments, results, most=size - 1) is None
    assert self_checking(module, arguments, results, most=None) == text


@pytest.mark.parametrize(
    ("ops", "types", "call", "checks"),
    [
        (["%r = stablehlo.negate %x"], [T], "%results", ["%results"]),
        (["%r = stablehlo.negate %x", "%s = stablehlo.negate %r"], [T, T], "%results:2", ["%results#0", "%results#1"]),
    ],
)
def test_a_reproducer_names_its_results(ops: list[str], types: list[str], call: str, checks: list[str]) -> None:
    names = [f"{op.partition(' ')[0]}: {T}" for op in ops]
    text = self_checking(program(*ops, results=names, x=T), [F([1, 2])], [F([0, 1])] * len(ops))
    assert text is not None
    lines = [line.strip() for line in text.splitlines()]
    assert f"{call} = func.call @program(%input0) : ({T}) -> ({', '.join(types)})" in lines
    said = [line.split()[1].rstrip(",") for line in lines if line.startswith("check.")]
    assert said == checks


def test_a_program_of_many_elements_has_no_reproducer_by_default() -> None:
    for size, has_one in ((128, True), (129, False)):
        module = program("%r = stablehlo.negate %x", x=f"tensor<{size}xf32>")
        found = self_checking(module, [np.zeros(size, F)], [np.zeros(size, F)])
        assert (found is not None) == has_one, size


def test_engines_of_a_reduction_may_take_no_longer_than_they_could() -> None:
    predicate = Disagreement(Local(), Local())
    predicate.reference.limits = Limits(3.0, 5)
    predicate.limit(7.0)
    assert (predicate.reference.limits, predicate.engine.limits) == (Limits(3.0, 5), Limits(7.0))


@pytest.mark.parametrize(("status", "seconds"), [("timeout", 9.0), ("crash", 2.0), ("", 2.0)])
def test_an_engine_whose_error_is_that_it_takes_long_may_take_as_long_as_before(status: str, seconds: float) -> None:
    engine = Swapped()
    engine.limits = Limits(9.0)
    Failure(engine, status).limit(2.0)
    assert engine.limits.seconds == seconds


@pytest.mark.parametrize(("code", "crashes"), [(0, False), (1, False), (128, False), (129, True), (139, True)])
def test_a_command_that_ends_by_a_signal_crashes(code: int, crashes: bool) -> None:
    """A shell says so by 128 and the number of the signal."""
    command = Command(f"sh -c 'exit {code}' {{module}}", "crash")
    found = command.signature(bytecode_of(SINE), FOUND.arguments)
    assert found == (f"exit code {code}" if crashes else "")


@pytest.mark.parametrize("stream", [1, 2])
def test_a_pattern_is_looked_for_in_all_that_a_command_prints(stream: int) -> None:
    command = f"sh -c 'echo it is bad >&{stream}' {{module}}"
    for pattern, found in (("is b.d", "exit code 0"), ("good", "")):
        assert Command(command, pattern=pattern).signature(bytecode_of(SINE), FOUND.arguments) == found


def test_engines_disagree_if_any_result_differs() -> None:
    module = program("%a = stablehlo.abs %x", "%s = stablehlo.sine %x", x=T, results=[f"%a: {T}", f"%s: {T}"])
    for swaps in ({"sine": "cosine"}, {"abs": "tanh"}):
        assert Disagreement(Local(), Swapped(swaps)).signature(bytecode_of(module), FOUND.arguments)


@pytest.mark.parametrize(("given", "seconds"), [(7.0, 3.0), (2.0, 2.0)])
def test_a_command_may_take_no_longer_than_it_could(given: float, seconds: float) -> None:
    command = Command("true {module}", seconds=3.0)
    command.limit(given)
    assert command.seconds == seconds


@pytest.mark.parametrize(("change", "is_one"), [(0.25, True), (0.3, False), (-0.25, True), (-0.3, False)])
def test_one_error_changes_by_a_quarter_of_what_it_was_at_most(change: float, is_one: bool) -> None:
    expected = np.array([0.0, 5.0], np.float32)
    before, after = [expected + np.float32([size, 0]) for size in (8.0, 8.0 * (1 + change))]
    assert same_error((before, expected), (after, expected)) == is_one


def test_a_limit_of_seconds_only_gets_shorter() -> None:
    with open_pool("", 1) as pool:
        predicate = DistantPredicate(pool, ASKS, Limits(), "search")
        given = [(predicate.limit(seconds), predicate.seconds)[1] for seconds in (9.0, 20.0, 4.0, 5.0)]
    assert given == [9.0, 9.0, 4.0, 4.0]


def test_a_program_that_ends_its_workers_is_neither_interesting_nor_like_another() -> None:
    looks, form = questions._Looks(ASKS, Limits(), "search"), (b"", ())
    assert looks.lost((1.0, form, None), "crash") == ""
    assert looks.lost((1.0, form, form), "crash") is False


@pytest.mark.parametrize("other", [None, {"sine": "sine"}, {"sine": "cosine"}])
def test_a_worker_asks_of_one_program_or_of_two_forms_of_it(
    other: dict[str, str] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    engines: dict[str, Swapped] = {}

    def opened(name: str, limits: Limits) -> Swapped:
        engines[name] = Swapped({} if name == "reference" else {"sine": "tanh"}, name=name)
        engines[name].limits = limits
        return engines[name]

    monkeypatch.setattr(questions, "open_engine", opened)
    form = str(SINE).encode(), FOUND.arguments
    with questions._Looks(ASKS, Limits(60.0), "search").open() as perform:
        second = None if other is None else (form[0].replace(b"sine", other["sine"].encode()), form[1])
        found = perform((7.0, form, second))
        assert {each.limits.seconds for each in engines.values()} == {7.0}
    if other is None:
        assert str(found).startswith("values differ")
    else:
        assert found is (other["sine"] == "sine")
