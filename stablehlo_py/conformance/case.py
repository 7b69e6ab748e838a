"""A case of the kit: a small program, its inputs, and the results that the specification allows."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from ..debug.allowed.widths import DEFAULT
from .generate.texts import tensor, typed_program

Rule = Literal["exact", "ulp", "bounds", "any order", "anything"]
SPEC = "https://openxla.org/stablehlo/spec"
PROFILE = replace(DEFAULT, flushes=False)
"""What is asked of functions; denormals are kept, as IEEE-754 has them."""
_NAME = re.compile(r"[^A-Za-z0-9]+")


@dataclass(frozen=True)
class Expected:
    """The values that one result may have.

    Attributes:
        value: The expected array; with `bounds` one of the allowed ones.
        element: The element type as a program spells it.
        rule: `exact`: these bits, any NaN for a NaN. `ulp`: at most `ulp` values of the type away. `bounds`: each
            element, or each part of a complex one, from `low` to `high`. `any order`: along `dimension`, the elements
            of all results of this rule may be permuted together. `anything`: the spec leaves it to the implementation.
        low: Bounds in double precision, with a last dimension of two for complex types.
        high: The upper bounds.
    """

    value: np.ndarray
    element: str
    rule: Rule = "exact"
    ulp: float = 0.0
    low: np.ndarray | None = None
    high: np.ndarray | None = None
    dimension: int = 0

    @property
    def type(self) -> str:
        """The type of the result."""
        return tensor(self.value.shape, self.element)

    @property
    def tolerance(self) -> str:
        """The rule in words."""
        return f"{self.ulp:g} ULP" if self.rule == "ulp" else self.rule


@dataclass(frozen=True)
class Case:
    """A program with inputs and expectations.

    Attributes:
        op: The op that it is about, without the dialect.
        type: The element type of its column in tables.
        kind: What it tries, such as `out of range`.
        module: The program's text.
        inputs: An array for each parameter.
        expected: What each result may be.
        source: Where the expectation comes from.
        number: Counts the cases of one op, type and kind.
        parameters: The types of the inputs.
    """

    op: str
    type: str
    kind: str
    module: str
    inputs: tuple[np.ndarray, ...]
    expected: tuple[Expected, ...]
    source: str
    number: int = 0
    parameters: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """A stable name that can be a file's."""
        words = (self.op, self.type, self.kind, str(self.number))
        return ".".join(_NAME.sub("_", word).strip("_") for word in words)

    @property
    def reference(self) -> str:
        """The section of the spec."""
        return f"{SPEC}#{self.op.replace('-', '_')}"

    def digest(self) -> str:
        """Return a hash of all that the case consists of."""
        found = hashlib.sha256(self.module.encode())
        for result in self.expected:
            found.update(f"{result.type} {result.rule} {result.ulp!r} {result.dimension}".encode())
            for array in (result.value, result.low, result.high):
                found.update(b"" if array is None else array.tobytes())
        for array in self.inputs:
            found.update(f"{array.dtype.name}{array.shape}".encode() + array.tobytes())
        return found.hexdigest()


Operand = np.ndarray | tuple[str, np.ndarray]
"""The values. An element type other than that of the case comes with them, as a program spells it."""
Result = np.ndarray | Expected
"""An array stands for these bits in the element type of the case."""


def single(
    op: str,
    type_: str,
    kind: str,
    operands: Sequence[Operand],
    results: Sequence[Result],
    attributes: str = "",
    regions: str = "",
    *,
    source: str,
) -> Case:
    """Return a case that is one op on `main`'s arguments, `%0`, `%1`, …, its attributes and regions given as text."""
    names = ", ".join(f"%{index}" for index in range(len(operands)))
    text = f'"stablehlo.{op}"({names}){f" ({regions})" if regions else ""} {{{attributes}}}'
    types, inputs = _parameters(operands, type_)
    expected = [_expected(result, type_) for result in results]
    module = typed_program(types, [result.type for result in expected], text)
    return Case(op, type_, kind, module, inputs, tuple(expected), source, 0, types)


def _parameters(operands: Sequence[Operand], element: str) -> tuple[tuple[str, ...], tuple[np.ndarray, ...]]:
    """Return the types of operands, and their values."""
    typed = [operand if isinstance(operand, tuple) else (element, operand) for operand in operands]
    types = tuple([tensor(array.shape, name) for name, array in typed])
    return types, tuple([np.ascontiguousarray(array).reshape(array.shape) for _, array in typed])


def _expected(result: Result, element: str) -> Expected:
    return result if isinstance(result, Expected) else Expected(result, element)


def one_by_one(case: Case, count: int) -> Case | None:
    """Return an elementwise case on up to `count` single elements in one program, or None if there are none.

    Engines treat scalars in other ways than arrays.
    """
    size, expected = case.expected[0].value.size, case.expected[0]
    positions = sorted({size * number // count for number in range(count)}) if size else []
    line = next(line for line in case.module.splitlines() if "%r = " in line)
    head, attributes = line[: line.index("(")].replace("%r = ", ""), line[line.index(")") + 1 : line.rindex(" : ")]
    scalars = [re.sub(r"tensor<(?:\d+x)*", "tensor<", type_) for type_ in case.parameters]
    operands: list[Operand] = []
    lines, results = list[str](), list[tuple[str, Expected]]()
    for number, position in enumerate(positions):
        names = [f"%{len(operands) + operand}" for operand in range(len(case.inputs))]
        operands += [
            (type_[len("tensor<") : -1], array.reshape(-1)[position if array.size > 1 else 0].reshape(()))
            for type_, array in zip(scalars, case.inputs, strict=True)
        ]
        value = expected.value.reshape(-1)[position].reshape(())
        bounds = [
            None if bound is None else bound.reshape(size, *bound.shape[expected.value.ndim :])[position]
            for bound in (expected.low, expected.high)
        ]
        results.append((f"%r{number}", replace(expected, value=value, low=bounds[0], high=bounds[1])))
        types = f"({', '.join(scalars)}) -> {tensor((), expected.element)}"
        lines.append(f"  %r{number} = {head}({', '.join(names)}){attributes} : {types}")
    if not positions:
        return None
    kind, fields = f"{case.kind}, one by one", (case.op, case.type)
    return grouped(*fields, kind, operands, results, "\n".join(lines), source=case.source)


def grouped(
    op: str,
    type_: str,
    kind: str,
    operands: Sequence[Operand],
    results: Sequence[tuple[str, Result]],
    lines: str,
    *,
    source: str,
    functions: str = "",
) -> Case:
    """A case of several ops: `lines` are the body of `main` with arguments `%0`, `%1`, …; each result has the name of
    a value. The text of `functions` comes before `main`."""
    types, inputs = _parameters(operands, type_)
    parameters = ", ".join(f"%{index}: {each}" for index, each in enumerate(types))
    expected = [_expected(result, type_) for _, result in results]
    names, outputs = ", ".join(name for name, _ in results), ", ".join(each.type for each in expected)
    module = f"{functions}func.func @main({parameters}) -> ({outputs}) {{\n{lines}\n  return {names} : {outputs}\n}}\n"
    return Case(op, type_, kind, module, inputs, tuple(expected), source, 0, types)
