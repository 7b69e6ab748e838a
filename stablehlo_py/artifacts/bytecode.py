"""The structure of an MLIR bytecode file, read without the dialects: so also of versions newer than the bindings.

Format: MLIR's "Bytecode Format" (https://mlir.llvm.org/docs/BytecodeFormat/). Nothing is copied: the buffer may be a
memory map of a file of any size. Only the pages that are used are read.
"""

from __future__ import annotations

import mmap
from collections.abc import Iterator
from enum import IntEnum
from functools import cached_property
from typing import NamedTuple, TypeVar

from ..errors import ArtifactError, counted

MAGIC = b"ML\xefR"
Buffer = bytes | bytearray | memoryview | mmap.mmap
_Entry = TypeVar("_Entry")

_PIECE = 256  # bytes that are searched at once

NEWEST_FORMAT = 6  # a newer version may have sections that are not known here

# The first format versions with …
DIALECT_VERSIONS = 1  # … versions of dialects
NATIVE_PROPERTIES = 5  # … a section of properties, and op names that say whether they are registered
OP_NAME_COUNT = 4  # … the number of op names before them


class Section(IntEnum):
    """Kind of a section."""

    STRINGS = 0
    DIALECTS = 1
    ATTRIBUTES_AND_TYPES = 2
    ATTRIBUTE_AND_TYPE_OFFSETS = 3
    IR = 4
    RESOURCES = 5
    RESOURCE_OFFSETS = 6
    DIALECT_VERSIONS = 7
    PROPERTIES = 8


REQUIRED_SECTIONS = tuple(section for section in Section if section <= Section.IR)


class ByteCursor:
    """Reader of a part of the buffer that raises `ArtifactError` at the end of that part."""

    def __init__(self, buffer: Buffer, start: int, end: int) -> None:
        self.buffer = buffer
        self.position = start
        self.end = end

    def _damaged(self, wanted: int) -> ArtifactError:
        left = max(0, self.end - self.position)
        return damaged(f"{counted(wanted, 'byte')} should follow at offset {self.position}, where {left} are left")

    def byte(self) -> int:
        """Read a byte."""
        if self.position >= self.end:
            raise self._damaged(1)
        value = self.buffer[self.position]
        self.position += 1
        return value

    def take(self, count: int) -> bytes:
        """Read `count` bytes."""
        start = self.position
        self.skip(count)
        return bytes(self.buffer[start : start + count])

    def skip(self, count: int) -> None:
        """Skip `count` bytes."""
        if count > self.end - self.position:
            raise self._damaged(count)
        self.position += count

    def varint(self) -> int:
        """Read a variable-width integer: the trailing zero bits of its first byte count the bytes that follow."""
        first = self.byte()
        if first & 1:
            return first >> 1
        if first == 0:
            return int.from_bytes(self.take(8), "little")
        extra = (first & -first).bit_length() - 1
        return int.from_bytes(bytes((first,)) + self.take(extra), "little") >> (extra + 1)

    def flagged_varint(self) -> tuple[int, bool]:
        """Read an integer with a flag in its lowest bit; return both."""
        value = self.varint()
        return value >> 1, bool(value & 1)

    def signed_varint(self) -> int:
        """Read a zigzag-encoded integer."""
        value = self.varint()
        return (value >> 1) ^ -(value & 1)

    def text(self) -> str:
        """Read a null-terminated string."""
        for start in range(self.position, self.end, _PIECE):  # a memory view has no search
            length = bytes(self.buffer[start : min(start + _PIECE, self.end)]).find(b"\0")
            if length != -1:
                return self.take(start + length + 1 - self.position)[:-1].decode("utf-8", "replace")
        raise damaged(f"the string at offset {self.position} has no end")

    @property
    def at_end(self) -> bool:
        """Return whether everything has been read."""
        return self.position >= self.end


