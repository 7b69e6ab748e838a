"""Functions that the Python modules of dialects lack in the installed bindings."""

from __future__ import annotations

import sys
from functools import cache
from types import ModuleType

from .provider import dialect_registry, provider


@cache
def provide_dialect_modules() -> None:
    """Let the bindings find the modules of the folder `dialects` where the provider has none, once a process.

    Whenever an op, a type or an attribute becomes a Python object, the bindings import the module of its dialect. Where
    there is none they try again the next time: on a module of 10,000 VHLO ops that was 85 % of the time.
    """
    dialect_registry.append_dialect_search_prefix(f"{__package__}.dialects")


def complete_dialect_module(dialect: str, extension: ModuleType) -> None:
    """Gives a dialect's Python module what it lacks of the C++ extension that holds its types and attributes.

    While jaxlib 0.12 loads the extension of sdy, it imports the module, which takes over what is there by then; jax,
    which imports the module first, needs the rest.
    """
    module = sys.modules.get(f"{provider.root}.dialects.{dialect}")
    if module is not None:
        vars(module).update({name: value for name, value in vars(extension).items() if not hasattr(module, name)})
