"""The writer of random sharded programs: values, constants, shapes and shardings."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from stablehlo_py.conformance.generate.values import BINARY, FOLDS, ops_on

ELEMENTS = ("f32", "f32", "f64", "bf16", "i32", "i32", "i8", "ui8", "ui32", "i1", "complex<f32>")
SIZES = (1, 2, 2, 3, 4, 4, 4, 4, 6, 8, 8, 8)
_MESHES: tuple[tuple[tuple[str, int], ...], ...] = (
    (("x", 2),),
    (("x", 4),),
    (("x", 2), ("y", 2)),
    (("x", 4), ("y", 2)),
    (("x", 2), ("y", 3)),
    (("x", 2), ("y", 2), ("z", 2)),
)


class Value(NamedTuple):
    """A value of the program that is drawn."""

    name: str
    shape: tuple[int, ...]
    element: str

    @property
    def type(self) -> str:
        """Its type as MLIR writes it."""
        return f"tensor<{''.join(f'{size}x' for size in self.shape)}{self.element}>"


class Writer:
    """A program while it is drawn."""

    def __init__(self, draw: random.Random) -> None:
        self.draw = draw
        self.lines: list[str] = []
        self.values: list[Value] = []
        self.count = 0
        self.mesh = dict(draw.choice(_MESHES))
        ids = list(range(int(np.prod(list(self.mesh.values())))))
        self.ids = draw.sample(ids, len(ids)) if draw.random() < 0.15 else ids
        self.sizes = (*SIZES, 0) if draw.random() < 0.1 else SIZES

    # Text.

    def name(self) -> str:
        """A new name."""
        self.count += 1
        return f"%v{self.count}"

    def op(
        self,
        name: str,
        operands: Sequence[Value],
        results: Sequence[tuple[Sequence[int], str]],
        attributes: str = "",
        region: str = "",
    ) -> list[Value]:
        """Write an op in generic form; return its results, which are not among the values yet."""
        made = [Value(self.name(), tuple(shape), element) for shape, element in results]
        left = ", ".join(value.name for value in made)
        words = ", ".join(value.name for value in operands)
        inner = f" ({{\n{region}\n}})" if region else ""
        types = ", ".join(value.type for value in operands), ", ".join(value.type for value in made)
        self.lines.append(
            f'{left} = "stablehlo.{name}"({words}){inner} {{{attributes}}} : ({types[0]}) -> ({types[1]})'
        )
        return made

    def keep(self, *values: Value) -> None:
        """Let ops that follow use values; floats become small whole numbers again."""
        self.values += [self.placed(self.small(value), 0.4) for value in values]

    def placed(self, value: Value, chance: float = 1.0) -> Value:
        """The value behind a constraint of its sharding, by chance."""
        if not value.shape or self.draw.random() > chance:
            return value
        made = Value(self.name(), value.shape, value.element)
        sharding = self.sharding(value.shape, is_open=True)
        self.lines.append(f"{made.name} = sdy.sharding_constraint {value.name} {sharding} : {value.type}")
        return made

    def small(self, value: Value) -> Value:
        """The value as whole numbers from -4 to 4, if it holds floats."""
        if value.element.startswith("complex"):
            real, imaginary = [
                self.small(self.op(name, [value], [(value.shape, "f32")])[0]) for name in ("real", "imag")
            ]
            return self.op("complex", [real, imaginary], [(value.shape, value.element)])[0]
        if value.element not in ("f32", "f64", "bf16"):
            return value
        low, high = [self.constant((), value.element, number) for number in (-4, 4)]
        whole = self.op("round_nearest_even", [value], [(value.shape, value.element)])[0]
        finite = self.op("is_finite", [whole], [(value.shape, "i1")])[0]
        zero = self.constant(value.shape, value.element, 0)
        chosen = self.op("select", [finite, whole, zero], [(value.shape, value.element)])[0]
        return self.op("clamp", [low, chosen, high], [(value.shape, value.element)])[0]

    def constant(self, shape: Sequence[int], element: str, number: int | None = None) -> Value:
        """A constant: of one number, or of drawn ones."""
        value = Value(self.name(), tuple(shape), element)
        count = int(np.prod(shape))
        if count == 0:
            text = ""
        elif number is not None or self.draw.random() < 0.5:
            text = self.number(element, self.draw.randint(0, 3) if number is None else number)
        else:
            numbers = [self.number(element, self.draw.randint(0, 4)) for _ in range(count)]
            text = nested(numbers, list(shape))
        self.lines.append(f"{value.name} = stablehlo.constant dense<{text}> : {value.type}")
        return value

    @staticmethod
    def number(element: str, number: int) -> str:
        """A number as a constant of an element type holds it."""
        if element == "i1":
            return "true" if number % 2 else "false"
        if element.startswith("complex"):
            return f"({number}.0, {number % 2}.0)"
        return f"{number}.0" if "f" in element else str(abs(number) if element.startswith("u") else number)

    # Drawing.

    def shape(self, most: int = 3) -> tuple[int, ...]:
        """A shape."""
        return tuple(self.draw.choice(self.sizes) for _ in range(self.draw.randint(0, most)))

    def pick(self, least: int = 0, elements: str = "") -> Value:
        """A value of at least a rank, and of some element types where a list of them is given."""
        found = [v for v in self.values if len(v.shape) >= least and (not elements or v.element in elements.split())]
        if found and self.draw.random() < 0.9:
            return self.draw.choice(found[-6:] if self.draw.random() < 0.7 else found)
        shape = tuple(self.draw.choice(self.sizes) for _ in range(self.draw.randint(max(least, 1), 3)))
        return self.constant(shape, self.draw.choice(elements.split() if elements else ELEMENTS))

    def like(self, shape: Sequence[int], element: str) -> Value:
        """A value of a type, a new one where there is none."""
        found = [v for v in self.values if v.shape == tuple(shape) and v.element == element]
        return self.draw.choice(found) if found else self.constant(shape, element)

    def index(self, below: int = 4) -> Value:
        """A scalar to index with."""
        found = [v for v in self.values if v.shape == () and v.element == "i32"]
        return (
            self.draw.choice(found)
            if found and self.draw.random() < 0.5
            else self.constant((), "i32", self.draw.randrange(-1, below))
        )

    def dimension(self, value: Value) -> int:
        """A dimension of a value."""
        return self.draw.randrange(len(value.shape))

    def some(self, value: Value, least: int = 1) -> list[int]:
        """Some dimensions of a value, in order."""
        rank = len(value.shape)
        return sorted(self.draw.sample(range(rank), self.draw.randint(min(least, rank), rank)))

    def sharding(self, shape: Sequence[int], *, is_open: bool = False) -> str:
        """A sharding of the mesh in Shardy's form."""
        pieces = list[tuple[str, tuple[str, int, int] | None]]()
        for name, size in self.mesh.items():
            if size == 4 and self.draw.random() < 0.3:
                halves = [(f'"{name}":(1)2', (name, 1, 2)), (f'"{name}":(2)2', (name, 2, 4))]
                pieces += self.draw.sample(halves, self.draw.randint(0, 2))
            elif self.draw.random() < 0.7:
                pieces.append((f'"{name}"', None))
        self.draw.shuffle(pieces)
        dimensions: list[list[tuple[str, tuple[str, int, int] | None]]] = [[] for _ in shape]
        for piece in pieces if shape else []:
            at = dimensions[self.draw.randrange(len(shape))]
            last = at[-1][1] if at else None
            if last and piece[1] and (last[0], last[2]) == (piece[1][0], piece[1][1]):
                continue  # two halves in order are the axis
            at.append(piece)
        words = [", ".join(text for text, _ in each) for each in dimensions]
        if is_open:
            words = [f"{each}{', ' * bool(each)}?" if self.draw.random() < 0.3 else each for each in words]
        return f"<@mesh, [{', '.join(f'{{{each}}}' for each in words)}]>"


