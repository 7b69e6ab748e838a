"""Partly unknown integers: polynomials over symbols, in a normal form.

An integer of the abstract interpretation is an `int`, or an `Expression` if it depends on values that are unknown
before a run. A symbol is a dimension size of an argument (`arg0[1]`), a function of other integers other than a
polynomial (a quotient, a minimum), or an unknown. `interval` bounds every symbol; dimension sizes are not negative.

Expressions have a bound. One with more than `SIZE_LIMIT` symbols, or with a factor beyond 64 bits, becomes one unknown
symbol, which is named after its text and keeps its bounds. sympy's polynomials have no such bound, and no interval for
each symbol.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from hashlib import blake2b
from typing import Any, Protocol

Bounds = tuple[int | None, int | None]

SIZE_LIMIT = 64
_MAGNITUDE_LIMIT = 1 << 64


@dataclass(frozen=True)
class Symbol:
    """An unknown integer.

    `kind` is size, element, `//`, min, max, select or unknown; `name` how it prints; `arguments` what a
    computed one is computed from; `low` and `high` enclose it where they are not None. Two symbols are the same
    integer if all of this is equal."""

    kind: str
    name: str
    arguments: tuple[Any, ...] = ()
    low: int | None = None
    high: int | None = None

    @cached_property
    def size(self) -> int:
        """The number of symbols it is written with, its own arguments included."""
        return 1 + sum(map(size_of, self.arguments))

    def __repr__(self) -> str:
        return self.name


Monomial = tuple[Symbol, ...]  # sorted by name; a symbol appears as often as its power


def size_of(value: Any) -> int:
    """Return the number of symbols that a number or a condition is written with."""
    return getattr(value, "size", 0)


class Expression:
    """A sum of products of symbols, not constant. `terms` maps each product to its factor; `()` is the constant."""

    def __init__(self, terms: dict[Monomial, int]) -> None:
        self.terms = terms
        self.size = sum([symbol.size for monomial in terms for symbol in monomial])
        self._hash = hash(frozenset(terms.items()))

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Expression) and self.terms == other.terms

    def __repr__(self) -> str:
        pieces: list[str] = []
        for monomial, factor in sorted(self.terms.items(), key=lambda item: (not item[0], [s.name for s in item[0]])):
            names = [symbol.name for symbol in monomial]
            body = "*".join(names if abs(factor) == 1 and names else [str(abs(factor)), *names])
            sign = "-" if factor < 0 else "+"
            pieces.append(f"{sign} {body}" if pieces else (f"-{body}" if factor < 0 else body))
        return " ".join(pieces)

    def __add__(self, other: Number) -> Number:
        terms = dict(self.terms)
        for monomial, factor in _terms(other).items():
            terms[monomial] = terms.get(monomial, 0) + factor
        return _made(terms, "+", self, other)

    __radd__ = __add__

    def __neg__(self) -> Expression:
        return Expression({monomial: -factor for monomial, factor in self.terms.items()})

    def __sub__(self, other: Number) -> Number:
        return self + -other

    def __rsub__(self, other: int) -> Number:
        return -self + other

    def __mul__(self, other: Number) -> Number:
        factors = _terms(other)
        if len(self.terms) * len(factors) > SIZE_LIMIT:
            return _opaque("*", self, other)
        terms: dict[Monomial, int] = {}
        for a, x in self.terms.items():
            for b, y in factors.items():
                monomial = tuple(sorted(a + b, key=lambda symbol: symbol.name)) if a and b else a + b
                terms[monomial] = terms.get(monomial, 0) + x * y
        return _made(terms, "*", self, other)

    __rmul__ = __mul__

    def __floordiv__(self, other: Number) -> Number:
        return _divide(self, other)

    def __rfloordiv__(self, other: int) -> Number:
        return _divide(other, self)

    def symbols(self) -> Iterator[Symbol]:
        """Yield the symbols in it, and the symbols in the arguments of computed ones, with repetitions."""
        for monomial in self.terms:
            for symbol in monomial:
                yield symbol
                for argument in symbol.arguments:
                    if isinstance(argument, Expression):
                        yield from argument.symbols()

    @cached_property
    def bounds(self) -> Bounds:
        """The least and the greatest that it can be."""
        total: Bounds = (0, 0)
        for monomial, factor in self.terms.items():
            bounds: Bounds = (1, 1)
            for part in monomial:
                bounds = _multiply_bounds(bounds, (part.low, part.high))
            total = _add_bounds(total, _multiply_bounds(bounds, (factor, factor)))
        return total


Number = int | Expression


def _terms(value: Number) -> dict[Monomial, int]:
    if isinstance(value, Expression):
        return value.terms
    return {(): value} if value else {}


def _made(terms: dict[Monomial, int], operator: str = "", left: Number = 0, right: Number = 0) -> Number:
    """The sum of the terms, which are what `left operator right` is; an unknown where that takes too much to write."""
    terms = {monomial: factor for monomial, factor in terms.items() if factor}
    if not terms:
        return 0
    if len(terms) == 1 and () in terms:
        return terms[()]
    result = Expression(terms)
    small = result.size <= SIZE_LIMIT and all(abs(factor) < _MAGNITUDE_LIMIT for factor in terms.values())
    return result if small or not operator else _opaque(operator, left, right)


def _opaque(operator: str, left: Number, right: Number) -> Expression:
    """Return an unknown in place of a large expression."""
    combine = _add_bounds if operator == "+" else _multiply_bounds
    low, high = combine(interval(left), interval(right))
    return unknown(f"{left} {operator} {right}", low, high)


def unknown(text: str, low: int | None = None, high: int | None = None) -> Expression:
    """Return a symbol for what `text` describes; the same text gives the same symbol."""
    return symbol("unknown", f"?{blake2b(text.encode(), digest_size=8).hexdigest()}", low, high)


def symbol(kind: str, name: str, low: int | None = None, high: int | None = None) -> Expression:
    """Return a symbol that is not computed from others."""
    return Expression({(Symbol(kind, name, (), low, high),): 1})


def _limited(low: int | None, high: int | None) -> Bounds:
    """Bounds beyond 64 bits are none."""
    kept = [None if bound is None or abs(bound) >= _MAGNITUDE_LIMIT else bound for bound in (low, high)]
    return kept[0], kept[1]


def _add_bounds(left: Bounds, right: Bounds) -> Bounds:
    low = None if left[0] is None or right[0] is None else left[0] + right[0]
    high = None if left[1] is None or right[1] is None else left[1] + right[1]
    return _limited(low, high)


def _multiply_bounds(left: Bounds, right: Bounds) -> Bounds:
    if None not in left and None not in right:
        products = [a * b for a in left for b in right if a is not None and b is not None]
        return _limited(min(products), max(products))
    for factor, other in ((left, right), (right, left)):
        if factor[0] == factor[1] and factor[0] is not None:
            scaled = [None if bound is None else bound * factor[0] for bound in other]
            return _limited(*(scaled if factor[0] >= 0 else reversed(scaled)))
    if left[0] is not None and right[0] is not None and left[0] >= 0 and right[0] >= 0:
        high = None if left[1] is None or right[1] is None else left[1] * right[1]
        return _limited(left[0] * right[0], high)
    return None, None


def interval(value: Number) -> Bounds:
    """Return the least and the greatest possible value; None for no limit."""
    return (value, value) if isinstance(value, int) else value.bounds


def hull(left: Number, right: Number) -> Bounds:
    """Return the least and the greatest that either can be."""
    (a, b), (c, d) = interval(left), interval(right)
    return None if a is None or c is None else min(a, c), None if b is None or d is None else max(b, d)


def _text(value: Number) -> str:
    """Return a number as an operand: in parentheses unless it is a single number or symbol."""
    single = isinstance(value, int) or ([*value.terms.values()] == [1] and len(next(iter(value.terms))) == 1)
    return str(value) if single else f"({value})"


def computed(kind: str, name: str, arguments: tuple[Any, ...], low: int | None, high: int | None) -> Expression:
    """Return a symbol for what cannot be written as a polynomial of its arguments."""
    made = Symbol(kind, name, arguments, low, high)
    return Expression({(made,): 1}) if made.size <= SIZE_LIMIT else unknown(name, low, high)


def _leading(value: Expression) -> Monomial:
    return max(value.terms, key=lambda monomial: (len(monomial), [symbol.name for symbol in monomial]))


def _divided(monomial: Monomial, by: Monomial) -> Monomial | None:
    rest = list(monomial)
    for part in by:
        if part not in rest:
            return None
        rest.remove(part)
    return tuple(rest)


def _exact_quotient(dividend: Expression, divisor: Expression) -> Number | None:
    """Return the polynomial that gives `dividend` when it is multiplied by `divisor`, if there is one."""
    quotient: Number = 0
    rest: Number = dividend
    lead = _leading(divisor)
    for _ in range(len(dividend.terms) + 8):
        if isinstance(rest, int):
            return quotient if rest == 0 else None
        top = _leading(rest)
        monomial = _divided(top, lead)
        if monomial is None or rest.terms[top] % divisor.terms[lead]:
            return None
        step = _made({monomial: rest.terms[top] // divisor.terms[lead]})
        quotient = quotient + step
        rest = rest - step * divisor
    return None


def _divide(left: Number, right: Number) -> Number:
    """Return the quotient, rounded to minus infinity. A divisor that is a polynomial is taken not to be zero."""
    if isinstance(right, int):
        return left // right if isinstance(left, int) else _divide_by_constant(left, right)
    if left == 0:
        return 0
    if isinstance(left, Expression):
        exact = _exact_quotient(left, right)
        if exact is not None:
            return exact
    return _quotient(left, right)


def _divide_by_constant(left: Expression, right: int) -> Number:
    if right < 0:  # what is written of it expects positive ones
        return _divide(-left, -right)
    if right == 1:
        return left
    whole = _made({monomial: factor // right for monomial, factor in left.terms.items() if factor % right == 0})
    rest = _made({monomial: factor for monomial, factor in left.terms.items() if factor % right})
    if isinstance(rest, int):
        return whole + rest // right
    offset = rest.terms.get((), 0) // right
    rest = _made({**rest.terms, (): rest.terms.get((), 0) - offset * right})
    low, high = interval(rest)
    if low is not None and high is not None and low // right == high // right:
        return whole + offset + low // right
    return whole + offset + _quotient(rest, right)


def _quotient(left: Number, right: Number) -> Expression:
    low, high = interval(left)
    divisor_low, _ = interval(right)
    positive = divisor_low is not None and divisor_low >= 0
    if isinstance(right, int):
        bounds = (None if low is None else low // right, None if high is None else high // right)
    else:
        bounds = (0 if positive and low is not None and low >= 0 else None, None)
    return computed("//", f"({_text(left)} // {_text(right)})", (left, right), *bounds)


def _extreme(kind: str, left: Number, right: Number) -> Number:
    low, high = interval(left - right)
    if low is not None and low >= 0:
        return left if kind == "max" else right
    if high is not None and high <= 0:
        return right if kind == "max" else left
    left, right = sorted((left, right), key=str)
    lows, highs = (
        [bound for bound in pair if bound is not None] for pair in zip(interval(left), interval(right), strict=True)
    )
    if kind == "max":
        bounds = (max(lows) if lows else None, max(highs) if len(highs) == 2 else None)
    else:
        bounds = (min(lows) if len(lows) == 2 else None, min(highs) if highs else None)
    return computed(kind, f"{kind}({left}, {right})", (left, right), *bounds)


minimum = partial(_extreme, "min")
maximum = partial(_extreme, "max")
_REBUILD = {"//": _divide, "min": minimum, "max": maximum}


class Replacements(Protocol):
    """A mapping from symbols to their values."""

    def __len__(self) -> int: ...
    def __contains__(self, symbol: Symbol, /) -> bool: ...
    def __getitem__(self, symbol: Symbol, /) -> Number: ...


def substitute(value: Number, known: Replacements) -> Number:
    """Return the value with symbols replaced, inside computed symbols as well, and simplified again."""
    if isinstance(value, int) or not known:
        return value
    if not any(symbol in known for symbol in value.symbols()):
        return value
    total: Number = 0
    for monomial, factor in value.terms.items():
        product: Number = factor
        for part in monomial:
            product = product * _substituted(part, known)
        total = total + product
    return total


def _substituted(part: Symbol, known: Replacements) -> Number:
    if part in known:
        return known[part]
    if part.kind not in _REBUILD:
        return Expression({(part,): 1})
    arguments = [substitute(argument, known) for argument in part.arguments]
    return _REBUILD[part.kind](*arguments)
