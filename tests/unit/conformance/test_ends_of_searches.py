"""Searches: the time of a session and of a reduction, which engine is wrong, and what is told of it."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from parsed import parsed

from stablehlo_py.bindings import ir, make_context
from stablehlo_py.bindings.bytecode import bytecode_of
from stablehlo_py.conformance.fuzz import changed, session
from stablehlo_py.conformance.fuzz.builder import ProgramOptions
from stablehlo_py.conformance.fuzz.session import Engines, Finding, Session, Trial, Tried
from stablehlo_py.debug.reduction.predicates import Disagreement, Failure
from stablehlo_py.engines import Limits, Outcome
from stablehlo_py.errors import UsageError

TEXT = """func.func @main(%x: tensor<1xi32>) -> tensor<1xi32> {
  %0 = stablehlo.negate %x : tensor<1xi32>
  return %0 : tensor<1xi32>
}"""


@dataclass
class Work:
    """Stands in for a trial: notes what it is given."""

    given: list[tuple[int, float]] = field(default_factory=list)
    answers: dict[int, str] = field(default_factory=dict)

    @contextmanager
    def open(self) -> Generator[Callable[[tuple[int, float]], Tried]]:
        yield self.attempt

    def attempt(self, task: tuple[int, float]) -> Tried:
        self.given.append(task)
        answer = self.answers.get(task[0], "same")
        cause = Finding(task[0], answer, "p", b"a", "i") if answer != "same" else None
        return Tried(task[0], answer, 0.125, cause)

    def lost(self, task: tuple[int, float], _why: str) -> Tried:
        return Tried(task[0], "lost", 0.0)


def clock(monkeypatch: pytest.MonkeyPatch, times: Iterator[float]) -> None:
    monkeypatch.setattr(session, "time", SimpleNamespace(monotonic=lambda: float(next(times))))


@pytest.mark.parametrize(
    ("seconds", "given"),
    [
        (0.0, []),
        (1.0, []),  # looking at the clock takes a second
        (2.0, [(0, 1.0)]),
        (4.5, [(0, 3.5), (1, 2.5), (2, 1.5), (3, 0.5)]),
        (None, [(seed, float("inf")) for seed in range(6)]),
    ],
)
def test_seeds_are_tried_while_there_is_time_and_each_is_told_how_much(
    seconds: float | None, given: list[tuple[int, float]], monkeypatch: pytest.MonkeyPatch
) -> None:
    clock(monkeypatch, count())
    work: Any = Work()
    tally = Session(work).run(iter(range(6)), seconds=seconds)
    assert work.given == given
    assert tally.answers == ({"same": len(given)} if given else {})
    looked = 6 if seconds is None else len(given) + 1
    assert tally.seconds == 1 + looked


def test_seeds_that_were_tried_before_are_not_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "of" / "mine"
    work: Any = Work(answers={2: "differs", 3: "crash", 4: "differs"})
    clock(monkeypatch, iter([0, 1] * 9))
    first = Session(work, folder).run(iter([5, 2, 3]))
    assert (first.answers, first.groups) == ({"same": 1, "differs": 1, "crash": 1}, {"differs": [2], "crash": [3]})
    assert sorted(path.name for path in (folder / "groups").iterdir()) == sorted(
        Finding(0, cause, "", b"", "").group for cause in ("differs", "crash")
    )
    clock(monkeypatch, iter([10, 11, 12, 13, 14.5]))
    second = Session(work, folder).run(iter(range(6)))
    assert [seed for seed, _ in work.given] == [5, 2, 3, 0, 1, 4]
    assert second.answers == {"same": 3, "differs": 2, "crash": 1}
    assert second.groups == {"differs": [2, 4], "crash": [3]}
    assert second.seconds == 3 * 0.125 + 4.5, "the time of the programs before, and the time of now"
    lines = [json.loads(line) for line in (folder / "seeds.jsonl").read_text().splitlines()]
    assert [line["seed"] for line in lines] == [5, 2, 3, 0, 1, 4]
    assert [line["cause"] for line in lines] == ["", "differs", "crash", "", "", "differs"]


class Scripted:
    """An engine in this process that gives outcomes one after the other, the last one again and again."""

    def __init__(self, name: str, *outcomes: Outcome) -> None:
        self.name, self.outcomes, self.asked = name, [*outcomes], list[tuple[bytes, list[Any]]]()
        self.limits, self.versions, self.is_open = Limits(60.0), {"release": f"{name} 1"}, False

    def __enter__(self) -> Scripted:
        self.is_open = True
        return self

    def __exit__(self, *_: object) -> None:
        self.is_open = False

    def run(self, module: bytes, arguments: Sequence[np.ndarray]) -> Outcome:
        self.asked.append((module, [each.tolist() for each in arguments]))
        return self.outcomes.pop(0) if len(self.outcomes) > 1 else self.outcomes[0]


def number(value: int) -> Outcome:
    return Outcome("ok", (np.int32([value]),))


FOUND = Finding(7, "a cause", "p", b"a", "i")
CRASH = Outcome("crash", message="it ended")


@pytest.mark.parametrize(
    ("expected", "given", "rejects", "wrong", "answer"),
    [
        (number(1), number(1), False, "", "same"),
        (number(1), Outcome("unsupported"), True, "", "unsupported"),
        (number(1), Outcome("rejected"), False, "", "unsupported"),
        (number(1), Outcome("rejected"), True, "engine", "rejected"),
        (number(1), number(2), False, "engine", "differs"),
        (number(1), CRASH, False, "engine", "crash"),
        (CRASH, number(1), False, "reference", "reference: crash"),
        (Outcome("unsupported"), number(1), False, "reference", "reference: unsupported"),
    ],
)
@pytest.mark.parametrize("shows_again", [True, False])
def test_a_wrong_engine_is_investigated_and_no_other(
    expected: Outcome, given: Outcome, rejects: bool, wrong: str, answer: str, shows_again: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    asked = list[Any]()
    arguments = (np.int32([-1]),)
    drawn = SimpleNamespace(text=TEXT, arguments=arguments)
    seeds = list[Any]()
    monkeypatch.setattr(session, "draw_program", lambda *words: (seeds.append(words), drawn)[1])
    monkeypatch.setattr(session, "investigate", lambda *words: (asked.append(words), FOUND if shows_again else None)[1])
    reference, engine = Scripted("reference", expected), Scripted("engine", given)
    options = ProgramOptions(size=3)
    trial = Trial(lambda: (reference, engine), options, "again {module} --seed={seed}", rejects)  # type: ignore[arg-type]
    with trial.open() as attempt:
        assert (reference.is_open, engine.is_open) == (True, True)
        tried = attempt((7, 60.0))
    assert (reference.is_open, engine.is_open) == (False, False)
    assert seeds[0][0].random() == session.Random(7).random()
    assert seeds[0][1] is options
    assert reference.asked == [(TEXT.encode(), [[-1]])]
    assert engine.asked == (reference.asked if expected.ok else [])
    said = answer if not wrong or shows_again else f"{answer} in some runs only"
    assert (tried.seed, tried.answer, tried.finding) == (7, said, FOUND if wrong and shows_again else None)
    assert trial.lost((3, 1.0), "why") == Tried(3, "lost", 0.0, None)
    if not wrong:
        assert asked == []
        return
    ((seed, module, values, first, second, command, _end),) = asked
    assert (seed, command, values) == (7, "again {module} --seed=7", arguments)
    assert str(module) == str(ir.Module.parse(TEXT, module.context))
    assert (first, second) == (reference, engine if wrong == "engine" else reference)


@pytest.mark.parametrize(("left", "end"), [(5.0, 105.0), (12.0, 112.0), (13.0, 113.0), (14.0, 113.0), (1e9, 113.0)])
def test_a_reduction_ends_with_the_search_or_after_its_own_time(
    left: float, end: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The search has `left` seconds at 100, and the programs ran until 103."""
    asked, drawn = list[Any](), SimpleNamespace(text=TEXT, arguments=(np.int32([-1]),))
    monkeypatch.setattr(session, "draw_program", lambda *_: drawn)
    monkeypatch.setattr(session, "investigate", lambda *words: asked.append(words))
    clock(monkeypatch, iter([100.0, 103.0, 110.0]))
    engines: Any = (Scripted("reference", number(1)), Scripted("engine", number(2)))
    trial = Trial(lambda: engines, ProgramOptions(), "", reduction_seconds=10.0)
    with trial.open() as attempt:
        tried = attempt((7, left))
    assert asked[0][-1] == end
    assert tried.seconds == 10.0
    assert (Trial(lambda: engines, ProgramOptions(), "").reduction_seconds, trial.rejects) == (120.0, False)


