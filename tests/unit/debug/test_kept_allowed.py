"""What results of ops may be is what it was: sentences, open elements, and which values are not allowed."""

from __future__ import annotations

import kept_allowed
import pytest
from kept_draws import changes
from speeds import later

PARTS = len(kept_allowed.TYPES)


@pytest.mark.parametrize(
    ("element", "part"),
    [  # each check compares another third of the ops for each type
        (element, part) if part == (1 - number) % PARTS else later(element, part)
        for number, element in enumerate(kept_allowed.TYPES)
        for part in range(PARTS)
    ],
)
def test_what_is_allowed_is_what_it_was(element: str, part: int) -> None:
    def chosen(op: str) -> bool:
        return sum(op.encode()) % PARTS == part

    found = kept_allowed.of_allowed(element, chosen)
    changed = [each for each in changes(kept_allowed.PATH, found, element) if chosen(each.partition(" ")[2])]
    assert found
    assert changed == [], "if this is meant, run `tools/run generate/kept_allowed`"
