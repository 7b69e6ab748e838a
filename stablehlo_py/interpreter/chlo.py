"""CHLO programs are evaluated by way of StableHLO, into which the official pass expresses their ops."""

from __future__ import annotations

from ..bindings import ir, passmanager
from ..bindings.handover import tried_in_child
from ..errors import InterpreterError
from ..isolation.limits import Limits
from .chlo_scan import expand_scans

_PIPELINE = "builtin.module(func.func(chlo-legalize-to-stablehlo))"


def lower_chlo(module: ir.Operation) -> ir.Operation:
    """Return a copy of the module with CHLO ops expressed in StableHLO.

    Raises `InterpreterError` where the pass fails or crashes: it is tried in a child process first.
    """
    copy = module.clone()
    expand_scans(copy)
    outcome = tried_in_child(_lower, copy, Limits(60.0))
    if outcome.crash:
        raise InterpreterError(f"a CHLO op cannot be expressed in StableHLO: the pass crashed: {outcome.crash}")
    try:
        _lower(copy)
    except ir.MLIRError as error:
        raise InterpreterError(f"a CHLO op cannot be expressed in StableHLO: {error}") from error
    return copy


def _lower(module: ir.Operation) -> None:
    passmanager.PassManager.parse(_PIPELINE, context=module.context).run(module)
