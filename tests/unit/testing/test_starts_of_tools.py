"""How a tool starts its child: by a fork or as a new interpreter, and which signals it passes on."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from typing import Any

import pytest

from stablehlo_py.isolation import policy, spawned_tool, tool
from stablehlo_py.isolation.files import read_all
from stablehlo_py.isolation.outcome import Outcome
from stablehlo_py.isolation.tool import ENDING, Step, Teller, run_guarded

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals")


def report(_outcome: Outcome, _step: Step) -> int:
    return 77


class Watched:
    """Stands in for the parent's side: notes what it is given, and ends at once."""

    made: list[Any] = []  # noqa: RUF012 - of the test that resets it

    def __init__(self, process: Any, printed: Any, text: Any, given: Any) -> None:
        self.given = process, printed, text, given

    def wait(self, signals: list[int]) -> int:
        self.made.append((*self.given, list(signals)))
        return 5


@pytest.fixture
def watched(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    monkeypatch.setattr(policy, "_expendable", False)
    monkeypatch.setattr(tool, "_teller", None)
    monkeypatch.setattr(tool, "_hold_signals", lambda _: None)
    monkeypatch.setattr(tool, "Watch", Watched)
    monkeypatch.setattr(tool, "Fork", lambda main: ("fork", main))
    Watched.made = []
    return Watched.made


@pytest.mark.parametrize("ignored", [(), (signal.SIGINT,), (signal.SIGHUP, signal.SIGTERM), ENDING])
def test_signals_that_are_ignored_stay_so_and_others_are_passed_on(
    ignored: tuple[int, ...], watched: list[Any]
) -> None:
    """As `nohup` has it."""
    before = {number: signal.getsignal(number) for number in ENDING}
    try:
        for number in ENDING:
            signal.signal(number, signal.SIG_IGN if number in ignored else signal.default_int_handler)
        assert run_guarded(lambda: pytest.fail("it is done in the child"), report, "entry") == 5
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    (((kind, _main), _printed, _text, given, signals),) = watched
    assert (kind, given) == ("fork", report)
    assert signals == [number for number in ENDING if number not in ignored]
    assert signal.getsignal(signal.SIGCHLD) == signal.SIG_DFL


def test_work_on_trusted_input_is_done_here(watched: list[Any]) -> None:
    assert run_guarded(lambda: 3, report, "entry", trusted=True) == 3
    assert policy.is_expendable()
    assert watched == []


def test_what_is_printed_before_the_fork_is_printed_once(watched: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    flushed = list[str]()
    for name in ("stdout", "stderr"):
        monkeypatch.setattr(getattr(sys, name), "flush", lambda name=name: flushed.append(name))
    assert run_guarded(lambda: 3, report, "entry") == 5
    assert len(watched) == 1
    assert {"stdout", "stderr"} <= {*flushed}


def test_the_child_of_a_new_interpreter_does_the_work_itself(
    watched: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    called = list[Any]()
    teller: Any = Teller(None, None, 1, parent=99)  # type: ignore[arg-type]
    monkeypatch.setattr(tool, "_teller", teller)

    def be_child(main: Any, parent: int) -> None:
        called.append((main.args[-1], parent))
        raise KeyError

    monkeypatch.setattr(tool, "be_child", be_child)
    with pytest.raises(KeyError):
        run_guarded(lambda: 3, report, "entry")
    assert called == [(teller, 99)]
    assert watched == []


def test_without_fork_the_same_command_is_started_again(
    watched: list[Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    started = list[Any]()

    def start(command: list[str], told: Any) -> str:
        folder = (
            Path(os.path.dirname(os.readlink(f"/proc/self/fd/{told.fileno()}"))) if os.path.isdir("/proc") else None
        )
        started.append((command, folder))
        return "started"

    monkeypatch.setattr(spawned_tool, "_Started", start)
    monkeypatch.setattr(tool, "CAN_FORK", False)
    monkeypatch.setattr(sys, "path", ["", "/a b", "", "/é'"])
    monkeypatch.setattr(sys, "argv", ["tool", "--flag", "a'b"])
    monkeypatch.chdir(tmp_path)
    assert run_guarded(lambda: 3, report, "from x import y; y()") == 5
    ((process, printed, text, given, _signals),) = watched
    assert (process, given) == ("started", report)
    assert printed.closed
    assert text.closed
    ((command, folder),) = started
    *python, code, flag, word = command
    assert (python, flag, word) == ([sys.executable, "-P", "-c"], "--flag", "a'b")
    head, _, entry = code.rpartition("); ")
    assert entry == "from x import y; y()"
    paths = [str(tmp_path), "/a b", str(tmp_path), "/é'"]
    assert head.startswith(f"import sys; sys.path[:] = {paths!a}; from stablehlo_py.isolation.tool import join; join(")
    assert head.endswith(f", {os.getpid()}")
    if folder is not None:
        assert f"join({str(folder)!a}, " in head
        assert not folder.exists(), "it is deleted when the tool ends"


def test_both_sides_have_the_same_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tool, "_teller", None)
    told, printed, text = spawned_tool.files_in(str(tmp_path))
    with told, printed, text:
        tool.join(str(tmp_path), 99)
        teller = tool._teller
        assert teller is not None
        assert teller.parent == 99
        with teller.printed, teller.text:
            os.write(teller.printed.fileno(), b"of C++")
            teller.keep(b"the text")
            teller.tell(activity="reading")
        os.close(teller.pipe)
        assert (read_all(printed), read_all(text)) == (b"of C++", b"the text")
        assert b'"activity": "reading"' in read_all(told)
        assert read_all(told).endswith(b"}\n")
