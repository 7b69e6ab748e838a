"""Batch normalization is XLA's, within the rounding of sums."""

from __future__ import annotations

import numpy as np
from elements import dtype_of, every_result
from hypothesis import given
from hypothesis import strategies as st
from xla import compiled

SHAPES = st.lists(st.integers(1, 6), min_size=1, max_size=4)


def check(op: str, operands: list[tuple[str, np.ndarray]], results: list[str], attributes: str) -> None:
    types = ", ".join(type_ for type_, _ in operands)
    parameters = ", ".join(f"%a{index}: {type_}" for index, (type_, _) in enumerate(operands))
    names = ", ".join(f"%a{index}" for index in range(len(operands)))
    outputs = ", ".join(f"%r#{index}" for index in range(len(results))) if len(results) > 1 else "%r"
    count = f":{len(results)}" if len(results) > 1 else ""
    text = (
        f"func.func @main({parameters}) -> ({', '.join(results)}) {{\n"
        f'  %r{count} = "stablehlo.{op}"({names}) {{{attributes}}} : ({types}) -> ({", ".join(results)})\n'
        f"  return {outputs} : {', '.join(results)}\n}}\n"
    )
    arrays = [array for _, array in operands]
    tolerance = 1e-3 if arrays[0].dtype == np.float32 else 1e-9
    for here, there in zip(every_result(text, arrays), compiled(text, arrays), strict=True):
        np.testing.assert_allclose(here, there, rtol=tolerance, atol=tolerance, err_msg=text)


@given(SHAPES, st.sampled_from(["f32", "f64"]), st.data())
def test_batch_norm(shape: list[int], element: str, data: st.DataObject) -> None:
    feature_index = data.draw(st.integers(0, len(shape) - 1))
    generator = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    dtype = dtype_of(element)
    full, one = (
        f"tensor<{''.join(f'{extent}x' for extent in shape)}{element}>",
        f"tensor<{shape[feature_index]}x{element}>",
    )

    def wide() -> tuple[str, np.ndarray]:
        return full, generator.normal(size=shape).astype(dtype)

    def feature(positive: bool = False) -> tuple[str, np.ndarray]:
        values = generator.normal(size=shape[feature_index])
        return one, (np.abs(values) + 0.5 if positive else values).astype(dtype)

    attributes = f"epsilon = 0.125 : f32, feature_index = {feature_index} : i64"
    inference = [wide(), feature(), feature(), feature(), feature(positive=True)]
    check("batch_norm_inference", inference, [full], attributes)
    check("batch_norm_training", [wide(), feature(), feature()], [full, one, one], attributes)
    check(
        "batch_norm_grad", [wide(), feature(), feature(), feature(positive=True), wide()], [full, one, one], attributes
    )
