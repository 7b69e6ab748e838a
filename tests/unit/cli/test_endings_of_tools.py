"""How the tools end: crashes, signals, closed pipes, full disks, mistakes of ours."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from stablehlo_py.cli.output import Output, write_whole
from stablehlo_py.errors import InputError
from stablehlo_py.isolation import tool as guard
from stablehlo_py.isolation.files import anonymous_file, read_all
from stablehlo_py.isolation.limits import Limits
from stablehlo_py.isolation.tool import ENDING

OPT = [sys.executable, "-c", "from stablehlo_py.cli import stablehlo_opt; stablehlo_opt()"]


CODE = """import os, signal, sys
from stablehlo_py.cli.common import run_tool
from stablehlo_py.isolation.tool import doing
def work(arguments):
    {body}
sys.exit(run_tool('tool', work))
"""


def run_body(body: str, **arguments) -> subprocess.CompletedProcess[str]:
    """A tool called `tool` whose work is `body`."""
    code = CODE.format(body=body)
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, **arguments)


def test_the_exit_code_and_the_output_come_through():
    result = run_body("print('done'); return 7")
    assert (result.returncode, result.stdout, result.stderr) == (7, "done\n", "")


def test_a_crash_is_one_message():
    result = run_body("doing('reading x.mlir'); os.kill(os.getpid(), signal.SIGSEGV)")
    assert result.returncode == 1, result.stderr
    assert result.stderr == "tool: error: the compiler crashed (SIGSEGV) while reading x.mlir\n"


def test_a_mistake_of_ours_is_one_message_and_a_traceback_on_demand():
    result = run_body("return 1 / 0")
    assert result.returncode == 1, result.stderr
    assert result.stderr.startswith(
        "tool: error: internal error, please report it: ZeroDivisionError: division by zero"
    )
    assert "Traceback" not in result.stderr
    assert "Traceback" in run_body("return 1 / 0", env={**os.environ, "STABLEHLO_PY_TRACEBACK": "1"}).stderr


def default_signals() -> None:
    """Undoes what `nohup` and the shell's `&` do to the signals of a background job."""
    for number in ENDING:
        signal.signal(number, signal.SIG_DFL)


