"""Fixtures that several files share."""

from __future__ import annotations

import os
import time
from collections.abc import Generator
from pathlib import Path

import pytest

STARTED = time.monotonic()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option of a quick check."""
    parser.addoption("--seconds", type=float, default=float("inf"), help="skip what was not started after this time")


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip the remaining tests if the time is over."""
    if time.monotonic() - STARTED > item.config.getoption("--seconds"):
        pytest.skip("the time of a quick check is over")


@pytest.fixture(scope="module")
def importable():
    """Lets the engines' processes import `planted_engine`."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(Path(__file__).parents[1] / "support"), prepend=os.pathsep)
        yield


@pytest.fixture
def users_leave() -> Generator[None]:
    """Take out the handlers and kernels that a test registers."""
    from stablehlo_py.interpreter import registry
    from stablehlo_py.interpreter.custom_calls import registry as handlers

    known, kernels = dict(handlers.USERS), dict(registry._USERS)
    yield
    for now, before in ((handlers.USERS, known), (registry._USERS, kernels)):
        now.clear()
        now.update(before)
    registry.registered()
