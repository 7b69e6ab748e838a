"""Collectives that run a computation or gather along a dimension."""

from __future__ import annotations

from hypothesis import strategies as st

from . import ELEMENTS, Break, Draw, Instance, dimension, grown, i64, instances_of, other, shape, tensor
from .regions import body


def groups(rows: list[list[int]]) -> str:
    """The text of replica groups."""
    return f"dense<{rows}> : tensor<{len(rows)}x{len(rows[0])}xi64>"


def _groups(draw: Draw, size: int) -> list[list[int]]:
    """Groups of one size; every process from 0 on is in one of them."""
    count = draw(st.integers(1, 3))
    processes = draw(st.permutations(range(count * size)))
    return [list(processes[row * size : (row + 1) * size]) for row in range(count)]


def _wrong_groups(rows: list[list[int]]) -> tuple[str, str]:
    """Groups with a process in two of them, and groups that leave a number out."""
    first, *rest = rows
    doubled = [[first[0], *first[:-1]], *rest] if len(first) > 1 else [first, first]
    highest = max(map(max, rows))
    gap = [[process + 1 if process == highest else process for process in row] for row in rows]
    return groups(doubled), groups(gap)


@instances_of("all_gather")
def all_gather(draw: Draw, op: str) -> tuple[Instance, list[Break]]:
    element, sizes = draw(st.sampled_from(ELEMENTS)), shape(draw, 1, smallest=1)
    along, size = dimension(draw, sizes), draw(st.integers(2, 4))
    rows = _groups(draw, size)
    result = [dimension_size * size if d == along else dimension_size for d, dimension_size in enumerate(sizes)]
    attributes = {"all_gather_dim": i64(along), "replica_groups": groups(rows)}
    instance = Instance(op, (tensor(sizes, element),), (tensor(result, element),), attributes)
    doubled, gap = _wrong_groups(rows)
    breaks = [
        Break("C1", instance.with_attributes(all_gather_dim=i64(len(sizes)))),
        Break("C2", instance.with_attributes(replica_groups=doubled)),
        Break("C4", instance.with_attributes(replica_groups=gap)),
        Break("C6", instance.with_result(0, tensor([*result, 1], element))),
        Break("C6", instance.with_result(0, tensor(result, other(draw, ELEMENTS, element)))),
    ]
    if len(sizes) > 1:
        across = draw(st.sampled_from([d for d in range(len(sizes)) if d != along]))
        breaks.append(Break("C6", instance.with_result(0, tensor(grown(result, across), element))))
    return instance, breaks


@instances_of("all_reduce")
def all_reduce(draw: Draw, op: str) -> tuple[Instance, list[Break]]:
    element, sizes = draw(st.sampled_from(ELEMENTS)), shape(draw, 1)
    rows = _groups(draw, draw(st.integers(1, 4)))
    kind = tensor(sizes, element)
    attributes = {"replica_groups": groups(rows)}
    instance = Instance(op, (kind,), (kind,), attributes, (body([element] * 2, [0]),))
    doubled, gap = _wrong_groups(rows)
    channel = {
        "channel_handle": "#stablehlo.channel_handle<handle = 0, type = 0>",
        "use_global_device_ids": "unit",
    }
    return instance, [
        Break("C1", instance.with_attributes(replica_groups=doubled)),
        Break("C3", instance.with_attributes(replica_groups=gap)),
        Break("C4", instance.with_attributes(**channel)),
        Break("C5", Instance(op, (kind,), (kind,), attributes, (body([element], [0]),))),
        Break("C6", instance.with_result(0, tensor(grown(sizes, dimension(draw, sizes)), element))),
        Break("C7", instance.with_result(0, tensor(sizes, other(draw, ELEMENTS, element)))),
    ]


