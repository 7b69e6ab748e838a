"""Formats of lit's tests."""

from typing import Any

class ShTest:
    def __init__(self, execute_external: bool = False) -> None: ...
    def execute(self, test: Any, litConfig: Any) -> Any: ...
