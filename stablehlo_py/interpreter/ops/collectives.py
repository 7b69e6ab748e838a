"""Ops that the processes of a group compute together. Spec: Collective ops."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any, NamedTuple

import numpy as np

from ...bindings import stablehlo_extension
from ...bindings.meshes import replica_groups
from ..op import Body, Kernel, Op
from ..process_grid import Meeting, ProcessGrid, ProcessGroup, ProcessGroups, ProcessId, current_process
from ..registry import evaluates
from .bodies import as_arguments, as_result, on_arrays

Split = Callable[[ProcessGrid], ProcessGroups]
_DIMENSIONS = ("all_gather_dim", "concat_dimension", "scatter_dimension", "split_dimension")
_VALUE = re.compile(r"%[\w.$-]+")


def channel_id(op: Op) -> int:
    """The id of the channel, 0 where the op has none."""
    return (
        0 if not op.has("channel_handle") else stablehlo_extension.ChannelHandle(op.attribute("channel_handle")).handle
    )


def _replica_groups(op: Op) -> list[list[int]]:
    return replica_groups(op.attribute("replica_groups"), op.program.symbol)


_BY_CHANNEL = frozenset({f"stablehlo.{name}" for name in ("all_to_all", "collective_broadcast", "collective_permute")})


def split_of(name: str, groups: Sequence[Sequence[int]], channel: int, *, use_global_device_ids: bool = False) -> Split:
    """The groups into which a collective of this name splits the grid. Spec: Collective ops."""
    if name in _BY_CHANNEL:
        return lambda grid: grid.cross_partition(groups) if channel > 0 else grid.cross_replica(groups)
    if use_global_device_ids:
        return lambda grid: grid.flattened_ids(groups)
    if channel > 0:
        return lambda grid: grid.cross_replica_and_partition(groups)
    return lambda grid: grid.cross_replica(groups)


class _Collective(NamedTuple):
    """A collective op before it runs: the groups into which it splits the grid, and its terms, see `Meeting.terms`."""

    op: Op
    split: Split
    terms: str


def _collective(op: Op, split: Split | None = None) -> _Collective:
    """Return the op with the values that its processes share; its groups come from its attributes by default."""
    if split is None:
        groups = _replica_groups(op) if op.has("replica_groups") else op.elements("source_target_pairs").tolist()
        split = split_of(op.name, groups, channel_id(op), use_global_device_ids=op.has("use_global_device_ids"))
    dimensions = [f"{name} = {op.int(name)}" for name in _DIMENSIONS if op.has(name)]
    names: dict[str, str] = {}
    computation = f"{op.operation}".partition("({")[2].rpartition("})")[0]
    numbered = _VALUE.sub(lambda name: names.setdefault(name[0], f"%{len(names)}"), computation)
    return _Collective(op, split, "\n".join([*dimensions, numbered]))


def _own_groups(collective: _Collective) -> ProcessGroups:
    """The groups that the current process is in. Raises where the ids lie outside the grid."""
    op, split, _ = collective
    process = current_process()
    grid = process.grid

    def within_grid(grid: ProcessGrid) -> ProcessGroups:
        groups = split(grid)
        if not all(member in grid for group in groups for member in group):
            size = f"{grid.num_replicas} replicas by {grid.num_partitions} partitions"
            raise op.error(
                f"names processes outside the grid of {size}; --num-replicas and --num-partitions set its size"
            )
        return groups

    return grid.groups(op, within_grid).get(process.id, [])


def _meeting(collective: _Collective) -> Meeting:
    """The meeting of the current process with the others of its group."""
    process, op = current_process(), collective.op
    groups = _own_groups(collective)
    if not groups:
        raise op.error(f"has no group with process {process.id}")
    return Meeting(process.id, groups[0], channel_id(op), op.name, op.location, collective.terms)


def _combine(collective: _Collective, operands: Any, compute: Callable[[list[Any]], Any], **options: bool) -> Any:
    """The result of `compute` for the operands of the group's processes."""
    return current_process().grid.combine(
        _meeting(collective), operands, lambda v: compute(_alike(collective.op, v)), **options
    )


def _alike(op: Op, values: list[Any]) -> list[Any]:
    """Return the operands of several processes. Raises `InterpreterError` unless each has the same shape in all."""
    for index, column in enumerate(zip(*filter(len, values), strict=True)):
        shapes = sorted({np.shape(operand) for operand in column})
        if len(shapes) > 1:
            found = ", ".join(str(list(shape)) for shape in shapes)
            raise op.error(f"expects operand {index} to have one shape in all processes of a group, it has {found}")
    return values


@evaluates("stablehlo.all_gather")
def all_gather(op: Op) -> Kernel:
    """operands of the group's processes, concatenated along all_gather_dim. Spec: all_gather."""
    all_gather_dim, collective = op.int("all_gather_dim"), _collective(op)

    def gather(values: list[Sequence[np.ndarray]]) -> list[np.ndarray]:
        return [np.concatenate(operands, all_gather_dim) for operands in zip(*values, strict=True)]

    return lambda *operands: as_result(_combine(collective, operands, gather))


def _reduced(collective: _Collective, computation: Body, operands: Sequence[np.ndarray]) -> list[np.ndarray]:
    """operands of the group's processes, combined in the order of the group: ((first, second), third), …"""
    op = collective.op
    facts = op.regions[0]

    def fold(index: int, values: Sequence[np.ndarray]) -> np.ndarray:
        combine = on_arrays(computation, facts, [op.tensor_result(index).dtype])
        return reduce(lambda left, right: np.asarray(combine(*as_arguments((left, right), facts))[0]), values)

    def reduce_all(values: list[Sequence[np.ndarray]]) -> list[np.ndarray]:
        return [fold(index, column) for index, column in enumerate(zip(*values, strict=True))]

    return _combine(collective, operands, reduce_all, by_element=True)


