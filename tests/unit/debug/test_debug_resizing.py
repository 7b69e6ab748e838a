"""Sizes become smaller together with all that depend on them."""

from __future__ import annotations

from itertools import groupby

import numpy as np
import pytest
from test_debug_reduction import reduced

import stablehlo_py
from stablehlo_py.debug.reduction.resizing import resized_candidates
from stablehlo_py.debug.reduction.search import Candidate

JOINED = """func.func @main(%a: tensor<4x3xf32>, %b: tensor<4x3xf32>) -> tensor<24xf32> {
  %0 = stablehlo.concatenate %a, %b, dim = 0 : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<8x3xf32>
  %1 = stablehlo.reshape %0 : (tensor<8x3xf32>) -> tensor<24xf32>
  %2 = stablehlo.negate %1 {planted = "negated"} : tensor<24xf32>
  return %2 : tensor<24xf32> }"""
DENSE = """func.func @main(%a: tensor<8x8xf32>, %w: tensor<8x8xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.dot_general %a, %w, contracting_dims = [1] x [0]
    : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %c = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<8xf32>) -> tensor<8x8xf32>
  %1 = stablehlo.add %0, %c : tensor<8x8xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %2 = stablehlo.reduce(%1 init: %z) applies stablehlo.add across dimensions = [1]
    : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
  return %2 : tensor<8xf32> }"""
IMAGE = """func.func @main(%a: tensor<1x8x8x3xf32>, %k: tensor<3x3x3x4xf32>) -> tensor<1x6x6x4xf32> {
  %0 = stablehlo.convolution(%a, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {}
    {feature_group_count = 1 : i64, batch_group_count = 1 : i64}
    : (tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>) -> tensor<1x6x6x4xf32>
  return %0 : tensor<1x6x6x4xf32> }"""
PART = """func.func @main(%a: tensor<16x4xf32>) -> tensor<10x2xf32> {
  %0 = stablehlo.slice %a [2:12, 0:4:2] : (tensor<16x4xf32>) -> tensor<10x2xf32>
  return %0 : tensor<10x2xf32> }"""
ROWS = """func.func @main(%xs: tensor<9x4xf32>) -> tensor<9x4xf32> {
  %c = stablehlo.constant dense<9> : tensor<i32>
  %z = stablehlo.constant dense<0> : tensor<i32>
  %f = stablehlo.constant dense<0.0> : tensor<9x4xf32>
  %w:2 = stablehlo.while(%i = %z, %v = %f) : tensor<i32>, tensor<9x4xf32>
  cond { %p = stablehlo.compare LT, %i, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1> }
  do { %one = stablehlo.constant dense<1> : tensor<i32>
    %n = stablehlo.add %i, %one : tensor<i32>
    %s = stablehlo.dynamic_slice %xs, %i, %z, sizes = [1, 4]
      : (tensor<9x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
    %t = stablehlo.dynamic_update_slice %v, %s, %i, %z
      : (tensor<9x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<9x4xf32>
    stablehlo.return %n, %t : tensor<i32>, tensor<9x4xf32> }
  return %w#1 : tensor<9x4xf32> }"""
SQUARE = """func.func @main(%a: tensor<5x5xf32>, %p: tensor<i1>) -> tensor<5x5xf32> {
  %0 = "stablehlo.if"(%p) ({
    %i = stablehlo.iota dim = 0 : tensor<5x5xf32>
    %s = stablehlo.add %i, %a : tensor<5x5xf32>
    stablehlo.return %s : tensor<5x5xf32>
  }, { stablehlo.return %a : tensor<5x5xf32> }) : (tensor<i1>) -> tensor<5x5xf32>
  %c = stablehlo.constant dense<2.5> : tensor<5x5xf32>
  %1 = stablehlo.multiply %0, %c : tensor<5x5xf32>
  return %1 : tensor<5x5xf32> }"""


