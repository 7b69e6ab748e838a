"""Probes of an engine: whether it runs at all, and in which types it returns values."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..bindings.types import dtype_name
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


def returned_types(engine: Engine, dtypes: Sequence[np.dtype]) -> dict[np.dtype, np.dtype]:
    """Return the data types in which an engine returns values: other ones if it computes every float in one type."""
    names = [dtype_name(dtype) for dtype in dtypes]
    parameters = ", ".join(f"%{number}: tensor<{name}>" for number, name in enumerate(names))
    types, values = (", ".join(each) for each in ([f"tensor<{name}>" for name in names],
                                                  [f"%{number}" for number in range(len(names))]))  # fmt: skip
    text = f"func.func @main({parameters}) -> ({types}) {{ return {values} : {types} }}"
    outcome = engine.run(text.encode(), [np.ones((), dtype) for dtype in dtypes]) if names else None
    results = outcome.results if outcome is not None else ()
    return {dtype: result.dtype for dtype, result in zip(dtypes, results, strict=False)}
