"""Single moves of a reduction: which programs it proposes, with which arguments, and in which order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

import ml_dtypes
import numpy as np
import pytest
from parsed import parsed
from swapped_engine import Swapped, program

from stablehlo_py.bindings import ir, make_context
from stablehlo_py.bindings.types import TensorType, decode_type
from stablehlo_py.bindings.walk import operations
from stablehlo_py.debug.allowed.spread import Local
from stablehlo_py.debug.reduction.predicates import Disagreement
from stablehlo_py.debug.reduction.reduce import reduce
from stablehlo_py.debug.reduction.resizing import resized_candidates
from stablehlo_py.debug.reduction.search import Candidate, Search
from stablehlo_py.debug.reduction.simplifying import (
    argument_candidates,
    attribute_candidates,
    first_part,
    last_part,
    merge_candidates,
    region_candidates,
    type_candidates,
    with_argument,
    with_program,
)

F = np.float32


def candidate(text: str, *arguments: np.ndarray) -> Candidate:
    return Candidate(parsed(text), arguments)


def ran(one: Candidate) -> list[list]:
    outcome = Local().run(one.bytecode(), one.arguments)
    assert outcome.ok, f"{outcome}: {one.module}"
    return [result.tolist() for result in outcome.results]


def real(found: Iterable[Candidate | None]) -> list[Candidate]:
    return [one for one in found if one is not None]


def tensor(text: str) -> TensorType:
    found = decode_type(ir.Type.parse(text, make_context()))
    assert isinstance(found, TensorType)
    return found


@pytest.mark.parametrize(
    ("shape", "type_", "first", "last"),
    [
        ((4,), "tensor<2xf32>", [0, 1], [2, 3]),
        ((4,), "tensor<4xf32>", [0, 1, 2, 3], [0, 1, 2, 3]),
        ((2, 3), "tensor<1x2xf32>", [[0, 1]], [[4, 5]]),
        ((2, 3), "tensor<2x1xf32>", [[0], [3]], [[2], [5]]),
        ((2, 3), "tensor<0x3xf32>", np.zeros((0, 3)), np.zeros((0, 3))),
        ((), "tensor<f32>", 0, 0),
        ((4,), "tensor<2x2xf32>", [0, 1, 2, 3], [0, 1, 2, 3]),  # of another rank, which does not fit
    ],
)
def test_an_argument_of_a_smaller_type_is_its_first_or_last_part(shape: tuple, type_: str, first: list, last: list):
    array = np.arange(np.prod(shape), dtype=F).reshape(shape)
    for part, expected in ((first_part, first), (last_part, last)):
        np.testing.assert_array_equal(part(array, tensor(type_)), np.asarray(expected, F), strict=True)


def test_a_program_takes_arguments_that_fit_all_of_its_types() -> None:
    text = "func.func @main(%x: {}, %y: {}) {{ return }}"
    given = candidate(text.format("tensor<3xf32>", "tensor<4xi32>"), F([1, 2, 3]), np.int32([4, 5, 6, 7]))
    smaller = parsed(text.format("tensor<2xf32>", "tensor<1xi32>"))
    found = with_program(given, smaller, first_part)
    assert found is not None
    assert (found.module, [one.tolist() for one in found.arguments]) == (smaller, [[1, 2], [4]])
    for types in (("tensor<2xf64>", "tensor<1xi32>"), ("tensor<2xf32>", "tensor<1xi64>"),
                  ("tensor<2xf32>", "tensor<5xi32>"), ("tensor<2xf32>", "tensor<1x1xi32>"),
                  ("tensor<?xf32>", "tensor<1xi32>"), ("tensor<2xf32>", "tensor<?xi32>")):  # fmt: skip
        other = parsed(text.format(*types))
        assert with_program(given, other, first_part) is None, types


def test_a_candidate_is_known_by_its_program_and_its_arguments() -> None:
    text = "func.func @main(%x: tensor<?x?xf32>, %y: tensor<?xf32>) { return }"
    x = F([[1, 2, 3], [4, 5, 6]])
    firsts = [x, x.T.copy(), x.reshape(3, 2), x[:1], x.view(np.int32), x * 0, x * -0.0]
    others = [*((first, x[0]) for first in firsts), (x, x[1]), (x, -x[0])]
    digests = [candidate(text, *each).digest(b"a") for each in others]
    assert len({*digests}) == len(others)
    assert candidate(text, np.asfortranarray(x), x[0]).digest(b"a") == digests[0]
    assert candidate(text, x, x[0]).digest(b"b") != digests[0]


THREE = """func.func @main(%a: tensor<2xf32>, %i: tensor<2xi32>, %b: tensor<2xf32>, %c: tensor<2xf32>)
    -> (tensor<2xf32>, tensor<2xi32>) {
  %0 = stablehlo.subtract %a, %b : tensor<2xf32>
  %1 = stablehlo.divide %0, %c : tensor<2xf32>
  return %1, %i : tensor<2xf32>, tensor<2xi32>
}"""


def test_the_first_of_two_parameters_of_a_type_takes_the_place_of_the_second() -> None:
    given = candidate(THREE, F([1, 2]), np.int32([3, 4]), F([5, 6]), F([7, 8]))
    found = real(merge_candidates(given))
    assert [[one.tolist() for one in each.arguments] for each in found] == [
        [[1, 2], [3, 4], [5, 6]],
        [[1, 2], [3, 4], [5, 6]],
        [[1, 2], [3, 4], [7, 8]],
    ]
    results = [ran(one)[0] for one in found]  # c is a, c is b, b is a
    np.testing.assert_allclose(results, [[-4, -2], [-4 / 5, -4 / 6], [0, 0]], rtol=1e-6)
    assert [ran(one)[1] for one in found] == [[3, 4]] * 3
    dynamic = "func.func @main(%a: tensor<?xf32>, %b: tensor<?xf32>) { return }"
    assert real(merge_candidates(candidate(dynamic, F([1]), F([2])))) == []


def test_one_argument_at_a_time_becomes_simple() -> None:
    given = candidate(THREE, F([1.25, 2]), np.int32([3, 4]), F([0, 0]), F([1, 1]))
    found = real(argument_candidates(given))
    changed = [[number for number in range(4) if one.arguments[number] is not given.arguments[number]] for one in found]
    assert all(len(each) == 1 for each in changed)
    assert {number for each in changed for number in each} == {0, 1, 3}  # zeros are the simplest
    assert [one.arguments[0].tolist() for one in found if one.arguments[0] is not given.arguments[0]] == [
        [0, 0], [1, 1], [1.25, 1.25], [1, 2], [F(1.2), 2]]  # fmt: skip
    assert [one.arguments[3].tolist() for one in found if one.arguments[3] is not given.arguments[3]] == [[0, 0]]
    other = with_argument(given, 1, np.int32([9, 9]))
    assert [one.tolist() for one in other.arguments] == [[1.25, 2], [9, 9], [0, 0], [1, 1]]
    assert given.arguments[1].tolist() == [3, 4]


@pytest.mark.parametrize(
    ("wide", "narrow", "dtype"),
    [("f64", "f32", np.float64), ("complex<f64>", "complex<f32>", np.complex128), ("i64", "i32", np.int64),
     ("ui64", "ui32", np.uint64), ("f32", "f16", F), ("f16", None, np.float16), ("i32", None, np.int32),
     ("bf16", None, ml_dtypes.bfloat16)],
)  # fmt: skip
def test_types_become_the_next_narrower_one(wide: str, narrow: str | None, dtype: type) -> None:
    text = f"func.func @main(%x: tensor<2x{wide}>, %p: tensor<i1>, %s: tensor<{wide}>) {{ return }}"
    given = candidate(text, np.array([1, 2], dtype), np.array(True), np.array(3, dtype))
    found = real(type_candidates(given))
    assert len(found) == (narrow is not None)
    for one in found:
        head = str(one.module).splitlines()[1].strip()
        assert head == f"func.func @main(%arg0: tensor<2x{narrow}>, %arg1: tensor<i1>, %arg2: tensor<{narrow}>) {{"
        assert [argument.tolist() for argument in one.arguments] == [[1, 2], True, 3]
        assert [argument.dtype.itemsize * 2 for argument in one.arguments[::2]] == [np.dtype(dtype).itemsize] * 2


def test_attributes_go_one_by_one_if_the_op_is_valid_without_them() -> None:
    text = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> attributes {mine.a = 1 : i32} {
      %0 = stablehlo.transpose %x, dims = [0] {mine.b = 2 : i32} : (tensor<2xf32>) -> tensor<2xf32>
      %1 = "stablehlo.sort"(%0) ({
        ^bb0(%p: tensor<f32>, %q: tensor<f32>):
        %c = stablehlo.compare LT, %p, %q {mine.c = 3 : i32} : (tensor<f32>, tensor<f32>) -> tensor<i1>
        stablehlo.return %c : tensor<i1>
      }) {is_stable = true, dimension = 0 : i64} : (tensor<2xf32>) -> tensor<2xf32>
      return %1 : tensor<2xf32> }"""
    given = candidate(text, F([2, 1]))
    words = ["mine.a", "mine.b", "mine.c", "is_stable", "dimension", "permutation"]
    gone = []
    for one in real(attribute_candidates(given)):
        shown = str(one.module.operation.get_asm(print_generic_op_form=True))
        gone.append([word for word in words if word not in shown])
        assert one.arguments is given.arguments
        assert ran(one) == [[1, 2]]
    assert all(len(each) == 1 for each in gone)
    found = [word for each in gone for word in each]
    assert len(found) == len({*found})
    assert {"mine.a", "mine.b", "mine.c"} <= {*found} <= {*words} - {"is_stable", "permutation"}


