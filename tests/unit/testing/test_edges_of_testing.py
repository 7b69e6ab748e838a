"""Options and outcomes of lit suites and of the plugin for pytest."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from parsed import parsed

from stablehlo_py.bindings.printable import unprintable
from stablehlo_py.bindings.walk import operations
from stablehlo_py.isolation.commands import LIT
from stablehlo_py.ops.parameters import functions, parameters_of
from stablehlo_py.testing import lit
from stablehlo_py.testing import pytest as plugin
from stablehlo_py.testing.process_substitution import SubstitutingShTest
from stablehlo_py.testing.warm_lit import WarmShTest, works_here


def configured(folder: Path, **options: Any) -> Any:
    config = SimpleNamespace(test_exec_root=None, environment={}, substitutions=[], available_features=set())
    lit.configure(config, SimpleNamespace(), name="mine", source_root=str(folder), **options)
    return config


@pytest.mark.skipif(not works_here(), reason="no forks")
@pytest.mark.parametrize(
    ("warm", "cold", "kind"),
    [
        (True, None, WarmShTest),
        (True, "", WarmShTest),
        (True, "1", SubstitutingShTest),
        (False, None, SubstitutingShTest),
    ],
)
def test_suites_run_warm_where_they_want_to_and_nobody_minds(
    warm: bool, cold: str | None, kind: type, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(lit.COLD_VARIABLE, raising=False)
    if cold is not None:
        monkeypatch.setenv(lit.COLD_VARIABLE, cold)
    assert type(configured(tmp_path, warm=warm).test_format) is kind


def test_suites_have_these_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/mine")
    monkeypatch.setenv("NOT_PASSED_ON", "x")
    monkeypatch.delenv("TMPDIR", raising=False)
    config = configured(tmp_path, features=["mine"])
    (tools,) = (tmp_path / "Output").iterdir()
    assert (config.name, config.suffixes, config.excludes) == ("mine", [".mlir", ".test"], ["Inputs", "Output"])
    assert config.test_source_root == config.test_exec_root == str(tmp_path)
    assert config.environment["PATH"] == f"{tools}{os.pathsep}{os.environ['PATH']}"
    assert config.environment["FILECHECK_OPTS"] == "-enable-var-scope"
    assert config.environment["HOME"] == "/mine"
    assert not {"NOT_PASSED_ON", "TMPDIR"} & set(config.environment)
    assert config.substitutions == [("%python", sys.executable)]
    assert {"mine", "op-stablehlo.add", "dialect-stablehlo"} <= config.available_features


def test_a_suite_without_filecheck_says_how_to_get_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lit, "find_filechecks", lambda: ())
    said: list[str] = []
    lit.configure(SimpleNamespace(), SimpleNamespace(fatal=said.append), name="mine", source_root="/none")
    assert said == ["FileCheck is not installed; install it with: pip install filecheck"]


def item(path: Path) -> Any:
    """What a test item of the plugin asks of pytest."""
    folder = path.parent / "made"

    def make(name: str) -> Path:
        assert name == "lit"
        return folder

    made = SimpleNamespace(mktemp=make)
    found: Any = SimpleNamespace(path=path, config=SimpleNamespace(_tmp_path_factory=made))
    found._configured = lambda: plugin.MlirItem._configured(found)  # pyright: ignore[reportPrivateUsage]
    return found


def test_a_test_item_stands_at_the_beginning_of_its_file() -> None:
    path = Path("a") / "b.mlir"
    assert plugin.MlirItem.reportinfo(item(path)) == (path, 0, "RUN lines of b.mlir")


@pytest.mark.parametrize(
    ("code", "output", "raised"),
    [
        (0, "Passed: 1", None),
        (1, "Failed: 1\n", plugin.LitFailedError),
        (0, "UNSUPPORTED: 1", pytest.skip.Exception),
        (1, "Unsupported: 1", pytest.skip.Exception),
        (0, "Passed: 1\nUnsupported: 0", None),
    ],
)
@pytest.mark.parametrize("has_own", [True, False])
def test_items_end_as_lit_does(
    code: int, output: str, raised: Any, has_own: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, commands = tmp_path / "in" / "b.mlir", list[list[str]]()
    (path.parent / "made").mkdir(parents=True)
    if has_own:
        (tmp_path / "lit.cfg.py").touch()

    def run(command: list[str]) -> subprocess.CompletedProcess[str]:
        commands.append(command)
        return subprocess.CompletedProcess(command, code, output, "why")

    monkeypatch.setattr(plugin, "run_command", run)
    if raised is None:
        plugin.MlirItem.runtest(item(path))
    else:
        with pytest.raises(raised) as error:
            plugin.MlirItem.runtest(item(path))
        assert str(error.value) in (output + "why", "the file asks for features that are not there (REQUIRES)")
    target = path if has_own else path.parent / "made" / "b.mlir"
    assert commands == [[*LIT, "-v", str(target)]]
    settings = path.parent / "made" / "lit.site.cfg.py"
    assert settings.exists() != has_own
    if not has_own:
        assert f"source_root={str(path.parent)!r}" in settings.read_text()
        assert f"config.test_exec_root = {str(settings.parent)!r}" in settings.read_text()


@pytest.mark.parametrize(
    ("name", "text", "is_test"),
    [("a.mlir", "// RUN: x", True), ("a.mlir", "// x", False), ("a.txt", "// RUN: x", False)],
)
def test_files_with_run_lines_are_tests(name: str, text: str, is_test: bool, tmp_path: Path, request: Any) -> None:
    path = tmp_path / name
    path.write_bytes(b"\xff" + text.encode())
    found = plugin.pytest_collect_file(path, request.session)
    assert (found is not None) == is_test
    if found is not None:
        (only,) = found.collect()
        assert (type(only), only.name, only.path) == (plugin.MlirItem, "a", path)


_TYPE = "#vhlo.type_v1<!vhlo.func_v1<(()) -> ()>>"


def function_of_vhlo(**attributes: str) -> str:
    """A module in a module, so that the function is not at the top."""
    known = {"sym_name": '#vhlo.string_v1<"f">', "function_type": _TYPE, "sym_visibility": '#vhlo.string_v1<"">'}
    known |= {"arg_attrs": "#vhlo.array_v1<[]>", "res_attrs": "#vhlo.array_v1<[]>"} | attributes
    written = ", ".join(f"{name} = {value}" for name, value in known.items())
    body = f'"vhlo.func_v1"() <{{{written}}}> ({{ "vhlo.return_v1"() : () -> () }}) : () -> ()'
    return f"module {{ module {{ {body} }} }}"


@pytest.mark.parametrize(
    ("attributes", "reason"),
    [
        ({}, None),
        ({"sym_name": '"f"'}, "'vhlo.func_v1' op attribute 'sym_name' is not a string"),
        ({"function_type": _TYPE.replace("func_v1<(()) -> ()>", "bool_v1")},
         "'vhlo.func_v1' op attribute 'function_type' is not a function type"),
    ],
)  # fmt: skip
def test_functions_that_cannot_be_printed_are_found(attributes: dict[str, str], reason: str | None) -> None:
    module = parsed(function_of_vhlo(**attributes))
    found = unprintable(module.operation)
    assert (found and (found[0].name, found[1])) == (reason and ("vhlo.func_v1", reason))


@pytest.mark.parametrize(("name", "kind"), [("sym_name", "a string"), ("function_type", "a function type")])
def test_functions_that_lack_what_is_printed_are_found(name: str, kind: str) -> None:
    module = parsed(function_of_vhlo())
    function = next(op for op in operations(module.operation) if op.name == "vhlo.func_v1")
    del function.attributes[name]
    assert unprintable(module.operation) == (function, f"'vhlo.func_v1' op attribute '{name}' is not {kind}")


def test_ops_that_the_bindings_lack_have_no_parameters() -> None:
    assert parameters_of("stablehlo.no_such_op") is None
    assert "no_such_op" not in functions("stablehlo")
