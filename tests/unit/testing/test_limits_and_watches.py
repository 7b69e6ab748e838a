"""Limits of steps, the parent's and the child's side of a tool, and waiting: with clocks and processes of the test."""

from __future__ import annotations

import io
import json
import os
import signal
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from stablehlo_py.errors import UsageError
from stablehlo_py.isolation import limits as module
from stablehlo_py.isolation import process as processes
from stablehlo_py.isolation import tool
from stablehlo_py.isolation.files import anonymous_file, read_all
from stablehlo_py.isolation.limits import MEMORY_VARIABLE, TIMEOUT_VARIABLE, Limits, Patience, limits, memory_kills
from stablehlo_py.isolation.outcome import Outcome
from stablehlo_py.isolation.process import Process
from stablehlo_py.isolation.tool import Step, Teller, Watch

GIB = 1 << 30


@pytest.mark.parametrize(
    ("given", "size", "expected"),
    [
        (Limits(), 0, Limits(10.0, GIB)),
        (Limits(), 1_000_000, Limits(11.0, GIB + 256_000_000)),
        (Limits(3.0, 5), 1_000_000, Limits(3.0, 5)),
        (Limits(None, 5), 2_000_000, Limits(12.0, 5)),
        (Limits(3.0), 1, Limits(3.0, GIB + 256)),
    ],
)
def test_a_large_file_has_more_time_and_memory(given: Limits, size: int, expected: Limits) -> None:
    assert given.for_reading(size) == expected


@pytest.mark.parametrize(
    ("seconds", "memory", "expected"),
    [
        (None, None, Limits(None, None)),
        ("", "", Limits(None, None)),
        ("0.5", None, Limits(0.5, None)),
        ("3", "7", Limits(3.0, 7)),
        ("0", None, f"{TIMEOUT_VARIABLE}=0: expected a positive number"),
        ("-1", None, f"{TIMEOUT_VARIABLE}=-1: expected a positive number"),
        ("x", None, f"{TIMEOUT_VARIABLE}=x: expected a positive number"),
        ("nan", None, f"{TIMEOUT_VARIABLE}=nan: expected a positive number"),
        (None, "0", f"{MEMORY_VARIABLE}=0: expected a positive number"),
        (None, "1.5", f"{MEMORY_VARIABLE}=1.5: expected a positive number"),
        (None, "1", Limits(None, 1)),
    ],
)
def test_limits_of_the_environment(
    seconds: str | None, memory: str | None, expected: Limits | str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable, value in ((TIMEOUT_VARIABLE, seconds), (MEMORY_VARIABLE, memory)):
        monkeypatch.delenv(variable, raising=False)
        if value is not None:
            monkeypatch.setenv(variable, value)
    if isinstance(expected, Limits):
        assert limits() == expected
    else:
        with pytest.raises(UsageError) as raised:
            limits()
        assert raised.value.message == expected
    if memory == "7":
        monkeypatch.setattr(module, "_resource", None)
        with pytest.raises(UsageError, match="this system cannot limit the memory of a process"):
            limits()
        monkeypatch.delenv(MEMORY_VARIABLE)
        assert limits() == Limits(3.0, None)


@pytest.mark.parametrize(
    ("waited", "began", "used", "is_over"),
    [
        (9.9, 5.0, 99.0, False),  # it still has time by the clock
        (10.0, 5.0, 12.9, False),  # it had a processor for less than 80 % of the time
        (10.0, 5.0, 13.0, True),
        (39.9, 5.0, 5.0, False),
        (40.0, 5.0, 5.0, True),
        (10.0, None, 5.0, True),
        (10.0, 5.0, None, True),
        (9.9, None, None, False),
    ],
)
def test_a_step_is_over_by_the_processor_or_by_the_clock(
    waited: float, began: float | None, used: float | None, is_over: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    told, clock = [began, used], [100.0, 100.0 + waited]
    monkeypatch.setattr(module, "_processor_seconds", lambda process: told.pop(0) if process == 7 else None)
    monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=lambda: clock.pop(0)))
    patience = Patience(7, 10.0)
    assert patience.is_over() == is_over


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="this system does not tell")
def test_the_time_of_a_processor_is_told_of_processes_that_are_there() -> None:
    times = os.times()
    found = module._processor_seconds(os.getpid())
    assert found is not None
    assert abs(found - times.user - times.system) < 1
    assert module._processor_seconds(1 << 30) is None
    with open("/proc/self/status", encoding="utf-8") as file:
        data = next(int(line.split()[1]) for line in file if line.startswith("VmData:"))
    assert abs(module.taken_bytes() - 1024 * data) < 1 << 26


