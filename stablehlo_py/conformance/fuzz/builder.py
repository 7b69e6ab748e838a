"""A program while it is drawn: its lines, and the values that further ops can take.

A value is `exact` where every implementation has to compute the same bits. Ops that turn a last bit into something
large (comparisons, rounding to integers, differences) take exact values alone, so that engines may only differ where
the specification does not let them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

import numpy as np

from ...bindings import ir
from ...bindings.elements import from_numpy
from ..generate.texts import tensor
from ..generate.values import COMPLEX, INTEGERS, dtype_of, is_float, values

ELEMENTS = ("i1", "i8", "i32", "ui8", "i64", "ui32", "bf16", "f16", "f32", "f64", "complex<f32>")
NEUTRAL = {"i1": (0, 1), "complex<f32>": (0, 1)}
MOST_ELEMENTS = 400


@dataclass(frozen=True)
class DrawnValue:
    """An SSA value: its name, sizes and element type, and whether all implementations agree on its bits."""

    name: str
    shape: tuple[int, ...]
    element: str
    exact: bool = True

    @property
    def type(self) -> str:
        """The type as text."""
        return tensor(self.shape, self.element)


@dataclass(frozen=True)
class ProgramOptions:
    """The size and the contents of programs.

    Attributes:
        size: The most steps in `main`.
        depth: How deep regions nest.
        elements: Element types to draw from.
        weights: How often each step is taken, by its name; 1 where it is not named.
        undefined: Whether results may be what the specification leaves undefined, such as a division by zero.
        dynamic: Whether types may have sizes that are known only while running.
        special: Whether special values (NaN, infinities, denormals) are among inputs and constants.
        sign_sensitive: Whether ops may tell zeros of different sign apart.
    """

    size: int = 14
    depth: int = 2
    elements: tuple[str, ...] = ELEMENTS
    weights: dict[str, int] = field(default_factory=dict[str, int])
    undefined: bool = False
    dynamic: bool = False
    special: bool = True
    sign_sensitive: bool = True


@dataclass
class BlockWriter:
    """Writes the lines of one block; blocks inside share `functions` and the numbers of names."""

    random: Random
    context: ir.Context
    options: ProgramOptions
    depth: int = 0
    lines: list[str] = field(default_factory=list[str])
    pool: list[DrawnValue] = field(default_factory=list[DrawnValue])
    functions: list[str] = field(default_factory=list[str])
    names: list[int] = field(default_factory=lambda: [0])

    def name(self) -> str:
        """Return a name that is not taken."""
        self.names[0] += 1
        return f"%v{self.names[0]}"

    def inner(self, pool: Sequence[DrawnValue]) -> BlockWriter:
        """Return a builder of a block inside this one, which reads the values of `pool`."""
        fields = self.random, self.context, self.options, self.depth + 1
        return BlockWriter(*fields, [], list(pool), self.functions, self.names)

    def emit(self, shape: Sequence[int], element: str, op: str, *, exact: bool) -> DrawnValue:
        """Return a line that defines a value."""
        value = DrawnValue(self.name(), tuple(shape), element, exact)
        self.lines.append(f"{value.name} = {op}")
        self.pool.append(value)
        return value

    def call(
        self,
        op: str,
        operands: Sequence[DrawnValue],
        shape: Sequence[int],
        element: str,
        attributes: str = "",
        regions: str = "",
        *,
        exact: bool = True,
    ) -> DrawnValue:
        """Return an op of one result, exact where its operands are and it rounds nothing."""
        names = ", ".join(operand.name for operand in operands)
        types = ", ".join(operand.type for operand in operands)
        region = f" ({regions})" if regions else ""
        text = f'"stablehlo.{op}"({names}){region} {{{attributes}}} : ({types}) -> {tensor(shape, element)}'
        return self.emit(shape, element, text, exact=exact and all(operand.exact for operand in operands))

    def constant(self, array: np.ndarray, element: str) -> DrawnValue:
        """Return a constant."""
        with self.context:
            text = str(from_numpy(array, ir.Type.parse(tensor(array.shape, element))))
        return self.emit(array.shape, element, f"stablehlo.constant {text}", exact=True)

    def filled(self, number: Any, element: str, shape: Sequence[int] = ()) -> DrawnValue:
        """Return a constant with the same number everywhere."""
        return self.constant(np.full(tuple(shape), number).astype(dtype_of(element)), element)

    def draw_array(self, element: str, shape: Sequence[int]) -> np.ndarray:
        """Return elements for an input or a constant."""
        return values(self.random, shape, element, tame=not self.options.special)

    def draw_shape(self) -> tuple[int, ...]:
        """Return sizes of up to three dimensions."""
        return tuple([self.random.randint(0, 3) for _ in range(self.random.randint(0, 3))])

    def element(self, among: Sequence[str] | None = None) -> str:
        """Return an element type."""
        known = [name for name in self.options.elements if among is None or name in among]
        return self.random.choice(known if known else list(among if among is not None else ELEMENTS))

    def pick(
        self,
        element: str | Sequence[str] | None = None,
        shape: Sequence[int] | None = None,
        *,
        exact: bool = False,
        rank: int | None = None,
    ) -> DrawnValue:
        """Return a value of the pool, or a new constant where none fits."""
        wanted = (element,) if isinstance(element, str) else element
        fitting = [
            value
            for value in self.pool
            if (wanted is None or value.element in wanted)
            and (shape is None or value.shape == tuple(shape))
            and (rank is None or len(value.shape) == rank)
            and (value.exact or not exact)
        ]
        if fitting and self.random.randrange(4):
            return self.random.choice(fitting)
        chosen = self.element(wanted)
        if shape is None:
            shape = self.draw_shape() if rank is None else [self.random.randint(0, 3) for _ in range(rank)]
        if self.random.randrange(2) or chosen in COMPLEX:
            return self.constant(self.draw_array(chosen, shape), chosen)
        number = self.random.choice(NEUTRAL.get(chosen, (0, 1, 1, -1 if chosen[0] != "u" else 3)))
        return self.filled(number, chosen, shape)

    def small(self, shape: Sequence[int]) -> bool:
        """Whether a tensor is of a size that keeps programs fast."""
        return math.prod(shape) <= MOST_ELEMENTS


def is_integer(element: str) -> bool:
    """Whether it is an integer; booleans are none."""
    return element in INTEGERS


def rounds(element: str) -> bool:
    """Whether engines may compute sums and products of the type with more digits than it has."""
    return is_float(element) and dtype_of(element).itemsize < 4
