"""What fingerprints decide by values: what is close, what is a doubt, what is a number, which residues are apart."""

from __future__ import annotations

import itertools
from collections.abc import Generator
from typing import Any

import numpy as np
import pytest
from parsed import parsed
from same_bits_programs import FUNCTIONS

from stablehlo_py.bindings.types import element_type
from stablehlo_py.interpreter.fingerprints import elements
from stablehlo_py.interpreter.fingerprints import reading as reading_module
from stablehlo_py.interpreter.fingerprints.elements import FINGERPRINT, Fingerprints
from stablehlo_py.interpreter.fingerprints.reading import FingerprintReading
from stablehlo_py.interpreter.fingerprints.storage import argument, as_read, as_values, residues
from stablehlo_py.interpreter.program import Program
from stablehlo_py.interpreter.values import Token, ValueTypes

DOUBLE = as_read(element_type("f64"))


@pytest.fixture(autouse=True)
def _quiet_arithmetic() -> Generator[None]:
    with np.errstate(all="ignore"):
        yield


@pytest.fixture(params=range(2))
def floats(request: pytest.FixtureRequest) -> Any:
    return FingerprintReading(request.param).arithmetic(DOUBLE)


def same(one: Any, other: Any) -> bool:
    """Whether both residues are the same."""
    one, other = np.asarray(one), np.asarray(other)
    return all(np.array_equal(one[part], other[part]) for part in ("residue", "exponent"))


def test_powers_to_small_whole_numbers_are_products(floats: Any) -> None:
    """Below 64, so that exponentials of them agree too; beyond they are powers of the base alone."""
    x, one = floats.state.argument(np.linspace(0.5, 1.5, 20), 0), floats.state.number(np.ones(20))
    product = one
    for count in range(66):
        for number, expected in ((count, product), (-count, floats.divide(one, product))):
            found = floats.power(x, floats.state.number(np.full(20, float(number))))
            np.testing.assert_allclose(as_values(found), as_values(x) ** number, rtol=1e-12)
            one_of = [residues(expected), residues(floats.negate(expected))]  # a logarithm leaves the sign open
            assert ((residues(found) == one_of[0]) | (residues(found) == one_of[1])).all(), number
            assert same(found, expected) == (count < 64), number
        product = floats.multiply(product, x)


def test_a_power_to_an_argument_is_no_product(floats: Any) -> None:
    x, y = (floats.state.argument(np.array([value] * 9), number) for number, value in enumerate((1.5, 2.0)))
    assert as_values(floats.power(x, y)).tolist() == [2.25] * 9
    assert not (residues(floats.power(x, y)) == residues(floats.multiply(x, x))).any()
    mixed = y.copy()
    mixed[:4] = floats.state.number(2.0)
    is_same = residues(floats.power(x, mixed)) == residues(floats.multiply(x, x))
    assert is_same.tolist() == [True] * 4 + [False] * 5


def test_comparisons_are_not_of_total_orders_where_nothing_is_said(floats: Any) -> None:
    values = np.array([0.0, -0.0, np.nan, 1.0, -np.inf])
    pairs = [floats.state.number(np.ravel(side)) for side in np.meshgrid(values, values)]
    for direction in ("EQ", "NE", "LT", "LE", "GT", "GE"):
        found = floats.comparison(direction)(*pairs)
        np.testing.assert_array_equal(found, floats.comparison(direction, total_order=False)(*pairs), direction)
        other = floats.comparison(direction, total_order=True)(*pairs)
        assert not np.array_equal(found, other), direction


def test_the_size_of_zero_is_the_operand(floats: Any) -> None:
    """As the larger one of the operand and its opposite."""
    x = floats.state.argument(np.array([0.0, 1.5, -2.5]), 0)
    assert same(floats.abs(x), floats.maximum(x, floats.negate(x)))
    assert same(floats.abs(x)[:2], x[:2])
    assert same(floats.abs(x)[2], floats.negate(x[2]))


@pytest.mark.parametrize("name", ["maximum", "minimum"])
def test_of_equal_values_the_first_is_chosen_and_nan_is_kept(name: str, floats: Any) -> None:
    x, y = (floats.state.argument(np.array([1.0, np.nan, 2.0, np.nan]), number) for number in range(2))
    y["value"][1:3] = 3.0, np.nan
    found = getattr(floats, name)(x, y)
    assert same(found, np.stack([x[0], x[1], y[2], x[3]]))
    assert len(floats.state.doubts) == 1


