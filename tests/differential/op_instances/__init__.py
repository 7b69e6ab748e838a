"""Random instances of ops that the specification allows, each with ways to break one of its constraints.

The result types of an instance are computed here from the formulas of the specification, not by the dialect.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from hypothesis import strategies as st

Draw = Callable[[st.SearchStrategy[Any]], Any]
Shape = Sequence[int]

FLOATS = ("f16", "bf16", "f32", "f64")
INTEGERS = ("i4", "i8", "i16", "i32", "i64", "ui8", "ui16", "ui32", "ui64")
COMPLEX = ("complex<f32>", "complex<f64>")
ELEMENTS = ("i1", *INTEGERS, *FLOATS, *COMPLEX)


def tensor(shape: Shape, element: str) -> str:
    """The text of a static tensor type."""
    return f"tensor<{''.join(f'{size}x' for size in shape)}{element}>"


def i64(value: int) -> str:
    return f"{value} : i64"


def i64s(values: Sequence[int]) -> str:
    """The text of an array of i64."""
    return f"array<i64: {', '.join(map(str, values))}>" if values else "array<i64>"


def pairs(values: Sequence[tuple[int, int]]) -> str:
    """The text of two-column elements."""
    if not values:
        return "dense<> : tensor<0x2xi64>"
    return f"dense<[{', '.join(f'[{low}, {high}]' for low, high in values)}]> : tensor<{len(values)}x2xi64>"


@dataclass(frozen=True)
class Instance:
    """An op with its types, attributes and regions as text."""

    op: str
    operands: tuple[str, ...]
    results: tuple[str, ...]
    attributes: Mapping[str, str] = field(default_factory=dict)
    regions: tuple[str, ...] = ()

    def with_attributes(self, **attributes: str) -> Instance:
        return replace(self, attributes={**self.attributes, **attributes})

    def with_operand(self, position: int, kind: str) -> Instance:
        operands = list(self.operands)
        operands[position] = kind
        return replace(self, operands=tuple(operands))

    def with_result(self, position: int, kind: str) -> Instance:
        results = list(self.results)
        results[position] = kind
        return replace(self, results=tuple(results))

    @property
    def text(self) -> str:
        """A module with a function of this one op, on a line of its own."""
        names = [f"%operand{position}" for position in range(len(self.operands))]
        arguments = ", ".join(f"{name}: {kind}" for name, kind in zip(names, self.operands, strict=True))
        results = f"%result:{len(self.results)} = " if self.results else ""
        regions = f" ({', '.join(self.regions)})" if self.regions else ""
        attributes = ", ".join(f"{name} = {value}" for name, value in self.attributes.items())
        return (
            f"func.func @main({arguments}) {{\n"
            f'  {results}"stablehlo.{self.op}"({", ".join(names)}){regions} {{{attributes}}}'
            f" : ({', '.join(self.operands)}) -> ({', '.join(self.results)})\n"
            "  return\n}\n"
        )


@dataclass(frozen=True)
class Break:
    """An instance that breaks one constraint, by its number in the specification (`I1` for the type of an operand)."""

    constraint: str
    instance: Instance


Strategy = Callable[[Draw], tuple[Instance, list[Break]]]
STRATEGIES: dict[str, Strategy] = {}


def instances_of(*ops: str) -> Callable[[Callable[[Draw, str], tuple[Instance, list[Break]]]], None]:
    """Registers a function of (draw, op) as the strategy of each op."""

    def register(function: Callable[[Draw, str], tuple[Instance, list[Break]]]) -> None:
        for op in ops:
            STRATEGIES[op] = lambda draw, op=op: function(draw, op)

    return register


def shape(draw: Draw, minimum: int = 0, maximum: int = 4, smallest: int = 0) -> list[int]:
    """A shape of `minimum` to `maximum` dimensions of at least `smallest` and at most 6 elements."""
    return draw(st.lists(st.integers(smallest, 6), min_size=minimum, max_size=maximum))


def grown(sizes: Shape, position: int) -> list[int]:
    """The shape with one more element in a dimension."""
    return [size + (index == position) for index, size in enumerate(sizes)]


def other(draw: Draw, elements: Sequence[str], element: str) -> str:
    """Another element type of the same list."""
    return draw(st.sampled_from([candidate for candidate in elements if candidate != element]))


def dimension(draw: Draw, sizes: Shape) -> int:
    return draw(st.integers(0, len(sizes) - 1))


def load() -> dict[str, Strategy]:
    """Every strategy."""
    from . import collectives, contraction, elementwise, movement, regions, slicing, structured  # noqa: F401

    return STRATEGIES
