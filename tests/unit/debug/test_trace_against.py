"""Two exports of one model are matched op by op, and the op at which they part is named."""

from __future__ import annotations

import inspect
import time
from functools import cache

import numpy as np
import planted_engine
import pytest
from speeds import later
from swapped_engine import Here

import stablehlo_py
from stablehlo_py.debug import bisect, examine
from stablehlo_py.debug.allowed.spread import Local
from stablehlo_py.debug.judge import judge
from stablehlo_py.debug.programs.inputs import Distribution, draw_arguments
from stablehlo_py.debug.tracing.against import trace_against
from stablehlo_py.debug.tracing.changes import changes, match
from stablehlo_py.errors import InputError

jax = pytest.importorskip("jax")


def norm(x):
    mean = jax.numpy.mean(x, -1, keepdims=True)
    var = jax.numpy.mean(x * x, -1, keepdims=True) - mean * mean
    return (x - mean) * jax.lax.rsqrt(var + 1e-6).astype(x.dtype)


def perceptron(x, w):
    hidden = jax.numpy.tanh(x @ w)
    with jax.named_scope("head"):
        return jax.nn.softmax(norm(hidden + 8) @ w)


def loop(x, w):
    def step(h, _):
        return jax.numpy.tanh(norm(h @ w)), None

    return jax.lax.scan(step, x, None, length=3)[0]


@cache
def exported(function, dtype):
    return exported_anew(function, dtype)


def exported_anew(function, dtype):
    shapes = [jax.ShapeDtypeStruct(shape, dtype) for shape in ((4, 16), (16, 16))]
    module = jax.jit(function).lower(*shapes).compiler_ir("stablehlo")
    return examine(stablehlo_py.parse(module.operation.get_asm(enable_debug_info=True)))


@pytest.fixture(scope="module")
def reference():
    return Local()


def line_of(text):
    """The line of this file in which a text stands first."""
    source = inspect.getsource(norm).splitlines()
    start = norm.__code__.co_firstlineno
    return next(start + number for number, line in enumerate(source) if text in line)


@pytest.mark.parametrize("function", [later(perceptron), loop])
def test_a_program_matches_itself_in_every_op(function, reference):
    subject, other = exported(function, "float32"), exported_anew(function, "float32")
    found = match(subject, other)
    assert found.partners == {number: number for number in range(len(subject.ops))}
    arguments = draw_arguments(subject.function, 0)
    traced = trace_against(subject, other, arguments, reference, reference)
    assert traced.first is traced.parting is None
    assert all(row.local is not None and row.local.max_ulp == 0 == row.accumulated.max_ulp for row in traced.rows)


def test_conversions_are_looked_through():
    subject, other = exported(perceptron, "bfloat16"), exported(perceptron, "float32")
    found = match(subject, other)
    matched = [(subject.ops[a].name, other.ops[b].name) for a, b in found.partners.items()]
    assert all(a == b for a, b in matched)
    unmatched = [op.name for number, op in enumerate(subject.ops) if number not in found.partners]
    assert set(unmatched) <= {"stablehlo.convert"}
    assert len(found.partners) == len(other.ops)


@pytest.mark.parametrize("types", [("bfloat16", "float32"), later(("float32", "bfloat16"))])
def test_two_precisions_part_where_the_variance_cancels(types, reference):
    subject, other = (exported(perceptron, dtype) for dtype in types)
    found = trace_against(subject, other, draw_arguments(subject.function, 0), reference, reference)
    assert found.first is None  # each op is right by itself
    assert found.parting.place.op == "stablehlo.subtract"
    assert f"test_trace_against.py:{line_of('var =')}:" in found.parting.place.location
    assert found.parting.place.name_stack == "jit(perceptron)/head/sub"
    assert found.parting.partner.op == "stablehlo.subtract"
    assert found.first_by("compiled").place == found.parting.place
    assert "have a partner" in str(found)


