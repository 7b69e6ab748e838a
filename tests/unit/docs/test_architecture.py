"""docs/architecture.md shows the rooms that there are, and names files that exist."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
TOOL = [sys.executable, str(ROOT / "tools" / "generate" / "architecture.py")]
ROOMS = {path.parent.name for path in (ROOT / "stablehlo_py").glob("*/__init__.py")}


def test_the_picture_is_what_the_imports_are():
    completed = subprocess.run([*TOOL, "--check"], capture_output=True, text=True, check=False)
    assert completed.stderr == ""
    assert completed.returncode == 0, completed.stderr
    shown = set(re.findall(r"^  (\w+) --> \w+$", PAGE, re.MULTILINE))
    shown |= set(re.findall(r"^  \w+ --> (\w+)$", PAGE, re.MULTILINE))
    assert shown | {"testing"} == ROOMS


def test_arrows_do_not_point_in_a_circle():
    remaining = [tuple(pair) for pair in re.findall(r"^  (\w+) --> (\w+)$", PAGE, re.MULTILINE)]
    while remaining:
        lowest = {other for _, other in remaining} - {room for room, _ in remaining}
        assert lowest, remaining
        remaining = [(room, other) for room, other in remaining if other not in lowest]


def test_every_file_that_the_page_names_exists():
    """Upstream's names are in the first column of the last table."""
    lines = [line.split("|")[2] if line.startswith("| ") and "|" in line[2:] else line for line in PAGE.splitlines()]
    named = [name for line in lines for name in re.findall(r"`([\w./]+)`", line)]
    paths = [name for name in named if "/" in name or name in ROOMS]
    assert len(paths) > 40
    assert [name for name in paths if not (ROOT / "stablehlo_py" / name).exists() and not (ROOT / name).exists()] == []
