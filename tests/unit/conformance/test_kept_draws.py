"""What the kit and the fuzzer draw is what it was: scores are kept by case, and findings are reported by seed."""

from __future__ import annotations

import kept_draws
import pytest

MEANT = "if this is meant, run `tools/run generate/kept_draws`; scores and seeds of users are no longer comparable"


def of_kit(*elements: str) -> list[str]:
    """The parts of the kit for these types that are not as they were."""
    assert set(elements) <= set(kept_draws.TYPES)
    found: dict[str, str] = {}
    for element in elements:
        found |= kept_draws.of_kit(element)
    return kept_draws.changes(kept_draws.PATH, found, *elements)


def test_the_kit_draws_the_same_cases_of_narrow_types() -> None:
    assert of_kit("i1", "f8E5M2") == [], MEANT


@pytest.mark.release
def test_the_kit_draws_the_same_cases_of_more_types() -> None:
    assert of_kit("i4", "ui8", "f64", "complex<f64>") == [], MEANT


def test_the_kit_draws_the_same_cases_of_integers() -> None:
    assert of_kit("i32") == [], MEANT


def test_the_kit_draws_the_same_cases_of_floats() -> None:
    assert of_kit("f32") == [], MEANT


def test_the_kit_draws_the_same_cases_of_complex_numbers() -> None:
    assert of_kit("complex<f32>") == [], MEANT


def test_the_kit_draws_the_same_cases_of_quantized_types() -> None:
    assert of_kit("quantized") == [], MEANT


def test_the_fuzzer_draws_the_same_programs() -> None:
    assert kept_draws.changes(kept_draws.PATH, kept_draws.of_fuzzer(), "fuzz") == [], MEANT
