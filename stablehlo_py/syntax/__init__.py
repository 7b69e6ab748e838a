"""Source text → module: reading, splitting, the check dialect's assembly form, expected diagnostics."""

from .parser import parse, parse_source
from .printer import Printing, loses_types, print_text, readable_text
from .source import Source, read_source, split_source

__all__ = [
    "Printing",
    "Source",
    "loses_types",
    "parse",
    "parse_source",
    "print_text",
    "read_source",
    "readable_text",
    "split_source",
]
