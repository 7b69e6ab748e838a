"""Functions of few numbers take a faster way to the definitions' bits, and leave to these what it does not decide."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scalar_bits import TYPES, differences

from stablehlo_py.bindings.types import element_type
from stablehlo_py.interpreter.fast import blocks, fixed_point, scalars


@pytest.mark.parametrize("type_name", TYPES)
def test_bits_are_those_of_the_definitions(type_name: str) -> None:
    """A short version of `tools/run fuzz/scalar_bits`."""
    ways = (True, False) if type_name == "f64" and scalars.mpfr_functions() else (False,)
    found = [each for name in scalars.FUNCTIONS for way in ways for each in differences(name, type_name, 120, mpfr=way)]
    assert not found


def asked(name: str, type_name: str) -> tuple[Callable[..., Any], list[tuple[Any, ...]]]:
    """A function of scalars, and the list of the operands that it asks its definition for."""
    type_, calls = element_type(type_name), list[tuple[Any, ...]]()

    def definition(*operands: Any) -> Any:
        calls.append(operands)
        return operands[0]

    return scalars.on_scalars(name, type_.dtype, definition, use_mpfr=False), calls


@pytest.mark.parametrize(
    ("name", "type_name", "operands"),
    [
        ("power", "f32", (16777215.0, 2.0)),  # 48 bits, more than a half behind the 24th
        ("power", "f64", (134217727.0, 2.0)),  # a tie
        ("exponential", "f32", (-100.0,)),  # subnormal
        ("exponential", "f32", (89.0,)),  # infinite
        ("log", "f64", (0.0,)),
        ("log", "f64", (-1.0,)),
        ("sine", "f32", (0.0,)),
        ("tanh", "f16", (math.nan,)),
    ],
)
def test_the_definition_decides_ties_and_special_values(name: str, type_name: str, operands: tuple[float, ...]) -> None:
    numbers = tuple(map(element_type(type_name).dtype.type, operands))
    function, calls = asked(name, type_name)
    if (name, type_name) == ("power", "f32"):  # which is no tie: it is decided
        assert function(*numbers) == np.float32(16777215.0**2)
        assert calls == []
    else:
        function(*numbers)
        assert calls == [numbers]


@pytest.mark.parametrize("type_name", TYPES)
def test_arrays_of_many_elements_and_undecided_ones_are_the_definitions(type_name: str) -> None:
    function, calls = asked("sine", type_name)
    few = np.ones((2, 3), element_type(type_name).dtype)
    assert function(few).shape == few.shape
    assert function(few).dtype == few.dtype
    assert not calls
    assert function(few * 0) is calls.pop()[0]
    array = np.ones(9, element_type(type_name).dtype)
    assert function(array) is array
    assert len(calls) == 1


@pytest.mark.parametrize("type_name", ["f32", "f64"])
def test_common_scalars_need_no_definition(type_name: str) -> None:
    """Else the way would gain nothing: 1,000 operands of each function, of which one in a hundred may be undecided."""
    for name in scalars.FUNCTIONS:
        function, calls = asked(name, type_name)
        for number in np.random.default_rng(0).uniform(0.1, 3, 1000).astype(element_type(type_name).dtype):
            function(*[number] * (2 if name in scalars.BINARY else 1))
        assert len(calls) < 10, name


@pytest.mark.parametrize("name", ["atan2", "log", "power"])
def test_a_guess_of_the_c_library_decides_nothing(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Guesses that are off by some bits give the same result, and those that are off by a tenth none."""
    function = fixed_point.of_doubles(name)
    operands = [0.7] * (2 if name in scalars.BINARY else 1)
    expected = function(*operands)
    library: dict[str, Callable[..., float]] = {each: getattr(math, each) for each in ("atan2", "log2")}

    def guess(function: Callable[..., float], off: float) -> Callable[..., float]:
        return lambda *numbers: function(*numbers) * (1 + off)

    for off in (2.0**-50, -(2.0**-48), 0.1):
        for each, right in library.items():
            monkeypatch.setattr(math, each, guess(right, off))
        if off == 0.1:
            with pytest.raises(ArithmeticError):
                function(*operands)
        else:
            assert function(*operands) == expected


def test_the_faster_way_is_taken() -> None:
    sine = blocks.arithmetic(element_type("f32")).sine
    assert type(sine(np.float32(1))) is np.float32
    assert sine.__qualname__.startswith("on_scalars")
