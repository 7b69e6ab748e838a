"""Findings of other tools about the ops of a program, read from the JSON that they print."""

from __future__ import annotations

import json
import math
import os
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..bindings import ir
from ..bindings.diagnostics import file_location
from ..bindings.narrowing import is_dict, is_list
from ..errors import InputError, counted
from ..isolation.files import read_stream
from .numbering import Numbering


@dataclass(frozen=True)
class Mark:
    """A finding about one op: its location, its name or an empty string, a number to colour it by, and a text.

    `number` is the op's number in `path`, as debug verbs count. `function` and `index` are its position in the text of
    a function. Without either the op is found by its location and name.
    """

    location: str
    op: str
    value: float
    text: str
    number: int | None = None
    path: tuple[str, ...] = ()
    function: str = ""
    index: int | None = None


@dataclass(frozen=True)
class Overlay:
    """The marks of one tool. `name` is their title, `unit` the unit of their numbers, `culprit` the op to look at.

    `why` has rows that say why a sharded program is cut as it is, by their kind, each with the mark of its op.
    """

    name: str
    unit: str
    marks: tuple[Mark, ...]
    culprit: Mark | None = None
    why: Mapping[str, Sequence[tuple[dict[str, Any], Mark]]] = field(default_factory=dict[str, Any])

    def on(self, ops: Sequence[ir.Operation], heads: Mapping[str, int], numbered: Numbering) -> dict[str, Any]:
        """Return the marks by the positions of ops, and how many are of none."""
        finder = _Finder(ops, heads, numbered)
        numbers = Counter(spot[0] for spot in numbered.spots)
        found: dict[int, tuple[float, list[str]]] = {}
        inlined: dict[int, tuple[float, str]] = {}  # by call
        missed = 0
        for mark in self.marks:
            index, positions = finder.numbered(mark), finder.places(mark)
            text = mark.text
            if index is not None and numbers[positions[0]] > 1:
                text = f"{numbered.labels[index]}: {text}"
                for call in numbered.spots[index][1:]:
                    inlined[call] = max(inlined.get(call, (-1.0, "")), (mark.value, f"{mark.op} {text}"))
            missed += not positions
            for position in positions:
                value, texts = found.get(position, (0.0, []))
                found[position] = max(value, mark.value), [*texts, text]
        found.update({call: (value, [f"largest: {text}"]) for call, (value, text) in inlined.items()})
        marks = [
            [position, value if math.isfinite(value) else "Infinity", "\n".join(dict.fromkeys(texts))]  # JSON has none
            for position, (value, texts) in sorted(found.items())
        ]
        rows = {
            kind: [row | {"at": next(iter(finder.positions(mark)), -1)} for row, mark in each]
            for kind, each in self.why.items()
        }
        culprit = [] if self.culprit is None else finder.places(self.culprit)[:1]
        head = {"name": self.name, "unit": self.unit, "marks": marks, "missed": missed}
        return {**head, "culprit": culprit, "why": rows}


class _Finder:
    """Finds the ops of marks."""

    def __init__(self, ops: Sequence[ir.Operation], heads: Mapping[str, int], numbered: Numbering) -> None:
        self.ops, self.heads, self.numbering = ops, heads, numbered
        self.locations = [_short(file_location(op.location)) for op in ops]
        self.located: dict[str, list[int]] = {}
        for position, location in enumerate(self.locations):
            self.located.setdefault(location, []).append(position)

    def numbered(self, mark: Mark) -> int | None:
        """Return the index of the op with the mark's number, if it has the mark's name."""
        index = None if mark.number is None else self.numbering.find(mark.path, mark.number)
        if index is None or self.ops[self.numbering.spots[index][0]].name != mark.op:
            return None
        return index

    def places(self, mark: Mark) -> list[int]:
        """Return the positions of the ops that a mark is of."""
        index = self.numbered(mark)
        return list(self.positions(mark) if index is None else self.numbering.spots[index][:1])

    def is_located(self, mark: Mark, position: int) -> bool:
        """Whether an op has the mark's location, if it has one."""
        return not mark.location or self.locations[position] == _short(mark.location)

    def positions(self, mark: Mark) -> Sequence[int]:
        """Return the positions of the ops at the mark's index or location; of its name, if there are such."""
        if mark.index is not None and mark.function in self.heads:
            position = self.heads[mark.function] + mark.index
            if position < len(self.ops) and self.ops[position].name == mark.op and self.is_located(mark, position):
                return [position]
        if mark.op == "func.func" and self.heads:
            return [self.heads.get("main", next(iter(self.heads.values())))]
        located = self.located.get(_short(mark.location), []) if mark.location else []
        named = [position for position in located if not mark.op or self.ops[position].name == mark.op]
        return named if named else located


