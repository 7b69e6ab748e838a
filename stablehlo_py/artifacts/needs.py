"""Versioned features that a program uses, their locations, and remedies.

The facts come from `third_party/versions.toml`. The C++ dialect decides the version of VHLO that can hold an op. This
module says *why*, in the words of the program, and `explain` checks it against the dialect.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache

from ..bindings import ir
from ..bindings.diagnostics import file_location
from ..bindings.walk import children, operations
from .versions import Feature, Version, features

_VERSIONED = re.compile(r"[!#]vhlo[.<]([A-Za-z][A-Za-z0-9_]*_v\d+)")
_TENSOR = re.compile(r"!vhlo\.(?:unranked_)?tensor_v1<(?:[\d?]+x)*")
_OP_VERSION = re.compile(r"_v\d+$")
_EMPTY_TENSOR = "#vhlo.tensor_v1<dense<> : tensor<0xi64>>"
_EMPTY_ARRAY = "#vhlo.array_v1<[]>"
_NONE = "#vhlo.type_v1<!vhlo.none_v1>"
_DEFAULT_ACCURACY = (
    "#vhlo.result_accuracy_v1<atol = 0.000000e+00, rtol = 0.000000e+00, ulps = 0, "
    "mode = #vhlo<result_accuracy_mode_v1 DEFAULT>>"
)
_ALGORITHM = (
    "lhs_precision_type",
    "rhs_precision_type",
    "accumulation_type",
    "lhs_component_count",
    "rhs_component_count",
    "num_primitive_operations",
    "allow_imprecise_accumulation",
)
# Older forms of their op leave out their defaults, so these need no newer version.
_DROPPED_WITH_THEIR_FORM = frozenset({"result_accuracy", *_ALGORITHM})


@dataclass(frozen=True)
class Place:
    """One op of the program.

    `location` is `file:line:column` or empty, `function` the function around the op (empty for the module's own
    attributes), `op` its name in StableHLO, `index` its position in the text of the function, which is 0 itself.
    """

    location: str
    function: str
    op: str
    index: int

    def __str__(self) -> str:
        where = f"position {self.index} in @{self.function}" if self.function else "the module"
        return self.location if self.location else where


@dataclass
class Need:
    """A feature that a program uses, and the locations of all its uses."""

    feature: Feature
    places: list[Place] = field(default_factory=list[Place])

    @property
    def version(self) -> Version:
        """The first version that has the feature."""
        return self.feature.version


@dataclass(frozen=True)
class Occurrence:
    """An op of a VHLO module and its place in the program."""

    operation: ir.Operation
    place: Place


def op_name(vhlo_name: str) -> str:
    """Return `stablehlo.tan` for `vhlo.tan_v2`, and the names of other dialects unchanged."""
    dialect, _, name = vhlo_name.partition(".")
    if dialect != "vhlo":
        return vhlo_name
    name = _OP_VERSION.sub("", name)
    return f"func.{name}" if name in ("func", "call") else f"stablehlo.{name}"


def occurrences(vhlo: ir.Operation) -> Iterator[Occurrence]:
    """Yield every op of the VHLO module `vhlo`, the module itself first, in the order of the text."""
    yield Occurrence(vhlo, Place(file_location(vhlo.location), "", "builtin.module", 0))
    for function in children(vhlo):
        name = _symbol(function)
        for index, inner in enumerate(operations(function)):
            yield Occurrence(inner, Place(file_location(inner.location), name, op_name(inner.name), index))


def _symbol(operation: ir.Operation) -> str:
    if "sym_name" not in operation.attributes:
        return ""
    text = str(operation.attributes["sym_name"])
    return text.removeprefix("#vhlo.string_v1<").removesuffix(">").strip('"')


# Why a form of an op is needed: one predicate for each feature of that kind ----------------------------------------


def _text(operation: ir.Operation, name: str, default: str) -> str:
    return str(operation.attributes[name]) if name in operation.attributes else default


def _accumulates_wider(operation: ir.Operation) -> bool:
    def element(value: ir.Value) -> str:
        return _TENSOR.sub("", str(value.type))

    pairs = zip(operation.operands, operation.results, strict=False)
    return any(element(operand) != element(result) for operand, result in pairs)


def _is_given(name: str, default: str) -> Callable[[ir.Operation], bool]:
    """Whether an attribute is there and not its default."""
    return lambda operation: _text(operation, name, default) != default


def _is_typed_call(operation: ir.Operation) -> bool:
    typed = "API_VERSION_TYPED_FFI" in _text(operation, "api_version", "")
    return typed or _text(operation, "backend_config", "").startswith("#vhlo.dict_v1")


FORMS: dict[str, Callable[[ir.Operation], bool]] = {
    "accumulation in a wider element type": _accumulates_wider,
    "batching dimensions of gather": _is_given("operand_batching_dims", _EMPTY_TENSOR),
    "batching dimensions of scatter": _is_given("input_batching_dims", _EMPTY_TENSOR),
    "typed custom call": _is_typed_call,
    "variadic collectives": lambda operation: len(operation.operands) != 1,
    "dot algorithm": lambda operation: any(_text(operation, name, _NONE) != _NONE for name in _ALGORITHM),
    "result accuracy of exponential": _is_given("result_accuracy", _DEFAULT_ACCURACY),
    "result accuracy": _is_given("result_accuracy", _DEFAULT_ACCURACY),
    "pairs of send and recv": _is_given("source_target_pairs", _EMPTY_TENSOR),
    "regions of composite": lambda operation: len(operation.regions) > 0,
    "future of custom_call": lambda operation: any(
        str(operand.type).startswith("!vhlo.future_v1") for operand in operation.operands
    ),
    "tiling of custom_call results": _is_given("result_tilings", _EMPTY_ARRAY),
    "dynamic root of collective_broadcast": lambda operation: (
        not len(operation.operands) == len(operation.results) == 1
    ),
}


@cache
def _carriers(*kinds: str) -> dict[str, tuple[Feature, ...]]:
    """Return the features of these kinds by the versioned names that carry them."""
    table: dict[str, tuple[Feature, ...]] = {}
    for feature in features():
        if feature.kind in kinds:
            for name in feature.vhlo:
                table[name] = (*table.get(name, ()), feature)
    return table


# An op's needs depend on nothing but this: its name, the types of its operands and results, and its attributes.
Signature = tuple[str, tuple[ir.Type, ...], tuple[ir.Type, ...], tuple[tuple[str, ir.Attribute], ...], int]


def signature(operation: ir.Operation) -> Signature:
    """Return everything that the needs of `operation` depend on; not a large constant's value, whose type says all."""
    operands = tuple(operand.type for operand in operation.operands)
    results = tuple(result.type for result in operation.results)
    left_out = "value" if operation.name == "vhlo.constant_v1" else ""
    attributes = tuple((name, attribute) for name, attribute in operation.attributes.items() if name != left_out)
    return operation.name, operands, results, attributes, len(operation.regions)