@pytest.mark.parametrize(
    ("outcomes", "kind", "cause", "shown"),
    [
        ([number(2)], Disagreement, "wrong N: negate on i32", "[2]"),
        ([CRASH], Failure, "wrong N: negate on i32: it ended", "crash: it ended"),
        ([Outcome("memory"), number(2)], Failure, "wrong N: negate on i32", "[2]"),
        ([number(2), Outcome("error", message="x" * 2000)], Disagreement,
         f"wrong N: negate on i32: {'x' * 80}", ("error: " + "x" * 2000)[:1000]),
    ],
)  # fmt: skip
def test_what_is_left_of_a_program_is_run_again_and_shown(
    outcomes: list[Outcome], kind: type, cause: str, shown: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    context = make_context()
    whole = ir.Module.parse(TEXT.replace("negate", "abs"), context)
    small = ir.Module.parse(TEXT, context)
    reference, engine = Scripted("exact", number(1)), Scripted("mine:a", *outcomes)
    searches, issues = list[Any](), list[Any]()
    left = SimpleNamespace(program=small, arguments=(np.int32([9]),), signature="wrong 3")

    def reduce(program: ir.Module, arguments: Any, given: Any, search: Any) -> Any:
        assert (program, given) == (whole, reference)
        assert [each.tolist() for each in arguments] == [[4]]
        searches.append(search)
        reference.limits = engine.limits = Limits(1.0)
        return left

    monkeypatch.setattr(session, "reduce", reduce)
    monkeypatch.setattr(session, "issue_text", lambda *words: (issues.append(words), "the issue")[1])
    pair: Any = (reference, engine)
    found = session.investigate(3, whole, (np.int32([4]),), *pair, "again", 77.0)
    assert found is not None
    assert (found.seed, found.cause, found.program, found.issue) == (3, cause, str(small.operation), "the issue")
    with np.load(io.BytesIO(found.arguments)) as arrays:
        assert [arrays[name].tolist() for name in arrays.files] == [[9]]
    versions = {"exact": {"release": "exact 1"}, "mine:a": {"release": "mine:a 1"}}
    assert issues == [(left, "again", versions, [("exact", "[1]"), ("mine:a", shown)])]
    (search,) = searches
    (predicate,) = search.predicates
    assert (type(predicate), predicate.engine, search.end) == (kind, engine, 77.0)
    if kind is Failure:
        assert predicate.status == outcomes[0].status
    else:
        assert predicate.reference is reference
    assert engine.asked == [(bytecode_of(whole), [[4]]), (bytecode_of(small), [[9]])]
    assert (reference.limits, engine.limits) == (Limits(60.0), Limits(60.0))


def test_denormal_results_are_part_of_a_cause(monkeypatch: pytest.MonkeyPatch) -> None:
    text = TEXT.replace("i32", "f32")
    program = parsed(text)
    left = SimpleNamespace(program=program, arguments=(np.float32([1.0]),), signature="wrong")
    monkeypatch.setattr(session, "reduce", lambda *_: left)
    monkeypatch.setattr(session, "issue_text", lambda *_: "")
    tiny, zero = (Outcome("ok", (np.float32([value]),)) for value in (1e-40, 0.0))
    for expected, given, is_told in ((zero, zero, False), (tiny, zero, True), (zero, tiny, True)):
        pair: Any = (Scripted("exact", expected), Scripted("mine", given))
        found = session.investigate(3, program, (np.float32([1.0]),), *pair, "")
        assert found is not None
        assert found.cause == f"{'denormal numbers: ' if is_told else ''}wrong: negate on f32"


@pytest.mark.parametrize(
    ("engines", "passes", "through", "names", "backends"),
    [
        ("reference:f64,xla:a=1,b=2", "", "", ["reference:f64", "xla:a=1,b=2"], ["reference:backend", "xla:backend"]),
        ("xla,official", "", "1.0.0", ["reference", "through:1.0.0"], ["reference:backend", "changed:Changed"]),
        ("xla,official", "builtin.module(cse)", "1.0.0", ["reference", "passes:builtin.module(cse)"],
         ["reference:backend", "changed:Changed"]),
    ],
)  # fmt: skip
def test_the_engines_of_a_search_are_named_or_the_reference_on_changed_programs(
    engines: str, passes: str, through: str, names: list[str], backends: list[str]
) -> None:
    found = Engines(engines, passes, through, 7.0)()
    assert [each.name for each in found] == names
    assert [each.limits for each in found] == [Limits(7.0)] * 2
    assert [each.backend.rpartition(".")[2] for each in found] == backends
    if passes:
        assert found[1].options == ("passes", passes)
    elif through:
        assert found[1].options == ("through", "1.0.0")


def test_changed_programs_are_run_after_the_passes_or_the_way_through_a_version() -> None:
    program = parsed(
        "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n%0 = chlo.square %x : tensor<2xf32> -> tensor<2xf32>\n"
        "return %0 : tensor<2xf32> }"
    )
    data, given = bytecode_of(program), [np.float32([3, -2])]
    passes = changed.Changed("passes", "builtin.module(func.func(chlo-legalize-to-stablehlo))")
    assert [each.tolist() for each in passes.load(data)(given)] == [[9, 4]]
    with pytest.raises(UsageError, match="no-such-pass"):
        changed.after_passes("builtin.module(no-such-pass)", Limits())
    with pytest.raises(UsageError, match="version"):
        changed.through_artifact("0.0.1", Limits())
    through = changed.Changed("through", "1.0.0")
    plain = bytecode_of(parsed(TEXT))
    assert [each.tolist() for each in through.load(plain)([np.int32([5])])] == [[-5]]
    new = b"""func.func @main(%x: tensor<2xf8E3M4>) -> tensor<2xf8E3M4> { return %x : tensor<2xf8E3M4> }"""
    with pytest.raises(changed.UnsupportedOpError, match=r"1\.0\.0"):
        through.load(new)
