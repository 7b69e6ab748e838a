"""Functions of few numbers take a faster way to the definitions' bits, and leave to these what it does not decide."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scalar_bits import BINARY, TYPES, differences, functions

from stablehlo_py.bindings.types import element_type
from stablehlo_py.interpreter.fast import blocks, complex_scalars, fixed_point, scalars


@pytest.mark.parametrize("type_name", TYPES)
def test_bits_are_those_of_the_definitions(type_name: str) -> None:
    """A short version of `tools/run fuzz/scalar_bits`."""
    ways = (True, False) if type_name == "f64" and scalars.mpfr_functions() else (False,)
    names, count = functions(type_name), 40 if type_name == "complex<f64>" else 120  # which takes 10 ms for each
    found = [each for name in names for way in ways for each in differences(name, type_name, count, mpfr=way)]
    assert not found, f"{len(found)} differ, the first: {found[0]}"


def asked(name: str, type_name: str) -> tuple[Callable[..., Any], list[tuple[Any, ...]]]:
    """A function of scalars, and the list of the operands that it asks its definition for."""
    type_, calls = element_type(type_name), list[tuple[Any, ...]]()

    def definition(*operands: Any) -> Any:
        calls.append(operands)
        return operands[0]

    if type_.dtype.kind == "c":
        return complex_scalars.on_complex_scalars(name, type_.dtype, definition), calls
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


@pytest.mark.parametrize(
    ("name", "operands"),
    [
        ("exponential", (0j,)),  # a part is zero
        ("log_plus_one", (-0.5 - 0j,)),
        ("exponential", (90 + 1j,)),  # infinite
        ("logistic", (1e-5 + 3.1415927j,)),  # next to a pole
        ("power", (2 + 2j, 1e-4j)),
        ("divide", (1 + 1j, 0j)),
        ("sine", (complex(math.nan, 1),)),
    ],
)
@pytest.mark.parametrize("type_name", ["complex<f32>", "complex<f64>"])
def test_the_definition_decides_complex_parts_that_may_be_lost(
    name: str, operands: tuple[complex, ...], type_name: str
) -> None:
    function, calls = asked(name, type_name)
    numbers = tuple(map(element_type(type_name).dtype.type, operands))
    found = function(*numbers)
    assert calls == [numbers] or type_name == "complex<f64>", found


@pytest.mark.parametrize("type_name", TYPES)
def test_arrays_of_many_elements_and_undecided_ones_are_the_definitions(type_name: str) -> None:
    function, calls = asked("sine", type_name)
    dtype = element_type(type_name).dtype
    few = np.full((2, 3), 1 + 1j if dtype.kind == "c" else 1, dtype)
    if type_name == "complex<f64>" and not scalars.mpfr_functions():
        pytest.skip("gmpy2 is not installed")
    assert function(few).shape == few.shape
    assert function(few).dtype == few.dtype
    assert not calls
    assert function(few * 0) is calls.pop()[0]
    array = np.ones(9, dtype)
    assert function(array) is array
    assert len(calls) == 1


@pytest.mark.parametrize("type_name", ["f32", "f64", "complex<f32>", "complex<f64>"])
def test_common_scalars_need_no_definition(type_name: str) -> None:
    """Else the way would gain nothing: 1,000 operands of each function, of which one in a hundred may be undecided."""
    if type_name == "complex<f64>" and not scalars.mpfr_functions():
        pytest.skip("gmpy2 is not installed")
    parts = np.random.default_rng(0).uniform(0.1, 3, (2, 1000))
    numbers = (parts[0] + 1j * parts[1] if type_name.startswith("complex") else parts[0]).astype(
        element_type(type_name).dtype
    )
    assert functions(type_name)
    for name in functions(type_name):
        function, calls = asked(name, type_name)
        for number, other in zip(numbers, numbers[::-1], strict=True):
            function(*(number, other) if name in BINARY else (number,))
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