BRANCHES = """func.func @main(%x: tensor<2xf32>, %k: tensor<i32>) -> tensor<2xf32> {
  %i = "stablehlo.case"(%k) ({
    %a = stablehlo.negate %x : tensor<2xf32>
    stablehlo.return %a : tensor<2xf32>
  }, {
    %b = stablehlo.add %x, %x : tensor<2xf32>
    stablehlo.return %b : tensor<2xf32>
  }, {
    stablehlo.return %x : tensor<2xf32>
  }) : (tensor<i32>) -> tensor<2xf32>
  %z = stablehlo.constant dense<0> : tensor<i32>
  %r:2 = stablehlo.while(%n = %z, %v = %i) : tensor<i32>, tensor<2xf32> cond {
    %three = stablehlo.constant dense<3> : tensor<i32>
    %p = stablehlo.compare LT, %n, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %m = stablehlo.add %n, %one : tensor<i32>
    %w = stablehlo.multiply %v, %x : tensor<2xf32>
    stablehlo.return %m, %w : tensor<i32>, tensor<2xf32>
  }
  return %r#1 : tensor<2xf32>
}"""


@pytest.mark.parametrize("branch", [0, 1, 2])
def test_each_branch_and_one_round_of_a_loop_take_the_place_of_their_op(branch: int) -> None:
    given = candidate(BRANCHES, F([2, 3]), np.int32(branch))
    value = [lambda x: -x, lambda x: 2 * x, lambda x: x]
    x = F([2, 3])
    assert ran(given) == [(value[branch](x) * x**3).tolist()]
    found = real(region_candidates(given))
    # a branch alone needs no index any more, the body alone still chooses among branches
    assert [len(one.arguments) for one in found] == [1, 1, 1, 2]
    expected = [*(value[n](x) * x**3 for n in range(3)), value[branch](x) * x]
    assert [ran(one) for one in found] == [[each.tolist()] for each in expected]
    names = [[op.name for op in operations(one.module.operation)] for one in found]
    assert ["stablehlo.case" in each for each in names] == [False, False, False, True]
    assert ["stablehlo.while" in each for each in names] == [True, True, True, False]


