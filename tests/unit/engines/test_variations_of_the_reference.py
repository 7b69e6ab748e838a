"""Variations of the reference against numpy: orders and types of sums, rounded operands, denormals, float types."""

from __future__ import annotations

import math
from functools import reduce

import ml_dtypes
import numpy as np
import pytest

from stablehlo_py.bindings.types import element_type
from stablehlo_py.engines.reference import backend
from stablehlo_py.errors import UnsupportedOpError

F, BF16 = np.float32, ml_dtypes.bfloat16


def run(text: str, *arguments: np.ndarray, options: str = "") -> list[np.ndarray]:
    return list(backend(*filter(None, options.split(","))).load(text.encode())(list(arguments)))


def program(parameters: str, result: str, body: str) -> str:
    return f"func.func @main({parameters}) -> {result} {{ {body} return %r : {result} }}"


def added(numbers: np.ndarray) -> np.floating:
    """The sum in the order of the elements, each addition rounded to their type."""
    return reduce(lambda a, b: a + b, numbers.reshape(-1), numbers.dtype.type(0))


RANDOM = np.random.default_rng(4)
GRID = (RANDOM.standard_normal((3, 4, 5)) * 1e3).astype(F)


@pytest.mark.parametrize("dimensions", [[0], [1], [2], [0, 2], [0, 1, 2]])
def test_reductions_add_from_the_last_element_to_the_first(dimensions: list[int]) -> None:
    shape = [size for d, size in enumerate(GRID.shape) if d not in dimensions]
    type_ = f"tensor<{''.join(f'{size}x' for size in shape)}f32>"
    body = f"""%z = stablehlo.constant dense<0.0> : tensor<f32>
      %r = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = {dimensions}
        : (tensor<3x4x5xf32>, tensor<f32>) -> {type_}"""
    text = program("%x: tensor<3x4x5xf32>", type_, body)
    lanes = np.moveaxis(GRID, dimensions, range(-len(dimensions), 0)).reshape(*shape, -1)
    (plain,), (reverse,) = (run(text, GRID, options=options) for options in ("definitions", "definitions,reverse"))
    (turned,) = run(text, np.flip(GRID, dimensions), options="definitions")
    np.testing.assert_array_equal(reverse, turned, strict=True)
    assert (plain != reverse).any()
    if len(dimensions) == 1:
        np.testing.assert_array_equal(reverse, np.apply_along_axis(lambda lane: added(lane[::-1]), -1, lanes))


def test_each_operand_of_a_reduction_is_reversed_with_the_others() -> None:
    """The first index of a largest element is the last one if elements come in the other order."""
    text = """func.func @main(%x: tensor<5xi32>, %i: tensor<5xi32>) -> (tensor<i32>, tensor<i32>) {
      %z = stablehlo.constant dense<0> : tensor<i32>
      %r:2 = stablehlo.reduce(%x init: %z), (%i init: %z) across dimensions = [0]
        : (tensor<5xi32>, tensor<5xi32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
        reducer(%a: tensor<i32>, %b: tensor<i32>) (%j: tensor<i32>, %k: tensor<i32>) {
          %p = stablehlo.compare GE, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
          %m = stablehlo.select %p, %a, %b : tensor<i1>, tensor<i32>
          %n = stablehlo.select %p, %j, %k : tensor<i1>, tensor<i32>
          stablehlo.return %m, %n : tensor<i32>, tensor<i32>
        }
      return %r#0, %r#1 : tensor<i32>, tensor<i32> }"""
    x, i = np.int32([3, 9, 1, 9, 2]), np.int32([10, 11, 12, 13, 14])
    assert [int(one) for one in run(text, x, i)] == [9, 11]
    assert [int(one) for one in run(text, x, i, options="reverse")] == [9, 13]


def dot(element: str, size: int) -> str:
    body = f"""%r = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [1] x [2]
      : (tensor<2x{size}x3x{element}>, tensor<2x4x{size}x{element}>) -> tensor<2x3x4x{element}>"""
    parameters = f"%a: tensor<2x{size}x3x{element}>, %b: tensor<2x4x{size}x{element}>"
    return program(parameters, f"tensor<2x3x4x{element}>", body)


