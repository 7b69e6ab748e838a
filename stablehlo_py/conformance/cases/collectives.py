"""Collectives on grids of processes: replicas and partitions, groups in any order, processes outside all groups.

A grid is one program: `interpreter.run_parallel` runs a function in every process. Its operands are the operands of all
processes, one process after the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product

import numpy as np

from ..case import Case, grouped
from ..catalog import Draw, cases_of
from ..generate.texts import body, tensor
from ..generate.values import ELEMENTS, INTEGERS, dtype_of
from .control_flow import literal
from .indexing import combined
from .movement import draw_tensor

program_of = partial(grouped, source="the spec's formulas, group by group")
TYPES = [element for element in ELEMENTS if element not in ("i2", "ui2")]


@dataclass(frozen=True)
class Grid:
    """Replicas x partitions, and what `replica_groups` of a collective on it means.

    Attributes:
        replicas: How many.
        partitions: How many.
        groups: The attribute; entries are replicas, partitions or global numbers.
        channel: Channel of the collective, 0 for none.
        global_ids: Whether entries are global numbers, replica * partitions + partition.
    """

    replicas: int
    partitions: int
    groups: tuple[tuple[int, ...], ...]
    channel: int = 0
    global_ids: bool = False

    @property
    def size(self) -> int:
        """The number of processes."""
        return self.replicas * self.partitions

    def members(self, *, across_partitions: bool = False) -> list[list[int]]:
        """Groups of processes by their global numbers, in the order of each group."""
        if self.global_ids:
            return [list(group) for group in self.groups]
        if not self.channel:  # cross_replica: the same partition of several replicas
            return [[r * self.partitions + p for r in group] for p in range(self.partitions) for group in self.groups]
        if across_partitions:  # cross_partition: several partitions of one replica
            return [[r * self.partitions + p for p in group] for r in range(self.replicas) for group in self.groups]
        return [[r * self.partitions + p for p in range(self.partitions) for r in group] for group in self.groups]

    @property
    def attributes(self) -> str:
        """`replica_groups` and the channel."""
        rows = [list(group) for group in self.groups]
        text = f"replica_groups = dense<{rows}> : tensor<{len(rows)}x{len(rows[0])}xi64>"
        if self.channel:
            text += f", channel_handle = #stablehlo.channel_handle<handle = {self.channel}, type = 0>"
        return f"{text}, use_global_device_ids" if self.global_ids else text

    def case(
        self,
        op: str,
        element: str,
        kind: str,
        operands: Sequence[np.ndarray],
        line: str,
        results: Sequence[np.ndarray],
    ) -> Case:
        """A case that runs `line` (it defines %r from %operand) in every process."""
        out = tensor(results[0].shape, element)
        given = tensor(operands[0].shape, element) if operands else ""
        row = "[" + ", ".join(["@program"] * self.partitions) + "]"
        programs = ", ".join([row] * self.replicas)
        parameter = f"%operand: {given}" if operands else ""
        functions = f"func.func @program({parameter}) -> {out} {{\n{line}\n  return %r : {out}\n}}\n"
        names = ", ".join(f"%{number}" for number in range(len(operands)))
        types = f"({', '.join([given] * len(operands))}) -> ({', '.join([out] * self.size)})"
        lines = f'  %r:{self.size} = "interpreter.run_parallel"({names}) {{programs = [{programs}]}} : {types}'
        expected = [(f"%r#{number}", result) for number, result in enumerate(results)]
        return program_of(op, element, kind, operands, expected, lines, functions=functions)

    def collective(
        self,
        op: str,
        element: str,
        kind: str,
        operands: Sequence[np.ndarray],
        results: Sequence[np.ndarray],
        attributes: str,
        region: str = "",
    ) -> Case:
        """A case of one collective op, every process with its operand and its result."""
        types = f"({tensor(operands[0].shape, element)}) -> {tensor(results[0].shape, element)}"
        line = f'  %r = "stablehlo.{op}"(%operand){f" ({region})" if region else ""} {{{attributes}}} : {types}'
        return self.case(op, element, kind, operands, line, results)


GRIDS = {
    "replicas": Grid(2, 1, ((1, 0),)),
    "groups": Grid(4, 1, ((0, 2), (3, 1))),
    "replicas and partitions": Grid(2, 2, ((0, 1),), channel=1),
    "global ids": Grid(2, 2, ((0, 3), (2, 1)), channel=5, global_ids=True),
    "partitions idle": Grid(2, 2, ((1, 0),)),
}


def _operands(grid: Grid, element: str, shape: tuple[int, ...], draw: Draw, *words: str) -> list[np.ndarray]:
    return [draw_tensor(element, shape, draw(element, *words, number), "ordinary") for number in range(grid.size)]


def _on_grids(
    op: str, draw: Draw, types: Sequence[str], grids: Mapping[str, Grid], shape: tuple[int, ...]
) -> Iterator[tuple[str, str, Grid, list[np.ndarray]]]:
    """Each element type, kind and grid, with an operand of a shape for each process."""
    for element, (kind, grid) in product(draw.only(types), grids.items()):
        yield element, kind, grid, _operands(grid, element, shape, draw, op, kind)


@cases_of("all_gather")
def all_gather(op: str, draw: Draw) -> Iterator[Case]:
    """The parts of a group, in the order of the group."""
    for element, (kind, grid), dimension in product(draw.only(TYPES), GRIDS.items(), (0, 1)):
        operands = _operands(grid, element, (2, 3), draw, op, kind, str(dimension))
        results = list(operands)
        for group in grid.members():
            for process in group:
                results[process] = np.concatenate([operands[each] for each in group], dimension)
        text = f"all_gather_dim = {dimension} : i64, {grid.attributes}"
        yield grid.collective(op, element, kind, operands, results, text)


def _sum(operands: Sequence[np.ndarray], element: str) -> np.ndarray:
    result = operands[0].copy()
    for operand in operands[1:]:
        for position in np.ndindex(*result.shape):
            result[position] = combined("add", element, result[position], operand[position])
    return result


@cases_of("all_reduce", "cross-replica-sum", "collective_reduce")
def all_reduce(op: str, draw: Draw) -> Iterator[Case]:
    """Sums over a group; of integers, as the order of additions is open."""
    grids = {kind: grid for kind, grid in GRIDS.items() if op != "cross-replica-sum" or not grid.channel}
    for element, kind, grid, operands in _on_grids(op, draw, INTEGERS, grids, (3,)):
        results = [np.zeros_like(operand) for operand in operands]
        for group in grid.members():
            added = _sum([operands[each] for each in group], element)
            for process in group if op != "collective_reduce" else group[:1]:
                results[process] = added
        region = "" if op == "cross-replica-sum" else body("add", element)
        yield grid.collective(op, element, kind, operands, results, grid.attributes, region)


@cases_of("reduce_scatter")
def reduce_scatter(op: str, draw: Draw) -> Iterator[Case]:
    """The sum over a group; each process gets its part."""
    for element, kind, grid, operands in _on_grids(op, draw, INTEGERS, GRIDS, (2, 4)):
        members = grid.members()
        results = [np.zeros((2, 4 // len(members[0])), dtype_of(element)) for _ in operands]
        for group in members:
            parts = np.split(_sum([operands[each] for each in group], element), len(group), 1)
            for process, part in zip(group, parts, strict=True):
                results[process] = part.copy()
        text = f"scatter_dimension = 1 : i64, {grid.attributes}"
        yield grid.collective(op, element, kind, operands, results, text, body("add", element))


@cases_of("all_to_all")
def all_to_all(op: str, draw: Draw) -> Iterator[Case]:
    """Part k of each process of a group goes to its process k."""
    grids = {"replicas": Grid(2, 1, ((1, 0),)), "partitions": Grid(1, 2, ((0, 1),), channel=1),
             "groups": Grid(4, 1, ((0, 2), (3, 1)))}  # fmt: skip
    for element, kind, grid, operands in _on_grids(op, draw, TYPES, grids, (2, 4)):
        results = list(operands)
        for group in grid.members(across_partitions=True):
            for number, process in enumerate(group):
                results[process] = np.concatenate([operands[each][:, 2 * number : 2 * number + 2] for each in group], 0)
        text = f"split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, {grid.attributes}"
        yield grid.collective(op, element, kind, operands, results, text)


@cases_of("collective_broadcast")
def collective_broadcast(op: str, draw: Draw) -> Iterator[Case]:
    """The first process of a group gives; zeros for those in none."""
    grids = {"replicas": Grid(3, 1, ((2, 1),)), "partitions": Grid(1, 2, ((1, 0),), channel=1)}
    for element, kind, grid, operands in _on_grids(op, draw, TYPES, grids, (2, 2)):
        results = [np.zeros_like(operand) for operand in operands]
        for group in grid.members(across_partitions=True):
            for process in group:
                results[process] = operands[group[0]]
        yield grid.collective(op, element, kind, operands, results, grid.attributes)


@cases_of("collective_permute")
def collective_permute(op: str, draw: Draw) -> Iterator[Case]:
    """Along pairs of processes; zeros where nothing arrives."""
    grids = {"replicas": Grid(3, 1, ((0,),)), "partitions": Grid(1, 3, ((0,),), channel=1)}
    for element, kind, grid, operands in _on_grids(op, draw, TYPES, grids, (3,)):
        pairs = [[0, 1], [1, 2]] if kind == "replicas" else [[0, 2], [2, 0], [1, 1]]
        results = [np.zeros_like(operand) for operand in operands]
        for source, target in pairs:
            results[target] = operands[source]
        text = f"source_target_pairs = dense<{pairs}> : tensor<{len(pairs)}x2xi64>"
        if grid.channel:
            text += ", channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>"
        yield grid.collective(op, element, kind, operands, results, text)


@cases_of("collective_permute", "collective_broadcast")
def quantized_zeros(op: str, draw: Draw) -> Iterator[Case]:
    """A process that nobody sends to gets zeros, which of a quantized type are its zero point."""
    element = "!quant.uniform<i8:f32, 0.5:3>"
    grid, operands = Grid(3, 1, ((1, 2),)), [np.array([number, -7], np.int8) for number in range(3)]
    results = [np.full(2, 3, np.int8), operands[1], operands[1]]
    attributes = grid.attributes
    if op == "collective_permute":
        attributes = "source_target_pairs = dense<[[1, 2], [2, 1]]> : tensor<2x2xi64>"
        results[1] = operands[2]
    for _ in draw.only(("quantized",)):
        yield replace(grid.collective(op, element, "replicas", operands, results, attributes), type="quantized")


@cases_of("partition_id", "replica_id")
def process_id(op: str, draw: Draw) -> Iterator[Case]:
    """The number of the process along one side of the grid."""
    for replicas, partitions in ((2, 3), (1, 2), (3, 1)):
        grid = Grid(replicas, partitions, ((0,),))
        ids = [(r, p) for r in range(replicas) for p in range(partitions)]
        results = [np.array(pair[op == "partition_id"], np.uint32) for pair in ids]
        line = f"  %r = stablehlo.{op} : tensor<ui32>"
        yield grid.case(op, "ui32", "grid", [], line, results)


@cases_of("send", "recv")
def through_the_host(op: str, draw: Draw) -> Iterator[Case]:
    """Values that one process sends and another one receives, in order: one value after the other, or both at once."""
    for element in draw.only(TYPES):
        a, b = [draw_tensor(element, (2,), draw(op, element, name)) for name in "ab"]
        t, token = tensor((2,), element), "!stablehlo.token"
        handle = "is_host_transfer = true, channel_handle = #stablehlo.channel_handle<handle = 5, type = "
        make = f"  %t = stablehlo.create_token : {token}\n"
        apart = (
            f'  %s = "stablehlo.send"(%x, %t) {{{handle}2>}} : ({t}, {token}) -> {token}\n'
            f'  %u = "stablehlo.send"(%y, %s) {{{handle}2>}} : ({t}, {token}) -> {token}\n',
            f'  %f:2 = "stablehlo.recv"(%t) {{{handle}3>}} : ({token}) -> ({t}, {token})\n'
            f'  %g:2 = "stablehlo.recv"(%f#1) {{{handle}3>}} : ({token}) -> ({t}, {token})\n'
            f"  return %f#0, %g#0 : {t}, {t}\n",
        )
        at_once = (
            f'  %s = "stablehlo.send"(%x, %y, %t) {{{handle}2>}} : ({t}, {t}, {token}) -> {token}\n',
            f'  %f:3 = "stablehlo.recv"(%t) {{{handle}3>}} : ({token}) -> ({t}, {t}, {token})\n'
            f"  return %f#0, %f#1 : {t}, {t}\n",
        )
        lines = (
            '  %r:3 = "interpreter.run_parallel"(%0, %1, %0, %1) {programs = [[@receiver], [@sender]]} : '
            f"({', '.join([t] * 4)}) -> ({t}, {t}, {t})"
        )
        results = [("%r#0", a), ("%r#1", b), ("%r#2", a)]
        for kind, (send, receive) in (("tokens", apart), ("several operands", at_once)):
            functions = (
                f"func.func @sender(%x: {t}, %y: {t}) -> {t} {{\n{make}{send}  return %x : {t}\n}}\n"
                f"func.func @receiver(%x: {t}, %y: {t}) -> ({t}, {t}) {{\n{make}{receive}}}\n"
            )
            yield program_of(op, element, kind, [a, b], results, lines, functions=functions)


@cases_of("send", "recv")
def between_devices(op: str, draw: Draw) -> Iterator[Case]:
    """Along pairs of processes: replicas, or partitions if the grid has several and the op has a channel."""
    sizes = {"replicas": (2, 1), "partitions": (1, 2), "replicas and partitions": (2, 2), "no channel": (2, 2)}
    grids = {kind: Grid(*size, ((0,),)) for kind, size in sizes.items()}
    for element, kind, grid, operands in _on_grids(op, draw, ("i32", "f32", "bf16", "i1"), grids, (2,)):
        channel, t = int(kind != "no channel"), tensor((2,), element)
        other = 1 if grid.partitions > 1 and channel else grid.partitions
        results = [operands[number ^ other] for number in range(grid.size)]
        attributes = (
            f"{{is_host_transfer = false, channel_handle = #stablehlo.channel_handle<handle = {channel}, type = 1>, "
            "source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}"
        )
        line = (
            "  %t = stablehlo.create_token : !stablehlo.token\n"
            f'  %s = "stablehlo.send"(%operand, %t) {attributes} : ({t}, !stablehlo.token) -> !stablehlo.token\n'
            f'  %r, %u = "stablehlo.recv"(%s) {attributes} : (!stablehlo.token) -> ({t}, !stablehlo.token)'
        )
        yield grid.case(op, element, kind, operands, line, results)


@cases_of("infeed", "outfeed")
def feeds(op: str, draw: Draw) -> Iterator[Case]:
    """Values that come from the infeed go to the outfeed and out."""
    for element in draw.only(("i64", "f32", "i1", "bf16")):
        value = draw_tensor(element, (2,), draw(op, element), "ordinary")
        t = tensor((2,), element)
        functions = (
            f"func.func @feed() -> {t} {{\n  %c = stablehlo.constant {literal(value, element)}\n  return %c : {t}\n}}\n"
            f"func.func @program() -> {t} {{\n  %t = stablehlo.create_token : !stablehlo.token\n"
            f'  %v, %u = "stablehlo.infeed"(%t) : (!stablehlo.token) -> ({t}, !stablehlo.token)\n'
            f'  %w = "stablehlo.outfeed"(%v, %u) : ({t}, !stablehlo.token) -> !stablehlo.token\n'
            f"  return %v : {t}\n}}\n"
        )
        lines = f'  %r = "interpreter.run_parallel"() {{infeed = [@feed], programs = [[@program]]}} : () -> {t}'
        yield program_of(op, element, "tokens", [], [("%r", value)], lines, functions=functions)
