"""Facts about ops that the bindings cannot tell, read one op at a time from `ops.toml` and `other_ops.toml`.

Both files together take milliseconds to parse, the lines about one op about 50 microseconds. So they are cut into
pieces first, and a piece is parsed when its op is asked about.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, Literal

_FOLDER = os.path.dirname(__file__)
_STABLEHLO = "stablehlo."


@dataclass(frozen=True)
class Facts:
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


def _facts(name: str, entry: Mapping[str, Any]) -> Facts:
    """The facts in an entry of the files, with what its traits imply."""
    fields = {key: value for key, value in entry.items() if key in Facts.__annotations__}
    fields |= {"traits": frozenset(entry.get("traits", ())), "regions": tuple(entry.get("regions", ()))}
    if "Elementwise" in fields["traits"]:
        fields.setdefault("elementwise", "always")
        fields.setdefault("shape", "like operand 0")
    if fields.get("elementwise") == "always":
        fields.setdefault("quantized", "expressed")
    for trait in fields["traits"]:
        if trait.startswith("reads and writes"):
            fields.setdefault("effect", trait)
    return Facts(name, **fields)


def read(name: str) -> str:
    """Return the text of a file beside this one."""
    with open(os.path.join(_FOLDER, name), encoding="utf-8") as file:
        return file.read()


@cache
def _blocks() -> list[str]:
    """The blocks of `ops.toml`: the lists of traits, then the ops."""
    return read("ops.toml").split("\n\n[")[1:]


@cache
def _pieces() -> dict[str, str]:
    """The text about each op, by the op's name."""
    pieces: dict[str, str] = {}
    for block in _blocks()[1:]:
        for name in block[: block.index("]")].strip('"').split():
            pieces[_STABLEHLO + name] = f"[{block}"
    for line in read("other_ops.toml").splitlines():
        if line.startswith('"'):
            pieces |= dict.fromkeys(line[1 : line.index('"', 1)].split(), line)
    return pieces


def _parsed(piece: str) -> dict[str, Any]:
    import tomllib

    return next(iter(tomllib.loads(piece).values()))


@cache
def _lists() -> dict[str, list[str]]:
    """The lists of traits by name."""
    return {name: traits.split() for name, traits in _parsed(f"[{_blocks()[0]}").items()}


def entry(name: str) -> Mapping[str, Any] | None:
    """The entry of the op called `name`, with its dialect; None where the files do not have one."""
    piece = _pieces().get(name)
    if piece is None:
        return None
    known = _parsed(piece)
    if "traits" in known:
        known["traits"] = [each for trait in known["traits"] for each in _lists().get(trait, (trait,))]
    return known


@lru_cache(maxsize=1024)
def facts(name: str) -> Facts:
    """Return what is known of an op.

    Args:
        name: The op's full name, such as `stablehlo.add`.

    Returns:
        The facts. About an op that no file knows, nothing is known that could allow anything.
    """
    known = entry(name)
    return Facts(name) if known is None else _facts(name, known)


def op_names(dialect: str) -> tuple[str, ...]:
    """Return the full names of all ops of a dialect about which there are facts."""
    return tuple(sorted(name for name in _pieces() if name.startswith(f"{dialect}.")))