def test_contractions_add_from_the_last_product_to_the_first() -> None:
    a, b = (RANDOM.integers(1, 99, shape).astype(F) * F(0.37) for shape in ((2, 9, 3), (2, 4, 9)))
    products = a.transpose(0, 2, 1)[:, :, None] * b[:, None]
    for options, order in (("definitions", 1), ("definitions,reverse", -1)):
        (found,) = run(dot("f32", 9), a, b, options=options)
        wanted = np.apply_along_axis(lambda lane, order=order: added(lane[::order]), -1, products)
        np.testing.assert_allclose(found, wanted, rtol=2e-7, err_msg=options)
    turned = run(dot("f32", 9), a[:, ::-1], b[:, :, ::-1], options="definitions")[0]
    np.testing.assert_array_equal(run(dot("f32", 9), a, b, options="definitions,reverse")[0], turned, strict=True)


@pytest.mark.parametrize(("precision", "bits"), [("bf16", 8), ("f16", 11), ("tf32", 11), ("f32", 24)])
def test_operands_of_contractions_have_the_digits_of_the_type(precision: str, bits: int) -> None:
    """Of both operands; integers have all of theirs."""
    numbers = np.array([1 + 2.0**-k for k in range(4, 14)], F)
    ones = np.ones(10, F)

    def rounded(array: np.ndarray) -> np.ndarray:
        return np.ldexp(np.rint(np.ldexp(array.astype(float), bits - 1)), 1 - bits)

    text = program("%a: tensor<10xf32>, %b: tensor<10x1xf32>", "tensor<1xf32>",
                   "%r = stablehlo.dot %a, %b : (tensor<10xf32>, tensor<10x1xf32>) -> tensor<1xf32>")  # fmt: skip
    for lhs, rhs in ((numbers, ones), (ones, numbers), (numbers, numbers)):
        (found,) = run(text, lhs, rhs[:, None], options=f"matmul={precision}")
        assert found[0] == F((rounded(lhs) * rounded(rhs)).sum()), precision
    (whole,) = run(text.replace("f32", "i32"), np.arange(10, dtype=np.int32), np.arange(10, dtype=np.int32)[:, None],
                   options=f"matmul={precision}")  # fmt: skip
    assert whole[0] == 285


def test_operands_of_convolutions_are_rounded_as_well() -> None:
    body = """%r = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<1x5x1xf32>, tensor<2x1x1xf32>) -> tensor<1x4x1xf32>"""
    text = program("%a: tensor<1x5x1xf32>, %b: tensor<2x1x1xf32>", "tensor<1x4x1xf32>", body)
    a, b = F([1.001, 2.003, 3.005, 4.1, 5.7]), F([1.111, 2.222])
    (found,) = run(text, a[None, :, None], b[:, None, None], options="matmul=bf16")
    lhs, rhs = a.astype(BF16).astype(F), b.astype(BF16).astype(F)
    np.testing.assert_array_equal(found.reshape(-1), lhs[:-1] * rhs[0] + lhs[1:] * rhs[1], strict=True)


@pytest.mark.parametrize("size", [0, 1, 3, 16, 17, 33, 40])
@pytest.mark.parametrize("sums", ["bf16", "f16", "f32", "f64"])
def test_sums_of_contractions_are_rounded_after_each_of_sixteen_parts(size: int, sums: str) -> None:
    a, b = (RANDOM.integers(1, 9, shape).astype(F) for shape in ((2, size, 3), (2, 4, size)))
    dtype, step = element_type(sums).dtype, math.ceil(size / 16)
    wanted = np.zeros((2, 3, 4), dtype)
    for start in range(0, size, step or 1):
        part = np.einsum("bki,bjk->bij", a[:, start : start + step], b[:, :, start : start + step])  # which is exact
        wanted = part.astype(dtype) if not start else (wanted.astype(float) + part.astype(dtype)).astype(dtype)
    (found,) = run(dot("f32", size), a, b, options=f"accumulate={sums}")
    np.testing.assert_array_equal(found, wanted.astype(F), strict=True)


