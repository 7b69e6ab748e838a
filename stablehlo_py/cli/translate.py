"""`stablehlo-translate`: interprets, serializes and deserializes programs. Drop-in for the tool of the same name.

Command lines of a few common flags are read here; all others, and all with mistakes, by click, which takes longer to
import than most programs to translate.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from .common import run_tool
from .printing import PRINTER_FLAGS
from .translation import TOOL, translate

STEPS = ("interpret", "serialize", "deserialize", "export")
# What a flag is where the command line does not have it. The bindings' printer has the flags of stablehlo-opt.
DEFAULTS: dict[str, Any] = {
    "input_file": "-",
    "output_file": "-",
    **dict.fromkeys(STEPS[:3], False),
    **dict.fromkeys(("export", "import_form", "output_split_marker", "verify_diagnostics"), ""),
    "split_input_file": None,
    "allow_unregistered_dialect": False,
    "error_diagnostics_only": False,
    "mlir_print_op_on_diagnostic": True,
    "mlir_disable_threading": False,
    "no_implicit_module": False,
    "target": "current",
    **dict.fromkeys(("strip_debuginfo", "allow_other_dialects", "print_stablehlo_version"), False),
    **{name.replace("-", "_"): None if "-if-larger" in name else False for name in PRINTER_FLAGS},
    **dict.fromkeys(("args", "inputs_archive", "output", "probe_output_dir", "profile_output"), ""),
    "inputs": (),
    "function": "main",
    **dict.fromkeys(("print_dense", "deterministic", "progress", "profile"), False),
    "num_replicas": 1,
    "num_partitions": 1,
    "grid": "local",
    **dict.fromkeys(("max_memory", "max_steps", "timeout")),
}
# The flags that are read here: those with a value, and switches.
_TEXTS = {
    "o": "output_file",
    "target": "target",
    "args": "args",
    "function": "function",
    "probe-output-dir": "probe_output_dir",
}
_SWITCHES = (*STEPS[:3], "strip-debuginfo", "allow-other-dialects", "allow-unregistered-dialect")


def read_simple(arguments: Sequence[str]) -> tuple[dict[str, Any], list[str]] | None:
    """The flags and the steps of a command line of common flags and one input; None for any other."""
    given: dict[str, Any] = {}
    steps: list[str] = []
    supply = iter(arguments)
    for argument in supply:
        name, has_value, value = argument.lstrip("-").partition("=")
        if not argument.startswith("-") or argument == "-":
            key, read = "input_file", argument
        elif name in _TEXTS:
            key, read = _TEXTS[name], value if has_value else next(supply, None)
        elif name in _SWITCHES and not has_value:
            key, read = name.replace("-", "_"), True
            steps += [name] if name in STEPS else []
        else:
            return None
        if key in given or not read or (read != "-" and str(read).startswith("-")):
            return None
        given[key] = read
    return ({**DEFAULTS, **given}, steps) if steps else None


def _run(arguments: list[str]) -> int:
    simple = read_simple(arguments)
    if simple is not None:
        return translate(*simple)
    from .translate_command import run

    return run(arguments)


def main() -> None:
    """The console script."""
    sys.exit(run_tool(TOOL, _run))
