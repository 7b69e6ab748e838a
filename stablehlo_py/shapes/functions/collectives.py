"""Ops that several processes compute together."""

from __future__ import annotations

from ..element_types import UI32
from ..language import DYNAMIC, DType, Shape
from ..registry import ErrorInvocation, Invocation, cases, dtype_function, shape_function
from .shared import check_dimension, with_size

GROUPS = "dense<[[0, 1]]> : tensor<1x2xi64>"


def group_size(replica_groups: list[list[int]], channel_handle: int | None, use_global_device_ids: bool) -> int:
    """The number of processes in a group; 0 where that depends on the number of partitions. Spec: Process groups."""
    if len(replica_groups) == 0:
        return 0
    if channel_handle is not None and channel_handle > 0 and not use_global_device_ids:
        return 0  # replicas of all partitions take part
    return len(replica_groups[0])


@shape_function("stablehlo.all_gather")
@cases(
    Invocation(["2x3xf32"], all_gather_dim=1, returns="2x6xf32"),
    Invocation(["2x?xf32"], all_gather_dim=0, returns="4x?xf32"),
    Invocation(["2x3xf32"], all_gather_dim=0, channel_handle=1, returns="?x3xf32"),
    ErrorInvocation(["2x3xf32"], all_gather_dim=2, returns="2x6xf32", match="out of range"),
    replica_groups=[[0, 1]],
)
def all_gather(
    operands: list[Shape],
    all_gather_dim: int,
    replica_groups: list[list[int]],
    channel_handle: int | None,
    use_global_device_ids: bool,
) -> list[Shape]:
    """Each operand's shape, `all_gather_dim` multiplied by the size of a group (C1, C6). Spec: all_gather."""
    processes = group_size(replica_groups, channel_handle, use_global_device_ids)
    gathered: list[Shape] = []
    for operand in operands:
        dimension = check_dimension(all_gather_dim, len(operand))
        gathered.append(with_size(operand, dimension, operand[dimension] * processes if processes > 0 else DYNAMIC))
    return gathered


@dtype_function("stablehlo.all_reduce")
def all_reduce_dtype(operands: list[DType], computation: list[DType]) -> list[DType]:
    """The element type that the computation returns, for every operand (C7). Spec: all_reduce."""
    return [computation[0] for _ in operands]


@shape_function("stablehlo.all_to_all")
@cases(
    Invocation(["2x4xf32"], split_dimension=1, returns="4x2xf32"),
    Invocation(["?x4xf32"], split_dimension=1, returns="?x2xf32"),
    ErrorInvocation(["2x3xf32"], split_dimension=1, match="3, .* 2 parts"),
    ErrorInvocation(["2x4xf32"], split_dimension=2, match="out of range"),
    concat_dimension=0,
    split_count=2,
    replica_groups=GROUPS,
)
def all_to_all(operands: list[Shape], split_dimension: int, concat_dimension: int, split_count: int) -> list[Shape]:
    """One dimension size divided by `split_count`, another multiplied by it (C1 to C4, C9). Spec: all_to_all."""
    assert split_count > 0, f"split_count has to be positive, it is {split_count}"
    changed: list[Shape] = []
    for operand in operands:
        check_dimension(split_dimension, len(operand))
        check_dimension(concat_dimension, len(operand))
        size = operand[split_dimension]
        assert size % split_count == 0, f"the split dimension, {size}, does not fall into {split_count} parts"
        shape = with_size(operand, split_dimension, size // split_count)
        shape[concat_dimension] = shape[concat_dimension] * split_count
        changed.append(shape)
    return changed


@shape_function("stablehlo.collective_broadcast", "stablehlo.collective_reduce")
@cases(Invocation(["2x?xf32"], replica_groups=GROUPS, has_dynamic_root=False, returns=["2x?xf32"]))
def without_roots(operands: list[Shape], has_dynamic_root: bool) -> list[Shape]:
    """The operands' shapes, except one that names the roots. Spec: collective_broadcast (C3 to C5), collective_reduce
    (C3)."""
    return [operands[i] for i in range(len(operands) - 1 if has_dynamic_root else len(operands))]


@dtype_function("stablehlo.collective_broadcast")
def collective_broadcast_dtype(operands: list[DType], has_dynamic_root: bool) -> list[DType]:
    """The operands' element types, without that of the roots (C3 to C5). Spec: collective_broadcast."""
    return operands[: len(operands) - 1] if has_dynamic_root else operands


@dtype_function("stablehlo.collective_reduce")
def collective_reduce_dtype(computation: list[DType], result: list[DType]) -> list[DType]:
    """The element type that the computation returns, for every result (C4). Spec: collective_reduce."""
    return [computation[0] for _ in result]


@shape_function("stablehlo.collective_permute")
@cases(
    Invocation("2x?xf32", source_target_pairs=[[0, 1], [1, 2]], returns="2x?xf32"),
    ErrorInvocation("2xf32", source_target_pairs=[[0, 1], [0, 2]], match="sends twice"),
)
def collective_permute(operand: Shape, source_target_pairs: list[list[int]]) -> Shape:
    """The operand's shape; no process sends or receives twice (C1 to C3, C5). Spec: collective_permute."""
    for i in range(len(source_target_pairs)):
        for j in range(i):
            source = source_target_pairs[i][0]
            target = source_target_pairs[i][1]
            assert source != source_target_pairs[j][0], f"process {source} sends twice"
            assert target != source_target_pairs[j][1], f"process {target} receives twice"
    return operand


@shape_function("stablehlo.reduce_scatter")
@cases(
    Invocation("2x4xf32", returns="2x2xf32"),
    ErrorInvocation("2x3xf32", returns="2x2xf32", match="3, .* 2 processes"),
    scatter_dimension=1,
    replica_groups=[[0, 1]],
)
def reduce_scatter(
    operand: Shape,
    scatter_dimension: int,
    replica_groups: list[list[int]],
    channel_handle: int | None,
    use_global_device_ids: bool,
) -> Shape:
    """The operand's shape with one dimension size divided among the processes of a group (C1, C2, C8). Spec:
    reduce_scatter."""
    dimension = check_dimension(scatter_dimension, len(operand))
    processes = group_size(replica_groups, channel_handle, use_global_device_ids)
    size = operand[dimension]
    if processes == 0:
        return with_size(operand, dimension, DYNAMIC)
    assert size % processes == 0, f"dimension {dimension}, {size}, cannot be divided among {processes} processes"
    return with_size(operand, dimension, size // processes)


@dtype_function("stablehlo.partition_id", "stablehlo.replica_id")
def process_id_dtype() -> DType:
    """An unsigned 32-bit integer. Spec: partition_id, replica_id."""
    return UI32
