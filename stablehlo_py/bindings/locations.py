"""Locations as data, and moving them.

Locations are read from their text: only newer bindings have a class for each kind. Old ones cannot change the location
of an op or of a block argument either; there the whole program goes through text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TypeVar

from ..errors import STRING, UNNAMED
from .provider import ir
from .walk import blocks, operations

# As many callers as MLIR's own tools show for an inlined location.
_CALL_STACK_LIMIT = 10


@dataclass(frozen=True)
class FilePosition:
    """A range of a file, by line and column; a point has equal start and end."""

    filename: str
    line: int
    column: int
    end_line: int
    end_column: int

    @property
    def is_range(self) -> bool:
        return (self.line, self.column) != (self.end_line, self.end_column)

    def at_start(self) -> FilePosition:
        """Return the beginning of the range, as a point."""
        return FilePosition(self.filename, self.line, self.column, self.line, self.column)

    def __str__(self) -> str:
        return f"{self.filename}:{self.line}:{self.column}"


@dataclass(frozen=True)
class Name:
    """A name for the location `child`."""

    name: str
    child: ParsedLocation


@dataclass(frozen=True)
class CallSite:
    """`callee`, inlined at `caller`."""

    callee: ParsedLocation
    caller: ParsedLocation


@dataclass(frozen=True)
class Fused:
    """Several locations in one; `metadata` is the text of an attribute, or empty."""

    parts: tuple[ParsedLocation, ...]
    metadata: str = ""


@dataclass(frozen=True)
class Elsewhere:
    """A location of no file: an unknown one, or one of a kind that programs do not have."""

    text: str = "unknown"


ParsedLocation = FilePosition | Name | CallSite | Fused | Elsewhere
UNKNOWN = Elsewhere()

HAS_SETTERS = getattr(ir.Operation.location, "fset", None) is not None and hasattr(ir.BlockArgument, "set_location")

_STRING = r'"(?:[^"\\]|\\.)*"'
_RANGE = rf"({_STRING}):(\d+):(\d+)(?: to (\d*):(\d+))?"
_POSITION_OR_STRING = re.compile(rf"{_RANGE}|{_STRING}", re.DOTALL)
_TOKEN = re.compile(rf"{_RANGE}|({_STRING})|callsite\(|fused\[|fused<|unknown|\bat\b|[()\[\],]", re.DOTALL)
_DEEPEST = 200  # names and lists of locations in each other
_MOST_CALLERS = 500  # what dataclasses hash and compare without an error
_ESCAPE = re.compile(rb'\\(["\\nt]|[0-9A-Fa-f]{2})')
_PLAIN_ESCAPES = {b'"': b'"', b"\\": b"\\", b"n": b"\n", b"t": b"\t"}


def _unquoted(text: str) -> str:
    def plain(found: re.Match[bytes]) -> bytes:
        return _PLAIN_ESCAPES[found[1]] if found[1] in _PLAIN_ESCAPES else bytes([int(found[1], 16)])

    return _ESCAPE.sub(plain, text[1:-1].encode()).decode("utf-8", "replace")


def _position(found: re.Match[str]) -> FilePosition:
    line, column = int(found[2]), int(found[3])
    end_line = int(found[4]) if found[4] else line
    return FilePosition(_unquoted(found[1]), line, column, end_line, int(found[5]) if found[5] else column)


class _TooDeepError(Exception):
    """More locations lie in each other than anything here follows."""


class _Text:
    """A recursive descent over a printed location."""

    def __init__(self, text: str) -> None:
        self.text, self.position, self.depth = text, 0, 0

    def next(self) -> re.Match[str] | None:
        found = _TOKEN.search(self.text, self.position)
        if found is not None:
            self.position = found.end()
        return found

    def accept(self, token: str) -> bool:
        found = _TOKEN.search(self.text, self.position)
        if found is None or found[0] != token:
            return False
        self.position = found.end()
        return True

    def parsed(self) -> ParsedLocation:
        self.depth += 1
        callees: list[ParsedLocation] = []
        while self.accept("callsite("):
            callees.append(self.parsed())
            self.accept("at")
        if self.depth > _DEEPEST or len(callees) > _MOST_CALLERS:
            raise _TooDeepError
        found = self.innermost()
        for callee in reversed(callees):
            self.accept(")")
            found = CallSite(callee, found)
        self.depth -= 1
        return found

    def innermost(self) -> ParsedLocation:
        found = self.next()
        if found is None:
            return Elsewhere(self.text)
        if found[2] is not None:
            return _position(found)
        if found[6] is not None:
            child: ParsedLocation = UNKNOWN
            if self.accept("("):
                child = self.parsed()
                self.accept(")")
            return Name(_unquoted(found[6]), child)
        if found[0] == "fused<":
            start, self.position = self.position, _end_of_metadata(self.text, self.position)
            return self.parts(self.text[start : self.position - len(">[")])
        if found[0] == "fused[":
            return self.parts("")
        return UNKNOWN if found[0] == "unknown" else Elsewhere(self.text)

    def parts(self, metadata: str) -> Fused:
        locations = [self.parsed()]
        while self.accept(","):
            locations.append(self.parsed())
        self.accept("]")
        return Fused(tuple(locations), metadata)


def _end_of_metadata(text: str, start: int) -> int:
    """Return the beginning of the list of locations behind the metadata of a fused location, which ends in `>[`."""
    depth = 1
    for found in re.compile(rf"{_STRING}|->|[<>]", re.DOTALL).finditer(text, start):
        depth += {"<": 1, ">": -1}.get(found[0], 0)
        if depth == 0:
            return found.end() + 1
    return len(text)


def location_in_text(text: str) -> ParsedLocation:
    """Return the data of a printed location, `loc(…)`."""
    try:
        return _Text(text.removeprefix("loc(")).parsed()
    except _TooDeepError:
        return Elsewhere(text)


def parsed_location(location: ir.Location) -> ParsedLocation:
    """`location` as data."""
    return location_in_text(str(location))


def first_position(parsed: ParsedLocation) -> str:
    """`file:line:column` of the first position in a file that `parsed` holds, or an empty string."""
    if isinstance(parsed, FilePosition):
        return str(parsed if parsed.filename != UNNAMED else replace(parsed, filename=STRING))
    return next((found for part in _parts(parsed) if (found := first_position(part))), "")


def _parts(parsed: ParsedLocation) -> tuple[ParsedLocation, ...]:
    if isinstance(parsed, Name | CallSite):
        return (parsed.child if isinstance(parsed, Name) else parsed.callee,)
    return parsed.parts if isinstance(parsed, Fused) else ()


def name_stack(parsed: ParsedLocation) -> str:
    """The names that an exporter gave, such as `jit(f)/layer_0/dot_general`, or an empty string."""
    if isinstance(parsed, Name):
        return parsed.name
    return next((found for part in _parts(parsed) if (found := name_stack(part))), "")


def caller_positions(parsed: ParsedLocation) -> Iterator[str]:
    """Yield the positions that an inlined location was called from, the innermost first."""
    for _ in range(_CALL_STACK_LIMIT):
        if not isinstance(parsed, CallSite):
            return
        parsed = parsed.caller
        position = first_position(parsed)
        if position:
            yield position


def name_of(location: ir.Location) -> str | None:
    """Return the name in `location`, or None for another kind of location."""
    parsed = parsed_location(location)
    return parsed.name if isinstance(parsed, Name) else None


Move = Callable[[FilePosition], FilePosition]
_Program = TypeVar("_Program", ir.Module, ir.Operation)


def map_positions(program: _Program, move: Move) -> _Program:
    """`program` with `move` applied to every position in its locations. It is changed in place where
    the bindings can do that; otherwise the result is a copy."""
    if HAS_SETTERS:
        _map_in_place(program.operation, move)
        return program
    printed = program.operation.get_asm(enable_debug_info=True, print_generic_op_form=True)
    text = map_printed_positions(str(printed), move)
    if text == printed:
        return program
    context = program.operation.context
    if isinstance(program, ir.Module):
        return ir.Module.parse(text, context)
    return ir.Operation.parse(text, context=context).operation


def map_printed_positions(text: str, move: Move) -> str:
    """As `map_positions`, on a printed program: a quoted string in front of `:line:column` can only be a location."""

    def moved(found: re.Match[str]) -> str:
        if found[2] is None:
            return found[0]
        before = _position(found)
        after = move(before)
        return found[0] if after == before else _printed(after)

    return _POSITION_OR_STRING.sub(moved, text)


def _printed(position: FilePosition) -> str:
    name = position.filename.encode()
    quoted = "".join(f"\\{byte:02X}" if not 32 <= byte < 127 or byte in b'"\\' else chr(byte) for byte in name)
    point = f'"{quoted}":{position.line}:{position.column}'
    return f"{point} to {position.end_line}:{position.end_column}" if position.is_range else point


def _map_in_place(module: ir.Operation, move: Move) -> None:
    known: dict[str, ir.Location | None] = {}  # None for those that stay as they are

    def moved(location: ir.Location) -> ir.Location | None:
        text = str(location)
        if text not in known:
            after = map_printed_positions(text, move)
            at_new_location = None if after == text else ir.Module.parse(f"module {{}} {after}", module.context)
            known[text] = None if at_new_location is None else at_new_location.operation.location
        return known[text]

    for op in operations(module):
        after = moved(op.location)
        if after is not None:
            op.location = after
        for argument in [argument for block in blocks(op) for argument in block.arguments]:
            after = moved(argument.location)
            if after is not None:
                argument.set_location(after)
