"""Write long programs of random ops on vectors of all element types."""

from __future__ import annotations

import random
from collections.abc import Mapping

from stablehlo_py.conformance.generate import values
from stablehlo_py.debug.allowed.measures import Tolerance

SIZE = 8
INTEGERS = ("i2", "i4", "i8", "i32", "ui4", "ui16")
FLOATS = ("f64", "f32", "f16", "bf16")
ELEMENTS = (*INTEGERS, *FLOATS, "i1")
# Errors in functions count from here on; rounding grows on the way through a program.
TOLERANCES = {"f64": Tolerance(relative=1e-6), "f32": Tolerance(relative=1e-2), "": Tolerance(relative=0.5)}


def ops_of(table: Mapping[str, list[str]], element: str) -> list[str]:
    """The ops of an element type that keep it and are defined for all its values."""
    return [op for op in values.ops_on(table, element) if op not in ("imag", "is_finite", "power", "real", "tan")]


class Writer:
    """A program of one basic block, while it is drawn."""

    def __init__(self, seed: int) -> None:
        self.choose = random.Random(seed)
        self.lines: list[str] = []
        self.values = [(f"%arg{number}", element) for number, element in enumerate(ELEMENTS)]

    def write(self, ops: int) -> str:
        """Return the text of a program of `count` ops."""
        for _ in range(ops):
            self.choose.choice((self.unary, self.binary, self.convert, self.sort, self.move, self.reduce))()
        parameters = ", ".join(f"%arg{number}: tensor<{SIZE}x{element}>" for number, element in enumerate(ELEMENTS))
        results = self.values[len(ELEMENTS) :][-6:]
        names, types = ", ".join(name for name, _ in results), ", ".join(f"tensor<{SIZE}x{e}>" for _, e in results)
        body = "\n".join(self.lines)
        return f"func.func @main({parameters}) -> ({types}) {{\n{body}\n  return {names} : {types}\n}}\n"

    def define(self, right: str, element: str) -> None:
        """A line for a new value."""
        name = f"%{len(self.lines)}"
        self.lines.append(f"  {name} = {right}")
        self.values.append((name, element))

    def unary(self) -> None:
        value, element = self.choose.choice(self.values)
        op = self.choose.choice(ops_of(values.UNARY, element))
        self.define(f"stablehlo.{op} {value} : tensor<{SIZE}x{element}>", element)

    def binary(self) -> None:
        first, element = self.choose.choice(self.values)
        second = self.choose.choice([value for value, other in self.values if other == element])
        op = self.choose.choice(ops_of(values.BINARY, element))
        self.define(f"stablehlo.{op} {first}, {second} : tensor<{SIZE}x{element}>", element)

    def convert(self) -> None:
        value, element = self.choose.choice([one for one in self.values if one[1] not in FLOATS])
        target = self.choose.choice(ELEMENTS)
        self.define(f"stablehlo.convert {value} : (tensor<{SIZE}x{element}>) -> tensor<{SIZE}x{target}>", target)

    def sort(self) -> None:
        value, element = self.choose.choice([one for one in self.values if one[1] not in FLOATS])
        self.define(
            f'"stablehlo.sort"({value}) ({{\n  ^bb0(%x: tensor<{element}>, %y: tensor<{element}>):\n'
            f"    %p = stablehlo.compare LT, %x, %y : (tensor<{element}>, tensor<{element}>) -> tensor<i1>\n"
            f"    stablehlo.return %p : tensor<i1>\n  }}) {{dimension = 0 : i64, is_stable = true}} : "
            f"(tensor<{SIZE}x{element}>) -> tensor<{SIZE}x{element}>",
            element,
        )

    def move(self) -> None:
        value, element = self.choose.choice(self.values)
        self.define(f"stablehlo.reverse {value}, dims = [0] : tensor<{SIZE}x{element}>", element)

    def reduce(self) -> None:
        value, element = self.choose.choice(self.values)
        op = "and" if element == "i1" else "maximum"
        zero = "false" if element == "i1" else ("0.0" if element in FLOATS else "0")
        number = len(self.lines)
        self.lines.append(f"  %{number} = stablehlo.constant dense<{zero}> : tensor<{element}>")
        self.lines.append(
            f"  %{number + 1} = stablehlo.reduce({value} init: %{number}) applies stablehlo.{op} "
            f"across dimensions = [0] : (tensor<{SIZE}x{element}>, tensor<{element}>) -> tensor<{element}>"
        )
        self.define(
            f"stablehlo.broadcast_in_dim %{number + 1}, dims = [] : (tensor<{element}>) -> tensor<{SIZE}x{element}>",
            element,
        )
