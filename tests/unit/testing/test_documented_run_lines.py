"""The RUN lines of upstream's document on VHLO, with the three lines of configuration, warm and not."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from speeds import later

VHLO = Path(__file__).parents[2] / "lit" / "vhlo"
# As docs/vhlo.md of StableHLO has them, for a version that every provider writes.
_GENERIC = "stablehlo-opt --mlir-print-op-generic"
_READ, _WRITE = "stablehlo-translate --deserialize %s.bc", "stablehlo-translate --serialize --target=1.0.0"
RUN_LINES = f"""\
// RUN: {_GENERIC} %s.bc | FileCheck %s
// RUN: {_READ} | {_WRITE} | {_GENERIC} | FileCheck %s
// RUN: diff <({_READ} | stablehlo-opt) <(stablehlo-opt --strip-debuginfo %s)
// RUN: diff %s.bc <({_WRITE} --strip-debuginfo %s)
"""
CONFIGURATION = """\
import os
from stablehlo_py.testing import lit
lit.configure(config, lit_config, name="vhlo", source_root=os.path.dirname(__file__){more})
"""


@pytest.mark.parametrize("more", [later(""), ", warm=True"])
def test_the_documents_run_lines(more: str, tmp_path: Path) -> None:
    """They pass, and the third and the fourth fail where the program is another one."""
    if sys.platform == "win32":
        pytest.skip("the RUN lines are written for a POSIX shell")
    text = (VHLO / "compendium.1_0_0.mlir").read_text(encoding="utf-8")
    body = "".join(line for line in text.splitlines(keepends=True) if not line.startswith(("// RUN", "// REQUIRES")))
    (tmp_path / "lit.cfg.py").write_text(CONFIGURATION.format(more=more))
    (tmp_path / "good.mlir").write_text(RUN_LINES + body, encoding="utf-8")
    other = body.replace("stablehlo.abs", "stablehlo.sine", 1)
    assert other != body
    others = {"third": 2, "fourth": 3} if more else {"fourth": 3}  # cold tools take a second a line
    for name, line in others.items():
        run = RUN_LINES.splitlines(keepends=True)[line]
        (tmp_path / f"{name}.mlir").write_text(run + other, encoding="utf-8")
    for name in ("good", *others):
        shutil.copy(VHLO / "compendium.1_0_0.mlir.bc", tmp_path / f"{name}.mlir.bc")
    lit = subprocess.run(
        [sys.executable, "-c", "from lit.main import main; main()", "-j1", "-s", str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert "Passed: 1" in lit.stdout, lit.stdout + lit.stderr
    assert f"Failed: {len(others)}" in lit.stdout, lit.stdout + lit.stderr
    assert "vhlo :: good.mlir" not in lit.stdout
