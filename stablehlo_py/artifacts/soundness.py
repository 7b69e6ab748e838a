"""Checks of bytecode's tables that MLIR's reader does without, so that it crashes, hangs or reads foreign memory.

Nothing here loads the bindings. Encodings of newer versions are left to the reader.
"""

from __future__ import annotations

import re
from math import prod

from ..errors import ArtifactError
from .bytecode import Bytecode, Cursor, Encoded, damaged
from .contents import (
    BUILTIN_DICTIONARY,
    BUILTIN_STRING,
    COMPLEX,
    COMPOUND_TYPES,
    PLAIN_TYPES,
    RANKED,
    RANKED_WITH_ENCODING,
    TENSOR_DATA,
    Tables,
)

# Codes of the builtin dialect's encoding.
_BUILTIN_INTEGER, _BUILTIN_COMPLEX, _BUILTIN_RANKED, _BUILTIN_VECTOR = 0, 9, 13, 19
_BUILTIN_NUMBERS = {1: 64, 3: 16, 4: 16, 5: 32, 6: 64, 7: 80, 8: 128}  # bits
_BUILTIN_ARRAY, _BUILTIN_ELEMENTS = 17, 18
_WITH_VALUES = frozenset(code << 1 | 1 for code in (TENSOR_DATA, _BUILTIN_ARRAY, _BUILTIN_ELEMENTS))  # as a byte
_BUILTIN_TYPES = {2: ("types", "types"), 15: ("types",)}  # functions and tuples
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
    tables = Tables(bytecode)
    for number in range(len(tables.attributes)):
        found = tables.open(tables.attributes, number, "builtin")
        if found is None or found[0] != BUILTIN_DICTIONARY:
            continue
        for _ in range(found[1].varint()):
            key, _value = found[1].varint(), found[1].varint()
            name = tables.open(tables.attributes, key, "builtin")
            if name is not None and name[0] == BUILTIN_STRING and name[1].varint() in undecodable:
                raise damaged(f"the name of an attribute is not UTF-8, in dictionary {number}")


def _parts(tables: Tables, number: int) -> list[int]:
    """The numbers of the types that type `number` is made of; none for a type that is not known here, or damaged."""
    dialect = tables.types[number].dialect
    parts: list[int] = []
    try:
        found = tables.open(tables.types, number, dialect)
        if found is None or dialect not in ("builtin", "vhlo"):
            return []
        code, cursor = found
        fields = _BUILTIN_TYPES.get(code, ()) if dialect == "builtin" else COMPOUND_TYPES.get(code, ("", ()))[1]
        for kind in fields:
            if kind == "types":
                parts += [cursor.varint() for _ in range(min(cursor.varint(), cursor.end - cursor.position))]
            elif kind == "type":
                parts.append(cursor.varint())
            else:
                tables.field(kind, cursor, 0)
    except ArtifactError:
        return []  # the reader says what is wrong
    return [part for part in parts if part < len(tables.types)]


def check_types(bytecode: Bytecode) -> None:
    """Raise `ArtifactError` where a type is a part of itself, or too large to be written out.

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
        cursor = Cursor(self.tables.bytecode.buffer, entry.start, entry.end)
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
        for dialect, codes in (
            ("vhlo", {RANKED: 0, RANKED_WITH_ENCODING: 1}),
            ("builtin", {_BUILTIN_RANKED: 0, _BUILTIN_RANKED + 1: 1, _BUILTIN_VECTOR: 0}),
        ):
            found = self.tables.open(self.tables.types, type_, dialect)
            if found is not None and found[0] in codes:
                code, cursor = found
                if codes[code]:
                    cursor.varint()
                shape = [cursor.signed_varint() for _ in range(cursor.varint())]
                bits = self.bits(cursor.varint())
                return None if bits is None else (-1 if min(shape, default=0) < 0 else prod(shape), bits)
        return None

    def bits(self, type_: int) -> int | None:
        """Return the bits of an element of type `type_`, both parts of a complex one, or None if they are unknown."""
        found = self.tables.open(self.tables.types, type_, "vhlo")
        if found is not None:
            code, cursor = found
            return self.twice(cursor.varint()) if code == COMPLEX else _bits(PLAIN_TYPES.get(code, ""))
        found = self.tables.open(self.tables.types, type_, "builtin")
        if found is None:
            return self.bits_of_text(type_)
        code, cursor = found
        if code == _BUILTIN_INTEGER:
            return cursor.varint() >> 2
        return self.twice(cursor.varint()) if code == _BUILTIN_COMPLEX else _BUILTIN_NUMBERS.get(code)

    def twice(self, part: int) -> int | None:
        """Return the bits of a complex element with parts of type `part`, or None unless they are real."""
        if part < len(self.tables.types):
            entry = self.tables.types[part]
            code = self.tables.open(self.tables.types, part, entry.dialect)
            if code is not None and code[0] != (COMPLEX if entry.dialect == "vhlo" else _BUILTIN_COMPLEX):
                bits = self.bits(part)
                return None if bits is None else 2 * 8 * _bytes(bits)
        return None

    def bits_of_text(self, type_: int) -> int | None:
        """Return the bits of an element whose type is written as text, or None if they are unknown."""
        if type_ >= len(self.tables.types) or self.tables.types[type_].custom:
            return None
        entry = self.tables.types[type_]
        return _bits(Cursor(self.tables.bytecode.buffer, entry.start, entry.end).text())


def _bits(name: str) -> int | None:
    found = _NUMBER.fullmatch(name)
    return _BITS_OF_NAMES.get(name, int(found[1]) if found is not None else None)


def _bytes(bits: int) -> int:
    return -(-bits // 8)
