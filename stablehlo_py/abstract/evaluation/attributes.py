"""Reads the attributes of an op as the values that calculations take."""

from __future__ import annotations

import dataclasses
import re
from typing import Any

from ...bindings import ir, stablehlo_extension
from ...bindings.elements import to_numpy
from ...bindings.provider import provider
from .. import language
from ..errors import CalculationError

_RECORD_READERS: dict[str, tuple[str, str]] = {
    "DotDimensionNumbers": ("_stablehlo", "DotDimensionNumbers"),
    "ConvDimensionNumbers": ("_stablehlo", "ConvDimensionNumbers"),
    "GatherDimensionNumbers": ("_stablehlo", "GatherDimensionNumbers"),
    "ScatterDimensionNumbers": ("_stablehlo", "ScatterDimensionNumbers"),
    "RaggedDotDimensionNumbers": ("_chlo", "RaggedDotDimensionNumbers"),
}
_SPELLED_OTHERWISE = {"scatter_dims_to_operand_dims": "scattered_dims_to_operand_dims"}


def _record(attribute: ir.Attribute, name: str) -> Any:
    module, reader_name = _RECORD_READERS[name]
    extension = stablehlo_extension if module == "_stablehlo" else provider.module(f"_mlir_libs.{module}")
    decoded = getattr(extension, reader_name)(attribute)
    record = language.RECORDS[name]
    values: dict[str, Any] = {}
    for field in dataclasses.fields(record):
        value = getattr(decoded, _SPELLED_OTHERWISE.get(field.name, field.name))
        values[field.name] = value if isinstance(value, int) else list(value)
    return record(**values)


def _enumeration(attribute: ir.Attribute) -> str:
    """`RFFT` for `#stablehlo<fft_type RFFT>`, and the text of a string attribute."""
    if isinstance(attribute, ir.StringAttr):
        return attribute.value
    found = re.search(r"(\w+)>$", str(attribute))
    if found is None:
        raise CalculationError(f"cannot read {attribute} as a name")
    return found[1]


def _matrix(attribute: ir.Attribute) -> list[list[int]]:
    if not isinstance(attribute, ir.DenseIntElementsAttr):
        return _mesh_groups(attribute)
    array = to_numpy(attribute)
    return [[int(item) for item in row] for row in array.reshape(array.shape[0], -1)] if array.size else []


def _mesh_groups(attribute: ir.Attribute) -> list[list[int]]:
    """Replica groups given by mesh axes: as many groups of the size of those axes as the mesh has room for. Only their
    number and size are right, which is all that a shape depends on. None where the mesh is defined elsewhere."""
    text = str(attribute)
    sizes = {name: int(size) for name, size in re.findall(r'name = "?(\w+)"?, size = (\d+)', text)}
    used = re.search(r"axes = \[([^\]]*)\]>?$", text)
    names = re.findall(r"\w+", used[1]) if used is not None else []
    if not sizes or not all(name in sizes for name in names):
        return []
    size = 1
    for name in names:
        size *= sizes[name]
    total = 1
    for extent in sizes.values():
        total *= extent
    return [list(range(group * size, (group + 1) * size)) for group in range(total // size)]


def read_attribute(attribute: ir.Attribute | None, annotation: str) -> Any:
    """The attribute as a Python value of the annotated type; None where it is absent and may be. Raises
    `CalculationError`."""
    base = annotation.removesuffix(" | None")
    if base == "Attribute":
        return None
    if base == "bool":
        return attribute is not None and (not isinstance(attribute, ir.BoolAttr) or attribute.value)
    if attribute is None:
        if base != annotation:
            return None
        raise CalculationError(f"an attribute of type {annotation} is missing")
    try:
        return _read(attribute, base)
    except (TypeError, ValueError) as error:
        raise CalculationError(f"cannot read {attribute} as {base}: {error}") from error


def _read(attribute: ir.Attribute, base: str) -> Any:
    if base == "int":
        handle = re.match(r"#stablehlo.channel_handle<handle = (\d+)", str(attribute))
        return int(handle[1]) if handle is not None else ir.IntegerAttr(attribute).value
    if base == "str":
        return _enumeration(attribute)
    if base == "list[list[int]]":
        return _matrix(attribute)
    if base == "list[int]":
        if isinstance(attribute, ir.ArrayAttr):
            return [ir.IntegerAttr(item).value for item in attribute]
        if isinstance(attribute, ir.DenseIntElementsAttr):
            return [int(item) for item in to_numpy(attribute).reshape(-1)]
        return list(ir.DenseI64ArrayAttr(attribute))
    if base in language.RECORDS:
        return _record(attribute, base)
    raise CalculationError(f"calculations have no attributes of type {base}")
