"""Facts about the values of a program: dimension sizes of tensors, elements of small integer tensors."""

from __future__ import annotations

import math
from collections.abc import Callable, Container, Iterator, Sequence
from typing import Any

from ...bindings import ir
from ...bindings.locations import name_of
from ...bindings.types import bounds_of
from .. import language
from ..evaluation.conditions import Condition, replace
from ..evaluation.op_arguments import declared_shape
from ..evaluation.symbols import Expression, Number, Symbol, substitute
from .knowledge import Knowledge

Sizes = tuple[Number, ...]
Elements = tuple[Any, ...]  # Number, or bool and Condition for tensors of i1

# Integer tensors with more elements than this are data, not shapes.
ELEMENT_LIMIT = 256


def is_unknown(value: Number) -> bool:
    """Whether nothing useful is known about an integer."""
    if isinstance(value, int):
        return value == language.DYNAMIC
    return any(part.kind == "unknown" for part in value.symbols())


class SymbolNames:
    """The names of the symbols of one refinement, and the values behind them."""

    def __init__(self) -> None:
        self.only_root = "main"  # the function whose arguments need no function name in front
        self._origins: dict[tuple[str, str], tuple[ir.Value, int]] = {}
        self._counts: dict[str, int] = {}

    def numbered(self, stem: str) -> str:
        """Return a name that is not taken: `custom_call.1`."""
        self._counts[stem] = self._counts.get(stem, 0) + 1
        return f"{stem}.{self._counts[stem]}"

    def define(self, symbol: Symbol, value: ir.Value, position: int) -> None:
        """Note that a symbol is a dimension size, or an element, of a value."""
        self._origins[symbol.kind, symbol.name] = (value, position)

    def origin(self, symbol: Symbol) -> tuple[ir.Value, int] | None:
        """The value and the dimension, or the element, that a symbol stands for, whatever is known of its bounds."""
        return self._origins.get((symbol.kind, symbol.name))


