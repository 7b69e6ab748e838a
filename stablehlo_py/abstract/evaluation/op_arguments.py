"""What an op hands to its calculations, read from the op: one value or constant for each parameter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ...bindings import ir, stablehlo_extension
from ...bindings.types import is_future
from .. import element_types, language
from ..errors import CalculationError
from ..signatures import Parameter
from .attributes import read_attribute

DYNAMIC_SIZE = ir.ShapedType.get_dynamic_size()


@dataclass(frozen=True)
class Argument:
    """What stands for one parameter. `kind` is constant (`value` is a Python value of the language), shape (of
    `operands[0]`), shapes (of all `operands`), or elements (of `operands[0]`)."""

    kind: str
    annotation: str
    value: Any = None
    operands: tuple[ir.Value, ...] = ()


def declared_shape(type_: ir.Type) -> list[int]:
    """The extents in a type, DYNAMIC where it has `?`; none for a token, a tuple or anything else without a shape."""
    if not isinstance(type_, ir.RankedTensorType):
        return []
    return [language.DYNAMIC if size == DYNAMIC_SIZE else size for size in type_.shape]


def _members(type_: ir.Type) -> list[ir.Type]:
    """The types inside a tuple or a future."""
    if isinstance(type_, ir.TupleType):
        return [type_.get_type(index) for index in range(type_.num_types)]
    if is_future(type_):
        return list(stablehlo_extension.FutureType(type_).types)
    return []


class ElementTypes:
    """Codes of the element types of one module; quantized types get serial numbers as they are met."""

    def __init__(self, quantized: Sequence[str] = ()) -> None:
        self.quantized = list(quantized)
        self._known: dict[ir.Type, int] = {}

    def code(self, type_: ir.Type) -> int:
        """The code of a value's element type; UNKNOWN for a type that calculations cannot talk about."""
        known = self._known.get(type_)
        if known is None:
            known = self._known[type_] = self._encode(type_)
        return known

    def _encode(self, type_: ir.Type) -> int:
        element = str(type_.element_type) if isinstance(type_, ir.ShapedType) else str(type_)
        if element.startswith("!quant.uniform"):
            return self._quantized(element)
        if element.startswith("!stablehlo.future"):
            return element_types.FUTURE
        return element_types.CODES.get(element, element_types.UNKNOWN)

    def _quantized(self, text: str) -> int:
        if text not in self.quantized:
            self.quantized.append(text)
        storage, _, rest = text.removeprefix("!quant.uniform<").partition(":")
        storage = storage.partition("<")[0]
        expressed = rest.partition(",")[0].partition(":")[0]
        codes = element_types.CODES
        storage_code = codes.get(storage.replace("u", "ui") if storage.startswith("u") else storage, 0)
        serial = self.quantized.index(text)
        return element_types.QUANTIZED + serial * 4096 + storage_code * 64 + codes.get(expressed.strip(), 0)

    def name(self, code: int) -> str:
        """The element type that a code stands for, as MLIR writes it."""
        if code >= element_types.QUANTIZED:
            return self.quantized[(code - element_types.QUANTIZED) // 4096]
        return element_types.NAMES[code] if 0 <= code < len(element_types.NAMES) else "unknown"


def _operand_groups(op: ir.Operation, parameters: Sequence[Parameter]) -> list[tuple[ir.Value, ...]]:
    """The operands that belong to each operand parameter, variadic groups whole."""
    operands = tuple(op.operands)
    sources = [parameter for parameter in parameters if parameter.source in ("operand", "operands")]
    if "operandSegmentSizes" in op.attributes:
        sizes = list(ir.DenseI32ArrayAttr(op.attributes["operandSegmentSizes"]))
    else:
        groups = sum(parameter.source == "operands" for parameter in sources)
        spare = len(operands) - (len(sources) - groups)
        if spare < 0 or (groups and spare % groups) or (not groups and spare):
            raise CalculationError(f"the calculation takes {len(sources)} operands, the op has {len(operands)}")
        sizes = [spare // groups if parameter.source == "operands" else 1 for parameter in sources]
    result: list[tuple[ir.Value, ...]] = []
    start = 0
    for size in sizes:
        result.append(operands[start : start + size])
        start += size
    return result


def _returned_types(region: ir.Region) -> list[ir.Type]:
    if not len(region.blocks):
        return []
    operations = region.blocks[0].operations
    return [operand.type for operand in operations[len(operations) - 1].operation.operands]


def _named_attribute(op: ir.Operation, name: str) -> ir.Attribute | None:
    """An attribute of the op, or an entry of the dictionary that a custom call or a composite carries."""
    if name in op.attributes:
        return op.attributes[name]
    for holder in ("composite_attributes", "mhlo.backend_config", "backend_config"):
        if holder in op.attributes:
            dictionary = op.attributes[holder]
            if isinstance(dictionary, ir.DictAttr) and name in dictionary:
                return dictionary[name]
    return None


class Marshal:
    """Turns ops into arguments for shape functions (`codes` is None) or for dtype functions."""

    def __init__(self, codes: ElementTypes | None = None) -> None:
        self._codes = codes

    def _constant_of(self, type_: ir.Type) -> Any:
        return declared_shape(type_) if self._codes is None else self._codes.code(type_)

    def arguments(self, op: ir.Operation, parameters: Sequence[Parameter]) -> list[Argument]:
        """One argument for each parameter of type other than Attribute. Raises `CalculationError`."""
        groups = iter(_operand_groups(op, parameters))
        arguments: list[Argument] = []
        for parameter in parameters:
            if parameter.source in ("operand", "operands"):
                arguments.append(self._of_operands(parameter, next(groups)))
            elif parameter.source == "attribute":
                if not parameter.annotation.startswith("Attribute"):
                    arguments.append(self.attribute(op, parameter))
            else:
                arguments.append(self._of_types(op, parameter))
        return arguments

    def _of_operands(self, parameter: Parameter, operands: tuple[ir.Value, ...]) -> Argument:
        annotation = parameter.annotation
        if parameter.source == "operand" and annotation in ("list[Shape]", "list[DType]"):
            return Argument(
                "constant", annotation, [self._constant_of(member) for member in _members(operands[0].type)]
            )
        if self._codes is not None:
            codes = [self._codes.code(operand.type) for operand in operands]
            return Argument("constant", annotation, codes if parameter.source == "operands" else codes[0])
        if parameter.source == "operands":
            return Argument("shapes", annotation, operands=operands)
        kind = "shape" if annotation == "Shape" else "elements"
        return Argument(kind, annotation, operands=operands)

    def attribute(self, op: ir.Operation, parameter: Parameter) -> Argument:
        """What stands for one attribute of an op. Raises `CalculationError`."""
        if parameter.annotation in ("Shape", "DType"):
            attribute = op.attributes[parameter.name]
            type_ = (
                ir.DenseElementsAttr(attribute).type if isinstance(attribute, ir.DenseElementsAttr) else attribute.type
            )
            return Argument("constant", parameter.annotation, self._constant_of(type_))
        value = read_attribute(_named_attribute(op, parameter.name), parameter.annotation)
        return Argument("constant", parameter.annotation, value)

    def _of_types(self, op: ir.Operation, parameter: Parameter) -> Argument:
        if parameter.source in ("region", "regions"):
            regions = list(op.regions)[parameter.index :]
            regions = regions if parameter.source == "regions" else regions[:1]
            types = [type_ for region in regions for type_ in _returned_types(region)]
            return Argument("constant", parameter.annotation, [self._constant_of(type_) for type_ in types])
        types = [result.type for result in op.results]
        if "resultSegmentSizes" in op.attributes:
            sizes = list(ir.DenseI32ArrayAttr(op.attributes["resultSegmentSizes"]))
            start = sum(sizes[: parameter.index])
            types = types[start : start + sizes[parameter.index]]
        elif parameter.source == "result":
            types = types[parameter.index : parameter.index + 1]
        constants = [self._constant_of(type_) for type_ in types]
        return Argument("constant", parameter.annotation, constants if parameter.source == "results" else constants[0])
