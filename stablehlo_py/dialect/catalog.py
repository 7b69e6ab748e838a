"""The contract of every StableHLO op as data.

`ops.toml` lists traits, attributes and the specification's constraints by number, and `examples.mlir` holds a valid
instance of each op. tools/generate/contracts.py writes the last from the suites in tests/lit/verify. Ops are named
without their dialect here.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from .facts import entry, op_names, read


@dataclass(frozen=True)
class Attribute:
    """An attribute: its type in words, and what leaving it out means; `default` is None for a required one."""

    name: str
    type: str
    default: str | None


@dataclass(frozen=True)
class Constraint:
    """A constraint of the specification.

    `number` is its number there (`C9`), and `label` what it says in our words. `when` names the instances that it is
    about, empty for all. `untestable` says why no verifier can see a violation. `check` is a Python expression for
    `passes/verify_spec.py`, which holds if the constraint does. It is empty where MLIR's verifier or the library's
    functions check.
    """

    number: str
    label: str
    when: str = ""
    untestable: str = ""
    check: str = ""


@dataclass(frozen=True)
class Contract:
    """The requirements of an op. `example` is the text of a module that contains the op and verifies."""

    op: str
    traits: tuple[str, ...]
    attributes: tuple[Attribute, ...]
    constraints: tuple[Constraint, ...]
    example: str


def read_toml(name: str) -> dict[str, Any]:
    """Return the contents of a file next to this one."""
    import tomllib

    return tomllib.loads(read(name))


@cache
def _examples() -> dict[str, str]:
    _, *chunks = read("examples.mlir").split("\n// ")
    return {op: text.rstrip() + "\n" for op, _, text in (chunk.partition("\n") for chunk in chunks)}


def _constraints(op: str) -> tuple[Constraint, ...]:
    known = entry(f"stablehlo.{op}") or {}
    shared = _constraints(known["constraints_of"]) if "constraints_of" in known else ()
    own = (
        Constraint(number, each) if isinstance(each, str) else Constraint(number, **each)
        for number, each in known.items()
        if number.startswith("C")
    )
    return (*shared, *own)


@cache
def constraints() -> dict[str, tuple[Constraint, ...]]:
    """Return the constraints of each op whose constraints the specification numbers."""
    return {op: found for op in contract_names() if (found := _constraints(op))}


def contract_names() -> tuple[str, ...]:
    """Return every op that has a contract, in alphabetical order."""
    return tuple(name.partition(".")[2] for name in op_names("stablehlo"))


def contract(op: str) -> Contract | None:
    """Return the contract of an op.

    Args:
        op: The op's name without its dialect, such as `gather`.

    Returns:
        The contract, or None where StableHLO has no such op.
    """
    known = entry(f"stablehlo.{op}")
    if known is None:
        return None
    attributes = (
        Attribute(name, each, None) if isinstance(each, str) else Attribute(name, **each)
        for name, each in known.get("attributes", {}).items()
    )
    return Contract(op, tuple(known["traits"]), tuple(attributes), _constraints(op), _examples()[op])
