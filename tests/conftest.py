"""What concerns all tests."""

import gc
from collections.abc import Iterator

import pytest

from stablehlo_py.isolation.policy import guarding


def pytest_collection_finish() -> None:
    """Keep the collector from walking, again and again, what ten thousand tests and their modules hold to the end."""
    gc.collect()
    gc.freeze()


@pytest.fixture
def trusted() -> Iterator[None]:
    """Reads and verifies programs in this process: they are the test's own, and pytest reports a crash by its name."""
    with guarding(False):
        yield
