"""The pass that replaces ops by the others that express them."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from ...bindings import ir
from ...bindings.diagnostics import file_location
from ...bindings.narrowing import is_tuple
from ...bindings.op_signatures import op_signature
from ...bindings.walk import operations_within
from ...shapes.errors import LibraryError
from ...shapes.evaluation.attributes import read_attribute
from ...shapes.library import Library, active_library
from ...shapes.registry import Registration
from ...shapes.signatures import SHAPE, Parameter, expected_parameters
from ..abstract_transaction import transformed
from ..base import Pass
from ..matching import holds_for_elements
from ..snapshot.facts import TensorType
from .built_in import built_in_decomposition
from .ops import NotDecomposableError, Ops


@dataclass(frozen=True)
class Decompose(Pass):
    """Apply the decompositions of the abstract interpretation library until no op is left that has one.

    `ops` names the ops to replace, all if empty. An instance that cannot be decomposed, such as a batch_norm_training
    of unknown dimension sizes, stays.
    """

    name: ClassVar[str] = "stablehlo-decompose"
    summary: ClassVar[str] = "Express ops by others, as the decompositions of the library say"

    ops: tuple[str, ...] = ()

    def run(self, op: ir.Operation) -> None:
        def apply(module: ir.Operation) -> None:
            while decompose(module, active_library(), self.ops):
                pass

        transformed(op, apply)


def checked_parameters(registration: Registration) -> list[Parameter]:
    """The operands and attributes of a decomposition's op.

    Raises:
        LibraryError: The decomposition takes others.
    """
    signature = op_signature(registration.op)
    if signature is None:
        raise LibraryError(f"the bindings know no op class of '{registration.op}'")
    wanted = ("operand", "operands", "attribute")
    parameters = [parameter for parameter in expected_parameters(signature, SHAPE) if parameter.source in wanted]
    expected = ["hlo", *(parameter.name for parameter in parameters)]
    found = list(inspect.signature(registration.function).parameters)
    if found != expected:
        raise LibraryError(
            f"the decomposition of '{registration.op}' has to take ({', '.join(expected)}), "
            f"it takes ({', '.join(found)})"
        )
    return parameters


def _argument(op: ir.Operation, parameter: Parameter) -> Any:
    if parameter.source == "operand":
        return op.operands[parameter.index]
    if parameter.source == "operands":
        return list(op.operands)[parameter.index :]
    attribute = op.attributes.get(parameter.name)
    plain = not parameter.annotation.startswith(("Attribute", "Shape"))
    return read_attribute(attribute, parameter.annotation) if plain else attribute


def decompose(module: ir.Operation, library: Library, only: Sequence[str] = ()) -> int:
    """Replace every op that has a decomposition, or those of the ops named. Returns how many."""
    count = 0
    for op in [op for op in operations_within(module) if not only or op.name in only]:
        registration = library.decomposition(op.name)
        if registration is None:
            registration = built_in_decomposition(op.name)
        if registration is not None and _suits(registration, op):
            count += _replace(op, registration)
    return count


def _suits(registration: Registration, op: ir.Operation) -> bool:
    types = {value.type for value in (*op.operands, *op.results)}
    return holds_for_elements(registration.needs, map(TensorType, types))


def _replace(op: ir.Operation, registration: Registration) -> bool:
    hlo, parameters = Ops(op), checked_parameters(registration)
    try:
        found = registration.function(hlo, *[_argument(op, parameter) for parameter in parameters])
    except NotDecomposableError:
        hlo.discard()
        return False
    except ir.MLIRError as error:
        raise LibraryError(
            f"its decomposition creates an op that is wrong: {error}",
            location=file_location(op.location),
            op=op.name,
        ) from error
    for old, new in zip(op.results, found if is_tuple(found) else (found,), strict=True):
        if old.type != new.type:
            new.set_type(old.type)
        old.replace_all_uses_with(new)
    op.erase()
    return True
