"""What results may be: the verbs answer alike, and an engine is wrong only if it is."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import stablehlo_py
from stablehlo_py.bindings.bytecode import bytecode_of
from stablehlo_py.cli.verbs.compare import command as compare_command
from stablehlo_py.cli.verbs.corpus import command as corpus_command
from stablehlo_py.cli.verbs.judge import command as judge_command
from stablehlo_py.conformance.catalog import Choice, cases
from stablehlo_py.debug import bisect, compare, draw_arguments, examine, judge, trace
from stablehlo_py.debug.allowed import allowed
from stablehlo_py.debug.enclosures import Question
from stablehlo_py.debug.predicates import NOT_INTERESTING, Disagreement
from stablehlo_py.debug.slices import run_ops
from stablehlo_py.debug.spread import Local, nudged_weights
from stablehlo_py.engines import Engine, open_engine
from stablehlo_py.interpreter.storage import load_arrays

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tools" / "proofs"))

from enclosures import Trial, program, reduced, sharpness, soundness  # noqa: E402  (it stands beside the other proofs)

pytestmark = pytest.mark.usefixtures("importable", "trusted")  # engines start with `planted_engine` at hand

ROW = "tensor<8xf32>"
ARGUMENTS = [np.linspace(0.5, 1, 8, dtype="f4")]


@pytest.fixture(scope="module")
def reference(importable):
    with open_engine("reference") as engine:
        yield engine


@pytest.fixture(scope="module")
def xla(importable):
    with open_engine("xla") as engine:
        yield engine


@pytest.fixture(scope="module")
def planted(importable):
    with Engine("planted", "planted_engine:backend") as engine:
        yield engine


def one_op(line: str, result: str = ROW):
    return stablehlo_py.parse(f"func.func @main(%a: {ROW}) -> {result} {{\n%0 = {line}\nreturn %0 : {result} }}")


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


@pytest.mark.parametrize(
    ("engine", "example"),
    [("reference:bf16", "attention"), ("reference:f16", "recurrent_network"), ("reference:reverse", "attention"),
     ("xla", "attention"), ("xla", "recurrent_network")],
)  # fmt: skip
def test_the_verbs_answer_alike(engine, example, reference):
    module = stablehlo_py.parse((ROOT / "examples" / "jax" / f"{example}.mlir").read_text())
    subject = examine(module)
    arguments = draw_arguments(subject.function, 0)
    with open_engine(engine) as other:
        pair = reference, other
        assert compare(module, pair, arguments=[arguments]).exit_code == 0
        assert trace(subject, arguments, *pair, cuts=0).culprit is None  # data that is moved is never wrong by rounding
        assert bisect(subject, arguments, *pair).culprit is None
        assert Disagreement(*pair).signature(subject.bytecode(), arguments) == NOT_INTERESTING
        (ruling,) = judge(module, [other], reference=reference, arguments=arguments).rulings
        assert ruling.verdict == "permitted"


def test_weights_within_a_program_are_as_uncertain_as_arguments(reference, xla):
    """The digits' only argument is of integers, so rounding shows in the weights alone."""
    module = stablehlo_py.parse(ROOT / "examples" / "digits" / "digits.mlir")
    assert compare(module, [reference, xla]).verdict == "same"


def test_weights_without_elements_are_left_alone():
    constants = """%c = stablehlo.constant dense<> : tensor<0x2xf32>
      %0 = stablehlo.constant dense<[[0.1, 0.2]]> : tensor<1x2xf32>"""
    module = stablehlo_py.parse(f"func.func @main() -> tensor<1x2xf32> {{ {constants}\nreturn %0 : tensor<1x2xf32> }}")
    assert "0.1" not in str(stablehlo_py.load(nudged_weights(bytecode_of(module), 0)))


