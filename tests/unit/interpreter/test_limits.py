"""Steps, time, memory and depth are limited; what never runs need not be runnable."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import stablehlo_py
from stablehlo_py.errors import InterpreterError, ResourceError, UnsupportedOpError
from stablehlo_py.interpreter.limits import MAX_CALL_DEPTH, deep_stack
from stablehlo_py.interpreter.program import Program
from stablehlo_py.interpreter.settings import Settings
from stablehlo_py.isolation.limits import Patience, _processor_seconds

ENDLESS = """func.func @main(%x: tensor<i32>) -> tensor<i32> {
  %true = stablehlo.constant dense<true> : tensor<i1>
  %r = stablehlo.while(%a = %x) : tensor<i32> cond { stablehlo.return %true : tensor<i1> }
    do { stablehlo.return %a : tensor<i32> }
  return %r : tensor<i32>
}"""
COUNTDOWN = """func.func @main(%n: tensor<i32>) -> tensor<i32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %done = stablehlo.compare EQ, %n, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %r = "stablehlo.if"(%done) ({ stablehlo.return %zero : tensor<i32> }, {
    %less = stablehlo.subtract %n, %one : tensor<i32>
    %rest = func.call @main(%less) : (tensor<i32>) -> tensor<i32>
    %sum = stablehlo.add %rest, %one : tensor<i32>
    stablehlo.return %sum : tensor<i32>
  }) : (tensor<i1>) -> tensor<i32>
  return %r : tensor<i32>
}"""


def run(text: str, *arguments: object, **limits: object) -> list[np.ndarray]:
    return stablehlo_py.interpret(stablehlo_py.parse(text), list(arguments), **limits)  # type: ignore[arg-type]


def test_an_empty_loop_counts_steps() -> None:
    with pytest.raises(ResourceError, match="op number 1001"):
        run(ENDLESS, np.int32(0), max_steps=1000)


@pytest.mark.parametrize("runs", [1, 2])
def test_timeout(runs: int) -> None:
    program = Program(stablehlo_py.parse(ENDLESS), Settings(timeout=0.05))
    for _ in range(runs):
        with pytest.raises(ResourceError, match=r"longer than the limit of 0\.05 s"):
            program.run([np.int32(0)])


RANDOM = """func.func @main() -> tensor<4000000xui8> {
  %key = stablehlo.constant dense<1> : tensor<2xui64>
  %o:2 = stablehlo.rng_bit_generator %key, algorithm = THREE_FRY
    : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4000000xui8>)
  return %o#1 : tensor<4000000xui8>
}"""


def test_time_that_passes_inside_of_an_op() -> None:
    program = Program(stablehlo_py.parse(RANDOM))
    (bits,) = program.run([])
    assert isinstance(bits, np.ndarray)
    assert bits.shape == (4_000_000,)
    hurried = Program(stablehlo_py.parse(RANDOM), Settings(timeout=0.05))  # the op takes 0.3 s
    hurried._planner.plan("main")
    for _ in range(3):
        with pytest.raises(ResourceError, match=r"'stablehlo.rng_bit_generator' op ran for longer than the limit"):
            hurried.run([])
    with pytest.raises(ResourceError, match="ran for longer than the limit"):
        hurried.run_parallel([[], []], num_replicas=2)


def test_time_that_passes_in_compiled_code() -> None:
    program = Program(stablehlo_py.parse(RANDOM), Settings(timeout=60))
    for _ in range(2):
        program.run([])
    program._planner.clock.timeout = 0.02
    with pytest.raises(ResourceError, match="ran for longer than the limit"):
        program.run([])


def test_time_that_passes_while_planning() -> None:
    ops = "".join(f"%{number + 1} = stablehlo.negate %{number} : tensor<f32>\n" for number in range(20_000))
    text = f"func.func @main(%0: tensor<f32>) -> tensor<f32> {{\n{ops}return %20000 : tensor<f32>\n}}"
    program = Program(stablehlo_py.parse(text, trust_input=True), Settings(timeout=0.001))
    with pytest.raises(ResourceError, match="ran for longer than the limit"):
        program.run([np.float32(1)])
    assert not program._planner._plans


DOUBLING = "".join(
    f"""func.func private @level{level}(%x: tensor<f32>) -> tensor<f32> {{
      %0 = call @level{level + 1}(%x) : (tensor<f32>) -> tensor<f32>
      %1 = call @level{level + 1}(%0) : (tensor<f32>) -> tensor<f32>
      return %1 : tensor<f32>
    }}
    """
    for level in range(40)
)
DOUBLING += """func.func private @level40(%x: tensor<f32>) -> tensor<f32> {
      %0 = stablehlo.negate %x : tensor<f32>
      return %0 : tensor<f32>
    }
    func.func @main(%x: tensor<f32>) -> tensor<f32> {
      %0 = call @level0(%x) : (tensor<f32>) -> tensor<f32>
      return %0 : tensor<f32>
    }"""
"""The function at the end is called a trillion times."""


def test_calls_that_double_are_planned_once_for_each_function() -> None:
    program = Program(stablehlo_py.parse(DOUBLING), Settings(timeout=0.5))
    for _ in range(2):
        with pytest.raises(ResourceError, match=r"ran for longer than the limit of 0\.5 s"):
            program.run([np.float32(1)])
    assert len(program._planner._plans) == 42


def test_depth_of_calls() -> None:
    limit = sys.getrecursionlimit()
    (count,) = run(COUNTDOWN, np.int32(MAX_CALL_DEPTH - 1))
    assert count == MAX_CALL_DEPTH - 1
    with pytest.raises(ResourceError, match="calls go too deep"):
        run(COUNTDOWN, np.int32(10 * MAX_CALL_DEPTH))
    assert sys.getrecursionlimit() == limit


@pytest.mark.parametrize("fast", [True, False])
def test_so_many_calls_may_be_unfinished_and_no_more(fast: bool) -> None:
    """Calls that are over do not count, whether they ended well or not."""
    text = COUNTDOWN.replace("%rest =", "%before = func.call @other(%less) : (tensor<i32>) -> tensor<i32>\n%rest =")
    text += """func.func private @other(%n: tensor<i32>) -> tensor<i32> {
      %0 = stablehlo.negate %n : tensor<i32>
      return %0 : tensor<i32>
    }"""
    program = Program(stablehlo_py.parse(text), Settings(fast=fast))
    for depth in (MAX_CALL_DEPTH, MAX_CALL_DEPTH + 1, MAX_CALL_DEPTH + 2, MAX_CALL_DEPTH, 3):
        if depth <= MAX_CALL_DEPTH:
            for _ in range(2):
                assert int(np.asarray(program.run([np.int32(depth)])[0])) == depth
            continue
        with pytest.raises(ResourceError) as raised:
            program.run([np.int32(depth)])
        assert raised.value.message == f"calls go too deep: {MAX_CALL_DEPTH} are not finished"
        assert (raised.value.op, bool(raised.value.location)) == ("func.call", True)


@pytest.mark.parametrize("depth", [200, 1000])
def test_nested_regions(depth: int) -> None:
    inner = '"stablehlo.case"(%i) ({\n' * depth + "stablehlo.return %x : tensor<f32>\n"
    names = [f"%r{index}" for index in range(depth)]
    text = "func.func @main(%i: tensor<i32>, %x: tensor<f32>) -> tensor<f32> {\n"
    text += "".join(f'{name} = "stablehlo.case"(%i) ({{\n' for name in names) + inner.splitlines()[-1] + "\n"
    for name in reversed(names[1:]):
        text += f"}}) : (tensor<i32>) -> tensor<f32>\nstablehlo.return {name} : tensor<f32>\n"
    text += "}) : (tensor<i32>) -> tensor<f32>\nreturn %r0 : tensor<f32>\n}"
    (result,) = run(text, np.int32(0), np.float32(7))
    assert result == 7


IOTA = """func.func @main() -> tensor<1xi8> {
  %i = stablehlo.iota dim = 0 : tensor<1000000xi8>
  %r = stablehlo.slice %i [5:6] : (tensor<1000000xi8>) -> tensor<1xi8>
  return %r : tensor<1xi8>
}"""


def test_memory_is_asked_for_before_an_iota_and_a_constant() -> None:
    constant = IOTA.replace("stablehlo.iota dim = 0", "stablehlo.constant dense<1>")
    for text in (IOTA, constant):
        with pytest.raises(ResourceError, match="needs 1000000 bytes"):
            run(text, max_memory=999_999)
        assert len(run(text, max_memory=1_000_000)) == 1


def test_no_elements_in_more_than_an_array_can_have() -> None:
    type_ = "tensor<0x4611686018427387904x4xf32>"
    text = f"func.func @main() -> {type_} {{\n%c = stablehlo.constant dense<1.0> : {type_}\nreturn %c : {type_}\n}}"
    with pytest.raises(ResourceError, match="has no elements, but dimensions that are too large"):
        run(text)


def test_processes_that_do_not_fit() -> None:
    text = "func.func @main(%x: tensor<f32>) -> tensor<f32> {\nreturn %x : tensor<f32>\n}"
    program = Program(stablehlo_py.parse(text), Settings(max_memory=1 << 30))
    with pytest.raises(ResourceError, match="16777216 processes need about"):
        program.run_parallel([], num_replicas=4096, num_partitions=4096)


UNTAKEN = """func.func @main(%i: tensor<i32>, %x: tensor<f32>) -> tensor<f32> {
  %r = "stablehlo.case"(%i) ({
    %y = stablehlo.custom_call @nobody_has_this(%x) : (tensor<f32>) -> tensor<f32>
    stablehlo.return %y : tensor<f32>
  }, {
    stablehlo.return %x : tensor<f32>
  }) : (tensor<i32>) -> tensor<f32>
  return %r : tensor<f32>
}"""


def test_a_branch_not_taken_need_not_be_runnable() -> None:
    program = Program(stablehlo_py.parse(UNTAKEN))
    for _ in range(3):
        (result,) = program.run([np.int32(1), np.float32(2)])
        assert result == 2
    for _ in range(2):
        with pytest.raises(UnsupportedOpError, match="nobody_has_this"):
            program.run([np.int32(0), np.float32(2)])


def test_a_body_that_never_runs_need_not_be_runnable() -> None:
    text = """func.func @main(%x: tensor<f32>) -> tensor<f32> {
      %r = stablehlo.while(%a = %x) : tensor<f32> cond {
        %zero = stablehlo.constant dense<0.0> : tensor<f32>
        %more = stablehlo.compare LT, %a, %zero : (tensor<f32>, tensor<f32>) -> tensor<i1>
        stablehlo.return %more : tensor<i1>
      } do {
        %y = stablehlo.custom_call @nobody_has_this(%a) : (tensor<f32>) -> tensor<f32>
        stablehlo.return %y : tensor<f32>
      }
      return %r : tensor<f32>
    }"""
    assert run(text, np.float32(2))[0] == 2
    with pytest.raises(UnsupportedOpError):
        run(text, np.float32(-1))


def test_a_handler_cannot_change_its_operands_and_its_errors_show_where() -> None:
    @stablehlo_py.custom_call_handler("test_limits_writes")
    def writes(call: object, operand: np.ndarray) -> np.ndarray:
        operand[...] = 3
        return operand

    type_ = "tensor<2xf32>"
    call = f"%r = stablehlo.custom_call @test_limits_writes(%x) : ({type_}) -> {type_}"
    text = f"func.func @main(%x: {type_}) -> {type_} {{\n{call}\nreturn %r : {type_}\n}}"
    operand = np.zeros(2, np.float32)
    with pytest.raises(InterpreterError, match="read-only") as raised:
        run(text, operand)
    assert (operand == 0).all()
    assert any("test_limits.py" in note and "in writes" in note for note in raised.value.notes)


@pytest.mark.parametrize(
    ("clock", "processor", "is_over"),
    [
        (9.9, 9.9, False),
        (10.0, 7.9, False),
        (10.0, 8.0, True),
        (39.9, 0.0, False),
        (40.0, 0.0, True),
        (10.0, None, True),
    ],
)
def test_a_process_is_not_blamed_for_waiting_for_a_processor(
    clock: float, processor: float | None, is_over: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A limit of 10 s is over after 8 s with a processor, or 40 s by the clock; by the clock alone without /proc."""
    now, used = [0.0], [0.0 if processor is not None else None]
    monkeypatch.setattr("stablehlo_py.isolation.limits.time", SimpleNamespace(monotonic=lambda: now[0]))
    monkeypatch.setattr("stablehlo_py.isolation.limits._processor_seconds", lambda _: used[0])
    patience = Patience(os.getpid(), 10.0)
    now[0], used[0] = clock, processor
    assert patience.is_over() is is_over


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="the system does not tell processor times")
def test_the_system_tells_the_time_with_a_processor() -> None:
    before = _processor_seconds(os.getpid())
    while _processor_seconds(os.getpid()) == before:
        pass


