"""A text in an editor, with its outline, and its ops if it can be parsed."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from functools import cached_property

from ..bindings import ir, make_context
from ..bindings.diagnostics import file_location
from ..bindings.walk import blocks, operations
from ..errors import Diagnostic, DiagnosticsError, StablehloError
from ..syntax import Source, parse, split_source
from ..syntax.outline import Definition, Outline, Statement
from ..syntax.tokens import Token, without_locations

# The name of the text in locations: no file has it.
NAME = "<editor>"


@dataclass(eq=False)
class Chunk:
    """A program between split markers: the module, or None if it is wrong, and the compiler's diagnostics."""

    module: ir.Module | None
    diagnostics: list[Diagnostic]


@dataclass(eq=False)
class Document:
    """A text at one moment.

    Args:
        text: The text.
        before: The document before the last change, whose unchanged programs are not parsed again.
    """

    text: str
    before: Document | None = None
    _chunks: dict[bytes, Chunk] = field(default_factory=dict[bytes, Chunk])

    def __post_init__(self) -> None:
        known = self.before._chunks if self.before is not None else {}
        self.before = None
        for chunk in split_source(Source(NAME, self.text.encode("utf-8", "surrogateescape")))[0]:
            if chunk.data.strip():
                self._chunks[chunk.data] = known.get(chunk.data) or _read(chunk)

    @cached_property
    def outline(self) -> Outline:
        """The outline of the text."""
        return Outline(self.text)

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """The compiler's diagnostics, in the order of the text."""
        return [diagnostic for chunk in self._chunks.values() for diagnostic in chunk.diagnostics]

    @property
    def is_whole(self) -> bool:
        """Whether all of the text could be parsed."""
        return all(chunk.module is not None for chunk in self._chunks.values())

    @cached_property
    def _line_starts(self) -> list[int]:
        starts = [0]
        for line in self.text.split("\n"):
            starts.append(starts[-1] + len(line) + 1)
        return starts

    def line_of(self, offset: int) -> int:
        """Return the number of the line, from 0, that holds an offset."""
        return min(bisect_right(self._line_starts, offset), len(self._line_starts) - 1) - 1

    def line_start(self, line: int) -> int:
        """Return the offset of the first character of a line."""
        return self._line_starts[min(max(line, 0), len(self._line_starts) - 2)]

    def offset_of(self, location: str) -> int | None:
        """Return the offset of the compiler's `name:line:column`, which counts bytes; None for another file."""
        name, _, rest = location.partition(f"{NAME}:")
        line, _, column = rest.partition(":")
        if name or not (line.isdigit() and column.isdigit()) or not 0 < int(line) < len(self._line_starts):
            return None
        start = self._line_starts[int(line) - 1]
        content = self.text[start : self._line_starts[int(line)] - 1].encode("utf-8", "surrogateescape")
        return start + len(content[: max(int(column) - 1, 0)].decode("utf-8", "ignore"))

    @cached_property
    def _ops(self) -> dict[int, ir.Operation]:
        """The ops by the offsets of their statements."""
        found: dict[int, ir.Operation] = {}
        starts = {statement.token.start for statement in self.outline.all_statements()}
        for chunk in self._chunks.values():
            for operation in () if chunk.module is None else operations(chunk.module.operation):
                offset = self.offset_of(file_location(operation.location))
                if offset is None:
                    continue
                if offset not in starts:  # the location is behind the name where an op has a syntax of its own
                    statement = self.outline.statement_at(offset)
                    offset = statement.token.start if statement and statement.name == operation.name else offset
                found.setdefault(offset, operation)
        return found

    def op(self, statement: Statement | None) -> ir.Operation | None:
        """Return the op that a statement stands for, if its program could be parsed."""
        return None if statement is None else self._ops.get(statement.token.start)

    def value(self, definition: Definition, token: Token | None = None) -> ir.Value | None:
        """Return the value that a definition stands for; `token` may name another result, as in `%0#1`."""
        operation = self.op(definition.statement)
        if operation is None:
            return None
        index = definition.index
        if token is not None and "#" in token.text:
            index += int(token.text.partition("#")[2])
        if definition.kind == "result":
            return operation.results[index] if index < len(operation.results) else None
        arguments = [argument for block in blocks(operation) for argument in block.arguments]
        return arguments[index] if definition.kind == "argument" and index < len(arguments) else None

    def type_of(self, definition: Definition, token: Token | None = None) -> str:
        """Return the type of a value as text: of the program, or as written; empty if it is unknown."""
        value = self.value(definition, token)
        if value is not None:
            return str(value.type)
        return definition.type or _written_type(self.text, definition)

    def definition_of(self, value: ir.Value) -> Definition | None:
        """Return where a value of the program is defined in the text."""
        owner = value.owner
        operation = owner.operation if isinstance(owner, (ir.OpView, ir.Operation)) else owner.owner.operation
        offset = self.offset_of(file_location(operation.location))
        statement = None if offset is None else self.outline.statement_at(offset)
        for definition in () if statement is None else (*statement.results, *statement.arguments):
            if self.value(definition) == value:
                return definition
        return None


def _written_type(text: str, definition: Definition) -> str:
    """Return the type after the last colon of the statement, or after its arrow for its one result."""
    statement = definition.statement
    if statement is None or definition.kind != "result" or len(statement.results) != 1 or definition.index:
        return ""
    bare = without_locations(text[statement.token.start : statement.end].encode("utf-8", "surrogateescape"))
    written = bare.decode("utf-8", "surrogateescape").rstrip()
    for mark in (") -> ", " : "):
        _, found, type_ = written.rpartition(mark)
        if found and "\n" not in type_:
            return type_.strip()
    return ""


def _read(chunk: Source) -> Chunk:
    try:
        return Chunk(parse(without_locations(chunk.data), context=make_context(), source_name=NAME), [])
    except DiagnosticsError as error:
        return Chunk(None, list(error.diagnostics))
    except StablehloError as error:
        return Chunk(None, [Diagnostic("error", error.location, error.message)])
