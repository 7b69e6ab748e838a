"""Printing with SSA names that are unique in the whole module, and with comments that say who uses a value.

The bindings' printer can do neither, but it names a value after a location. So a copy of the program gets a numbered
location for each op and block argument. In the printed text each number becomes the name that MLIR's own printer would
give, and each location the comment. Names and comments follow MLIR's rules: the ops of a region are numbered before the
ops of regions inside. An op without results has a number if users are shown. A name in use gets a number as a suffix.
"""

from __future__ import annotations

import re
from collections import ChainMap
from dataclasses import dataclass, replace
from itertools import count
from typing import NamedTuple

from ..bindings import ir
from ..bindings.build import detached_copy
from ..bindings.capabilities import require
from ..bindings.identity import address_of
from ..bindings.walk import blocks, children, operations, operations_of
from .printer import Printing, print_text

_NUMBERED = re.compile(r"%(\d+)")
_SUFFIXED = re.compile(r"(.+)_(\d+)")


@dataclass
class _Counts:
    """The next numbers of values and arguments, and the names that are taken."""

    value: int = 0
    argument: int = 0
    conflict: int = 0


_Taken = ChainMap[str, None]
"""The names that are taken in a region, and those in the regions around it."""


class _Names:
    """The name of every value in `op`, and of ops without results, by their numbers in `keys`."""

    def __init__(self, op: ir.Operation, *, unique: bool, number_all: bool) -> None:
        self.state = ir.AsmState(op)
        self.unique = unique
        self.number_all = number_all
        self.counts = _Counts()
        self.of_value: dict[ir.Value, str] = {}
        self.of_op: dict[int, str] = {}
        outermost = _Taken()
        self._number(op, outermost)
        pending = [(op, replace(self.counts), outermost)]
        while pending:
            parent, counts, taken = pending.pop()
            for region in parent.regions:
                if not unique:
                    self.counts = replace(counts)
                names = taken.new_child()
                for block in region.blocks:
                    for argument in block.arguments:
                        self._name(argument, names)
                    for inner in block.operations:
                        self._number(inner.operation, names)
                inside = reversed(operations_of(parent, region))
                pending += [(inner, replace(self.counts), names) for inner in inside if len(inner.regions)]

    def _number(self, op: ir.Operation, taken: _Taken) -> None:
        if len(op.results):
            self._name(op.results[0], taken)
            for result in list(op.results)[1:]:
                self.of_value[result] = self.of_value[op.results[0]]
        elif self.number_all:
            self.of_op[address_of(op)] = str(self.counts.value)
            self.counts.value += 1

    def _name(self, value: ir.Value, taken: _Taken) -> None:
        given = value.get_name(self.state).partition("#")[0]
        if isinstance(value.owner, ir.Block) and re.fullmatch(r"%arg\d+", given):
            name = f"arg{self.counts.argument}"
            self.counts.argument += 1
        elif _NUMBERED.fullmatch(given):
            name = str(self.counts.value)
            self.counts.value += 1
        else:
            name = self._free(given[1:], taken)
        taken[name] = None
        self.of_value[value] = name

    def _free(self, given: str, taken: _Taken) -> str:
        suffixed = _SUFFIXED.fullmatch(given)
        name = suffixed[1] if suffixed and suffixed[1] in taken else given
        while name in taken:
            name = f"{suffixed[1] if suffixed else given}_{self.counts.conflict}"
            self.counts.conflict += 1
        return name

    def value(self, value: ir.Value) -> str:
        """`%name`, with the position where the op has several results."""
        name = f"%{self.of_value[value]}"
        owner = value.owner
        if isinstance(owner, ir.Block) or len(owner.operation.results) == 1:
            return name
        return f"{name}#{ir.OpResult(value).result_number}"

    def users(self, value: ir.Value) -> list[str]:
        """Return names of the ops that use `value`, each op once: its results, or its number."""
        ops = {address_of(use.owner.operation): use.owner.operation for use in value.uses}.values()
        return [
            name
            for op in ops
            for name in ([self.value(result) for result in op.results] or [f"%{self.of_op[address_of(op)]}"])
        ]  # fmt: skip

    def op_comment(self, op: ir.Operation) -> str:
        """Return the comment after an op, or an empty text."""
        if not len(op.results):
            return f" // id: %{self.of_op[address_of(op)]}" if len(op.operands) else ""
        uses = [self.users(result) for result in op.results]
        if not any(uses):
            return " // unused"
        users = {address_of(use.owner.operation): use.owner for result in op.results for use in result.uses}
        alone = len(users) == 1 and sum(len(user.operation.results) for user in users.values()) <= 1
        lists = [", ".join(found) or "unused" for found in uses]
        shown = lists[0] if len(lists) == 1 else ", ".join(f"({text})" for text in lists)
        return f" // {'user' if alone else 'users'}: {shown}"

    def argument_comment(self, argument: ir.BlockArgument) -> str:
        """Return the line about a block argument."""
        users = ", ".join(self.users(argument))
        return f"// {self.value(argument)} is {f'used by {users}' if users else 'unused'}"