def _short(location: str) -> str:
    """Return the location without the folders: a program may have moved since the tool saw it."""
    return os.path.basename(location)


def read_overlay(path: str) -> Overlay:
    """Return the overlay in a file of JSON that a verb of `stablehlo` wrote.

    Raises:
        InputError: It cannot be read, or is of no tool that is known, or of another version of it.
    """
    try:
        with open(path, "rb") as file:
            value = json.loads(read_stream(file, path).decode("utf-8"))
    except OSError as error:
        raise InputError(f"cannot open input file '{path}': {error.strerror}") from None
    except ValueError as error:
        raise InputError(f"'{path}' is not JSON: {error}") from None
    try:
        found = overlay_of(value)
    except (KeyError, TypeError) as error:
        raise InputError(f"'{path}' is of another version of this tool: {error!r}") from None
    if found is None:
        raise InputError(
            f"'{path}' is of no tool whose results can be shown",
            notes=[
                "what stablehlo trace, numerics, partition, explain and diff print with --json can be shown, and what "
                "stablehlo-translate --profile-output writes"
            ],
        )
    return found


def overlay_of(value: Any) -> Overlay | None:
    """Return the overlay in a tool's data, such as `Trace.as_dict()`, or None if it is of another kind."""
    if is_list(value) and all(isinstance(one, dict) and "details" in one for one in value):
        return _diff(value)
    if not is_dict(value):
        return None
    return next((read(value) for key, read in _TOOLS.items() if key in value), None)


def _placed(one: dict[str, Any], value: float, text: str) -> Mark:
    """Return a mark of a tool that gives the positions of ops in their functions."""
    return Mark(one["location"], one["op"], value, text, function=one["function"], index=one["index"])


def _numbered(one: dict[str, Any], value: float, text: str) -> Mark:
    """Return a mark of a tool that counts ops as debug verbs do."""
    return Mark(one["location"], one["op"], value, text, one["number"], tuple(one["path"]))


def _profile(value: dict[str, Any]) -> Overlay:
    marks = [
        _placed(one, one["seconds"],
                f"{one['seconds'] * 1e3:.3f} ms in {one['count']} runs, {one['result_bytes']:,} bytes of results")
        for one in value["profile"]
    ]  # fmt: skip
    return Overlay("time", "s", tuple(marks))


def _trace(value: dict[str, Any]) -> Overlay:
    def marks() -> Iterator[Mark]:
        for row in value["rows"]:
            parts = [f"{kind.replace('_', ' ')} {row[kind]['amount']}" for kind in _ERRORS if row[kind] is not None]
            if row["wrong"]:
                parts.insert(0, f"wrong: {row['failure']}" if row["failure"] else "wrong")
            own = math.inf if row["wrong"] and row["local"] is None else _ulp(row["local"])  # not what comes to it
            yield _numbered(row, own, ", ".join(parts))
            inner = row["inside"]
            if inner is not None:
                yield _numbered(inner, own, f"wrong in {inner['path'][-1]}")

    culprit = None if value["culprit"] is None else _numbered(value["culprit"], 0.0, "")
    return Overlay(f"error of {value['engine']} against {value['reference']}", "ULP", tuple(marks()), culprit)


