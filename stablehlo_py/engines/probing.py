"""Tells an engine that fails on a program from one that does not run at all."""

from __future__ import annotations

import numpy as np

from ..errors import StablehloError
from .process import Engine

_PROGRAM = b"func.func @main(%x: tensor<f32>) -> tensor<f32> { return %x : tensor<f32> }"


def require_running(engine: Engine) -> None:
    """Raise StablehloError where an engine does not even run a program that returns its argument."""
    outcome = engine.run(_PROGRAM, [np.zeros((), np.float32)])
    if not outcome.ok:
        raise StablehloError(
            f"the engine {engine.name} does not run: {outcome}",
            notes=["it fails on a program that returns its argument, so that no op can be named"],
        )
