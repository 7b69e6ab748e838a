"""Bounded dimensions at the border of the engine `xla`: one answer of all verbs, cut to its sizes."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import stablehlo_py
from stablehlo_py.bindings.types import TypeReader, element_type
from stablehlo_py.bindings.walk import body_of, functions
from stablehlo_py.debug.bisect import bisect
from stablehlo_py.debug.compare import compare
from stablehlo_py.debug.judge import judge
from stablehlo_py.debug.programs.inputs import draw_arguments
from stablehlo_py.debug.programs.subject import examine
from stablehlo_py.engines import open_engine
from stablehlo_py.engines.xla_bounds import enter

ROWS = "tensor<?x2xf32, #stablehlo.bounds<3, ?>>"
PROGRAM = f"""func.func @main(%x: tensor<3x2xf32>, %n: tensor<i32>) -> ({ROWS}, tensor<2xf32>, tensor<i32>, {ROWS}) {{
  %d = stablehlo.set_dimension_size %x, %n, dim = 0 : (tensor<3x2xf32>, tensor<i32>) -> {ROWS}
  %s = stablehlo.add %d, %d : {ROWS}
  %z = stablehlo.constant dense<1.0> : tensor<f32>
  %p = stablehlo.reduce(%s init: %z) applies stablehlo.multiply across dimensions = [0]
    : ({ROWS}, tensor<f32>) -> tensor<2xf32>
  %g = stablehlo.get_dimension_size %s, dim = 0 : ({ROWS}) -> tensor<i32>
  %o = "stablehlo.sort"(%d) <{{dimension = 0 : i64, is_stable = true}}> ({{
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %less = stablehlo.compare LT, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  }}) : ({ROWS}) -> {ROWS}
  return %s, %p, %g, %o : {ROWS}, tensor<2xf32>, tensor<i32>, {ROWS}
}}"""
X = np.arange(6, dtype=np.float32)[::-1].reshape(3, 2)


@pytest.fixture(scope="module")
def engines():
    with open_engine("reference") as reference, open_engine("xla") as xla:
        yield reference, xla


def identity(element: str, shape: str, bounds: str) -> str:
    """A program that returns its argument, with attributes, and each size."""
    type_ = f"tensor<{shape}x{element}, #stablehlo.bounds<{bounds}>>"
    dimensions = range(bounds.count(",") + 1)
    sizes = [f"  %{d} = stablehlo.get_dimension_size %x, dim = {d} : ({type_}) -> tensor<i32>" for d in dimensions]
    names, types = "".join(f", %{d}" for d in dimensions), ", tensor<i32>" * len(dimensions)
    results = f'{type_} {{jax.result_info = "r"}}{types}'
    lines = [f"func.func @main(%x: {type_} {{jax.buffer_donor = true}}) -> ({results}) {{", *sizes]
    return "\n".join([*lines, f"  return %x{names} : {type_}{types}", "}"])


def test_results_are_cut_to_their_sizes(engines):
    for size in range(4):
        reference, xla = (engine.run(PROGRAM.encode(), [X, np.int32(size)]) for engine in engines)
        assert reference.ok, reference
        assert xla.ok, xla
        for one, other in zip(reference.results, xla.results, strict=True):
            np.testing.assert_array_equal(one, other, strict=True)


def test_arguments_of_bounded_types_are_taken_in_every_size(engines):
    wrong = list[str]()
    shapes = (("?", "3", (2,)), ("?x2x?", "4, ?, 3", (3, 2, 1)), ("?x?", "2, 2", (0, 2)))
    elements = ("f32", "bf16", "i1", "ui4", "f8E5M2", "complex<f32>", "i64", "f32", "f32")
    for element, (shape, bounds, sizes) in zip(elements, 3 * shapes, strict=True):
        dtype = element_type(element).dtype
        text = identity(element, shape, bounds)
        argument = (np.arange(np.prod(sizes)) % 2 + 1).astype(dtype).reshape(sizes)
        outcome = engines[1].run(text.encode(), [argument])
        results = [np.asarray(result).tolist() for result in outcome.results]
        if results != [argument.tolist(), *sizes]:
            wrong.append(f"{element} {sizes}: {outcome} {results}")
    assert not wrong


def test_an_argument_above_its_bound_is_an_error(engines):
    outcome = engines[1].run(identity("f32", "?", "3").encode(), [np.ones(4, np.float32)])
    assert outcome.status == "error"
    assert "argument 0 is an array of shape [4], expected one of tensor<?xf32, #stablehlo.bounds<3>>" in outcome.message


def test_all_verbs_have_one_answer(engines):
    module, arguments = stablehlo_py.parse(PROGRAM), [X, np.int32(2)]
    assert compare(module, list(engines), samples=8).verdict == "same"
    assert compare(module, list(engines), arguments=[arguments]).verdict == "same"
    found = judge(module, [engines[1]], reference=engines[0], arguments=arguments)
    assert [judgement.verdict for judgement in found.judgements] == ["permitted"]
    assert "not wrong" in str(bisect(examine(module), arguments, *engines))


def test_sizes_are_drawn_within_their_bounds():
    module = stablehlo_py.parse(
        f"func.func @main(%a: {ROWS}, %x: tensor<5xf32>, %n: tensor<i32>) {{\n"
        "%0 = stablehlo.set_dimension_size %x, %n, dim = 0 : (tensor<5xf32>, tensor<i32>)"
        " -> tensor<?xf32, #stablehlo.bounds<5>>\nreturn }"
    )
    drawn = [draw_arguments(functions(module.operation)["main"], seed) for seed in range(40)]
    assert {rows.shape for rows, *_ in drawn} == {(size, 2) for size in (1, 2, 3)}
    assert {int(size) for *_, size in drawn} == set(range(6))


MUST_ALIAS = """module attributes {mhlo.input_output_alias = [{alias = {kind = "must_alias",
    parameter_index = array<i64>, parameter_number = 1 : i64}, output_index = array<i64>}]} {
  func.func @main(%x: tensor<3xf32>, %y: tensor<3xf32>) -> tensor<3xf32> {
    %0 = stablehlo.add %x, %y : tensor<3xf32>
    return %0 : tensor<3xf32>
  }
}"""


def test_must_alias_is_noted_once(engines, monkeypatch):
    arguments = [np.ones(3, np.float32)] * 2
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        results = [engines[1].run(MUST_ALIAS.encode(), arguments).results[0].tolist() for _ in range(2)]
    assert results == [[2, 2, 2]] * 2
    message = "engine xla: must-alias is taken for may-alias, since arguments are copied and not donated"
    assert [str(each.message) for each in caught] == [message]
    module = stablehlo_py.parse(MUST_ALIAS)
    said = list[str]()
    monkeypatch.setattr(engines[1], "say", said.append)
    found = judge(module, [engines[1]], reference=engines[0], arguments=arguments)
    assert [judgement.verdict for judgement in found.judgements] == ["permitted"]
    assert said == [message]


def test_each_of_several_results_may_alias_an_argument_where_it_must(engines, monkeypatch):
    monkeypatch.setattr(engines[1], "say", list[str]().append)
    entry = (
        '{alias = {kind = "%s_alias", parameter_index = array<i64>, parameter_number = %d : i64}, output_index = [%d]}'
    )
    for kinds in (("must", "must"), ("may", "must"), ("must", "may"), ("may", "may")):
        entries = ", ".join(entry % (kind, n, n) for n, kind in enumerate(kinds)).replace("= [", "= array<i64: ")
        text = f"""module attributes {{mhlo.input_output_alias = [{entries.replace("]}", ">}")}]}} {{
          func.func @main(%x: tensor<3xf32>, %y: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {{
            %0 = stablehlo.add %x, %y : tensor<3xf32>
            %1 = stablehlo.subtract %x, %y : tensor<3xf32>
            return %0, %1 : tensor<3xf32>, tensor<3xf32>
          }}
        }}"""
        given = [np.full(3, 5, np.float32), np.full(3, 2, np.float32)]
        outcome = engines[1].run(text.encode(), given)
        assert [array.tolist() for array in outcome.results] == [[7] * 3, [3] * 3], (kinds, str(outcome))
        assert [array[0] for array in given] == [5, 2], "arguments stay what they are"


def test_arguments_behind_static_ones_are_padded_too():
    texts = ["tensor<2xf32>", "!stablehlo.token", ROWS, "tensor<i32>", "tensor<?x?xi8, #stablehlo.bounds<2, 4>>"]
    parameters = ", ".join(f"%{number}: {text}" for number, text in enumerate(texts))
    module = stablehlo_py.parse(f"func.func @main({parameters}) {{ return }}")
    reader = TypeReader()
    types = [reader[argument.type] for argument in body_of(functions(module.operation)["main"]).arguments]
    given = [np.ones(2, "f4"), np.zeros(0, "?"), np.ones((1, 2), "f4"), np.int32(7), np.ones((2, 3), "i1")]
    *arrays, rows, one, other = enter([np.asarray(each) for each in given], types)
    assert [int(size) for size in (rows, one, other)] == [1, 2, 3]
    assert [array.shape for array in arrays] == [(2,), (0,), (3, 2), (), (2, 4)]
    assert [float(array.sum()) for array in arrays] == [2, 0, 2, 7, 6]
