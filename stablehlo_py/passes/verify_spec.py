"""Check the specification's constraints that MLIR's verifier does not check.

`dialect/ops.toml` states a constraint as a Python expression, its `check`; those on sizes and element types of results
are in the library's shape and dtype functions. Each op is judged by itself: its attributes, its types and its constant
operands.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import cycle
from types import CodeType
from typing import Any, ClassVar, NamedTuple

from ..bindings import ir
from ..bindings.attributes import enum_of
from ..bindings.diagnostics import file_location
from ..bindings.elements import to_numpy
from ..bindings.op_signatures import op_signature
from ..bindings.types import ElementType, Kind, TensorType, decode_type
from ..bindings.walk import body_of, functions, operations, terminator_of
from ..dialect.catalog import Constraint, constraints
from ..dialect.loops import definer
from ..dialect.messages import violated_constraint
from ..errors import Diagnostic, PassError
from ..shapes.errors import RefutedError
from ..shapes.evaluation.attributes import read_attribute
from ..shapes.evaluation.op_arguments import operand_groups
from ..shapes.library import active_library
from ..shapes.refinement.context import AnalyzedProgram, Context
from ..shapes.refinement.outline import OutlineNode
from ..shapes.refinement.shape_arithmetic import evaluate_elements
from ..shapes.refinement.wrapping import is_library_function
from ..shapes.signatures import DTYPE, SHAPE, expected_parameters
from ..syntax.tables import shortened
from .base import Pass

_DIALECT = "stablehlo."


@dataclass(frozen=True)
class VerifySpec(Pass):
    """The pass `stablehlo-verify-spec`."""

    name: ClassVar[str] = "stablehlo-verify-spec"
    summary: ClassVar[str] = "Check the constraints of the specification that MLIR's verifier does not check"

    def run(self, op: ir.Operation) -> None:
        """Raise `PassError` with a diagnostic for each op that breaks a constraint; the program stays as it is."""
        found = list(broken_constraints(op))
        if found:
            raise PassError(found)


def broken_constraints(module: ir.Operation) -> Iterator[Diagnostic]:
    """Yield an error for each op that breaks a constraint of the specification, in program order.

    Args:
        module: A module that MLIR's verifier accepts.
    """
    program = AnalyzedProgram(module, active_library(), (SHAPE, DTYPE), direct=True)
    for name, function in functions(module).items():
        if is_library_function(function):
            continue
        for op in operations(function):
            found = _stated(op) or _computed(op, name, program)
            if found is not None:
                yield found


def _error(op: ir.Operation, constraint: Constraint | None, finding: str) -> Diagnostic:
    broken = "breaks the specification" if constraint is None else f"breaks {constraint.number} ({constraint.label})"
    return Diagnostic("error", file_location(op.location), f"'{op.name}' op {broken}: {finding}")


def _computed(op: ir.Operation, function: str, program: AnalyzedProgram) -> Diagnostic | None:
    """Return the error that the op's shape and dtype functions give for its types and constant operands."""
    if not len(op.results):
        return None
    context = Context(program, function, function)
    for operand in op.operands:
        source = definer(operand)
        if source is not None and source.name == "stablehlo.constant":
            evaluate_elements(source, source.name, context.facts)
    try:
        context.evaluate_directly(OutlineNode(op, "op", 0, op, op.name))
    except RefutedError as error:
        return _error(op, violated_constraint(op.name.removeprefix(_DIALECT), error.message), error.message)
    return None


def _stated(op: ir.Operation) -> Diagnostic | None:
    """Return the error for the first check in `ops.toml` that the op does not pass."""
    for check in _checks().get(op.name, ()):
        values = {name: _named(op, name) for name in check.names}
        known = {name: value for name, (value, _) in values.items() if value is not None}
        if len(known) == len(values) and not eval(check.code, {**_WORDS, **known}):
            finding = ", ".join([f"{name} is {shortened(text)}" for name, (_, text) in values.items()])
            return _error(op, check.constraint, finding)
    return None


class _Check(NamedTuple):
    """A compiled check; `names` are the parts of the op that it is about."""

    constraint: Constraint
    code: CodeType
    names: tuple[str, ...]


