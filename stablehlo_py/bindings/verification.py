"""Verifying a module without the risk that the verifier crashes this process."""

from __future__ import annotations

from ..errors import Diagnostic, VerificationError
from ..isolation.policy import is_expendable
from .diagnostics import verified
from .handover import tried_in_child
from .provider import ir


def _verify(operation: ir.Operation) -> None:
    verified(operation.context, operation.verify)


def verify(module: ir.Module | ir.Operation, *, trust_input: bool = False) -> None:
    """Raise VerificationError unless every op in `module` obeys its constraints, or where finding out crashes.

    Args:
        module: A module or an op.
        trust_input: Verify in this process, which some invalid programs crash.
    """
    if trust_input or is_expendable():
        _verify(module.operation)
        return
    outcome = tried_in_child(_verify, module.operation)
    if outcome.crash:
        notes = tuple(Diagnostic("note", "", note) for note in outcome.notes)
        raise VerificationError([Diagnostic("error", "", f"MLIR's verifier fails: {outcome.crash}", notes)])
    outcome.result()
