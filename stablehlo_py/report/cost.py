"""What a program costs: arithmetic, bytes moved, and the memory of the values that live at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..bindings import ir
from ..bindings.diagnostics import file_location
from ..bindings.types import TensorType, TypeReader
from ..bindings.walk import body_of, captured_values, functions
from ..contracts.facts import facts
from ..errors import InputError
from ..reference.plan import byte_size
from .arithmetic import operations
from .trips import trip_count


@dataclass(frozen=True)
class OpCost:
    """What one op costs in a run of the program.

    Attributes:
        op: Its name.
        location: Its source line.
        runs: How often it runs: more than once in loops.
        flops: Arithmetic operations in all runs.
        transcendentals: Transcendental functions in all runs.
        bytes: Bytes of operands and results in all runs.
    """

    op: str
    location: str
    runs: int
    flops: int
    transcendentals: int
    bytes: int


@dataclass(frozen=True)
class Cost:
    """The outcome of `cost`.

    Attributes:
        ops: Every op, in program order, those of regions after the op that they are in.
        peak_bytes: The most that the arguments and the live values take at a time.
        peak_at: The op at which that is.
        notes: What could not be counted: dynamic shapes, loops of unknown length.
    """

    ops: tuple[OpCost, ...]
    peak_bytes: int
    peak_at: str
    notes: tuple[str, ...] = ()

    @property
    def flops(self) -> int:
        """Arithmetic operations of the whole program."""
        return sum(one.flops for one in self.ops)

    @property
    def transcendentals(self) -> int:
        """Transcendental functions of the whole program."""
        return sum(one.transcendentals for one in self.ops)

    @property
    def bytes(self) -> int:
        """Bytes that all ops read and write."""
        return sum(one.bytes for one in self.ops)

    @property
    def intensity(self) -> float:
        """Arithmetic operations a byte."""
        return self.flops / self.bytes if self.bytes else 0.0

    def as_dict(self) -> dict[str, Any]:
        """The cost as JSON holds it."""
        return {
            "flops": self.flops,
            "transcendentals": self.transcendentals,
            "bytes": self.bytes,
            "intensity": self.intensity,
            "peak_bytes": self.peak_bytes,
            "peak_at": self.peak_at,
            "notes": list(self.notes),
            "ops": [vars(one) for one in self.ops],
        }


class _Counter:
    def __init__(self, module: ir.Module) -> None:
        self.functions = functions(module.operation)
        self.types = TypeReader()
        self.found: list[OpCost] = []
        self.notes: dict[str, None] = {}
        self.peak, self.peak_at = 0, ""
        self.calls: list[str] = []

    def size(self, value: ir.Value) -> int:
        """The bytes of a value; 0 with a note where its shape is dynamic."""
        type_ = self.types[value.type]
        if isinstance(type_, TensorType) and not type_.is_static:
            self.notes[f"values of type {type_} are not counted: their shape is dynamic"] = None
        return byte_size(type_)

    def block(self, block: ir.Block, runs: int, below: int) -> None:
        """Count the ops of a block that runs so often, while `below` bytes live outside it."""
        ops = [op.operation for op in block.operations]
        deaths = _deaths(ops)
        live: dict[ir.Value, int] = {value: self.size(value) for value in block.arguments}
        total = below + sum(live.values())
        for number, op in enumerate(ops[:-1]):
            results = sum(map(self.size, op.results))
            self.at(op, total + results)
            self.op(op, runs, results, total)
            live.update({value: self.size(value) for value in op.results})
            total += results
            for value in deaths.get(number, ()):
                total -= live.pop(value, 0)

    def at(self, op: ir.Operation, size: int) -> None:
        """Remember the op at which most bytes live."""
        if size > self.peak:
            where = file_location(op.location)
            self.peak, self.peak_at = size, f"{op.name} at {where}" if where else op.name

    def op(self, op: ir.Operation, runs: int, results: int, live: int) -> None:
        """Count one op and what it runs."""
        plain, transcendental = operations(op)
        known = facts(op.name)
        moved = 0 if known.is_control_flow or known.is_constant else sum(map(self.size, op.operands)) + results
        where = file_location(op.location)
        self.found.append(OpCost(op.name, where, runs, plain * runs, transcendental * runs, moved * runs))
        if op.name == "stablehlo.while":
            self.loop(op, runs, live)
        elif known.is_control_flow:
            for index in range(len(op.regions)):  # every branch counts, as which one runs is not known
                self.block(body_of(op, index), runs, live)
        elif op.name == "func.call":
            self.call(ir.FlatSymbolRefAttr(op.attributes["callee"]).value, runs, live)

    def loop(self, op: ir.Operation, runs: int, live: int) -> None:
        trips = trip_count(op)
        if trips is None:
            self.notes["a loop of unknown length counts once"] = None
        count = 1 if trips is None else trips
        self.block(body_of(op, 0), runs * (count + 1), live)
        self.block(body_of(op, 1), runs * count, live)

    def call(self, name: str, runs: int, live: int) -> None:
        function = self.functions.get(name)
        if function is None or name in self.calls:
            self.notes[f"@{name} is not counted: it is recursive or has no body"] = None
            return
        self.calls.append(name)
        self.block(body_of(function), runs, live)
        self.calls.pop()


def _deaths(ops: Sequence[ir.Operation]) -> dict[int, list[ir.Value]]:
    """The values that die with each op of a block."""
    last: dict[ir.Value, int] = {}
    for number, op in enumerate(ops):
        used = [*op.results, *op.operands, *(captured_values(op) if len(op.regions) else ())]
        last.update(dict.fromkeys(used, number))
    deaths: dict[int, list[ir.Value]] = {}
    for value, number in last.items():
        deaths.setdefault(number, []).append(value)
    return deaths


def cost(module: ir.Module, function: str = "main") -> Cost:
    """Count what a function of a program costs.

    Args:
        module: The program.
        function: The function that runs; the only one where it is missing.

    Returns:
        The cost of every op, and the most memory that values take at a time. Both branches of an `if` count.

    Raises:
        InputError: The module has no such function.
    """
    counter = _Counter(module)
    known = counter.functions
    name = next(iter(known)) if function not in known and len(known) == 1 else function
    if name not in known:
        raise InputError(f"the program has no function @{function}")
    counter.calls.append(name)
    counter.block(body_of(known[name]), 1, 0)
    return Cost(tuple(counter.found), counter.peak, counter.peak_at, tuple(counter.notes))
