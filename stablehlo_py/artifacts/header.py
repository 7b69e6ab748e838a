"""Headers of bytecode files. Reading one takes milliseconds, as nothing here loads the bindings."""

from __future__ import annotations

import re
import textwrap
from typing import Any, NamedTuple

from ..errors import ArtifactError
from .bytecode import MAGIC, Buffer, Bytecode, Section
from .contents import FunctionInfo, constant_bytes, functions
from .versions import Version

_PRODUCER = re.compile(r"StableHLO_v(\d{1,9})\.(\d{1,9})\.(\d{1,9})")


_WIDTH = 100
_UNITS = ("B", "KiB", "MiB", "GiB")


class ArtifactInfo(NamedTuple):
    """The header of an MLIR bytecode file.

    `version` is the StableHLO version for which a portable artifact was written, None for other bytecode. `sections`
    maps the name of each section to its size in bytes, `constant_bytes` is the size of all tensor values.
    """

    version: Version | None
    bytecode_version: int
    producer: str
    size: int
    sections: dict[str, int]
    dialects: tuple[str, ...]
    op_names: tuple[str, ...]
    functions: tuple[FunctionInfo, ...]
    constant_bytes: int

    @property
    def is_portable(self) -> bool:
        """Whether the file is a portable artifact."""
        return self.version is not None

    def as_dict(self) -> dict[str, Any]:
        """Return the header as JSON has it."""
        return {
            "stablehlo_version": None if self.version is None else str(self.version),
            "bytecode_version": self.bytecode_version,
            "producer": self.producer,
            "size": self.size,
            "constant_bytes": self.constant_bytes,
            "sections": self.sections,
            "dialects": self.dialects,
            "ops": self.op_names,
            "functions": [function._asdict() for function in self.functions],
        }

    def __str__(self) -> str:
        version = "none: MLIR bytecode, but no portable artifact" if self.version is None else str(self.version)
        lines = [
            f"StableHLO version:        {version}",
            f"bytecode format version:  {self.bytecode_version}",
            f"producer:                 {self.producer}",
            f"size:                     {_size(self.size)}",
            f"  of it constants:        {_size(self.constant_bytes)}",
            f"dialects:                 {', '.join(self.dialects)}",
            f"kinds of ops:             {len(self.op_names)}",
            *textwrap.wrap(", ".join(self.op_names), _WIDTH, initial_indent="  ", subsequent_indent="  "),
            f"functions:                {len(self.functions)}",
            *(f"  {function}" for function in self.functions),
            "sections:",
            *(f"  {name + ':':<28}{_size(size)}" for name, size in self.sections.items()),
        ]
        return "\n".join(lines)


def _size(count: int) -> str:
    value, unit = float(count), 0
    while value >= 1024 and unit < len(_UNITS) - 1:
        value, unit = value / 1024, unit + 1
    return f"{count} B" if unit == 0 else f"{value:.1f} {_UNITS[unit]} ({count} B)"


def artifact_version(producer: str) -> Version | None:
    """Return the StableHLO version in the producer of a bytecode file, or None where another tool wrote it."""
    match = _PRODUCER.fullmatch(producer)
    return Version(*map(int, match.groups())) if match else None


def read_header(data: Buffer) -> ArtifactInfo:
    """Return the header of a bytecode file without deserializing it, so that any version can be read.

    Args:
        data: The file. It may be a memory map, of which only the pages with the header and the tables are read.

    Raises:
        ArtifactError: The data is not bytecode, or its structure is inconsistent.
    """
    return header_of(Bytecode(data))


def header_of(bytecode: Bytecode) -> ArtifactInfo:
    """Return the same as `read_header`, from tables that the caller has read."""
    bytecode.check()
    names = {int(section): section.name.lower() for section in Section}
    return ArtifactInfo(
        version=artifact_version(bytecode.producer),
        bytecode_version=bytecode.version,
        producer=bytecode.producer,
        size=len(bytecode.buffer),
        sections={names.get(number, f"section {number}"): each.size for number, each in bytecode.sections.items()},
        dialects=tuple(bytecode.dialects()),
        op_names=tuple(map(str, bytecode.op_names())),
        functions=functions(bytecode),
        constant_bytes=constant_bytes(bytecode),
    )


def is_bytecode(data: Buffer) -> bool:
    """Return whether `data` begins like MLIR bytecode, as a portable artifact does."""
    return bytes(data[:4]) == MAGIC


def artifact_version_line(data: Buffer) -> str:
    """Return the comment about the StableHLO version of an artifact in the words of MLIR's tools."""
    try:
        version = read_header(data).version
    except ArtifactError:
        version = None
    if version is None:
        return "// Failed parsing StableHLO version from portable artifact"
    return f"// Reading portable artifact with StableHLO version: {version}"
