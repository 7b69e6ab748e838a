"""What a program hands on: its function to costs, reports and grids, another program, and arguments by their names."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import stablehlo_py
from stablehlo_py import syntax
from stablehlo_py.errors import ArgumentError, UsageError
from stablehlo_py.interpreter.values import Token
from stablehlo_py.notebook import run_cell
from stablehlo_py.program import CHECK_VARIABLE, import_check

F = np.float32
TEXT = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.negate %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func @other(%a: tensor<8xf32> loc("first"), %b: tensor<8xf32> loc("second")) -> (tensor<8xf32>, tensor<ui32>) {
  %0 = stablehlo.subtract %a, %b : tensor<8xf32>
  %1 = stablehlo.multiply %0, %0 : tensor<8xf32>
  %2 = stablehlo.partition_id : tensor<ui32>
  return %1, %2 : tensor<8xf32>, tensor<ui32>
}
"""


def test_a_function_of_a_program_is_a_program_with_its_own_costs_and_report() -> None:
    program = stablehlo_py.load(TEXT)
    other = program.function("other")
    assert (program.functions, other.functions) == (("main", "other"),) * 2
    assert (program.signature.function, other.signature.function) == ("main", "other")
    assert other.module is program.module
    assert (program.cost().flops, other.cost().flops) == (2, 16)
    for found, name, title in ((program, "main", None), (other, "other", None), (other, "other", "my title")):
        page = found.view() if title is None else found.view(title=title)
        assert page.title == (f"@{name}" if title is None else title)
    assert program.view(title="t").html != other.view(title="t").html  # the same text with other costs
    assert program.view(title="t").html == stablehlo_py.load(TEXT).view(title="t").html
    with pytest.raises(UsageError, match="parameter 'title' takes str, found int"):
        program.view(title=3)  # type: ignore[arg-type]


def test_the_program_itself_is_the_first_one_of_a_comparison() -> None:
    program = stablehlo_py.load(TEXT)
    changed = TEXT.replace("stablehlo.negate", "stablehlo.abs")
    for other in (changed, stablehlo_py.load(changed), syntax.parse(changed, context=program.module.context)):
        changes = program.diff(other)
        text = [(change.kind, change.op) for change in changes]
        assert ("removed", "stablehlo.negate") in text, text
        assert ("inserted", "stablehlo.abs") in text, text
    for other in (TEXT, stablehlo_py.load(TEXT), program, program.module):
        assert not program.diff(other)


@pytest.mark.parametrize(("rows", "columns"), [(1, 2), (2, 1), (2, 3)])
def test_a_grid_has_rows_of_replicas_and_columns_of_partitions(rows: int, columns: int) -> None:
    other = stablehlo_py.load(TEXT).function("other")
    zeros = [np.zeros(8, F)] * 2
    found = other.run_parallel([zeros] * (rows * columns), num_replicas=rows, num_partitions=columns)
    assert [int(results[1]) for results in found] == [*range(columns)] * rows


@pytest.mark.parametrize(
    ("args", "names", "problem"),
    [
        (2, (), None), (1, ("b",), None), (0, ("b", "a"), None), (0, ("a", "b"), None),
        (1, ("a",), "has no parameter 'a'"), (2, ("b",), "has no parameter 'b'"),
        (0, ("a", "b", "c"), "no parameter 'c'"),
        (0, ("b",), "has parameter 'a', which is not given"), (0, ("a",), "has parameter 'b', which is not given"),
    ],
)  # fmt: skip
def test_arguments_have_places_or_names(args: int, names: tuple[str, ...], problem: str | None) -> None:
    text = TEXT.replace('loc("first")', 'loc("a")').replace('loc("second")', 'loc("b")')
    other = stablehlo_py.load(text).function("other")
    values: dict[str, Any] = {"a": np.full(8, 3, F), "b": np.full(8, 1, F), "c": np.full(8, 9, F)}
    given = [values["a"], values["b"]][:args], {name: values[name] for name in names}
    if problem is None:
        assert other(*given[0], **given[1])[0].tolist() == [4.0] * 8
        return
    with pytest.raises(ArgumentError, match=problem):
        other(*given[0], **given[1])


def test_a_token_may_be_given_by_its_name_and_need_not_be() -> None:
    text = """func.func @main(%a: tensor<2xf32> loc("x"), %b: !stablehlo.token loc("t"), %c: tensor<2xf32> loc("y"))
        -> tensor<2xf32> {
      %0 = stablehlo.subtract %a, %c : tensor<2xf32>
      return %0 : tensor<2xf32> }"""
    program = stablehlo_py.load(text)
    x, y = F([5, 7]), F([1, 2])
    for names in ({"x": x, "y": y}, {"y": y, "x": x}, {"x": x, "t": Token(), "y": y}, {"t": Token(), "y": y, "x": x}):
        assert program(**names).tolist() == [4, 5], list(names)
    with pytest.raises(ArgumentError, match="has parameter 'y', which is not given"):
        program(x=x, t=Token())


def test_another_function_of_an_export_takes_its_own_arguments() -> None:
    program = stablehlo_py.load(TEXT)
    program.export = object()  # type: ignore[assignment]
    assert program.function("other").export is None


def test_the_function_of_a_cell_is_all_behind_the_first_sign() -> None:
    shell = SimpleNamespace(user_ns={}, user_global_ns={})
    text = TEXT.replace("@other", '@"a=b"')
    assert run_cell("--function=a=b", text, shell).signature.function == "a=b"
    assert run_cell("", text, shell).signature.function == "main"


FORMS = ("onnx", "torch-export", "jax-export", "hlo", "")


@pytest.mark.parametrize("wanted", [None, True, False])
@pytest.mark.parametrize("variable", [None, "all", "small", "none"])
def test_which_imports_are_checked(wanted: bool | None, variable: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(CHECK_VARIABLE, raising=False)
    if variable is not None:
        monkeypatch.setenv(CHECK_VARIABLE, variable)
    choice = (variable or "small") if wanted is None else "all" if wanted else "none"
    checked = {"all": FORMS[:3], "small": FORMS[:2], "none": ()}[choice]
    for form in FORMS:
        found = import_check(form, wanted)
        assert (found is not None) == (form in checked), form
        if found is not None:
            assert found.everything == (choice == "all")


@pytest.mark.parametrize("variable", ["", "ALL", "yes"])
def test_another_choice_of_imports_is_refused(variable: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CHECK_VARIABLE, variable)
    with pytest.raises(UsageError) as raised:
        import_check("onnx")
    assert raised.value.message == f"{CHECK_VARIABLE}={variable}: expected one of all, small, none"
    assert import_check("onnx", True) is not None
    assert import_check("onnx", False) is None
