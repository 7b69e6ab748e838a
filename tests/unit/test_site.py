"""The documentation site is built, its notebooks run, and a reader needs no network."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import definitions_page
import pytest

pytest.importorskip("myst_nb", reason="the extra docs is not installed")

DOCS = Path(__file__).parents[2] / "docs"
LONGEST_DEFINITION = 45

# What a browser would load by itself, as opposed to links that a reader follows.
LOADED = re.compile(r'<(?:script|img|iframe|source)[^>]*\ssrc="(\w+:[^"]*)"|<link[^>]*\shref="(https?:[^"]*)"')


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    target = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html", str(DOCS), str(target)]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert ended.returncode == 0, ended.stderr
    return target


def test_every_page_is_there(site):
    pages = {path.relative_to(DOCS).with_suffix("") for path in DOCS.rglob("*.md") if "_build" not in path.parts}
    built = {path.relative_to(site).with_suffix("") for path in site.rglob("*.html")}
    assert pages <= built
    assert len([page for page in pages if page.parts[0] == "notebooks"]) == 5


def test_definitions_stand_beside_their_meaning(site):
    page = (site / "reference" / "definitions.html").read_text(encoding="utf-8")
    for op in definitions_page.DEFINITIONS:
        assert f'id="{op.op.replace("_", "-")}"' in page
        assert sum(map(bool, op.source.splitlines())) <= LONGEST_DEFINITION, op.op


def test_nothing_is_fetched(site):
    for path in site.rglob("*.html"):
        found = LOADED.findall(path.read_text(encoding="utf-8"))
        assert not found, (path.name, found)


def test_the_search_knows_every_op(site):
    index = (site / "searchindex.js").read_text(encoding="utf-8")
    assert "dot_general" in index
    assert "reference/ops" in index
