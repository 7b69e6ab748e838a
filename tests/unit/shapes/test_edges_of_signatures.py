"""Signatures of library functions, the values that they are given, and the codes of element types."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from parsed import parsed, shared_context

from stablehlo_py.bindings import ir, make_context
from stablehlo_py.bindings.walk import operations
from stablehlo_py.shapes import element_types
from stablehlo_py.shapes.compilation.conversions import Conversions
from stablehlo_py.shapes.compilation.definitions import location_of, result_type
from stablehlo_py.shapes.errors import LibraryError
from stablehlo_py.shapes.evaluation.op_arguments import ElementTypes, written
from stablehlo_py.shapes.functions.conversion import bitcast_convert_dtype
from stablehlo_py.shapes.functions.linear_algebra import fft
from stablehlo_py.shapes.library import library
from stablehlo_py.shapes.refinement.actual_sizes import PythonArguments
from stablehlo_py.shapes.registry import BUILT_IN, USERS
from stablehlo_py.shapes.types import NONE, parse_annotation


class Written:
    """Values of library functions as texts."""

    def boolean(self, value: bool) -> str:
        return f"bool {value}"

    def integer(self, value: int) -> str:
        return f"int {value}"

    def integers(self, values: Any) -> str:
        return f"list {list(values)}"


@pytest.mark.parametrize(
    ("annotation", "value", "expected"),
    [
        ("int", 3, ["int 3"]),
        ("bool", True, ["bool True"]),
        ("bool", False, ["bool False"]),
        ("list[int]", [1, 2], ["list [1, 2]"]),
        ("str", "ab", ["list [97, 98]"]),
        ("list[list[int]]", [[1], [], [2, 3]], ["list [1, 2, 3]", "list [1, 0, 2]"]),
        ("int | None", None, ["bool False", "int 0"]),
        ("int | None", 0, ["bool True", "int 0"]),
        ("bool | None", None, ["bool False", "bool False"]),
        ("bool | None", True, ["bool True", "bool True"]),
        ("list[int] | None", None, ["bool False", "list []"]),
        ("list[int] | None", [4], ["bool True", "list [4]"]),
    ],
)
def test_how_values_of_python_are_written(annotation: str, value: Any, expected: list[str]) -> None:
    type_ = parse_annotation(annotation)
    assert type_ is not None
    values: Any = Written()
    assert written(value, type_, values) == expected


def test_records_are_written_field_by_field() -> None:
    fields = {"first": "int", "second": "list[int]"}
    types = [parse_annotation(each) for each in fields.values()]
    record: Any = SimpleNamespace(kind="record", fields=tuple(fields), parts=types)
    values: Any = Written()
    assert written(SimpleNamespace(second=[5], first=4), record, values) == ["int 4", "list [5]"]


def test_codes_of_quantized_types_hold_storage_and_expressed_type() -> None:
    codes, found = element_types.CODES, ElementTypes()
    first, last = "!quant.uniform<i8:f32, 1.0>", "!quant.uniform<i8<-8:7>:bf16:0, {1.0, 2.0}>"
    with make_context():
        quantized = [first, "!quant.uniform<u8:f32, 1.0:5>", last, first]
        read = [found.code(ir.Type.parse(f"tensor<2x{text}>")) for text in quantized]
        plain = [found.code(ir.Type.parse(text)) for text in ("tensor<2xf32>", "i4")]
    pairs = [(0, "i8", "f32"), (1, "ui8", "f32"), (2, "i8", "bf16"), (0, "i8", "f32")]
    parts = [serial * 4096 + codes[storage] * 64 + codes[expressed] for serial, storage, expressed in pairs]
    assert [code - element_types.QUANTIZED for code in read] == parts
    assert plain == [codes["f32"], codes["i4"]]
    assert [found.name(code) for code in read] == [found.quantized[serial] for serial, _, _ in pairs]
    assert all(found.name(code).startswith("!quant.uniform<") for code in read)


def without_result(x: list[int]):  # type: ignore[no-untyped-def]
    return x


def with_more(x: list[int], *more: int) -> list[int]:
    return [*x, *more]


def with_names(x: list[int], **names: int) -> list[int]:
    return [*x, *names.values()]


def of_nothing(x: list[int]) -> object:
    return x


def right(x: list[int]) -> list[int]:
    return x


@pytest.mark.parametrize("function", [without_result, with_more, with_names, of_nothing])
def test_signatures_outside_the_language_are_refused_where_they_stand(function: Any) -> None:
    with pytest.raises(LibraryError) as raised:
        result_type(function)
    assert raised.value.message == f"the signature of {function.__name__} is outside the language"
    assert raised.value.location == location_of(function) == f"{__file__}:{function.__code__.co_firstlineno}:1"
    assert result_type(right) == parse_annotation("list[int]")


def test_types_of_values_that_differ_from_way_to_way() -> None:
    conversions: Any = SimpleNamespace()
    conversions.joined = lambda *given: Conversions.joined(conversions, *given)
    conversions.error = lambda _, message: LibraryError(message)
    names = ("int", "bool", "None", "int | None", "bool | None", "list[int]")
    types = {name: NONE if name == "None" else parse_annotation(name) for name in names}
    expected = {
        ("int", "bool"): "int", ("int", "None"): "int | None", ("bool", "None"): "bool | None",
        ("int", "int | None"): "int | None", ("bool", "int | None"): "int | None", ("None", "int | None"): "int | None",
        ("bool | None", "int | None"): "int | None", ("list[int]", "int"): "",
    }  # fmt: skip
    for (left, right), joined in expected.items():
        for one, other in ((left, right), (right, left)):
            if joined:
                assert conversions.joined(types[one], types[other], None) == parse_annotation(joined), (one, other)
            else:
                with pytest.raises(LibraryError, match="on one way and"):
                    conversions.joined(types[one], types[other], None)


@pytest.mark.parametrize(
    ("operand", "result", "fits"),
    [
        ("f32", "i8", True),
        ("i8", "f32", True),
        ("f64", "f64", True),
        ("f6E2M3FN", "i8", False),
        ("i8", "f6E2M3FN", False),
    ],
)
def test_elements_consist_of_whole_others(operand: str, result: str, fits: bool) -> None:
    codes = element_types.CODES
    if fits:
        assert bitcast_convert_dtype(codes[operand], codes[result]) == codes[result]
        return
    with pytest.raises(AssertionError, match="elements of 8 bits do not consist of elements of 6 bits"):
        bitcast_convert_dtype(codes[operand], codes[result])


@pytest.mark.parametrize("known", element_types.CODES.values())
def test_of_an_unknown_element_type_nothing_is_asked(known: int) -> None:
    assert bitcast_convert_dtype(element_types.UNKNOWN, known) == known
    assert bitcast_convert_dtype(known, element_types.UNKNOWN) == element_types.UNKNOWN


@pytest.mark.parametrize("rank", [1, 2])
def test_shapes_of_fourier_transforms_are_those_of_numpy(rank: int) -> None:
    sizes = [2, 5, 6]
    real, lengths = np.zeros(sizes), sizes[-rank:]
    axes = list(range(3 - rank, 3))
    half = np.fft.rfftn(real, axes=axes)
    longer = [*lengths[:-1], lengths[-1] + 2]
    for kind in ("FFT", "IFFT"):
        assert fft([*sizes], kind, lengths) == fft([*sizes], kind, longer) == fft([*sizes], kind, [9, 6]) == sizes
    assert fft([*sizes], "RFFT", lengths) == list(half.shape)
    assert fft([*half.shape], "IRFFT", lengths) == sizes
    for shape, kind, given in ((sizes, "RFFT", longer), (sizes, "IRFFT", lengths), (half.shape, "IRFFT", longer)):
        with pytest.raises(AssertionError):
            fft([*shape], kind, given)


def test_functions_of_the_package_are_its_own_whoever_registers_others() -> None:
    library()
    mine = [entry for entry in USERS.registrations.values() if entry.function.__module__.startswith("stablehlo_py.")]
    assert mine == []
    own = {entry.function.__module__.partition(".")[0] for entry in BUILT_IN.registrations.values()}
    assert own == {"stablehlo_py"}
    assert len(BUILT_IN.registrations) == BUILT_IN.count > 100


def test_each_group_of_results_has_the_types_of_its_own(tmp_path: Path) -> None:
    """The outputs of a scan come first, and then what it carries, however many there are of either."""
    path = tmp_path / "mine.py"
    path.write_text(
        "from stablehlo_py.extend import *\n"
        '@shape_function("chlo.scan")\n'
        "def scan(outputs: list[Shape], carries: list[Shape]) -> list[Shape]:\n    return outputs + carries\n"
        '@dtype_function("chlo.scan")\n'
        "def scan_dtype(outputs: list[DType], carries: list[DType]) -> list[DType]:\n    return outputs + carries\n"
    )
    for outputs, carried in ((1, 1), (2, 1), (1, 2), (0, 2), (2, 0)):
        texts = [*(f"tensor<{n + 2}x3xf32>" for n in range(outputs)), *(f"tensor<{n + 5}xi8>" for n in range(carried))]
        with shared_context(), ir.Location.unknown():
            segments = {"operand": [0, 0], "result": [outputs, carried]}
            attributes = {f"{word}SegmentSizes": ir.DenseI32ArrayAttr.get(sizes) for word, sizes in segments.items()}
            attributes["dimension"] = ir.Attribute.parse("1 : i64")
            results = list(map(ir.Type.parse, texts))
            op = ir.Operation.create("chlo.scan", results, attributes=attributes, regions=1, ip=False)
        found: dict[str, Any] = {}
        for kind in ("shape", "dtype"):
            function = library([path]).find(kind, "chlo.scan")
            assert function is not None
            given = PythonArguments(op, function)([])
            found[kind] = {name: given[name] for name in ("outputs", "carries")}
        f32, i8 = (element_types.CODES[name] for name in ("f32", "i8"))
        assert found == {
            "shape": {
                "outputs": [[n + 2, 3] for n in range(outputs)],
                "carries": [[n + 5] for n in range(carried)],
            },
            "dtype": {"outputs": [f32] * outputs, "carries": [i8] * carried},
        }


def test_each_region_has_the_types_that_it_returns(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(
        "from stablehlo_py.extend import *\n"
        '@dtype_function("stablehlo.select_and_scatter")\n'
        "def mine(select: list[DType], scatter: list[DType]) -> DType:\n    return scatter[0]\n"
    )
    module = parsed("""func.func @main(%x: tensor<4xf32>, %s: tensor<2xf32>, %i: tensor<f32>) -> tensor<4xf32> {
      %0 = "stablehlo.select_and_scatter"(%x, %s, %i) ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %c = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
        stablehlo.return %c : tensor<i1>
      }, {
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        stablehlo.return %a : tensor<f32>
      }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}
        : (tensor<4xf32>, tensor<2xf32>, tensor<f32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }""")
    op = next(each for each in operations(module.operation) if each.name == "stablehlo.select_and_scatter")
    function = library([path]).find("dtype", op.name)
    assert function is not None
    given = PythonArguments(op, function)([None] * 3)
    assert (given["select"], given["scatter"]) == ([element_types.I1], [element_types.F32])
