"""Pages as files and in notebooks: every byte of them, and their data, which cannot end its element."""

from __future__ import annotations

import json
from html import unescape
from pathlib import Path

import pytest

from stablehlo_py.analysis.page import Page, make_page


@pytest.mark.parametrize("html", ["", "<p>a</p>\r\n", "ä€😀", "name \udcff\udc80 end"])
@pytest.mark.parametrize("as_text", [False, True])
def test_a_saved_page_is_its_bytes(html: str, as_text: bool, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_bytes(b"what was there before " * 9)
    page = Page("t", html)
    assert page.save(str(path) if as_text else path) is None
    assert path.read_bytes() == page.encoded() == html.encode("utf-8", "surrogateescape")


def test_a_notebook_shows_a_page_in_a_frame_of_its_height() -> None:
    page = Page('"a" & <b>', '<p class="x">&amp;</p>', height=321)
    shown = page._repr_html_()
    assert shown.count("<") == 2
    assert "height:321px" in shown
    assert unescape(shown.partition('srcdoc="')[2].partition('"')[0]) == page.html
    assert unescape(shown.partition('title="')[2].partition('"')[0]) == page.title
    assert "height:640px" in Page("a", "b")._repr_html_()
    assert repr(Page("a", "x" * 12_345_000)) == "<stablehlo_py report on a, 12.35 MB; save(path) writes it>"


def test_data_of_a_page_are_json_and_end_no_element() -> None:
    data = {"a": ["</script><!--", "{{title}} {{data}}", "é"], "b": None, "c": 1.5}
    page = make_page("<t> & {{body}}", "diff.html", ["diff.js"], data)
    text = page.html.partition('id="data"')[2].partition(">")[2].partition("</script>")[0]
    assert json.loads(text) == data
    assert "<" not in text
    assert "é" in text
    assert "<title>&lt;t&gt; &amp; {{body}}</title>" in page.html
    with pytest.raises(ValueError, match="not JSON compliant"):
        make_page("t", "diff.html", [], {"x": float("nan")})
