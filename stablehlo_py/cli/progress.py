"""Shows the progress of a search, on terminals only."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager

# Takes the finished and the total amount of work; 0 for an unknown total.
Show = Callable[[int, int], None]


@contextmanager
def progress_bar(title: str) -> Generator[Show | None]:
    """Draw a bar on standard error while the block runs; None unless that is a terminal.

    rich draws it where it is installed (extra `progress`), otherwise it is a line of numbers.
    """
    if not sys.stderr.isatty():
        yield None
        return
    try:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
    except ImportError:
        yield _line(title)
        sys.stderr.write("\r\x1b[K")
        sys.stderr.flush()
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(title, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total if total else None)


def _line(title: str) -> Show:
    def show(done: int, total: int) -> None:
        sys.stderr.write(f"\r\x1b[K{title}: {done:,}" + (f" of {total:,}" if total else ""))
        sys.stderr.flush()

    return show
