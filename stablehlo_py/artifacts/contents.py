"""The functions of a portable artifact, read from its tables alone: no op is read, no type is built.

A function's op carries five attributes, among them its name and its type. From bytecode format 5 on they are an entry
of the section for properties, before that a dictionary among the attributes. Unknown parts of the
encoding of a newer version are shown as `?`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from .bytecode import NATIVE_PROPERTIES, Bytecode, Cursor, Encoded, Section

# Codes of VHLO's encoding: upstream's VhloBytecode.cpp, which never changes one.
_STRING, TENSOR_DATA, _TYPE = 14, 15, 17
_FUNCTION_TYPE, RANKED, RANKED_WITH_ENCODING, _TUPLE, _UNRANKED, _BUFFER = 8, 20, 21, 23, 25, 41
COMPLEX, _QUANTIZED, _QUANTIZED_PER_AXIS, _FUTURE = 1, 24, 30, 42
PLAIN_TYPES = {
    0: "i1", 2: "bf16", 3: "f16", 4: "f32", 5: "f64", 6: "f8E4M3FN", 7: "f8E5M2", 9: "index", 10: "i4", 11: "i8",
    12: "i16", 13: "i32", 14: "i64", 15: "ui4", 16: "ui8", 17: "ui16", 18: "ui32", 19: "ui64", 22: "!stablehlo.token",
    26: "!shape.witness", 27: "f8E4M3FNUZ", 28: "f8E5M2FNUZ", 29: "f8E4M3B11FNUZ", 31: "i2", 32: "ui2", 33: "none",
    34: "tf32", 35: "f8E4M3", 36: "f8E3M4", 37: "f4E2M1FN", 38: "f6E2M3FN", 39: "f6E3M2FN", 40: "f8E8M0FNU",
}  # fmt: skip
# Types with other types inside, by their codes: their text, and the first fields of their encodings.
COMPOUND_TYPES: dict[int, tuple[str, tuple[str, ...]]] = {
    COMPLEX: ("complex<{}>", ("type",)),
    _FUNCTION_TYPE: ("({}) -> ({})", ("types", "types")),
    RANKED: ("tensor<{}{}>", ("shape", "type")),
    RANKED_WITH_ENCODING: ("tensor<{1}{2}>", ("number", "shape", "type")),
    _UNRANKED: ("tensor<*x{}>", ("type",)),
    _BUFFER: ("memref<{}{}>", ("shape", "type")),
    _TUPLE: ("tuple<{}>", ("types",)),
    _FUTURE: ("!stablehlo.future<{}>", ("types",)),
    _QUANTIZED: ("!quant.uniform<{1}:{2}, …>", ("number", "type", "type")),
    _QUANTIZED_PER_AXIS: ("!quant.uniform<{1}:{2}, …>", ("number", "type", "type")),
}
# Codes of the builtin dialect's encoding.
BUILTIN_DICTIONARY, BUILTIN_STRING = 1, 2
_DYNAMIC = -(1 << 63)
_DEEPEST_TYPE = 32
# A tuple can hold the same tuple twice, and that one again: no more types than this of a signature are shown.
_TYPES_SHOWN = 4096
_FUNCTION_OP = "vhlo.func_v1"
_FUNCTION_ATTRIBUTES = 5


class FunctionInfo(NamedTuple):
    """A function of an artifact: its name, and the types of its inputs and outputs as StableHLO writes them."""

    name: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]

    def __str__(self) -> str:
        return f"@{self.name}({', '.join(self.inputs)}) -> ({', '.join(self.outputs)})"


class Tables:
    """The attributes and types of a file, decoded one by one when they are asked for."""

    def __init__(self, bytecode: Bytecode) -> None:
        self.bytecode = bytecode
        self.attributes = bytecode.attribute_sizes()
        self.types = bytecode.type_sizes()
        self.types_left = _TYPES_SHOWN

    def open(self, entries: list[Encoded], number: int, dialect: str) -> tuple[int, Cursor] | None:
        """Return the code of entry `number` and a cursor behind it; None for an encoding that is not `dialect`'s."""
        if number >= len(entries):
            return None
        entry = entries[number]
        if entry.dialect != dialect or not entry.custom or entry.start == entry.end:
            return None
        cursor = Cursor(self.bytecode.buffer, entry.start, entry.end)
        return cursor.varint(), cursor

    def string(self, number: int) -> str | None:
        """Return the value of attribute `number` if it is a VHLO string."""
        found = self.open(self.attributes, number, "vhlo")
        return self.bytecode.string(found[1].varint()) if found is not None and found[0] == _STRING else None

    def function_type(self, number: int) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
        """Return the inputs and outputs if attribute `number` holds a function's type."""
        attribute = self.open(self.attributes, number, "vhlo")
        if attribute is None or attribute[0] != _TYPE:
            return None
        found = self.open(self.types, attribute[1].varint(), "vhlo")
        if found is None or found[0] != _FUNCTION_TYPE:
            return None
        self.types_left = _TYPES_SHOWN
        return self.type_list(found[1]), self.type_list(found[1])

    def type_list(self, cursor: Cursor, depth: int = 0) -> tuple[str, ...]:
        count = cursor.varint()
        shown: list[str] = []
        for _ in range(min(count, cursor.end - cursor.position)):
            if self.types_left < 0:
                return (*shown, "…")
            shown.append(self.type(cursor.varint(), depth + 1))
        return tuple(shown)

    def type(self, number: int, depth: int = 0) -> str:
        """Return type `number` as StableHLO writes it; `?` if its encoding is unknown."""
        found = self.open(self.types, number, "vhlo")
        self.types_left -= 1
        if found is None or depth > _DEEPEST_TYPE or self.types_left < 0:
            return "?"
        code, cursor = found
        if code in PLAIN_TYPES:
            return PLAIN_TYPES[code]
        written, fields = COMPOUND_TYPES.get(code, ("?", ()))
        return written.format(*[self.field(kind, cursor, depth) for kind in fields])

    def field(self, kind: str, cursor: Cursor, depth: int) -> str:
        if kind == "types":
            return ", ".join(self.type_list(cursor, depth))
        if kind == "type":
            return self.type(cursor.varint(), depth + 1)
        return self.shape(cursor) if kind == "shape" else str(cursor.varint())

    def shape(self, cursor: Cursor) -> str:
        count = cursor.varint()
        sizes = [cursor.signed_varint() for _ in range(min(count, cursor.end - cursor.position))]
        return "".join("?x" if size == _DYNAMIC else f"{size}x" for size in sizes)


