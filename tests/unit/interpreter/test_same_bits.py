"""Results have the same bits on every processor: children that pretend to others run generated programs."""

from __future__ import annotations

import math
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from speeds import later

from stablehlo_py.bindings.types import element_type
from stablehlo_py.conformance.oracle.rounding import rounded as rounded_once
from stablehlo_py.interpreter.element_types import arithmetic
from stablehlo_py.interpreter.element_types.deciding import decided
from stablehlo_py.interpreter.element_types.exact import rounded
from stablehlo_py.interpreter.fast.matmul import matmul, sum_of_rows
from stablehlo_py.interpreter.ops.exact_sums import exact_matmul
from stablehlo_py.interpreter.ops.matmul import SEQUENTIAL_PRODUCTS, is_in_order

PROCESSORS = [
    {"OPENBLAS_CORETYPE": "Nehalem", "OPENBLAS_NUM_THREADS": "1"},
    later({"OPENBLAS_CORETYPE": "Sandybridge", "NPY_DISABLE_CPU_FEATURES": "X86_V4"}),
    {"OPENBLAS_CORETYPE": "Haswell", "NPY_DISABLE_CPU_FEATURES": "X86_V3 X86_V4"},
]
_DIGESTS = """
import sys
{first}
sys.path.insert(0, {here!r})
from same_bits_programs import digests
for line in digests({seed}, {count}):
    print(line)
"""


def digests(processor: dict[str, str], seed: int, count: int, first: str = "") -> list[str]:
    """What a child with this environment computes after a first line of Python: a line for each program."""
    program = _DIGESTS.format(first=first, here=str(Path(__file__).parents[2] / "support"), seed=seed, count=count)
    environment = {**os.environ, **processor}
    child = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program], env=environment, capture_output=True, text=True, check=False
    )
    assert child.returncode == 0, child.stderr
    return child.stdout.splitlines()


@cache
def lines_here(count: int) -> list[str]:
    return digests({}, seed=1, count=count)


@pytest.mark.parametrize("processor", PROCESSORS, ids=lambda processor: processor["OPENBLAS_CORETYPE"])
def test_same_bits_on_other_processors(processor: dict[str, str]) -> None:
    assert digests(processor, seed=1, count=60) == lines_here(60)
    assert len(lines_here(60)) == 60


@pytest.mark.parametrize("count", [60, later(240)])
def test_same_bits_without_gmpy2(count: int) -> None:
    lines = lines_here(count)
    assert digests({}, seed=1, count=count, first="sys.modules['gmpy2'] = None") == lines
    assert any(" : tensor<f64>" in line for line in lines)


_LIBRARY = ["sin", "cos", "tan", "exp", "expm1", "log", "log1p", "pow", "tanh", "cbrt", "atan2", "hypot"]
_COMPLEX = ["cexp", "clog", "csqrt", "csin", "ccos", "ctan", "ctanh", "cpow"]
MUSL = Path("/usr/lib/x86_64-linux-musl/libc.a")


@pytest.mark.skipif(not MUSL.exists() or not shutil.which("gcc"), reason="Debian's musl-dev or gcc is not installed")
@pytest.mark.release
def test_same_bits_with_another_c_library(tmp_path: Path) -> None:
    """numpy's calls of the C library go to musl's functions."""
    library = tmp_path / "functions.so"
    undefined = [f"-Wl,-u,{name}" for name in [*_LIBRARY, *_COMPLEX]]
    subprocess.run(["gcc", "-shared", "-nostdlib", "-o", library, *undefined, MUSL, "-lgcc"], check=True)
    processor = {"NPY_DISABLE_CPU_FEATURES": "X86_V3 X86_V4"}
    roots = "import numpy; print(numpy.cbrt(numpy.arange(1e4)).sum().hex())"
    found = [
        (
            subprocess.run([sys.executable, "-c", roots], env={**os.environ, **other}, capture_output=True).stdout,
            digests(other, seed=2, count=60),
        )
        for other in (processor, {**processor, "LD_PRELOAD": str(library)})
    ]
    assert found[0][0] != found[1][0]
    assert found[0][1] == found[1][1]


