"""Engines by name: `reference:f64`, `xla:xla_cpu_enable_fast_math=true`, `official@other-env/bin/python`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from ..errors import UsageError
from ..isolation.limits import Limits
from ..syntax.spelling import hint
from .process import Engine
from .recorded import RecordedEngine

ENTRY_POINTS = "stablehlo_py.engines"
_BUILT_IN = {
    "reference": "stablehlo_py.engines.reference:backend",
    "official": "stablehlo_py.engines.official:backend",
    "xla": "stablehlo_py.engines.xla:backend",
    "iree": "stablehlo_py.engines.iree:backend",
    "command": "stablehlo_py.engines.command:backend",
    "command+": "stablehlo_py.engines.command:lines_backend",
}


@cache
def _registered() -> dict[str, str]:
    from importlib.metadata import entry_points

    return {point.name: point.value for point in entry_points(group=ENTRY_POINTS)} | _BUILT_IN


def engine_names() -> list[str]:
    """Return the names of all engines, also of engines from other packages."""
    return sorted(_registered())


def open_engine(name: str, limits: Limits | None = None, folder: Path | None = None) -> Engine:
    """Return the engine called `name`; its process starts at the first run.

    Args:
        name: `ENGINE`, `ENGINE:OPTION,…` or either followed by `@PYTHON`, the interpreter of an environment with
            another jaxlib. All that follows `command:` or `command+:` is the command.
        limits: Limits of each run.
        folder: Where outcomes are kept, and taken from when the same is run again.

    Raises:
        UsageError: There is no engine of that name.
    """
    is_command = name.startswith(("command:", "command+:"))
    head, _, python = (name, "", "") if is_command else name.partition("@")
    family, _, rest = head.partition(":")
    backend = _registered().get(family)
    if backend is None:
        notes = [f"the engines are {', '.join(engine_names())}"]
        raise UsageError(f"unknown engine '{family}'{hint(family, engine_names())}", notes=notes)
    options = (rest,) if is_command else tuple(filter(None, rest.split(",")))
    fields = name, backend, options, Limits() if limits is None else limits, python if python else sys.executable
    return Engine(*fields) if folder is None else RecordedEngine(*fields, folder=folder)


def with_options(name: str, options: Sequence[str]) -> str:
    """Return the name of an engine with more `KEY=VALUE` options; commas in a value separate the entries of a list."""
    if not options:
        return name
    head, at, python = name.partition("@")
    added = ",".join(option.replace(",", "+") for option in options)
    return f"{head}{',' if ':' in head else ':'}{added}{at}{python}"
