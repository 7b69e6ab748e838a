"""The run over a corpus: every worker busy, every row written when it is there."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Executor, Future, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path

from ..errors import InputError, ProviderError
from .results import Results, Row
from .tasks import Task, TaskLimits, close_children, perform

SUFFIXES = (".mlir", ".mlirbc", ".bc", ".stablehlo", ".vhlo")
# Modules that are in memory at a time, done or waiting for a worker.
WINDOW = 256
Lost = tuple[type[BaseException], ...]


def find_modules(paths: Sequence[str]) -> list[str]:
    """Return the files among `paths` and the modules in the folders among them, by their endings.

    Raises:
        InputError: There is no such file, or no module.
    """
    found: dict[str, None] = {}
    for path in paths:
        if os.path.isdir(path):
            inside = (str(file) for file in Path(path).rglob("*") if file.suffix in SUFFIXES and file.is_file())
            found |= dict.fromkeys(sorted(inside))
        elif os.path.exists(path):
            found[path] = None
        else:
            raise InputError(f"cannot open input file '{path}': No such file or directory")
    if not found:
        raise InputError("no modules found", notes=[f"a folder is searched for files ending in {', '.join(SUFFIXES)}"])
    return list(found)


def _tasks(modules: Sequence[str], checks: Sequence[str], limits: TaskLimits, known: Results) -> Iterator[Task | Row]:
    """The tasks that have no row yet, and the rows of earlier runs; files are read when they are asked for."""
    for module in modules:
        try:
            data = Path(module).read_bytes()
        except OSError as error:
            raise InputError(f"cannot open input file '{module}': {error.strerror}") from None
        digest = hashlib.sha256(data).hexdigest()
        for check in checks:
            row = known.rows.get((module, digest, check))
            yield row if row is not None else Task(module, data, check, limits)


@contextmanager
def _workers(cluster: str, jobs: int) -> Iterator[tuple[Executor, Lost]]:
    """What performs tasks, and the errors with which it gives a task up."""
    if cluster:
        from .cluster import workers

        with workers(cluster, jobs) as found:
            yield found
        return
    executor = ThreadPoolExecutor(jobs)  # each thread has a child process
    try:
        yield executor, ()
    finally:
        executor.shutdown(cancel_futures=True)
        close_children()


def check_corpus(
    modules: Sequence[str],
    checks: Sequence[str],
    results: Results,
    *,
    limits: TaskLimits,
    jobs: int = 1,
    cluster: str = "",
    show: Callable[[int, int], None] | None = None,
) -> list[Row]:
    """Do checks of modules that have no row in `results`, write those, and return all rows of these modules.

    Args:
        modules: Files.
        checks: As `read_check` returns them.
        results: Where rows go, and come from.
        limits: Of each task.
        jobs: How many tasks at a time, where the workers are started here.
        cluster: `local` for a Dask cluster on this machine, the address of a scheduler, or empty for child processes.
        show: Is told how many rows there are, of how many.

    Raises:
        InputError: A file cannot be read.
        ProviderError: Dask is missing, or nobody answers at the address.
    """
    rows: list[Row] = []
    total = len(modules) * len(checks)

    def take(row: Row) -> None:
        if row.key not in results.rows:
            results.add(row)
        rows.append(row)
        if show is not None:
            show(len(rows), total)

    _work_through(_tasks(modules, checks, limits, results), lambda: _workers(cluster, jobs), take)
    return rows


def _work_through(
    tasks: Iterator[Task | Row],
    workers: Callable[[], AbstractContextManager[tuple[Executor, Lost]]],
    take: Callable[[Row], None],
) -> None:
    """Let workers, which are started when there is something to do, perform tasks, and take all rows."""
    running: dict[Future[Row], Task] = {}
    with ExitStack() as opened:
        executor, lost = None, ()
        for each in tasks:
            if isinstance(each, Row):
                take(each)
                continue
            if executor is None:
                executor, lost = opened.enter_context(workers())
            running[executor.submit(perform, each)] = each
            if len(running) >= WINDOW:
                _finish_some(running, lost, take)
        while running:
            _finish_some(running, lost, take)


def _finish_some(running: dict[Future[Row], Task], lost: Lost, take: Callable[[Row], None]) -> None:
    """Wait until a task is done, and take the rows of all that are."""
    for future in wait(running, return_when=FIRST_COMPLETED).done:
        task = running.pop(future)
        try:
            row = future.result()
        except lost as error:
            row = task.row("lost", f"its workers ended: {type(error).__name__}")
        except CancelledError:
            raise ProviderError(
                "the cluster's scheduler ended", notes=["--resume goes on with the rows so far"]
            ) from None
        take(row)
