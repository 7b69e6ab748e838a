"""The ops of two exports of one model in pairs, such as one in bf16 and one in f32, and their changes in words.

Float types and the values of constants do not count for pairs. Where structure does not tell, ops match by their name,
their shapes and the stack of names that the exporter gave. The results of conversions from one float type to another
stand for their operands. A conversion matches one of the same value between the same types.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

import numpy as np

from ...analysis.matching import Matching as AllPartners
from ...analysis.matching import Side, longest_rising
from ...bindings import ir
from ...bindings.build import attributes_of
from ...bindings.elements import constant_value
from ...bindings.locations import name_stack, parsed_location
from ...bindings.types import TensorType, TypeReader
from ...bindings.walk import operations
from ...errors import InputError
from ...interpreter.element_types.ulp import epsilon
from ..programs.subject import Subject, needed, place

_TELLING = ("dimensions", "broadcast_dimensions", "permutation", "comparison_direction", "dimension")


@dataclass(frozen=True)
class ProgramMatching:
    """The ops and values of a program that are in another one, too.

    Attributes:
        partners: The number of an op in the second program by its number in the first, both rising.
        values: What a value of the first program is in the second; conversions are looked through.
        roots: What a converted value of the second program was before, and the first of constants that are equal.
        shared: The constants whose value the other program has, too.
    """

    partners: dict[int, int]
    values: dict[ir.Value, ir.Value]
    roots: dict[ir.Value, ir.Value]
    shared: frozenset[ir.Value] = frozenset()

    def operands(self, first: ir.Operation, second: ir.Operation) -> list[tuple[ir.Value, ir.Value]] | None:
        """Return the operands of two ops in pairs, or None if they do not correspond."""
        pairs = list(zip(needed(first), needed(second), strict=False))
        if len(needed(first)) != len(needed(second)):
            return None
        same = all(a in self.values and self.values[a] == self.roots.get(b, b) for a, b in pairs)
        return pairs if same else None


def is_conversion(op: ir.Operation) -> bool:
    """Whether an op changes the float type of its operand and nothing else."""
    if op.name not in ("stablehlo.convert", "stablehlo.reduce_precision"):
        return False
    types = ir.RankedTensorType(op.operands[0].type), ir.RankedTensorType(op.results[0].type)
    return all(isinstance(type_.element_type, ir.FloatType) for type_ in types)


def element_types(op: ir.Operation) -> tuple[np.dtype, np.dtype]:
    """Return the data types of the operand and the result of a conversion."""
    types = TypeReader()
    before, after = (types[value.type] for value in (op.operands[0], op.results[0]))
    if not isinstance(before, TensorType) or not isinstance(after, TensorType):
        raise TypeError(f"{op.name} converts no tensors")
    return before.dtype, after.dtype


def _roots(subject: Subject) -> dict[ir.Value, ir.Value]:
    """Return the value before all conversions, of each value that was converted."""
    found: dict[ir.Value, ir.Value] = {}
    for op in subject.ops:
        if is_conversion(op):
            before: ir.Value = op.operands[0]
            found[op.results[0]] = found.get(before, before)
    return found


def _shape(value: ir.Value) -> str:
    """Return a type as text without the float type in it."""
    type_ = value.type
    if not isinstance(type_, ir.RankedTensorType):
        return str(type_)
    element = "float" if isinstance(type_.element_type, ir.FloatType) else str(type_.element_type)
    return f"{type_.shape}{element}"


def _own(op: ir.Operation) -> str:
    """Return the text of an op without float types and the values of constants."""
    attributes = (f"{name}={value}" for name, value in sorted(attributes_of(op).items()) if name in _TELLING)
    return " ".join([op.name, *map(_shape, op.results), *attributes])


def _kind(op: ir.Operation) -> tuple[str, ...]:
    """The name of an op, its shapes, and its stack of names without the function at its head."""
    return op.name, name_stack(parsed_location(op.location)).partition("/")[2], *map(_shape, op.results)


def match(first: Subject, second: Subject, shared: Mapping[int, int] | None = None) -> ProgramMatching:
    """Find the ops of `first` in `second`. Raises InputError where their arguments have other numbers or shapes.

    The numbers of arguments that are the same are `shared`: all in order, unless others are given.
    """
    parameters = list(first.block.arguments), list(second.block.arguments)
    if shared is not None:
        parameters = [parameters[0][number] for number in shared], [parameters[1][number] for number in shared.values()]
    shapes = [[_shape(parameter) for parameter in side] for side in parameters]
    if shapes[0] != shapes[1]:
        notes = [f"{len(side)}: {', '.join(side)}" for side in shapes]
        raise InputError("the programs take different arguments", notes=notes)
    both = AllPartners(*(Side(subject.function, _own, _kind, is_conversion) for subject in (first, second)))
    numbers = [{op: number for number, op in enumerate(subject.ops)} for subject in (first, second)]
    ops = [(both.sides[0].ops[a], both.sides[1].ops[b]) for a, b in both.pairs()]
    pairs = [(numbers[0][a], numbers[1][b]) for a, b in ops if a in numbers[0] and b in numbers[1]]
    pairs = [pairs[position] for position in longest_rising([second for _, second in pairs])]
    constants = _constants(first), _constants(second)
    roots = _roots(first), _roots(second)
    firsts = {key: equal[0] for key, equal in constants[1].items()}
    representative = {value: firsts[key] for key, equal in constants[1].items() for value in equal}
    roots[1].update(representative | {value: representative.get(root, root) for value, root in roots[1].items()})
    values: dict[ir.Value, ir.Value] = dict(zip(*parameters, strict=True))
    for a, b in pairs:
        values.update(zip(first.ops[a].results, second.ops[b].results, strict=False))
    both_have = constants[0].keys() & firsts.keys()
    values.update({value: firsts[key] for key in both_have for value in constants[0][key]})
    values = {value: roots[1].get(partner, partner) for value, partner in values.items()}
    values.update({value: values[root] for value, root in roots[0].items() if root in values})
    pairs = sorted([*pairs, *_conversions(first, second, values, roots[1])])
    pairs = [pairs[position] for position in longest_rising([second for _, second in pairs])]
    equal = frozenset(value for key in both_have for side in constants for value in side[key])
    return ProgramMatching(dict(pairs), values, roots[1], equal)


def _constants(subject: Subject) -> dict[tuple[str, bytes], list[ir.Value]]:
    """Return the constants of a program by shape and value; a float's type does not count."""
    found: dict[tuple[str, bytes], list[ir.Value]] = {}
    for op in subject.ops:
        if op.name == _CONSTANT:
            (result,) = op.results
            value = constant_value(op)
            value = value if any(value.strides) else value.reshape(-1)[:1]  # one value in every element
            is_real = isinstance(ir.RankedTensorType(result.type).element_type, ir.FloatType)
            content = (value.astype(np.float64) if is_real else value).tobytes()
            found.setdefault((_shape(result), content), []).append(result)
    return found


