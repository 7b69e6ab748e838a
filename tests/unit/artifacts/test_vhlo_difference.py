"""Structural comparison, round trips and the matrix, as functions."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from parsed import parsed

import stablehlo_py
from stablehlo_py.artifacts.artifact import legalize_to_vhlo
from stablehlo_py.artifacts.difference import first_difference
from stablehlo_py.artifacts.matrix import compatibility_matrix, plot
from stablehlo_py.artifacts.roundtrip import round_trip
from stablehlo_py.artifacts.versions import Version, current_version, opset_versions, resolve_version
from stablehlo_py.bindings import ir, make_context
from stablehlo_py.errors import UsageError
from stablehlo_py.interpreter.program import interpret
from stablehlo_py.interpreter.values import Token

PROGRAM = """
module @first attributes {house.level = 1 : i32} {
  func.func @main(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
    %0 = stablehlo.subtract %x, %y {a = 1 : i64, b = 2 : i64} : tensor<2xf32>
    %1 = func.call @helper_1(%0) : (tensor<2xf32>) -> tensor<2xf32>
    %2 = func.call @helper_2(%1) : (tensor<2xf32>) -> tensor<2xf32>
    return %2 : tensor<2xf32>
  }
  func.func private @helper_1(%x: tensor<2xf32>) -> tensor<2xf32> {
    return %x : tensor<2xf32>
  }
  func.func private @helper_2(%x: tensor<2xf32>) -> tensor<2xf32> {
    return %x : tensor<2xf32>
  }
}"""


def compare(first: str, second: str, *, as_vhlo: bool = False):
    context = make_context()
    modules = [ir.Module.parse(text, context) for text in (first, second)]
    return first_difference(*(legalize_to_vhlo(m) if as_vhlo else m.operation for m in modules))


@pytest.mark.parametrize("as_vhlo", [False, True])
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("", ""),
        ("%0", "%renamed"),
        ("@first", "@second"),
        ("a = 1 : i64, b = 2 : i64", "b = 2 : i64, a = 1 : i64"),
        ("helper_1", "helper_7"),
        (
            "@helper_2(%1) : (tensor<2xf32>) -> tensor<2xf32>",
            '@helper_2(%1) : (tensor<2xf32>) -> tensor<2xf32> loc("x")',
        ),
    ],
)
def test_what_has_no_meaning_makes_no_difference(old, new, as_vhlo):
    assert compare(PROGRAM, PROGRAM.replace(old, new) if old else PROGRAM, as_vhlo=as_vhlo) is None


@pytest.mark.parametrize("as_vhlo", [False, True])
@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("%x, %y {", "%y, %x {", "operand 0"),
        ("b = 2", "b = 3", "attribute b"),
        ("stablehlo.subtract", "stablehlo.add", "the op"),
        ("call @helper_1", "call @helper_2", "attribute callee"),
        ("house.level = 1", "house.level = 2", "attribute house.level"),
        ("a = 1 : i64, ", "", "the set of attributes"),
        ("@main", "@entry", "attribute sym_name"),
        (
            "    %2 = func.call @helper_2(%1) : (tensor<2xf32>) -> tensor<2xf32>\n    return %2",
            "    return %1",
            "the op",
        ),
    ],
)
def test_what_has_a_meaning_is_found(old, new, what, as_vhlo):
    found = compare(PROGRAM, PROGRAM.replace(old, new, 1), as_vhlo=as_vhlo)
    assert found is not None
    assert found.what == what
    assert found.first != found.second


@pytest.mark.parametrize(
    ("first", "second", "is_same"),
    [
        ('a = "@x_1"', 'a = "@x_2"', False),  # a text is no symbol
        ('a = ["@x_1", @helper_1]', 'a = ["@x_1", @helper_2]', False),  # the call has @helper_1 as well
        ("a = [@other_1, @other_2]", "a = [@other_3, @other_4]", True),
        ("a = [@other_1, @other_1]", "a = [@other_3, @other_4]", False),
        ("a = [@other_1, @other_2]", "a = [@other_3, @other_3]", False),
        ("a = {b = @other_1, c = 1}", "a = {b = @other_2, c = 1}", True),
        ("a = {b = @other_1, c = 1}", "a = {b = @other_1, c = 2}", False),
        ("a = @other_1", "a = @others_1", False),
        ("a = @other_1::@inner_1", "a = @other_2::@inner_2", True),
        ("a = dense<[0.0]> : tensor<1xf32>", "a = dense<[-0.0]> : tensor<1xf32>", False),
        ("a = 1 : i64", "a = 1 : i32", False),
    ],
)
def test_only_symbols_may_have_other_numbers(first, second, is_same):
    texts = [PROGRAM.replace("a = 1 : i64", each) for each in (first, second)]
    assert (compare(*texts) is None) == is_same


def test_symbols_are_renumbered_in_the_same_way_everywhere():
    swapped = PROGRAM.replace("call @helper_1", "call @helper_9").replace("call @helper_2", "call @helper_1")
    assert compare(PROGRAM, swapped.replace("@helper_9", "@helper_2")) is not None


def test_a_difference_says_where_it_is():
    found = compare(PROGRAM, PROGRAM.replace("b = 2", "b = 3"))
    assert found is not None
    assert found.path == "module/@main/stablehlo.subtract[0]"
    assert str(found).splitlines() == [
        "module/@main/stablehlo.subtract[0]: attribute b differs",
        "  first (<string>:4:10): 2 : i64",
        "  second (<string>:4:10): 3 : i64",
    ]


def test_a_deep_nest_is_compared():
    depth = 1000

    def nest(value: float) -> str:
        opened = '"stablehlo.case"(%i) ({\n' * depth
        closed = "stablehlo.return\n}) : (tensor<i32>) -> ()\n" * depth
        constant = f"%c = stablehlo.constant dense<{value}> : tensor<f32>\n"
        return f"func.func @main(%i: tensor<i32>) {{\n{opened}{constant}{closed}return\n}}"

    assert compare(nest(1.0), nest(1.0)) is None
    found = compare(nest(1.0), nest(2.0))
    assert found is not None
    assert found.what == "attribute value"
    assert found.path.endswith("stablehlo.case[0]/stablehlo.constant[0]")


OPS = ("add", "subtract", "multiply", "maximum", "minimum")


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(OPS), st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=8))
def test_a_program_equals_itself_and_not_its_neighbours(steps):
    def program(chosen) -> str:
        lines = ["func.func @main(%v0: tensor<f32>) -> tensor<f32> {"]
        for number, (op, lhs, rhs) in enumerate(chosen, 1):
            lines.append(f"  %v{number} = stablehlo.{op} %v{lhs % number}, %v{rhs % number} : tensor<f32>")
        return "\n".join([*lines, f"  return %v{len(chosen)} : tensor<f32>", "}"])

    assert compare(program(steps), program(steps)) is None
    changed = [(OPS[(OPS.index(steps[-1][0]) + 1) % len(OPS)], *steps[-1][1:])]
    assert compare(program(steps), program([*steps[:-1], *changed])) is not None


@pytest.mark.parametrize("version", opset_versions(), ids=str)
def test_a_round_trip_changes_neither_structure_nor_results(version):
    import numpy as np

    module = parsed(PROGRAM)
    inputs = [np.array([1.5, np.nan], np.float32), np.array([-0.0, 2.0], np.float32)]
    result = round_trip(module, version, inputs=inputs, evaluate=lambda m, values: interpret(m, values))
    assert result.is_same
    assert result.differing_results == ()
    assert result.size > 100


def test_a_default_that_comes_back_absent_is_no_difference():
    text = """
