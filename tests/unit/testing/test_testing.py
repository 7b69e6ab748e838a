"""What the package offers for suites of users."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from stablehlo_py import parse
from stablehlo_py.debug import Tolerance, compare, examine, trace
from stablehlo_py.engines import open_engine
from stablehlo_py.isolation.commands import LIT
from stablehlo_py.testing import assert_engines_agree, filecheck, find_filecheck, lit
from stablehlo_py.testing.filecheck import find_filechecks
from stablehlo_py.testing.lit import make_tool_folder


def test_filecheck_accepts_and_rejects():
    filecheck("first\nsecond\n", "CHECK: first\nCHECK-NEXT: second")
    with pytest.raises(AssertionError, match="third"):
        filecheck("first\nsecond\n", "CHECK: third")


def test_a_filecheck_can_be_named(monkeypatch, tmp_path):
    program = tmp_path / "mine"
    program.write_text("#!/bin/sh\nexit 0\n")
    program.chmod(0o755)
    monkeypatch.setenv("STABLEHLO_PY_FILECHECK", str(program))
    assert find_filecheck() == str(program)
    filecheck("anything", "CHECK: nothing")


def test_a_suite_of_a_user_runs(tmp_path):
    (tmp_path / "lit.cfg.py").write_text(
        "import os\n"
        "from stablehlo_py.testing import lit\n"
        "lit.configure(config, lit_config, name='mine', source_root=os.path.dirname(__file__))\n"
    )
    (tmp_path / "sound.mlir").write_text(
        "// RUN: stablehlo-opt %s | FileCheck %s\n"
        "// RUN: not stablehlo-opt %s --no-such-flag\n"
        "// CHECK: func.func private @f\n"
        "func.func private @f()\n"
    )
    environment = {name: value for name, value in os.environ.items() if not name.startswith("STABLEHLO_PY_FILECHECK")}
    command = [*LIT, "-v", str(tmp_path)]
    result = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert "PASS: mine :: sound.mlir" in result.stdout, result.stdout + result.stderr
    assert result.returncode == 0, result.stdout


@pytest.fixture(params=["", "with blanks"])
def tools(request, tmp_path, monkeypatch) -> Path:
    """A folder of launchers, of this interpreter or of one in a folder with this name."""
    if request.param:
        python = tmp_path / request.param / "python"
        python.parent.mkdir()
        python.write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
        python.chmod(0o755)
        monkeypatch.setattr(sys, "executable", str(python))
    make_tool_folder(str(tmp_path / "tools"), *find_filechecks())
    return tmp_path / "tools"


def test_launchers_need_no_shell(tmp_path, monkeypatch):
    """The kernel starts what the first line names: the interpreter, whatever there is in /bin."""
    monkeypatch.setattr(sys, "executable", "/some/python")
    make_tool_folder(str(tmp_path), *find_filechecks())
    launchers = [path for path in tmp_path.iterdir() if not path.is_symlink()]  # but for one FileCheck
    first_lines = {path.read_text().splitlines()[0] for path in launchers}
    assert first_lines == {"#!/some/python", "#!/some/python -IS"}
    assert len(list(tmp_path.iterdir())) == 6


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (["stablehlo-opt", "--version"], 0),
        (["stablehlo-opt", "--no-such-flag"], 1),
        (["FileCheck", "{checks}", "--input-file={good}"], 0),
        (["FileCheck", "{checks}", "--input-file={bad}"], 1),
        (["not", sys.executable, "-c", ""], 1),
        (["not", sys.executable, "-c", "exit(7)"], 0),
        (["not", sys.executable, "-c", "import os; os.abort()"], 1),
        (["not", "--crash", sys.executable, "-c", "import os; os.abort()"], 0),
        (["not", "--crash", sys.executable, "-c", "exit(7)"], 1),
        (["not", "/bin/sh", "-c", "exit 128"], 0),
        (["not", "/bin/sh", "-c", "exit 129"], 1),
        (["not", "--crash", "/bin/sh", "-c", "exit 128"], 1),
        (["not", "--crash", "/bin/sh", "-c", "exit 129"], 0),
    ],
    ids=str,
)
def test_launchers_do_what_the_programs_do(command, code, tools, tmp_path):
    files = {name: tmp_path / name for name in ("checks", "good", "bad")}
    for path, text in zip(files.values(), ("CHECK: right\n", "right\n", "wrong\n"), strict=True):
        path.write_text(text)
    name, *arguments = [word.format(**files) if word.startswith(("{", "--input")) else word for word in command]
    ended = subprocess.run([str(tools / name), *arguments], capture_output=True, check=False)
    assert ended.returncode == code, ended


def test_windows_gets_batch_files(tmp_path, monkeypatch):
    monkeypatch.setattr(lit, "os", SimpleNamespace(**{**vars(os), "name": "nt"}))
    make_tool_folder(str(tmp_path), "filecheck")
    assert {path.suffix for path in tmp_path.iterdir()} == {".bat", ".py"}
    assert (tmp_path / "not.bat").read_text() == f'@"{sys.executable}" -IS "%~dp0not-script.py" %*\n'
    script = [sys.executable, str(tmp_path / "not-script.py"), sys.executable, "-c", "exit(3)"]
    assert subprocess.run(script, check=False).returncode == 0


def test_engines_that_agree_pass_and_others_fail():
    text = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = stablehlo.sine %x : tensor<4xf32>
      return %0 : tensor<4xf32> }"""
    assert_engines_agree(text, ["reference", "reference:f64"], samples=2)
    with pytest.raises(AssertionError, match=r"sample 0, result 0 tensor<4xf32>: reference:bf16 differs"):
        assert_engines_agree(text, ["reference", "reference:bf16"], tolerances={"": Tolerance()})


def test_comparisons_and_traces_show_as_tables():
    module = parse("func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
                   "%0 = stablehlo.sine %x : tensor<2xf32>\nreturn %0 : tensor<2xf32> }")  # fmt: skip
    compared = compare(module, ["reference", "reference:f64"])
    assert "<td>tensor&lt;2xf32&gt;</td>" in compared._repr_html_()
    assert str(compared).startswith("same: 1 of 1 results agree with reference")
    with open_engine("reference") as first, open_engine("reference:bf16") as second:
        traced = trace(examine(module), compared.arguments[0], first, second, tolerance=Tolerance())
    assert "stablehlo.sine" in traced._repr_html_()
    assert "first wrong op: #0 stablehlo.sine" in str(traced)
