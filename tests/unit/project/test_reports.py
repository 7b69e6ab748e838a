"""Reports in the forms of others: JUnit's, SARIF's, tables of notebooks, annotations of workflows."""

from __future__ import annotations

import math
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import pytest

from stablehlo_py.junit import JUnitCase, junit_report
from stablehlo_py.sarif import document, location_of, position, result
from stablehlo_py.syntax.positions import positions_in_text
from stablehlo_py.syntax.source import Source
from stablehlo_py.syntax.tables import short, shortened, table
from stablehlo_py.testing.checks import workflow_command
from stablehlo_py.version import __version__


def test_cases_are_counted_in_their_suites_by_outcome() -> None:
    cases = [
        JUnitCase("a", "p.q", "one"),
        JUnitCase("a", "p.q", "two", "failure", "x < y\n\x00"),
        JUnitCase("a", "p.r", "three", "skipped", "why"),
        JUnitCase("b", "p.r", "four", "error", "boom"),
        JUnitCase("a", "p.r", "five", "failure"),
    ]
    data = junit_report("all", cases)
    root = ElementTree.fromstring(data)
    assert data.startswith(b"<?xml")
    assert (root.tag, root.attrib) == ("testsuites", {"name": "all"})
    counts = [[suite.get(key) for key in ("name", "tests", "failures", "errors", "skipped")] for suite in root]
    assert counts == [["a", "3", "1", "0", "1"], ["b", "1", "0", "1", "0"], ["a", "1", "1", "0", "0"]]
    found = [(case.get("classname"), case.get("name"), *[(e.tag, e.get("message")) for e in case]) for case in root[0]]
    assert found == [
        ("p.q", "one"),
        ("p.q", "two", ("failure", "x < y\n?")),
        ("p.r", "three", ("skipped", "why")),
    ]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("a.mlir:3:5", ("a.mlir", 3, 5)),
        ("c:/a.mlir:3:5", ("c:/a.mlir", 3, 5)),
        ("a.mlir", ("a.mlir", 0, 0)),
        ("a:b:c", ("a:b:c", 0, 0)),
        ("a.mlir:3", ("a.mlir:3", 0, 0)),
        ("a.mlir:3:x", ("a.mlir:3:x", 0, 0)),
        ("", None),
    ],
)
def test_positions_are_files_with_a_line_and_a_column(text: str, found: tuple[str, int, int] | None) -> None:
    assert position(text) == found


@pytest.mark.parametrize(
    ("text", "uri", "region"),
    [
        ("none.mlir:3:5", "none.mlir", {"startLine": 3, "startColumn": 5}),
        ("none.mlir:3:0", "none.mlir", {"startLine": 3, "startColumn": 1}),
        ("none.mlir:0:0", "none.mlir", None),
        ("a b#c.mlir:1:1", "a%20b%23c.mlir", {"startLine": 1, "startColumn": 1}),
        ("x/y.mlir", "x/y.mlir", None),
        ("https://host/a b.mlir:2:3", "https://host/a%20b.mlir", {"startLine": 2, "startColumn": 3}),
        ("a\udcff.mlir", "a%FF.mlir", None),
    ],
)
def test_places_of_findings(text: str, uri: str, region: dict[str, int] | None) -> None:
    physical: dict[str, Any] = {"artifactLocation": {"uri": uri}, **({} if region is None else {"region": region})}
    assert location_of(text) == {"physicalLocation": physical}


def test_paths_are_those_in_the_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "repository" / ".git").mkdir(parents=True)
    folder = tmp_path / "repository" / "in"
    folder.mkdir()
    (folder / "a.mlir").touch()
    (tmp_path / "b.mlir").touch()
    monkeypatch.chdir(folder)
    names = [(location_of(name) or {})["physicalLocation"]["artifactLocation"]["uri"] for name in ("a.mlir", "c.mlir")]
    assert names == ["in/a.mlir", "c.mlir"]
    found = location_of(str(tmp_path / "b.mlir"))
    assert found is not None
    assert found["physicalLocation"]["artifactLocation"]["uri"].endswith("/b.mlir")


@pytest.mark.parametrize(
    ("level", "shown"),
    [("error", "error"), ("warning", "warning"), ("none", "none"), ("remark", "note"), ("note", "note")],
)
def test_findings_have_one_of_four_levels(level: str, shown: str) -> None:
    assert result(level, "text") == {"level": shown, "message": {"text": "text"}}
    found = result(level, "text", "a.mlir:1:2", "rule", relatedLocations=[1])
    assert (found["ruleId"], found["relatedLocations"], len(found["locations"])) == ("rule", [1], 1)


