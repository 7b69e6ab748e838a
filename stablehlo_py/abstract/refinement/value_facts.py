"""What is known about the values of a program: extents of tensors, elements of small integer tensors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ...bindings import ir, stablehlo_extension
from .. import language
from ..evaluation.conditions import Condition, replace
from ..evaluation.op_arguments import DYNAMIC_SIZE, declared_shape
from ..evaluation.symbols import Expression, Symbol, substitute, symbol

Number = int | Expression
Extents = tuple[Number, ...]
Elements = tuple[Any, ...]  # Number, or bool and Condition for tensors of i1

# Integer tensors with more elements than this are data, not shapes.
ELEMENT_LIMIT = 256


def bounds_of(type_: ir.RankedTensorType) -> list[int | None]:
    """The bound of each extent of a tensor type, None where it has none."""
    encoding = type_.encoding
    if encoding is None or not stablehlo_extension.TypeExtensions.isinstance(encoding):
        return [None] * type_.rank
    bounds = stablehlo_extension.TypeExtensions(encoding).bounds
    return [None if bound == DYNAMIC_SIZE else bound for bound in bounds]


def is_unknown(value: Number) -> bool:
    """Whether nothing useful is known about an integer."""
    if isinstance(value, int):
        return value == language.DYNAMIC
    return any(part.kind == "unknown" for part in value.symbols())


class Facts:
    """Extents and elements by value. Remembers what each symbol stands for."""

    def __init__(self) -> None:
        self.demanded: set[ir.Value] = set()  # the integer tensors whose elements are worth evaluating
        self._origins: dict[tuple[str, str], tuple[ir.Value, int]] = {}
        self.known: dict[Symbol, Number] = {}
        self.only_root = "main"  # the function whose arguments need no function name in front
        self._extents: dict[ir.Value, Extents] = {}
        self._elements: dict[ir.Value, Elements | None] = {}
        self._names: dict[ir.Value, str] = {}
        self._counts: dict[str, int] = {}

    def name(self, value: ir.Value) -> str:
        """How symbols that stem from a value are called: `arg0`, `custom_call.1`; the same at every visit."""
        known = self._names.get(value)
        if known is None:
            owner = value.owner
            if isinstance(owner, ir.Block):
                known = self._argument_name(owner, f"arg{ir.BlockArgument(value).arg_number}")
            else:
                known = self._numbered(owner.name.partition(".")[2])
            self._names[value] = known
        return known

    def _argument_name(self, block: ir.Block, stem: str) -> str:
        holder = block.owner.operation
        if holder.name != "func.func":
            return self._numbered(f"{holder.name.partition('.')[2]}.{stem}")
        function = ir.StringAttr(holder.attributes["sym_name"]).value
        return stem if function == self.only_root else f"{function}.{stem}"

    def _numbered(self, stem: str) -> str:
        self._counts[stem] = self._counts.get(stem, 0) + 1
        return f"{stem}.{self._counts[stem]}"

    def fresh_extent(self, value: ir.Value, dimension: int) -> Expression:
        """The symbol for an extent of a value."""
        type_ = ir.RankedTensorType(value.type)
        bound = bounds_of(type_)[dimension] if type_.encoding is not None else None
        result = symbol("extent", f"{self.name(value)}[{dimension}]", 0, bound)
        self._origins.setdefault(("extent", str(result)), (value, dimension))
        return result

    def fresh_element(self, value: ir.Value, position: int) -> Expression:
        """The symbol for an element of a value."""
        result = symbol("element", f"{self.name(value)}{{{position}}}")
        self._origins.setdefault(("element", str(result)), (value, position))
        return result

    def origin(self, symbol: Symbol) -> tuple[ir.Value, int] | None:
        """The value and the dimension, or the element, that a symbol stands for, whatever is known of its bounds."""
        return self._origins.get((symbol.kind, symbol.name))

    def extents(self, value: ir.Value) -> Extents | None:
        """The extents of a ranked tensor; None for anything else."""
        found = self._extents.get(value)
        if found is None:
            if not isinstance(value.type, ir.RankedTensorType):
                return None
            declared = declared_shape(value.type)
            found = tuple([self.fresh_extent(value, i) if size < 0 else size for i, size in enumerate(declared)])
            self._extents[value] = found
        if self.known:
            return tuple([extent if isinstance(extent, int) else substitute(extent, self.known) for extent in found])
        return found

    def set_extents(self, value: ir.Value, extents: Sequence[Number]) -> None:
        self._extents[value] = tuple(extents)

    def elements(self, value: ir.Value) -> Elements | None:
        """The elements of a small integer tensor of static shape, symbols where they are unknown; None otherwise."""
        if value not in self._elements:
            self._elements[value] = self._unknown_elements(value)
        found = self._elements[value]
        if found is None or not self.known:
            return found
        return tuple([self._settled(element) for element in found])

    def _settled(self, element: Any) -> Any:
        if isinstance(element, Condition):
            return replace(element, self.known)
        return substitute(element, self.known)

    def known_elements(self, value: ir.Value) -> Elements | None:
        """The elements, if anything was ever found out about them."""
        return self.elements(value) if self._elements.get(value) is not None else None

    def found_elements(self, value: ir.Value) -> Elements | None:
        """The elements as they came out when the value was computed, without what was learned later."""
        return self._elements.get(value)

    def is_concrete(self, value: ir.Value) -> bool:
        """Whether all elements of a value came out as numbers or truth values."""
        found = self._elements.get(value)
        return found is not None and all(isinstance(element, int) for element in found)

    def all_elements(self) -> Iterator[tuple[ir.Value, Elements | None]]:
        """All values whose elements were looked at, with what came out."""
        yield from self._elements.items()

    def set_elements(self, value: ir.Value, elements: Elements | None) -> None:
        self._elements[value] = elements

    def forget_elements(self, value: ir.Value) -> None:
        """Makes the elements of a value unknown again."""
        self._elements.pop(value, None)

    def _unknown_elements(self, value: ir.Value) -> Elements | None:
        count = small_integer_count(value.type)
        if count is None:
            return None
        if str(ir.RankedTensorType(value.type).element_type) == "i1":
            return tuple([Condition("unknown", self.fresh_element(value, i)) for i in range(count)])
        return tuple([self.fresh_element(value, i) for i in range(count)])


def small_integer_count(type_: ir.Type) -> int | None:
    """How many elements a tensor has, if it is of integers, of static shape and small."""
    if not isinstance(type_, ir.RankedTensorType) or not isinstance(type_.element_type, ir.IntegerType | ir.IndexType):
        return None
    count = 1
    for size in type_.shape:
        if size == DYNAMIC_SIZE:
            return None
        count *= size
    return count if count <= ELEMENT_LIMIT else None
