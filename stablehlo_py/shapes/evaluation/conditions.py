"""Partly unknown truth values: comparisons of symbolic integers, and the facts about symbols that follow."""

from __future__ import annotations

import dataclasses
from collections import Counter
from dataclasses import dataclass
from functools import cached_property, partial, reduce
from typing import Any

from .symbols import (
    SIZE_LIMIT,
    Expression,
    Number,
    Replacements,
    Symbol,
    computed,
    hull,
    interval,
    size_of,
    substitute,
    unknown,
)


@dataclass(frozen=True)
class Condition:
    """Something that is true or false when the program runs.

    `kind` is eq (`value` is zero), le (`value` is at most zero), not, and, or (of `parts`), or unknown (told apart by
    `value`). Like an expression it stays within `SIZE_LIMIT`; what would be larger is unknown.
    """

    kind: str
    value: Number = 0
    parts: tuple[Condition, ...] = ()

    @cached_property
    def size(self) -> int:
        """The number of symbols and of conditions that it is written with."""
        return 1 + size_of(self.value) + sum([part.size for part in self.parts])

    def sides(self) -> tuple[Number, Number]:
        """Return the two sides of an eq or le: integers without negative factors."""
        if isinstance(self.value, int):
            return max(self.value, 0), max(-self.value, 0)
        positive: Number = 0
        for monomial, factor in self.value.terms.items():
            if factor > 0:
                positive = positive + (factor if not monomial else Expression({monomial: factor}))
        return positive, positive - self.value

    def __str__(self) -> str:
        if self.kind in ("eq", "le"):
            return f" {'==' if self.kind == 'eq' else '<='} ".join(map(str, self.sides()))
        if self.kind == "not" and self.parts[0].kind == "eq":
            return " != ".join(map(str, self.parts[0].sides()))
        if self.kind == "not":
            return f"not ({self.parts[0]})"
        if self.kind in ("and", "or"):
            return f" {self.kind} ".join(f"({part})" for part in self.parts)
        return str(self.value)


Truth = bool | Condition


def _zero(value: Number) -> Truth:
    if isinstance(value, int):
        return value == 0
    low, high = interval(value)
    if (low is not None and low > 0) or (high is not None and high < 0):
        return False
    first = min(value.terms.items(), key=lambda item: (not item[0], [symbol.name for symbol in item[0]]))
    return Condition("eq", value if first[1] > 0 else -value)


def _not_positive(value: Number) -> Truth:
    if isinstance(value, int):
        return value <= 0
    low, high = interval(value)
    if high is not None and high <= 0:
        return True
    if low is not None and low > 0:
        return False
    return Condition("le", value)


def compare(predicate: str, left: Any, right: Any) -> Truth:
    """`left predicate right` for arith's signed predicates eq, ne, slt, sle, sgt, sge; two truth values are equal or
    not."""
    if isinstance(left, bool | Condition):
        different = exclusive(left, right)
        return different if predicate == "ne" else negate(different)
    difference: Number = left - right
    if predicate == "eq":
        return _zero(difference)
    if predicate == "ne":
        return negate(_zero(difference))
    if predicate in ("slt", "sle"):
        return _not_positive(difference + 1 if predicate == "slt" else difference)
    return _not_positive((1 if predicate == "sgt" else 0) - difference)


def negate(value: Truth) -> Truth:
    if isinstance(value, bool):
        return not value
    if value.kind == "not":
        return value.parts[0]
    if value.kind == "le":
        return _not_positive(1 - value.value)
    return Condition("not", 0, (value,))


def _connect(kind: str, left: Truth, right: Truth) -> Truth:
    absorbing = kind == "or"
    for value, other in ((left, right), (right, left)):
        if isinstance(value, bool):
            return absorbing if value is absorbing else other
    if left == right:
        return left
    if left == negate(right):
        return absorbing
    parts: list[Condition] = []
    for value in (left, right):
        if isinstance(value, Condition):
            parts.extend(value.parts if value.kind == kind else (value,))
    whole = Condition(kind, 0, tuple(dict.fromkeys(parts)))
    return whole if whole.size <= SIZE_LIMIT else Condition("unknown", unknown(str(whole)))


