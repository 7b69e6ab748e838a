"""A report on a program: a page with tables, a graph, its text, and the overlays of other tools."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from ..artifacts.explanation import Minimum, minimum
from ..bindings import ir
from ..bindings.locations import Name, first_position, name_stack, parsed_location
from ..bindings.types import TypeReader
from ..bindings.walk import blocks, functions, has_body, operations
from ..errors import ArtifactError, PassError, UsageError
from ..passes.abstract_reports import why_dynamic
from ..passes.inlining import MAIN
from ..shapes.errors import RefutedError
from .cost import AMOUNTS, Cost, OpCost, cost, plain
from .listing import listing
from .numbering import numbering
from .overlays import Overlay, overlay_of
from .page import Page, make_page
from .sizes import Amount, has_dynamic_types, weight

_SCRIPTS = (
    *("dagre.min.js", "common.js", "model.js", "sharding.js", "summary.js", "list.js"),
    *("groups.js", "graph.js", "moving.js", "view.js"),
)
# Where it is set, no source file outside this folder is read.
FOLDER_VARIABLE = "STABLEHLO_PY_FOLDER"
_CONTEXT_LINES = 3
_MOST_SOURCE_BYTES = 4 << 20
_LONGEST_SOURCE_LINE = 300


def view(module: ir.Module, *, title: str = "program", function: str = "main", overlays: Sequence[Any] = ()) -> Page:
    """Make a report on a program.

    Args:
        module: The program.
        title: What it is called.
        function: The function whose run is counted; for `main`, where it is missing, the first one.
        overlays: What other tools found out: overlays, results with `as_dict`, or the JSON that a verb prints.

    Returns:
        The page; nothing in it is fetched from anywhere.

    Raises:
        InputError: The program has no such function.
        UsageError: An overlay is of no tool whose results can be shown.
    """
    return make_page(title, "view.html", _SCRIPTS, report_data(module, title, function, overlays))


def report_data(module: ir.Module, title: str, function: str = "main", overlays: Sequence[Any] = ()) -> dict[str, Any]:
    """Return the contents of a report, with the arguments of `view`."""
    known = [name for name, op in functions(module.operation).items() if has_body(op)]
    if not known:
        raise UsageError("the program has no function to report on")
    found = cost(module, known[0] if function == MAIN and MAIN not in known else function)
    return contents(module, title, found, [_overlay(one) for one in overlays])


def _overlay(value: Any) -> Overlay:
    if isinstance(value, Overlay):
        return value
    found = overlay_of(value.as_dict() if hasattr(value, "as_dict") else value)
    if found is None:
        raise UsageError(f"an overlay has to be the result of a tool, found {type(value).__name__}")
    return found


class _Columns:
    """The ops of a program in the order of the text. An op is its position; a block argument is -1 - its number."""

    _NAMES = ("location", "stack", "name", "parent", "region", "result", "operands")

    def __init__(self, module: ir.Operation) -> None:
        self.strings: dict[str, int] = {}  # their numbers
        self.ops = operations(module)
        self.arguments: list[list[int]] = []  # the op that holds it, its number, type and name
        self._values: dict[ir.Value, int] = {}
        self._around: dict[ir.Operation, tuple[int, int]] = {}
        self._types: dict[ir.Type, str] = {}
        self._locations: dict[str, tuple[int, int]] = {}
        rows = [self._row(number, op) for number, op in enumerate(self.ops)]
        self.columns: dict[str, list[Any]] = dict(zip(self._NAMES, map(list, zip(*rows, strict=True)), strict=True))

    def _row(self, number: int, op: ir.Operation) -> tuple[Any, ...]:
        operands = [self._values.get(value, number) for value in op.operands]
        self._values.update(dict.fromkeys(op.results, number))
        for index, block in enumerate(blocks(op)):
            for argument in block.arguments:
                self._values[argument] = -1 - len(self.arguments)
                type_, name = self.string(self._type(argument)), self.string(_name_of(argument))
                self.arguments.append([number, argument.arg_number, type_, name])
            self._around.update({inner.operation: (number, index) for inner in block.operations})
        results = ", ".join(map(self._type, op.results))
        around = self._around.pop(op, (-1, 0))
        return *self._location(op), self.string(op.name), *around, self.string(results), operands

    def string(self, text: str) -> int:
        """Return the number of a text."""
        return self.strings.setdefault(text, len(self.strings))

    def _location(self, op: ir.Operation) -> tuple[int, int]:
        text = str(op.location)
        if text not in self._locations:
            parsed = parsed_location(op.location)
            self._locations[text] = self.string(first_position(parsed)), self.string(name_stack(parsed))
        return self._locations[text]

    def _type(self, value: ir.Value) -> str:
        if value.type not in self._types:
            self._types[value.type] = str(value.type)
        return self._types[value.type]


def _name_of(argument: ir.BlockArgument) -> str:
    """Return the name of an argument that JAX keeps in its location, such as `weights['head']`, or an empty text."""
    parsed = parsed_location(argument.location)
    return parsed.name if isinstance(parsed, Name) else ""


def contents(module: ir.Module, title: str, found: Cost, overlays: Sequence[Overlay] = ()) -> dict[str, Any]:
    """Return the parts of a program that the page shows.

    Args:
        module: The program.
        title: What it is called.
        found: What it costs.
        overlays: What other tools found out about its ops.

    Returns:
        Values that JSON holds.
    """
    columns = _Columns(module.operation)
    positions = {op: position for position, op in enumerate(columns.ops)}
    numbered = numbering(module)
    texts = numbered.texts()
    numbers = [columns.string(texts.get(position, "")) for position in range(len(columns.ops))]
    locations: list[int] = columns.columns["location"]
    heads = {name: positions[op] for name, op in functions(module.operation).items()}
    text = listing(module)
    strings = list(columns.strings)
    return {
        "title": title,
        "strings": strings,
        "ops": {**columns.columns, "line": text.line_numbers, "number": numbers},
        "arguments": columns.arguments,
        "functions": list(heads.values()),
        "cost": _cost_columns(found, heads),
        "totals": {**{name: plain(getattr(found, name)) for name in ("flops", "transcendentals", "bytes")},
                   "peak": plain(found.peak_bytes), "peak_at": found.peak_at, "intensity": found.intensity},
        "notes": list(found.notes),
        "version": _version(module),
        "dynamic": _dynamic_sizes(module),
        "lines": text.lines,
        "sources": _sources([strings[number] for number in dict.fromkeys(locations)]),
        "overlays": [overlay.on(columns.ops, heads, numbered) for overlay in overlays],
    }  # fmt: skip


def _cost_columns(found: Cost, heads: dict[str, int]) -> dict[str, Any]:
    """The costs of the ops that run: their numbers, a column for each amount, with symbols at 1024, and their texts."""
    ops: list[OpCost] = list(found.ops)
    columns: dict[str, Any] = {"op": [heads[one.function] + one.index for one in ops]}
    columns["runs"] = [one.runs for one in ops]
    for name in AMOUNTS:
        amounts: list[Amount] = [getattr(one, name) for one in ops]
        columns[name] = [weight(amount) for amount in amounts]
        texts = {str(place): str(amount) for place, amount in enumerate(amounts) if not isinstance(amount, int)}
        if texts:
            columns[f"{name}_texts"] = texts
    return columns


def _version(module: ir.Module) -> dict[str, Any] | None:
    """Return the oldest version that can hold the program and the features that need it; None if it is unknown."""
    try:
        found: Minimum = minimum(module, allow_other_dialects=True)
    except (ArtifactError, PassError):
        return None
    held = [{"what": need.feature.what, "places": [str(place) for place in need.places[:3]]} for need in found.held_by]
    return {"minimum": str(found.version), "held_by": held}


def _dynamic_sizes(module: ir.Module) -> list[dict[str, Any]]:
    """Return the origin of each unknown dimension size of a result."""
    if not has_dynamic_types(module, TypeReader()):
        return []
    try:
        lines = why_dynamic(module.operation).splitlines()
    except RefutedError as error:
        return [{"size": str(error), "reasons": []}]
    found: list[dict[str, Any]] = []
    for line in lines:
        if line.startswith("  "):
            found[-1]["reasons"].append(line.strip())
        elif line != "every size is known":
            found.append({"size": line, "reasons": []})
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
    folder = os.environ.get(FOLDER_VARIABLE, "")
    try:
        if folder and not os.path.realpath(name).startswith(os.path.join(folder, "")):
            return {}
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
