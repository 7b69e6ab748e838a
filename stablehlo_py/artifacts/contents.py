"""The functions of a portable artifact, read from its tables alone: no op is read, no type is built.

A function's op carries five attributes, among them its name and its type. From bytecode format 5 on they are an entry
of the section for properties, before that a dictionary among the attributes. Unknown parts of the
encoding of a newer version are shown as `?`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any, NamedTuple

from .bytecode import NATIVE_PROPERTIES, Bytecode, ByteCursor, Encoded, Section

# Codes of VHLO's encoding: upstream's VhloBytecode.cpp, which never changes one.
_STRING, TENSOR_DATA, _TYPE = 14, 15, 17
_PLAIN_TYPES = {
    0: "i1", 2: "bf16", 3: "f16", 4: "f32", 5: "f64", 6: "f8E4M3FN", 7: "f8E5M2", 9: "index", 10: "i4", 11: "i8",
    12: "i16", 13: "i32", 14: "i64", 15: "ui4", 16: "ui8", 17: "ui16", 18: "ui32", 19: "ui64", 22: "!stablehlo.token",
    26: "!shape.witness", 27: "f8E4M3FNUZ", 28: "f8E5M2FNUZ", 29: "f8E4M3B11FNUZ", 31: "i2", 32: "ui2", 33: "none",
    34: "tf32", 35: "f8E4M3", 36: "f8E3M4", 37: "f4E2M1FN", 38: "f6E2M3FN", 39: "f6E3M2FN", 40: "f8E8M0FNU",
}  # fmt: skip
# Codes of the builtin dialect's encoding.
_BUILTIN_DICTIONARY, _BUILTIN_STRING = 1, 2
_BUILTIN_PLAIN_TYPES = {1: "index", 3: "bf16", 4: "f16", 5: "f32", 6: "f64", 7: "f80", 8: "f128"}
FUNCTION, COMPLEX, INTEGER = "({}) -> ({})", "complex<{}>", "an integer"
TENSORS = ("tensor<{}{}>", "tensor<{1}{2}>", "vector<{}{}>")
# The texts of types, and the fields of their encodings.
_TYPES: dict[tuple[str, int], tuple[str, tuple[str, ...]]] = {
    ("vhlo", 1): (COMPLEX, ("type",)),
    ("vhlo", 8): (FUNCTION, ("types", "types")),
    ("vhlo", 20): (TENSORS[0], ("shape", "type")),
    ("vhlo", 21): (TENSORS[1], ("number", "shape", "type")),
    ("vhlo", 23): ("tuple<{}>", ("types",)),
    ("vhlo", 24): ("!quant.uniform<{1}:{2}, …>", ("number", "type", "type")),
    ("vhlo", 25): ("tensor<*x{}>", ("type",)),
    ("vhlo", 30): ("!quant.uniform<{1}:{2}, …>", ("number", "type", "type")),
    ("vhlo", 41): ("memref<{}{}>", ("shape", "type")),
    ("vhlo", 42): ("!stablehlo.future<{}>", ("types",)),
    ("builtin", 0): (INTEGER, ("number",)),
    ("builtin", 2): (FUNCTION, ("types", "types")),
    ("builtin", 9): (COMPLEX, ("type",)),
    ("builtin", 13): (TENSORS[0], ("shape", "type")),
    ("builtin", 14): (TENSORS[1], ("number", "shape", "type")),
    ("builtin", 15): ("tuple<{}>", ("types",)),
    ("builtin", 19): (TENSORS[2], ("shape", "type")),
    **{("vhlo", code): (name, ()) for code, name in _PLAIN_TYPES.items()},
    **{("builtin", code): (name, ()) for code, name in _BUILTIN_PLAIN_TYPES.items()},
}
DYNAMIC = -(1 << 63)
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


class EncodedType(NamedTuple):
    """A type: its text, with places for the fields, and these: their kinds and their numbers or lists of numbers."""

    dialect: str
    text: str
    fields: list[tuple[str, Any]]

    @property
    def parts(self) -> list[int]:
        """The numbers of the types that it is made of."""
        parts: list[list[int]] = [[value] if kind == "type" else value for kind, value in self.fields if "type" in kind]
        return list(chain.from_iterable(parts))


class Tables:
    """The attributes and types of a file, decoded one by one when they are asked for."""

    def __init__(self, bytecode: Bytecode) -> None:
        self.bytecode = bytecode
        self.attributes = bytecode.attribute_sizes()
        self.types = bytecode.type_sizes()
        self.types_left = _TYPES_SHOWN

    def open(self, entries: list[Encoded], number: int) -> tuple[str, int, ByteCursor] | None:
        """Return the dialect and the code of entry `number`, and a cursor behind the code; None for text."""
        entry = entries[number] if number < len(entries) else None
        if entry is None or not entry.custom or entry.start == entry.end:
            return None
        cursor = ByteCursor(self.bytecode.buffer, entry.start, entry.end)
        return entry.dialect, cursor.varint(), cursor

    def attribute(self, number: int, dialect: str, code: int) -> ByteCursor | None:
        """Return a cursor over the fields of attribute `number`, or None if it is of another kind."""
        found = self.open(self.attributes, number)
        return found[2] if found is not None and found[:2] == (dialect, code) else None

    def type(self, number: int) -> EncodedType | None:
        """Return type `number`, as `?` if its encoding is unknown; None if it is text."""
        found = self.open(self.types, number)
        if found is None:
            return None
        dialect, code, cursor = found
        text, kinds = _TYPES.get((dialect, code), ("?", ()))
        return EncodedType(dialect, text, [(kind, _field(kind, cursor)) for kind in kinds])

    def string(self, number: int) -> str | None:
        """Return the value of attribute `number` if it is a VHLO string."""
        found = self.attribute(number, "vhlo", _STRING)
        return None if found is None else self.bytecode.string(found.varint())

    def dictionaries(self) -> Iterator[tuple[int, list[tuple[int, int]]]]:
        """Yield the number of each dictionary, and its entries: the number of the name's string, and the value's."""
        for number in range(len(self.attributes)):
            cursor = self.attribute(number, "builtin", _BUILTIN_DICTIONARY)
            if cursor is None:
                continue
            entries = list[tuple[int, int]]()
            for _ in range(cursor.varint()):
                name, value = self.attribute(cursor.varint(), "builtin", _BUILTIN_STRING), cursor.varint()
                if name is not None:
                    entries.append((name.varint(), value))
            yield number, entries

    def function_type(self, number: int) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
        """Return the inputs and outputs if attribute `number` holds a function's type."""
        attribute = self.attribute(number, "vhlo", _TYPE)
        found = None if attribute is None else self.type(attribute.varint())
        if found is None or (found.dialect, found.text) != ("vhlo", FUNCTION):
            return None
        self.types_left = _TYPES_SHOWN
        inputs, outputs = (self._texts(numbers, 0) for _, numbers in found.fields)
        return inputs, outputs

    def _texts(self, numbers: list[int], depth: int) -> tuple[str, ...]:
        shown: list[str] = []
        for number in numbers:
            if self.types_left <= 0:
                return (*shown, "…")
            shown.append(self._text(number, depth + 1))
        return tuple(shown)

    def _text(self, number: int, depth: int) -> str:
        """Return type `number` as StableHLO writes it; `?` if its encoding is unknown."""
        found = self.type(number)
        self.types_left -= 1
        if found is None or found.dialect != "vhlo" or depth > _DEEPEST_TYPE or self.types_left < 0:
            return "?"
        texts: list[str] = []
        for kind, value in found.fields:
            if kind == "types":
                texts.append(", ".join(self._texts(value, depth)))
            elif kind == "shape":
                texts.append("".join("?x" if size == DYNAMIC else f"{size}x" for size in value))
            else:
                texts.append(self._text(value, depth + 1) if kind == "type" else "")
        return found.text.format(*texts)


def _field(kind: str, cursor: ByteCursor) -> Any:
    """Read a number, or a list of sizes or of the numbers of types; an entry takes at least a byte."""
    if kind not in ("shape", "types"):
        return cursor.varint()
    count = cursor.varint()
    read = cursor.signed_varint if kind == "shape" else cursor.varint
    return [read() for _ in range(min(count, cursor.end - cursor.position))]


def _from_properties(tables: Tables) -> Iterator[FunctionInfo]:
    cursor = tables.bytecode.cursor(Section.PROPERTIES)
    for _ in range(cursor.varint()):
        size = cursor.varint()
        end = cursor.position + size
        entry = ByteCursor(cursor.buffer, cursor.position, min(end, cursor.end))
        cursor.skip(size)
        found = _function(tables, entry)
        if found is not None:
            yield found


def _function(tables: Tables, entry: ByteCursor) -> FunctionInfo | None:
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
    for _, entries in tables.dictionaries():
        values = {tables.bytecode.string(name): value for name, value in entries}
        if "sym_name" in values and "function_type" in values:
            name, type_ = tables.string(values["sym_name"]), tables.function_type(values["function_type"])
            if name is not None and type_ is not None:
                yield FunctionInfo(name, *type_)


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
