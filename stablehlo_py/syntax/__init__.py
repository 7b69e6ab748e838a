"""Source text → module: reading, splitting, the check dialect's assembly form, expected diagnostics."""

from .parser import parse, parse_source
from .source import Source, read_source, split_source

__all__ = ["Source", "parse", "parse_source", "read_source", "split_source"]
