"""Small integer tensors become constants if refinement knows their elements."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import numpy as np

from ...bindings import ir
from ...shapes.refinement.application import Refinement
from ...shapes.refinement.shape_arithmetic import FOLDABLE
from ...shapes.refinement.simplification import drop_stand_ins, known_elements
from ...shapes.refinement.wrapping import is_wrapper
from ..effects import is_unused
from ..report import PassReport
from ..rewriting import Pattern, RewriteOptions, Rewriter, apply_patterns
from ..snapshot.parts import Op, body_of
from .evaluation import folded

_COMPUTING = (*FOLDABLE, "stablehlo.constant")


def fold_shape_values(module: ir.Operation, refinement: Refinement, report: PassReport) -> None:
    """Put constants where refinement knows the elements, and erase the ops that computed them."""
    known = known_elements(refinement)
    if drop_stand_ins(refinement) or known:
        roots = (*_COMPUTING, "scf.execute_region")
        pattern = Pattern("fold_known_elements", roots, partial(_fold, known), keeps_effects=True)
        apply_patterns(module, [pattern], RewriteOptions(), report, tidies=False)


def _fold(known: Mapping[ir.Value, np.ndarray], op: Op, rewriter: Rewriter) -> bool:
    """Replace the op, together with a wrapper around it, by a constant; erase it once nothing uses it."""
    wrapper = next((each for each in (op, op.parent) if each and each.ir is not None and is_wrapper(each.ir)), None)
    outer, inner = (op, op) if wrapper is None else (wrapper, body_of(wrapper).operations[0])
    if inner.name not in _COMPUTING:
        return False
    if is_unused(outer):
        return rewriter.erase(outer, keeps_effects=False)
    value = inner.results[0].ir
    return (
        value is not None and value in known and rewriter.replace_uses(outer, folded(outer, [known[value]], rewriter))
    )
