"""The torch-mlir package, for those who have installed it: the torch dialect with its own refinement passes.

Its MLIR is a separate copy of the compiler, so programs travel between it and the rest of this package as text.
"""

from __future__ import annotations

import importlib
from typing import Any

from ..errors import Diagnostic, ParseError, PassError, ProviderError


def torch_module(name: str) -> Any:
    """Return a module of torch-mlir, such as `ir`. Raises `ProviderError` where the package is missing."""
    try:
        return importlib.import_module(f"torch_mlir.{name}")
    except ImportError as error:
        message = "the torch dialect needs the package torch-mlir: pip install 'stablehlo-py[torch]'"
        raise ProviderError(message, notes=[str(error)]) from error


def torch_context() -> Any:
    """Return a new context that has the torch dialect. Raises `ProviderError`."""
    context = torch_module("ir").Context()
    torch_module("dialects.torch").register_dialect(context)
    return context


def parse_torch(text: str, context: Any) -> Any:
    """Return the module of a text with torch ops. Raises `ParseError`."""
    ir = torch_module("ir")
    try:
        with ir.Location.unknown(context):
            return ir.Module.parse(text, context)
    except ir.MLIRError as error:
        raise ParseError([Diagnostic("error", "", d.message) for d in error.error_diagnostics]) from error


def run_torch_passes(module: Any, pipeline: str) -> None:
    """Run passes of torch-mlir on a module of `parse_torch`. Raises `PassError`."""
    ir = torch_module("ir")
    manager = torch_module("passmanager").PassManager.parse(pipeline, context=module.context)
    try:
        manager.run(module.operation)
    except ir.MLIRError as error:
        raise PassError([Diagnostic("error", "", d.message) for d in error.error_diagnostics]) from error