class NeedsOfOps:
    """Search for the features that ops need, once for ops that are alike."""

    def __init__(self) -> None:
        self._by_signature: dict[Signature, tuple[Feature, ...]] = {}
        self._by_content: dict[ir.Type | ir.Attribute, tuple[Feature, ...]] = {}

    def of(self, operation: ir.Operation) -> tuple[Feature, ...]:
        """Return the features that `operation` itself needs, ops in its regions left out, oldest first."""
        key = signature(operation)
        found = self._by_signature.get(key)
        if found is None:
            unique = dict.fromkeys(self._find(operation, key))
            found = tuple(sorted(unique))
            self._by_signature[key] = found
        return found

    def _find(self, operation: ir.Operation, key: Signature) -> Iterator[Feature]:
        name, operands, results, attributes, _ = key
        for feature in _carriers("op", "form").get(name.removeprefix("vhlo."), ()):
            if feature.kind == "op" or FORMS[feature.name](operation):
                yield feature
        for type_ in (*operands, *results):
            yield from self._content(type_)
        for attribute_name, attribute in attributes:
            if attribute_name not in _DROPPED_WITH_THEIR_FORM:
                yield from self._content(attribute)

    def _content(self, content: ir.Type | ir.Attribute) -> tuple[Feature, ...]:
        found = self._by_content.get(content)
        if found is None:
            table = _carriers("type", "attribute")
            names = dict.fromkeys(_VERSIONED.findall(str(content)))
            found = tuple(feature for name in names for feature in table.get(name, ()))
            self._by_content[content] = found
        return found


def needs(vhlo: ir.Operation) -> list[Need]:
    """Return the features newer than the first version that `vhlo` uses, newest first, with all places."""
    return collect_needs(occurrences(vhlo), NeedsOfOps())


def collect_needs(found: Iterable[Occurrence], needs_of: NeedsOfOps) -> list[Need]:
    """Return the same as `needs` for the ops `found`."""
    by_feature: dict[Feature, Need] = {}
    for occurrence in found:
        for feature in needs_of.of(occurrence.operation):
            by_feature.setdefault(feature, Need(feature)).places.append(occurrence.place)
    return sorted(by_feature.values(), key=lambda need: need.version, reverse=True)
