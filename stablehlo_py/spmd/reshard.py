"""Local ops that reshard a value or combine the results of devices."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np

from ..bindings import ir
from ..bindings.build import add_block, create, create_value, tensor_type
from ..bindings.elements import build_constant, dtype_of, from_numpy
from .demands import LayoutDemand
from .halos import HaloRange, Piece
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
        self._known: dict[Hashable, ir.Value] = {}
        self._chosen: dict[tuple[Atoms, tuple[int, ...]], ir.Value] = {}

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
        starts = [self._by_part((), [0])] * len(shape)
        starts[step.dimension] = self._by_part(step.atoms, range(0, shape[step.dimension], size))
        sizes = ir.DenseI64ArrayAttr.get(list(ir.ShapedType(type_).shape))
        return create_value("stablehlo.dynamic_slice", [value, *starts], type_, {"slice_sizes": sizes}, at=self.at)

    def _by_part(self, atoms: Atoms, values: Sequence[int]) -> ir.Value:
        """Return the value of the part that a device holds, from a table of all devices."""
        key = (atoms, tuple(values)) if len(set(values)) > 1 else ((), (values[0],))
        known = self._chosen.get(key)
        if known is None:
            integer = ir.IntegerType.get_signless(64)
            scalar, one = tensor_type([], integer), ir.DenseI64ArrayAttr.get([1])
            if not key[0]:
                known = self.constant(np.array(values[0], np.int64), scalar)
            else:
                rows = np.array(values, np.int64)[self._devices.positions(atoms)]
                table = self.constant(rows, tensor_type(rows.shape, integer))
                unsigned = tensor_type([], ir.IntegerType.get_unsigned(32))
                device = create_value("stablehlo.partition_id", [], unsigned, at=self.at)
                part = tensor_type([1], integer)
                found = create_value("stablehlo.dynamic_slice", [table, device], part, {"slice_sizes": one}, at=self.at)
                known = create_value("stablehlo.reshape", [found], scalar, at=self.at)
            self._chosen[key] = known
        return known

    def ranges(
        self,
        parts: Sequence[tuple[ir.Value, HaloRange, LayoutDemand]],
        dimension: int,
        atoms: Atoms,
        fill: ir.Value | None,
    ) -> ir.Value:
        """Return the range of a dimension that each device needs. A block exchanges it once.

        Args:
            parts: A device's part of an operand, what is needed of it, and for what; several operands fill one range.
            dimension: The dimension that is cut.
            atoms: The atoms that cut it.
            fill: The scalar outside of the operands; None where nothing is outside.
        """
        key = tuple([part[:2] for part in parts]), dimension, atoms, fill
        if key not in self._known:
            self._known[key] = self._range(parts, dimension, atoms, fill)
        return self._known[key]

    def _range(
        self,
        parts: Sequence[tuple[ir.Value, HaloRange, LayoutDemand]],
        dimension: int,
        atoms: Atoms,
        fill: ir.Value | None,
    ) -> ir.Value:
        """Return a filled range into which each piece is written; see `ranges`."""
        pieces = [(value, piece, demand) for value, need, demand in parts for piece in need.pieces()]
        count, everyone = parts[0][1].length, range(self._devices.parts(atoms))
        type_ = self._new_type(parts[0][0], dimension, count)
        shape = ir.ShapedType(type_).shape
        if 0 in shape or not pieces:
            return self._filled(type_, fill)
        first = pieces[0][1]
        if first.length == count and all(first.puts.get(part) == 0 for part in everyone):
            return self._piece(*pieces[0], dimension, atoms)
        # A device that gets no piece writes what it gets before the range.
        ends = [(put, put + piece.length) for _, piece, _ in pieces for put in piece.puts.values()]
        ends += [(-piece.length, 0) for _, piece, _ in pieces if len(piece.puts) < len(everyone)]
        low, high = max(-min(begin for begin, _ in ends), 0), max(max(end for _, end in ends) - count, 0)
        found = self._filled(self._new_type(parts[0][0], dimension, low + count + high), fill)
        for value, piece, demand in pieces:
            starts = [self._by_part((), [0])] * len(shape)
            starts[dimension] = self._by_part(atoms, [piece.puts.get(part, -low) + low for part in everyone])
            operands = [found, self._piece(value, piece, demand, dimension, atoms), *starts]
            found = create_value("stablehlo.dynamic_update_slice", operands, found.type, at=self.at)
        return self._part(found, dimension, low, count)

    def _filled(self, type_: ir.Type, fill: ir.Value | None) -> ir.Value:
        """Return a tensor of one element throughout, by default zero."""
        if fill is None:
            shaped = ir.ShapedType(type_)
            return self.constant(
                np.broadcast_to(np.zeros((), dtype_of(shaped.element_type)), tuple(shaped.shape)), type_
            )
        none = {"broadcast_dimensions": ir.DenseI64ArrayAttr.get([])}
        return create_value("stablehlo.broadcast_in_dim", [fill], type_, none, at=self.at)

    def _piece(self, value: ir.Value, piece: Piece, demand: LayoutDemand, dimension: int, atoms: Atoms) -> ir.Value:
        """Return the piece that each device gets of another one's part; zeros if it gets none."""
        shape = list(ir.ShapedType(value.type).shape)
        common = next(iter(piece.starts.values()))
        starts = [piece.starts.get(part, common) for part in range(self._devices.parts(atoms))]
        if len({*starts}) == 1:
            value = self._part(value, dimension, common, piece.length)
        else:
            indices = [self._by_part((), [0])] * len(shape)
            indices[dimension] = self._by_part(atoms, starts)
            shape[dimension] = piece.length
            sizes = {"slice_sizes": ir.DenseI64ArrayAttr.get(shape)}
            type_ = self._new_type(value, dimension, piece.length)
            value = create_value("stablehlo.dynamic_slice", [value, *indices], type_, sizes, at=self.at)
        if piece.is_own:
            return value
        self.demand = demand
        groups, sources = self._devices.groups(atoms).tolist(), piece.sources.items()
        return self._permuted(value, [(group[source], group[target]) for group in groups for target, source in sources])

    def _part(self, value: ir.Value, dimension: int, start: int, count: int) -> ir.Value:
        """Return a range of a local dimension."""
        shape = list(ir.ShapedType(value.type).shape)
        if shape[dimension] == count:
            return value
        starts, limits = [0] * len(shape), list(shape)
        starts[dimension], limits[dimension] = start, start + count
        box = {"start_indices": starts, "limit_indices": limits, "strides": [1] * len(shape)}
        attributes = {name: ir.DenseI64ArrayAttr.get(values) for name, values in box.items()}
        return create_value("stablehlo.slice", [value], self._new_type(value, dimension, count), attributes, at=self.at)

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
        return self._permuted(value, self._devices.pairs(step.before, step.after))

    def _permuted(self, value: ir.Value, pairs: Sequence[tuple[int, int]]) -> ir.Value:
        ends = from_numpy(np.array(sorted(pairs), np.int64))
        attributes = {"source_target_pairs": ends, "channel_handle": self._channel()}
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
