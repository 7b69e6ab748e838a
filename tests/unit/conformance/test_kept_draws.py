"""What the kit and the fuzzer draw is what it was: scores are kept by case, and findings are reported by seed."""

from __future__ import annotations

import kept_draws

MEANT = "if this is meant, run `tools/run generate/kept_draws`; scores and seeds of users are no longer comparable"


def changes(found: dict[str, str], first: str) -> str:
    """The parts that differ from the file, of those that begin with a word."""
    kept = {part: digest for part, digest in kept_draws.kept().items() if part.partition(" ")[0] == first}
    assert kept, f"nothing is kept of {first}"
    differ = [part for part in {**kept, **found} if kept.get(part) != found.get(part)]
    return f"{', '.join(differ)}: {MEANT}" if differ else ""


def of_kit(*elements: str) -> list[str]:
    """The parts of the kit for these types that are not as they were."""
    assert set(elements) <= set(kept_draws.TYPES)
    return [each for element in elements if (each := changes(kept_draws.of_kit(element), element))]


def test_the_kit_draws_the_same_cases_of_narrow_types() -> None:
    assert of_kit("i1", "i4", "ui8", "f8E5M2") == []


def test_the_kit_draws_the_same_cases_of_integers() -> None:
    assert of_kit("i32") == []


def test_the_kit_draws_the_same_cases_of_floats() -> None:
    assert of_kit("f32") == []


def test_the_kit_draws_the_same_cases_of_doubles() -> None:
    assert of_kit("f64") == []


def test_the_kit_draws_the_same_cases_of_complex_numbers() -> None:
    assert of_kit("complex<f32>", "complex<f64>") == []


def test_the_kit_draws_the_same_cases_of_quantized_types() -> None:
    assert of_kit("quantized") == []


def test_the_fuzzer_draws_the_same_programs() -> None:
    assert changes(kept_draws.of_fuzzer(), "fuzz") == ""
