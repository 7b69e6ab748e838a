"""Compiled plans do what their steps do one by one: with functions in place of calls, and loops of one function."""

from __future__ import annotations

import gc
import linecache
import re
import time
import weakref
from collections.abc import Sequence
from traceback import format_exception
from typing import Any

import numpy as np
import pytest
from bits import assert_same_bits
from parsed import parsed

from stablehlo_py.bindings import ir, make_context
from stablehlo_py.errors import InterpreterError, ResourceError
from stablehlo_py.extend import op_kernel
from stablehlo_py.interpreter import registry
from stablehlo_py.interpreter.program import Program
from stablehlo_py.interpreter.settings import Settings

T, N, P = "tensor<3xf32>", "tensor<i32>", "tensor<i1>"
LOOP = f"""
func.func @main(%x: {T}, %y: {T}, %n: {N}) -> ({T}, {T}, {T}, {N}) {{
  %zero = stablehlo.constant dense<0> : {N}
  %unused = stablehlo.constant dense<1.0> : {T}
  %r:5 = stablehlo.while(%i = %zero, %a = %x, %b = %y, %c = %x, %d = %unused) : {N}, {T}, {T}, {T}, {T} cond {{
    %p = func.call @below(%i, %n) : ({N}, {N}) -> {P}
    stablehlo.return %p : {P}
  }} do {{
    %one = stablehlo.constant dense<1> : {N}
    %j = stablehlo.add %i, %one : {N}
    %s:2 = func.call @swapped(%a, %b) : ({T}, {T}) -> ({T}, {T})
    %t = func.call @twice(%a) : ({T}) -> {T}
    %u = stablehlo.subtract %t, %y : {T}
    %m = stablehlo.negate %u : {T}
    %never = stablehlo.add %m, %m : {T}
    stablehlo.return %j, %s#0, %s#1, %m, %x : {N}, {T}, {T}, {T}, {T}
  }}
  return %r#1, %r#2, %r#3, %r#0 : {T}, {T}, {T}, {N}
}}
func.func private @below(%i: {N}, %n: {N}) -> {P} {{
  %p = stablehlo.compare LT, %i, %n : ({N}, {N}) -> {P}
  return %p : {P}
}}
func.func private @swapped(%a: {T}, %b: {T}) -> ({T}, {T}) {{
  %one = stablehlo.constant dense<1.0> : {T}
  %c = stablehlo.add %a, %one : {T}
  return %b, %c : {T}, {T}
}}
func.func private @twice(%a: {T}) -> {T} {{
  %c = func.call @same(%a, %a) : ({T}, {T}) -> {T}
  %d = func.call @same(%c, %a) : ({T}, {T}) -> {T}
  %e = stablehlo.add %d, %c : {T}
  return %e : {T}
}}
func.func private @same(%a: {T}, %unused: {T}) -> {T} {{
  return %a : {T}
}}
"""
ARGUMENTS = [np.array([1, 2, 3], np.float32), np.array([0.5, -1, 7], np.float32)]


def program(text: str, settings: Settings | None = None) -> Program:
    return Program(parsed(text), settings)


def both_ways(
    text: str, arguments: list[np.ndarray], monkeypatch: pytest.MonkeyPatch
) -> tuple[list[Sequence[Any]], Sequence[Any]]:
    """The results of three runs, of which all but the first are compiled, and those of a plan that never is."""
    compiled = program(text)
    found = [compiled.run(arguments) for _ in range(3)]
    return found, program(text, Settings(fast=False)).run(arguments)


