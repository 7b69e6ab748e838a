"""Complex functions at zeros, infinities and NaN, held against the C libraries' and against their symmetries."""

from __future__ import annotations

import ctypes
import itertools
import math
import platform
from collections.abc import Callable

import numpy as np
import pytest

from stablehlo_py.bindings.types import element_type
from stablehlo_py.interpreter.element_types import arithmetic

POINTS = [0.0, -0.0, 0.5, -0.5, 2.5, -1.0, math.inf, -math.inf, math.nan]
PAIRS = list(itertools.product(POINTS, repeat=2))
WITH_A_FINITE_PART = [(x, y) for x, y in PAIRS if math.isfinite(x) or math.isfinite(y)]
FUNCTIONS = arithmetic(element_type("complex<f64>"))
LIBRARY = {
    "exponential": "cexp",
    "log": "clog",
    "sqrt": "csqrt",
    "sine": "csin",
    "cosine": "ccos",
    "tan": "ctan",
    "tanh": "ctanh",
}
of_glibc = pytest.mark.skipif(
    platform.libc_ver()[0] != "glibc", reason="other C libraries differ where Annex G is open"
)


@pytest.fixture(autouse=True)
def _quiet_arithmetic():
    with np.errstate(all="ignore"):
        yield


class Complex(ctypes.Structure):
    _fields_ = (("real", ctypes.c_double), ("imag", ctypes.c_double))


def of_c(library: str, name: str, doubles: int) -> Callable[..., complex]:
    """A C function of `double complex`, whose parts are passed as doubles."""
    function = ctypes.CDLL(library)[name]
    function.argtypes, function.restype = [ctypes.c_double] * doubles, Complex

    def run(*parts: float) -> complex:
        result = function(*parts)
        return complex(result.real, result.imag)

    return run


def run(name: str, *operands: complex) -> complex:
    return run_all(name, *[[operand] for operand in operands])[0]


def run_all(name: str, *operands: list[complex]) -> list[complex]:
    return np.atleast_1d(getattr(FUNCTIONS, name)(*[np.array(each, np.complex128) for each in operands])).tolist()


def is_same(found: float, expected: float, *, sign_counts: bool = True) -> bool:
    """Whether two parts are near, both NaN, or zeros with the same sign."""
    if found != found or expected != expected:
        return found != found and expected != expected
    same_sign = math.copysign(1, found) == math.copysign(1, expected) or not sign_counts
    return math.isclose(found, expected, rel_tol=1e-12) and same_sign


def check(what: str, found: complex, expected: complex, *, zeros_are_open: bool = False) -> None:
    """Compare parts; beside a NaN the sign of a zero is open, as Annex G leaves it."""
    counts = not zeros_are_open and found == found
    parts = (found.real, expected.real), (found.imag, expected.imag)
    assert all(is_same(*pair, sign_counts=counts) for pair in parts), f"{what} is {found}, expected {expected}"


@of_glibc
@pytest.mark.parametrize(("name", "c_name"), LIBRARY.items())
def test_functions_are_those_of_annex_g(name: str, c_name: str) -> None:
    in_c = of_c("libm.so.6", c_name, 2)
    for (x, y), found in zip(PAIRS, run_all(name, [complex(*pair) for pair in PAIRS]), strict=True):
        zeros_are_open = name == "exponential" and x == -math.inf and not math.isfinite(y)
        check(f"{name} of {complex(x, y)}", found, in_c(x, y), zeros_are_open=zeros_are_open)


def test_sizes_are_those_of_hypot() -> None:
    for (x, y), found in zip(PAIRS, run_all("abs", [complex(*pair) for pair in PAIRS]), strict=True):
        check(f"abs of {complex(x, y)}", complex(found), complex(math.hypot(x, y)))


