"""Layouts: the axes of the mesh along which each dimension of a value is cut, and the steps from one layout to another.

Axes are split into atoms if a sharding of the program splits them, so that two layouts compare as tuples.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ..bindings import ir
from ..bindings.meshes import AxisRef, Mesh
from ..bindings.shardings import Sharding
from ..errors import InputError
from .demands import LayoutDemand, producer_of

Atoms = tuple[int, ...]
Layout = tuple[Atoms, ...]
"""The atoms that cut each dimension, the major first."""


class ReshardStep(NamedTuple):
    """A step of a reshard.

    Attributes:
        kind: `slice`, `all_gather`, `all_to_all` or `collective_permute`.
        atoms: The atoms that are added, removed or moved; none for a permutation.
        dimension: The dimension that is cut afterwards, or was until then.
        source: The dimension that an `all_to_all` makes whole.
        before: The layout before the step.
        after: The layout after it.
    """

    kind: str
    atoms: Atoms
    dimension: int
    source: int
    before: Layout
    after: Layout


class Devices:
    """The devices of a program, numbered in the order of its mesh; atoms are factors of that number, the major first.

    Meshes with the same devices in the same order have atoms in common.

    Attributes:
        count: The number of devices.
        every: All atoms.
    """

    def __init__(self, mesh: Mesh, shardings: Iterable[Sharding]) -> None:
        self.count = len(mesh.device_ids)
        self._mesh, self._ids = mesh, mesh.device_ids
        self._edges: list[int] = [1]
        self._meshes: list[Mesh] = []
        if not self._splits(mesh, []):
            raise InputError("the mesh has an axis without devices")
        for sharding in shardings:
            axes = [axis for axes in sharding.dimensions for axis in axes]
            if not self._splits(sharding.mesh, axes) and sharding.mesh == mesh:
                raise InputError("shardings split an axis of the mesh at sizes of which neither divides the other")
        self._sizes = [end // start for start, end in itertools.pairwise(self._edges)]
        self.every = tuple(range(len(self._sizes)))
        self._grid = np.array(self._ids).reshape(self._sizes)

    def _splits(self, mesh: Mesh, axes: Iterable[AxisRef]) -> bool:
        """Split the devices where a mesh does, and where axes end, if each size divides the next then."""
        if mesh.device_ids != self._ids:
            return False
        found = {
            edge for axis in (*axes, *[AxisRef(name, 1, None) for name in mesh.axes]) for edge in _ends(mesh, axis)
        }
        edges = sorted({*self._edges, *found})
        if not edges[0] or any(end % start for start, end in itertools.pairwise(edges)):
            return False
        self._edges = edges
        if mesh not in self._meshes:
            self._meshes.append(mesh)
        return True

    def atoms(self, mesh: Mesh, axis: AxisRef) -> Atoms:
        """Return the atoms of an axis of a mesh or of a part of it."""
        first, last = _ends(mesh, axis)
        return tuple(
            [n for n, (start, end) in enumerate(itertools.pairwise(self._edges)) if first <= start < end <= last]
        )

    def layout(self, sharding: Sharding) -> Layout | None:
        """Return the layout of a sharding; None for a mesh that has other devices, or splits them otherwise."""
        if not any(sharding.dimensions):
            return whole(len(sharding.dimensions))
        if sharding.mesh not in self._meshes:
            return None
        return tuple([sum([self.atoms(sharding.mesh, axis) for axis in axes], ()) for axes in sharding.dimensions])

    def axes_text(self, atoms: Atoms) -> str:
        """Return atoms in Shardy's print, such as `"x", "y":(1)2`."""
        found = list[str]()
        for atom in atoms:
            for name in self._mesh.axes:
                among = self.atoms(self._mesh, AxisRef(name, 1, None))
                if atom in among:
                    pre = self.parts(among[: among.index(atom)])
                    found.append(f'"{name}"' if len(among) == 1 else f'"{name}":({pre}){self._sizes[atom]}')
        return ", ".join(found)

    def demand(self, value: ir.Value, had: Layout, consumer: tuple[str, str], wanted: Layout) -> LayoutDemand:
        """Return what a reshard of a value for an op settles."""
        had_text, wanted_text = [
            f"[{', '.join([f'{{{self.axes_text(atoms)}}}' for atoms in layout])}]" for layout in (had, wanted)
        ]
        return LayoutDemand(*producer_of(value), had_text, *consumer, wanted_text)

    def parts(self, atoms: Atoms) -> int:
        """Return the number of parts that atoms make."""
        return math.prod([self._sizes[atom] for atom in atoms])

    def fitted(self, atoms: Atoms, size: int, taken: frozenset[int] | set[int] = frozenset()) -> Atoms:
        """Return the longest prefix of `atoms` that cuts a dimension evenly, without the taken atoms."""
        kept = 0
        while kept < len(atoms) and atoms[kept] not in taken and size and not size % self.parts(atoms[: kept + 1]):
            kept += 1
        return atoms[:kept]

    def local_shape(self, shape: Sequence[int], layout: Layout) -> list[int]:
        """Return the shape of the part that a device holds."""
        return [size // self.parts(atoms) for size, atoms in zip(shape, layout, strict=True)]

    def groups(self, atoms: Atoms) -> np.ndarray:
        """Return the groups of devices that differ along atoms, each ordered as the parts are."""
        kept = [number for number in self.every if number not in atoms]
        return self._grid.transpose([*kept, *atoms]).reshape(-1, self.parts(atoms)).astype(np.int64)

    def positions(self, atoms: Atoms) -> np.ndarray:
        """Return the number of the part that each device holds."""
        positions = np.empty(self.count, np.int64)
        groups = self.groups(atoms)
        positions[groups] = np.arange(groups.shape[1])
        return positions

    def pairs(self, before: Layout, after: Layout) -> list[tuple[int, int]]:
        """Return source and target devices of a permutation between layouts with equal numbers of parts. A device
        keeps a part that it holds already."""
        held, wanted = [
            list(zip(*[self.positions(atoms).tolist() for atoms in layout], strict=True)) for layout in (before, after)
        ]
        holders: dict[tuple[int, ...], list[int]] = {}
        for device in range(self.count):
            if held[device] != wanted[device]:
                holders.setdefault(held[device], []).append(device)
        keeping = [(device, device) for device in range(self.count) if held[device] == wanted[device]]
        moving = [(holders[position].pop(0), d) for d, position in enumerate(wanted) if held[d] != position]
        return sorted(keeping + moving)

    def steps(self, before: Layout, after: Layout) -> list[ReshardStep]:
        """Return the steps from one layout to another.

        What needs no communication comes first, then what keeps the size of the parts, and gathers at last.
        """
        found, now = list[ReshardStep](), before

        def add(kind: str, atoms: Atoms, dimension: int, changed: Mapping[int, Atoms], source: int = -1) -> None:
            nonlocal now
            new = tuple([changed.get(d, have) for d, have in enumerate(now)])
            found.append(ReshardStep(kind, atoms, dimension, source, now, new))
            now = new

        def cut() -> None:
            for d, wanted in enumerate(after):
                missing = wanted[len(now[d]) :] if wanted[: len(now[d])] == now[d] else ()
                taken = {atom for atoms in now for atom in atoms}
                free = next((k for k, atom in enumerate(missing) if atom in taken), len(missing))
                if free:
                    add("slice", missing[:free], d, {d: now[d] + missing[:free]})

        def exchange() -> bool:
            for source, have in enumerate(now):
                common = _common(have, after[source])
                for start in range(common, len(have)):
                    moved = have[start:]
                    for d, other in enumerate(now):
                        if d != source and after[d][: len(other) + len(moved)] == other + moved:
                            add("all_to_all", moved, d, {source: have[:start], d: other + moved}, source)
                            return True
            return False

        def settle() -> None:
            cut()
            while exchange():
                cut()
            if now != after and list(map(self.parts, now)) == list(map(self.parts, after)):
                add("collective_permute", (), -1, dict(enumerate(after)))

        settle()
        for d in sorted(range(len(after)), key=lambda d: self.parts(now[d])):
            have, common = now[d], _common(now[d], after[d])
            if common < len(have):
                add("all_gather", have[common:], d, {d: have[:common]})
                settle()
        return found

    def bytes_moved(self, size: float, before: Layout, after: Layout) -> float:
        """Return the bytes that each device receives when a value of `size` bytes changes its layout."""
        total = 0.0
        for step in self.steps(before, after):
            if step.kind != "slice":
                part = size / self.parts(sum(step.after, ()))
                total += part if step.kind == "collective_permute" else part * (1 - 1 / self.parts(step.atoms))
        return total


def _ends(mesh: Mesh, axis: AxisRef) -> tuple[int, int]:
    """Return the numbers of devices that differ along what is major to an axis, and along the axis too."""
    names = list(mesh.axes)
    start = math.prod([mesh.axes[name] for name in names[: names.index(axis.name)]]) * axis.pre_size
    return start, start * (mesh.axes[axis.name] // axis.pre_size if axis.size is None else axis.size)


def _common(one: Atoms, other: Atoms) -> int:
    """Return how many atoms two lists have in common at their beginnings."""
    return next((k for k, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def whole(rank: int) -> Layout:
    """Return the layout of a value that every device holds whole."""
    return ((),) * rank