@pytest.mark.parametrize(
    ("order", "shape"), [((0, 1), (40, 3)), ((1, 0), (3, 40)), ((0, 1), (2, 5)), ((1, 0), (17, 2))]
)
def test_parts_are_along_the_first_of_several_contracting_dimensions(
    order: tuple[int, int], shape: tuple[int, int]
) -> None:
    size, (first, second) = shape[order[0]], order
    a, b = (RANDOM.integers(1, 30, shape).astype(F) for _ in range(2))
    dims = f"contracting_dims = [{first}, {second}] x [{second}, {first}]"
    types = "tensor<{}x{}xf32>".format(*shape), "tensor<{1}x{0}xf32>".format(*shape)
    text = program(f"%a: {types[0]}, %b: {types[1]}", "tensor<f32>",
                   f"%r = stablehlo.dot_general %a, %b, {dims} : ({types[0]}, {types[1]}) -> tensor<f32>")  # fmt: skip
    (found,) = run(text, a, b.T, options="accumulate=bf16")
    products, step, total = np.moveaxis(a * b, first, 0), math.ceil(size / 16), np.zeros((), BF16)
    for start in range(0, size, step):
        part = products[start : start + step].sum().astype(BF16)  # the sum of such integers is exact
        total = (F(total) + F(part)).astype(BF16)
    assert float(found) == float(total)


@pytest.mark.parametrize(("element", "digits"), [("f32", 8), ("f32", 20), ("f64", 8), ("f64", 40)])
@pytest.mark.parametrize("sums", ["bf16", "f16", "f32", "f64"])
def test_operands_keep_their_digits_where_sums_have_fewer(element: str, digits: int, sums: str) -> None:
    """The square of 1 + x is next to 1 + 2 x."""
    dtype, small = element_type(element).dtype, 2.0**-digits
    text = program(
        f"%a: tensor<1x{element}>, %b: tensor<1x{element}>",
        f"tensor<{element}>",
        f"%r = stablehlo.dot_general %a, %b, contracting_dims = [0] x [0]\n"
        f"  : (tensor<1x{element}>, tensor<1x{element}>) -> tensor<{element}>",
    )
    number = np.array([1 + small], dtype)
    (found,) = run(text, number, number, options=f"accumulate={sums}")
    assert float(found) == float(np.array((1 + small) ** 2).astype(dtype).astype(element_type(sums).dtype))


@pytest.mark.parametrize(("element", "flushes"), [("f32", True), ("f64", True), ("bf16", True), ("f16", False)])
def test_arithmetic_takes_and_gives_zeros_for_denormal_numbers(element: str, flushes: bool) -> None:
    dtype = element_type(element).dtype
    info = ml_dtypes.finfo(dtype)
    smallest = float(info.smallest_normal)
    numbers = np.array([smallest, -smallest, smallest / 2, -smallest / 4, 1.0]).astype(dtype)
    kept = numbers.astype(float)
    zeroed = np.where(np.abs(kept) < smallest, np.copysign(0.0, kept), kept) if flushes else kept
    type_ = f"tensor<5x{element}>"
    for body, wanted in (
        ("%r = stablehlo.add %a, %z", zeroed + 0.0),
        ("%r = stablehlo.multiply %a, %h", np.where(np.abs(zeroed / 2) < smallest, np.copysign(0, kept), zeroed / 2)
         if flushes else zeroed / 2),
        ("%r = stablehlo.floor %a", np.floor(zeroed)),
        ("%r = stablehlo.negate %a", -kept),
        ("%r = stablehlo.abs %a", np.abs(kept)),
        ("%r = stablehlo.reverse %a, dims = [0]", kept[::-1]),
    ):  # fmt: skip
        text = program(f"%a: {type_}, %z: {type_}, %h: {type_}", type_, f"{body} : {type_}")
        halves, zeros = np.full(5, 0.5).astype(dtype), np.zeros(5, dtype)
        (found,) = run(text, numbers, zeros, halves, options="flush")
        assert found.dtype == dtype
        assert found.astype(float).tobytes() == np.asarray(wanted, float).astype(dtype).astype(float).tobytes(), body
    text = program(f"%a: {type_}, %z: {type_}", "tensor<5xi1>",
                   f"%r = stablehlo.compare NE, %a, %z : ({type_}, {type_}) -> tensor<5xi1>")  # fmt: skip
    assert run(text, numbers, np.zeros(5, dtype), options="flush")[0].tolist() == (zeroed != 0).tolist()


OPS = """%c = stablehlo.constant dense<0.1> : tensor<ELEMENT>
  %s = stablehlo.multiply %x, %c : tensor<ELEMENT>
  %b = stablehlo.bitcast_convert %s : (tensor<ELEMENT>) -> tensor<iBITS>
  %d = stablehlo.bitcast_convert %b : (tensor<iBITS>) -> tensor<ELEMENT>
  %r = stablehlo.add %d, %s : tensor<ELEMENT>"""