def test_loops_are_looked_into(reference):
    subject, other = (exported(loop, dtype) for dtype in ("bfloat16", "float32"))
    arguments = draw_arguments(subject.function, 0, {None: Distribution("uniform", 20, 21)})
    found = trace_against(subject, other, arguments, reference, reference)
    assert found.parting.place.op == "stablehlo.while"
    inside = found.parting.inside
    assert inside.place.op == "stablehlo.subtract"
    assert inside.place.path == ("#1 stablehlo.while body, iteration 0",)
    assert f":{line_of('var =')}:" in inside.place.location


def test_an_op_that_is_wrong_in_one_program_is_wrong_locally(reference):
    text = """func.func @main(%a: tensor<4xELEMENT>) -> tensor<4xELEMENT> {
      %0 = stablehlo.sine %a : tensor<4xELEMENT>
      %1 = stablehlo.exponential %0 {planted = "negated"} : tensor<4xELEMENT>
      %2 = stablehlo.sine %1 : tensor<4xELEMENT>
      return %2 : tensor<4xELEMENT> }"""
    subject, other = (examine(stablehlo_py.parse(text.replace("ELEMENT", element))) for element in ("f16", "f32"))
    arguments = [np.float16([0.5, -1, 2, 3])]
    assert trace_against(subject, other, arguments, reference, reference).first is None
    planted = Here("planted", planted_engine.backend())
    found = trace_against(subject, other, arguments, reference, planted)
    assert [row.place.number for row in found.rows if row.wrong] == [1]
    assert found.program is not None


def test_constants_of_equal_value_are_equal_and_no_cause(reference):
    """The zero that one program shares and the other has twice does not keep ops from being measured."""
    text = """func.func @main(%a: tensor<4xELEMENT>) -> tensor<4xELEMENT> {
      %z = stablehlo.constant dense<0.0> : tensor<4xELEMENT>
      %0 = stablehlo.maximum %a, %z : tensor<4xELEMENT>
      SECOND
      %1 = stablehlo.subtract %ZERO, %0 : tensor<4xELEMENT>
      %2 = stablehlo.exponential %1 {planted = "negated"} : tensor<4xELEMENT>
      return %2 : tensor<4xELEMENT> }"""
    second = "%y = stablehlo.constant dense<0.0> : tensor<4xf16>"
    half = text.replace("SECOND", second).replace("ZERO", "y").replace("ELEMENT", "f16")
    single = text.replace("SECOND", "").replace("ZERO", "z").replace("ELEMENT", "f32")
    subject, other = (examine(stablehlo_py.parse(one)) for one in (half, single))
    planted = Here("planted", planted_engine.backend())
    found = trace_against(subject, other, [np.float16([0.5, -1, 2, 3])], reference, planted)
    assert found.culprit.op == "stablehlo.exponential"
    assert all(row.local is not None for row in found.rows)
    assert not found.changes
    assert not found.cause


LOOP = """func.func @main(%a: tensor<4xELEMENT>) -> tensor<4xELEMENT> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %end = stablehlo.constant dense<3> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %x = %a) : tensor<i32>, tensor<4xELEMENT>
   cond {
    %less = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %next = stablehlo.add %i, %one : tensor<i32>
    %y = stablehlo.sine %x : tensor<4xELEMENT>
    %w = stablehlo.add %y, %y {planted = "negated"} : tensor<4xELEMENT>
    stablehlo.return %next, %w : tensor<i32>, tensor<4xELEMENT>
  }
  return %0#1 : tensor<4xELEMENT> }"""


def test_the_first_wrong_op_is_in_the_body_of_the_loop(reference):
    subject, other = (examine(stablehlo_py.parse(LOOP.replace("ELEMENT", element))) for element in ("f16", "f32"))
    planted = Here("planted", planted_engine.backend())
    found = trace_against(subject, other, [np.float16([0.5, -1, 2, 3])], reference, planted)
    assert found.culprit.op == "stablehlo.add"
    assert found.culprit.path[0].endswith("stablehlo.while body, iteration 0")
    assert str(found).splitlines()[-1].startswith(("  ", "result 0 differs"))
    assert not found.cause


