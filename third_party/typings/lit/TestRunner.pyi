"""What runs the lines of lit's tests."""

from typing import Any

__file__: str
subprocess: Any
executeScriptInternal: Any