_ERRORS = ("local", "accumulated", "as_compiled")


def _ulp(found: dict[str, Any] | None) -> float:
    return 0.0 if found is None else float(found["max_ulp"])


def _numerics(value: dict[str, Any]) -> Overlay:
    marks: list[Mark] = []
    for one in value["contributions"]:
        causes = [f"; {cause} {share:.0%}" for cause, share in zip(one["causes"], one["elements"], strict=True)]
        known = one["grown"] is not None
        grown = f"relative error {one['total']:.4g}, of it new {one['grown']:.4g}" if known else one["unmeasured"]
        marks.append(
            _numbered(one, max(one["grown"] or 0.0, 0.0), f"introduces {one['amount']}; {grown}{''.join(causes)}")
        )
    return Overlay("loss of digits", "relative", tuple(marks))


def _partition(value: dict[str, Any]) -> Overlay:
    marks = list[Mark]()
    for one in value["values"]:
        sharding = one["sharding"] if one["sharding"] else "on every device"
        if one["location"]:
            marks.append(Mark(one["location"], one["name"], 0.0, f"sharding {sharding}"))
        else:  # an argument or a result
            marks.append(Mark("", "func.func", 0.0, f"{one['name']} {one['type']}: {sharding}"))
    for one in value["collectives"]:
        groups = f"{counted(len(one['groups']), 'group')} of {max(map(len, one['groups']), default=0)}"
        marks.append(
            Mark(one["location"], "", one["bytes_sent"], f"{one['op']}: {groups}, {one['bytes_sent']:,} B sent")
        )
    return Overlay("shardings and bytes sent", "B", tuple(marks), why=_reasons(value) if "why" in value else {})


def _reasons(value: dict[str, Any]) -> dict[str, Any]:
    """Return what `partition --why` prints as rows of a report."""
    nowhere = Mark("", "", 0.0, "")

    def key(one: dict[str, Any]) -> tuple[str, ...]:  # propagation makes a reshard of a constraint
        return re.sub(r"^sdy\..*", "sdy", one["name"]), one["type"], one["location"]

    shardings = {key(one): one["sharding"] for one in value["values"]}
    values, collectives = list[Any](), list[Any]()
    for one in value["why"]["values"]:
        layout = re.search(r"\[\{[^]]*\]", shardings.get(key(one), ""))
        op = one["name"] if one["location"] else "func.func"
        values.append((one | {"layout": layout[0] if layout else ""}, Mark(one["location"], op, 0.0, "")))
    for one in value["why"]["collectives"]:
        row = {name: one[name] for name in ("op", "location", "seconds", "demand", "tried")}
        row["sent"] = one["runs"] * one["bytes_sent"]
        collectives.append((row, Mark(one["location"], one["demand"]["consumer"], 0.0, "")))
    axes = [({"name": name, "size": size}, nowhere) for name, size in value["mesh"]["axes"].items()]
    return {"axes": axes, "values": values, "collectives": collectives}


def _explain(value: dict[str, Any]) -> Overlay:
    marks = [
        _placed(place, 1.0, f"{need['what']} needs {need['version']}")
        for need in value["blockers"]
        for place in need["places"]
    ]
    return Overlay(f"keeps it from {value['target']}", "blockers", tuple(marks))


def _diff(changes: list[dict[str, Any]]) -> Overlay:
    marks: list[Mark] = []
    for change in changes:
        if change["second"] or change["partner"]:
            place = {"location": change["second"], "function": change["partner"], "index": change["indices"][1]}
            marks.append(_placed({**change, **place}, 1.0, "\n".join([change["kind"], *change["details"]])))
    return Overlay("changes", "changes", tuple(marks))


# By the key that only this tool's results have.
_TOOLS: dict[str, Callable[[dict[str, Any]], Overlay]] = {
    "profile": _profile,
    "rows": _trace,
    "contributions": _numerics,
    "collectives": _partition,
    "blockers": _explain,
}
