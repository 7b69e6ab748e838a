"""What a release promises: versions agree, builds are the same twice, and nothing public goes away unannounced."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
import zipfile

import public_signatures
import pytest
import release_files


def test_every_file_names_the_same_version():
    assert release_files.disagreements() == []


def test_the_recorded_matrix_has_no_failure(tmp_path, monkeypatch):
    assert release_files.recorded_failures() == []
    monkeypatch.setattr(release_files, "ROOT", tmp_path)
    (tmp_path / "docs" / "results").mkdir(parents=True)
    recorded = {"0.9.2": {"about": {}, "lit": {"cli": {"passed": 1, "failed": ["a.mlir"]}, "infer": {"failed": []}}}}
    (tmp_path / "docs" / "results" / "providers.json").write_text(json.dumps(recorded))
    assert release_files.recorded_failures() == ["0.9.2: lit/cli: a.mlir"]


def test_nothing_public_goes_away_unannounced():
    before = json.loads(public_signatures.TARGET.read_text(encoding="utf-8"))
    assert len(before) > 60
    assert public_signatures.broken(before, public_signatures.signatures()) == []


def test_what_would_break_callers_is_named():
    old = {"f": [["x", "POSITIONAL_OR_KEYWORD", False], ["y", "KEYWORD_ONLY", True]], "g": []}
    assert public_signatures.broken(old, {"f": old["f"], "g": [["z", "KEYWORD_ONLY", True]]}) == []
    assert public_signatures.broken(old, {"f": [old["f"][0]]}) == ["f lost its parameter y", "g is gone"]
    assert public_signatures.broken(old, {"f": old["f"], "g": [["z", "KEYWORD_ONLY", False]]}) == [
        "g needs a new argument z"
    ]


@pytest.mark.release
def test_two_builds_are_the_same_and_complete(tmp_path):
    pytest.importorskip("build", reason="the extra release is not installed")
    release_files.make(tmp_path)
    (wheel,) = tmp_path.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    for wanted in ("py.typed", "artifacts/versions.toml", "dialect/ops.toml", "analysis/assets/dagre.min.js"):
        assert f"stablehlo_py/{wanted}" in names
    assert sum(name.endswith("LICENSE") for name in names) >= 2
    archives = [str(path) for path in tmp_path.iterdir() if path.suffix in (".whl", ".gz")]
    subprocess.run([sys.executable, "-m", "twine", "check", "--strict", *archives], check=True, capture_output=True)
    bill = json.loads(next(tmp_path.glob("*.cdx.json")).read_text(encoding="utf-8"))
    assert {"jaxlib", "numpy", "click", "ml_dtypes", "@dagrejs/dagre"} <= {each["name"] for each in bill["components"]}


def test_every_dependency_stands_among_the_third_parties():
    described = (release_files.ROOT / "third_party" / "README.md").read_text(encoding="utf-8")
    project = tomllib.loads((release_files.ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    missing = [
        name for name in (re.split(r"[<>=]", one)[0] for one in project["dependencies"]) if name not in described
    ]
    assert missing == []


def test_rattler_build_accepts_the_recipe():
    rattler_build = pytest.importorskip("rattler_build", reason="the extra release is not installed")
    recipe = rattler_build.Stage0Recipe.from_file(release_files.ROOT / "conda" / "recipe.yaml")
    (rendered,) = recipe.render(rattler_build.VariantConfig())
    assert rendered.recipe.package.name == "stablehlo-py"
    described = rendered.recipe.to_dict()
    assert described["build"]["noarch"] == "python"
    project = tomllib.loads((release_files.ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    names = {re.split(r"[<>=]", wanted)[0].replace("-", "_") for wanted in project["dependencies"]}
    taken = {str(wanted).split()[0].replace("-", "_") for wanted in described["requirements"]["run"]}
    assert taken == {"python", *names}
