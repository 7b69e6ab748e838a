"""Accelerators below and above the sizes from which they work: the bits are those of the definitions."""

from __future__ import annotations

from itertools import permutations, product
from typing import Any

import numpy as np
import pytest
from test_edges_of_accelerators import both, programs

from stablehlo_py.bindings.types import element_type
from stablehlo_py.interpreter.element_types import arithmetic
from stablehlo_py.interpreter.fast import blocks, contiguous, indexing, matmul
from stablehlo_py.interpreter.ops import matmul as definition

F = np.float32


def bits(dtype: Any, *shape: int, seed: int = 0) -> np.ndarray:
    """Arrays of random bits, NaN with payloads among them."""
    dtype, random = np.dtype(dtype), np.random.default_rng(seed)
    if dtype.kind == "b":
        return random.integers(0, 2, shape).astype(bool)
    data = random.integers(0, 256, (*shape, dtype.itemsize), dtype=np.uint8)
    return np.ascontiguousarray(data).view(dtype).reshape(shape)


def assert_agree(text: str, *arguments: Any) -> None:
    """Compare two runs, of which the second is compiled, and look whether the arguments stay as they are."""
    ways, given = programs(text), [np.array(argument) for argument in arguments]
    for run in ("first", "second"):
        plain, fast = both(ways, *given)
        assert plain == fast, f"{run} run of\n{text}"
    for before, after in zip(arguments, given, strict=True):
        assert np.asarray(before).tobytes() == after.tobytes(), "an argument changed"


@pytest.mark.parametrize("element", ["i1", "i8", "f16", "bf16", "f32", "f64", "ui64", "complex<f32>", "complex<f64>"])
@pytest.mark.parametrize("shape", [(4095,), (4096,), (3, 1500), ()])
def test_selection(element: str, shape: tuple[int, ...]) -> None:
    dims = "".join(f"{size}x" for size in shape)
    for pred in {f"tensor<{dims}i1>", "tensor<i1>"}:
        type_ = f"tensor<{dims}{element}>"
        text = f"""func.func @main(%p: {pred}, %a: {type_}, %b: {type_}) -> {type_} {{
          %r = stablehlo.select %p, %a, %b : {pred}, {type_}
          return %r : {type_} }}"""
        dtype = element_type(element).dtype
        chosen = bits(bool, *shape) if pred != "tensor<i1>" else np.array(True)
        assert_agree(text, chosen, bits(dtype, *shape, seed=1), bits(dtype, *shape, seed=2))


@pytest.mark.parametrize("sizes", [(65_535,), (65_536,), (65_537,), (98_304,), (3, 30_000)])
def test_blocks_of_elementwise_operations(sizes: tuple[int, ...]) -> None:
    seen: list[int] = []

    def operation(lhs: np.ndarray, rhs: np.ndarray) -> np.ndarray:
        seen.append(max(lhs.size, rhs.size))
        return lhs + rhs

    whole = np.arange(np.prod(sizes), dtype=np.int64).reshape(sizes)
    for other in (np.int64(7), whole[::-1], whole[..., :1], whole[:1]):
        for operands in ((whole, other), (other, whole)):
            seen.clear()
            found = blocks.in_blocks(operation)(*operands)
            assert found.dtype == whole.dtype
            np.testing.assert_array_equal(found, whole + other)
            starts = range(0, whole.size, 32_768 if whole.size >= 65_536 else whole.size)
            assert seen == [min(starts.step, whole.size - start) for start in starts]


@pytest.mark.parametrize("dtype", [np.int8, F, np.float64, np.complex128])
@pytest.mark.parametrize(
    "shape", [(), (3,), (0, 300), (3, 255), (3, 256), (17, 300), (2, 9, 300), (40, 60, 5), (40, 51, 5), (64, 600)]
)
def test_copies_of_transposed_arrays(shape: tuple[int, ...], dtype: type) -> None:
    array = bits(dtype, *shape)
    for order in permutations(range(len(shape))):
        view = array.transpose(order)
        for each in (view, view[..., ::-1] if shape else view):
            copy = contiguous.major_to_minor(each)
            assert copy.flags.c_contiguous
            assert not np.shares_memory(copy, array) or not array.size
            assert (copy.shape, copy.tobytes()) == (each.shape, each.tobytes())


