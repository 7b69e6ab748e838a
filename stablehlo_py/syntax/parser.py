"""Source text, MLIR bytecode or a portable artifact → a module of the official dialects."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, TypeGuard

from ..bindings import ir, make_context
from ..bindings.capabilities import require
from ..bindings.context import has_dialect
from ..bindings.diagnostics import Sink, describe_exception, diagnostics_to, file_location, shows_op
from ..bindings.mapped import parse_mapped
from ..bindings.printable import unprintable
from ..bindings.walk import operations
from ..errors import (
    STRING,
    UNNAMED,
    ArtifactError,
    Diagnostic,
    DiagnosticsError,
    InputError,
    ParseError,
    VerificationError,
    as_diagnostics,
    documented_errors,
)
from ..isolation.policy import is_expendable
from .expansion import excess
from .printer import Printing, print_text
from .source import CHECK_PREFIX, Buffer, MappedBytecode, Source, binary_kind, is_buffer, printable_name, read_source

if TYPE_CHECKING:
    from .check_reader import Rewriting

_LOOKS_LIKE_A_PATH = r"[^\n{}%]+\.(mlir|mlirbc|bc|vhlo|txt|hlo|onnx|pt2|pb)"
_CHECK = CHECK_PREFIX.encode()
_GENERIC_CHECK = f'"{CHECK_PREFIX}'.encode()
# Bytecode keeps the name of a dialect as a string that ends in a zero.
_CHECK_IN_BYTECODE = CHECK_PREFIX[:-1].encode() + b"\0"

_VHLO_FUNCTION = b"vhlo.func_v1"

Check = Callable[[bytes], object]
"""A function that raises ArtifactError for damaged bytecode."""
Relocation = Callable[[str, int, int], tuple[str, int, int]]
_UNREGISTERED = (
    "operation being parsed with an unregistered dialect. If this is intended, please use "
    "-allow-unregistered-dialect with the MLIR tool used"
)


class BytecodeError(ParseError, ArtifactError):
    """Bytecode is damaged, or not a program of the dialects."""


def _relocated(diagnostic: Diagnostic, relocation: Relocation) -> Diagnostic:
    notes = tuple(_relocated(note, relocation) for note in diagnostic.notes)
    if not diagnostic.location:
        return diagnostic._replace(notes=notes)
    name, line, column = diagnostic.location.rsplit(":", 2)
    name, line, column = relocation(name, int(line), int(column))
    return diagnostic._replace(location=f"{name}:{line}:{column}", notes=notes)


def _relocate_operations(module: ir.Module, relocation: Relocation) -> ir.Module:
    """`module` with the location of every op and block argument moved; the parser gives those that have none the
    position in its text."""
    from ..bindings.locations import FilePosition, map_positions

    def moved(position: FilePosition) -> FilePosition:
        name, line, column = relocation(position.filename, position.line, position.column)
        if (name, line, column) == (position.filename, position.line, position.column):
            return position
        return FilePosition(name, line, column, line, column)

    return map_positions(module, moved)


class _Parsing:
    """One source on its way to a module. Diagnostics are collected with the positions of the user's file."""

    def __init__(self, source: Source, context: ir.Context) -> None:
        self.source = source
        self.context = context
        self.diagnostics: list[Diagnostic] = []
        self.rewriting: Rewriting | None = None

    def relocate(self, name: str, line: int, column: int) -> tuple[str, int, int]:
        if name not in (UNNAMED, STRING):
            return name, line, column
        if self.rewriting is not None:
            line, column = self.rewriting.original_position(line, column)
        return self.source.name, line, column

    def receive(self, diagnostic: Diagnostic) -> None:
        self.diagnostics.append(_relocated(diagnostic, self.relocate))

    def fail(self, location: str, message: str, *notes: Diagnostic) -> DiagnosticsError:
        self.receive(Diagnostic("error", location, message, notes))
        return self.rejection()

    def fail_at(self, offset: int, message: str) -> DiagnosticsError:
        """As `fail`, at an offset of the text."""
        data = self.source.data
        line, column = data.count(b"\n", 0, offset) + 1, offset - data.rfind(b"\n", 0, offset)
        return self.fail(f"{self.source.name}:{line}:{column}", message)

    def rejection(self) -> DiagnosticsError:
        """The verifier shows the op it rejects in a note; the parser has none to show."""
        if any(shows_op(note) for d in self.diagnostics for note in d.notes):
            return VerificationError(self.diagnostics)
        return (BytecodeError if self.source.is_bytecode else ParseError)(self.diagnostics)

    def run(self) -> ir.Module:
        """Return the verified module. Raises ParseError or VerificationError."""
        module = self._module()
        if any(diagnostic.severity == "error" for diagnostic in self.diagnostics):  # some of MLIR's readers go on
            raise self.rejection()
        return module

    def _module(self) -> ir.Module:
        too_much = None if self.source.is_bytecode else excess(self.source.data)
        if too_much is not None:
            raise self.fail_at(too_much[0], f"{too_much[1]}, which would take too long")
        if self._has_check_ops():
            return self._with_check_dialect()
        with diagnostics_to(self.context, self.receive):
            module = self._parse(self.source.data)
        found = unprintable(module.operation) if self.source.is_bytecode or _VHLO_FUNCTION in self.source.data else None
        if found is not None:
            raise self.fail(file_location(found[0].location), found[1])
        if self.source.name != STRING and not self.source.is_file and not self.source.is_bytecode:
            module = _relocate_operations(module, self.relocate)
        return module

    def _has_check_ops(self) -> bool:
        """Whether the source holds ops of the check dialect; those in a text are rewritten where they need it."""
        data = self.source.data
        if self.source.is_bytecode:
            return _CHECK_IN_BYTECODE in data
        if _CHECK not in data:
            return False
        from .check_reader import rewrite_check_ops
        from .scanner import ScanError

        try:
            self.rewriting = rewrite_check_ops(data.decode("latin-1"))  # one character a byte, as MLIR counts columns
        except ScanError as error:
            raise self.fail_at(error.position, error.message) from None
        return self.rewriting is not None or _GENERIC_CHECK in data

    def _parse(self, data: bytes) -> ir.Module:
        try:
            if isinstance(data, MappedBytecode):
                return parse_mapped(data.path, data, self.context)
            if self.source.is_file and self.rewriting is None:
                return ir.Module.parseFile(self.source.name, self.context)
            return ir.Module.parse(data, self.context)
        except ir.MLIRError:
            raise self.rejection() from None
        except (MemoryError, RuntimeError, ValueError) as error:  # how the bindings pass on C++ exceptions
            self.receive(describe_exception(error))
            raise self.rejection() from None

    def _with_check_dialect(self) -> ir.Module:
        """Check ops are unregistered ops, so unregistered dialects are allowed while reading; other unregistered ops
        are found here."""
        allowed = self.context.allow_unregistered_dialects
        if not allowed and not self.source.is_bytecode:
            self._reject_unknown_dialects(self.source.data.decode("latin-1"))
        self.context.allow_unregistered_dialects = True
        with diagnostics_to(self.context, self.receive):
            module = self._parse(self.source.data if self.rewriting is None else self.rewriting.text.encode("latin-1"))
        if self.source.name != STRING and not self.source.is_bytecode:
            module = _relocate_operations(module, self.relocate)
        self._verify_unregistered(module, allowed)
        return module

    def _reject_unknown_dialects(self, text: str) -> None:
        """Raise for types and attributes of unknown dialects, which the parser lets pass."""
        from .scanner import OPAQUE

        known: dict[str, bool] = {}
        for found in re.finditer(rf"{OPAQUE}|[!#]([A-Za-z_][\w$]*)[.<]", text):
            name = found[1]
            if name is not None and not known.setdefault(name, has_dialect(self.context, name)):
                kind = "type" if found[0].startswith("!") else "attribute"
                message = f"{kind} of unregistered dialect '{name}'; -allow-unregistered-dialect lets it pass"
                raise self.fail_at(found.start(), message)

    def _verify_unregistered(self, module: ir.Module, allowed: bool) -> None:
        """Receive an error for a check op that is not sound, and for other unregistered ops unless they are allowed."""
        registered: dict[str, bool] = {}
        unsound: list[tuple[ir.Operation, str]] = []
        for op in operations(module.operation, inner_first=True):
            name = op.name
            if not registered.setdefault(name, self.context.is_registered_operation(name)):
                message = (
                    check_op_violation(op) if name.startswith(CHECK_PREFIX) else None if allowed else _UNREGISTERED
                )
                if message is not None:
                    unsound.append((op, message))
        for op, message in unsound:
            location = file_location(op.location)
            shown = print_text(op, Printing(print_generic_op_form=True, use_local_scope=True))
            note = Diagnostic("note", location, f"see current operation: {shown}")
            self.receive(Diagnostic("error", location, message, (note,)))


