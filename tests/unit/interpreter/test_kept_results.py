"""What the reference returns for the kit: the same as it was, with accelerators as by definitions, again and again."""

from __future__ import annotations

import kept_results
from kept_draws import changes

MEANT = "if this is meant, run `tools/run generate/kept_results`"


def hold(*elements: str) -> None:
    """Run the kit for these types by definitions, and three times with accelerators; compare with what is kept."""
    assert set(elements) <= set(kept_results.TYPES)
    for element in elements:
        found, wrong = kept_results.of_results(element)
        assert wrong == [], "accelerators give other bits than definitions"
        assert changes(kept_results.PATH, found, element) == [], MEANT


def test_results_of_integers_are_what_they_were() -> None:
    hold("i32")


def test_results_of_narrow_integers_are_what_they_were() -> None:
    hold("i1", "i4", "ui8")


def test_results_of_floats_are_what_they_were() -> None:
    hold("f32")


def test_results_of_complex_numbers_are_what_they_were() -> None:
    hold("complex<f32>", "complex<f64>")


def test_names_of_programs_are_what_they_were() -> None:
    assert changes(kept_results.PATH, kept_results.of_hashes(), "hash") == [], MEANT


def test_functions_of_plans_are_what_they_were() -> None:
    assert changes(kept_results.PATH, kept_results.of_code(), "code") == [], MEANT
