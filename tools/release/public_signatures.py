"""Write tests/unit/public_signatures.json, the list of public names, at a release.

Public is what the modules below name in `__all__`, or define without an underscore where they have none, with the
parameters of functions and of public methods. tests/unit/project/test_release.py compares it with what is there: a
release may add to it; what it takes away has to have warned for a minor release.
"""

from __future__ import annotations

import importlib
import inspect
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

MODULES = (
    "stablehlo_py",
    "stablehlo_py.debug",
    "stablehlo_py.engines",
    "stablehlo_py.errors",
    "stablehlo_py.extend",
    "stablehlo_py.testing",
    "stablehlo_py.testing.lit",
)
TARGET = Path(__file__).resolve().parents[2] / "tests" / "unit" / "public_signatures.json"
Parameters = list[list[Any]]


def parameters(function: Any) -> Parameters:
    """Name, kind and whether it may be left out, of each parameter."""
    try:
        found = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):  # built in
        return []
    named = [each for each in found if each.name != "self" and not each.name.startswith("_")]
    return [[each.name, each.kind.name, each.default is not each.empty] for each in named]


def _members(name: str, value: Any) -> Iterator[tuple[str, Parameters]]:
    if inspect.isclass(value):
        yield name, parameters(value)
        for member, function in vars(value).items():
            if not member.startswith("_") and inspect.isfunction(function):
                yield f"{name}.{member}", parameters(function)
    elif callable(value):
        yield name, parameters(value)


def signatures() -> dict[str, Parameters]:
    """The public functions, classes and methods, by their full names."""
    found: dict[str, Parameters] = {}
    for module_name in MODULES:
        module = importlib.import_module(module_name)
        own = [name for name, value in vars(module).items() if getattr(value, "__module__", "") == module_name]
        for name in getattr(module, "__all__", [name for name in own if not name.startswith("_")]):
            found.update(_members(f"{module_name}.{name}", getattr(module, name)))
    return dict(sorted(found.items()))


def broken(before: dict[str, Parameters], now: dict[str, Parameters]) -> list[str]:
    """Return the calls that worked before and fail now."""
    problems: list[str] = []
    for name, old in before.items():
        if name not in now:
            problems.append(f"{name} is gone")
            continue
        new = {each[0]: each for each in now[name]}
        problems += [f"{name} lost its parameter {each[0]}" for each in old if each[0] not in new]
        known = {each[0] for each in old}
        required = [
            each[0] for each in now[name] if not each[2] and not each[1].startswith("VAR") and each[0] not in known
        ]
        problems += [f"{name} needs a new argument {each}" for each in required]
        positional = [each[0] for each in old if each[1] == "POSITIONAL_OR_KEYWORD"]
        order = [each[0] for each in now[name] if each[1] == "POSITIONAL_OR_KEYWORD"]
        if order[: len(positional)] != positional and not set(positional) - set(new):
            problems.append(f"{name} takes its positional arguments in another order")
    return problems


if __name__ == "__main__":
    TARGET.write_text(json.dumps(signatures(), indent=0) + "\n", encoding="utf-8")