def start_waiting() -> tuple[subprocess.Popen[bytes], int]:
    """A tool that waits for its input, and the process that does its work."""
    body = "from stablehlo_py.isolation.tool import doing; print(os.getpid(), flush=True); sys.stdin.read(); return 0"
    process = subprocess.Popen(
        [sys.executable, "-c", CODE.format(body=body)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=default_signals,
    )
    assert process.stdout is not None
    return process, int(process.stdout.readline())


def runs(process: int) -> bool:
    """Whether a process is there and has not ended; one that nobody waited for has."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="this system does not show its processes in /proc")
@pytest.mark.parametrize("send", [os.kill, os.killpg], ids=["process", "group"])
@pytest.mark.parametrize("number", ENDING, ids=lambda number: number.name)
def test_a_signal_ends_the_tool_and_its_child_quietly(number, send):
    process, child = start_waiting()
    send(process.pid, number)
    output, errors = process.communicate(timeout=30)
    assert (process.returncode, output, errors) == (128 + number, b"", b"")
    assert not runs(child)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends a child with its parent")
def test_the_child_does_not_outlive_its_parent():
    process, child = start_waiting()
    process.kill()
    process.communicate(timeout=30)
    deadline = time.monotonic() + 30
    while runs(child) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not runs(child)


def test_a_child_that_is_killed_is_reported():
    process, child = start_waiting()
    os.kill(child, signal.SIGKILL)
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 137
    assert errors.startswith((b"tool: error: the tool was killed (SIGKILL)", b"tool: error: the system's memory"))


def test_a_step_that_takes_too_long_is_one_message():
    body = "from stablehlo_py.isolation.limits import limits; doing('reading x', limit=limits()); signal.pause()"
    result = run_body(body, env={**os.environ, "STABLEHLO_PY_GUARD_TIMEOUT": "0.2"})
    assert result.returncode == 1, result.stderr
    assert result.stderr == (
        "tool: error: reading x took too long\ntool: note: --guard-timeout=SECONDS sets the limit\n"
    )


def test_the_flag_that_set_the_limit_is_named():
    given = "limit=Limits(0.1, 1 << 30), options=('--timeout', '--max-memory')"
    body = f"from stablehlo_py.isolation.limits import Limits; doing('running x', {given}); "
    result = run_body(body + "signal.pause()")
    assert (result.returncode, result.stderr) == (
        1, "tool: error: running x took too long\ntool: note: --timeout=SECONDS sets the limit\n"
    )  # fmt: skip
    result = run_body(body + "raise MemoryError")
    assert result.stderr == "tool: error: out of memory\ntool: note: --max-memory=BYTES sets the limit\n"
    result = run_body(body + 'os.write(2, b"what():  std::bad_alloc"); os.abort()')
    assert result.stderr == (
        "tool: error: the compiler crashed (SIGABRT) while running x\ntool: note: what():  std::bad_alloc\n"
        "tool: note: --max-memory=BYTES sets the limit of memory\n"
    )


def test_a_step_has_no_limit_while_another_process_works_and_all_its_time_after(monkeypatch):
    told, pipe = os.pipe()
    with anonymous_file("printed") as printed, anonymous_file("text") as text, open(told) as lines:
        monkeypatch.setattr(guard, "_teller", guard.Teller(printed, text, pipe))
        guard.doing("running x", ("x", "cse", b"module {}"), limit=Limits(7.0))
        with guard.waiting():
            pass
        os.close(pipe)
        assert read_all(text) == b"module {}"
        news = [json.loads(line) for line in lines]
    assert [each["seconds"] for each in news] == [7.0, None, 7.0]
    assert [news[0][key] for key in ("activity", "source", "passes")] == ["running x", "x", "cse"]
    assert news[0]["options"] == ["--guard-timeout", "--guard-memory"]


def test_nothing_is_left_after_a_signal(tmp_path):
    """SIGTERM comes while the file is written; what SIGKILL leaves behind, the next run removes."""
    target = tmp_path / "out"
    body = (
        "from stablehlo_py.cli import output; output._file_mode = lambda _: signal.pause() or 0; "
        f"output.write_whole({str(target)!r}, b'data')"
    )
    for number in (signal.SIGTERM, signal.SIGKILL):
        process = subprocess.Popen([sys.executable, "-c", CODE.format(body=body)], preexec_fn=default_signals)
        deadline = time.monotonic() + 60
        while not list(tmp_path.iterdir()) and time.monotonic() < deadline:
            time.sleep(0.01)
        assert list(tmp_path.iterdir())
        process.send_signal(number)
        process.wait(timeout=30)
        if number == signal.SIGTERM:
            assert list(tmp_path.iterdir()) == []
    while any(runs(int(path.name.split(".")[-2])) for path in tmp_path.iterdir()):
        time.sleep(0.01)
    write_whole(str(target), b"data")
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_processes_that_write_one_file_at_once_leave_each_other_alone(tmp_path):
    target = str(tmp_path / "out")
    code = (
        "import sys; from stablehlo_py.cli.output import write_whole\nsys.stdin.read()\n"
        f"for _ in range(500): write_whole({target!r}, sys.argv[1].encode() * 1000)"
    )
    read_end, write_end = os.pipe()
    several = [subprocess.Popen([sys.executable, "-c", code, name], stdin=read_end) for name in "abc"]
    os.close(read_end)
    os.close(write_end)  # all go on at the same time
    assert [process.wait(timeout=60) for process in several] == [0, 0, 0]
    assert (tmp_path / "out").read_text() in {name * 1000 for name in "abc"}
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_a_closed_pipe_ends_the_tool_quietly(tmp_path):
    program = tmp_path / "program.mlir"
    program.write_text("".join(f"func.func private @f{index}()\n" for index in range(20000)))
    process = subprocess.Popen([*OPT, str(program)], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait(timeout=60) == 141


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no device that is always full")
def test_a_full_disk_is_one_message(tmp_path):
    program = tmp_path / "program.mlir"
    program.write_text("func.func private @f()\n")
    with open("/dev/full", "wb") as full:
        result = subprocess.run([*OPT, str(program)], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert result.returncode == 1, result.stderr
    assert result.stderr == "stablehlo-opt: error: cannot write the output: No space left on device\n"


def test_an_output_file_appears_when_it_is_whole(tmp_path):
    path = tmp_path / "out"
    path.write_bytes(b"before")
    path.chmod(0o640)
    output = Output(str(path))
    output.write(b"one ")
    output.write(b"two")
    assert path.read_bytes() == b"before"
    output.commit()
    assert path.read_bytes() == b"one two"
    assert path.stat().st_mode & 0o777 == 0o640
    assert [entry.name for entry in tmp_path.iterdir()] == ["out"]


@pytest.mark.skipif(os.name == "nt", reason="making links takes a privilege on this system")
def test_an_output_file_behind_a_link_is_replaced(tmp_path):
    target, link = tmp_path / "target", tmp_path / "link"
    link.symlink_to(target)
    write_whole(str(link), b"data")
    assert link.is_symlink()
    assert target.read_bytes() == b"data"


def test_an_output_file_in_a_missing_folder_is_an_error(tmp_path):
    output = Output(str(tmp_path / "missing" / "out"))
    with pytest.raises(InputError, match="cannot open output file"):
        output.commit()
