"""Which package the dialects come from, and what is said when there is none."""

from __future__ import annotations

import importlib.metadata
import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from imitated_tree import imitate

from stablehlo_py.bindings.provider import PROVIDERS, VARIABLE, provider
from stablehlo_py.passes.catalog import compiled_passes, passes_elsewhere

RECORDED = tomllib.loads((Path(__file__).parents[3] / "third_party" / "providers.toml").read_text())["provider"]
DESCRIBE = """
import json
from stablehlo_py.bindings import make_context, provider, stablehlo_extension
from stablehlo_py.bindings.context import PROGRAM_DIALECTS, has_dialect
context = make_context()
print(json.dumps(dict(
    name=provider.name,
    lacks=[name for name in PROGRAM_DIALECTS if not has_dialect(context, name)],
    stablehlo=stablehlo_extension.get_current_version(),
    oldest_stablehlo=stablehlo_extension.get_minimum_version(),
)))
"""
# None in sys.modules makes an import fail as if the package were not installed.
HIDE = f"import sys; sys.modules.update(dict.fromkeys({[provider.root.partition('.')[0] for provider in PROVIDERS]}))\n"


def run_python(code: str, *arguments: str, provider_name: str | None = None) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name != VARIABLE}
    if provider_name is not None:
        environment[VARIABLE] = provider_name
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)


def installed_version(distribution: str) -> str | None:
    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return None


INSTALLED = [entry for entry in RECORDED if installed_version(entry["distribution"])]


def test_every_provider_is_recorded():
    recorded = [(entry["name"], entry["distribution"]) for entry in RECORDED]
    assert recorded == [(provider.name, provider.distribution) for provider in PROVIDERS]
    assert provider.name in [entry["name"] for entry in INSTALLED]


def test_the_release_that_has_a_pass_is_the_first_that_does_not_lack_it():
    [releases] = [entry["release"] for entry in RECORDED if entry["name"] == "jaxlib"]
    oldest = {}
    for release in releases:  # the newest first
        for name in set(compiled_passes()) - set(release.get("lacks_passes", ())):
            oldest[name] = release["version"]
    assert {name: known.since for name, known in compiled_passes().items()} == oldest


@pytest.mark.parametrize("entry", INSTALLED, ids=lambda entry: entry["name"])
def test_installed_providers_carry_what_is_recorded(entry):
    completed = run_python(DESCRIBE, provider_name=entry["name"])
    assert completed.returncode == 0, completed.stderr
    found = json.loads(completed.stdout)
    assert found["name"] == entry["name"]
    assert found["lacks"] == entry["lacks"]
    version = installed_version(entry["distribution"])
    releases = {release["version"]: release for release in entry["release"]}
    assert version in releases, f"record {entry['name']} {version} in third_party/providers.toml"
    assert found["stablehlo"] == releases[version]["stablehlo"]
    assert found["oldest_stablehlo"] == releases[version]["oldest_stablehlo"]


INTERPRET = """
import numpy as np, stablehlo_py
from stablehlo_py.bindings import ir, provider
program = stablehlo_py.parse('''
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.add %x, %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}''')
artifact = stablehlo_py.serialize(program)
[result] = stablehlo_py.interpret(stablehlo_py.deserialize(artifact), [np.array([1, 2], np.float32)])
print(provider.name, provider.root, type(program).__module__, result.tolist())
"""


def test_a_built_tree_of_upstream_s_packages_is_a_provider(tmp_path, monkeypatch):
    if not imitate(tmp_path):
        pytest.skip("torch-mlir, from which the tree is imitated, is not installed: the extra 'torch'")
    path = [str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(path))
    completed = run_python(INTERPRET, provider_name="mlir")
    assert completed.returncode == 0, completed.stderr
    assert completed.stdout.split(maxsplit=3)[::3] == ["mlir", "[2.0, 4.0]\n"]


def test_unknown_provider_is_an_error():
    completed = run_python("import stablehlo_py; stablehlo_py.parse('')", provider_name="llvm")
    assert completed.returncode == 1, completed.stderr
    assert f"unknown provider 'llvm' in {VARIABLE}, expected one of: jaxlib, mlir, torch_mlir" in completed.stderr


@pytest.mark.parametrize(
    ("name", "remedy"),
    [
        ("jaxlib", "install it with: pip install jaxlib"),
        ("mlir", "it is a build of StableHLO with Python bindings"),
        ("torch_mlir", "install it with: pip install torch-mlir"),
    ],
)
def test_a_provider_that_is_asked_for_is_what_to_install(name: str, remedy: str) -> None:
    completed = run_python(f"{HIDE}import stablehlo_py.bindings", provider_name=name)
    assert completed.returncode == 1, completed.stderr
    assert f"{VARIABLE} asks for {name}, which could not be imported; {remedy}" in completed.stderr


REGISTERED = """
import json
from stablehlo_py.bindings.context import is_registered_pass
from stablehlo_py.passes.catalog import is_pass, passes_elsewhere
registered = [is_pass(name) for name in passes_elsewhere()]
print(json.dumps([[name, reason] for there, (name, reason) in zip(registered, passes_elsewhere().items()) if there]))
"""


def test_passes_that_jaxlib_lacks_are_where_the_table_says() -> None:
    """All of torch-mlir's are there with torch-mlir, and none of the others; none of either with jaxlib."""
    jaxlib = run_python(REGISTERED, provider_name="jaxlib")
    assert json.loads(jaxlib.stdout) == []
    if installed_version("torch-mlir") is None:
        pytest.skip("torch-mlir is not installed: the extra 'torch'")
    expected = [[name, reason] for name, reason in passes_elsewhere().items() if "torch-mlir" in reason]
    assert json.loads(run_python(REGISTERED, provider_name="torch_mlir").stdout) == expected


def test_without_any_provider_the_error_says_what_to_install():
    code = HIDE + "import stablehlo_py\ntry: stablehlo_py.parse('')\nexcept stablehlo_py.ProviderError as e: print(e)"
    lines = run_python(code).stdout.splitlines()
    assert lines[0].startswith("error: no package with the StableHLO dialect could be imported")
    assert lines[0].endswith("install one with: pip install jaxlib")
    assert [line.split(":")[1].strip() for line in lines[1:]] == [provider.name for provider in PROVIDERS]


@pytest.mark.parametrize(("tool", "code"), [("opt", 1), ("translate", 1), ("compat", 2)])  # 1 of compat: differs
def test_tools_report_a_missing_provider_without_a_traceback(tool, code, tmp_path):
    program = tmp_path / "program.mlir"
    program.write_text("func.func @main() { return }")
    arguments = {"opt": [], "translate": ["--interpret"], "compat": ["explain", "--target=current"]}[tool]
    completed = run_python(
        HIDE + f"from stablehlo_py.cli import stablehlo_{tool}; stablehlo_{tool}()", *arguments, str(program)
    )
    assert completed.returncode == code
    assert "error: no package with the StableHLO dialect could be imported" in completed.stderr
    assert "Traceback" not in completed.stderr
