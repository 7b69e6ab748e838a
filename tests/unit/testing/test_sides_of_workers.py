"""Both sides of a worker: what it answers, how it ends, and whose process it is."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

import stablehlo_py
from stablehlo_py.isolation.commands import python_command
from stablehlo_py.isolation.outcome import Outcome
from stablehlo_py.isolation.process import run_in_child
from stablehlo_py.isolation.worker import Worker

pytestmark = pytest.mark.skipif(os.name != "posix", reason="processes end with others on POSIX alone")
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(stablehlo_py.__file__).parents[1])}
ANSWER = """
import os, sys, time
from stablehlo_py.isolation.worker import serve
asked = []
def answer(request):
    asked.append(request)
    print("printed for", request)
    os.write(2, b"an error of C\\n")
    if request == "end":
        os.write(1, b"LLVM ERROR: it is over\\n")
        os._exit(3)
    if request == "kill":
        os.kill(os.getpid(), 11)
    if request == "raise":
        raise KeyError("of the worker")
    if request == "wait":
        time.sleep(20)
    return [*asked, os.getpid(), os.getsid(0) == os.getpid(), os.environ.get("MINE")]
serve(answer)
"""


def made(code: str = ANSWER, *, has_session: bool = False) -> Worker:
    return Worker(python_command("-c", code), {**ENVIRONMENT, "MINE": "1"}, has_session)


@pytest.fixture
def worker() -> Generator[Worker]:
    found = made()
    yield found
    found.close()


def test_a_worker_answers_one_request_after_the_other(worker: Worker) -> None:
    assert worker.start() is True
    assert worker.start() is False
    first, second = worker.ask("a", 60.0), worker.ask({"b": (1, b"x")}, None)
    *asked, process, has_session, mine = second.value
    assert asked == ["a", {"b": (1, b"x")}]
    assert (first.cause, first.value[0], first.value[1]) == ("", "a", process)
    assert process != os.getpid()
    assert (has_session, mine) == (False, "1")
    worker.close()
    worker.close()
    assert worker.start() is True
    again = worker.ask("c", 60.0).value
    assert again[0] == "c", "it is another process, which remembers nothing"
    assert again[1] != process


def test_ctrl_c_is_for_a_worker_of_its_own_session_alone() -> None:
    worker = made(has_session=True)
    worker.start()
    assert worker.ask("a", 60.0).value[2] is True
    worker.close()


@pytest.mark.parametrize(
    ("request_", "code", "crash", "notes"),
    [
        ("end", 3, "it ended the process with exit code 3", ("LLVM ERROR: it is over",)),
        ("kill", -11, "SIGSEGV (Segmentation fault)", ()),
        ("raise", 1, "it ended the process with exit code 1", ()),
    ],
)
def test_a_worker_that_dies_says_how_and_the_next_one_knows_nothing(
    request_: str, code: int, crash: str, notes: tuple[str, ...], worker: Worker
) -> None:
    worker.start()
    worker.ask("a", 60.0)
    found = worker.ask(request_, 60.0)
    assert (found.cause, found.code, found.crash, found.notes) == ("crash", code, crash, notes)
    assert found.value is None
    assert b"an error of C\n" in found.printed
    assert b"printed for a\n" in found.printed or code != 1, "what Python prints goes there, too"
    assert (b"KeyError: 'of the worker'" in found.printed) == (code == 1)
    assert worker.start() is True
    assert worker.ask("b", 60.0).value[0] == "b"


@pytest.mark.parametrize("seconds", [0.0, 0.01])
def test_a_worker_that_takes_too_long_is_ended(seconds: float, worker: Worker) -> None:
    worker.start()
    found = worker.ask("wait", seconds)
    assert found == Outcome(cause="timeout", crash=f"it did not end within {seconds:g} s")
    assert worker.start() is True
    assert worker.ask("b", 60.0).value[0] == "b"


def test_a_worker_that_died_between_two_requests_is_started_again(worker: Worker) -> None:
    worker.start()
    process = worker.ask("a", 60.0).value[1]
    os.kill(process, signal.SIGKILL)
    found = worker.ask("b", 60.0)
    assert (found.cause, found.code) == ("crash", -signal.SIGKILL)
    assert worker.start() is True
    second = worker.ask("c", 60.0).value
    assert second[0] == "c"
    os.kill(second[1], signal.SIGKILL)
    os.waitid(os.P_PID, second[1], os.WEXITED | os.WNOWAIT)
    assert worker.start() is True, "before it was asked"
    assert worker.ask("d", 60.0).value[0] == "d"


def test_a_request_that_is_interrupted_ends_the_worker(worker: Worker) -> None:
    """Its answer would be taken for that of the next one."""
    events = list[str]()

    @contextmanager
    def waiting() -> Generator[None]:
        events.append("begin")
        yield
        events.append("end")
        if len(events) == 2:
            raise KeyboardInterrupt

    worker.waiting = waiting
    worker.start()
    with pytest.raises(KeyboardInterrupt):
        worker.ask("a", 60.0)
    assert worker.start() is True
    assert worker.ask("b", 60.0).value[0] == "b"
    with pytest.raises(AttributeError):
        worker.ask(lambda: None, 60.0)  # it does not pickle
    assert worker.start() is True
    assert events == ["begin", "end"] * 2 + ["begin"]


def test_a_program_that_there_is_not_leaves_no_worker() -> None:
    worker = Worker(["no-such-program"], ENVIRONMENT)
    for _ in range(2):
        with pytest.raises(FileNotFoundError):
            worker.start()
    worker.close()


@pytest.mark.parametrize("act", ["asks", "closes"])
def test_a_fork_has_a_worker_of_its_own(act: str, worker: Worker) -> None:
    worker.start()
    process = worker.ask("a", 60.0).value[1]

    def in_fork() -> object:
        if act == "closes":
            worker.close()
            return None
        assert worker.start() is True
        found = worker.ask("of the fork", 60.0).value[:2]
        worker.close()
        return found

    found = run_in_child(in_fork).result()
    if act == "asks":
        assert found[0] == "of the fork"
        assert found[1] != process
    assert worker.start() is False
    assert worker.ask("b", 60.0).value[:3] == ["a", "b", process]


FORK = """
import gc, os, sys
from stablehlo_py.isolation.process import run_in_child
from stablehlo_py.isolation.worker import Worker
def open_now():
    return {n for n in range(64) if os.path.exists(f"/proc/self/fd/{n}")}
