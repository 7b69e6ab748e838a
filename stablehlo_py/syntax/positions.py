"""The positions of the ops in a text, whatever locations the text gives them.

A program exported from JAX names the lines of somebody's Python, or none at all; its own lines are what its reader has.
"""

from __future__ import annotations

from ..bindings import ir
from ..bindings.attributes import symbol_name
from ..bindings.diagnostics import file_location
from ..bindings.walk import children, operations
from .parser import parse_source
from .source import Source
from .tokens import without_locations


def positions_in_text(source: Source, context: ir.Context) -> dict[tuple[str, int], tuple[str, str]]:
    """Return the name and the position of each op, by its function and its index there, the function being 0.

    Raises:
        StablehloError: The text is not a program.
    """
    bare = Source(source.name, without_locations(source.data))
    module = parse_source(bare, context)
    return {
        (symbol_name(function), index): (op.name, file_location(op.location))
        for function in children(module.operation)
        if "sym_name" in function.attributes
        for index, op in enumerate(operations(function))
    }
