"""The definition of a Python function, found in its file: which one, its line, and the types that it says."""

from __future__ import annotations

import ast
import linecache
import os
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from stablehlo_py.shapes.compilation.definitions import (
    definition_of,
    location_of,
    own_annotations,
    result_type,
    typed_parameters,
)
from stablehlo_py.shapes.errors import LibraryError
from stablehlo_py.shapes.evaluation.evaluator import Evaluator
from stablehlo_py.shapes.library import Library, library
from stablehlo_py.shapes.types import BOOL, INT, LIST, optional

SOURCE = """from __future__ import annotations


def kept(function):
    return function


def twice(x: Shape) -> Shape:
    return x


first = twice


def twice(x: Shape, y: Shape) -> Shape:
    return y


@kept
@kept
def decorated(a: 'Shape', /, b: int, *, c: bool, d: "int | None" = None) -> 'Shape':
    def inner(x: Shape) -> Shape:
        return x

    return inner


class Holder:
    def method(x: Shape) -> Shape:
        return x


async def later(x: Shape) -> Shape:
    return x


if True:
    def guarded(x: Shape) -> Shape:
        return x

silent = lambda x: x


def bare(x):
    return x
"""


@pytest.fixture
def defined(tmp_path: Path) -> tuple[Path, dict[str, Any]]:
    """A file, and what its functions are called."""
    path = tmp_path / "functions.py"
    path.write_text(SOURCE)
    names: dict[str, Any] = {}
    exec(compile(SOURCE, str(path), "exec"), names)
    return path, names


Defined = tuple[Path, dict[str, Any]]


def test_functions_of_one_name_are_told_apart_by_their_lines(defined: Defined) -> None:
    path, names = defined
    assert own_annotations(names["first"]) == {"x": "Shape"}
    assert own_annotations(names["twice"]) == {"x": "Shape", "y": "Shape"}
    assert [location_of(names[name]) for name in ("first", "twice")] == [f"{path}:8:1", f"{path}:15:1"]
    assert definition_of(names["first"]) is definition_of(names["first"])


def test_a_decorated_function_is_found_and_stands_where_it_is_defined(defined: Defined) -> None:
    path, names = defined
    function = names["decorated"]
    assert ast.unparse(definition_of(function).args) == "a: 'Shape', /, b: int, *, c: bool, d: 'int | None'=None"
    assert location_of(function) == f"{path}:21:1"
    assert own_annotations(function) == {"a": "Shape", "b": "int", "c": "bool", "d": "int | None"}
    assert typed_parameters(function, own_annotations(function)) == [
        ("a", LIST), ("b", INT), ("c", BOOL), ("d", optional(INT)),
    ]  # fmt: skip
    assert result_type(function) == LIST


@pytest.mark.parametrize(
    ("name", "find"),
    [
        ("inner", lambda names: names["decorated"]([], 1, c=True)),
        ("method", lambda names: names["Holder"].method),
        ("later", lambda names: names["later"]),
        ("guarded", lambda names: names["guarded"]),
        ("<lambda>", lambda names: names["silent"]),
    ],
)
def test_functions_that_are_not_at_the_top_level_are_refused(
    name: str, find: Callable[[dict[str, Any]], Any], defined: Defined
) -> None:
    path, names = defined
    function = find(names)
    with pytest.raises(LibraryError) as raised:
        definition_of(function)
    assert raised.value.message == f"{name} is not a function at the top level of its file"
    assert raised.value.location == f"{path}:{function.__code__.co_firstlineno}:1"


def test_a_function_without_annotations_has_no_types(defined: Defined) -> None:
    path, names = defined
    bare = names["bare"]
    assert own_annotations(bare) == {"x": ""}
    with pytest.raises(LibraryError) as raised:
        typed_parameters(bare, own_annotations(bare))
    assert raised.value.message == "parameter 'x' of bare has no type of the language"
    assert raised.value.location == f"{path}:{bare.__code__.co_firstlineno}:1"
    with pytest.raises(LibraryError, match="the signature of bare is outside the language"):
        result_type(bare)
    assert typed_parameters(bare, {}) == []


def test_a_source_that_is_not_there_or_no_python_is_refused(tmp_path: Path) -> None:
    names: dict[str, Any] = {}
    for file, text, said in (
        (tmp_path / "gone.py", None, "No such file"),
        (tmp_path / "broken.py", "def it(:\n", "invalid syntax"),
        (tmp_path / "zero.py", "x = 1\0", "null"),
    ):
        exec(compile("def it(): pass", str(file), "exec"), names)
        if text is not None:
            file.write_text(text)
        with pytest.raises(LibraryError, match=f"cannot read the source of it: .*{said}"):
            definition_of(names["it"])


def test_a_cell_of_a_notebook_is_read_from_what_python_keeps_of_it() -> None:
    cell, text = "<cell 7>", "x = 1\ndef it(a: Shape) -> Shape:\n    return a\n"
    names: dict[str, Any] = {}
    exec(compile(text, cell, "exec"), names)
    linecache.cache[cell] = (len(text), None, text.splitlines(keepends=True), cell)
    try:
        assert own_annotations(names["it"]) == {"a": "Shape"}
        assert location_of(names["it"]) == f"{cell}:2:1"
    finally:
        del linecache.cache[cell]


CHANGING = """from __future__ import annotations
from stablehlo_py.shapes.language import *
from stablehlo_py.shapes.registry import *


def helper(number: int) -> int:
    return number + {added}


@shape_function("stablehlo.custom_call", target="it")
def it({parameter}: Shape) -> Shape:
    return {parameter} + [helper({number})]
"""


def test_a_library_is_read_again_when_its_file_has_changed(tmp_path: Path) -> None:
    """What was loaded before stays as it was, whenever it is compiled."""
    path, loaded = tmp_path / "mine.py", list[Library]()
    versions = [(1, "operand", 7), (2, "operand", 7), (2, "other", 7), (2, "other", 8), (1, "operand", 7)]
    for stamp, (added, parameter, number) in enumerate(versions, 1):
        path.write_text(CHANGING.format(added=added, parameter=parameter, number=number))
        os.utime(path, (stamp, stamp))
        loaded.append(library([path]))
        assert library([path]) is loaded[-1]
    assert len({id(each) for each in loaded}) == len(versions)
    for found, (added, parameter, number) in zip(loaded, versions, strict=True):
        function = found.find("shape", "stablehlo.custom_call", "it")
        assert function is not None
        assert [each.name for each in function.parameters] == [parameter]
        assert function.run({parameter: [5]}) == [[5, number + added]]
        evaluator = Evaluator(SimpleNamespace(procedure_of=found.procedure_of))  # type: ignore[arg-type]
        assert evaluator.run(found.procedure(function), [(5,)]) == ((5, number + added),)
