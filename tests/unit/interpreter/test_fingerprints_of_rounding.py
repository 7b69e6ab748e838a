"""Fingerprints of conversions, where rounding counts and where it does not, and of transforms of several dimensions."""

from __future__ import annotations

from collections.abc import Generator
from itertools import product
from typing import Any

import numpy as np
import pytest
from parsed import parsed

from stablehlo_py.bindings.types import element_type
from stablehlo_py.interpreter.element_types import converter
from stablehlo_py.interpreter.fingerprints.complex_elements import of_parts
from stablehlo_py.interpreter.fingerprints.reading import FingerprintReading
from stablehlo_py.interpreter.fingerprints.storage import as_read, as_values, numbers, residues
from stablehlo_py.interpreter.program import Program


@pytest.fixture(autouse=True)
def _quiet_arithmetic() -> Generator[None]:
    with np.errstate(all="ignore"):
        yield


FLOATS = ["f8E4M3FN", "f8E5M2", "f16", "bf16", "f32", "f64"]
BITS = {"f8E4M3FN": (4, 3), "f8E5M2": (5, 2), "f16": (5, 10), "bf16": (8, 7), "f32": (8, 23), "f64": (11, 52)}
"""Of the exponent and of the mantissa."""


def run(line: str, source: str, target: str, reading: FingerprintReading) -> tuple[Any, Any]:
    """An argument, or integers, and what the op makes of it."""
    text = f"""func.func @main(%x: tensor<9x{source}>) -> tensor<9x{target}> {{
      %0 = stablehlo.{line}
      return %0 : tensor<9x{target}>
    }}"""
    values = np.array([0, 1, 2, 3, 1.25, 2.5, 5, 6, 7.0]).astype(element_type(source).dtype)
    type_ = as_read(element_type(source))
    wide = values.astype(np.float64) if source in FLOATS else values
    x = reading.state.argument(wide, 0) if source in FLOATS else numbers(reading.state, values, type_)
    (found,) = Program(parsed(text), None, reading).run_values([x])
    return x, found


@pytest.mark.parametrize("source", FLOATS)
def test_a_conversion_to_fewer_bits_is_a_function_where_rounding_counts(source: str) -> None:
    results = []
    for target in FLOATS:
        line = f"convert %x : (tensor<9x{source}>) -> tensor<9x{target}>"
        given, found = run(line, source, target, FingerprintReading(0))
        assert np.array_equal(residues(given), residues(found)), f"{source} to {target}: rounding does not count"
        given, found = run(line, source, target, FingerprintReading(0, keeps_rounding=True))
        fits = all(wide <= narrow for wide, narrow in zip(BITS[source], BITS[target], strict=True))
        is_same = residues(given) == residues(found)
        assert is_same.all() if fits else not is_same.any(), f"{source} to {target}"
        expected = converter(element_type(source), element_type(target))(
            as_values(given).astype(element_type(source).dtype)
        )
        np.testing.assert_array_equal(as_values(found), expected.astype(np.float64))
        if not fits:
            results.append(residues(found).tobytes())
    assert len(set(results)) == len(results), "two types have one function"


@pytest.mark.parametrize("keeps_rounding", [False, True])
def test_conversions_of_other_elements_are_those_of_their_values(*, keeps_rounding: bool) -> None:
    for source, target in product(["i1", "i8", "ui16", "i32", *FLOATS[-3:]], repeat=2):
        if source in FLOATS and target in FLOATS:
            continue
        reading = FingerprintReading(0, keeps_rounding=keeps_rounding)
        line = f"convert %x : (tensor<9x{source}>) -> tensor<9x{target}>"
        given, found = run(line, source, target, reading)
        values = np.asarray(as_values(given)).astype(element_type(source).dtype)
        expected = converter(element_type(source), element_type(target))(values)
        wanted = numbers(reading.state, expected, as_read(element_type(target)))
        assert np.array_equal(residues(found), residues(wanted)), f"{source} to {target}"


@pytest.mark.parametrize("source", ["f16", "f32", "f64"])
def test_a_reduced_precision_is_a_function_of_its_format_where_rounding_counts(source: str) -> None:
    seen: set[bytes] = set()
    formats = [(8, 23), (5, 10), (8, 7), (4, 3), (11, 52), (2, 0)]
    for exponent, mantissa in formats:
        line = f"reduce_precision %x, format = e{exponent}m{mantissa} : tensor<9x{source}>"
        given, found = run(line, source, source, FingerprintReading(0))
        assert np.array_equal(residues(given), residues(found)), line
        given, found = run(line, source, source, FingerprintReading(0, keeps_rounding=True))
        assert not (residues(given) == residues(found)).any(), line
        seen.add(residues(found).tobytes())
    assert len(seen) == len(formats)


TRANSFORMS = {"FFT": np.fft.fftn, "IFFT": np.fft.ifftn, "RFFT": np.fft.rfftn, "IRFFT": np.fft.irfftn}


@pytest.mark.parametrize("kind", TRANSFORMS)
@pytest.mark.parametrize("lengths", [(4,), (3,), (2, 4), (3, 5), (4, 3), (2, 3, 4), (3, 2, 5), (1, 1)])
def test_transforms_of_several_dimensions(lengths: tuple[int, ...], kind: str) -> None:
    """They have the values of numpy's, and a row has the residues that it has alone."""
    half = (*lengths[:-1], lengths[-1] // 2 + 1)
    shapes = {"RFFT": (lengths, half), "IRFFT": (half, lengths)}.get(kind, (lengths, lengths))
    elements = {"RFFT": ("f64", "complex<f64>"), "IRFFT": ("complex<f64>", "f64")}.get(kind, ("complex<f64>",) * 2)
    types = [f"tensor<2x{''.join(f'{n}x' for n in shape)}{each}>" for shape, each in zip(shapes, elements, strict=True)]
    text = f"""func.func @main(%x: {types[0]}) -> {types[1]} {{
      %0 = stablehlo.fft %x, type = {kind}, length = {list(lengths)} : ({types[0]}) -> {types[1]}
      return %0 : {types[1]}
    }}"""
    reading, random = FingerprintReading(1), np.random.default_rng(0)
    parts = [random.integers(-5, 6, (2, *shapes[0])).astype(np.float64) for _ in range(2)]
    x = parts[0] if kind == "RFFT" else parts[0] + 1j * parts[1]
    of_real, of_imag = (reading.state.argument(part, number) for number, part in enumerate(parts))
    given = of_real if kind == "RFFT" else of_parts(of_real, of_imag)
    (found,) = Program(parsed(text), None, reading).run_values([given])
    axes = tuple(range(1, len(lengths) + 1))
    expected = TRANSFORMS[kind](x, s=lengths, axes=axes)
    np.testing.assert_allclose(as_values(found), expected, rtol=1e-9, atol=1e-9)
    rows = [Program(parsed(text), None, reading).run_values([np.stack([given[row]] * 2)])[0] for row in range(2)]
    for row, alone in enumerate(rows):
        np.testing.assert_array_equal(residues(alone)[0], residues(found)[row], "of one row")
