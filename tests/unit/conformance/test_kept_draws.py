"""What the kit and the fuzzer draw is what it was: scores are kept by case, and findings are reported by seed."""

from __future__ import annotations

import kept_draws
import pytest

MEANT = "if this is meant, run `tools/run generate/kept_draws`; scores and seeds of users are no longer comparable"


def changes(found: dict[str, str], first: str) -> str:
    """The parts that differ from the file, of those that begin with a word."""
    kept = {part: digest for part, digest in kept_draws.kept().items() if part.partition(" ")[0] == first}
    assert kept, f"nothing is kept of {first}"
    differ = [part for part in {**kept, **found} if kept.get(part) != found.get(part)]
    return f"{', '.join(differ)}: {MEANT}" if differ else ""


@pytest.mark.parametrize("element", kept_draws.TYPES)
def test_the_kit_draws_the_same_cases(element: str) -> None:
    assert changes(kept_draws.of_kit(element), element) == ""


def test_the_fuzzer_draws_the_same_programs() -> None:
    assert changes(kept_draws.of_fuzzer(), "fuzz") == ""
