"""Replaces the ops of a program by the others that the library's decompositions express them with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...bindings import ir
from ...bindings.diagnostics import file_location
from ...bindings.op_signatures import op_signature
from ...bindings.walk import operations_within
from ..decompositions import NotDecomposableError, Ops, check_signature
from ..errors import CalculationError
from ..evaluation.attributes import read_attribute
from ..library import Library
from ..signatures import SHAPE, expected_parameters


def _arguments(op: ir.Operation) -> list[Any]:
    signature = op_signature(op.name)
    if signature is None:
        raise CalculationError(f"the bindings know no op class of '{op.name}'", op=op.name)
    operands = iter(list(op.operands))
    arguments: list[Any] = []
    for parameter in expected_parameters(signature, SHAPE):
        if parameter.source == "operand":
            arguments.append(next(operands))
        elif parameter.source == "operands":
            arguments.append(list(operands))
        elif parameter.source == "attribute":
            attribute = op.attributes.get(parameter.name)
            plain = not parameter.annotation.startswith(("Attribute", "Shape"))
            arguments.append(read_attribute(attribute, parameter.annotation) if plain else attribute)
    return arguments


def _holds_numbers(op: ir.Operation) -> bool:
    """Whether the library's formulas hold for the op's element types: not for quantized ones, nor where nothing is
    negative and no zero exists."""
    types = {str(value.type) for value in (*op.operands, *op.results)}
    return not any("!quant." in text or "f8E8M0FNU" in text for text in types)


def decompose(module: ir.Operation, library: Library, only: Sequence[str] = ()) -> int:
    """Replaces every op that has a decomposition, or those of the ops named. Returns how many."""
    count = 0
    for op in [op for op in operations_within(module) if not only or op.name in only]:
        registration = library.decomposition(op.name)
        if registration is None or not _holds_numbers(op):
            continue
        check_signature(registration)
        hlo = Ops(op)
        try:
            found = registration.function(hlo, *_arguments(op))
        except NotDecomposableError:
            hlo.discard()
            continue
        except ir.MLIRError as error:
            raise CalculationError(
                f"its decomposition creates an op that is wrong: {error}",
                location=file_location(op.location),
                op=op.name,
            ) from error
        for old, new in zip(op.results, found if isinstance(found, tuple) else (found,), strict=True):
            if old.type != new.type:
                new.set_type(old.type)
            old.replace_all_uses_with(new)
        op.erase()
        count += 1
    return count
