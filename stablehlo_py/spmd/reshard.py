"""Local ops that reshard a value or combine the results of devices."""

from __future__ import annotations

import numpy as np

from ..bindings import ir
from ..bindings.build import add_block, create, create_value, tensor_type
from ..bindings.elements import build_constant, dtype_of, from_numpy
from .demands import LayoutDemand
from .layouts import Atoms, Devices, Layout, ReshardStep


class LocalEmitter:
    """Writes local ops into one block.

    Attributes:
        at: The place of the next op.
        demand: What the next collectives are for.
    """

    def __init__(
        self, devices: Devices, at: ir.InsertionPoint, channels: list[int], demands: dict[ir.Operation, LayoutDemand]
    ) -> None:
        self.at = at
        self.demand: LayoutDemand | None = None
        self._demands = demands
        self._devices = devices
        self._channels = channels
        self._starts: dict[tuple[Atoms, int], ir.Value] = {}

    def reshard(self, value: ir.Value, before: Layout, after: Layout) -> ir.Value:
        """Return the value in another layout."""
        shape = ir.ShapedType(value.type).shape
        if before != after and 0 in shape:
            sizes = [
                size * self._devices.parts(had) // self._devices.parts(has)
                for size, had, has in zip(shape, before, after, strict=True)
            ]
            element = ir.ShapedType(value.type).element_type
            return self.constant(np.zeros(sizes, dtype_of(element)), tensor_type(sizes, element))
        for step in self._devices.steps(before, after):
            value = getattr(self, f"_{step.kind}")(value, step)
        return value

    def constant(self, array: np.ndarray, type_: ir.Type) -> ir.Value:
        """Return a constant."""
        with self.at:
            return build_constant(array, type_)

    def _new_type(self, value: ir.Value, dimension: int, size: int) -> ir.Type:
        shape = list(ir.ShapedType(value.type).shape)
        shape[dimension] = size
        return tensor_type(shape, ir.ShapedType(value.type).element_type)

    def _slice(self, value: ir.Value, step: ReshardStep) -> ir.Value:
        shape = ir.ShapedType(value.type).shape
        size = shape[step.dimension] // self._devices.parts(step.atoms)
        type_ = self._new_type(value, step.dimension, size)
        starts = [self._start((), 0)] * len(shape)
        starts[step.dimension] = self._start(step.atoms, size)
        sizes = ir.DenseI64ArrayAttr.get(list(ir.ShapedType(type_).shape))
        return create_value("stablehlo.dynamic_slice", [value, *starts], type_, {"slice_sizes": sizes}, at=self.at)

    def _start(self, atoms: Atoms, size: int) -> ir.Value:
        """Return the first index of a device's part, from a table of all devices."""
        known = self._starts.get((atoms, size))
        if known is None:
            integer = ir.IntegerType.get_signless(64)
            scalar, one = tensor_type([], integer), ir.DenseI64ArrayAttr.get([1])
            if not atoms:
                known = self.constant(np.zeros((), np.int64), scalar)
            else:
                positions = self._devices.positions(atoms) * size
                table = self.constant(positions, tensor_type(positions.shape, integer))
                unsigned = tensor_type([], ir.IntegerType.get_unsigned(32))
                device = create_value("stablehlo.partition_id", [], unsigned, at=self.at)
                part = tensor_type([1], integer)
                found = create_value("stablehlo.dynamic_slice", [table, device], part, {"slice_sizes": one}, at=self.at)
                known = create_value("stablehlo.reshape", [found], scalar, at=self.at)
            self._starts[atoms, size] = known
        return known

    def _all_gather(self, value: ir.Value, step: ReshardStep) -> ir.Value:
        size = ir.ShapedType(value.type).shape[step.dimension] * self._devices.parts(step.atoms)
        attributes = self._grouped(step.atoms) | {"all_gather_dim": _int(step.dimension)}
        type_ = self._new_type(value, step.dimension, size)
        return self._noted(create_value("stablehlo.all_gather", [value], type_, attributes, at=self.at))

    def _all_to_all(self, value: ir.Value, step: ReshardStep) -> ir.Value:
        count, shape = self._devices.parts(step.atoms), list(ir.ShapedType(value.type).shape)
        shape[step.dimension] //= count
        shape[step.source] *= count
        attributes = self._grouped(step.atoms) | {
            "split_dimension": _int(step.dimension),
            "concat_dimension": _int(step.source),
            "split_count": _int(count),
        }
        del attributes["use_global_device_ids"]
        type_ = tensor_type(shape, ir.ShapedType(value.type).element_type)
        return self._noted(create_value("stablehlo.all_to_all", [value], type_, attributes, at=self.at))

    def _collective_permute(self, value: ir.Value, step: ReshardStep) -> ir.Value:
        pairs = np.array(self._devices.pairs(step.before, step.after), np.int64)
        attributes = {"source_target_pairs": from_numpy(pairs), "channel_handle": self._channel()}
        return self._noted(create_value("stablehlo.collective_permute", [value], value.type, attributes, at=self.at))

    def from_first(self, value: ir.Value) -> ir.Value:
        """Return the value that the first device has, on all devices."""
        attributes = self._grouped(self._devices.every)
        del attributes["use_global_device_ids"]
        return self._noted(create_value("stablehlo.collective_broadcast", [value], value.type, attributes, at=self.at))

    def combine(self, kind: str, value: ir.Value, atoms: Atoms, scattered: int | None = None) -> ir.Value:
        """Combine the devices' values along atoms by an op.

        Args:
            kind: The op, without `stablehlo.`.
            value: A value that each device computed of its part.
            atoms: The atoms along which the terms are spread.
            scattered: The dimension of which each device keeps its part; None keeps all.

        Returns:
            The combined value.
        """
        attributes, type_, name = self._grouped(atoms), value.type, "all_reduce"
        if scattered is not None:
            size = ir.ShapedType(type_).shape[scattered] // self._devices.parts(atoms)
            type_, name = self._new_type(value, scattered, size), "reduce_scatter"
            attributes["scatter_dimension"] = _int(scattered)
        op = create(f"stablehlo.{name}", [value], type_, attributes, regions=1, at=self.at)
        scalar = tensor_type([], ir.ShapedType(type_).element_type)
        block = add_block(op.regions[0], [scalar, scalar])
        end = ir.InsertionPoint(block)
        combined = create_value(f"stablehlo.{kind}", list(block.arguments), scalar, at=end)
        create("stablehlo.return", [combined], [], at=end)
        return self._noted(op.results[0])

    def _noted(self, value: ir.Value) -> ir.Value:
        if self.demand is not None and isinstance(value, ir.OpResult):
            self._demands[value.owner.operation] = self.demand
        return value

    def start_from(self, kind: str, initial: ir.Value, value: ir.Value) -> ir.Value:
        """Combine a value with a reduction's initial value, which has the same shape or is a scalar."""
        if initial.type != value.type:
            none = {"broadcast_dimensions": ir.DenseI64ArrayAttr.get([])}
            initial = create_value("stablehlo.broadcast_in_dim", [initial], value.type, none, at=self.at)
        return create_value(f"stablehlo.{kind}", [initial, value], value.type, at=self.at)

    def _channel(self) -> ir.Attribute:
        self._channels.append(len(self._channels) + 1)
        return ir.Attribute.parse(f"#stablehlo.channel_handle<handle = {self._channels[-1]}, type = 1>")

    def _grouped(self, atoms: Atoms) -> dict[str, ir.Attribute]:
        return {
            "replica_groups": from_numpy(self._devices.groups(atoms)),
            "channel_handle": self._channel(),
            "use_global_device_ids": ir.UnitAttr.get(),
        }


def identity(kind: str, type_: ir.Type) -> np.ndarray:
    """Return the identity of `add`, `multiply` or `xor`."""
    dtype = dtype_of(ir.ShapedType(type_).element_type)
    if kind == "multiply":
        return np.ones((), dtype)
    return -np.zeros((), dtype) if dtype.kind in "fcV" else np.zeros((), dtype)


def _int(value: int) -> ir.Attribute:
    return ir.IntegerAttr.get(ir.IntegerType.get_signless(64), value)
