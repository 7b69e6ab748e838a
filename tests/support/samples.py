"""Cases of a test of which each check runs some, and a release all."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from speeds import later


def examples(few: int, many: int) -> int:
    """Return how many examples a test draws: `few` in each check, `many` in a release."""
    return many if "STABLEHLO_PY_EXAMPLES" in os.environ else few


def sampled(cases: Sequence[Any], count: int) -> list[Any]:
    """Leave `count` cases, spread over all with the first and the last, to each check and the others to releases."""
    last = max(len(cases) - 1, 1)
    kept = {round(number * last / max(count - 1, 1)) for number in range(count)}
    return [
        case if number in kept else later(*(case if isinstance(case, tuple) else [case]))
        for number, case in enumerate(cases)
    ]


def chequered(rows: Sequence[Any], columns: Sequence[Any], every: int = 2) -> list[Any]:
    """Pair rows with columns: each check has every second pair of a row, and of a column, and a release all.

    `every` is 2 for every second one, 4 for every fourth.
    """
    return [
        (row, column) if (x + y) % every == 0 else later(row, column)
        for y, row in enumerate(rows)
        for x, column in enumerate(columns)
    ]
