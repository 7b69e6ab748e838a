"""The part of a tensor that each device holds: Shardy's shardings and XLA's, read from their printed forms."""

from __future__ import annotations

import importlib
import itertools
import math
import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..errors import ProviderError, StablehloError
from .meshes import AxisRef, Mesh, read_mesh

_SDY_SHARDING = re.compile(
    r'<(?:@"?(?P<name>[^",\s]+)"?|(?P<mesh>mesh<\[[^\]]*\](?:, device_ids=\[[^\]]*\])?>)), \[(?P<dimensions>[^\]]*)\]'
    r"(?P<rest>(?:, \w+=\{[^}]*\})*)>"
)
_NAMED_MESH = re.compile(r'"?(?P<name>[\w.$-]+)"? = (?P<mesh>#sdy\.mesh<\[[^\]]*\](?:, device_ids=\[[^\]]*\])?>)')
_DIMENSION = re.compile(r"\{([^}]*)\}")
_AXIS = re.compile(r'"(?P<name>[^"]*)"(?::\((?P<pre>\d+)\)(?P<size>\d+))?')


class Tiling(NamedTuple):
    """The number of parts in each dimension of a tensor, and the place of each device's part in each dimension.

    Devices with different `wholes` hold parts of different tensors.
    """

    counts: tuple[int, ...]
    positions: dict[int, tuple[int, ...]]
    wholes: dict[int, tuple[int, ...]]

    def part(self, array: np.ndarray, device: int) -> np.ndarray:
        """Return the part that a device holds. Raises `StablehloError` where the parts are not of one size."""
        if any(size % count for size, count in zip(array.shape, self.counts, strict=True)):
            raise StablehloError(f"a tensor of shape {list(array.shape)} cannot be cut into {list(self.counts)} parts")
        sizes = [size // count for size, count in zip(array.shape, self.counts, strict=True)]
        return array[self._slices(device, sizes)]

    def whole(self, parts: dict[int, np.ndarray]) -> np.ndarray:
        """Return the whole array from the devices' parts; several devices with one part give the first one's."""
        sample = next(iter(parts.values()))
        sizes = sample.shape
        result = np.empty([size * count for size, count in zip(sizes, self.counts, strict=True)], sample.dtype)
        for device in sorted(parts, reverse=True):
            result[self._slices(device, sizes)] = parts[device]
        return result

    def _slices(self, device: int, sizes: Sequence[int]) -> tuple[slice, ...]:
        return tuple([slice(p * size, (p + 1) * size) for p, size in zip(self.positions[device], sizes, strict=True)])


class Sharding(NamedTuple):
    """Shardy's sharding of one tensor: for each dimension the axes of the mesh it is cut along, the major first."""

    mesh: Mesh
    dimensions: tuple[tuple[AxisRef, ...], ...]
    has_unreduced: bool = False

    @property
    def counts(self) -> list[int]:
        """The number of parts that each dimension is cut into."""
        return [math.prod(map(self._size, axes)) for axes in self.dimensions]

    def tiling(self, axes: frozenset[str]) -> Tiling:
        """Return the parts that only these axes of the mesh make."""
        kept = [[axis for axis in dimension if axis.name in axes] for dimension in self.dimensions]
        counts = tuple([math.prod(self._size(axis) for axis in dimension) for dimension in kept])
        coordinates = coordinates_of(self.mesh)
        positions = {
            device: tuple([self._place(dimension, coordinate) for dimension in kept])
            for device, coordinate in coordinates.items()
        }
        others = [name for name in self.mesh.axes if name not in axes]
        return Tiling(
            counts, positions, {device: tuple([at[name] for name in others]) for device, at in coordinates.items()}
        )

    def _size(self, axis: AxisRef) -> int:
        return self.mesh.axes[axis.name] // axis.pre_size if axis.size is None else axis.size

    def _place(self, axes: Sequence[AxisRef], coordinate: dict[str, int]) -> int:
        position = 0
        for axis in axes:
            size = self._size(axis)
            minor = self.mesh.axes[axis.name] // (axis.pre_size * size)
            position = position * size + coordinate[axis.name] // minor % size
        return position


def coordinates_of(mesh: Mesh) -> dict[int, dict[str, int]]:
    """Return the place of each device of the mesh, by axis."""
    positions = itertools.product(*map(range, mesh.axes.values()))
    return {
        device: dict(zip(mesh.axes, position, strict=True))
        for device, position in zip(mesh.device_ids, positions, strict=True)
    }


def sdy_shardings(text: str, mesh_called: Callable[[str], Mesh]) -> list[Sharding]:
    """Return the shardings in the printed form of a list of Shardy's. `mesh_called` gives the mesh of a name."""
    found: list[Sharding] = []
    for match in _SDY_SHARDING.finditer(text):
        mesh = mesh_called(match["name"]) if match["name"] else read_mesh(f"#sdy.{match['mesh']}")
        dimensions = [
            tuple([AxisRef(name, int(pre or 1), int(size) if size else None) for name, pre, size in axes])
            for axes in map(_AXIS.findall, _DIMENSION.findall(match["dimensions"]))
        ]
        for axis in itertools.chain(*dimensions):
            if axis.name not in mesh.axes:
                raise StablehloError(f"the mesh has no axis '{axis.name}'; it has {', '.join(mesh.axes)}")
        found.append(Sharding(mesh, tuple(dimensions), "unreduced=" in match["rest"]))
    return found


def sharding_texts(text: str) -> list[str]:
    """Return each of the shardings in the printed form of one or of a list, as an attribute of its own."""
    return [f"#sdy.sharding{match.group()}" for match in _SDY_SHARDING.finditer(text)]


def with_whole_dimensions(text: str, whole: Sequence[set[int]]) -> str:
    """Return the printed form of a list of shardings, with the dimensions in `whole` of each not cut."""
    wanted = iter(whole)

    def rewritten(match: re.Match[str]) -> str:
        numbers, counter = next(wanted), itertools.count()
        start, end = match.start("dimensions") - match.start(), match.end("dimensions") - match.start()
        dimensions = _DIMENSION.sub(lambda one: "{}" if next(counter) in numbers else one.group(), match["dimensions"])
        return match.group()[:start] + dimensions + match.group()[end:]

    return _SDY_SHARDING.sub(rewritten, text)


def named_meshes(text: str) -> dict[str, Mesh]:
    """Return the meshes of a dictionary in printed form, `{mesh = #sdy.mesh<["x"=2]>}`."""
    return {match["name"]: read_mesh(match["mesh"]) for match in _NAMED_MESH.finditer(text)}


def manual_axes(text: str) -> frozenset[str]:
    """The names in the printed form of a list of axes."""
    return frozenset(match["name"] for match in _AXIS.finditer(text))


class XlaSharding(NamedTuple):
    """XLA's sharding of one tensor.

    Attributes:
        kind: `replicated`, `maximal`, `manual`, `unknown`, `unreduced` or `tiled`.
        devices: The device at each position of the grid of tiles: the dimensions of the tensor, then the subgroups.
        subgroups: For each of the last dimensions of the grid, what its devices do with a tile: `replicated`, `manual`.
        group: The number of the group of tensors that are to be sharded alike; -1 for none.
    """

    kind: str
    devices: np.ndarray
    subgroups: tuple[str, ...] = ()
    group: int = -1


def xla_shardings(text: str) -> list[XlaSharding]:
    """Return the shardings that `mhlo.sharding` gives, of one tensor or of several. Raises `StablehloError`."""
    try:
        read = importlib.import_module("jaxlib.xla_client").HloSharding.from_string(text)
    except ImportError:
        raise ProviderError("XLA's shardings are read by jaxlib, which is not installed") from None
    except RuntimeError as error:
        lines = str(error).splitlines()
        reason = next((line for line in lines if "error: " in line), lines[-1])
        raise StablehloError(f"cannot read the sharding {text}: {reason.rpartition('error: ')[2]}") from None
    return [_xla_sharding(one) for one in read.tuple_elements() or [read]]


def _xla_sharding(read: Any) -> XlaSharding:
    proto = getattr(read, "v3_to_v2_sharding", lambda: read)().to_proto()
    group = proto.shard_group_id if getattr(proto, "is_shard_group", False) else -1
    kind, ids = str(proto.type.name).lower(), np.array(proto.tile_assignment_devices, np.int64)
    if kind != "other":
        return XlaSharding(kind, ids, (), group)
    if not ids.size:
        shape: list[int] = proto.iota_reshape_dims
        ids = np.arange(math.prod(shape), dtype=np.int64).reshape(shape).transpose(proto.iota_transpose_perm)
    subgroups = [type(proto.type)(number).name.lower() for number in proto.last_tile_dims]
    subgroups = subgroups or ["replicated"] * proto.replicate_on_last_tile_dim
    return XlaSharding("tiled", ids.reshape(proto.tile_assignment_dimensions), tuple(subgroups), group)


def xla_tiling(text: str, rank: int) -> Tiling | None:
    """Return the tiling of `mhlo.sharding`, such as `{devices=[2,1]<=[2]}`; None if it does not cut the tensor."""
    sharding = xla_shardings(text)[0] if text else None
    if sharding is None or sharding.kind != "tiled":
        return None
    places = {int(device): position for position, device in np.ndenumerate(sharding.devices)}
    manual = [rank + number for number, kind in enumerate(sharding.subgroups) if kind == "manual"]
    positions = {device: place[:rank] for device, place in places.items()}
    wholes = {device: tuple([place[d] for d in manual]) for device, place in places.items()}
    return Tiling(sharding.devices.shape[:rank], positions, wholes)
