"""The contents of a report, as data for the page: every op in columns, its text, and where it comes from."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ..abstract.errors import RefutedError
from ..bindings import ir
from ..bindings.locations import CallSite, Fused, Name, Place, first_position, place_of
from ..bindings.types import TypeReader
from ..bindings.walk import blocks, functions, operations
from ..errors import ArtifactError, PassError
from ..passes.abstract_reports import why_dynamic
from ..vhlo.explanation import Minimum, minimum
from .cost import AMOUNTS, Cost, OpCost, plain
from .listing import listing
from .overlays import Overlay
from .sizes import Amount, has_dynamic_types, weight

_CONTEXT_LINES = 3
_MOST_SOURCE_BYTES = 4 << 20
_LONGEST_SOURCE_LINE = 300


@dataclass
class Strings:
    """Texts by number, each once."""

    texts: list[str] = field(default_factory=list)
    numbers: dict[str, int] = field(default_factory=dict)

    def __call__(self, text: str) -> int:
        number = self.numbers.get(text)
        if number is None:
            number = self.numbers[text] = len(self.texts)
            self.texts.append(text)
        return number


@dataclass
class _Columns:
    """The ops of a program in the order of the text. An op is its number; a block argument is -1 - its number."""

    strings: Strings = field(default_factory=Strings)
    ops: list[ir.Operation] = field(default_factory=list)
    names: list[int] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    regions: list[int] = field(default_factory=list)
    results: list[int] = field(default_factory=list)
    locations: list[int] = field(default_factory=list)
    stacks: list[int] = field(default_factory=list)
    operands: list[list[int]] = field(default_factory=list)
    arguments: list[list[int]] = field(default_factory=list)  # the op that holds it, its number, its type

    def read(self, module: ir.Operation) -> None:
        """Fill the columns."""
        numbers: dict[ir.Value, int] = {}
        around: dict[ir.Operation, tuple[int, int]] = {}
        types: dict[ir.Type, int] = {}
        places: dict[str, tuple[int, int]] = {}

        def type_of(value: ir.Value) -> int:
            found = types.get(value.type)
            if found is None:
                found = types[value.type] = self.strings(str(value.type))
            return found

        for number, op in enumerate(operations(module)):
            parent, region = around.pop(op, (-1, 0))
            location = str(op.location)
            if location not in places:
                place = place_of(op.location)
                places[location] = self.strings(first_position(place)), self.strings("/".join(name_stack(place)))
            self.ops.append(op)
            self.names.append(self.strings(op.name))
            self.parents.append(parent)
            self.regions.append(region)
            self.results.append(self.strings(", ".join([self.strings.texts[type_of(value)] for value in op.results])))
            self.locations.append(places[location][0])
            self.stacks.append(places[location][1])
            self.operands.append([numbers.get(value, number) for value in op.operands])
            numbers.update(dict.fromkeys(op.results, number))
            for index, block in enumerate(blocks(op)):
                for argument in block.arguments:
                    numbers[argument] = -1 - len(self.arguments)
                    self.arguments.append([number, argument.arg_number, type_of(argument)])
                around.update({inner.operation: (number, index) for inner in block.operations})


def name_stack(place: Place) -> list[str]:
    """The names of a location from the outermost inwards: `jit(f)/layer_0/dot_general`, cut at the strokes."""
    if isinstance(place, Name):
        return place.name.split("/")
    if isinstance(place, CallSite):
        return name_stack(place.callee)
    if isinstance(place, Fused):
        return next((found for part in place.parts if (found := name_stack(part))), [])
    return []


def contents(module: ir.Module, title: str, found: Cost, overlays: Sequence[Overlay] = ()) -> dict[str, Any]:
    """The parts of a program that the page shows.

    Args:
        module: The program.
        title: What it is called.
        found: What it costs.
        overlays: What other tools found out about its ops.

    Returns:
        Values that JSON holds.
    """
    columns = _Columns()
    columns.read(module.operation)
    numbers = {op: number for number, op in enumerate(columns.ops)}
    heads = {name: numbers[op] for name, op in functions(module.operation).items()}
    text = listing(module)
    return {
        "title": title,
        "strings": columns.strings.texts,
        "ops": {
            "name": columns.names,
            "parent": columns.parents,
            "region": columns.regions,
            "result": columns.results,
            "location": columns.locations,
            "stack": columns.stacks,
            "operands": columns.operands,
            "line": text.places,
        },
        "arguments": columns.arguments,
        "functions": list(heads.values()),
        "cost": _cost_columns(found, heads),
        "totals": {**{name: plain(getattr(found, name)) for name in ("flops", "transcendentals", "bytes")},
                   "peak": plain(found.peak_bytes), "peak_at": found.peak_at, "intensity": found.intensity},
        "notes": list(found.notes),
        "version": _version(module),
        "dynamic": _dynamic_extents(module),
        "lines": text.lines,
        "sources": _sources([columns.strings.texts[number] for number in dict.fromkeys(columns.locations)]),
        "overlays": [overlay.on(columns.ops, heads) for overlay in overlays],
    }  # fmt: skip


def _cost_columns(found: Cost, heads: dict[str, int]) -> dict[str, Any]:
    """The costs of the ops that run: their numbers, a column for each amount, with symbols at 1024, and their texts."""
    ops: list[OpCost] = list(found.ops)
    columns: dict[str, Any] = {"op": [heads[one.function] + one.number for one in ops]}
    columns["runs"] = [one.runs for one in ops]
    for name in AMOUNTS:
        amounts: list[Amount] = [getattr(one, name) for one in ops]
        columns[name] = [weight(amount) for amount in amounts]
        texts = {str(place): str(amount) for place, amount in enumerate(amounts) if not isinstance(amount, int)}
        if texts:
            columns[f"{name}_texts"] = texts
    return columns


def _version(module: ir.Module) -> dict[str, Any] | None:
    """The oldest version that the program can be written for and what holds it there; None where it cannot be told."""
    try:
        found: Minimum = minimum(module, allow_other_dialects=True)
    except (ArtifactError, PassError):
        return None
    held = [{"what": need.feature.what, "places": [str(place) for place in need.places[:3]]} for need in found.held_by]
    return {"minimum": str(found.version), "held_by": held}


def _dynamic_extents(module: ir.Module) -> list[dict[str, Any]]:
    """For each unknown extent of a result: what it is of, and where it comes from."""
    if not has_dynamic_types(module, TypeReader()):
        return []
    try:
        lines = why_dynamic(module.operation).splitlines()
    except RefutedError as error:
        return [{"extent": str(error), "reasons": []}]
    found: list[dict[str, Any]] = []
    for line in lines:
        if line.startswith("  ") and found:
            found[-1]["reasons"].append(line.strip())
        elif line != "every extent is known":
            found.append({"extent": line, "reasons": []})
    return found


def _sources(places: Sequence[str]) -> dict[str, dict[str, str]]:
    """The lines of source files that locations name, and those around them, by file and number, where files exist."""
    wanted: dict[str, set[int]] = {}
    for place in places:
        name, _, rest = place.rpartition(":")[0].rpartition(":")
        if name and rest.isdigit():
            line = int(rest)
            wanted.setdefault(name, set()).update(range(line - _CONTEXT_LINES, line + _CONTEXT_LINES + 1))
    return {name: lines for name, numbers in wanted.items() if (lines := _lines_of(name, numbers))}


def _lines_of(name: str, numbers: set[int]) -> dict[str, str]:
    try:
        if not os.path.isfile(name) or os.path.getsize(name) > _MOST_SOURCE_BYTES:
            return {}
        with open(name, encoding="utf-8") as file:
            return {
                str(number): line.rstrip("\n")[:_LONGEST_SOURCE_LINE]
                for number, line in enumerate(file, 1)
                if number in numbers
            }
    except (OSError, UnicodeDecodeError):
        return {}