def nested(numbers: list[str], shape: list[int]) -> str:
    if not shape:
        return numbers[0]
    step = len(numbers) // shape[0]
    return f"[{', '.join(nested(numbers[i * step : (i + 1) * step], shape[1:]) for i in range(shape[0]))}]"


def compared(scalar: str, one: str, other: str, direction: str, name: str = "%c") -> str:
    attribute = f"comparison_direction = #stablehlo<comparison_direction {direction}>"
    return f'{name} = "stablehlo.compare"({one}, {other}) {{{attribute}}} : ({scalar}, {scalar}) -> tensor<i1>'


def array(values: Sequence[int]) -> str:
    return f"array<i64{': ' * bool(values)}{', '.join(map(str, values))}>"


def binaries(element: str) -> list[str]:
    """The commutative ops of an element type, and `subtract`; complex numbers have no order."""
    left_out = ("maximum", "minimum") if element.startswith("complex") else ()
    return [op for op in ops_on(BINARY, element) if op == "subtract" or (op in FOLDS and op not in left_out)]


def body_of(w: Writer, element: str, kinds: Sequence[str] = ()) -> str:
    """The body of a reduction: one op, its operands in either order, another function of them, or the second."""
    kind = w.draw.choice([one for one in kinds or binaries(element) if kinds or one != "subtract"])
    scalar = f"tensor<{element}>"
    head = f"^bb0(%p: {scalar}, %q: {scalar}):\n"
    how = w.draw.random()
    one, two = ("%p", "%q") if how < 0.7 else ("%q", "%p") if how < 0.88 else ("%q", "%q")
    lines = f"%r = stablehlo.{kind} {one}, {two} : {scalar}\n"
    if how > 0.92:
        lines = f"%s = stablehlo.{kind} %q, %q : {scalar}\n%r = stablehlo.{kind} %p, %s : {scalar}\n"
    return f"{head}{lines}stablehlo.return %r : {scalar}"
