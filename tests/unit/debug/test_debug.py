"""The debugger finds errors that were planted, and only those."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import planted_engine
import pytest
from speeds import later
from swapped_engine import Here

import stablehlo_py
from stablehlo_py.bindings.diagnostics import file_location
from stablehlo_py.bindings.walk import operations
from stablehlo_py.debug import Tolerance, bisect, compare, draw_arguments, examine, trace
from stablehlo_py.debug.allowed.measures import difference
from stablehlo_py.debug.allowed.spread import Local
from stablehlo_py.debug.programs.inputs import read_distributions
from stablehlo_py.errors import InputError, StablehloError, UsageError

ROW = "tensor<8xf32>"
LOOP = """%i{n} = stablehlo.constant dense<0> : tensor<i32>
%w{n}:2 = stablehlo.while(%k = %i{n}, %v = {x}) : tensor<i32>, {row}
cond {{
  %three = stablehlo.constant dense<3> : tensor<i32>
  %p = stablehlo.compare LT, %k, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
  stablehlo.return %p : tensor<i1>
}} do {{
  %one = stablehlo.constant dense<1> : tensor<i32>
  %next = stablehlo.add %k, %one : tensor<i32>
  %s = stablehlo.negate %v : {row}
  %sum = stablehlo.add %s, {y}{mark} : {row}
  stablehlo.return %next, %sum : tensor<i32>, {row}
}}
%v{n} = stablehlo.add %w{n}#1, %a : {row}"""


def chain(length, planted, kind, seed):
    """A program in which every op matters to the result, with one op marked, and that op's name."""
    choose = random.Random(seed)
    lines, previous = [], "%a"
    for number in range(length):
        mark = f' {{planted = "{kind}"}}' if number == planted else ""
        form = choose.choice(["add", "subtract", "subtract", "negate", "loop"])
        if form == "loop":
            lines.append(LOOP.format(n=number, x=previous, y="%b", mark=mark, row=ROW))
        elif form == "negate":
            lines.append(f"%u{number} = stablehlo.negate {previous}{mark} : {ROW}")
            lines.append(f"%v{number} = stablehlo.add %u{number}, %b : {ROW}")
        else:
            lines.append(f"%v{number} = stablehlo.{form} {previous}, %b{mark} : {ROW}")
        previous = f"%v{number}"
    return f"func.func @main(%a: {ROW}, %b: {ROW}) -> {ROW} {{\n" + "\n".join(
        [*lines, f"return {previous} : {ROW}", "}"]
    )


ARGUMENTS = [np.linspace(0.5, 1, 8, dtype="f4"), np.linspace(0.1, 1, 8, dtype="f4")]


@pytest.fixture(scope="module")
def engines():
    return Local(), Here("planted", planted_engine.backend())


def marked_location(module):
    (op,) = [op for op in operations(module.operation) if "planted" in op.attributes]
    return op.name, file_location(op.location)


