"""Pairs the ops of two programs, whatever their values are called and wherever they stand.

Ops are matched by digests first: of the ops that lead to them, and of the ops that follow. So an op put into a chain
leaves both ends of the chain matched. Then matches spread to operands and users, and each remaining op is matched to
the most similar op nearby. Each step takes time in proportion to the program. difflib's matches take quadratic time,
and know no operands.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Sequence
from hashlib import blake2b

from ..bindings import ir
from ..bindings.walk import blocks, operations
from ..dialect.facts import facts

# The number of ops of the same kind to try on each side of the expected position.
_CANDIDATES = 6
_NONE = -1


def _name(op: ir.Operation) -> str:
    return op.name


def longest_rising(numbers: Sequence[int]) -> list[int]:
    """Return the positions of a longest strictly increasing subsequence."""
    tails: list[int] = []
    ends: list[int] = []
    before: list[int] = []
    for position, number in enumerate(numbers):
        at = bisect_left(tails, number)
        before.append(ends[at - 1] if at else -1)
        tails[at : at + 1] = [number]
        ends[at : at + 1] = [position]
    found: list[int] = []
    position = ends[-1] if ends else -1
    while position != -1:
        found.append(position)
        position = before[position]
    return found[::-1]


class Side:
    """One function of a program: its ops in the order of the text, the function itself first.

    Args:
        function: The function.
        own: What an op says by itself: its name, types and attributes, without the names of symbols.
        kind: What ops have in common that are matched by their neighbourhood.
        is_transparent: Whether an op matches none, as its result stands for its operand.
    """

    def __init__(
        self,
        function: ir.Operation,
        own: Callable[[ir.Operation], str],
        kind: Callable[[ir.Operation], Hashable] = _name,
        is_transparent: Callable[[ir.Operation], bool] = lambda _: False,
    ) -> None:
        self.function = function
        everything = operations(function)
        self.ops = [op for op in everything if not is_transparent(op)]
        self.own = [own(op) for op in self.ops]
        self.kinds = [kind(op) for op in self.ops]
        self.parents = [_NONE] * len(self.ops)
        self.regions = [0] * len(self.ops)
        self.definitions: dict[ir.Value, tuple[int, int, int]] = {}  # op, block of it or -1 for a result, number
        self.operands: list[list[tuple[int, int, int]]] = []
        self.users: list[list[tuple[int, int]]] = [[] for _ in self.ops]
        self._connect(everything)
        self.forward = self._forward()
        self.backward = self._backward()

    def _connect(self, everything: Sequence[ir.Operation]) -> None:
        """Note the operands, the users and the parent of each op. Another block may define a value below its use."""
        numbers = {op: number for number, op in enumerate(self.ops)}
        for number, op in enumerate(self.ops):
            for region, block in enumerate(blocks(op)):
                for argument in block.arguments:
                    self.definitions[argument] = number, region, argument.arg_number
                for inner in block.operations:
                    if inner.operation in numbers:
                        position = numbers[inner.operation]
                        self.parents[position], self.regions[position] = number, region
            self.definitions.update({result: (number, _NONE, index) for index, result in enumerate(op.results)})
        for op in everything:
            operands = [self.definitions.get(operand, (_NONE, 0, 0)) for operand in op.operands]
            if op not in numbers:
                self.definitions[op.results[0]] = operands[0]
                continue
            self.operands.append(operands)
            for index, (definition, region, _) in enumerate(operands):
                if region == _NONE and definition != _NONE:
                    self.users[definition].append((numbers[op], index))

    def _forward(self) -> list[bytes]:
        """Return for each op a digest of the ops that lead to its operands."""
        found: list[bytes] = []
        for number, own in enumerate(self.own):
            digest = blake2b(own.encode(), digest_size=12)
            parent = self.parents[number]
            if parent > 0:  # the same op in another neighbourhood is another one
                digest.update(found[parent] + b"%d" % self.regions[number])
            for definition, region, index in self.operands[number]:
                if definition < number:
                    leading = found[definition] if definition != _NONE else b""
                else:
                    leading = self.own[definition].encode()
                digest.update(leading + b"%d %d" % (region, index))
            found.append(digest.digest())
        return found

    def _backward(self) -> list[bytes]:
        """Return for each op a digest of the ops that use its results."""
        found: list[bytes] = [b""] * len(self.ops)
        for number in reversed(range(len(self.ops))):
            digest = blake2b(self.own[number].encode(), digest_size=12)
            parent = self.parents[number]
            if parent > 0:
                digest.update(self.own[parent].encode())
            for use in sorted([found[user] + b"%d" % index for user, index in self.users[number]]):
                digest.update(use)
            found[number] = digest.digest()
        return found

    def neighbourhood(self, number: int) -> Hashable:
        """Return an op with those that it takes from and those that use it."""
        taken = [self.own[definition] for definition, _, _ in self.operands[number] if definition != _NONE]
        return self.own[number], tuple(taken), tuple(sorted([self.own[user] for user, _ in self.users[number]]))


class Matching:
    """The partners of the ops of two functions: `partner[0]` from the first to the second, `partner[1]` back."""

    def __init__(self, first: Side, second: Side) -> None:
        self.sides = first, second
        self.partner = [_NONE] * len(first.ops), [_NONE] * len(second.ops)
        self._fresh: deque[tuple[int, int]] = deque()
        self._match(0, 0)
        self._match_equal(lambda side, n: (side.forward[n], side.backward[n]))
        self._match_equal(lambda side, n: side.forward[n])
        self._match_equal(lambda side, n: side.backward[n])
        self._match_equal(Side.neighbourhood, once=True)
        self._spread()
        self._match_alike()

    def _match(self, first: int, second: int) -> None:
        self.partner[0][first], self.partner[1][second] = second, first
        self._fresh.append((first, second))

    def _free(self, side: int) -> list[int]:
        return [number for number, partner in enumerate(self.partner[side]) if partner == _NONE]

    def _match_equal(self, key: Callable[[Side, int], Hashable], *, once: bool = False) -> None:
        """Match ops with equal keys in order; with `once` only those that are one of a kind."""
        places: dict[Hashable, tuple[list[int], list[int]]] = {}
        for side in (0, 1):
            for number in self._free(side):
                places.setdefault(key(self.sides[side], number), ([], []))[side].append(number)
        for first, second in places.values():
            if not once or len(first) == len(second) == 1:
                for pair in zip(first, second, strict=False):
                    self._match(*pair)

    def _spread(self) -> None:
        """Match the operands and the users of matched ops if their kinds agree."""
        while self._fresh:
            first, second = self._fresh.popleft()
            operands = self.sides[0].operands[first], self.sides[1].operands[second]
            for (a, one, index), (b, other, position) in zip(*operands, strict=False):
                if (one, index) == (other, position) == (_NONE, position) and self._may_match(a, b):
                    self._match(a, b)
            waiting: dict[Hashable, deque[int]] = {}
            for user, index in self.sides[1].users[second]:
                if self.partner[1][user] == _NONE:
                    waiting.setdefault((self.sides[1].kinds[user], index), deque()).append(user)
            for user, index in self.sides[0].users[first]:
                found = waiting.get((self.sides[0].kinds[user], index))
                while found and self.partner[0][user] == _NONE:
                    other = found.popleft()
                    if self.partner[1][other] == _NONE:
                        self._match(user, other)

    def _may_match(self, first: int, second: int) -> bool:
        if _NONE in (first, second) or self.partner[0][first] != _NONE or self.partner[1][second] != _NONE:
            return False
        return self.sides[0].kinds[first] == self.sides[1].kinds[second]

    def _match_alike(self) -> None:
        """Match each remaining op to the most similar op of its kind near its expected position."""
        free: dict[Hashable, list[int]] = {}
        for number in self._free(1):
            free.setdefault(self.sides[1].kinds[number], []).append(number)
        limits = self._limits()
        expected = 0
        for number, limit in enumerate(limits):
            if self.partner[0][number] != _NONE:
                expected = self.partner[0][number]
                continue
            names = free.get(self.sides[0].kinds[number], [])
            at = bisect_left(names, expected)
            near = names[max(at - _CANDIDATES, 0) : at + _CANDIDATES]
            likeness = [(self._likeness(number, other, expected < other < limit), -other, other) for other in near]
            score, _, best = max(likeness, default=(0, 0, _NONE))
            if score > 0:
                self._match(number, best)
                expected = best
                names.pop(bisect_left(names, best))
                self._spread()

    def _limits(self) -> list[int]:
        """For each op the position, in the second function, of the next one that has a partner."""
        limits, limit = [0] * len(self.partner[0]), len(self.partner[1])
        for number in reversed(range(len(limits))):
            limits[number] = limit
            limit = self.partner[0][number] if self.partner[0][number] != _NONE else limit
        return limits

    def _likeness(self, first: int, second: int, between: bool) -> int:
        """Return the similarity of two ops of one kind; 0 if they have nothing in common."""
        if self.partner[1][second] != _NONE:
            return 0
        a, b = self.sides
        inside = self.partner[0][a.parents[first]] == b.parents[second] and a.regions[first] == b.regions[second]
        pairs = zip(a.operands[first], b.operands[second], strict=False)
        taken = sum(self.same_value(one, other) for one, other in pairs)
        used = sum(self.partner[0][user] in {other for other, _ in b.users[second]} for user, _ in a.users[first][:8])
        if not (inside and between) and not taken and not used:
            return 0
        return 4 * (a.own[first] == b.own[second]) + 2 * taken + 2 * used + inside + between

    def same_value(self, first: tuple[int, int, int], second: tuple[int, int, int]) -> bool:
        """Whether two definitions are of partners, at the same position there, or of equal constants."""
        constants = self._is_constant(0, first[0]) and self._is_constant(1, second[0])
        if constants and self.sides[0].own[first[0]] == self.sides[1].own[second[0]]:
            return True
        return first[0] != _NONE and self.partner[0][first[0]] == second[0] and first[1:] == second[1:]

    def _is_constant(self, side: int, number: int) -> bool:
        return number != _NONE and facts(self.sides[side].ops[number].name).is_constant

    def pairs(self) -> list[tuple[int, int]]:
        """Return all partners, in the order of the first function."""
        return [(number, partner) for number, partner in enumerate(self.partner[0]) if partner != _NONE]

    def moved(self) -> set[int]:
        """The ops of the first function that stand elsewhere in the second: in another region, or in another order.

        Where a constant stands says nothing.
        """
        first, second = self.sides
        groups: dict[tuple[int, int], list[tuple[int, int]]] = {}
        found: set[int] = set()
        for a, b in self.pairs()[1:]:
            if self._is_constant(0, a):
                continue
            same = self.partner[0][first.parents[a]] == second.parents[b] and first.regions[a] == second.regions[b]
            if same:
                groups.setdefault((first.parents[a], first.regions[a]), []).append((a, b))
            else:
                found.add(a)
        for group in groups.values():
            kept = set(longest_rising([b for _, b in group]))
            found.update([a for position, (a, _) in enumerate(group) if position not in kept])
        return found


def outermost(numbers: Iterable[int], parents: Sequence[int]) -> list[int]:
    """Return the ops that are in none of the others."""
    chosen = set(numbers)
    return [number for number in sorted(chosen) if parents[number] not in chosen]
