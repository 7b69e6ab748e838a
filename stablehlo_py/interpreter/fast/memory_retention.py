"""Memory that arrays give back stays with the process, where the command-line tools ask for it.

Gains: the array rows of `benchmarks/interpreter.py`, about 2 x.

glibc returns freed memory to the system when much of it lies at the end of the heap, and maps large arrays one by one,
so that every op of a program would have its result's pages zeroed again, which takes longer than most ops. How much is
"much" and "large" grows with the largest array that was ever freed, up to 32 MiB. So one array of nearly that size is
made, never touched, and freed; from then on up to 64 MiB stay.
"""

from __future__ import annotations

import contextlib
import sys
from functools import cache

import numpy as np

_LARGEST = (1 << 25) - (1 << 16)
"""The bytes of an array that glibc still learns from, with room for what it adds."""


@cache
def retain_freed_memory() -> None:
    """Let up to 64 MiB of freed memory stay with the process, for the arrays that come next. Costs a few
    microseconds, once; other C libraries have ways of their own and do not change theirs."""
    if sys.platform == "linux":
        with contextlib.suppress(MemoryError):
            np.empty(_LARGEST, np.uint8)
