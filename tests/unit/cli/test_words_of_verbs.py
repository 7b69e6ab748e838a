"""Words that verbs take in any spelling or from a list, and the names in what they write."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from stablehlo_py.artifacts import matrix
from stablehlo_py.cli.stablehlo import stablehlo
from stablehlo_py.conformance import coverage
from stablehlo_py.conformance.generate.values import ELEMENTS, POWERS

PROGRAM = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.negate %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""


def run(line: str, *more: str) -> Any:
    return CliRunner().invoke(stablehlo, [*line.split(), *more], standalone_mode=False)


@pytest.mark.parametrize("name", ["a.svg", "a.SVG", "b.Png", "c.d.png"])
def test_a_picture_has_its_ending_in_any_spelling(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[Path] = []
    monkeypatch.setattr(matrix, "plot", lambda _found, path: drawn.append(path))
    path = tmp_path / "x.mlir"
    path.write_text(PROGRAM)
    found = run("matrix", str(path), f"--plot={tmp_path / name}")
    assert (found.exit_code, drawn) == (0, [tmp_path / name]), found.output


@pytest.mark.parametrize("name", ["svg", "a.svgz", "a.svg.gz", "a", "a.jpg"])
def test_a_picture_of_another_kind_is_refused_before_any_work(name: str) -> None:
    found = run("matrix none.mlir", f"--plot={name}")
    assert found.exit_code != 0
    assert found.exception is not None
    assert f"--plot={name}: the name must end in .svg or .png" in f"{found.exception}{found.output}"


def test_sides_of_a_page_are_called_as_their_files(tmp_path: Path) -> None:
    first, second = tmp_path / "one.mlir", tmp_path / "two.mlir"
    first.write_text(PROGRAM)
    second.write_text(PROGRAM.replace("negate", "abs"))
    page = tmp_path / "page.html"
    found = run("diff", str(first), str(second), f"--output={page}")
    assert (found.exception, found.return_value) == (None, 1), found.output  # which is the tool's exit code
    text = page.read_text(encoding="utf-8")
    assert "<title>one.mlir and two.mlir</title>" in text
    assert text.index("one.mlir") < text.index("two.mlir")


def test_all_types_of_the_kit_may_be_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []
    monkeypatch.setattr("stablehlo_py.conformance.catalog.cases", lambda choice: asked.append(choice) or [])
    monkeypatch.setattr(coverage, "coverage", lambda _cases: {})
    monkeypatch.setattr(coverage, "text", lambda _counts: "none")
    for name in (*ELEMENTS, *POWERS, "quantized"):
        found = run("conformance coverage", f"--types={name}")
        assert found.exit_code == 0, (name, found.output, found.exception)
        assert list(asked.pop().types) == [name]
    found = run("conformance coverage --types=f33")
    assert found.exit_code != 0
    assert "the kit has no cases of the element type 'f33'; did you mean f3" in f"{found.exception}{found.output}"
