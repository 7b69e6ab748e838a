"""The two ends and the middle of the cross-version matrix: real releases read and write each other's artifacts."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

TOOL = Path(__file__).parents[2] / "tools" / "cross_version.py"


@pytest.mark.skipif(
    "CI" not in os.environ, reason="it installs older releases of jaxlib; run it with CI=1, or the tool"
)
def test_the_oldest_a_middle_and_the_newest_jaxlib_agree():
    finished = subprocess.run([sys.executable, TOOL, "--ends"], capture_output=True, text=True)
    missing = [line for line in finished.stderr.splitlines() if line.startswith("could not be had")]
    assert finished.returncode == 0, finished.stderr
    assert "stablehlo_py" in finished.stdout
    if missing:
        pytest.skip("; ".join(missing))


def test_what_cannot_be_had_is_said(tmp_path):
    code = f"""
import sys
sys.path.insert(0, {str(TOOL.parent)!r})
import cross_version, cross_version_environments as environments
environments._NEWEST_PYTHON["0.0.1"] = (3, 8)
cross_version.RELEASES = (environments.Release("jaxlib", "0.0.1"),)
sys.argv = ["cross_version", "--cache", sys.argv[1]]
sys.exit(cross_version.main())
"""
    finished = subprocess.run([sys.executable, "-c", code, tmp_path], capture_output=True, text=True)
    assert finished.returncode == 0, finished.stderr
    assert "could not be had: jaxlib 0.0.1: it needs Python 3.8 or older" in finished.stderr
    assert "Could not be had:" in finished.stdout
