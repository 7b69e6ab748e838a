"""The messages in the code of MLIR's dialects: the strings that the functions of a shared library refer to.

The library's symbol table gives the functions, and their code the addresses of strings: `lea register, [rip + offset]`
on x86-64. A message that is put together from parts is several strings.
"""

from __future__ import annotations

import re
import struct
from collections import defaultdict
from functools import cache
from pathlib import Path

import numpy as np

_SYMBOL = np.dtype(
    [("name", "<u4"), ("info", "u1"), ("other", "u1"), ("section", "<u2"), ("at", "<u8"), ("size", "<u8")]
)
_LEA = re.compile(rb"[\x48\x4c]\x8d[\x05\x0d\x15\x1d\x25\x2d\x35\x3d](....)", re.DOTALL)
_X86_64 = 0x3E
_DIALECTS = rb"4mlir(?:3hlo|9stablehlo|4chlo)"
# Functions, lambdas in them, and lambdas behind a `function_ref`.
_NAME = re.compile(rb"(?<=\0)(?:_ZZ?NK?|[^\0]*callback_fnIZZ?NK?)(" + _DIALECTS + rb"[^\0]*)")
# Functions that verify, infer or parse, without those that ODS generates.
_CHECKS = re.compile(
    r"hlo::(?!print|createRealType|getSameShape|deriveShape)"
    r"|(stablehlo(::interpreter)?|chlo)::(\w+(Op|Attr|Type)::(verify(?!Inv)\w*|infer\w*|parse)|parse\w+|\w+Dialect::parse"
    r"|_GLOBAL__N_1::([Ii]nfer|parse|verify|getNumpy)\w+)"
)
_GENERATED = re.compile(
    r"failed to satisfy constraint|requires attribute|^expected op |failed to parse \w+ parameter '|expected one of: "
    r"|to be one of: |in struct|struct parameter|struct is missing|custom parser failed|_segment_size"
    r"|^inherent attribute '"
)


def _path(mangled: str) -> str:
    """Return the plain names at the head of a mangled name: `hlo::verifyReduceOp`."""
    names: list[str] = []
    while found := re.match(r"L?(\d+)", mangled):
        end = found.end() + int(found[1])
        names.append(mangled[found.end() : end])
        mangled = mangled[end:]
    return "::".join(names[1:])


def _sections(data: np.ndarray) -> dict[bytes, tuple[int, int, int]]:
    """The address, the place in the file and the size of each section of an ELF file."""
    head = data[:64].tobytes()
    if head[:5] != b"\x7fELF\x02" or struct.unpack_from("<H", head, 0x12) != (_X86_64,):
        return {}
    (at,), (size, count, names) = struct.unpack_from("<Q", head, 0x28), struct.unpack_from("<HHH", head, 0x3A)
    rows = [struct.unpack_from("<IIQQQQ", data[at + i * size :].data) for i in range(count)]
    texts = data[rows[names][4] :][: rows[names][5]].tobytes()
    return {texts[row[0] : texts.index(b"\0", row[0])]: (row[3], row[4], row[5]) for row in rows}


@cache
def messages(library: Path) -> dict[str, set[str]]:
    """Return the parts of messages in a library, each with the functions that refer to it.

    Empty if the library is for another processor or has no symbol table.
    """
    data = np.memmap(library, dtype=np.uint8, mode="r")
    sections = _sections(data)
    if not {b".symtab", b".strtab", b".rodata"} <= sections.keys():
        return {}

    def content(name: bytes) -> bytes:
        _, at, size = sections[name]
        return data[at : at + size].tobytes()

    symbols = np.frombuffer(content(b".symtab"), _SYMBOL)
    names = {found.start(): _path(found[1].decode()) for found in _NAME.finditer(content(b".strtab"))}
    names = {offset: path for offset, path in names.items() if _CHECKS.match(path)}
    strings, base = content(b".rodata"), sections[b".rodata"][0]
    result: dict[str, set[str]] = defaultdict(set)
    for symbol in symbols[np.isin(symbols["name"], list(names)) & (symbols["size"] > 0)]:
        start = int(symbol["at"])
        holder = next(s for s in sections.values() if s[0] <= start < s[0] + s[2] and s[0])
        code = data[start - holder[0] + holder[1] :][: int(symbol["size"])].tobytes()
        for found in _LEA.finditer(code):
            target = start + found.end() + struct.unpack("<i", found[1])[0] - base
            if 0 < target < len(strings) and not strings[target - 1]:
                text = strings[target : strings.index(b"\0", target)].decode("latin-1")
                if len(text) > 7 and " " in text.strip() and text.isprintable() and not _GENERATED.search(text):
                    result[text].add(names[int(symbol["name"])])
    return dict(result)
