"""A pool of workers: tasks go in, results come out, whoever computes them and wherever."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, CancelledError, Executor, Future, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from itertools import chain
from typing import Any, Protocol, TypeVar

from ..errors import ProviderError

Task = TypeVar("Task")
Result = TypeVar("Result")
_Task = TypeVar("_Task", contravariant=True)
_Result = TypeVar("_Result", covariant=True)


class Work(Protocol[_Task, _Result]):
    """The work on tasks of a kind. It is sent to workers with each task, so it can be pickled; a thread opens
    it once, and keeps what it opened for all tasks whose work compares equal."""

    def open(self) -> AbstractContextManager[Callable[[_Task], _Result]]:
        """Start the resources of tasks, such as child processes, and return the function that performs a task."""
        ...

    def lost(self, task: _Task, why: str, /) -> _Result:
        """The result of a task whose workers ended each time that it was tried."""
        ...


@dataclass(frozen=True)
class Pool:
    """Workers that are there.

    Attributes:
        executor: What gives tasks to them.
        size: How many tasks are performed at a time.
        errors: The errors of a task that is given up because its workers were lost.
    """

    executor: Executor
    size: int
    errors: tuple[type[BaseException], ...] = ()

    def submit(self, work: Work[Task, Result], task: Task) -> Callable[[], Result]:
        """Submit a task to a worker; return a function that waits for the result."""
        future = self.executor.submit(_perform, work, task)

        def result() -> Result:
            try:
                return self._wait(future)
            except self.errors:
                return self._alone(work, task)

        return result

    def results(self, work: Work[Task, Result], tasks: Iterable[Task], ahead: int = 0) -> Iterator[Result]:
        """The results as they come; tasks are asked for when a worker is free, and `ahead` of that."""
        running: dict[Future[Result], Task] = {}
        suspects: list[Task] = []  # another task may have ended the workers that they were given to

        def finished() -> Iterator[Result]:
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                task = running.pop(future)
                try:
                    yield self._wait(future)
                except self.errors:
                    suspects.append(task)

        for task in tasks:
            running[self.executor.submit(_perform, work, task)] = task
            if len(running) >= self.size + ahead:
                yield from finished()
        while running:
            yield from finished()
        for task in suspects:
            yield self._alone(work, task)

    def _alone(self, work: Work[Task, Result], task: Task) -> Result:
        """Run a task again that was given up, with no other beside it."""
        try:
            return self._wait(self.executor.submit(_perform, work, task))
        except self.errors as error:
            return work.lost(task, f"its workers ended: {type(error).__name__}")

    def _wait(self, future: Future[Result]) -> Result:
        try:
            return future.result()
        except CancelledError:
            notes = ["what was found out so far is kept where results are written; another run goes on with that"]
            raise ProviderError("the cluster's scheduler ended", notes=notes) from None


@contextmanager
def open_pool(cluster: str, jobs: int) -> Generator[Pool]:
    """The workers of a cluster, or `jobs` threads of this process.

    Args:
        cluster: `local` for a Dask cluster of `jobs` processes on this machine, the address of a scheduler, or empty.
        jobs: How many tasks at a time, where the workers are started here.

    Raises:
        ProviderError: Dask is missing, or nobody answers at the address.
    """
    if cluster:
        from .cluster import workers

        with workers(cluster, jobs) as (executor, size, errors):
            yield Pool(executor, size, errors)
        return
    executor = ThreadPoolExecutor(jobs)
    try:
        yield Pool(executor, jobs)
    finally:
        executor.shutdown(cancel_futures=True)
        while _all:
            _all.pop().close()


def perform_all(
    work: Work[Task, Result],
    tasks: Iterable[Task],
    pool: Callable[[], AbstractContextManager[Pool]],
    ahead: int = 0,
) -> Iterator[Result]:
    """The results of tasks as they come, see `Pool.results`; the pool is opened when there is a task."""
    pending = iter(tasks)
    for first in pending:
        with pool() as opened:
            yield from opened.results(work, chain((first,), pending), ahead)


# In a worker -------------------------------------------------------------------------------------------------------


_KEPT = 4  # of a thread: a comparison has a kind of work for each engine
_of_thread = threading.local()
_all: list[ExitStack] = []  # what the threads of this process have opened


def _perform(work: Work[Task, Result], task: Task) -> Result:
    kept: list[tuple[Work[Any, Any], Callable[[Any], Any], ExitStack]] = _of_thread.__dict__.setdefault("kept", [])
    found = next((each for each in kept if each[0] == work), None)
    if found is None:
        if len(kept) == _KEPT:
            *_, oldest = kept.pop(0)
            _all.remove(oldest)
            oldest.close()
        stack = ExitStack()
        found = work, stack.enter_context(work.open()), stack
        _all.append(stack)
    else:
        kept.remove(found)
    kept.append(found)  # the oldest ones are closed first
    return found[1](task)
