"""`sdy-resolve-single-device-sharding`: runs an op on the one device that its sharding names.

jaxlib carries the other steps of Shardy's partitioner, and lacks this one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..bindings import ir
from ..bindings.build import add_block, create, create_value
from ..bindings.diagnostics import file_location
from ..bindings.elements import dtype_of, from_numpy
from ..bindings.meshes import Mesh, symbol_mesh
from ..bindings.shardings import Sharding, sdy_shardings
from ..bindings.walk import operations, symbols
from ..errors import Diagnostic, PassError
from .base import Pass

_SHARDING = "sdy.sharding"


@dataclass(frozen=True)
class ResolveSingleDevice(Pass):
    """Put each op with a single-device sharding into `if (id == device)`, and sum over the devices.

    The other devices add zeros to the sum, so that all of them have the op's result.
    """

    name: ClassVar[str] = "sdy-resolve-single-device-sharding"
    summary: ClassVar[str] = "Run ops with single-device shardings on that device, and share their results"
    anchor: ClassVar[str] = "func.func"

    replica_count: int = 1
    partition_count: int = 1

    def run(self, op: ir.Operation) -> None:
        module = op.parent
        known = symbols(module.operation) if module is not None else {}
        meshes = {name: symbol_mesh(name, known.get) for name, each in known.items() if each.name == "sdy.mesh"}
        name = next((name for name, mesh in meshes.items() if mesh.axes), "")
        if not name:
            return
        placed = [(each, device) for each in operations(op)[1:] if (device := _device(each, meshes)) is not None]
        if placed and self.replica_count > 1 and self.partition_count > 1:
            raise _error(op, "single-device shardings with several replicas and several partitions")
        id_op = "stablehlo.replica_id" if self.replica_count > 1 else "stablehlo.partition_id"
        with op.context:
            for each, device in placed:
                _resolve(each, device, id_op, name, meshes)


def _error(op: ir.Operation, message: str) -> PassError:
    return PassError([Diagnostic("error", file_location(op.location), f"cannot place {op.name}: {message}")])


def _is_single(sharding: Sharding) -> bool:
    return not sharding.mesh.axes and len(sharding.mesh.device_ids) == 1


def _device(op: ir.Operation, meshes: dict[str, Mesh]) -> int | None:
    """Return the device that an op's results name; None if they name none.

    Raises:
        PassError: The results name several devices, or one of them is cut.
    """
    if op.name.startswith("sdy.") or _SHARDING not in op.attributes:
        return None
    found = sdy_shardings(str(op.attributes[_SHARDING]), meshes.__getitem__)
    devices = {one.mesh.device_ids[0] for one in found if _is_single(one)}
    if len(devices) > 1:
        raise _error(op, f"its results are on the devices {', '.join(map(str, sorted(devices)))}")
    if devices and any(any(one.dimensions) for one in found):
        raise _error(op, "one result is on a single device, another one is cut")
    return devices.pop() if devices else None


def _resolve(op: ir.Operation, device: int, id_op: str, mesh: str, meshes: dict[str, Mesh]) -> None:
    here, location = ir.InsertionPoint(op), op.location
    types = [result.type for result in op.results]
    with here, location:
        elements = (ir.IntegerType.get_unsigned(32), ir.IntegerType.get_signless(64))
        scalar, index = (ir.RankedTensorType.get([], element) for element in elements)
        found = create_value("stablehlo.convert", [create_value(id_op, result=scalar)], index)
        wanted = create_value("stablehlo.constant", attributes={"value": from_numpy(np.int64(device), index)})
        direction = ir.Attribute.parse("#stablehlo<comparison_direction EQ>")
        is_here = create_value("stablehlo.compare", [found, wanted], attributes={"comparison_direction": direction})
        branch = create("stablehlo.if", [is_here], types, regions=2)
        _run_here(op, add_block(branch.regions[0]), meshes)
        with ir.InsertionPoint(add_block(branch.regions[1])):
            create("stablehlo.return", [_nothing(type_) for type_ in types], [])
        for old, new in zip(op.results, branch.results, strict=True):
            _replace(old, _shared(new, mesh, meshes), meshes)
    op.erase()


def _replace(old: ir.Value, new: ir.Value, meshes: dict[str, Mesh]) -> None:
    """Replace a value, and the reshards that ask for it on every device."""
    for use in list(old.uses):
        move = _reshard(use.owner)
        if move is not None and not any(any(one.dimensions) or _is_single(one) for one in _shardings(move, meshes)):
            move.results[0].replace_all_uses_with(new)
            move.erase()
    old.replace_all_uses_with(new)


def _run_here(op: ir.Operation, block: ir.Block, meshes: dict[str, Mesh]) -> None:
    """Clone the op into a block, on operands as they are before a reshard moves them to the device."""
    moves: list[ir.Operation] = []
    with ir.InsertionPoint(block):
        clone = op.clone()
        del clone.attributes[_SHARDING]
        for number, operand in enumerate(op.operands):
            move = _reshard(operand.owner)
            if move is not None and all(map(_is_single, _shardings(move, meshes))):
                clone.operands[number] = move.operands[0]
                op.operands[number] = move.operands[0]
                moves += [] if move in moves else [move]
        create("stablehlo.return", list(clone.results), [])
    for move in moves:
        if not list(move.results[0].uses):
            move.erase()


def _reshard(owner: ir.Operation | ir.OpView | ir.Block) -> ir.Operation | None:
    if isinstance(owner, ir.Block) or owner.operation.name != "sdy.reshard":
        return None
    return owner.operation


def _shardings(reshard: ir.Operation, meshes: dict[str, Mesh]) -> list[Sharding]:
    return sdy_shardings(str(reshard.attributes["sharding"]), meshes.__getitem__)


def _nothing(type_: ir.Type) -> ir.Value:
    if not isinstance(type_, ir.RankedTensorType):
        return create_value("stablehlo.create_token", result=type_)
    zeros = np.zeros(type_.shape, dtype_of(type_.element_type))
    return create_value("stablehlo.constant", attributes={"value": from_numpy(zeros, type_)})


def _shared(value: ir.Value, mesh: str, meshes: dict[str, Mesh]) -> ir.Value:
    """Return the sum of a value over all devices; a token stays."""
    if not isinstance(value.type, ir.RankedTensorType):
        return value
    axes = ", ".join(f'"{axis}"' for axis in meshes[mesh].axes)
    dimensions = ", ".join(["{}"] * value.type.rank)
    attributes = {
        "reduction_axes": ir.Attribute.parse(f"#sdy<axis_ref_list{{{axes}}}>"),
        "out_sharding": ir.Attribute.parse(f"#sdy.sharding<@{mesh}, [{dimensions}]>"),
    }
    return create_value("sdy.all_reduce", [value], value.type, attributes)
