"""What concerns all tests."""

import gc
from collections.abc import Iterator
from contextlib import nullcontext

import pytest

from stablehlo_py.isolation.policy import guarding

# Folders whose tests read and verify programs of their own in this process, where pytest reports a crash by its name: a
# child for each takes a quarter of their time. The other folders test the children. What a test needs one for, it does
# in `guarding(True)`.
TRUSTING = {
    *("analysis", "conformance", "debug", "differential", "engines", "interpreter", "lsp", "ops", "shapes", "spmd"),
}


def pytest_collection() -> None:
    """Keep the garbage collector from walking, again and again, what twenty thousand tests hold to the end."""
    gc.disable()


def pytest_collection_finish() -> None:
    gc.collect()
    gc.freeze()
    gc.enable()


@pytest.fixture(autouse=True)
def _trusting(request: pytest.FixtureRequest) -> Iterator[None]:
    with guarding(False) if request.path.parent.name in TRUSTING else nullcontext():
        yield
