"""Facts about ops that the bindings cannot tell, from `ops.toml` and `other_ops.toml`."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Any, Literal, NamedTuple

_FOLDER = os.path.dirname(__file__)


class OpFacts(NamedTuple):
    """The facts about the op called `name`; the head of `ops.toml` explains each field."""

    name: str
    traits: frozenset[str] = frozenset()
    elementwise: Literal["always", "on scalars", "never"] = "never"
    floats: Literal["exact", "rounded"] = "rounded"
    quantized: Literal["expressed", "storage"] = "storage"
    shape: str = ""
    regions: tuple[str, ...] = ()
    ends: Literal["region", "block", ""] = ""
    effect: str = ""
    idempotent: bool = False
    opaque: bool = False
    per_process: bool = False
    exact_types: bool = False
    components: bool = True

    @property
    def dialect(self) -> str:
        """The part of the name before the first dot."""
        return self.name.partition(".")[0]

    @property
    def is_constant(self) -> bool:
        """Whether the op gives a value that it holds as an attribute."""
        return "ConstantLike" in self.traits

    @property
    def is_elementwise(self) -> bool:
        """Whether each element of the results depends on the elements of the operands at the same index alone."""
        return self.elementwise == "always"

    @property
    def is_elementwise_on_scalars(self) -> bool:
        """Whether running the op on whole arrays gives what running it on each element as a scalar gives."""
        return self.elementwise != "never"

    @property
    def is_control_flow(self) -> bool:
        """Whether the op chooses which of its regions run, and how often; these read values from outside."""
        return not {"branch", "branch*", "condition", "body"}.isdisjoint(self.regions)

    @property
    def ignores_regions(self) -> bool:
        """Whether the op's regions never run: the bodies of a composite, which only describe it."""
        return "never*" in self.regions

    @property
    def is_as_effectful_as_its_regions(self) -> bool:
        """Whether the op has the effects of the ops in its regions and no others."""
        return "RecursiveMemoryEffects" in self.traits


def _facts(name: str, entry: Mapping[str, Any]) -> OpFacts:
    """Return the facts in an entry of the files, and the facts that its traits imply."""
    fields = {key: value for key, value in entry.items() if key in OpFacts.__annotations__}
    fields |= {"traits": frozenset(entry.get("traits", ())), "regions": tuple(entry.get("regions", ()))}
    if "Elementwise" in fields["traits"]:
        fields.setdefault("elementwise", "always")
        fields.setdefault("shape", "like operand 0")
    if fields.get("elementwise") == "always":
        fields.setdefault("quantized", "expressed")
    for trait in fields["traits"]:
        if trait.startswith("reads and writes"):
            fields.setdefault("effect", trait)
    return OpFacts(name, **fields)


def read(name: str) -> str:
    """Return the text of a file beside this one."""
    with open(os.path.join(_FOLDER, name), encoding="utf-8") as file:
        return file.read()


@cache
def _entries() -> dict[str, Mapping[str, Any]]:
    """Return the entries of both files by the op's full name, with the names of lists of traits replaced by these."""
    own, others = tomllib.loads(read("ops.toml")), tomllib.loads(read("other_ops.toml"))
    lists = {name: traits.split() for name, traits in own.pop("lists").items()}
    entries: dict[str, Mapping[str, Any]] = {}
    for prefix, table in (("stablehlo.", own), ("", others)):
        for names, known in table.items():
            traits = [each for trait in known.get("traits", ()) for each in lists.get(trait, (trait,))]
            entries |= {prefix + name: {**known, "traits": traits} for name in names.split()}
    return entries


def entry(name: str) -> Mapping[str, Any] | None:
    """Return the entry of the op called `name`, with its dialect; None where the files do not have one."""
    return _entries().get(name)


@lru_cache(maxsize=1024)
def facts(name: str) -> OpFacts:
    """Return what is known of an op.

    Args:
        name: The op's full name, such as `stablehlo.add`.

    Returns:
        The facts. About an op that no file knows, nothing is known that could allow anything.
    """
    known = entry(name)
    return OpFacts(name) if known is None else _facts(name, known)


def op_names(dialect: str) -> tuple[str, ...]:
    """Return the full names of all ops of a dialect about which there are facts."""
    return tuple(sorted(name for name in _entries() if name.startswith(f"{dialect}.")))
