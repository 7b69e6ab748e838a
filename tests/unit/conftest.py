"""Fixtures that several files share."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path

import pytest

from stablehlo_py.isolation.policy import guarding

STARTED = time.monotonic()
# Rooms whose tests read and verify programs of their own in this process: a child for each takes a quarter of their
# time. The other rooms test the children. What a test needs one for, it does in `guarding(True)`.
TRUSTING = {"analysis", "conformance", "debug", "engines", "interpreter", "lsp", "ops", "shapes", "spmd"}


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option of a quick check."""
    parser.addoption("--seconds", type=float, default=float("inf"), help="skip what was not started after this time")


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip the remaining tests if the time is over."""
    if time.monotonic() - STARTED > item.config.getoption("--seconds"):
        pytest.skip("the time of a quick check is over")


@pytest.fixture(autouse=True)
def _trusting(request: pytest.FixtureRequest) -> Iterator[None]:
    with guarding(False) if request.path.parent.name in TRUSTING else nullcontext():
        yield


@pytest.fixture(scope="module")
def importable():
    """Lets the engines' processes import `planted_engine`."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(Path(__file__).parents[1] / "support"), prepend=os.pathsep)
        yield
