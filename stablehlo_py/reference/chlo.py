"""CHLO programs are evaluated by way of StableHLO, into which the official pass expresses their ops."""

from __future__ import annotations

from functools import partial

from ..bindings import ir, passmanager
from ..bindings.bytecode import bytecode_of
from ..bindings.chlo_scan import expand_scans
from ..bindings.guarded import fork_is_safe, run_in_child
from ..bindings.handover import module_in_child
from ..errors import InterpreterError
from ..processes import Limits

_PIPELINE = "builtin.module(func.func(chlo-legalize-to-stablehlo))"


def lower_chlo(module: ir.Operation) -> ir.Operation:
    """A copy of the module in which CHLO ops are expressed in StableHLO.

    Raises `InterpreterError` where the pass fails or crashes: it is tried in a child process first.
    """
    copy = module.clone()
    expand_scans(copy)
    manager = passmanager.PassManager.parse(_PIPELINE, context=copy.context)

    if fork_is_safe():
        outcome = run_in_child(lambda: manager.run(copy.clone()))
    else:
        outcome = module_in_child(partial(_try_job, bytecode_of(copy)), copy.context, bounds=Limits(60.0))
    if outcome.crash:
        raise InterpreterError(f"a CHLO op cannot be expressed in StableHLO: the pass crashed: {outcome.crash}")
    try:
        manager.run(copy)
    except ir.MLIRError as error:
        raise InterpreterError(f"a CHLO op cannot be expressed in StableHLO: {error}") from error
    return copy


def _try_job(bytecode: bytes, context: ir.Context) -> tuple[None, None]:
    passmanager.PassManager.parse(_PIPELINE, context=context).run(ir.Module.parse(bytecode, context).operation)
    return None, None