def check_op_violation(op: ir.Operation) -> str | None:
    """Return the rule that the check op `op` breaks, or None."""
    from .check_dialect import GenericForm, violation
    from .scanner import ScanError, TextCursor

    printing = Printing(large_elements_limit=1, print_generic_op_form=True, use_local_scope=True, skip_regions=True)
    text = print_text(op, printing)
    try:
        return violation(GenericForm.read(TextCursor(text, text.index('"'))))
    except ScanError:
        return f"'{op.name}' op requires zero regions and zero successors"


def parse_source(
    source: Source, context: ir.Context, *, sink: Sink | None = None, check: Check | None = None
) -> ir.Module:
    """Return the verified module that `source` holds, read in this process, which damaged input can crash.

    Args:
        source: Text or bytecode.
        context: Where the module is made. Where the source holds check ops, it allows unregistered dialects after.
        sink: Receives warnings and remarks of a module that could be read; the error raised holds its diagnostics.
        check: Called with bytecode before it is read.

    Raises:
        ParseError: The source is not a program of the dialects; a BytecodeError where it is bytecode.
        VerificationError: The program breaks a constraint.
    """
    if check is not None and source.is_bytecode:
        _check(source, check)
    kind, notes = binary_kind(source.data)
    if kind:
        location = f"{source.name}:1:1"
        advice = tuple(Diagnostic("note", location, note) for note in notes)
        raise ParseError([Diagnostic("error", location, f"this is {kind}, not a program", advice)])
    if b"!mpmd." in source.data and not context.allow_unregistered_dialects and not has_dialect(context, "mpmd"):
        require("mpmd")
    parsing = _Parsing(source, context)
    module = parsing.run()
    if sink is not None:
        for diagnostic in parsing.diagnostics:
            sink(diagnostic)
    return module


