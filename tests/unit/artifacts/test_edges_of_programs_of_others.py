"""Edges of HLO's literals and aliases, of round trips, of types that contain others, and of names of this package."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import stablehlo_py
from stablehlo_py import artifacts
from stablehlo_py.artifacts import soundness
from stablehlo_py.artifacts.bytecode import Bytecode
from stablehlo_py.artifacts.explanation import minimum
from stablehlo_py.artifacts.formats.hlo import _leaf
from stablehlo_py.artifacts.formats.hlo_literals import exact_literals
from stablehlo_py.artifacts.formats.reading import _of_export
from stablehlo_py.artifacts.matrix import compatibility_matrix
from stablehlo_py.artifacts.roundtrip import round_trip
from stablehlo_py.artifacts.versions import Version
from stablehlo_py.errors import ArtifactError, InputError

OTHERS = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.negate %x : tensor<2xf32>
  %1 = math.sin %0 : tensor<2xf32>
  return %1 : tensor<2xf32>
}"""


@pytest.mark.parametrize(
    ("literal", "expected"),
    [
        (b"c64[2] constant({(1, nan), (-0, 3)})",
         b"c64[2] complex(f32[2] constant({1, -0.0}), f32[2] constant({nan, 3}))"),
        (b"c128[] constant((nan, inf))", b"c128[] complex(f64[] constant(nan), f64[] constant(inf))"),
        (b"c64[2]{0} constant({(1, 2), (-0, 3)})", b"c64[2]{0} constant({(1, 2), (-0.0, 3)})"),
        (b"f32[2]{0} constant({nan, -0})", b"f32[2]{0} constant({nan, -0.0})"),
        (b"s32[2]{0} constant({-0, 7})", b"s32[2]{0} constant({-0, 7})"),
        (b"f8e8m0fnu[2] constant({5.88e-39, 1.2e-38})", b"f8e8m0fnu[2] constant({5.877471754111438e-39, 1.2e-38})"),
    ],
)  # fmt: skip
def test_literals_that_xla_reads_otherwise(literal: bytes, expected: bytes) -> None:
    for before, behind in ((b"  x = ", b", metadata={}"), (b"/* c64[] constant((nan, 1)) */ x = ", b"")):
        assert exact_literals(before + literal + behind) == before + expected + behind


def test_values_that_are_left_out_are_told_with_their_place() -> None:
    with pytest.raises(InputError) as raised:
        exact_literals(b"ENTRY e {\n  x = f32[9]{0} constant({...})\n}")
    assert raised.value.location.endswith(":2:17"), raised.value.location


class Shape:
    """A shape of HLO: a tensor, or a tuple of others."""

    def __init__(self, *parts: Shape) -> None:
        self.parts = parts

    def tuple_shapes(self) -> tuple[Shape, ...]:
        return self.parts

    def leaf_count(self) -> int:
        return sum(part.leaf_count() for part in self.parts) if self.parts else 1


def test_elements_of_nested_tuples_are_numbered_in_order() -> None:
    shape = Shape(Shape(), Shape(Shape(), Shape(Shape(), Shape())), Shape())
    paths = [[0], [1, 0], [1, 1, 0], [1, 1, 1], [2]]
    assert [_leaf(shape, path) for path in paths] == [0, 1, 2, 3, 4]


def test_types_that_contain_others_have_bounded_sizes(monkeypatch: pytest.MonkeyPatch) -> None:
    def check(parts: list[list[int]]) -> str:
        tables = SimpleNamespace(types=parts)
        monkeypatch.setattr(soundness, "Tables", lambda _: tables)
        monkeypatch.setattr(soundness, "_parts", lambda _, number: parts[number])
        bytecode: Any = None
        try:
            soundness.check_types(bytecode)
        except ArtifactError as error:
            return error.message
        return ""

    doubled = [[], *[[number, number] for number in range(30)]]
    assert check(doubled[:20]) == ""
    assert "has more than" in check(doubled)
    assert check([[], [0], [0, 1], [2, 2]]) == ""
    assert "type 0 is a part of itself" in check([[0]])
    assert "is a part of itself" in check([[1], [2], [0]])
    assert "is a part of itself" in check([[], [0, 2], [3], [1]])


def test_other_dialects_go_through_artifacts_where_that_is_allowed() -> None:
    module, version = stablehlo_py.parse(OTHERS), Version.parse("1.0.0")
    found = round_trip(module, version, allow_other_dialects=True)
    assert (found.difference, found.differing_results) == (None, None)
    with pytest.raises(ArtifactError, match=r"math\.sin"):
        round_trip(module, version)
    load = ("others", lambda: stablehlo_py.parse(OTHERS))
    refused, taken = compatibility_matrix([load]), compatibility_matrix([load], allow_other_dialects=True)
    assert (refused.rows[0].minimum, taken.rows[0].minimum is not None) == (None, True)
    assert "math.sin" in refused.rows[0].problem


@pytest.mark.parametrize(("has_inputs", "has_function"), [(True, True), (True, False), (False, True), (False, False)])
def test_results_of_a_round_trip_are_compared_if_both_are_given(has_inputs: bool, has_function: bool) -> None:
    module = stablehlo_py.parse("func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> { return %x : tensor<2xf32> }")
    counts = iter(range(9))

    def evaluate(_: Any, inputs: Any) -> list[np.ndarray]:
        return [inputs[0], np.float32(next(counts)), np.float32(np.nan)]

    found = round_trip(
        module,
        Version.parse("1.0.0"),
        inputs=[np.zeros(2, np.float32)] if has_inputs else None,
        evaluate=evaluate if has_function else None,
    )
    assert found.differing_results == ((1,) if has_inputs and has_function else None)


def test_errors_in_an_export_name_it() -> None:
    export: Any = SimpleNamespace(name="model.export", program=b"func.func @main() {\n  wrong\n}")
    with pytest.raises(stablehlo_py.StablehloError) as raised:
        _of_export(export)
    assert raised.value.location.startswith("model.export:2:")


def test_names_of_the_package_are_loaded_when_they_are_asked_for() -> None:
    for name in artifacts.__all__:
        assert getattr(artifacts, name).__module__.startswith("stablehlo_py.artifacts."), name
    with pytest.raises(AttributeError, match=r"module 'stablehlo_py\.artifacts' has no attribute 'nothing'"):
        artifacts.nothing  # noqa: B018


def test_what_is_no_bytecode_is_told_with_what_writes_some() -> None:
    remedy = "write a portable artifact with: stablehlo-translate --serialize --target=current"
    text, archive = "it begins with b'func' instead of b'ML\\xefR'", "this is "
    for data, said in ((b"func.func @main", text), (b"PK\x03\x04" + bytes(40), archive)):
        with pytest.raises(ArtifactError) as raised:
            Bytecode(data)
        assert raised.value.message.startswith(f"this is not MLIR bytecode: {said}")
        assert raised.value.notes[-1] == remedy
    with pytest.raises(ArtifactError, match="the file is empty") as raised:
        Bytecode(b"")
    assert raised.value.notes == ("a portable artifact or MLIR bytecode was expected",)


def test_the_oldest_version_of_a_program_with_other_dialects_is_told_on_demand() -> None:
    module = stablehlo_py.parse(OTHERS)
    with pytest.raises(ArtifactError):
        minimum(module)
    found = minimum(module, allow_other_dialects=True)
    assert (found.version, found.held_by) == (Version.parse("0.9.0"), ())
