"""Reproducers: a module and the pipeline that fails on it, in one file, as MLIR's tools write and run them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..errors import UsageError
from ..syntax import Source

if TYPE_CHECKING:
    from ..bindings import ir

_ENTRY = re.compile(rb"mlir_reproducer\s*:\s*\{((?:\"(?:[^\"\\]|\\.)*\"|[^}\"])*)\}\s*,?")
_PIPELINE = re.compile(rb'pipeline\s*:\s*"((?:[^"\\]|\\.)*)"')
_VERIFY = re.compile(rb"verify_each\s*:\s*(true|false)")
_EXTERNAL = re.compile(rb"external_resources\s*:\s*\{\s*\}\s*,?")
_METADATA = re.compile(rb"\{-#\s*#-\}")


def reproducer_of(module: ir.Module | ir.Operation, pipeline: str, *, verify_each: bool) -> bytes:
    """Return the text of a reproducer for `pipeline` on `module`."""
    from ..syntax import print_text

    text = print_text(module)
    quoted = pipeline.replace("\\", "\\\\").replace('"', '\\"')
    return (
        f"{text.rstrip()}\n\n{{-#\n  external_resources: {{\n    mlir_reproducer: {{\n"
        f'      pipeline: "{quoted}",\n      disable_threading: true,\n      verify_each: {str(verify_each).lower()}\n'
        "    }\n  }\n#-}\n"
    ).encode()


@dataclass(frozen=True)
class Reproduced:
    """A reproducer: the program, the pipeline, and whether to verify after each pass."""

    source: Source
    pipeline: str
    verify_each: bool


def read_reproducer(source: Source) -> Reproduced:
    """Read the reproducer in `source`.

    Raises:
        UsageError: There is no pipeline in it.
    """
    if source.is_bytecode:
        raise UsageError("--run-reproducer reads reproducers in text; the bindings hide those in bytecode")
    entry = _ENTRY.search(source.data)
    pipeline = None if entry is None else _PIPELINE.search(entry[1])
    if entry is None or pipeline is None:
        raise UsageError(f"--run-reproducer: {source.name} holds no pipeline (mlir_reproducer)")
    verify = _VERIFY.search(entry[1])
    gap = b"\n" * entry[0].count(b"\n")
    data = source.data[: entry.start()] + gap + source.data[entry.end() :]
    for empty in (_EXTERNAL, _METADATA):
        data = empty.sub(lambda found: b"\n" * found[0].count(b"\n"), data)
    text = re.sub(rb"\\(.)", rb"\1", pipeline[1]).decode()
    return Reproduced(Source(source.name, data), text, verify is None or verify[1] == b"true")
