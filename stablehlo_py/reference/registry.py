"""Which function makes the kernel of which op."""

from __future__ import annotations

import importlib
from collections.abc import Callable
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
    "normalization",
    "quantization",
    "random",
    "reduction",
    "scalars",
    "sharding",
    "slicing",
    "sorting",
    "transcendental",
    "window",
)

_KERNELS: dict[str, MakeKernel] = {}


def evaluates(*names: str) -> Callable[[MakeKernel], MakeKernel]:
    """Register the decorated function as what makes the kernel of the ops called `names`.

    The kernel of an elementwise op takes arrays of any shape; 0-d operands broadcast.
    """

    def register(make_kernel: MakeKernel) -> MakeKernel:
        for name in names:
            if name in _KERNELS:
                raise ValueError(f"{name} has a kernel already: {_KERNELS[name].__qualname__}")
            _KERNELS[name] = make_kernel
        return make_kernel

    return register


@cache
def kernels() -> dict[str, MakeKernel]:
    """Return what makes the kernel of each op that has one, by the op's name."""
    for family in _FAMILIES:
        importlib.import_module(f".ops.{family}", __package__)
    return _KERNELS
