"""Source text → module: reading, splitting, the check dialect's assembly form, expected diagnostics."""

from .parser import parse, parse_source
from .printer import Printing, print_text
from .source import Source, read_source, split_source

__all__ = ["Printing", "Source", "parse", "parse_source", "print_text", "read_source", "split_source"]
