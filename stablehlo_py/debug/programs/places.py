"""The origin of an op: the line of the user's program, and the stack of names that JAX keeps."""

from __future__ import annotations

from dataclasses import dataclass

from ...bindings import ir
from ...bindings.diagnostics import file_location
from ...bindings.locations import name_stack, parsed_location


@dataclass(frozen=True)
class Place:
    """An op of a program, for people and for JSON.

    Attributes:
        number: Its position in program order among the ops of its block, from 0.
        op: Its name.
        location: `file:line:column` of the source, or empty.
        name_stack: Names that the exporter gave, such as `jit(step)/dot_general`, or empty.
        path: The regions around it, the outermost first: `while #12 body, iteration 3`.
    """

    number: int
    op: str
    location: str
    name_stack: str
    path: tuple[str, ...] = ()

    def __str__(self) -> str:
        where = "".join(f"{part}: " for part in self.path)
        names = f" {self.name_stack}" if self.name_stack else ""
        location = f" at {self.location}" if self.location else ""
        return f"{where}#{self.number} {self.op}{names}{location}"


def place(op: ir.Operation, number: int, path: tuple[str, ...] = ()) -> Place:
    """The place of an op in its block."""
    return Place(number, op.name, file_location(op.location), name_stack(parsed_location(op.location)), path)
