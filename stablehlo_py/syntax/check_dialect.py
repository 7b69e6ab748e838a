"""The check dialect: its ops, their text, and the constraints of their operands and attributes.

The providers do not carry this dialect. In memory its ops are therefore unregistered ops under their own names, such
as `check.expect_eq`, in a context that allows unregistered dialects:

| op                     | operands         | attributes                                                      |
|------------------------|------------------|-----------------------------------------------------------------|
| expect_eq              | lhs, rhs         |                                                                 |
| expect_eq_const        | lhs              | value: elements                                                 |
| expect_almost_eq       | lhs, rhs         | tolerance: f64, optional                                        |
| expect_almost_eq_const | lhs              | value: elements; tolerance: f64, optional                       |
| expect_close           | actual, expected | max_ulp_difference: ui64; min_ulp_difference: ui64, optional    |
| expect_serialized_eq   | expected         | probe_id: string; iteration: ui32, optional                     |

They have no results and no regions. Source: the ops' definition in StableHLO's CheckOps.td.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from .scanner import AttributeText, ScanError, TextCursor

_TENSOR = re.compile(r"tensor<(?:[\d?]+x)*(?!\*)")
_FLOATING = re.compile(r"tensor<(?:[\d?]+x)*(?:f\d|bf16|tf32|complex<)")
_UNSIGNED = re.compile(r"\d+")
_ELEMENTS = ("dense<", "dense_resource<", "sparse<", "#")

# An op starts a line in printed text.
_PRINTED = re.compile(r'^([ \t]*)(?="check\.)', re.MULTILINE)

_Entry = TypeVar("_Entry")


@dataclass(frozen=True)
class CheckAttribute:
    """An attribute of a check op: `keyword` is its name in the assembly form, empty for a value alone; `type` is the
    type that the assembly form omits, or empty; `default` is not printed."""

    name: str
    keyword: str
    type: str
    constraint: str
    accepts: Callable[[AttributeText], bool]
    required: bool = False
    default: str = ""


@dataclass(frozen=True)
class CheckOp:
    """The syntax of an op: its operands, its attributes, and the number of types behind the colon (0: no colon)."""

    operands: tuple[str, ...]
    attributes: tuple[CheckAttribute, ...] = ()
    types: int = 1
    floating: bool = False
    # Where the attribute dictionary stands: before the colon, or behind it.
    dictionary_behind_colon: bool = False


def _is_unsigned(type_: str) -> Callable[[AttributeText], bool]:
    return lambda text: text.type == type_ and _UNSIGNED.fullmatch(text.value) is not None


_VALUE = CheckAttribute(
    "value", "", "", "constant vector/tensor attribute", lambda text: text.value.startswith(_ELEMENTS), required=True
)
_TOLERANCE = CheckAttribute(
    "tolerance", "tolerance", "f64", "64-bit float attribute", lambda text: text.type == "f64", default="1.000000e-04"
)
_ULP = "64-bit unsigned integer attribute"

CHECK_OPS: dict[str, CheckOp] = {
    "check.expect_eq": CheckOp(("lhs", "rhs")),
    "check.expect_eq_const": CheckOp(("lhs",), (_VALUE,), types=0),
    "check.expect_almost_eq": CheckOp(("lhs", "rhs"), (_TOLERANCE,), floating=True),
    "check.expect_almost_eq_const": CheckOp(("lhs",), (_VALUE, _TOLERANCE), types=0, floating=True),
    "check.expect_close": CheckOp(
        ("actual", "expected"),
        (
            CheckAttribute(
                "max_ulp_difference", "max_ulp_difference", "ui64", _ULP, _is_unsigned("ui64"), required=True
            ),
            CheckAttribute("min_ulp_difference", "min_ulp_difference", "ui64", _ULP, _is_unsigned("ui64"), default="0"),
        ),
        types=2,
        floating=True,
        dictionary_behind_colon=True,
    ),
    "check.expect_serialized_eq": CheckOp(
        ("expected",),
        (
            CheckAttribute(
                "probe_id", "probe_id", "", "string attribute", lambda text: text.value.startswith('"'), required=True
            ),
            CheckAttribute(
                "iteration", "iter", "ui32", "32-bit unsigned integer attribute", _is_unsigned("ui32"), default="0"
            ),
        ),
    ),
}


def read_list(cursor: TextCursor, read_one: Callable[[TextCursor], _Entry], closing: str) -> list[_Entry]:
    """Return the entries up to the bracket `closing`; the cursor is behind the opening one. Raises ScanError."""
    entries: list[_Entry] = []
    if cursor.accept(closing):
        return entries
    while True:
        entries.append(read_one(cursor))
        if cursor.accept(closing):
            return entries
        cursor.expect(",")


def read_dictionary(cursor: TextCursor) -> dict[str, AttributeText]:
    """The attributes of `{name = value, unit}` by name; a unit attribute has the value `unit`. Raises ScanError."""

    def read_entry(cursor: TextCursor) -> tuple[str, AttributeText]:
        name = cursor.read_string()[1:-1] if cursor.peek('"') else cursor.read_word()
        return name, cursor.read_attribute() if cursor.accept("=") else AttributeText("unit")

    cursor.expect("{")
    return dict(read_list(cursor, read_entry, "}"))


def written_entries(attributes: dict[str, AttributeText]) -> str:
    """Return the entries of a dictionary of attributes."""
    return ", ".join(name if str(value) == "unit" else f"{name} = {value}" for name, value in attributes.items())


@dataclass(eq=False)
class GenericForm:
    """The parts of `"name"(operands) {attributes} : (types) -> (results)` as text."""

    name: str
    operands: list[str]
    attributes: dict[str, AttributeText]
    operand_types: list[str]
    result_types: list[str]

    @classmethod
    def read(cls, cursor: TextCursor) -> GenericForm:
        """Read the op at the cursor, without regions. Raises ScanError."""
        name = cursor.read_string()[1:-1]
        cursor.expect("(")
        operands = read_list(cursor, TextCursor.read_operand, ")")
        attributes: dict[str, AttributeText] = {}
        if cursor.accept("<"):
            attributes |= read_dictionary(cursor)
            cursor.expect(">")
        if cursor.peek("{"):
            attributes |= read_dictionary(cursor)
        cursor.expect(":")
        cursor.expect("(")
        operand_types = read_list(cursor, TextCursor.read_type, ")")
        cursor.expect("->")
        result_types = read_list(cursor, TextCursor.read_type, ")") if cursor.accept("(") else [cursor.read_type()]
        return cls(name, operands, attributes, operand_types, result_types)


def violation(form: GenericForm) -> str | None:
    """Return the rule that a check op breaks, in the words of MLIR's verifier; None for a sound op."""
    op = CHECK_OPS.get(form.name)
    if op is None:
        return f"unregistered operation '{form.name}' found in dialect ('check') that does not allow unknown operations"
    found = _signature_violation(form, op)
    if found is None:
        found = _attribute_violation(form, op)
    return None if found is None else f"'{form.name}' op {found}"