def start(text):
    module = stablehlo_py.parse(text)
    random = np.random.default_rng(0)
    types = [argument.type for argument in module.body.operations[0].regions[0].blocks[0].arguments]
    arguments = [
        np.bool_(True) if "i1" in str(type_) else random.standard_normal(tuple(type_.shape)).astype("f4")
        for type_ in types
    ]
    return Candidate(module, tuple(arguments))


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (JOINED, [((1, 3), (4, 3)), ((4, 3), (2, 3)), ((4, 1), (4, 1))]),
        (DENSE, [((1, 8), (8, 8), (8,)), ((8, 1), (1, 8), (8,)), ((8, 8), (8, 1), (1,)), ((2, 2), (2, 2), (2,))]),
        (IMAGE, [((1, 4, 8, 3), (3, 3, 3, 4)), ((1, 8, 8, 1), (3, 3, 1, 4)), ((1, 8, 8, 3), (1, 3, 3, 4))]),
        (PART, [((1, 4),), ((8, 4),), ((16, 2),)]),
        (ROWS, [((1, 4),), ((9, 1),)]),
        (SQUARE, [((1, 5), ()), ((5, 1), ())]),
    ],
    ids=["joined", "dense", "image", "part", "rows", "square"],
)
def test_all_that_depends_on_a_size_becomes_smaller_with_it(text, wanted):
    first = start(text)
    shapes = set()
    for made in filter(None, resized_candidates(first)):
        assert made.module.operation.verify()
        stablehlo_py.interpret(made.module, list(made.arguments))
        shapes.add(tuple(argument.shape for argument in made.arguments))
    assert shapes >= set(wanted)
    whole = sum(argument.size for argument in first.arguments)
    assert all(sum(map(np.prod, found)) <= whole for found in shapes)


def test_loops_run_as_often_as_there_are_rows():
    texts = [str(made.module) for made in filter(None, resized_candidates(start(ROWS)))]
    assert any("dense<2> : tensor<i32>" in text and "tensor<2x4xf32>" in text for text in texts)
    assert any("dense<9> : tensor<i32>" in text and "tensor<2x4xf32>" in text for text in texts)


def test_programs_whose_sizes_differ_are_reduced_to_few_elements():
    arguments = list(start(JOINED).arguments)
    found = reduced(JOINED, arguments)
    assert found.ops == 1
    assert sum(argument.size for argument in found.arguments) == 1


def test_the_largest_sizes_become_smaller_first():
    text = "func.func @main(%a: tensor<3x9x5xf32>) -> tensor<3x9x5xf32> { return %a : tensor<3x9x5xf32> }"
    made = [one.arguments[0].shape for one in filter(None, resized_candidates(start(text)))]
    changed = [next(dim for dim in range(3) if shape[dim] != (3, 9, 5)[dim]) for shape in made]
    assert list(dict.fromkeys(changed)) == [1, 2, 0]
    assert [shape[1] for shape in made if shape[1] != 9][:1] == [1]


def test_both_ends_of_an_argument_are_tried():
    text = "func.func @main(%a: tensor<5xf32>) -> tensor<5xf32> { return %a : tensor<5xf32> }"
    first = Candidate(stablehlo_py.parse(text), (np.arange(5, dtype=np.float32),))
    made = {tuple(one.arguments[0].tolist()) for one in filter(None, resized_candidates(first))}
    assert made == {(0,), (4,), (0, 1), (3, 4), (0, 1, 2, 3), (1, 2, 3, 4)}


