"""Batch normalization is XLA's, within the rounding of sums."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from structures import run
from xla import compiled

from stablehlo_py.conformance.generate.values import dtype_of

SHAPES = st.lists(st.integers(1, 6), min_size=1, max_size=4)


def program(full: str, one: str, feature_index: int) -> str:
    """All three ops; `full` is the operand's type and `one` that of a value for each feature."""
    attributes = f"{{epsilon = 0.125 : f32, feature_index = {feature_index} : i64}}"
    results = f"{full}, {full}, {one}, {one}, {full}, {one}, {one}"
    return f"""
        func.func @main(%operand: {full}, %scale: {one}, %offset: {one}, %mean: {one}, %variance: {one},
                        %grad_output: {full}) -> ({results}) {{
          %inference = "stablehlo.batch_norm_inference"(%operand, %scale, %offset, %mean, %variance) {attributes}
            : ({full}, {one}, {one}, {one}, {one}) -> {full}
          %training:3 = "stablehlo.batch_norm_training"(%operand, %scale, %offset) {attributes}
            : ({full}, {one}, {one}) -> ({full}, {one}, {one})
          %grad:3 = "stablehlo.batch_norm_grad"(%operand, %scale, %mean, %variance, %grad_output) {attributes}
            : ({full}, {one}, {one}, {one}, {full}) -> ({full}, {one}, {one})
          return %inference, %training#0, %training#1, %training#2, %grad#0, %grad#1, %grad#2 : {results}
        }}"""


@given(SHAPES, st.sampled_from(["f32", "f64"]), st.data())
def test_batch_norm(shape: list[int], element: str, data: st.DataObject) -> None:
    feature_index = data.draw(st.integers(0, len(shape) - 1))
    features = shape[feature_index]
    generator = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    wide = [generator.normal(size=shape) for _ in range(2)]
    scale, offset, mean, variance = [generator.normal(size=features) for _ in range(4)]
    operands = [wide[0], scale, offset, mean, np.abs(variance) + 0.5, wide[1]]
    arrays = [operand.astype(dtype_of(element)) for operand in operands]
    text = program(f"tensor<{'x'.join(map(str, shape))}x{element}>", f"tensor<{features}x{element}>", feature_index)
    tolerance = 1e-3 if element == "f32" else 1e-9
    for here, there in zip(run(text, arrays), compiled(text, arrays), strict=True):
        np.testing.assert_allclose(here, there, rtol=tolerance, atol=tolerance, err_msg=text)
