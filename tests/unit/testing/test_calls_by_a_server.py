"""Calls that may crash where this process cannot be forked: a server makes each in a child of its own."""

from __future__ import annotations

import os
import pickle
import signal
from collections.abc import Generator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from stablehlo_py.errors import InputError
from stablehlo_py.isolation import calls, policy
from stablehlo_py.isolation.limits import Limits
from stablehlo_py.isolation.outcome import Outcome, late

pytestmark = pytest.mark.skipif(not policy.CAN_FORK, reason="the server forks")


class Server:
    """Stands in for the server: notes requests, and answers each in the same way."""

    def __init__(self, answer: Outcome, *, starts: bool) -> None:
        self.answer, self.starts, self.asked = answer, starts, list[tuple[Any, float | None]]()

    def start(self) -> bool:
        return self.starts

    def ask(self, request: Any, seconds: float | None) -> Outcome:
        self.asked.append((request, seconds))
        return self.answer


def test_where_a_fork_is_safe_the_call_is_made_in_one(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, found = list[Any](), Outcome(value=3)
    monkeypatch.setattr(policy, "fork_is_safe", lambda: True)
    monkeypatch.setattr(calls, "_server", lambda: pytest.fail("there is no server"))
    monkeypatch.setattr(calls, "run_in_child", lambda *given: (asked.append(given), found)[1])
    assert calls.call(os.getpid, Limits(2.0, 3)) is found
    assert asked == [(os.getpid, Limits(2.0, 3))]


@pytest.mark.parametrize(
    ("seconds", "starts", "can_fork", "expected"),
    [
        (None, True, True, None),
        (None, False, False, None),
        (2.0, True, True, 32.0),
        (2.0, False, True, 32.0),
        (2.0, True, False, 32.0),
        (2.0, False, False, 2.0),
    ],
)
def test_the_server_has_time_to_start_and_to_answer_beyond_that_of_the_call(
    seconds: float | None, starts: bool, can_fork: bool, expected: float | None,
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path,
) -> None:  # fmt: skip
    """Without fork it makes the call itself, and its end is that of the call."""
    server = Server(Outcome(value=Outcome(value=5)), starts=starts)
    monkeypatch.setattr(policy, "fork_is_safe", lambda: False)
    monkeypatch.setattr(policy, "CAN_FORK", can_fork)
    monkeypatch.setattr(calls, "_server", lambda: server)
    monkeypatch.chdir(tmp_path)
    limits = Limits(seconds, 7)
    assert calls.call(partial(Path, "a"), limits) == Outcome(value=5)
    (((function, given), limit),) = server.asked
    assert (given, limit) == (limits, expected)
    monkeypatch.chdir("/")
    assert pickle.loads(pickle.dumps(function))() == Path("a")
    assert Path.cwd() == tmp_path, "a call is made in the folder that this process was in"


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (Outcome(cause="timeout", crash="of the server"), late(2.0)),
        (Outcome(cause="crash", crash="SIGKILL", code=-9), Outcome(cause="crash", crash="SIGKILL", code=-9)),
        (Outcome(value=Outcome(cause="timeout", crash="of the call")), Outcome(cause="timeout", crash="of the call")),
        (Outcome(value=Outcome(cause="crash", crash="SIGSEGV")), Outcome(cause="crash", crash="SIGSEGV")),
        (Outcome(value=Outcome()), Outcome()),
    ],
)  # fmt: skip
def test_a_server_that_is_late_is_a_call_that_is_late(
    answer: Outcome, expected: Outcome, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(policy, "fork_is_safe", lambda: False)
    monkeypatch.setattr(calls, "_server", lambda: Server(answer, starts=False))
    assert calls.call(os.getpid, Limits(2.0)) == expected


@pytest.fixture
def _no_fork(monkeypatch: pytest.MonkeyPatch) -> Generator[None]:
    monkeypatch.setattr(policy, "fork_is_safe", lambda: False)
    calls._server.cache_clear()
    yield
    calls._server().close()
    calls._server.cache_clear()


@pytest.mark.usefixtures("_no_fork")
def test_each_call_is_made_in_a_child_of_the_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ask = partial(calls.call, limits=Limits(60.0))
    parents = {ask(os.getppid).result() for _ in range(2)}
    children = {ask(os.getpid).result() for _ in range(2)}
    assert (len(parents), len(children)) == (1, 2)
    assert not children & {*parents, os.getpid()}
    monkeypatch.chdir(tmp_path)
    assert ask(os.getcwd).result() == os.path.realpath(tmp_path)
    monkeypatch.chdir("/")
    assert ask(os.getcwd).result() == "/"
    crash = ask(partial(signal.raise_signal, signal.SIGSEGV))
    assert (crash.cause, crash.code) == ("crash", -signal.SIGSEGV)
    raised = ask(partial(int, "x")).error
    assert isinstance(raised, ValueError)
    told = ask(partial(_raise, "no", "a.mlir:1:2")).error
    assert isinstance(told, InputError)
    assert str(told) == "a.mlir:1:2: error: no"
    assert calls.call(signal.pause, Limits(0.05)) == late(0.05)
    assert ask(os.getppid).result() in parents, "it goes on"
    assert calls._server().has_session


def _raise(message: str, location: str) -> None:
    raise InputError(message, location=location)
