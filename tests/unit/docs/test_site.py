"""The documentation site is built, its notebooks run, and a reader needs no network."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from pkgutil import resolve_name

import definitions_page
import pytest
from warm_tools import make_warm_tool_folder

pytest.importorskip("myst_nb", reason="the extra docs is not installed")

DOCS = Path(__file__).parents[3] / "docs"
LONGEST_DEFINITION = 45

# What a browser would load by itself, as opposed to links that a reader follows.
LOADED = re.compile(r'<(?:script|img|iframe|source)[^>]*\ssrc="(\w+:[^"]*)"|<link[^>]*\shref="(https?:[^"]*)"')


TREE = re.compile(r"^```{toctree}\n(.*?)^```$", re.M | re.S)
PAGES = {
    path.relative_to(DOCS).with_suffix("")
    for path in DOCS.rglob("*.md")
    if not {"_build", "includes"} & set(path.parts)
}


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
    assert {page.as_posix().removeprefix("reference/") for page in PAGES} - {
        name.removeprefix("reference/") for name in listed
    } == {"index"}
    assert [page for page, text in texts.items() if not re.search(r"^# ", text, re.M)] == []


def test_the_front_page_shows_four_examples_that_run(tmp_path):
    page = (DOCS / "index.md").read_text(encoding="utf-8")
    examples = re.findall(r"^:::{container} example\n.*?^```(\w+)\n(.*?)^```", page, re.M | re.S)
    assert [language for language, _ in examples] == ["sh", "sh", "sh", "python"]
    shutil.copytree(DOCS.parent / "examples", tmp_path / "examples")
    tools = tmp_path / "tools"
    tools.mkdir()
    make_warm_tool_folder(str(tools), os.environ)
    environment = {**os.environ, "PATH": os.pathsep.join([str(tools), os.environ["PATH"]])}
    for language, text in examples:
        command = [sys.executable, "-c", text] if language == "python" else ["bash", "-c", text]
        ended = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120)
        assert ended.returncode == 0, (text, ended.stderr)


def test_an_op_page_says_what_it_takes_requires_gives_and_how_it_is_defined():
    import op_pages

    page = op_pages.op_pages()["ops/gather.md"]
    for part in ("| `start_indices` | operand |", "array<i64>", "| C21 | slices fit into operand |",
                 "check.expect_eq_const", "def gather(op: Op)", "Since StableHLO"):  # fmt: skip
        assert part in page
    assert '"tanh": np.tanh' in op_pages.op_pages()["ops/tanh.md"]


def test_a_page_of_the_api_has_functions_first_and_its_first_block_is_code():
    import generated_pages

    pages = generated_pages.api()
    page = pages["api/stablehlo_py.md"]
    assert page.index("## Functions") < page.index("## Classes") < page.index("## Exceptions")
    assert page.index("```python") < page.index("```{eval-rst}")
    for text in pages.values():
        compile(re.findall(r"^```python\n(.*?)^```", text, re.M | re.S)[0], "page", "exec")
        for name in re.findall(r"^\.\. auto\w+:: (.*)$", text, re.M):
            assert resolve_name(name.rpartition(".")[0] + ":" + name.rpartition(".")[2]).__doc__, name


def test_installing_is_told_in_one_place():
    told = [path for path in DOCS.rglob("*.md") if "_build" not in path.parts and "reference" not in path.parts
            and re.search(r"^pip install .*stablehlo-py", path.read_text(encoding="utf-8"), re.M)]  # fmt: skip
    assert told == [DOCS / "includes" / "install.md"]


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
    assert list(site.rglob("*.html"))
    for path in site.rglob("*.html"):
        found = LOADED.findall(path.read_text(encoding="utf-8"))
        assert not found, (path.name, found)


@pytest.mark.release
def test_the_search_knows_every_op(site):
    index = (site / "searchindex.js").read_text(encoding="utf-8")
    assert "dot_general" in index
    assert "reference/ops" in index


@pytest.mark.release
def test_the_search_shows_excerpts_without_a_server(site):
    texts = (site / "_static" / "excerpts.js").read_text(encoding="utf-8")
    assert '"reference/ops/gather.html": "gather' in texts
