"""Attributes as Python values, positions of ops in a text, and what `parse` and `interpret` take."""

from __future__ import annotations

import os
import re
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import stablehlo_py
from stablehlo_py.bindings import ir, make_context
from stablehlo_py.bindings.attributes import (
    callee_of,
    enum_of,
    ints_of,
    is_private,
    string_of,
    symbol_name,
    symbol_of,
    symbol_rows,
)
from stablehlo_py.bindings.walk import children, operations
from stablehlo_py.syntax import Source
from stablehlo_py.syntax.positions import positions_in_text

TEXT = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = func.call @helper(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32> loc("else.py":9:9)
}
func.func private @helper(%x: tensor<2xf32>) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}
func.func public @open() {
  return
}"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("array<i64: 3, -1>", (3, -1)),
        ("array<i64>", ()),
        ("dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>", (1, 2, 3, 4)),
        ("dense<7> : tensor<2xi32>", (7, 7)),
        ("[5 : i64, -6 : i32]", (5, -6)),
        ("array<i32: 8, 9>", (8, 9)),
    ],
)
def test_lists_of_integers_in_any_attribute(text: str, expected: tuple[int, ...]) -> None:
    found = ints_of(ir.Attribute.parse(text, make_context()))
    assert (found, {type(number) for number in found}) == (expected, {int} if expected else set())


def test_names_and_values_in_attributes() -> None:
    context = make_context()
    read = [ir.Attribute.parse(text, context) for text in ('"a b"', "@name", "[[@a, @b], [@c]]")]
    assert (string_of(read[0]), symbol_of(read[1]), symbol_rows(read[2])) == ("a b", "name", [["a", "b"], ["c"]])
    for text in (
        *("#stablehlo<comparison_direction LT>", "#stablehlo<precision HIGHEST>", "#chlo<comparison_type FLOAT>"),
        *("#vhlo<transpose_v1 NO_TRANSPOSE>", "#stablehlo.result_accuracy_mode<DEFAULT>"),
    ):
        assert enum_of(ir.Attribute.parse(text, context)) == re.split("[ <>]", text)[-2], text


def test_functions_and_their_callers() -> None:
    module = stablehlo_py.parse(TEXT)
    functions = children(module.operation)
    assert {symbol_name(one): is_private(one) for one in functions} == {"main": False, "helper": True, "open": False}
    assert [callee_of(op) for op in operations(functions[0])] == ["", "helper", ""]


def test_positions_are_those_of_the_text_whatever_locations_say() -> None:
    assert positions_in_text(Source("a.mlir", TEXT.encode()), make_context()) == {
        ("main", 0): ("func.func", "a.mlir:1:1"),
        ("main", 1): ("func.call", "a.mlir:2:8"),
        ("main", 2): ("func.return", "a.mlir:3:3"),
        ("helper", 0): ("func.func", "a.mlir:5:1"),
        ("helper", 1): ("func.return", "a.mlir:6:3"),
        ("open", 0): ("func.func", "a.mlir:8:1"),
        ("open", 1): ("func.return", "a.mlir:9:3"),
    }


def test_programs_come_from_texts_files_and_pipes(tmp_path: Path) -> None:
    path, pipe = tmp_path / "a.mlir", tmp_path / "pipe"
    path.write_text(TEXT)
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_text(TEXT))
    writer.start()
    through_pipe = stablehlo_py.parse(pipe)
    writer.join()
    assert str(through_pipe) == str(stablehlo_py.parse(path)) == str(stablehlo_py.parse(TEXT))
    for source, options, place in (
        ("wrong", {}, "<string>:1:1"), ("wrong", {"source_name": "mine"}, "mine:1:1"),
    ):  # fmt: skip
        arguments: dict[str, Any] = options
        with pytest.raises(stablehlo_py.ParseError) as raised:
            stablehlo_py.parse(source, **arguments)
        assert raised.value.location == place
    other = TEXT.replace("func.call @helper(%x) :", '"other.op"(%x) :')
    with pytest.raises(stablehlo_py.ParseError):
        stablehlo_py.parse(other)
    assert "other.op" in str(stablehlo_py.parse(other, allow_unregistered_dialects=True))


def test_interpret_takes_a_text_and_the_name_of_a_function() -> None:
    x = np.array([1, 2], np.float32)
    assert [array.tolist() for array in stablehlo_py.interpret(TEXT, [x])] == [[1, 2]]
    assert stablehlo_py.interpret(TEXT, [], function="open") == []
