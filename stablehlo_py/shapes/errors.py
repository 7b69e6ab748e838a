"""Errors of library functions."""

from __future__ import annotations

from ..errors import StablehloError


class LibraryError(StablehloError):
    """A library function is outside the subset, has a wrong signature, or could not be loaded."""


class RefutedError(StablehloError):
    """A program does what a library function forbids, or declares a type that contradicts the calculated one."""


class LimitError(StablehloError):
    """A library function did not end within the limit on its steps."""
