"""Random bits are those of XLA for the same state."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from structures import run
from xla import compiled

from stablehlo_py.bindings.types import element_type

WORDS = st.integers(0, 2**64 - 1) | st.integers(2**64 - 20, 2**64 - 1)  # counters that overflow


@given(
    st.sampled_from([("THREE_FRY", 2), ("PHILOX", 2), ("PHILOX", 3), ("DEFAULT", 2), ("DEFAULT", 3)]),
    st.sampled_from(["ui8", "i8", "ui16", "ui32", "i32", "ui64", "i64", "bf16", "f16", "f32", "f64"]),
    st.lists(st.integers(0, 9), max_size=3),
    st.data(),
)
def test_rng_bit_generator(generator: tuple[str, int], element: str, shape: list[int], data: Any) -> None:
    algorithm, size = generator
    state = np.array(data.draw(st.lists(WORDS, min_size=size, max_size=size)), np.uint64)
    state_type = f"tensor<{size}xui64>"
    output_type = f"tensor<{''.join(f'{dimension_size}x' for dimension_size in shape)}{element}>"
    text = (
        f"func.func @main(%state: {state_type}) -> ({state_type}, {output_type}) {{\n"
        f"  %0, %1 = stablehlo.rng_bit_generator %state, algorithm = {algorithm}"
        f" : ({state_type}) -> ({state_type}, {output_type})\n"
        f"  return %0, %1 : {state_type}, {output_type}\n}}\n"
    )
    here, there = run(text, [state]), compiled(text, [state])
    np.testing.assert_array_equal(here[0], there[0])
    assert here[1].dtype == element_type(element).dtype
    assert here[1].shape == there[1].shape
    assert here[1].tobytes() == there[1].tobytes()
