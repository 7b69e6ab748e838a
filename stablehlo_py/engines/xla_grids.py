"""Grids of processes on devices of XLA: programs whose `main` is one `interpreter.run_parallel` of one function."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np

from ..bindings import ir
from ..bindings.attributes import symbol_rows
from ..bindings.provider import compiler_client
from ..bindings.types import TensorType
from ..bindings.walk import functions, terminator_of
from ..errors import UnsupportedOpError
from .carriers import carried, carrier_of, main_on_carriers, restored, shareable, signature, tensors
from .worker import Run

_DEVICES = 8
_PARALLEL = "interpreter.run_parallel"


@dataclass(frozen=True)
class GridFunction:
    """A function that runs in every process of `replicas` x `partitions`."""

    program: str
    replicas: int
    partitions: int


def grid_of(module: ir.Operation) -> GridFunction | None:
    """Return the grid that `main` consists of; None for any other program.

    Raises:
        UnsupportedOpError: The processes run several functions, read from an infeed, or are too many.
    """
    block = functions(module)["main"].regions[0].blocks[0]
    op = block.operations[0].operation
    if op.name != _PARALLEL:
        return None
    rows = symbol_rows(op.attributes["programs"])
    straight = list(op.operands) == list(block.arguments) and list(terminator_of(block).operands) == list(op.results)
    if len({name for row in rows for name in row}) > 1 or "infeed" in op.attributes or not straight:
        raise UnsupportedOpError("XLA's devices run one program, without an infeed")
    if sum(map(len, rows)) > _DEVICES:
        raise UnsupportedOpError(f"a grid of {sum(map(len, rows))} processes; XLA is started with {_DEVICES} devices")
    return GridFunction(rows[0][0], len(rows), len(rows[0]))


@cache
def _client() -> Any:
    _, library = compiler_client()
    return library.make_cpu_client(num_devices=_DEVICES)


def load(module: ir.Operation, grid: GridFunction, options: Any) -> Run:
    """Compile the function, with the compile options, for as many devices as there are processes."""
    extension, library = compiler_client()
    every, size = functions(module), grid.replicas * grid.partitions
    inputs, outputs = map(tensors, signature(every[grid.program]))
    kept = [str(each.get_asm(print_generic_op_form=True)) for name, each in every.items() if name != "main"]
    whole = ir.Module.parse("\n".join([*kept, main_on_carriers(grid.program, inputs, outputs)]), module.context)
    text = whole.operation.get_asm(print_generic_op_form=True)
    devices = extension.DeviceList(tuple(_client().local_devices()[:size]))
    for each in (options, options.executable_build_options):
        each.num_replicas, each.num_partitions = grid.replicas, grid.partitions
    options.executable_build_options.use_spmd_partitioning = grid.partitions > 1
    numbers = np.arange(size).reshape(grid.replicas, grid.partitions)
    options.device_assignment = library.DeviceAssignment.create(numbers)
    executable = _client().compile_and_load(text, devices, options)
    sharding = library.GSPMDSharding(devices, library.HloSharding.replicate())

    def spread(type_: TensorType, values: Sequence[np.ndarray]) -> Any:
        carrier = carrier_of(type_)
        held = [shareable(carried(value, carrier)) for value in values]
        shards = [
            extension.dlpack_managed_tensor_to_buffer(value.__dlpack__(), device, None)
            for value, device in zip(held, devices, strict=True)
        ]
        described = SimpleNamespace(shape=type_.static_shape, dtype=held[0].dtype, weak_type=False)
        return extension.ArrayImpl(described, sharding, shards, committed=True, _skip_checks=True)

    def run(arguments: Sequence[np.ndarray]) -> Sequence[np.ndarray]:
        given = [spread(type_, arguments[position :: len(inputs)]) for position, type_ in enumerate(inputs)]
        results = executable.execute_sharded(given).disassemble_into_single_device_arrays()
        return [
            restored(np.array(shards[process]), type_, carrier_of(type_))
            for process in range(size)
            for type_, shards in zip(outputs, results, strict=True)
        ]

    return run
