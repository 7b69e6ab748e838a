"""The handler of a target: a user's, or one of the files of this folder, which are imported by families of targets."""

from __future__ import annotations

import importlib
from functools import partial

from ...extensions import load_installed
from .ops import op_of, run_op
from .registry import BUILT_IN, USERS, Handler

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


def find_handler(target: str) -> Handler | None:
    """Return the handler of this target, or None."""
    load_installed()
    known = USERS.get(target) or BUILT_IN.get(target)
    if known is not None:
        return known
    for family, starts in _FAMILIES.items():
        if target.startswith(starts):
            importlib.import_module(f".{family}", __package__)
    if target not in BUILT_IN and target.partition(".")[0] in ("mhlo", "stablehlo", "chlo"):
        name = op_of(target)
        return None if name is None else partial(run_op, name)
    return BUILT_IN.get(target)


def targets() -> dict[str, Handler]:
    """Every target that comes with the interpreter."""
    for family in _FAMILIES:
        importlib.import_module(f".{family}", __package__)
    return dict(sorted(BUILT_IN.items()))
