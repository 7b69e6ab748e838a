"""Partly unknown truth values: comparisons of symbolic integers, and the facts about symbols that follow."""

from __future__ import annotations

from dataclasses import dataclass, field
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

    def __post_init__(self) -> None:
        object.__setattr__(self, "size", 1 + size_of(self.value) + sum([part.size for part in self.parts]))
        object.__setattr__(self, "_hash", hash((self.kind, self.value, self.parts)))

    size: int = field(init=False, repr=False, compare=False, default=0)
    _hash: int = field(init=False, repr=False, compare=False, default=0)

    def __hash__(self) -> int:
        return self._hash

    def sides(self) -> tuple[Number, Number]:
        """The two sides of an eq or le: integers without negative factors."""
        return _sides(self.value)

    def __str__(self) -> str:
        if self.kind in ("eq", "le"):
            left, right = _sides(self.value)
            return f"{left} {'==' if self.kind == 'eq' else '<='} {right}"
        if self.kind == "not":
            if self.parts[0].kind == "eq":
                left, right = _sides(self.parts[0].value)
                return f"{left} != {right}"
            return f"not ({self.parts[0]})"
        if self.kind in ("and", "or"):
            return f" {self.kind} ".join(f"({part})" for part in self.parts)
        return str(self.value)


Truth = bool | Condition


def _sides(value: Number) -> tuple[Number, Number]:
    """Two integers without negative factors whose difference is `value`."""
    if isinstance(value, int):
        return max(value, 0), max(-value, 0)
    positive: Number = 0
    for monomial, factor in value.terms.items():
        if factor > 0:
            positive = positive + (factor if not monomial else Expression({monomial: factor}))
    return positive, positive - value


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


def compare(predicate: str, left: Number, right: Number) -> Truth:
    """`left predicate right` for arith's signed predicates eq, ne, slt, sle, sgt, sge."""
    difference = left - right
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


def both(left: Truth, right: Truth) -> Truth:
    return _connect("and", left, right)


def either(left: Truth, right: Truth) -> Truth:
    return _connect("or", left, right)


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


def replace(condition: Truth, known: Replacements) -> Truth:
    """The condition with symbols replaced, and decided where that decides it."""
    if isinstance(condition, bool) or not known:
        return condition
    if condition.kind == "eq":
        return _zero(substitute(condition.value, known))
    if condition.kind == "le":
        return _not_positive(substitute(condition.value, known))
    if condition.kind == "unknown":
        return condition
    parts = [replace(part, known) for part in condition.parts]
    if condition.kind == "not":
        return negate(parts[0])
    result = parts[0]
    for part in parts[1:]:
        result = _connect(condition.kind, result, part)
    return result


def learned(condition: Truth) -> dict[Symbol, Number]:
    """Replacements of symbols where the condition holds: each equation gives one symbol in terms of the others."""
    if isinstance(condition, bool):
        return {}
    if condition.kind == "and":
        known: dict[Symbol, Number] = {}
        for part in condition.parts:
            for symbol, value in learned(replace(part, known)).items():
                known = {key: substitute(old, {symbol: value}) for key, old in known.items()}
                known[symbol] = value
        return known
    if isinstance(condition.value, int):
        return {}
    if condition.kind == "le":
        return _bounded(condition.value)
    return _solved(condition.value) if condition.kind == "eq" else {}


def _bounded(value: Expression) -> dict[Symbol, Number]:
    """`symbol - n <= 0` or `n - symbol <= 0` as a replacement of the symbol by one with a tighter bound."""
    constant = value.terms.get((), 0)
    rest = [(monomial, factor) for monomial, factor in value.terms.items() if monomial]
    if len(rest) != 1 or len(rest[0][0]) != 1 or abs(rest[0][1]) != 1:
        return {}
    symbol = rest[0][0][0]
    upper = rest[0][1] == 1
    tighter = symbol.within(symbol.low if upper else constant, -constant if upper else symbol.high)
    return {symbol: Expression({(tighter,): 1})}


def _solved(value: Expression) -> dict[Symbol, Number]:
    """The equation `value == 0` as a replacement for its last symbol that occurs once, with factor 1 or -1."""
    candidates = [
        (monomial[0], factor) for monomial, factor in value.terms.items() if len(monomial) == 1 and abs(factor) == 1
    ]
    occurrences = list(value.symbols())
    candidates = [(symbol, factor) for symbol, factor in candidates if occurrences.count(symbol) == 1]
    if not candidates:
        return {}
    symbol, factor = max(candidates, key=lambda candidate: (not candidate[0].arguments, candidate[0].name))
    solution = (value - Expression({(symbol,): factor})) * -factor
    low, high = interval(solution)
    if symbol.low is not None and high is not None and high < symbol.low:
        return {}
    return {symbol: solution} if low is None or symbol.high is None or low <= symbol.high else {}
