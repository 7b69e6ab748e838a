"""The help of the tools whose options are in the table: sections, columns, widths and defaults."""

from __future__ import annotations

import re

import pytest

from stablehlo_py.cli.command_line import Options
from stablehlo_py.cli.information import served, show_help
from stablehlo_py.cli.options import GROUPS, OPT, TRANSLATE, spelling

_WIDEST = 34  # of the column of options


def sections(text: str) -> dict[str, list[str]]:
    """The lines below each heading, which begins a line and ends with a colon."""
    found: dict[str, list[str]] = {}
    lines = list[str]()
    for line in text.splitlines():
        if re.fullmatch(r"\S.*:", line):
            lines = found.setdefault(line.removesuffix(":"), [])
        elif line:
            lines.append(line)
    return found


@pytest.mark.parametrize(("columns", "width"), [(80, 80), (100, 100), (120, 120), (300, 120)])
@pytest.mark.parametrize("tool", [OPT, TRANSLATE])
def test_help_has_each_option_with_its_summary_and_its_default(
    tool: str, columns: int, width: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    assert show_help("", Options(tool)) == 0
    text = capsys.readouterr().out
    assert text.startswith(f"Usage: {tool} ")
    longest = max(map(len, text.splitlines()))
    assert width - 15 < longest <= width
    found = sections(text)
    titles = list(served(tool))
    assert "cannot be had" not in text
    refused = [one for group in GROUPS.values() for one in group if one.refused and tool in one.tools]
    assert refused
    assert [one.name for one in refused if re.search(rf"^  --{one.name}\b(?!-)", text, re.MULTILINE)] == []
    assert [title for title in found if title in titles] == titles
    assert any(title.startswith("Pass flags") for title in found) == (tool == OPT)
    for title, options in served(tool).items():
        lines, told = found[title], list[tuple[str, str]]()
        column = 2 + min(max(len(spelling(one)) for one in options), _WIDEST) + 2
        for line in lines:
            head, rest = line[:column], line[column:]
            if line.startswith("  -"):
                name = line.strip() if len(line.strip().split("  ")) == 1 else head.strip()
                told.append((name, "" if name == line.strip() else rest.strip()))
            else:
                assert head.strip() == "", f"a summary in {title} begins elsewhere: {line}"
                told[-1] = told[-1][0], f"{told[-1][1]} {rest.strip()}".strip()
        expected = [
            (
                spelling(one),
                f"{one.summary} (default: {one.default})" if one.default and not one.variable else one.summary,
            )
            for one in options
        ]
        without_blanks = [(name, said.replace(" ", "")) for name, said in told]  # lines end after a hyphen, too
        assert without_blanks == [(name, said.replace(" ", "")) for name, said in expected], title
