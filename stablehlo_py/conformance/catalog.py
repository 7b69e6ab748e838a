"""The functions that make the cases of each op, all cases of the kit, and choices among them."""

from __future__ import annotations

import importlib
import pkgutil
import random
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain
from typing import Literal

from ..bindings import ir, make_context
from ..bindings.op_signatures import op_names
from ..dialect.facts import facts
from ..errors import VerificationError
from ..passes.verify_spec import broken_constraints
from .case import Case, one_by_one

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

    def each(self, op: str, elements: Iterable[str], kinds: Sequence[str]) -> Iterator[tuple[str, str, random.Random]]:
        """Yield each wanted element type with each kind, and the stream of random numbers for both."""
        for element in self.only(elements):
            for kind in kinds:
                yield element, kind, self(op, element, kind)


Family = Callable[[str, Draw], Iterator[Case]]

_FAMILIES: dict[str, list[Family]] = {}
OTHERS = "others"  # stands for the ops that no function is for


def cases_of(*ops: str) -> Callable[[Family], Family]:
    """Register a function that makes cases of the `ops`, given the name of one and a `Draw`."""

    def register(function: Family) -> Family:
        for op in ops:
            _FAMILIES.setdefault(op, []).append(function)
        return function

    return register


@cache
def families() -> dict[str, list[Family]]:
    """Return what makes the cases of each op, by its name."""
    from . import cases

    for found in pkgutil.iter_modules(cases.__path__):
        importlib.import_module(f"{cases.__name__}.{found.name}")
    for name in op_names("stablehlo"):
        op = name.removeprefix("stablehlo.")
        if op not in _FAMILIES and not facts(name).ends:
            _FAMILIES[op] = _FAMILIES[OTHERS]
    return {op: found for op, found in sorted(_FAMILIES.items()) if op != OTHERS}


_ONE_BY_ONE = ("ordinary", "special values", "denormals", "ties", "wrap-around", "shift past the width", "total order")
_SCALARS = 16
Level = Literal["smoke", "full"]


@dataclass(frozen=True)
class Choice:
    """Which cases to take.

    Attributes:
        ops: Ops, without the dialect; all where it is empty.
        types: Element types; all where it is empty.
        level: `smoke` takes the first case of each op and kind, for a few element types.
        seed: What the inputs are drawn from.
        verify_spec: Whether to check each program against the whole specification; see `passes/verify_spec.py`.
    """

    ops: Collection[str] = ()
    types: Collection[str] = ()
    level: Level = "full"
    seed: int = 0
    verify_spec: bool = False


def cases(choice: Choice | None = None) -> Iterator[Case]:
    """Generate the chosen cases, op by op, always in the same order and with the same names.

    Raises:
        VerificationError: The choice asks for a check, and a program breaks the specification.
    """
    chosen = Choice() if choice is None else choice
    draw = Draw(chosen.seed, tuple(chosen.types), chosen.level == "smoke")
    context = make_context()
    for op, several in families().items():
        known = context.is_registered_operation(f"stablehlo.{op}")  # bindings of earlier releases lack the newest ops
        if known and (not chosen.ops or op in chosen.ops):
            counts: Counter[tuple[str, str]] = Counter()
            for case in _with_scalars(chain.from_iterable(family(op, draw) for family in several)):
                number = counts[case.type, case.kind]
                counts[case.type, case.kind] += 1
                if (not draw.smoke or not number) and (not chosen.types or case.type in chosen.types):
                    if chosen.verify_spec:
                        _verify_spec(case, context)
                    yield replace(case, number=number)


def _verify_spec(case: Case, context: ir.Context) -> None:
    problems = list(broken_constraints(ir.Module.parse(case.module, context).operation))
    if problems:
        raise VerificationError(
            [each._replace(location="", message=f"{case.name}: {each.message}") for each in problems]
        )


def _with_scalars(found: Iterable[Case]) -> Iterator[Case]:
    """Yield the cases; after each case of an elementwise op, the same on single elements."""
    for case in found:
        yield case
        if facts(f"stablehlo.{case.op}").is_elementwise and case.kind in _ONE_BY_ONE and len(case.expected) == 1:
            alone = one_by_one(case, _SCALARS)
            if alone is not None:
                yield alone
