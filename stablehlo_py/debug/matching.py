"""Pairs the ops of two exports of one model, such as one in bf16 and one in f32.

Ops match by structure first: the same op on operands that match, whatever the float types. What is left between two
matches is matched in order, by the op, its shape and the stack of names that the exporter gave. Conversions from one
float type to another match nothing: their results stand for their operands.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from ..bindings import ir
from ..bindings.build import attributes_of
from ..bindings.walk import operations_within
from ..errors import InputError
from ..sequences import longest_rising
from .extraction import needed
from .places import name_stack
from .program import Subject

_MOST_PAIRS = 4_000_000  # between two matches; what is longer is not looked through


@dataclass(frozen=True)
class Matching:
    """The ops and values of a program that are in another one, too.

    Attributes:
        partners: The number of an op in the second program by its number in the first, both rising.
        values: What a value of the first program is in the second; conversions are looked through.
        roots: What a converted value of the second program was before.
    """

    partners: dict[int, int]
    values: dict[ir.Value, ir.Value]
    roots: dict[ir.Value, ir.Value]

    def operands(self, first: ir.Operation, second: ir.Operation) -> list[tuple[ir.Value, ir.Value]] | None:
        """The values that two ops use, in pairs; None where they do not correspond."""
        pairs = list(zip(needed(first), needed(second), strict=False))
        if len(needed(first)) != len(needed(second)):
            return None
        same = all(a in self.values and self.values[a] == self.roots.get(b, b) for a, b in pairs)
        return pairs if same else None


def _is_conversion(op: ir.Operation) -> bool:
    """Whether an op changes the float type of its operand and nothing else."""
    if op.name not in ("stablehlo.convert", "stablehlo.reduce_precision"):
        return False
    types = ir.RankedTensorType(op.operands[0].type), ir.RankedTensorType(op.results[0].type)
    return all(isinstance(type_.element_type, ir.FloatType) for type_ in types)


def _roots(subject: Subject) -> dict[ir.Value, ir.Value]:
    """The value before all conversions, of each value that was converted."""
    found: dict[ir.Value, ir.Value] = {}
    for op in subject.ops:
        if _is_conversion(op):
            before: ir.Value = op.operands[0]
            found[op.results[0]] = found.get(before, before)
    return found


def _shape(value: ir.Value) -> str:
    """A type as text without the float type in it."""
    type_ = value.type
    if not isinstance(type_, ir.RankedTensorType):
        return str(type_)
    element = "float" if isinstance(type_.element_type, ir.FloatType) else str(type_.element_type)
    return f"{type_.shape}{element}"


def _own(op: ir.Operation) -> str:
    """The text of an op without float types and the values of constants."""
    inner = [part.name for part in operations_within(op)] if len(op.regions) else []
    shapes = map(_shape, op.results)
    attributes = (
        f"{name}={value}"
        for name, value in sorted(attributes_of(op).items())
        if name in ("dimensions", "broadcast_dimensions", "permutation", "comparison_direction", "dimension")
    )
    return " ".join([op.name, *shapes, *attributes, *inner])


def _digests(subject: Subject, roots: dict[ir.Value, ir.Value]) -> list[str]:
    """A text for each op that is equal where its history is: the op, and all that it is computed from."""
    known: dict[ir.Value, str] = {argument: f"argument {n}" for n, argument in enumerate(subject.block.arguments)}
    digests: list[str] = []
    for op in subject.ops:
        found = hashlib.blake2b(_own(op).encode(), digest_size=12)
        for value in needed(op):
            found.update(known.get(roots.get(value, value), "?").encode())
        digests.append(found.hexdigest())
        known.update({result: f"{digests[-1]} {index}" for index, result in enumerate(op.results)})
    return digests


def _structural(first: Sequence[tuple[int, str]], second: Sequence[tuple[int, str]]) -> list[tuple[int, int]]:
    """Pairs of the same digest, those that occur several times in order."""
    places: dict[str, list[int]] = {}
    for number, digest in reversed(second):
        places.setdefault(digest, []).append(number)
    return [(number, places[digest].pop()) for number, digest in first if places.get(digest)]


def _between(
    anchors: Sequence[tuple[int, int]], ends: tuple[int, int]
) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """The ranges between pairs, before the first and behind the last, in both programs."""
    start = 0, 0
    for pair in (*anchors, ends):
        yield (start[0], pair[0]), (start[1], pair[1])
        start = pair[0] + 1, pair[1] + 1


def match(first: Subject, second: Subject) -> Matching:
    """Find the ops of `first` in `second`.

    Raises:
        InputError: The programs have other numbers or shapes of arguments.
    """
    parameters = list(first.block.arguments), list(second.block.arguments)
    shapes = [[_shape(parameter) for parameter in side] for side in parameters]
    if shapes[0] != shapes[1]:
        raise InputError(
            "the programs take different arguments",
            notes=[f"{len(side)}: {', '.join(side)}" for side in shapes],
        )
    roots = _roots(first), _roots(second)
    digests = [
        [(n, digest) for n, digest in enumerate(_digests(subject, root)) if not _is_conversion(subject.ops[n])]
        for subject, root in zip((first, second), roots, strict=True)
    ]
    pairs = _structural(digests[0], digests[1])
    anchors = [pairs[place] for place in longest_rising([second for _, second in pairs])]
    pairs = list(anchors)
    for ranges in _between(anchors, (len(first.ops), len(second.ops))):
        pairs += _by_names(first, second, *ranges)
    values: dict[ir.Value, ir.Value] = dict(zip(*parameters, strict=True))
    for a, b in sorted(pairs):
        values.update(zip(first.ops[a].results, second.ops[b].results, strict=False))
    values = {value: roots[1].get(partner, partner) for value, partner in values.items()}
    values.update({value: values[root] for value, root in roots[0].items() if root in values})
    return Matching(dict(sorted(pairs)), values, roots[1])


def _by_names(
    first: Subject, second: Subject, ours: tuple[int, int], theirs: tuple[int, int]
) -> Iterator[tuple[int, int]]:
    """Pairs in a range of each program of ops with the same name, shape and stack of names, in order."""
    sides = [
        [number for number in range(*part) if not _is_conversion(subject.ops[number])]
        for subject, part in ((first, ours), (second, theirs))
    ]
    if not all(sides) or len(sides[0]) * len(sides[1]) > _MOST_PAIRS:
        return
    keys = [[_key(subject.ops[n]) for n in side] for subject, side in zip((first, second), sides, strict=True)]
    for a, b, size in SequenceMatcher(None, *keys, autojunk=False).get_matching_blocks():
        yield from zip(sides[0][a : a + size], sides[1][b : b + size], strict=True)


def _key(op: ir.Operation) -> tuple[str, ...]:
    """The name of an op, its shapes, and its stack of names without the function at its head."""
    return op.name, name_stack(op).partition("/")[2], *map(_shape, op.results)
