"""Programs that a script writes with jax in a process of its own, which has eight devices."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest


def written_by_jax(script: Path, folder: Path, *names: str) -> dict[str, np.ndarray]:
    """Return the arrays that a script writes, for some programs or all; skip the test without jax."""
    if importlib.util.find_spec("jax") is None:
        pytest.skip("the programs are written by jax (stablehlo-py[test])")
    path = folder / "programs.npz"
    child = subprocess.run([sys.executable, script, path, *names], capture_output=True, text=True, check=False)
    assert child.returncode == 0, child.stderr
    return dict(np.load(path))
