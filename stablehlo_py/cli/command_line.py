"""Reading command lines as MLIR's tools do: with one dash or two, and a value behind `=` or in the next word.

click reads those of `stablehlo`. It is not used here: passes are options whose order counts, switches take a value, and
importing click takes longer than all other imports of a tool's first process.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from ..errors import UsageError
from .options import ALIASES, COMMON, INTEGER, NUMBER, OPT, OPTIONAL, SWITCH, Option, options_of

if TYPE_CHECKING:
    from ..bindings import ir
    from .output import Output

_TRUE, _FALSE = frozenset(("true", "1", "TRUE", "True", "")), frozenset(("false", "0", "FALSE", "False"))


class Options:
    """A command line of a tool: the values of each option that is given, and passes in order, with their options."""

    def __init__(self, tool: str = OPT) -> None:
        self.tool = tool
        self.values: dict[str, list[str]] = {}
        self.inputs: list[str] = []
        self.passes: list[tuple[str, str]] = []
        # Work that handlers register: instead of printing the module, and on the module around the passes.
        self.printers: list[Callable[[ir.Module, Output], None]] = []
        self.before_passes: list[Callable[[ir.Module], None]] = []
        self.after_passes: list[Callable[[ir.Module], None]] = []

    @property
    def input(self) -> str:
        """The file to read, `-` by default."""
        return self.inputs[0] if self.inputs else "-"

    def is_given(self, name: str) -> bool:
        return name in self.values

    def given(self, name: str) -> str | None:
        """Return the value of an option, or None."""
        return self.text(name) if self.is_given(name) else None

    def text(self, name: str) -> str:
        """Return the value of an option, or its default."""
        return self.values[name][-1] if self.is_given(name) else options_of(self.tool)[name].default

    def all(self, name: str) -> list[str]:
        """Return the values of an option that may be repeated."""
        return self.values.get(name, [])

    def switch(self, name: str) -> bool:
        return self.text(name) in _TRUE if self.is_given(name) else bool(options_of(self.tool)[name].default)

    def integer(self, name: str) -> int | None:
        text = self.text(name)
        return int(text) if text else None

    def number(self, name: str) -> float | None:
        text = self.text(name)
        return float(text) if text else None

    def handle(self) -> int | None:
        """Call the handlers of the options, in order. Returns the exit code of the one that ends the tool."""
        for name in list(self.values):
            module, _, function = options_of(self.tool)[name].handler.partition(":")
            code = getattr(importlib.import_module(module), function)(self.text(name), self) if module else None
            if code is not None:
                return code
        return None


def _check(option: Option, value: str) -> None:
    """Raise UsageError for a value that the option cannot have."""
    name = f"--{option.name}"
    if option.refused:
        raise UsageError(f"flag {name} cannot be had: {option.refused}")
    if value == option.refused_value[0] and value:
        raise UsageError(f"flag {name}={value} cannot be had: {option.refused_value[1]}")
    if option.kind == SWITCH and value not in _TRUE | _FALSE:
        raise UsageError(f"flag {name} expects true or false, found '{value}'")
    if option.kind in (INTEGER, NUMBER):
        _check_number(option, value)
    if option.choices and value not in option.choices:
        raise UsageError(f"flag {name} expects one of {', '.join(option.choices)}, found '{value}'")


def _check_number(option: Option, value: str) -> None:
    least, most = option.bounds
    kind = "an integer" if option.kind == INTEGER else "a number"
    try:
        number = int(value) if option.kind == INTEGER else float(value)
    except ValueError:
        raise UsageError(f"flag --{option.name} expects {kind}, found '{value}'") from None
    if option.kind == INTEGER and not -(2**63) <= number < 2**63:
        raise UsageError(f"flag --{option.name} expects an integer of 64 bits, found '{value}'")
    if not least <= number <= most:
        bounds = f"of at least {least}" if most == float("inf") else f"from {least} to {most}"
        raise UsageError(f"flag --{option.name} expects {kind} {bounds}, found '{value}'")


def _value(option: Option, argument: str, rest: Iterator[str]) -> str:
    """Return the value of an option, checked; the next argument if there is none in `argument`."""
    written, has_value, value = argument.partition("=")
    if not has_value:
        value = option.default if option.kind == OPTIONAL else "" if option.kind == SWITCH else next(rest, None)
    if value is None or (not value and option.kind != SWITCH and option.name in COMMON):
        raise UsageError(f"flag {written} needs a value: {written}={option.value_name}")
    _check(option, value)
    return value


def take_common_flags(arguments: list[str]) -> tuple[list[str], list[str], bool]:
    """Take the options of every tool, in `COMMON`, from a command line, and put their values into the environment.

    Returns:
        The other arguments, the files to load, and whether the input is trusted.

    Raises:
        UsageError: A value is wrong or missing.
    """
    rest: list[str] = []
    loaded: list[str] = []
    trusted = False
    supply = iter(arguments)
    for argument in supply:
        if argument == "--":
            return [*rest, argument, *supply], loaded, trusted
        name = argument.lstrip("-").partition("=")[0]
        option = COMMON.get(name) if argument.startswith("-") else None
        if option is None:
            rest.append(argument)
            continue
        value = _value(option, argument, supply)
        if option.variable:
            os.environ[option.variable] = value
        elif option.kind == SWITCH:
            trusted = value in _TRUE
        else:
            loaded.append(value)
    return rest, loaded, trusted


def read_command_line(tool: str, arguments: list[str], is_pass: Callable[[str], bool] = lambda _: False) -> Options:
    """Read a command line of `tool`. Raises UsageError for a word that is neither an option nor a pass."""
    options = Options(tool)
    known, rest = options_of(tool), iter(arguments)
    for argument in rest:
        name, _, value = argument.lstrip("-").partition("=")
        option = known.get(ALIASES.get(name, name))
        if argument == "--":
            options.inputs.extend(rest)
        elif not argument.startswith("-") or argument == "-":
            options.inputs.append(argument)
        elif option is not None:
            options.values.setdefault(option.name, []).append(_value(option, argument, rest))
        elif is_pass(name):
            options.passes.append((name, value))
        else:
            raise UsageError(_unknown(tool, argument.partition("=")[0], name))
    if len(options.inputs) > 1:
        raise UsageError(f"too many input files: {', '.join(options.inputs)}")
    return options


# Flags of LLVM's tools that are called otherwise in MLIR's.
_OTHER_FLAGS = {"time-passes": "mlir-timing", "print-after-all": "mlir-print-ir-after-all"}


def _unknown(tool: str, written: str, name: str) -> str:
    from ..passes.catalog import pass_names, passes_elsewhere
    from ..syntax.spelling import hint

    if tool == OPT and name in passes_elsewhere():
        return f"flag --{name} cannot be had: {passes_elsewhere()[name]}"
    known = [option.name for option in options_of(tool).values() if not option.refused]
    name = _OTHER_FLAGS.get(name, name)
    guess = hint(name, [*known, *(pass_names() if tool == OPT else ())], "--")
    return f"unknown flag '{written}'{guess if guess else '; --help lists all'}"
