"""Cases of a test of which each check runs some, and a release all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest


def sampled(cases: Sequence[Any], count: int) -> list[Any]:
    """Leave `count` cases, spread over all with the first and the last, to each check and the others to releases."""
    last = max(len(cases) - 1, 1)
    kept = {round(number * last / max(count - 1, 1)) for number in range(count)}
    return [
        case
        if number in kept
        else pytest.param(*(case if isinstance(case, tuple) else [case]), marks=pytest.mark.release)
        for number, case in enumerate(cases)
    ]