@pytest.mark.parametrize("size", [1.0, -3.0, 1e-200, 1e200])
def test_values_within_their_rounding_are_doubts(size: float, floats: Any) -> None:
    """1e-11 of their size."""
    for share, is_close in ((0.9e-11, True), (1.1e-11, False), (-0.9e-11, True), (-1.1e-11, False)):
        floats.state.doubts.clear()
        x, y = (floats.state.argument(np.array([value]), n) for n, value in enumerate((size, size * (1 + share))))
        is_less = size < size * (1 + share)
        assert floats.comparison("LT")(x, y).tolist() == [is_less]
        sign = float(np.sign(size - size * (1 + share)))
        assert floats.state.doubts == ({(float(x["residue"][0]), float(y["residue"][0]), sign)} if is_close else set())


@pytest.mark.parametrize("near", [0.5, -1.5, 1000.0, 12345.5, -7.0, 0.0])
def test_numbers_within_their_rounding_of_a_half_are_doubts(near: float, floats: Any) -> None:
    """1e-9 and that share of their size."""
    most = 1e-9 * (1 + abs(near))
    for share, is_close in ((0.9, True), (1.1, False), (-0.9, True), (-1.1, False)):
        floats.state.doubts.clear()
        x = floats.state.argument(np.array([near + share * most]), 0)
        assert as_values(floats.floor(x)).tolist() == [np.floor(near + share * most)]
        assert floats.state.doubts == ({(float(x["residue"][0]), float(np.sign(share)))} if is_close else set())


