"""Why a program is cut as it is: where each axis comes from, what each collective settles, and what would remove it."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, NamedTuple

from ..bindings import ir
from ..bindings.build import attributes_of
from ..bindings.bytecode import copy_of
from ..bindings.capabilities import require
from ..bindings.diagnostics import file_location
from ..bindings.types import TypeReader
from ..bindings.walk import body_of, functions, operations
from ..errors import PassError, StablehloError
from ..interpreter.plan import byte_size
from ..passes.guarded_pipeline import run_guarded_pipeline
from .attributes import dictionaries_of, signature
from .collectives import Collective
from .demands import producer_of
from .links import Links
from .partition import Partition, partition

_TRACED = "sdy-import-pipeline,sdy-user-priority-propagate{debug-sharding-origins=true%s}"
_WITH_EDGES = " debug-propagation-edge-sharding=true"
_ORIGINS, _EDGES = "sdy.sharding_origins", "sdy.propagation_edges"
_CONSTRAINT = "sdy.sharding_constraint"
_EXPLAINED, _TRIES = 16, 4
"""The collectives, largest first, for which changes are tried, and the changes that are tried for each."""


class Origin(NamedTuple):
    """Where an axis of a value comes from.

    Attributes:
        axis: The axis.
        source: The argument, result or constraint that asks for it.
        step: The step of propagation that carried it to the value; None where the program says so itself.
        carried: How the step carried it.
    """

    axis: str
    source: str
    step: int | None = None
    carried: str = ""


@dataclass(frozen=True)
class Traced:
    """A value that is cut, and where its axes come from."""

    name: str
    type: str
    location: str
    origins: tuple[Origin, ...]


class ShardingChange(NamedTuple):
    """Another sharding of one argument, result or constraint, and the program with it.

    Attributes:
        source: What has another sharding.
        sharding: That sharding.
        removes: Whether the collective is gone.
        bytes_sent: What each device sends in all, before and after.
        bytes_held: What each device holds of arguments and results, before and after.
    """

    source: str
    sharding: str
    removes: bool
    bytes_sent: tuple[int, int]
    bytes_held: tuple[int, int]


@dataclass(frozen=True)
class Explained:
    """A collective, its time, and the changes that were tried to remove it, the best first."""

    collective: Collective
    seconds: float
    tried: tuple[ShardingChange, ...]


@dataclass(frozen=True)
class Why:
    """What `why` finds: the values that are cut, and the collectives that the partitioner inserted."""

    values: tuple[Traced, ...]
    collectives: tuple[Explained, ...]

    def as_dict(self) -> dict[str, Any]:
        """Return it as JSON holds it."""
        values = [asdict(one) | {"origins": [origin._asdict() for origin in one.origins]} for one in self.values]
        explained = [
            one.collective.as_dict() | {"seconds": one.seconds, "tried": [change._asdict() for change in one.tried]}
            for one in self.collectives
        ]
        return {"values": values, "collectives": explained}


def why(partitioned: Callable[[Callable[[str, ir.Module], None]], Partition], links: Links) -> tuple[Partition, Why]:
    """Explain a partition.

    Args:
        partitioned: Partitions the program, and calls its argument after each step.
        links: What times are told for.

    Returns:
        The partition, and why it is so.

    Raises:
        ProviderError: The provider's propagation does not say where axes come from.
    """
    require("sharding-origins")
    before = list[ir.Module]()

    def keep(step: str, module: ir.Module) -> None:
        if step != "localize" and not step.startswith(("sdy-", "keep-")):
            before[:] = [copy_of(module)]

    found = partitioned(keep)
    (program,) = before
    traced = _with_notes(program)
    function = functions(traced.operation)["main"]
    near: dict[tuple[str, str], dict[Origin, None]] = {}
    said = _said(functions(program.operation)["main"])
    values = tuple(_cut(_traced(function, said, near), found))
    inserted = [one for one in found.collectives if one.demand is not None]
    trials = _Trials(program, found, said, near)
    chosen = {id(one) for one in sorted(inserted, key=lambda one: -one.runs * one.bytes_sent)[:_EXPLAINED]}
    explained = [Explained(one, links.seconds(one), trials.of(one) if id(one) in chosen else ()) for one in inserted]
    return found, Why(values, tuple(explained))


def _cut(traced: Iterable[Traced], found: Partition) -> Iterator[Traced]:
    """Yield the values with the axes that cut them in the end: a size that they do not divide stays whole."""
    axes = defaultdict[tuple[str, str], set[str]](set)
    for placed in found.values:
        axes[placed.name, placed.location].update(placed.axes)
    for one in traced:
        cut = axes.get((one.name, one.location))  # the partition does not list arguments of regions
        origins = [each for each in one.origins if cut is None or each.axis.partition('"')[0] in cut]
        if origins:
            yield replace(one, origins=tuple(origins))


def _with_notes(program: ir.Module) -> ir.Module:
    """Return the program after propagation, with Shardy's notes; without those of edges if it rejects its own.

    jaxlib 0.10 does so at the edges behind loops.
    """
    for edges in (_WITH_EDGES, ""):
        traced = copy_of(program)
        try:
            run_guarded_pipeline(traced, _TRACED % edges)
            break
        except PassError:
            if not edges:
                raise
    return traced


def _said(function: ir.Operation) -> dict[str, str]:
    """Return the shardings that a program gives to arguments, results and constraints, by their names here."""
    found = {f"{one.kind} {one.number}": _dimensions(one.sharding) for one in signature(function)}
    for op in operations(function)[1:]:
        if op.name == _CONSTRAINT:
            found[f"{op.name} {file_location(op.location)}"] = _dimensions(str(op.attributes["sharding"]))
    return found


def _traced(
    function: ir.Operation, said: Mapping[str, str], near: dict[tuple[str, str], dict[Origin, None]]
) -> Iterator[Traced]:
    """Yield the values that are cut; `near` gets the origins at each op, those of its operands included."""
    names = {
        ir.StringAttr(op.attributes["sdy.sharding_origin_name"]).value: f"{op.name} {file_location(op.location)}"
        for op in operations(function)[1:]
        if "sdy.sharding_origin_name" in op.attributes
    }
    known: dict[ir.Value, tuple[Origin, ...]] = {}
    signed = signature(function)
    counts = Counter(one.kind for one in signed)
    attributes = {kind: dictionaries_of(function, kind, count) for kind, count in counts.items()}
    for one in signed:
        name, own = f"{one.kind} {one.number}", attributes[one.kind][one.number]
        places = _places(one.value) if one.kind == "argument" else [(function, own, f"result-{one.number}")]
        found = _origins(str(own.get(_ORIGINS, "")), name, places, names)
        origins = tuple([Origin(each.axis, name) if f'"{each.axis}"' in said[name] else each for each in found])
        if one.kind == "argument":
            known[one.value] = origins
        near.setdefault((name, ""), {}).update(dict.fromkeys(origins))
        if origins:
            yield Traced(name, str(one.value.type), "", origins)
    for op in operations(function)[1:]:
        each = re.findall(r"\{([^}]*)\}", str(op.attributes[_ORIGINS]) if _ORIGINS in op.attributes else "")
        for number, result in enumerate(op.results):
            name, location = producer_of(result)
            mine = each[number] if len(each) == len(op.results) else ""
            own_name = f"{name} {location}".strip()
            known[result] = origins = _origins(mine, own_name, _places(result), names)
            if origins:
                yield Traced(name, str(result.type), location, origins)
        for value in (*op.operands, *op.results):
            near.setdefault((op.name, file_location(op.location)), {}).update(dict.fromkeys(known.get(value, ())))


_Place = tuple[ir.Operation, Mapping[str, ir.Attribute], str]
"""An op with edges of propagation, its attributes, and Shardy's name there for a value."""