SMALL = {
    """func.func @main(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>) -> tensor<12xf32> {
      %0 = stablehlo.concatenate %a, %b, dim = 0 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
      %1 = stablehlo.reshape %0 : (tensor<4x3xf32>) -> tensor<12xf32>
      return %1 : tensor<12xf32> }""": [
        *("2x1 2x1 -> 4x1 4", "2x2 2x2 -> 4x2 8", "2x1 2x1 -> 4x1 4", "2x2 2x2 -> 4x2 8"),
        *("1x3 2x3 -> 3x3 9", "2x3 1x3 -> 3x3 9"),
    ],
    """func.func @main(%a: tensor<2x3xf32>, %b: tensor<3xf32>) -> tensor<2xf32> {
      %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
        : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2xf32>
      return %0 : tensor<2xf32> }""": [
        *("2x1 1 -> 2", "2x2 2 -> 2", "2x1 1 -> 2", "2x2 2 -> 2", "1x3 3 -> 1"),
    ],
    """func.func @main(%a: tensor<4x2xf32>) -> tensor<2x1xf32> {
      %0 = stablehlo.slice %a [1:4:2, 0:2:2] : (tensor<4x2xf32>) -> tensor<2x1xf32>
      return %0 : tensor<2x1xf32> }""": ["1x2 -> 0x1", "2x2 -> 1x1", "3x2 -> 1x1", "4x1 -> 3x1"],
    # nothing is known of the shapes of a call with two results
    """func.func @main(%a: tensor<3xf32>) -> tensor<6xf32> {
      %0:2 = stablehlo.custom_call @two(%a) : (tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>)
      %1 = stablehlo.concatenate %0#0, %a, dim = 0 : (tensor<3xf32>, tensor<3xf32>) -> tensor<6xf32>
      return %1 : tensor<6xf32> }""": ["1 -> 3 3 4", "2 -> 3 3 5"],
    # without elements
    """func.func @main(%a: tensor<0x4xf32>) -> tensor<3x0x4xf32> {
      %0 = stablehlo.broadcast_in_dim %a, dims = [1, 2] : (tensor<0x4xf32>) -> tensor<3x0x4xf32>
      return %0 : tensor<3x0x4xf32> }""": [
        *("0x1 -> 3x0x4", "0x2 -> 3x0x2", "0x3 -> 3x0x3"),
        *("0x1 -> 3x0x1", "0x2 -> 3x0x2", "0x3 -> 3x0x3", "0x4 -> 1x0x4", "0x4 -> 2x0x4"),
    ],
}  # fmt: skip


def shapes(candidate: Candidate | None) -> str:
    """The shapes of the arguments and of all results, which have to be those of the types."""
    assert candidate is not None
    given = ["x".join(map(str, argument.shape)) for argument in candidate.arguments]
    block = candidate.module.body.operations[0].regions[0].blocks[0]
    types = [str(value.type) for value in [*block.arguments, *[one for op in block.operations for one in op.results]]]
    found = [type_.removeprefix("tensor<").removesuffix("xf32>") for type_ in types]
    assert found[: len(given)] == given
    return f"{' '.join(given)} -> {' '.join(found[len(given) :])}"


@pytest.mark.parametrize("text", SMALL)
def test_each_size_gets_smaller_in_each_way(text: str) -> None:
    found = list(map(shapes, resized_candidates(start(text))))
    assert [(shape, len(list(alike))) for shape, alike in groupby(found)] == [(shape, 8) for shape in SMALL[text]]


def test_an_op_of_two_results_whose_shapes_follow_from_nothing_keeps_them():
    text = """func.func @main(%s: tensor<4xui64>) -> (tensor<4xui64>, tensor<3xf32>) {
      %0, %1 = stablehlo.rng_bit_generator %s, algorithm = DEFAULT : (tensor<4xui64>) -> (tensor<4xui64>, tensor<3xf32>)
      return %0, %1 : tensor<4xui64>, tensor<3xf32>
    }"""
    candidate = Candidate(stablehlo_py.parse(text), (np.arange(4, dtype=np.uint64),))
    assert list(resized_candidates(candidate)) == []


def test_of_shapes_that_fit_the_smallest_comes_first_and_then_the_largest():
    text = """func.func @main(%a: tensor<2x4xf32>) -> tensor<3x2x4xf32> {
      %0 = stablehlo.broadcast_in_dim %a, dims = [1, 2] : (tensor<2x4xf32>) -> tensor<3x2x4xf32>
      return %0 : tensor<3x2x4xf32> }"""
    found = [(shape, len(list(alike))) for shape, alike in groupby(map(shapes, resized_candidates(start(text))))]
    wanted = [("2x1 -> 3x2x4", 8), ("2x2 -> 1x2x2", 4), ("2x2 -> 3x2x2", 4), ("2x3 -> 2x2x3", 4)]
    assert found[:4] == wanted
