"""HLO's text keeps every value of every element type, both ways, and is recognized behind comments."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import stablehlo_py
from stablehlo_py.artifacts import formats
from stablehlo_py.artifacts.formats.hlo_literals import exact_literals
from stablehlo_py.bindings import ir
from stablehlo_py.bindings.elements import build_constant
from stablehlo_py.bindings.types import ElementType, Kind, element_type, element_type_names
from stablehlo_py.bindings.walk import body_of, functions
from stablehlo_py.syntax import Source

# XLA has no types of six bits; `index` and `si8` stand for other types.
ELEMENTS = [name for name in element_type_names() if not name.startswith(("si", "index", "f6"))]
SPECIAL = [0.0, -0.0, 1.0, -1.5, np.inf, -np.inf, np.nan, -np.nan, 5e-324, 1e-45, 3e-310, 1e-40, 1e300, -1e38]


def _floats(dtype: np.dtype) -> np.ndarray:
    """Special values, NaN payloads, and random bits."""
    bits = np.dtype(f"u{dtype.itemsize}")
    with np.errstate(all="ignore"):
        special = np.array(SPECIAL).astype(dtype).view(bits)
    infinity = np.array(np.inf, dtype).view(bits)
    payloads = infinity | np.array([1, 2, 5, 12345, (1 << np.finfo(dtype).nmant) - 1], bits)
    random = np.random.default_rng(0).integers(0, np.iinfo(bits).max, 300, dtype=bits, endpoint=True)
    signs = bits.type(1 << (8 * dtype.itemsize - 1))
    return np.concatenate([special, payloads, payloads | signs, random]).view(dtype)


def every_value(element: ElementType) -> np.ndarray:
    """All values of a type of up to 16 bits; special and random ones of another."""
    if element.kind is Kind.COMPLEX:
        parts = _floats(np.dtype(f"f{element.dtype.itemsize // 2}"))[:30]
        return np.array(list(itertools.product(parts, parts)), parts.dtype).reshape(-1).view(element.dtype)
    if element.is_integral:
        low, high = (int(bound) for bound in element.bounds)
        count = range(low, high + 1) if element.bits <= 16 else [low, low + 1, -(low < 0), 0, 1, high - 1, high]
        return np.array(count, object).astype(element.dtype)
    if element.bits <= 16:
        return np.arange(1 << element.bits, dtype=f"u{element.dtype.itemsize}").view(element.dtype)
    return _floats(element.dtype)


def returning(*arrays: np.ndarray) -> ir.Module:
    """A program that returns constants."""
    module = stablehlo_py.parse("func.func @main() { return }")
    block = body_of(functions(module.operation)["main"])
    with module.context, ir.Location.unknown(), ir.InsertionPoint.at_block_begin(block):
        values = [build_constant(array) for array in arrays]
        types = ir.FunctionType.get([], [value.type for value in values])
        functions(module.operation)["main"].attributes["function_type"] = ir.TypeAttr.get(types)
        block.operations[len(values)].operation.erase()
        ir.Operation.create("func.return", operands=values, ip=ir.InsertionPoint(block))
    return module


def differing(results: list[np.ndarray], arrays: list[np.ndarray]) -> list[str]:
    """What is wrong with results that should be these arrays."""
    pairs = zip(ELEMENTS, arrays, results, strict=True)
    is_same = (
        (name, np.array_equal(one, other) if element_type(name).is_integral else one.tobytes() == other.tobytes())
        for name, one, other in pairs
    )
    return [name for name, same in is_same if not same]


def test_every_value_goes_through_text_and_back():
    arrays = [every_value(element_type(name)) for name in ELEMENTS]
    text = stablehlo_py.export(returning(*arrays), "hlo-text")
    assert not differing(stablehlo_py.load(text)(), arrays)
    assert exact_literals(text) == text  # it says all values so that XLA reads them right


def test_every_value_is_read_from_what_xla_prints():
    hlo = pytest.importorskip("jaxlib._hlo")
    arrays = [every_value(element_type(name)) for name in ELEMENTS]
    proto = stablehlo_py.export(returning(*arrays), "hlo-proto")
    options = hlo.HloPrintOptions()
    options.print_large_constants = True
    text = hlo.HloModule.from_serialized_hlo_module_proto(proto).to_string(options)
    assert "constant({0, -0," in text  # as XLA prints them
    assert not differing(stablehlo_py.load(text)(), arrays)


def entry(*lines: str) -> str:
    return "\n".join(["HloModule m", "ENTRY main {", *lines, "}"])


def test_literals_may_have_any_form():
    results = stablehlo_py.load(
        entry(
            "  a = f32[2,2]{1,0} constant({ /*i0=0*/ {-0, 1}, // ) of a comment, -0",
            '    { 2,\n -0 } }), metadata={op_name="f32[] constant(-0) \\" s32[] constant({...})"}',
            '  b = c64[2] constant({(-0, nan(0x1)),(-nan, -0)}), metadata={op_name="kept"}',
            "  c = s32[2]{0} constant({-0, -1})",
            "  d = f32[] add(f32[] constant(-0), f32[]{:T(128)} constant ( -0 ))",
            "  e = f8e8m0fnu[3] constant({6e-39, 5.877472e-39, 9e-39})",
            "  ROOT t = (f32[2,2], c64[2], s32[2], f32[], f8e8m0fnu[3]) tuple(a, b, c, d, e)",
        )
    )()
    assert np.signbit(results[0]).tolist() == [[True, False], [False, True]]
    parts = results[1].view(np.float32).view(np.uint32)
    assert parts.tolist() == [0x80000000, 0x7F800001, 0xFFC00000, 0x80000000]
    assert results[2].tolist() == [0, -1]
    assert np.signbit(results[3])
    assert results[4].view(np.uint8).tolist() == [0, 0, 1]


@pytest.mark.parametrize("before", ["\ufeff", "// a comment\n", "/* two\nlines */ ", " \r\n// HloModule\n/**/\n\t"])
def test_text_is_recognized_behind_comments(before, tmp_path):
    text = before + entry("  ROOT z = f32[] constant(-0)")
    path = tmp_path / "program"
    path.write_bytes(text.encode())
    for source in (text, text.encode(), path):
        assert np.signbit(stablehlo_py.load(source)()), source
    assert formats.recognize(Source("-", b"// HloModule\nmodule {}")) == ""


@pytest.mark.parametrize("part", ["/* ", '"', "'", "f32[", "f32[]{", "f32[] constant(", "f32[] constant((", "(("])
def test_damaged_text_is_read_once(part):
    """The time is linear: a thousand times more would not end."""
    damaged = ("f32[] " + part * 100_000).encode()
    assert exact_literals(damaged) == damaged


def test_large_constants_take_no_longer_than_their_text():
    text = b"a = f32[900000]{0} constant({" + b", ".join([b"-0", b"1.25", b"-1e-05"] * 300_000) + b"})"
    assert exact_literals(text).count(b"-0.0") == 300_000


LEAST = 2.0**-127


@pytest.mark.parametrize(
    ("number", "written"),
    [
        (LEAST, repr(LEAST)),
        (1.49 * LEAST, repr(LEAST)),
        (1.5 * LEAST, repr(1.5 * LEAST)),
        (2 * LEAST, repr(2 * LEAST)),
        (0.99 * LEAST, repr(0.99 * LEAST)),
    ],
)
def test_the_least_number_of_e8m0_has_all_its_digits(number: float, written: str) -> None:
    text = f"c = f8e8m0fnu[2]{{0}} constant({{{number!r}, nan(0x3)}})".encode()
    assert exact_literals(text) == f"c = f8e8m0fnu[2]{{0}} constant({{{written}, nan(0x3)}})".encode()
    assert exact_literals(text.replace(b"f8e8m0fnu", b"f32")) == text.replace(b"f8e8m0fnu", b"f32")