@of_glibc
def test_the_exponential_minus_one_is_that_of_annex_g_but_where_the_real_part_is_zero() -> None:
    in_c = of_c("libm.so.6", "cexp", 2)
    for (x, y), found in zip(PAIRS, run_all("exponential_minus_one", [complex(*pair) for pair in PAIRS]), strict=True):
        power = in_c(x, y)
        real = power.real - 1
        if x == 0 and not (y and math.isfinite(y)):
            real = x if y == 0 else -0.0
        expected = complex(real, power.imag)
        check(f"expm1 of {complex(x, y)}", found, expected, zeros_are_open=not math.isfinite(y))


@of_glibc
def test_the_logarithm_of_one_more_is_that_of_annex_g_but_at_zeros() -> None:
    in_c = of_c("libm.so.6", "clog", 2)
    for (x, y), found in zip(PAIRS, run_all("log_plus_one", [complex(*pair) for pair in PAIRS]), strict=True):
        logarithm = in_c(1 + x, y)
        expected = complex(x if x == y == 0 else logarithm.real, logarithm.imag)
        check(f"log1p of {complex(x, y)}", found, expected)


@of_glibc
def test_quotients_are_those_of_the_compilers_library() -> None:
    quotient, cases = of_c("libgcc_s.so.1", "__divdc3", 4), list(itertools.product(PAIRS, repeat=2))
    found = run_all("divide", *[[complex(*pair[side]) for pair in cases] for side in (0, 1)])
    for (dividend, divisor), result in zip(cases, found, strict=True):
        expected = quotient(*dividend, *divisor)
        check(f"{complex(*dividend)} / {complex(*divisor)}", result, expected)


@pytest.mark.parametrize("name", [*LIBRARY, "cbrt", "exponential_minus_one", "log_plus_one", "logistic", "rsqrt"])
def test_conjugates_have_conjugate_results(name: str) -> None:
    found = run_all(name, [complex(x, -y) for x, y in WITH_A_FINITE_PART])
    other = run_all(name, [complex(x, y) for x, y in WITH_A_FINITE_PART])
    for (x, y), result, its_conjugate in zip(WITH_A_FINITE_PART, found, other, strict=True):
        if y == y:
            check(f"{name} of {complex(x, -y)}", complex(result), complex(its_conjugate).conjugate())


@pytest.mark.parametrize(("name", "sign"), [("sine", -1), ("tan", -1), ("tanh", -1), ("cosine", 1)])
def test_odd_and_even_functions(name: str, sign: int) -> None:
    found = run_all(name, [complex(-x, -y) for x, y in WITH_A_FINITE_PART])
    other = run_all(name, [complex(x, y) for x, y in WITH_A_FINITE_PART])
    for (x, y), result, opposite in zip(WITH_A_FINITE_PART, found, other, strict=True):
        expected = complex(sign * opposite.real, sign * opposite.imag)
        check(f"{name} of {complex(-x, -y)}", result, expected, zeros_are_open=x != x or y != y)


SIGNS = [0.0, -0.0, 1.0, -1.0]
ROTATED = math.cos(math.pi / 6), math.sin(math.pi / 6)  # i^(1/3)


@pytest.mark.parametrize(
    ("name", "x", "y", "expected"),
    [
        *[("rsqrt", x, y, complex(math.inf, math.nan)) for x in (0.0, -0.0) for y in (0.0, -0.0)],
        *[("rsqrt", x, y, complex(0.0, math.copysign(0.0, -y))) for x in (math.inf, -math.inf) for y in SIGNS],
        *[("rsqrt", x, math.inf, complex(0.0, -0.0)) for x in (0.5, math.nan, math.inf)],
        *[("cbrt", x, y, complex(0.0, y)) for x in (0.0,) for y in (0.0, -0.0)],
        ("cbrt", math.inf, 0.0, complex(math.inf, 0.0)),
        ("cbrt", 0.5, math.inf, complex(math.inf, math.inf)),
        ("cbrt", -math.inf, 1.0, complex(math.inf, math.inf)),
        ("cbrt", math.nan, 1.0, complex(math.nan, math.nan)),
        *[("sign", x, y, 0j) for x in (0.0, -0.0) for y in (0.0, -0.0)],
        *[("sign", x, y, complex(math.nan, math.nan)) for x, y in PAIRS if not (math.isfinite(x) and math.isfinite(y))],
        *[("logistic", x, y, complex(0.5, y)) for x in (0.0, -0.0) for y in (0.0, -0.0)],
        *[("logistic", math.inf, y, complex(1.0, y * 0.0)) for y in SIGNS],
        *[("logistic", -math.inf, y, complex(0.0, y * 0.0)) for y in SIGNS],
        *[("logistic", x, y, complex(math.nan, math.nan)) for x in (0.5, math.nan) for y in (math.inf, math.nan)],
    ],
)
def test_special_values_of_other_functions(name: str, x: float, y: float, expected: complex) -> None:
    check(f"{name} of {complex(x, y)}", run(name, complex(x, y)), expected)