def least_steps(text: str, fast: bool, *sets: list[object]) -> int:
    """How many steps a run, or one of a process for each set, needs: with one step less it is refused."""
    module = stablehlo_py.parse(text)

    def runs(steps: int) -> bool:
        program = Program(module, Settings(fast=fast, max_steps=steps))
        try:
            program.run(sets[0]) if len(sets) == 1 else program.run_parallel(sets, num_partitions=len(sets))
        except ResourceError as error:
            return f"op number {steps + 1}" not in error.message
        return True

    return next(steps for steps in range(200) if runs(steps))


STRAIGHT = """func.func @main(%n: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.add %n, %n : tensor<i32>
  %1 = stablehlo.multiply %0, %n : tensor<i32>
  return %1 : tensor<i32>
}"""
COUNTED = ENDLESS.replace(
    "{ stablehlo.return %true : tensor<i1> }",
    "{ %p = stablehlo.compare LT, %a, %x : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
    "stablehlo.return %p : tensor<i1> }",
)


@pytest.mark.parametrize(
    ("text", "argument", "steps"), [(STRAIGHT, 3, 2), (COUNTDOWN, 0, 5), (COUNTDOWN, 2, 19), (COUNTED, 3, 3)]
)
def test_steps_are_counted_alike_with_accelerators_and_in_each_process(text: str, argument: int, steps: int) -> None:
    for fast in (False, True):
        assert least_steps(text, fast, [np.int32(argument)]) == steps
        assert least_steps(text, fast, *[[np.int32(argument)]] * 3) == 3 * steps


def test_pythons_limit_of_frames_is_back_after_the_last_run() -> None:
    usual = sys.getrecursionlimit()
    with deep_stack:
        deeper = sys.getrecursionlimit()
        with deep_stack:
            assert sys.getrecursionlimit() == deeper > usual
        assert sys.getrecursionlimit() == deeper
    assert sys.getrecursionlimit() == usual


@pytest.mark.parametrize("more", [-1, 0, 1, 1000])
def test_a_limit_of_frames_that_is_high_enough_stays_in_a_run(more: int) -> None:
    usual = sys.getrecursionlimit()
    with deep_stack:
        needed = sys.getrecursionlimit()
    try:
        sys.setrecursionlimit(needed + more)
        with deep_stack:
            assert sys.getrecursionlimit() == max(needed, needed + more)
        assert sys.getrecursionlimit() == needed + more
    finally:
        sys.setrecursionlimit(usual)
