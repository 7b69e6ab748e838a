"""The functions that make the cases of each op."""

from __future__ import annotations

import importlib
import pkgutil
import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from ..bindings.op_signatures import op_names
from ..dialect.facts import facts
from .case import Case

_SMOKE_TYPES = ("i1", "i32", "ui8", "bf16", "f32", "complex<f32>")


@dataclass(frozen=True)
class Draw:
    """The source of random numbers of the families, and the element types that they are asked for.

    Attributes:
        seed: The same seed gives the same cases.
        types: The types that are wanted; all where it is empty.
        smoke: Whether some types are enough.
    """

    seed: int = 0
    types: tuple[str, ...] = ()
    smoke: bool = False

    def __call__(self, *words: object) -> random.Random:
        """Return a stream of random numbers for the words that name a case: other cases do not move it."""
        return random.Random(f"{self.seed}/{'/'.join(map(str, words))}")

    def only(self, elements: Iterable[str]) -> list[str]:
        """Return the element types of an op for which cases are wanted."""
        wanted = [element for element in elements if not self.types or element in self.types]
        usual = [element for element in wanted if element in _SMOKE_TYPES]
        return wanted if not self.smoke else usual if usual else wanted[:1]


Family = Callable[[str, Draw], Iterator[Case]]

_FAMILIES: dict[str, list[Family]] = {}
_OF_OTHERS: list[Family] = []


def cases_of(*ops: str) -> Callable[[Family], Family]:
    """Register a function that makes cases of the `ops`, given the name of one and a `Draw`."""

    def register(function: Family) -> Family:
        for op in ops:
            _FAMILIES.setdefault(op, []).append(function)
        return function

    return register


def cases_of_others(function: Family) -> Family:
    """Register a function that makes the cases of ops that no other function is for."""
    _OF_OTHERS.append(function)
    return function


@cache
def families() -> dict[str, list[Family]]:
    """Return what makes the cases of each op, by its name."""
    from . import cases

    for found in pkgutil.iter_modules(cases.__path__):
        importlib.import_module(f"{cases.__name__}.{found.name}")
    for name in op_names("stablehlo"):
        op = name.removeprefix("stablehlo.")
        if op not in _FAMILIES and not facts(name).ends:
            _FAMILIES[op] = _OF_OTHERS
    return dict(sorted(_FAMILIES.items()))