def test_a_planted_error_has_one_number_and_one_name_in_all_verbs(reference, planted):
    module = stablehlo_py.parse(f"""func.func @main(%a: {ROW}) -> {ROW} {{
      %0 = stablehlo.sine %a : {ROW}
      %1 = stablehlo.negate %0 {{planted = "negated"}} : {ROW}
      %2 = stablehlo.exponential %1 : {ROW}
      return %2 : {ROW} }}""")
    subject = examine(module)
    pair = reference, planted
    places = [trace(subject, ARGUMENTS, *pair).culprit, bisect(subject, ARGUMENTS, *pair).culprit]
    (entry,) = compare(module, pair, arguments=[ARGUMENTS]).results
    (ruling,) = judge(module, [planted], reference=reference, arguments=ARGUMENTS).rulings
    assert {str(place) for place in [*places, ruling.place]} == {entry.culprit}
    assert entry.culprit.startswith("#1 stablehlo.negate")
    again = judge(ruling.program, [planted], reference=reference, arguments=ruling.arguments)
    assert (ruling.verdict, again.rulings[0].verdict) == ("wrong", "wrong")


OVERFLOWS = "unspecified", "integer overflows result in implementation-defined behavior"
SENTENCES = {
    "xla_convolution_groups": OVERFLOWS,
    "xla_convolution_saturates": OVERFLOWS,
    "xla_convolution_infinity": (
        "wrong",
        "padding_value is 0, in any order; Errors: exceptions give what IEEE-754 says",
    ),
    "xla_scatter_window": ("wrong", "each result_index that is in bounds is updated"),
    "xla_sort": ("wrong", "in non-descending order, as the comparator says"),
}
FINDINGS = sorted(path for path in (ROOT / "examples" / "debug").glob("xla_*.mlir") if "leading_zeros" not in path.name)