def _places(value: ir.Value) -> list[_Place]:
    """Return where steps may carry an axis to a value: the op that makes it, and those that take it.

    For what goes into or out of a region that is the edge of its data flow."""
    found = list[tuple[ir.Operation, str]]()
    for use in value.uses:
        op, number = use.owner.operation, use.operand_number
        parent = op.parent.operation if op.parent is not None else op
        if op.name in ("stablehlo.return", "sdy.return"):
            region = next(n for n, one in enumerate(parent.regions) if op.block in list(one.blocks))
            ends = [(parent.results[number], region)] if number < len(parent.results) else []
        elif op.name == "stablehlo.while":
            ends = [(op.results[number], 0)]
        else:
            ends = [(argument, 0) for argument in body_of(op).arguments][number : number + 1] if _is_manual(op) else []
        found += [
            (after.owner.operation, f"operand-{region}")
            for end, region in ends
            for after in end.uses
            if after.owner.operation.name == "sdy.data_flow_edge"
        ]
        found.append((op, f"operand-{number}"))
    if not isinstance(value.owner, ir.Block):
        found.append((value.owner.operation, f"result-{ir.OpResult(value).result_number}"))
    return [(op, attributes_of(op), target) for op, target in found]


def _is_manual(op: ir.Operation) -> bool:
    return op.name == "sdy.manual_computation"


def _origins(text: str, own: str, places: Sequence[_Place], names: Mapping[str, str]) -> tuple[Origin, ...]:
    """Read Shardy's dictionary of origins by axis, and find the step that carried each axis to the value."""
    found = list[Origin]()
    for quoted, plain, source in re.findall(r'(?:"([^"]+)"|([\w.]+)) = "([^"]+)"', text):
        axis, said = quoted or plain, names.get(source, source)
        if source == "self":
            found.append(Origin(axis, own))
            continue
        parts = re.fullmatch(r"(?:(.*)_)?(input|output): (\d+)", source)
        if parts:
            said = f"{'argument' if parts[2] == 'input' else 'result'} {parts[3]}"
            said += f" of {names.get(parts[1], parts[1])}" if parts[1] else ""
        found.append(Origin(axis, said, *_edge(axis, places)))
    return tuple(found)


