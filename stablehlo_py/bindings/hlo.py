"""XLA's own form of programs, HLO, by the converters that jaxlib carries."""

from __future__ import annotations

import importlib
from typing import Any

from ..errors import InputError, ProviderError


def _modules() -> tuple[Any, Any]:
    try:
        return importlib.import_module("jaxlib._hlo"), importlib.import_module("jaxlib._jax")
    except ImportError:
        raise ProviderError("HLO is read and written by jaxlib, which is not installed or lacks it") from None


def hlo_text_to_proto(text: str) -> bytes:
    """The proto of a program in HLO's text. Raises `InputError` with the parser's reason."""
    hlo, jax = _modules()
    try:
        return hlo.hlo_module_from_text(text).as_serialized_hlo_module_proto()
    except (jax.JaxRuntimeError, RuntimeError) as error:
        raise InputError(f"cannot be read as HLO: {_reason(error)}") from None


def hlo_proto_to_bytecode(proto: bytes) -> bytes:
    """The StableHLO program, as MLIR bytecode, of a program in HLO. Raises `InputError`."""
    _, jax = _modules()
    try:
        return jax.mlir.hlo_to_stablehlo(proto)
    except (jax.JaxRuntimeError, RuntimeError, ValueError) as error:
        raise InputError(f"cannot be expressed in StableHLO: {_reason(error)}") from None


def mhlo_to_bytecode(text: bytes) -> bytes:
    """The StableHLO program, as MLIR bytecode, of a program in MHLO's text or bytecode. Raises `InputError`."""
    _, jax = _modules()
    if not hasattr(jax.mlir, "mhlo_to_stablehlo"):
        raise ProviderError("this jaxlib does not read MHLO; newer ones do")
    try:
        return jax.mlir.mhlo_to_stablehlo(text)
    except (jax.JaxRuntimeError, RuntimeError, ValueError) as error:
        raise InputError(f"cannot be read as MHLO: {_reason(error)}") from None


def program_to_hlo(text: str) -> tuple[str, bytes]:
    """HLO's text and proto for a StableHLO program. Raises `InputError` for one that HLO cannot express."""
    _, jax = _modules()
    try:
        computation = jax.mlir.mlir_module_to_xla_computation(text, use_tuple_args=False, return_tuple=False)
    except (jax.JaxRuntimeError, RuntimeError, ValueError) as error:
        raise InputError(f"cannot be expressed in HLO: {_reason(error)}") from None
    return computation.as_hlo_text(print_large_constants=True), computation.as_serialized_hlo_module_proto()


def _reason(error: Exception) -> str:
    return str(error).removeprefix("INVALID_ARGUMENT: ").removeprefix("UNKNOWN: ").strip()