def test_a_document_has_a_run_of_the_tool_with_its_rules() -> None:
    found = document("tool", [{"level": "note"}], {"one": "first", "two": "second"})
    assert (found["version"], len(found["runs"])) == ("2.1.0", 1)
    driver = found["runs"][0]["tool"]["driver"]
    assert (driver["name"], driver["version"]) == ("tool", __version__)
    assert driver["rules"] == [
        {"id": "one", "shortDescription": {"text": "first"}},
        {"id": "two", "shortDescription": {"text": "second"}},
    ]
    assert found["runs"][0]["results"] == [{"level": "note"}]
    assert document("tool", [])["runs"][0]["tool"]["driver"]["rules"] == []


@pytest.mark.parametrize(
    ("number", "unit", "text"),
    [
        (0, "", "0"),
        (999, "B", "999 B"),
        (999.4, "", "999"),
        (999.5, "B", "1 kB"),
        (1234567, "", "1.23 M"),
        (-1234567, "B", "-1.23 MB"),
        (2.5e9, "", "2.5 G"),
        (1e12, "B", "1 TB"),
        (1e15, "B", "1 PB"),
        (1e19, "B", "1e+04 PB"),
        ("n * 4", "B", "n * 4 B"),
        ("n", "", "n"),
        (math.inf, "", "inf P"),
    ],
)
def test_numbers_are_short(number: object, unit: str, text: str) -> None:
    assert short(number, unit) == text


@pytest.mark.parametrize("length", [159, 160, 161])
def test_texts_of_cells_are_one_line_of_at_most_160_characters(length: int) -> None:
    text = shortened("a\n b" + "x" * (length - 3))
    assert text == "a b" + "x" * (min(length, 160) - 3) + ("…" if length > 160 else "")


def test_tables_hold_texts_and_no_markup_of_theirs() -> None:
    found = table("a<b", ("h&", "i"), [(1, "<td>"), ("x", None)])
    assert found.startswith("<table><caption")
    assert "a&lt;b</caption>" in found
    rows = "<tr><th>h&amp;</th><th>i</th></tr><tr><td>1</td><td>&lt;td&gt;</td></tr><tr><td>x</td><td>None</td></tr>"
    assert found.endswith(f"{rows}</table>")


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (("error", "a%b\nc", "f,g:h.mlir", 2, 8), "::error file=f%2Cg%3Ah.mlir,line=2,col=8::a%25b%0Ac"),
        (("warning", "text", "f.mlir", 2, None), "::warning file=f.mlir,line=2::text"),
        (("remark", "text", None, None, None), "::notice ::text"),
        (("note", "text", "f.mlir", 0, 0), "::notice file=f.mlir::text"),
    ],
)
def test_annotations_of_workflows_are_on_one_line(arguments: Any, line: str) -> None:
    assert workflow_command(*arguments) == line


def test_ops_have_their_positions_in_the_text_whatever_locations_it_gives() -> None:
    from stablehlo_py.bindings import make_context

    text = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.tanh %x : tensor<2xf32> loc("model.py":7:3)
  %1 = "stablehlo.while"(%0) ({ ^bb0(%a: tensor<2xf32>):
    %c = stablehlo.constant dense<false> : tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, { ^bb0(%a: tensor<2xf32>): stablehlo.return %a : tensor<2xf32> }) : (tensor<2xf32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
} loc("main.py":1:1)
func.func private @other() { return }
"""
    found = positions_in_text(Source("f.mlir", text.encode()), make_context())
    assert [(key, name, place) for key, (name, place) in found.items()] == [
        (("main", 0), "func.func", "f.mlir:1:1"),
        (("main", 1), "stablehlo.tanh", "f.mlir:2:8"),
        (("main", 2), "stablehlo.while", "f.mlir:3:8"),
        (("main", 3), "stablehlo.constant", "f.mlir:4:10"),
        (("main", 4), "stablehlo.return", "f.mlir:5:5"),
        (("main", 5), "stablehlo.return", "f.mlir:6:33"),
        (("main", 6), "func.return", "f.mlir:7:3"),
        (("other", 0), "func.func", "f.mlir:9:1"),
        (("other", 1), "func.return", "f.mlir:9:30"),
    ]


def test_paths_of_other_systems_are_addresses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("stablehlo_py.sarif.os", SimpleNamespace(sep="\\"))
    found = location_of("no folder\\a.mlir:3:4")
    assert found == {
        "physicalLocation": {
            "artifactLocation": {"uri": "no%20folder/a.mlir"},
            "region": {"startLine": 3, "startColumn": 4},
        }
    }
