"""Source files: their bytes, their lines, and their chunks between split markers."""

from __future__ import annotations

import mmap
import os
import sys
from collections.abc import Iterator
from functools import cached_property
from typing import Any, NamedTuple, TypeGuard, cast

from ..errors import InputError
from ..isolation.files import read_stream

# The first bytes of other files.
_KINDS = {
    b"PK\x03\x04": "a zip file",
    b"\x93NUMPY": "an array of numpy",
    b"\x1f\x8b": "gzip data",
    b"\x7fELF": "a library or an executable",
}
_OF_ARRAYS = ("a zip file", "an array of numpy")
# Types that hold bytes.
Buffer = bytes | bytearray | memoryview | mmap.mmap
BYTECODE_MAGIC = b"ML\xefR"
# How ops of the check dialect begin. The bindings do not have the dialect: check_*.py read and write it, and are
# imported for programs with such an op.
CHECK_PREFIX = "check."
STANDARD_INPUT = "<stdin>"
_NOT_IN_TEXTS = bytes({*range(32), 127} - {*b"\t\n\v\f\r\x1b"})
SPLIT_MARKER = "// -----"
# So many characters at a marker's end may differ for a line to count as a near miss, as in MLIR's tools.
_NEAR_MISS = 2
_UNDECODABLE = "\N{REPLACEMENT CHARACTER}"
# Files of bytecode from this size on are mapped into memory: most of them is weights.
_MAPPED_FROM = 1 << 24


def is_buffer(source: object) -> TypeGuard[Buffer]:
    """Whether something holds bytes."""
    return isinstance(source, Buffer)


def binary_kind(data: Buffer) -> tuple[str, list[str]]:
    """Return in words what data is that is neither text nor bytecode, with advice; an empty text for these."""
    head = bytes(data[:64])
    if head.startswith(BYTECODE_MAGIC):
        return "", []
    is_binary = len(head.translate(None, _NOT_IN_TEXTS)) < len(head)
    kind = next((kind for magic, kind in _KINDS.items() if head.startswith(magic)), "binary data" * is_binary)
    return kind, ["arguments go with --inputs=FILE.npz"] if kind in _OF_ARRAYS else []


class MappedBytecode(mmap.mmap):
    """A bytecode file that is not copied, with the methods of bytes that readers use; another process maps the file
    itself."""

    path = ""

    @classmethod
    def of(cls, path: str) -> MappedBytecode:
        """Map the file at `path`."""
        with open(path, "rb") as file:
            mapped = cls(file.fileno(), 0, access=mmap.ACCESS_READ)
        mapped.path = path
        return mapped

    def __reduce__(self) -> tuple[Any, ...]:
        return MappedBytecode.of, (self.path,)

    def __contains__(self, part: object) -> bool:
        found = isinstance(part, bytes) and self.find(part, 0) >= 0
        if hasattr(mmap, "MADV_DONTNEED"):
            self.madvise(mmap.MADV_DONTNEED)  # the pages that were only looked through
        return found

    def startswith(self, prefix: bytes) -> bool:
        """Whether the file begins with these bytes."""
        return self[: len(prefix)] == prefix

    def strip(self, _characters: bytes = b"") -> MappedBytecode:
        """Return the file: bytecode begins with a magic number, not with white space."""
        return self

    lstrip = strip


class Source:
    """Data that was read from `name`; `is_file` says that reading `name` again gives `data` again.

    `data` of a chunk of a file begins with as many line breaks as there are lines before the chunk, so that every
    line number is the file's.
    """

    def __init__(self, name: str, data: bytes, is_file: bool = False) -> None:
        self.name = name
        self.data = data
        self.is_file = is_file

    @property
    def is_bytecode(self) -> bool:
        return self.data.startswith(BYTECODE_MAGIC)

    @cached_property
    def lines(self) -> list[bytes]:
        """The lines of a text, without their ends; none of bytecode."""
        return [] if self.is_bytecode else self.data.split(b"\n")

    def line(self, number: int) -> str | None:
        """The text of line `number` (from 1), or None where the source has no such line or it cannot be shown."""
        if not 1 <= number <= len(self.lines):
            return None
        return _as_text(self.lines[number - 1])

    def line_around(self, number: int, column: int, window: int) -> tuple[str, int] | None:
        """The text of line `number` and the offset of `column` (both from 1) in it, as `line`. A line longer than three
        windows is cut to one `window` of bytes before the column and one after it."""
        if not 1 <= number <= len(self.lines):
            return None
        line, offset = self.lines[number - 1], max(column - 1, 0)
        if len(line) <= 3 * window:
            text = _as_text(line)
            return None if text is None else (text, offset)
        start, end = max(offset - window, 0), offset + window
        text = _as_text(line[start:end].decode("utf-8", "ignore").encode())
        if text is None:
            return None
        before, behind = "..." if start else "", "..." if end < len(line) else ""
        return f"{before}{text}{behind}", offset - start + len(before)