before, worker = open_now(), Worker([sys.executable, "-c", "input()"], dict(os.environ))
worker.start()
ends = sorted(open_now() - before)
def in_fork():
    own = os.open(sys.argv[1], os.O_RDWR)
    for number in ends:
        os.dup2(own, number)
    worker.close()  # which is not its own
    worker.start()
    gc.collect()
    return [os.path.sameopenfile(own, number) for number in ends if number in open_now()]
print(len(ends), run_in_child(in_fork).result())
worker.close()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="/proc lists what is open")
def test_a_fork_that_starts_its_own_worker_leaves_open_what_took_the_place_of_its_parents_one(tmp_path: Path) -> None:
    """A fork may have closed all that its parent had open: the numbers of these are then those of other files."""
    (tmp_path / "mine").write_bytes(b"")
    ended = subprocess.run(
        python_command("-c", FORK, str(tmp_path / "mine")), capture_output=True, env=ENVIRONMENT, check=False
    )
    assert (ended.stdout.decode(), ended.stderr.decode()) == ("3 [True, True, True]\n", ""), "pipes and what is printed"


ORPHAN = """
import os, sys, time
from stablehlo_py.isolation.worker import serve
def answer(path):
    with open(path, "wb", 0) as told:
        told.write(b"begun ")
        time.sleep(20)
        told.write(b"ended")
serve(answer)
"""
PARENT = """
import os, sys
from stablehlo_py.isolation.commands import python_command
from stablehlo_py.isolation.worker import Worker
worker = Worker(python_command("-c", sys.argv[1]), dict(os.environ), True)
worker.start()
worker.ask(sys.argv[2], None)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="it is Linux that ends them")
@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM])
def test_a_worker_ends_in_the_middle_of_an_answer_with_the_process_that_asked(
    end: signal.Signals, tmp_path: Path
) -> None:
    path = tmp_path / "told"
    os.mkfifo(path)
    with (
        subprocess.Popen(python_command("-c", PARENT, ORPHAN, str(path)), env=ENVIRONMENT) as parent,
        open(path, "rb", 0) as told,
    ):
        assert told.read(6) == b"begun "
        parent.send_signal(end)
        assert told.read() == b"", "it went on"


def test_a_worker_whose_requests_end_ends_by_itself() -> None:
    ended = subprocess.run(python_command("-c", ANSWER), input=b"", capture_output=True, env=ENVIRONMENT, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, b"", b"")
