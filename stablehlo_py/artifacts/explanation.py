"""Reasons why a program cannot be written for a version, and the oldest version that can hold it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..bindings import ir
from ..bindings.build import add_block, attributes_of, create, detached_copy
from ..syntax.tables import table
from .artifact import legalize_to_vhlo, try_downgrade
from .needs import Need, NeedsOfOps, Occurrence, collect_needs, occurrences, signature
from .versions import Feature, Version, opset_versions

_UNKNOWN = "unknown"


@dataclass(frozen=True)
class Explanation:
    """The features that prevent writing a program for `target`: `blockers`, newest feature first.

    `minimum` is the oldest version for which it can be written.
    """

    target: Version
    minimum: Version
    blockers: tuple[Need, ...]

    def __repr__(self) -> str:
        return f"<Explanation: {len(self.blockers)} blockers of {self.target}, the oldest that fits is {self.minimum}>"

    def _repr_html_(self) -> str:
        rows = [(need.feature.what, need.version, need.feature.lift, ", ".join(map(str, need.places[:3])))
                for need in self.blockers]  # fmt: skip
        return table(repr(self)[1:-1], ("what", "needs", "to lift it", "places"), rows)


def _can_downgrade(vhlo: ir.Operation, target: Version) -> bool:
    """Return whether the dialect converts a copy of the VHLO module to version `target`."""
    return try_downgrade(detached_copy(vhlo), target) is None


def _isolated(operations: Sequence[ir.Operation]) -> ir.Module:
    """Return a module with a module for each of `operations`, which has no ops in its regions there."""
    context = operations[0].context
    with context, ir.Location.unknown(context):
        module = ir.Module.create()
        for operation in operations:
            home = create("builtin.module", results=(), regions=1, at=ir.InsertionPoint(module.body))
            point = ir.InsertionPoint(add_block(home.regions[0]))
            types = [operand.type for operand in operation.operands]
            operands = create("builtin.unrealized_conversion_cast", [], types, at=point).results if types else ()
            types, attributes = [result.type for result in operation.results], attributes_of(operation)
            copy = create(operation.name, operands, types, attributes, regions=len(operation.regions), at=point)
            for region in copy.regions:
                create("vhlo.return_v1", results=(), at=ir.InsertionPoint(add_block(region)))
    return module


def _stuck(operations: Sequence[ir.Operation], target: Version) -> list[ir.Operation]:
    """Return the operations without a form in `target`, found by bisection."""
    if not operations or _can_downgrade(_isolated(operations).operation, target):
        return []
    if len(operations) == 1:
        return list(operations)
    middle = len(operations) // 2
    return _stuck(operations[:middle], target) + _stuck(operations[middle:], target)


def _unexplained(found: Sequence[Occurrence], needs_of: NeedsOfOps, target: Version) -> list[Need]:
    """Return the ops without a form in `target` whose reason is unknown."""
    innocent = {
        signature(occurrence.operation): occurrence.operation
        for occurrence in found
        if occurrence.operation.name.startswith("vhlo.")
        and all(feature.version <= target for feature in needs_of.of(occurrence.operation))
    }
    unknown: list[Need] = []
    for operation in _stuck(list(innocent.values()), target):
        key = signature(operation)
        places = [occurrence.place for occurrence in found if signature(occurrence.operation) == key]
        alone = _isolated([operation]).operation
        oldest = next(version for version in opset_versions() if _can_downgrade(alone, version))
        name, form = operation.name.removeprefix("vhlo."), "in this form"
        feature = Feature(oldest, f"{name} {form}", _UNKNOWN, (name,), f"{operation.name} {form}", "", "", "")
        unknown.append(Need(feature, places))
    return unknown


class _Program:
    """A program in VHLO, and its known needs."""

    def __init__(self, module: ir.Module, *, allow_other_dialects: bool) -> None:
        self.vhlo = legalize_to_vhlo(module, allow_other_dialects=allow_other_dialects)
        self.needs_of = NeedsOfOps()
        self.known = collect_needs(occurrences(self.vhlo), self.needs_of)

    def blockers(self, target: Version) -> tuple[Need, ...]:
        """Return the features and ops that `target` cannot hold, newest first."""
        newer = [need for need in self.known if need.version > target]
        if not newer and _can_downgrade(self.vhlo, target):
            return ()
        unknown = _unexplained(list(occurrences(self.vhlo)), self.needs_of, target)
        return tuple(sorted([*newer, *unknown], key=lambda need: need.version, reverse=True))

    def oldest(self) -> Version:
        """Return the oldest version that can hold the program: the first that works, from its known needs on."""
        needed = max((need.version for need in self.known), default=opset_versions()[0])
        candidates = [version for version in opset_versions() if version >= needed]
        return next(version for version in candidates if _can_downgrade(self.vhlo, version))


def explain(module: ir.Module, target: Version, *, allow_other_dialects: bool = False) -> Explanation:
    """Return what prevents writing `module` for `target`.

    Raises:
        ArtifactError: The module contains something other than StableHLO.
    """
    program = _Program(module, allow_other_dialects=allow_other_dialects)
    return Explanation(target, program.oldest(), program.blockers(target))


@dataclass(frozen=True)
class Minimum:
    """The oldest version that can hold a program, and the features that need it.

    The oldest of all versions has no such features.
    """

    version: Version
    held_by: tuple[Need, ...]


def minimum(module: ir.Module, *, allow_other_dialects: bool = False) -> Minimum:
    """Return the oldest version that can hold `module`.

    Raises:
        ArtifactError: The module contains something other than StableHLO.
    """
    program = _Program(module, allow_other_dialects=allow_other_dialects)
    oldest = program.oldest()
    versions = opset_versions()
    if oldest == versions[0]:
        return Minimum(oldest, ())
    before = versions[versions.index(oldest) - 1]
    return Minimum(oldest, tuple(need for need in program.blockers(before) if need.version == oldest))
