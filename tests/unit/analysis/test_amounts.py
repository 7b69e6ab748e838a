"""What one op costs, counted by hand or by trying every element."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import stablehlo_py
from stablehlo_py.analysis import cost
from stablehlo_py.analysis.cost import Cost, OpCost
from stablehlo_py.analysis.diff import diff
from stablehlo_py.analysis.matching import longest_rising
from stablehlo_py.analysis.sizes import logarithm, weight
from stablehlo_py.bindings import ir, make_context
from stablehlo_py.shapes.evaluation.symbols import Expression, Symbol, symbol

TWO = "^bb0(%p: tensor<f32>, %q: tensor<f32>): %s ="
SUM = f"({{ {TWO} stablehlo.add %p, %q : tensor<f32> stablehlo.return %s : tensor<f32> }})"
LESS = (
    f"({{ {TWO} stablehlo.compare LT, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1> "
    "stablehlo.return %s : tensor<i1> })"
)
M, V, S, I = "tensor<4x8xf32>", "tensor<8xf32>", "tensor<f32>", "tensor<i32>"  # noqa: E741
GATHER = (
    "dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], "
    "index_vector_dim = 1>"
)
Z, U, R = "tensor<2x8xcomplex<f32>>", "tensor<3x8xf32>", "tensor<1x8xf32>"
L, Q = "tensor<2x3x3xf32>", "tensor<2x3x5xf32>"
SCATTER = (
    "scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], "
    "scatter_dims_to_operand_dims = [0], index_vector_dim = 1>"
)


@pytest.mark.parametrize(
    ("line", "amounts"),
    [
        (f"stablehlo.add %m, %m : {M}", (32, 0, 3 * 128)),
        (f"stablehlo.tanh %m : {M}", (0, 32, 2 * 128)),
        (f"stablehlo.sqrt %m : {M}", (0, 32, 2 * 128)),
        (f"stablehlo.convert %m : ({M}) -> tensor<4x8xf64>", (32, 0, 128 + 256)),
        (f"stablehlo.bitcast_convert %m : ({M}) -> tensor<4x8xi32>", (0, 0, 2 * 128)),
        ("stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>", (0, 0, 0)),
        (f"stablehlo.transpose %m, dims = [1, 0] : ({M}) -> tensor<8x4xf32>", (0, 0, 2 * 128)),
        (f"stablehlo.slice %m [1:3, 0:8] : ({M}) -> tensor<2x8xf32>", (0, 0, 2 * 64)),
        (f"stablehlo.dynamic_slice %m, %k, %k, sizes = [1, 8] : ({M}, {I}, {I}) -> {R}", (0, 0, 2 * 32 + 8)),
        (
            f"stablehlo.dynamic_update_slice %m, %r, %k, %k : ({M}, tensor<1x8xf32>, {I}, {I}) -> {M}",
            (0, 0, 2 * 32 + 8),
        ),
        (
            f'"stablehlo.gather"(%m, %i) {{{GATHER}, slice_sizes = array<i64: 1, 8>}} '
            f": ({M}, tensor<3x1xi32>) -> tensor<3x8xf32>",
            (0, 0, 2 * 96 + 12),
        ),
        (
            f'"stablehlo.scatter"(%m, %i, %u) {SUM} {{{SCATTER}}} : ({M}, tensor<3x1xi32>, tensor<3x8xf32>) -> {M}',
            (24, 0, 3 * 96 + 12),
        ),
        (
            "stablehlo.reduce(%m init: %f) applies stablehlo.add across dimensions = [1] "
            f": ({M}, {S}) -> tensor<4xf32>",
            (32 - 4, 0, 128 + 4 + 16),
        ),
        (
            f'"stablehlo.reduce_window"(%v, %f) {SUM} {{window_dimensions = array<i64: 3>}} '
            f": ({V}, {S}) -> tensor<6xf32>",
            (6 * 2, 0, 32 + 4 + 24),
        ),
        (f'"stablehlo.map"(%v, %v) {SUM} {{dimensions = array<i64: 0>}} : ({V}, {V}) -> {V}', (8, 0, 96)),
        (f'"stablehlo.sort"(%m) {LESS} {{dimension = 0 : i64}} : ({M}) -> {M}', (32 * 2, 0, 256)),
        (f'"stablehlo.sort"(%m) {LESS} {{dimension = 1 : i64}} : ({M}) -> {M}', (32 * 3, 0, 256)),
        (f'"stablehlo.sort"(%m) {LESS} : ({M}) -> {M}', (32 * 3, 0, 256)),
        (
            f"stablehlo.dot_general %m, %m, contracting_dims = [1] x [1] : ({M}, {M}) -> tensor<4x4xf32>",
            (2 * 16 * 8, 0, 256 + 64),
        ),
        (
            f"stablehlo.dot_general %m, %m, batching_dims = [0] x [0], contracting_dims = [1] x [1] "
            f": ({M}, {M}) -> tensor<4xf32>",
            (2 * 4 * 8, 0, 256 + 16),
        ),
        (f"stablehlo.dot %m, %v : ({M}, {V}) -> tensor<4xf32>", (2 * 4 * 8, 0, 128 + 32 + 16)),
        ("stablehlo.cholesky %c : tensor<2x3x3xf32>", (18 * 3 // 3, 0, 144)),
        (
            '"stablehlo.triangular_solve"(%c, %b) {left_side = true, lower = true, unit_diagonal = false, '
            f"transpose_a = #stablehlo<transpose NO_TRANSPOSE>}} : ({L}, {Q}) -> {Q}",
            (30 * 3, 0, 72 + 240),
        ),
        (f"stablehlo.fft %z, type = FFT, length = [8] : ({Z}) -> {Z}", (5 * 16 * 3, 0, 256)),
        ("stablehlo.fft %v, type = RFFT, length = [8] : (tensor<8xf32>) -> tensor<5xcomplex<f32>>", (5 * 8 * 3, 0, 72)),
    ],
)  # fmt: skip
def test_an_op_alone(line: str, amounts: tuple[int, int, int]) -> None:
    arguments = (
        f"%m: {M}, %v: {V}, %f: {S}, %k: {I}, %r: tensor<1x8xf32>, %i: tensor<3x1xi32>, %u: tensor<3x8xf32>, "
        "%c: tensor<2x3x3xf32>, %b: tensor<2x3x5xf32>, %z: tensor<2x8xcomplex<f32>>"
    )
    module = stablehlo_py.parse(f"func.func @main({arguments}) {{ %0 = {line} return }}")
    found = cost(module)
    assert (found.flops, found.transcendentals, found.bytes) == amounts


SIZES = st.integers(1, 4)


@settings(max_examples=25, deadline=None, derandomize=True)
@given(st.integers(1, 7), SIZES, SIZES, SIZES, SIZES, st.integers(-1, 3), st.integers(-1, 3), SIZES, SIZES)
def test_products_of_a_convolution_are_those_of_elements(size, window, stride, base, dilation, low, high, inner, outer):
    reach, length = (window - 1) * dilation + 1, (size - 1) * base + 1 + low + high
    if length < reach:
        return
    count = (length - reach) // stride + 1
    wanted = 0
    for at, tap in itertools.product(range(count), range(window)):
        position = at * stride - low + tap * dilation
        wanted += 0 <= position <= (size - 1) * base and position % base == 0
    module = stablehlo_py.parse(f"""
    func.func @main(%a: tensor<2x{size}x{inner}xf32>, %b: tensor<{window}x{inner}x{outer}xf32>) {{
      %0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
        window = {{stride = [{stride}], pad = [[{low}, {high}]], lhs_dilate = [{base}], rhs_dilate = [{dilation}]}}
        {{batch_group_count = 1 : i64, feature_group_count = 1 : i64}}
        : (tensor<2x{size}x{inner}xf32>, tensor<{window}x{inner}x{outer}xf32>) -> tensor<2x{count}x{outer}xf32>
      return
    }}""")
    assert cost(module).flops == 2 * wanted * 2 * inner * outer


@pytest.mark.parametrize(("amount", "log"), [(0, 0), (1, 0), (2, 1), (3, 2), (4, 2), (5, 3), (1024, 10), (1025, 11)])
def test_logarithms_are_rounded_up(amount: int, log: int) -> None:
    assert logarithm(amount) == log


def test_amounts_with_unknown_sizes_are_compared_by_a_usual_size() -> None:
    n, few = symbol("size", "n", 0), symbol("size", "few", 0, 9)
    assert [weight(each) for each in (5, n, n * n, few * n, few + 1)] == [5, 1024, 1 << 20, 9 * 1024, 10]
    strange = Expression({(Symbol("strange", "strange", (n,)),): 1})
    assert (weight(strange), weight(strange + n)) == (0, 0)  # what cannot be computed from sizes counts for nothing


def one(op: str, flops: int, functions: int, size: int, runs: int = 1) -> OpCost:
    return OpCost(op, "main", 1, "a:1", runs, flops, functions, size, 0)


def test_the_costliest_have_the_most_arithmetic_and_then_the_most_bytes() -> None:
    ops = (one("a", 5, 0, 1), one("b", 3, 3, 1), one("c", 6, 0, 9), one("a", 1, 0, 7, 3), one("d", 0, 0, 99))
    found = Cost(ops, 0, "")
    assert [(each.op, each.bytes) for each in found.costliest(4)] == [("c", 9), ("b", 1), ("a", 1), ("a", 7)]
    assert list(found.by_kind().items()) == [
        ("c", (1, 6, 0, 9)),
        ("a", (4, 6, 0, 8)),
        ("b", (1, 3, 3, 1)),
        ("d", (1, 0, 0, 99)),
    ]
    assert (found.flops, found.transcendentals, found.bytes) == (15, 3, 117)
    assert found.intensity == 15 / 117
    assert Cost((one("a", 1, 0, 0),), 0, "").intensity == 0.0
    n = symbol("size", "arg0[0]", 0)
    unknown = Cost((one("a", n, 0, 2 * n),), n, "x", ("arg0[0] is a dynamic size", "other"))  # type: ignore[arg-type]
    assert unknown.intensity is None
    known = unknown.at({"arg0[0]": 3})
    assert (known.flops, known.bytes, known.peak_bytes, known.notes) == (3, 6, 3, ("other",))
    assert unknown.at({"arg1[0]": 3}).notes == unknown.notes


@settings(derandomize=True)
@given(st.lists(st.integers(0, 9), max_size=9))
def test_a_longest_rising_subsequence_is_one(numbers: list[int]) -> None:
    found = longest_rising(numbers)
    assert found == sorted(set(found))
    assert all(numbers[a] < numbers[b] for a, b in itertools.pairwise(found))
    best = [1] * len(numbers)
    for i, j in itertools.combinations(range(len(numbers)), 2):
        best[j] = max(best[j], best[i] + 1) if numbers[i] < numbers[j] else best[j]
    assert len(found) == max(best, default=0)


ELEMENTS = "dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : tensor<6xf32>"
ENDS = ELEMENTS.replace("1.0", "-1.0").replace("6.0", "7.0")


@pytest.mark.parametrize(
    ("second", "said"),
    [
        (ELEMENTS, []),
        (ELEMENTS.replace("3.0", "3.5"), ["(1 of 6 elements: [2]: 3.0 -> 3.5)"]),
        (ENDS, ["(2 of 6 elements: [0]: 1.0 -> -1.0, [5]: 6.0 -> 7.0)"]),
        ("dense<[9.0, 9.0, 9.0, 9.0, 9.0, 9.0]> : tensor<6xf32>", ["(6 of 6 elements: [0]: 1.0 -> 9.0, ", ", …)"]),
        (ELEMENTS.replace("f32", "f64"), ["result type: tensor<6xf32> -> tensor<6xf64>"]),
    ],
)
def test_differing_elements_are_counted_and_the_first_shown(second: str, said: list[str]) -> None:
    details = details_of(ELEMENTS, second)
    assert all(text in details for text in said)
    assert bool(details) == bool(said)


def test_equal_nans_are_no_difference_beside_one() -> None:
    nan = ELEMENTS.replace("1.0", "0x7FC00000")
    assert "(1 of 6 elements: [1]: 2.0 -> 2.5)" in details_of(nan, nan.replace("2.0", "2.5"))


def details_of(*constants: str) -> str:
    """The details of the changes between two programs, each with one constant that is used."""
    context, modules = make_context(), []
    for constant in constants:
        use = f"stablehlo.custom_call @f(%0) : ({constant.rpartition(' : ')[2]}) -> ()"
        text = f"func.func @main() {{ %0 = stablehlo.constant {constant} {use} return }}"
        modules.append(ir.Module.parse(text, context))
    return " ".join(detail for change in diff(*modules) for detail in change.details)
