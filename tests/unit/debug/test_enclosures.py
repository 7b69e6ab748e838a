"""What the results of single ops may be: all that the specification permits is inside, and little else."""

from __future__ import annotations

import numpy as np
import pytest
from enclosures import Trial, program, reduced, sharpness, soundness

import stablehlo_py
from stablehlo_py.debug import examine
from stablehlo_py.debug.allowed.enclosures import Question
from stablehlo_py.debug.allowed.ops import allowed
from stablehlo_py.debug.allowed.spread import Local
from stablehlo_py.debug.allowed.sums import _partial_sums
from stablehlo_py.debug.programs.slices import run_ops

ROW = "tensor<8xf32>"


def test_all_that_is_permitted_is_inside():
    looked, outside = soundness(80, 6)
    assert looked.total() == 480
    assert outside.total() == 0


def test_planted_errors_are_outside():
    looked, outside = sharpness(120)
    assert outside.total() >= 0.96 * looked.total()


@pytest.mark.parametrize(
    ("terms", "permitted"),
    [
        ([-3e38, -3e38, 1], [-np.inf]),  # its terms have one sign, or nearly
        ([3e38, 3e38, -3e38], [3e38, np.inf]),
        ([3e38, 3e38, -3e38, -3e38], [0, np.inf, -np.inf, np.nan]),
    ],
)
def test_sums_may_overflow_where_an_order_of_theirs_does(terms, permitted):
    type_ = f"tensor<{len(terms)}xf32>"
    text = f"""func.func @main(%a: {type_}, %b: {type_}) -> tensor<f32> {{
      %0 = stablehlo.dot_general %a, %b, contracting_dims = [0] x [0] : ({type_}, {type_}) -> tensor<f32>
      return %0 : tensor<f32> }}"""
    operands = np.array(terms, "f4"), np.ones(len(terms), "f4")
    enclosure = Trial("sum", text, operands, lambda _: operands[0], lambda _: operands[0]).enclosure("default")
    values = np.array([0, 1e38, 3e38, np.inf, -np.inf, np.nan], "f4")
    inside = [value for value in values if not enclosure.outside(np.asarray(value)).any()]
    np.testing.assert_array_equal(sorted(inside), sorted(np.array(permitted, "f4")))


def reduction(op, initial):
    return f"""%i = stablehlo.constant dense<{initial}> : tensor<f32>
      %1 = "stablehlo.reduce"(%a, %i) ({{
      ^bb0(%x: tensor<f32>, %y: tensor<f32>):
        %2 = stablehlo.{op} %x, %y : tensor<f32>
        stablehlo.return %2 : tensor<f32> }}) {{dimensions = array<i64: 0>}} : ({ROW}, tensor<f32>) -> tensor<f32>"""


SET = """%i = stablehlo.constant dense<[[1], [1]]> : tensor<2x1xi64>
      %u = stablehlo.slice %a [0:2] : (tensor<8xf32>) -> tensor<2xf32>
      %1 = "stablehlo.scatter"(%a, %i, %u) ({
      ^bb0(%x: tensor<f32>, %y: tensor<f32>):
        stablehlo.return %y : tensor<f32>
      }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0],
          scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}
        : (tensor<8xf32>, tensor<2x1xi64>, tensor<2xf32>) -> tensor<8xf32>"""