def _from_properties(tables: Tables) -> Iterator[FunctionInfo]:
    cursor = tables.bytecode.cursor(Section.PROPERTIES)
    for _ in range(cursor.varint()):
        size = cursor.varint()
        end = cursor.position + size
        entry = Cursor(cursor.buffer, cursor.position, min(end, cursor.end))
        cursor.skip(size)
        found = _function(tables, entry)
        if found is not None:
            yield found


def _function(tables: Tables, entry: Cursor) -> FunctionInfo | None:
    numbers: list[int] = []
    while not entry.at_end:
        numbers.append(entry.varint())
        if len(numbers) > _FUNCTION_ATTRIBUTES:
            return None
    if len(numbers) != _FUNCTION_ATTRIBUTES:
        return None
    # In any order of theirs the name comes before the visibility, the other string.
    names = [name for name in map(tables.string, numbers) if name is not None]
    types = [type_ for type_ in map(tables.function_type, numbers) if type_ is not None]
    return FunctionInfo(names[0], *types[0]) if names and types else None


def _from_dictionaries(tables: Tables) -> Iterator[FunctionInfo]:
    for number in range(len(tables.attributes)):
        found = tables.open(tables.attributes, number, "builtin")
        if found is not None and found[0] == BUILTIN_DICTIONARY:
            entries = dict(_dictionary(tables, found[1]))
            if "sym_name" in entries and "function_type" in entries:
                name, type_ = tables.string(entries["sym_name"]), tables.function_type(entries["function_type"])
                if name is not None and type_ is not None:
                    yield FunctionInfo(name, *type_)


def _dictionary(tables: Tables, cursor: Cursor) -> Iterator[tuple[str, int]]:
    for _ in range(cursor.varint()):
        key = tables.open(tables.attributes, cursor.varint(), "builtin")
        value = cursor.varint()
        if key is not None and key[0] == BUILTIN_STRING:
            yield tables.bytecode.string(key[1].varint()), value


def functions(bytecode: Bytecode) -> tuple[FunctionInfo, ...]:
    """Return the functions of a portable artifact, in its order.

    Returns:
        The functions; none for other bytecode than a portable artifact.

    Raises:
        ArtifactError: The file's tables are inconsistent.
    """
    if _FUNCTION_OP not in map(str, bytecode.op_names()):
        return ()
    tables = Tables(bytecode)
    read = _from_properties if bytecode.version >= NATIVE_PROPERTIES else _from_dictionaries
    return tuple(read(tables))


def constant_bytes(bytecode: Bytecode) -> int:
    """Return the number of bytes of all tensor values: weights and other constants."""
    total = 0
    for entry in bytecode.attribute_sizes():
        if entry.dialect == "vhlo" and entry.custom and entry.size > 1:
            total += entry.size if bytecode.buffer[entry.start] >> 1 == TENSOR_DATA else 0
    return total