@pytest.mark.parametrize("name", ["python", "a b", "a) S 1 (b", ""])
def test_the_time_of_a_processor_is_that_of_the_program_and_of_the_system(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    fields = ["S", *map(str, range(4, 53))]  # the number of each field
    line = f"7 ({name}) {' '.join(fields)}\n"
    monkeypatch.setattr(
        module, "open", lambda path, **_: io.StringIO(line if path == "/proc/7/stat" else ""), raising=False
    )
    monkeypatch.setattr(os, "sysconf", {"SC_CLK_TCK": 100}.__getitem__)
    assert module._processor_seconds(7) == 0.29


@pytest.mark.parametrize("error", [FileNotFoundError, ProcessLookupError, PermissionError])
def test_a_system_that_does_not_tell_the_time_of_a_process_is_no_error(
    error: type[OSError], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(path: str, **_: Any) -> Any:
        raise error(path)

    monkeypatch.setattr(module, "open", refused, raising=False)
    assert module._processor_seconds(7) is None
    assert memory_kills() == 0
    monkeypatch.setattr(os.path, "exists", lambda path: False)
    assert module.taken_bytes() == 0


class Resources:
    """Limits of memory as the system keeps them."""

    RLIM_INFINITY = -1
    RLIMIT_DATA, RLIMIT_AS, RLIMIT_NOFILE = 2, 9, 7

    def __init__(self, soft: int = -1, hard: int = -1) -> None:
        self.data, self.others = (soft, hard), {9: (-1, -1), 7: (1024, 4096)}

    def getrlimit(self, number: int) -> tuple[int, int]:
        return self.data if number == 2 else self.others[number]

    def setrlimit(self, number: int, values: tuple[int, int]) -> None:
        assert number == 2
        self.data = values


@pytest.fixture
def limited(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Resources]:
    """Makes limits of the system, of a process that has taken a thousand bytes."""

    def make(hard: int = -1) -> Resources:
        found = Resources(hard=hard)
        monkeypatch.setattr(module, "_resource", found)
        monkeypatch.setattr(module, "_limit", -1)
        monkeypatch.setattr(module, "taken_bytes", lambda: 1000)
        return found

    return make


def test_memory_is_limited_for_a_process_and_less_for_a_step(limited: Callable[..., Resources]) -> None:
    found = limited()
    module.limit_memory(None)
    assert (found.data, module._limit) == ((-1, -1), -1)
    module.limit_memory_of_step(50)
    assert found.data == (1050, -1)
    module.limit_memory_of_step(None)
    assert found.data == (-1, -1)
    module.limit_memory(500)
    assert (found.data, module._limit) == ((1500, -1), 1500)
    for beyond, limit in ((50, 1050), (700, 1500), (None, 1500), (0, 1000)):
        module.limit_memory_of_step(beyond)
        assert found.data == (limit, -1)
    module.lift_memory_limit()
    assert found.data == (-1, -1)
    module.limit_memory(1 << 70)
    assert found.data == (1000 + (1 << 62), -1)
    module.limit_memory_of_step(1 << 70)
    assert found.data == (1000 + (1 << 62), -1)


def test_no_more_memory_at_all_is_a_limit_too(
    limited: Callable[..., Resources], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = limited()
    module.limit_memory(0)
    assert (found.data, module._limit) == ((1000, -1), 1000)
    module.limit_memory_of_step(5)
    assert found.data == (1000, -1)
    monkeypatch.setattr(module, "taken_bytes", lambda: 0)
    module.limit_memory(0)
    assert (found.data, module._limit) == ((0, -1), 0)
    module.limit_memory_of_step(5)
    assert found.data == (0, -1)


def test_a_limit_never_goes_beyond_that_of_the_system(
    limited: Callable[..., Resources], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = limited(hard=1200)
    for beyond, limit in ((100, 1100), (200, 1200), (300, 1200)):
        module.limit_memory(beyond)
        assert found.data == (limit, 1200)
    module.lift_memory_limit()
    assert found.data == (1200, 1200)
    monkeypatch.setattr(module, "_resource", None)
    module.limit_memory(5)
    assert found.data == (1200, 1200)
    assert module._system_limit("RLIMIT_AS") == -1


def test_limits_of_the_system_as_numbers(limited: Callable[..., Resources]) -> None:
    limited()
    assert (module._system_limit("RLIMIT_AS"), module._system_limit("RLIMIT_NOFILE")) == (-1, 1024)
    assert module.file_limit() == "; the limit is 1024, `ulimit -n` sets it"


def test_the_first_file_that_counts_kills_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = tmp_path / "events", tmp_path / "vmstat"
    monkeypatch.setattr(module, "_KILL_COUNTERS", (str(first), str(second)))
    assert memory_kills() == 0
    second.write_text("x 9\noom_kill 4\noom_kill 8\n")
    assert memory_kills() == 4
    first.write_text("low 0\noom 7\n")
    assert memory_kills() == 4
    first.write_text("oom_kill_group 3\noom_kill 2\n")
    assert memory_kills() == 2


# Waiting for a process -----------------------------------------------------------------------------------------------


class Ending(Process):
    """A process that ends with a code at the third look, or not before it is killed."""

    def __init__(self, code: int | None = 5) -> None:
        self.pid, self.code, self.looks = 7, code, list[float]()
        self.calls = list[str]()

    def ended_within(self, seconds: float) -> int | None:
        self.looks.append(seconds)
        return self.code if len(self.looks) == 3 else None

    def read(self) -> bytes:
        return b"%d" % len(self.looks)

    def kill(self) -> None:
        self.calls.append("kill")

    def wait(self) -> int:
        self.calls.append("wait")
        return -9


@pytest.mark.parametrize(
    ("seconds", "pace"), [(None, 0.25), (0, 0.25), (0.0, 0.25), (0.1, 0.1), (0.25, 0.25), (60.0, 0.25)]
)
def test_a_process_is_heard_until_it_ends(seconds: float | None, pace: float, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = list[tuple[int, float]]()
    patience = SimpleNamespace(is_over=lambda: False, seconds=3.0)
    monkeypatch.setattr(processes, "Patience", lambda *given: (asked.append(given), patience)[1])
    found, heard = Ending(), list[bytes]()
    found.limit(seconds)
    assert asked == ([(7, seconds)] if seconds else [])
    assert found.ended(heard.append) == 5
    assert (heard, found.looks, found.calls) == ([b"1", b"2", b"3"], [pace] * 3, [])
    found.limit(None)
    assert found._patience is None


def test_a_process_whose_time_is_over_or_whose_parent_is_interrupted_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = [False, True]
    patience = SimpleNamespace(is_over=lambda: answers.pop(0), seconds=3.0)
    monkeypatch.setattr(processes, "Patience", lambda *_: patience)
    found, heard = Ending(), list[bytes]()
    found.limit(3.0)
    assert found.ended(heard.append) is None
    assert (heard, found.calls) == ([b"1", b"2", b"2"], ["kill", "wait"])
    with anonymous_file("printed") as printed:
        printed.write(b"LLVM ERROR: x\n")
        assert found.death(None, printed) == Outcome(cause="timeout", crash="it did not end within 3 s")
        found._kills = 0
        died = found.death(4, printed)
        assert (died.code, died.notes, died.printed) == (4, ("LLVM ERROR: x",), b"LLVM ERROR: x\n")
    stopped = Ending()

    def hear(_: bytes) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        stopped.ended(hear)
    assert stopped.calls == ["kill", "wait"]


# The two sides of a tool ----------------------------------------------------------------------------------------------


@pytest.fixture
def teller(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The child's side in this process: `news` are the lines that it told since the last time."""
    reads, writes = os.pipe()
    os.set_blocking(reads, False)
    with anonymous_file("printed") as printed, anonymous_file("text") as text, open(reads, "rb", buffering=0) as pipe:
        found: Any = Teller(printed, text, writes)
        found.news = lambda: [json.loads(line) for line in (pipe.readall() or b"").splitlines()]
        monkeypatch.setattr(tool, "_teller", found)
        monkeypatch.setattr(tool, "is_loaded", lambda: True)
        monkeypatch.setattr(tool, "limit_memory_of_step", lambda memory: found.__setattr__("memory", memory))
        yield found
        os.close(writes)


def test_the_child_tells_each_step_once_with_its_limits(teller: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(MEMORY_VARIABLE, raising=False)
    tool.doing("reading a", ("a", "cse", b"text"), limit=Limits(3.0, 40), options=("--seconds", "--bytes"))
    step = {"activity": "reading a", "options": ["--seconds", "--bytes"], "source": "a", "passes": "cse"}
    assert teller.news() == [{**step, "seconds": 3.0, "is_loaded": True}]
    assert (teller.memory, read_all(teller.text)) == (40, b"text")
    assert tool.notes_on_memory() == ["--bytes=BYTES sets the limit"]
    with tool.waiting():
        assert teller.news() == [{"seconds": None, "is_loaded": True}]
    assert teller.news() == [{"seconds": 3.0, "is_loaded": True}]
    with pytest.raises(KeyError), tool.waiting():
        raise KeyError
    assert [each["seconds"] for each in teller.news()] == [None, 3.0]
    tool.doing("printing")
    guard = ["--guard-timeout", "--guard-memory"]
    told = {"activity": "printing", "options": guard, "source": "", "passes": "", "seconds": None, "is_loaded": True}
    assert teller.news() == [told]
    assert (teller.memory, read_all(teller.text), tool.notes_on_memory()) == (None, b"", [])
    tool.keep_for_crash("a.mlir", "é")
    assert teller.news() == [{"path": os.path.abspath("a.mlir"), "contents": "é", "is_loaded": True}]


def test_a_text_is_handed_over_when_it_is_another(teller: Any) -> None:
    long, short = b"a long text", b"b"
    for text in (long, long, short, b"", long):
        teller.keep(text)
        assert read_all(teller.text) == text
    teller.text.truncate(0)
    teller.keep(long)  # the parent has it
    assert read_all(teller.text) == b""


def test_without_a_parent_nothing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tool, "_teller", None)
    monkeypatch.setenv(MEMORY_VARIABLE, "40")
    tool.doing("x", limit=Limits(1.0, 2))
    tool.keep_for_crash("a", "b")
    with tool.waiting():
        pass
    assert len(tool.notes_on_memory()) == 1


class Child:
    """A child as its parent sees it."""

    def __init__(self) -> None:
        self.calls = list[Any]()

    def kill(self) -> None:
        self.calls.append("kill")

    def send_signal(self, number: int) -> None:
        self.calls.append(number)

    def limit(self, seconds: float | None) -> None:
        self.calls.append(("limit", seconds))


@pytest.fixture
def watch() -> Any:
    """The parent's side; `reports` has what it reports, with 77 as the exit code."""
    reports = list[tuple[Outcome, Step]]()
    with anonymous_file("printed") as printed, anonymous_file("text") as text:
        text.write(b"the text")
        found: Any = Watch(Child(), printed, text, lambda *given: (reports.append(given), 77)[1])
        found.reports = reports
        yield found


def test_lines_of_a_child_are_joined(watch: Any) -> None:
    watch.hear(b'{"activity": "rea')
    assert watch._known == {}
    watch.hear(b'ding", "seconds": 3}\n{"sou')
    assert watch._known == {"activity": "reading"}
    watch.hear(b'rce": "a"}\nbroken\n{"source": "b"}\n')
    assert watch._known == {"activity": "reading", "source": "b"}
    watch.hear(b'{"seconds": null}\n')
    assert watch.process.calls == [("limit", 3), ("limit", None)]
    watch.hear(b"")
    crash = Outcome(cause="crash", crash="SIGSEGV (x)", code=-11)
    assert watch.finish(crash) == 77
    assert watch.reports == [(crash, Step("reading", source="b", text=b"the text"))]


@pytest.mark.parametrize(
    ("outcome", "limit", "has_ended", "code", "is_reported"),
    [
        (Outcome(code=0), False, True, 0, False),
        (Outcome(code=3), False, True, 3, False),
        (Outcome(code=3), False, False, 3, False),
        (Outcome(code=3), True, True, 3, False),
        (Outcome(code=3), True, False, 77, True),
        (Outcome(cause="timeout"), False, False, 77, True),
        (Outcome(code=-signal.SIGABRT), False, True, 77, True),
        (Outcome(code=-signal.SIGPIPE), True, False, 128 + signal.SIGPIPE, False),
    ],
)
def test_the_end_of_a_child_is_its_exit_code_or_is_reported(
    outcome: Outcome, limit: bool, has_ended: bool, code: int, is_reported: bool, watch: Any,
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.setattr(tool, "memory_notes", lambda: ["limit"] * limit)
    watch.hear(b'{"has_ended": true}\n' if has_ended else b"")
    printed = outcome._replace(printed=b"from C++\n")
    assert watch.finish(printed) == code
    assert bool(watch.reports) == is_reported
    shown = "" if is_reported or -outcome.code == signal.SIGPIPE else "from C++\n"
    assert capfd.readouterr().err == shown


def test_a_signal_is_passed_on_and_the_second_one_kills(watch: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [100.0]
    monkeypatch.setattr(tool, "time", SimpleNamespace(monotonic=lambda: clock[0]))
    watch.hear(b"")
    watch.pass_on(signal.SIGTERM, None)
    assert watch.process.calls == [signal.SIGTERM]
    clock[0] = 100.0 + tool._GRACE
    watch.hear(b"")
    assert watch.process.calls == [signal.SIGTERM]
    clock[0] += 0.5
    watch.hear(b"")
    assert watch.process.calls == [signal.SIGTERM, "kill"]
    watch.pass_on(signal.SIGINT, None)
    assert watch.process.calls == [signal.SIGTERM, "kill", "kill"]
    assert watch.finish(Outcome(cause="crash", code=-11)) == 128 + signal.SIGINT
    assert watch.reports == []
