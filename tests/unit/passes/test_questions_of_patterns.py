"""Answers to the questions that patterns ask of types, constants and parts of a program, at every edge."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack

import numpy as np
import pytest

from stablehlo_py.bindings import ir, make_context
from stablehlo_py.passes.matching import (
    all_known,
    constant_array,
    constant_bytes,
    constant_int,
    constant_ints,
    is_constant,
    is_neutral,
    splat_value,
)
from stablehlo_py.passes.report import PassReport, PassStatistics, ReportCollection
from stablehlo_py.passes.rewriter import compact, filled
from stablehlo_py.passes.rewriting import RewriteOptions, apply_patterns, inner_ops, pattern, snapshot_of
from stablehlo_py.passes.snapshot.facts import TypeFacts
from stablehlo_py.passes.snapshot.parts import Op, Value, any_operation, blocks, captured_values, within


@pytest.fixture(autouse=True)
def _context() -> Iterator[None]:
    with make_context(allow_unregistered_dialects=True), ir.Location.unknown():
        yield


@pytest.fixture
def opened() -> Iterator[ExitStack]:
    """What keeps the snapshots of a test alive."""
    with ExitStack() as stack:
        yield stack


def ops_of(text: str, opened: ExitStack) -> list[Op]:
    """The ops of a snapshot of a program, each after those in its regions."""
    snapshot = opened.enter_context(snapshot_of(ir.Module.parse(text).operation, PassReport()))
    return inner_ops(snapshot.root)


def constant(attribute: str, type_: str, opened: ExitStack) -> Value:
    head = f"func.func @main() -> {type_} {{"
    ops = ops_of(f"{head} %0 = stablehlo.constant {attribute} : {type_} return %0 : {type_} }}", opened)
    return ops[0].results[0]


FLOAT = {"add": ["-0.0"], "subtract": ["0.0"], "multiply": ["1.0"], "divide": ["1.0"]}
OTHERS = ("maximum", "minimum", "power", "and", "or", "xor")


@pytest.mark.parametrize(
    ("element", "neutral", "others"),
    [
        ("f32", FLOAT | {"maximum": ["0xFF800000"], "minimum": ["0x7F800000"]}, ["2.0", "-1.0", "0x7FC00000"]),
        ("bf16", FLOAT | {"maximum": ["0xFF80"], "minimum": ["0x7F80"]}, ["2.0", "-1.0", "0x7FC0"]),
        ("f8E4M3B11FNUZ", FLOAT | {"add": ["0.0"]}, ["2.0", "-1.0", "-2.0"]),  # it has no other zero
        (
            "i8",
            {"add": ["0"], "subtract": ["0"], "multiply": ["1"], "divide": ["1"], "maximum": ["-128"],
             "minimum": ["127"], "and": ["-1"], "or": ["0"], "xor": ["0"]},
            ["2", "-2", "-127", "126"],
        ),
        (
            "ui8",
            {"add": ["0"], "subtract": ["0"], "multiply": ["1"], "divide": ["1"], "maximum": ["0"],
             "minimum": ["255"], "and": ["255"], "or": ["0"], "xor": ["0"]},
            ["2", "254", "127"],
        ),
    ],
)  # fmt: skip
def test_what_is_neutral_is_so_for_the_element_type_alone(
    element: str, neutral: dict[str, list[str]], others: list[str], opened: ExitStack
) -> None:
    known = {"0.0", "-0.0", "1.0"} if element.startswith(("f", "bf")) else {"0", "1"}
    if "FNUZ" in element:
        known -= {"-0.0"}
    numbers = {*known, *others, *(each for several in neutral.values() for each in several)}
    if "FNUZ" in element:
        numbers -= {"-0.0"}
    for number in sorted(numbers):
        value = constant(f"dense<{number}>", f"tensor<2x{element}>", opened)
        for op in {*FLOAT, *OTHERS}:
            if op in ("maximum", "minimum") and "FNUZ" in element:
                continue
            assert is_neutral(op, value) == (number in neutral.get(op, [])), f"{op} with {number}"


def test_nothing_is_neutral_that_is_no_splat_of_real_numbers(opened: ExitStack) -> None:
    complex_ = constant("dense<(1.0, 0.0)>", "tensor<2xcomplex<f32>>", opened)
    several = constant("dense<[1, 2]>", "tensor<2xi32>", opened)
    empty = constant("dense<1>", "tensor<0xi32>", opened)
    (argument, *_) = ops_of("func.func @main(%x: tensor<2xi32>) { %0 = stablehlo.abs %x : tensor<2xi32> return }",
                            opened)  # fmt: skip
    for value in (complex_, several, empty, argument.operands[0], argument.results[0]):
        assert not is_neutral("multiply", value)


@pytest.mark.parametrize(
    ("attribute", "type_", "splat", "ints", "size"),
    [
        ("dense<7>", "tensor<3xi32>", 7, [7, 7, 7], 4),
        ("dense<[7, 8]>", "tensor<2xi32>", None, [7, 8], 8),
        ("dense<[7, 7]>", "tensor<2xi32>", 7, [7, 7], 4),
        ("dense<-1>", "tensor<i8>", -1, [-1], 1),
        ("dense<255>", "tensor<1xui8>", 255, [255], 1),
        ("dense<true>", "tensor<2xi1>", True, [1, 1], 1),
        ("dense<2.5>", "tensor<2x2xf64>", 2.5, None, 8),
        ("dense<>", "tensor<0xi32>", None, [], 0),
    ],
)
def test_constants_are_read_as_what_they_hold(
    attribute: str, type_: str, splat: object, ints: list[int] | None, size: int, opened: ExitStack
) -> None:
    value = constant(attribute, type_, opened)
    assert is_constant(value)
    assert value.op is not None
    assert splat_value(value) == splat
    assert constant_ints(value) == ints
    assert constant_int(value) == (ints[0] if ints and len(ints) == 1 else None)
    assert constant_bytes(value.op) == size
    array = constant_array(value)
    assert array is not None
    assert array.shape == value.tensor.shape
    assert not array.flags.writeable or array.size == 0


@pytest.mark.parametrize(
    ("line", "ints"),
    [
        ("shape.const_shape [3, 3] : tensor<2xindex>", [3, 3]),
        ("shape.const_shape [3, 4] : tensor<2xindex>", [3, 4]),
        ("stablehlo.constant() {value = dense<1> : tensor<2xi8>} : () -> tensor<2x!quant.uniform<i8:f32, 0.5>>", None),
    ],
)
def test_constants_of_other_kinds_repeat_no_element(line: str, ints: list[int] | None, opened: ExitStack) -> None:
    line = f'"stablehlo.constant"{line.removeprefix("stablehlo.constant")}' if ints is None else line
    op, *_ = ops_of(f"func.func @main() {{ %0 = {line} return }}", opened)
    (value,) = op.results
    assert is_constant(value)
    assert splat_value(value) is None
    assert constant_ints(value) == ints
    assert (constant_array(value) is None) == (ints is None)


def test_of_what_is_no_constant_nothing_is_known(opened: ExitStack) -> None:
    op, *_ = ops_of("func.func @main(%x: tensor<i32>) { %0 = stablehlo.abs %x : tensor<i32> return }", opened)
    assert constant_bytes(op) == 0
    for value in (op.operands[0], op.results[0]):
        assert not is_constant(value)
        assert (splat_value(value), constant_ints(value), constant_int(value), constant_array(value)) == (None,) * 4
    assert all_known([1, None]) is None
    assert all_known([0, 1]) == [0, 1]
    assert all_known([]) == []


@pytest.mark.parametrize(
    ("text", "shape", "count", "has_array", "is_plain"),
    [
        ("tensor<2x3xf32>", (2, 3), 6, True, True),
        ("tensor<f32>", (), 1, True, True),
        ("tensor<0x3xi8>", (0, 3), 0, True, True),
        ("tensor<?x3xi8>", None, None, False, False),
        ("tensor<?x3xi8, #stablehlo.bounds<2, ?>>", None, None, False, False),
        (f"tensor<{2**63 - 1}xi8>", (2**63 - 1,), 2**63 - 1, True, True),
        (f"tensor<0x{2**63 - 1}xi8>", (0, 2**63 - 1), 0, True, True),
        (f"tensor<0x{2**62}x2xi8>", (0, 2**62, 2), 0, False, False),
        (f"tensor<{2**62}xi16>", (2**62,), 2**62, False, False),
        (f"tensor<{2**62 - 1}xi16>", (2**62 - 1,), 2**62 - 1, True, True),
        ("tensor<" + "1x" * 64 + "i8>", (1,) * 64, 1, True, True),
        ("tensor<" + "1x" * 65 + "i8>", (1,) * 65, 1, False, False),
        ("tensor<2x!quant.uniform<i8:f32, 2.0>>", (2,), 2, False, False),
        ("tensor<2xindex>", (2,), 2, True, True),
        ("tensor<*xf32>", None, None, False, False),
        ("i32", None, None, False, False),
    ],
)
def test_types_have_an_array_within_the_limits_of_numpy(
    text: str, shape: tuple[int, ...] | None, count: int | None, has_array: bool, is_plain: bool
) -> None:
    found = TypeFacts(ir.Type.parse(text))
    assert (found.static_shape, found.count, found.has_array, found.is_plain) == (shape, count, has_array, is_plain)
    assert found.has_no_encoding == (text.startswith("tensor") and "bounds" not in text and "*" not in text)
    if has_array and found.element is not None:
        assert found.byte_size == (count or 0) * found.element.dtype.itemsize


REGIONS = """func.func @main(%p: tensor<i1>, %x: tensor<2xf32>) -> tensor<2xf32> {
  %a = stablehlo.abs %x : tensor<2xf32>
  %i = "stablehlo.if"(%p) ({
    %b = stablehlo.negate %a : tensor<2xf32>
    %c = stablehlo.add %b, %x : tensor<2xf32>
    %j = "stablehlo.if"(%p) ({
      %s = stablehlo.sine %b : tensor<2xf32>
      stablehlo.return %s : tensor<2xf32>
    }, {
      stablehlo.return %a : tensor<2xf32>
    }) : (tensor<i1>) -> tensor<2xf32>
    %d = stablehlo.add %c, %j : tensor<2xf32>
    stablehlo.return %d : tensor<2xf32>
  }, {
    stablehlo.return %x : tensor<2xf32>
  }) : (tensor<i1>) -> tensor<2xf32>
  return %i : tensor<2xf32>
}"""


def test_parts_of_a_program_are_listed_in_either_order(opened: ExitStack) -> None:
    *_, function = ops_of(REGIONS, opened)
    names = [op.name.rpartition(".")[2] for op in within(function)]
    inner_first = [op.name.rpartition(".")[2] for op in within(function, inner_first=True)]
    assert names == ["func", "abs", "if", "negate", "add", "if", "sine", "return", "return", "add", "return", "return",
                     "return"]  # fmt: skip
    assert inner_first == ["abs", "negate", "add", "sine", "return", "return", "if", "add", "return", "return", "if",
                           "return", "func"]  # fmt: skip
    outer = next(op for op in within(function) if op.name == "stablehlo.if")
    inner = next(op for op in within(outer)[1:] if op.name == "stablehlo.if")
    (a, *_), x = within(function)[1].results, within(function)[1].operands[0]
    b = within(outer)[1].results[0]
    assert captured_values(outer) == [a, x, outer.operands[0]]
    assert captured_values(inner) == [b, a]
    assert captured_values(within(outer)[1]) == []
    assert captured_values(function) == []
    assert any_operation(function, lambda op: op.name == "stablehlo.sine")
    assert not any_operation(function, lambda op: op.name == "stablehlo.sine", enters=lambda op: op is not inner)
    assert any_operation(function, lambda op: op is inner, enters=lambda op: op is not inner)
    assert not any_operation(function, lambda op: op.name == "stablehlo.tanh")
    assert [len(block.operations) for block in blocks(outer)] == [5, 1]


@pytest.mark.parametrize(
    ("value", "type_", "held"),
    [
        (1, "tensor<2x3xf32>", 1.0),
        (-1, "tensor<2xui8>", 255),
        (True, "tensor<i1>", True),
        (2.5, "tensor<0xbf16>", None),
    ],
)
def test_a_type_is_filled_with_one_number(value: float, type_: str, held: object) -> None:
    parsed = ir.RankedTensorType(ir.Type.parse(type_))
    found = filled(value, parsed)
    assert found.shape == tuple(parsed.shape)
    assert set(found.ravel().tolist()) == (set() if held is None else {held})
    assert not any(found.strides)


@pytest.mark.parametrize(
    ("array", "is_one"),
    [
        (np.float32([0.0, -0.0, 0.0]), False),  # other bits
        (np.float32([np.nan, np.nan]), True),
        (np.int32([[5, 5], [5, 6]]), False),
        (np.int32([[5, 6], [6, 5]]), False),
        (np.int32([[5, 5], [6, 5]]), False),
        (np.int32([[5, 5], [5, 5]]), True),
        (np.array([True, False, True]), False),
    ],
)
def test_only_arrays_of_equal_bits_are_stored_once(array: np.ndarray, is_one: bool) -> None:
    found = compact(array)
    assert (found is not array) == is_one
    assert found.shape == array.shape
    assert found.tobytes() == array.tobytes()
    assert any(found.strides) != is_one


def test_seconds_of_patterns_are_parts_of_those_of_their_pass() -> None:
    patterns: list = []

    @pattern(patterns, "negate")
    def tries(op, rewriter):
        return False

    @pattern(patterns, "negate")
    def forwards(op, rewriter):
        return rewriter.forward(op, op.operands[0])

    lines = "".join(f"%{n + 1} = stablehlo.negate %{n} : tensor<f32>\n" for n in range(5))
    module = ir.Module.parse(f"func.func @main(%0: tensor<f32>) -> tensor<f32> {{ {lines} return %5 : tensor<f32> }}")
    report = PassReport("mine")
    assert apply_patterns(module.operation, patterns, RewriteOptions(), report)
    assert {name: each.fired for name, each in report.patterns.items()} == {"tries": 0, "forwards": 5}
    assert all(each.seconds > 0 for each in report.patterns.values())
    assert sum(each.seconds for each in report.patterns.values()) <= report.seconds
    assert (report.ops_before, report.ops_after) == (7, 2)


def test_a_report_without_patterns_has_no_lines_of_them() -> None:
    found = PassReport("mine")
    found.ops_folded, found.ops_erased_as_dead, found.constant_bytes_created = 3, 2, 12
    found.constant_bytes_before, found.constant_bytes_after = 7, 19
    found.ops_before, found.ops_after, found.seconds = 5, 6, 0.0625
    found.keep("b", "why")
    found.keep("a", "why not")
    found.keep("a", "because")
    found.patterns["never"].seconds = 1.0
    lines = [
        "mine: 5 ops -> 6 (-1 fewer) in 0.062 s",
        "  folded 3 ops into 12 bytes of constants, erased 2 dead ops",
        "  constants: 7 bytes -> 19 bytes",
        "  kept 1 x a: because",
        "  kept 1 x a: why not",
        "  kept 1 x b: why",
    ]
    assert found.as_text().splitlines() == lines
    assert [(each["op"], each["reason"]) for each in found.as_dict()["kept"]] == [  # type: ignore[attr-defined]
        ("a", "because"), ("a", "why not"), ("b", "why")]  # fmt: skip
    assert ReportCollection().to_json() == "[]"
    assert ReportCollection().to_text() == ""


def test_statistics_have_aligned_numbers_and_the_patterns_that_fired(capsys: pytest.CaptureFixture[str]) -> None:
    PassStatistics().print(ReportCollection(), as_list=False)
    assert capsys.readouterr().err == ""
    statistics, collection = PassStatistics(), ReportCollection()
    statistics.add("z", 90, 8)
    statistics.add("z", 30, 2)
    statistics.add("a", 1, 1)
    report = collection.report_for("z")
    report.ops_folded, report.ops_erased_as_dead, report.patterns["p"].fired = 4, 5, 6
    assert report.patterns["never"].fired == 0
    z = ["z", "  (S) 120 ops-before - Number of ops that the pass ran on",
         "  (S)  10 ops-after - Number of ops behind the pass",
         "  (S)   4 ops-folded - Number of ops folded into constants",
         "  (S)   5 ops-erased-as-dead - Number of ops erased because nothing uses them",
         "  (S)   6 p - Number of times that the pattern fired"]  # fmt: skip
    a = ["a", "  (S) 1 ops-before - Number of ops that the pass ran on",
         "  (S) 1 ops-after - Number of ops behind the pass"]  # fmt: skip
    for as_list, wanted in ((False, z + a), (True, a + z)):
        statistics.print(collection, as_list=as_list)
        printed = capsys.readouterr().err
        assert printed.splitlines()[3:] == [*wanted, ""]
        assert printed.splitlines()[1].strip() == "Pass statistics report: passes in Python"
