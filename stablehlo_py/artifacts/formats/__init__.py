"""Programs in other forms than StableHLO's own, in and out, each through an importer that exists; one file a form."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ...bindings import ir
from ...bindings.bytecode import bytecode_of
from ...errors import STRING, InputError, UsageError
from ...syntax.source import BYTECODE_MAGIC, Source
from ...syntax.spelling import hint

if TYPE_CHECKING:
    from .original import Check

IMPORTED = ("hlo-text", "hlo-proto", "jax-export", "mhlo", "onnx", "torch-export")
_BY_ENDING = {".hlo.pb": "hlo-proto", ".onnx": "onnx", ".pt2": "torch-export"}
# The name of an attribute may begin so, too, but it comes before the equals sign.
_MHLO_OP = rb'=\s*(mhlo\.\w|"mhlo\.[\w.]+"\s*\()'
_HLO = re.compile(rb"(?:\xef\xbb\xbf)?(?:\s|//[^\n]*+|/\*(?s:.*?)\*/)*+HloModule\b")
EXPORTED = ("hlo-text", "hlo-proto", "mhlo")


def recognize(source: Source) -> str:
    """The form of a program that is not in MLIR's text or bytecode, from its contents or its file's name; else empty.

    HLO's proto and ONNX tell nothing by themselves: their files are to end in `.hlo.pb` and `.onnx`, a program of
    torch.export's in `.pt2`, or the form is to be named.
    """
    if source.is_bytecode:
        return ""
    if _HLO.match(source.data):
        return "hlo-text"
    by_ending = next((form for ending, form in _BY_ENDING.items() if source.name.endswith(ending)), "")
    if by_ending:
        return by_ending
    if BYTECODE_MAGIC not in source.data:  # an export has an artifact in it
        return ""
    from .jax_export import is_export

    return "jax-export" if is_export(source.data) else ""


def is_mhlo(source: Source) -> bool:
    """Whether this is MLIR's text with ops of MHLO. It is MLIR, too, so only who wants StableHLO need ask."""
    return not source.is_bytecode and b"mhlo." in source.data and re.search(_MHLO_OP, source.data) is not None


def to_mlir(data: bytes, form: str, name: str = STRING, check: Check | None = None) -> tuple[bytes, str]:
    """Return the program as MLIR bytecode or text: a portable artifact for `jax-export`, else StableHLO.

    Args:
        data: The program.
        form: One of `IMPORTED`.
        name: The file's name, for errors.
        check: Compares it with its original, where that can be run.

    Returns:
        The program, and why it could not be compared with its original, if that was tried.

    Raises:
        InputError: The importer rejects it, or it differs from its original.
        ProviderError: A package is missing.
        UsageError: The form is unknown.
    """
    try:
        return _to_mlir(data, form, check)
    except InputError as error:
        if error.location.startswith(f"{STRING}:"):
            error.location = name + error.location.removeprefix(STRING)
        raise


def _to_mlir(data: bytes, form: str, check: Check | None) -> tuple[bytes, str]:
    if form == "jax-export":
        from .jax_export import check_export, read_export

        return read_export(data).program, check_export(data, check) if check else ""
    if form == "onnx":
        from .onnx import onnx_to_text

        return onnx_to_text(data, check)
    if form == "torch-export":
        from .torch_export import torch_export_to_text

        return torch_export_to_text(data, check)
    from ...bindings.handover import value_in_child
    from ...bindings.hlo import mhlo_to_bytecode
    from .hlo import proto_to_bytecode, text_to_bytecode

    importers = {"hlo-text": text_to_bytecode, "hlo-proto": proto_to_bytecode, "mhlo": mhlo_to_bytecode}
    if form not in importers:
        raise UsageError(f"no importer for '{form}'{hint(form, IMPORTED)}", notes=[f"there are {', '.join(IMPORTED)}"])
    return value_in_child(importers[form], data, f"the importer of {form}"), ""


def export(module: ir.Module, form: str) -> bytes:
    """The program in another form. Raises `UsageError` for an unknown form, `InputError` for a program that the form
    cannot express."""
    from ...bindings.handover import value_in_child
    from ...bindings.hlo import program_to_mhlo
    from .hlo_export import export_proto, export_text

    exporters = {"hlo-text": export_text, "hlo-proto": export_proto, "mhlo": program_to_mhlo}
    if form not in exporters:
        raise UsageError(f"no exporter for '{form}'{hint(form, EXPORTED)}", notes=[f"there are {', '.join(EXPORTED)}"])
    program = bytecode_of(module) if form == "mhlo" else f"{module}".encode()
    return value_in_child(exporters[form], program, f"the exporter to {form}")
