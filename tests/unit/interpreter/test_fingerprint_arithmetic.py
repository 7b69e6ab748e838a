"""Fingerprints held against Python's integers modulo p, and their values against the arithmetic of doubles."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from parsed import parsed

from stablehlo_py.bindings.types import element_type
from stablehlo_py.errors import InterpreterError
from stablehlo_py.interpreter.element_types import arithmetic, converter
from stablehlo_py.interpreter.element_types.arithmetic import Arithmetic
from stablehlo_py.interpreter.element_types.narrow import BINARY
from stablehlo_py.interpreter.fingerprints.complex_elements import of_parts
from stablehlo_py.interpreter.fingerprints.elements import FINGERPRINT, Fingerprints
from stablehlo_py.interpreter.fingerprints.fields import CHUNK, PRIMES, Field, fields
from stablehlo_py.interpreter.fingerprints.reading import FingerprintReading
from stablehlo_py.interpreter.fingerprints.storage import as_read, as_values, numbers, residues
from stablehlo_py.interpreter.program import Program

DOUBLE, COMPLEX = element_type("f64"), element_type("complex<f64>")
READING = FingerprintReading(3)
FLOATS: Any = READING.arithmetic(as_read(DOUBLE))
STATE = READING.state
VALUES = np.array([0.0, 1.0, -1.0, 0.25, -0.75, 1.5, 2.5, -2.5, 3.0, -7.0, 100.125, math.inf, -math.inf, math.nan])


@pytest.fixture(autouse=True)
def _quiet_arithmetic():
    with np.errstate(all="ignore"):
        yield


@pytest.fixture(scope="module", params=range(2))
def field(request: pytest.FixtureRequest) -> Field:
    both = fields(request.param)
    return (both.main, both.exponents)[request.param]


def test_residues_are_those_of_pythons_integers(field: Field) -> None:
    p = field.modulus
    edges = [0, 1, p - 1, p, p + 1, 2 * p, p * p - 1, 1 << 52, (1 << 53) - 1, -1, -p, -p + 1, -(1 << 52)]
    found = field.reduced(np.array(edges, np.float64)).tolist()
    assert dict(zip(edges, found, strict=True)) == {number: number % p for number in edges}
    for residue in (1, 2, p // 2, p - 1):
        assert int(field.inverse(residue)) * residue % p == 1
    assert field.inverse(0) == 0


def test_multiples_of_the_modulus_and_their_neighbours_are_reduced(field: Field) -> None:
    """Up to 2^53, where a quotient may be rounded to the next whole number."""
    p, random = field.modulus, np.random.default_rng(0)
    counts = [*range(1, 40), *random.integers(1, (1 << 53) // p, 2000), *range((1 << 53) // p - 2000, (1 << 53) // p)]
    given = [sign * (int(count) * p) + beside for count in counts for beside in (-2, -1, 0, 1) for sign in (1, -1)]
    found = field.reduced(np.array(given, np.float64))
    assert found.tolist() == [number % p for number in given]


def test_numbers_have_the_residues_of_their_fractions(field: Field) -> None:
    p = field.modulus
    for mantissa, exponent in itertools.product([0, 1, -1, 3, -(1 << 53), (1 << 53) - 1], [-1126, -53, -1, 0, 5, 971]):
        found = int(field.number(np.int64(mantissa), np.int64(exponent)))
        scale = pow(2, exponent, p)
        assert found == mantissa * scale % p, f"{mantissa} * 2^{exponent} is {found} modulo {p}"


def test_powers_are_those_of_pythons_integers(field: Field) -> None:
    p = field.modulus
    pairs = list(itertools.product([0, 1, 2, 12345, p - 1], [0, 1, 2, 3, 63, p - 2]))
    found = field.power(*map(np.array, zip(*pairs, strict=True))).tolist()
    assert dict(zip(pairs, found, strict=True)) == {(base, power): pow(base, power, p) for base, power in pairs}


@pytest.mark.parametrize("terms", [1, CHUNK, CHUNK + 1])
def test_products_of_the_largest_residues_are_exact(field: Field, terms: int) -> None:
    largest = np.full((1, 1, terms), field.modulus - 1.0)
    assert field.matmul(largest, largest.swapaxes(1, 2)).tolist() == [[[terms % field.modulus]]]


def test_exponentials_and_logarithms_are_inverse_up_to_the_sign() -> None:
    both = fields(0)
    p, q = both.main.modulus, both.exponents.modulus
    assert (p, q) == (PRIMES[0][0], PRIMES[0][0] // 2)
    exponents = np.array([0, 1, 2, q - 1, 1234])
    powers = both.exponential(exponents)
    assert powers.tolist() == [pow(PRIMES[0][1], int(each), p) for each in exponents]
    for residues_ in (powers, p - powers):
        assert both.logarithm(residues_).tolist() == exponents.tolist()


def test_samples_take_the_primes_in_turn_and_other_hashes() -> None:
    found = [fields(sample) for sample in range(4)]
    assert [each.main.modulus for each in found] == [PRIMES[0][0], PRIMES[1][0]] * 2
    hashes = [tuple(each.hashed("f", np.arange(5.0)).tolist()) for each in found]
    assert len(set(hashes)) == 4
    assert fields(2).hashed("f", np.arange(5.0)).tolist() == list(hashes[2])


def test_hashes_depend_on_the_name_and_on_each_operand_in_its_place() -> None:
    both, (x, y) = fields(0), np.random.default_rng(0).integers(2, 1000, (2, 50)).astype(np.float64)
    found = [both.hashed(*each) for each in (("f", x, y), ("g", x, y), ("f", y, x), ("f", x), ("f", x, x), ("f", y))]
    for one, other in itertools.combinations(found, 2):
        assert not (one == other).any()
    assert ((found[0] >= 0) & (found[0] < both.main.modulus)).all()
    small = both.hashed("f", x, modulus=7)
    assert set(small.tolist()) == set(range(7))
    assert both.exponents_of(np.array([0.0, 1.0])).tolist() == [0, 1]
    assert (both.exponents_of(x) < both.exponents.modulus).all()


def operations(arithmetic_: Arithmetic) -> list[str]:
    """The names of the operations of an element type."""
    found = []
    for name in Arithmetic.__annotations__:
        try:
            getattr(arithmetic_, name)
        except InterpreterError:
            continue
        found.append(name)
    return found


OF_DOUBLES = [name for name in operations(arithmetic(DOUBLE)) if name not in ("real", "imag", "complex")]
OF_COMPLEX = [name for name in operations(arithmetic(COMPLEX)) if name not in ("real", "imag", "complex")]


def assert_values(what: str, found: Any, expected: Any) -> None:
    np.testing.assert_allclose(np.asarray(as_values(found)), expected, rtol=1e-9, atol=1e-12, err_msg=what)


@pytest.mark.parametrize("name", OF_DOUBLES)
def test_values_of_floats_are_those_of_doubles(name: str) -> None:
    pairs = np.array(list(itertools.product(VALUES, repeat=2))).T
    given = pairs if name in BINARY else VALUES[np.newaxis]
    expected = getattr(arithmetic(DOUBLE), name)(*given)
    assert_values(f"{name} of numbers", getattr(FLOATS, name)(*map(STATE.number, given)), expected)
    arguments = [STATE.argument(each, number) for number, each in enumerate(given)]
    assert_values(f"{name} of arguments", getattr(FLOATS, name)(*arguments), expected)


@pytest.mark.parametrize("name", OF_COMPLEX)
def test_values_of_complex_numbers_are_those_of_doubles(name: str) -> None:
    parts = [0.5, -0.75, 1.25, 3.0]
    values = np.array([complex(x, y) for x, y in itertools.product(parts, repeat=2)])
    given = [values, values[::-1] * 0.5] if name in BINARY else [values]
    floats: Any = READING.arithmetic(as_read(COMPLEX))
    found = getattr(floats, name)(*[numbers(STATE, each, as_read(COMPLEX)) for each in given])
    expected = getattr(arithmetic(COMPLEX), name)(*given)
    if np.asarray(as_values(found)).dtype.kind == "c" and np.asarray(expected).dtype.kind != "c":
        expected = np.asarray(expected).astype(np.complex128)
    assert_values(name, found, expected)


@pytest.mark.parametrize("kind", [DOUBLE, COMPLEX])
def test_comparisons_are_those_of_doubles(kind: Any) -> None:
    values = VALUES if kind is DOUBLE else np.array([0, -0.0, 1, 1j, 1 + 1j, 1 - 1j])
    pairs = np.array(list(itertools.product(values, repeat=2))).T
    for direction in ("EQ", "NE", "LT", "LE", "GT", "GE") if kind is DOUBLE else ("EQ", "NE"):
        for total_order in (False, True) if kind is DOUBLE else (False,):
            expected = arithmetic(kind).comparison(direction, total_order=total_order)(*pairs)
            compare = READING.arithmetic(as_read(kind)).comparison(direction, total_order=total_order)
            found = compare(*[numbers(STATE, side, as_read(kind)) for side in pairs])
            np.testing.assert_array_equal(found, expected, f"{direction}, total order {total_order}")


EXACT = ["add", "subtract", "multiply", "divide", "maximum", "minimum", "abs", "negate", "sign", "floor", "ceil"]
EXACT += ["round_nearest_afz", "round_nearest_even", "remainder", "power"]


@pytest.mark.parametrize("name", EXACT)
def test_exact_results_of_numbers_are_numbers(name: str) -> None:
    lhs = [Fraction(each) for each in (1, -1, 3, -7, 0.25, -0.75, 1.5, 2.5, -2.5, 100.125)]
    rhs = [Fraction(each) for each in ((1, -1, 2, -3, 5) if name == "power" else (1, -1, 2, -4, 0.5, 8, -0.125))]
    pairs = list(itertools.product(lhs, rhs)) if name in BINARY else [(each,) for each in lhs]
    given = [np.array([float(each) for each in side]) for side in zip(*pairs, strict=True)]
    found = getattr(FLOATS, name)(*map(STATE.number, given))
    p = STATE.fields.main.modulus
    for index, operands in enumerate(pairs):
        if name == "power":
            value = operands[0] ** int(operands[1])
        elif name == "divide":
            value = operands[0] / operands[1]
        else:
            value = Fraction(float(as_values(found)[index]))
        expected = value.numerator * pow(value.denominator, -1, p) % p
        shown = ", ".join(map(str, operands))
        assert residues(found)[index] == expected, f"{name} of {shown} has another residue than {value}"
        small = value.denominator & (value.denominator - 1) == 0
        assert STATE.is_number(found)[index] or not small, f"{name} of {shown} is not the number {value}"


@pytest.mark.parametrize(
    ("name", "operands", "expected"),
    [
        ("exponential", [0.0], 1.0),
        ("exponential", [-math.inf], 0.0),
        *[(name, [0.0], 0.0) for name in ("exponential_minus_one", "log_plus_one", "sine", "tan", "tanh")],
        *[(name, [0.0], 0.0) for name in ("sqrt", "cbrt")],
        ("cosine", [0.0], 1.0),
        ("log", [1.0], 0.0),
        ("sqrt", [1.0], 1.0),
        ("cbrt", [1.0], 1.0),
        ("cbrt", [-27.0], -3.0),
        ("logistic", [0.0], 0.5),
        ("power", [0.0, 2.5], 0.0),
        ("power", [0.0, 0.0], 1.0),
        ("power", [3.0, 0.0], 1.0),
        ("power", [3.0, 1.0], 3.0),
        ("power", [-2.0, 63.0], -(2.0**63)),
        ("power", [2.0, -1.0], 0.5),
        ("power", [4.0, 0.5], 2.0),
    ],
)
def test_functions_at_points_with_known_values(name: str, operands: list[float], expected: float) -> None:
    found = getattr(FLOATS, name)(*[STATE.number(each) for each in operands])
    assert float(as_values(found)) == pytest.approx(expected, rel=1e-15, abs=1e-300)
    if (name, operands) != ("power", [4.0, 0.5]):  # the exponent leaves the sign of a root open
        wanted = residues(STATE.number(expected))
        assert residues(found) == wanted, f"{name} of {operands} is no {expected}"
    if all(map(math.isfinite, operands)):
        elsewhere = getattr(FLOATS, name)(*[STATE.number(each + 0.5) for each in operands])
        assert residues(elsewhere) != residues(found), f"{name} is {expected} elsewhere, too"


def test_even_and_odd_functions_have_residues_that_are() -> None:
    x = STATE.argument(np.linspace(0.1, 2, 50), 7)
    negated = FLOATS.negate(x)
    for name in ("sine", "tan"):
        function = getattr(FLOATS, name)
        np.testing.assert_array_equal(residues(function(negated)), residues(FLOATS.negate(function(x))), name)
    np.testing.assert_array_equal(residues(FLOATS.cosine(negated)), residues(FLOATS.cosine(x)))
    assert not (residues(FLOATS.sine(x)) == residues(FLOATS.cosine(x))).any()


def test_infinities_and_nan_are_numbers_of_their_own() -> None:
    special = STATE.number(np.array([math.inf, -math.inf, math.nan, 0.0, -0.0]))
    assert STATE.is_number(special).all()
    assert len(set(special["residue"][:4].tolist())) == 4
    assert special["residue"][3] == special["residue"][4] == 0
    found = residues(special).tolist()
    assert found == [-4.0, -2.0, -5.0, 0.0, 0.0]
    assert residues(np.array([1, 2])).tolist() == [1, 2]


def test_roots_of_numbers_are_numbers_where_they_are_exact() -> None:
    squares = np.array([0.25, 1.0, 4.0, 64.0, 1e10])
    roots, one = STATE.number(np.sqrt(squares)), STATE.number(1.0)
    np.testing.assert_array_equal(residues(FLOATS.sqrt(STATE.number(squares))), residues(roots))
    np.testing.assert_array_equal(residues(FLOATS.rsqrt(STATE.number(squares))), residues(FLOATS.divide(one, roots)))
    argument = STATE.argument(np.array([4.0]), 0)
    assert not STATE.is_number(FLOATS.sqrt(argument)).any()


def test_close_values_are_equal_where_their_residues_are() -> None:
    reading = FingerprintReading()
    state = reading.state
    floats = Fingerprints(as_read(DOUBLE), state)
    x = state.argument(np.array([1.0, 2.0, 3.0]), 0)
    beside = x.copy()
    beside["value"] *= 1 + 4e-12
    assert floats.comparison("EQ")(x, beside).all()
    assert floats.comparison("GE")(x, beside).all()
    assert not state.doubts
    other = state.argument(np.array([1.0, 2.0, 3.0]) * (1 + 4e-12), 1)
    assert floats.comparison("LT")(x, other).all()
    assert state.doubts == {(float(a), float(b), -1.0) for a, b in zip(x["residue"], other["residue"], strict=True)}
    far = state.argument(np.array([1.0, 2.0, 3.0]) * (1 + 1e-10), 1)
    count = len(state.doubts)
    assert floats.comparison("LT")(x, far).all()
    assert not floats.comparison("EQ")(state.number(math.inf), state.argument(np.array(1.0), 5))
    assert len(state.doubts) == count


def test_numbers_next_to_halves_are_rounded_by_their_residues() -> None:
    state = FingerprintReading().state
    floats: Any = Fingerprints(as_read(DOUBLE), state)
    exact = state.number(np.array([2.5, -1.5, 3.0]))
    beside = exact.copy()
    beside["value"] += [-1e-12, 1e-12, -1e-12]
    for name, expected in (
        ("round_nearest_afz", [3, -2, 3]),
        ("round_nearest_even", [2, -2, 3]),
        ("floor", [2, -2, 3]),
        ("ceil", [3, -1, 3]),
    ):
        assert as_values(getattr(floats, name)(beside)).tolist() == expected, name
    assert not state.doubts
    unknown = state.argument(np.array([2.5 - 1e-12]), 0)
    assert as_values(floats.round_nearest_afz(unknown)).tolist() == [2]
    assert len(state.doubts) == 1
    assert as_values(floats.floor(state.argument(np.array([2.25]), 0))).tolist() == [2]
    assert len(state.doubts) == 1


@pytest.mark.parametrize(
    ("source", "target"),
    [
        *itertools.product(["f32", "bf16", "complex<f32>", "i32"], ["f64", "f16", "complex<f64>", "i32", "i1"]),
        *[("ui8", "f32"), ("i1", "f32"), ("ui8", "complex<f32>")],
    ],
)
def test_conversions_have_the_values_of_the_interpreters(source: str, target: str) -> None:
    values = np.array([0.0, 1.0, 2.0, 3.0]) if source in ("ui8", "i1") else np.array([0.0, 1.0, -2.0, 2.5, -3.0])
    given = values.astype(element_type(source).dtype)
    from_, to = map(as_read, map(element_type, (source, target)))
    found = as_values(READING.converter(from_, to)(numbers(STATE, given, from_)))
    expected = converter(element_type(source), element_type(target))(given)
    wide = np.complex128 if "complex" in target else np.float64
    np.testing.assert_array_equal(np.asarray(found).astype(wide), np.asarray(expected).astype(wide))


def test_sums_and_products_have_the_residues_of_their_formulas() -> None:
    x = STATE.argument(np.arange(1.0, 7.0).reshape(2, 3), 0)
    total = READING.sum(as_read(DOUBLE), x, (1,))
    by_hand = FLOATS.add(FLOATS.add(x[:, 0], x[:, 1]), x[:, 2])
    ones = STATE.number(np.ones((1, 3, 1)))
    for found in (total, READING.matmul(x[np.newaxis], ones, FINGERPRINT, False)[0, :, 0]):
        np.testing.assert_array_equal(residues(found), residues(by_hand))
        np.testing.assert_array_equal(found["exponent"], by_hand["exponent"])
        assert_values("a sum", found, [6.0, 15.0])
    complex_ = as_read(COMPLEX)
    z = numbers(STATE, np.array([[[1 + 2j, 3 - 1j]]]), complex_)
    product = READING.matmul(z, numbers(STATE, np.array([[[2 - 1j], [1j]]]), complex_), complex_.dtype, False)
    assert_values("a product", product, [[[(1 + 2j) * (2 - 1j) + (3 - 1j) * 1j]]])


def transformed(kind: str, size: int, operand: Any, reading: FingerprintReading) -> Any:
    source = f"tensor<{size // 2 + 1 if kind == 'IRFFT' else size}x{'f64' if kind == 'RFFT' else 'complex<f64>'}>"
    target = f"tensor<{size // 2 + 1 if kind == 'RFFT' else size}x{'f64' if kind == 'IRFFT' else 'complex<f64>'}>"
    text = f"""func.func @main(%x: {source}) -> {target} {{
      %0 = stablehlo.fft %x, type = {kind}, length = [{size}] : ({source}) -> {target}
      return %0 : {target}
    }}"""
    return Program(parsed(text), None, reading).run_values([operand])[0]


@pytest.mark.parametrize("size", [1, 2, 3, 5, 6, 8])
def test_transforms_have_the_symmetries_of_roots_of_unity(size: int) -> None:
    reading = FingerprintReading(1)
    complexes: Any = reading.arithmetic(as_read(COMPLEX))
    floats: Any = reading.arithmetic(as_read(DOUBLE))
    x = reading.state.argument(np.arange(1.0, size + 1), 0)
    z = of_parts(x, reading.state.argument(np.arange(2.0, size + 2) ** 2, 1))
    zero = reading.state.number(np.zeros(size))

    spectrum = transformed("FFT", size, of_parts(x, zero), reading)
    mirrored = np.roll(np.asarray(complexes.conjugate(spectrum))[::-1], 1)
    np.testing.assert_array_equal(residues(spectrum), residues(mirrored))
    half = transformed("RFFT", size, x, reading)
    np.testing.assert_array_equal(residues(half), residues(spectrum)[: size // 2 + 1])
    assert_values("RFFT", half, np.fft.rfft(np.arange(1.0, size + 1)))

    forward = np.asarray(complexes.conjugate(transformed("FFT", size, complexes.conjugate(z), reading)))
    count = reading.state.number(float(size))
    scaled = of_parts(*[floats.divide(forward[part], count) for part in ("real", "imag")])
    inverse = transformed("IFFT", size, z, reading)
    np.testing.assert_array_equal(residues(inverse), residues(scaled))
    assert_values("IFFT", inverse, np.fft.ifft(np.asarray(as_values(z))))

    back = transformed("IRFFT", size, z[: size // 2 + 1], reading)
    assert_values("IRFFT", back, np.fft.irfft(np.asarray(as_values(z))[: size // 2 + 1], size))
    whole = z[: size // 2 + 1].copy()
    whole["imag"][[0] if size % 2 else [0, -1]] = reading.state.number(0.0)
    whole = np.concatenate([whole, np.asarray(complexes.conjugate(whole[(size - 1) // 2 : 0 : -1]))])
    np.testing.assert_array_equal(residues(back), residues(transformed("IFFT", size, whole, reading))[..., 0])
