"""Resources of a file of bytecode, which hold the values of constants, read where they lie.

MLIR does not copy the resources of a bytecode file that it reads by its path: it maps the file. The bindings do not
tell where in memory a resource is, but write it in one piece with a module that uses it. That piece is looked for in
the file: where the file has it, the array is a view of the file, and the piece is dropped.
"""

from __future__ import annotations

import mmap
import weakref

from .provider import ir

_NEEDLE = 64
"""The number of bytes to search for; at a match all are compared."""
_TRIES, _SEARCHES = 16, 3
"""The limit of failed searches, and of passes over a file for all resources together."""
_LARGE = 1 << 16
"""The bytes of the smallest resource that is taken from bytecode."""


class _MappedFile:
    """A bytecode file; its resources are mostly read in the order of the file."""

    def __init__(self, mapped: mmap.mmap) -> None:
        self._mapped = mapped
        self._position = 0
        self._left = _SEARCHES * len(mapped)
        self._offsets: dict[tuple[int, bytes], int] = {}

    def view(self, data: bytes, alignment: int) -> memoryview | None:
        """Return the same bytes in the file at a multiple of `alignment`, or None."""
        skipped = len(data) - len(data.lstrip(b"\0"))  # zeros are found in too many positions
        needle = data[skipped : skipped + _NEEDLE]
        offset = self._offsets.get((len(data), needle), -1)
        if offset < 0 or offset % alignment or not self._has(data, offset):
            offset = self._search(data, needle, skipped, alignment)
        if offset < 0:
            return None
        self._offsets[len(data), needle] = offset
        return memoryview(self._mapped)[offset : offset + len(data)]

    def _has(self, data: bytes, offset: int) -> bool:
        return self._mapped.find(data, offset, offset + len(data)) == offset

    def _search(self, data: bytes, needle: bytes, skipped: int, alignment: int) -> int:
        """The offset of the data, whose first bytes other than zero are the needle; looked for behind the last one."""
        for start in (self._position, 0):
            position = start + skipped
            for _ in range(_TRIES):
                end = min(len(self._mapped), position + self._left)
                found = self._mapped.find(needle, position, end)
                self._left -= max(0, (end if found < 0 else found) - position)
                if found < 0:
                    break
                offset = found - skipped
                if offset % alignment == 0 and self._has(data, offset):
                    self._position = offset + len(data)
                    return offset
                position = found + 1
        return -1


_files: weakref.WeakKeyDictionary[ir.Context, _MappedFile] = weakref.WeakKeyDictionary()
"""The last large file that was read into a context."""


def parse_mapped(path: str, mapped: mmap.mmap, context: ir.Context) -> ir.Module:
    """Return the module in a bytecode file that is mapped into memory; its resources stay in the file."""
    module = ir.Module.parseFile(path, context)
    _files[context] = _MappedFile(mapped)
    return module


class _Pieces(list[bytes]):
    """A file that keeps what is written, piece by piece."""

    write = list[bytes].append


def large_resource(attribute: ir.DenseResourceElementsAttr, size: int, alignment: int) -> bytes | memoryview | None:
    """Return the bytes of a resource of `size` bytes, as a view of the file if it has them.

    None where it has another number, or so few that other parts of bytecode may have as many.
    """
    if size < _LARGE:
        return None
    with attribute.context, ir.Location.unknown():
        module = ir.Module.create()
        module.operation.attributes["stablehlo_py.resource"] = attribute
        written = _Pieces()
        module.operation.write_bytecode(written)
    found = [piece for piece in written if len(piece) == size]
    if len(found) != 1:
        return None
    file = _files.get(attribute.context)
    view = None if file is None else file.view(found[0], alignment)
    return found[0] if view is None else view