@instances_of("reduce_scatter")
def reduce_scatter(draw: Draw, op: str) -> tuple[Instance, list[Break]]:
    element, sizes = draw(st.sampled_from(ELEMENTS)), shape(draw, 1, smallest=1)
    along, size = dimension(draw, sizes), draw(st.integers(2, 4))
    rows = _groups(draw, size)
    operand = [dimension_size * size if d == along else dimension_size for d, dimension_size in enumerate(sizes)]
    attributes = {"scatter_dimension": i64(along), "replica_groups": groups(rows)}
    regions = (body([element] * 2, [0]),)
    instance = Instance(op, (tensor(operand, element),), (tensor(sizes, element),), attributes, regions)
    doubled, gap = _wrong_groups(rows)
    return instance, [
        Break("C2", instance.with_attributes(scatter_dimension=i64(len(sizes)))),
        Break("C3", instance.with_attributes(replica_groups=doubled)),
        Break("C5", instance.with_attributes(replica_groups=gap)),
        Break("C7", Instance(op, instance.operands, instance.results, attributes, (body([element], [0]),))),
        Break("C8", instance.with_result(0, tensor([*sizes, 1], element))),
        Break("C9", instance.with_result(0, tensor(sizes, other(draw, ELEMENTS, element)))),
    ]


@instances_of("collective_broadcast")
def collective_broadcast(draw: Draw, op: str) -> tuple[Instance, list[Break]]:
    element, sizes = draw(st.sampled_from(ELEMENTS)), shape(draw, 1)
    rows = _groups(draw, draw(st.integers(1, 4)))
    kind = tensor(sizes, element)
    instance = Instance(op, (kind,), (kind,), {"replica_groups": groups(rows)})
    negative = [[-1 - process for process in row] for row in rows]
    return instance, [
        Break("C1", instance.with_attributes(replica_groups=_wrong_groups(rows)[0])),
        Break("C2", instance.with_attributes(replica_groups=groups(negative))),
        Break("C3", instance.with_result(0, tensor(sizes, other(draw, ELEMENTS, element)))),
    ]


@instances_of("scatter")
def scatter(draw: Draw, op: str) -> tuple[Instance, list[Break]]:
    """Whole rows, columns and so on: the indexed dimensions are inserted, the others part of each window."""
    element, sizes = draw(st.sampled_from(ELEMENTS)), shape(draw, 1, smallest=1)
    rank = len(sizes)
    indexed = sorted(draw(st.permutations(range(rank)))[: draw(st.integers(1, rank))])
    batch = shape(draw, 0, 2)
    window = [size for d, size in enumerate(sizes) if d not in indexed]
    updates = [*batch, *window]
    window_dims = list(range(len(batch), len(updates)))

    def numbers(**changes: object) -> str:
        entries = {
            "update_window_dims": window_dims,
            "inserted_window_dims": indexed,
            "scatter_dims_to_operand_dims": indexed,
            "index_vector_dim": len(batch),
        } | changes
        return f"#stablehlo.scatter<{', '.join(f'{name} = {value}' for name, value in entries.items())}>"

    operands = (tensor(sizes, element), tensor([*batch, len(indexed)], "i64"), tensor(updates, element))
    attributes = {"scatter_dimension_numbers": numbers()}
    instance = Instance(op, operands, (operands[0],), attributes, (body([element] * 2, [0]),))
    breaks = [
        Break("C2", instance.with_attributes(scatter_dimension_numbers=numbers(inserted_window_dims=[*indexed, rank]))),
        Break("C4", instance.with_operand(2, tensor([*updates, 1], element))),
        Break(
            "C21",
            instance.with_attributes(
                scatter_dimension_numbers=numbers(scatter_dims_to_operand_dims=[*indexed[1:], rank])
            ),
        ),
        Break("C22", instance.with_attributes(scatter_dimension_numbers=numbers(index_vector_dim=len(batch) + 2))),
        Break("C23", Instance(op, operands, instance.results, attributes, (body([element], [0]),))),
        Break("C24", instance.with_result(0, tensor(grown(sizes, dimension(draw, sizes)), element))),
        Break("C25", instance.with_result(0, tensor(sizes, other(draw, ELEMENTS, element)))),
    ]
    if batch:
        breaks.append(Break("C4", instance.with_operand(2, tensor(grown(updates, 0), element))))
    return instance, breaks
