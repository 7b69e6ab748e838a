"""What Windows and macOS lack, taken away from this system: the tools say and do the same without it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from speeds import later

import stablehlo_py
from stablehlo_py.isolation.tool import ENDING

# What `sitecustomize` of every interpreter below, the started ones included, takes away.
WITHOUT_FORK = """
import os, signal, sys
for name in ("fork", "forkpty", "memfd_create", "pread", "preadv", "pwrite", "pwritev"):
    if hasattr(os, name):
        delattr(os, name)
if hasattr(signal, "pthread_sigmask"):
    del signal.pthread_sigmask
sys.modules["fcntl"] = sys.modules["resource"] = None
"""
GOOD = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.negate %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""
# The reader uses the element type that is not there.
CRASHING = """func.func @before(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.negate %x : tensor<4xf32>
  %1 = stablehlo.negate %0 : tensor<?x, #stablehlo.bounds<4>>
  return %0 : tensor<4xf32>
}
"""
LOADED = {
    "aborts.py": "import os\nos.write(2, b'LLVM ERROR: planted\\n')\nos.abort()\n",
    "waits.py": "import signal\nprint('waiting', flush=True)\nwhile True:\n    signal.pause()\n",
    "takes_long.py": (
        "import signal\nfrom stablehlo_py.isolation.limits import limits\n"
        "from stablehlo_py.isolation.tool import doing\n"
        "doing('planting', limit=limits())\nsignal.pause()\n"
    ),
    "fails.py": "import sys\nsys.exit(7)\n",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """Programs, files to load, and the `sitecustomize` in a folder of its own."""
    folder = tmp_path_factory.mktemp("systems")
    (folder / "site").mkdir()
    (folder / "temporary").mkdir()
    files = {"good.mlir": GOOD, "crashing.mlir": CRASHING, "bad.mlir": "func.func @f(", **LOADED}
    for name, text in {**files, "site/sitecustomize.py": WITHOUT_FORK}.items():
        (folder / name).write_text(text)
    return folder


def environment(folder: Path, fork: bool) -> dict[str, str]:
    paths = [str(folder / "site")] * (not fork) + [entry for entry in sys.path if entry]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "TMPDIR": str(folder / "temporary")}


def command(tool: str) -> list[str]:
    entry = tool.replace("-", "_")
    return [sys.executable, "-c", f"from stablehlo_py.cli import {entry}; {entry}()"]


def run(folder: Path, line: str, *, fork: bool, text: str | None = None) -> tuple[int, str, str]:
    """How a command line ends that is run in the folder: its exit code, output and messages."""
    tool, *arguments = line.split()
    result = subprocess.run(
        [*command(tool), *arguments],
        cwd=folder, env=environment(folder, fork), input=text, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    return result.returncode, result.stdout, result.stderr


@pytest.mark.parametrize(
    ("line", "code", "said"),
    [
        later("stablehlo-opt good.mlir", 0, ""),
        ("stablehlo-opt -", 0, ""),
        later("stablehlo-opt bad.mlir", 1, "bad.mlir:1:"),
        later("stablehlo-opt missing.mlir --error-format=json", 1, '"severity": "error"'),
        later("stablehlo-opt --no-such-flag", 1, "unknown flag"),
        ("stablehlo-opt crashing.mlir", 1, "crashing.mlir:6: note: it crashes on this"),
        later("stablehlo-opt crashing.mlir --error-format=sarif", 1, "the compiler crashed (SIGSEGV) while reading"),
        ("stablehlo-opt good.mlir --load=aborts.py", 1, "(SIGABRT)\nstablehlo-opt: note: LLVM ERROR: planted"),
        later("stablehlo-opt good.mlir --load=takes_long.py --guard-timeout=0.2", 1, "planting took too long"),
        ("stablehlo-opt good.mlir --load=fails.py", 7, ""),
        later("stablehlo-translate --interpret good.mlir --args=[dense<1.0>:tensor<4xf32>]", 0, ""),
        later("stablehlo-compat minimum good.mlir", 0, ""),
        ("stablehlo run crashing.mlir", 2, "the compiler crashed (SIGSEGV)"),
        later("stablehlo cost good.mlir", 0, ""),
    ],
)
def test_without_fork_a_command_ends_as_it_does_with_it(folder, line, code, said):
    forked, started = (run(folder, line, fork=fork, text=GOOD) for fork in (True, False))
    assert started == forked
    assert started[0] == code
    assert said in started[2]
    assert list((folder / "temporary").iterdir()) == []


def test_without_fork_the_work_is_done_in_another_process(folder):
    code = (
        "from stablehlo_py.cli import opt, opt_tool\n"
        "opt_tool.run = lambda arguments: print('in this process') or 0\nopt.main()"
    )
    result = subprocess.run(
        [sys.executable, "-c", code, "good.mlir"],
        cwd=folder, env=environment(folder, fork=False), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "stablehlo.negate" in result.stdout
    assert "in this process" not in result.stdout


@pytest.mark.parametrize("number", ENDING, ids=lambda number: number.name)
def test_without_fork_a_signal_ends_the_tool_and_its_child(folder, number):
    process = subprocess.Popen(
        [*command("stablehlo-opt"), "good.mlir", "--load=waits.py"],
        cwd=folder, env=environment(folder, fork=False), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        preexec_fn=lambda: [signal.signal(number, signal.SIG_DFL) for number in ENDING],
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stdout.readline() == b"waiting\n"
    process.send_signal(number)
    # The child has standard output open: this ends when both have.
    assert process.communicate(timeout=30) == (b"", b"")
    assert process.returncode == 128 + number
    assert list((folder / "temporary").iterdir()) == []


def test_a_limit_that_the_system_cannot_set_is_an_error(folder):
    code, _, said = run(folder, "stablehlo-opt good.mlir --guard-memory=1000000000", fork=False)
    assert code == 1
    assert "this system cannot limit the memory of a process" in said


API = """
import sys, stablehlo_py
from stablehlo_py.errors import StablehloError
good, crashing = (open(name).read() for name in ("good.mlir", "crashing.mlir"))
module = stablehlo_py.parse(good)
stablehlo_py.verify(module)
stablehlo_py.run_passes(module, "canonicalize")
artifact = stablehlo_py.serialize(module)
print(stablehlo_py.deserialize(artifact))
for number in range(2):
    try:
        stablehlo_py.parse(crashing, source_name="crashing.mlir")
    except StablehloError as error:
        print(error)