def _as_text(line: bytes) -> str | None:
    text = line.decode("utf-8", "replace").rstrip("\r")
    return text if text.replace("\t", "").isprintable() and _UNDECODABLE not in text else None


def read_source(path: str | os.PathLike[str], *, may_be_empty: bool = False) -> Source:
    """The contents of the file at `path`; `-` is standard input. Raises InputError with the reason, also for an empty
    file unless empty ones are allowed."""
    name = os.fspath(path)
    try:
        if name == "-":
            source = Source(STANDARD_INPUT, read_stream(sys.stdin.buffer, STANDARD_INPUT))
        else:
            source = _read_file(name)
    except OSError as error:
        raise InputError(f"cannot open input file '{name}': {error.strerror}") from None
    except ValueError as error:  # a null character in the name
        raise InputError(f"cannot open input file {name!r}: {error}") from None
    if not may_be_empty and not source.data.strip():
        raise InputError("input file is empty", location=f"{source.name}:1:1")
    return source


def _read_file(name: str) -> Source:
    with open(name, "rb") as file:
        shown = printable_name(name)
        is_file = shown == name and os.path.isfile(name)
        if is_file and os.fstat(file.fileno()).st_size >= _MAPPED_FROM and file.peek(4).startswith(BYTECODE_MAGIC):
            return Source(shown, cast("bytes", MappedBytecode.of(name)), is_file=True)
        return Source(shown, read_stream(file, shown), is_file=is_file)


def printable_name(name: str) -> str:
    r"""`name`, the bytes in it that are not UTF-8 written as `\xff`: the compiler takes no others."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


class NearMiss(NamedTuple):
    """A line that looks like a split marker and is none; line and column count from 1."""

    line: int
    column: int


def _boundaries(data: bytes, marker: bytes) -> Iterator[tuple[int, bool]]:
    """The offset of each marker and near miss in `data`, and whether it is a marker."""
    prefix, suffix = marker[:-_NEAR_MISS], marker[-_NEAR_MISS:]
    position = data.find(prefix)
    while position >= 0:
        end = position + len(prefix)
        yield position, data.startswith(suffix, end) and data[end + len(suffix) : end + len(suffix) + 1] != b"-"
        position = data.find(prefix, end)


def split_source(source: Source, marker: str = SPLIT_MARKER) -> tuple[list[Source], list[NearMiss]]:
    """Return the chunks of a text between lines that hold `marker`, and the positions where a marker is misspelt.

    Bytecode is one chunk. Raises InputError for a marker too short to be told from other text.
    """
    if len(marker) <= _NEAR_MISS:
        raise InputError(f"a split marker needs more than {_NEAR_MISS} characters: '{marker}'")
    if source.is_bytecode:
        return [source], []
    chunks: list[Source] = []
    misses: list[NearMiss] = []
    start, lines_before = 0, 0
    encoded = marker.encode()
    for position, is_marker in _boundaries(source.data, encoded):
        if not is_marker:
            line_start = source.data.rfind(b"\n", 0, position) + 1
            misses.append(NearMiss(source.data.count(b"\n", 0, position) + 1, position - line_start + 1))
            continue
        chunks.append(Source(source.name, b"\n" * lines_before + source.data[start:position]))
        lines_before += source.data.count(b"\n", start, position)
        start = position + len(encoded)
    if not chunks:
        return [source], misses
    chunks.append(Source(source.name, b"\n" * lines_before + source.data[start:]))
    return chunks, misses
