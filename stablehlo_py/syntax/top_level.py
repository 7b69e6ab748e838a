"""Programs that are one op and no module, for `--no-implicit-module`."""

from __future__ import annotations

from ..bindings import ir
from ..bindings.diagnostics import file_location
from ..bindings.walk import children
from ..errors import Diagnostic, ParseError
from .source import Source


def without_implicit_module(module: ir.Module, source: Source) -> ir.Module | ir.Operation:
    """The one op at the top of `source`: `module` where its text says so, else what the parser put into a module.

    Raises:
        ParseError: There is none, or there are several.
    """
    if not _is_implicit(module, source):
        return module
    found = children(module.operation)
    if len(found) != 1:
        message = f"source must contain a single top-level operation, found: {len(found)}"
        raise ParseError([Diagnostic("error", f"{source.name}:1:1", message)])
    return found[0]


def require_module(module: ir.Module, source: Source) -> None:
    """Raise ParseError where the program of `source` is not written as a module."""
    if _is_implicit(module, source):
        ops = children(module.operation)
        found = f"'{ops[0].name}'" if ops else "nothing"
        message = f"expected a 'builtin.module' op, found {found}"
        raise ParseError([Diagnostic("error", f"{source.name}:1:1", message)])


def _is_implicit(module: ir.Module, source: Source) -> bool:
    """Return whether the parser made the module: its location has no line."""
    return not source.is_bytecode and file_location(module.operation.location).endswith(":0:0")