@pytest.mark.parametrize("rounds", [0, 1, 2, 3, 10])
def test_loops_of_one_function(rounds: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """With calls in the condition and in the body, values that go round, that change places and that nothing uses."""
    arguments = [*ARGUMENTS, np.array(rounds, np.int32)]
    found, expected = both_ways(LOOP, arguments, monkeypatch)
    for results in found:
        for result, other in zip(results, expected, strict=True):
            np.testing.assert_array_equal(result, other)
    assert int(expected[3]) == rounds


@pytest.mark.parametrize("settings", [Settings(max_steps=10_000), Settings(timeout=100.0)])
def test_limits_are_kept(settings: Settings) -> None:
    arguments = [*ARGUMENTS, np.array(5, np.int32)]
    limited = program(LOOP, settings)
    for _ in range(2):
        for result, other in zip(limited.run(arguments), program(LOOP).run(arguments), strict=True):
            np.testing.assert_array_equal(result, other)


class Watcher:
    """A listener, which keeps a plan from being compiled."""

    def before(self, step: object, operands: object) -> None: ...

    def after(self, step: object, operands: object, results: object) -> None: ...


EFFECTS = f"""
func.func @main(%x: {T}, %y: {T}, %n: {N}) -> {T} {{
  %zero = stablehlo.constant dense<0> : {N}
  %one = stablehlo.constant dense<1> : {N}
  %r:2 = stablehlo.while(%i = %zero, %a = %x) : {N}, {T} cond {{
    %p = stablehlo.compare LT, %i, %n : ({N}, {N}) -> {P}
    stablehlo.return %p : {P}
  }} do {{
    %j = stablehlo.add %i, %one : {N}
    %even = stablehlo.and %i, %one : {N}
    %b = "stablehlo.case"(%even) ({{
      %c = stablehlo.add %a, %y : {T}
      %d = "mine.note"(%c) : ({T}) -> {T}
      %e = stablehlo.negate %d : {T}
      stablehlo.return %e : {T}
    }}, {{
      stablehlo.return %a : {T}
    }}) : ({N}) -> {T}
    %f = "mine.note"(%b) : ({T}) -> {T}
    %g = stablehlo.multiply %f, %y : {T}
    %h = func.call @scaled(%g) : ({T}) -> {T}
    stablehlo.return %j, %h : {N}, {T}
  }}
  return %r#1 : {T}
}}
func.func private @scaled(%a: {T}) -> {T} {{
  %h = stablehlo.constant dense<0.5> : {T}
  %b = stablehlo.multiply %a, %h : {T}
  %c = stablehlo.add %b, %h : {T}
  return %c : {T}
}}
"""


@pytest.mark.parametrize("text", [LOOP, EFFECTS], ids=["loop", "effects"])
def test_the_limit_on_steps_is_hit_at_the_same_op(text: str, kernels: None) -> None:
    """In functions as in lists of steps, with the same effects before it."""
    noted: list[object] = []

    @op_kernel("mine.note")
    def note(_op: object):
        return lambda operand: (noted.append(operand), operand)[1]

    arguments = [*ARGUMENTS, np.array(6, np.int32)]
    module = ir.Module.parse(text, make_context(allow_unregistered_dialects=True))

    def outcome(limit: int, *listeners: Watcher) -> tuple[str, int]:
        noted.clear()
        try:
            Program(module, Settings(max_steps=limit, listeners=listeners)).run(arguments)
        except ResourceError as error:
            return str(error), len(noted)
        return "", len(noted)

    limits = range(1, 200)
    outcomes = [outcome(limit) for limit in limits]
    assert outcomes == [outcome(limit, Watcher()) for limit in limits]
    assert 50 < sum(bool(message) for message, _ in outcomes) < len(limits)


def test_time_is_limited_in_loops_of_one_function() -> None:
    limited = program(ENDLESS_SUM, Settings(timeout=0.2))
    for _ in range(2):
        start = time.monotonic()
        with pytest.raises(ResourceError, match=r"longer than the limit of 0\.2 s"):
            limited.run([np.array(0, np.int32)])
        assert time.monotonic() - start < 20


ENDLESS_SUM = f"""
func.func @main(%n: {N}) -> {N} {{
  %one = stablehlo.constant dense<1> : {N}
  %r = stablehlo.while(%i = %n) : {N} cond {{
    %p = stablehlo.constant dense<true> : {P}
    stablehlo.return %p : {P}
  }} do {{
    %j = stablehlo.add %i, %one : {N}
    stablehlo.return %j : {N}
  }}
  return %r : {N}
}}
"""
ENDLESS = f"""
func.func @main(%x: {T}) -> {T} {{
  %r = stablehlo.while(%a = %x) : {T} cond {{
    %p = stablehlo.constant dense<true> : {P}
    stablehlo.return %p : {P}
  }} do {{
    %b = func.call @step(%a) : ({T}) -> {T}
    stablehlo.return %b : {T}
  }}
  return %r : {T}
}}
func.func private @step(%a: {T}) -> {T} {{
  %b = "mine.step"(%a) : ({T}) -> {T} loc("step.mlir":7:3)
  return %b : {T}
}}
"""


@pytest.fixture
def kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is registered meanwhile is forgotten."""
    monkeypatch.setattr(registry, "_USERS", dict(registry._USERS))


@pytest.mark.usefixtures("kernels")
def test_values_of_earlier_rounds_are_gone() -> None:
    """In the hundredth round, one value is alive besides the program's argument."""
    made: list[weakref.ref[np.ndarray]] = []
    alive: list[int] = []

    @op_kernel("mine.step")
    def step(op: object) -> object:
        def kernel(value: np.ndarray) -> np.ndarray:
            alive.append(sum(reference() is not None for reference in made))
            if len(made) == 100:
                raise InterpreterError("ends here")
            result = value + np.float32(1)
            made.append(weakref.ref(result))
            return result

        return kernel

    context = make_context()
    context.allow_unregistered_dialects = True
    loop = Program(ir.Module.parse(ENDLESS, context))
    with pytest.raises(InterpreterError, match="ends here") as caught:
        loop.run([ARGUMENTS[0]])
    assert max(alive[2:]) == 1
    assert caught.value.op == "mine.step"
    assert "step.mlir:7:3" in caught.value.location
    shown = re.search(
        r'File "(<plan \d+>)", line \d+, in run\n    v\d+ = g\d+\(', "".join(format_exception(caught.value))
    )
    assert shown is not None
    assert shown[1] in linecache.cache
    del loop, caught
    gc.collect()
    assert shown[1] not in linecache.cache


def test_functions_that_call_themselves() -> None:
    text = f"""
    func.func @main(%n: {N}) -> {N} {{
      %zero = stablehlo.constant dense<0> : {N}
      %p = stablehlo.compare GT, %n, %zero : ({N}, {N}) -> {P}
      %r = "stablehlo.if"(%p) ({{
        %one = stablehlo.constant dense<1> : {N}
        %m = stablehlo.subtract %n, %one : {N}
        %s = func.call @main(%m) : ({N}) -> {N}
        %t = stablehlo.add %s, %n : {N}
        stablehlo.return %t : {N}
      }}, {{
        stablehlo.return %n : {N}
      }}) : ({P}) -> {N}
      return %r : {N}
    }}"""
    recursive = program(text)
    for _ in range(3):
        assert int(recursive.run([np.array(10, np.int32)])[0]) == 55
    with pytest.raises(ResourceError, match="too deep"):
        recursive.run([np.array(1 << 30, np.int32)])
    assert int(recursive.run([np.array(4, np.int32)])[0]) == 10


def test_many_calls_of_one_function() -> None:
    """More than are put in place of calls, in a chain of ten thousand ops."""
    t = "tensor<f32>"
    calls = "".join(f"%v{i + 1} = func.call @step(%v{i}) : ({t}) -> {t}\n" for i in range(10_000))
    text = f"""func.func @main(%v0: {t}) -> {t} {{\n{calls}return %v10000 : {t}\n}}
    func.func private @step(%a: {t}) -> {t} {{
      %one = stablehlo.constant dense<1.0> : {t}
      %b = stablehlo.add %a, %one : {t}
      return %b : {t}
    }}"""
    chain = program(text)
    for _ in range(3):
        assert float(chain.run([np.array(0, np.float32)])[0]) == 10_000


SCALARS = f"""
func.func @main(%x: {T}, %w: tensor<1x3xf32>, %n: {N}) -> ({T}, {N}, {N}) {{
  %zero = stablehlo.constant dense<0> : {N}
  %r:5 = stablehlo.while(%i = %zero, %a = %x, %v = %w, %p = %zero, %q = %n)
      : {N}, {T}, tensor<1x3xf32>, {N}, {N} cond {{
    %less = stablehlo.compare LT, %i, %n : ({N}, {N}) -> {P}
    stablehlo.return %less : {P}
  }} do {{
    %s:3 = func.call @round(%i, %a, %v, %q) : ({N}, {T}, tensor<1x3xf32>, {N}) -> ({N}, {T}, {N})
    %one = stablehlo.constant dense<1> : {N}
    %j = stablehlo.add %i, %one : {N}
    stablehlo.return %j, %s#1, %v, %q, %s#0 : {N}, {T}, tensor<1x3xf32>, {N}, {N}
  }}
  return %r#1, %r#3, %r#4 : {T}, {N}, {N}
}}
func.func private @round(%i: {N}, %a: {T}, %v: tensor<1x3xf32>, %q: {N}) -> ({N}, {T}, {N}) {{
  %same = stablehlo.reshape %v : (tensor<1x3xf32>) -> {T}
  %twice = stablehlo.add %same, %same : {T}
  %two = stablehlo.constant dense<2> : {N}
  %zero = stablehlo.constant dense<0> : {N}
  %again = stablehlo.constant dense<0> : {N}
  %first = stablehlo.add %i, %q : {N}
  %second = stablehlo.add %i, %q : {N}
  %odd = stablehlo.compare GT, %first, %zero : ({N}, {N}) -> {P}
  %even = stablehlo.compare GT, %second, %again : ({N}, {N}) -> {P}
  %both = stablehlo.and %odd, %even : {P}
  %less = stablehlo.multiply %second, %two : {N}
  %chosen = stablehlo.select %both, %less, %first : {P}, {N}
  %none = stablehlo.constant dense<0.0> : tensor<f32>
  %total = stablehlo.reduce(%a init: %none) applies stablehlo.add across dimensions = [0]
      : ({T}, tensor<f32>) -> tensor<f32>
  %spread = stablehlo.broadcast_in_dim %total, dims = [] : (tensor<f32>) -> {T}
  %b = stablehlo.subtract %twice, %spread : {T}
  return %chosen, %b, %less : {N}, {T}, {N}
}}
"""


@pytest.mark.parametrize("rounds", [0, 1, 2, 3, 40])
def test_what_is_the_same_in_all_rounds_and_equal_scalars(rounds: int, monkeypatch: pytest.MonkeyPatch) -> None:
    arguments = [ARGUMENTS[0], np.array([[0.5, 2, -1]], np.float32), np.array(rounds, np.int32)]
    found, expected = both_ways(SCALARS, arguments, monkeypatch)
    assert (len(found) > 1, len(expected)) == (True, 3)
    for results in found:
        for result, other in zip(results, expected, strict=True):
            assert_same_bits(result, other, f"{rounds} rounds")


CONSTANTS = f"""
func.func @main(%x: {T}, %n: {N}) -> {T} {{
  %zero = stablehlo.constant dense<0> : {N}
  %r:2 = stablehlo.while(%i = %zero, %a = %x) : {N}, {T} cond {{
    %less = stablehlo.compare LT, %i, %n : ({N}, {N}) -> {P}
    stablehlo.return %less : {P}
  }} do {{
    %one = stablehlo.constant dense<1> : {N}
    %j = stablehlo.add %i, %one : {N}
    %half = stablehlo.constant dense<0.5> : tensor<f32>
    %halves = stablehlo.broadcast_in_dim %half, dims = [] : (tensor<f32>) -> {T}
    %row = stablehlo.reshape %halves : ({T}) -> tensor<1x3xf32>
    %slope = stablehlo.reshape %row : (tensor<1x3xf32>) -> {T}
    %b = stablehlo.multiply %a, %slope : {T}
    %start = stablehlo.constant dense<1> : {N}
    %part = stablehlo.slice %a [0:1] : ({T}) -> tensor<1xf32>
    %c = stablehlo.dynamic_update_slice %slope, %part, %start : ({T}, tensor<1xf32>, {N}) -> {T}
    %d = stablehlo.add %b, %c : {T}
    stablehlo.return %j, %d : {N}, {T}
  }}
  return %r#1 : {T}
}}
"""


@pytest.mark.parametrize("rounds", [1, 2, 5])
def test_moved_constants_are_made_once(rounds: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """And no op writes into them."""
    found, [expected] = both_ways(CONSTANTS, [ARGUMENTS[0], np.array(rounds, np.int32)], monkeypatch)
    assert len(found) > 1
    for [result] in found:
        np.testing.assert_array_equal(result, expected)
