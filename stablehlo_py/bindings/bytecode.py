"""Modules as bytecode in memory."""

from __future__ import annotations

import io

from .provider import ir


def bytecode_of(op: ir.Operation | ir.Module) -> bytes:
    """Return `op` as MLIR bytecode, its locations included."""
    buffer = io.BytesIO()
    op.operation.write_bytecode(buffer)
    return buffer.getvalue()


def copy_of(module: ir.Module) -> ir.Module:
    """Return a copy of `module` in its context."""
    return ir.Module.parse(bytecode_of(module), module.context)
