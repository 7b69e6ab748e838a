"""The pass that replaces ops by the others that express them."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, ClassVar

from ...bindings import ir
from ...bindings.diagnostics import file_location
from ...bindings.narrowing import is_tuple
from ...bindings.op_signatures import op_signature
from ...shapes.errors import LibraryError
from ...shapes.evaluation.attributes import read_attribute
from ...shapes.library import Library, active_library
from ...shapes.registry import BUILT_IN, Registration
from ...shapes.signatures import SHAPE, LibraryParameter, expected_parameters
from ..abstract_transaction import Transaction
from ..report import current_report
from ..rewriting import Pattern, RewriteOptions, Rewriter, apply_patterns
from ..snapshot.parts import Op
from . import built_in as built_in  # registers the decompositions of the package
from .ops import NotDecomposableError, Ops


@dataclass(frozen=True)
class Decompose(Transaction):
    """Apply the decompositions of the library until no op is left that has one.

    `ops` names the ops to replace, all if empty. An op that cannot be decomposed stays, such as a batch_norm_training
    with an unknown dimension size, or a tan that states the accuracy of its result. Other ops stay too, even if they
    are unused.
    """

    name: ClassVar[str] = "stablehlo-decompose"
    summary: ClassVar[str] = "Express ops by others, as the decompositions of the library say"

    ops: tuple[str, ...] = ()

    def change(self, module: ir.Operation) -> None:
        patterns = decompositions(active_library(), self.ops)
        apply_patterns(module, patterns, RewriteOptions(), current_report(self.name), tidies=False)


def decompositions(library: Library, only: Sequence[str] = ()) -> list[Pattern]:
    """Return a pattern for the decomposition of each op, or of each named one; the library's win."""
    known = BUILT_IN.registrations | library.registrations
    return [
        Pattern(f"decompose {op}", (op,), partial(_decompose, known[key]), needs=known[key].needs, keeps_effects=True)
        for key in known
        for kind, op, target in (key,)
        if kind == "decomposition" and not target and (not only or op in only)
    ]


@cache
def checked_parameters(registration: Registration) -> list[LibraryParameter]:
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


def _argument(op: Op, parameter: LibraryParameter) -> Any:
    if parameter.source == "operand":
        return op.operands[parameter.index]
    if parameter.source == "operands":
        return op.operands[parameter.index :]
    attribute = op.attributes.get(parameter.name)
    plain = not parameter.annotation.startswith(("Attribute", "Shape"))
    return read_attribute(attribute, parameter.annotation) if plain else attribute


def _decompose(registration: Registration, op: Op, rewriter: Rewriter) -> bool:
    """Replace an op by the ops that its decomposition creates. Values get the declared types."""
    hlo, parameters = Ops(op, rewriter), checked_parameters(registration)
    try:
        found = registration.function(hlo, *[_argument(op, parameter) for parameter in parameters])
    except NotDecomposableError:
        hlo.discard()
        return False
    except ir.MLIRError as error:
        message, where = f"its decomposition creates an op that is wrong: {error}", file_location(op.location)
        raise LibraryError(message, location=where, op=op.name) from error
    values = found if is_tuple(found) else (found,)
    for result, value in zip(op.results, values, strict=True):
        value.retype(result.tensor)
    return rewriter.replace(op, values)
