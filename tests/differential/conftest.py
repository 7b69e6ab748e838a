"""How many programs the differential tests try: a fixed budget, always the same programs, unless more are asked for.

`STABLEHLO_PY_EXAMPLES=N` runs N random programs a test instead; a release runs 200.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import HealthCheck, settings

_EXAMPLES = os.environ.get("STABLEHLO_PY_EXAMPLES")

# The official interpreter takes its time, and sometimes a new process, so single examples have no deadline.
settings.register_profile(
    "differential",
    max_examples=int(_EXAMPLES) if _EXAMPLES else 8,
    derandomize=not _EXAMPLES,
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
)
settings.load_profile("differential")


@pytest.fixture(autouse=True)
def _quiet_arithmetic() -> Iterator[None]:
    """The values have overflows and NaN among them on purpose."""
    with np.errstate(all="ignore"):
        yield
