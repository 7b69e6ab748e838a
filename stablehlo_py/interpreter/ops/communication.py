"""Ops that reach other processes and the outside: identity, channels, feeds, asynchronous ops, grids."""

from __future__ import annotations

from collections.abc import Hashable
from functools import partial
from itertools import islice
from typing import Any

import numpy as np

from ...bindings.attributes import symbol_of, symbol_rows
from ..op import Body, Kernel, Op
from ..process_grid import Process, current_process
from ..registry import evaluates
from ..values import Future, Token
from .bodies import as_result
from .collectives import channel_id


@evaluates("stablehlo.after_all", "stablehlo.create_token")
def after_all(op: Op) -> Kernel:
    """A token that depends on inputs. Spec: after_all."""
    return lambda *inputs: Token()


@evaluates("stablehlo.replica_id")
def replica_id(op: Op) -> Kernel:
    """The replica id of the current process. Spec: replica_id."""
    return lambda: np.uint32(current_process().id.replica_id)


@evaluates("stablehlo.partition_id")
def partition_id(op: Op) -> Kernel:
    """The partition id of the current process. Spec: partition_id."""
    return lambda: np.uint32(current_process().id.partition_id)


def _channels(op: Op, process: Process, position: int) -> list[Hashable]:
    """The channels of a send (`position` 0) or recv (1): one for each pair that has the process at that position.

    Without pairs the channel is the host's, or one shared by all processes, as upstream's interpreter has it.
    """
    channel = channel_id(op)
    if op.bool("is_host_transfer", False) or not op.has("source_target_pairs"):
        return [channel]
    pairs = op.elements("source_target_pairs").tolist()
    grid = process.grid
    across_partitions = grid.num_partitions > 1 and channel > 0
    groups = grid.cross_partition(pairs) if across_partitions else grid.cross_replica(pairs)
    return [(channel, *pair) for pair in groups if pair[position] == process.id]


@evaluates("stablehlo.send")
def send(op: Op) -> Kernel:
    """A token, after putting inputs into the channel. Spec: send."""

    def kernel(*inputs_and_token: Any) -> Token:
        process = current_process()
        for channel in _channels(op, process, 0):
            process.grid.send(channel, inputs_and_token[:-1])
        return Token()

    return kernel


@evaluates("stablehlo.recv")
def recv(op: Op) -> Kernel:
    """Return the next values of the channel, and a token. Spec: recv."""

    def kernel(token: Token) -> Any:
        process = current_process()
        channels = _channels(op, process, 1)
        if not channels:
            raise op.error(f"has no source for process {process.id} in source_target_pairs")
        what = f"{op.name} at {op.location} on channel {channel_id(op)}"
        return as_result((*process.grid.receive(process.id, channels[0], what), Token()))

    return kernel


@evaluates("stablehlo.infeed")
def infeed(op: Op) -> Kernel:
    """Return the next values of the infeed, and a token. Spec: infeed."""
    return lambda token: as_result((*current_process().grid.read_infeed(), Token()))


@evaluates("stablehlo.outfeed")
def outfeed(op: Op) -> Kernel:
    """A token, after writing inputs to the outfeed. Spec: outfeed."""

    def kernel(*inputs_and_token: Any) -> Token:
        current_process().grid.outfeed.append(inputs_and_token[:-1])
        return Token()

    return kernel


@evaluates("stablehlo.async_start")
def async_start(op: Op) -> Kernel:
    """A future of the results of body for operands, which runs at the side. Spec: async_start."""
    takes_operands = bool(op.regions[0].argument_types)

    def kernel(body: Body, *operands: Any) -> Future:
        process = current_process()
        arguments = operands if takes_operands else ()
        return process.grid.start(process, lambda: body(*arguments))

    return kernel


@evaluates("stablehlo.async_done")
def async_done(op: Op) -> Kernel:
    """Return the results that operand, a future, stands for. Spec: async_done."""
    return lambda operand: as_result(operand.wait())


@evaluates("interpreter.run_parallel")
def run_parallel(op: Op) -> Kernel:
    """The results of programs, run as the processes of a grid, one after another. inputs holds the arguments of
    process (0, 0), then of (0, 1) and so on. infeed names functions; each read calls the next."""
    programs = symbol_rows(op.attribute("programs"))
    names = [name for replica in programs for name in replica]
    feeds = [op.program.callable(name) for name in map(symbol_of, op.attribute("infeed", ()))]
    parameter_counts = [op.program.parameter_count(name) for name in names]
    functions = [op.program.callable(name) for name in names]

    def kernel(*inputs: Any) -> Any:
        grid = op.program.settings.make_grid(len(programs), len(programs[0]), feeds)
        left = iter(inputs)
        runs = [
            partial(function, *islice(left, count)) for function, count in zip(functions, parameter_counts, strict=True)
        ]
        return as_result([result for results in grid.run_all(runs) for result in results])

    return kernel
