"""Numbers that decide a verdict of `equivalent`: roundings, distances, underflow, and decisions of both programs."""

from __future__ import annotations

import numpy as np
import pytest
from swapped_engine import program

from stablehlo_py.bindings import ir
from stablehlo_py.debug.equivalence import DIFFERENT, ROUNDED, UNKNOWN, equivalent

F = np.float32
T = "tensor<3xf32>"


def scaled(factor: float, op: str = "multiply") -> ir.Module:
    """The argument multiplied by a constant, or divided by it."""
    return program(f"%c = stablehlo.constant dense<{factor!r}> : {T}", f"%r = stablehlo.{op} %x, %c", x=T)


@pytest.mark.parametrize("units", [1, 2, 3, 4, 5, 6])
@pytest.mark.parametrize("is_first", [True, False])
@pytest.mark.parametrize("sign", [1, -1])
def test_constants_are_a_rounding_apart_up_to_two_units_of_their_type(units: int, is_first: bool, sign: int) -> None:
    """Below a power of two a step is half a unit of it. The distance is relative to the larger one."""
    factors = [sign * 4.0, sign * 4.0 * (1 - units * 2.0**-24)]
    found = equivalent(*map(scaled, factors if is_first else factors[::-1]))
    assert found.verdict == (ROUNDED if units <= 4 else DIFFERENT), str(found)
    assert [one.distance for one in found.roundings] == [units * 2.0**-24] * (units <= 4)


@pytest.mark.parametrize("is_first", [True, False])
@pytest.mark.parametrize("edge", [1.2345, 7.6545, 9.9995])
def test_constants_are_found_though_their_first_digits_differ(edge: float, is_first: bool) -> None:
    above = F(edge) if float(F(edge)) > edge else np.nextafter(F(edge), F(99))
    factors = [float(np.nextafter(above, F(0))), float(above)]
    assert len({f"{factor:.3e}" for factor in factors}) == 2, factors
    found = equivalent(*map(scaled, factors if is_first else factors[::-1]))
    assert found.verdict == ROUNDED, str(found)
    assert [one.first.partition(" ")[0] for one in found.roundings] == ["stablehlo.constant"], str(found)


@pytest.mark.parametrize("is_first", [True, False])
def test_a_constant_of_one_program_alone_is_no_rounding(is_first: bool) -> None:
    one = scaled(1 + 10 * 2.0**-23)
    other = program("%z = stablehlo.subtract %x, %x", "%r = stablehlo.add %x, %z", x=T)
    found = equivalent(*((one, other) if is_first else (other, one)), arguments=[F([1, 1, 1])])
    assert found.verdict == DIFFERENT, str(found)


@pytest.mark.parametrize(("units", "verdict"), [(8, UNKNOWN), (60, UNKNOWN), (68, DIFFERENT), (200, DIFFERENT)])
def test_sixty_four_roundings_of_constants_are_no_difference_yet(units: int, verdict: str) -> None:
    divisor = float(F((1 + units * 2.0**-23) / 1.5))
    found = equivalent(scaled(1.5), scaled(divisor, "divide"), arguments=[F([1, 1, 1])])
    assert found.verdict == verdict, str(found)
    assert ("may be explained by roundings of constants" in found.message) == (verdict == UNKNOWN)


@pytest.mark.parametrize(("value", "verdict"), [(-80, DIFFERENT), (-87, DIFFERENT), (-88, UNKNOWN), (-100, UNKNOWN)])
@pytest.mark.parametrize("is_first", [True, False])
def test_what_is_below_the_least_normal_number_is_no_difference(value: float, verdict: str, is_first: bool) -> None:
    """An exponential function against zero."""
    zero = "%z = stablehlo.subtract %x, %x"
    one = program("%e = stablehlo.exponential %x", zero, "%r = stablehlo.add %e, %z", x=T)
    other = program("%e = stablehlo.exponential %x", zero, "%r = stablehlo.multiply %e, %z", x=T)
    found = equivalent(*((one, other) if is_first else (other, one)), arguments=[np.full(3, value, F)])
    assert found.verdict == verdict, str(found)


@pytest.mark.parametrize(("order", "verdict"), [("%x, %y", DIFFERENT), ("%y, %x", UNKNOWN)])
def test_what_rounding_may_decide_in_both_programs_is_no_doubt_about_their_difference(order: str, verdict: str) -> None:
    """The larger of two equal values, and two functions of it."""
    one = program("%l = stablehlo.maximum %x, %y", "%r = stablehlo.cosine %l", x=T, y=T)
    other = program(f"%l = stablehlo.maximum {order}", "%r = stablehlo.sine %l", x=T, y=T)
    found = equivalent(one, other, arguments=[np.ones(3, F)] * 2)
    assert found.verdict == verdict, str(found)
    assert ("rounding may have decided" in found.message) == (verdict == UNKNOWN), str(found)
