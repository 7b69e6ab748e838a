"""Sizes and bytes of values: numbers, or expressions in the arguments' sizes where types are dynamic."""

from __future__ import annotations

import math
from itertools import chain
from typing import TYPE_CHECKING

from ..bindings import ir
from ..bindings.types import TensorType, TypeReader, ValueType
from ..bindings.walk import blocks, operations
from ..shapes.errors import RefutedError
from ..shapes.evaluation.symbols import Expression, Symbol, substitute, unknown

if TYPE_CHECKING:
    from ..shapes.refinement.context import Context

Amount = int | Expression
_NOMINAL_EXTENT = 1024
_LOOP_ROUNDS = 10


class Sizes:
    """The sizes of values in a function that is called in one way."""

    def __init__(self, types: TypeReader, context: Context | None = None) -> None:
        self.types = types
        self.context = context
        self.callees = {} if context is None else dict(context.calls.values())

    def shape(self, value: ir.Value) -> tuple[Amount, ...] | None:
        """Return the sizes of a tensor; None for other values, and if nothing is known of a size."""
        type_ = self.types[value.type]
        if not isinstance(type_, TensorType):
            return None
        if type_.is_static:
            return type_.static_shape
        return None if self.context is None else self.context.facts.sizes(value)

    def count(self, value: ir.Value) -> Amount:
        """Return the number of elements of a value; 0 unless it is a tensor."""
        shape = self.shape(value)
        return 0 if shape is None else math.prod(shape)

    def bytes(self, value: ir.Value) -> Amount:
        """Return the bytes of a value as an array; 0 unless it is a tensor."""
        return self.count(value) * item_size(self.types[value.type])


def item_size(type_: ValueType) -> int:
    """Return the bytes of one element of a tensor, as an array holds it; 0 for other types."""
    return type_.dtype.itemsize if isinstance(type_, TensorType) else 0


def analysed(module: ir.Module, types: TypeReader) -> dict[str, Context]:
    """Return the facts about functions that are called from outside, by name; nothing where every type is static.

    A program that breaks a rule of its shapes has no symbolic sizes; running it says why.
    """
    if not has_dynamic_types(module, types):
        return {}
    from ..shapes.library import active_library
    from ..shapes.refinement.analysis import analyse
    from ..shapes.refinement.context import AnalyzedProgram

    with ir.Location.unknown(module.context):
        try:
            roots = analyse(
                AnalyzedProgram(module.operation, active_library(), direct=True, max_iterations=_LOOP_ROUNDS)
            )
        except RefutedError:
            return {}
    return {root.name: root for root in roots}


def has_dynamic_types(module: ir.Module, types: TypeReader) -> bool:
    """Whether a value of a program has sizes that its type leaves open."""
    ops = operations(module.operation)
    values = chain(*(op.results for op in ops), *(block.arguments for op in ops for block in blocks(op)))
    found = (types[value.type] for value in values)
    return any(isinstance(type_, TensorType) and not type_.is_static for type_ in found)


def logarithm(amount: Amount) -> Amount:
    """Return the logarithm to base 2, rounded up."""
    if isinstance(amount, int):
        return math.ceil(math.log2(max(amount, 1)))
    return unknown(f"log2({amount})", 0, 63)


class _Nominal:
    """Stands for every size that is not known."""

    def __len__(self) -> int:
        return 1

    def __contains__(self, symbol: Symbol) -> bool:
        return not symbol.arguments

    def __getitem__(self, symbol: Symbol) -> int:
        return _NOMINAL_EXTENT if symbol.high is None else min(symbol.high, _NOMINAL_EXTENT)


def weight(amount: Amount) -> int:
    """Return the amount with every unknown size at 1024 or its bound, to compare amounts by."""
    found = substitute(amount, _Nominal())
    return found if isinstance(found, int) else 0


class DimensionSizes(dict[str, int]):
    """Sizes by the names of their symbols, to put in place of the symbols."""

    def __contains__(self, symbol: object) -> bool:
        return super().__contains__(str(symbol))

    def __getitem__(self, symbol: object) -> int:
        return super().__getitem__(str(symbol))
