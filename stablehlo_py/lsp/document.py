"""A text in an editor, with its outline, and its ops if it can be parsed."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from functools import cached_property
from threading import RLock

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
    """A text at one moment. Until it is compiled, all that is known is its outline, with the types that are written.

    Args:
        text: The text.
        before: The last document that was compiled, whose unchanged programs are not parsed again.
    """

    text: str
    before: Document | None = None
    _chunks: dict[bytes, Chunk] | None = None
    _lock: RLock = field(default_factory=RLock)  # what is made once, whichever thread asks first

    def compile(self) -> Document:
        """Parse the programs, which takes long, and return the document. Another thread may use it meanwhile."""
        if self._chunks is None:
            known = (self.before and self.before._chunks) or {}
            sources = split_source(Source(NAME, self.text.encode("utf-8", "surrogateescape")))[0]
            self._chunks = {one.data: known.get(one.data) or _read(one) for one in sources if one.data.strip()}
            self.before = None
        return self

    def __del__(self) -> None:
        if "_outline" in self.__dict__:
            self._outline.break_cycles()

    @property
    def compiled(self) -> Document | None:
        """Return this document if it is compiled, else the last one that was."""
        return self.before if self._chunks is None else self

    @property
    def outline(self) -> Outline:
        """The outline of the text."""
        with self._lock:
            return self._outline

    @cached_property
    def _outline(self) -> Outline:
        before = self.before.__dict__.get("_outline") if self.before is not None else None
        return Outline(self.text, before)

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """The compiler's diagnostics, in the order of the text."""
        return [diagnostic for chunk in (self._chunks or {}).values() for diagnostic in chunk.diagnostics]

    @property
    def is_whole(self) -> bool:
        """Whether all of the text could be parsed."""
        return self._chunks is not None and all(chunk.module is not None for chunk in self._chunks.values())

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

    def line_end(self, line: int) -> int:
        """Return the offset behind a line and its line break."""
        return self._line_starts[min(line + 1, len(self._line_starts) - 1)]

    def offset_of(self, location: str) -> int | None:
        """Return the offset of the compiler's `name:line:column`, which counts bytes; None for another file."""
        name, _, rest = location.partition(f"{NAME}:")
        line, _, column = rest.partition(":")
        if name or not (line.isdigit() and column.isdigit()) or not 0 < int(line) < len(self._line_starts):
            return None
        start = self._line_starts[int(line) - 1]
        content = self.text[start : self._line_starts[int(line)] - 1].encode("utf-8", "surrogateescape")
        return start + len(content[: max(int(column) - 1, 0)].decode("utf-8", "ignore"))

    @property
    def ops(self) -> dict[int, ir.Operation]:
        """The ops by the offsets of their statements; none until the document is compiled."""
        with self._lock:
            return {} if self._chunks is None else self._ops

    @cached_property
    def _ops(self) -> dict[int, ir.Operation]:
        found: dict[int, ir.Operation] = {}
        starts = self.outline.op_names
        for chunk in (self._chunks or {}).values():
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
        return None if statement is None else self.ops.get(statement.token.start)

    def value(self, definition: Definition, token: Token | None = None) -> ir.Value | None:
        """Return the value that a definition stands for; `token` may name another result, as in `%0#1`."""
        operation = self.op(definition.statement)
        if operation is None:
            return None
        index = result_number(definition, token)
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


def result_number(definition: Definition, token: Token | None) -> int:
    """Return the number of the result or argument that a token names, as 1 in `%0#1`."""
    _, mark, number = ("", "", "") if token is None else token.text.partition("#")
    return definition.index + (int(number) if mark else 0)


def _written_type(text: str, definition: Definition) -> str:
    """Return the type after the last colon of the statement, or after its arrow for its one result."""
    statement = definition.statement
    if statement is None or definition.kind != "result" or len(statement.results) != 1:
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
