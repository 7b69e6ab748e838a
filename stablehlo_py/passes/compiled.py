"""The passes written in C++ that the bindings carry, as `compiled.toml` lists them.

A test compares the table with the bindings: every pass exists and has the options named here. `anchor` is the newest
release's; `describe_pass` tells the installed one's.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

_OLDEST = "0.7.1"


@dataclass(frozen=True)
class CompiledPass:
    """A summary of a pass, the kind of op on which it runs (`any` for all kinds), and the meaning of each option.

    `since` is the oldest release of jaxlib that was seen to have it; tests compare with third_party/providers.toml.
    """

    summary: str
    anchor: str = "any"
    options: Mapping[str, str] = field(default_factory=dict[str, str])
    since: str = _OLDEST


@cache
def compiled_passes() -> dict[str, CompiledPass]:
    """Return the passes by name; the table is read when it is first asked for, as tools that run no pass never do."""
    import tomllib

    table = tomllib.loads(Path(__file__).with_name("compiled.toml").read_text(encoding="utf-8"))
    return {name: CompiledPass(**entry) for name, entry in table.items()}
