"""Rounds of loops beside loops that run, and the texts, numbers and sources of reports at their bounds."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import numpy as np
import pytest

import stablehlo_py
from stablehlo_py.analysis.listing import listing
from stablehlo_py.analysis.liveness import trip_count
from stablehlo_py.analysis.matching import outermost
from stablehlo_py.analysis.numbering import Numbering, region_title
from stablehlo_py.bindings.walk import operations

view = importlib.import_module("stablehlo_py.analysis.view")  # whose name is its function's, too
LOOP = """func.func @main() -> tensor<T> {{
  %s = stablehlo.constant dense<{start}> : tensor<T>
  %e = stablehlo.constant dense<{end}> : tensor<T>
  %d = stablehlo.constant dense<{step}> : tensor<T>
  %0 = stablehlo.while(%i = %s) : tensor<T> cond {{
    %c = stablehlo.compare {direction}, %i, %e : (tensor<T>, tensor<T>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }} do {{
    %j = stablehlo.{op} %i, %d : tensor<T>
    stablehlo.return %j : tensor<T>
  }}
  return %0 : tensor<T>
}}"""
COMPARED = {"LT": np.less, "LE": np.less_equal, "GT": np.greater, "GE": np.greater_equal}


def counted(type_: str, direction: str, start: int, end: int, op: str, step: int) -> tuple[int | None, int | None]:
    """The rounds that are told, and those that a loop of Python takes; None if that wraps around or has no end."""
    text = LOOP.replace("T>", type_ + ">").format(start=start, end=end, step=step, direction=direction, op=op)
    module = stablehlo_py.parse(text)
    (loop,) = [each for each in operations(module.operation) if each.name == "stablehlo.while"]
    bounds, value, rounds = np.iinfo(type_.replace("i", "int")), start, 0
    while COMPARED[direction](value, end):
        value, rounds = value + (step if op == "add" else -step), rounds + 1
        if not bounds.min <= value <= bounds.max or rounds > 300:
            return trip_count(loop), None
    return trip_count(loop), rounds


CASES = [
    *((direction, 0, end, "add", step) for direction in ("LT", "LE") for end in (-1, 0, 1, 5, 6, 7) for step in (1, 3)),
    *((direction, 0, end, "subtract", step) for direction in ("GT", "GE") for end in (1, 0, -5, -6) for step in (1, 3)),
    ("GT", 5, 0, "add", -2),
    ("LT", 0, 5, "add", -2),
    ("LT", 0, 5, "subtract", -2),
    ("LT", 0, 5, "add", 0),
    ("LT", 0, 120, "add", 100),
    ("LT", 0, 127, "add", 127),
    ("LE", 0, 126, "add", 127),
    ("LE", 0, 127, "add", 1),
    ("GT", -127, -128, "subtract", 1),
    ("GE", -127, -128, "subtract", 1),
]


@pytest.mark.parametrize("case", CASES)
def test_rounds_that_are_told_are_those_that_run(case: tuple) -> None:
    found, expected = counted("i8", *case)
    assert found == expected


def test_counters_without_signs_wrap_around_below_zero_and_above_their_greatest() -> None:
    assert counted("ui8", "LT", 200, 255, "add", 55) == (1, 1)
    assert counted("ui8", "LE", 200, 254, "add", 55) == (1, 1)
    assert counted("ui8", "LT", 200, 255, "add", 56) == (None, None)
    assert counted("ui8", "GT", 3, 0, "subtract", 3) == (1, 1)
    assert counted("ui8", "GT", 3, 0, "subtract", 2) == (None, None)


@pytest.mark.parametrize(("size", "is_shown"), [(16, True), (17, False)])
def test_constants_of_sixteen_elements_are_shown_in_reports(size: int, is_shown: bool) -> None:
    values = list(range(size))
    text = f"func.func @f() {{\n  %c = stablehlo.constant dense<{values}> : tensor<{size}xi32>\n  return\n}}"
    found = listing(stablehlo_py.parse(text))
    assert (str(values) in "\n".join(found.lines)) == is_shown
    assert found.line_numbers == (0, 1, 2, 3)


@pytest.mark.parametrize(("length", "is_cut"), [(2000, False), (2001, True)])
def test_lines_of_two_thousand_characters_are_shown_whole(length: int, is_cut: bool) -> None:
    name = "f" * (length - len("  func.func private @()"))
    (line,) = listing(stablehlo_py.parse(f"func.func private @{name}()")).lines[1:-1]
    assert line == f"  func.func private @{name}()"[:2000] + "…" * is_cut


def test_ops_of_a_text_that_cannot_be_read_again_are_on_its_first_line() -> None:
    """The pretty form of a loop with other types inside says the operands' types alone."""
    text = """func.func @main(%operand: tensor<4xf32>) -> tensor<?xf32> {
      %result = "stablehlo.while"(%operand) ({
      ^bb0(%state: tensor<?xf32>):
        %again = stablehlo.constant dense<false> : tensor<i1>
        stablehlo.return %again : tensor<i1>
      }, {
      ^bb0(%state: tensor<?xf32>):
        stablehlo.return %state : tensor<?xf32>
      }) : (tensor<4xf32>) -> tensor<?xf32>
      return %result : tensor<?xf32>
    }"""
    found = listing(stablehlo_py.parse(text))
    assert found.line_numbers == (0,) * 7
    assert (len(found.lines), found.lines[0], found.lines[-1]) == (12, "module {", "}")


def test_attributes_are_shown_where_they_are_used() -> None:
    text = "func.func @f() attributes {map = affine_map<(d0) -> (d0)>} {\n  return\n}"
    found = listing(stablehlo_py.parse(text))
    assert found.lines[1] == "  func.func @f() attributes {map = affine_map<(d0) -> (d0)>} {"
    assert found.line_numbers == (0, 1, 2)


def test_sources_are_shown_with_three_lines_around(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, short, wide = (tmp_path / name for name in ("model.py", "short.py", "wide.py"))
    path.write_text("".join(f"line {number}\n" for number in range(1, 21)))
    short.write_text("a\nb\n")
    wide.write_text("é" * 299 + "\n" + "é" * 301)
    found = view._sources([f"{path}:10:3", f"{path}:11:1", f"{path}:20:1", f"{short}:1:1", "none.py:1:1", "x", ":1:1"])
    assert set(found) == {str(path), str(short)}
    assert [int(number) for number in found[str(path)]] == [*range(7, 15), *range(17, 21)]
    assert found[str(path)]["7"] == "line 7"
    assert found[str(short)] == {"1": "a", "2": "b"}
    assert {len(line) for line in view._sources([f"{wide}:1:1"])[str(wide)].values()} == {299, 300}
    for most, is_known in ((path.stat().st_size, True), (path.stat().st_size - 1, False)):
        monkeypatch.setattr(view, "_MOST_SOURCE_BYTES", most)
        assert bool(view._sources([f"{path}:1:1"])) == is_known
    path.write_bytes(b"\xff\n")
    assert view._sources([f"{path}:1:1", f"{tmp_path}:1:1"]) == {}


def test_outermost_ops_are_in_order() -> None:
    parents = [-1] * 3000
    parents[9], parents[17] = 8, 9
    assert outermost([2000, 9, 8, 1000, 17, 3, 64], parents) == [3, 8, 64, 1000, 2000]
    assert outermost([], parents) == []


def test_labels_of_regions_and_of_ops_that_several_calls_run() -> None:
    assert [region_title("stablehlo.while", n) for n in (0, 1)] == ["condition", "body"]
    assert [region_title("stablehlo.if", n) for n in (0, 1)] == ["true branch", "false branch"]
    assert (region_title("stablehlo.case", 2), region_title("stablehlo.sort", 0)) == ("branch 2", "region 0")
    found = Numbering()
    around, words = -1, list[str]()
    for depth in range(7):
        words.append(f"#{depth} x body")
        around = found.add((depth,), depth, around, "body" if depth else "")
    assert found.labels[:4] == ["#0", "#0 body: #1", "#0 body: #1 body: #2", "#0 body: #1 body: #2 body: #3"]
    assert found.labels[4:] == ["…: #4", "…: #4 body: #5", "…: #4 body: #5 body: #6"]
    assert found.find(words[:3], 3) == 3
    assert (found.find([], 0), found.find([], 1), found.find(["#9 x body"], 1), found.find(["x"], 1)) == (
        0,
        None,
        None,
        None,
    )


@pytest.mark.parametrize(("count", "text"), [(1, "#0"), (4, "#0, #1, #2, #3"), (5, "#0, #1, #2, #3, …")])
def test_an_op_that_runs_several_times_has_up_to_four_numbers(count: int, text: str) -> None:
    found = Numbering()
    for number in range(count):
        found.add((7, 8 + number), number)
    assert found.texts()[7] == text
    assert [found.texts()[8 + number] for number in range(count)] == [f"#{number}" for number in range(count)]


@pytest.mark.parametrize(("allowed", "shown"), [("", ["inside", "beside"]), ("in", ["inside"]), ("other", [])])
def test_sources_outside_of_the_folder_that_is_set_are_not_shown(
    allowed: str, shown: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = {"inside": tmp_path / "in" / "a.py", "beside": tmp_path / "in-two" / "a.py"}
    for path in paths.values():
        path.parent.mkdir()
        path.write_text("first\nsecond\n")
    monkeypatch.setenv(view.FOLDER_VARIABLE, str(tmp_path.resolve() / allowed) if allowed else "")
    found = view._sources([f"{path}:1:1" for path in paths.values()])
    assert list(found) == [str(paths[name]) for name in shown]
    assert all(lines == {"1": "first", "2": "second"} for lines in found.values())


def test_calls_have_the_numbers_of_what_the_outermost_one_runs_outside_of_regions() -> None:
    found = Numbering()
    loop = found.add((7, 5, 2), 0)
    found.add((8, 5, 2), 0, loop, "body")
    assert found.texts() == {7: "#0", 8: "#0 body: #0", 2: "#0"}
    found.add((9, 5, 2), 1)
    found.add((3,), 2)
    assert found.texts() == {7: "#0", 8: "#0 body: #0", 2: "#0 … #1", 9: "#1", 3: "#2"}


@pytest.mark.parametrize("count", [7, 1000])
def test_resources_are_left_out(count: int) -> None:
    digits = "0x04000000" + "01020304" * count
    text = f"""func.func @main() -> tensor<{count}xi32> {{
  %0 = stablehlo.constant dense_resource<held> : tensor<{count}xi32>
  return %0 : tensor<{count}xi32>
}}
{{-# dialect_resources: {{ builtin: {{ held: "{digits}" }} }} #-}}
"""
    found = listing(stablehlo_py.parse(text))
    assert not any(digits in line for line in found.lines), found.lines
    assert found.line_numbers == (0, 1, 2, 3)


@pytest.mark.parametrize("count", [1, 2, 3, 4, 9])
def test_up_to_three_places_of_what_holds_a_version_are_shown(count: int) -> None:
    ops = "".join(f"  %{n + 1} = stablehlo.tan %{n} : tensor<f32>\n" for n in range(count))
    text = f"func.func @main(%0: tensor<f32>) -> tensor<f32> {{\n{ops}  return %{count} : tensor<f32>\n}}\n"
    found = view.report_data(stablehlo_py.parse(text, source_name="a.mlir"), "t")["version"]["held_by"]
    (places,) = [need["places"] for need in found if "tan" in need["what"]]
    assert [re.findall(r"a\.mlir:(\d+)", place)[0] for place in places] == [str(n + 2) for n in range(min(count, 3))]


def test_all_that_holds_a_version_is_shown() -> None:
    types = "tensor<2xf4E2M1FN>, tensor<2xf6E2M3FN>"
    text = f"func.func @main(%a: tensor<2xf4E2M1FN>, %b: tensor<2xf6E2M3FN>) -> ({types}) {{ return %a, %b : {types} }}"
    found = view.report_data(stablehlo_py.parse(text), "t")["version"]["held_by"]
    assert [need["what"] for need in found] == ["the element type f4E2M1FN", "the element type f6E2M3FN"]


@pytest.mark.parametrize("other", ["", "%c = arith.constant 1 : i32", "%c = math.sin %a : tensor<f32>"])
def test_the_oldest_version_of_a_program_is_known_beside_ops_of_other_dialects(other: str) -> None:
    text = f"func.func @main(%a: tensor<f32>) -> tensor<f32> {{\n  {other}\n  return %a : tensor<f32>\n}}\n"
    version = view.report_data(stablehlo_py.parse(text), "t")["version"]
    assert version is not None
    assert re.fullmatch(r"\d+\.\d+\.\d+", version["minimum"])
