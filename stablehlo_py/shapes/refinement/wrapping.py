"""The wrapped form: an op and its library functions side by side, in ops that any MLIR tool reads and writes.

```mlir
%0 = scf.execute_region -> tensor<?xf32> no_inline {
  %body = stablehlo.add %x, %y : tensor<?xf32>
  %shape = scf.execute_region -> tensor<?xindex> no_inline {
    …
    scf.yield %calculated : tensor<?xindex>
  } {stablehlo.calculation = "shape"}
  scf.yield %body : tensor<?xf32>
} {stablehlo.calculate}
```
A shape function yields one list of dimension sizes for each result, a dtype function one code.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ...bindings import ir
from ...bindings.build import add_block, create
from ...bindings.diagnostics import file_location
from ...bindings.walk import children, terminator_of
from ..compilation.emitter import BINARY, Emitter
from ..errors import LibraryError
from ..evaluation.op_arguments import ElementTypes, Marshal, declared_shape, results_of, written
from ..library import LibraryFunction
from ..signatures import SHAPE
from ..types import LibraryType

CALCULATE = "stablehlo.calculate"
FUNCTION_REGION = "stablehlo.calculation"
FUNCTION = "stablehlo.calculation_function"
QUANTIZED_TYPES = "stablehlo.calculation_quantized_types"
LIST = "tensor<?xindex>"
_BINARY = BINARY | {"floor": BINARY["//"]}
_PREDICATES = {"eq": 0, "ne": 1, "le": 3}  # arith's numbers; sle is 3


def is_wrapper(op: ir.Operation) -> bool:
    """Whether an op is one that holds a body and its library functions."""
    return op.name == "scf.execute_region" and CALCULATE in op.attributes


def is_function_region(op: ir.Operation) -> bool:
    """Whether an op is the library function inside a wrapper."""
    return op.name == "scf.execute_region" and FUNCTION_REGION in op.attributes


def is_library_function(op: ir.Operation) -> bool:
    """Whether a function comes from the library and not from the program."""
    return op.name == "func.func" and FUNCTION in op.attributes


def body_of(wrapper: ir.Operation) -> ir.Operation:
    """Return the op that a wrapper was put around."""
    return wrapper.regions[0].blocks[0].operations[0].operation


def inside(op: ir.Operation) -> ir.Operation:
    """Return the op that a wrapper was put around; any other op is the one itself."""
    return body_of(op) if is_wrapper(op) else op


def around(op: ir.Operation) -> ir.Operation:
    """Return the wrapper that an op is in; an op without one stands for itself."""
    parent = op.parent
    return parent.operation if parent is not None and is_wrapper(parent.operation) else op


def function_regions(wrapper: ir.Operation) -> Iterator[tuple[str, ir.Operation]]:
    """Kind and op of each library function in a wrapper."""
    for op in children(wrapper):
        if is_function_region(op):
            yield ir.StringAttr(op.attributes[FUNCTION_REGION]).value, op


class UncountedError(Exception):
    """An operand is pairs of integers, and the number of pairs is unknown: they cannot be written as lists."""


class LibraryBuilder:
    """Creates the ops of a library function at one position in a program."""

    def __init__(self, block: ir.Block, location: ir.Location) -> None:
        self.context = location.context
        self.location = location
        self.point = ir.InsertionPoint(block)
        self.index = ir.IndexType.get(self.context)
        self._i1 = ir.IntegerType.get_signless(1, self.context)
        self._integers: dict[int, ir.Value] = {}
        self._sizes: dict[tuple[ir.Value, int], ir.Value] = {}
        self.list_type = ir.RankedTensorType.get([ir.ShapedType.get_dynamic_size()], self.index)

    def create(
        self, name: str, results: Sequence[ir.Type], operands: Sequence[ir.Value] = (), **attributes: ir.Attribute
    ) -> ir.Operation:
        """Return one op at the insertion point."""
        return create(name, operands, results, attributes, at=self.point, location=self.location)

    def value(self, name: str, type_: ir.Type, *operands: ir.Value, **attributes: ir.Attribute) -> ir.Value:
        """Return the result of one op at the insertion point."""
        return self.create(name, [type_], operands, **attributes).results[0]

    def _i64(self, value: int) -> ir.Attribute:
        return ir.IntegerAttr.get(ir.IntegerType.get_signless(64, self.context), value)

    def integer(self, value: int) -> ir.Value:
        """Return a constant; the same one whenever it is asked for."""
        if value not in self._integers:
            attribute = ir.IntegerAttr.get(self.index, value)
            self._integers[value] = self.value("arith.constant", self.index, value=attribute)
        return self._integers[value]

    def boolean(self, value: bool) -> ir.Value:
        return self.value("arith.constant", self._i1, value=ir.IntegerAttr.get(self._i1, int(value)))

    # How symbolic numbers are written (`symbol_writing.Algebra`).

    def binary(self, operator: str, left: ir.Value, right: ir.Value) -> ir.Value:
        return self.value(f"arith.{_BINARY[operator]}", self.index, left, right)

    def compare(self, predicate: str, left: ir.Value, right: ir.Value) -> ir.Value:
        return self.value("arith.cmpi", self._i1, left, right, predicate=self._i64(_PREDICATES[predicate]))

    def logical(self, operator: str, left: ir.Value, right: ir.Value) -> ir.Value:
        return self.value(f"arith.{operator}i", self._i1, left, right)

    def select(self, condition: ir.Value, first: ir.Value, second: ir.Value) -> ir.Value:
        return self.value("arith.select", self.index, condition, first, second)

    def size(self, value: ir.Value, dimension: int) -> ir.Value:
        key = (value, dimension)
        if key not in self._sizes:
            self._sizes[key] = self.value("tensor.dim", self.index, value, self.integer(dimension))
        return self._sizes[key]

    def element(self, value: ir.Value, position: int) -> ir.Value:
        type_ = ir.RankedTensorType(value.type)
        indices = [self.integer(position)] * type_.rank
        return self.as_index(self.value("tensor.extract", type_.element_type, value, *indices))

    def as_index(self, item: ir.Value) -> ir.Value:
        return item if item.type == self.index else self.value("arith.index_cast", self.index, item)

    # How arguments of library functions are written (`op_arguments.Arguments`).

    def written(self, value: Any, type_: LibraryType) -> list[ir.Value]:
        return written(value, type_, self)

    def as_list(self, value: ir.Value) -> ir.Value:
        """Return a tensor of index of known length as a list."""
        return value if value.type == self.list_type else self.value("tensor.cast", self.list_type, value)

    def integers(self, values: Sequence[int]) -> ir.Value:
        """Return a list of constants."""
        text = f"dense<{list(values)}> : tensor<{len(values)}xindex>"
        type_ = ir.RankedTensorType.get([len(values)], self.index)
        return self.as_list(self.value("arith.constant", type_, value=ir.Attribute.parse(text, self.context)))

    def shape(self, operand: ir.Value) -> ir.Value:
        if not isinstance(operand.type, ir.RankedTensorType):
            return self.integers([])
        return self.value("shape.shape_of", self.list_type, operand)

    def shapes(self, operands: Sequence[ir.Value]) -> list[ir.Value]:
        shapes = [self.shape(operand) for operand in operands]
        flat = self.integers([]) if not shapes else shapes[0]
        if len(shapes) > 1:
            flat = self.value("tensor.concat", self.list_type, *shapes, dim=self._i64(0))
        return [flat, self.integers([len(declared_shape(operand.type)) for operand in operands])]

    def declared(self, result: ir.Value) -> list[int]:
        return declared_shape(result.type)

    def item(self, values: ir.Value, index: int) -> ir.Value:
        return self.value("tensor.extract", self.index, values, self.integer(index))

    def list_at(self, flat: ir.Value, lengths: ir.Value, index: int) -> ir.Value:
        callee = ir.FlatSymbolRefAttr.get("list.at", self.context)
        return self.value("func.call", self.list_type, flat, lengths, self.integer(index), callee=callee)

    def elements(self, operand: ir.Value, annotation: str) -> list[ir.Value]:
        value, type_ = operand, ir.RankedTensorType(operand.type)
        if annotation == "Value":
            return [self.as_index(self.value("tensor.extract", type_.element_type, value))]
        rows = list(type_.shape)
        if annotation == "PairValues":
            if rows[0] < 0:
                raise UncountedError
            flat = ir.RankedTensorType.get([rows[0] * rows[1]], type_.element_type)
            pairs = ir.Attribute.parse("[[0, 1]]", self.context)
            value = self.value("tensor.collapse_shape", flat, value, reassociation=pairs)
        if type_.element_type != self.index:
            cast = ir.RankedTensorType.get(list(ir.RankedTensorType(value.type).shape), self.index)
            value = self.value("arith.index_cast", cast, value)
        flat_list = self.as_list(value)
        return [flat_list, self.integers([rows[1]] * rows[0])] if annotation == "PairValues" else [flat_list]


def wrap(op: ir.Operation) -> ir.Operation:
    """Put a wrapper around an op, which users of its results then use; nothing changes if there is one already."""
    found = around(op)
    if found != op:
        return found
    unit = ir.UnitAttr.get(op.context)
    wrapper = create(
        "scf.execute_region",
        results=[result.type for result in op.results],
        attributes={"no_inline": unit, CALCULATE: unit},
        regions=1,
        at=ir.InsertionPoint(op),
        location=op.location,
    )
    for old, new in zip(op.results, wrapper.results, strict=True):
        old.replace_all_uses_with(new)
    op.detach_from_parent()
    point = ir.InsertionPoint(add_block(wrapper.regions[0]))
    point.insert(op)
    create("scf.yield", op.results, [], at=point, location=op.location)
    return wrapper


def checked_result_type(op: ir.Operation, library_function: LibraryFunction) -> LibraryType:
    """The type that a library function returns. Raises `LibraryError` unless it is as much as the op has results."""
    type_ = library_function.type
    count = len(type_.parts) if type_.kind == "tuple" else 1
    if not library_function.returns_any_number and count != len(op.results):
        message = f"its library function returns {count} types, the op has {len(op.results)} results"
        raise LibraryError(message, location=file_location(op.location), op=op.name)
    return type_


def add_function_region(op: ir.Operation, library_function: LibraryFunction, codes: ElementTypes) -> None:
    """Put a call of a library function, with its arguments, next to an op; nothing if these cannot be written. Raises
    `LibraryError` if it does not fit the op."""
    result_type = checked_result_type(op, library_function)
    wrapper, kind = wrap(op), library_function.registration.kind
    location, context = wrapper.location, wrapper.context
    region = create(
        "scf.execute_region",
        results=[ir.Type.parse(LIST if kind == SHAPE else "index", context)] * len(wrapper.results),
        attributes={"no_inline": ir.UnitAttr.get(context), FUNCTION_REGION: ir.StringAttr.get(kind, context)},
        regions=1,
        at=ir.InsertionPoint(terminator_of(wrapper.regions[0].blocks[0])),
        location=location,
    )
    builder = LibraryBuilder(add_block(region.regions[0]), location)
    try:
        arguments = Marshal(codes, builder).arguments(op, library_function)
    except UncountedError:
        region.erase()
        return
    operands = [value for values in arguments.values() for value in values]
    types = [ir.Type.parse(text, context) for text in Emitter.types(result_type)]
    callee = ir.FlatSymbolRefAttr.get(library_function.symbol, context)
    call = builder.create("func.call", types, operands, callee=callee)
    found = results_of(list(call.results), result_type, len(wrapper.results), kind, builder)
    builder.create("scf.yield", [], found)
