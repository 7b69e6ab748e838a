"""What the tools for test suites look for and hand on: options of comparisons, FileChecks, and settings of lit."""

from __future__ import annotations

import importlib
import os
import shutil
import sys
import zlib
from itertools import combinations
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import lit.formats
import lit.TestRunner
import numpy as np
import pytest

from stablehlo_py import debug, parse
from stablehlo_py.debug import Tolerance, draw_arguments, examine
from stablehlo_py.debug.allowed.spread import Local
from stablehlo_py.engines import Outcome
from stablehlo_py.testing import assert_engines_agree, assert_programs_agree, filecheck, find_filecheck
from stablehlo_py.testing import lit as configuration
from stablehlo_py.testing.filecheck import find_filechecks
from stablehlo_py.testing.process_substitution import SubstitutingShTest

F = np.float32
TEXT = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.sine %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}"""


@pytest.mark.parametrize(
    "options", [{}, {"arguments": [F([1, 2])], "samples": 3, "seed": 7, "tolerances": {"0": Tolerance(ulp=9)}}]
)
def test_engines_are_compared_with_all_options(options: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    asked = list[Any]()

    def compare(module: Any, engines: Any, **named: Any) -> Any:
        asked.append((str(module), engines, named))
        return SimpleNamespace(exit_code=0)

    monkeypatch.setattr(debug, "compare", compare)
    module = parse(TEXT)
    for source in (TEXT, module):
        assert_engines_agree(source, ["a", "b"], **options)
    assert_engines_agree(module, **options)
    given = {"arguments": None, "samples": 1, "seed": 0, "tolerances": None} | options
    given["arguments"] = None if given["arguments"] is None else [given["arguments"]]
    assert [one[1] for one in asked] == [["a", "b"], ["a", "b"], ("reference", "xla")]
    assert all((text, named) == (str(module), given) for text, _, named in asked)


@pytest.mark.parametrize("code", [0, 1, 2])
def test_engines_that_differ_or_cannot_run_fail_a_test(code: int, monkeypatch: pytest.MonkeyPatch) -> None:
    class Found:
        exit_code = code

        def __str__(self) -> str:
            return f"found {code}"

    monkeypatch.setattr(debug, "compare", lambda *_, **__: Found())
    if not code:
        assert_engines_agree(TEXT)
        return
    with pytest.raises(AssertionError) as error:
        assert_engines_agree(TEXT)
    assert str(error.value) == f"found {code}"


@pytest.mark.parametrize("seed", [0, 5])
def test_programs_are_compared_on_arguments_of_the_seed_the_first_is_right(seed: int) -> None:
    subject = examine(parse(TEXT))
    (drawn,) = draw_arguments(subject.function, seed)
    with pytest.raises(AssertionError) as error:
        assert_programs_agree(TEXT, TEXT.replace("sine", "cosine"), seed=seed)
    (index, given, expected), *_ = debug.compare(
        parse(TEXT), [Local(), _Fixed(np.cos(drawn))], arguments=[[drawn]], explains=False
    ).results[0].difference.worst  # type: ignore[union-attr]
    assert f"{list(index)}: {given}, expected {expected}" in str(error.value)
    assert np.isclose(float(expected), np.sin(drawn)[index])
    assert np.isclose(float(given), np.cos(drawn)[index])


class _Fixed(Local):
    """An engine with one result."""

    def __init__(self, result: np.ndarray) -> None:
        super().__init__()
        self.name, self.result = "fixed", result

    def run(self, module: bytes, arguments: Any) -> Any:
        return Outcome("ok", (self.result,))


# FileCheck


def program(path: Path, code: str = "exit 0") -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{code}\n")
    path.chmod(0o755)
    return str(path)


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Path]:
    """Where a FileCheck may be, in the order in which it is looked for; none is there."""
    monkeypatch.delenv("STABLEHLO_PY_FILECHECK", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path / "path"))
    monkeypatch.setattr(sys, "executable", str(tmp_path / "beside" / "python"))
    found = {
        "llvm on the path": tmp_path / "path" / "FileCheck",
        "llvm 19": tmp_path / "llvm-19" / "bin" / "FileCheck",
        "llvm 9": tmp_path / "llvm-9" / "bin" / "FileCheck",
        "beside": tmp_path / "beside" / "filecheck",
        "package on the path": tmp_path / "path" / "filecheck",
    }

    def installed(pattern: str) -> list[str]:
        assert pattern == "/usr/lib/llvm-*/bin/FileCheck"
        return [str(found[name]) for name in ("llvm 9", "llvm 19") if found[name].exists()]

    monkeypatch.setattr(importlib.import_module("stablehlo_py.testing.filecheck").glob, "glob", installed)
    return found


def test_the_first_filecheck_in_the_order_is_found(places: dict[str, Path]) -> None:
    assert (find_filechecks(), find_filecheck()) == ([], None)
    with pytest.raises(FileNotFoundError, match="pip install filecheck"):
        filecheck("a", "CHECK: a")
    for count in range(1, 6):
        for chosen in combinations(places, count):
            for name in chosen:
                program(places[name])
            wanted = str(places[chosen[0]])
            assert (find_filechecks(), find_filecheck()) == ([wanted], wanted), chosen
            for name in chosen:
                places[name].unlink()


@pytest.mark.parametrize("missing", [(), ("b",), ("a", "b", "c")])
def test_all_filechecks_that_are_named_have_to_be_there_and_to_pass(
    missing: tuple[str, ...], places: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(places["llvm on the path"])
    named = {name: tmp_path / "named" / name for name in "abc"}
    said = tmp_path / "said"
    for name, path in named.items():
        if name not in missing:
            program(path, f'/bin/cat > {said}.{name}; /bin/cat "$1" >> {said}.{name}; test -f {tmp_path}/{name}-is-right')
    monkeypatch.setenv("STABLEHLO_PY_FILECHECK", os.pathsep.join(map(str, named.values())))
    assert find_filechecks() == ([] if missing else list(map(str, named.values())))
    if missing:
        return
    for number, name in enumerate("abc"):
        with pytest.raises(AssertionError):
            filecheck("text\n", "CHECK: text")
        assert [each for each in "abc" if Path(f"{said}.{each}").exists()] == [*"abc"[: number + 1]]
        assert Path(f"{said}.{name}").read_text() == "text\nCHECK: text\n"  # with the end of its line
        (tmp_path / f"{name}-is-right").touch()
    filecheck("text\n", "CHECK: text\n")
    assert Path(f"{said}.a").read_text() == "text\nCHECK: text\n"


# lit


def configured(folder: Path, **options: Any) -> Any:
    given = {"exec_root": None, "name": "mine"} | options
    config = SimpleNamespace(
        test_exec_root=given.pop("exec_root"), environment={}, substitutions=[], available_features=set()
    )
    configuration.configure(config, SimpleNamespace(), source_root=str(folder), **given)
    return config


def test_a_suite_keeps_the_folder_of_a_site_configuration(tmp_path: Path) -> None:
    config = configured(tmp_path / "in", exec_root=str(tmp_path / "out"))
    assert (config.test_source_root, config.test_exec_root) == (str(tmp_path / "in"), str(tmp_path / "out"))
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_interpreters_and_filechecks_have_tools_of_their_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mine = [program(tmp_path / "checks" / name) for name in ("a", "b")]
    folders = list[str]()
    for checks in ([mine[0]], mine, [mine[1]], [mine[0]]):
        monkeypatch.setattr(configuration, "find_filechecks", lambda checks=checks: checks)
        for python in (sys.executable, "/other/python"):
            with monkeypatch.context() as patched:
                patched.setattr(sys, "executable", python)
                config = configured(tmp_path)
            (first, *_) = config.environment["PATH"].split(os.pathsep)
            kind = zlib.crc32(f"{python}:{checks}".encode())
            assert Path(first) == tmp_path / "Output" / f"bin-{kind:08x}"
            assert (Path(first) / "FileCheck").is_symlink() == (len(checks) == 1)
            assert python in (Path(first) / "stablehlo-opt").read_text().splitlines()[0]
            assert config.substitutions == [("%python", python)]
            folders.append(first)
    assert len({*folders}) == 6
    assert folders[:2] == folders[-2:]


PASSED_ON = ("HOME", "PYTHONPATH", "TMPDIR", "VIRTUAL_ENV", "STABLEHLO_PY_PROVIDER", "STABLEHLO_PY_FILECHECK",
             "STABLEHLO_PY_FAST")  # fmt: skip


@pytest.mark.parametrize("name", [*PASSED_ON, "STABLEHLO_PY_OTHER", "LANG"])
def test_variables_that_tools_read_reach_them(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(configuration, "find_filechecks", lambda: [shutil.which("true")])
    monkeypatch.setattr(configuration, "provider_features", set)
    monkeypatch.setenv(name, str(tmp_path))
    assert (configured(tmp_path).environment.get(name) == str(tmp_path)) == (name in PASSED_ON)
    monkeypatch.delenv(name)
    assert name not in configured(tmp_path).environment


def test_features_of_suites_are_there_besides_those_of_the_provider(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(configuration, "provider_features", lambda: {"theirs"})
    assert configured(tmp_path, features=("a", "b")).available_features == {"theirs", "a", "b"}
    assert configured(tmp_path).available_features == {"theirs"}


@pytest.mark.parametrize("fails", [False, True])
def test_lits_shell_has_files_in_place_of_processes_while_a_test_runs(
    fails: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, inside = list[Any](), list[Any]()

    def run(*given: Any, **named: Any) -> str:
        asked.append((given, named))
        return "ran"

    def execute(self: Any, test: Any, settings: Any) -> Any:
        found = lit.TestRunner.executeScriptInternal  # as lit's own functions find it
        inside.append(found)
        assert found("test", "config", "base", ["cat <(a)", "b", "diff <(c) <(d)"], "folder", debug=True) == "ran"
        if fails:
            raise ValueError("it fails")
        return test, settings

    monkeypatch.setattr(lit.TestRunner, "executeScriptInternal", run)
    monkeypatch.setattr(lit.formats.ShTest, "execute", execute)
    format_ = SubstitutingShTest()
    assert format_.execute_external is False
    if fails:
        with pytest.raises(ValueError, match="it fails"):
            format_.execute("test", "settings")
    else:
        assert format_.execute("test", "settings") == ("test", "settings")
    assert lit.TestRunner.executeScriptInternal is run
    assert inside[0] is not run
    lines = ["a > base.0.1; cat base.0.1", "b", "c > base.2.1; d > base.2.2; diff base.2.1 base.2.2"]
    assert asked == [(("test", "config", "base", lines, "folder"), {"debug": True})]