def _edge(axis: str, places: Sequence[_Place]) -> tuple[int | None, str]:
    """Return the first step that carried an axis to one of the places."""
    found = list[tuple[int, str]]()
    for op, attributes, target in places:
        for step, moves in re.findall(r"step-(\d+) = \[(.*?\})\]", str(attributes.get(_EDGES, ""))):
            for name, source, targets in re.findall(r'\{"([^"]+)"\S* = (\S+) -> \[([^\]]*)\]', moves):
                if name == axis.partition(":")[0] and target in targets.split(", "):
                    flow = op.name.endswith("data_flow_edge") and producer_of(op.operands[0])
                    where = " ".join(flow or (op.name, file_location(op.location))).rstrip()
                    ends = f"from {source.replace('-', ' ')} to {target.replace('-', ' ')}"
                    found.append((int(step), f"{ends} of {where}"))
    return min(found, default=(None, ""))


class _Trials:
    """Partitions a program with one sharding changed, each change once."""

    def __init__(
        self,
        program: ir.Module,
        found: Partition,
        said: Mapping[str, str],
        near: Mapping[tuple[str, str], Mapping[Origin, None]],
    ) -> None:
        self._program, self._found, self._near = program, found, near
        self._outcomes: dict[tuple[str, str], Partition | None] = {}
        self._shardings = said

    def of(self, one: Collective) -> tuple[ShardingChange, ...]:
        """Try changes that may remove a collective; those that do come first, the fewest bytes first."""
        tried = list[ShardingChange]()
        for source, sharding in list(dict.fromkeys(self._candidates(one)))[:_TRIES]:
            outcome = self._partition(source, sharding)
            if outcome is not None:
                removes = self._count(outcome, one) < self._count(self._found, one)
                both = self._found, outcome
                sent, held = [one.bytes_sent for one in both], [_held(one.module) for one in both]
                tried.append(ShardingChange(source, sharding, removes, (sent[0], sent[1]), (held[0], held[1])))
        return tuple(sorted(tried, key=lambda change: (not change.removes, change.bytes_sent[1])))

    def _count(self, found: Partition, one: Collective) -> int:
        return sum((other.op, other.location) == (one.op, one.location) for other in found.collectives)

    def _candidates(self, one: Collective) -> Iterator[tuple[str, str]]:
        """Yield sources with other shardings: the other side's layout, then one without an axis that is moved."""
        demand = one.demand
        assert demand is not None
        ends = [
            (demand.producer, demand.producer_location, demand.wanted),
            (demand.consumer, demand.consumer_location, demand.had),
        ]
        for name, location, other in ends:
            source = f"{_CONSTRAINT} {location}" if name in (_CONSTRAINT, "sdy.reshard") else name
            if source in self._shardings and other.startswith("[") and not demand.is_halo:
                yield source, other
        axes = [_names(text) for text in (demand.had, demand.wanted)]
        moved = axes[0] ^ axes[1] or axes[0] | axes[1]
        moved = axes[1] if demand.is_halo else moved if demand.had.startswith("[") else axes[0]
        for name, location in [end[:2] for end in ends]:
            for origin in self._near.get((name, location), ()):
                had = self._shardings.get(origin.source, "")
                if origin.axis in moved and f'"{origin.axis}"' in had:
                    yield origin.source, _without(had, origin.axis)

    def _partition(self, source: str, sharding: str) -> Partition | None:
        """Return the program with another sharding; None if there is no such program."""
        if (source, sharding) not in self._outcomes:
            kind, _, rest = source.partition(" ")
            program = copy_of(self._program)
            ins, outs = [{int(rest): sharding} if kind == side else None for side in ("argument", "result")]
            if kind == _CONSTRAINT:
                for op in operations(functions(program.operation)["main"])[1:]:
                    if op.name == kind and file_location(op.location) == rest:
                        mesh = str(op.attributes["sharding"]).partition("@")[2].partition(",")[0]
                        text = f"#sdy.sharding<@{mesh}, {sharding}>"
                        op.attributes["sharding"] = ir.Attribute.parse(text, program.context)
            try:
                self._outcomes[source, sharding] = partition(program, in_shardings=ins, out_shardings=outs)
            except StablehloError:
                self._outcomes[source, sharding] = None
        return self._outcomes[source, sharding]


def _held(module: ir.Module) -> int:
    """Return the bytes of the arguments and results of a program."""
    types = TypeReader()
    return sum(byte_size(types[one.value.type]) for one in signature(functions(module.operation)["main"]))


def _names(text: str) -> set[str]:
    return set(re.findall(r'"([^"]+)"', text))


def _dimensions(sharding: str) -> str:
    """Return the list of dimensions in the print of a sharding."""
    found = re.search(r"\[.*\]", sharding)
    return found[0] if found else ""


def _without(sharding: str, axis: str) -> str:
    """Return a sharding without an axis."""
    kept = re.sub(rf'"{re.escape(axis)}"(:\(\d+\)\d+)?(, )?', "", sharding)
    return re.sub(r", (?=\})", "", kept)
