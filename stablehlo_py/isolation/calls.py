"""Calls that may crash, made in another process."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import policy
from .children import run_in_child
from .limits import Limits
from .outcome import Outcome


def call(
    here: Callable[[], Any], limits: Limits, elsewhere: Callable[[], Any], prepare: Callable[[], object]
) -> Outcome:
    """Return the outcome of a call that may crash.

    Args:
        here: The call for a fork of this process.
        limits: The limits of the call.
        elsewhere: The same call for a process that shares nothing with this one; it pickles, and so does its result.
        prepare: What that process does once, for all of its calls; it pickles.
    """
    if policy.fork_is_safe():
        return run_in_child(here, limits)
    from .server import call_elsewhere

    return call_elsewhere(elsewhere, limits, prepare)