INTEGERS = {"i8": 127, "ui8": 255, "i16": 32767, "i32": 2**31 - 1, "ui32": 2**32 - 1, "i64": 2**63 - 1}


@pytest.mark.parametrize("shape", [(1, 16, 16, 16), (1, 16, 17, 16), (2, 16, 16, 16), (3, 5, 200, 9), (1, 1, 5000, 1)])
@pytest.mark.parametrize("element", INTEGERS)
def test_products_of_integers(element: str, shape: tuple[int, int, int, int]) -> None:
    batch, rows, contracted, columns = shape
    dtype, random = element_type(element).dtype, np.random.default_rng(0)
    bounds = np.iinfo(dtype)
    for largest in (1, 57, INTEGERS[element]):
        sides = [random.integers(max(-largest, bounds.min), largest, size, endpoint=True, dtype=dtype)
                 for size in ((batch, rows, contracted), (batch, contracted, columns))]  # fmt: skip
        sides[0].flat[0] = sides[1].flat[0] = bounds.min
        found = matmul.matmul(sides[0], sides[1], dtype, False)
        exact = np.matmul(sides[0].astype(object), sides[1].astype(object))
        assert found.dtype == dtype
        assert [int(one) for one in found.flat] == [_wrapped(one, dtype) for one in exact.flat]


@pytest.mark.parametrize("contracted", [4097, 5001, 12_001])
@pytest.mark.parametrize("element", ["i32", "ui32", "i64"])
def test_sums_of_odd_products_around_what_floats_hold(element: str, contracted: int) -> None:
    """Up to 2^24 and 2^53. The sums are odd, so that no float of fewer bits holds them."""
    dtype = element_type(element).dtype
    for left, right in product(range(1, 32, 3), range(1, 32, 2)):
        lhs = np.full((1, 1, contracted), (1 << left) - 1, dtype)
        rhs = np.full((1, contracted, 1), (1 << right) - 1, dtype)
        expected = _wrapped(contracted * ((1 << left) - 1) * ((1 << right) - 1), dtype)
        found = matmul.matmul(lhs, rhs, dtype, False)
        assert found.tolist() == [[[expected]]], (left, right)
        assert matmul.matmul(-lhs, rhs, dtype, False).tolist() == [[[_wrapped(-expected, dtype)]]], (left, right)


def _wrapped(value: int, dtype: np.dtype) -> int:
    bounds = np.iinfo(dtype)
    return (int(value) - bounds.min) % (1 << bounds.bits) + bounds.min


@pytest.mark.parametrize("limit", [64, 1000, 5000, 1 << 22])
@pytest.mark.parametrize("shape", [(1, 40, 9, 33), (7, 20, 9, 6), (40, 3, 9, 40), (1, 1, 300, 30), (2, 90, 30, 1)])
@pytest.mark.parametrize("element", ["bf16", "i8", "i1"])
def test_products_in_parts(element: str, shape: tuple[int, int, int, int], limit: int, monkeypatch: Any) -> None:
    monkeypatch.setattr(matmul, "_BLOCK_BYTES", limit)
    batch, rows, contracted, columns = shape
    dtype, random = element_type(element).dtype, np.random.default_rng(1)
    low = 0 if element == "i1" else -3
    lhs, rhs = (random.integers(low, 2, size).astype(dtype)
                for size in ((batch, rows, contracted), (batch, contracted, columns)))  # fmt: skip
    for in_order in (False, True):
        found = matmul.matmul(lhs, rhs, dtype, in_order)
        expected = definition.matmul(lhs, rhs, dtype, in_order)
        assert (found.dtype, found.tobytes()) == (expected.dtype, expected.tobytes())


