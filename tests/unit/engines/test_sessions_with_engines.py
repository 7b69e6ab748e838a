"""Whole outputs of runs in engines: what tests/unit/engines/sessions shows is what they print."""

from __future__ import annotations

from pathlib import Path

import pytest
from sessions import newest_bindings, replayed, session_pages


@newest_bindings
@pytest.mark.parametrize("page", session_pages("engines"), ids=lambda page: page.stem)
def test_commands_print_what_the_page_shows(page: Path, tmp_path: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert replayed(text, tmp_path) == text, f"if this is meant: tools/run generate/session_pages {page.parts[-3]}"
