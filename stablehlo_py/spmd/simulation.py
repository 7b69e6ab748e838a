"""Runs the program of one device on all of them: arguments are cut by their shardings, results are joined."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..bindings import ir
from ..bindings.shardings import Sharding
from ..errors import ArgumentError
from ..interpreter.fingerprints.reading import FingerprintReading, Run
from ..interpreter.program import Program
from ..interpreter.reading import Reading
from ..interpreter.settings import Settings
from ..passes.check_communication import CheckCommunication
from .partition import Partition


@dataclass(frozen=True)
class Simulation:
    """The outcome of `simulate`.

    Attributes:
        results: The global results.
        parts: For each device, what it returned; on a grid over several ranks, for each device of this rank.
        devices: How many devices there are, on all ranks.
    """

    results: tuple[np.ndarray, ...]
    parts: tuple[tuple[np.ndarray, ...], ...]
    devices: int

    def steps(self) -> dict[str, Any]:
        """Return what JSON says of runs on several meshes: nothing."""
        return {}


def simulate(
    found: Partition,
    arguments: Sequence[np.ndarray],
    settings: Settings | None = None,
    reading: Reading | None = None,
) -> Simulation:
    """Run a partitioned program on a grid of all its devices.

    On a grid over several ranks each of them cuts out what its devices need of the arguments, which may be
    memory-mapped, and all get the results.

    Args:
        found: What `partition` returned.
        arguments: The arguments of the global program.
        settings: Limits and observers of the run.
        reading: What elements are; numbers by default.

    Returns:
        The global results, joined from the devices', and the parts.

    Raises:
        ArgumentError: There are too few or too many arguments, or one cannot be cut as its sharding says.
        ResourceError: So many devices cannot fit into memory.
        InterpreterError: Something goes wrong while running; the message names op and process.
    """
    if len(arguments) != len(found.inputs):
        raise ArgumentError(f"expected {len(found.inputs)} arguments, found {len(arguments)}")
    chosen = Settings() if settings is None else settings
    count = len(found.mesh.device_ids)
    grid = chosen.make_grid(1, count)
    devices = grid.share
    program = Program(found.module, chosen, reading)
    program.check_processes(len(devices))
    padded = [_padded(np.asarray(value), number, found) for number, value in enumerate(arguments)]
    cut = [_cut(value, sharding, devices) for value, sharding in zip(padded, found.inputs, strict=True)]
    CheckCommunication(num_replicas=1, num_partitions=count).run(found.module.operation)
    rows = program.run_parallel(list(zip(*cut, strict=True)) if cut else [()] * len(devices), num_partitions=count)
    parts = tuple([tuple([np.asarray(value) for value in row]) for row in rows])
    everywhere = [[np.asarray(value) for value in row] for row in grid.gathered(parts)]
    joined = [_joined([row[index] for row in everywhere], sharding) for index, sharding in enumerate(found.outputs)]
    results = tuple([_without_padding(result, number, found) for number, result in enumerate(joined)])
    return Simulation(results, parts, count)


def _padded(value: np.ndarray, number: int, found: Partition) -> np.ndarray:
    for one in found.padding:
        if (one.kind, one.number) == ("argument", number):
            extra = [(0, one.padded - one.size if d == one.dimension else 0) for d in range(value.ndim)]
            value = np.pad(value, extra)
    return value


def _without_padding(value: np.ndarray, number: int, found: Partition) -> np.ndarray:
    for one in found.padding:
        if (one.kind, one.number) == ("result", number):
            value = value[(slice(None),) * one.dimension + (slice(one.size),)]
    return value


def _cut(value: np.ndarray, sharding: Sharding | None, devices: Sequence[int]) -> list[np.ndarray]:
    """Return the part of each device; devices with the same part share it."""
    if sharding is None:
        return [value for _ in devices]
    tiling = sharding.tiling(frozenset(sharding.mesh.axes))
    parts: dict[tuple[int, ...], np.ndarray] = {}
    for device in devices:
        position = tiling.positions[device]
        if position not in parts:
            parts[position] = np.asarray(tiling.part(value, device), order="C")
    return [parts[tiling.positions[device]] for device in devices]


def _joined(parts: Sequence[np.ndarray], sharding: Sharding | None) -> np.ndarray:
    if sharding is None:
        return parts[0]
    return sharding.tiling(frozenset(sharding.mesh.axes)).whole(dict(enumerate(parts)))


def global_results(module: ir.Module, arguments: Sequence[np.ndarray]) -> list[np.ndarray]:
    """Return the results of the global program, to compare with."""
    return [np.asarray(result) for result in Program(module).run(list(arguments))]


def fingerprint_runs(
    module: ir.Module,
    run: Callable[..., Any],
    arguments: Sequence[np.ndarray],
    settings: Settings | None = None,
) -> tuple[Run, Run, Sequence[np.ndarray]]:
    """Return the runs of the global program and of all its devices by a reading, and their arguments.

    `run` takes arguments, settings and a reading, as `simulate` does after its first parameter."""

    def given(reading: FingerprintReading) -> list[Any]:
        return reading.arguments_of(arguments, Program(module, settings, reading).parameter_types())

    def whole(reading: FingerprintReading) -> list[Any]:
        return Program(module, settings, reading).run(given(reading))

    return whole, lambda reading: list(run(given(reading), settings, reading).results), arguments
