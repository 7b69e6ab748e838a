"""What concerns all tests."""

import gc


def pytest_collection_finish() -> None:
    """Keep the collector from walking, again and again, what ten thousand tests and their modules hold to the end."""
    gc.collect()
    gc.freeze()
