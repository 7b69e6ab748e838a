"""The parent's side of an engine: what its child is told and when, and what is made of each answer."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import numpy as np
import pytest

from stablehlo_py.engines import Engine, Limits, Outcome, process
from stablehlo_py.engines.framing import pack, unpack
from stablehlo_py.errors import UsageError
from stablehlo_py.isolation.outcome import Outcome as Ending

READY = {"status": "ready", "versions": {"provider": "jaxlib 1", "python": "3.11"}}
UNKNOWN = {"status": "unknown program"}
LATE, CRASH = Ending(cause="timeout"), Ending(cause="crash", code=3, printed=b"why\n")


def ok(*values: float, notes: tuple[str, ...] = ()) -> dict[str, Any]:
    results = [pack(np.float32(value)) for value in values]
    times = {"load_seconds": 0.25, "run_seconds": 0.5, "peak_bytes": 7}
    return {"status": "ok", "results": results, "notes": notes, **times}


class Child:
    """Stands in for the child: `answers` are given one after the other, and it ends after those that are endings."""

    def __init__(self, *answers: Any) -> None:
        self.answers, self.asked, self.events = [*answers], list[Any](), list[Any]()
        self.runs, self.fails = False, False
        self.waiting: Callable[[], AbstractContextManager[None]] = nullcontext

    def __call__(self, command: list[str], env: dict[str, str]) -> Child:
        self.events.append((command, env))
        return self

    def start(self) -> bool:
        if self.fails:
            raise FileNotFoundError(2, "No such file or directory")
        is_new, self.runs = not self.runs, True
        if is_new:
            self.events.append("start")
        return is_new

    def ask(self, message: dict[str, Any], seconds: float) -> Ending:
        given = [unpack(each).tolist() for each in message["arguments"]] if "arguments" in message else None
        self.asked.append(({**message, "arguments": given} if given is not None else message, seconds))
        answer = self.answers.pop(0)
        self.runs = not isinstance(answer, Ending)
        return answer if isinstance(answer, Ending) else Ending(value=answer)

    def close(self) -> None:
        self.runs = False
        self.events.append("close")

    @property
    def modules(self) -> list[bytes | None]:
        """The programs that it was sent."""
        return [message["module"] for message, _ in self.asked if "digest" in message]


@pytest.fixture
def child(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Child]:
    """Makes the child of the next engines."""

    def make(*answers: Any) -> Child:
        found = Child(*answers)
        monkeypatch.setattr(process, "Worker", found)
        return found

    return make


def test_the_first_message_names_the_backend_and_later_ones_have_a_program_and_arguments(child) -> None:
    made = child(READY, ok(3, 4))
    engine = Engine("mine:a,b", "mine:backend", ("a", "b"), Limits(5.0, 1 << 20), "/other/python")
    found = engine.run(b"program", [np.int32([1, 2]), np.float32(7)])
    command, environment = made.events[0]
    assert command == ["/other/python", "-P", "-m", "stablehlo_py.engines.worker"]
    assert environment == process.child_environment()
    hello = {"backend": "mine:backend", "options": ("a", "b"), "memory_bytes": 1 << 20}
    digest = hashlib.sha256(b"program").hexdigest()
    request = {"digest": digest, "module": b"program", "arguments": [[1, 2], 7.0]}
    assert made.asked == [(hello, 120.0), (request, 5.0)]
    assert [float(each) for each in found.results] == [3, 4]
    assert (found.status, found.message) == ("ok", "")
    assert (found.load_seconds, found.run_seconds, found.peak_bytes) == (0.25, 0.5, 7)
    assert made.events[1:] == ["start"]


@pytest.mark.parametrize(("seconds", "limit"), [(None, 600.0), (0.5, 0.5), (0.0, 0.0), (1e6, 1e6)])
def test_each_run_has_the_limit_of_its_time_and_ten_minutes_without_one(child, seconds, limit) -> None:
    made = child(READY, ok(1), LATE)
    engine = Engine("mine", "mine:backend", limits=Limits(seconds))
    assert engine.seconds == limit
    assert engine.run(b"p", []).ok
    assert engine.run(b"q", []) == Outcome("timeout", message=f"did not end within {limit:g} s")
    assert [each for _, each in made.asked] == [120.0, limit, limit]
    assert Engine("mine", "mine:backend").python == sys.executable


def test_a_program_is_sent_until_it_ran_and_again_after_it_was_forgotten(child) -> None:
    failed = {"status": "error", "message": "bad", "peak_bytes": 1}
    made = child(READY, failed, ok(1), ok(2), UNKNOWN, ok(3), ok(4), UNKNOWN, CRASH, READY, ok(5), ok(6))
    engine = Engine("mine", "mine:backend")
    asked = [b"p", b"p", b"p", b"p", b"q", b"p", b"p", b"q"]
    found = [engine.run(module, []) for module in asked]
    assert [each.status for each in found] == ["error", "ok", "ok", "ok", "ok", "crash", "ok", "ok"]
    assert [float(each.results[0]) for each in found if each.ok] == [1, 2, 3, 4, 5, 6]
    sent = [b"p", b"p", None, None, b"p", b"q", None, b"p", b"p", b"q"]
    assert made.modules == sent
    digests = [message["digest"] for message, _ in made.asked if "digest" in message]
    programs = [b"p", b"p", b"p", b"p", b"p", b"q", b"p", b"p", b"p", b"q"]
    assert digests == [hashlib.sha256(module).hexdigest() for module in programs]


@pytest.mark.parametrize("ending", [CRASH, LATE, Ending(cause="memory", code=-9)])
def test_a_child_that_ended_is_started_again_and_told_everything_anew(child, ending) -> None:
    made = child(READY, ok(1), ending, READY, ok(2), ok(3))
    engine = Engine("mine", "mine:backend", limits=Limits(2.0))
    found = [engine.run(b"p", []) for _ in range(4)]
    assert [each.status for each in found] == ["ok", ending.cause, "ok", "ok"]
    assert made.modules == [b"p", None, b"p", None]
    assert made.events[1:] == ["start", "start"]
    if ending is CRASH:
        assert found[1].message == "ended with exit code 3: why"


def test_an_engine_that_is_closed_starts_another_child(child) -> None:
    made = child(READY, ok(1), READY, ok(2))
    engine = Engine("mine", "mine:backend")
    with engine as opened:
        assert opened is engine
        assert engine.run(b"p", []).ok
    assert made.events[1:] == ["start", "close"]
    engine.close()
    assert made.events[1:] == ["start", "close"], "there is nothing to close"
    assert engine.run(b"p", []).ok
    assert made.modules == [b"p", b"p"]
    assert len([event for event in made.events if isinstance(event, tuple)]) == 2


def test_every_note_is_said_of_the_engine(child, recwarn: pytest.WarningsRecorder) -> None:
    said = list[str]()
    child(READY, ok(1, notes=("one", "two")), ok(2))
    engine = Engine("mine:a", "mine:backend", say=said.append)
    for module in (b"p", b"p"):
        engine.run(module, [])
    assert said == ["engine mine:a: one", "engine mine:a: two"]
    assert not recwarn.list
    child(READY, ok(1, notes=("three",)))
    assert Engine("b", "mine:backend").run(b"p", []).ok
    assert [str(each.message) for each in recwarn.list] == ["engine b: three"]


def test_the_context_of_waiting_is_the_one_that_the_engine_has_now(child) -> None:
    made = child(READY, ok(1), ok(2))
    engine = Engine("mine", "mine:backend")
    for _ in range(2):
        engine.waiting = lambda: nullcontext()
        engine.run(b"p", [])
        assert made.waiting is engine.waiting


@pytest.mark.parametrize("status", ["rejected", "memory", "crash", "unsupported"])
def test_a_child_that_does_not_begin_is_the_outcome_of_every_run(child, status) -> None:
    refusal = {"status": status, "message": "no plugin", "peak_bytes": 3}
    made = child(refusal, refusal, READY, ok(1))
    engine = Engine("mine", "mine:backend")
    expected = Outcome(status, message="does not start: no plugin")
    assert engine.run(b"p", []) == expected
    assert engine.versions == {}
    assert engine.versions == READY["versions"]
    assert engine.run(b"p", []).ok
    assert made.events[1:3] == ["start", "close"], "it is tried anew"
    assert made.modules == [b"p"]


@pytest.mark.parametrize(
    ("ending", "status", "message"),
    [
        (CRASH, "crash", "does not start: ended with exit code 3: why"),
        (LATE, "timeout", "does not start: did not end within 120 s"),
        (Ending(cause="crash", code=3, printed=b"MemoryError"), "memory",
         "does not start: ended with exit code 3: MemoryError"),
    ],
)  # fmt: skip
def test_a_child_that_ends_before_it_is_ready_says_how(child, ending, status, message) -> None:
    made = child(ending)
    assert Engine("mine", "mine:backend", limits=Limits(1.0)).run(b"p", []) == Outcome(status, message=message)
    assert made.events[1:] == ["start", "close"]


def test_mistakes_of_the_user_are_raised_and_the_next_run_tries_again(child) -> None:
    refusal = {"status": "misused", "message": "unknown option 'x'", "peak_bytes": 3}
    made = child(refusal, refusal)
    engine = Engine("mine:x", "mine:backend")
    with pytest.raises(UsageError) as raised:
        engine.run(b"p", [])
    assert raised.value.message == "engine mine:x does not start: unknown option 'x'"
    with pytest.raises(UsageError):
        assert engine.versions
    assert made.events[1:3] == ["start", "close"]
    made.fails = True
    with pytest.raises(UsageError) as raised:
        Engine("mine@there", "mine:backend", python="there").run(b"p", [])
    assert raised.value.message == "engine mine@there: cannot start there: No such file or directory"


def test_versions_are_a_copy_of_what_the_child_said(child) -> None:
    made = child(READY)
    engine = Engine("mine", "mine:backend")
    engine.versions.clear()
    assert engine.versions == READY["versions"]
    assert len(made.asked) == 1


def test_sets_of_arguments_are_run_when_they_are_asked_for(child) -> None:
    made = child(READY, ok(1), ok(2), ok(3))
    outcomes = Engine("mine", "mine:backend").runs(b"p", [[np.int32(number)] for number in range(3)])
    assert made.asked == []
    assert float(next(outcomes).results[0]) == 1
    assert [message.get("arguments") for message, _ in made.asked] == [None, [0]]
    assert [float(each.results[0]) for each in outcomes] == [2, 3]
    assert made.modules == [b"p", None, None]
