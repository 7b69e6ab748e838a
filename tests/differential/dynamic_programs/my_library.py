"""Shape functions for the custom calls in these programs, as a user would write them."""

from __future__ import annotations

from stablehlo_py.shapes.language import Shape
from stablehlo_py.shapes.registry import shape_function


@shape_function("stablehlo.custom_call", target="my_library.rotate")
def rotate(operand: Shape) -> Shape:
    """A matrix turned on its side."""
    assert len(operand) == 2, f"there has to be a matrix to rotate, not a tensor of rank {len(operand)}"
    return [operand[1], operand[0]]


@shape_function("stablehlo.custom_call", target="my_library.downsample")
def downsample(operand: Shape) -> Shape:
    """Every other element of the second dimension."""
    assert operand[1] % 2 == 0, f"the second dimension has to be even, it is {operand[1]}"
    return [operand[0], operand[1] // 2, operand[2]]


@shape_function("stablehlo.custom_call", target="my_library.pair_up")
def pair_up(left: Shape, right: Shape) -> Shape:
    """Every row of the one next to every row of the other."""
    return [left[0] * right[0], left[1] + right[1]]


@shape_function("stablehlo.custom_call", target="my_library.same")
def same(operand: Shape) -> Shape:
    """The operand's shape."""
    return operand
