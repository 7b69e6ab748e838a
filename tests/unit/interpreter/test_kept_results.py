"""What the reference returns for the kit: the same as it was, with accelerators as by definitions, again and again."""

from __future__ import annotations

import kept_results
import pytest
from kept_draws import changes
from speeds import later

MEANT = "if this is meant, run `tools/run generate/kept_results`"
PARTS = 3
EACH_CHECK = {"i1": 1, "i4": 0, "ui8": 0, "i32": 2, "f32": 1, "complex<f32>": 2, "complex<f64>": 0}
"""The third of the ops that each check runs for a type: each third for two types or more."""


@pytest.mark.parametrize(
    ("element", "part"),
    [
        (element, part) if part == EACH_CHECK[element] else later(element, part)
        for element in kept_results.TYPES
        for part in range(PARTS)
    ],
)
def test_results_are_what_they_were(element: str, part: int) -> None:
    """Run the kit by definitions, and three times with accelerators; compare with what is kept."""

    def chosen(op: str) -> bool:
        return sum(op.encode()) % PARTS == part

    found, wrong = kept_results.of_results(element, chosen)
    assert wrong == [], "accelerators give other bits than definitions"
    assert [each for each in changes(kept_results.PATH, found, element) if chosen(each.partition(" ")[2])] == [], MEANT
    assert found


def test_names_of_programs_are_what_they_were() -> None:
    assert changes(kept_results.PATH, kept_results.of_hashes(), "hash") == [], MEANT


def test_functions_of_plans_are_what_they_were() -> None:
    assert changes(kept_results.PATH, kept_results.of_code(), "code") == [], MEANT