class ByteRange(NamedTuple):
    """Place of a section's content: bytes `start` to `end` of the file."""

    start: int
    end: int

    @property
    def size(self) -> int:
        """The number of bytes of the content."""
        return self.end - self.start


class OpName(NamedTuple):
    """The name of an op as the file numbers them: `dialect.name`."""

    dialect: str
    name: str

    def __str__(self) -> str:
        return f"{self.dialect}.{self.name}" if self.name else self.dialect


def damaged(what: str) -> ArtifactError:
    """Return the error for a file whose structure is inconsistent."""
    return ArtifactError(
        f"the bytecode is damaged or cut short: {what}",
        notes=["copy the file again, or serialize the program again; nothing was written"],
    )


class Bytecode:
    """An MLIR bytecode file: its header, and its tables, each read when it is first asked for."""

    def __init__(self, buffer: Buffer) -> None:
        """Read header and section table; raise `ArtifactError` where the buffer is not MLIR bytecode."""
        if len(buffer) == 0:
            raise ArtifactError("the file is empty", notes=["a portable artifact or MLIR bytecode was expected"])
        if bytes(buffer[:4]) != MAGIC:
            from ..syntax.source import binary_kind

            kind, notes = binary_kind(buffer)
            found = f"this is {kind}" if kind else f"it begins with {bytes(buffer[:4])!r} instead of {MAGIC!r}"
            serialize = "write a portable artifact with: stablehlo-translate --serialize --target=current"
            raise ArtifactError(f"this is not MLIR bytecode: {found}", notes=[*notes, serialize])
        self.buffer = buffer
        cursor = ByteCursor(buffer, 4, len(buffer))
        self.version = cursor.varint()
        self.producer = cursor.text()
        self.sections = dict(self._read_sections(cursor))

    def _read_sections(self, cursor: ByteCursor) -> Iterator[tuple[int, ByteRange]]:
        seen: set[int] = set()
        while not cursor.at_end:
            marker = cursor.byte()
            identity, length = marker & 0x7F, cursor.varint()
            if identity > max(Section) and self.version <= NEWEST_FORMAT:
                raise damaged(f"section {identity} is of no kind that version {self.version} of the format has")
            if identity in seen:
                raise damaged(f"section {identity} occurs twice")
            seen.add(identity)
            if marker & 0x80:
                alignment = cursor.varint()
                if alignment == 0 or alignment & (alignment - 1) or alignment > 1 << 30:
                    raise damaged(f"section {identity} asks for the alignment {alignment}")
                cursor.skip(-cursor.position % alignment)
            start = cursor.position
            cursor.skip(length)
            yield identity, ByteRange(start, cursor.position)

    def check(self) -> None:
        """Raise `ArtifactError` unless sections and tables are consistent.

        The tables are those of strings, dialects, attributes and types. The encodings of attributes, types and the IR
        are not read.
        """
        for section in (*REQUIRED_SECTIONS, *([Section.PROPERTIES] if self.version >= NATIVE_PROPERTIES else [])):
            self.cursor(section)
        self.op_names()
        self.attribute_sizes()

    def cursor(self, section: Section) -> ByteCursor:
        """Return a cursor over the content of `section`; raise `ArtifactError` if it is missing."""
        size = self.sections.get(section)
        if size is None:
            raise damaged(f"the section for {section.name.lower().replace('_', ' ')} is missing")
        return ByteCursor(self.buffer, size.start, size.end)

    @cached_property
    def _strings(self) -> list[bytes]:
        """Every string of the file, in its own numbering."""
        cursor = self.cursor(Section.STRINGS)
        count = cursor.varint()
        if count > cursor.end - cursor.position:
            raise damaged(f"it announces {count} strings")
        lengths = [cursor.varint() for _ in range(count)]
        # Lengths come last string first and count the terminating zero; the characters end the section.
        if sum(lengths) != cursor.end - cursor.position or 0 in lengths:
            raise damaged("the lengths of its strings do not add up")
        return [cursor.take(length)[:-1] for length in reversed(lengths)]

    def string(self, number: int) -> str:
        """Return string `number`; raise `ArtifactError` if the file has fewer."""
        return _entry("string", number, self._strings).decode("utf-8", "replace")

    def undecodable_strings(self) -> frozenset[int]:
        """Return the numbers of the strings that are not UTF-8. Values of attributes may be such strings."""
        return frozenset(number for number, string in enumerate(self._strings) if not _is_utf8(string))

    @cached_property
    def _names(self) -> tuple[list[str], list[OpName]]:
        """The names of dialects and ops."""
        cursor = self.cursor(Section.DIALECTS)
        dialects = [self._read_dialect(cursor) for _ in range(self._count(cursor, "dialects"))]
        op_names: list[OpName] = []
        if self.version >= OP_NAME_COUNT:
            cursor.varint()
        while not cursor.at_end:
            dialect = _entry("dialect", cursor.varint(), dialects)
            for _ in range(self._count(cursor, "op names")):
                number = cursor.flagged_varint()[0] if self.version >= NATIVE_PROPERTIES else cursor.varint()
                op_names.append(OpName(dialect, self.string(number)))
        return dialects, op_names

    def _count(self, cursor: ByteCursor, what: str) -> int:
        count = cursor.varint()
        if count > cursor.end - cursor.position:  # each takes at least a byte
            raise damaged(f"it announces {count} {what} in {cursor.end - cursor.position} bytes")
        return count

    def _read_dialect(self, cursor: ByteCursor) -> str:
        if self.version < DIALECT_VERSIONS:
            return self.string(cursor.varint())
        number, versioned = cursor.flagged_varint()
        if versioned:
            cursor.byte()
            cursor.skip(cursor.varint())
        return self.string(number)

    def dialects(self) -> list[str]:
        """The names of the dialects that the file uses."""
        return self._names[0]

    def op_names(self) -> list[OpName]:
        """The names of the ops that the file uses, in its own numbering."""
        return self._names[1]

    @cached_property
    def _sizes(self) -> tuple[list[Encoded], ...]:
        """The ranges of the encodings of attributes and of types."""
        cursor, encodings = self.cursor(Section.ATTRIBUTE_AND_TYPE_OFFSETS), self.cursor(Section.ATTRIBUTES_AND_TYPES)
        position = encodings.position
        dialects = self.dialects()
        counts = self._count(cursor, "attributes"), self._count(cursor, "types")
        tables: list[list[Encoded]] = []
        for count in counts:
            table: list[Encoded] = []
            while len(table) < count:
                dialect = _entry("dialect", cursor.varint(), dialects)
                for _ in range(self._count(cursor, "entries")):
                    size, custom = cursor.flagged_varint()
                    table.append(Encoded(dialect, position, position + size, custom))
                    position += size
            if len(table) != count:
                raise damaged("the numbers of its attributes and types do not add up")
            tables.append(table)
        if position > encodings.end:
            size = encodings.end - encodings.position
            raise damaged(f"attributes and types take {position - encodings.position} bytes of {size}")
        return tuple(tables)

    def attribute_sizes(self) -> list[Encoded]:
        """Return the range of each attribute's encoding."""
        return self._sizes[0]

    def type_sizes(self) -> list[Encoded]:
        """Return the range of each type's encoding."""
        return self._sizes[1]


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _entry(kind: str, number: int, entries: list[_Entry]) -> _Entry:
    """Return entry `number`; raise `ArtifactError` if the file has fewer."""
    if number >= len(entries):
        raise damaged(f"{kind} {number} is used, of {len(entries)}")
    return entries[number]


class Encoded(NamedTuple):  # each op can have one, as its location
    """An attribute or a type of `dialect`: bytes `start` to `end` of the file; text unless it is `custom`."""

    dialect: str
    start: int
    end: int
    custom: bool

    @property
    def size(self) -> int:
        """The number of bytes of the encoding."""
        return self.end - self.start
