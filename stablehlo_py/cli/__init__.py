"""The command line tools. Their modules are imported by the entry points below."""

from __future__ import annotations

import gc
import importlib
import sys


def _run(tool: str) -> None:
    gc.set_threshold(20_000)  # what is imported stays: to look for garbage in it takes a twentieth of a small command
    try:
        main = importlib.import_module(f".{tool}", __package__).main
    except KeyboardInterrupt:
        sys.exit(130)
    main()


def stablehlo_opt() -> None:
    """Run `stablehlo-opt` on the process's arguments, and end the process."""
    _run("opt")


def stablehlo_translate() -> None:
    """Run `stablehlo-translate` on the process's arguments, and end the process."""
    _run("translate")


def stablehlo_compat() -> None:
    """Run `stablehlo-compat` on the process's arguments, and end the process."""
    _run("compat")


def stablehlo() -> None:
    """Run `stablehlo` on the process's arguments, and end the process."""
    _run("stablehlo")


def stablehlo_lsp_server() -> None:
    """Run `stablehlo lsp` on the process's arguments, and end the process."""
    if "--version" not in sys.argv:
        sys.argv.insert(1, "lsp")
    _run("stablehlo")
