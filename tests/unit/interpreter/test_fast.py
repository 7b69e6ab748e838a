"""Accelerators give what definitions give, bit by bit; the bits of a NaN are unspecified."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from bits import assert_same_bits
from parsed import parsed
from test_element_types import COMPLEX, FLOATS, INTEGERS, parts

from stablehlo_py.bindings.types import ElementType, Kind, element_type
from stablehlo_py.errors import InterpreterError
from stablehlo_py.interpreter.element_types import arithmetic as array_arithmetic
from stablehlo_py.interpreter.element_types import conversion
from stablehlo_py.interpreter.element_types.arithmetic import Arithmetic, Operation
from stablehlo_py.interpreter.element_types.narrow import BINARY
from stablehlo_py.interpreter.fast import fused_sums, matmul
from stablehlo_py.interpreter.fast.blocks import BlockArithmetic, arithmetic, converter
from stablehlo_py.interpreter.ops import matmul as definition
from stablehlo_py.interpreter.planner import Planner
from stablehlo_py.interpreter.program import Program
from stablehlo_py.interpreter.settings import Settings
from stablehlo_py.isolation.commands import LIT

TYPES = ["i1", *INTEGERS, *FLOATS, *COMPLEX]
SETS = {None: 5, 0: 1, 1: 2, 2: 2, 16: 3}
"""How many sets of operands there are of a size. None is a scalar."""


@pytest.fixture(autouse=True)
def _quiet_arithmetic():
    with np.errstate(all="ignore"):
        yield


def numbers(elements: ElementType, count: int, seed: int) -> np.ndarray:
    """Random bits, random numbers of moderate size, and small integers, mixed."""
    random = np.random.default_rng(seed)
    dtype = elements.dtype
    if elements.kind is Kind.BOOLEAN:
        return random.integers(0, 2, count).astype(np.bool_)
    moderate = random.normal(size=count) * 4
    whole = random.integers(-3, 4, count).astype(np.float64)
    if elements.kind is Kind.COMPLEX:
        moderate = moderate + 1j * random.normal(size=count)
        return np.where(random.random(count) < 0.7, moderate, whole).astype(dtype)
    if elements.is_integer:
        bits = random.integers(0, 1 << elements.bits, count, dtype=np.uint64)
        patterns = conversion.converter(element_type("ui64"), elements)(bits)
        return np.where(random.random(count) < 0.5, patterns, np.abs(whole).astype(np.int8).astype(dtype))
    patterns = random.integers(0, 1 << elements.bits, count, dtype=np.uint64).astype(f"u{dtype.itemsize}").view(dtype)
    return np.where(
        random.random(count) < 0.3, patterns, np.where(random.random(count) < 0.8, moderate, whole).astype(dtype)
    )


def operands(types: list[ElementType], size: int | None, seed: int) -> Iterator[list[np.ndarray]]:
    """Sets of operands of this size."""
    for repetition in range(SETS[size]):
        arrays = [
            numbers(type_, 1 if size is None else size, 100 * seed + 2 * repetition + n)
            for n, type_ in enumerate(types)
        ]
        yield [array[0] if size is None else array for array in arrays]


def assert_agree(chosen: Operation, on_arrays: Operation, types: list[ElementType]) -> None:
    for size in SETS:
        for sides in operands(types, size, 1 if size is None else size):
            found, expected = np.asarray(chosen(*sides)), np.asarray(on_arrays(*sides))
            assert found.dtype == expected.dtype
            assert found.shape == expected.shape
            ours, theirs = parts(found), parts(expected)
            assert ours.tobytes() == theirs.tobytes(), (sides, found, expected)


def names(arrays: Arithmetic) -> Iterator[str]:
    """Every operation that elements of the type have."""
    for name in Arithmetic.__annotations__:
        try:
            getattr(arrays, name)
        except InterpreterError:
            continue
        yield name


@pytest.mark.parametrize("name", TYPES)
def test_operations(name: str) -> None:
    elements = element_type(name)
    arrays, chosen = array_arithmetic(elements), arithmetic(elements)
    assert isinstance(chosen, BlockArithmetic)
    for op in names(arrays):
        sides = [elements] * (2 if op in BINARY else 1)
        if op == "complex":
            sides = [element_type(name.removeprefix("complex<").removesuffix(">"))] * 2
        assert_agree(getattr(chosen, op), getattr(arrays, op), sides)


@pytest.mark.parametrize("name", TYPES)
def test_comparisons(name: str) -> None:
    elements = element_type(name)
    for direction in ["EQ", "NE", "LT", "LE", "GT", "GE"]:
        for total_order in {False, elements.kind is Kind.FLOAT}:
            sides = [
                which(elements).comparison(direction, total_order=total_order)
                for which in (arithmetic, array_arithmetic)
            ]
            assert_agree(*sides, [elements, elements])


@pytest.mark.parametrize("name", FLOATS)
def test_reduce_precision(name: str) -> None:
    elements = element_type(name)
    for bits in [(2, 1), (3, 0), (5, 2), (8, 7), (5, 10), (8, 23), (11, 52)]:
        assert_agree(*[which(elements).reduce_precision(*bits) for which in (arithmetic, array_arithmetic)], [elements])


@pytest.mark.parametrize("source", TYPES)
def test_conversions(source: str) -> None:
    for target in TYPES:
        pair = element_type(source), element_type(target)
        assert_agree(converter(*pair), conversion.converter(*pair), [pair[0]])


def test_switch() -> None:
    """The environment, an argument and the engine leave accelerators out."""
    program = "from stablehlo_py.interpreter.settings import Settings; print(Settings().fast)"
    for switch, expected in (("0", "False"), ("1", "True")):
        process = subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "STABLEHLO_PY_FAST": switch},
            capture_output=True,
            text=True,
            check=True,
        )
        assert process.stdout.strip() == expected
    assert isinstance(planner(fast=True).reading.arithmetic(element_type("f32")), BlockArithmetic)
    assert not isinstance(planner(fast=False).reading.arithmetic(element_type("f32")), BlockArithmetic)


def planner(*, fast: bool) -> Planner:
    return Planner(parsed("module {}").operation, Settings(fast=fast))


_SCATTER_BODIES = {
    "add": "%z = stablehlo.add %x, %y : tensor<{0}>",
    "maximum": "%z = stablehlo.maximum %x, %y : tensor<{0}>",
    "newest": "%z = stablehlo.add %y, %y : tensor<{0}>",
    "two ops": "%w = stablehlo.multiply %x, %y : tensor<{0}>\n%z = stablehlo.subtract %w, %y : tensor<{0}>",
}


@pytest.mark.parametrize("element", ["f32", "bf16", "i8"])
@pytest.mark.parametrize("body", _SCATTER_BODIES)
def test_scatter_by_places(body: str, element: str) -> None:
    """Rows of which some are out of bounds, most several times, the second dimension of the window last in updates."""
    operand, updates = f"tensor<3x20x2x{element}>", f"tensor<3x2x50x{element}>"
    text = f"""func.func @main(%a: {operand}, %i: tensor<50x1xi32>, %u: {updates}) -> {operand} {{
      %r = "stablehlo.scatter"(%a, %i, %u) ({{^bb0(%x: tensor<{element}>, %y: tensor<{element}>):
        {_SCATTER_BODIES[body].format(element)}
        stablehlo.return %z : tensor<{element}>
      }}) {{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1], inserted_window_dims = [1],
        scatter_dims_to_operand_dims = [1], index_vector_dim = 1>}}
        : ({operand}, tensor<50x1xi32>, {updates}) -> {operand}
      return %r : {operand}
    }}"""
    random = np.random.default_rng(1)
    dtype = element_type(element).dtype
    arguments = [
        (random.normal(size=(3, 20, 2)) * 4).astype(dtype),
        random.integers(-2, 22, (50, 1)).astype(np.int32),
        (random.normal(size=(3, 2, 50)) * 4).astype(dtype),
    ]
    found = []
    for fast in (True, False):
        found.append(Program(parsed(text), Settings(fast=fast)).run(arguments)[0])
    assert_same_bits(*found, f"scatter of {body} on {element}")
    assert found[0].tobytes() != arguments[0].tobytes()


@pytest.mark.parametrize("body", _SCATTER_BODIES)
@pytest.mark.parametrize(("updates", "window", "inserted"), [("4", "0", "0"), ("2x3", "0, 1", ""), ("", "", "0, 1")])
def test_scatter_of_one_window(updates: str, window: str, inserted: str, body: str) -> None:
    """A row, a box and an element, within bounds and beyond them."""
    operand, update = "tensor<5x4xf32>", f"tensor<{updates}{'x' if updates else ''}f32>"
    text = f"""func.func @main(%a: {operand}, %i: tensor<2xi32>, %u: {update}) -> {operand} {{
      %r = "stablehlo.scatter"(%a, %i, %u) ({{^bb0(%x: tensor<f32>, %y: tensor<f32>):
        {_SCATTER_BODIES[body].format("f32")}
        stablehlo.return %z : tensor<f32>
      }}) {{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [{window}],
        inserted_window_dims = [{inserted}], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 0>}}
        : ({operand}, tensor<2xi32>, {update}) -> {operand}
      return %r : {operand}
    }}"""
    random = np.random.default_rng(2)
    values = [random.normal(size=[int(size) for size in sizes.split("x") if size]) for sizes in ("5x4", updates)]
    operand_value, update_value = [np.float32(value) for value in values]
    ways = [Program(parsed(text), Settings(fast=fast)) for fast in (True, False)]
    for row in range(-2, 7):
        for column in range(-2, 6):
            arguments = [operand_value, np.array([row, column], np.int32), update_value]
            found = [program.run(arguments)[0] for program in ways]
            assert_same_bits(*found, f"scatter of {body} of a window of {updates or 'one element'} at {row}, {column}")


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_sums_of_products_by_einsum(dtype: type) -> None:
    """Of any shape, with operands that lie in memory in any order."""
    random = np.random.default_rng(0)
    fused = 0
    for case in range(120):
        batch, rows, contracted, columns = [
            int(random.choice(sizes)) for sizes in ((1, 1, 3), *[(1, 2, 7, 40, 150)] * 3)
        ]
        lhs = random.standard_normal((batch, rows, contracted)).astype(dtype)
        rhs = random.standard_normal((batch, contracted, columns)).astype(dtype)
        if case % 3 == 1:
            lhs = np.ascontiguousarray(lhs.transpose(2, 1, 0)).transpose(2, 1, 0)
        if case % 3 == 2:
            rhs = np.asarray(rhs[:, ::-1, ::-1])
        fused += fused_sums.can_add(lhs, rhs)
        found = matmul.matmul(lhs, rhs, np.dtype(dtype), in_order=True)
        expected = definition.matmul(lhs, rhs, np.dtype(dtype), in_order=True)
        assert_same_bits(found, expected, f"products of {lhs.shape} and {rhs.shape}")
    assert fused > 60 or not fused_sums._adds_in_order()


@pytest.mark.parametrize("size", [1, 2, 31, 32, 33, 64, 65, 1000])
def test_folding_many_values_to_one(size: int) -> None:
    """By a body that gives another result in any other order."""
    t, s = f"tensor<{size}xf32>", "tensor<f32>"
    text = f"""func.func @main(%a: {t}, %i: {s}) -> {s} {{
      %r = stablehlo.reduce(%a init: %i) across dimensions = [0] : ({t}, {s}) -> {s} reducer(%x: {s}, %y: {s}) {{
        %m = stablehlo.multiply %x, %y : {s}
        %z = stablehlo.subtract %m, %y : {s}
        stablehlo.return %z : {s}
      }}
      return %r : {s}
    }}"""
    values = np.random.default_rng(size).normal(size=size).astype(np.float32)
    found = []
    for fast in (True, False):
        program = Program(parsed(text), Settings(fast=fast))
        found.append([program.run([values, np.array(2, np.float32)])[0] for _ in range(2)])
    for results in zip(*found, strict=True):
        assert_same_bits(*results, f"{size} values")


@pytest.mark.parametrize("element", ["i1", "i8", "i32", "f16", "f32", "complex<f32>"])
@pytest.mark.parametrize("body", ["add", "multiply", "maximum", "minimum", "or"])
def test_reducing_short_rows(body: str, element: str) -> None:
    """With zeros of both signs, overflow and infinities."""
    dtype = element_type(element).dtype
    if body == "or" and dtype.kind in "fc":
        pytest.skip("floats have no bits to combine")
    for size in (1, 2, 7, 8):
        operand, result, scalar = f"tensor<3x40x{size}x{element}>", f"tensor<3x40x{element}>", f"tensor<{element}>"
        text = f"""func.func @main(%a: {operand}, %i: {scalar}) -> {result} {{
          %r = stablehlo.reduce(%a init: %i) applies stablehlo.{body} across dimensions = [2]
            : ({operand}, {scalar}) -> {result}
          return %r : {result}
        }}"""
        random = np.random.default_rng(size)
        values = (random.normal(size=(3, 40, size)) * random.choice([0.0, -0.0, 1, 1e30], (3, 40, size))).astype(dtype)
        found = []
        for fast in (True, False):
            program = Program(parsed(text), Settings(fast=fast))
            found.append(program.run([values, np.array(-1).astype(dtype)])[0])
        assert_same_bits(*found, f"{body} of rows of {size}")


@pytest.mark.parametrize("body", _SCATTER_BODIES)
def test_scatter_of_one_element(body: str) -> None:
    """In and out of bounds, with a dimension of a window."""
    for updates, window_dims in (("tensor<1xf32>", "update_window_dims = [0], "), ("tensor<f32>", "")):
        inserted = "inserted_window_dims = [1]" if window_dims else "inserted_window_dims = [0, 1]"
        text = f"""func.func @main(%a: tensor<3x4xf32>, %i: tensor<2xi64>, %u: {updates}) -> tensor<3x4xf32> {{
          %r = "stablehlo.scatter"(%a, %i, %u) ({{^bb0(%x: tensor<f32>, %y: tensor<f32>):
            {_SCATTER_BODIES[body].format("f32")}
            stablehlo.return %z : tensor<f32>
          }}) {{scatter_dimension_numbers = #stablehlo.scatter<{window_dims}{inserted},
            scatter_dims_to_operand_dims = [1, 0], index_vector_dim = 0>}}
            : (tensor<3x4xf32>, tensor<2xi64>, {updates}) -> tensor<3x4xf32>
          return %r : tensor<3x4xf32>
        }}"""
        for indices in ((0, 0), (3, 2), (2, 1), (3, 3), (4, 0), (-1, 1), (1, -1)):
            operand = np.arange(12, dtype=np.float32).reshape(3, 4) / 10
            update = np.full((1,) if window_dims else (), 2.5, np.float32)
            found = []
            for fast in (True, False):
                program = Program(parsed(text), Settings(fast=fast))
                found.append(program.run([operand, np.array(indices), update])[0])
            assert_same_bits(*found, f"scatter of {body} at {indices}")
            assert (found[0].tobytes() == operand.tobytes()) == (not (0 <= indices[0] < 4 and 0 <= indices[1] < 3))


@pytest.mark.release
def test_without_the_folder(tmp_path: Path) -> None:
    """The interpreter passes its suite with the folder deleted."""
    root = Path(__file__).parents[3]
    leave_out = shutil.ignore_patterns("__pycache__", "fast", "Output")
    shutil.copytree(root / "stablehlo_py", tmp_path / "stablehlo_py", ignore=leave_out)
    shutil.copytree(root / "tests" / "lit", tmp_path / "tests" / "lit", ignore=leave_out)
    shutil.copytree(root / "third_party", tmp_path / "third_party", ignore=leave_out)
    assert not (tmp_path / "stablehlo_py" / "interpreter" / "fast").exists()
    process = subprocess.run(
        [*LIT, "-q", "tests/lit/interpret"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert process.returncode == 0, process.stdout
