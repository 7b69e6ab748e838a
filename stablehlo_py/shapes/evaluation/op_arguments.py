"""The arguments of library functions, read from ops."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from typing import Any, Generic, Protocol, TypeVar

from ...bindings import ir, stablehlo_extension
from ...bindings.diagnostics import file_location
from ...bindings.types import is_future
from ...bindings.walk import terminator_of
from .. import element_types, language
from ..errors import LibraryError
from ..library import LibraryFunction
from ..signatures import DTYPE, SHAPE, LibraryParameter
from ..types import LibraryType, type_of
from .attributes import read_attribute

T = TypeVar("T")

DYNAMIC_SIZE = ir.ShapedType.get_dynamic_size()


class Values(Protocol[T]):
    """The writing of plain values as values of a library function."""

    def integer(self, value: int) -> T: ...
    def boolean(self, value: bool) -> T: ...
    def integers(self, values: Sequence[int]) -> T: ...
    def item(self, values: T, index: int) -> T: ...

    def list_at(self, flat: T, lengths: T, index: int) -> T:
        """Return one of a list of lists, which is given as all elements in a row and the lengths of the lists."""
        ...


class Arguments(Protocol[T]):
    """The writing of arguments, with the program's facts about its tensors."""

    def written(self, value: Any, type_: LibraryType) -> list[T]:
        """Return a Python value of the language."""
        ...

    def shape(self, operand: ir.Value) -> T:
        """Return the dimension sizes of a tensor; an empty list for anything else."""
        ...

    def shapes(self, operands: Sequence[ir.Value]) -> list[T]:
        """Return the dimension sizes of several tensors, as a list of lists."""
        ...

    def elements(self, operand: ir.Value, annotation: str) -> list[T]:
        """Return the elements of an integer tensor: an index, a list, or a list of lists."""
        ...

    def declared(self, result: ir.Value) -> list[int]:
        """Return the dimension sizes that the type of a result declares."""
        ...


def written(value: Any, type_: LibraryType, values: Values[T]) -> list[T]:
    """Return a Python value of the language, as values of a library function."""
    if type_.kind == "optional":
        inner = type_.parts[0]
        held = {"int": 0, "bool": False}.get(inner.kind, []) if value is None else value
        return [values.boolean(value is not None), *written(held, inner, values)]
    if type_.kind == "record":
        pairs = zip(type_.fields, type_.parts, strict=True)
        return [item for name, part in pairs for item in written(getattr(value, name), part, values)]
    if type_.kind == "lists":
        return [values.integers([item for row in value for item in row]), values.integers([len(row) for row in value])]
    if type_.kind == "list":
        return [values.integers([ord(item) for item in value] if isinstance(value, str) else value)]
    return [values.boolean(value) if type_.kind == "bool" else values.integer(value)]


def results_of(found: Sequence[T], type_: LibraryType, count: int, kind: str, values: Values[T]) -> tuple[T, ...]:
    """Return one value for each result of an op, from the results of its library function."""
    if kind == SHAPE and type_.kind == "lists":
        return tuple(values.list_at(found[0], found[1], index) for index in range(count))
    if kind == DTYPE and type_.kind == "list":
        return tuple(values.item(found[0], index) for index in range(count))
    return tuple(found)


def declared_shape(type_: ir.Type) -> list[int]:
    """Return the dimension sizes in a type, DYNAMIC for `?`; none for a token, a tuple or another type without a
    shape."""
    if not isinstance(type_, ir.RankedTensorType):
        return []
    return [language.DYNAMIC if size == DYNAMIC_SIZE else size for size in type_.shape]


def _members(type_: ir.Type) -> list[ir.Type]:
    """Return the types inside a tuple or a future."""
    if isinstance(type_, ir.TupleType):
        return [type_.get_type(index) for index in range(type_.num_types)]
    if is_future(type_):
        return list(stablehlo_extension.FutureType(type_).types)
    return []


