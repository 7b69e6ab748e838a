"""Programs in other forms than StableHLO's own, in and out, each through an importer that exists; one file a form."""

from __future__ import annotations

from ..bindings import ir
from ..errors import UsageError
from ..syntax.source import BYTECODE_MAGIC, Source

IMPORTED = ("hlo-text", "hlo-proto", "jax-export", "mhlo", "onnx", "torch-export")
_BY_ENDING = {".hlo.pb": "hlo-proto", ".onnx": "onnx", ".pt2": "torch-export"}
EXPORTED = ("hlo-text", "hlo-proto")


def recognize(source: Source) -> str:
    """The form of a program that is not in MLIR's text or bytecode, from its contents or its file's name; else empty.

    HLO's proto and ONNX tell nothing by themselves: their files are to end in `.hlo.pb` and `.onnx`, a program of
    torch.export's in `.pt2`, or the form is to be named.
    """
    if source.is_bytecode:
        return ""
    if source.data.lstrip().startswith(b"HloModule"):
        return "hlo-text"
    by_ending = next((form for ending, form in _BY_ENDING.items() if source.name.endswith(ending)), "")
    if by_ending:
        return by_ending
    if BYTECODE_MAGIC not in source.data:  # an export has an artifact in it
        return ""
    from .jax_export import is_export

    return "jax-export" if is_export(source.data) else ""


def to_mlir(data: bytes, form: str) -> bytes:
    """The program as MLIR bytecode or text: a portable artifact for `jax-export`, else StableHLO. Raises `InputError`,
    and `ProviderError` where a package is missing."""
    if form == "jax-export":
        from .jax_export import read_export

        return read_export(data).artifact
    if form == "onnx":
        from .onnx import onnx_to_text

        return onnx_to_text(data)
    if form == "torch-export":
        from .torch_export import torch_export_to_text

        return torch_export_to_text(data)
    from ..bindings.hlo import hlo_proto_to_bytecode, hlo_text_to_proto, mhlo_to_bytecode

    if form == "mhlo":
        return mhlo_to_bytecode(data)
    if form not in IMPORTED:
        raise UsageError(f"no importer for '{form}'; there are {', '.join(IMPORTED)}")
    return hlo_proto_to_bytecode(hlo_text_to_proto(data.decode(errors="replace")) if form == "hlo-text" else data)


def export(module: ir.Module, form: str) -> bytes:
    """The program in another form. Raises `UsageError` for an unknown form, `InputError` for a program that the form
    cannot express."""
    if form not in EXPORTED:
        raise UsageError(f"no exporter for '{form}'; there are {', '.join(EXPORTED)}")
    from ..bindings.hlo import program_to_hlo

    text, proto = program_to_hlo(str(module))
    return text.encode() if form == "hlo-text" else proto
