"""The tool that writes golden artifacts: what it writes is what is in the tree."""

import importlib
import re
import sys
from pathlib import Path

import pytest

from stablehlo_py.artifacts.versions import Version, current_version, features, opset_versions


@pytest.fixture
def tool(monkeypatch):
    monkeypatch.delitem(sys.modules, "golden_artifacts", raising=False)  # other tests have it, and get it back
    return importlib.import_module


# From 1.18 on the golden tests have programs that only bindings of 1.22 and later write.
NEWEST = current_version().opset if current_version() >= Version(1, 22, 0) else Version(1, 17)


@pytest.mark.parametrize("version", [Version(0, 9), Version(0, 15), NEWEST], ids=str)
def test_the_golden_test_is_what_the_tool_writes(tool, version):
    golden = tool("golden_artifacts")
    text, artifact = golden.golden(version)
    assert golden.test_path(version).read_text() == text
    assert golden.artifact_path(version).read_bytes() == artifact


def test_a_golden_artifact_is_not_written_again(tool, tmp_path, monkeypatch):
    golden = tool("golden_artifacts")
    monkeypatch.setattr(golden, "FOLDER", tmp_path)
    monkeypatch.setattr(golden, "HASHES", tmp_path / "artifacts.sha256")
    version = opset_versions()[0]
    golden.write_golden(version, text_only=False)
    path = golden.artifact_path(version)
    written = path.read_bytes()
    assert path.name in golden.HASHES.read_text()
    path.write_bytes(written + b"\0")
    with pytest.raises(SystemExit, match="golden artifacts are never edited"):
        golden.write_golden(version, text_only=False)
    assert path.read_bytes() == written + b"\0"


def test_every_feature_has_its_test(tool, tmp_path, monkeypatch):
    golden = tool("golden_artifacts")
    folder = golden.FOLDER
    monkeypatch.setattr(golden, "FOLDER", tmp_path)
    for feature in features():
        if feature.version in opset_versions():
            golden.write_early(feature)
    for path in tmp_path.glob("early_*.mlir"):
        assert (folder / path.name).read_text() == path.read_text()
    needed = {path.name: _required(path) for path in folder.glob("early_*.mlir")}
    known = {name for name, version in needed.items() if version in opset_versions()}
    assert known == {path.name for path in tmp_path.iterdir()}


def _required(path: Path) -> Version:
    found = re.search(r"REQUIRES: stablehlo-(\d+)\.(\d+)", path.read_text())
    assert found is not None, path
    return Version(int(found[1]), int(found[2]))
