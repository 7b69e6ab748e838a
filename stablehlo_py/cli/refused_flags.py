"""Flags of upstream's tools that cannot be had through the bindings, each with the reason and what to do instead.

A command line that gives one of these ends with its reason: a script learns that it asked for something that was not
done. `docs/flags.md` shows them next to the flags that work.
"""

from __future__ import annotations

from ..errors import UsageError

_ACTIONS = "the bindings give no access to MLIR's actions; --mlir-print-ir-before-all shows which passes run"
_COUNTERS = "the bindings give no access to MLIR's debug counters; stablehlo bisect-passes finds the pass at fault"
_DEBUG = "the packages with the dialects are release builds, without LLVM's debug output"
_REMARKS = "the bindings have no remark engine; --pass-report tells what the optimization passes did"
_PLUGIN = "the packages with the dialects load no plugins; --load=FILE.py adds your own passes"
_CHOICES = "LLVM's list of its own variables is not there; --help shows every flag with its default"

REFUSED: dict[str, str] = {
    "debug": _DEBUG,
    "debug-only": _DEBUG,
    "elide-resource-data-from-bytecode": "the bindings' bytecode writer has no such setting",
    "load-dialect-plugin": "the packages with the dialects load no plugins; --irdl-file defines a dialect where the "
    "package has IRDL",
    "load-pass-plugin": _PLUGIN,
    "log-actions-to": _ACTIONS,
    "log-mlir-actions-filter": _ACTIONS,
    "mlir-debug-counter": _COUNTERS,
    "mlir-enable-debugger-hook": _ACTIONS,
    "mlir-print-debug-counter": _COUNTERS,
    "mlir-print-elementsattrs-with-hex-if-larger": "the bindings' printer has no such setting; elements are printed in "
    "hexadecimal from 100 on",
    "mlir-print-stacktrace-on-diagnostic": "the bindings have no such setting",
    "mlir-very-unsafe-disable-verifier-on-parsing": "the bindings verify whatever they read",
    "print-all-options": _CHOICES,
    "print-options": _CHOICES,
    "profile-actions-to": _ACTIONS,
    "remark-format": _REMARKS,
    "remark-policy": _REMARKS,
    "remarks-filter": _REMARKS,
    "remarks-filter-analyse": _REMARKS,
    "remarks-filter-failed": _REMARKS,
    "remarks-filter-missed": _REMARKS,
    "remarks-filter-passed": _REMARKS,
    "remarks-output-file": _REMARKS,
}
# The values of flags that exist which the bindings do not know.
REFUSED_VALUES: dict[tuple[str, str], str] = {
    ("mlir-output-format", "json"): "the bindings print times as text only",
    ("mlir-timing-display", "tree"): "the bindings print times as a list only",
}
# `stablehlo-translate` runs no passes.
UNTIMED = "translations are not passes; --profile tells where an interpretation spends its time"
UNTIMED_FLAGS = ("mlir-output-format", "mlir-timing", "mlir-timing-display")


def refuse(name: str, value: str = "") -> None:
    """Raises UsageError where upstream's flag `name`, or its value, is known and cannot be had."""
    if name in REFUSED:
        raise UsageError(f"flag --{name} cannot be had: {REFUSED[name]}")
    if (name, value) in REFUSED_VALUES:
        raise UsageError(f"flag --{name}={value} cannot be had: {REFUSED_VALUES[name, value]}")
