"""Writes symbolic integers and conditions back as ops of a library function or of the program."""

from __future__ import annotations

from functools import partial, reduce
from itertools import chain, starmap
from typing import Any, Protocol

from ...bindings import ir
from ..evaluation.conditions import Condition
from ..evaluation.symbols import Expression, Symbol, interval
from . import wrapping
from .value_facts import Number, ValueFacts


class Algebra(Protocol):
    """Integers and truth values written with the ops of some dialect. Operators are +, *, min, max, // of numbers
    that are not negative, and floor, which is // of any number by a positive one."""

    def integer(self, value: int) -> ir.Value: ...
    def boolean(self, value: bool) -> ir.Value: ...
    def binary(self, operator: str, left: ir.Value, right: ir.Value) -> ir.Value: ...
    def compare(self, predicate: str, left: ir.Value, right: ir.Value) -> ir.Value: ...
    def logical(self, operator: str, left: ir.Value, right: ir.Value) -> ir.Value: ...
    def select(self, condition: ir.Value, first: ir.Value, second: ir.Value) -> ir.Value: ...
    def size(self, value: ir.Value, dimension: int) -> ir.Value: ...
    def element(self, value: ir.Value, position: int) -> ir.Value: ...


class NotExpressibleError(Exception):
    """A symbol stands for nothing that can be computed at this position of the program."""


def visible_from(value: ir.Value, blocks: list[ir.Block]) -> ir.Value | None:
    """The value, or the result of the wrapper around its op, if it can be used inside the innermost of `blocks`."""
    owner = value.owner
    if isinstance(owner, ir.Block):
        return value if owner in blocks else None
    op = owner.operation
    if op.block in blocks:
        return None if any(op == block.owner.operation for block in blocks) else value  # a loop's own, inside of it
    outer = wrapping.around(op)
    return None if outer == op else visible_from(outer.results[ir.OpResult(value).result_number], blocks)


class SymbolWriter:
    """Emits numbers and conditions with an algebra, for use at `anchor`."""

    def __init__(self, algebra: Algebra, facts: ValueFacts, anchor: ir.Operation) -> None:
        self._algebra = algebra
        self._facts = facts
        self._blocks: list[ir.Block] = []  # the anchor is in
        op: ir.Operation | None = anchor
        while op is not None and op.name != "builtin.module":
            self._blocks.append(op.block)
            op = None if op.parent is None else op.parent.operation
        operands = wrapping.inside(anchor).operands
        self._near = [operand for operand in operands if isinstance(operand.type, ir.RankedTensorType)]

    def number(self, value: Number) -> ir.Value:
        """Return an integer. Raises `NotExpressibleError`."""
        if isinstance(value, int):
            return self._algebra.integer(value)
        terms = sorted(value.terms.items(), key=lambda item: (not item[0], str(item[0])))
        return reduce(partial(self._algebra.binary, "+"), starmap(self._term, terms))

    def _term(self, monomial: tuple[Symbol, ...], factor: int) -> ir.Value:
        numbers = [] if factor == 1 and monomial else [factor]
        factors = chain(map(self._algebra.integer, numbers), map(self._symbol, monomial))
        return reduce(partial(self._algebra.binary, "*"), factors)

    def _symbol(self, part: Symbol) -> ir.Value:
        if part.kind == "select":
            condition, first, second = part.arguments
            return self._algebra.select(self.condition(condition), self.number(first), self.number(second))
        if part.arguments:
            left, right = part.arguments
            low, _ = interval(left)
            rounds_down = part.kind == "//" and (low is None or low < 0)
            return self._algebra.binary("floor" if rounds_down else part.kind, self.number(left), self.number(right))
        if part.kind in ("size", "element"):
            return self._plain(part)
        raise NotExpressibleError(part.name)

    def _plain(self, part: Symbol) -> ir.Value:
        origin = self._facts.symbol_names.origin(part)
        if origin is not None:
            value = visible_from(origin[0], self._blocks)
            if value is not None:
                if part.kind == "size":
                    return self._algebra.size(value, origin[1])
                return self._algebra.element(value, origin[1])
        found = self._by_other_value(part)
        if found is None:
            raise NotExpressibleError(part.name)
        return found

    def _by_other_value(self, part: Symbol) -> ir.Value | None:
        """The symbol from the dimension sizes of an operand or an argument at hand: `n` from a tensor with dimension
        size `4*n + 1`."""
        arguments = [argument for block in self._blocks for argument in block.arguments]
        for value in [*self._near, *arguments]:
            for dimension, size in enumerate(self._facts.sizes(value) or ()):
                if not isinstance(size, Expression) or set(size.terms) - {(part,), ()} or (part,) not in size.terms:
                    continue
                factor, offset = size.terms[(part,)], size.terms.get((), 0)
                found = self._algebra.size(value, dimension)
                if offset:
                    found = self._algebra.binary("+", found, self._algebra.integer(-offset))
                return found if factor == 1 else self._algebra.binary("//", found, self._algebra.integer(factor))
        return None

    def condition(self, value: Any) -> ir.Value:
        """Return a truth value. Raises `NotExpressibleError`."""
        if isinstance(value, bool):
            return self._algebra.boolean(value)
        if not isinstance(value, Condition) or value.kind == "unknown":
            raise NotExpressibleError(str(value))
        if value.kind in ("eq", "le"):
            left, right = value.sides()
            return self._algebra.compare(value.kind, self.number(left), self.number(right))
        if value.kind == "not":
            inner = value.parts[0]
            if inner.kind == "eq":
                left, right = inner.sides()
                return self._algebra.compare("ne", self.number(left), self.number(right))
            return self._algebra.logical("xor", self.condition(inner), self._algebra.boolean(True))
        return reduce(partial(self._algebra.logical, value.kind), map(self.condition, value.parts))
