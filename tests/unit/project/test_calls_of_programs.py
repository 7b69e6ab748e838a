"""Programs as functions: arguments by place, by name and by their nesting, and what comes back."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from parsed import parsed

import stablehlo_py
from stablehlo_py.errors import ArgumentError, InterpreterError, UsageError
from stablehlo_py.interpreter.program import Program as Plans
from stablehlo_py.program import Program, read_other_form, read_program

TEXT = """func.func @main(
    %p: tensor<i32> loc("p"), %x: tensor<2xi32> loc("x"), %y: tensor<2xi32> loc("y")
) -> (tensor<2xi32>, tensor<i32>) {
  %0 = stablehlo.subtract %x, %y : tensor<2xi32>
  return %0, %p : tensor<2xi32>, tensor<i32>
}
func.func @one(%x: tensor<2xi32> loc("x")) -> tensor<2xi32> { return %x : tensor<2xi32> }
func.func @none(%t: !stablehlo.token loc("t"), %x: tensor<2xi32> loc("x")) { return }
"""
P, X, Y = np.int32(9), np.int32([5, 6]), np.int32([1, 2])


def exported(platforms: tuple[str, ...], kept: tuple[int, ...], index: int = 7) -> tuple[Program, list[Any]]:
    """A program of an export with these platforms, which takes the `kept` of its arguments; and what it is asked."""
    asked = list[Any]()

    def flatten(args: Any, kwargs: Any) -> list[tuple[str, Any]]:
        asked.append((args, kwargs))
        return [(str(number), value) for number, value in enumerate([*args, *kwargs.values()])]

    def unflatten(results: list[Any]) -> Any:
        asked.append(len(results))
        return {"found": [result.tolist() for result in results]}

    export: Any = SimpleNamespace(
        flatten=flatten, unflatten=unflatten, kept=kept, platforms=platforms, platform_index=index
    )
    module = parsed(TEXT)
    return Program(module, Plans(module), "main", export), asked


@pytest.mark.parametrize("platforms", [("cpu",), ("tpu", "cpu"), ("a", "b", "c")])
def test_an_export_for_several_platforms_is_told_which_this_one_is(platforms: tuple[str, ...]) -> None:
    program, asked = exported(platforms, (2, 0))
    if len(platforms) == 1:
        with pytest.raises(ArgumentError):
            program(Y, "left out", X)
        return
    assert program(Y, "left out", x=X) == {"found": [[4, 4], 7]}
    assert asked == [((Y, "left out"), {"x": X}), 2]


@pytest.mark.parametrize("platforms", [("cpu",), ("tpu", "cpu")])
def test_an_export_that_does_not_ask_for_a_platform_gets_none(platforms: tuple[str, ...]) -> None:
    program, _ = exported(platforms, (0, 1, 2))
    assert program(P, X, Y) == {"found": [[4, 4], 9]}
    few, _ = exported(platforms, (0,))
    with pytest.raises(ArgumentError):
        few(X)


@pytest.mark.parametrize(
    ("args", "kwargs"),
    [
        ((P, X, Y), {}),
        ((P,), {"x": X, "y": Y}),
        ((P,), {"y": Y, "x": X}),
        ((), {"y": Y, "p": P, "x": X}),
        ((P, X), {"y": Y}),
    ],
)
def test_arguments_go_by_place_or_by_name(args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    first, second = stablehlo_py.load(TEXT)(*args, **kwargs)
    assert (first.tolist(), int(second)) == ([4, 4], 9)


@pytest.mark.parametrize(
    ("args", "kwargs", "said"),
    [
        ((), {"x": X, "y": Y}, "parameter 'p', which is not given"),
        ((P,), {"x": X}, "parameter 'y', which is not given"),
        ((P,), {"p": P, "x": X, "y": Y}, "no parameter 'p'"),
        ((P, X), {"z": Y}, "no parameter 'z'"),
        ((P, X, Y), {"y": Y}, "no parameter 'y'"),
    ],
)
def test_wrong_names_are_told_with_the_signature(args: tuple[Any, ...], kwargs: dict[str, Any], said: str) -> None:
    program = stablehlo_py.load(TEXT)
    with pytest.raises(ArgumentError) as raised:
        program(*args, **kwargs)
    assert raised.value.message == f"{program.signature} has {said}"
    assert str(program.signature).startswith("@main(p: tensor<i32>, x: tensor<2xi32>, y: tensor<2xi32>) -> (")


def test_a_function_of_the_module_is_a_program() -> None:
    program = stablehlo_py.load(TEXT)
    assert program.functions == ("main", "one", "none")
    one = program.function("one")
    assert one(X).tolist() == [5, 6]
    assert repr(one) == "<stablehlo_py.Program @one(x: tensor<2xi32>) -> (tensor<2xi32>)>"
    assert one.module is program.module
    assert one.export is None
    assert program.function("none")(x=X) is None, "tokens need not be named"
    with pytest.raises(InterpreterError, match="two"):
        program.function("two")
    with pytest.raises(UsageError, match="parameter 'name' takes str, found int"):
        program.function(1)  # type: ignore[arg-type]


def test_arrays_of_a_file_go_by_name_or_by_number(tmp_path: Path) -> None:
    program = stablehlo_py.load(TEXT)
    named, numbered = tmp_path / "named.npz", tmp_path / "numbered.npz"
    np.savez(named, y=Y, p=P, x=X)
    np.savez(numbered, P, X, Y)
    for path in (named, str(numbered)):
        first, second = program.call_npz(path)
        assert (first.tolist(), int(second)) == ([4, 4], 9)
    with pytest.raises(UsageError, match="parameter 'path' takes"):
        program.call_npz(3)  # type: ignore[arg-type]


@pytest.mark.parametrize(("replicas", "partitions"), [(1, 1), (2, 1), (1, 3), (2, 2)])
def test_each_process_of_a_grid_has_its_arguments_and_results(replicas: int, partitions: int) -> None:
    one = stablehlo_py.load(TEXT).function("one")
    count = replicas * partitions
    found = one.run_parallel(
        [[X + number] for number in range(count)], num_replicas=replicas, num_partitions=partitions
    )
    assert [[each.tolist() for each in results] for results in found] == [[[5 + n, 6 + n]] for n in range(count)]
    (alone,) = one.run_parallel([[X]])
    assert [each.tolist() for each in alone] == [[5, 6]]
    with pytest.raises(UsageError, match="parameter 'num_partitions' takes int, found str"):
        one.run_parallel([[X]], num_partitions="1")  # type: ignore[arg-type]


def test_programs_of_other_contexts_are_compared_in_this_one() -> None:
    program, same = stablehlo_py.load(TEXT), stablehlo_py.load(TEXT)
    other = stablehlo_py.load(TEXT.replace("subtract", "add"))
    assert program.module.context is not same.module.context
    assert str(program.diff(same)) == str(program.diff(TEXT)) == str(program.diff(program))
    assert str(program.diff(other)) == "<Diff: 1 changed, 1 inserted, 1 removed>"


def test_a_program_is_a_source_of_programs() -> None:
    program, _ = exported(("cpu",), (0,))
    assert read_program(program) == read_other_form(program) == (program.module, program.export)
