"""Ops of arith and math, held against Python's integers and floats: every pair of small ones, and special values."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from bits import assert_same_bits
from parsed import parsed

from stablehlo_py.interpreter.program import Program
from stablehlo_py.interpreter.settings import Settings

DTYPES = {"i1": np.dtype(np.bool_), "i4": np.dtype(ml_dtypes.int4), "i8": np.dtype(np.int8), "i32": np.dtype(np.int32)}
FLOATS = [0.0, -0.0, 1.0, -1.0, 0.5, 2.5, -2.5, 7.75, -300.25, math.inf, -math.inf, math.nan]
SIGNED = list(range(-8, 8))


def run(op: str, operands: list[np.ndarray], types: list[str], result: str, attributes: str = "") -> list[Any]:
    """The op on tensors with accelerators and without, which give the same."""
    count = len(operands[0])
    tensors = [f"tensor<{count}x{type_}>" for type_ in types]
    arguments = ", ".join(f"%{index}: {tensor}" for index, tensor in enumerate(tensors))
    names = ", ".join(f"%{index}" for index in range(len(tensors)))
    text = f"""func.func @main({arguments}) -> tensor<{count}x{result}> {{
      %r = "{op}"({names}) {{{attributes}}} : ({", ".join(tensors)}) -> tensor<{count}x{result}>
      return %r : tensor<{count}x{result}>
    }}"""
    found = [np.asarray(Program(parsed(text), Settings(fast=fast)).run(operands)[0]) for fast in (True, False)]
    assert_same_bits(*found, f"{op} with accelerators and without")
    return found[0].astype(np.float64 if found[0].dtype.kind == "f" else np.int64).tolist()


def wrapped(value: int, bits: int = 4) -> int:
    """The signed integer with the last bits of a number."""
    return (value + (1 << bits - 1)) % (1 << bits) - (1 << bits - 1)


def quotient(lhs: int, rhs: int) -> int:
    return abs(lhs) // abs(rhs) * (1 if (lhs < 0) == (rhs < 0) else -1)


def unsigned(value: int) -> int:
    return value % 16


def on_unsigned(function: Callable[[int, int], int]) -> Callable[[int, int], int]:
    return lambda lhs, rhs: function(unsigned(lhs), unsigned(rhs))


# The op and what it is of two numbers, None where MLIR leaves it open.
BINARY: dict[str, Callable[[int, int], int | None]] = {
    "arith.addi": lambda a, b: a + b,
    "arith.subi": lambda a, b: a - b,
    "arith.muli": lambda a, b: a * b,
    "arith.andi": lambda a, b: a & b,
    "arith.ori": lambda a, b: a | b,
    "arith.xori": lambda a, b: a ^ b,
    "arith.maxsi": max,
    "arith.minsi": min,
    "arith.maxui": on_unsigned(max),
    "arith.minui": on_unsigned(min),
    "arith.divsi": lambda a, b: quotient(a, b) if b else None,
    "arith.remsi": lambda a, b: a - quotient(a, b) * b if b else None,
    "arith.divui": on_unsigned(lambda a, b: a // b if b else None),
    "arith.remui": on_unsigned(lambda a, b: a % b if b else None),
    "arith.ceildivsi": lambda a, b: -(-a // b) if b else None,
    "arith.ceildivui": on_unsigned(lambda a, b: -(-a // b) if b else None),
    "arith.floordivsi": lambda a, b: a // b if b else None,
    "arith.shli": lambda a, b: a << b if 0 <= b < 4 else None,
    "arith.shrsi": lambda a, b: a >> b if 0 <= b < 4 else None,
    "arith.shrui": lambda a, b: unsigned(a) >> b if 0 <= b < 4 else None,
}


@pytest.mark.parametrize("op", BINARY)
def test_integers_of_two_operands(op: str) -> None:
    pairs = [(a, b) for a, b in itertools.product(SIGNED, repeat=2) if BINARY[op](a, b) is not None]
    found = run(op, [np.array(side).astype(DTYPES["i4"]) for side in zip(*pairs, strict=True)], ["i4", "i4"], "i4")
    for (a, b), result in zip(pairs, found, strict=True):
        expected = wrapped(BINARY[op](a, b) or 0)
        assert result == expected, f"{op} {a}, {b} is {result}, expected {expected}"


MODULO_TWO = {
    **dict.fromkeys(("arith.addi", "arith.subi", "arith.xori"), lambda a, b: a != b),
    **dict.fromkeys(("arith.muli", "arith.andi", "arith.minui"), lambda a, b: a and b),
    **dict.fromkeys(("arith.ori", "arith.maxui"), lambda a, b: a or b),
}


@pytest.mark.parametrize("op", MODULO_TWO)
def test_truth_values_are_integers_modulo_two(op: str) -> None:
    pairs = list(itertools.product([False, True], repeat=2))
    found = run(op, [np.array(side) for side in zip(*pairs, strict=True)], ["i1", "i1"], "i1")
    expected = [MODULO_TWO[op](a, b) for a, b in pairs]
    assert found == expected, f"{op} of {pairs} is {found}, expected {expected}"


PREDICATES: list[Callable[[Any, Any], bool]] = [
    lambda a, b: a == b,
    lambda a, b: a != b,
    *(lambda a, b: a < b, lambda a, b: a <= b, lambda a, b: a > b, lambda a, b: a >= b),
]


@pytest.mark.parametrize("element", ["i8", "i4", "i1"])
@pytest.mark.parametrize("predicate", range(10))
def test_comparisons_of_integers(predicate: int, element: str) -> None:
    numbers = {"i8": [-128, -5, -1, 0, 1, 100, 127], "i4": SIGNED, "i1": [0, -1]}[element]
    pairs = list(itertools.product(numbers, repeat=2))
    sides = [np.array(side) for side in zip(*pairs, strict=True)]
    sides = [side.astype(DTYPES[element]) for side in sides]
    found = run("arith.cmpi", sides, [element] * 2, "i1", f"predicate = {predicate} : i64")
    holds = PREDICATES[predicate if predicate < 6 else predicate - 4]
    for (a, b), result in zip(pairs, found, strict=True):
        expected = holds(a, b) if predicate < 6 else holds(a % 256, b % 256)
        assert result == expected, f"predicate {predicate} of {a} and {b} is {bool(result)}"


@pytest.mark.parametrize("predicate", range(16))
def test_comparisons_of_floats(predicate: int) -> None:
    """False, six ordered, ordered, six or unordered, unordered, true: in the order of MLIR's enumeration."""
    pairs = list(itertools.product(FLOATS, repeat=2))
    sides = [np.array(side) for side in zip(*pairs, strict=True)]
    found = run("arith.cmpf", sides, ["f64"] * 2, "i1", f"predicate = {predicate} : i64")
    order = [PREDICATES[index] for index in (0, 4, 5, 2, 3, 1)]
    for (a, b), result in zip(pairs, found, strict=True):
        is_open = a != a or b != b
        if predicate in (0, 15):
            expected = predicate == 15
        elif predicate in (7, 14):
            expected = is_open == (predicate == 14)
        else:
            expected = predicate > 7 if is_open else order[(predicate - 1) % 7](a, b)
        assert result == expected, f"predicate {predicate} of {a} and {b} is {bool(result)}"


