"""The flags of all tools, which are read before the tool's own."""

from __future__ import annotations

import os

from ..errors import UsageError
from ..isolation.limits import MEMORY_VARIABLE, TIMEOUT_VARIABLE
from ..program import CHECK_CHOICES, CHECK_VARIABLE
from .messages import COLOR_VARIABLE, FORMAT_VARIABLE, FORMATS

TRUST_FLAG = "trust-input"
_LOAD_FLAG, _CHECK_FLAG = "load", "check-import"
# The values of flags without a value.
_BARE = {"color": "true", _CHECK_FLAG: "all"}
VERSION_SUMMARY = "Show the versions of this tool, of StableHLO, of the bytecode and of the package with the dialects."
# The flags of all tools, which are read before the tool's own; those with a value set a variable.
COMMON_FLAGS = {
    _LOAD_FLAG: "Load your own passes, patterns, kernels, handlers and shape functions from FILE.py; may be repeated",
    TRUST_FLAG: "Run without a guard: a crash of the compiler ends the tool",
    "guard-timeout": "Seconds that reading a program or running its passes may take; any number for passes by default",
    "guard-memory": "Bytes of memory that the tool may allocate",
    _CHECK_FLAG: "Compare imported programs with PyTorch and onnx.reference: all, or as by default only small ones",
    "error-format": "Write messages as text, as json with a line for each, or as one sarif document",
    "color": "Colour messages: true or false; by default on terminals, unless NO_COLOR is set",
}
_VARIABLES = {
    "guard-timeout": TIMEOUT_VARIABLE,
    "guard-memory": MEMORY_VARIABLE,
    _CHECK_FLAG: CHECK_VARIABLE,
    "error-format": FORMAT_VARIABLE,
    "color": COLOR_VARIABLE,
}
VALUE_NAMES = {
    _LOAD_FLAG: "FILE.py",
    TRUST_FLAG: "",
    "guard-timeout": "NUMBER",
    "guard-memory": "NUMBER",
    _CHECK_FLAG: "|".join(CHECK_CHOICES),
    "error-format": "|".join(FORMATS),
    "color": "true|false",
}
_VERBS_COLORS = frozenset(("always", "auto", "never"))


def take_common_flags(arguments: list[str]) -> tuple[list[str], list[str], bool]:
    """The arguments without those in `COMMON_FLAGS`, the files to load, and whether the input is trusted; other values
    go into the environment. Raises UsageError."""
    rest: list[str] = []
    loaded: list[str] = []
    trusted = False
    supply = iter(arguments)
    for position, argument in enumerate(supply):
        if argument == "--":
            return [*rest, argument, *supply], loaded, trusted
        name, has_value, value = argument.lstrip("-").partition("=")
        following = arguments[position + 1 : position + 2]
        if not argument.startswith("-") or name not in COMMON_FLAGS or _is_verbs_color(name, value, following):
            rest.append(argument)
        elif name == TRUST_FLAG:
            trusted = value != "false"
        else:
            value = value if has_value else _BARE[name] if name in _BARE else next(supply, "")
            if not value:
                raise UsageError(f"flag {argument} needs a value: {argument}={VALUE_NAMES[name]}")
            if "|" in VALUE_NAMES[name] and value not in VALUE_NAMES[name].split("|"):
                expected = VALUE_NAMES[name].replace("|", ", ")
                raise UsageError(f"flag --{name} expects one of {expected}, found '{value}'")
            if name == _LOAD_FLAG:
                loaded.append(value)
            else:
                os.environ[_VARIABLES[name]] = value
    return rest, loaded, trusted


def _is_verbs_color(name: str, value: str, following: list[str]) -> bool:
    """Whether `--color` belongs to `stablehlo diff`, which colours its findings: --color=always, --color never."""
    return name == "color" and (value in _VERBS_COLORS or (not value and bool(_VERBS_COLORS.intersection(following))))