def _check(source: Source, check: Check) -> None:
    try:
        check(source.data)
    except ArtifactError as error:
        location = f"{source.name}:0:0"  # as MLIR's reader of bytecode says it
        error.location = location
        raise BytecodeError(as_diagnostics(error)) from None


def _parse_job(source: Source | str, check: Check | None, context: ir.Context) -> tuple[ir.Module, None]:
    found = read_source(source) if isinstance(source, str) else source
    return parse_source(found, context, check=check), None


def parse_guarded(source: Source | str, context: ir.Context, check: Check | None = None) -> ir.Module:
    """Return the module in `source`, or in the file that it names, as `parse_source` does, but read it in a child
    process: this one reads the bytecode that the child wrote. Raises the same errors, ParseError for a crash."""
    from ..bindings.handover import module_in_child

    outcome = module_in_child(partial(_parse_job, source, check), context, _size(source))
    if outcome.crash:
        raise _crashed(source, outcome.crash, outcome.notes)
    return outcome.result()[0]


def _size(source: Source | str) -> int:
    if isinstance(source, Source):
        return len(source.data)
    try:
        return os.stat(source).st_size
    except OSError:  # the child says why
        return 0


def _crashed(source: Source | str, crash: str, notes: tuple[str, ...]) -> ParseError:
    """Return the error for a reader that crashed, with the line of the op that crashed it."""
    found = read_source(source) if isinstance(source, str) else source
    location = ""
    if not found.is_bytecode and crash.startswith("SIG"):
        from .crash_site import locate

        line = locate(found.data.decode("utf-8", "replace"))
        location = "" if line is None else f"{found.name}:{line}:1"
    kind = "bytecode" if found.is_bytecode else "text"
    remarks = tuple(Diagnostic("note", location, note) for note in notes)
    diagnostic = Diagnostic("error", location, f"MLIR's reader fails on the {kind}: {crash}", remarks)
    return (BytecodeError if found.is_bytecode else ParseError)([diagnostic])


def is_path(source: object) -> TypeGuard[os.PathLike[str]]:
    """Whether a program is given as the path of its file."""
    return isinstance(source, os.PathLike)


def as_source(source: object, source_name: str | None = None) -> Source:
    """Return what `parse` takes as a Source: a path is read, bytes, text and a Source are taken as they are.

    Raises:
        InputError: The file cannot be read, or `source` is none of these.
    """
    if isinstance(source, Source):
        return source
    if is_path(source):
        return read_source(os.fspath(source))
    if isinstance(source, str) and re.fullmatch(_LOOKS_LIKE_A_PATH, source):
        remedy = f"pass pathlib.Path({source!r}) to read the file"
        raise InputError(f"'{source}' is taken for a program", notes=[remedy])
    name = STRING if source_name is None else printable_name(source_name)
    if isinstance(source, str):
        with documented_errors():
            return Source(name, source.encode("utf-8", "surrogateescape"))
    if not is_buffer(source):
        notes = ["pass f.lower(…) of the function's arguments"] if hasattr(source, "lower") else []
        raise InputError(f"expected text, bytes or a path, not {type(source).__name__}", notes=notes)
    return Source(name, bytes(source))


def parse(
    source: str | Buffer | os.PathLike[str] | Source,
    *,
    context: ir.Context | None = None,
    source_name: str | None = None,
    allow_unregistered_dialects: bool = False,
    trust_input: bool = False,
    check: Check | None = None,
) -> ir.Module:
    """Return the verified module in `source`. A portable artifact comes as it is stored, in the VHLO dialect.

    Args:
        source: A path, or text, or bytes of text, MLIR bytecode or a portable artifact.
        context: Where the module is made; a new one with all dialects by default.
        source_name: The file name in locations and diagnostics of text and bytes, `-` by default.
        allow_unregistered_dialects: Whether a new context lets ops of unknown dialects pass.
        trust_input: Read in this process, which damaged input can crash.
        check: Called with bytecode before it is read, unless the input is trusted.

    Raises:
        InputError: The file cannot be read.
        ParseError: The source is not a program of the dialects; `diagnostics` hold the locations.
        ArtifactError: Bytecode is not; the error is a ParseError as well.
        VerificationError: The program breaks a constraint.
    """
    if context is None:
        context = make_context(allow_unregistered_dialects=allow_unregistered_dialects)
    if trust_input or is_expendable():
        return parse_source(as_source(source, source_name), context, check=None if trust_input else check)
    if isinstance(source, os.PathLike) and os.path.isfile(source):
        return parse_guarded(os.fspath(source), context, check)
    return parse_guarded(as_source(source, source_name), context, check)
