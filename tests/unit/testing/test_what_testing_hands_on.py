"""What the tools for test suites hand on: arguments of comparisons, input of FileChecks, and settings of lit."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zlib
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import lit.formats
import lit.TestRunner
import numpy as np
import pytest

from stablehlo_py import debug, parse
from stablehlo_py.debug import draw_arguments, examine
from stablehlo_py.debug.allowed.spread import Local
from stablehlo_py.engines import Outcome
from stablehlo_py.testing import assert_programs_agree, warm_lit
from stablehlo_py.testing import lit as configuration
from stablehlo_py.testing.process_substitution import SubstitutingShTest

F = np.float32
TEXT = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.sine %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}"""


@pytest.mark.parametrize("seed", [0, 5])
def test_programs_are_compared_on_arguments_of_the_seed_the_first_is_right(seed: int) -> None:
    subject = examine(parse(TEXT))
    (drawn,) = draw_arguments(subject.function, seed)
    with pytest.raises(AssertionError) as error:
        assert_programs_agree(TEXT, TEXT.replace("sine", "cosine"), seed=seed)
    (index, given, expected), *_ = (
        debug.compare(parse(TEXT), [Local(), _Fixed(np.cos(drawn))], arguments=[[drawn]], explains=False)
        .results[0]
        .difference.worst
    )  # type: ignore[union-attr]
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


def program(path: Path, code: str = "exit 0") -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{code}\n")
    path.chmod(0o755)
    return str(path)


@pytest.mark.skipif(not warm_lit.works_here(), reason="no forks")
@pytest.mark.parametrize(("word", "is_file"), [("", False), ("-input-file=a", True), ("--input-file", True)])
@pytest.mark.parametrize("codes", [(0, 0, 0), (0, 0, 3), (0, 4, 0), (5, 4, 0)])
def test_filechecks_of_a_fork_get_the_same_input_until_one_fails(
    word: str, is_file: bool, codes: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What comes on standard input is read once, and not at all where a file is named."""
    names, asked, read = ["package", "other", "package"], list[Any](), list[int]()
    arguments = ["FileCheck", "checks", *filter(None, [word])]

    def run(given: list[str], *, input: bytes, check: bool) -> Any:  # noqa: A002 (its name)
        asked.append((given, input))
        return SimpleNamespace(returncode=codes[len(asked) - 1])

    def main() -> None:
        asked.append((["package", *sys.argv[1:]], sys.stdin.buffer.read()))
        sys.argv.clear()
        sys.exit(codes[len(asked) - 1])

    def stdin() -> bytes:
        read.append(1)
        return b"\xfftext"

    monkeypatch.setattr(warm_lit, "is_package", lambda path: path == "package")
    monkeypatch.setattr(warm_lit.subprocess, "run", run)
    monkeypatch.setattr(warm_lit.importlib, "import_module", lambda name: SimpleNamespace(main=main))
    monkeypatch.setattr(sys, "argv", arguments)
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=SimpleNamespace(read=stdin)))
    called = warm_lit.WarmShTest("/tools", {}, names).called("/tools/FileCheck")
    assert called is not None
    code = next(filter(None, codes), 0)
    if code:
        with pytest.raises(SystemExit) as ended:
            called()
        assert ended.value.code == code
    else:
        called()
    count = codes.index(code) + 1 if code else 3
    data = b"" if is_file else b"\xfftext"
    assert asked == [([name, "checks", *filter(None, [word])], data) for name in names[:count]]
    assert len(read) == (not is_file)


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


@pytest.mark.parametrize(
    "words", [[], ["--input-file=a"], ["-input-file=a"], ["--input-file", "a"], ["--match-full-lines"]]
)
@pytest.mark.parametrize("code", [0, 3])
def test_the_program_of_several_filechecks_reads_its_input_unless_it_is_a_file(
    words: list[str], code: int, tmp_path: Path
) -> None:
    seen = [tmp_path / name for name in ("first", "second")]
    checks = [program(tmp_path / f"{path.name}.sh", f"echo $@ > {path}; cat >> {path}; exit {end}")
              for path, end in zip(seen, (0, code), strict=True)]  # fmt: skip
    configuration.make_tool_folder(str(tmp_path / "tools"), *checks)
    given = tmp_path / "given"
    given.write_text("text\n")
    with given.open() as file:
        ended = subprocess.run([tmp_path / "tools" / "FileCheck", "checks", *words], stdin=file, check=False)
        read = os.lseek(file.fileno(), 0, os.SEEK_CUR)
    is_file = any("input-file" in word for word in words)
    assert ended.returncode == code
    line = " ".join(["checks", *words])
    assert seen[0].read_text() == f"{line}\ntext\n"
    assert seen[1].read_text() == (f"{line}\n" if is_file else f"{line}\ntext\n")
    assert read == 5  # by the program itself, or by the first FileCheck, which has what is there
