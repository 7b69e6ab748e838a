"""Draws the progress of a program's runs in terminals and notebooks, by rich (extra `progress`)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from .errors import InputError
from .reference.profile import Progress


@contextmanager
def watch(*, stderr: bool = False) -> Iterator[Progress]:
    """Show how far runs are while the block lasts.

    Args:
        stderr: Whether to write to standard error, for tools with results on standard output.

    Yields:
        A listener for `stablehlo_py.load`.

    Raises:
        InputError: rich is not installed.
    """
    try:
        from rich.console import Console
        from rich.progress import Progress as Bar
        from rich.progress import SpinnerColumn, TextColumn, TimeElapsedColumn
    except ImportError:
        raise InputError("a progress bar needs rich", notes=["pip install 'stablehlo-py[progress]'"]) from None
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Bar(*columns, console=Console(stderr=True) if stderr else None, transient=True) as bar:
        task = bar.add_task("starting", total=None)
        yield Progress(lambda done, op, iteration: bar.update(task, description=state(done, op, iteration)))


def state(done: int, op: str, iteration: int) -> str:
    """The state of a run, in words."""
    loop = f", iteration {iteration:,}" if iteration else ""
    return f"{done:,} ops done, now {op}{loop}"
