"""The functions of a dialect's ops, made when they are first used."""

from __future__ import annotations

import re
from functools import cached_property
from typing import Any

from ..dialect.catalog import contract
from ..syntax.spelling import hint
from .builder import active, located
from .construction import bound, build
from .eager import evaluate
from .functions import unpacked
from .parameters import OpParameters, functions, parameters_of
from .values import Value


def plain_name(element: str) -> str:
    """Return the name in `ops` of an element type: `complex_f32` for `complex<f32>`."""
    return re.sub(r"\W+", "_", element).strip("_")


def description(op: OpParameters) -> str:
    """Return the doc string of an op's function: its attributes and constraints."""
    dialect, _, name = op.name.partition(".")
    known = contract(name) if dialect == "stablehlo" else None
    lines = [f"Evaluate {op.name} on arrays, or add it to the function that is being built."]
    described = [each for each in op.parameters if each.type or each.default]
    if described:
        lines += ["", "Args:"]
    for each in described:
        default = f"; by default {each.default}" if each.default else ""
        part = f"{each.field} of " if each.part_of else ""
        lines.append(f"    {each.name}: {part}{each.type}{default}")
    if known is not None and known.constraints:
        lines += ["", "Constraints:", *[f"    {each.number}: {each.label}" for each in known.constraints]]
    return "\n".join(lines)


class OpFunction:
    """An op as a function. On arrays it returns the op's results; in a function that is being built it adds the op."""

    is_op = True

    def __init__(self, name: str, parameters: OpParameters) -> None:
        self.__name__ = name
        self.parameters = parameters

    @cached_property
    def __doc__(self) -> str:  # pyright: ignore[reportIncompatibleVariableOverride]
        return description(self.parameters)

    def __repr__(self) -> str:
        return f"<function of {self.parameters.name}>"

    @located
    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Call the op.

        Raises:
            ArgumentError: The arguments are not such as the op takes.
            VerificationError: They break a constraint of the op.
            InterpreterError: The op fails on these arrays.
        """
        builder = active()
        if builder is None:
            return evaluate(self.parameters, arguments, named)
        op = build(builder, self.parameters, bound(self.parameters, arguments, named))
        return unpacked(list(map(Value, op.results)))


class Dialect:
    """The functions of a dialect's ops, by name."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> OpFunction:
        op = functions(self._name).get(name)
        parameters = None if op is None else parameters_of(op)
        if parameters is None:
            raise AttributeError(f"{self._name} has no op {name!r}{hint(name, functions(self._name))}")
        found = OpFunction(name, parameters)
        setattr(self, name, found)
        return found

    def __dir__(self) -> list[str]:
        return list(functions(self._name))
