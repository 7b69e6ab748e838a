"""The interpreter of this package as an engine, exact or with variations.

Options: `f64` computes every float in double precision and returns it so; `reverse` adds the elements of reductions
and contractions in the opposite order, which shows results that depend on it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..errors import UsageError
from ..reference.interpreter import Program
from .reading import read_module
from .summation_order import reverse_summation
from .widening import widen_array, widened
from .worker import Run

if TYPE_CHECKING:
    from ..bindings import ir

_VARIATIONS: dict[str, Callable[[ir.Module], ir.Module]] = {"f64": widened, "reverse": reverse_summation}


@dataclass(frozen=True)
class Reference:
    """Runs programs in this package's interpreter."""

    variations: tuple[str, ...]

    def load(self, module: bytes) -> Run:
        """Plan the module, changed as the variations say."""
        read = read_module(module)
        for name in self.variations:
            read = _VARIATIONS[name](read)
        program = Program(read)
        enter = widen_array if "f64" in self.variations else np.asarray

        def run(arguments: Sequence[np.ndarray]) -> Sequence[np.ndarray]:
            return [np.asarray(result) for result in program.run(list(map(enter, arguments)))]

        return run


def backend(*options: str) -> Reference:
    """Return the engine `reference`. Raises UsageError for an unknown option."""
    for option in options:
        if option not in _VARIATIONS:
            raise UsageError(f"engine reference: unknown option '{option}'", notes=[f"it has {', '.join(_VARIATIONS)}"])
    return Reference(options)