class ValueFacts:
    """Facts about the values of a function that is called in one way: dimension sizes, and elements of integers.

    Args:
        names: Names for symbols, shared by all functions.
        function: What comes before the names of the function's arguments.
        demanded: The integer tensors whose elements are worth evaluating.
        on_change: Called for a value about which something else is known than before.
    """

    def __init__(
        self,
        names: SymbolNames | None = None,
        function: str = "",
        demanded: Container[ir.Value] = (),
        on_change: Callable[[ir.Value], None] = lambda _: None,
    ) -> None:
        self.known = Knowledge()
        self.demanded = demanded
        self.symbol_names = SymbolNames() if names is None else names
        self._function = function
        self._on_change = on_change
        self._sizes: dict[ir.Value, Sizes] = {}
        self._elements: dict[ir.Value, Elements | None] = {}
        self._names: dict[ir.Value, str] = {}
        self._defined: list[tuple[Symbol, ir.Value, int]] = []

    def name(self, value: ir.Value) -> str:
        """Return the name that symbols of a value start with: `arg0`, `custom_call.1`; the same at every visit."""
        known = self._names.get(value)
        if known is None:
            owner = value.owner
            if isinstance(owner, ir.Block):
                known = self._argument_name(owner.owner.operation, f"arg{ir.BlockArgument(value).arg_number}")
            else:
                known = self.symbol_names.numbered(owner.operation.name.partition(".")[2])
            self._names[value] = known
        return known

    def _argument_name(self, holder: ir.Operation, stem: str) -> str:
        if holder.name != "func.func":
            return self.symbol_names.numbered(f"{holder.name.partition('.')[2]}.{stem}")
        return stem if self._function == self.symbol_names.only_root else f"{self._function}.{stem}"

    def moved(self, values: dict[ir.Value, ir.Value]) -> ValueFacts:
        """Return the same facts about the values of a copy of the function."""
        result = ValueFacts(self.symbol_names, self._function, self.demanded)
        result._sizes = {values.get(value, value): found for value, found in self._sizes.items()}
        result._elements = {values.get(value, value): found for value, found in self._elements.items()}
        result._names = {values.get(value, value): name for value, name in self._names.items()}
        for symbol, value, position in self._defined:
            self.symbol_names.define(symbol, values.get(value, value), position)
        return result

    def _fresh(self, made: Symbol, value: ir.Value, position: int) -> Expression:
        """Return the symbol as a number, once it is noted what it stands for."""
        if self.symbol_names.origin(made) is None:
            self.symbol_names.define(made, value, position)
            self._defined.append((made, value, position))
        return Expression({(made,): 1})

    def fresh_size(self, value: ir.Value, dimension: int) -> Expression:
        """Return the symbol for a dimension size of a value."""
        bounds = bounds_of(ir.RankedTensorType(value.type))
        bound = bounds[dimension] if bounds else None
        return self._fresh(Symbol("size", f"{self.name(value)}[{dimension}]", (), 0, bound), value, dimension)

    def fresh_element(self, value: ir.Value, position: int) -> Expression:
        """Return the symbol for an element of a value."""
        return self._fresh(Symbol("element", f"{self.name(value)}{{{position}}}"), value, position)

    def sizes(self, value: ir.Value) -> Sizes | None:
        """Return the dimension sizes of a ranked tensor; None for anything else."""
        found = self._sizes.get(value)
        if found is None:
            if not isinstance(value.type, ir.RankedTensorType):
                return None
            declared = declared_shape(value.type)
            found = tuple([self.fresh_size(value, i) if size < 0 else size for i, size in enumerate(declared)])
            self._sizes[value] = found
        return tuple([substitute(size, self.known) for size in found]) if self.known else found

    def set_sizes(self, value: ir.Value, sizes: Sequence[Number]) -> None:
        before, self._sizes[value] = self._sizes.get(value), tuple(sizes)
        if before is not None and before != self._sizes[value]:
            self._on_change(value)

    def elements(self, value: ir.Value) -> Elements | None:
        """Return the elements of a small integer tensor of static shape, symbols for unknown ones; None for others."""
        if value not in self._elements:
            self._elements[value] = self._unknown_elements(value)
        found = self._elements[value]
        return None if found is None else tuple([replace(element, self.known) for element in found])

    def known_elements(self, value: ir.Value) -> Elements | None:
        """Return the elements, if anything was ever found out about them."""
        return self.elements(value) if self._elements.get(value) is not None else None

    def found_elements(self, value: ir.Value) -> Elements | None:
        """Return the elements as they came out when the value was computed, without what was learned later."""
        return self._elements.get(value)

    def is_concrete(self, value: ir.Value) -> bool:
        """Whether all elements of a value came out as numbers or truth values."""
        found = self._elements.get(value)
        return found is not None and all(isinstance(element, int) for element in found)

    def found_sizes(self, value: ir.Value) -> Sizes:
        """Return the dimension sizes as they came out when the value was computed, without what was learned later."""
        return self._sizes[value]

    def all_elements(self) -> Iterator[tuple[ir.Value, Elements | None]]:
        """Yield all values whose elements were looked at, with what came out."""
        yield from self._elements.items()

    def set_elements(self, value: ir.Value, elements: Elements | None) -> None:
        before = self._elements.get(value, elements)
        self._elements[value] = elements
        if before != elements:
            self._on_change(value)

    def forget_elements(self, value: ir.Value) -> None:
        """Make the elements of a value unknown again."""
        before = self._elements.pop(value, None)
        if before is not None and before != self._unknown_elements(value):
            self._on_change(value)

    def _unknown_elements(self, value: ir.Value) -> Elements | None:
        count = small_integer_count(value.type)
        if count is None:
            return None
        if str(ir.RankedTensorType(value.type).element_type) == "i1":
            return tuple([Condition("unknown", self.fresh_element(value, i)) for i in range(count)])
        return tuple([self.fresh_element(value, i) for i in range(count)])


def argument_text(argument: ir.BlockArgument) -> str:
    """Return an argument of a function in words, with the name that its location has: `argument 0 ('x')`."""
    label = name_of(argument.location)
    return f"argument {argument.arg_number}" + ("" if label is None else f" ('{label}')")


def small_integer_count(type_: ir.Type) -> int | None:
    """Return the number of elements of a tensor, if it is of integers, of static shape and small."""
    if not isinstance(type_, ir.RankedTensorType) or not isinstance(type_.element_type, ir.IntegerType | ir.IndexType):
        return None
    count = math.prod(type_.shape) if type_.has_static_shape else ELEMENT_LIMIT + 1
    return count if count <= ELEMENT_LIMIT else None
