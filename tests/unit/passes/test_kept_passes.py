"""What passes make of drawn programs is what it was, with those of their options that make something else."""

from __future__ import annotations

import kept_passes
import pytest
from kept_draws import changes, kept
from sessions import newest_bindings
from speeds import later

PATH = kept_passes.path("passes")


@newest_bindings
@pytest.mark.parametrize("first", [0, later(1)])
def test_passes_make_of_programs_what_they_made(first: int) -> None:
    """Each check runs every other pipeline."""
    chosen = [part.partition(" ")[2] for part in kept(PATH)][first::2]
    assert chosen
    found = kept_passes.of_passes("passes", chosen)
    changed = [part for part in changes(PATH, found, "passes") if part.partition(" ")[2] in chosen]
    assert changed == [], "if this is meant, run `tools/run generate/kept_passes`"
