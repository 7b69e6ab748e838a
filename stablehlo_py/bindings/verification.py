"""Verifying a module without the risk that the verifier crashes this process."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from ..errors import Diagnostic, VerificationError
from ..processes import is_expendable, limits
from .bytecode import bytecode_of
from .diagnostics import diagnostics_to
from .guarded import fork_is_safe, run_in_child
from .handover import module_in_child
from .provider import ir


def _verify(context: ir.Context, check: Callable[[], object]) -> tuple[None, None]:
    """Make a check that the bindings answer with an error where an op breaks a constraint."""
    diagnostics: list[Diagnostic] = []
    with diagnostics_to(context, diagnostics.append):
        try:
            check()
        except ir.MLIRError:
            raise VerificationError(diagnostics) from None
    return None, None


def _verify_job(bytecode: bytes, context: ir.Context) -> tuple[None, None]:
    """Reads the op, and verifies it as the reader does at its end."""
    return _verify(context, lambda: ir.Module.parse(bytecode, context))


def verify(module: ir.Module | ir.Operation, *, trust_input: bool = False) -> None:
    """Raise VerificationError unless every op in `module` obeys its constraints, or where finding out crashes.

    Args:
        module: A module or an op.
        trust_input: Verify in this process, which some invalid programs crash.
    """
    operation = module.operation
    here = partial(_verify, operation.context, operation.verify)
    if trust_input or is_expendable():
        here()
        return
    if fork_is_safe():
        bounds = limits()
        outcome = run_in_child(here, timeout=bounds.seconds, memory=bounds.memory)
    else:
        data = bytecode_of(operation)
        outcome = module_in_child(partial(_verify_job, data), operation.context, len(data))
    if outcome.crash:
        notes = tuple(Diagnostic("note", "", note) for note in outcome.notes)
        raise VerificationError([Diagnostic("error", "", f"MLIR's verifier fails: {outcome.crash}", notes)])
    if outcome.error is not None:
        raise outcome.error
