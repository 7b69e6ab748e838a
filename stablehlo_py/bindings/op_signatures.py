"""The full signature of every op of a dialect, as the op classes that the bindings generate from ODS have it.

A generated class lists its constructor's parameters in ODS order with an annotation for each. A library function
repeats that list, sorted into operands, attributes, regions and declared results, word for word.
"""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Iterator
from dataclasses import astuple, dataclass
from functools import cache
from itertools import starmap
from pathlib import Path
from typing import Any

from .provider import ir, provider

_NOT_PART_OF_THE_OP = ("self", "loc", "ip", "results")
_REGIONS = (".Region'>", ".RegionSequence'>")


@dataclass(frozen=True)
class Group:
    """An operand, a result or a region; a variadic one is any number of them."""

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
class OpSignature:
    """The parameters of an op, in ODS order. `declared_results` are the `results` whose types the op cannot infer; they
    are parameters of its constructor."""

    name: str
    operands: tuple[Group, ...]
    attributes: tuple[AttributeParameter, ...]
    declared_results: tuple[Group, ...]
    regions: tuple[Group, ...]
    results: tuple[Group, ...]


def _attribute_kind(annotation: str) -> str | None:
    """Return the kind of the attribute that a constructor's annotation stands for; None for an operand."""
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


def _text(annotation: Any) -> str:
    """Return an annotation as Python writes it until 3.13: `Optional[bool]`, not `bool | None`."""
    text = str(annotation)
    return f"Optional[{text.removesuffix(' | None')}]" if text.endswith(" | None") else text


def _members(op_class: type) -> Iterator[tuple[str, str]]:
    """Yield the properties of a generated class, with the annotations of their results."""
    for name, member in vars(op_class).items():
        if isinstance(member, property) and member.fget is not None:
            yield name, _text(inspect.signature(member.fget).return_annotation)


def _signature(op_class: type) -> OpSignature:
    operands: list[Group] = []
    attributes: list[AttributeParameter] = []
    declared: list[Group] = []
    for parameter in inspect.signature(op_class.__init__).parameters.values():
        if parameter.name in _NOT_PART_OF_THE_OP:
            continue
        annotation = _text(parameter.annotation)
        name = parameter.name.rstrip("_") if parameter.name.endswith("_") else parameter.name
        kind = _attribute_kind(annotation)
        if "Value" in annotation:
            operands.append(Group(name, "Sequence" in annotation))
        elif annotation.endswith((".Type'>", ".Type]")):
            declared.append(Group(name, "Sequence" in annotation))
        elif kind is not None:  # what is left counts the regions of a variadic group
            attributes.append(AttributeParameter(name, kind, parameter.default is None))
    op_name = str(getattr(op_class, "OPERATION_NAME", ""))
    members = list(_members(op_class))
    return OpSignature(
        op_name,
        tuple(operands),
        tuple(attributes),
        tuple(declared),
        tuple(Group(name, "Sequence" in t) for name, t in members if t.endswith(_REGIONS)),
        tuple(Group(name, "OpResultList" in t) for name, t in members if "OpResult" in t),
    )


@cache
def _newest() -> dict[str, OpSignature]:
    """The signatures of the newest release, which library functions are written for. Before jaxlib 0.10 generated
    classes do not describe their parameters, and some ops have more by now. An op of an older release never has the
    later attributes, and a single operand is a group of one."""
    text = Path(__file__).with_name("op_signatures.json").read_text(encoding="utf-8")
    return {name: _from_lists(name, entry) for names, entry in json.loads(text).items() for name in names.split()}


def newest_names() -> list[str]:
    """The names of the ops in the newest release, of the dialects whose signatures are kept."""
    return sorted(_newest())


def _from_lists(name: str, entry: list[list[list[Any]]]) -> OpSignature:
    kinds = (Group, AttributeParameter, Group, Group, Group)
    groups: list[Any] = [tuple(starmap(kind, each)) for kind, each in zip(kinds, entry, strict=True)]
    return OpSignature(name, *groups)


def as_lists(signature: OpSignature) -> tuple[Any, ...]:
    """Return the signature in the form of op_signatures.json."""
    return astuple(signature)[1:]


@cache
def _op_classes(dialect: str) -> dict[str, type]:
    if not re.fullmatch(r"\w+", dialect):
        return {}
    module = provider.optional_module(f"dialects._{dialect}_ops_gen")
    if module is None:
        return {}
    members: list[object] = list(module.__dict__.values())
    classes = (member for member in members if isinstance(member, type))
    return {
        str(vars(member)["OPERATION_NAME"]): member
        for member in classes
        if issubclass(member, ir.OpView) and "OPERATION_NAME" in vars(member)
    }


@cache
def _names(dialect: str) -> tuple[str, ...]:
    """Return the ops of a dialect: those with a generated class. If the bindings have no classes, as torch-mlir for
    StableHLO and CHLO, they are the newest release's ops that its contexts know."""
    classes = _op_classes(dialect)
    if classes:
        return tuple(classes)
    from .context import make_context

    newest = sorted(name for name in _newest() if name.partition(".")[0] == dialect)
    context = make_context() if newest else None
    return tuple([name for name in newest if context is not None and context.is_registered_operation(name)])


@cache
def op_signature(name: str) -> OpSignature | None:
    """Return the signature of the op called `name` (such as `stablehlo.dot_general`), or None if the bindings have ops
    of its dialect but not this one."""
    dialect = name.partition(".")[0]
    if name not in _names(dialect):
        return None if _names(dialect) else _newest().get(name)
    return _newest()[name] if name in _newest() else _signature(_op_classes(dialect)[name])


def declared_signature(name: str) -> OpSignature | None:
    """Return the signature by the installed bindings, or None."""
    op_class = _op_classes(name.partition(".")[0]).get(name)
    if op_class is None:
        return None
    parameters = [p for p in inspect.signature(op_class.__init__).parameters.values() if p.name not in ("loc", "ip")]
    return None if all(p.annotation is inspect.Parameter.empty for p in parameters) else _signature(op_class)


def is_known(name: str) -> bool:
    """Whether the bindings have the op called `name`; where they name no op of its dialect, nobody can tell, and it is
    taken to be there."""
    names = _names(name.partition(".")[0])
    return not names or name in names


def op_names(dialect: str) -> Iterator[str]:
    """The names of all ops of a dialect that the bindings have, in the order of their definition or the alphabet's."""
    yield from _names(dialect)