@pytest.mark.parametrize("type_name", ["f64", "complex<f32>", "complex<f64>"])
@pytest.mark.filterwarnings("ignore:.*:RuntimeWarning")
def test_no_function_of_the_c_library_decides(type_name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two functions serve as a first guess: other values near theirs give the same bits."""
    elements, random = arithmetic(element_type(type_name)), np.random.default_rng(0)
    special = [0.0, -0.0, 1.0, -2.0, math.inf, -math.inf, math.nan]
    values = np.concatenate([random.normal(size=300) * 5, np.repeat(special, 7)])
    other = np.concatenate([random.normal(size=300), np.tile(special, 7)])
    first, second = (values + 1j * other, other + 1j * values[::-1]) if "complex" in type_name else (values, other)
    first, second = first.astype(elements.dtype), second.astype(elements.dtype)
    names = sorted(DOUBLES.keys() - ({"atan2"} if "complex" in type_name else set()))

    def results() -> list[np.ndarray]:
        return [getattr(elements, name)(*[first, second][: 1 + (name in ("atan2", "power"))]) for name in names]

    def refused(*_: object, **__: object) -> None:
        raise AssertionError

    expected = results()
    for name in ("arctan2", "cos", "exp", "expm1", "log", "log1p", "sin", "tan", "tanh"):
        monkeypatch.setattr(np, name, refused)
    cbrt, hypot = np.cbrt, np.hypot
    monkeypatch.setattr(np, "cbrt", lambda operand: cbrt(operand) * (1 + 2.0**-50))
    monkeypatch.setattr(np, "hypot", lambda x, y: hypot(x, y) * (1 + 2.0**-50))
    for own, others in zip(expected, results(), strict=True):
        np.testing.assert_array_equal(others, own)


@pytest.mark.parametrize(
    "shape", [(1, 1, 4096, 1), (1, 2, 3000, 1), (3, 5, 1000, 7), (2, 40, 50, 60), (1, 1, 0, 1), (0, 2, 3, 4)]
)
@pytest.mark.parametrize("dtype", ["f4", "f8", "F", "D"])
def test_products_are_added_from_left_to_right(shape: tuple[int, int, int, int], dtype: str) -> None:
    batch, rows, contracted, columns = shape
    random = np.random.default_rng(0)

    def numbers(*sizes: int) -> np.ndarray:
        values = random.normal(size=sizes)
        return (values + 1j * random.normal(size=sizes) if dtype in "FD" else values).astype(dtype)

    lhs, rhs = numbers(batch, rows, contracted), numbers(batch, contracted, columns)
    expected = np.zeros((batch, rows, columns), dtype)
    for index in range(contracted):
        left, right = lhs[:, :, index, np.newaxis], rhs[:, index, np.newaxis, :]
        real = left.real * right.real - left.imag * right.imag
        expected += real + 1j * (left.real * right.imag + left.imag * right.real) if dtype in "FD" else left * right
    np.testing.assert_array_equal(matmul(lhs, rhs, np.dtype(dtype), in_order=True), expected)


@pytest.mark.parametrize("columns", [1, 2, 3, 8, 17, 1000])
def test_rows_are_added_one_after_the_other(columns: int) -> None:
    rows = np.random.default_rng(0).normal(size=(777, columns)).astype(np.float32)
    expected = rows[0]
    for row in rows[1:]:
        expected = expected + row
    np.testing.assert_array_equal(sum_of_rows(rows), expected)


def test_bound() -> None:
    assert is_in_order(SEQUENTIAL_PRODUCTS - 1)
    assert not is_in_order(SEQUENTIAL_PRODUCTS)


def fractions_of(array: np.ndarray) -> list[Fraction]:
    return [Fraction(float(value)) for value in array.reshape(-1)]


def drawn(random: np.random.Generator, dtype: np.dtype, kind: str, *shape: int) -> np.ndarray:
    """Numbers of one size, of many sizes, whole ones, or mostly zeros."""
    values = random.normal(size=shape)
    if kind == "wide":
        values *= 2.0 ** random.uniform(-30, 30, shape)
    if kind == "whole":
        values = np.rint(values * 3)
    if kind == "sparse":
        values = np.where(random.random(shape) < 0.9, 0, values)
    return (values * 2.0**-60 if kind == "small" and dtype.itemsize >= 4 else values).astype(dtype)


@pytest.mark.parametrize("kind", ["one", "wide", "whole", "sparse", "small"])
@pytest.mark.parametrize("type_name", ["f64", "f32", "bf16", "f16", "f8E4M3FN"])
@pytest.mark.filterwarnings("ignore:.*:RuntimeWarning")
def test_exact_sums_are_rounded_once(type_name: str, kind: str) -> None:
    dtype = element_type(type_name).dtype
    random = np.random.default_rng(0)
    lhs, rhs = drawn(random, dtype, kind, 2, 5, 33), drawn(random, dtype, kind, 2, 33, 6)
    if not (np.isfinite(lhs.astype(np.float64)).all() and np.isfinite(rhs.astype(np.float64)).all()):
        pytest.skip("numbers of many sizes overflow in a narrow type")
    found = exact_matmul(lhs, rhs, dtype)
    for batch, row, column in np.ndindex(2, 5, 6):
        pairs = zip(fractions_of(lhs[batch, row]), fractions_of(rhs[batch, :, column]), strict=True)
        exact = sum((left * right for left, right in pairs), Fraction(0))
        value = rounded_once(exact, type_name) if exact else 0.0
        np.testing.assert_array_equal(float(found[batch, row, column]), value)


@pytest.mark.filterwarnings("ignore:.*:RuntimeWarning")
def test_infinities_in_exact_sums() -> None:
    for dtype in ("f4", "f8"):
        lhs = np.array([[[np.inf, 1, 2], [np.nan, 0, 0], [1, 1, -1]]], dtype)
        rhs = np.array([[[1, 0], [0, 1], [1, np.inf]]], dtype)
        expected = [[[np.inf, np.nan], [np.nan, np.nan], [0, -np.inf]]]
        np.testing.assert_array_equal(exact_matmul(lhs, rhs, np.dtype(dtype)), expected)


DOUBLES: dict[str, Callable[..., np.ndarray]] = {
    "atan2": np.arctan2,
    "cbrt": np.cbrt,
    "cosine": np.cos,
    "exponential": np.exp,
    "exponential_minus_one": np.expm1,
    "log": np.log,
    "log_plus_one": np.log1p,
    "logistic": lambda operand: 1 / (1 + np.exp(-operand)),
    "power": np.power,
    "rsqrt": lambda operand: 1 / np.sqrt(operand),
    "sine": np.sin,
    "tan": np.tan,
    "tanh": np.tanh,
}


def operands_of(name: str, dtype: np.dtype) -> list[np.ndarray]:
    """Every value of 16 bits, or random ones of 32; a second operand among small whole and half numbers too."""
    random = np.random.default_rng(0)
    patterns = np.arange(1 << 16, dtype=np.uint16).view(dtype) if dtype.itemsize == 2 else None
    values = patterns if patterns is not None else (random.normal(size=1 << 16) * 8).astype(dtype)
    if name == "atan2":
        return [values, values[::-7]]
    return [values, (random.integers(-6, 7, values.size) / 2).astype(dtype)] if name == "power" else [values]


@pytest.mark.parametrize("type_name", ["f32", "f16", "bf16"])
@pytest.mark.parametrize("name", DOUBLES)
@pytest.mark.filterwarnings("ignore:.*:RuntimeWarning")
def test_last_bits_of_doubles_do_not_matter(name: str, type_name: str) -> None:
    """Another processor's doubles, of which some last bits differ, give the same floats."""
    dtype = element_type(type_name).dtype
    operands = [operand[: 1 << 16] for operand in operands_of(name, dtype)]
    operands = [np.resize(operand, 1 << 16) for operand in operands]
    wide = DOUBLES[name](*[operand.astype(np.float64) for operand in operands])
    expected = decided(name, wide, tuple(operands), dtype)
    for ulps in (-4, 4):
        other = decided(name, wide * (1 + ulps * 2.0**-52), tuple(operands), dtype)
        same = (other == expected) | ((other != other) & (expected != expected))
        finite = np.isfinite(wide) & np.all([np.isfinite(operand.astype(np.float64)) for operand in operands], axis=0)
        assert same[finite].all()


@pytest.mark.parametrize("name", DOUBLES)
@pytest.mark.filterwarnings("ignore:.*:RuntimeWarning")
def test_exact_functions(name: str) -> None:
    """With the bits of a double they agree with numpy's in double precision to some last bits."""
    for operands in zip(*[operand[:400] for operand in operands_of(name, np.dtype(np.float32))], strict=True):
        numbers = tuple(map(float, operands))
        expected = float(DOUBLES[name](*map(np.float64, numbers)))
        if math.isfinite(expected):
            assert rounded(name, numbers, 52, -1022) == pytest.approx(expected, rel=1e-15, abs=0)


@pytest.mark.filterwarnings("ignore:.*:RuntimeWarning")
def test_middles_go_to_even() -> None:
    """Squares that lie in the middle between two floats."""
    odd = np.arange(4097, 8191, 2).astype(np.float32)
    two = np.float32(2)
    wide = odd.astype(np.float64) ** 2
    for ulps in (-1, 0, 1):
        squares = decided("power", wide * (1 + ulps * 2.0**-52), (odd, two), np.dtype(np.float32))
        np.testing.assert_array_equal(squares, wide.astype(np.float32))