func.func @main(%x: tensor<4xi32>) -> tensor<4xi32> {
  %0 = "stablehlo.sort"(%x) <{dimension = -1 : i64, is_stable = false}> ({
  ^bb0(%lhs: tensor<i32>, %rhs: tensor<i32>):
    %1 = stablehlo.compare LT, %lhs, %rhs : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<4xi32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}"""
    assert round_trip(parsed(text), Version(0, 9)).is_same


def matrix():
    context = make_context()
    texts = {"old": PROGRAM, "new": PROGRAM.replace("subtract %x, %y {a", "tan %x {a").replace("{a", "{a")}
    programs = [(name, lambda text=text: ir.Module.parse(text, context)) for name, text in texts.items()]
    return compatibility_matrix(programs)


def test_the_matrix_is_true_from_the_minimum_on():
    found = matrix()
    assert [(row.name, str(row.minimum)) for row in found.rows] == [("old", "0.9.0"), ("new", "1.4.0")]
    cells = found.to_json()["programs"]["new"]["cells"]
    assert next(version for version, fits in cells.items() if fits) == "1.4.0"
    assert list(cells.values()) == sorted(cells.values())
    assert json.loads(json.dumps(found.to_json()))["marks"]["current"] == str(current_version().opset)


def test_a_row_without_a_version_says_why():
    def fail():
        raise UsageError("cannot be read")

    context = make_context()
    found = compatibility_matrix([("bad one", fail), ("old", lambda: ir.Module.parse(PROGRAM, context))])
    assert found.rows[0].minimum is None
    lines = found.to_text().splitlines()
    assert lines[3].startswith("bad one  ·  ·")
    assert lines[3].endswith("·  cannot be read")
    assert lines[4].startswith("old      ■  ■")
    assert lines[4].endswith("■  from 0.9.0")
    assert "■" not in lines[3]
    row = found.to_json()["programs"]["bad one"]
    assert not any(row["cells"].values())
    new = compatibility_matrix([("new", matrix_program)]).to_text()
    assert "from 1.4.0: tan" in new


def matrix_program():
    return parsed(PROGRAM.replace("subtract %x, %y {a", "tan %x {a"))


def test_the_table_marks_the_named_versions():
    lines = matrix().to_text().splitlines()
    first_column = len("old") + 2
    for letter, name in (("q", "12w"), ("m", "4w"), ("c", "current")):
        assert opset_versions()[(lines[2].index(letter) - first_column) // 3] == resolve_version(name)


@pytest.mark.parametrize("ending", ["svg", "png"])
def test_the_same_matrix_gives_the_same_picture(tmp_path, ending):
    pytest.importorskip("matplotlib", reason="pictures need the extra `plot`")
    paths = [tmp_path / f"{number}.{ending}" for number in range(2)]
    for path in paths:
        plot(matrix(), path)
    assert paths[0].read_bytes() == paths[1].read_bytes()
    assert paths[0].stat().st_size > 1000


def test_a_picture_has_a_known_ending(tmp_path):
    with pytest.raises(UsageError, match=r"neither \.svg nor \.png"):
        plot(matrix(), tmp_path / "matrix.gif")


@pytest.mark.parametrize(
    ("first", "second", "differ"),
    [
        (np.float32(np.nan), np.float32(np.nan), False),
        (np.float32(0.0), np.float32(-0.0), True),
        (np.zeros(2, np.int32), np.zeros(2, np.float32), True),
        (np.zeros((2, 1)), np.zeros((1, 2)), True),
        (Token(), Token(), False),
        ((np.zeros(2), (np.ones(1),)), (np.zeros(2), (np.ones(1),)), False),
        ((np.zeros(2), (np.ones(1),)), (np.zeros(2), (np.zeros(1),)), True),
    ],
)
def test_results_are_compared_by_their_types_and_bits(first: object, second: object, differ: bool) -> None:
    results = iter([[np.zeros(1), first], [np.zeros(1), second]])
    module = stablehlo_py.parse("func.func @main() {\n  return\n}")
    found = round_trip(module, current_version(), inputs=[], evaluate=lambda *_: next(results))
    assert found.differing_results == ((1,) if differ else ())
    assert found.is_same == (not differ)


def test_results_are_compared_if_there_are_inputs_and_something_to_run_them() -> None:
    module = stablehlo_py.parse("func.func @main() {\n  return\n}")
    for chosen in ({}, {"inputs": []}, {"evaluate": lambda *_: pytest.fail("nothing to run on")}):
        found = round_trip(module, current_version(), **chosen)
        assert (found.differing_results, found.is_same) == (None, True)
