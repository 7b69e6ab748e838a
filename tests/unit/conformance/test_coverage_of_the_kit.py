"""The steps that coverage tries around a case, what it counts, and cases of single elements."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from stablehlo_py.bindings import ir, make_context
from stablehlo_py.bindings.walk import operations
from stablehlo_py.conformance import coverage as module
from stablehlo_py.conformance.case import Case, Expected, one_by_one, single
from stablehlo_py.conformance.coverage import _attribute_steps, _operand_steps, _result_steps, _type_steps, coverage
from stablehlo_py.conformance.score.scoring import judge
from stablehlo_py.dialect.catalog import constraints

TEXT = """func.func @main(%x: tensor<4xf32>, %n: tensor<i32>) -> tensor<2xf32> {
  %0 = "stablehlo.dynamic_slice"(%x, %n) {slice_sizes = array<i64: 2>} : (tensor<4xf32>, tensor<i32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}"""


@pytest.mark.parametrize(
    ("shape", "sizes"),
    [
        ((), []),
        ((0,), [(1,)]),
        ((1,), [(0,), (2,)]),
        ((2, 0, 3), [(1, 0, 3), (3, 0, 3), (2, 1, 3), (2, 0, 2), (2, 0, 4)]),
    ],
)
def test_a_type_has_neighbours_in_each_size_in_its_rank_and_in_its_elements(
    shape: tuple[int, ...], sizes: list[tuple[int, ...]]
) -> None:
    with make_context(), ir.Location.unknown():
        element = ir.Type.parse("f64")
        found = [ir.RankedTensorType(each) for each in _type_steps(ir.RankedTensorType.get(shape, element))]
        assert list(_type_steps(ir.Type.parse("!stablehlo.token"))) == []
    wanted = [(each, "f64") for each in sizes] + [((*shape, 2), "f64"), (shape[:-1], "f64")]
    wanted += [(shape, name) for name in ("i32", "f32", "ui8", "!quant.uniform<i8:f32, 5.000000e-01:1>")]
    assert [(tuple(each.shape), str(each.element_type)) for each in found] == wanted


@pytest.mark.parametrize(("steps", "count"), [(_attribute_steps, 3), (_operand_steps, 14), (_result_steps, 8)])
def test_each_step_is_another_program_and_the_last_one_is_undone(steps, count: int) -> None:
    parsed = ir.Module.parse(TEXT, make_context())
    op = next(op for op in operations(parsed.operation) if op.name == "stablehlo.dynamic_slice")

    def now() -> tuple[object, ...]:
        return list(op.operands), [str(each.type) for each in op.results], str(op.attributes["slice_sizes"])

    before, seen = now(), list[str]()
    with parsed.context, ir.Location.unknown():
        for _ in steps(op):
            seen.append(str(op.get_asm(print_generic_op_form=True)))
    assert now() == before
    assert len(seen) == count
    assert len(set(seen)) >= count - 2


@pytest.mark.parametrize(("digits", "is_tried"), [(1, True), (300, True), (1000, False)])
def test_long_attributes_are_left_alone(digits: int, is_tried: bool) -> None:
    context = make_context()
    numbers = ", ".join(["1"] * digits)
    text = f'"test.op"() {{a = array<i64: {numbers}>}} : () -> ()'
    context.allow_unregistered_dialects = True
    module = ir.Module.parse(text, context)  # which an op does not keep
    op = next(iter(module.body.operations)).operation
    with context, ir.Location.unknown():
        assert (next(_attribute_steps(op), "none") != "none") == is_tried
    assert (len(f"array<i64: {numbers}>") <= 2000) == is_tried


def case(op: str, type_: str, kind: str, number: int = 0) -> Case:
    made = single(op, type_, kind, [np.float32([1])], [np.float32([1])], source="")
    return replace(made, number=number)


def test_cases_are_counted_and_the_first_ones_of_each_type_and_kind_are_looked_at(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = list[list[str]]()

    def edges(chosen: Sequence[Case]) -> set[str]:
        asked.append([each.name for each in chosen])
        return {"C1", "C99"}

    monkeypatch.setattr(module, "edges", edges)
    chosen = [("f32", "a", 0), ("f32", "a", 1), ("f64", "a", 0), ("f64", "b", 0), ("f32", "b", 0), ("i8", "c", 0)]
    tried = [case("slice", *each) for each in chosen]
    tried.insert(3, case("abs", "f32", "a"))
    found = coverage(tried)
    assert asked == [[tried[n].name for n in (0, 2, 4, 6)], [tried[3].name]]
    assert [(each.op, each.cases) for each in found] == [("slice", 6), ("abs", 1)]
    assert found[0].types == Counter(each.type for each in tried if each.op == "slice")
    assert found[0].kinds == Counter(each.kind for each in tried if each.op == "slice")
    numbers = [each.number for each in constraints()["slice"]]
    assert (found[0].constraints, found[0].others) == (["C1"], [each for each in numbers if each != "C1"])
    text = module.text(found).splitlines()
    assert text[2].startswith("| `slice` | 6 | 3 | a 3, b 2, c 1 | C1 | C2")
    total = sum(len(each.constraints) + len(each.others) for each in found)
    assert f"{2 if found[1].constraints else 1} of {total} constraints have a case at their edge" in text[-2]


@pytest.mark.parametrize("count", [1, 2, 3, 16])
@pytest.mark.parametrize("size", [0, 1, 2, 5, 16, 40])
def test_single_elements_are_spread_over_a_case_from_its_first_one(size: int, count: int) -> None:
    x, y = np.arange(size, dtype=np.float32), np.arange(size, dtype=np.float32) + 100
    whole = single("add", "f32", "ordinary", [x, y], [x + y], source="IEEE")
    bounds = Expected(x + y, "f32", "bounds", 0.0, np.float64(x), np.float64(y))
    found = one_by_one(replace(whole, expected=(bounds,)), count)
    if not size:
        assert found is None
        return
    assert found is not None
    positions = sorted({size * number // count for number in range(count)})
    assert positions[0] == 0
    assert [float(each) for each in found.inputs] == [value for at in positions for value in (at, at + 100)]
    assert [float(each.value) for each in found.expected] == [2 * at + 100 for at in positions]
    assert [(float(each.low), float(each.high)) for each in found.expected if each.low is not None] == [
        (at, at + 100) for at in positions
    ]
    assert (found.kind, found.op, found.source) == ("ordinary, one by one", "add", "IEEE")
    assert ir.Module.parse(found.module, make_context()).operation.verify()


@pytest.mark.parametrize("shape", [(), (4, 1), (2, 2), (4,)])
def test_a_result_of_another_shape_is_wrong(shape: tuple[int, ...]) -> None:
    value = np.ones(4 if shape else 1, np.float32)
    whole = single("negate", "f32", "ordinary", [value], [-value], source="")
    found = judge(whole, [-value.reshape(shape)])
    if shape == (4,):
        assert found.verdict == "pass"
    else:
        expected = f"result 0 is f32{list(shape)}, expected tensor<{value.size}xf32>"
        assert (found.verdict, found.message) == ("wrong", expected)
