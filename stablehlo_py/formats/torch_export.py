"""Programs of `torch.export`, by torch-mlir's importer of them and its way through the torch dialect to StableHLO."""

from __future__ import annotations

import importlib
import io
import warnings
import zipfile
from typing import Any

from ..bindings.handover import bytes_in_child
from ..bindings.torch_dialect import torch_module
from ..errors import InputError, ProviderError
from .torch_lowering import BACKEND, lower


def is_exported_program(source: Any) -> bool:
    """Whether this is a `torch.export.ExportedProgram`, without importing torch."""
    return type(source).__module__ == "torch.export.exported_program" and type(source).__name__ == "ExportedProgram"


def from_exported_program(program: Any) -> bytes:
    """As `torch_export_to_text`, for an `ExportedProgram`."""
    torch = importlib.import_module("torch")
    file = io.BytesIO()
    torch.export.save(program, file)
    return torch_export_to_text(file.getvalue())


def torch_export_to_text(data: bytes) -> bytes:
    """The StableHLO program, as MLIR text, of what `torch.export.save` wrote: parameters are constants in it, and its
    function, `main`, takes and returns the flat lists of tensors.

    Raises:
        InputError: The file is damaged, or an op cannot be expressed in StableHLO.
        ProviderError: The packages that read it are missing.
    """
    return bytes_in_child(_convert, data, "torch-mlir")  # which may crash on it


def _convert(data: bytes) -> bytes:
    try:
        torch = importlib.import_module("torch")
    except ImportError as error:
        message = "programs of torch.export are read by torch and torch-mlir: pip install 'stablehlo-py[pytorch]'"
        raise ProviderError(message, notes=[str(error)]) from None
    fx = torch_module("fx")
    warnings.simplefilter("ignore")  # in this child process: torch warns of its own code
    try:
        program = torch.export.load(io.BytesIO(data))
    except (RuntimeError, ValueError, KeyError, OSError, AssertionError, zipfile.BadZipFile) as error:
        raise InputError(f"cannot be read as a program of torch.export: {error}") from None
    try:
        module = fx.export_and_import(program, func_name="main")
    except (NotImplementedError, RuntimeError, ValueError) as error:
        raise InputError(f"cannot be imported from torch.export: {error}") from None
    return lower(module, "torchdynamo-export-to-torch-backend-pipeline{extra-library=}", BACKEND)