@pytest.mark.parametrize("dtype", [F, np.float64, np.complex64])
@pytest.mark.parametrize(
    "shape",
    [(1, 7, 20, 7), (1, 8, 20, 1), (1, 1, 20, 8), (2, 8, 127, 8), (2, 8, 128, 8), (1, 2, 3, 8192), (1, 3, 3, 8192),
     (1, 1, 16_385, 1), (1, 3, 8193, 2), (3, 2, 40, 1), (1, 0, 3, 9), (2, 9, 0, 9), (1, 90, 3, 200),
     (1, 2, 3, 16_384), (1, 2, 3, 16_385), (1, 16_385, 3, 2)],
)  # fmt: skip
def test_products_are_added_from_left_to_right(shape: tuple[int, int, int, int], dtype: type) -> None:
    batch, rows, contracted, columns = shape
    random = np.random.default_rng(2)
    lhs, rhs = (random.standard_normal(size).astype(dtype)
                for size in ((batch, rows, contracted), (batch, contracted, columns)))  # fmt: skip
    found = matmul.matmul(lhs, rhs, np.dtype(dtype), True)
    expected = definition.matmul(lhs, rhs, np.dtype(dtype), True)
    assert (found.shape, found.dtype, found.tobytes()) == (expected.shape, expected.dtype, expected.tobytes())


@pytest.mark.parametrize(
    ("operand", "dims", "result"),
    [
        *[((4,), [0], (4, size)) for size in (1023, 1024, 1025)],
        ((2, 3), [2, 0], (3, 5, 2)),
        ((2, 1), [1, 2], (4, 2, 6)),
        ((), [], (3, 2)),
        ((), [], ()),
        ((0, 2), [1, 0], (2, 0)),
    ],
)
def test_broadcasts(operand: tuple[int, ...], dims: list[int], result: tuple[int, ...]) -> None:
    types = ["x".join([*map(str, shape), "f32"]) for shape in (operand, result)]
    text = f"""func.func @main(%a: tensor<{types[0]}>) -> tensor<{types[1]}> {{
      %r = stablehlo.broadcast_in_dim %a, dims = {dims} : (tensor<{types[0]}>) -> tensor<{types[1]}>
      return %r : tensor<{types[1]}> }}"""
    assert_agree(text, bits(F, *operand))


SLICES = """func.func @main(%x: tensor<SIZEx3xf32>, %u: tensor<2x3xf32>, %i: tensor<INDEX>)
    -> (tensor<2x3xf32>, tensor<SIZEx3xf32>, tensor<SIZEx3xf32>, tensor<SIZEx3xf32>) {
  %z = stablehlo.constant dense<0> : tensor<INDEX>
  %c = stablehlo.constant dense<1.5> : tensor<SIZEx3xf32>
  %y = stablehlo.add %x, %c : tensor<SIZEx3xf32>
  %w = stablehlo.add %x, %y : tensor<SIZEx3xf32>
  %s = stablehlo.dynamic_slice %x, %i, %z, sizes = [2, 3]
    : (tensor<SIZEx3xf32>, tensor<INDEX>, tensor<INDEX>) -> tensor<2x3xf32>
  %0 = stablehlo.dynamic_update_slice %OPERAND, %u, %i, %z
    : (tensor<SIZEx3xf32>, tensor<2x3xf32>, tensor<INDEX>, tensor<INDEX>) -> tensor<SIZEx3xf32>
  return %s, %0, %y, %x : tensor<2x3xf32>, tensor<SIZEx3xf32>, tensor<SIZEx3xf32>, tensor<SIZEx3xf32>
}"""


@pytest.mark.parametrize("operand", ["x", "y", "w", "c"])  # given, needed later, not needed later, constant
@pytest.mark.parametrize("size", [2, 5, 5461, 5462, "?"])  # with 5462 rows, an operand has 65,536 bytes
@pytest.mark.parametrize("index", ["i8", "i32", "ui64"])
def test_slices_and_updates(operand: str, size: int | str, index: str) -> None:
    text = SLICES.replace("SIZE", str(size)).replace("INDEX", index).replace("OPERAND", operand)
    if isinstance(size, str):  # a constant has a known size
        size, text = 5, text.replace("stablehlo.constant dense<1.5>", "stablehlo.sine %x")
    dtype = element_type(index).dtype
    random = np.random.default_rng(3)
    values = random.standard_normal((size, 3)).astype(F)
    starts = {0, 1, 3, min(size, int(np.iinfo(dtype).max)), int(np.iinfo(dtype).max), int(np.iinfo(dtype).min)}
    for start in sorted(starts):
        assert_agree(text, values, random.standard_normal((2, 3)).astype(F), np.array(start, dtype))


