"""The two ends and the middle of the cross-version matrix: real releases read and write each other's artifacts."""

import importlib.util
import os
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import cross_version
import pytest
from cross_version_environments import Release
from cross_version_matrix import make_programs

# The tool finds what tests import.
VARIABLES = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
TOOL = Path(__file__).parents[1] / "external" / "cross_version.py"


@pytest.mark.release
@pytest.mark.skipif(
    "CI" not in os.environ, reason="it installs older releases of jaxlib; run it with CI=1, or the tool"
)
def test_the_oldest_a_middle_and_the_newest_jaxlib_agree():
    finished = subprocess.run([sys.executable, TOOL, "--ends"], env=VARIABLES, capture_output=True, text=True)
    missing = [line for line in finished.stderr.splitlines() if line.startswith("could not be had")]
    assert finished.returncode == 0, finished.stderr
    assert "stablehlo_py" in finished.stdout
    if missing:
        pytest.skip("; ".join(missing))


def test_what_cannot_be_had_is_said(tmp_path):
    code = """
import sys
import cross_version, cross_version_environments as environments
environments._NEWEST_PYTHON["0.0.1"] = (3, 8)
cross_version.RELEASES = (environments.Release("jaxlib", "0.0.1"),)
sys.argv = ["cross_version", "--cache", sys.argv[1]]
sys.exit(cross_version.main())
"""
    finished = subprocess.run([sys.executable, "-c", code, tmp_path], env=VARIABLES, capture_output=True, text=True)
    assert finished.returncode == 0, finished.stderr
    assert "could not be had: jaxlib 0.0.1: it needs Python 3.8 or older" in finished.stderr
    assert "Could not be had:" in finished.stdout


@pytest.mark.release
@pytest.mark.skipif(
    importlib.util.find_spec("distributed") is None or importlib.util.find_spec("jaxlib") is None,
    reason="needs the extra cluster, and a jaxlib",
)
def test_workers_of_a_cluster_find_what_one_process_finds(tmp_path, monkeypatch):
    monkeypatch.setattr(cross_version, "make_programs", lambda folder: make_programs(folder)[:3])
    releases = [Release("jaxlib", version("jaxlib"))]
    (here, _), (there, missing) = [cross_version.run(releases, tmp_path, cluster, 2) for cluster in ("", "local")]
    assert not missing
    assert list(there.outcomes.items()) == list(here.outcomes.items())
    assert cross_version.table(there) == cross_version.table(here)
    environments = {f"jaxlib-{release.number}" for release in releases}  # made where torch-mlir is beside jaxlib
    assert {path.name for path in tmp_path.iterdir()} <= environments
