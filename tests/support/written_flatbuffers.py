"""Flatbuffers, written from dictionaries of fields by number."""

from __future__ import annotations

import struct
from typing import Any


def flatbuffer(fields: dict[int, Any]) -> bytes:
    """Return a buffer around a table. A field is a pair of a `struct` kind and a number, a text, bytes, a dictionary
    for a table, or a list of texts or dictionaries; a triple of a kind, "list" and numbers is a vector of them."""
    data = bytearray(4)
    data[:4] = struct.pack("<I", _table(data, fields))
    return bytes(data)


def _table(data: bytearray, fields: dict[int, Any]) -> int:
    count = max(fields, default=-1) + 1
    data += bytes(-len(data) % 8)
    vtable = len(data)
    offsets = [4 + 8 * number if number in fields else 0 for number in range(count)]
    data += struct.pack(f"<{2 + count}H", 4 + 2 * count, 4 + 8 * count, *offsets)
    position = len(data)
    data += struct.pack("<i", position - vtable) + bytes(8 * count)
    for number, value in fields.items():
        _put(data, position + 4 + 8 * number, value)
    return position


def _put(data: bytearray, place: int, value: Any) -> None:
    if isinstance(value, tuple) and value[1] != "list":
        struct.pack_into("<" + value[0], data, place, value[1])
        return
    position = _table(data, value) if isinstance(value, dict) else _vector(data, value)
    struct.pack_into("<I", data, place, position - place)


def _vector(data: bytearray, value: Any) -> int:
    position = len(data)
    if isinstance(value, list):
        data += struct.pack("<I", len(value)) + bytes(4 * len(value))
        for index, each in enumerate(value):
            _put(data, position + 4 + 4 * index, each)
        return position
    content = value.encode() if isinstance(value, str) else value
    count = len(content)
    if isinstance(content, tuple):
        content, count = struct.pack(f"<{len(value[2])}{value[0]}", *value[2]), len(value[2])
    data += struct.pack("<I", count) + content
    return position
