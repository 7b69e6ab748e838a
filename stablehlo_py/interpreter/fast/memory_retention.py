"""Freed arrays whose memory stays with the process, for the command-line tools.

Gains: the array rows of `benchmarks/interpreter.py`, about 2 x.

glibc returns large amounts of freed memory to the system, and maps large arrays one by one. Then the system zeroes the
pages of each op's result again, which takes longer than most ops. Both limits grow with the largest array that was ever
freed, up to 32 MiB. So one array of nearly that size is made, never touched, and freed. From then on up to 64 MiB stay.
"""

from __future__ import annotations

import contextlib
import sys
from functools import cache

import numpy as np

_LARGEST = (1 << 25) - (1 << 16)
"""The bytes of the largest array that moves glibc's limits, with room for its header."""


@cache
def retain_freed_memory() -> None:
    """Let up to 64 MiB of freed memory stay with the process, for the arrays that come next. Costs a few
    microseconds, once; other C libraries have ways of their own and do not change theirs."""
    if sys.platform == "linux":
        with contextlib.suppress(MemoryError):
            np.empty(_LARGEST, np.uint8)
