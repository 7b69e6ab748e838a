"""docs/llms.txt is what its generator writes, and names every verb and page."""

from __future__ import annotations

import re

import llms

from stablehlo_py.cli.stablehlo import VERBS


def test_the_file_is_what_the_generator_writes():
    assert (llms.DOCS / "llms.txt").read_text(encoding="utf-8") == llms.text(), "tools/run generate/llms"


def test_every_verb_and_how_to_page_has_a_line():
    found = llms.text()
    assert re.findall(r"^- `stablehlo ([\w-]+)`: ", found, re.MULTILINE) == list(VERBS)
    paths = re.findall(r"^- \[[^\]]+\]\(([^)]+)\)", found, re.MULTILINE)
    assert {f"how-to/{path.name}" for path in (llms.DOCS / "how-to").glob("*.md")} <= set(paths)
    assert [path for path in paths if not (llms.DOCS / path).is_file()] == []