class ElementTypes:
    """Codes of the element types of one module; quantized types get serial numbers as they are met."""

    def __init__(self, quantized: Sequence[str] = ()) -> None:
        self.quantized = list(quantized)

    def code(self, type_: ir.Type) -> int:
        """Return the code of a value's element type; UNKNOWN for a type that library functions cannot talk about."""
        element = str(type_.element_type) if isinstance(type_, ir.ShapedType) else str(type_)
        if element.startswith("!quant.uniform"):
            return self._quantized(element)
        if element.startswith("!stablehlo.future"):
            return element_types.FUTURE
        return element_types.CODES.get(element, element_types.UNKNOWN)

    def _quantized(self, text: str) -> int:
        if text not in self.quantized:
            self.quantized.append(text)
        without_bounds = re.sub(r"(?<=\d)<-?\d+:-?\d+>", "", text)
        storage, _, rest = without_bounds.removeprefix("!quant.uniform<").partition(":")
        expressed = rest.partition(",")[0].partition(":")[0]
        codes = element_types.CODES
        storage_code = codes.get(storage.replace("u", "ui") if storage.startswith("u") else storage, 0)
        serial = self.quantized.index(text)
        return element_types.QUANTIZED + serial * 4096 + storage_code * 64 + codes.get(expressed.strip(), 0)

    def name(self, code: int) -> str:
        """Return the element type that a code stands for, as MLIR writes it."""
        if code >= element_types.QUANTIZED:
            return self.quantized[(code - element_types.QUANTIZED) // 4096]
        return element_types.NAMES[code] if 0 <= code < len(element_types.NAMES) else "unknown"


def operand_groups(op: ir.Operation, parameters: Sequence[LibraryParameter]) -> Iterator[tuple[ir.Value, ...]]:
    """Yield the operands that belong to each operand parameter, variadic groups whole."""
    operands = tuple(op.operands)
    sources = [parameter.source for parameter in parameters if parameter.source in ("operand", "operands")]
    groups = sources.count("operands")
    if not groups and len(operands) == len(sources):
        return zip(operands)
    if "operandSegmentSizes" in op.attributes:
        sizes = list(ir.DenseI32ArrayAttr(op.attributes["operandSegmentSizes"]))
    else:
        spare = len(operands) - sources.count("operand")
        if spare < 0 or (spare % groups if groups else spare):
            raise LibraryError(f"the library function takes {len(sources)} operands, the op has {len(operands)}")
        sizes = [spare // groups if source == "operands" else 1 for source in sources]
    ends = list(itertools.accumulate(sizes, initial=0))
    return iter([operands[start:end] for start, end in itertools.pairwise(ends)])


def _returned_types(region: ir.Region) -> list[ir.Type]:
    if not len(region.blocks):
        return []
    return [operand.type for operand in terminator_of(region.blocks[0]).operands]


def _named_attribute(op: ir.Operation, name: str) -> ir.Attribute | None:
    """Return an attribute of the op, or an entry of the dictionary that a custom call or a composite carries."""
    if name in op.attributes:
        return op.attributes[name]
    for holder in ("composite_attributes", "mhlo.backend_config", "backend_config"):
        if holder in op.attributes:
            dictionary = op.attributes[holder]
            if isinstance(dictionary, ir.DictAttr) and name in dictionary:
                return dictionary[name]
    return None


class Marshal(Generic[T]):
    """Reads the arguments of library functions from ops, and remembers what their attributes are."""

    def __init__(self, codes: ElementTypes, values: Arguments[T]) -> None:
        self._codes = codes
        self._values = values
        self._attributes: dict[tuple[ir.Attribute, LibraryParameter], list[T]] = {}

    def arguments(self, op: ir.Operation, library_function: LibraryFunction) -> dict[str, list[T]]:
        """Return the arguments of an op's shape or dtype function, by parameter. Raises `LibraryError`."""
        result: dict[str, list[T]] = {}
        try:
            groups = operand_groups(op, library_function.parameters)
            for parameter in library_function.parameters:
                if parameter.source == "attribute":
                    result[parameter.name] = self._attribute(op, parameter)
                elif parameter.source.startswith("operand"):
                    result[parameter.name] = self._operands(parameter, next(groups))
                else:
                    result[parameter.name] = self._types(op, parameter)
        except LibraryError as error:
            raise LibraryError(error.message, location=file_location(op.location), op=op.name) from error
        return result

    def _written(self, value: Any, annotation: str) -> list[T]:
        return self._values.written(value, type_of(annotation))

    def _declared(self, type_: ir.Type, annotation: str) -> Any:
        """Return the dimension sizes in a type, or the code of its element type, as the annotation says."""
        return declared_shape(type_) if annotation.endswith(("Shape", "Shape]")) else self._codes.code(type_)

    def _operands(self, parameter: LibraryParameter, operands: tuple[ir.Value, ...]) -> list[T]:
        annotation = parameter.annotation
        if parameter.source == "operand" and annotation.startswith("list["):
            members = [self._declared(member, annotation) for member in _members(operands[0].type)]
            return self._written(members, annotation)
        if annotation in ("DType", "list[DType]"):
            codes = [self._codes.code(operand.type) for operand in operands]
            return self._written(codes if parameter.source == "operands" else codes[0], annotation)
        if parameter.source == "operands":
            return self._values.shapes(operands)
        if annotation == "Shape":
            return [self._values.shape(operands[0])]
        return self._values.elements(operands[0], annotation)

    def _attribute(self, op: ir.Operation, parameter: LibraryParameter) -> list[T]:
        annotation = parameter.annotation
        if annotation.startswith("Attribute"):
            return []
        attribute = _named_attribute(op, parameter.name)
        if attribute is None:
            return self._written(read_attribute(None, annotation), annotation)
        if (attribute, parameter) not in self._attributes:
            value = self._read(attribute, annotation)
            self._attributes[attribute, parameter] = self._written(value, annotation)
        return self._attributes[attribute, parameter]

    def _read(self, attribute: ir.Attribute, annotation: str) -> Any:
        if annotation not in ("Shape", "DType"):
            return read_attribute(attribute, annotation)
        dense = isinstance(attribute, ir.DenseElementsAttr)
        return self._declared(ir.DenseElementsAttr(attribute).type if dense else attribute.type, annotation)

    def _types(self, op: ir.Operation, parameter: LibraryParameter) -> list[T]:
        """Return the declared types of results, or the types that regions return."""
        annotation, results = parameter.annotation, list(op.results)
        if parameter.source.startswith("region"):
            regions = list(op.regions)[parameter.index :]
            regions = regions if parameter.source == "regions" else regions[:1]
            found = [self._declared(type_, annotation) for region in regions for type_ in _returned_types(region)]
            return self._written(found, annotation)
        if "resultSegmentSizes" in op.attributes:
            sizes = list(ir.DenseI32ArrayAttr(op.attributes["resultSegmentSizes"]))
            start = sum(sizes[: parameter.index])
            results = results[start : start + sizes[parameter.index]]
        elif parameter.source == "result":
            results = [results[parameter.index]]
        if annotation.endswith(("Shape", "Shape]")):
            found = [self._values.declared(result) for result in results]
        else:
            found = [self._codes.code(result.type) for result in results]
        return self._written(found if parameter.source == "results" else found[0], annotation)
