"""JAX's random bits of few numbers, all of them in one integer with 64 bits for each.

Replaces calls of the function that JAX writes for Threefry (Salmon et al., Parallel random numbers: as easy as 1, 2,
3), which is known by its text without types and names. Gains: `random walk` in `benchmarks/whole_models.py`, 3 x.
"""

from __future__ import annotations

import hashlib
import math
import re

import numpy as np

from ...bindings.types import TensorType
from ..op import Kernel, Op
from ..ops.bodies import Array
from ..registry import is_users

_TEXTS = {
    "563bd33b8a2354c2299eb1b1a8bad1ef9bb7c3c291f41e58150eefdbdb5b2592",  # of scalars
    "d676127a81e2035754f9f5f9b6d59eb5e7997da13a5d46e517e07b784ea057cb",  # of arrays
}
_ROTATIONS = ((13, 15, 26, 6), (17, 29, 16, 24))
_LARGEST = 256  # elements, up to which integers are faster than arrays


def threefry(op: Op) -> Kernel | None:
    """Return a kernel for a call of JAX's function, None for other calls and where each op of it is seen."""
    name, settings = op.symbol("callee"), op.program.settings
    function = op.program.symbol(name) if name.startswith("threefry2x32") else None
    if function is None or settings.listeners or settings.max_steps is not None:
        return None
    text = re.sub(r"tensor<[^>]*>|@\w+", "", str(function))
    is_known = hashlib.sha256(text.encode()).hexdigest() in _TEXTS
    lanes = op.operand_types[-1]
    if not is_known or any(map(is_users, re.findall(r"[a-z]+\.\w+", text))) or not isinstance(lanes, TensorType):
        return None
    if str(lanes.element_type) != "ui32" or not lanes.is_static or math.prod(lanes.static_shape) > _LARGEST:
        return None
    shape, size = lanes.static_shape, math.prod(lanes.static_shape)
    ones, mask = [int.from_bytes(lane * size, "little") for lane in (b"\1" + bytes(7), b"\xff" * 4 + bytes(4))]

    def packed(numbers: Array) -> int:
        return int.from_bytes(numbers.astype("<u8").tobytes(), "little")

    def unpacked(number: int) -> Array:
        return np.frombuffer(number.to_bytes(8 * size, "little"), "<u8").astype(np.uint32).reshape(shape)[()]

    def kernel(first_key: Array, second_key: Array, first: Array, second: Array) -> tuple[Array, Array]:
        keys = [int(first_key), int(second_key), int(first_key) ^ int(second_key) ^ 0x1BD11BDA]
        x, y = packed(first) + keys[0] * ones & mask, packed(second) + keys[1] * ones & mask
        for number in range(1, 6):
            for rotation in _ROTATIONS[number % 2 - 1]:
                x = x + y & mask
                y = (y << rotation | y >> 32 - rotation) & mask ^ x
            x = x + keys[number % 3] * ones & mask
            y = y + (keys[(number + 1) % 3] + number) * ones & mask
        return unpacked(x), unpacked(y)

    return kernel
