"""The integers of a program that a shape depends on: the others are not evaluated.

Starts from the elements that library functions and shape assertions read. It follows these backwards through the ops
that `shape_arithmetic` evaluates, through control flow, and through calls."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from ...bindings import ir
from ...bindings.attributes import CALLS, callee_of, symbol_name
from ...bindings.walk import operations, terminator_of
from ..library import Library
from ..signatures import SHAPE
from . import wrapping
from .outline import HOLDERS
from .reification import find_function, target_of
from .shape_arithmetic import HANDLERS
from .value_facts import small_integer_count

_ELEMENTS = {"Value", "Values", "PairValues"}


class Demand:
    """The small integer tensors whose elements can decide a shape or an assertion, found out when first asked for."""

    def __init__(self, module: ir.Operation, library: Library) -> None:
        self._module = module
        self._library = library
        self._functions: dict[str, ir.Operation] = {}
        self._calls: dict[str, list[ir.Operation]] = {}

    def __contains__(self, value: object) -> bool:
        return value in self._values

    @cached_property
    def _values(self) -> set[ir.Value]:
        pending: list[ir.Value] = []
        for op in operations(self._module):
            if op.name == "func.func":
                self._functions[symbol_name(op)] = op
            elif op.name in CALLS:
                self._calls.setdefault(callee_of(op), []).append(op)
            if self._reads_elements(op):
                pending.extend(op.operands)
        found: set[ir.Value] = set()
        while pending:
            value = pending.pop()
            if value not in found and small_integer_count(value.type) is not None:
                found.add(value)
                pending.extend(self._sources(value))
        return found

    def _reads_elements(self, op: ir.Operation) -> bool:
        """Whether an op's shape, or its meaning as an assertion, depends on the elements of its operands."""
        if op.name.startswith(("tensor.", "arith.")):  # in library functions
            return True
        if target_of(op) == "shape_assertion" or "indices_of_shape_operands" in op.attributes:
            return True
        library_function = find_function(self._library, SHAPE, op)
        return library_function is not None and any(p.annotation in _ELEMENTS for p in library_function.parameters)

    def _sources(self, value: ir.Value) -> Iterator[ir.Value]:
        """Yield the values that the elements of a value come from."""
        owner = value.owner
        if isinstance(owner, ir.Block):
            holder, index = owner.owner.operation, ir.BlockArgument(value).arg_number
            if holder.name == "func.func" and not wrapping.is_library_function(holder):
                calls = self._calls.get(symbol_name(holder), ())
                yield from [call.operands[index] for call in calls]
            elif holder.name == "stablehlo.while":
                yield holder.operands[index]
                yield from _yielded(holder.regions[1].blocks[0], index)
            return
        op, index = owner.operation, ir.OpResult(value).result_number
        if op.name in HOLDERS:
            if op.name == "stablehlo.while":
                yield op.operands[index]
            for region in op.regions:
                yield from _yielded(region.blocks[0], index)
        elif op.name in CALLS:
            callee = self._functions.get(callee_of(op))
            if callee is not None and len(callee.regions[0].blocks):
                yield from _yielded(callee.regions[0].blocks[0], index)
        elif op.name in HANDLERS or target_of(op) == "stablehlo.shape_refinement_operand_wrapper":
            yield from op.operands


def _yielded(block: ir.Block, index: int) -> Iterator[ir.Value]:
    terminator = terminator_of(block)
    if index < len(terminator.operands):
        yield terminator.operands[index]