@pytest.mark.parametrize(
    ("op", "larger", "keeps_nan"),
    [
        *[(f"arith.{side}{form}", side == "max", False) for side in ("max", "min") for form in ("numf", "imumnumf")],
        *[(f"arith.{side}imumf", side == "max", True) for side in ("max", "min")],
    ],
)
def test_extremes_of_floats(op: str, larger: bool, keeps_nan: bool) -> None:
    pairs = list(itertools.product(FLOATS, repeat=2))
    found = run(op, [np.array(side) for side in zip(*pairs, strict=True)], ["f64"] * 2, "f64")
    for (a, b), result in zip(pairs, found, strict=True):
        if a != a or b != b:
            expected = math.nan if keeps_nan or (a != a and b != b) else b if a != a else a
        else:
            expected = max(a, b) if larger else min(a, b)
        if a == b == 0:
            continue  # which zero is larger depends on the op
        assert result == expected or (result != result and expected != expected), f"{op} {a}, {b} is {result}"


def expected_float(op: str, a: float, b: float) -> float:
    with np.errstate(all="ignore"):
        return float(
            {
                "arith.addf": np.add,
                "arith.subf": np.subtract,
                "arith.mulf": np.multiply,
                "arith.divf": np.divide,
                "arith.remf": np.fmod,
                "math.atan2": np.arctan2,
                "math.powf": lambda x, y: np.power([x, 2.0], [y, 3.0])[0],  # of one exponent numpy takes roots
            }[op](a, b)
        )


@pytest.mark.parametrize(
    "op", ["arith.addf", "arith.subf", "arith.mulf", "arith.divf", "arith.remf", "math.atan2", "math.powf"]
)
def test_arithmetic_of_floats(op: str) -> None:
    pairs = list(itertools.product(FLOATS, repeat=2))
    found = run(op, [np.array(side) for side in zip(*pairs, strict=True)], ["f64"] * 2, "f64")
    for (a, b), result in zip(pairs, found, strict=True):
        expected = expected_float(op, a, b)
        same_sign = math.copysign(1, result) == math.copysign(1, expected)
        same = math.isclose(result, expected, rel_tol=1e-14) and same_sign
        assert same or (result != result and expected != expected), f"{op} {a}, {b} is {result}, expected {expected}"


