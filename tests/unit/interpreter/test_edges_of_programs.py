"""First elements of lanes, elements that are printed and probed, and profiles at their edges."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import stablehlo_py
from stablehlo_py.errors import ArgumentError, StablehloError
from stablehlo_py.interpreter import progress
from stablehlo_py.interpreter.activities import Activities, Event, Wait
from stablehlo_py.interpreter.custom_calls import registry
from stablehlo_py.interpreter.profile import Profile
from stablehlo_py.interpreter.program import Program
from stablehlo_py.interpreter.settings import Settings


def run(text: str, *arguments: Any, **settings: Any) -> list[np.ndarray]:
    program = Program(stablehlo_py.parse(text), Settings(**settings))
    return [np.asarray(value) for value in program.run(arguments)]


CALL = """func.func @main(%x: tensor<3x4xf32>, %i: tensor<3x4xi32>, %m: tensor<f32>, %n: tensor<i32>) -> (RESULT) {
  %r:2 = stablehlo.custom_call @TARGET(%x, %i, %m, %nEXTRA) {called_computations = [@greater],
    mhlo.backend_config = {CONFIG}} : (tensor<3x4xf32>, tensor<3x4xi32>, tensor<f32>, tensor<i32>TYPES) -> (RESULT)
  return %r#0, %r#1 : RESULT
}
func.func private @greater(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>) -> tensor<i1> {
  %0 = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %0 : tensor<i1>
}"""
VALUES = np.array([[3, 1, 4, 1], [5, 9, 2, 6], [5, 3, 5, 8]], np.float32)
NUMBERS = np.arange(12, dtype=np.int32).reshape(3, 4)


@pytest.mark.parametrize("target", ["ApproxTopK", "PartialReduce"])
@pytest.mark.parametrize(
    ("dimension", "kept", "config"), [(1, 2, "top_k = 2 : i64, "), (0, 2, "top_k = 2 : i64, "), (1, 3, ""), (0, 1, "")]
)
def test_the_first_elements_of_each_lane_are_taken_with_their_companions(
    target: str, dimension: int, kept: int, config: str
) -> None:
    shape = [kept if number == dimension else size for number, size in enumerate((3, 4))]
    sizes = f"tensor<{shape[0]}x{shape[1]}x"
    text = CALL.replace("RESULT", f"{sizes}f32>, {sizes}i32>").replace("TARGET", target).replace("EXTRA", "")
    text = text.replace("TYPES", "").replace("CONFIG", f"{config}reduction_dim = {dimension} : i64")
    values, numbers = run(text, VALUES, NUMBERS, np.float32(-np.inf), np.int32(-1))
    order = np.argsort(-VALUES, axis=dimension, kind="stable").take(range(kept), axis=dimension)
    np.testing.assert_array_equal(values, np.take_along_axis(VALUES, order, axis=dimension))
    np.testing.assert_array_equal(numbers, np.take_along_axis(NUMBERS, order, axis=dimension))


@pytest.mark.parametrize(
    ("attributes", "order"), [("", [5, 1, 3]), (", largest = true", [5, 1, 3]), (", largest = false", [4, 2, 0])]
)
def test_the_largest_or_the_smallest_elements(attributes: str, order: list[int]) -> None:
    row = np.array([1.0, 3.0, 0.0, 3.0, -0.0, np.nan], np.float32)
    for target in ("TopK", "mhlo.topk"):
        text = f"""func.func @main(%x: tensor<6xf32>) -> (tensor<3xf32>, tensor<3xi32>) {{
          %r:2 = stablehlo.custom_call @{target}(%x) {{mhlo.attributes = {{k = 3 : i64{attributes}}} }}
            : (tensor<6xf32>) -> (tensor<3xf32>, tensor<3xi32>)
          return %r#0, %r#1 : tensor<3xf32>, tensor<3xi32>
        }}"""
        values, numbers = run(text, row)
        assert (numbers.tolist(), numbers.dtype) == (order, np.int32)
        np.testing.assert_array_equal(values, row[order])


@pytest.mark.parametrize(
    ("iteration", "said"),
    [
        (0, ""),
        (1, "element values don't match: 5 (actual) vs 6 (expected) at index [0]; 1 of 2 elements differ"),
        (2, "probe 'p' was written 2 times, iteration 2 does not exist"),
    ],
)
def test_probes_are_written_and_compared(iteration: int, said: str, tmp_path: Path) -> None:
    text = f"""func.func @main(%x: tensor<2xi32>, %one: tensor<2xi32>) -> tensor<2xi32> {{
      %y = interpreter.probe %x, probe_id = "p" : tensor<2xi32>
      %more = stablehlo.add %y, %one : tensor<2xi32>
      %z = interpreter.probe %more, probe_id = "p" : tensor<2xi32>
      check.expect_serialized_eq %x, probe_id = "p", iter = {iteration} : tensor<2xi32>
      return %z : tensor<2xi32>
    }}"""
    given = np.array([5, 6], np.int32), np.array([1, 0], np.int32)
    if not said:
        assert run(text, *given, probe_directory=str(tmp_path))[0].tolist() == [6, 6]
        return
    with pytest.raises(StablehloError) as raised:
        run(text, *given, probe_directory=str(tmp_path))
    assert said in str(raised.value)


def test_a_profile_sums_by_op_and_by_location() -> None:
    text = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = stablehlo.add %x, %x : tensor<4xf32> loc("a.py":1:2)
      %1 = stablehlo.add %0, %x : tensor<4xf32> loc("a.py":3:4)
      %2 = stablehlo.negate %1 : tensor<4xf32> loc("a.py":1:2)
      return %2 : tensor<4xf32>
    }"""
    profile = Profile()
    for _ in range(2):
        run(text, np.zeros(4, np.float32), listeners=(profile,))
    ops, places = profile.by_op, profile.by_location
    assert {op: (cost.count, cost.result_bytes) for op, cost in ops.items() if op.startswith("stablehlo.")} == {
        "stablehlo.add": (4, 64),
        "stablehlo.negate": (2, 32),
    }
    assert {place: cost.count for place, cost in places.items() if place.startswith("a.py")} == {
        "a.py:1:2": 4,
        "a.py:3:4": 2,
    }
    assert profile.by_place["a.py:1:2", "stablehlo.add"].count == 2
    rows = [row for row in profile.as_dict()["profile"] if row["op"].startswith("stablehlo.")]
    assert [(row["function"], row["index"], row["op"], row["count"]) for row in rows] == [
        ("main", 1, "stablehlo.add", 2),
        ("main", 2, "stablehlo.add", 2),
        ("main", 3, "stablehlo.negate", 2),
    ]
    seconds = sum(cost.seconds for cost in ops.values())
    count = sum(cost.count for cost in ops.values())
    assert repr(profile) == f"<Profile of {count} ops in {seconds * 1e3:.3f} ms>"
    page = profile._repr_html_()
    first = max(profile.by_place.items(), key=lambda item: item[1].seconds)[0]
    assert page.index(f">{first[1]}<") < min(page.index(f">{op}<") for _, op in profile.by_place if op != first[1])
    one, all_rows = profile.report(1).splitlines(), profile.report().splitlines()
    assert sum("stablehlo." in line for line in one) <= 1 < sum("stablehlo." in line for line in all_rows)


