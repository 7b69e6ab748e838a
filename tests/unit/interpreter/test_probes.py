"""Probes write to their folder alone, lose nothing where several programs do, and are read back by any name."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import stablehlo_py
from stablehlo_py.bindings.types import TensorType, element_type
from stablehlo_py.errors import InputError
from stablehlo_py.interpreter.probe import INDEX, ProbeDirectory, read_probe, read_probes

TYPE = TensorType((), element_type("i32"))
WRITER = """
import pathlib, sys
import numpy as np
from stablehlo_py.bindings.types import TensorType, element_type
from stablehlo_py.interpreter.probe import ProbeDirectory
folder = ProbeDirectory(pathlib.Path(sys.argv[1]))
print("ready", flush=True)
sys.stdin.readline()
for number in range(150):
    folder.write(sys.argv[2], TensorType((), element_type("i32")), np.array(number, np.int32))
"""
NAMES = [
    "plain",
    "a/b",
    "x,tensor<i32>,/tmp/probe1.npy",
    "x",
    "line\nbreak",
    "\u2028",
    "back\\slash",
    "\ud800",
    "a\rb",
    "",
]


def array(number: int) -> np.ndarray:
    return np.array(number, np.int32)


def test_every_name_is_read_back_as_its_own(tmp_path: Path) -> None:
    folder = ProbeDirectory(tmp_path / "with, comma")
    for time in range(2):
        for number, name in enumerate(NAMES):
            folder.write(name, TYPE, array(number + 100 * time))
    for time in range(2):
        for number, name in enumerate(NAMES):
            assert read_probe(folder.path, name, time, TYPE) == number + 100 * time
    with pytest.raises(stablehlo_py.InterpreterError, match="iteration 2 does not exist"):
        read_probe(folder.path, "x", 2, TYPE)
    assert (folder.path / INDEX).read_text(encoding="utf-8").count("\n") == 2 * len(NAMES)


@pytest.mark.skipif(sys.platform == "win32", reason="runs know of each other by locks of POSIX systems")
def test_two_runs_at_once_lose_nothing(tmp_path: Path) -> None:
    command = [sys.executable, "-c", WRITER, str(tmp_path)]
    runs = [
        subprocess.Popen([*command, name], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for name in ("left", "right")
    ]
    for run in runs:
        assert run.stdout is not None
        assert run.stdout.readline() == "ready\n"
    for run in runs:
        run.communicate("go\n", timeout=60)
        assert run.returncode == 0, run.stderr
    for name in ("left", "right"):
        assert [int(read_probe(tmp_path, name, time, TYPE)) for time in range(150)] == list(range(150))
    assert len(list(tmp_path.glob("*.npy"))) == 300


def test_a_run_removes_what_the_one_before_left(tmp_path: Path) -> None:
    ProbeDirectory(tmp_path).write("a", TYPE, array(1))
    (tmp_path / "mine.npy").write_bytes(b"kept")
    kept = ProbeDirectory(tmp_path)
    kept.write("b", TYPE, array(2))
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["index.csv", "mine.npy", "probe1.npy"]
    again = ProbeDirectory(tmp_path)  # while the other still lives in this process
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["mine.npy"]
    again.write("c", TYPE, array(3))
    assert read_probe(tmp_path, "c", 0, TYPE) == 3


@pytest.mark.skipif(sys.platform == "win32", reason="runs know of each other by locks of POSIX systems")
def test_what_another_process_still_writes_is_kept(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    ours = ProbeDirectory(first)
    ours.write("ours", TYPE, array(1))
    elsewhere = ProbeDirectory(second)  # which gives up no claim to the first
    command = [sys.executable, "-c", WRITER, str(first), "theirs"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "ready\n"
        assert read_probe(first, "ours", 0, TYPE) == 1, "a process removed what another one had written"
        again = ProbeDirectory(first)
        assert read_probe(first, "ours", 0, TYPE) == 1, "a second run removed what the first one's neighbour reads"
        again.write("again", TYPE, array(2))
        other.communicate("go\n", timeout=60)
    assert [int(read_probe(first, name, 0, TYPE)) for name in ("ours", "theirs", "again")] == [1, 0, 2]
    last = ProbeDirectory(first)  # nobody else writes there any more
    assert not list(first.iterdir()), f"{last.path} was not emptied"
    assert elsewhere.path == second


@pytest.mark.skipif(not hasattr(os, "O_NOFOLLOW"), reason="this system cannot refuse to follow links")
@pytest.mark.parametrize("name", [INDEX, "probe1.npy"])
def test_planted_links_are_not_followed(tmp_path: Path, name: str) -> None:
    outside = tmp_path / "outside"
    outside.write_bytes(b"untouched")
    inside = tmp_path / "inside"
    inside.mkdir()
    (inside / name).symlink_to(outside)
    folder = ProbeDirectory(inside)
    (inside / name).symlink_to(outside)
    if name == INDEX:
        with pytest.raises(InputError, match="cannot write probes"):
            folder.write("a", TYPE, array(1))
    else:
        folder.write("a", TYPE, array(1))
        assert read_probe(inside, "a", 0, TYPE) == 1
        (inside / "probe2.npy").unlink()
        (inside / "probe2.npy").symlink_to(outside)
        with pytest.raises(stablehlo_py.InterpreterError, match="no probe has written"):
            read_probe(inside, "a", 0, TYPE)
    assert outside.read_bytes() == b"untouched"


def test_an_index_that_leads_elsewhere_is_not_followed(tmp_path: Path) -> None:
    np.save(tmp_path / "secret.npy", array(7))
    (tmp_path / INDEX).write_text(f"a,tensor<i32>,{tmp_path}/secret.npy\n", encoding="utf-8")
    with pytest.raises(stablehlo_py.InterpreterError, match="no probe has written"):
        read_probe(tmp_path, "a", 0, TYPE)


def test_folders_of_probes_are_made_with_those_above_them(tmp_path: Path) -> None:
    for _ in range(2):
        ProbeDirectory(tmp_path / "a" / "b").write("a", TYPE, array(1))
    assert sorted(each.name for each in tmp_path.rglob("*"))[:2] == ["a", "b"]


@pytest.mark.parametrize(
    "name", ["probe1.npyx", "probe1.npy.npy", "xprobe1.npy", "probe.npy", "probe1,npy", "index.csv", "PROBE1.npy"]
)
def test_a_file_that_is_not_named_as_those_of_probes_is_not_read(tmp_path: Path, name: str) -> None:
    np.save(tmp_path / "written.npy", array(1))
    (tmp_path / "written.npy").rename(tmp_path / name)
    (tmp_path / INDEX).write_text(f"a,tensor<2xf32>,{tmp_path}/{name}\n")
    with pytest.raises(stablehlo_py.InterpreterError, match="which no probe has written"):
        read_probe(tmp_path, "a", 0, TensorType((2,), element_type("f32")))
    with pytest.raises(InputError, match="which no probe has written"):
        read_probes(tmp_path)


@pytest.mark.parametrize("folder", [".", "probes", "a,b"])
def test_probes_of_dynamic_values_are_written_with_their_sizes_to_any_folder(
    tmp_path: Path, folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text = """func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
      %0 = interpreter.probe %x, probe_id = "a,b" : tensor<?xf32>
      return %0 : tensor<?xf32> }"""
    program = stablehlo_py.load(text, probe_directory=folder)
    for size in (2, 0, 3):
        program(np.arange(size, dtype=np.float32))
    lines = (tmp_path / folder / INDEX).read_text().splitlines()
    assert [line.split(",tensor")[1].split(",")[0] for line in lines] == ["<2xf32>", "<0xf32>", "<3xf32>"]
    assert [value.tolist() for value in read_probes(folder)["a,b"]] == [[0, 1], [], [0, 1, 2]]
    found = read_probe(Path(folder), "a,b", 2, TensorType((3,), element_type("f32")))
    assert found.tolist() == [0, 1, 2]
    for shape, element in (((2,), "f32"), ((3,), "i32"), ((3, 1), "f32")):
        with pytest.raises(stablehlo_py.InterpreterError, match="probe 'a,b' wrote tensor<3xf32>, not tensor<"):
            read_probe(Path(folder), "a,b", 2, TensorType(shape, element_type(element)))
