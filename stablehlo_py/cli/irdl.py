"""`--irdl-file`: dialects that a file in MLIR's own language for dialects, IRDL, defines."""

from __future__ import annotations

from ..bindings import ir, provider
from ..errors import UsageError
from ..syntax import parse_source, read_source


def define_dialects(path: str, context: ir.Context) -> None:
    """Makes the dialects in the file at `path` known to `context`.

    Raises:
        UsageError: The bindings have no IRDL.
        StablehloError: The file cannot be read, or is not a program of IRDL.
    """
    irdl = provider.optional_module("dialects.irdl")
    if irdl is None or not hasattr(irdl, "load_dialects"):
        raise UsageError(
            f"flag --irdl-file cannot be had: {provider.distribution} does not carry the IRDL dialect",
            notes=["torch-mlir does: pip install torch-mlir, and set STABLEHLO_PY_PROVIDER=torch_mlir"],
        )
    irdl.load_dialects(parse_source(read_source(path), context))
