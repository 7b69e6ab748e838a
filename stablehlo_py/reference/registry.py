"""Which function makes the kernel of which op."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from functools import cache

from . import ops
from .op import Kernel, Op

MakeKernel = Callable[[Op], Kernel]

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
    for family in pkgutil.iter_modules(ops.__path__):
        importlib.import_module(f"{ops.__name__}.{family.name}")
    return _KERNELS
