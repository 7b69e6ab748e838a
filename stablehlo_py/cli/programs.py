"""The StableHLO program in a file, whatever form and version it is in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..errors import ArtifactError

if TYPE_CHECKING:
    from ..bindings import ir
    from ..syntax import Source


def load_program(path: str, context: ir.Context | None = None) -> ir.Module:
    """The StableHLO program in a file, upgraded where it is VHLO, in a context of its own by default.

    Raises `StablehloError`, its location the file's."""
    from ..bindings import make_context
    from ..syntax import read_source

    return program_in(read_source(path), path, make_context() if context is None else context)


def program_in(source: Source, path: str, context: ir.Context) -> ir.Module:
    """As `load_program`, of a file that has been read."""
    from ..vhlo.artifact import upgrade
    from . import driver
    from .guard import doing

    try:
        module = driver.load_program(source, context)
    except ArtifactError as error:
        error.location = error.location if error.location else path
        raise
    if any(op.operation.name.startswith("vhlo.") for op in module.body.operations):
        upgrade(module)
    doing(f"working on {path}")  # for as long as it takes
    return module
