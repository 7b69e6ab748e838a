"""Profiles and progress by a clock that the program's calls move: each second is charged to one op, and no other."""

from __future__ import annotations

import gc
import itertools
import weakref
from collections.abc import Generator
from typing import Any

import numpy as np
import pytest
from parsed import parsed

from stablehlo_py.errors import InputError
from stablehlo_py.interpreter import profile as profiles
from stablehlo_py.interpreter import progress as bars
from stablehlo_py.interpreter.custom_calls import CustomCall, registry
from stablehlo_py.interpreter.profile import Cost, Profile, Progress
from stablehlo_py.interpreter.program import Program
from stablehlo_py.interpreter.settings import Settings


class Clock:
    now = 1000.0


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> Generator[Clock]:
    made = Clock()
    for name in ("perf_counter", "monotonic"):
        monkeypatch.setattr(profiles.time, name, lambda: made.now)

    def takes(call: CustomCall, x: Any) -> Any:
        made.now += call.backend_config["seconds"]
        return x

    registry.custom_call_handler("clock.takes")(takes)
    yield made
    del registry.USERS["clock.takes"]


def takes(seconds: float, name: str, operand: str, line: int) -> str:
    return (
        f"%{name} = stablehlo.custom_call @clock.takes(%{operand}) {{api_version = 4 : i32, "
        f"backend_config = {{seconds = {float(seconds)} : f64}}}} : (tensor<4xf32>) -> tensor<4xf32> "
        f'loc("a.py":{line}:1)'
    )


BRANCHES = f"""func.func @main(%x: tensor<4xf32>, %p: tensor<i1>) -> tensor<4xf32> {{
  {takes(1, "a", "x", 1)}
  %b = "stablehlo.if"(%p) ({{
    {takes(2, "c", "a", 2)}
    %d = func.call @inner(%c) : (tensor<4xf32>) -> tensor<4xf32> loc("a.py":5:1)
    stablehlo.return %d : tensor<4xf32>
  }}, {{ stablehlo.return %a : tensor<4xf32> }}) : (tensor<i1>) -> tensor<4xf32> loc("a.py":4:1)
  {takes(8, "e", "b", 1)}
  %f = stablehlo.negate %e : tensor<4xf32> loc("a.py":6:1)
  return %f : tensor<4xf32>
}}
func.func private @inner(%x: tensor<4xf32>) -> tensor<4xf32> {{
  {takes(4, "a", "x", 3)}
  {takes(0.5, "b", "a", 1)}
  return %b : tensor<4xf32>
}}"""


def run(text: str, *arguments: Any, listener: Any) -> Program:
    program = Program(parsed(text), Settings(listeners=(listener,)))
    program.run(list(arguments))
    return program


X = np.zeros(4, np.float32)


def costs(found: dict[Any, Cost]) -> dict[Any, tuple[int, float, int]]:
    return {key: (cost.count, cost.seconds, cost.result_bytes) for key, cost in found.items()}


def test_each_second_is_charged_to_the_innermost_op() -> None:
    profile = Profile()
    program = run(BRANCHES, X, np.bool_(True), listener=profile)
    call = "stablehlo.custom_call"
    places = {
        ("a.py:1:1", call): (3, 9.5, 48),
        ("a.py:2:1", call): (1, 2, 16),
        ("a.py:3:1", call): (1, 4, 16),
        ("a.py:4:1", "stablehlo.if"): (1, 0, 16),
        ("a.py:5:1", "func.call"): (1, 0, 16),
        ("a.py:6:1", "stablehlo.negate"): (1, 0, 16),
    }
    assert costs(profile.by_place) == places
    assert costs(profile.by_location) == {place: cost for (place, _), cost in places.items()}
    assert costs(profile.by_op) == {
        call: (5, 15.5, 80),
        **{op: cost for (_, op), cost in places.items() if op != call},
    }
    program.run([X, np.bool_(False)])
    assert profile.by_op[call].seconds == 24.5
    assert profile.by_op["stablehlo.if"].count == 2
    rows = {(row["function"], row["index"]): row for row in profile.as_dict()["profile"]}
    assert len(rows) == len(profile.as_dict()["profile"]) == 8
    assert [(row["op"], row["location"]) for (name, _), row in sorted(rows.items()) if name == "inner"] == [
        (call, "a.py:3:1"),
        (call, "a.py:1:1"),
    ]
    assert repr(profile) == "<Profile of 12 ops in 24500.000 ms>"


def test_the_most_expensive_comes_first_in_all_tables() -> None:
    profile = Profile()
    run(BRANCHES, X, np.bool_(True), listener=profile)
    report = profile.report().splitlines()
    assert report[0].split() == ["time", "share", "count", "result", "bytes", "op"]
    assert report[1].split() == ["15500.000", "ms", "100.0%", "5", "80", "stablehlo.custom_call"]
    middle = report.index("")
    locations = report[middle + 2 :]
    assert [line.split()[-1] for line in locations[:3]] == ["a.py:1:1", "a.py:3:1", "a.py:2:1"]
    assert [line.split()[2] for line in locations[:3]] == ["61.3%", "25.8%", "12.9%"]
    for lines in (1, 2, 3, 4, 5, 6):
        found = profile.report(lines).splitlines()
        said = [line for line in found if line.startswith("… and ")]
        assert said == [f"… and {count - lines} more" for count in (4, 6) if count > lines]
    page = profile._repr_html_()
    shown = [page.index(f">{place}<") for place in ("a.py:1:1", "a.py:3:1", "a.py:2:1", "a.py:4:1")]
    assert shown == sorted(shown)