def test_an_op_in_a_loop_that_is_wrong_alone_is_shown_alone(reference):
    subject = examine(stablehlo_py.parse(LOOP.replace("ELEMENT", "f32")))
    arguments, seen = [np.float32([0.5, -1, 2, 3])], []
    planted = Here("planted", planted_engine.backend())
    given = {"reference": reference, "arguments": arguments, "progress": lambda *counts: seen.append(counts)}
    programs = [
        bisect(subject, arguments, reference, planted).program,
        judge(subject.source, [planted], **given).judgements[0].program,
    ]
    assert seen[0] == (3, 3)
    for program in programs:
        alone = examine(program)
        assert [op.name for op in alone.ops] == ["stablehlo.add"]


def test_what_only_a_loop_uses_is_kept_until_then(reference):
    text = """func.func @main(%a: tensor<4xELEMENT>) -> tensor<4xELEMENT> {
      %0 = stablehlo.abs %a : tensor<4xELEMENT>
      %1 = stablehlo.sine %a : tensor<4xELEMENT>
      %2 = stablehlo.cosine %1 : tensor<4xELEMENT>
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %3:2 = stablehlo.while(%i = %zero, %x = %2) : tensor<i32>, tensor<4xELEMENT>
       cond {
        %end = stablehlo.constant dense<2> : tensor<i32>
        %less = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %less : tensor<i1>
      } do {
        %one = stablehlo.constant dense<1> : tensor<i32>
        %next = stablehlo.add %i, %one : tensor<i32>
        %y = stablehlo.add %x, %0 : tensor<4xELEMENT>
        stablehlo.return %next, %y : tensor<i32>, tensor<4xELEMENT>
      }
      return %3#1 : tensor<4xELEMENT> }"""
    subject, other = (examine(stablehlo_py.parse(text.replace("ELEMENT", element))) for element in ("f16", "f32"))
    found = trace_against(subject, other, [np.float16([0.5, -1, 2, 3])], reference, reference, cap=1)
    assert not found.note
    assert found.rows[-1].place.op == "stablehlo.while"
    assert found.rows[-1].local is not None


def test_programs_with_other_arguments_are_refused(reference):
    one, two = (
        examine(stablehlo_py.parse(f"func.func @main(%a: {type_}) -> {type_} {{ return %a : {type_} }}"))
        for type_ in ("tensor<2xf32>", "tensor<3xf32>")
    )
    with pytest.raises(InputError, match="different arguments"):
        match(one, two)
    with pytest.raises(InputError, match="no op in common"):
        trace_against(one, one, [np.float32([1, 2])], reference, reference)


def test_long_programs_are_matched():
    def text(element, extra):
        type_ = f"tensor<2x{element}>"
        lines = [f"%{n} = stablehlo.sine {'%a' if not n else f'%{n - 1}'} : {type_}" for n in range(5000)]
        lines[2500:2500] = [f"%x{n} = stablehlo.abs %a : {type_}" for n in range(extra)]
        return "\n".join([f"func.func @main(%a: {type_}) -> {type_} {{", *lines, f"return %4999 : {type_} }}"])

    one, two = (examine(stablehlo_py.parse(text(*how))) for how in (("bf16", 0), ("f32", 7)))
    assert len(match(one, two).partners) == 5000


MODEL = """func.func @main(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %c = stablehlo.constant dense<0.5> : tensor<4xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.multiply %a, %c : tensor<4xf32>
  %1 = stablehlo.add %0, %b : tensor<4xf32>
  %2 = stablehlo.tanh %1 : tensor<4xf32>
  %3 = stablehlo.reverse %2, dims = [0] : tensor<4xf32>
  %4 = stablehlo.reduce(%3 init: %z) applies stablehlo.add across dimensions = [0]
    : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  %5 = stablehlo.broadcast_in_dim %4, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %6 = stablehlo.add %5, %2 : tensor<4xf32>
  return %6 : tensor<4xf32>
}"""
NARROWED = """%w = stablehlo.convert %0 : (tensor<4xf32>) -> tensor<4xbf16>
  %x = stablehlo.convert %w : (tensor<4xbf16>) -> tensor<4xf32>
  %1 = stablehlo.add %x, %b : tensor<4xf32>"""


