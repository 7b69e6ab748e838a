"""The registry of the functions that run custom calls, by target.

@custom_call_handler("my_scale")
def my_scale(call: CustomCall, operand: np.ndarray) -> np.ndarray:
    return operand * call.backend_config["factor"]
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from functools import partial
from typing import Any

from ...extensions import load_installed
from ..registry import registered

Handler = Callable[..., Any]
"""Takes a `CustomCall` and the operands' values; returns the result, a tuple of several, or None for none. Python
numbers and lists stand for the tensors of the result types."""

# How the names of the targets in each file begin; the others are in `placements`.
_FAMILIES = {
    "lapack_calls": ("lapack_", "blas_"),
    "gpu_calls": ("cu", "hip"),
    "solver_calls": ("tridiagonal_", "cpu_csr_"),
    "fourier_calls": ("ducc_fft", "dynamic_ducc_fft"),
    "partitions": ("SPMD", "xla.sdy."),
    "tpu_calls": ("Eigh", "LuDecomposition", "Qr", "ProductOfElementaryHouseholderReflectors"),
    "top_k": ("TopK", "ApproxTopK", "PartialReduce", "mhlo.topk")
    + ("stablehlo.dynamic_top_k", "stablehlo.dynamic_approx_top_k"),
    "ops": ("stablehlo.dynamic_r",),
    "checks": ("check.", "shape_assertion"),
    "placements": ("",),
}

_USERS: dict[str, Handler] = {}
_BUILT_IN: dict[str, Handler] = {}


def custom_call_handler(target: str) -> Callable[[Handler], Handler]:
    """Register the decorated function as what runs `stablehlo.custom_call @target`; a later one replaces it."""

    def register(handler: Handler) -> Handler:
        _USERS[target] = handler
        registered()
        return handler

    return register


def runs(*targets: str) -> Callable[[Handler], Handler]:
    """Register the decorated function for targets that come with the interpreter. Users' handlers win over it."""

    def register(handler: Handler) -> Handler:
        for target in targets:
            if target in _BUILT_IN:
                raise ValueError(f"{target} has a handler already: {_BUILT_IN[target].__qualname__}")
            _BUILT_IN[target] = handler
        return handler

    return register


def find_handler(target: str) -> Handler | None:
    """Return the handler of this target, or None."""
    load_installed()
    known = _USERS.get(target) or _BUILT_IN.get(target)
    if known is not None:
        return known
    for family, starts in _FAMILIES.items():
        if target.startswith(starts):
            importlib.import_module(f".{family}", __package__)
    if target not in _BUILT_IN and target.partition(".")[0] in ("mhlo", "stablehlo", "chlo"):
        ops = importlib.import_module(".ops", __package__)
        name = ops.op_of(target)
        return None if name is None else partial(ops.run_op, name)
    return _BUILT_IN.get(target)


def is_users_handler(target: str) -> bool:
    """Whether the handler of this target is a user's."""
    return target in _USERS


def targets() -> dict[str, Handler]:
    """Every target that comes with the interpreter."""
    for family in _FAMILIES:
        importlib.import_module(f".{family}", __package__)
    return dict(sorted(_BUILT_IN.items()))
