"""StableHLO programs in Python: parse, verify, transform, run, and exchange them, over the official dialects.

    import numpy as np
    import stablehlo_py

    module = stablehlo_py.parse(pathlib.Path("add.mlir"))
    (total,) = stablehlo_py.interpret(module, [np.float32(1), np.float32(2)])

A module is the MLIR Python bindings' `ir.Module`; a tensor is a numpy array of its shape and element type, where
ml_dtypes has the types that numpy lacks (bfloat16, float8_e5m2, int4, …). Everything that can go wrong with a user's
input raises a `StablehloError`. Importing this package is cheap: what a function needs is imported when it is called.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, cast

from .errors import (
    ArgumentError,
    ArtifactError,
    CheckError,
    Diagnostic,
    DiagnosticsError,
    InputError,
    InterpreterError,
    ParseError,
    PassError,
    ProviderError,
    ResourceError,
    StablehloError,
    UnsupportedOpError,
    UsageError,
    VerificationError,
)
from .version import __version__

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from .bindings import ir
    from .reference.custom_calls import Handler

__all__ = [
    "ArgumentError",
    "ArtifactError",
    "CheckError",
    "Diagnostic",
    "DiagnosticsError",
    "InputError",
    "InterpreterError",
    "ParseError",
    "PassError",
    "ProviderError",
    "ResourceError",
    "StablehloError",
    "UnsupportedOpError",
    "UsageError",
    "VerificationError",
    "__version__",
    "custom_call_handler",
    "deserialize",
    "from_numpy",
    "interpret",
    "parse",
    "run_passes",
    "serialize",
    "to_numpy",
    "verify",
]


def parse(
    source: str | bytes | os.PathLike[str],
    *,
    source_name: str | None = None,
    allow_unregistered_dialects: bool = False,
) -> ir.Module:
    """The verified module in `source`: a path (`pathlib.Path`), text, or bytes of text or MLIR bytecode.

    `source_name` stands for the file in locations of text and bytes. A portable artifact comes as it is stored, in the
    VHLO dialect; use `deserialize` for StableHLO. Raises InputError where the file cannot be read, ParseError and
    VerificationError with all `diagnostics` and their locations. Source: MLIR's language reference.
    """
    from .syntax import parse

    return parse(source, source_name=source_name, allow_unregistered_dialects=allow_unregistered_dialects)


def verify(module: ir.Module | ir.Operation) -> None:
    """Nothing, once every op in `module` is known to obey its constraints. Raises VerificationError, whose
    `diagnostics` name the ops and locations that do not. Source: the constraints (C1, C2, …) of each op in the spec.
    """
    from .bindings import ir
    from .bindings.diagnostics import diagnostics_to

    diagnostics: list[Diagnostic] = []
    operation = module.operation
    with diagnostics_to(operation.context, diagnostics.append):
        try:
            operation.verify()
        except ir.MLIRError:
            raise VerificationError(diagnostics) from None


def run_passes(module: ir.Module | ir.Operation, pipeline: str) -> None:
    """Changes `module` in place by `pipeline`, in MLIR's textual form with or without the op it is anchored on:
    `"builtin.module(func.func(chlo-legalize-to-stablehlo),canonicalize)"` or `"canonicalize,cse"`.

    The passes are those of `stablehlo-opt --list-passes`. Raises UsageError for a pipeline that cannot be understood,
    PassError where a pass fails.
    """
    from .passes.pipeline import run_pipeline

    run_pipeline(module, pipeline)


def interpret(
    module: ir.Module | ir.Operation,
    args: Sequence[Any] = (),
    *,
    function: str = "main",
    max_memory: int | None = None,
    max_steps: int | None = None,
    timeout: float | None = None,
    deterministic: bool = False,
) -> list[np.ndarray]:
    """What `function` returns for `args`: an array for each result, of that result's shape and data type.

    `args` are arrays of exactly the parameters' shapes and data types (a tuple for a parameter of tuple type; so are
    results of tuple type). Results are new arrays. No tensor has more than `max_memory` bytes (by default those of the
    machine), no more than `max_steps` ops run, for no longer than `timeout` seconds. With `deterministic`, contractions
    of any size give the same bits on every processor; without it, large ones use BLAS. Raises ArgumentError for
    arguments that do not fit, and InterpreterError or one of its kinds with the op and its location for what goes wrong
    while running.
    Source: the Execution section and the semantics of each op in the spec.
    """
    from .reference.interpreter import interpret
    from .reference.settings import Settings, physical_memory

    settings = Settings(
        max_memory=physical_memory() if max_memory is None else max_memory,
        max_steps=max_steps,
        timeout=timeout,
        deterministic=deterministic,
    )
    return cast("list[np.ndarray]", interpret(module, args, function=function, settings=settings))


def custom_call_handler(target: str) -> Callable[[Handler], Handler]:
    """A decorator: the function below it is what `interpret` runs for `stablehlo.custom_call @target`.

    The function takes a `CustomCall` (target, backend_config, result_types) and the operands as arrays, and returns the
    result as an array, a tuple of several, or None for none. A later one for the same target replaces it. Raises
    nothing; `interpret` raises UnsupportedOpError for a target without one. Source: the spec's section on custom_call.
    """
    from .reference.custom_calls import custom_call_handler

    return custom_call_handler(target)


def serialize(
    module: ir.Module,
    target: str = "current",
    *,
    allow_other_dialects: bool = False,
    strip_debuginfo: bool = False,
) -> bytes:
    """The portable artifact of `module`: bytes that StableHLO `target` and later versions read for five years.

    `target` is a version such as `1.9.0`, `current` or `minimum`. The artifact depends on the program and the target
    alone, and `module` stays as it is. Raises UsageError for an unknown target and ArtifactError for a program that
    the target cannot express. Source: the compatibility guarantees of StableHLO.
    """
    from .vhlo.artifact import serialize

    return serialize(module, target, allow_other_dialects=allow_other_dialects, strip_debuginfo=strip_debuginfo)


def deserialize(artifact: bytes | os.PathLike[str]) -> ir.Module:
    """The StableHLO module in a portable artifact of any supported version, given as its bytes or its path.

    Raises InputError where the file cannot be read, and ArtifactError, which says what was found and what is
    supported, for anything but an artifact that this version reads.
    """
    from .syntax.parser import as_source
    from .vhlo.artifact import deserialize

    return deserialize(as_source(artifact).data)


def to_numpy(constant: ir.Attribute | ir.Operation | ir.OpView) -> np.ndarray:
    """The values of a constant op, or of an attribute that holds numbers, as a read-only array with every bit kept.

    A dense or resource attribute keeps its shape, a single number has shape `()`; a constant of quantized type gives
    its storage values. Raises InputError for an attribute that holds no numbers.
    """
    from .bindings import ir
    from .bindings.elements import constant_value, to_numpy

    return to_numpy(constant) if isinstance(constant, ir.Attribute) else constant_value(constant)


def from_numpy(array: npt.ArrayLike, type: ir.Type) -> ir.Attribute:  # noqa: A002 (the bindings' own name)
    """The dense attribute of tensor type `type` (or of the array's shape, when `type` is an element type).

    Arrays must have the type's data type; numbers and lists are converted to it. Raises InputError where shape or data
    type disagree.
    """
    from .bindings.elements import from_numpy

    return from_numpy(array, type)
