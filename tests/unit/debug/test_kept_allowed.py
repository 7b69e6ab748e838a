"""What results of ops may be is what it was: sentences, open elements, and which values are not allowed."""

from __future__ import annotations

import kept_allowed
import pytest
from kept_draws import changes


@pytest.mark.parametrize("element", kept_allowed.TYPES)
def test_what_is_allowed_is_what_it_was(element: str) -> None:
    found = kept_allowed.of_allowed(element)
    assert changes(kept_allowed.PATH, found, element) == [], "if this is meant, run `tools/run generate/kept_allowed`"