def test_parameters_with_attributes_stay_where_nothing_uses_them() -> None:
    """The attributes are numbered as the parameters are."""
    text = BRANCHES.replace("%k: tensor<i32>", "%k: tensor<i32> {mine.a = 1 : i32}")
    found = real(region_candidates(candidate(text, F([2, 3]), np.int32(1))))
    assert [len(one.arguments) for one in found] == [2, 2, 2, 2]
    assert all("%arg1: tensor<i32> {mine.a = 1 : i32}" in str(one.module) for one in found)
    assert ran(found[0]) == [[-16, -81]]


@pytest.mark.parametrize(("ops", "is_tried"), [(497, True), (498, True), (499, False)])
def test_sizes_and_regions_of_programs_of_more_than_five_hundred_ops_stay(ops: int, is_tried: bool) -> None:
    lines = "\n".join(f"%{n + 1} = stablehlo.negate %{n} : tensor<2xf32>" for n in range(ops - 1))
    text = f"func.func @main(%0: tensor<2xf32>) -> tensor<2xf32> {{\n{lines}\nreturn %{ops - 1} : tensor<2xf32> }}"
    given = candidate(text, F([1, 2]))
    assert len(operations(given.module.operation)) == ops + 2
    first = next(iter(resized_candidates(given)), None)
    assert (first is not None) == is_tried
    if first is not None:
        assert [one.tolist() for one in first.arguments] == [[1]]


def test_larger_sizes_are_made_smaller_first_and_each_to_one_two_half_and_one_less() -> None:
    text = """func.func @main(%x: tensor<3xf32>, %y: tensor<9xf32>) -> (tensor<3xf32>, tensor<9xf32>) {
      %0 = stablehlo.negate %x : tensor<3xf32>
      %1 = stablehlo.negate %y : tensor<9xf32>
      return %0, %1 : tensor<3xf32>, tensor<9xf32> }"""
    given = candidate(text, np.arange(3, dtype=F), np.arange(9, dtype=F))
    sizes = [tuple(len(argument) for argument in one.arguments) for one in real(resized_candidates(given))]
    assert list(dict.fromkeys(sizes)) == [(3, 1), (3, 2), (3, 4), (3, 8), (1, 9), (2, 9)]
    for one, other in pairwise(real(resized_candidates(given))):
        assert all(np.isin(argument, np.arange(9)).all() for argument in (*one.arguments, *other.arguments))