WINDOW = """func.func @main(%x: tensor<7x6xELEMENT>, %i: tensor<ELEMENT>) -> tensor<*xELEMENT> {
  RESULT = "stablehlo.reduce_window"(%x, %i) ({
    ^bb0(%a: tensor<ELEMENT>, %b: tensor<ELEMENT>):
      %c = stablehlo.BODY %a, %b : tensor<ELEMENT>
      stablehlo.return %c : tensor<ELEMENT>
  }) {ATTRIBUTES} : (tensor<7x6xELEMENT>, tensor<ELEMENT>) -> TYPE
  return %r : TYPE
}"""
WINDOWS = [
    ({"window_dimensions": (2, 3)}, (6, 4)),
    ({"window_dimensions": (4, 5), "window_strides": (2, 1)}, (2, 2)),
    ({"window_dimensions": (7, 1), "window_dilations": (1, 3)}, (1, 6)),
    ({"window_dimensions": (3, 2), "base_dilations": (2, 1), "window_dilations": (2, 3)}, (9, 3)),
    ({"window_dimensions": (3, 3), "padding": ((1, 2), (0, -1))}, (8, 3)),
    ({"window_dimensions": (8, 1)}, (0, 6)),
]


BODIES = [*product(["maximum", "minimum"], ["f32", "i8"]), ("xor", "i8"), ("and", "i1"), ("add", "f32")]


@pytest.mark.parametrize(("window", "shape"), WINDOWS)
@pytest.mark.parametrize(("body", "element"), BODIES)
def test_windows(body: str, element: str, window: dict[str, Any], shape: tuple[int, int]) -> None:
    lists = {name: ", ".join(map(str, value)) for name, value in window.items() if name != "padding"}
    attributes = [f"{name} = array<i64: {numbers}>" for name, numbers in lists.items()]
    if "padding" in window:
        attributes.append(f"padding = dense<{[list(pair) for pair in window['padding']]}> : tensor<2x2xi64>")
    type_ = f"tensor<{shape[0]}x{shape[1]}x{element}>"
    text = WINDOW.replace("tensor<*xELEMENT>", type_).replace("TYPE", type_).replace("RESULT", "%r")
    text = text.replace("ELEMENT", element).replace("BODY", body).replace("ATTRIBUTES", ", ".join(attributes))
    dtype = element_type(element).dtype
    values = bits(dtype, 7, 6) if dtype != F else np.random.default_rng(4).standard_normal((7, 6)).astype(F)
    if dtype == F:
        values[0, 0], values[2, 3], values[5, 5] = np.nan, -0.0, 0.0
    for initial in (0, 1):
        assert_agree(text, values, np.array(initial, dtype))


SCATTER = """func.func @main(%x: tensor<2xROWSxf32>, %u: tensor<3x2xf32>, %i: tensor<3x1xi32>) -> tensor<ROWSx2xf32> {
  %t = stablehlo.transpose %x, dims = [1, 0] : (tensor<2xROWSxf32>) -> tensor<ROWSx2xf32>
  %r = "stablehlo.scatter"(%t, %i, %u) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      BODY
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0],
      scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}
    : (tensor<ROWSx2xf32>, tensor<3x1xi32>, tensor<3x2xf32>) -> tensor<ROWSx2xf32>
  return %r : tensor<ROWSx2xf32>
}"""
SCATTERED = {
    "the last": "stablehlo.return %b : tensor<f32>",
    "the first": "stablehlo.return %a : tensor<f32>",
    "the sum": "%c = stablehlo.add %a, %b : tensor<f32>\n stablehlo.return %c : tensor<f32>",
    "a quotient": "%c = stablehlo.divide %b, %a : tensor<f32>\n stablehlo.return %c : tensor<f32>",
}


@pytest.mark.parametrize("body", SCATTERED)
@pytest.mark.parametrize("rows", [4, 8191, 8192])  # from 8192 on it may be written to
def test_updates_of_a_transposed_operand(rows: int, body: str) -> None:
    text = SCATTER.replace("ROWS", str(rows)).replace("BODY", SCATTERED[body])
    values = np.random.default_rng(5).standard_normal((2, rows)).astype(F)
    for indices in ([0, 1, 0], [rows - 1, rows, -1], [2, 2, 2]):
        assert_agree(text, values, np.arange(6, dtype=F).reshape(3, 2), np.array(indices, np.int32)[:, np.newaxis])


