"""The wrapped form: an op and its calculations side by side, in ops that any MLIR tool reads and writes.

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
A shape calculation yields one list of extents for each result, a dtype calculation one code.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...bindings import ir
from ...bindings.build import add_block, create
from ...bindings.walk import terminator_of
from ..compilation.emitter import mlir_types
from ..errors import CalculationError
from ..evaluation.op_arguments import Argument
from ..library import Calculation, Library
from ..signatures import SHAPE
from ..types import Type, parse_annotation

CALCULATE = "stablehlo.calculate"
CALCULATION = "stablehlo.calculation"
FUNCTION = "stablehlo.calculation_function"
QUANTIZED_TYPES = "stablehlo.calculation_quantized_types"
LIST = "tensor<?xindex>"


def is_wrapper(op: ir.Operation) -> bool:
    """Whether an op is one that holds a body and its calculations."""
    return op.name == "scf.execute_region" and CALCULATE in op.attributes


def is_calculation(op: ir.Operation) -> bool:
    """Whether an op is the calculation inside a wrapper."""
    return op.name == "scf.execute_region" and CALCULATION in op.attributes


def is_calculation_function(op: ir.Operation) -> bool:
    """Whether a function comes from the library and not from the program."""
    return op.name == "func.func" and FUNCTION in op.attributes


def body_of(wrapper: ir.Operation) -> ir.Operation:
    """The op that a wrapper was put around."""
    return wrapper.regions[0].blocks[0].operations[0].operation


def calculations_of(wrapper: ir.Operation) -> Iterator[tuple[str, ir.Operation]]:
    """Kind and op of each calculation in a wrapper."""
    for view in wrapper.regions[0].blocks[0].operations:
        op = view.operation
        if is_calculation(op):
            yield ir.StringAttr(op.attributes[CALCULATION]).value, op


class Builder:
    """Creates the ops of a calculation at one place in a program."""

    def __init__(self, block: ir.Block, location: ir.Location) -> None:
        self.context = location.context
        self.location = location
        self.point = ir.InsertionPoint(block)
        self.index = ir.IndexType.get(self.context)
        self._integers: dict[int, ir.Value] = {}
        self.list_type = ir.RankedTensorType.get([ir.ShapedType.get_dynamic_size()], self.index)

    def create(
        self, name: str, results: Sequence[ir.Type], operands: Sequence[ir.Value] = (), **attributes: ir.Attribute
    ) -> ir.Operation:
        """One op at the insertion point."""
        return create(name, operands, results, attributes, at=self.point, location=self.location)

    def integer(self, value: int) -> ir.Value:
        """A constant; the same one whenever it is asked for."""
        if value not in self._integers:
            attribute = ir.IntegerAttr.get(self.index, value)
            self._integers[value] = self.create("arith.constant", [self.index], value=attribute).results[0]
        return self._integers[value]

    def boolean(self, value: bool) -> ir.Value:
        i1 = ir.IntegerType.get_signless(1, self.context)
        return self.create("arith.constant", [i1], value=ir.IntegerAttr.get(i1, int(value))).results[0]

    def as_list(self, value: ir.Value) -> ir.Value:
        """A tensor of index of known length as a list."""
        return (
            value if value.type == self.list_type else self.create("tensor.cast", [self.list_type], [value]).results[0]
        )

    def integers(self, values: Sequence[int]) -> ir.Value:
        """A list of constants."""
        text = ", ".join(map(str, values))
        attribute = ir.Attribute.parse(f"dense<[{text}]> : tensor<{len(values)}xindex>", self.context)
        type_ = ir.RankedTensorType.get([len(values)], self.index)
        return self.as_list(self.create("arith.constant", [type_], value=attribute).results[0])

    def shape_of(self, value: ir.Value) -> ir.Value:
        """The extents of a tensor; an empty list for anything else."""
        if not isinstance(value.type, ir.RankedTensorType):
            return self.integers([])
        return self.create("shape.shape_of", [self.list_type], [value]).results[0]

    def elements_of(self, value: ir.Value, annotation: str) -> list[ir.Value]:
        """The elements of an integer tensor: an index, a list, or a list of lists."""
        type_ = ir.RankedTensorType(value.type)
        if annotation == "Value":
            item = self.create("tensor.extract", [type_.element_type], [value]).results[0]
            return [
                item if item.type == self.index else self.create("arith.index_cast", [self.index], [item]).results[0]
            ]
        rows = list(type_.shape)
        if annotation == "PairValues":
            flat = ir.RankedTensorType.get([rows[0] * rows[1]], type_.element_type)
            pairs = ir.Attribute.parse("[[0, 1]]", self.context)
            value = self.create("tensor.collapse_shape", [flat], [value], reassociation=pairs).results[0]
        if type_.element_type != self.index:
            cast = ir.RankedTensorType.get(list(ir.RankedTensorType(value.type).shape), self.index)
            value = self.create("arith.index_cast", [cast], [value]).results[0]
        flat_list = self.as_list(value)
        return [flat_list, self.integers([rows[1]] * rows[0])] if annotation == "PairValues" else [flat_list]

    def constant(self, value: object, type_: Type) -> list[ir.Value]:
        """A Python value of the language as constants."""
        if type_.kind == "optional":
            inner = _zero(type_.parts[0]) if value is None else value
            return [self.boolean(value is not None), *self.constant(inner, type_.parts[0])]
        if type_.kind == "record":
            pairs = zip(type_.fields, type_.parts, strict=True)
            return [item for name, part in pairs for item in self.constant(getattr(value, name), part)]
        if isinstance(value, bool) and type_.kind == "bool":
            return [self.boolean(value)]
        if isinstance(value, int):
            return [self.integer(value)]
        if isinstance(value, str):
            return [self.integers([ord(character) for character in value])]
        if not isinstance(value, list):
            raise TypeError(f"{value!r} is no value of the calculation language")
        if type_.kind == "lists":
            return [self.integers([item for row in value for item in row]), self.integers([len(row) for row in value])]
        return [self.integers(value)]

    def argument(self, argument: Argument) -> list[ir.Value]:
        """The values that stand for one parameter of a calculation."""
        if argument.kind == "shape":
            return [self.shape_of(argument.operands[0])]
        if argument.kind == "elements":
            return self.elements_of(argument.operands[0], argument.annotation)
        if argument.kind == "shapes":
            shapes = [self.shape_of(operand) for operand in argument.operands]
            lengths = [len(t.shape) if isinstance(t := o.type, ir.RankedTensorType) else 0 for o in argument.operands]
            flat = self.integers([]) if not shapes else shapes[0]
            if len(shapes) > 1:
                flat = self.create("tensor.concat", [self.list_type], shapes, dim=_i64(self.context, 0)).results[0]
            return [flat, self.integers(lengths)]
        type_ = parse_annotation(argument.annotation)
        if type_ is None:
            raise TypeError(f"{argument.annotation} is no type of the calculation language")
        return self.constant(argument.value, type_)


def _zero(type_: Type) -> object:
    return {"int": 0, "bool": False}.get(type_.kind, [])


def _i64(context: ir.Context, value: int) -> ir.Attribute:
    return ir.IntegerAttr.get(ir.IntegerType.get_signless(64, context), value)


def wrap(op: ir.Operation) -> ir.Operation:
    """Puts a wrapper around an op, which users of its results then use; nothing changes if there is one already."""
    parent = op.parent
    if parent is not None and is_wrapper(parent.operation):
        return parent.operation
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


def check_result_count(op: ir.Operation, calculation: Calculation, library: Library) -> None:
    """Raises `CalculationError` unless the calculation returns as much as the op has results."""
    type_ = library.compiler.signature_of(calculation.function)[1]
    count = len(type_.parts) if type_.kind == "tuple" else 1
    of_any_length = "lists" if calculation.registration.kind == SHAPE else "list"
    if type_.kind != of_any_length and count != len(op.results):
        raise CalculationError(f"its calculation returns {count} types, the op has {len(op.results)} results")


def add_calculation(
    wrapper: ir.Operation, kind: str, calculation: Calculation, arguments: Sequence[Argument], library: Library
) -> None:
    """Puts a call of a calculation, with its arguments, next to the body of a wrapper."""
    location, context = wrapper.location, wrapper.context
    result_type = library.compiler.signature_of(calculation.function)[1]
    count = len(wrapper.results)
    yielded = LIST if kind == SHAPE else "index"
    region = create(
        "scf.execute_region",
        results=[ir.Type.parse(yielded, context)] * count,
        attributes={"no_inline": ir.UnitAttr.get(context), CALCULATION: ir.StringAttr.get(kind, context)},
        regions=1,
        at=ir.InsertionPoint(terminator_of(wrapper.regions[0].blocks[0])),
        location=location,
    )
    builder = Builder(add_block(region.regions[0]), location)
    operands = [value for argument in arguments for value in builder.argument(argument)]
    types = [ir.Type.parse(text, context) for text in mlir_types(result_type)]
    callee = ir.FlatSymbolRefAttr.get(calculation.symbol, context)
    call = builder.create("func.call", types, operands, callee=callee)
    builder.create("scf.yield", [], _results(builder, list(call.results), result_type, count, kind))


def _results(builder: Builder, values: list[ir.Value], type_: Type, count: int, kind: str) -> list[ir.Value]:
    """One value for each result of the op, out of what the calculation returned."""
    index_values = (builder.integer(i) for i in range(count))
    if kind == SHAPE and type_.kind == "lists":
        callee = ir.FlatSymbolRefAttr.get("list.at", builder.context)
        return [
            builder.create("func.call", [builder.list_type], [*values, index], callee=callee).results[0]
            for index in index_values
        ]
    if kind != SHAPE and type_.kind == "list":
        return [builder.create("tensor.extract", [builder.index], [values[0], i]).results[0] for i in index_values]
    return values