@pytest.mark.parametrize(
    ("argument", "said"),
    [
        (np.ma.masked_array([1.0, 2.0], [True, False]), "a masked array has elements without a value"),
        (np.zeros(3, np.float32), "argument 0 of function @main is"),
        (np.zeros(2, np.float64), "argument 0 of function @main is"),
    ],
)
def test_arguments_that_are_refused(argument: Any, said: str) -> None:
    with pytest.raises(ArgumentError) as raised:
        run("func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> { return %x : tensor<2xf32> }", argument)
    assert said in str(raised.value)


def test_arrays_of_another_byte_order_keep_their_numbers() -> None:
    text = "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> { return %x : tensor<2xf32> }"
    (found,) = run(text, np.array([1.5, -2.0], ">f4"))
    assert (found.tolist(), found.dtype.isnative) == ([1.5, -2.0], True)
    torch = pytest.importorskip("torch")
    for dtype, name in ((torch.bfloat16, "bf16"), (torch.float8_e4m3fn, "f8E4M3FN")):
        one = text.replace("f32", name)
        (found,) = run(one, torch.tensor([1.5, -2.0]).to(dtype))
        assert found.astype(np.float32).tolist() == [1.5, -2.0]


@pytest.mark.parametrize("stderr", [False, True])
def test_a_bar_is_drawn_where_it_is_asked_for_if_a_run_takes_long(
    stderr: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    rich = pytest.importorskip("rich.progress")
    made, shown = list[dict[str, Any]](), list[dict[str, Any]]()

    class Bar:
        def __init__(self, *_: object, **options: Any) -> None:
            made.append(options)

        def __enter__(self) -> Bar:
            return self

        def __exit__(self, *_: object) -> None: ...

        def add_task(self, text: str, total: int | None) -> int:
            assert (text, total) == ("starting", None)
            return 7

        def update(self, task: int, **state: Any) -> None:
            shown.append({"task": task, **state})

    monkeypatch.setattr(rich, "Progress", Bar)
    for delay, drawn in ((1e9, False), (0.0, True)):
        monkeypatch.setattr(progress, "_DELAY", delay)
        with progress.watch(stderr=stderr) as listener:
            listener.interval = 0.0
            run(LOOP, np.int32(0), listeners=(listener,))
        assert (len(made), bool(shown)) == (drawn, drawn)
    (options,) = made
    assert options["transient"]
    assert (options["console"] is not None and options["console"].stderr) == stderr
    assert {each["task"] for each in shown} == {7}
    assert {each["total"] for each in shown} == {None, 3}
    assert [each["completed"] for each in shown if each["total"]][-1] == 3
    assert shown[0]["description"].startswith("0 ops done, now ")


def test_the_state_of_a_run_in_words() -> None:
    assert progress.state(1234, "a.b", 0) == "1,234 ops done, now a.b"
    assert progress.state(0, "a.b", 1000) == "0 ops done, now a.b, iteration 1,000"
    assert progress.state(1, "a", 2, 3000, 1.6) == "1 ops done, now a, iteration 2 of 3,000, about 2 s left"


LOOP = """func.func @main(%i: tensor<i32>) -> tensor<i32> {
  %n = stablehlo.constant dense<3> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %r = stablehlo.while(%j = %i) : tensor<i32>
  cond {
    %p = stablehlo.compare LT, %j, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %k = stablehlo.add %j, %one : tensor<i32>
    stablehlo.return %k : tensor<i32>
  }
  return %r : tensor<i32>
}"""


def test_a_later_handler_replaces_one_that_a_program_has_used() -> None:
    text = """func.func @main(%x: tensor<f32>) -> tensor<f32> {
      %0 = stablehlo.custom_call @edges.late(%x) : (tensor<f32>) -> tensor<f32>
      return %0 : tensor<f32>
    }"""
    module = stablehlo_py.parse(text)
    with pytest.raises(StablehloError, match="has no handler"):
        stablehlo_py.interpret(module, [np.float32(3)])
    try:
        for added in (1, 2):
            registry.custom_call_handler("edges.late")(lambda _, x, added=added: x + np.float32(added))
            assert [float(each) for each in stablehlo_py.interpret(module, [np.float32(3)])] == [3 + added]
        assert registry.is_users_handler("edges.late")
    finally:
        del registry.USERS["edges.late"]
    assert not registry.is_users_handler("edges.late")


def test_activities_that_are_stuck_are_those_that_wait_still() -> None:
    known, never, ended = Event(), Event(), list[str]()
    activities = Activities(
        lambda: False, lambda waits: ValueError([f"{each.owner} {each.describe()}" for each in waits])
    )

    def one(name: str, *events: Event) -> None:
        for number, event in enumerate(events):
            assert activities.wait(event, Wait(name, lambda number=number: f"for {number}")) == 5
        ended.append(name)

    activities.start(lambda: one("first", known))
    activities.start(lambda: one("second", known, never))
    activities.start(lambda: activities.happen(known, 5))
    with pytest.raises(ValueError, match=r"^\['second for 1'\]$"):
        activities.run()
    assert ended == ["first"]
    assert activities.wait(known, Wait("late", str)) == 5


def test_activities_run_in_the_order_of_becoming_ready() -> None:
    """Those that wait for one event become ready in the order of waiting, behind those that are ready."""
    event, order = Event(), list[str]()
    activities = Activities(lambda: False, lambda waits: AssertionError(f"{len(waits)} wait"))

    def waits(name: str) -> None:
        activities.wait(event, Wait(name, str))
        order.append(name)

    for name in "abc":
        activities.start(lambda name=name: waits(name))
    activities.start(lambda: activities.happen(event))
    for name in "xy":
        activities.start(lambda name=name: order.append(name))
    activities.run()
    assert order == ["x", "y", "a", "b", "c"]


def test_those_that_wait_end_with_the_one_that_fails() -> None:
    never, ended = Event(), list[str]()
    activities = Activities(lambda: False, lambda waits: AssertionError(f"{len(waits)} wait"))

    def waits(name: str) -> None:
        try:
            activities.wait(never, Wait(name, str))
        finally:
            ended.append(name)

    def fails() -> None:
        raise ValueError("the first failure")

    activities.start(lambda: waits("first"))
    activities.start(lambda: waits("second"))
    activities.start(fails)
    activities.start(lambda: ended.append("not started"))
    with pytest.raises(ValueError, match="the first failure"):
        activities.run()
    assert (ended, activities.waits, activities.has_ready) == (["first", "second"], {}, False)
