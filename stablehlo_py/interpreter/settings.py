"""Settings of a run: its limits and its observers."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from ..errors import ResourceError, require_type
from .process_grid import ProcessGrid

if TYPE_CHECKING:
    from .values import Value


class Listener(Protocol):
    """Sees every op that runs, with its values. The `plan.Step` of an op is the same object at each run."""

    def before(self, step: Any, operands: Sequence[Value]) -> None: ...

    def after(self, step: Any, operands: Sequence[Value], results: Sequence[Value]) -> None: ...


def physical_memory() -> int:
    """Return the bytes of memory of this machine, or 2^63 - 1 if unknown."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return 2**63 - 1


@dataclass(frozen=True)
class Settings:
    """Limits and observers of a run.

    `max_memory` is in bytes, by default what the machine has; `max_steps` counts ops run, and runs of regions
    without ops, None for no limit, and where an op past it would run, those before it that only give results need not
    have run; `timeout` is in seconds, None for no limit;
    `probe_directory` is where `interpreter.probe` writes, None where probes are not wanted; `deterministic` asks for
    the same bits on every processor from contractions and convolutions of any size, of which large ones else use BLAS;
    `share` lets processes of a grid whose operands are equal compute once; `fast` lets the accelerators of the folder
    `fast` run what they can, with the same results; `make_grid` makes the grids.
    """

    max_memory: int = physical_memory()
    max_steps: int | None = None
    probe_directory: str | os.PathLike[str] | None = None
    deterministic: bool = False
    timeout: float | None = None
    listeners: tuple[Listener, ...] = ()
    share: bool = True
    fast: bool = os.environ.get("STABLEHLO_PY_FAST", "1") != "0"
    make_grid: Callable[..., ProcessGrid] = ProcessGrid

    def __post_init__(self) -> None:
        """Raise UsageError for a limit other than a number."""
        require_type(bool, deterministic=self.deterministic, fast=self.fast)
        require_type(int, max_memory=self.max_memory)
        require_type(int | None, max_steps=self.max_steps)
        require_type(int | float | None, timeout=self.timeout)

    @property
    def is_unlimited(self) -> bool:
        """Whether a run counts neither steps nor seconds."""
        return self.max_steps is None and self.timeout is None


_memory_limit: ContextVar[int] = ContextVar("memory_limit")


@contextmanager
def limited_memory(size: int) -> Generator[None]:
    """While this lasts, refuse in this thread to make a tensor of more than `size` bytes."""
    token = _memory_limit.set(size)
    try:
        yield
    finally:
        _memory_limit.reset(token)


def require_memory(shape: Sequence[int], dtype: np.dtype) -> None:
    """Raise `ResourceError` when a tensor of this shape would not fit. For kernels whose result's shape is known
    only while they run; the others are checked before their kernel is called."""
    require_bytes(math.prod(shape) * dtype.itemsize)


def require_bytes(size: int) -> None:
    """Raise `ResourceError` when `size` bytes more would not fit."""
    limit = _memory_limit.get(2**63 - 1)
    if size > limit:
        raise ResourceError(
            f"needs {size} bytes, more than the limit of {limit} bytes",
            notes=["--max-memory=BYTES (max_memory in the API) moves the limit"],
        )