print(stablehlo_py.parse(good))
"""


def test_without_fork_the_api_survives_a_crash_as_it_does_with_it(folder):
    forked, started = (
        subprocess.run(
            [sys.executable, "-c", API],
            cwd=folder, env=environment(folder, fork), capture_output=True, text=True, check=False, timeout=120,
        )
        for fork in (True, False)
    )  # fmt: skip
    assert (started.returncode, started.stdout, started.stderr) == (0, forked.stdout, "")
    assert "crashing.mlir:6:1: error: MLIR's reader fails on the text: SIGSEGV" in started.stdout


CHLO = """func.func @main() -> tensor<2xf32> {
  %0 = stablehlo.constant dense<[0.5, 2.0]> : tensor<2xf32>
  %1 = chlo.square %0 : tensor<2xf32> -> tensor<2xf32>
  return %1 : tensor<2xf32>
}"""


def test_on_macos_nothing_forks_beside_libraries_that_start_threads(monkeypatch):
    import numpy as np

    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setattr(os, "fork", lambda: pytest.fail("this process forks"))
    module = stablehlo_py.parse(CHLO)
    stablehlo_py.verify(module)
    stablehlo_py.run_passes(module, "canonicalize")
    assert np.array_equal(stablehlo_py.interpret(module)[0], [0.25, 4.0])
    with pytest.raises(stablehlo_py.StablehloError):
        stablehlo_py.parse(CRASHING)
