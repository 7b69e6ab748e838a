"""The text of a program in a report: large constants left out, and the line of each op."""

from __future__ import annotations

from dataclasses import dataclass

from ..bindings import ir
from ..bindings.locations import FilePosition, parsed_location
from ..bindings.walk import operations

_MOST_ELEMENTS = 16
_LONGEST_LINE = 2000


@dataclass(frozen=True)
class Listing:
    """The lines of a program, and for each op, in the order of the text, the number of its line from 0.

    An op that is not printed, such as those of `applies stablehlo.add`, has the line of the op around it.
    """

    lines: tuple[str, ...]
    line_numbers: tuple[int, ...]


def listing(module: ir.Module) -> Listing:
    """Print a program, and find its ops in the text by parsing it once more."""
    text = _printed(module, _MOST_ELEMENTS)
    lines = text.split("\n")
    line_numbers = _line_numbers(text, module)
    if line_numbers is None:  # a large attribute that must not be left out
        line_numbers = _line_numbers(_printed(module, None), module)
    shown = [line if len(line) <= _LONGEST_LINE else f"{line[:_LONGEST_LINE]}…" for line in lines]
    count = len(operations(module.operation))
    return Listing(tuple(shown), (0,) * count if line_numbers is None else line_numbers)


def _printed(module: ir.Module, most_elements: int | None) -> str:
    text = module.operation.get_asm(
        large_elements_limit=most_elements, large_resource_limit=64, use_local_scope=True, enable_debug_info=False
    )
    return str(text).rstrip("\n")


def _line_numbers(text: str, module: ir.Module) -> tuple[int, ...] | None:
    """Return the line of each op of `text`, or None if it is another program."""
    try:
        parsed = ir.Module.parse(text, module.context)
    except ir.MLIRError:
        return None
    found, before = list[int](), 0
    for op in operations(parsed.operation):
        location = parsed_location(op.location)
        before = location.line - 1 if isinstance(location, FilePosition) else before
        found.append(before)
    return tuple(found)