def _conversions(
    first: Subject, second: Subject, values: Mapping[ir.Value, ir.Value], roots: Mapping[ir.Value, ir.Value]
) -> Iterator[tuple[int, int]]:
    """Yield the numbers of conversions of the same value between the same types, in pairs; `values` and `roots` as in
    `Matching`."""
    waiting: dict[tuple[ir.Value, str, str], deque[int]] = {}
    for number, op in enumerate(second.ops):
        if is_conversion(op):
            before: ir.Value = op.operands[0]
            key = roots.get(before, before), str(before.type), str(op.results[0].type)
            waiting.setdefault(key, deque()).append(number)
    for number, op in enumerate(first.ops):
        if is_conversion(op) and op.operands[0] in values:
            key = values[op.operands[0]], str(op.operands[0].type), str(op.results[0].type)
            if waiting.get(key):
                yield number, waiting[key].popleft()


_FLOAT = re.compile(r"\b(f\d\w*|bf16|tf32)\b")
_CONSTANT = "stablehlo.constant"
_MOST_CHARACTERS = 60  # of a value in a sentence
_CANDIDATES = 6  # ops that are looked at for one that another stands for
_REPLACED, _CHANGED, _ALONE, _CONVERTED = range(4)  # from the likeliest cause of other results to the least likely


@dataclass(frozen=True)
class OpChange:
    """A change of one op.

    Attributes:
        rank: How likely it changes results, the likeliest is 0.
        text: The change as a sentence.
        number: The op of the first program that it is of, or that comes after it.
    """

    rank: int
    text: str
    number: int = 0


def changes(matching: ProgramMatching, first: Subject, second: Subject) -> list[OpChange]:
    """Return what the first program has other than the second, in program order."""
    found = list[OpChange]()
    bounds = [*matching.partners.items(), (len(first.ops), len(second.ops))]
    known = set(matching.values.values())
    start, other = 0, 0
    for number, partner in bounds:
        near = list(_between(matching, (first, range(start, number)), (second, range(other, partner))))
        if number < len(first.ops):
            near += _changed(first, number, second, partner)
            if _rewired(matching, known, first.ops[number], second.ops[partner]):
                text = f"{_named(first, number)} takes other values than {_short(second, partner)} of the other program"
                near.append(OpChange(_CHANGED, text))
        found += [replace(change, number=number) for change in near]
        start, other = number + 1, partner + 1
    return found


def cause(found: Sequence[OpChange], first: Subject, second: Subject, wrong: int | None, parting: int | None) -> str:
    """Return the likeliest cause of other results; empty if no change explains them.

    What comes after the op at which values part is no cause, and only its own change makes an op wrong by itself.
    Conversions count only if the arguments of both programs are of the same types. `wrong` is the first op that is
    wrong by itself, `parting` the first at which values part."""
    if wrong is not None and (parting is None or wrong <= parting):
        found = [change for change in found if change.number == wrong]
    elif parting is not None:
        found = [change for change in found if change.number <= parting]
    types = [[str(argument.type) for argument in subject.block.arguments] for subject in (first, second)]
    likely = [change for change in found if change.rank != _CONVERTED or types[0] == types[1]]
    return min(likely, key=lambda change: change.rank).text if likely else ""


