"""FileCheck and engines in tests, and the variables that decide whether a tool is a fork: each case in this process."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from parsed import parsed

from stablehlo_py.bindings import ir
from stablehlo_py.isolation import worker as isolation_worker
from stablehlo_py.isolation.commands import python_command
from stablehlo_py.testing import pytest as plugin
from stablehlo_py.testing import warm_lit
from stablehlo_py.testing.engines import assert_engines_agree
from stablehlo_py.testing.process_substitution import with_files
from stablehlo_py.testing.programs import assert_programs_agree

checks: Any = importlib.import_module("stablehlo_py.testing.filecheck")
BESIDE = os.path.join(os.path.dirname(sys.executable), "filecheck")


@pytest.mark.parametrize(
    ("named", "there", "installed", "expected"),
    [
        ("", ["FileCheck", "filecheck"], ["/usr/lib/llvm-9/bin/FileCheck"], ["/bin/FileCheck"]),
        ("", ["filecheck"], ["/usr/lib/llvm-9/bin/FileCheck", "/usr/lib/llvm-18/bin/FileCheck"],
         ["/usr/lib/llvm-18/bin/FileCheck"]),
        ("", ["filecheck", BESIDE], [], [BESIDE]),
        ("", ["filecheck"], [], ["/bin/filecheck"]),
        ("", [], [], []),
        ("a", ["a", "FileCheck"], [], ["/bin/a"]),
        (f"a{os.pathsep}b", ["a", "b"], [], ["/bin/a", "/bin/b"]),
        (f"a{os.pathsep}b", ["a"], [], []),  # all of them have to pass
        ("a", ["FileCheck"], [], []),
    ],
)  # fmt: skip
def test_the_filechecks_that_are_used(
    named: str, there: list[str], installed: list[str], expected: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def which(name: str) -> str | None:
        return None if name not in there else name if os.path.isabs(name) else f"/bin/{name}"

    monkeypatch.setenv(checks.VARIABLE, named)
    monkeypatch.setattr(checks, "shutil", SimpleNamespace(which=which))
    monkeypatch.setattr(checks, "glob", SimpleNamespace(glob=lambda pattern: list(installed)))
    assert checks.find_filechecks() == expected
    assert checks.find_filecheck() == (expected[0] if expected else None)
    if not named:
        monkeypatch.delenv(checks.VARIABLE)
        assert checks.find_filechecks() == expected


def test_a_text_has_to_pass_every_filecheck(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = list[tuple[str, str, str]]()
    codes = {"a": 0, "b": 0}

    def run(words: list[str], *, text: str) -> subprocess.CompletedProcess[str]:
        calls.append((words[0], Path(words[1]).read_text(encoding="utf-8"), text))
        return subprocess.CompletedProcess(words, codes[words[0]], "out ", "err")

    monkeypatch.setattr(checks, "run_command", run)
    monkeypatch.setattr(checks, "find_filechecks", lambda: ["a", "b"])
    checks.filecheck("text", "CHECK: é")
    checks.filecheck("text", "CHECK: é\n")
    assert calls == [(name, "CHECK: é\n", "text") for name in "abab"]
    codes["a"] = 1
    with pytest.raises(AssertionError, match=r"^out err$"):
        checks.filecheck("text", "x")
    assert [name for name, *_ in calls[4:]] == ["a"]
    monkeypatch.setattr(checks, "find_filechecks", list)
    with pytest.raises(FileNotFoundError, match="FileCheck is not installed; install it with: pip install filecheck"):
        checks.filecheck("text", "x")
    assert not checks.is_package("/other/filecheck")


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("a b", "a b"),
        ("diff <(a) b", "a > f.1; diff f.1 b"),
        ("diff <(a) <(b c)", "a > f.1; b c > f.2; diff f.1 f.2"),
        ("diff <(a | b) c | d", "a | b > f.1; diff f.1 c | d"),
        ("%dbg(RUN: at line 1)diff <(a) b", "%dbg(RUN: at line 1)a > f.1; diff f.1 b"),
        ("a '<(b)' \"<(c)\"", "a '<(b)' \"<(c)\""),
        ("a \\<(b)", "a \\<(b)"),
        ("diff <(a ')') b", "a ')' > f.1; diff f.1 b"),
        ("a < b", "a < b"),
        ("diff <(a <(b)) c", "diff <(a <(b)) c"),
        ("a && diff <(b) c", "a && diff <(b) c"),
        ("a; diff <(b) c", "a; diff <(b) c"),
        ("diff <(a; b) c", "diff <(a; b) c"),
        ("diff <(a) b && diff <(c) d", "diff <(a) b && diff <(c) d"),
        ("diff <(a) b && c", "a > f.1; diff f.1 b && c"),
        ("a 2>&1 <(b)", "b > f.1; a 2>&1 f.1"),
    ],
)
def test_files_stand_in_place_of_substitutions(command: str, expected: str) -> None:
    assert with_files(command, "f") == expected


@pytest.mark.parametrize(
    ("changes", "is_like"),
    [
        ({}, True),
        ({"OTHER": "x"}, True),
        ({"HOME": "x"}, True),
        ({"STABLEHLO_PY_PROVIDER": "x"}, False),
        ({"STABLEHLO_PY_FAST": "x"}, False),
        ({"PYTHONHASHSEED": "77"}, False),
        ({"PYTHONPATH": "x"}, False),
        ({"PYTHONPATH": warm_lit._LIT}, True),
        ({"LC_ALL": "x"}, False),
        ({"OMP_NUM_THREADS": "77"}, False),
        ({"TZ": "x"}, False),
    ],
)
def test_a_fork_has_to_start_like_this_process(changes: dict[str, str], is_like: bool) -> None:
    assert warm_lit._is_like_here({**os.environ, **changes}) == is_like


@pytest.mark.parametrize("name", ["STABLEHLO_PY_PROVIDER", "PYTHONWARNINGS"])
def test_a_fork_lacks_no_variable_of_this_process(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, "x")
    assert warm_lit._is_like_here(os.environ)
    assert not warm_lit._is_like_here({key: value for key, value in os.environ.items() if key != name})


@pytest.mark.skipif(not warm_lit.works_here(), reason="no forks")
def test_programs_of_the_folder_of_tools_are_functions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = list[str]()
    monkeypatch.setattr(warm_lit, "warm_tool", lambda name: (asked.append(name), len)[1])
    monkeypatch.setattr(warm_lit, "is_package", lambda path: path == "package")
    monkeypatch.setattr(warm_lit.importlib, "import_module", lambda name: asked.append(name))
    form = warm_lit.WarmShTest(str(tmp_path), {"tool": "module"}, ["other"])
    assert form.called(f"{tmp_path}/tool") is len
    others = ["else", "FileCheck", "in/tool", "../tool", "../other/tool"]
    paths = [*(f"{tmp_path}/{other}" for other in others), f"{tmp_path}2/tool", "/bin/tool", "tool"]
    assert [path for path in paths if form.called(path) is not None] == []
    assert asked == ["module"]
    form = warm_lit.WarmShTest(str(tmp_path), {}, ["other", "package"])
    assert form.called(f"{tmp_path}/FileCheck") == form._all_filechecks
    assert asked == ["module", "filecheck.main"]
    started = list[Any]()
    monkeypatch.setattr(warm_lit, "WarmProcess", lambda *given, **options: started.append(("fork", *given, options)))
    monkeypatch.setattr(
        warm_lit.subprocess, "Popen", lambda *given, **options: started.append(("new", *given, options))
    )
    form = warm_lit.WarmShTest(str(tmp_path), {"tool": "module"}, [])
    tool = f"{tmp_path}/tool"
    form.start(["tool", "x"], executable=tool, cwd="a")
    form.start(["tool", "x"], executable=tool, env={**os.environ, "STABLEHLO_PY_FAST": "x"})
    form.start(["sh"], executable="/bin/sh")
    other = {"executable": tool, "env": {**os.environ, "STABLEHLO_PY_FAST": "x"}}
    assert started == [
        ("fork", len, ["tool", "x"], {"cwd": "a"}),
        ("new", ["tool", "x"], other),
        ("new", ["sh"], {"executable": "/bin/sh"}),
    ]


@pytest.mark.parametrize("is_safe", [True, False])
def test_engines_of_a_fork_are_forks_of_it(is_safe: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    started = list[Any]()
    monkeypatch.setattr(warm_lit, "fork_is_safe", lambda: is_safe)
    monkeypatch.setattr(warm_lit, "WarmProcess", lambda *given, **options: started.append(("fork", *given, options)))
    monkeypatch.setattr(
        warm_lit, "subprocess", SimpleNamespace(Popen=lambda args, **more: started.append(("new", args, more)))
    )
    engine = python_command("-m", "stablehlo_py.engines.worker")
    warm_lit._engine(engine, env={})
    warm_lit._engine(["other"], env={})
    fork = ("fork", warm_lit.worker.main, engine, {"errors": None, "env": {}})
    assert started == [fork if is_safe else ("new", engine, {"env": {}}), ("new", ["other"], {"env": {}})]
    monkeypatch.setattr(isolation_worker, "start_process", None)
    warm_lit.as_tool(lambda: started.append(isolation_worker.start_process))()
    assert started[-1] is warm_lit._engine


PROGRAM = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.abs %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}
"""