@pytest.mark.parametrize("element", ["f32", "f64", "f16"])
@pytest.mark.parametrize("other", ["f64", "f32", "bf16"])
def test_constants_and_bits_keep_their_own_types_in_another_one(element: str, other: str) -> None:
    """A constant has the value that it has in its type, and bits are those of the value in its own type."""
    own, wide = element_type(element).dtype, element_type(other).dtype
    text = program(
        f"%x: tensor<{element}>", f"tensor<{element}>", OPS.replace("ELEMENT", element).replace("BITS", element[1:])
    )
    (found,) = run(text, np.array(3, own), options=other)
    assert found.dtype == wide

    def to(value: object, dtype: np.dtype) -> np.ndarray:
        return np.asarray(value).astype(np.float64).astype(dtype)

    constant = to(to(0.1, own), wide)
    scaled = to(3 * constant.astype(float), wide)
    bits = to(to(scaled, own), wide)
    assert float(found) == float(to(bits.astype(float) + scaled.astype(float), wide))


def test_integers_and_booleans_keep_their_types_and_complex_numbers_widen() -> None:
    text = """func.func @main(%x: tensor<2xcomplex<f32>>, %n: tensor<2xi32>, %p: tensor<i1>, %h: tensor<?xf32>)
        -> (tensor<2xcomplex<f32>>, tensor<2xi32>, tensor<i1>, tensor<?xf32>, tensor<2xf32>) {
      %0 = stablehlo.add %x, %x : tensor<2xcomplex<f32>>
      %1 = stablehlo.abs %x : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
      %2 = stablehlo.negate %h : tensor<?xf32>
      return %0, %n, %p, %2, %1
        : tensor<2xcomplex<f32>>, tensor<2xi32>, tensor<i1>, tensor<?xf32>, tensor<2xf32> }"""
    given = [np.complex64([3 + 4j, 1j]), np.int32([1, 2]), np.bool_(True), F([1, 2, 3])]
    found = run(text, *given, options="f64")
    assert [one.dtype.name for one in found] == ["complex128", "int32", "bool", "float64", "float64"]
    assert [one.tolist() for one in found] == [[6 + 8j, 2j], [1, 2], True, [-1, -2, -3], [5, 1]]


def test_ops_of_several_results_that_are_tied_to_bits_have_no_other_type() -> None:
    body = """%s = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
      %t, %r = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY
        : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3xf32>)"""
    text = program("", "tensor<3xf32>", body)
    with pytest.raises(UnsupportedOpError) as raised:
        run(text, options="bf16")
    assert raised.value.op == "stablehlo.rng_bit_generator"
    assert raised.value.message == "is tied to the bits of its types and cannot be put into bf16"
    assert run(text)[0].dtype == F


KEPT = ("negate", "abs", "sine", "tan", "tanh", "exponential_minus_one")
FLUSHED = ("ceil", "cbrt", "floor", "log_plus_one", "round_nearest_even", "sign", "sqrt")


@pytest.mark.parametrize("name", [*KEPT, *FLUSHED])
@pytest.mark.parametrize("element", ["f32", "bf16", "f64"])
def test_denormals_are_kept_by_changes_of_signs_and_by_what_gives_its_small_arguments(name: str, element: str) -> None:
    t = f"tensor<2x{element}>"
    text = f"func.func @main(%x: {t}) -> {t} {{ %0 = stablehlo.{name} %x : {t} return %0 : {t} }}"
    tiny = np.array([-1.0, 1.0]).astype(element_type(element).dtype) * {"f64": 1e-310}.get(element, 1e-39)
    value = tiny.astype(element_type(element).dtype)
    (plain,) = backend().load(text.encode())([value])
    (found,) = backend("flush").load(text.encode())([value])
    (of_zero,) = backend().load(text.encode())([value * 0])
    expected = plain if name in KEPT else of_zero
    assert found.astype(np.float64).tolist() == expected.astype(np.float64).tolist() or np.isnan(expected).any()
    assert (found.tobytes() == plain.tobytes()) == (name in KEPT) or plain.tobytes() == of_zero.tobytes()
