"""Flags of upstream's tools that cannot be had through the bindings, each with the reason and what to do instead.

A command line that gives one of these ends with its reason: a script learns that it asked for something that was not
done. `docs/flags.md` shows them next to the flags that work.
"""

from __future__ import annotations

from ..errors import UsageError

_WHY: dict[str, tuple[str, ...]] = {
    "the packages with the dialects are release builds, without LLVM's debug output": ("debug", "debug-only"),
    "the bindings' bytecode writer has no such setting": ("elide-resource-data-from-bytecode",),
    "the packages with the dialects load no plugins; --irdl-file defines a dialect where the package has IRDL": (
        "load-dialect-plugin",
    ),
    "the packages with the dialects load no plugins; --load=FILE.py adds your own passes": ("load-pass-plugin",),
    "the bindings give no access to MLIR's actions; --mlir-print-ir-before-all shows which passes run": (
        *("log-actions-to", "log-mlir-actions-filter", "mlir-enable-debugger-hook", "profile-actions-to"),
    ),
    "the bindings give no access to MLIR's debug counters; stablehlo bisect-passes finds the pass at fault": (
        *("mlir-debug-counter", "mlir-print-debug-counter"),
    ),
    "the bindings' printer has no such setting; elements are printed in hexadecimal from 100 on": (
        "mlir-print-elementsattrs-with-hex-if-larger",
    ),
    "the bindings have no such setting": ("mlir-print-stacktrace-on-diagnostic",),
    "the bindings verify whatever they read": ("mlir-very-unsafe-disable-verifier-on-parsing",),
    "LLVM's list of its own variables is not there; --help shows every flag with its default": (
        *("print-all-options", "print-options"),
    ),
    "the bindings have no remark engine; --pass-report tells what the optimization passes did": (
        *("remark-format", "remark-policy", "remarks-filter", "remarks-filter-analyse", "remarks-filter-failed"),
        *("remarks-filter-missed", "remarks-filter-passed", "remarks-output-file"),
    ),
}
REFUSED = {name: why for why, names in _WHY.items() for name in names}
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
