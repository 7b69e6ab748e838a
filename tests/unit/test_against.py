"""Two exports of one model are matched op by op, and the op at which they part is named."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

import stablehlo_py
from stablehlo_py.debug import examine
from stablehlo_py.debug.against import trace_against
from stablehlo_py.debug.inputs import Distribution, draw_arguments
from stablehlo_py.debug.matching import match
from stablehlo_py.engines import Engine, open_engine
from stablehlo_py.errors import InputError

pytestmark = pytest.mark.usefixtures("importable")  # engines start with `planted_engine` at hand

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


def exported(function, dtype):
    shapes = [jax.ShapeDtypeStruct(shape, dtype) for shape in ((4, 16), (16, 16))]
    module = jax.jit(function).lower(*shapes).compiler_ir("stablehlo")
    return examine(stablehlo_py.parse(module.operation.get_asm(enable_debug_info=True)))


@pytest.fixture(scope="module")
def reference():
    with open_engine("reference") as engine:
        yield engine


def line_of(text):
    """The line of this file in which a text stands first."""
    source = inspect.getsource(norm).splitlines()
    start = norm.__code__.co_firstlineno
    return next(start + number for number, line in enumerate(source) if text in line)


@pytest.mark.parametrize("function", [perceptron, loop])
def test_a_program_matches_itself_in_every_op(function, reference):
    subject = exported(function, "float32")
    found = match(subject, exported(function, "float32"))
    assert found.partners == {number: number for number in range(len(subject.ops))}
    arguments = draw_arguments(subject.function, 0)
    traced = trace_against(subject, exported(function, "float32"), arguments, reference, reference)
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


@pytest.mark.parametrize("types", [("bfloat16", "float32"), ("float32", "bfloat16")])
def test_two_precisions_part_where_the_variance_cancels(types, reference):
    subject, other = (exported(perceptron, dtype) for dtype in types)
    found = trace_against(subject, other, draw_arguments(subject.function, 0), reference, reference)
    assert found.first is None  # each op is right by itself
    assert found.parting.place.op == "stablehlo.subtract"
    assert f"test_against.py:{line_of('var =')}:" in found.parting.place.location
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


def test_an_op_that_is_wrong_in_one_program_is_wrong_locally(reference, importable):
    text = """func.func @main(%a: tensor<4xELEMENT>) -> tensor<4xELEMENT> {
      %0 = stablehlo.sine %a : tensor<4xELEMENT>
      %1 = stablehlo.exponential %0 {planted = "negated"} : tensor<4xELEMENT>
      %2 = stablehlo.sine %1 : tensor<4xELEMENT>
      return %2 : tensor<4xELEMENT> }"""
    subject, other = (examine(stablehlo_py.parse(text.replace("ELEMENT", element))) for element in ("f16", "f32"))
    arguments = [np.float16([0.5, -1, 2, 3])]
    assert trace_against(subject, other, arguments, reference, reference).first is None
    with Engine("planted", "planted_engine:backend") as planted:
        found = trace_against(subject, other, arguments, reference, planted)
    assert [row.place.number for row in found.rows if row.wrong] == [1]
    assert found.program is not None


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