def test_a_profile_of_nothing_has_no_shares() -> None:
    profile = Profile()
    assert repr(profile) == "<Profile of 0 ops in 0.000 ms>"
    assert len(profile.report().splitlines()) == 5
    run("func.func @main(%x: tensor<f32>) { %0 = stablehlo.negate %x : tensor<f32> return }", np.float32(1),
        listener=profile)  # fmt: skip
    assert profile.report().splitlines()[1].split()[2] == "0.0%"


def test_a_profile_of_many_programs_keeps_few_of_them_alive(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(profiles, "_MOST_STEPS", 3)
    profile, programs = Profile(), list[Any]()
    for _ in range(6):
        text = "func.func @main(%x: tensor<f32>) -> tensor<f32> { %0 = stablehlo.negate %x : tensor<f32>\n"
        program = run(text + "%1 = stablehlo.negate %0 : tensor<f32> return %1 : tensor<f32> }", np.float32(1),
                      listener=profile)  # fmt: skip
        programs.append(weakref.ref(program._planner))
        del program
    gc.collect()
    assert sum(each() is not None for each in programs) <= 2
    assert profile.by_op["stablehlo.negate"].count == 12


LOOP = f"""func.func @main(%x: tensor<4xf32>, %n: tensor<i32>) -> tensor<4xf32> {{
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %y = %x) : tensor<i32>, tensor<4xf32> cond {{
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }} do {{
    %j = stablehlo.add %i, %one : tensor<i32>
    {takes(3, "z", "y", 1)}
    stablehlo.return %j, %z : tensor<i32>, tensor<4xf32>
  }}
  return %r#1 : tensor<4xf32>
}}"""


@pytest.mark.parametrize("rounds", [0, 1, 50])
def test_each_second_in_a_loop_is_charged_once(rounds: int, clock: Clock) -> None:
    profile, began = Profile(), clock.now
    run(LOOP, X, np.int32(rounds), listener=profile)
    assert {op: cost.seconds for op, cost in profile.by_op.items() if cost.seconds} == (
        {"stablehlo.custom_call": 3.0 * rounds} if rounds else {}
    )
    assert clock.now - began == 3 * rounds
    assert profile.by_op["stablehlo.compare"].count == rounds + 1


@pytest.mark.parametrize("rounds", [1, 2, 5])
def test_the_time_left_is_that_of_the_iterations_before(rounds: int) -> None:
    shown = list[Any]()
    progress = Progress(lambda *state: shown.append((*state, progress.total, progress.remaining)), interval=0.0)
    run(LOOP, X, np.int32(rounds), listener=progress)
    tests = [state for state in shown if state[1] == "stablehlo.compare"]
    assert [state[2] for state in tests] == [*range(1, rounds + 1), rounds]  # the condition is evaluated once more
    assert [state[0] for state in tests] == [2 + 3 * index for index in range(rounds + 1)]
    assert [state[3] for state in tests] == [0, *[rounds] * rounds]
    left = [3.0 * (rounds - iteration) for iteration in range(2, rounds + 1)]
    assert [state[4] for state in tests] == [None, *left, 0.0]
    assert {state[3:] for state in shown if state[1] in ("stablehlo.constant", "stablehlo.while")} == {(0, None)}
    assert progress.done == 3 + 3 * rounds + 1


def test_states_are_an_interval_apart(clock: Clock) -> None:
    for interval, count in ((3.0, 6), (2.9, 6), (3.1, 3), (6.0, 3), (100.0, 1)):
        shown = list[float]()
        run(LOOP, X, np.int32(5), listener=Progress(lambda *_: shown.append(clock.now), interval))  # noqa: B023
        assert len(shown) == count, f"every {interval} seconds"
        assert all(b - a >= interval for a, b in itertools.pairwise(shown))
    assert Progress(print).interval == 0.1


def test_a_bar_needs_rich(monkeypatch: pytest.MonkeyPatch) -> None:
    for missing in ("rich", "rich.console"):
        monkeypatch.setattr(bars, "find_spec", lambda name: None if name == missing else object())  # noqa: B023
        with pytest.raises(InputError, match="a progress bar needs rich") as raised, bars.watch():
            pass
        assert raised.value.notes == ("pip install 'stablehlo-py[progress]'",)


@pytest.mark.parametrize("after", [0.5, 1.0, 1.5])
def test_a_bar_appears_after_a_second(after: float, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = list[Any]()

    class Bar:
        def __init__(self, stderr: bool) -> None:
            drawn.append(("begins", stderr))

        def __enter__(self) -> Any:
            return lambda **fields: drawn.append(fields)

        def __exit__(self, *_: object) -> None:
            drawn.append("ends")

    monkeypatch.setattr(bars, "_bar", Bar)
    with bars.watch() as listener:
        listener.interval = 0.0
        clock.now += after
        listener.show(1, "a.b", 0)
    if after < 1:
        assert drawn == []
        return
    assert (drawn[0], drawn[-1], len(drawn)) == (("begins", False), "ends", 3)
    assert drawn[1] == {"description": "1 ops done, now a.b", "completed": 0, "total": None}
