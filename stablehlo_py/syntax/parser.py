"""Source text, MLIR bytecode or a portable artifact → a module of the official dialects."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable

from ..bindings import ir, make_context
from ..bindings.diagnostics import Sink, diagnostics_to
from ..errors import Diagnostic, DiagnosticsError, ParseError, VerificationError
from .source import Source, read_source

# The name that the bindings give to text that comes from no file.
NAMELESS = "-"

Relocation = Callable[[str, int, int], tuple[str, int, int]]


def _relocated(diagnostic: Diagnostic, relocation: Relocation) -> Diagnostic:
    notes = tuple(_relocated(note, relocation) for note in diagnostic.notes)
    if not diagnostic.location:
        return dataclasses.replace(diagnostic, notes=notes)
    name, line, column = diagnostic.location.rsplit(":", 2)
    name, line, column = relocation(name, int(line), int(column))
    return dataclasses.replace(diagnostic, location=f"{name}:{line}:{column}", notes=notes)


def _relocate_operations(module: ir.Module, relocation: Relocation) -> None:
    """Moves the location of every op and block argument; the parser gives those that have none a FileLineColLoc."""
    context = module.context

    def moved(location: ir.Location) -> ir.Location:
        if not isinstance(location, ir.FileLineColLoc):
            return location
        return ir.Location.file(*relocation(location.filename, location.start_line, location.start_col), context)

    def visit(op: ir.Operation) -> ir.WalkResult:
        op.location = moved(op.location)
        for region in op.regions:
            for block in region.blocks:
                for argument in block.arguments:
                    argument.set_location(moved(argument.location))
        return ir.WalkResult.ADVANCE

    module.operation.walk(visit)


def _rejection(diagnostics: list[Diagnostic]) -> DiagnosticsError:
    """The verifier shows the op it rejects in a note; the parser has none to show."""
    verifier = any(note.message.startswith("see current operation") for d in diagnostics for note in d.notes)
    return (VerificationError if verifier else ParseError)(diagnostics)


def parse_source(source: Source, context: ir.Context, *, sink: Sink | None = None) -> ir.Module:
    """The verified module that `source` holds; diagnostics go to `sink` as they come, and into the error raised.

    Raises ParseError or VerificationError.
    """
    diagnostics: list[Diagnostic] = []

    def relocation(name: str, line: int, column: int) -> tuple[str, int, int]:
        return (source.name if name == NAMELESS else name), line, column

    def receive(diagnostic: Diagnostic) -> None:
        diagnostics.append(_relocated(diagnostic, relocation))
        if sink is not None:
            sink(diagnostics[-1])

    with diagnostics_to(context, receive):
        try:
            if source.is_file:
                return ir.Module.parseFile(source.name, context)
            module = ir.Module.parse(source.data, context)
        except ir.MLIRError:
            raise _rejection(diagnostics) from None
    if source.name != NAMELESS and not source.is_bytecode:
        _relocate_operations(module, relocation)
    return module


def as_source(source: str | bytes | os.PathLike[str], source_name: str | None = None) -> Source:
    """What `parse` takes as a Source: a path is read, bytes and text are taken as they are. Raises InputError."""
    if isinstance(source, os.PathLike):
        return read_source(source)
    name = NAMELESS if source_name is None else source_name
    return Source(name, source.encode() if isinstance(source, str) else source)


def parse(
    source: str | bytes | os.PathLike[str],
    *,
    context: ir.Context | None = None,
    source_name: str | None = None,
    allow_unregistered_dialects: bool = False,
) -> ir.Module:
    """The verified module in `source`: a path, or text, or bytes of text, MLIR bytecode or a portable artifact.

    A portable artifact is returned as it is stored, in the VHLO dialect; `deserialize` gives StableHLO.
    `source_name` is the file name in locations and diagnostics where `source` is text or bytes; without it they say
    `-`. Without `context` a new one with all dialects is made. Raises InputError where the file cannot be read,
    ParseError and VerificationError, whose `diagnostics` hold the locations.
    """
    if context is None:
        context = make_context(allow_unregistered_dialects=allow_unregistered_dialects)
    return parse_source(as_source(source, source_name), context)
