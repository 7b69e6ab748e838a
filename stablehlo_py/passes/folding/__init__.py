"""Patterns that compute what does not depend on the program's input."""

from __future__ import annotations

from ..rewriting import Pattern
from ..simplification import SIMPLIFICATIONS
from . import control_flow, evaluation

FOLDS: tuple[Pattern, ...] = (
    *evaluation.PATTERNS,
    *control_flow.PATTERNS,
    *(item for item in SIMPLIFICATIONS if item.folds),
)