def test_the_reference_may_take_as_long_as_candidates_may() -> None:
    """Its runs stand in for ops that are removed; some are of loops that lost their counter."""
    given = candidate(THREE, F([1, 2]), np.int32([3, 4]), F([5, 6]), F([7, 9]))
    search, reference = Search([Disagreement(Local(), Swapped({"subtract": "add"}))]), Local()
    before = reference.limits.seconds
    found = reduce(given.module, given.arguments, reference, search)
    assert (found.ops, found.ops_before, found.arguments[0].shape) == (1, 2, (1,)), found
    assert reference.limits.seconds == search.seconds
    assert before is None or search.seconds < before


@pytest.mark.parametrize("kept", [("sine",), ("cosine", "tanh"), ("abs", "sqrt", "log"), ("sine", "tan")])
def test_a_part_of_a_program_returns_what_none_of_its_ops_uses(kept: tuple[str, ...]) -> None:
    """Of a chain of ops each candidate returns the ends of its pieces alone."""
    chain = ("sine", "cosine", "abs", "tanh", "sqrt", "log", "tan")
    values = ["%x", *(f"%{name}" for name in chain)]
    ops = [f"%{name} = stablehlo.{name} {value}" for name, value in zip(chain, values, strict=False)]
    looked: list[str] = []

    class Has:
        def signature(self, module: bytes, arguments: Sequence[np.ndarray]) -> str:
            program = parsed(module)
            listed = operations(program.operation)
            looked.append(str(program))
            returned = [value for op in listed if op.name == "func.return" for value in op.operands]
            assert all(len(list(value.uses)) == 1 for value in returned), looked[-1]
            return "has them" if {f"stablehlo.{name}" for name in kept} <= {op.name for op in listed} else ""

        def limit(self, seconds: float) -> None: ...

        def close(self) -> None: ...

    found = reduce(program(*ops, x="tensor<2xf32>"), [F([0.5, 0.7])], Local(), Search([Has()]))
    names = [op.name.partition(".")[2] for op in operations(found.program.operation)]
    assert [name for name in names if name in chain] == [name for name in chain if name in kept], found.program
    assert len(looked) > len(kept)


def test_numbers_become_smaller_with_a_size_only_if_they_are_that_size() -> None:
    text = """func.func @main(%x: tensor<9xf32>)
        -> (tensor<9xf32>, tensor<i32>, tensor<1xi64>, tensor<i32>, tensor<2xi32>, tensor<f32>) {
      %0 = stablehlo.negate %x : tensor<9xf32>
      %a = stablehlo.constant dense<9> : tensor<i32>
      %b = stablehlo.constant dense<9> : tensor<1xi64>
      %c = stablehlo.constant dense<12> : tensor<i32>
      %d = stablehlo.constant dense<[9, 4]> : tensor<2xi32>
      %e = stablehlo.constant dense<9.0> : tensor<f32>
      return %0, %a, %b, %c, %d, %e : tensor<9xf32>, tensor<i32>, tensor<1xi64>, tensor<i32>, tensor<2xi32>, tensor<f32>
    }"""
    found = [ran(one) for one in real(resized_candidates(candidate(text, np.arange(9, dtype=F))))]
    seen = {(len(values[0]), *map(str, values[1:])) for values in found if len(values[4]) == 2}
    sizes = (1, 2, 4, 8)
    kept = {(size, "9", "[9]", "12", "[9, 4]", "9.0") for size in sizes}
    assert seen == kept | {(size, f"{size}", f"[{size}]", "12", "[9, 4]", "9.0") for size in sizes}


@pytest.mark.parametrize(("start", "limit"), [(0, 4), (2, 3), (1, 3), (0, 1)])
def test_a_slice_of_what_is_smaller_keeps_an_element(start: int, limit: int) -> None:
    type_ = f"(tensor<4xf32>) -> tensor<{limit - start}xf32>"
    text = f"""func.func @main(%x: tensor<4xf32>) -> tensor<{limit - start}xf32> {{
      %0 = stablehlo.slice %x [{start}:{limit}] : {type_}
      return %0 : tensor<{limit - start}xf32> }}"""
    found = real(resized_candidates(candidate(text, F([1, 2, 3, 4]))))
    assert {len(one.arguments[0]) for one in found} == {1, 2, 3}
    assert all(len(ran(one)[0]) > 0 for one in found), [str(one.module) for one in found]
