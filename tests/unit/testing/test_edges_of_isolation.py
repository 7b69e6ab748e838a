"""Words, limits and fallbacks of what runs outside this process."""

from __future__ import annotations

import errno
import io
import os
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from stablehlo_py.errors import InputError, ProviderError, ResourceError
from stablehlo_py.isolation import cluster, files, launcher, outcome, policy
from stablehlo_py.isolation.commands import python_command, run_command, tied_command
from stablehlo_py.isolation.limits import MEMORY_VARIABLE, file_limit, memory_notes
from stablehlo_py.isolation.logs import add_to_log, read_log
from stablehlo_py.isolation.outcome import Outcome, cause_of_crash, describe_crash, died, directly, late


def test_an_endless_stream_names_what_sets_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(MEMORY_VARIABLE, "40")
    with pytest.raises(InputError) as raised:
        files.read_stream(io.BytesIO(b"x" * 11), "a")
    assert raised.value.notes == ("a quarter of --guard-memory=BYTES or STABLEHLO_PY_GUARD_MEMORY sets the limit",)


class _Huge(io.RawIOBase):
    def read(self, size: int = -1) -> bytes:
        raise MemoryError


def test_a_stream_that_does_not_fit_names_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(MEMORY_VARIABLE, "40")
    with pytest.raises(InputError) as raised:
        files.read_stream(_Huge(), "a")  # type: ignore[arg-type]
    assert raised.value.message == "cannot open input file 'a': it does not fit into memory"
    assert raised.value.notes == (
        "the limit is 40 bytes; --guard-memory=BYTES or STABLEHLO_PY_GUARD_MEMORY sets it",
    )  # fmt: skip


def test_files_without_a_name_are_read_from_their_beginning() -> None:
    with files.anonymous_file("a") as file:
        file.write(b"abc")
        assert files.read_all(file) == b"abc"
        assert files.read_all(file) == b"abc"


def _never(_: str) -> bool:
    return False


