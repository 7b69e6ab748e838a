"""The check of an op by the sizes of its operands: which are remembered, what it says, and that it leaves no trace."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from stablehlo_py.bindings import ir, make_context
from stablehlo_py.bindings.walk import operations
from stablehlo_py.errors import InterpreterError
from stablehlo_py.shapes.refinement.actual_sizes import SizeCheck


@pytest.fixture(scope="module", autouse=True)
def context() -> Iterator[ir.Context]:
    with make_context() as made:
        yield made


def check(heads: str, op: str) -> SizeCheck:
    module = ir.Module.parse(
        f"func.func @main({heads}) {{\n%z = stablehlo.constant dense<0.0> : tensor<f32>\n{op}\nreturn }}"
    )
    ops = [each for each in operations(module.operation) if each.name.startswith("stablehlo.")]
    return SizeCheck(ops[1])


def zeros(*shape: int) -> np.ndarray:
    return np.zeros(shape, np.float32)


def says(made: SizeCheck, *operands: np.ndarray) -> str:
    try:
        made(operands)
    except InterpreterError as error:
        return error.message
    return ""


SUM = ("%a: tensor<?x?xf32>, %b: tensor<?x?xf32>", "%0 = stablehlo.add %a, %b : tensor<?x?xf32>")


def test_each_operand_and_each_of_its_sizes_counts() -> None:
    """What fitted before is remembered; nothing else is taken for it."""
    made = check(*SUM)
    shapes = [(2, 3), (3, 2), (2, 2), (0, 3)]
    for _ in range(2):
        for first in shapes:
            for second in shapes:
                assert bool(says(made, zeros(*first), zeros(*second))) == (first != second), (first, second)


def test_the_elements_of_sizes_count() -> None:
    heads = "%a: tensor<?x?xf32>, %l: tensor<2xi32>, %h: tensor<2xi32>, %i: tensor<2xi32>"
    types = "(tensor<?x?xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<4x5xf32>"
    made = check(heads, f"%0 = stablehlo.dynamic_pad %a, %z, %l, %h, %i : {types}")
    fitting = [zeros(2, 3), zeros(), *[np.array(each, np.int32) for each in ((1, 0), (1, 0), (0, 1))]]
    assert says(made, *fitting) == ""
    for which in (2, 3, 4):
        for place in (0, 1):
            others = [each.copy() for each in fitting]
            others[which][place] += 1
            assert "is declared" in says(made, *others), (which, place)
    assert "declared 4, it is 5" in says(made, zeros(3, 3), *fitting[1:])
    assert says(made, *fitting) == ""


def test_the_same_operand_twice() -> None:
    made = check(SUM[0], "%0 = stablehlo.concatenate %a, %b, %a, dim = 0 : "
                 "(tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<7x?xf32>")  # fmt: skip
    assert says(made, zeros(3, 4), zeros(1, 4), zeros(3, 4)) == ""
    assert "declared 7, it is 9" in says(made, zeros(4, 4), zeros(1, 4), zeros(4, 4))
    assert "declared 7, it is 8" in says(made, zeros(3, 4), zeros(2, 4), zeros(3, 4))


SORT = """%0:2 = "stablehlo.sort"(%a, %b) <{dimension = 0 : i64}> ({
^bb0(%p: tensor<f32>, %q: tensor<f32>, %r: tensor<f32>, %s: tensor<f32>):
  %c = stablehlo.compare LT, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
  stablehlo.return %c : tensor<i1>
}) : (tensor<?x?xf32>, tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x4xf32>)"""


def test_the_result_and_the_dimension_are_named() -> None:
    made = check(SUM[0], SORT)
    assert says(made, zeros(2, 4), zeros(2, 4)) == ""
    assert says(made, zeros(2, 5), zeros(2, 5)) == "dimension 1 of result 1 is declared 4, it is 5"
    (note,) = notes(check(*SUM), zeros(2, 3), zeros(2, 4))
    assert note


def notes(made: SizeCheck, *operands: np.ndarray) -> tuple[str, ...]:
    with pytest.raises(InterpreterError) as raised:
        made(operands)
    return tuple(raised.value.notes)


def test_an_error_leaves_the_op_as_it_was() -> None:
    """The note comes from the verifier, which looks at the op with these sizes."""
    made = check(*SUM)
    told = notes(made, zeros(2, 3), zeros(2, 4))
    assert notes(made, zeros(5, 3), zeros(6, 3)) == told
    assert notes(made, zeros(2, 3), zeros(2, 4)) == told
    assert says(made, zeros(5, 3), zeros(5, 3)) == ""
    assert [str(value.type) for value in made._op.operands] == ["tensor<?x?xf32>"] * 2


def test_so_many_sizes_are_remembered_and_more_are_checked_all_the_same() -> None:
    made = check("%a: tensor<?xf32>, %b: tensor<?xf32>", "%0 = stablehlo.add %a, %b : tensor<?xf32>")
    space = np.zeros(1100, np.float32)
    for size in range(1100):
        made([space[:size], space[:size]])
        assert 1 <= len(made._fitting) <= 1024
    assert says(made, space[:3], space[:4])
    assert says(made, space[:3], space[:3]) == ""
