"""The choice of the axes along which each dimension of an op is cut: the one that moves the fewest bytes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ..bindings import ir
from .halos import HaloRange
from .layouts import Atoms, Devices, Layout, whole
from .rules import Factor, Rule


class Exchange(NamedTuple):
    """The halos of one dimension.

    Attributes:
        operands: The numbers of the operands.
        dimension: Their dimension.
        number: The dimension's number in the op's lists.
        atoms: The atoms that cut it.
        needs: The range of each operand.
    """

    operands: list[int]
    dimension: int
    number: int
    atoms: Atoms
    needs: list[HaloRange]


class LayoutChoice(NamedTuple):
    """The layouts that a local op needs and gives.

    Attributes:
        operands: The layouts of its operands.
        results: The layouts of its results.
        reduced: The atoms along which the terms of the results are spread.
        exchanges: The halos.
    """

    operands: list[Layout]
    results: list[Layout]
    reduced: Atoms
    exchanges: list[Exchange]


def choose(
    devices: Devices, op: ir.Operation, rule: Rule, have: Sequence[Layout], wanted: Sequence[Layout]
) -> LayoutChoice:
    """Choose the layouts of an op.

    Args:
        devices: The devices.
        op: The op of the global program.
        rule: Its rule.
        have: The layouts of its operands.
        wanted: The layouts that propagation found for its results.

    Returns:
        The cheapest of the choices that follow the results, or one of the operands, first.
    """
    operands, results = [[whole(_rank(value)) for value in values] for values in (op.operands, op.results)]
    if not rule.factors or not any(any(layout) for layout in (*have, *wanted)):
        return LayoutChoice(operands, results, (), [])
    found = list[LayoutChoice]()
    for cuts in _with_gathers(devices, rule.factors, _candidates(devices, rule.factors, have, wanted)):
        layouts = [[list(layout) for layout in each] for each in (operands, results)]
        for factor, atoms in zip(rule.factors, cuts, strict=True):
            for values, positions in zip(layouts, (factor.operands, factor.results), strict=True):
                for number, d in positions:
                    values[number][d] = atoms
        reduced = sum([atoms for factor, atoms in zip(rule.factors, cuts, strict=True) if not factor.results], ())
        exchanges = _exchanges(devices, rule.factors, cuts).values()
        ins, outs = [[tuple(each) for each in values] for values in layouts]
        found.append(LayoutChoice(ins, outs, reduced, [*exchanges]))
    return found[0] if len(found) == 1 else min(found, key=lambda choice: _cost(devices, op, choice, have, wanted))


def _rank(value: ir.Value) -> int:
    return ir.ShapedType(value.type).rank if isinstance(value.type, ir.RankedTensorType) else 0


def _candidates(
    devices: Devices, factors: Sequence[Factor], have: Sequence[Layout], wanted: Sequence[Layout]
) -> Iterator[list[Atoms]]:
    """Yield the atoms of each factor: the results choose first, then each operand in its turn."""
    seen = set[tuple[Atoms, ...]]()
    operands = [number for number, layout in enumerate(have) if any(layout)]
    for first in (-1, *operands[:4]):
        taken, cuts = set[int](), list[Atoms]([()] * len(factors))
        for number in (first, *[other for other in (*operands, -1) if other != first]):
            for index, factor in enumerate(factors):
                if cuts[index]:
                    continue
                asked = (
                    [wanted[n][d] for n, d in factor.results]
                    if number < 0
                    else [have[n][d] for n, d in factor.operands if n == number]
                )
                fits = [devices.fitted(atoms, factor.size, taken) for atoms in asked]
                cuts[index] = next(
                    (fit for fit in fits if fit and (not factor.halos or _exchange(devices, factor, fit))), ()
                )
                taken.update(cuts[index])
        if tuple(cuts) not in seen:
            seen.add(tuple(cuts))
            yield cuts


def _exchange(devices: Devices, factor: Factor, atoms: Atoms) -> Exchange | None:
    """Return the halos of a factor; None if it cannot be cut."""
    found = [need for halo in factor.halos if (need := halo.need(devices.parts(atoms))) is not None]
    numbers, dimension = [number for number, _ in factor.operands], factor.operands[0][1]
    return Exchange(numbers, dimension, factor.halos[0].number, atoms, found) if len(found) == len(numbers) else None


def _exchanges(devices: Devices, factors: Sequence[Factor], cuts: Sequence[Atoms]) -> dict[int, Exchange]:
    """Return the halos by the numbers of factors."""
    cut = [(n, factor, atoms) for n, (factor, atoms) in enumerate(zip(factors, cuts, strict=True)) if atoms]
    found = {n: _exchange(devices, factor, atoms) for n, factor, atoms in cut if factor.halos}
    return {n: one for n, one in found.items() if one is not None}


def _with_gathers(
    devices: Devices, factors: Sequence[Factor], candidates: Iterable[list[Atoms]]
) -> Iterator[list[Atoms]]:
    """Yield each choice of atoms, then the same choice with dimensions gathered that have halos."""
    for cuts in candidates:
        yield cuts
        found = _exchanges(devices, factors, cuts).items()
        sent = [n for n, one in found if any(need.sent for need in one.needs)]
        for gathered in [*[[n] for n in sent], *[sent] * (len(sent) > 1)]:
            yield [() if n in gathered else atoms for n, atoms in enumerate(cuts)]


def _cost(
    devices: Devices, op: ir.Operation, choice: LayoutChoice, have: Sequence[Layout], wanted: Sequence[Layout]
) -> float:
    """Return the bytes that each device receives for an op, and for bringing its results to the wanted layouts."""
    total = 0.0
    for value, before, after in zip(op.operands, have, choice.operands, strict=True):
        total += devices.bytes_moved(_size(value), before, after)
    parts = [_size(v) / devices.parts(sum(cut, ())) for v, cut in zip(op.operands, choice.operands, strict=True)]
    for one in choice.exchanges:
        for number, need in zip(one.operands, one.needs, strict=True):
            total += parts[number] * need.sent / need.size
            parts[number] *= need.length / need.size
    for value, before, after in zip(op.results, choice.results, wanted, strict=True):
        total += devices.bytes_moved(_size(value), before, after)
        if choice.reduced:
            part = _size(value) / devices.parts(sum(before, ()))
            total += 2 * part * (1 - 1 / devices.parts(choice.reduced))
    return total


def _size(value: ir.Value) -> float:
    """Return the bytes of a tensor; of element types without a width, such as complex ones, each counts as 64 bits."""
    type_ = ir.ShapedType(value.type)
    if not type_.has_rank or not type_.has_static_shape:
        return 0.0
    width = getattr(type_.element_type, "width", 0)
    return math.prod(type_.shape) * (width if isinstance(width, int) and width else 64) / 8
