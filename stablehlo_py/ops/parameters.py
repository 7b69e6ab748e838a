"""Parameters of the functions in this room, from the tables of op signatures and attributes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache, cached_property
from typing import Any, Literal, TypeGuard, get_type_hints

import numpy as np

from ..bindings.dimension_numbers import (
    ConvDimensionNumbers,
    DotAlgorithm,
    DotDimensionNumbers,
    GatherDimensionNumbers,
    RaggedDotDimensionNumbers,
    ScatterDimensionNumbers,
)
from ..bindings.elements import Array
from ..bindings.op_signatures import OpSignature, op_names, op_signature
from ..dialect.facts import OpFacts, entry, facts

PYTHON_NAMES = {"and": "and_", "or": "or_", "not": "not_", "if": "if_", "while": "while_"}
"""Ops whose names are keywords of Python, by their functions' names."""

_STRUCTS: dict[str, dict[str, Any]] = {"#stablehlo.channel_handle": {"channel_id": int, "channel_type": int}} | {
    name: {field.name: get_type_hints(kind)[field.name] for field in fields(kind)}
    for name, kind in {
        "#chlo.ragged_dot": RaggedDotDimensionNumbers,
        "#stablehlo.conv": ConvDimensionNumbers,
        "#stablehlo.dot": DotDimensionNumbers,
        "#stablehlo.dot_algorithm": DotAlgorithm,
        "#stablehlo.gather": GatherDimensionNumbers,
        "#stablehlo.scatter": ScatterDimensionNumbers,
    }.items()
}
_SPELLINGS = {"channel_id": "handle", "channel_type": "type"}  # fields that MLIR names unlike the specification
_KINDS = {list[int]: "ints", int: "int", str: "name", bool: "bool"}


@dataclass(frozen=True)
class Parameter:
    """A parameter of an op's function.

    `role` is what it stands for. An attribute has a `kind` as in `op_signatures`, or "ints" and "name", and a `type`
    in the words of `ops.toml`. A field of a structured attribute has the attribute's name in `part_of`, and `field` is
    MLIR's name for it.
    """

    name: str
    role: Literal["operand", "attribute", "region", "result"]
    is_required: bool = True
    is_variadic: bool = False
    kind: str = ""
    type: str = ""
    default: str = ""
    part_of: str = ""
    field: str = ""


@dataclass(frozen=True)
class OpParameters:
    """An op, and the parameters of its function in their order."""

    name: str
    signature: OpSignature
    parameters: tuple[Parameter, ...]

    @cached_property
    def by_name(self) -> dict[str, Parameter]:
        """Every parameter by its name."""
        return {parameter.name: parameter for parameter in self.parameters}

    @cached_property
    def operands(self) -> tuple[Parameter, ...]:
        """The parameters that stand for operands."""
        return tuple(parameter for parameter in self.parameters if parameter.role == "operand")

    @cached_property
    def required(self) -> tuple[str, ...]:
        """The names of the parameters without a default."""
        return tuple(parameter.name for parameter in self.parameters if parameter.is_required)

    @cached_property
    def facts(self) -> OpFacts:
        """The facts about the op."""
        return facts(self.name)

    @cached_property
    def infers_results(self) -> bool:
        """Whether the bindings infer the types of all results without the op's regions."""
        return not self.signature.declared_results and not self.signature.regions

    @cached_property
    def structs(self) -> dict[str, str]:
        """The types of the structured attributes whose fields are parameters, by the attributes' names."""
        return {p.part_of: p.type for p in self.parameters if p.part_of}

    @cached_property
    def optional_structs(self) -> list[list[str]]:
        """The parameters of each structured attribute that the op needs and whose fields may each be left out."""
        groups = [[p for p in self.parameters if p.part_of == struct] for struct in self.structs]
        return [[p.name for p in group] for group in groups if all(p.default == "[]" for p in group)]


def _attribute_parameters(name: str, kind: str, optional: bool, known: Mapping[str, Any]) -> list[Parameter]:
    """Return the parameter of an attribute, or one for each field of a structured attribute."""
    described = known.get(name, "")
    type_, default = (described, "") if isinstance(described, str) else (described["type"], described["default"])
    struct = _STRUCTS.get(type_)
    if struct is None:
        return [Parameter(name, "attribute", not optional, kind=kind, type=type_, default=default)]
    return [
        Parameter(
            field,
            "attribute",
            not optional and hint != list[int] and field != "channel_type",
            kind=_KINDS[hint],
            type=type_,
            default=default if optional else "[]" if hint == list[int] else "1" if field == "channel_type" else "",
            part_of=name,
            field=_SPELLINGS.get(field, field),
        )
        for field, hint in struct.items()
    ]


@cache
def parameters_of(name: str) -> OpParameters | None:
    """Return the parameters of the function of an op, or None if the bindings have no op of this name."""
    signature = op_signature(name)
    if signature is None:
        return None
    known = (entry(name) or {}).get("attributes", {})
    found = [Parameter(group.name, "operand", is_variadic=group.variadic) for group in signature.operands]
    for attribute in signature.attributes:
        found += _attribute_parameters(attribute.name, attribute.kind, attribute.optional, known)
    for group, kind in zip(signature.regions, facts(name).regions, strict=False):
        found.append(Parameter(group.name, "region", not kind.startswith("never"), group.variadic))
    found.append(Parameter("result_type", "result", is_required=False))
    required = [parameter for parameter in found if parameter.is_required]
    return OpParameters(name, signature, (*required, *[each for each in found if not each.is_required]))


@cache
def functions(dialect: str) -> dict[str, str]:
    """Return the ops of a dialect that have a function, by the function's name. A terminator is written by `return`."""
    ops = {name.partition(".")[2]: name for name in op_names(dialect) if not facts(name).ends}
    return {PYTHON_NAMES.get(name, re.sub(r"\W", "_", name)): op for name, op in ops.items()}


# Kinds of Python values.


def is_array(value: object) -> TypeGuard[Array]:
    """Whether a value is an array or a scalar of numpy. Masked ones are refused when they are read."""
    return not hasattr(value, "mask") and isinstance(value, (np.ndarray, np.generic))


def is_group(value: object) -> TypeGuard[list[Any] | tuple[Any, ...]]:
    """Whether a value is a list or a tuple, of operands for instance."""
    return isinstance(value, (list, tuple))
