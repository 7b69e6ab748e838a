"""MLIR bytecode, written byte by byte."""

from __future__ import annotations

from collections.abc import Sequence

from stablehlo_py.artifacts.bytecode import MAGIC, Bytecode, Section


def varint(value: int) -> bytes:
    """MLIR's form: as many zero bits at the low end of the first byte as further bytes."""
    for extra in range(8):
        if value < 1 << (7 * (extra + 1)):
            return ((value << (extra + 1)) | (1 << extra)).to_bytes(extra + 1, "little")
    return b"\0" + value.to_bytes(8, "little")


def section(identity: int, content: bytes, alignment: int = 0, at: int = 0) -> bytes:
    if not alignment:
        return bytes([identity]) + varint(len(content)) + content
    head = bytes([identity | 0x80]) + varint(len(content)) + varint(alignment)
    return head + b"\xcb" * (-(at + len(head)) % alignment) + content


def strings(*texts: bytes) -> bytes:
    lengths = b"".join(varint(len(text) + 1) for text in reversed(texts))
    return varint(len(texts)) + lengths + b"".join(text + b"\0" for text in texts)


def written(parts: dict[Section, bytes], version: int = 6, tail: bytes = b"") -> Bytecode:
    body = b"".join(section(identity, content) for identity, content in parts.items())
    return Bytecode(MAGIC + varint(version) + b"StableHLO_v1.2.3\0" + body + tail)


Entry = tuple[str, bytes, bool]
"""An attribute or a type: its dialect, its encoding, and whether that is custom."""


def with_tables(
    attributes: Sequence[Entry],
    types: Sequence[Entry] = (),
    *,
    texts: Sequence[str] = (),
    ops: Sequence[str] = (),
    properties: bytes = b"\x01",
    version: int = 6,
) -> Bytecode:
    """A file of the dialects vhlo and builtin, with these attributes, types and strings, and ops of vhlo."""
    dialects = ["vhlo", "builtin"]
    names = strings(*[text.encode() for text in (*dialects, *ops, *texts)])
    known = varint(len(dialects)) + b"".join(varint(number << 1) for number in range(len(dialects)))
    if version < 1:
        known = varint(len(dialects)) + b"".join(map(varint, range(len(dialects))))
    if version >= 4:
        known += varint(len(ops))
    if ops:
        numbers = range(len(dialects), len(dialects) + len(ops))
        known += varint(0) + varint(len(ops)) + b"".join(varint(n << 1 | 1 if version >= 5 else n) for n in numbers)
    offsets = varint(len(attributes)) + varint(len(types))
    for dialect, encoding, custom in (*attributes, *types):
        offsets += varint(dialects.index(dialect)) + varint(1) + varint(len(encoding) << 1 | custom)
    parts = {
        Section.STRINGS: names,
        Section.DIALECTS: known,
        Section.ATTRIBUTES_AND_TYPES: b"".join(encoding for _, encoding, _ in (*attributes, *types)),
        Section.ATTRIBUTE_AND_TYPE_OFFSETS: offsets,
        Section.IR: b"ir",
        **({Section.PROPERTIES: properties} if version >= 5 else {}),
    }
    return written(parts, version)
