"""How values are stored: floats and complex numbers as fingerprints, other elements as numbers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ...bindings import ir
from ...bindings.types import ElementType, Kind, TensorType, TupleType, ValueType, element_type
from ..values import ValueTypes
from .complex_elements import COMPLEX, complex_values, of_parts
from .elements import FINGERPRINT, Fingerprinting, values

_DTYPES = {Kind.FLOAT: FINGERPRINT, Kind.COMPLEX: COMPLEX}


def is_read(elements: ElementType) -> bool:
    """Whether elements of the type are fingerprints."""
    return elements.dtype in (FINGERPRINT, COMPLEX)


def as_read(type_: Any) -> Any:
    """Return a value or element type with floats and complex numbers stored as fingerprints."""
    if isinstance(type_, TupleType):
        return TupleType(tuple(map(as_read, type_.types)))
    if isinstance(type_, TensorType):
        return replace(type_, element_type=as_read(type_.element_type))
    if not isinstance(type_, ElementType):
        return type_
    if type_.quantization is None:
        return replace(type_, dtype=_DTYPES.get(type_.kind, type_.dtype))
    return replace(type_, quantization=replace(type_.quantization, expressed=as_read(type_.quantization.expressed)))


def as_numbers(type_: Any) -> Any:
    """Return a tensor type with floats and complex numbers stored as numbers; another type as it is."""
    if isinstance(type_, TensorType) and is_read(type_.element_type):
        return replace(type_, element_type=element_type(type_.element_type.name))
    return type_


class FingerprintTypes(ValueTypes):
    """A program's types, with floats and complex numbers stored as fingerprints."""

    def __missing__(self, type_: ir.Type) -> ValueType:
        found = as_read(super().__missing__(type_))
        self[type_] = found
        return found


def numbers(state: Fingerprinting, value: Any, elements: ElementType) -> Any:
    """Return numbers as elements of a type, fingerprints or not."""
    if elements.dtype == COMPLEX:
        wide = np.asarray(value).astype(np.complex128)
        return of_parts(state.number(wide.real), state.number(wide.imag))
    return state.number(np.asarray(value).astype(np.float64)) if is_read(elements) else value


def argument(state: Fingerprinting, value: Any, type_: ValueType, number: int) -> Any:
    """Return an argument of a program's type: random residues for the values of floats."""
    if isinstance(type_, TupleType):
        parts = enumerate(zip(value, type_.types, strict=True))
        return tuple([argument(state, part, inner, number * 1_000 + index) for index, (part, inner) in parts])
    if not isinstance(type_, TensorType) or not is_read(type_.element_type):
        return value
    if type_.element_type.dtype == FINGERPRINT:
        return state.argument(np.asarray(value), number)
    wide = np.asarray(value).astype(np.complex128)
    return of_parts(state.argument(wide.real, number), state.argument(wide.imag, number + 500))


def as_values(fingerprints: Any) -> Any:
    """Return the values of floats or complex numbers; other elements as they are."""
    dtype = np.asarray(fingerprints).dtype
    if dtype == COMPLEX:
        return complex_values(fingerprints)
    return values(fingerprints) if dtype == FINGERPRINT else fingerprints


def residues(value: Any) -> np.ndarray:
    """Return the residues modulo p of floats or complex numbers; other elements as they are.

    Infinities and NaN are all the same: what led to them is not seen.
    """
    array = np.asarray(value)
    if array.dtype == COMPLEX:
        return np.stack([residues(array["real"]), residues(array["imag"])], -1)
    if array.dtype != FINGERPRINT:
        return array
    values = array["value"]
    return np.where(np.isfinite(values), array["residue"], -np.nan_to_num(np.sign(values), nan=2.0) - 3)