both = partial(_connect, "and")
either = partial(_connect, "or")


def exclusive(left: Truth, right: Truth) -> Truth:
    if isinstance(right, bool):
        return negate(left) if right else left
    return either(both(left, negate(right)), both(negate(left), right))


def choose(condition: Truth, first: Any, second: Any) -> Any:
    """`first` where `condition` holds, else `second`: two numbers, or two truth values."""
    if isinstance(condition, bool):
        return first if condition else second
    if isinstance(first, bool | Condition):
        return either(both(condition, first), both(negate(condition), second))
    # The two may agree where the condition decides: `1 if a == 1 else a` is `a`.
    if first == second or substitute(first, learned(negate(condition))) == second:
        return first
    if substitute(second, learned(condition)) == first:
        return second
    name = f"({first} if {condition} else {second})"
    return computed("select", name, (condition, first, second), *hull(first, second))


def replace(condition: Any, known: Replacements) -> Any:
    """Return the condition, or the number, with symbols replaced, and decided where that decides it."""
    if isinstance(condition, bool) or not known:
        return condition
    if not isinstance(condition, Condition):
        return substitute(condition, known)
    if condition.kind == "eq":
        return _zero(substitute(condition.value, known))
    if condition.kind == "le":
        return _not_positive(substitute(condition.value, known))
    if condition.kind == "unknown":
        return condition
    parts = [replace(part, known) for part in condition.parts]
    return negate(parts[0]) if condition.kind == "not" else reduce(partial(_connect, condition.kind), parts)


def learned(condition: Truth) -> dict[Symbol, Number]:
    """Return replacements of symbols if the condition holds: each equation gives one symbol in terms of the others."""
    if isinstance(condition, bool):
        return {}
    if condition.kind == "and":
        known: dict[Symbol, Number] = {}
        for part in condition.parts:
            known = extended(known, learned(replace(part, known)))
        return known
    if isinstance(condition.value, int):
        return {}
    if condition.kind == "le":
        return _bounded(condition.value)
    return _solved(condition.value) if condition.kind == "eq" else {}


def extended(known: dict[Symbol, Number], replacements: dict[Symbol, Number]) -> dict[Symbol, Number]:
    """Return the replacements with more of them, which are made in those that are there too."""
    for symbol, value in replacements.items():
        known = {old: substitute(was, {symbol: value}) for old, was in known.items()} | {symbol: value}
    return known


def _bounded(value: Expression) -> dict[Symbol, Number]:
    """`symbol - n <= 0` or `n - symbol <= 0` as a replacement of the symbol by one with a tighter bound."""
    constant = value.terms.get((), 0)
    rest = [(monomial, factor) for monomial, factor in value.terms.items() if monomial]
    if len(rest) != 1 or len(rest[0][0]) != 1 or abs(rest[0][1]) != 1:
        return {}
    symbol = rest[0][0][0]
    upper = rest[0][1] == 1
    tighter = dataclasses.replace(symbol, **({"high": -constant} if upper else {"low": constant}))
    return {symbol: Expression({(tighter,): 1})}


def _solved(value: Expression) -> dict[Symbol, Number]:
    """Return the equation `value == 0` as a replacement for its last symbol that occurs once, with factor 1 or -1."""
    occurrences = Counter(value.symbols())
    candidates = [
        (monomial[0], factor)
        for monomial, factor in value.terms.items()
        if len(monomial) == 1 and abs(factor) == 1 and occurrences[monomial[0]] == 1
    ]
    if not candidates:
        return {}
    symbol, factor = max(candidates, key=lambda candidate: (not candidate[0].arguments, candidate[0].name))
    solution = (value - Expression({(symbol,): factor})) * -factor
    low, high = interval(solution)
    if symbol.low is not None and high is not None and high < symbol.low:
        return {}
    return {symbol: solution} if low is None or symbol.high is None or low <= symbol.high else {}
