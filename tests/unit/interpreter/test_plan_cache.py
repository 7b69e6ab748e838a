"""Plans that are kept between calls of `interpret`: for one module, as it is, under the same settings."""

from __future__ import annotations

import gc
import weakref
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from parsed import parsed

import stablehlo_py
from stablehlo_py.bindings import ir
from stablehlo_py.bindings.walk import operations
from stablehlo_py.errors import ResourceError
from stablehlo_py.interpreter.fast.plan_cache import cached_program
from stablehlo_py.interpreter.program import Program
from stablehlo_py.interpreter.settings import Settings

TEXT = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = stablehlo.constant dense<NUMBER> : tensor<4xf32>
  %y = stablehlo.add %x, %c : tensor<4xf32>
  %z = stablehlo.multiply %y, %y : tensor<4xf32>
  return %z : tensor<4xf32>
}"""
X = np.arange(4, dtype=np.float32)


def module(number: float = 1.0) -> ir.Module:
    return parsed(TEXT.replace("NUMBER", str(float(number))))


class Counted:
    """Makes programs, and counts them."""

    def __init__(self) -> None:
        self.made: list[Any] = []

    def __call__(self, of: Any, settings: Settings) -> Program:
        self.made.append(weakref.ref(program := Program(of, settings)))
        return program

    def run(self, of: Any, settings: Settings) -> tuple[int, list[float]]:
        """Run the program that is kept or made; return how many were made, and the result."""
        before = len(self.made)
        with cached_program(of, settings, self) as program:
            result = np.asarray(program.run([X])[0]).tolist()
        return len(self.made) - before, result


SQUARES = [1.0, 4.0, 9.0, 16.0]


@pytest.mark.parametrize("settings", [Settings(), Settings(max_steps=100), Settings(timeout=100.0)])
def test_the_second_run_takes_the_program_of_the_first(settings: Settings) -> None:
    make, of = Counted(), module()
    assert [make.run(of, settings) for _ in range(3)] == [(1, SQUARES), (0, SQUARES), (0, SQUARES)]


CHANGES = [
    {"max_memory": 1 << 20},
    {"max_steps": 50},
    {"probe_directory": "somewhere"},
    {"deterministic": True},
    {"timeout": 50.0},
    {"share": False},
    {"fast": False},
]


@pytest.mark.parametrize("change", CHANGES)
def test_each_setting_has_a_program_of_its_own(change: dict[str, Any]) -> None:
    make, of, other = Counted(), module(), replace(Settings(), **change)
    counts = [make.run(of, settings)[0] for settings in (Settings(), other, Settings(), other)]
    assert counts == [1, 1, 0, 0]
    last = make.made[-1]()
    assert last is not None
    assert last.settings == other


def test_a_module_that_changed_is_planned_again() -> None:
    make, of = Counted(), module()
    assert make.run(of, Settings()) == (1, SQUARES)
    constant = next(op for op in operations(of.operation) if op.name == "stablehlo.constant")
    constant.attributes["value"] = ir.DenseElementsAttr.get(np.full(4, 2, np.float32), context=of.context)
    assert make.run(of, Settings()) == (1, [4.0, 9.0, 16.0, 25.0])
    assert make.run(of, Settings())[0] == 0


def test_equal_modules_and_ops_have_programs_of_their_own() -> None:
    make, of, equal = Counted(), module(), module()
    assert [make.run(each, Settings())[0] for each in (of, equal, of, equal)] == [1, 1, 0, 0]
    assert [make.run(of.operation, Settings())[0] for _ in range(2)] == [1, 1]


def test_the_four_modules_that_were_run_last_are_kept() -> None:
    make, modules = Counted(), [module(number) for number in range(6)]
    for of in modules[:4]:
        assert make.run(of, Settings())[0] == 1
    assert [make.run(of, Settings())[0] for of in modules[:4]] == [0] * 4
    assert make.run(modules[0], Settings())[0] == 0  # now the second one was not used for longest
    assert make.run(modules[4], Settings())[0] == 1
    assert make.run(modules[0], Settings())[0] == 0
    assert make.run(modules[1], Settings())[0] == 1


def test_programs_end_with_their_modules() -> None:
    make, of, limited = Counted(), module(), module(2.0)
    make.run(of, Settings())
    make.run(limited, Settings(max_steps=9))
    del of, limited
    gc.collect()
    assert [each() for each in make.made] == [None, None]


def test_a_program_with_limits_is_run_once_at_a_time() -> None:
    make, of = Counted(), module()
    for settings, expected in ((Settings(max_steps=9), 2), (Settings(timeout=9.0), 2), (Settings(), 1)):
        make.made.clear()
        make.run(of, settings)
        with cached_program(of, settings, make) as outer, cached_program(of, settings, make) as inner:
            assert (outer is inner) == (expected == 1)
        assert len(make.made) == expected


@pytest.mark.parametrize("fast", [True, False])
def test_every_limit_holds_in_every_call(fast: bool) -> None:
    of = module()
    options: list[tuple[dict[str, Any], str]] = [
        ({"max_memory": 15}, "needs 16 bytes, more than the limit of 15 bytes"),
        ({"max_steps": 2}, "would be op number 3 to run, past the limit of 2"),
        ({"timeout": 0}, "ran for longer than the limit of 0 s"),
    ]
    for _ in range(2):
        for given, message in options:
            with pytest.raises(ResourceError, match=message):
                stablehlo_py.interpret(of, [X], fast=fast, **given)
        for given in ({}, {"max_memory": 16}, {"max_steps": 3}, {"timeout": 100.0}, {"deterministic": True}):
            (result,) = stablehlo_py.interpret(of, [X], fast=fast, **given)
            assert result.tolist() == SQUARES
            result[:] = 0  # it is the caller's