def against_model(text, reference):
    subject, other = (examine(stablehlo_py.parse(one)) for one in (text, MODEL))
    arguments = [np.float32([0.3, -1.1, 2.7, 0.01]), np.float32([0.2, 0.5, -0.3, 0.4])]
    return trace_against(subject, other, arguments, reference, reference)


@pytest.mark.parametrize(
    ("before", "after", "cause"),
    [
        ("%1 = stablehlo.add", "%1 = stablehlo.subtract",
         "#3 stablehlo.subtract at <string>:5:8 stands where the other program has #3 stablehlo.add"),
        ("dense<0.5> : tensor<4xf32>", "dense<0.25> : tensor<4xf32>",
         "#0 stablehlo.constant at <string>:2:8 is [0.25, 0.25, 0.25, 0.25] where #0 stablehlo.constant of the other "
         "program is [0.5, 0.5, 0.5, 0.5]"),
        ("applies stablehlo.add", "applies stablehlo.maximum",
         "#6 stablehlo.reduce at <string>:8:24 has stablehlo.maximum in a region where #6 stablehlo.reduce of the "
         "other program has stablehlo.add"),
        ("stablehlo.reverse %2, dims = [0]", "stablehlo.abs %2",
         "#5 stablehlo.abs at <string>:7:8 stands where the other program has #5 stablehlo.reverse"),
        ("%1 = stablehlo.add %0, %b : tensor<4xf32>", NARROWED,
         "#3 stablehlo.convert at <string>:5:8 rounds from f32 to bf16 in this program only"),
        ("add %5, %2 : tensor<4xf32>", "add %5, %5 : tensor<4xf32>",
         "#8 stablehlo.add at <string>:11:8 takes other values than #8 stablehlo.add of the other program"),
    ],
)  # fmt: skip
def test_the_likeliest_cause_is_named(before, after, cause, reference):
    changed = MODEL.replace(before, after)
    assert changed != MODEL
    found = against_model(changed, reference)
    assert found.exit_code == 1
    assert found.cause == cause
    assert found.apart.startswith("result 0 differs")
    assert f"likeliest cause: {cause}" in str(found)
    assert found.changes.count(cause) == 1


def test_ops_of_one_program_are_listed_in_order(reference):
    changed = MODEL.replace("%2 = stablehlo.tanh %1", "%y = stablehlo.abs %1 : tensor<4xf32>\n  %2 = stablehlo.tanh %y")
    changed = changed.replace("%3 = stablehlo.reverse %2, dims = [0] : tensor<4xf32>\n", "").replace(
        "%3 init", "%2 init"
    )
    assert against_model(changed, reference).changes == (
        "#4 stablehlo.abs at <string>:6:8 is in this program only",
        "#5 stablehlo.reverse at <string>:7:8 is in the other program only",
    )


def test_a_program_against_itself_is_whole(reference):
    """Conversions have partners, too, and values that are equal are not apart by the rounding of the narrowest type."""
    text = MODEL.replace("%1 = stablehlo.add %0, %b : tensor<4xf32>", NARROWED)
    subject, other = (examine(stablehlo_py.parse(text)) for _ in "ab")
    assert match(subject, other).partners == {number: number for number in range(len(subject.ops))}
    arguments = [np.float32([0.3, -1.1, 2.7, 0.01]), np.float32([0.2, 0.5, -0.3, 0.4])]
    found = trace_against(subject, other, arguments, reference, reference)
    assert (found.exit_code, found.changes, found.cause, found.apart) == (0, (), "", "")
    assert all(row.local.max_ulp == row.accumulated.max_ulp == 0 for row in found.rows)


