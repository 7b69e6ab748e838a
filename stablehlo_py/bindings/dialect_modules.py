"""Keeps the bindings from searching the file system for Python modules that do not exist.

Whenever an op, a type or an attribute becomes a Python object, the bindings try to import the Python module of its
dialect, and where there is none they try again the next time: on a module of 10,000 VHLO ops that was 85 % of the
time. An empty module in place of each missing one ends the search.
"""

from __future__ import annotations

import importlib.util
import sys
from functools import cache
from types import ModuleType

from ..lean import held_back, imported_later
from .provider import provider

_DIALECTS = ("interpreter", "quant", "shape", "tensor", "vhlo")


@cache
def provide_dialect_modules() -> None:
    """Puts an empty module in place of each dialect module that the provider lacks, once a process."""
    for dialect in _DIALECTS:
        name = f"{provider.root}.dialects.{dialect}"
        if name not in sys.modules and importlib.util.find_spec(name) is None:
            sys.modules[name] = ModuleType(name)


@cache
def import_function_dialects() -> None:
    """Import the modules of functions' dialects as the bindings would when they meet the first op, in half the time:
    for an annotation, on Python 3.11, they import a library that imports twenty others."""
    with held_back("typing_extensions"), imported_later("inspect"):
        for dialect in ("builtin", "func"):
            provider.optional_module(f"dialects.{dialect}")


def complete_dialect_module(dialect: str, extension: ModuleType) -> None:
    """Gives a dialect's Python module what it lacks of the C++ extension that holds its types and attributes.

    While jaxlib 0.12 loads the extension of sdy, it imports the module, which takes over what is there by then; jax,
    which imports the module first, needs the rest.
    """
    module = sys.modules.get(f"{provider.root}.dialects.{dialect}")
    if module is not None:
        vars(module).update({name: value for name, value in vars(extension).items() if not hasattr(module, name)})