@pytest.mark.parametrize(
    ("lines", "result", "given", "verdict"),
    [
        (reduction("subtract", 0.0), "tensor<f32>", 2.0, "unspecified"),  # no monoid
        (reduction("add", 1.0), "tensor<f32>", 44.0, "unspecified"),  # the initial value may be added again
        (reduction("add", 0.0), "tensor<f32>", 44.0, "wrong"),
        (reduction("maximum", "0xFF800000"), "tensor<f32>", 7.0, "wrong"),
        (reduction("multiply", 1.0), "tensor<f32>", 40321.0, "wrong"),
        (SET, ROW, [1, 1, 3, 4, 5, 6, 7, 8], "unspecified"),  # two updates of one element, in either order
        (SET, ROW, [1, 2, 3, 4, 5, 6, 7, 0], "wrong"),
    ],
)
def test_orders_that_the_spec_leaves_open_are_not_wrong(lines, result, given, verdict):
    text = f"func.func @main(%a: {ROW}) -> {result} {{ {lines}\nreturn %1 : {result} }}"
    subject = examine(stablehlo_py.parse(text))
    op, values = subject.ops[-1], dict(zip(subject.block.arguments, [np.arange(1, 9, dtype="f4")], strict=True))
    values |= run_ops(Local(), subject.extractor, subject.ops, values, isolated=False)[0]
    wanted = [values[op.results[0]]]
    question = Question(op, values, wanted, [wanted[0].dtype], subject.extractor, list(op.results))
    (enclosure,) = allowed(question)
    array = np.asarray(given, "f4")
    is_wrong, is_open = bool(enclosure.outside(array).any()), enclosure.leaves_open(array)
    assert (is_wrong, is_open) == (verdict == "wrong", verdict == "unspecified")


def test_no_tree_of_additions_has_larger_sums_than_are_counted():
    random = np.random.default_rng(0)
    subject = examine(stablehlo_py.parse(f"func.func @main(%a: {ROW}) -> tensor<f32> {{ {reduction('add', 0.0)}\n"
                                         "return %1 : tensor<f32> }"))  # fmt: skip
    op = subject.ops[-1]
    for terms in ([1, 1, 1, 1, -1, -1, -1, -1], [-1] * 8, [8, *[-1] * 7], *random.normal(size=(20, 8)).tolist()):
        operands = dict(zip(op.operands, [np.array(terms, "f4"), np.zeros((), "f4")], strict=True))
        found = _partial_sums(Question(op, operands, [], [], subject.extractor, list(op.results)), 0)
        assert found is not None
        for is_sorted in (True, *[False] * 9):
            nodes, sums = list(np.float32(terms)), 0.0
            while len(nodes) > 1:  # neighbours in pairs, or any two
                places = (0, 1) if is_sorted else random.choice(len(nodes), 2, replace=False)
                node = sum(nodes[place] for place in places)
                nodes = [each for place, each in enumerate(nodes) if place not in places] + [node]
                sums += abs(float(node))
            assert sums <= found.item() * (1 + 1e-6)


def test_integers_that_overflow_are_left_open_and_others_are_not():
    type_ = "tensor<2x2xi8>"
    line = f"stablehlo.dot_general %0, %1, contracting_dims = [1] x [1] : ({type_}, {type_}) -> {type_}"
    text = program(["2x2xi8"] * 2, "2x2xi8", line)
    operands = np.array([[100, 1], [2, 3]], "i1"), np.array([[1, 27], [1, 28]], "i1")
    found = Trial("", text, operands, lambda _: operands[0], lambda _: operands[0])
    outside = found.enclosure("default").outside(np.array([[126, 127], [84, 86]], "i1"))
    np.testing.assert_array_equal(outside, [[True, False], [True, False]])


@pytest.mark.parametrize(
    ("element", "lhs", "rhs"),
    [("f32", [np.inf, -3e38, 1], [1, 10, 1]), ("complex<f32>", [np.inf, 1 + 3e38j, 0], [2, 3e38j, 1])],
)
def test_infinite_terms_among_others_that_overflow_may_give_nan(element, lhs, rhs):
    operands = tuple([np.array(one, "f4" if element == "f32" else "c8") for one in (lhs, rhs)])
    types = f"(tensor<3x{element}>, tensor<3x{element}>) -> tensor<{element}>"
    line = f"stablehlo.dot_general %0, %1, contracting_dims = [0] x [0] : {types}"
    text = program([f"3x{element}"] * 2, element, line)
    enclosure = Trial("", text, operands, lambda _: operands[0], lambda _: operands[0]).enclosure("default")
    for value in (np.nan, np.inf):
        assert not enclosure.outside(np.asarray(value, operands[0].dtype)).any()