def print_with_names(op: ir.Operation, printing: Printing, *, unique: bool, users: bool) -> str:
    """Return the text of `op`, as `print_text` gives it.

    Args:
        op: What to print; it stays as it is.
        printing: How to print.
        unique: No two values of the module share a number.
        users: Add a comment to each op and block argument that says who uses it.

    Raises:
        ProviderError: The bindings cannot change locations.
    """
    require("location-setters")
    copy = detached_copy(op)
    names = _Names(copy, unique=unique, number_all=users)
    generic = print_text(copy, Printing(print_generic_op_form=True))
    marker = next(word for number in count() if (word := f"_v{number}_") not in generic)
    marked = _Marked(copy, names, marker, keep=printing.enable_debug_info)
    how = printing._replace(use_name_loc_as_prefix=True, enable_debug_info=True, use_local_scope=True)
    text = marked.locations_replaced(print_text(copy, how), users=users)
    text = re.sub(rf"%{marker}(\d+)", lambda found: f"%{marked.marks[int(found[1])].name}", text)
    return text if text.endswith("\n") or op.name != "builtin.module" else f"{text}\n"


class _Mark(NamedTuple):
    """Return the replacement of a numbered location, whose text has `size` characters: a name, a comment, or the
    original location."""

    name: str
    comment: str
    location: str
    size: int


class _Marked:
    """A program whose ops and block arguments have numbered locations."""

    def __init__(self, op: ir.Operation, names: _Names, marker: str, *, keep: bool) -> None:
        self.marker = marker
        self.marks: list[_Mark] = []
        self.op_numbers: dict[int, int] = {}
        self.first_ops: list[tuple[ir.Operation, list[str]]] = []
        self.keep = keep
        for inner in operations(op):
            name = names.of_value[inner.results[0]] if len(inner.results) else ""
            self.op_numbers[address_of(inner)] = len(self.marks)
            inner.location = self._mark(inner.location, name, names.op_comment(inner) if names.number_all else "")
            for block in blocks(inner):
                for argument in block.arguments:
                    argument.set_location(self._mark(argument.location, names.of_value[argument], ""))
                if names.number_all and len(block.arguments):
                    comments = [names.argument_comment(argument) for argument in block.arguments]
                    self.first_ops.append((block.operations[0].operation, comments))

    def _mark(self, location: ir.Location, name: str, comment: str) -> ir.Location:
        marked = ir.Location.name(f"{self.marker}{len(self.marks)}", location, context=location.context)
        self.marks.append(_Mark(name, comment, str(location), len(str(marked))))
        return marked

    def locations_replaced(self, text: str, *, users: bool) -> str:
        """Return `text` with comments in place of the locations; requested locations stay."""
        parts: list[str] = []
        position = 0
        lines: dict[int, int] = {}  # of each marked thing: the line of the result where its location stands
        line = 0
        for found in re.finditer(rf' loc\("{self.marker}(\d+)"', text):
            number = int(found[1])
            before = text[position : found.start()]
            mark = self.marks[number]
            kept = f" {mark.location}" if self.keep else ""
            parts.append(f"{before}{kept}{mark.comment}")
            line += before.count("\n")
            lines[number] = line
            position = found.start() + 1 + mark.size
        parts.append(text[position:])
        result = "".join(parts)
        return self._with_argument_comments(result, lines) if users and self.first_ops else result

    def _with_argument_comments(self, text: str, lines: dict[int, int]) -> str:
        printed = text.split("\n")
        defined = {
            int(found[1]): index
            for index, line in enumerate(printed)
            if (found := re.match(rf" *%{self.marker}(\d+)\b", line))
        }
        inserted: dict[int, list[str]] = {}
        for op, comments in self.first_ops:
            index = self._first_line(op, defined, lines)
            if index is not None:
                inserted.setdefault(index, []).extend(comments)
        lines_with_comments: list[str] = []
        for index, line in enumerate(printed):
            indent = line[: len(line) - len(line.lstrip())]
            lines_with_comments += [*(f"{indent}{comment}" for comment in inserted.get(index, ())), line]
        return "\n".join(lines_with_comments)

    def _first_line(self, op: ir.Operation, defined: dict[int, int], lines: dict[int, int]) -> int | None:
        """Return the offset of the first character of `op`, or None if it is unknown."""
        above = 0
        while True:
            number = self.op_numbers[address_of(op)]
            inner = children(op)
            if number in defined or not inner:
                found = defined.get(number, lines.get(number))
                return None if found is None else found - above
            op, above = inner[0], above + 1