def test_no_more_doubts_are_noted_than_there_may_be(floats: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(elements, "_MOST_DOUBTS", 3)
    state = floats.state
    state.doubt(np.array([False, False]), np.array([8.0, 9.0]))
    assert not state.doubts
    state.doubt(np.array([True, False, True]), np.array([1.0, 2.0, 3.0]), 5.0)
    assert state.doubts == {(1.0, 5.0), (3.0, 5.0)}
    state.doubt(True, 7.0)
    assert state.doubts == {(1.0, 5.0), (3.0, 5.0), (7.0,)}
    state.doubt(True, 9.0)
    assert len(state.doubts) == 3


@pytest.mark.parametrize("value", [5e-324, 2.0**-1022, 1.7976931348623157e308, 2.0**1023, 0.1, -1e-310])
def test_numbers_of_all_sizes_have_the_residues_of_their_fractions(value: float, floats: Any) -> None:
    numerator, denominator = value.as_integer_ratio()
    found = np.asarray(floats.state.number(value))
    for part, field in (("residue", floats.fields.main), ("exponent", floats.fields.exponents)):
        p = field.modulus
        assert int(found[part]) == numerator * pow(denominator, -1, p) % p, part
    assert found["value"] == value


TYPES = ["f32", "complex<f32>", "f64", "complex<f64>"]


def test_all_arguments_and_their_parts_have_residues_of_their_own() -> None:
    """Also those in tuples in tuples."""
    inner = f"tuple<{', '.join(f'tensor<30x{each}>' for each in TYPES)}>"
    parameters = [*[f"tensor<30x{each}>" for each in TYPES], inner, f"tuple<tensor<30xf32>, {inner}>", inner]
    module = parsed(
        f"func.func @main({', '.join(f'%{n}: {type_}' for n, type_ in enumerate(parameters))}) {{ return }}"
    )
    types = [ValueTypes()[each.type] for each in module.body.operations[0].regions[0].blocks[0].arguments]

    def values(type_: Any) -> Any:
        return tuple(map(values, type_.types)) if hasattr(type_, "types") else np.ones(30, type_.dtype)

    def parts(value: Any) -> list[Any]:
        if isinstance(value, tuple):
            return [part for each in value for part in parts(each)]
        if value.dtype == FINGERPRINT:
            return [value["residue"].tobytes(), value["exponent"].tobytes()]
        return [part for name in value.dtype.names for part in parts(value[name])]

    seen: set[bytes] = set()
    for sample in range(2):
        reading = FingerprintReading(sample)
        read = [as_read(type_) for type_ in types]
        given = reading.arguments_of([values(type_) for type_ in types], read)
        found = [part for value in given for part in parts(value)]
        again = [
            part for n, type_ in enumerate(types) for part in parts(argument(reading.state, values(type_), read[n], n))
        ]
        assert found == again
        assert len(set(found)) == len(found), "two of them have the same residues"
        assert seen.isdisjoint(found), "another sample has the same residues"
        seen.update(found)


def test_arguments_that_are_no_floats_stay_as_they_are() -> None:
    types = ["!stablehlo.token", "tensor<2xi32>", "tensor<i1>", "tuple<!stablehlo.token, tensor<2xi32>>"]
    module = parsed(f"func.func @main({', '.join(f'%{n}: {type_}' for n, type_ in enumerate(types))}) {{ return }}")
    read = [as_read(ValueTypes()[each.type]) for each in module.body.operations[0].regions[0].blocks[0].arguments]
    token, row, truth = Token(), np.arange(2, dtype=np.int32), np.array(True)
    found = FingerprintReading().arguments_of([token, row, truth, (token, row)], read)
    assert found[0] is token
    assert found[1] is row
    assert found[2] is truth
    assert found[3] == (token, row)


@pytest.mark.parametrize(("contracted", "columns"), [(40_000, 70), (2100, 64), (3000, 129), (3, 200), (0, 2), (5, 0)])
@pytest.mark.parametrize("block", [1, 5000, 1 << 21])
def test_large_products_are_those_of_the_parts(
    contracted: int, columns: int, block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A matrix of many columns is multiplied some columns at a time."""
    monkeypatch.setattr(reading_module, "_BLOCK", block)
    reading = FingerprintReading(1)
    random = np.random.default_rng(0)
    lhs, rhs = (np.empty(shape, FINGERPRINT) for shape in ((1, 2, contracted), (1, contracted, columns)))
    fields = reading.state.fields
    for side in (lhs, rhs):
        side["value"] = random.integers(-9, 10, side.shape)
        side["residue"] = random.integers(0, fields.main.modulus, side.shape)
        side["exponent"] = random.integers(0, fields.exponents.modulus, side.shape)
    found = reading.matmul(lhs, rhs, FINGERPRINT, False)
    np.testing.assert_array_equal(found["value"], lhs["value"] @ rhs["value"])
    for part, field in (("residue", fields.main), ("exponent", fields.exponents)):
        sides = [side[part].astype(np.int64) for side in (lhs, rhs)]
        exact = sum((left @ right for left, right in _parts(*sides)), np.zeros((1, 2, columns), np.int64))
        np.testing.assert_array_equal(found[part], exact % field.modulus, part)


def _parts(lhs: np.ndarray, rhs: np.ndarray) -> Any:
    """Products of so few terms that 64 bits hold their sums."""
    starts = range(0, lhs.shape[-1], 1 << 16)
    return [(lhs[..., start : start + (1 << 16)], rhs[..., start : start + (1 << 16), :]) for start in starts]


def test_samples_and_functions_are_told_apart(floats: Any) -> None:
    """No two functions, and no function and its operand, have the same residues."""
    x = floats.state.argument(np.linspace(0.6, 1.4, 40), 0)
    names = [*FUNCTIONS, "negate"]
    found = {"the operand": x, **{name: getattr(floats, name)(x) for name in names}}
    for (one, left), (other, right) in itertools.combinations(found.items(), 2):
        assert np.mean(residues(left) == residues(right)) < 0.1, (one, other)
        assert np.mean(np.asarray(left)["exponent"] == np.asarray(right)["exponent"]) < 0.1, (one, other)


def test_programs_of_fingerprints_run_by_a_watcher_that_replaces_results() -> None:
    text = """func.func @main(%x: tensor<3xf64>) -> tensor<3xf64> {
      %0 = stablehlo.add %x, %x : tensor<3xf64>
      %1 = stablehlo.multiply %0, %0 : tensor<3xf64>
      return %1 : tensor<3xf64>
    }"""
    seen: list[str] = []

    def watch(step: Any, operands: Any, results: Any) -> tuple[Any, ...]:
        seen.append(step.op.name)
        return (operands[0],) if step.op.name == "stablehlo.add" else tuple(results)

    reading = FingerprintReading(watch=watch)
    x = reading.state.argument(np.arange(3.0), 0)
    (found,) = Program(parsed(text), None, reading).run_values([x])
    assert seen == ["stablehlo.add", "stablehlo.multiply"]
    assert same(found, Fingerprints(DOUBLE, reading.state).multiply(x, x))


def test_a_conversion_to_a_truth_is_a_comparison_with_zero() -> None:
    """By the values, without a doubt."""
    reading = FingerprintReading()
    convert = reading.converter(DOUBLE, element_type("i1"))
    values = np.array([0.0, -0.0, 1e-17, -1e-12, 0.3, np.nan, np.inf, 1.0, 0.5 + 1e-12])
    for operand in (reading.state.argument(values, 0), reading.state.number(values)):
        nearly = operand.copy()
        nearly["residue"][2], nearly["exponent"][2] = 0, 0
        for each in (operand, nearly):
            found = convert(each)
            assert not reading.state.doubts
            assert found.tolist() == (values != 0).tolist()
            differs = Fingerprints(DOUBLE, reading.state).comparison("NE")
            np.testing.assert_array_equal(found, differs(each, Fingerprints.zero))
            reading.state.doubts.clear()


@pytest.mark.parametrize("element", ["f32", "bf16", "f64", "complex<f32>", "complex<f64>", "i8", "i1"])
def test_an_arithmetic_knows_its_type(element: str) -> None:
    type_ = as_read(element_type(element))
    found = FingerprintReading().arithmetic(type_)
    assert (found.element_type, found.dtype) == (type_, type_.dtype)
