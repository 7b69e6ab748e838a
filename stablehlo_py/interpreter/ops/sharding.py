"""Ops of Shardy: a global program gives the global result, whatever its shardings.

A body of single devices runs on a grid of processes, one for each device of the mesh. Each process takes its part of
the operands, and the results are joined.
"""

from __future__ import annotations

from contextvars import ContextVar
from typing import Any

import numpy as np

from ...bindings.meshes import AxisRef, Mesh, groups_along, symbol_mesh
from ...bindings.shardings import Sharding, Tiling, manual_axes, sdy_shardings
from ...errors import StablehloError
from ..op import Body, Kernel, Op
from ..process_grid import Meeting, current_process
from ..registry import evaluates
from .bodies import as_result

_inside: ContextVar[bool] = ContextVar("inside a manual computation", default=False)


@evaluates(
    "sdy.sharding_constraint",
    "sdy.reshard",
    "sdy.propagation_barrier",
    "sdy.data_flow_edge",
    "sdy.func_data_flow_edge",
    "sdy.all_gather",
    "sdy.all_reduce",
    "sdy.all_slice",
    "sdy.all_to_all",
    "sdy.collective_permute",
    "sdy.reduce_scatter",
    "sdy.replicated_to_unreduced",
    "sdy.sharded_to_unreduced",
)
def same_value(op: Op) -> Kernel:
    """The operand: the op changes which device holds what, and not the tensor."""
    return lambda operand: operand


@evaluates("sdy.sharding_group")
def sharding_group(op: Op) -> Kernel:
    """Nothing: tensors of a group are to be sharded alike."""
    return lambda operand: None


@evaluates("sdy.constant")
def constant(op: Op) -> Kernel:
    """value."""
    value = op.constant()
    return lambda: value


@evaluates("sdy.named_computation")
def named_computation(op: Op) -> Kernel:
    """The results of body on operands."""
    return lambda body, *operands: as_result(body(*operands))


@evaluates("sdy.manual_computation")
def manual_computation(op: Op) -> Kernel:
    """The results of body on each device's part of the operands, joined.

    The grid has a process for each device of the mesh; those that differ along axes that are not manual do the same.
    In a computation inside another the processes are there already, and each joins the results with its neighbours'.
    """
    axes = manual_axes(str(op.attribute("manual_axes")))
    inputs, outputs = [_shardings(op, name) for name in ("in_shardings", "out_shardings")]
    found = [sharding.mesh for sharding in (*inputs, *outputs)]
    if not found:  # nothing to cut or to join
        return lambda body: as_result(body())
    mesh = max(found, key=lambda mesh: len(mesh.device_ids))
    # The verifier has seen to it that the others are of this mesh, or of an empty one, which cuts nothing.
    splits, joins = [[each._replace(mesh=mesh).tiling(axes) for each in values] for values in (inputs, outputs)]
    groups = groups_along(mesh, [AxisRef(name, 1, None) for name in mesh.axes if name in axes])

    def on_device(body: Body, operands: tuple[Any, ...], device: int) -> tuple[Any, ...]:
        return body(*[_part(split, operand, device) for split, operand in zip(splits, operands, strict=True)])

    def kernel(body: Body, *operands: Any) -> Any:
        if _inside.get():
            process = current_process()
            device = process.id.partition_id
            results = on_device(body, operands, device)
            group = process.grid.groups(op, lambda grid: grid.cross_partition(groups))[process.id][0]
            meeting = Meeting(process.id, group, -1, op.name, op.location)
            values = process.grid.combine(meeting, results, list)
            parts = {member.partition_id: part for member, part in zip(group, values, strict=True)}
        else:
            parts = _on_grid(op, mesh, lambda device: on_device(body, operands, device))
        return as_result([_joined(join, parts, index) for index, join in enumerate(joins)])

    return kernel


def _on_grid(op: Op, mesh: Mesh, run: Any) -> dict[int, tuple[Any, ...]]:
    """The results of each device of the mesh."""
    token = _inside.set(True)
    try:
        grid = op.program.settings.make_grid(1, len(mesh.device_ids))
        devices = range(len(mesh.device_ids))
        return dict(enumerate(grid.run_all([lambda device=device: run(device) for device in devices])))
    finally:
        _inside.reset(token)


def _part(tiling: Tiling, operand: Any, device: int) -> Any:
    return tiling.part(np.asarray(operand), device)[()]


def _joined(tiling: Tiling, parts: dict[int, tuple[Any, ...]], index: int) -> Any:
    return tiling.whole({device: np.asarray(values[index]) for device, values in parts.items()})[()]


def _shardings(op: Op, name: str) -> list[Sharding]:
    try:
        shardings = sdy_shardings(str(op.attribute(name)), lambda mesh: symbol_mesh(mesh, op.program.symbol))
    except StablehloError as error:
        raise op.error(error.message) from error
    if any(sharding.has_unreduced for sharding in shardings):
        raise op.error(f"has {name} with unreduced axes, whose parts have yet to be added")
    return shardings
