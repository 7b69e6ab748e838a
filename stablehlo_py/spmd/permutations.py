"""Checks the permutations that Shardy's export makes, and mends those that are wrong.

Up to jaxlib 0.10.2 the export of `sdy.collective_permute` to parts of axes sends some parts to the wrong devices.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..bindings import ir
from ..bindings.elements import from_numpy
from ..bindings.meshes import symbol_mesh
from ..bindings.shardings import Sharding, Tiling, sdy_shardings
from ..bindings.walk import operations, symbols
from .attributes import sharding_of
from .collectives import source_target_pairs

Move = tuple[Tiling, Tiling]
_PERMUTE = "collective_permute"


def permuted_tilings(module: ir.Module) -> list[Move | None]:
    """The parts that devices hold before and after each `sdy.collective_permute`, in the order of the text; None in
    the place of a permutation that the program has already."""
    known = symbols(module.operation)

    def tiling(text: str) -> Tiling:
        sharding: Sharding = sdy_shardings(text, lambda name: symbol_mesh(name, known.get))[0]
        return sharding.tiling(frozenset(sharding.mesh.axes))

    return [
        (tiling(sharding_of(op.operands[0])), tiling(sharding_of(op.results[0])))
        if op.name == f"sdy.{_PERMUTE}"
        else None
        for op in operations(module.operation)
        if op.name in (f"sdy.{_PERMUTE}", f"stablehlo.{_PERMUTE}")
    ]


def mend_permutations(module: ir.Module, moves: list[Move | None]) -> None:
    """Give every `stablehlo.collective_permute` of the exported program pairs that bring each part where it belongs."""
    permutes = [op for op in operations(module.operation) if op.name == f"stablehlo.{_PERMUTE}"]
    for op, move in zip(permutes, moves, strict=True):
        if move is None:
            continue
        before, after = move
        if not _brings(source_target_pairs(op), before, after):
            with op.context:
                op.attributes["source_target_pairs"] = from_numpy(np.array(_pairs(before, after), np.int64))


def _brings(pairs: Sequence[tuple[int, ...]], before: Tiling, after: Tiling) -> bool:
    """Whether each device gets the part that it has to hold."""
    targets = {target for _, target in pairs}
    return targets == set(after.places) and all(before.places[s] == after.places[t] for s, t in pairs)


def _pairs(before: Tiling, after: Tiling) -> list[tuple[int, int]]:
    """Pairs that bring each device its part, from each device once; a device keeps a part that it holds already."""
    holders: dict[tuple[int, ...], list[int]] = {}
    for device, place in before.places.items():
        holders.setdefault(place, []).append(device)
    pairs = list[tuple[int, int]]()
    for device, place in after.places.items():
        if device in holders[place]:
            holders[place].remove(device)
            pairs.append((device, device))
    settled = {target for _, target in pairs}
    pairs += [(holders[place].pop(0), device) for device, place in after.places.items() if device not in settled]
    return sorted(pairs)
