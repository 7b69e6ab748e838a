"""Folds whose bodies engines do not recognise, and folds in a wider type than the operands have."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from ..case import Case
from ..generate.texts import body
from ..generate.values import INTEGERS, dtype_of
from ..registry import Draw, Family, cases_of
from . import indexing, reduction

_FOLDS: dict[str, Family] = {
    "reduce": reduction.reduce,
    "reduce_window": reduction.reduce_window,
    "scatter": indexing.scatter,
}
_NARROWER = {"f64": "f32", "f32": "bf16"}


@cases_of(*_FOLDS)
def with_branches(op: str, draw: Draw) -> Iterator[Case]:
    """The smaller of two integers by a comparison and a branch."""
    for element in draw.only(INTEGERS):
        recognised = body("minimum", element)
        for case in _FOLDS[op](op, replace(draw, types=(element,))):
            if recognised in case.module:
                module = case.module.replace(recognised, body("branches", element))
                yield replace(case, kind="branches", module=module)


@cases_of(*_FOLDS)
def wider(op: str, draw: Draw) -> Iterator[Case]:
    """Operands of a narrower type than the body's arguments and the results."""
    for element in draw.only(_NARROWER):
        for case in _FOLDS[op](op, replace(draw, types=(element,))):
            made = _with_narrow_operands(case, element) if case.kind == "ordinary" else None
            if made is not None:
                yield made


def _with_narrow_operands(case: Case, element: str) -> Case | None:
    """Return the case with operands in a narrower type; None without a sum, or if the operands do not fit."""
    narrower = _NARROWER[element]
    with np.errstate(all="ignore"):
        inputs = [a.astype(dtype_of(narrower)) if a.dtype == dtype_of(element) else a for a in case.inputs]
    fit = [np.array_equal(a.astype(b.dtype), b, equal_nan=True) for a, b in zip(inputs, case.inputs, strict=True)]
    if not all(fit) or body("add", element) not in case.module:
        return None
    parameters, arrow, rest = case.module.partition(") -> (")
    rest, colon, signature = rest.rpartition(" : (")
    operands, other_arrow, results = signature.partition(") -> (")
    parameters, operands = parameters.replace(element, narrower), operands.replace(element, narrower)
    module = parameters + arrow + rest + colon + operands + other_arrow + results
    types = tuple([text.replace(element, narrower) for text in case.parameters])
    return replace(case, kind="wider results", module=module, inputs=tuple(inputs), parameters=types)
