"""Reads a program in whatever form a user has it."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ...bindings import ir, make_context
from ...errors import STRING
from ...syntax.parser import as_source, is_path, parse_guarded
from ...syntax.source import Source
from ..artifact import deserialize, parse_bytecode
from ..header import read_header
from . import is_mhlo, recognize, to_mlir
from .original import Check

if TYPE_CHECKING:
    from .jax_export import Export

ChooseCheck = Callable[[str], Check | None]


def no_check(_form: str) -> Check | None:
    """Compare no program with its original."""
    return None


def read_program(
    source: Any, form: str = "", check: ChooseCheck = no_check
) -> tuple[ir.Module, Export | None]:  # fmt: skip
    """Return the StableHLO module in a source, and the nesting of its arguments if it is known.

    Args:
        source: A path, text, bytes, a module, or a program of JAX, ONNX or PyTorch.
        form: The form of a path, text or bytes that do not show it.
        check: Returns the check of an import from a form, or None.

    Raises:
        StablehloError: The source cannot be read, or its import differs from its original.
    """
    source = as_source(source) if is_path(source) else source  # read once: it may be a pipe
    found = read_other_form(source, form, check)
    if found is not None:
        return found
    return _parsed(as_source(source)), None


def read_other_form(
    source: Any, form: str = "", check: ChooseCheck = no_check
) -> tuple[ir.Module, Export | None] | None:
    """Return the same for a source in another form; None for MLIR's text, its bytecode and portable artifacts."""
    if form:
        return _imported(as_source(source), form, check)
    if isinstance(source, ir.Module):
        return source, None
    from . import jax_export, onnx, torch_export

    if jax_export.is_exported_object(source):
        chosen = check("jax-export")
        _warn("a jax.export.Exported", jax_export.check_export(source, chosen) if chosen else "")
        return _of_export(jax_export.from_exported(source))
    if jax_export.is_stage(source):
        return _of_export(jax_export.from_stage(source))
    if onnx.is_model_object(source):
        return _imported(Source(STRING, source.SerializeToString()), "onnx", check)
    if torch_export.is_exported_program(source):
        return _imported(Source(STRING, torch_export.saved(source)), "torch-export", check)
    if isinstance(source, str) and "mhlo." not in source and "HloModule" not in source:
        return None
    found = as_source(source)
    form = recognize(found) or ("mhlo" if is_mhlo(found) else "")
    return _imported(found, form, check) if form else None


def _imported(source: Source, form: str, check: ChooseCheck) -> tuple[ir.Module, Export | None]:
    imported, doubt = to_mlir(source.data, form, source.name, check(form))
    _warn(f"from {form}" if source.name == STRING else source.name, doubt)
    if form == "jax-export":
        from .jax_export import read_export

        return _of_export(read_export(source.data))
    return _parsed(Source(source.name, imported)), None


def _warn(name: str, doubt: str) -> None:
    if doubt:
        warnings.warn(f"importing {name}: {doubt}", stacklevel=7)


def _of_export(export: Export) -> tuple[ir.Module, Export]:
    return _parsed(Source(export.name, export.program)), export


def _parsed(source: Source) -> ir.Module:
    context = make_context()
    if not source.is_bytecode:
        return parse_guarded(source, context)
    read = deserialize if read_header(source.data).is_portable else parse_bytecode
    return read(source.data, context=context)
