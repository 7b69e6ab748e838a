"""Replica groups as lists of ids, from a dense attribute or from the axes of a mesh. Spec: Replica groups."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ..errors import StablehloError
from .elements import to_numpy
from .provider import ir, stablehlo_extension

ReplicaGroups = list[list[int]]

# As many as a grid of the tools has at most, 4096 x 4096.
MOST_DEVICES = 1 << 24
# Rows of different lengths are padded with this id.
PADDING = -1

_SDY_MESH = re.compile(r"#sdy\.mesh<\[(?P<axes>[^\]]*)\](, device_ids=\[(?P<ids>[^\]]*)\])?>")
_SDY_AXIS = re.compile(r'"(?P<name>[^"]*)"=(?P<size>\d+)')


class Mesh(NamedTuple):
    """Named axes of a grid of devices, the major one first, and the id of the device at each position of the grid."""

    axes: dict[str, int]
    device_ids: tuple[int, ...]


class AxisRef(NamedTuple):
    """An axis, or a part of it: the axis is split into `pre_size`, `size` and the rest."""

    name: str
    pre_size: int
    size: int | None


def replica_groups(attribute: ir.Attribute, symbol: Callable[[str], ir.Operation | None]) -> ReplicaGroups:
    """Return the groups that a `replica_groups` attribute stands for.

    `symbol` finds the op that defines a symbol of the module. Raises `StablehloError` for a mesh that is not defined,
    or axes that it does not have.
    """
    if isinstance(attribute, ir.DenseElementsAttr) or not stablehlo_extension.ReplicaGroupMeshAxesAttr.isinstance(
        attribute
    ):
        return [[int(id_) for id_ in row if id_ != PADDING] for row in to_numpy(attribute)]
    mesh_axes = stablehlo_extension.ReplicaGroupMeshAxesAttr(attribute)
    mesh = _mesh(mesh_axes.mesh, symbol)
    return groups_along(mesh, [_axis_ref(axis) for axis in ir.ArrayAttr(mesh_axes.axes)])


def groups_along(mesh: Mesh, references: list[AxisRef]) -> ReplicaGroups:
    """Return a group for each position of the mesh without the referenced axes, the first axis major."""
    cuts = {name: {1, size} for name, size in mesh.axes.items()}
    for reference in references:
        if reference.name not in cuts:
            raise StablehloError(f"the mesh has no axis '{reference.name}'; it has {', '.join(mesh.axes)}")
        size = mesh.axes[reference.name]
        end = size if reference.size is None else reference.pre_size * reference.size
        if size % end or end % reference.pre_size:
            raise StablehloError(
                f"axis '{reference.name}' of size {size} cannot be split at {reference.pre_size}:{end}"
            )
        cuts[reference.name] |= {reference.pre_size, end}
    factors = [(name, start, end) for name in mesh.axes for start, end in itertools.pairwise(sorted(cuts[name]))] or [
        ("", 1, 1)
    ]
    grouped = [
        position
        for reference in references
        for position, (name, start, end) in enumerate(factors)
        if name == reference.name
        and start >= reference.pre_size
        and (reference.size is None or end <= reference.pre_size * reference.size)
    ]
    kept = [position for position in range(len(factors)) if position not in grouped]
    grid = np.array(mesh.device_ids).reshape([end // start for _, start, end in factors])
    width = math.prod(grid.shape[position] for position in grouped)
    return grid.transpose(kept + grouped).reshape(-1, width).tolist()


def _axis_ref(attribute: ir.Attribute) -> AxisRef:
    axis = stablehlo_extension.AxisRefAttr(attribute)
    if axis.sub_axis_info is None:
        return AxisRef(axis.name, 1, None)
    part = stablehlo_extension.SubAxisInfoAttr(axis.sub_axis_info)  # type: ignore[arg-type]  # typed as object
    return AxisRef(axis.name, part.pre_size, part.size)


def _make_mesh(axes: dict[str, int], device_ids: tuple[int, ...] | None) -> Mesh:
    count = math.prod(axes.values())
    if count > MOST_DEVICES:
        raise StablehloError(f"a mesh of {count} devices is too large: the limit is {MOST_DEVICES}")
    ids = tuple(range(count)) if device_ids is None else device_ids
    if len(ids) != count:
        raise StablehloError(f"a mesh of {count} positions has {len(ids)} device ids")
    return Mesh(axes, ids)


def _mesh(attribute: ir.Attribute, symbol: Callable[[str], ir.Operation | None]) -> Mesh:
    if stablehlo_extension.MeshAttr.isinstance(attribute):
        mesh = stablehlo_extension.MeshAttr(attribute)
        axes = [stablehlo_extension.MeshAxisAttr(axis) for axis in ir.ArrayAttr(mesh.axes)]
        ids = None if mesh.device_ids is None else _ids(mesh.device_ids)  # type: ignore[arg-type]  # typed as object
        return _make_mesh({axis.name: axis.size for axis in axes}, ids)
    return symbol_mesh(ir.FlatSymbolRefAttr(attribute).value, symbol)


def symbol_mesh(name: str, symbol: Callable[[str], ir.Operation | None]) -> Mesh:
    """Return the mesh that a symbol of the module names. Raises `StablehloError` if the module defines none."""
    definition = symbol(name)
    if definition is None or definition.name != "sdy.mesh":
        raise StablehloError(f"no mesh @{name} is defined in the module")
    if "stablehlo.mesh" in definition.attributes:
        mesh = ir.DictAttr(definition.attributes["stablehlo.mesh"])  # {axes = [{name = "x", size = 2}], device_ids = …}
        axes = [ir.DictAttr(axis) for axis in ir.ArrayAttr(mesh["axes"])]
        sizes = {ir.StringAttr(axis["name"]).value: ir.IntegerAttr(axis["size"]).value for axis in axes}
        return _make_mesh(sizes, _ids(mesh["device_ids"]) if "device_ids" in mesh else None)
    return read_mesh(str(definition.attributes["mesh"]))


def _ids(attribute: ir.Attribute) -> tuple[int, ...]:
    return tuple(int(id_) for id_ in to_numpy(attribute).reshape(-1))


def read_mesh(text: str) -> Mesh:
    """Return a mesh as Shardy prints it: `#sdy.mesh<["x"=2, "y"=2], device_ids=[0, 2, 1, 3]>`."""
    match = _SDY_MESH.match(text)
    if match is None:
        raise StablehloError(f"cannot read the mesh {text}")
    axes = {axis["name"]: int(axis["size"]) for axis in _SDY_AXIS.finditer(match["axes"])}
    return _make_mesh(axes, None if match["ids"] is None else tuple(map(int, match["ids"].split(","))))
