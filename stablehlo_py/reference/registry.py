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
    "dynamic_calls",
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
    "slicing",
    "sorting",
    "transcendental",
    "window",
)


# Which ops compute and which move elements is told by whether they are elementwise, except for these.
_COMPUTING = frozenset(
    f"stablehlo.{name}"
    for name in ["batch_norm_grad", "batch_norm_inference", "batch_norm_training", "cholesky", "convolution", "dot"]
    + ["dot_general", "dynamic_conv", "dynamic_iota", "einsum", "iota", "rng", "triangular_solve"]
)
_STORED = frozenset(
    f"stablehlo.{name}" for name in ["bitcast_convert", "constant", "uniform_dequantize", "uniform_quantize"]
)


@dataclass(frozen=True)
class Entry:
    """How an op is evaluated. `elementwise`: each element of the results depends on the elements of the operands at
    the same index alone, and the kernel takes arrays of any shape (0-d operands broadcast). `computes`: quantized
    operands stand for floats, and do not keep their storage as when they are only moved."""

    make_kernel: MakeKernel
    elementwise: bool
    computes: bool


_ENTRIES: dict[str, Entry] = {}


def evaluates(*names: str, elementwise: bool = False) -> Callable[[MakeKernel], MakeKernel]:
    """Registers the decorated function as what makes the kernel of the ops called `names`."""

    def register(make_kernel: MakeKernel) -> MakeKernel:
        for name in names:
            if name in _ENTRIES:
                raise ValueError(f"{name} has a kernel already: {_ENTRIES[name].make_kernel.__qualname__}")
            computes = name in _COMPUTING or (elementwise and name not in _STORED)
            _ENTRIES[name] = Entry(make_kernel, elementwise, computes)
        return make_kernel

    return register


@cache
def entries() -> dict[str, Entry]:
    """Every op that has a kernel, by name."""
    for family in _FAMILIES:
        importlib.import_module(f".ops.{family}", __package__)
    return _ENTRIES