@pytest.mark.parametrize("shape", [(7,), (8,), (9,), (2, 4), (1,), ()])
@pytest.mark.parametrize("element", ["f16", "bf16", "f32", "f64"])
def test_functions_of_few_numbers(element: str, shape: tuple[int, ...]) -> None:
    dtype, random = element_type(element).dtype, np.random.default_rng(6)
    chosen, exact = blocks.arithmetic(element_type(element)), arithmetic(element_type(element))
    lhs, rhs = (random.uniform(0.1, 3, shape).astype(dtype)[()] for _ in range(2))
    one = rhs.reshape(-1)[:1] if shape else np.array(rhs)
    pairs = [(lhs, rhs), (lhs, one), (one, lhs), (lhs, one.reshape(-1)[0]), (one.reshape(-1)[0], lhs)]
    with np.errstate(all="ignore"):
        for name, sides in product(("power", "atan2"), pairs):
            found, expected = np.asarray(getattr(chosen, name)(*sides)), np.asarray(getattr(exact, name)(*sides))
            assert (found.shape, found.dtype, found.tobytes()) == (expected.shape, dtype, expected.tobytes()), sides
        for name in ("tanh", "rsqrt"):
            found, expected = np.asarray(getattr(chosen, name)(lhs)), np.asarray(getattr(exact, name)(lhs))
            assert (found.shape, found.dtype, found.tobytes()) == (expected.shape, dtype, expected.tobytes()), lhs


@pytest.mark.parametrize("most", [1, 6, 7, 24, 25])
@pytest.mark.parametrize("shape", [(), (0,), (5,), (24,), (2, 3, 4), (4, 3, 2), (3, 0, 9), (3, 1, 9), (7, 7)])
def test_parts_of_many_updates(shape: tuple[int, ...], most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are in order, none is too large, and all together are the whole."""
    monkeypatch.setattr(indexing, "_CHUNK", most)
    numbers = np.arange(np.prod(shape, dtype=int)).reshape(shape)
    parts = [numbers[box] if box else numbers for box in indexing._chunks(shape)]
    assert all(part.size <= most or part.size == numbers.size == 0 for part in parts)
    assert [int(one) for part in parts for one in part.flat] == numbers.ravel().tolist()
    assert len(parts) == 1 or numbers.size > most


@pytest.mark.parametrize("padding", [0, 1])
@pytest.mark.parametrize("rank", [0, 1, 2])
def test_the_chosen_element_of_each_window(rank: int, padding: int) -> None:
    size, windows = 4, 3 + 2 * padding
    dims, results = "".join([f"{size}x"] * rank), "".join([f"{windows}x"] * rank)
    attributes = [f"{name} = array<i64: {', '.join([number] * rank)}>".replace(": >", ">")
                  for name, number in (("window_dimensions", "2"), ("window_strides", "1"))]  # fmt: skip
    if rank:
        attributes.append(f"padding = dense<{padding}> : tensor<{rank}x2xi64>")
    text = f"""func.func @main(%x: tensor<{dims}f32>, %s: tensor<{results}f32>, %i: tensor<f32>) -> tensor<{dims}f32> {{
      %r = "stablehlo.select_and_scatter"(%x, %s, %i) ({{
        ^bb0(%a: tensor<f32>, %b: tensor<f32>):
          %c = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
          stablehlo.return %c : tensor<i1>
      }}, {{
        ^bb0(%a: tensor<f32>, %b: tensor<f32>):
          %c = stablehlo.add %a, %b : tensor<f32>
          stablehlo.return %c : tensor<f32>
      }}) {{{", ".join(attributes)}}} : (tensor<{dims}f32>, tensor<{results}f32>, tensor<f32>) -> tensor<{dims}f32>
      return %r : tensor<{dims}f32> }}"""
    random = np.random.default_rng(7)
    values = random.integers(-2, 2, (size,) * rank).astype(F)  # with ties, and all below zero in some windows
    assert_agree(text, values - 2, random.standard_normal((windows,) * rank).astype(F), np.array(0.5, F))