SORT = """"stablehlo.sort"(%0) ({{ ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %p = stablehlo.compare LT, %x, %y{order} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1> }}) {{dimension = 0 : i64, is_stable = {stable}}}
    : (tensor<3xf32>) -> tensor<3xf32>"""
BY_SIZE = SORT.replace(
    "%p =", "%a = stablehlo.abs %x : tensor<f32>\n%b = stablehlo.abs %y : tensor<f32>\n%p ="
).replace("LT, %x, %y", "LT, %a, %b")
TOTAL = ", TOTALORDER"


@pytest.mark.parametrize(
    ("line", "element", "operand", "given", "verdict"),
    [
        ("rsqrt", "f32", [-1e-42, 1, 4], [-np.inf, 1, 0.5], "permitted"),  # a denormal number is a zero with its sign
        ("logistic", "f16", [-12, 0, 1], [0, 0.5, 0.731], "permitted"),  # exp(12) is too large for the type
        ("logistic", "f16", [0.5, 0, 1], [0.6255, 0.5, 0.731], "wrong"),
        ("sign", "complex<f32>", [3 + 4j, 0, 1], [0.6 + 0.79999995j, 0, 1], "permitted"),
        ("sign", "complex<f32>", [3 + 4j, np.nan, 1], [0.6 + 0.8j, 0, 1], "wrong"),
        ("sign", "complex<f32>", [3 + 4j, np.inf, 1], [0.6 + 0.8j, 1, 1], "unspecified"),
        ("log_plus_one", "complex<f32>", [-1 + 1e-30j, 0, 0], [-np.inf, 0, 0], "unspecified"),  # 1 + x is tiny
        ("sine", "complex<f32>", [1e30j, 1, 0], [np.nan, 0.8415, 0], "wrong"),  # not where the first element is open
        (SORT.format(order="", stable="false"), "f32", [1, np.nan, 0], [0, np.nan, 1], "unspecified"),
        (SORT.format(order=TOTAL, stable="false"), "f32", [1, np.nan, 0], [0, np.nan, 1], "wrong"),
        (
            SORT.format(order="", stable="false"),
            "f32",
            [1e-42, -1e-42, 1],
            [1e-42, -1e-42, 1],
            "unspecified",
        ),  # equal as zeros
        (SORT.format(order="", stable="false"), "f32", [2, 1, 3], [2, 1, 3], "wrong"),
        (SORT.format(order="", stable="false"), "f32", [2, 1, 3], [1, 1, 3], "wrong"),
        (SORT.format(order="", stable="true"), "f32", [1, np.nan, 0], [0, np.nan, 1], "unspecified"),
        (SORT.format(order="", stable="true"), "f32", [1e-42, -1e-42, 1], [1e-42, -1e-42, 1], "unspecified"),
        (SORT.format(order="", stable="true"), "f32", [2, 1, 3], [2, 1, 3], "wrong"),
        (BY_SIZE.format(order="", stable="true"), "f32", [-1, 1, 0.5], [0.5, -1, 1], "permitted"),
        (BY_SIZE.format(order="", stable="true"), "f32", [-1, 1, 0.5], [0.5, 1, -1], "wrong"),
        (BY_SIZE.format(order="", stable="false"), "f32", [-1, 1, 0.5], [0.5, 1, -1], "unspecified"),
        ("reduce_precision", "f32", [np.nan, 1, 2], [np.nan, 1, 2], "unspecified"),  # no mantissa bits, no NaN
    ],
)
def test_what_exceptions_leave_open_is_told_from_what_they_do_not(line, element, operand, given, verdict):
    type_, dtype = f"tensor<3x{element}>", {"f16": "f2", "f32": "f4"}.get(element, "c8")
    extra = "{exponent_bits = 5 : i32, mantissa_bits = 0 : i32}" if line == "reduce_precision" else ""
    line = line if "(" in line else f'"stablehlo.{line}"(%0) {extra} : ({type_}) -> {type_}'
    enclosure = enclosed(line, f"3x{element}", np.array(operand, dtype))
    array = np.array(given, dtype)
    found = (
        "wrong" if enclosure.outside(array).any() else "unspecified" if enclosure.leaves_open(array) else "permitted"
    )
    assert found == verdict
    assert ("implementation-defined" in enclosure.reason(array)) == (found == "unspecified" and dtype == "c8")


