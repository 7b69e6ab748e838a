"""Draws the progress of a program's runs in terminals and notebooks, by rich (extra `progress`)."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from contextlib import ExitStack, contextmanager
from functools import partial
from importlib.util import find_spec

from ..errors import InputError
from .profile import Progress

_DELAY = 1.0
"""The seconds until the bar is drawn. Shorter runs need no rich."""


@contextmanager
def watch(*, stderr: bool = False) -> Generator[Progress]:
    """Show how far runs are while the block lasts.

    Args:
        stderr: Whether to write to standard error, for tools with results on standard output.

    Yields:
        A listener for `stablehlo_py.load`.

    Raises:
        InputError: rich is not installed.
    """
    if find_spec("rich") is None or find_spec("rich.console") is None:
        raise InputError("a progress bar needs rich", notes=["pip install 'stablehlo-py[progress]'"])
    start = time.monotonic()
    with ExitStack() as stack:
        update: Callable[..., None] | None = None

        def show(done: int, op: str, iteration: int) -> None:
            nonlocal update
            if update is None:
                if time.monotonic() < start + _DELAY:
                    return
                update = stack.enter_context(_bar(stderr))
            text = state(done, op, iteration, listener.total, listener.remaining)
            update(description=text, completed=iteration, total=listener.total or None)

        listener = Progress(show)
        yield listener


@contextmanager
def _bar(stderr: bool) -> Generator[Callable[..., None]]:
    from rich.console import Console
    from rich.progress import BarColumn, SpinnerColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Bar(*columns, console=Console(stderr=True) if stderr else None, transient=True) as bar:
        yield partial(bar.update, bar.add_task("starting", total=None))


def state(done: int, op: str, iteration: int, total: int = 0, remaining: float | None = None) -> str:
    """The state of a run, in words."""
    loop = f", iteration {iteration:,}" if iteration else ""
    of = f" of {total:,}" if total else ""
    rest = "" if remaining is None else f", about {remaining:.0f} s left"
    return f"{done:,} ops done, now {op}{loop}{of}{rest}"
