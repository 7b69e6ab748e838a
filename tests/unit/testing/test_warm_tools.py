"""Tools that a server runs do what they do as programs."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest
from warm_tools import make_warm_tool_folder

from stablehlo_py.testing.lit import make_tool_folder

PROGRAM = "func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {\n  return %x : tensor<2xf32>\n}\n"
COMMANDS = {
    "a pipe": "stablehlo-translate --serialize a.mlir | stablehlo-translate --deserialize | stablehlo-opt --cse",
    "a file": "stablehlo-opt a.mlir -o b.mlir && cat b.mlir",
    "standard input": "stablehlo-opt < a.mlir",
    "an error": "stablehlo-opt --no-such-pass a.mlir; echo $?",
    "a variable": "STABLEHLO_PY_GUARD_TIMEOUT=soon stablehlo-opt a.mlir",
    "another Python": "PYTHONHASHSEED=7 stablehlo-compat --version",
    "a reader that ends": "stablehlo --help | head -n 2",
    "another folder": "mkdir -p c && cd c && stablehlo-opt ../a.mlir",
}


@pytest.fixture
def folders(tmp_path) -> list[str]:
    make_tool_folder(str(tmp_path / "cold"), "filecheck")
    make_warm_tool_folder(str(tmp_path / "warm"), os.environ)
    return [str(tmp_path / "cold"), str(tmp_path / "warm")]


def variables(folder: str) -> dict[str, str]:
    return {**os.environ, "PATH": os.pathsep.join([folder, os.environ["PATH"]])}


@pytest.mark.parametrize("name", COMMANDS)
def test_results_are_those_of_the_programs(name, folders, tmp_path):
    (tmp_path / "a.mlir").write_text(PROGRAM)
    cold, warm = (
        subprocess.run(
            ["bash", "-c", COMMANDS[name]], cwd=tmp_path, env=variables(folder), capture_output=True, check=False
        )
        for folder in folders
    )
    assert (warm.returncode, warm.stdout, warm.stderr) == (cold.returncode, cold.stdout, cold.stderr)
    assert cold.stdout or cold.stderr


def test_a_tool_ends_with_the_program_that_stands_for_it(folders, tmp_path):
    (tmp_path / "waits.py").write_text(
        "import os, time\nopen('process', 'w').write(str(os.getpid()))\nos.rename('process', 'pid')\ntime.sleep(60)\n"
    )
    (tmp_path / "a.mlir").write_text(PROGRAM)
    process = subprocess.Popen(
        ["stablehlo-opt", "--load=waits.py", "a.mlir"], cwd=tmp_path, env=variables(folders[1]), stderr=subprocess.PIPE
    )
    note = Path(tmp_path, "pid")
    while not note.exists():
        time.sleep(0.01)
    process.terminate()
    process.communicate()
    assert process.returncode == -signal.SIGTERM
    for _ in range(1000):
        if not Path("/proc", note.read_text()).exists():
            return
        time.sleep(0.01)
    pytest.fail("the tool goes on")