@pytest.mark.parametrize(
    ("length", "kind", "seed"),
    [(18, "few_ulp", 1), (18, "negated", 2), (18, "reversed", 3), (20, "few_ulp", 4), (16, "negated", 5),
     later(60, "few_ulp", 4), later(70, "negated", 5)],
)  # fmt: skip
def test_trace_and_bisect_name_the_planted_op(engines, length, kind, seed):
    module = stablehlo_py.parse(chain(length, length // 2 + seed, kind, seed))
    name, location = marked_location(module)
    subject = examine(module)
    found = trace(subject, ARGUMENTS, *engines)
    assert found.culprit is not None
    assert (found.culprit.op, found.culprit.location) == (name, location)
    if kind == "few_ulp":  # small errors may be lost on the way to the results, which is all that cutting sees
        return
    halved = bisect(subject, ARGUMENTS, *engines, tolerance=Tolerance(ulp=0.5))
    assert halved.culprit == found.culprit
    assert len(halved.steps) <= 2 + int(np.log2(len(subject.ops)))


def test_nothing_is_found_where_nothing_is_planted(engines):
    subject = examine(stablehlo_py.parse(chain(20, -1, "", 7)))
    assert trace(subject, ARGUMENTS, *engines).first is None
    assert bisect(subject, ARGUMENTS, *engines).place is None


def test_the_reproducer_shows_the_error_by_itself(engines):
    subject = examine(stablehlo_py.parse(chain(20, 11, "negated", 8)))
    found = trace(subject, ARGUMENTS, *engines)
    again = compare(found.program, engines, arguments=[found.arguments])
    assert again.verdict == "differs"


def test_slices_bound_what_is_held(engines):
    subject = examine(stablehlo_py.parse(chain(14, 8, "reversed", 9)))
    whole, sliced = (trace(subject, ARGUMENTS, *engines, cap=cap).culprit for cap in (1 << 30, 256))
    assert whole == sliced is not None


def test_first_nonfinite_is_named(engines):
    text = f"""func.func @main(%a: {ROW}) -> {ROW} {{
      %0 = stablehlo.negate %a : {ROW}
      %1 = stablehlo.log %0 : {ROW}
      %2 = stablehlo.add %1, %1 : {ROW}
      return %2 : {ROW} }}"""
    found = trace(examine(stablehlo_py.parse(text)), ARGUMENTS[:1], *engines)
    assert {place.op for place in found.first_nonfinite.values()} == {"stablehlo.log"}


def test_an_op_that_the_engine_lacks_is_a_row(engines):
    text = f"""func.func @main(%a: {ROW}) -> {ROW} {{
      %0 = stablehlo.sine %a : {ROW}
      %1 = stablehlo.cbrt %0 : {ROW}
      %2 = stablehlo.negate %1 : {ROW}
      return %2 : {ROW} }}"""
    lacking = Here("lacking", planted_engine.lacking_cbrt())
    found = trace(examine(stablehlo_py.parse(text)), ARGUMENTS[:1], engines[0], lacking)
    assert [row.place.op for row in found.rows if row.failure] == ["stablehlo.cbrt"]
    assert [row.place.op for row in found.rows if row.local is not None] == ["stablehlo.sine", "stablehlo.negate"]


def test_a_reference_that_does_not_run_the_program_leaves_the_question_open(engines):
    text = f"func.func @main(%a: {ROW}) -> {ROW} {{ %0 = stablehlo.cbrt %a : {ROW} return %0 : {ROW} }}"
    subject = examine(stablehlo_py.parse(text))
    lacking = Here("lacking", planted_engine.lacking_cbrt())
    found = trace(subject, ARGUMENTS[:1], lacking, engines[0])
    assert found.exit_code == 2
    assert "the reference cannot run" in str(found)
    with pytest.raises(StablehloError, match="does not run the program"):
        bisect(subject, ARGUMENTS[:1], lacking, engines[0])


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.float16])
def test_differences_count_units_in_the_last_place(dtype):
    value = dtype(1.5)
    for steps in range(5):
        other = value
        for _ in range(steps):
            other = np.nextafter(other, dtype(2))
        found = difference(np.array([other]), np.array([value]), Tolerance(ulp=2))
        assert found.max_ulp == steps
        assert found.same == (steps <= 2)


def test_special_values_are_compared_as_values():
    first = np.float32([np.nan, np.inf, -np.inf, np.nan, 0.0, 1e-45])
    second = np.float32([np.nan, np.inf, np.inf, 1.0, -0.0, 0.0])
    found = difference(first, second, Tolerance())
    assert [index for index, _, _ in found.worst] in ([(2,), (3,)], [(3,), (2,)])
    assert found.nans == (2, 1)
    assert sum(found.histogram) == found.count == 6


def test_drawn_arguments_depend_on_the_seed_alone_and_stay_inside_what_they_index():
    text = """func.func @main(%x: tensor<5x9xf32>, %i: tensor<i32>, %j: tensor<i32>) -> tensor<1x1xf32> {
      %0 = stablehlo.dynamic_slice %x, %i, %j, sizes = [1, 1]
        : (tensor<5x9xf32>, tensor<i32>, tensor<i32>) -> tensor<1x1xf32>
      return %0 : tensor<1x1xf32> }"""
    subject = examine(stablehlo_py.parse(text))
    draws = [draw_arguments(subject.function, seed) for seed in range(40)]
    assert {int(draw[1]) for draw in draws} == set(range(5))
    assert {int(draw[2]) for draw in draws} == set(range(9))
    np.testing.assert_array_equal(draws[3][0], draw_arguments(subject.function, 3)[0])


def test_results_that_the_spec_leaves_open_do_not_count_as_differences():
    text = """func.func @main() -> tensor<4xf32> {
      %low = stablehlo.constant dense<0.0> : tensor<f32>
      %high = stablehlo.constant dense<1.0> : tensor<f32>
      %shape = stablehlo.constant dense<4> : tensor<1xi64>
      %0 = stablehlo.rng %low, %high, %shape, distribution = UNIFORM
        : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<4xf32>
      return %0 : tensor<4xf32> }"""
    found = compare(stablehlo_py.parse(text), [Local(), Changing(lambda value: value + np.float32(1000))])
    assert (found.verdict, found.exit_code) == ("implementation-defined", 0)
    (entry,) = found.results
    (reason,) = entry.open_ops
    assert reason.startswith("#3 stablehlo.rng at ")
    assert "random numbers" in reason


class Changing(Local):
    """The reference with other results."""

    def __init__(self, change):
        super().__init__()
        self.name, self.change = "changing", change

    def run(self, module, arguments):
        outcome = super().run(module, arguments)
        return replace(outcome, results=tuple(map(self.change, outcome.results)))


def compared(change, body, *arguments, types, result):
    names = [f"%{letter}" for letter, _ in zip("abc", types, strict=False)]
    parameters = ", ".join(f"{name}: {type_}" for name, type_ in zip(names, types, strict=True))
    text = f"func.func @main({parameters}) -> {result} {{\n{body}\nreturn %0 : {result} }}"
    (entry,) = compare(stablehlo_py.parse(text), [Local(), Changing(change)], arguments=[arguments]).results
    return entry


