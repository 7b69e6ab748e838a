"""Reads the attributes of an op as the values that library functions take."""

from __future__ import annotations

import re
from typing import Any

from ...bindings import ir
from ...bindings.attributes import enum_of, int_of, ints_of, string_of
from ...bindings.elements import to_numpy
from ...bindings.meshes import replica_groups
from ...errors import StablehloError
from .. import language
from ..errors import LibraryError


def _matrix(attribute: ir.Attribute) -> list[list[int]]:
    """The rows of a dense attribute, or replica groups along mesh axes; none where the mesh is defined elsewhere."""
    if isinstance(attribute, ir.DenseIntElementsAttr):
        array = to_numpy(attribute)
        return array.reshape(array.shape[0], -1).tolist() if array.size else []
    try:
        return replica_groups(attribute, lambda _: None)
    except StablehloError:
        return []


def read_attribute(attribute: ir.Attribute | None, annotation: str) -> Any:
    """Return the attribute as a Python value of the annotated type; None if it is absent and optional. Raises
    `LibraryError`."""
    base = annotation.removesuffix(" | None")
    if base == "Attribute":
        return None
    if base == "bool":
        return attribute is not None and (not isinstance(attribute, ir.BoolAttr) or attribute.value)
    if attribute is None:
        if base != annotation:
            return None
        raise LibraryError(f"an attribute of type {annotation} is missing")
    try:
        return _read(attribute, base)
    except LibraryError:
        raise
    except (TypeError, ValueError, StablehloError) as error:
        raise LibraryError(f"cannot read {attribute} as {base}: {error}") from error


def _read(attribute: ir.Attribute, base: str) -> Any:
    if base == "int":
        handle = re.match(r"#stablehlo.channel_handle<handle = (\d+)", str(attribute))
        return int(handle[1]) if handle is not None else int_of(attribute)
    if base == "str":
        return string_of(attribute) if isinstance(attribute, ir.StringAttr) else enum_of(attribute)
    if base == "list[list[int]]":
        return _matrix(attribute)
    if base == "list[int]":
        return list(ints_of(attribute))
    if base in language.RECORDS:
        return language.RECORDS[base].of(attribute)
    raise LibraryError(f"library functions have no attributes of type {base}")
