"""Reads flatbuffers: tables whose fields have numbers, as JAX's descriptors and serialized exports are."""

from __future__ import annotations

import struct
from dataclasses import dataclass

from ..errors import InputError


@dataclass(frozen=True)
class Table:
    """A table in a buffer. Absent fields read as their default; every access stays inside the buffer."""

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

    def number(self, field: int, kind: str, default: float = 0) -> float:
        """A number of this `struct` kind: `B`, `H`, `I`, `Q`, `d`, …"""
        position = self._field(field)
        return default if position is None else _read("<" + kind, self.data, position)

    def table(self, field: int) -> Table | None:
        """The table in a field, or None."""
        position = self._field(field)
        return None if position is None else Table(self.data, _target(self.data, position))

    def bytes(self, field: int) -> bytes | None:
        """The bytes of a text or of a vector of bytes, or None."""
        position = self._field(field)
        if position is None:
            return None
        return _text(self.data, _target(self.data, position))

    def text(self, field: int) -> str | None:
        """A text, or None."""
        found = self.bytes(field)
        return None if found is None else found.decode(errors="replace")

    def numbers(self, field: int, kind: str) -> list[int]:
        """A vector of numbers of this `struct` kind; empty where it is absent."""
        return [int(value[0]) for value in struct.iter_unpack("<" + kind, self._vector(field, struct.calcsize(kind)))]

    def tables(self, field: int) -> list[Table]:
        """A vector of tables; empty where it is absent."""
        position = self._field(field)
        if position is None:
            return []
        start = _target(self.data, position)
        count = len(self._vector(field, 4)) // 4
        return [Table(self.data, _target(self.data, start + 4 + 4 * index)) for index in range(count)]

    def texts(self, field: int) -> list[str]:
        """A vector of texts; empty where it is absent."""
        return [_text(table.data, table.position).decode(errors="replace") for table in self.tables(field)]

    def _vector(self, field: int, size: int) -> bytes:
        position = self._field(field)
        if position is None:
            return b""
        start = _target(self.data, position)
        end = start + 4 + size * _read("<I", self.data, start)
        if end > len(self.data):
            raise InputError("a flatbuffer ends in the middle of its data")
        return self.data[start + 4 : end]


def _read(kind: str, data: bytes, position: int) -> int:
    if position < 0 or position + struct.calcsize(kind) > len(data):
        raise InputError("a flatbuffer ends in the middle of its data")
    return struct.unpack_from(kind, data, position)[0]


def _text(data: bytes, start: int) -> bytes:
    end = start + 4 + _read("<I", data, start)
    if end > len(data):
        raise InputError("a flatbuffer ends in the middle of its data")
    return data[start + 4 : end]


def _target(data: bytes, position: int) -> int:
    return position + _read("<I", data, position)
