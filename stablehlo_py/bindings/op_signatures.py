"""The full signature of every op of a dialect, as the op classes that the bindings generate from ODS have it.

A generated class lists its constructor's parameters in ODS order with an annotation for each; that list, sorted into
operands, attributes, regions and declared results, is what a calculation function has to repeat word for word.
"""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Iterator
from dataclasses import astuple, dataclass
from functools import cache
from pathlib import Path
from typing import Any

from .provider import ir, provider

_NOT_PART_OF_THE_OP = ("self", "loc", "ip", "results")


@dataclass(frozen=True)
class Operand:
    """An operand, or a variadic group of operands."""

    name: str
    variadic: bool


@dataclass(frozen=True)
class AttributeParameter:
    """An attribute; `kind` is one of int, float, bool, str, int_array, bool_array, int_matrix, flag (a unit
    attribute), symbol, dictionary, array, attribute (anything else)."""

    name: str
    kind: str
    optional: bool


@dataclass(frozen=True)
class DeclaredResult:
    """A result, or a variadic group of results, whose type has to be given to create the op."""

    name: str
    variadic: bool


@dataclass(frozen=True)
class RegionParameter:
    """A region, or a variadic group of regions."""

    name: str
    variadic: bool


@dataclass(frozen=True)
class OpSignature:
    """The parameters of an op, in ODS order. `declared_results` names the results whose types the op cannot infer on
    its own (they are parameters of its constructor)."""

    name: str
    operands: tuple[Operand, ...]
    attributes: tuple[AttributeParameter, ...]
    declared_results: tuple[DeclaredResult, ...]
    regions: tuple[RegionParameter, ...]


def _attribute_kind(annotation: str) -> str | None:
    """The kind of the attribute that a constructor's annotation stands for; None for an operand."""
    table = (
        ("DenseIntElementsAttr", "int_matrix"),
        ("DenseI64ArrayAttr", "int_array"),
        ("DenseBoolArrayAttr", "bool_array"),
        ("IntegerAttr", "int"),
        ("FloatAttr", "float"),
        ("BoolAttr", "bool"),
        ("FlatSymbolRefAttr", "symbol"),
        ("StringAttr", "str"),
        ("DictAttr", "dictionary"),
        ("ArrayAttr", "array"),
        ("Optional[bool]", "flag"),
        ("Attribute", "attribute"),
    )
    return next((kind for text, kind in table if text in annotation), None)


def _regions(op_class: type) -> tuple[RegionParameter, ...]:
    regions: list[RegionParameter] = []
    for name, member in vars(op_class).items():
        if isinstance(member, property) and member.fget is not None:
            returned = str(inspect.signature(member.fget).return_annotation)
            if returned.endswith((".Region'>", ".RegionSequence'>")):
                regions.append(RegionParameter(name, "RegionSequence" in returned))
    return tuple(regions)


def _signature(op_class: type) -> OpSignature:
    operands: list[Operand] = []
    attributes: list[AttributeParameter] = []
    declared: list[DeclaredResult] = []
    for parameter in inspect.signature(op_class.__init__).parameters.values():
        if parameter.name in _NOT_PART_OF_THE_OP:
            continue
        annotation = str(parameter.annotation)
        name = parameter.name.rstrip("_") if parameter.name.endswith("_") else parameter.name
        kind = _attribute_kind(annotation)
        if "Value" in annotation:
            operands.append(Operand(name, "Sequence" in annotation))
        elif annotation.endswith((".Type'>", ".Type]")):
            declared.append(DeclaredResult(name, "Sequence" in annotation))
        elif kind is not None:  # what is left counts the regions of a variadic group
            attributes.append(AttributeParameter(name, kind, parameter.default is None))
    name = str(getattr(op_class, "OPERATION_NAME", ""))
    return OpSignature(name, tuple(operands), tuple(attributes), tuple(declared), _regions(op_class))


def _is_annotated(op_class: type) -> bool:
    parameters = inspect.signature(op_class.__init__).parameters.values()
    return any(p.annotation is not inspect.Parameter.empty for p in parameters if p.name not in ("loc", "ip"))


@cache
def _newest() -> dict[str, OpSignature]:
    """The signatures of the newest release, which calculations are written for. Before jaxlib 0.10 generated classes
    do not say what their parameters are, and some ops have got more since; an op of an older release never has the
    attributes that came later, and a single operand is a group of one."""
    text = Path(__file__).with_name("op_signatures.json").read_text(encoding="utf-8")
    return {name: _from_lists(name, entry) for name, entry in json.loads(text).items()}


def newest_names() -> list[str]:
    """The names of the ops in the newest release, of the dialects whose signatures are kept."""
    return list(_newest())


def _from_lists(name: str, entry: list[list[list[Any]]]) -> OpSignature:
    operands, attributes, declared, regions = entry
    return OpSignature(
        name,
        tuple(Operand(*each) for each in operands),
        tuple(AttributeParameter(*each) for each in attributes),
        tuple(DeclaredResult(*each) for each in declared),
        tuple(RegionParameter(*each) for each in regions),
    )


def as_lists(signature: OpSignature) -> list[list[tuple[Any, ...]]]:
    """The signature in the form of op_signatures.json."""
    groups = (signature.operands, signature.attributes, signature.declared_results, signature.regions)
    return [[astuple(each) for each in group] for group in groups]


@cache
def _op_classes(dialect: str) -> dict[str, type]:
    if not re.fullmatch(r"\w+", dialect):
        return {}
    module = provider.optional_module(f"dialects._{dialect}_ops_gen")
    if module is None:
        return {}
    members: list[object] = list(vars(module).values())
    classes = (member for member in members if isinstance(member, type))
    return {
        str(vars(member)["OPERATION_NAME"]): member
        for member in classes
        if issubclass(member, ir.OpView) and "OPERATION_NAME" in vars(member)
    }


@cache
def op_signature(name: str) -> OpSignature | None:
    """Return the signature of the op called `name` (such as `stablehlo.dot_general`), or None where it is unknown: the
    bindings have classes of its dialect, but none for it. torch-mlir has none of StableHLO and CHLO at all."""
    classes = _op_classes(name.partition(".")[0])
    op_class = classes.get(name)
    if op_class is None:
        return None if classes else _newest().get(name)
    return _newest()[name] if name in _newest() else _signature(op_class)


def declared_signature(name: str) -> OpSignature | None:
    """Return the signature by the installed bindings, or None where they have none."""
    op_class = _op_classes(name.partition(".")[0]).get(name)
    return _signature(op_class) if op_class is not None and _is_annotated(op_class) else None


def is_known(name: str) -> bool:
    """Whether the bindings have the op called `name`; where they have no classes for its dialect, nobody can tell, and
    it is taken to be there."""
    classes = _op_classes(name.partition(".")[0])
    return not classes or name in classes


def op_names(dialect: str) -> Iterator[str]:
    """The names of all ops of a dialect that have a generated class, in the order of their definition."""
    yield from _op_classes(dialect)
