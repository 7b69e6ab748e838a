"""Patterns that make programs smaller or simpler without computing anything, by family."""

from __future__ import annotations

from ..rewriting import Pattern
from . import arithmetic, dynamism, logic, movement, reduction, slicing, structure

# In this order patterns of equal benefit are tried; those for every op come last.
SIMPLIFICATIONS: tuple[Pattern, ...] = (
    *arithmetic.PATTERNS,
    *logic.PATTERNS,
    *movement.PATTERNS,
    *slicing.PATTERNS,
    *dynamism.PATTERNS,
    *reduction.PATTERNS,
    *structure.PATTERNS,
)
