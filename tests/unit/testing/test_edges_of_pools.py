"""What the threads of a pool open, keep and close, and what becomes of tasks that wait."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from stablehlo_py.isolation.pool import open_pool, perform_all

EVENTS: list[str] = []


@dataclass(frozen=True)
class Kind:
    """Work of one kind; `function` performs a task and is no part of the kind."""

    name: str
    function: Callable[[Any], Any] = field(default=str, compare=False)

    @contextmanager
    def open(self) -> Generator[Any]:
        EVENTS.append(f"open {self.name}")
        yield self.function
        EVENTS.append(f"close {self.name}")

    def lost(self, task: Any, why: str) -> str:
        return f"{task} {why}"


def test_a_thread_keeps_the_four_kinds_that_it_used_last() -> None:
    EVENTS.clear()
    with open_pool("", 1) as pool:
        for name in "abcda":
            assert pool.submit(Kind(name), 7)() == "7"
        assert EVENTS == ["open a", "open b", "open c", "open d"]
        for name in "eb":
            pool.submit(Kind(name), 7)()
        assert EVENTS[4:] == ["close b", "open e", "close c", "open b"]
    assert sorted(EVENTS[8:]) == ["close a", "close b", "close d", "close e"]


def test_the_end_of_a_pool_waits_for_what_runs_and_drops_what_waits() -> None:
    EVENTS.clear()
    started, done = threading.Event(), list[int]()

    def slow(number: int) -> None:
        started.set()
        threading.Event().wait(0.03)
        done.append(number)

    with open_pool("", 1) as pool:
        for number in range(3):
            pool.submit(Kind("slow", slow), number)
        started.wait()
    assert done == [0]
    assert EVENTS == ["open slow", "close slow"]


def test_results_come_as_soon_as_they_are_there() -> None:
    go_on = threading.Event()
    work = Kind("waits", lambda number: number if number or go_on.wait(5) else "nobody had the other result")
    with open_pool("", 2) as pool:
        results = pool.results(work, [0, 1])
        assert next(results) == 1
        go_on.set()
        assert list(results) == [0]


def test_no_task_is_asked_for_before_a_worker_is_free() -> None:
    asked: list[int] = []

    def tasks() -> Generator[int]:
        for number in range(4):
            asked.append(number)
            yield number

    results = perform_all(Kind("plain"), tasks(), lambda: open_pool("", 1))
    assert asked == []
    for count, found in enumerate(results, 1):
        assert (found, len(asked)) == (str(count - 1), count)
    asked.clear()
    with open_pool("", 1) as pool:
        next(pool.results(Kind("plain"), tasks()))
        assert asked == [0]
