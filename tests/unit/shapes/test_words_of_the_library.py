"""Signatures, stubs, annotations and registrations of library functions, and sizes that are checked while running."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from stablehlo_py.bindings import ir, make_context
from stablehlo_py.bindings.op_signatures import op_signature
from stablehlo_py.bindings.walk import operations
from stablehlo_py.errors import InterpreterError
from stablehlo_py.shapes import registry
from stablehlo_py.shapes.element_types import BITS, CODES, NAMES, TYPES
from stablehlo_py.shapes.errors import LibraryError
from stablehlo_py.shapes.library import LibraryFunction, library
from stablehlo_py.shapes.refinement.actual_sizes import PythonArguments, SizeCheck
from stablehlo_py.shapes.registry import Collection, ErrorInvocation, Invocation, Registration, cases, collecting
from stablehlo_py.shapes.signatures import DTYPE, SHAPE, VALUE_OPERANDS, expected_parameters, stub, stub_file
from stablehlo_py.shapes.types import (
    BOOL,
    INT,
    LIST,
    LISTS,
    NONE,
    OPAQUE,
    LibraryType,
    optional,
    parse_annotation,
    type_of,
)

STUBS = {
    "stablehlo.transpose": "transpose(operand: Shape, permutation: list[int])",
    "stablehlo.dynamic_pad": "dynamic_pad(operand: Shape, padding_value: Shape, edge_padding_low: Values, "
    "edge_padding_high: Values, interior_padding: Values, result: Shape)",
    "stablehlo.dynamic_conv": "dynamic_conv(lhs: Shape, rhs: Shape, padding: PairValues, "
    "dimension_numbers: ConvDimensionNumbers, feature_group_count: int, batch_group_count: int, "
    "window_strides: list[int] | None, lhs_dilation: list[int] | None, rhs_dilation: list[int] | None, "
    "window_reversal: Attribute, precision_config: Attribute, result: Shape)",
    "stablehlo.get_tuple_element": "get_tuple_element(operand: list[Shape], index: int)",
    "stablehlo.constant": "constant(value: Shape)",
    "stablehlo.concatenate": "concatenate(inputs: list[Shape], dimension: int)",
    "stablehlo.reduce": "reduce(inputs: list[Shape], init_values: list[Shape], dimensions: list[int], "
    "body: list[Shape], result: list[Shape])",
    "stablehlo.gather": "gather(operand: Shape, start_indices: Shape, dimension_numbers: GatherDimensionNumbers, "
    "slice_sizes: list[int], indices_are_sorted: bool)",
    "stablehlo.all_gather": "all_gather(operands: list[Shape], all_gather_dim: int, "
    "replica_groups: list[list[int]], channel_handle: int | None, use_global_device_ids: bool, result: list[Shape])",
    "stablehlo.fft": "fft(operand: Shape, fft_type: str, fft_length: list[int])",
    "stablehlo.set_dimension_size": "set_dimension_size(operand: Shape, size: Value, dimension: int)",
    "stablehlo.rng": "rng(a: Shape, b: Shape, shape: Values, rng_distribution: Attribute)",
    "stablehlo.iota": "iota(iota_dimension: int, output: Shape)",
    "stablehlo.and": "and_(lhs: Shape, rhs: Shape)",
    "chlo.top_k": "chlo_top_k(operand: Shape, k: int, is_stable: bool)",
    "chlo.constant_like": "chlo_constant_like(operand: Shape, value: Shape)",
}


@pytest.mark.parametrize("op", STUBS)
def test_stubs_have_the_signature_of_the_op(op: str) -> None:
    assert stub(op, SHAPE) == f'@shape_function("{op}")\ndef {STUBS[op]} -> Shape:\n'
    name, parameters = STUBS[op].split("(", 1)
    for word in ("PairValues", "Values", "Value", "Shape"):
        parameters = parameters.replace(f": {word}", ": DType").replace(f"[{word}]", "[DType]")
    assert stub(op, DTYPE) == f'@dtype_function("{op}")\ndef {name.rstrip("_")}_dtype({parameters} -> DType:\n'


def test_stub_files_import_what_they_use_and_reject_everything() -> None:
    lines = stub_file("stablehlo.gather").splitlines()
    assert lines[0] == (
        "from stablehlo_py.extend import DType, GatherDimensionNumbers, Shape, dtype_function, shape_function"
    )
    assert lines[5:7] == ['    assert False, "not written yet"', "    return []"]
    assert lines[-2:] == ['    assert False, "not written yet"', "    return 0"]


@pytest.mark.parametrize(
    ("op", "hint"),
    [
        ("stablehlo.gathr", "; did you mean stablehlo.gather?"),
        ("chlo.top_kk", "; did you mean chlo.top_k?"),
        ("foo", ""),
    ],
)
def test_stubs_of_ops_that_are_unknown(op: str, hint: str) -> None:
    with pytest.raises(LibraryError) as raised:
        stub(op, SHAPE)
    assert raised.value.message == f"the bindings know no op class of '{op}'{hint}"


def test_parameters_know_their_place_in_the_op() -> None:
    signature = op_signature("stablehlo.reduce")
    assert signature is not None
    found = {each.name: (each.source, each.index) for each in expected_parameters(signature, SHAPE)}
    assert found == {
        "inputs": ("operands", 0),
        "init_values": ("operands", 1),
        "dimensions": ("attribute", 0),
        "body": ("region", 0),
        "result": ("results", 0),
    }
    for op, name in VALUE_OPERANDS:
        signature = op_signature(op)
        assert signature is not None
        assert name in [operand.name for operand in signature.operands], (op, name)


TYPE_TEXTS = {
    "int": INT,
    "bool": BOOL,
    "str": LIST,
    "Shape": LIST,
    "DType": INT,
    "Value": INT,
    "Values": LIST,
    "PairValues": LISTS,
    "Attribute": OPAQUE,
    "None": NONE,
    " list[int] ": LIST,
    "list[bool]": LIST,
    "list[Shape]": LISTS,
    "list[DType]": LIST,
    "list[list[int]]": LISTS,
    "int | None": optional(INT),
    "Attribute | None": OPAQUE,
    "None | None": NONE,
    "int | None | None": optional(INT),
    "tuple[int, list[int]]": LibraryType("tuple", (INT, LIST)),
    "tuple[int, int | None]": LibraryType("tuple", (INT, optional(INT))),
    "tuple[int]": None,
    "tuple[int, float]": None,
    "float": None,
    "float | None": None,
    "list[float]": None,
}


@pytest.mark.parametrize("text", TYPE_TEXTS)
def test_annotations_spell_types(text: str) -> None:
    wanted = TYPE_TEXTS[text]
    assert parse_annotation(text) == wanted
    if wanted is None:
        with pytest.raises(LibraryError) as raised:
            type_of(text)
        assert raised.value.message == f"{text} is no type of the library language"
    else:
        assert type_of(text) == wanted


def test_records_have_the_fields_of_their_dimension_numbers() -> None:
    found = type_of("DotDimensionNumbers")
    assert found.kind == "record"
    assert dict(zip(found.fields, found.parts, strict=True)) == {
        "lhs_batching_dimensions": LIST,
        "rhs_batching_dimensions": LIST,
        "lhs_contracting_dimensions": LIST,
        "rhs_contracting_dimensions": LIST,
    }


@pytest.mark.parametrize(
    ("type_", "text"),
    [
        (INT, "int"),
        (LIST, "list[int]"),
        (LISTS, "list[list[int]]"),
        (NONE, "None"),
        (optional(LIST), "list[int] | None"),
        (LibraryType("tuple", (INT, BOOL)), "tuple[int, bool]"),
    ],
)
def test_types_are_written_as_annotations(type_: LibraryType, text: str) -> None:
    assert str(type_) == text


def test_codes_of_element_types_are_their_places() -> None:
    assert [CODES[name] for name in NAMES] == list(range(len(NAMES)))
    bits = dict(zip(TYPES, BITS, strict=True))
    assert [bits[name] for name in ("i1", "i2", "ui4", "f6E2M3FN", "bf16", "complex<f64>")] == [1, 2, 4, 6, 16, 128]


def test_functions_are_registered_once_unless_the_last_one_wins() -> None:
    first, second = (Registration(SHAPE, "stablehlo.custom_call", "it", function) for function in (len, max))
    for replaces in (False, True):
        collection = Collection(replaces=replaces)
        collection.add(first)
        collection.add(Registration(DTYPE, "stablehlo.custom_call", "it", len))
        collection.add(Registration(SHAPE, "stablehlo.custom_call", "other", len))
        if replaces:
            collection.add(second)
        else:
            with pytest.raises(LibraryError) as raised:
                collection.add(second)
            assert raised.value.message == ("'stablehlo.custom_call @it' already has a shape function in this library")
        kept = collection.registrations[SHAPE, "stablehlo.custom_call", "it"]
        assert (kept, collection.count) == ((second if replaces else first), 4)
    plain = Collection()
    plain.add(Registration(SHAPE, "my.op", "", len))
    with pytest.raises(LibraryError, match=r"^error: 'my\.op' already has a shape function in this library$"):
        plain.add(Registration(SHAPE, "my.op", "", max))
    assert [first.symbol, Registration(DTYPE, "my.op", "", len).symbol] == [
        "stablehlo.custom_call.shape.it",
        "my.op.dtype",
    ]


def first(inputs: list[list[int]]) -> list[int]:
    return [1]


def second(inputs: list[list[int]]) -> list[int]:
    return [2]


def test_the_last_function_of_a_user_wins_as_soon_as_it_is_registered() -> None:
    key = (SHAPE, "stablehlo.custom_call", "tests.twice")
    try:
        for made, size in ((first, 1), (second, 2)):
            made.__module__ = "script"
            registry.shape_function(key[1], target=key[2])(made)
            assert registry.USERS.registrations[key].function is made
            found = library().find(*key)
            assert found is not None
            assert found.run({"inputs": []}) == [[size]]
        assert key not in registry.BUILT_IN.registrations
    finally:
        registry.USERS.registrations.pop(key, None)


def test_what_is_defined_inside_is_collected_there(monkeypatch: pytest.MonkeyPatch) -> None:
    users = Collection(replaces=True)
    monkeypatch.setattr(registry, "USERS", users)

    def function(operand: list[int]) -> list[int]:
        return operand

    with collecting() as outer:
        registry.shape_function("my.one")(function)
        with collecting() as inner:
            registry.dtype_function("my.two", "my.three")(function)
        registry.decomposition("my.four")(function)
    registry.shape_function("stablehlo.custom_call", target="t")(function)
    assert list(outer.registrations) == [(SHAPE, "my.one", ""), ("decomposition", "my.four", "")]
    assert list(inner.registrations) == [(DTYPE, "my.two", ""), (DTYPE, "my.three", "")]
    assert list(users.registrations) == [(SHAPE, "stablehlo.custom_call", "t")]
    with pytest.raises(LibraryError, match=r"only custom_call and composite have targets, 'my\.one' does not"):
        registry.shape_function("my.one", target="t")


def test_a_case_keeps_what_it_is_given() -> None:
    plain = Invocation()
    assert vars(plain) == {"operands": (), "returns": (), "attributes": {}, "values": {}, "regions": ()}
    full = Invocation("f32", ["i1", "i2"], returns=["f32", "i1"], values={"n": 3}, regions=["a", "b"], k=1, dim=[2])
    assert vars(full) == {
        "operands": ("f32", ["i1", "i2"]),
        "returns": ("f32", "i1"),
        "attributes": {"k": 1, "dim": [2]},
        "values": {"n": 3},
        "regions": ("a", "b"),
    }
    assert (full.match, plain == Invocation(), full == plain) == ("", True, False)
    wrong = ErrorInvocation("f32", returns="i1", match="no", accepted_officially="why", values={"n": 3}, k=1)
    assert vars(wrong) == {
        "operands": ("f32",), "returns": ("i1",), "attributes": {"k": 1}, "values": {"n": 3}, "regions": (),
        "match": "no", "accepted_officially": "why",
    }  # fmt: skip
    more = wrong.completed({"k": 2, "m": 3})
    assert vars(more) == {**vars(wrong), "attributes": {"k": 1, "m": 3}}
    assert (type(more), wrong.attributes) == (ErrorInvocation, {"k": 1})


def test_cases_belong_to_the_ops_that_they_name() -> None:
    one, two, wrong = Invocation("f32", a=1), Invocation("2xf32", returns="2xf32"), ErrorInvocation("i1", match="no")

    @cases(one, a=7, b=8)
    @cases(two, wrong, ops=("my.two",), a=9)
    def function(operand: list[int]) -> list[int]:
        return operand

    with collecting() as found:
        registry.shape_function("my.one", "my.two")(function)
    first, second = (found.registrations[SHAPE, op, ""].cases for op in ("my.one", "my.two"))
    assert [each.attributes for each in first] == [{"a": 1, "b": 8}]
    assert [each.attributes for each in second] == [{"a": 9}, {"a": 9}]
    assert (two.returns, one.returns, one.values, one.regions) == (("2xf32",), (), {}, ())
    assert one.attributes == {"a": 1}, "the case itself stays"
    assert (wrong.match, wrong.accepted_officially) == ("no", "")
    with pytest.raises(LibraryError, match=r"function has cases of 'my\.two', whose shape function it is not"):
        registry.shape_function("my.one")(function)


def run(function: Callable[..., Any], annotation: str, kind: str = SHAPE) -> list[Any]:
    """The results of a library function for the arguments a to e, of which it takes some."""
    found = LibraryFunction(Registration(kind, "my.op", "", function), ())
    found.__dict__["type"] = parse_annotation(annotation)
    return found.run({"a": [1], "b": [2], "c": 3, "d": 4, "e": 5})


def test_a_function_gets_the_arguments_that_it_takes() -> None:
    def by_place(a: list[int], b: list[int], /) -> list[int]:
        return a + b

    def by_name(b: list[int], c: int) -> list[int]:
        local = c
        return [*b, local]

    def by_name_alone(*, d: int, e: int) -> list[int]:
        return [d, e]

    def in_each_way(a: list[int], /, b: list[int], *, e: int, d: int) -> list[int]:
        many = [*a, *b]
        return [*many, e, d]

    found = [run(each, "Shape") for each in (by_place, by_name, by_name_alone, in_each_way)]
    assert found == [[[1, 2]], [[2, 3]], [[4, 5]], [[1, 2, 5, 4]]]


def test_results_are_one_for_each_of_the_op() -> None:
    assert run(lambda: ([1], [2, 3]), "tuple[Shape, Shape]") == [[1], [2, 3]]
    assert run(lambda: [[1], [2, 3]], "list[Shape]") == [[1], [2, 3]]
    assert run(lambda: [1, 2], "Shape") == [[1, 2]]
    assert run(lambda: [1, 2], "list[DType]", DTYPE) == [1, 2]
    assert run(lambda: 7, "DType", DTYPE) == [7]
    assert run(lambda: (7, 8), "tuple[DType, DType]", DTYPE) == [7, 8]


def test_constraints_hold_where_python_leaves_out_assertions() -> None:
    code = "from stablehlo_py.shapes.functions.shared import same; assert False; same([2], [3])"
    ended = subprocess.run([sys.executable, "-O", "-c", code], capture_output=True, text=True, check=False)
    assert ended.stderr.splitlines()[-1] == "AssertionError: dimension 0 of the operands differs, 2 and 3"


# Sizes while a program runs -----------------------------------------------------------------------------------------

CHECKED: dict[str, tuple[str, list[tuple[list[Any], str]]]] = {
    "add": (
        "%0 = stablehlo.add %d, %e : tensor<?xf32>",
        [([(2,), (2,)], ""), ([(2,), (3,)], "dimension 0 of the operands differs, 2 and 3")],
    ),
    "concatenate": (
        "%0 = stablehlo.concatenate %d, %e, dim = 0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<5xf32>",
        [([(2,), (3,)], ""), ([(2,), (2,)], "dimension 0 of result 0")],
    ),
    "dynamic_reshape": (
        "%0 = stablehlo.dynamic_reshape %d, %n : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x3xf32>",
        [
            ([(6,), np.array([2, 3], np.int32)], ""),
            ([(6,), np.array([3, 3], np.int32)], "elements"),
            ([(6,), np.array([3, 2], np.int32)], "dimension 1 of result 0"),
        ],
    ),
}


@pytest.mark.parametrize("name", CHECKED)
def test_sizes_are_checked_by_the_shape_function(name: str) -> None:
    line, rows = CHECKED[name]
    with make_context():
        text = f"func.func @f(%d: tensor<?xf32>, %e: tensor<?xf32>, %n: tensor<2xi32>) {{\n  {line}\n  return\n}}"
        module = ir.Module.parse(text)
        op = next(op for op in operations(module.operation) if op.name == f"stablehlo.{name}")
        check = SizeCheck(op)
        for _ in range(2):  # what fits is remembered, and what does not is told again
            for given, said in rows:
                arrays = [each if isinstance(each, np.ndarray) else np.zeros(each, np.float32) for each in given]
                if not said:
                    check(arrays)
                    continue
                with pytest.raises(InterpreterError) as raised:
                    check(arrays)
                assert said in raised.value.message
                assert raised.value.location.endswith(":2:8")
                assert f"'stablehlo.{name}' op" in str(raised.value)
        assert str(module.operation).count("tensor<?xf32>") >= 2, "the program's own types stay"


def test_arguments_of_shape_functions_are_taken_from_operands() -> None:
    with make_context():
        text = "func.func @f(%d: tensor<?xf32>, %n: tensor<2xi32>) {\n  "
        text += "%0 = stablehlo.dynamic_reshape %d, %n : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x3xf32>\n  return\n}"
        module = ir.Module.parse(text)
        op = next(op for op in operations(module.operation) if op.name == "stablehlo.dynamic_reshape")
        function = library().find(SHAPE, op.name)
        assert function is not None
        arguments = PythonArguments(op, function)
        assert arguments.with_elements == [1]
        found = arguments([np.zeros(6), np.array([2, 3])])
        assert found == {"operand": [6], "output_shape": [2, 3], "result": [-1, 3]}
        again = arguments([np.zeros(6), np.array([2, 3])])
        assert again["result"] is not found["result"], "a function may change its lists"


FILE = "from stablehlo_py.shapes.language import *\nfrom stablehlo_py.shapes.registry import *\n"
MINE = """
@KIND_function("stablehlo.custom_call", target="mine")
def mine(NAME: SORT) -> RESULT:
    return RETURNED
