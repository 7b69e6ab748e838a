"""XLA's own form of programs, HLO, and the dialect that stood between, MHLO, by the converters that jaxlib carries.

They crash on some programs, so those who use this do it in a child process: see `handover.value_in_child`.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable
from typing import Any

from ..errors import InputError, ProviderError
from .bytecode import bytecode_of
from .context import has_dialect, make_context
from .diagnostics import describe
from .provider import ir, passmanager

_DIAGNOSTIC = re.compile(r"\S+: error: (?P<message>.*)")
_CUSTOM_CALL = b"custom-call"
_CALL_ATTRIBUTE = re.compile(r", (window|dim_labels|feature_group_count|batch_group_count)=(\{.*?\}|[\w>-]+)")


def _modules() -> tuple[Any, Any]:
    try:
        return importlib.import_module("jaxlib._hlo"), importlib.import_module("jaxlib._jax")
    except ImportError:
        raise ProviderError("HLO is read and written by jaxlib, which is not installed or lacks it") from None


def hlo_text_to_proto(text: bytes) -> bytes:
    """HLO's proto of a program in HLO's text. Raises `InputError` with the reason."""
    hlo, _ = _modules()
    module = _converted("read as HLO", lambda: hlo.hlo_module_from_text(text.decode(errors="replace")))
    return module.as_serialized_hlo_module_proto()


def signature_of_hlo(proto: bytes) -> tuple[Any, Any]:
    """XLA's shapes of the tuple of all parameters, and of the result, of a program in HLO."""
    hlo, _ = _modules()
    signature = hlo.XlaComputation(proto).program_shape()
    return hlo.Shape.tuple_shape(signature.parameter_shapes()), signature.result_shape()


def hlo_proto_to_bytecode(proto: bytes) -> bytes:
    """Return the StableHLO program, as MLIR bytecode, of a program in HLO. Raises `InputError`.

    Its custom calls have as frontend attributes what the converter drops: `window`, `dim_labels` and group counts.
    """
    hlo, jax = _modules()
    if _CUSTOM_CALL in proto and hasattr(getattr(hlo, "HloInstruction", None), "set_frontend_attribute"):  # new
        module = _converted("read as HLO", lambda: hlo.HloModule.from_serialized_hlo_module_proto(proto))
        proto = _with_call_attributes(module)
    return _converted("expressed in StableHLO", lambda: jax.mlir.hlo_to_stablehlo(proto))


def _with_call_attributes(module: Any) -> bytes:
    for computation in module.computations():
        for instruction in computation.instructions():
            text = instruction.to_string() if instruction.opcode.name == "kCustomCall" else ""
            for name, value in _CALL_ATTRIBUTE.findall(text):
                instruction.set_frontend_attribute(name, value)
    return module.as_serialized_hlo_module_proto()


def program_to_hlo_text(program: bytes) -> bytes:
    """HLO's text for a StableHLO program in MLIR's text. Raises `InputError` for one that HLO cannot express."""
    return _computation(program).as_hlo_text(print_large_constants=True).encode()


def program_to_hlo_proto(program: bytes) -> bytes:
    """As `program_to_hlo_text`, for HLO's proto."""
    return _computation(program).as_serialized_hlo_module_proto()


def _computation(program: bytes) -> Any:
    _, jax = _modules()
    to_computation = jax.mlir.mlir_module_to_xla_computation
    return _converted("expressed in HLO", lambda: to_computation(program, use_tuple_args=False, return_tuple=False))


def _converted(goal: str, convert: Callable[[], Any]) -> Any:
    """Return the result of a converter. Raises `InputError`: the program cannot reach this goal."""
    try:
        return convert()
    except (RuntimeError, ValueError) as error:  # jaxlib's own is a RuntimeError
        raise InputError(f"cannot be {goal}: {_reason(error)}") from None


def mhlo_to_bytecode(program: bytes) -> bytes:
    """Return the StableHLO program, as MLIR bytecode, of a program in MHLO's text or bytecode. Raises `InputError`."""
    return bytecode_of(_after("hlo-legalize-to-stablehlo", program, "read as MHLO"))


def program_to_mhlo(program: bytes) -> bytes:
    """MHLO's text for a StableHLO program in MLIR's bytecode, whose CHLO ops stay. Raises `InputError`."""
    return f"{_after('stablehlo-legalize-to-hlo', program, 'expressed in MHLO')}".encode()


def _after(pass_name: str, program: bytes, goal: str) -> ir.Module:
    """Return the program after a pass. Raises `InputError`: it cannot reach this goal."""
    context = make_context(allow_unregistered_dialects=True)  # whoever reads the result decides about them
    if not has_dialect(context, "mhlo"):
        raise ProviderError("MHLO is read and written by the bindings of jaxlib, and these lack it")
    try:
        module = ir.Module.parse(program, context)
        passmanager.PassManager.parse(f"builtin.module({pass_name})", context).run(module.operation)
    except ir.MLIRError as error:
        reason = describe(error.error_diagnostics[0])
        raise InputError(f"cannot be {goal}: {reason.message}", location=reason.location) from None
    return module


def _reason(error: Exception) -> str:
    """The converter's message, of MLIR's diagnostics the first error; its location is one in a copy of the program."""
    said = str(error).removeprefix("INVALID_ARGUMENT: ").removeprefix("UNKNOWN: ").strip()
    diagnostic = _DIAGNOSTIC.match(said)
    return diagnostic["message"].strip() if diagnostic else said