@pytest.mark.parametrize(
    ("base", "exponent", "expected"),
    [
        *[(complex(*base), complex(*zero), 1 + 0j) for base in PAIRS for zero in ((0.0, 0.0), (-0.0, -0.0))],
        *[(complex(0.0, -0.0), complex(x, y), 0j) for x in (0.5, math.inf) for y in (0.0, -1.0, math.inf)],
        *[(0j, complex(x, y), complex(math.nan, math.nan)) for x in (-0.5, 0.0, math.nan) for y in (1.0, math.nan)],
        (complex(math.inf, 0.0), 2 + 0j, complex(math.inf, 0.0)),
        (complex(math.inf, 0.0), -2 + 0j, complex(0.0, -0.0)),
        (complex(0.0, math.inf), 1 + 0j, complex(math.inf, math.inf)),
        (complex(-math.inf, 0.0), 1 + 0j, complex(-math.inf, math.inf)),
        (complex(2.0, 0.0), complex(math.inf, 0.0), complex(math.inf, math.nan)),
        (complex(0.5, 0.0), complex(math.inf, 0.0), 0j),
        (complex(math.nan, 0.0), 1 + 0j, complex(math.nan, math.nan)),
    ],
)
def test_special_values_of_powers(base: complex, exponent: complex, expected: complex) -> None:
    check(f"{base} to the power of {exponent}", run("power", base, exponent), expected)


def test_the_reciprocal_root_has_the_other_sign_in_its_imaginary_part():
    points = [complex(x, y) for x, y in PAIRS if math.isfinite(x) and math.isfinite(y) and (x or y)]
    for point, root, reciprocal in zip(points, run_all("sqrt", points), run_all("rsqrt", points), strict=True):
        expected = 1 / root
        assert math.isclose(reciprocal.real, expected.real, rel_tol=1e-14), point
        assert math.isclose(reciprocal.imag, expected.imag, rel_tol=1e-14), point
        assert math.copysign(1, reciprocal.imag) == -math.copysign(1, root.imag), point


@pytest.mark.parametrize("name", ["exponential", "exponential_minus_one", "logistic", "power"])
@pytest.mark.parametrize("type_", ["complex<f32>", "complex<f64>"])
def test_zeros_of_what_is_too_small_have_the_signs_of_the_exact_numbers(name, type_):
    """However small: e^z is e^x (cos y, sin y) and adds to 1 what is as small; a power is that of a logarithm."""
    for size, angle in itertools.product((-2e3, -2e4, -9e4, -2e5, -1e9, -1e17, -1e30), (0.7, 1.0, 2.5, 4.0)):
        for y in (angle, -angle):
            point = np.array(complex(size, y)).astype(element_type(type_).dtype)[()]
            turn = y * math.log(2.5) if name == "power" else y
            real, imag = math.copysign(0.0, math.cos(turn)), math.copysign(0.0, math.sin(turn))
            operands, expected = {
                "exponential": ((point,), complex(real, imag)),
                "exponential_minus_one": ((point,), complex(-1, imag)),
                "logistic": ((-point,), complex(1, -imag)),  # 1 / (1 + e^z)
                "power": ((point.dtype.type(2.5), point), complex(real, imag)),
            }[name]
            check(f"{name} of {operands}", getattr(arithmetic(element_type(type_)), name)(*operands), expected)
