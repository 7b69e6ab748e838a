"""What passes make of drawn programs is what it was, with those of their options that make something else."""

from __future__ import annotations

import kept_passes
from kept_draws import changes, kept
from sessions import newest_bindings

PATH = kept_passes.path("passes")


@newest_bindings
def test_passes_make_of_programs_what_they_made() -> None:
    chosen = [part.partition(" ")[2] for part in kept(PATH)]
    assert chosen
    found = kept_passes.of_passes("passes", chosen)
    assert changes(PATH, found, "passes") == [], "if this is meant, run `tools/run generate/kept_passes`"
