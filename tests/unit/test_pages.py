"""The tutorials and the how-to pages, followed literally."""

from __future__ import annotations

import importlib.util
import re
import sys

import pytest
from installed import needs
from pages import ROOT, carry_out

PAGES = sorted(path for folder in ("tutorials", "how-to") for path in (ROOT / "docs" / folder).glob("*.md"))
# What a page needs that not every environment has.
NEEDS = {"jax": "jax", "pytorch": "torch", "sharded-programs": "jax"}


@pytest.mark.parametrize(
    "path",
    [pytest.param(path, marks=[needs("partition")] * (path.stem == "sharded-programs")) for path in PAGES],
    ids=lambda path: path.stem,
)
def test_a_page_works_as_it_is_written(path, tmp_path, monkeypatch):
    needed = NEEDS.get(path.stem)
    if needed is not None and importlib.util.find_spec(needed) is None:
        pytest.skip(f"{needed} is not installed")
    if sys.platform == "win32":
        pytest.skip("the pages are written for a POSIX shell")
    monkeypatch.chdir(tmp_path)
    assert carry_out(path.read_text(encoding="utf-8"), tmp_path)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_the_links_of_a_page_lead_somewhere(path):
    targets = [target.partition("#")[0] for target in re.findall(r"\]\(([^)\s]+)\)", path.read_text(encoding="utf-8"))]
    assert [one for one in targets if one and "://" not in one and not (path.parent / one).exists()] == []
