"""How the tools end: crashes, signals, closed pipes, full disks, mistakes of ours."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

from stablehlo_py.cli.common import Output, write_whole
from stablehlo_py.errors import InputError

OPT = [sys.executable, "-c", "from stablehlo_py.cli import stablehlo_opt; stablehlo_opt()"]


def run_body(body: str, **arguments) -> subprocess.CompletedProcess[str]:
    """A tool called `tool` whose work is `body`."""
    code = (
        "import os, signal, sys\n"
        "from stablehlo_py.cli.common import run_tool\n"
        "from stablehlo_py.cli.guard import doing\n"
        f"def work(arguments):\n    {body}\n"
        "sys.exit(run_tool('tool', work))\n"
    )
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, **arguments)


def test_the_exit_code_and_the_output_come_through():
    result = run_body("print('done'); return 7")
    assert (result.returncode, result.stdout, result.stderr) == (7, "done\n", "")


def test_a_crash_is_one_message():
    result = run_body("doing('reading x.mlir'); os.kill(os.getpid(), signal.SIGSEGV)")
    assert result.returncode == 1
    assert result.stderr == "tool: error: the compiler crashed (SIGSEGV) while reading x.mlir\n"


def test_a_mistake_of_ours_is_one_message_and_a_traceback_on_demand():
    result = run_body("return 1 / 0")
    assert result.returncode == 1
    assert result.stderr.startswith(
        "tool: error: internal error, please report it: ZeroDivisionError: division by zero"
    )
    assert "Traceback" not in result.stderr
    assert "Traceback" in run_body("return 1 / 0", env={**os.environ, "STABLEHLO_PY_TRACEBACK": "1"}).stderr


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_tool_quietly(number):
    process = subprocess.Popen(
        OPT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    )
    time.sleep(2)
    os.killpg(process.pid, number)
    output, errors = process.communicate(timeout=30)
    assert (process.returncode, output, errors) == (128 + number, b"", b"")


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
    assert result.returncode == 1
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
