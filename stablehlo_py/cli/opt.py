"""`stablehlo-opt`: reads a module, runs passes on it, prints it. Drop-in for the tool of the same name."""

from __future__ import annotations

from .common import run_table_tool
from .options import OPT


def main() -> None:
    """The console script."""
    run_table_tool(OPT, ".opt_tool")
