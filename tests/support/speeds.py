"""Three speeds of tests: one file, all of them, and those of a release."""

from __future__ import annotations

import pytest


def later(*values: object, id: str | None = None) -> object:  # noqa: A002  (pytest's name)
    """Return the parameters of a case that only `tools/check --release` tries; a case beside it is tried always."""
    return pytest.param(*values, marks=pytest.mark.release, id=id)
