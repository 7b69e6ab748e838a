"""Remedies for an op, type or attribute that a version does not have: commands that work as they are printed."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, replace

from ..bindings import ir
from ..errors import StablehloError
from ..syntax import Source
from .needs import Need
from .versions import Version

_TOOL = "stablehlo-opt "


@dataclass(frozen=True)
class Remedies:
    """The remedies for one program: `path` is its file, and `is_vhlo` says that `stablehlo-opt` reads it as VHLO."""

    path: str
    is_vhlo: bool
    target: Version

    @classmethod
    def of(cls, source: Source, path: str, target: Version) -> Remedies:
        """The remedies for the program that `source` holds."""
        from .header import read_header

        is_vhlo = read_header(source.data).is_portable if source.is_bytecode else b"vhlo.func" in source.data
        return cls(path, is_vhlo, target)

    def advice(self, need: Need) -> str:
        """Return the remedy for a missing feature in words, with a command if possible; empty if none is known."""
        words, _, command = need.feature.lift.partition(_TOOL)
        return f"{words}{self.command(need)}" if command else words

    def command(self, need: Need) -> str:
        """Return the command that does without the feature and prints the program; empty if there is none."""
        _, _, flags = need.feature.lift.partition(_TOOL)
        if not flags:
            return ""
        raising = "--stablehlo-deserialize " if self.is_vhlo else ""
        return f"{_TOOL}{raising}{flags.replace('X.Y.Z', str(self.target))} {shlex.quote(self.path)}"


def placed(needs: tuple[Need, ...], source: Source, context: ir.Context) -> tuple[Need, ...]:
    """`needs`, with a position in the text for each place without a location."""
    nameless = any(not place.location and place.function for need in needs for place in need.places)
    if source.is_bytecode or not nameless:
        return needs
    from ..syntax.positions import positions_in_text

    try:
        positions = positions_in_text(source, context)
    except StablehloError:  # a text that needs its locations
        return needs
    return tuple(
        replace(
            need,
            places=[
                replace(place, location=positions.get((place.function, place.index), ("", ""))[1])
                if not place.location
                else place
                for place in need.places
            ],
        )
        for need in needs
    )