@pytest.mark.parametrize("path", FINDINGS, ids=lambda path: path.stem)
def test_the_findings_about_xla_are_judged_by_a_sentence_of_the_spec(path, reference, xla):
    module = stablehlo_py.parse(path.read_text())
    archive, subject = str(path.with_suffix(".npz")), examine(module)
    types = [str(argument.type) for argument in subject.block.arguments]
    arguments = [value.astype(np.int8).astype("int2") if "xi2" in type_ else value
                 for value, type_ in zip(load_arrays(archive), types, strict=True)]  # fmt: skip
    (ruling,) = judge(module, [xla], reference=reference, arguments=arguments).rulings
    verdict, sentence = SENTENCES[path.stem]
    assert ruling.verdict == verdict
    assert sentence in ruling.sentence
    assert ruling.section.startswith("https://openxla.org/stablehlo/spec#")


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
    stablehlo.return %p : tensor<i1> }}) {{dimension = 0 : i64}} : (tensor<3xf32>) -> tensor<3xf32>"""
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
        (SORT.format(order=""), "f32", [1, np.nan, 0], [0, np.nan, 1], "unspecified"),
        (SORT.format(order=TOTAL), "f32", [1, np.nan, 0], [0, np.nan, 1], "wrong"),
        (SORT.format(order=""), "f32", [1e-42, -1e-42, 1], [1e-42, -1e-42, 1], "unspecified"),  # equal as zeros
        (SORT.format(order=""), "f32", [2, 1, 3], [2, 1, 3], "wrong"),
        (SORT.format(order=""), "f32", [2, 1, 3], [1, 1, 3], "wrong"),
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


@pytest.mark.parametrize(
    ("line", "arguments"),
    [
        (f"stablehlo.sqrt %a : {ROW}", [np.full(8, -1e-43, "f4")]),  # XLA takes denormals for zeros
        (f"stablehlo.tanh %a : {ROW}", [np.linspace(-0.01, 0.01, 8, dtype="f4")]),
    ],
)
def test_a_function_that_is_as_accurate_as_the_profile_says_is_not_wrong(line, arguments, reference, xla):
    (ruling,) = judge(one_op(line), [xla], reference=reference, arguments=arguments).rulings
    assert ruling.verdict == "permitted"


def test_an_error_after_an_op_that_the_spec_leaves_open_is_found(reference):
    lines = ["%low = stablehlo.constant dense<0.0> : tensor<f32>",
             "%high = stablehlo.constant dense<1.0> : tensor<f32>",
             "%size = stablehlo.constant dense<8> : tensor<1xi64>",
             '%r = "stablehlo.rng"(%low, %high, %size) {rng_distribution = #stablehlo<rng_distribution UNIFORM>}'
             f" : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> {ROW}",
             f"%0 = stablehlo.divide %a, %a : {ROW}", f"%1 = stablehlo.exponential %0 : {ROW}",
             f"%2 = stablehlo.cosine %1 : {ROW}"]  # fmt: skip
    text = f"func.func @main(%a: {ROW}) -> ({ROW}, {ROW}) {{ {chr(10).join(lines)}\nreturn %r, %2 : {ROW}, {ROW} }}"
    with Engine("slipping", "planted_engine:slipping") as slipping:
        (ruling,) = judge(stablehlo_py.parse(text), [slipping], reference=reference, arguments=ARGUMENTS).rulings
    assert ruling.verdict == "wrong"
    assert str(ruling.place).startswith("#6 stablehlo.cosine")


@pytest.mark.parametrize("calls", ["call", "composite"])
def test_what_a_function_leaves_open_is_not_wrong(calls, reference, xla):
    row = "tensor<8xi32>"
    body = f"""%s = stablehlo.constant dense<8> : tensor<1xi64>
      %high = stablehlo.constant dense<1000> : tensor<i32>
      %r = "stablehlo.rng"(%a, %high, %s) {{rng_distribution = #stablehlo<rng_distribution UNIFORM>}}
        : (tensor<i32>, tensor<i32>, tensor<1xi64>) -> {row}\nreturn %r : {row}"""
    line = {"call": "func.call @f(%a)", "composite": 'stablehlo.composite "my.f" %a {decomposition = @f}'}[calls]
    text = f"""func.func private @f(%a: tensor<i32>) -> {row} {{ {body} }}
      func.func @main(%a: tensor<i32>) -> {row} {{ %0 = {line} : (tensor<i32>) -> {row}\nreturn %0 : {row} }}"""
    module, arguments = stablehlo_py.parse(text), [np.asarray(0, "i4")]
    (ruling,) = judge(module, [xla], reference=reference, arguments=arguments).rulings
    assert ruling.verdict in ("permitted", "unspecified")


def test_an_op_that_states_its_accuracy_is_held_to_it(reference, planted):
    accuracy = (
        "#stablehlo.result_accuracy<atol = {}, rtol = 0.0, ulps = 0, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>"
    )
    verdicts = []
    for absolute in ("1.0e-3", "0x7FF0000000000000", "1.0e-9"):
        attributes = f'{{result_accuracy = {accuracy.format(absolute)}, planted = "few_ulp"}}'
        module = one_op(f'"stablehlo.exponential"(%a) {attributes} : ({ROW}) -> {ROW}')
        (ruling,) = judge(module, [planted], reference=reference, arguments=ARGUMENTS).rulings
        verdicts.append(ruling.verdict)
        assert "result_accuracy" in ruling.sentence or ruling.verdict == "permitted"
    assert verdicts == ["permitted", "permitted", "wrong"]


def test_engines_without_results_and_open_ones_are_told_apart(reference, xla):
    random = """"stablehlo.rng"(%low, %high, %shape) {rng_distribution = #stablehlo<rng_distribution UNIFORM>}
      : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<8xf32>"""
    values = (("low", 0.0, "f32"), ("high", 1.0, "f32"), ("shape", 8, "1xi64"))
    lines = [f"%{name} = stablehlo.constant dense<{value}> : tensor<{type_}>" for name, value, type_ in values]
    constants = "\n".join(lines)
    module = one_op(f"stablehlo.negate %a : {ROW}\n{constants}\n%1 = {random}\n%2 = stablehlo.add %0, %1 : {ROW}")
    with Engine("failing", "planted_engine:failing") as failing:
        engines = ["reference:reverse", failing]
        found = judge(one_op(f"stablehlo.sine %a : {ROW}"), engines, reference=reference, arguments=ARGUMENTS)
    assert [ruling.verdict for ruling in found.rulings] == ["permitted", "rejected"]
    assert found.exit_code == 2
    assert judge(module, [xla], reference=reference, arguments=ARGUMENTS).exit_code == 0


def moved(expected, share):
    """The values of a case of the kit, moved by a share of the distance to the lowest values that it allows."""
    value = np.ascontiguousarray(expected.value)
    parts = value.view(f"f{value.dtype.itemsize // 2}") if value.dtype.kind == "c" else value
    lowest = (
        parts - expected.ulp * np.where(np.isfinite(parts) & (parts != 0), np.spacing(np.abs(parts)), 0)
        if expected.low is None
        else expected.low
    )
    with np.errstate(invalid="ignore"):
        distance = np.where(np.isfinite(parts), parts - lowest.reshape(parts.shape), 0)
    return (parts - share * distance).astype(parts.dtype).view(value.dtype)


@pytest.mark.parametrize(
    ("op", "element"),
    [("tanh", "f32"), ("tanh", "f64"), ("exponential", "f32"), ("exponential", "complex<f32>"), ("dot_general", "f32"),
     ("fft", "f64"), ("fft", "complex<f32>")],
)  # fmt: skip
def test_the_kit_allows_what_the_verbs_allow(op, element):
    tried = 0
    for case in cases(Choice((op,), (element,))):
        beyond = moved(case.expected[0], 4)
        has_width = beyond != case.expected[0].value
        if case.kind not in ("ordinary", "cancelling", "odd", "ties") or not has_width.any():
            continue
        subject = examine(stablehlo_py.parse(case.module))
        operation, values = subject.ops[-1], dict(zip(subject.block.arguments, case.inputs, strict=True))
        values |= run_ops(Local(), subject.extractor, subject.ops, values, isolated=False)[0]
        wanted = [values[operation.results[0]]]
        question = Question(operation, values, wanted, [wanted[0].dtype], subject.extractor, list(operation.results))
        (enclosure,) = allowed(question)
        assert not enclosure.outside(moved(case.expected[0], 0.5)).any(), case.name
        assert enclosure.outside(beyond)[has_width].mean() > 0.8, case.name
        tried += 1
    assert tried


def test_the_verb_prints_and_writes_verdicts(tmp_path):
    file, log = tmp_path / "p.mlir", tmp_path / "p.sarif"
    file.write_text(f"func.func @main(%a: {ROW}) -> {ROW} {{ %0 = stablehlo.tanh %a : {ROW} return %0 : {ROW} }}")
    arguments = [str(file), "--engine=reference:bf16", "--profile=strict", f"--sarif={log}"]
    found = CliRunner().invoke(judge_command, arguments, standalone_mode=False)
    assert found.return_value == 0
    assert "reference:bf16 is permitted" in found.output
    assert json.loads(log.read_text())["runs"][0]["results"][0]["level"] == "none"


def test_two_programs_are_compared_in_one_engine(tmp_path):
    files = []
    for name in ("add", "subtract"):
        files.append(tmp_path / f"{name}.mlir")
        files[-1].write_text(str(one_op(f"stablehlo.{name} %a, %a : {ROW}")))
    codes = [CliRunner().invoke(compare_command, [str(files[0]), str(other)], standalone_mode=False).return_value
             for other in files]  # fmt: skip
    assert codes == [0, 1]


def test_a_corpus_is_judged(tmp_path):
    file, rows = tmp_path / "p.mlir", tmp_path / "rows.jsonl"
    file.write_text(str(one_op(f"stablehlo.tanh %a : {ROW}")))
    arguments = [str(file), "--check=judge:reference,reference:bf16", f"--output={rows}"]
    assert CliRunner().invoke(corpus_command, arguments, standalone_mode=False).return_value == 0
    assert json.loads(rows.read_text())["status"] == "ok"