@pytest.mark.parametrize(
    ("body", "arguments", "types", "result", "reason"),
    [
        (
            "%0 = stablehlo.divide %a, %b : tensor<2xi32>",
            [np.int32([7, 8]), np.int32([1, -1])],
            ["tensor<2xi32>"] * 2,
            "tensor<2xi32>",
            "",
        ),
        (
            "%0 = stablehlo.divide %a, %b : tensor<2xi32>",
            [np.int32([7, -(2**31)]), np.int32([1, -1])],
            ["tensor<2xi32>"] * 2,
            "tensor<2xi32>",
            "stablehlo.divide",
        ),
        (
            "%1 = stablehlo.negate %a : tensor<2xf32>\n%0 = stablehlo.convert %1 : (tensor<2xf32>) -> tensor<2xi32>",
            [np.float32([7, 1e10])],
            ["tensor<2xf32>"],
            "tensor<2xi32>",
            "stablehlo.convert",
        ),
        (
            "%0 = stablehlo.shift_left %a, %b : tensor<2xi32>",
            [np.int32([7, 8]), np.int32([40, 1])],
            ["tensor<2xi32>"] * 2,
            "tensor<2xi32>",
            "",
        ),
    ],
)
def test_results_are_open_on_some_operands_only(body, arguments, types, result, reason):
    def change(value):
        return value + np.array([0, 1], value.dtype) if value.shape else value

    entry = compared(change, body, *arguments, types=types, result=result)
    assert entry.verdict == ("implementation-defined" if reason else "differs")
    assert [reason in text for text in entry.open_ops] == ([True] if reason else [])


def test_a_sum_that_cancels_may_be_what_another_order_makes_of_it():
    body = """%0 = stablehlo.reduce(%a init: %b) applies stablehlo.add across dimensions = [0]
        : (tensor<4xf32>, tensor<f32>) -> tensor<f32>"""
    types, zero = {"types": ["tensor<4xf32>", "tensor<f32>"], "result": "tensor<f32>"}, np.float32(0)

    def change(value):
        return value + np.float32(1)

    cancelling = compared(change, body, np.float32([1e8, 1, -1e8, 1]), zero, **types)
    assert cancelling.verdict == "same"
    assert "rounding explains" in str(cancelling.tolerance)
    assert compared(change, body, np.float32([1, 2, 3, 4]), zero, **types).verdict == "differs"


@pytest.mark.parametrize(
    ("planted", "lower", "verdict"),
    [("upper", "true", "implementation-defined"), ("negated", "true", "differs"), later("upper", "false", "differs")],
)
def test_the_other_triangle_of_a_decomposition_is_open(planted, lower, verdict):
    module = stablehlo_py.parse(f"""func.func @main(%x: tensor<3x3xf32>) -> tensor<3x3xf32> {{
      %t = stablehlo.transpose %x, dims = [1, 0] : (tensor<3x3xf32>) -> tensor<3x3xf32>
      %p = stablehlo.dot_general %x, %t, contracting_dims = [1] x [0]
        : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
      %0 = "stablehlo.cholesky"(%p) {{lower = {lower}, planted = "{planted}"}} : (tensor<3x3xf32>) -> tensor<3x3xf32>
      %1 = stablehlo.reverse %0, dims = [0] : tensor<3x3xf32>
      return %1 : tensor<3x3xf32> }}""")
    arguments = [np.float32([[2, 0, 0], [1, 3, 0], [0.5, 0.25, 4]])]
    planted = Here("planted", planted_engine.backend())
    (entry,) = compare(module, [Local(), planted], arguments=[arguments]).results
    assert entry.verdict == verdict
    assert ["triangle" in reason for reason in entry.open_ops] == ([True] if verdict != "differs" else [])


def test_what_a_program_does_not_have_is_named():
    module = stablehlo_py.parse(f"func.func @main(%a: {ROW}) -> {ROW} {{ return %a : {ROW} }}")
    names = ["reference", "reference"]
    for key, message in (("1", "result 1, but the program has 1"), ("f33", "no element type")):
        with pytest.raises(UsageError, match=message):
            compare(module, names, tolerances={key: Tolerance()})
    with pytest.raises(UsageError, match="argument 3, but the program has 1"):
        compare(module, names, distributions=read_distributions(["3=zeros"]))
    for wrong in ("uniform(2,1)", "uniform(0,inf)", "uniform(nan,1)"):
        with pytest.raises(UsageError, match="not a range"):
            read_distributions([wrong])
    huge = examine(stablehlo_py.parse("func.func @main(%a: tensor<1000000x1000000000xf32>) { return }"))
    with pytest.raises(InputError, match=r"argument 0 of type .* does not fit into memory"):
        draw_arguments(huge.function, 0)
