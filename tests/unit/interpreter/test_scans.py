"""Scans are loops over a dimension, in either direction, with any number of inputs, carries and outputs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import stablehlo_py
from stablehlo_py.bindings import ir
from stablehlo_py.bindings.attributes import is_set
from stablehlo_py.bindings.op_signatures import op_signature
from stablehlo_py.bindings.walk import operations
from stablehlo_py.interpreter.chlo import expand_scans
from stablehlo_py.interpreter.program import Program

pytestmark = pytest.mark.skipif(op_signature("chlo.scan") is None, reason="the bindings do not have chlo.scan")


def run(text: str, *arguments: Any) -> list[np.ndarray]:
    return [np.asarray(value) for value in Program(stablehlo_py.parse(text)).run(arguments)]


def _maker(value: Any) -> str:
    """The name of the op whose result a value is; none for an argument."""
    return "" if isinstance(value.owner, ir.Block) else value.owner.name


def shaped(shape: Sequence[int]) -> str:
    return "tensor<" + "".join(f"{size}x" for size in shape) + "i32>"


def scan(shape: Sequence[int], dimension: int, *, reverse: bool) -> str:
    """A scan over two inputs with two carries, whose two outputs keep what a carry was before and is after."""
    part = shaped([size for number, size in enumerate(shape) if number != dimension])
    whole = shaped(shape)
    results = f"{whole}, {whole}, {part}, {part}"
    return f"""func.func @main(%a: {whole}, %b: {whole}, %c: {part}, %d: {part}) -> ({results}) {{
      %r:4 = chlo.scan(%a, %b) inits(%c, %d) dimension={dimension} attributes {{is_reverse = {str(reverse).lower()}}} {{
      ^body(%x: {part}, %y: {part}, %s: {part}, %t: {part}):
        %sum = stablehlo.add %s, %x : {part}
        %difference = stablehlo.subtract %t, %y : {part}
        %product = stablehlo.multiply %sum, %t : {part}
        stablehlo.return %product, %s, %sum, %difference : {part}, {part}, {part}, {part}
      }} : ({results}) -> ({results})
      return %r#0, %r#1, %r#2, %r#3 : {results}
    }}"""


def scanned(given: Sequence[np.ndarray], dimension: int, *, reverse: bool) -> list[np.ndarray]:
    (a, b, s, t), size = given, given[0].shape[dimension]
    products, before = np.zeros_like(a), np.zeros_like(a)
    for index in range(size)[:: -1 if reverse else 1]:
        place = (slice(None),) * dimension + (index,)
        after = s + a[place]
        products[place], before[place] = after * t, s
        s, t = after, t - b[place]
    return [products, before, s, t]


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize(
    ("shape", "dimension"),
    [
        ((4,), 0),
        ((3, 2), 0),
        ((3, 2), 1),
        ((2, 1, 3), 2),
        ((1, 2), 0),
        ((0, 2), 0),
        ((2, 0), 0),
        ((2, 0), 1),
        ((0, 2), 1),
    ],
)
def test_a_scan_is_a_loop_over_a_dimension(shape: tuple[int, ...], dimension: int, reverse: bool) -> None:
    random = np.random.default_rng(len(shape) + dimension)
    part = [size for number, size in enumerate(shape) if number != dimension]
    given = [random.integers(-9, 9, sizes).astype(np.int32) for sizes in (shape, shape, part, part)]
    text = scan(shape, dimension, reverse=reverse)
    for found, expected in zip(run(text, *given), scanned(given, dimension, reverse=reverse), strict=True):
        np.testing.assert_array_equal(found, expected)
    module = stablehlo_py.parse(text)
    expand_scans(module.operation)
    assert module.operation.verify()
    assert "chlo.scan" not in str(module)


@pytest.mark.parametrize("size", [3, 0])
@pytest.mark.parametrize(("inputs", "carries", "outputs"), [(1, 2, 3), (3, 1, 1), (2, 1, 0), (1, 3, 0), (0, 1, 2)])
def test_a_scan_has_any_number_of_inputs_carries_and_outputs(
    inputs: int, carries: int, outputs: int, size: int
) -> None:
    """Each carry grows by its number and all inputs; each output is its number times the first carry."""
    whole, part = f"tensor<{size}xi32>", "tensor<i32>"
    wholes, parts = (
        [f"%{letter}{number}" for number in range(count)] for letter, count in (("a", inputs), ("c", carries))
    )
    lines = []
    for number in range(carries):
        lines.append(f"%n{number} = stablehlo.constant dense<{number + 1}> : {part}")
        lines.append(f"%g{number}_0 = stablehlo.add %t{number}, %n{number} : {part}")
        lines += [
            f"%g{number}_{each + 1} = stablehlo.add %g{number}_{each}, %x{each} : {part}" for each in range(inputs)
        ]
    for number in range(outputs):
        lines.append(f"%f{number} = stablehlo.constant dense<{number + 2}> : {part}")
        lines.append(f"%o{number} = stablehlo.multiply %f{number}, %t0 : {part}")
    given = [f"%o{number}" for number in range(outputs)] + [f"%g{number}_{inputs}" for number in range(carries)]
    takes = ", ".join([f"%x{number}: {part}" for number in range(inputs)] + [f"%t{n}: {part}" for n in range(carries)])
    results = ", ".join([whole] * outputs + [part] * carries)
    operands = ", ".join([whole] * inputs + [part] * carries)
    parameters = ", ".join([f"{name}: {whole}" for name in wholes] + [f"{name}: {part}" for name in parts])
    body = "\n".join(lines)
    count = outputs + carries
    text = f"""func.func @main({parameters}) -> ({results}) {{
      %r:{count} = chlo.scan({", ".join(wholes)}) inits({", ".join(parts)}) dimension=0 {{
      ^body({takes}):
        {body}
        stablehlo.return {", ".join(given)} : {", ".join([part] * count)}
      }} : ({operands}) -> ({results})
      return {", ".join(f"%r#{number}" for number in range(count))} : {results}
    }}"""
    values = [np.arange(size, dtype=np.int32) + 10 * number for number in range(inputs)]
    state, expected = [100 * number for number in range(carries)], [[] for _ in range(outputs)]
    arguments = [*values, *map(np.int32, state)]
    for index in range(size):
        for number, kept in enumerate(expected):
            kept.append((number + 2) * state[0])
        state = [each + number + 1 + sum(int(value[index]) for value in values) for number, each in enumerate(state)]
    assert [found.tolist() for found in run(text, *arguments)] == [*expected, *state], text


def test_a_scan_in_a_scan_is_a_loop_in_a_loop() -> None:
    inner = """%s:2 = chlo.scan(%x) inits(%t) dimension=0 {
        ^body(%e: tensor<i32>, %f: tensor<i32>):
          %g = stablehlo.add %e, %f : tensor<i32>
          stablehlo.return %g, %g : tensor<i32>, tensor<i32>
        } : (tensor<3xi32>, tensor<i32>) -> (tensor<3xi32>, tensor<i32>)"""
    text = f"""func.func @main(%a: tensor<2x3xi32>, %b: tensor<i32>) -> (tensor<2x3xi32>, tensor<i32>) {{
      %r:2 = chlo.scan(%a) inits(%b) dimension=0 {{
      ^body(%x: tensor<3xi32>, %t: tensor<i32>):
        {inner}
        stablehlo.return %s#0, %s#1 : tensor<3xi32>, tensor<i32>
      }} : (tensor<2x3xi32>, tensor<i32>) -> (tensor<2x3xi32>, tensor<i32>)
      return %r#0, %r#1 : tensor<2x3xi32>, tensor<i32>
    }}"""
    given = np.array([[1, 2, 3], [4, 5, 6]], np.int32)
    sums, last = run(text, given, np.int32(100))
    assert (sums.tolist(), int(last)) == ([[101, 103, 106], [110, 115, 121]], 121)
    module = stablehlo_py.parse(text)
    expand_scans(module.operation)
    assert module.operation.verify()
    assert ("chlo.scan" in str(module), str(module).count("stablehlo.while")) == (False, 2)


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize(
    ("shape", "dimension", "unknown"), [((4, 3), 0, "?x3"), ((3, 4), 1, "3x?"), ((3, 4), 0, "?x4")]
)
def test_a_scan_of_unknown_sizes_stays_and_goes_forward(
    shape: tuple[int, int], dimension: int, unknown: str, reverse: bool
) -> None:
    """A reverse one over reversed inputs: all that uses its outputs, and not its carries, uses reversals of them."""
    text = scan(shape, dimension, reverse=reverse).replace(shaped(shape), f"tensor<{unknown}xi32>")
    module = stablehlo_py.parse(text)
    expand_scans(module.operation)
    assert module.operation.verify()
    ops = list(operations(module.operation))
    names = [op.name for op in ops]
    assert (names.count("chlo.scan"), names.count("stablehlo.while")) == (1, 0)
    assert names.count("stablehlo.reverse") == (4 if reverse else 0)
    (found,) = [op for op in ops if op.name == "chlo.scan"]
    assert not is_set(found, "is_reverse")
    turned = ["stablehlo.reverse" if reverse else name for name in ("", "", "chlo.scan", "chlo.scan")]
    assert [_maker(value) for value in found.operands] == [*turned[:2], "", ""]
    (returned,) = [op for op in ops if op.name == "func.return"]
    assert [_maker(value) for value in returned.operands] == [*turned[2:], "chlo.scan", "chlo.scan"]
    for op in ops:
        if op.name == "stablehlo.reverse":
            assert list(op.attributes["dimensions"]) == [dimension]
    before = str(module)
    expand_scans(module.operation)
    assert str(module) == before