def _signature_violation(form: GenericForm, op: CheckOp) -> str | None:
    count = len(form.operand_types)
    if count != len(op.operands):
        return f"expected {len(op.operands)} operands, but found {count}"
    if form.result_types:
        return "requires zero results"
    pattern, kind = (_FLOATING, "floating-point or complex") if op.floating else (_TENSOR, "any StableHLO element type")
    for index, type_ in enumerate(form.operand_types):
        if pattern.match(type_) is None:
            return f"operand #{index} must be ranked tensor of {kind} values, but got '{type_}'"
    if len(set(form.operand_types)) > 1:
        if op.types == 1:
            return "requires the same type for all operands"
        return f"failed to verify that all of {{{', '.join(op.operands)}}} have same type"
    return None


def _attribute_violation(form: GenericForm, op: CheckOp) -> str | None:
    for attribute in op.attributes:
        given = form.attributes.get(attribute.name)
        if given is None:
            if attribute.required:
                return f"requires attribute '{attribute.name}'"
        elif not attribute.accepts(given):
            return f"attribute '{attribute.name}' failed to satisfy constraint: {attribute.constraint}"
    value = form.attributes.get("value")
    if value is not None and value.type != form.operand_types[0]:
        return "failed to verify that all of {lhs, value} have same type"
    return None


def _dictionary(attributes: dict[str, AttributeText]) -> str:
    return f" {{{written_entries(attributes)}}}" if attributes else ""


def _assembly(form: GenericForm, op: CheckOp) -> str:
    text = f"{form.name} {', '.join(form.operands)}"
    others = dict(form.attributes)
    for attribute in op.attributes:
        value = others.pop(attribute.name, None)
        if value is None or value.value == attribute.default:
            continue
        written = value.value if attribute.type else str(value)
        text += f", {attribute.keyword} = {written}" if attribute.keyword else f", {written}"
    if op.dictionary_behind_colon:
        return f"{text} :{_dictionary(others)} {', '.join(form.operand_types[: op.types])}"
    text += _dictionary(others)
    return f"{text} : {', '.join(form.operand_types[: op.types])}" if op.types else text


def _generic(form: GenericForm, op: CheckOp) -> str:
    """Return the generic form as a registered op prints it: attributes of the op's definition are properties."""
    names = {attribute.name for attribute in op.attributes}
    own = {name: value for name, value in form.attributes.items() if name in names}
    others = {name: value for name, value in form.attributes.items() if name not in names}
    properties = f" <{{{written_entries(own)}}}>" if own else ""
    types = ", ".join(form.operand_types)
    return f'"{form.name}"({", ".join(form.operands)}){properties}{_dictionary(others)} : ({types}) -> ()'


def write_check_ops(text: str, *, generic: bool = False) -> str:
    """Printed `text` with every check op as a tool that knows the dialect prints it."""
    if '"check.' not in text:
        return text
    parts: list[str] = []
    done = 0
    for found in _PRINTED.finditer(text):
        cursor = TextCursor(text, found.end())
        try:
            form = GenericForm.read(cursor)
        except ScanError:  # an op with regions or successors, which no check op has
            continue
        op = CHECK_OPS.get(form.name)
        if op is None:
            continue
        parts += [text[done : found.end()], (_generic if generic else _assembly)(form, op)]
        done = cursor.position
    return "".join([*parts, text[done:]])
