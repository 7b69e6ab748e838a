"""Loops whose rounds a counter tells give what they give op by op: all directions, steps, types and uses of it."""

from __future__ import annotations

import random
from collections.abc import Callable, Generator
from itertools import permutations

import numpy as np
import pytest
from parsed import parsed
from speeds import later

from stablehlo_py.errors import ResourceError
from stablehlo_py.interpreter import registry
from stablehlo_py.interpreter.fast import loops
from stablehlo_py.interpreter.program import Program
from stablehlo_py.interpreter.settings import Settings

LOOP = """
func.func @main(%start: tensor<TYPE>, %captured: tensor<TYPE>, %x: tensor<2xf32>)
    -> (tensor<TYPE>, tensor<2xf32>, tensor<TYPE>, tensor<i32>) {
  %none = stablehlo.constant dense<0> : tensor<i32>
  %r:4 = stablehlo.while(%i = %start, %a = %x, %carried = %captured, %n = %none)
      : tensor<TYPE>, tensor<2xf32>, tensor<TYPE>, tensor<i32> cond {
    %constant = stablehlo.constant dense<END> : tensor<TYPE>
    %p = stablehlo.compare WAY, %i, LIMIT : (tensor<TYPE>, tensor<TYPE>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %step = stablehlo.constant dense<STEP> : tensor<TYPE>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %m = stablehlo.add %n, %one : tensor<i32>
    %j = stablehlo.ADDITION : tensor<TYPE>
    %f = stablehlo.convert USED : (tensor<TYPE>) -> tensor<f32>
    %g = stablehlo.broadcast_in_dim %f, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %b = stablehlo.subtract %g, %a : tensor<2xf32>
    stablehlo.return %j, %b, CARRIED, %m : tensor<TYPE>, tensor<2xf32>, tensor<TYPE>, tensor<i32>
  }
  return %r#0, %r#1, %r#2, %r#3 : tensor<TYPE>, tensor<2xf32>, tensor<TYPE>, tensor<i32>
}
"""
WORDS = {
    "TYPE": ["i8", "ui8", "i32"],
    "WAY": ["LT", "LT", "LE", "GT", "GE", "NE"],
    "LIMIT": ["%constant", "%captured", "%carried"],
    "STEP": ["1", "1", "2", "7", "-1", "-3", "0"],
    "ADDITION": ["add %i, %step", "add %step, %i", "subtract %i, %step", "subtract %step, %i", "add %i, %i"],
    "USED": ["%i", "%j", "%carried"],
    "CARRIED": ["%carried", "%carried", "%i", "%j"],
}


def outcome(program: Program, arguments: list[np.ndarray]) -> list[tuple[np.dtype, bytes]] | str:
    try:
        return [(value.dtype, value.tobytes()) for value in map(np.asarray, program.run(arguments))]
    except ResourceError as error:
        return error.message