"""


def written(kind: str, returned: str) -> str:
    words = {"shape": ("inputs", "list[Shape]", "Shape"), "dtype": ("inputs", "list[int]", "int")}[kind]
    text = MINE.replace("KIND", kind).replace("RETURNED", returned)
    for placeholder, word in zip(("NAME", "SORT", "RESULT"), words, strict=True):
        text = text.replace(placeholder, word)
    return FILE + text


def test_a_file_is_read_again_once_it_has_changed(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    for second, size in enumerate((3, 4, 4, 5)):
        path.write_text(written("shape", f"[{size}]"))
        os.utime(path, (second, second))
        found = library([path])
        mine = found.find(SHAPE, "stablehlo.custom_call", "mine")
        assert mine is not None
        assert mine.run({"inputs": []}) == [[size]]
        assert library([path]) is found


@pytest.mark.parametrize("kind", ["shape", "dtype"])
def test_a_function_of_a_file_that_cannot_be_compiled_is_an_error_before_anybody_asks_for_it(
    kind: str, tmp_path: Path
) -> None:
    path = tmp_path / "mine.py"
    path.write_text(written(kind, "unknown_name"))
    with pytest.raises(LibraryError, match="unknown_name") as raised:
        library([path])
    assert raised.value.location.startswith(f"{path}:6:"), raised.value


def test_functions_of_an_op_are_of_no_other() -> None:
    found = library()
    every = found.functions()
    by_op: dict[str, list[str]] = {}
    for each in every:
        by_op.setdefault(each.registration.op, []).append(each.symbol)
    assert {"stablehlo.reduce", "stablehlo.reduce_window", "stablehlo.dot", "stablehlo.dot_general"} <= {*by_op}
    for op, symbols in by_op.items():
        assert [each.symbol for each in found.functions(op=op)] == symbols
    assert found.functions(op="stablehlo.") == []
