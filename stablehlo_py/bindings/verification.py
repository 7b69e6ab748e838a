"""Verifying a module without the risk that the verifier crashes this process."""

from __future__ import annotations

from functools import partial

from ..errors import Diagnostic, VerificationError
from ..processes import is_expendable, limits
from .bytecode import bytecode_of
from .diagnostics import diagnostics_to
from .guarded import fork_is_safe, run_in_child
from .handover import module_in_child
from .provider import ir


def _verify(operation: ir.Operation) -> None:
    diagnostics: list[Diagnostic] = []
    with diagnostics_to(operation.context, diagnostics.append):
        try:
            operation.verify()
        except ir.MLIRError:
            raise VerificationError(diagnostics) from None


def _verify_job(bytecode: bytes, context: ir.Context) -> tuple[None, None]:
    """Reads the op, and verifies it as the reader does at its end."""
    diagnostics: list[Diagnostic] = []
    with diagnostics_to(context, diagnostics.append):
        try:
            ir.Module.parse(bytecode, context)
        except ir.MLIRError:
            raise VerificationError(diagnostics) from None
    return None, None


def verify(module: ir.Module | ir.Operation, *, trust_input: bool = False) -> None:
    """Raise VerificationError unless every op in `module` obeys its constraints, or where finding out crashes.

    Args:
        module: A module or an op.
        trust_input: Verify in this process, which some invalid programs crash.
    """
    operation = module.operation
    if trust_input or is_expendable():
        _verify(operation)
        return
    if fork_is_safe():
        bounds = limits()
        outcome = run_in_child(lambda: _verify(operation), timeout=bounds.seconds, memory=bounds.memory)
    else:
        data = bytecode_of(operation)
        outcome = module_in_child(partial(_verify_job, data), operation.context, len(data))
    if outcome.crash:
        notes = tuple(Diagnostic("note", "", note) for note in outcome.notes)
        raise VerificationError([Diagnostic("error", "", f"MLIR's verifier fails: {outcome.crash}", notes)])
    if outcome.error is not None:
        raise outcome.error