def enclosed(line, type_, *operands):
    return Trial("", program([type_] * len(operands), type_, line), operands, None, None).enclosure("default")


@pytest.mark.parametrize(("element", "least", "most"), [("f32", -61, 62), ("f64", -509, 510)])
@pytest.mark.parametrize("unit", [1, -1, 1j, -1j])
def test_squares_that_are_no_normal_numbers_leave_functions_of_complex_numbers_open(element, least, most, unit):
    """Up to four times the roots of the least and, with a margin of four, of the largest number; zero is exact."""
    sizes = [0, 2.0 ** (least - 1), 2.0**least * (1 - 2.0**-20), 2.0**least, 1, 2.0 ** (most - 1), 2.0**most]
    operand = unit * np.array(sizes, f"c{8 if element == 'f32' else 16}")
    type_ = f"7xcomplex<{element}>"
    enclosure = enclosed(f"stablehlo.tanh %0 : tensor<{type_}>", type_, operand)
    assert np.asarray(enclosure.free).tolist() == [False, True, True, False, False, False, True], operand


def test_zero_to_the_power_of_zero_is_open_for_complex_numbers():
    type_ = "tensor<2xcomplex<f32>>"
    enclosure = enclosed(f"stablehlo.power %0, %1 : {type_}", "2xcomplex<f32>", *[np.array([0, 2], "c8")] * 2)
    assert enclosure.outside(np.array([np.nan, 5], "c8")).tolist() == [False, True]


def test_factors_with_an_infinity_have_an_infinite_product():
    factors = np.array([[np.inf, 2], [np.inf, 0], [3, 2]], "f8")
    enclosure = Trial("", reduced("multiply", factors, "f64"), (factors, np.ones((), "f8")), None, None).enclosure(
        "default"
    )
    assert not enclosure.outside(np.array([np.inf, np.nan, 6])).any()
    assert enclosure.outside(np.array([np.nan, np.inf, 7])).all()


def test_products_of_complex_numbers_come_in_any_order():
    factors = np.array([[1 + 1e-7j, 3 - 1j, 2 + 5j], [0, np.inf, 1], [1e15, 1e15, 1e-30]], "c8")
    text = reduced("multiply", factors, "complex<f32>")
    enclosure = Trial("", text, (factors, np.ones((), "c8")), None, None).enclosure("default")
    in_order, reverse = [factors[:, number] for number in range(3)], [factors[:, 2 - number] for number in range(3)]
    for order in (in_order, reverse):
        with np.errstate(all="ignore"):
            product = order[0] * order[1] * order[2]
        assert not enclosure.outside(product).any()
    assert enclosure.outside(np.array([12 + 13j, 0, 0], "c8")).tolist() == [True, False, False]


def test_a_batch_norm_is_as_uncertain_as_its_operands():
    names = ["8x2xf32", *["2xf32"] * 4]
    line = (f'"stablehlo.batch_norm_inference"(%0, %1, %2, %3, %4) {{epsilon = 1.0e-3 : f32, feature_index = 1 : i64}}'
            f" : ({', '.join(f'tensor<{name}>' for name in names)}) -> tensor<8x2xf32>")  # fmt: skip
    x = np.linspace(0.9, 1.1, 16, dtype="f4").reshape(8, 2)
    scale, offset, mean, variance = (np.full(2, value, "f4") for value in (1, -1000, 0, 1e-6))
    enclosure = Trial("", program(names, names[0], line), (x, scale, offset, mean, variance), None, None).enclosure(
        "default"
    )
    wide = x.astype("f8") / np.sqrt(variance.astype("f8") + np.float32(1e-3)) - 1000
    assert not enclosure.outside(wide.astype("f4")).any()
    assert enclosure.outside((wide + 1).astype("f4")).all()
