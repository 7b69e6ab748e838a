"""Descriptions of op functions from the tables, for `help` and for the stubs."""

from __future__ import annotations

from ..dialect.catalog import contract
from .parameters import OpParameters, Parameter

ANNOTATIONS = {
    "int": "int",
    "float": "float",
    "bool": "bool",
    "flag": "bool",
    "str": "str",
    "name": "str",
    "ints": "Sequence[int]",
    "int_array": "Sequence[int]",
    "bool_array": "Sequence[bool]",
    "int_matrix": "Sequence[Sequence[int]]",
    "symbol": "str | Function | Callable[..., Any]",
    "dictionary": "Mapping[str, Any]",
    "array": "Sequence[Any]",
}


def annotation(parameter: Parameter) -> str:
    """Return the type of a parameter in a stub."""
    if parameter.role == "result":
        text = "ResultType"
    elif parameter.role == "region":
        text = "Sequence[Callable[..., Any]]" if parameter.is_variadic else "Callable[..., Any]"
    elif parameter.role == "operand":
        text = "Operands" if parameter.is_variadic else "Operand"
    elif "comparison_" in parameter.type or "|" in parameter.type.partition("<")[2]:
        choices = parameter.type[parameter.type.rindex(" ") + 1 : parameter.type.rindex(">")].split("|")
        text = "Literal[" + ", ".join([f'"{choice}"' for choice in choices]) + "]"
        text = f"Sequence[{text}]" if parameter.kind == "array" else text
    else:
        text = ANNOTATIONS.get(parameter.kind, "Any")
    return text if parameter.is_required else f"{text} | None"


def description(op: OpParameters) -> str:
    """Return the doc string of an op's function: its attributes and constraints."""
    dialect, _, name = op.name.partition(".")
    known = contract(name) if dialect == "stablehlo" else None
    lines = [f"Evaluate {op.name} on arrays, or add it to the function that is being built."]
    described = [each for each in op.parameters if each.type or each.default]
    if described:
        lines += ["", "Args:"]
    for each in described:
        default = "" if each.is_required or not each.default else f"; by default {each.default}"
        part = f"{each.field} of " if each.part_of else ""
        lines.append(f"    {each.name}: {part}{each.type}{default}")
    if known is not None and known.constraints:
        lines += ["", "Constraints:", *[f"    {each.number}: {each.label}" for each in known.constraints]]
    return "\n".join(lines)