@evaluates("stablehlo.all_reduce")
def all_reduce(op: Op) -> Kernel:
    """operands of the group's processes, combined by computation. Spec: all_reduce."""
    collective = _collective(op)
    return lambda computation, *operands: as_result(_reduced(collective, computation, operands))


@evaluates("stablehlo.cross-replica-sum")
def cross_replica_sum(op: Op) -> Kernel:
    """operand of the replicas of the group, added up: a deprecated form of all_reduce."""
    groups, add = _replica_groups(op), op.arithmetic().add

    def total(values: list[Sequence[np.ndarray]]) -> list[np.ndarray]:
        return [reduce(add, [operand for (operand,) in values])]

    collective = _collective(op, lambda grid: grid.cross_replica(groups))
    return lambda operand: _combine(collective, (operand,), total, by_element=True)[0]


@evaluates("stablehlo.reduce_scatter")
def reduce_scatter(op: Op) -> Kernel:
    """This process's part of what all_reduce gives, split along scatter_dimension. Spec: reduce_scatter."""
    scatter_dimension, collective = op.int("scatter_dimension"), _collective(op)

    def kernel(computation: Body, operand: np.ndarray) -> np.ndarray:
        (reduced_value,) = _reduced(collective, computation, (operand,))
        meeting = _meeting(collective)
        size, count = reduced_value.shape[scatter_dimension], len(meeting.group)
        if size % count:  # which the types do not tell: how many processes are in a group depends on the grid
            raise op.error(f"dimension {scatter_dimension}, {size}, cannot be divided among {count} processes")
        return np.split(reduced_value, count, scatter_dimension)[meeting.position]

    return kernel


@evaluates("stablehlo.all_to_all")
def all_to_all(op: Op) -> Kernel:
    """The parts of the group's operands meant for this process, concatenated. Spec: all_to_all."""
    split_dimension, concat_dimension = op.int("split_dimension"), op.int("concat_dimension")
    split_count, collective = op.int("split_count"), _collective(op)

    def kernel(*operands: np.ndarray) -> Any:
        parts = [np.split(operand, split_count, split_dimension) for operand in operands]
        received = current_process().grid.exchange(_meeting(collective), list(zip(*parts, strict=True)))
        return as_result([np.concatenate(each, concat_dimension) for each in zip(*_alike(op, received), strict=True)])

    return kernel


def _nothing(op: Op, index: int, operand: np.ndarray) -> np.ndarray:
    """Result `index` of a process that nobody sends to: zeros, quantized ones where the elements are."""
    quantization = op.tensor_operand(index).element_type.quantization
    zero = 0 if quantization is None else quantization.zero_points[0]
    return np.full(operand.shape, zero, op.tensor_result(index).dtype)


def _roots(op: Op, group: ProcessGroup, operands: Sequence[np.ndarray]) -> list[ProcessId]:
    """The process of the group that sends or receives each operand: its first one, or with has_dynamic_root the one
    whose position in the group the last operand gives."""
    if not op.has("has_dynamic_root"):
        return [group[0]] * len(operands)
    positions = [int(position) for position in operands[-1]]
    outside = next((position for position in positions if not 0 <= position < len(group)), None)
    if outside is not None:
        raise op.error(f"names root {outside} of a group of {len(group)} processes")
    return [group[position] for position in positions]


@evaluates("stablehlo.collective_broadcast")
def collective_broadcast(op: Op) -> Kernel:
    """operands of the group's root; zeros outside all groups. Spec: collective_broadcast."""
    collective = _collective(op)

    def kernel(*operands: np.ndarray) -> Any:
        results = [_nothing(op, i, operands[i]) for i in range(len(op.result_types))]
        if _own_groups(collective):
            group = _meeting(collective).group
            roots = _roots(op, group, operands)
            brought = operands if current_process().id in roots else ()
            values = dict(zip(group, _combine(collective, brought, list), strict=True))
            brought = [values[root][index] for index, root in enumerate(roots[: len(results)])]
            _, results = _alike(op, [results, brought])
        return as_result(results)

    return kernel


@evaluates("stablehlo.collective_reduce")
def collective_reduce(op: Op) -> Kernel:
    """operands of the group's processes, combined by computation, on the group's root; zeros elsewhere.
    Groups are split like the groups of all_reduce, as the official interpreter does. Spec: collective_reduce."""
    collective = _collective(op)

    def kernel(computation: Body, *operands: np.ndarray) -> Any:
        results = [_nothing(op, i, operands[i]) for i in range(len(op.result_types))]
        if _own_groups(collective):
            roots = _roots(op, _meeting(collective).group, operands)
            reduced = _reduced(collective, computation, operands[: len(results)])
            for index in range(len(results)):
                if roots[index] == current_process().id:
                    results[index] = reduced[index]
        return as_result(results)

    return kernel


@evaluates("stablehlo.collective_permute")
def collective_permute(op: Op) -> Kernel:
    """operand of the process that is paired with this one as its target; zeros for no target.
    Spec: collective_permute."""
    collective = _collective(op)
    channel = channel_id(op)

    def kernel(operand: np.ndarray) -> np.ndarray:
        process = current_process()
        pairs = _own_groups(collective)
        for source, target in pairs:
            if source == process.id:
                process.grid.send((op.name, channel, source, target), (operand,))
        for source, target in pairs:
            if target == process.id:
                what = f"{op.name} at {op.location} for process {source}"
                (sent,) = process.grid.receive(process.id, (op.name, channel, source, target), what)
                return np.asarray(_alike(op, [(operand,), (sent,)])[1][0])
        return _nothing(op, 0, operand)

    return kernel