@pytest.mark.parametrize("given", [None, [np.float32([1, 2])], []])
def test_engines_are_compared_as_asked(given: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = list[Any]()
    found = SimpleNamespace(exit_code=0)
    monkeypatch.setattr("stablehlo_py.debug.compare", lambda *words, **more: (asked.append((words, more)), found)[1])
    assert_engines_agree(PROGRAM, arguments=given)
    (((module, engines), more),) = asked
    assert isinstance(module, ir.Module)
    assert engines == ("reference", "xla")
    arguments = None if given is None else [given]
    assert more == {"arguments": arguments, "samples": 1, "seed": 0, "tolerances": None}
    own = parsed(PROGRAM)
    assert_engines_agree(own, ["a", "b"], arguments=given, samples=3, seed=7, tolerances={})
    assert asked[1] == ((own, ["a", "b"]), {"arguments": arguments, "samples": 3, "seed": 7, "tolerances": {}})
    found.exit_code = 2
    with pytest.raises(AssertionError, match="exit_code=2"):
        assert_engines_agree(PROGRAM)


def test_programs_are_compared_and_the_plugin_has_it() -> None:
    other = PROGRAM.replace("abs", "negate")
    assert_programs_agree(PROGRAM, PROGRAM)
    assert_programs_agree(PROGRAM, other, arguments=[np.float32([-1, -0.0])])
    for module in (other, parsed(other)):
        with pytest.raises(AssertionError, match=r"^sample 0, result 0 tensor<2xf32>: second differs"):
            assert_programs_agree(PROGRAM, module, arguments=[np.float32([1, 2])])
    none = "func.func @main(%x: tensor<2xf32>) {\n  return\n}"
    with pytest.raises(AssertionError, match=r"^0 results instead of 1$"):
        assert_programs_agree(PROGRAM, none)
    run = plugin.interpret.__wrapped__() if hasattr(plugin.interpret, "__wrapped__") else None
    if run is not None:
        (found,) = run(PROGRAM, [np.float32([-1, 2])])
        assert found.tolist() == [1, 2]