def _named(subject: Subject, number: int) -> str:
    return str(place(subject.ops[number], number))


def _short(subject: Subject, number: int) -> str:
    return f"#{number} {subject.ops[number].name}"


def _between(
    matching: ProgramMatching, here: tuple[Subject, range], there: tuple[Subject, range]
) -> Iterator[OpChange]:
    """The changes of ops without a partner, between two pairs of partners."""
    (first, own), (second, others) = here, there
    mine = [number for number in own if not matching.shared.intersection(first.ops[number].results)]
    theirs = [number for number in others if not matching.shared.intersection(second.ops[number].results)]
    others = [number for number in theirs if not is_conversion(second.ops[number])]
    for number in mine:
        op = first.ops[number]
        if is_conversion(op):
            yield _converted(first, number, "this")
            continue
        same = [other for other in others[:_CANDIDATES] if _stands_for(matching, op, second.ops[other])]
        if same:
            others.remove(same[0])
            where = f"stands where the other program has {_short(second, same[0])}"
            yield OpChange(_REPLACED, f"{_named(first, number)} {where}")
        else:
            yield OpChange(_ALONE, f"{_named(first, number)} is in this program only")
    left = set(others)
    for number in theirs:
        if is_conversion(second.ops[number]):
            yield _converted(second, number, "the other")
        elif number in left:
            yield OpChange(_ALONE, f"{_named(second, number)} is in the other program only")


def _stands_for(matching: ProgramMatching, one: ir.Operation, other: ir.Operation) -> bool:
    """Whether two ops take the same values and have as many results of the same shapes."""
    shapes = [[_FLOAT.sub("float", str(result.type)) for result in op.results] for op in (one, other)]
    return shapes[0] == shapes[1] and matching.operands(one, other) is not None


def _converted(subject: Subject, number: int, which: str) -> OpChange:
    op = subject.ops[number]
    before, after = element_types(op)
    how = "rounds" if epsilon(after) > epsilon(before) else "converts"
    types = [str(ir.RankedTensorType(value.type).element_type) for value in (op.operands[0], op.results[0])]
    to = "" if types[0] == types[1] else f" from {types[0]} to {types[1]}"
    return OpChange(_CONVERTED, f"{_named(subject, number)} {how}{to} in {which} program only")


def _changed(first: Subject, number: int, second: Subject, partner: int) -> Iterator[OpChange]:
    """The changes of an op against its partner."""
    one, other = first.ops[number], second.ops[partner]
    here, there = _named(first, number), _short(second, partner)
    if one.name == _CONSTANT:
        values = constant_value(one), constant_value(other)
        if not _same_value(*values):
            texts = [_cut(str(value.tolist())) for value in values]
            yield OpChange(_CHANGED, f"{here} is {texts[0]} where {there} of the other program is {texts[1]}")
        return
    attributes = [{name: _FLOAT.sub("float", str(value)) for name, value in attributes_of(op).items()}
                  for op in (one, other)]  # fmt: skip
    for name in sorted({*attributes[0], *attributes[1]}):
        texts = [_cut(each.get(name, "none")) for each in attributes]
        if attributes[0].get(name) != attributes[1].get(name):
            yield OpChange(
                _CHANGED, f"{here} has {name} = {texts[0]} where {there} of the other program has {texts[1]}"
            )
    inner = [[op.name for op in operations(each)[1:] if op.name != "stablehlo.convert"] for each in (one, other)]
    for a, b in zip_longest(*inner, fillvalue="nothing"):
        if a != b:
            yield OpChange(_CHANGED, f"{here} has {a} in a region where {there} of the other program has {b}")
            return


def _rewired(matching: ProgramMatching, known: set[ir.Value], one: ir.Operation, other: ir.Operation) -> bool:
    """Whether an op takes a value that both programs have, and its partner another one of these."""
    operands = zip(one.operands, other.operands, strict=False)
    pairs = [(matching.values.get(x), matching.roots.get(y, y)) for x, y in operands]
    return any(mine is not None and theirs in known and mine != theirs for mine, theirs in pairs)


def _same_value(a: np.ndarray, b: np.ndarray) -> bool:
    """Whether two constants are equal, if need be in the type of either."""
    with np.errstate(all="ignore"):
        pairs = (a, b.astype(a.dtype)), (a.astype(b.dtype), b)
    return a.shape == b.shape and any(bool(((x == y) | ((x != x) & (y != y))).all()) for x, y in pairs)


def _cut(text: str) -> str:
    return text if len(text) <= _MOST_CHARACTERS else text[:_MOST_CHARACTERS] + " …"
