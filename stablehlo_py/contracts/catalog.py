"""The contract of every StableHLO op as data.

`constraints.toml` lists the specification's constraints by number, `ops.toml` what the bindings cannot tell, and
`examples.mlir` holds a valid instance of each op; tools/contracts.py writes the last from the suites in
tests/lit/verify. Ops are named without their dialect here.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
_EXAMPLE = re.compile(r"^// (?P<op>[a-z][\w-]*)\n(?P<text>.*?)(?=^// -----$|\Z)", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Attribute:
    """An attribute's type in words, and what leaving it out means; `default` is None for one that is required."""

    name: str
    type: str
    default: str | None


@dataclass(frozen=True)
class Constraint:
    """A constraint of the specification: its number there (`C9`), and what it says in our words. `when` names the
    instances it is about where it is not about all; `untestable` says why no verifier can see a violation."""

    number: str
    label: str
    when: str = ""
    untestable: str = ""


@dataclass(frozen=True)
class Contract:
    """What an op requires. `example` is the text of a module in which it occurs, and which verifies."""

    op: str
    traits: tuple[str, ...]
    attributes: tuple[Attribute, ...]
    constraints: tuple[Constraint, ...]
    example: str


def _toml(name: str) -> dict[str, Any]:
    return tomllib.loads((FOLDER / name).read_text(encoding="utf-8"))


@cache
def _ops() -> dict[str, Any]:
    return _toml("ops.toml")


@cache
def _examples() -> dict[str, str]:
    text = (FOLDER / "examples.mlir").read_text(encoding="utf-8")
    return {found["op"]: found["text"].strip() + "\n" for found in _EXAMPLE.finditer(text)}


def _constraint(number: str, entry: str | dict[str, str]) -> Constraint:
    return Constraint(number, entry) if isinstance(entry, str) else Constraint(number, **entry)


@cache
def constraints() -> dict[str, tuple[Constraint, ...]]:
    """The constraints of each op for which the specification numbers any."""
    return {
        op: tuple(_constraint(number, entry) for number, entry in entries.items())
        for op, entries in _toml("constraints.toml").items()
    }


def contract_names() -> tuple[str, ...]:
    """Every op that has a contract, in alphabetical order."""
    return tuple(_ops())


def contract(op: str) -> Contract | None:
    """The contract of an op (`gather`), or None where there is no such op."""
    entry = _ops().get(op)
    if entry is None:
        return None
    attributes = (
        Attribute(name, attribute["type"], attribute.get("default"))
        for name, attribute in entry.get("attributes", {}).items()
    )
    return Contract(op, tuple(entry["traits"]), tuple(attributes), constraints().get(op, ()), _examples()[op])