@pytest.mark.parametrize("has_proc", [True, False])
def test_a_shared_file_has_a_path_until_the_block_ends(has_proc: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not has_proc:
        monkeypatch.setattr(files, "os", SimpleNamespace(**{**vars(os), "path": SimpleNamespace(exists=_never)}))
    with files.shared_file("a") as (file, path):
        file.write(b"abc")
        assert Path(path).read_bytes() == b"abc"
        assert path.startswith(f"/proc/{os.getpid()}/") == has_proc or not os.path.isdir("/proc/self")
    assert not os.path.exists(path)


@pytest.mark.skipif(sys.platform == "win32", reason="no limits of the system")
def test_limits_of_the_system_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    from stablehlo_py.isolation import limits as module

    monkeypatch.delenv(MEMORY_VARIABLE, raising=False)
    for limit, notes, words in (
        (0, ["the system's limit is 0 bytes; `ulimit -v` sets it"], ""),
        (7, ["the system's limit is 7 bytes; `ulimit -v` sets it"], "; the limit is 7, `ulimit -n` sets it"),
        (-1, [], ""),
    ):
        monkeypatch.setattr(module, "_system_limit", dict.fromkeys(("RLIMIT_AS", "RLIMIT_NOFILE"), limit).__getitem__)
        assert memory_notes() == notes
        assert file_limit() == words


def test_memory_errors_of_other_processes_name_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(MEMORY_VARIABLE, "40")
    with pytest.raises(ResourceError) as raised:
        Outcome(error=MemoryError()).result()
    assert (raised.value.message, raised.value.notes) == ("out of memory", tuple(memory_notes()))
    with pytest.raises(KeyError):
        Outcome(error=KeyError()).result()
    assert Outcome(value=3).result() == 3


@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize(
    ("code", "kills", "wanted"),
    [
        (-9, 1, Outcome(cause="crash", crash="SIGKILL (Killed)", code=-9, notes=("LLVM ERROR: x",))),
        (-9, 0, Outcome(cause="memory", crash="the system's memory killer ended it", code=-9)),
        (-11, 0, Outcome(cause="crash", crash="SIGSEGV (Segmentation fault)", code=-11, notes=("LLVM ERROR: x",))),
        (3, 0, Outcome(cause="crash", crash="it ended the process with exit code 3", code=3, notes=("LLVM ERROR: x",))),
    ],
    ids=str,
)
def test_ends_of_processes_in_words(code: int, kills: int, wanted: Outcome, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outcome, "memory_kills", lambda: 1)
    printed = b"a\nLLVM ERROR: x\n"
    assert died(code, printed, kills) == wanted._replace(printed=printed)


def test_late_and_direct_outcomes() -> None:
    assert late(0.5) == Outcome(cause="timeout", crash="it did not end within 0.5 s")
    assert directly(lambda: 3) == Outcome(value=3)
    assert isinstance(directly(dict[str, int]().popitem).error, KeyError)


@pytest.mark.parametrize(
    ("code", "words"),
    [(0, ""), (2, ""), (3, "SIGABRT (exit code 0x3)"), (0xBFFFFFFF, ""), (0xC0000000, "SIGSEGV (exit code 0xc0000000)"),
     (0xC0000409, "SIGABRT (exit code 0xc0000409)"), (0xC000001D, "SIGILL (exit code 0xc000001d)"),
     (0xC0000094, "SIGFPE (exit code 0xc0000094)"), (0xC0000005, "SIGSEGV (exit code 0xc0000005)")],
)  # fmt: skip
def test_windows_tells_crashes_by_numbers(code: int, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert describe_crash(code) == ""
    monkeypatch.setattr(outcome, "os", SimpleNamespace(name="nt"))
    assert describe_crash(code) == words


def test_what_cpp_printed_about_its_end_is_short() -> None:
    printed = b"F0311 10:11:12.123456  42 Check failed: a\nother\n  what():  b\n" + b"LLVM ERROR: " + b"x" * 500
    assert cause_of_crash(printed) == ("Check failed: a", "what():  b", "LLVM ERROR: " + "x" * 388)
    assert len(cause_of_crash(b"Assertion\n" * 9)) == 5


def test_a_damaged_log_names_the_line_and_the_remedy(tmp_path: Path) -> None:
    path = tmp_path / "log"
    for number in (1, "x"):
        add_to_log(path, number)
    with pytest.raises(InputError) as raised:
        read_log(path, int)
    assert (raised.value.message, raised.value.location) == ("not an entry of this log", f"{path}:2:1")
    assert raised.value.notes == ("without this line, or without the file, its work is done again",)
    with pytest.raises(InputError, match=f"cannot open '{tmp_path}': {os.strerror(errno.EISDIR)}"):
        read_log(tmp_path, int)


@pytest.mark.skipif(os.name != "posix", reason="processes end with others on POSIX alone")
def test_commands_run_to_their_end(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as raised:
        tied_command(["no-such-program"])
    assert (raised.value.errno, raised.value.filename) == (errno.ENOENT, "no-such-program")
    code = (
        "import os, sys; print(os.getcwd(), os.getsid(0) == os.getpid())\n"
        "sys.stderr.buffer.write(sys.stdin.buffer.read()); sys.exit(3)"
    )
    for tied, said in ((False, {}), (False, {"tied": False}), (True, {"tied": True})):
        done = run_command(python_command("-ISc", code), text="é", folder=str(tmp_path), **said)
        assert (done.returncode, done.stderr) == (3, "é"), done
        assert done.stdout == f"{os.path.realpath(tmp_path)} {tied}\n", done
    with pytest.raises(subprocess.TimeoutExpired):
        run_command(python_command("-ISc", "input()"), text=None, seconds=0.01)


class _Cluster:
    """What `workers` uses of Dask."""

    def __init__(self) -> None:
        self.asked: list[Any] = []
        self.ended: list[str] = []
        self.refuses: type[Exception] | None = None

    def client(self, address: str, timeout: float) -> Any:
        if self.refuses:
            raise self.refuses("nobody")
        self.asked.append((address, timeout))
        return nullcontext(self)

    def wait_for_workers(self, number: int, timeout: float) -> None:
        self.asked.append((number, timeout))

    def nthreads(self) -> dict[str, int]:
        return {"a": 2, "b": 3}

    def get_executor(self, pure: bool) -> Any:
        return "executor", pure

    def start(self, words: list[str], **options: Any) -> Any:
        self.asked.append((words, options["env"]["PYTHONPATH"]))
        return SimpleNamespace(terminate=lambda: self.ended.append("terminate"), wait=lambda: self.ended.append("wait"))


@pytest.fixture
def dask(monkeypatch: pytest.MonkeyPatch) -> _Cluster:
    found = _Cluster()

    class Scheduler:
        scheduler_address = "tcp://here:1"

        def __init__(self, **options: Any) -> None:
            found.asked.append(options)

        def __enter__(self) -> None: ...

        def __exit__(self, *_: object) -> None:
            found.ended.append("close")

    module = SimpleNamespace(Client=found.client, KilledWorker=ZeroDivisionError, LocalCluster=Scheduler)
    monkeypatch.setitem(sys.modules, "distributed", module)  # type: ignore[arg-type]
    monkeypatch.setattr(cluster, "subprocess", SimpleNamespace(Popen=found.start, DEVNULL=subprocess.DEVNULL))
    return found


def test_workers_of_a_cluster_are_those_at_its_address(dask: _Cluster) -> None:
    with cluster.workers("tcp://there:2", 7) as found:
        assert found == (("executor", False), 5, (ZeroDivisionError,))
    assert dask.asked == [("tcp://there:2", 30), (1, 120)]
    assert not dask.ended


@pytest.mark.skipif(os.name != "posix", reason="processes end with others on POSIX alone")
def test_local_workers_are_started_and_ended(dask: _Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", "/mine")
    with cluster.workers("local", 7) as found:
        assert found == (("executor", False), 7, (ZeroDivisionError,))
        assert not dask.ended
    options, (words, path), *asked = dask.asked
    assert asked == [("tcp://here:1", 30), (1, 120)]
    assert (options["n_workers"], options["processes"], options["host"]) == (0, False, "127.0.0.1")
    assert words[-6:] == [
        *("tcp://here:1", "--nthreads=1", "--nworkers=7"),
        *("--memory-limit=0", "--no-dashboard", "--host=127.0.0.1"),
    ]
    assert path == f"{Path(cluster.__file__).resolve().parents[2]}{os.pathsep}/mine"
    assert dask.ended == ["terminate", "wait", "close"]


@pytest.mark.parametrize("kind", [OSError, ValueError])
def test_a_cluster_that_does_not_answer_is_named(kind: type[Exception], dask: _Cluster) -> None:
    dask.refuses = kind
    with pytest.raises(ProviderError, match="nobody") as raised:
        cluster.workers("tcp://there:2", 1).__enter__()
    assert raised.value.message == "the cluster at tcp://there:2 does not answer: nobody"


def test_without_dask_a_cluster_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)  # type: ignore[arg-type]
    with pytest.raises(ProviderError) as raised:
        cluster.workers("local", 1).__enter__()
    assert raised.value.message.startswith("--cluster needs Dask: ")
    assert raised.value.notes == ("pip install 'stablehlo-py[cluster]' installs dask and distributed",)


@pytest.mark.parametrize(("platform", "is_tied"), [("linux", True), ("linux2", True), ("darwin", False)])
@pytest.mark.parametrize("parent", [7, 8])
def test_linux_ends_a_process_with_its_parent(
    platform: str, is_tied: bool, parent: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = list[Any]()
    library = SimpleNamespace(prctl=lambda *given: calls.append(given))
    monkeypatch.setattr(launcher, "ctypes", SimpleNamespace(CDLL=lambda name: (calls.append(name), library)[1]))
    monkeypatch.setattr(launcher, "sys", SimpleNamespace(platform=platform))
    system = SimpleNamespace(getppid=lambda: 7, _exit=lambda code: calls.append(("exit", code)))
    monkeypatch.setattr(launcher, "os", system)
    launcher.die_with_parent(parent)
    set_parent_death_signal, kill = 1, 9
    tied = [None, (set_parent_death_signal, kill)] if is_tied else []
    assert calls == [*tied, *([("exit", 1)] if parent != 7 else [])]  # it has another parent: its own has ended


def test_a_process_that_another_one_waits_for_needs_no_guard_unless_it_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(policy, "_expendable", False)
    assert not policy.is_expendable()
    with policy.guarding(False):
        assert policy.is_expendable()
        with policy.guarding(True):
            assert not policy.is_expendable()
        assert policy.is_expendable()
    assert not policy.is_expendable()
    with pytest.raises(KeyError), policy.guarding(False):
        raise KeyError
    assert not policy.is_expendable()
    policy.enter_guard()
    assert policy.is_expendable()
    with policy.guarding(True):
        assert not policy.is_expendable()
    assert policy.is_expendable()


@pytest.mark.parametrize(
    ("can_fork", "threads", "modules", "platform", "is_safe"),
    [
        (True, 1, ["numpy"], "linux", True),
        (True, 1, [], "linux", True),
        (False, 1, [], "linux", False),
        (True, 2, [], "linux", False),
        (True, 1, ["numpy"], "darwin", False),
        (True, 1, [], "darwin", True),
        (True, 1, ["jax"], "linux", False),
        (True, 1, ["torch"], "darwin", False),
        (True, 1, ["jaxlib._jax"], "linux", False),
    ],
)
def test_when_a_fork_is_safe(
    can_fork: bool, threads: int, modules: list[str], platform: str, is_safe: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(policy, "CAN_FORK", can_fork)
    monkeypatch.setattr(policy, "threading", SimpleNamespace(active_count=lambda: threads))
    monkeypatch.setattr(policy, "sys", SimpleNamespace(platform=platform, modules=dict.fromkeys(modules)))
    assert policy.fork_is_safe() == is_safe
