"""Every op of CHLO as a Python function; see `stablehlo_py.ops`."""

from __future__ import annotations

from typing import Any

from .dialect import Dialect

_chlo = Dialect("chlo")


def __getattr__(name: str) -> Any:
    return getattr(_chlo, name)


def __dir__() -> list[str]:
    return dir(_chlo)
