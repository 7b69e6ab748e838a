"""`stablehlo-translate`: interprets, serializes and deserializes programs. Drop-in for the tool of the same name."""

from __future__ import annotations

from .common import run_table_tool
from .options import TRANSLATE


def main() -> None:
    """The console script."""
    run_table_tool(TRANSLATE, ".translation")
