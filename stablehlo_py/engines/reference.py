"""The interpreter of this package as an engine, exact or with variations.

Options: a float type (`f64`, `bf16`, …) computes every float in that type and returns it so; `reverse` adds the
elements of reductions and contractions in the opposite order, which shows results that depend on it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..errors import UsageError
from ..reference.interpreter import Program
from .reading import read_module
from .retyping import float_types, retyped, retyped_array
from .summation_order import reverse_summation
from .worker import Run

REVERSE = "reverse"


@dataclass(frozen=True)
class Reference:
    """Runs programs in this package's interpreter, their floats of the type `element` unless that is empty."""

    element: str
    reverse: bool

    def load(self, module: bytes) -> Run:
        """Plan the module, changed as the variations say."""
        read = read_module(module)
        if self.element:
            read = retyped(read, self.element)
        if self.reverse:
            read = reverse_summation(read)
        program = Program(read)

        def run(arguments: Sequence[np.ndarray]) -> Sequence[np.ndarray]:
            entering = [retyped_array(value, self.element) for value in arguments] if self.element else arguments
            return [np.asarray(result) for result in program.run(list(entering))]

        return run


def backend(*options: str) -> Reference:
    """Return the engine `reference`. Raises UsageError for an unknown option."""
    for option in options:
        if option != REVERSE and option not in float_types():
            known = ", ".join((REVERSE, *float_types()))
            raise UsageError(f"engine reference: unknown option '{option}'", notes=[f"it has {known}"])
    elements = [option for option in options if option != REVERSE]
    if len(elements) > 1:
        raise UsageError(f"engine reference: one float type at a time, not {' and '.join(elements)}")
    return Reference(elements[0] if elements else "", REVERSE in options)
