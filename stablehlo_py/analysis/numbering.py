"""The numbers of ops, which all verbs count in `main` with its calls inlined, as `#3`, and in each region anew."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from ..bindings import ir
from ..bindings.locations import HAS_SETTERS
from ..bindings.walk import body_of, functions
from ..errors import InputError
from ..passes.inlining import MAIN, inlined

_POSITION = re.compile(r":(\d+):0")
_AROUND = re.compile(r"#(\d+) \S+ ([^,]*)")
_MOST_LABELS = 4
_REGIONS = {"stablehlo.while": ("condition", "body"), "stablehlo.if": ("true branch", "false branch")}


def region_title(op: str, index: int) -> str:
    """Return the name of region `index` of an op, for people."""
    if op in _REGIONS:
        return _REGIONS[op][index]
    return f"branch {index}" if op == "stablehlo.case" else f"region {index}"


@dataclass
class Numbering:
    """The numbers of the ops of a program, whose positions are those in its text.

    Attributes:
        spots: The position of each numbered op, followed by those of the calls that it was inlined at, innermost first.
        labels: The numbers as texts: `#3`, and `#12 body: #3` in a region.
    """

    spots: list[tuple[int, ...]] = field(default_factory=list[tuple[int, ...]])
    labels: list[str] = field(default_factory=list[str])
    _known: dict[tuple[int, str, int], int] = field(default_factory=dict[tuple[int, str, int], int])

    def add(self, spot: tuple[int, ...], number: int, around: int = -1, region: str = "") -> int:
        """Add an op of the region of the op that was added as `around`, and return how many were before."""
        self._known[around, region, number] = added = len(self.spots)
        outer = f"{self.labels[around]} {region}: " if region else ""
        self.spots.append(spot)
        self.labels.append(f"{outer if outer.count(':') < _MOST_LABELS else '…: '}#{number}")
        return added

    def find(self, path: Sequence[str], number: int) -> int | None:
        """Return the index in `spots` of the op with a number in the regions of `path`, or None."""
        around, region = -1, ""
        for part in path:
            found = _AROUND.match(part)
            inner = None if found is None else self._known.get((around, region, int(found[1])))
            if found is None or inner is None:
                return None
            around, region = inner, found[2]
        return self._known.get((around, region, number))

    def texts(self) -> dict[int, str]:
        """Return the numbers by position: `#0, #3` for an op that calls run twice, `#0 … #2` for a call."""
        own: dict[int, list[str]] = {}
        calls: dict[int, list[str]] = {}
        for (position, *callers), label in zip(self.spots, self.labels, strict=True):
            own.setdefault(position, []).append(label)
            for caller in callers[-1:]:
                first = calls.setdefault(caller, [label, label])
                if label.count(":") == first[0].count(":"):  # not in a region of what is called
                    first[1] = label
        texts = {position: " … ".join(dict.fromkeys(ends)) for position, ends in calls.items()}
        for position, labels in own.items():
            texts[position] = ", ".join([*labels[:_MOST_LABELS], *(["…"] if len(labels) > _MOST_LABELS else [])])
        return texts


def numbering(module: ir.Module) -> Numbering:
    """Return the numbers of the ops of a program; none if it has no `main`, or the bindings cannot move locations."""
    found = Numbering()
    if not HAS_SETTERS:
        return found
    try:
        copy = inlined(module, with_positions=True)
    except InputError:
        return found
    pending = [(functions(copy.operation)[MAIN], -1)]
    while pending:
        op, index = pending.pop()
        for region in range(len(op.regions)):
            title = "" if index == -1 else region_title(op.name, region)
            block = body_of(op, region) if len(op.regions[region].blocks) else None
            ops = [] if block is None else [inner.operation for inner in block.operations][:-1]
            for number, inner in enumerate(ops):
                spot = tuple(map(int, _POSITION.findall(str(inner.location))))
                added = found.add(spot, number, index, title)
                if len(inner.regions):
                    pending.append((inner, added))
    return found