@pytest.mark.parametrize("count", [60, later(400)])
def test_loops_with_counters_give_what_they_give_op_by_op(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    choices, counted = random.Random(0), []
    rounds = loops.Counter.rounds

    def noted(self: loops.Counter, *values: object) -> object:
        counted.append(rounds(self, *values))
        return counted[-1]

    monkeypatch.setattr(loops.Counter, "rounds", noted)
    for _ in range(count):
        words = {word: choices.choice(texts) for word, texts in WORDS.items()}
        type_ = words["TYPE"]
        if type_ == "ui8":
            words["STEP"] = words["STEP"].removeprefix("-")
        dtype = np.dtype({"i8": np.int8, "ui8": np.uint8, "i32": np.int32}[type_])
        low, high = (0, 255) if type_ == "ui8" else (-128, 127)
        start, end = [choices.choice([low, high, high - 3, choices.randint(low, high), 0, 5]) for _ in range(2)]
        text = LOOP.replace("END", str(end))
        for word, choice in words.items():
            text = text.replace(word, choice)
        module = parsed(text)
        arguments = [np.array(start, dtype), np.array(end, dtype), np.array([0.5, -2], np.float32)]
        expected = outcome(Program(module, Settings(max_steps=6000, fast=False)), arguments)
        if isinstance(expected, str):  # it may have no end
            continue
        program = Program(module)
        assert [outcome(program, arguments) for _ in range(2)] == [expected] * 2, text
    in_range = sum(found is not None for found in counted)
    assert in_range > count // 8
    assert len(counted) - in_range > count // 40


PLACES = [(place, others, captured) for others in (0, 1, 3) for place in range(others + 1) for captured in (0, 1, 2)]


@pytest.mark.parametrize("uses", [False, True])
@pytest.mark.parametrize(("place", "others", "captured"), PLACES)
def test_a_counter_at_any_place_of_the_state(place: int, others: int, captured: int, *, uses: bool) -> None:
    """Of a loop with any number of other values, whose body reads it or does not, as it does values from outside."""
    names = [f"s{number}" for number in range(others)]
    names.insert(place, "i")
    steps = [f"%n{name} = stablehlo.multiply %{name}, %{name} : tensor<i32>" for name in names if name != "i"]
    last = {name: f"n{name}" for name in names}
    operands = [*(["i"] if uses else []), *[f"x{number}" for number in range(captured)]]
    for number, (name, operand) in enumerate(zip([each for each in names if each != "i"] * 3, operands, strict=False)):
        steps.append(f"%m{number} = stablehlo.subtract %{last[name]}, %{operand} : tensor<i32>")
        last[name] = f"m{number}"
    newline, types = "\n    ", ", ".join(["tensor<i32>"] * (others + 1))
    first = ", ".join(f"%{name} = {'%zero' if name == 'i' else '%x1'}" for name in names)
    text = f"""func.func @main(%end: tensor<i32>, %x0: tensor<i32>, %x1: tensor<i32>) -> ({types}) {{
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %w:{others + 1} = stablehlo.while({first}) : {types}
  cond {{
    %p = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }} do {{
    %one = stablehlo.constant dense<1> : tensor<i32>
    %ni = stablehlo.add %i, %one : tensor<i32>
    {newline.join(steps)}
    stablehlo.return {", ".join(f"%{last[name]}" for name in names)} : {types}
  }}
  return {", ".join(f"%w#{number}" for number in range(others + 1))} : {types}
}}""".replace("%w#0", "%w#0" if others else "%w")
    arguments = [np.array(number, np.int32) for number in (4, 3, 5)]
    program, definition = Program(parsed(text)), Program(parsed(text), Settings(fast=False))
    expected = outcome(definition, arguments)
    assert [outcome(program, arguments) for _ in range(2)] == [expected] * 2, text


SLOW = """func.func @main(%end: tensor<i32>) -> tensor<i32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %r = stablehlo.while(%i = %zero) : tensor<i32> cond {
    %p = stablehlo.compare NE, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j : tensor<i32>
  }
  return %r : tensor<i32>
}"""


@pytest.mark.parametrize("seconds", [0.0001, 0.0009, 0.0011, 0.01, 1.0])
def test_the_time_is_looked_at_however_long_a_round_takes(seconds: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a clock that moves on at each look."""
    looks: list[float] = []

    def now() -> float:
        looks.append(seconds)
        return sum(looks)

    program = Program(parsed(SLOW), Settings(timeout=60 * seconds))
    monkeypatch.setattr("time.monotonic", lambda: 0.0)
    assert program.run([np.array(2, np.int32)])[0] == 2
    monkeypatch.setattr("time.monotonic", now)
    with pytest.raises(ResourceError, match="ran for longer than the limit"):
        program.run([np.array(3_000_000 if seconds < 0.001 else 500, np.int32)])


ORDERED = """
func.func @main(%x: tensor<2xf32>, %end: tensor<i32>) -> (tensor<i32>, tensor<2xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %a = %x) : tensor<i32>, tensor<2xf32> cond {
    %p = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    LINES
    stablehlo.return %j, %d : tensor<i32>, tensor<2xf32>
  }
  return %r#0, %r#1 : tensor<i32>, tensor<2xf32>
}
"""
LINES = [
    "%one = stablehlo.constant dense<1> : tensor<i32>",
    "%j = stablehlo.add %i, %one : tensor<i32>",
    "%b = stablehlo.sine %a : tensor<2xf32>",
    """%c = "stablehlo.all_gather"(%b) {all_gather_dim = 0 : i64,
      replica_groups = dense<[[0], [1], [2]]> : tensor<3x1xi64>} : (tensor<2xf32>) -> tensor<2xf32>""",
    "%d = stablehlo.add %c, %b : tensor<2xf32>",
]
ORDERS = [
    order
    for order in permutations(range(5))
    if order.index(0) < order.index(1) and order.index(2) < order.index(3) < order.index(4)
]


@pytest.mark.parametrize("order", ORDERS)
def test_loops_of_several_processes_whose_steps_are_in_any_order(order: tuple[int, ...]) -> None:
    """Between steps that concern processes, the others are one step, which may begin with the counter's."""
    module = parsed(ORDERED.replace("LINES", "\n    ".join(LINES[number] for number in order)))
    arguments = [[np.array([0.5, value], np.float32), np.array(5, np.int32)] for value in (1, 2, 1)]
    found = []
    for settings in (Settings(fast=False), Settings(share=False), Settings()):
        rows = Program(module, settings).run_parallel(arguments, num_replicas=3)
        found.append([[np.asarray(value).tobytes() for value in row] for row in rows])
    assert found[0] == found[1] == found[2]


@pytest.fixture
def _as_before() -> Generator[None]:
    kernels = dict(registry._USERS)
    yield
    registry._USERS.clear()
    registry._USERS.update(kernels)
    registry.registered()


CALLS: list[str] = []


def another() -> np.ndarray:
    """A value that changes from call to call."""
    CALLS.append("constant")
    return np.array(1 + len(CALLS) % 3, np.int32)


USERS: dict[str, Callable[..., object]] = {
    "add": lambda lhs, rhs: np.add(np.add(lhs, rhs), rhs),
    "compare": np.less_equal,
    "constant": another,
    "sine": np.negative,
    "while": lambda _cond, _body, *state: state,
}


@pytest.mark.parametrize("name", USERS)
@pytest.mark.usefixtures("_as_before")
def test_loops_run_the_kernels_of_users(name: str) -> None:
    registry.op_kernel(f"stablehlo.{name}")(lambda _op: USERS[name])
    module = parsed(ORDERED.replace("LINES", "\n".join([*LINES[:3], "%d = stablehlo.abs %b : tensor<2xf32>"])))
    arguments = [np.array([0.5, -2], np.float32), np.array(7, np.int32)]
    found = []
    for fast in (False, True):
        CALLS.clear()
        program = Program(module, Settings(fast=fast))
        found.append([outcome(program, arguments) for _ in range(3)])
    assert found[0] == found[1]
