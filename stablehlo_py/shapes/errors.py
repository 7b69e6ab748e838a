"""Errors of calculations."""

from __future__ import annotations

from ..errors import StablehloError


class CalculationError(StablehloError):
    """A calculation is outside the subset, has a wrong signature, or could not be loaded."""


class RefutedError(StablehloError):
    """A program does what a calculation forbids, or declares a type that contradicts the calculated one."""


class LimitError(StablehloError):
    """A calculation did not end within the limit on its steps."""
