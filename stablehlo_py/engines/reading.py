"""Reads the module that an engine was handed, in a worker."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..artifacts.artifact import deserialize
from ..artifacts.header import is_bytecode, read_header
from ..bindings import make_context
from ..syntax import parse_source
from ..syntax.source import Source

if TYPE_CHECKING:
    from ..bindings import ir


def read_module(module: bytes) -> ir.Module:
    """Return the module in text, bytecode or a portable artifact. Raises StablehloError."""
    if is_bytecode(module) and read_header(module).is_portable:
        return deserialize(module)
    return parse_source(Source("module", module), make_context())