def test_many_changes_take_time_in_proportion():
    """All but the first stand for none, as they take other values."""

    def text(name):
        lines = [f"%{n} = stablehlo.{name} {'%a' if not n else f'%{n - 1}'} : tensor<f32>" for n in range(4000)]
        return "\n".join(["func.func @main(%a: tensor<f32>) -> tensor<f32> {", *lines, "return %3999 : tensor<f32> }"])

    one, two = (examine(stablehlo_py.parse(text(name))) for name in ("sine", "cosine"))
    started = time.process_time()
    found = changes(match(one, two), one, two)
    assert time.process_time() - started < 8
    assert len(found) == 2 * 4000 - 1
    assert found[0].text.endswith(" stands where the other program has #0 stablehlo.cosine")
    assert found[-1].text.endswith(" is in the other program only")


CAPTURING = """
func.func @main(%x: tensor<4xELEMENT>, %w: tensor<4xELEMENT>, %v: tensor<4xELEMENT>) -> tensor<4xELEMENT> {{
  %count = stablehlo.constant dense<0> : tensor<i32>
  %r:2 = stablehlo.while(%i = %count, %h = %x) : tensor<i32>, tensor<4xELEMENT>
    cond {{
      %limit = stablehlo.constant dense<3> : tensor<i32>
      %more = stablehlo.compare LT, %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    }} do {{
      {body}
      %one = stablehlo.constant dense<1> : tensor<i32>
      %next = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %next, %s : tensor<i32>, tensor<4xELEMENT>
    }}
  return %r#1 : tensor<4xELEMENT>
}}"""
IN_ORDER = """%p = stablehlo.multiply %h, %w : tensor<4xELEMENT>
      %q = stablehlo.FUNCTION %p : tensor<4xELEMENT>
      %s = stablehlo.add %q, %v : tensor<4xELEMENT>"""


@pytest.mark.parametrize(
    "others",
    [
        IN_ORDER,
        IN_ORDER.replace("multiply %h, %w", "multiply %w, %h").replace("%q, %v", "%v, %q"),
        # it captures %v first, and the argument %x that the first program's loop does not capture
        IN_ORDER.replace("%p = ", "%u = stablehlo.maximum %v, %x : tensor<4xELEMENT>\n      %p = "),
    ],
)
def test_loops_that_capture_values_are_entered_whatever_the_order_of_these(others, reference):
    programs = [
        CAPTURING.format(body=body).replace("ELEMENT", element).replace("FUNCTION", function)
        for body, element, function in ((IN_ORDER, "bf16", "sine"), (others, "f32", "cosine"))
    ]
    subject, other = (examine(stablehlo_py.parse(text)) for text in programs)
    found = trace_against(subject, other, draw_arguments(subject.function, 0), reference, reference)
    assert found.parting.inside is not None
    assert found.parting.inside.place.path == ("#1 stablehlo.while body, iteration 0",)


def test_loops_that_carry_other_values_are_not_entered(reference):
    texts = [CAPTURING.format(body=IN_ORDER).replace("ELEMENT", "f32").replace("FUNCTION", function)
             for function in ("sine", "cosine")]  # fmt: skip
    carried, swapped = "tensor<i32>, tensor<4xf32>", "tensor<4xf32>, tensor<i32>"
    other = texts[1].replace(f"%i = %count, %h = %x) : {carried}", f"%h = %x, %i = %count) : {swapped}")
    other = other.replace(f"%next, %s : {carried}", f"%s, %next : {swapped}").replace("return %r#1", "return %r#0")
    subject, other = (examine(stablehlo_py.parse(text)) for text in (texts[0], other))
    found = trace_against(subject, other, draw_arguments(subject.function, 0), reference, reference)
    assert found.apart
    assert all(row.inside is None for row in found.rows)
