"""Reads flatbuffers: tables whose fields have numbers, as JAX's descriptors and serialized exports are."""

from __future__ import annotations

import struct
from dataclasses import dataclass

from ..errors import InputError


@dataclass(frozen=True)
class Table:
    """A table in a buffer. Absent numbers read as 0; every access stays inside the buffer."""

    data: bytes
    position: int

    @staticmethod
    def root(data: bytes) -> Table:
        """The table that a buffer is about."""
        return Table(data, _read("<I", data, 0))

    def _field(self, number: int) -> int | None:
        vtable = self.position - _read("<i", self.data, self.position)
        if 4 + 2 * number >= _read("<H", self.data, vtable):
            return None
        offset = _read("<H", self.data, vtable + 4 + 2 * number)
        return self.position + offset if offset else None

    def number(self, field: int, kind: str) -> float:
        """Return a number of this `struct` kind: `B`, `H`, `I`, `Q`, `d`, …"""
        position = self._field(field)
        return 0 if position is None else _read("<" + kind, self.data, position)

    def table(self, field: int) -> Table | None:
        """Return the table in a field, or None."""
        position = self._field(field)
        return None if position is None else Table(self.data, _target(self.data, position))

    def bytes(self, field: int) -> bytes | None:
        """Return the bytes of a text or of a vector of bytes, or None."""
        return None if self._field(field) is None else self._vector(field, 1)

    def text(self, field: int) -> str | None:
        """Return a text, or None."""
        found = self.bytes(field)
        return None if found is None else found.decode(errors="replace")

    def numbers(self, field: int, kind: str) -> list[int]:
        """Return a vector of numbers of this `struct` kind; empty if it is absent."""
        return [int(value[0]) for value in struct.iter_unpack("<" + kind, self._vector(field, struct.calcsize(kind)))]

    def tables(self, field: int) -> list[Table]:
        """Return a vector of tables; empty if it is absent."""
        position = self._field(field)
        first = 0 if position is None else _target(self.data, position) + 4
        offsets = range(first, first + len(self._vector(field, 4)), 4)
        return [Table(self.data, _target(self.data, offset)) for offset in offsets]

    def texts(self, field: int) -> list[str]:
        """Return a vector of texts; empty if it is absent."""
        return [_elements(self.data, table.position, 1).decode(errors="replace") for table in self.tables(field)]

    def _vector(self, field: int, size: int) -> bytes:
        position = self._field(field)
        return b"" if position is None else _elements(self.data, _target(self.data, position), size)


def _read(kind: str, data: bytes, position: int) -> int:
    if position < 0 or position + struct.calcsize(kind) > len(data):
        raise InputError("a flatbuffer ends in the middle of its data")
    return struct.unpack_from(kind, data, position)[0]


def _elements(data: bytes, start: int, size: int) -> bytes:
    """Return the elements of a vector, each of this size; the elements of a text are its bytes."""
    end = start + 4 + size * _read("<I", data, start)
    if end > len(data):
        raise InputError("a flatbuffer ends in the middle of its data")
    return data[start + 4 : end]


def _target(data: bytes, position: int) -> int:
    return position + _read("<I", data, position)
