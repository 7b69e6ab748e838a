"""Ops that apply a computation to many elements: reductions, windows, maps, sorts and scans."""

from __future__ import annotations

from ..element_types import I32
from ..language import DType, Shape
from ..registry import ErrorInvocation, Invocation, cases, dtype_function, shape_function
from .shared import all_same, check_dimension, check_dimensions, ones_unless, same, window_shape, without


@shape_function("stablehlo.reduce")
@cases(
    Invocation(["2x3x?xf32"], ["f32"], dimensions=[1], returns="2x?xf32"),
    Invocation(["2x3xf32"], ["f32"], dimensions=[0, 1], returns="f32"),
    ErrorInvocation(["2x3xf32"], ["f32"], dimensions=[2], returns="2xf32", match="out of range"),
    ErrorInvocation(["2x3xf32"], ["f32"], dimensions=[0, 0], returns="3xf32", match="twice"),
)
def reduce(inputs: list[Shape], dimensions: list[int]) -> list[Shape]:
    """The inputs' shape without `dimensions` (C1, C4, C5, C7). Spec: reduce."""
    shape = all_same(inputs)
    check_dimensions(dimensions, len(shape))
    return [without(shape, dimensions) for _ in inputs]


@shape_function("stablehlo.reduce_window")
@cases(
    Invocation(
        ["3x2xi32"],
        ["i32"],
        window_dimensions=[2, 1],
        window_strides=[4, 1],
        base_dilations=[2, 1],
        window_dilations=[3, 1],
        padding=[[2, 1], [0, 0]],
        returns="2x2xi32",
    ),
    Invocation(
        ["?x8xf32"],
        ["f32"],
        window_dimensions=[1, 3],
        window_strides=[1, 2],
        padding=[[0, 0], [1, 0]],
        returns="?x4xf32",
    ),
    Invocation(["2xf32"], ["f32"], window_dimensions=[3], returns="0xf32"),
    ErrorInvocation(["4xf32"], ["f32"], window_dimensions=[0], returns="4xf32", match="window's size"),
)
def reduce_window(
    inputs: list[Shape],
    window_dimensions: list[int],
    window_strides: list[int] | None,
    base_dilations: list[int] | None,
    window_dilations: list[int] | None,
    padding: list[list[int]] | None,
) -> list[Shape]:
    """The number of windows in the padded and dilated inputs (C2, C4 to C12, C15). Spec: reduce_window."""
    shape = all_same(inputs)
    windows = window_shape(shape, window_dimensions, window_strides, padding, base_dilations, window_dilations)
    return [windows for _ in inputs]


@shape_function("stablehlo.select_and_scatter")
@cases(
    Invocation("4x2xf32", "2x2xf32", "f32", returns="4x2xf32"),
    ErrorInvocation("4x2xf32", "3x2xf32", "f32", returns="4x2xf32", match="2 and 3"),
    window_dimensions=[3, 1],
    window_strides=[2, 1],
    padding=[[0, 1], [0, 0]],
)
def select_and_scatter(
    operand: Shape,
    source: Shape,
    window_dimensions: list[int] | None,
    window_strides: list[int] | None,
    padding: list[list[int]] | None,
) -> Shape:
    """The operand's shape; there is one source element for each window (C1, C2, C4 to C8). Spec: select_and_scatter."""
    window = ones_unless(window_dimensions, len(operand))
    same(window_shape(operand, window, window_strides, padding, None, None), source)
    return operand


@dtype_function("stablehlo.select_and_scatter")
def select_and_scatter_dtype(scatter: list[DType]) -> DType:
    """The element type that the scatter computation returns (C12). Spec: select_and_scatter."""
    return scatter[0]


@shape_function("stablehlo.map")
@cases(
    Invocation(["2x?xf32", "2x3xf32"], dimensions=[0, 1], returns="2x3xf32"),
    ErrorInvocation(["2x3xf32", "2x4xf32"], dimensions=[0, 1], returns="2x3xf32", match="3 and 4"),
    ErrorInvocation(["2x3xf32"], dimensions=[1, 0], returns="2x3xf32", match="dimension 0 .* 1"),
)
def map_(inputs: list[Shape], dimensions: list[int]) -> Shape:
    """The shape that all inputs have; `dimensions` are all of it in order (C1, C3). Spec: map."""
    shape = all_same(inputs)
    assert len(dimensions) == len(shape), f"{len(dimensions)} dimensions are given for rank {len(shape)}"
    for i in range(len(dimensions)):
        assert dimensions[i] == i, f"dimension {i} of the list has to be itself, it is {dimensions[i]}"
    return shape


@shape_function("stablehlo.sort")
@cases(
    Invocation(["2x?xf32", "2x3xi32"], dimension=1, is_stable=True, returns=["2x3xf32", "2x3xi32"]),
    ErrorInvocation(["2x3xf32"], dimension=2, is_stable=True, returns="2x3xf32", match="dimension 2"),
    ErrorInvocation(
        ["2x3xf32", "2x4xf32"], dimension=0, is_stable=False, returns=["2x3xf32", "2x4xf32"], match="3 and 4"
    ),
)
def sort(inputs: list[Shape], dimension: int | None) -> list[Shape]:
    """The shape that all inputs have, which has the dimension to sort (C2 to C4). Spec: sort."""
    shape = all_same(inputs)
    if dimension is not None:
        check_dimension(dimension if dimension >= 0 else dimension + len(shape), len(shape))
    return [shape for _ in inputs]


@shape_function("chlo.top_k")
@cases(
    Invocation("2x?xf32", k=3, returns=["2x3xf32", "2x3xi32"]),
    ErrorInvocation("2x3xf32", k=4, match="4 .* 3"),
    ErrorInvocation("f32", k=1, match="rank"),
)
def chlo_top_k(operand: Shape, k: int) -> tuple[Shape, Shape]:
    """The operand's shape with k elements in the last dimension, twice. CHLO: top_k."""
    assert len(operand) >= 1, "the operand has to have rank 1 at least"
    assert k >= 0, f"k must not be negative, it is {k}"
    assert k <= operand[-1], f"{k} elements are asked for, the last dimension has {operand[-1]}"
    shape = operand[: len(operand) - 1] + [k]
    return shape, shape


@dtype_function("chlo.top_k")
def chlo_top_k_dtype(operand: DType) -> tuple[DType, DType]:
    """The operand's element type, and 32-bit integers for positions. CHLO: top_k."""
    return operand, I32


@shape_function("chlo.scan")
@cases(
    Invocation(
        ["2x3xf32"],
        ["2xf32"],
        dimension=1,
        is_reverse=False,
        is_associative=False,
        regions=[
            "^bb0(%a: tensor<2xf32>, %b: tensor<2xf32>):"
            ' %s = "stablehlo.add"(%a, %b) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>'
            ' "stablehlo.return"(%s, %s) : (tensor<2xf32>, tensor<2xf32>) -> ()'
        ],
        returns=["2x3xf32", "2xf32"],
    )
)
def chlo_scan(inputs: list[Shape], inits: list[Shape], dimension: int, outputs: list[Shape]) -> list[Shape]:
    """For each output what the body returns with the scanned dimension put in, then what is carried. CHLO: scan."""
    result: list[Shape] = []
    for i in range(len(outputs)):
        shape = outputs[i]
        if len(inputs) > 0:
            check_dimension(dimension, len(shape))
            shape[dimension] = inputs[0][dimension]
        result.append(shape)
    return result + inits