UNARY: dict[str, Callable[[float], float]] = {
    "arith.negf": lambda x: -x,
    "math.absf": abs,
    "math.cbrt": np.cbrt,
    "math.ceil": np.ceil,
    "math.cos": np.cos,
    "math.exp": np.exp,
    "math.expm1": np.expm1,
    "math.floor": np.floor,
    "math.log": np.log,
    "math.log1p": np.log1p,
    "math.round": lambda x: np.copysign(np.floor(abs(x) + 0.5), x),
    "math.roundeven": np.round,
    "math.rsqrt": lambda x: 1 / np.sqrt(x),
    "math.sin": np.sin,
    "math.sqrt": np.sqrt,
    "math.tan": np.tan,
    "math.tanh": np.tanh,
}


@pytest.mark.parametrize("op", UNARY)
def test_functions_of_floats(op: str) -> None:
    found = run(op, [np.array(FLOATS)], ["f64"], "f64")
    for x, result in zip(FLOATS, found, strict=True):
        with np.errstate(all="ignore"):
            expected = float(UNARY[op](np.float64(x)))
        same_sign = math.copysign(1, result) == math.copysign(1, expected)
        same = math.isclose(result, expected, rel_tol=1e-14) and same_sign
        assert same or (result != result and expected != expected), f"{op} {x} is {result}, expected {expected}"


@pytest.mark.parametrize(
    ("op", "function"),
    [
        ("math.absi", abs),
        ("math.ctlz", lambda x: 8 - (x % 256).bit_length()),
        ("math.ctpop", lambda x: (x % 256).bit_count()),
    ],
)
def test_functions_of_integers(op: str, function: Callable[[int], int]) -> None:
    numbers = list(range(-128, 128))
    found = run(op, [np.array(numbers, np.int8)], ["i8"], "i8")
    for x, result in zip(numbers, found, strict=True):
        assert result == wrapped(function(x), 8), f"{op} {x} is {result}, expected {wrapped(function(x), 8)}"


def test_powers_of_integers() -> None:
    pairs = list(itertools.product(SIGNED, range(8)))
    found = run("math.ipowi", [np.array(side, np.int8) for side in zip(*pairs, strict=True)], ["i8", "i8"], "i8")
    for (a, b), result in zip(pairs, found, strict=True):
        assert result == wrapped(a**b, 8), f"{a}^{b} is {result}, expected {wrapped(a**b, 8)}"


@pytest.mark.parametrize(
    ("op", "source", "target", "function"),
    [
        ("arith.extsi", "i4", "i32", lambda x: x),
        ("arith.extui", "i4", "i32", lambda x: x % 16),
        ("arith.extsi", "i1", "i32", lambda x: -x),
        ("arith.extui", "i1", "i32", lambda x: x),
        ("arith.trunci", "i32", "i4", lambda x: wrapped(x)),
        ("arith.trunci", "i32", "i1", lambda x: x % 2),
        ("arith.sitofp", "i4", "f32", float),
        ("arith.uitofp", "i4", "f32", lambda x: float(x % 16)),
        ("arith.sitofp", "i1", "f32", lambda x: float(-x)),
        ("arith.uitofp", "i1", "f32", float),
        ("arith.fptosi", "f32", "i8", math.trunc),
        ("arith.fptoui", "f32", "i8", lambda x: wrapped(math.trunc(x), 8)),
        ("arith.extf", "f32", "f64", float),
        ("arith.truncf", "f32", "f16", float),
    ],
)
def test_conversions(op: str, source: str, target: str, function: Callable[[Any], float]) -> None:
    numbers: list[Any] = {
        "i1": [0, 1],
        "i4": SIGNED,
        "i32": list(range(-40, 40)),
        "f32": [0.0, 0.5, 1.5, 7.75, 100.25] + ([200.5, 255.0] if op == "arith.fptoui" else [-1.75, -100.0, -0.5]),
    }[source]
    array = np.array(numbers, np.float32 if source == "f32" else np.int32)
    array = array if source == "f32" else array.astype(DTYPES[source])
    found = run(op, [array], [source], target)
    for x, result in zip(numbers, found, strict=True):
        assert result == function(x), f"{op} {x} to {target} is {result}, expected {function(x)}"


@pytest.mark.parametrize(
    ("op", "function"), [("arith.index_cast", int), ("arith.index_castui", lambda x: x % (1 << 32))]
)
def test_indices_of_64_bits(op: str, function: Callable[[int], int]) -> None:
    text = f"""func.func @main(%x: i32) -> tensor<1xi64> {{
      %i = {op} %x : i32 to index
      %j = arith.index_cast %i : index to i64
      %t = tensor.from_elements %j : tensor<1xi64>
      return %t : tensor<1xi64>
    }}"""
    for fast in (True, False):
        program = Program(parsed(text), Settings(fast=fast))
        for x in (-5, -1, 0, 7):
            (result,) = program.run([np.int32(x)])
            assert np.asarray(result).tolist() == [function(x)], f"{op} {x} is {result}, expected {function(x)}"
