"""Loops whose rounds a counter tells give what they give op by op: all directions, steps, types and uses of it."""

from __future__ import annotations

import random

import numpy as np
import pytest
from parsed import parsed
from speeds import later

from stablehlo_py.errors import ResourceError
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
