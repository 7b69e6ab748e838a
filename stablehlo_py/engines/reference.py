"""The interpreter of this package as an engine, exact or with variations.

Options: a float type (`f64`, `bf16`, …) computes every float in that type and returns it so. `reverse` adds the
elements of reductions and contractions in the opposite order, which shows results that depend on it. `flush` takes
denormals for zeros as XLA does on CPUs. `matmul=TYPE` rounds the operands of contractions to bf16, tf32 or f16.
`accumulate=TYPE` keeps the sums of `dot_general` in a type. `definitions` runs definitions alone, without accelerators.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from ..bindings import ir
from ..errors import UsageError
from ..interpreter.program import Program
from ..interpreter.settings import Settings
from ..interpreter.values import flat
from ..syntax.spelling import hint
from .reading import read_module
from .retyping import float_types, retyped, retyped_array
from .variations import FORMATS, SUM_TYPES, accumulate, flush_denormals, reverse_summation, round_operands
from .worker import Run

Variation = Callable[[ir.Module], ir.Module]
_VARIATIONS: dict[str, Variation] = {"reverse": reverse_summation, "flush": flush_denormals}
_WITH_TYPE: dict[str, tuple[Callable[[ir.Module, str], ir.Module], Sequence[str]]] = {
    "matmul": (round_operands, tuple(FORMATS)),
    "accumulate": (accumulate, SUM_TYPES),
}


@dataclass(frozen=True)
class Reference:
    """Runs programs in this package's interpreter, their floats of the type `element` unless that is empty."""

    element: str
    variations: tuple[Variation, ...]
    settings: Settings

    def load(self, module: bytes) -> Run:
        """Plan the module, changed as the variations say."""
        read = read_module(module)
        if self.element:
            read = retyped(read, self.element)
        for variation in self.variations:
            read = variation(read)
        program = Program(read, self.settings)

        def run(arguments: Sequence[np.ndarray]) -> Sequence[np.ndarray]:
            entering = [retyped_array(value, self.element) for value in arguments] if self.element else arguments
            return [np.asarray(result) for result in flat(program.run(list(entering)))]

        return run


def backend(*options: str) -> Reference:
    """Return the engine `reference`. Raises UsageError for an unknown option."""
    elements: list[str] = []
    variations: list[Variation] = []
    settings = Settings()
    for option in options:
        key, _, type_ = option.partition("=")
        if option == "definitions":
            settings = replace(settings, fast=False)
        elif option in _VARIATIONS:
            variations.append(_VARIATIONS[option])
        elif key in _WITH_TYPE and type_ in _WITH_TYPE[key][1]:
            variations.append(partial(_with_type, key, type_))
        elif option in float_types():
            elements.append(option)
        else:
            typed = (f"{name}={type_}" for name, (_, types) in _WITH_TYPE.items() for type_ in types)
            known = ["definitions", *_VARIATIONS, *typed, *float_types()]
            message = f"engine reference: unknown option '{option}'{hint(option, known)}"
            raise UsageError(message, notes=[f"it has {', '.join(known)}"])
    if len(elements) > 1:
        raise UsageError(f"engine reference: one float type at a time, not {' and '.join(elements)}")
    return Reference(elements[0] if elements else "", tuple(variations), settings)


def _with_type(key: str, type_: str, module: ir.Module) -> ir.Module:
    return _WITH_TYPE[key][0](module, type_)
