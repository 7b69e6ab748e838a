"""Which function makes the kernel of which op."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from .op import Kernel, Op

MakeKernel = Callable[[Op], Kernel]

# Every module of `ops` that registers kernels.
_FAMILIES = (
    "bitwise",
    "collectives",
    "communication",
    "contraction",
    "control_flow",
    "conversion",
    "convolution",
    "custom_call",
    "dynamism",
    "elementwise",
    "fourier",
    "indexing",
    "linear_algebra",
    "movement",
    "observing",
    "reduction",
    "slicing",
    "sorting",
    "transcendental",
    "window",
)


@dataclass(frozen=True)
class Entry:
    """How an op is evaluated. `elementwise`: each element of the results depends on the elements of the operands at
    the same index alone, and the kernel takes arrays of any shape (0-d operands broadcast)."""

    make_kernel: MakeKernel
    elementwise: bool


_ENTRIES: dict[str, Entry] = {}


def evaluates(*names: str, elementwise: bool = False) -> Callable[[MakeKernel], MakeKernel]:
    """Registers the decorated function as what makes the kernel of the ops called `names`."""

    def register(make_kernel: MakeKernel) -> MakeKernel:
        for name in names:
            if name in _ENTRIES:
                raise ValueError(f"{name} has a kernel already: {_ENTRIES[name].make_kernel.__qualname__}")
            _ENTRIES[name] = Entry(make_kernel, elementwise)
        return make_kernel

    return register


@cache
def entries() -> dict[str, Entry]:
    """Every op that has a kernel, by name."""
    for family in _FAMILIES:
        importlib.import_module(f".ops.{family}", __package__)
    return _ENTRIES
