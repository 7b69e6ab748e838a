"""Checks of bytecode's tables that MLIR's reader does without, so that it crashes, hangs or reads foreign memory.

Nothing here loads the bindings. Encodings of newer versions are left to the reader.
"""

from __future__ import annotations

import re
from math import prod

from ..errors import ArtifactError
from .bytecode import Bytecode, ByteCursor, Encoded, damaged
from .contents import COMPLEX, DYNAMIC, INTEGER, TENSOR_DATA, TENSORS, Tables

# Codes of the builtin dialect's encoding.
_BUILTIN_ARRAY, _BUILTIN_ELEMENTS = 17, 18
_WITH_VALUES = frozenset(code << 1 | 1 for code in (TENSOR_DATA, _BUILTIN_ARRAY, _BUILTIN_ELEMENTS))  # as a byte
# A type of more parts than this, counted with repetitions, cannot be printed in reasonable time.
_MOST_PARTS = 1 << 20
_NUMBER = re.compile(r"(?:[iuf]|bf|ui|si)(\d+)\w*")
_BITS_OF_NAMES = {"index": 64, "tf32": 19}


def check(bytecode: Bytecode) -> None:
    """Raise `ArtifactError` unless sections, tables, types, names and the values of constants are consistent."""
    bytecode.check()
    check_types(bytecode)
    check_names(bytecode)
    check_values(bytecode)


def check_names(bytecode: Bytecode) -> None:
    """Raise `ArtifactError` if the name of an attribute is not UTF-8: Python could not ask for it."""
    undecodable = bytecode.undecodable_strings()
    if not undecodable:
        return
    for number, entries in Tables(bytecode).dictionaries():
        if any(name in undecodable for name, _ in entries):
            raise damaged(f"the name of an attribute is not UTF-8, in dictionary {number}")


def _parts(tables: Tables, number: int) -> list[int]:
    """The numbers of the types that type `number` is made of; none for a type that is not known here, or damaged.

    Raises ArtifactError for a negative dimension size.
    """
    try:
        found = tables.type(number)
    except ArtifactError:
        return []  # the reader says what is wrong
    if found is not None:
        sizes = [size for kind, shape in found.fields if kind == "shape" for size in shape]
        if any(size < 0 and size != DYNAMIC for size in sizes):
            raise damaged(f"type {number} has a dimension of size {min(size for size in sizes if size != DYNAMIC)}")
    return [] if found is None else [part for part in found.parts if part < len(tables.types)]


def check_types(bytecode: Bytecode) -> None:
    """Raise `ArtifactError` where a type is a part of itself, too large to be written out, or has a negative size.

    MLIR's reader, verifiers and printer take exponential time for such types.
    """
    tables = Tables(bytecode)
    sizes: dict[int, int] = {}
    for first in range(len(tables.types)):
        path = [(first, iter(_parts(tables, first)))] if first not in sizes else []
        open_ = {first}
        while path:
            number, parts = path[-1]
            below = next((part for part in parts if part not in sizes), None)
            if below is None:
                sizes[number] = 1 + sum(sizes[part] for part in _parts(tables, number))
                if sizes[number] > _MOST_PARTS:
                    raise damaged(f"type {number} has more than {_MOST_PARTS} parts")
                open_.discard(number)
                path.pop()
            elif below in open_:
                raise damaged(f"type {below} is a part of itself")
            else:
                open_.add(below)
                path.append((below, iter(_parts(tables, below))))


def check_values(bytecode: Bytecode) -> None:
    """Raise `ArtifactError` if a constant has another number of bytes than its type asks for.

    MLIR's reader takes the values without counting them, so that the rest comes from wherever memory goes on.
    """
    values, buffer = _Values(bytecode), bytecode.buffer
    for number, entry in enumerate(values.tables.attributes):
        if entry.start == entry.end or buffer[entry.start] not in _WITH_VALUES:
            continue
        try:
            wrong = values.wrong(entry)
        except ArtifactError:
            continue  # the reader says what is wrong
        if wrong:
            raise damaged(f"attribute {number} {wrong}")


class _Values:
    """The sizes of constants and of the types that they have."""

    def __init__(self, bytecode: Bytecode) -> None:
        self.tables = Tables(bytecode)
        self.sizes: dict[int, tuple[int, int] | None] = {}

    def wrong(self, entry: Encoded) -> str:
        """Return the flaw of an attribute that holds values, or an empty string."""
        if not entry.custom:
            return ""
        cursor = ByteCursor(self.tables.bytecode.buffer, entry.start, entry.end)
        code = cursor.varint()
        if (entry.dialect, code) in (("vhlo", TENSOR_DATA), ("builtin", _BUILTIN_ELEMENTS)):
            type_ = cursor.varint()
            return self.wrong_tensor(type_, cursor.varint())
        if (entry.dialect, code) == ("builtin", _BUILTIN_ARRAY):
            bits, count, size = self.bits(cursor.varint()), cursor.varint(), cursor.varint()
            if bits is not None and size != count * _bytes(bits):
                return f"is an array of {count} elements, and has {size} bytes"
        return ""

    def wrong_tensor(self, type_: int, size: int) -> str:
        """Return the flaw of `size` bytes for a tensor of type `type_`, or an empty string."""
        if type_ not in self.sizes:
            self.sizes[type_] = self.size(type_)
        found = self.sizes[type_]
        if found is None:
            return ""
        count, bits = found
        if count < 0:
            return "holds values for a shape that is not static"
        packed = -(-count // 8) if bits == 1 else -1
        if size in (count * _bytes(bits), _bytes(bits), packed):  # one value stands for all of them
            return ""
        return f"holds {size} bytes for {count} elements of {bits} bits"

    def size(self, type_: int) -> tuple[int, int] | None:
        """Return the elements of a tensor type, -1 for a dynamic shape, and their bits, or None for other types."""
        found = self.tables.type(type_)
        if found is None or found.text not in TENSORS:
            return None
        *_, (_, shape), (_, element) = found.fields
        bits = self.bits(element)
        return None if bits is None else (-1 if min(shape, default=0) < 0 else prod(shape), bits)

    def bits(self, type_: int) -> int | None:
        """Return the bits of an element of type `type_`, both parts of a complex one, or None if they are unknown."""
        found = self.tables.type(type_)
        if found is None:
            return self.bits_of_text(type_)
        if found.text == COMPLEX:
            part = self.tables.type(found.parts[0])
            bits = None if part is None or part.text == COMPLEX else self.bits(found.parts[0])
            return None if bits is None else 2 * 8 * _bytes(bits)
        return found.fields[0][1] >> 2 if found.text == INTEGER else _bits(found.text)

    def bits_of_text(self, type_: int) -> int | None:
        """Return the bits of an element whose type is written as text, or None if they are unknown."""
        if type_ >= len(self.tables.types) or self.tables.types[type_].custom:
            return None
        entry = self.tables.types[type_]
        return _bits(ByteCursor(self.tables.bytecode.buffer, entry.start, entry.end).text())


def _bits(name: str) -> int | None:
    found = _NUMBER.fullmatch(name)
    return _BITS_OF_NAMES.get(name, int(found[1]) if found is not None else None)


def _bytes(bits: int) -> int:
    return -(-bits // 8)
