"""Where the sharding of each value comes from, and what would make a collective needless.

Shardy's propagation notes the argument, result or constraint that each axis of a value's sharding began at, and the
step and the operand that carried it. What a collective costs is found by partitioning again: without one of the given
shardings at a time, so that propagation decides there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

from ..bindings import ir
from ..bindings.bytecode import copy_of
from ..bindings.context import is_registered_pass
from ..bindings.diagnostics import file_location
from ..bindings.walk import functions, operations
from ..dialect.loops import definer
from ..errors import ProviderError, StablehloError
from ..passes.guarded_pipeline import run_guarded_pipeline
from .attributes import Signed, attribute_dictionaries, set_shardings, signature
from .collectives import Collective
from .links import Links
from .partition import Partition, before_propagation

Again = Callable[[ir.Module], Partition]
_TRIES = 24
_EDGES, _ORIGINS, _NAME = "sdy.propagation_edges", "sdy.sharding_origins", "sdy.sharding_origin_name"
_IMPORT, _PROPAGATE = "sdy-import-pipeline", "sdy-user-priority-propagate"
_OPTIONS = "{debug-sharding-origins=true debug-propagation-edge-sharding=true}"
_MANUAL = re.compile(r"mc_(\d+)_(input|output)")
_EDGE = re.compile(r'\{"([^"]+)"(?::\(\d+\)\d+)? = ([a-z]+-\d+) -> \[([^\]]*)\]')


@dataclass(frozen=True)
class AxisOrigin:
    """An axis of a value's sharding: what gave it, and how it came from there.

    Attributes:
        axis: The name of the axis.
        source: `argument 0`, `result 1`, `the constraint at FILE:LINE`, or `given here`.
        step: The step of propagation, -1 where there was none.
        edge: What carried it there, such as `operand 0`.
    """

    axis: str
    source: str
    step: int = -1
    edge: str = ""

    def __str__(self) -> str:
        carried = f" (step {self.step}, by {self.edge})" if self.step >= 0 else ""
        return f"{self.axis} {'is' if self.source == 'given here' else 'from'} {self.source}{carried}"


@dataclass(frozen=True)
class Explained:
    """A value that is cut, and where each of its axes comes from."""

    name: str
    location: str
    axes: tuple[AxisOrigin, ...]


@dataclass(frozen=True)
class Proposal:
    """A given sharding that, left to propagation, removes collectives.

    Attributes:
        given: `argument 0`, `result 1` or the constraint's location.
        instead: The sharding that propagation gives it; empty for every device holding all, and for constraints.
        removes: The collectives that are no longer there.
        bytes_sent: What each device then sends in all.
    """

    given: str
    instead: str
    removes: tuple[Collective, ...]
    bytes_sent: int


def explained(module: ir.Module, **chosen: Any) -> list[Explained]:
    """Return the values of a global program that are cut, in its order.

    Args:
        module: The program.
        chosen: `mesh`, `in_shardings` and `out_shardings`, as `partition` takes them.

    Raises:
        StablehloError: As `partition`; ProviderError where Shardy keeps no notes.
    """
    local = before_propagation(module, **chosen)
    try:
        for pipeline in (_IMPORT, f"{_PROPAGATE}{_OPTIONS}"):
            run_guarded_pipeline(local, pipeline)
    except StablehloError as error:
        if "no such option" in str(error) or not is_registered_pass(_PROPAGATE):
            raise ProviderError("this provider's Shardy keeps no notes of propagation") from None
        raise
    function = functions(local.operation)["main"]
    places = {
        str(op.attributes[_NAME]).strip('"'): f"the constraint at {file_location(op.location)}"
        for op in operations(function)
        if _NAME in op.attributes
    }
    return [each for each in _values(function, places) if each.axes]


def _values(function: ir.Operation, places: Mapping[str, str]) -> Iterator[Explained]:
    for one in signature(function):
        count = sum(other.kind == one.kind for other in signature(function))
        own = attribute_dictionaries(function, one.kind, count)[one.number]
        yield Explained(f"{one.kind} {one.number}", "", tuple(_axes(own, 0, places)))
    for op in operations(function)[1:]:
        # The edges behind a loop or a barrier have the notes of its results.
        shown = definer(op.operands[0]) if op.name == "sdy.data_flow_edge" else op
        if _ORIGINS in op.attributes and shown is not None:
            for number in range(len(op.results)):
                axes = tuple(_axes(op.attributes, number, places))
                yield Explained(shown.name, file_location(shown.location), axes)


def _axes(attributes: Any, number: int, places: Mapping[str, str]) -> Iterator[AxisOrigin]:
    """Yield the axes in the notes of a value, by name."""
    if _ORIGINS not in attributes:
        return
    origins, edges = attributes[_ORIGINS], str(attributes[_EDGES]) if _EDGES in attributes else ""
    if isinstance(origins, ir.ArrayAttr):
        origins = origins[number]
    carried = {
        axis: (int(step.partition(" ")[0]), edge.replace("-", " "))
        for step in edges.split("step-")[1:]
        for axis, edge, targets in _EDGE.findall(step)
        if number == 0 or f"result-{number}" in targets
    }
    for each in ir.DictAttr(origins):
        source = _source(str(each.attr).strip('"'), places)
        yield AxisOrigin(each.name, source, *(carried.get(each.name, (-1, "")) if source != "given here" else (-1, "")))


def _source(text: str, places: Mapping[str, str]) -> str:
    kind, _, number = text.partition(": ")
    words = {"self": "given here", "input": f"argument {number}", "output": f"result {number}"}
    manual = _MANUAL.fullmatch(kind)
    if manual is not None:
        return f"{words[manual[2]]} of manual computation {manual[1]}"
    return words.get(kind) or places.get(text, text)


def proposals(module: ir.Module, found: Partition, again: Again) -> list[Proposal]:
    """Return the given shardings without which collectives go, those that leave the least to send first.

    Of equals arguments come last: an argument that is not cut takes memory. Each is tried by `again`, which partitions
    a program; of many, the first ones are.
    """
    made = list[Proposal]()
    for given, change in list(_changes(module))[:_TRIES] if found.collectives else ():
        changed = copy_of(module)
        change(changed)
        try:
            other = again(changed)
        except StablehloError:  # which this sharding made possible
            continue
        left = {(one.op, one.location) for one in other.collectives}
        removes = tuple([one for one in found.collectives if (one.op, one.location) not in left])
        if removes and other.bytes_sent < found.bytes_sent:
            instead = next((one.sharding for one in other.values if one.name == given), "")
            made.append(Proposal(given, instead, removes, other.bytes_sent))
    return sorted(made, key=lambda one: (one.bytes_sent, one.given.startswith("argument")))


def _changes(module: ir.Module) -> Iterator[tuple[str, Callable[[ir.Module], None]]]:
    """Yield each sharding that the program gives, and what takes it away from a copy."""
    known = functions(module.operation)
    values = signature(known["main"])
    for one in values:
        if one.sharding:
            count = sum(other.kind == one.kind for other in values)

            def leave(copy: ir.Module, one: Signed = one, count: int = count) -> None:
                set_shardings(functions(copy.operation)["main"], one.kind, count, {one.number: None})

            yield f"{one.kind} {one.number}", leave
    for number, op in enumerate(_constraints(module)):

        def drop(copy: ir.Module, number: int = number) -> None:
            found = _constraints(copy)[number]
            found.results[0].replace_all_uses_with(found.operands[0])
            found.erase()

        yield f"the constraint at {file_location(op.location)}", drop


def _constraints(module: ir.Module) -> list[ir.Operation]:
    return [op for op in operations(module.operation) if op.name == "sdy.sharding_constraint"]


@dataclass(frozen=True)
class Why:
    """The values of a partition that are cut with their origins, and proposals against its collectives."""

    partition: Partition
    values: tuple[Explained, ...]
    proposals: tuple[Proposal, ...]

    def as_dict(self) -> dict[str, Any]:
        """Return both as JSON holds them."""
        return {"why": [asdict(each) for each in self.values], "proposals": [asdict(each) for each in self.proposals]}

    def text(self, links: Links) -> str:
        """Return a line for each value, and for each collective what would make it needless."""
        lines = ["why:"]
        for value in self.values:
            lines.append(f"  {value.name}: {', '.join(map(str, value.axes))}{_behind(value.location)}")
        for one in self.partition.collectives:
            best = next((each for each in self.proposals if one in each.removes), None)
            told = "no single given sharding makes it needless"
            if best is not None:
                instead = f", which becomes {best.instead}" if best.instead else ""
                told = f"needless without the sharding of {best.given}{instead}: "
                told += f"{best.bytes_sent} B a device in all, {self.partition.bytes_sent} B now"
            amount = f"{one.runs * one.bytes_sent} B, {links.total([one]) * 1e6:,.1f} us"
            lines.append(f"  {one.op} ({amount}): {told}{_behind(one.location)}")
        return "\n".join(lines) + "\n"


def _behind(location: str) -> str:
    return f"  {location}" if location else ""


def why(module: ir.Module, found: Partition, partitioned: partial[Partition]) -> Why:
    """Explain a partition of a program.

    Args:
        module: The program.
        found: Its partition.
        partitioned: `partition` with the options that made it.

    Raises:
        StablehloError: As `explained`.
    """
    values = explained(module, **partitioned.keywords)
    return Why(found, tuple(values), tuple(proposals(module, found, partitioned)))
