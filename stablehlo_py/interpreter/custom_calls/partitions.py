"""Calls that take the device's part of a whole tensor, and calls that join the parts.

Between such calls a program is the program of one device. So all of it runs as one process for each device.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...bindings import ir
from ...bindings.meshes import Mesh
from ...bindings.shardings import Tiling, manual_axes, named_meshes, sdy_shardings, xla_tiling
from ...bindings.walk import outermost
from ..ops.bodies import as_result
from ..process_grid import Meeting, NeedsPartitionsError, current_process
from .call import CustomCall
from .registry import runs


@runs("SPMDFullToShardShape")
def full_to_shard(call: CustomCall, operand: Any) -> Any:
    """The device's part, by the sharding of the op that gives the operand."""
    producer = call.op.operation.operands[0].owner
    attributes = producer.attributes if isinstance(producer, (ir.Operation, ir.OpView)) else {}
    text = ir.StringAttr(attributes["mhlo.sharding"]).value if "mhlo.sharding" in attributes else ""
    return _part(xla_tiling(text, np.ndim(operand)), operand)


@runs("SPMDShardToFullShape")
def shard_to_full(call: CustomCall, operand: Any) -> Any:
    """Join the devices' parts of a tensor by the call's sharding."""
    return _whole(call, [xla_tiling(call.op.string("mhlo.sharding"), np.ndim(operand))], [operand])[0]


@runs("xla.sdy.GlobalToLocalShape")
def global_to_local(call: CustomCall, *operands: Any) -> Any:
    """The device's parts, by Shardy's shardings in the call's attributes."""
    tilings = _sdy_tilings(call, "xla.sdy.in_shardings")
    parts = [_part(tiling, operand) for tiling, operand in zip(tilings, operands, strict=True)]
    return as_result(parts)


@runs("xla.sdy.LocalToGlobalShape")
def local_to_global(call: CustomCall, *operands: Any) -> Any:
    """Join the devices' parts of tensors, by Shardy's shardings in the call's attributes."""
    wholes = _whole(call, _sdy_tilings(call, "xla.sdy.out_shardings"), operands)
    return as_result(wholes)


def _part(tiling: Tiling | None, operand: Any) -> Any:
    if tiling is None:
        return operand
    _need_partitions(tiling)
    return tiling.part(np.asarray(operand), current_process().id.partition_id)


def _need_partitions(tiling: Tiling) -> None:
    if current_process().grid.num_partitions < len(tiling.positions):
        raise NeedsPartitionsError(len(tiling.positions))


def _whole(call: CustomCall, tilings: Any, operands: Any) -> list[Any]:
    for tiling in tilings:
        if tiling is not None:
            _need_partitions(tiling)
    process = current_process()
    row = list(range(process.grid.num_partitions))
    group = process.grid.groups("row", lambda grid: grid.cross_partition([row]))[process.id][0]
    meeting = Meeting(process.id, group, -1, call.target, call.op.location)
    values = process.grid.combine(meeting, tuple(operands), list)
    wholes = []
    for index, tiling in enumerate(tilings):
        parts = {member.partition_id: np.asarray(part[index]) for member, part in zip(group, values, strict=True)}
        if tiling is not None:
            mine = tiling.wholes[process.id.partition_id]
            parts = {device: part for device, part in parts.items() if tiling.wholes[device] == mine}
        wholes.append(operands[index] if tiling is None else tiling.whole(parts))
    return wholes


def _sdy_tilings(call: CustomCall, name: str) -> list[Tiling | None]:
    """Return how each value is cut; None for a value whose mesh has no axes."""
    attributes = call.frontend_attributes
    meshes = _meshes(call.op.operation)

    def mesh_called(mesh: str) -> Mesh:
        if mesh not in meshes:
            raise call.op.error(f"names mesh @{mesh}, which is not in the module's xla.sdy.meshes")
        return meshes[mesh]

    axes = manual_axes(attributes.get("xla.sdy.manual_axes", ""))
    shardings = sdy_shardings(attributes[name], mesh_called)
    return [sharding.tiling(axes) if sharding.mesh.axes else None for sharding in shardings]


def _meshes(operation: ir.Operation) -> dict[str, Mesh]:
    """Return the meshes among the module's attributes."""
    module = outermost(operation)
    if "mhlo.frontend_attributes" not in module.attributes:
        return {}
    attributes = ir.DictAttr(module.attributes["mhlo.frontend_attributes"])
    return named_meshes(ir.StringAttr(attributes["xla.sdy.meshes"]).value) if "xla.sdy.meshes" in attributes else {}
