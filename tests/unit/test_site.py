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


TREE = re.compile(r"^```{toctree}\n(.*?)^```$", re.M | re.S)
PAGES = {path.relative_to(DOCS).with_suffix("") for path in DOCS.rglob("*.md") if "_build" not in path.parts}


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    target = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html", str(DOCS), str(target)]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert ended.returncode == 0, ended.stderr
    return target


def test_definitions_are_short():
    lines = {op.op: sum(map(bool, op.source.splitlines())) for op in definitions_page.DEFINITIONS}
    assert {op: count for op, count in lines.items() if count > LONGEST_DEFINITION} == {}


def test_every_page_is_in_a_table_of_contents():
    """The build, which only a release runs, would warn of a page that is in none, and of a title that is missing."""
    texts = {page: (DOCS / page.with_suffix(".md")).read_text(encoding="utf-8") for page in PAGES}
    trees = "".join(
        part for text in texts.values() for part in re.findall(r"^```{toctree}\n(.*?)^```$", text, re.M | re.S)
    )
    listed = {line.rpartition("<")[2].rstrip(">").strip().removesuffix(".md") for line in trees.splitlines()}
    assert {page.as_posix() for page in PAGES} - listed == {"index"}
    assert [page for page, text in texts.items() if not re.search(r"^# ", text, re.M)] == []


@pytest.mark.release
def test_every_page_is_there(site):
    assert {path.relative_to(site).with_suffix("") for path in site.rglob("*.html")} >= PAGES
    assert len([page for page in PAGES if page.parts[0] == "notebooks"]) == 5


@pytest.mark.release
def test_definitions_stand_beside_their_meaning(site):
    page = (site / "reference" / "definitions.html").read_text(encoding="utf-8")
    assert [op.op for op in definitions_page.DEFINITIONS if f'id="{op.op.replace("_", "-")}"' not in page] == []


@pytest.mark.release
def test_nothing_is_fetched(site):
    for path in site.rglob("*.html"):
        found = LOADED.findall(path.read_text(encoding="utf-8"))
        assert not found, (path.name, found)


@pytest.mark.release
def test_the_search_knows_every_op(site):
    index = (site / "searchindex.js").read_text(encoding="utf-8")
    assert "dot_general" in index
    assert "reference/ops" in index