def _compiled(constraint: Constraint) -> _Check:
    tree = ast.parse(constraint.check, mode="eval")
    names = dict.fromkeys([node.id for node in ast.walk(tree) if isinstance(node, ast.Name)])
    return _Check(constraint, compile(tree, constraint.number, "eval"), tuple([n for n in names if n not in _WORDS]))


@cache
def _checks() -> dict[str, list[_Check]]:
    """The checks in `ops.toml`, by the op's full name."""
    return {f"{_DIALECT}{op}": [_compiled(one) for one in known if one.check] for op, known in constraints().items()}


def _named(op: ir.Operation, name: str) -> tuple[Any, str]:
    """Return what a name in a check stands for in an op, as Python and as text.

    It is an operand, a list of operands where they are variadic, a declared result, a region, or an attribute. An
    attribute that is left out is None, or false: a check holds without what it is about.
    """
    signature = op_signature(op.name)
    assert signature is not None
    parameters = expected_parameters(signature, DTYPE)
    parameter = next(each for each in parameters if each.name == name)
    if parameter.source == "attribute":
        attribute = op.attributes.get(name)
        if attribute is None:
            return (False if parameter.annotation == "bool" else None), "left out"
        return _read(attribute), str(attribute)
    if parameter.source == "result":
        return decode_type(op.results[parameter.index].type), str(op.results[parameter.index].type)
    if parameter.source == "region":
        block = body_of(op, parameter.index)
        types = [[value.type for value in values] for values in (block.arguments, terminator_of(block).operands)]
        takes, returns = (", ".join(map(str, each)) for each in types)
        return [list(map(decode_type, each)) for each in types], f"({takes}) -> ({returns})"
    operands = [each for each in parameters if each.source.startswith("operand")]
    group = list(operand_groups(op, parameters))[operands.index(parameter)]
    values, text = [decode_type(value.type) for value in group], ", ".join([str(value.type) for value in group])
    return (values if parameter.source == "operands" else values[0]), text


def _read(attribute: ir.Attribute) -> Any:
    """Return an attribute as plain data; None for a list of mesh axes."""
    if isinstance(attribute, ir.DenseIntElementsAttr):
        return to_numpy(attribute)
    if isinstance(attribute, ir.DenseI64ArrayAttr | ir.DenseBoolArrayAttr | ir.ArrayAttr):
        return list(attribute)
    if isinstance(attribute, ir.UnitAttr):
        return True
    readers = {"#stablehlo.channel_handle": "int", "#stablehlo.conv": "ConvDimensionNumbers"}
    kind = str(attribute).partition("<")[0]
    return read_attribute(attribute, readers[kind]) if kind in readers else enum_of(attribute)


# The words that a check may use besides the names of an op.


def _is_positive(numbers: Sequence[int]) -> bool:
    return all(number > 0 for number in numbers)


def _is_unique(numbers: Sequence[int]) -> bool:
    return len(set(numbers)) == len(numbers)


def _is_per_axis(type_: TensorType) -> bool:
    quantization = type_.element_type.quantization
    return quantization is not None and quantization.quantization_dimension is not None


def _is_promotable(narrow: ElementType, wide: ElementType) -> bool:
    """Spec: is_promotable."""
    if narrow.quantization is not None and wide.quantization is not None:
        return narrow.quantization.expressed == wide.quantization.expressed and narrow.bits <= wide.bits
    return narrow == wide or (narrow.kind is wide.kind and narrow.bits <= wide.bits)


def _combines(computation: Sequence[Sequence[TensorType]], inputs: Sequence[TensorType]) -> bool:
    """Whether a computation takes two scalars for each input, and returns one, all of a type the input promotes to.

    One that takes two scalars alone is for all inputs.
    """
    takes, returns = computation
    return (
        list(takes) == [*returns, *returns]
        and all(type_.shape == () for type_ in takes)
        and all(_is_promotable(i.element_type, o.element_type) for i, o in zip(inputs, cycle(returns), strict=False))
    )


_WORDS: dict[str, Any] = {
    "len": len, "is_positive": _is_positive, "is_unique": _is_unique, "is_per_axis": _is_per_axis,
    "is_promotable": _is_promotable, "combines": _combines, **{kind.name: kind for kind in Kind},
}  # fmt: skip
