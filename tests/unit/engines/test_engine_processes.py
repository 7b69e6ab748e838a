"""Processes of engines: what they import, and when they end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import stablehlo_py
from stablehlo_py.engines import open_engine
from stablehlo_py.isolation.logs import add_to_log, read_log
from stablehlo_py.isolation.process import Fork

PROGRAM = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %x, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""
ENDLESS = """func.func @main(%x: tensor<i32>) -> tensor<i32> {
  %true = stablehlo.constant dense<true> : tensor<i1>
  %r = stablehlo.while(%a = %x) : tensor<i32> cond { stablehlo.return %true : tensor<i1> }
    do { stablehlo.return %a : tensor<i32> }
  return %r : tensor<i32>
}
"""


def stablehlo(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-P", "-m", "stablehlo_py", *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_nothing_of_the_current_folder_is_imported(tmp_path: Path) -> None:
    for name in ("json", "random", "types", "numpy", "stablehlo_py", "click"):
        (tmp_path / f"{name}.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w'); import no_such_module")
    (tmp_path / "program.mlir").write_text(PROGRAM)
    for words in (["run"], ["reduce", "--command=grep -q add {module}", "-o-"]):
        ran = stablehlo(tmp_path, *words, "program.mlir", "--args=[dense<1.0> : tensor<4xf32>]")
        assert ran.returncode == 0, ran.stderr
        assert not (tmp_path / "ran").exists()


def workers_of(mark: str) -> list[int]:
    """The processes whose environment has this mark."""
    found = []
    for each in Path("/proc").glob("[0-9]*"):
        try:
            is_marked = f"MARK={mark}".encode() in (each / "environ").read_bytes().split(b"\0")
            if is_marked and b"engines.worker" in (each / "cmdline").read_bytes():
                found.append(int(each.name))
        except OSError:
            continue
    return found


@pytest.mark.skipif(not os.path.exists("/proc/self/environ"), reason="it looks for processes in /proc")
def test_a_worker_ends_with_the_process_that_started_it(tmp_path: Path) -> None:
    """However that one ends, and whatever the worker computes."""
    program, mark = tmp_path / "endless.mlir", str(tmp_path)
    program.write_text(ENDLESS)
    command = [sys.executable, "-m", "stablehlo_py", "run", str(program), "--args=[dense<1> : tensor<i32>]"]
    with subprocess.Popen(command, env={**os.environ, "MARK": mark}, stderr=subprocess.DEVNULL) as process:
        until(lambda: workers_of(mark) != [])
        (worker,) = workers_of(mark)
        before = processor_time(worker)
        until(lambda: processor_time(worker) > before + 20)  # it computes
        process.send_signal(signal.SIGKILL)
    until(lambda: workers_of(mark) == [])


def processor_time(process: int) -> int:
    return int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[11])


def until(holds) -> None:
    end = time.monotonic() + 120
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.05)


def test_a_damaged_outcome_is_asked_for_again(tmp_path: Path) -> None:
    module, arguments = stablehlo_py.parse(PROGRAM), [np.float32([1, 2, 3, 4])]
    with open_engine("reference", folder=tmp_path) as engine:
        first = engine.run(str(module).encode(), arguments)
        (path,) = tmp_path.iterdir()
        whole = path.read_bytes()
        flipped = whole[:-1] + bytes([whole[-1] ^ 1])
        for data in (b"", b"\xff{", b"[1]\n", b'{"status": "ok"}\n', whole[: len(whole) // 2], flipped):
            path.write_bytes(data)
            again = engine.run(str(module).encode(), arguments)
            assert np.array_equal(again.results[0], first.results[0]), data
            assert path.stat().st_size >= len(whole) - 40, data  # times have other digits


def test_logs_lose_an_unfinished_line_and_name_a_damaged_one(tmp_path: Path) -> None:
    path = tmp_path / "log"
    assert read_log(path, int) == []
    for number in (1, 2):
        add_to_log(path, number)
    with open(path, "ab") as file:
        file.write(b"3")
    assert read_log(path, int) == [1, 2]
    add_to_log(path, "four")
    with pytest.raises(stablehlo_py.InputError, match=r"log:3:1: error: not an entry"):
        read_log(path, int)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
def test_a_child_that_ends_slowly_is_asked_rarely(monkeypatch: pytest.MonkeyPatch) -> None:
    """It has closed its pipe, so waiting for the pipe would return at once, again and again."""
    asked: list[int] = []
    monkeypatch.setattr(Fork, "poll", lambda fork, poll=Fork.poll: asked.append(fork.pid) or poll(fork))

    def slow(pipe: int) -> int:
        os.write(pipe, b"done")
        os.close(pipe)
        time.sleep(0.1)
        return 3

    heard, started = bytearray(), time.monotonic()
    assert (Fork(slow).ended(heard.extend), heard) == (3, b"done")
    seconds = time.monotonic() - started
    assert 0 < len(asked) < 5000 * seconds, f"asked {len(asked)} times in {seconds:.2f} s"
