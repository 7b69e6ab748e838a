"""Results that have to be the same bit by bit."""

from __future__ import annotations

from typing import Any

import numpy as np


def assert_same_bits(found: Any, expected: Any, about: object = "") -> None:
    """Compare two results, such as those with accelerators and without; a failure shows the first elements apart."""
    one, other = np.asarray(found), np.asarray(expected)
    assert (one.dtype, one.shape) == (other.dtype, other.shape), about
    if one.tobytes() == other.tobytes():
        return
    wrong = [index for index in np.ndindex(one.shape) if one[index].tobytes() != other[index].tobytes()]
    shown = "\n".join(f"at {list(index)}: {one[index]!r} in place of {other[index]!r}" for index in wrong[:3])
    raise AssertionError(f"{about}\n{len(wrong)} of {one.size} elements differ\n{shown}")
