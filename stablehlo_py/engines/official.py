"""The official interpreter, written in C++, as an engine. It ends its process if it does not support a program."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..bindings import stablehlo_extension
from ..bindings.elements import from_numpy, to_numpy
from ..bindings.resources import write_out_resources
from ..bindings.walk import body_of, functions
from ..errors import UsageError
from .reading import read_module
from .worker import Run


class Official:
    """Runs programs by `eval_module`."""

    def load(self, module: bytes) -> Run:
        """Read the module; it is not compiled."""
        read = read_module(module)
        write_out_resources(read.operation)
        types = [argument.type for argument in body_of(functions(read.operation)["main"]).arguments]

        def run(arguments: Sequence[np.ndarray]) -> Sequence[np.ndarray]:
            attributes = [from_numpy(value, type_) for value, type_ in zip(arguments, types, strict=True)]
            return [np.array(to_numpy(result)) for result in stablehlo_extension.eval_module(read, attributes)]

        return run


def backend(*options: str) -> Official:
    """Return the engine `official`. Raises UsageError: it has no options."""
    if options:
        raise UsageError(f"engine official: unknown option '{options[0]}'", notes=["it has none"])
    return Official()
