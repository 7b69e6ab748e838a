"""sort is the official interpreter's, bit by bit, for every comparator that orders."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from structures import Draw, assert_same, program, run, shapes, tensor, values

from stablehlo_py.conformance.generate.values import FLOATS, INTEGERS


def sort_text(elements: Sequence[str], lines: str, dimension: int) -> str:
    """A stable sort of as many operands as there are element types, by the comparator that computes %p in `lines`."""
    arguments = ", ".join(
        f"%{side}{index}: {tensor([], element)}" for index, element in enumerate(elements) for side in "xy"
    )
    names = ", ".join(f"%{index}" for index in range(len(elements)))
    return (
        f'"stablehlo.sort"({names}) ({{^bb0({arguments}):\n {lines}\n stablehlo.return %p : tensor<i1>}}) '
        f"{{dimension = {dimension} : i64, is_stable = true}}"
    )


def compare(name: str, direction: str, x: str, y: str, element: str, kind: str = "") -> str:
    t = tensor([], element)
    return f"%{name} = stablehlo.compare {direction}, {x}, {y}{kind and ', ' + kind} : ({t}, {t}) -> tensor<i1>\n"


def assert_sorted_same(draw: Draw, elements: Sequence[str], lines: str, *, tame: bool) -> None:
    shape = draw(st.integers(1, 3).flatmap(lambda rank: shapes(rank, 0, 20 if rank == 1 else 5)))
    dimension = draw(st.integers(-len(shape), len(shape) - 1))
    operands = [values(draw, shape, element, tame=tame) for element in elements]
    text = program(
        operands, elements, [tensor(shape, element) for element in elements], sort_text(elements, lines, dimension)
    )
    assert_same(text, operands)


@given(st.data())
def test_one_key(data: st.DataObject) -> None:
    draw: Draw = data.draw
    element = draw(st.sampled_from([*INTEGERS, *FLOATS]))
    sides = draw(st.sampled_from([("%x0", "%y0"), ("%y0", "%x0")]))
    lines = compare("p", draw(st.sampled_from(["LT", "GT"])), *sides, element)
    others = draw(st.sampled_from([[], ["i32"]]))
    assert_sorted_same(draw, [element, *others], lines, tame=element in FLOATS)  # NaN has no place in the order


@given(st.data())
def test_total_order(data: st.DataObject) -> None:
    """Officially compare_type is ignored, so this is held against the same comparator in an unrecognised form."""
    draw: Draw = data.draw
    element, direction = draw(st.sampled_from(FLOATS)), draw(st.sampled_from(["LT", "GT"]))
    operand = values(draw, [draw(st.integers(0, 40))], element)
    result = tensor(operand.shape, element)
    plain = compare("p", direction, "%x0", "%y0", element, "TOTALORDER")
    twisted = compare("q", direction, "%x0", "%y0", element, "TOTALORDER") + "%n = stablehlo.not %q : tensor<i1>\n"
    twisted += "%p = stablehlo.not %n : tensor<i1>"
    one, other = [
        run(program([operand], [element], [result], sort_text([element], lines, 0)), [operand])[0]
        for lines in (plain, twisted)
    ]
    assert one.tobytes() == other.tobytes()


@given(st.data())
def test_three_keys(data: st.DataObject) -> None:
    draw: Draw = data.draw
    elements = draw(st.permutations(["i32", "f32", "ui8"]))
    first, second, third = draw(st.permutations(range(3)))
    lines = ""
    for index in range(3):
        x, y = f"%x{index}", f"%y{index}"
        lines += compare(f"less{index}", draw(st.sampled_from(["LT", "GT"])), x, y, elements[index])
        lines += compare(f"equal{index}", "EQ", x, y, elements[index])
    lines += f"%a = stablehlo.and %equal{second}, %less{third} : tensor<i1>\n"
    lines += f"%b = stablehlo.or %less{second}, %a : tensor<i1>\n"
    if draw(st.booleans()):
        lines += f"%p = stablehlo.select %equal{first}, %b, %less{first} : tensor<i1>, tensor<i1>"
    else:
        lines += f"%c = stablehlo.and %b, %equal{first} : tensor<i1>\n"
        lines += f"%p = stablehlo.or %c, %less{first} : tensor<i1>"
    assert_sorted_same(draw, elements, lines, tame=True)


@given(st.data())
def test_comparators_of_other_forms(data: st.DataObject) -> None:
    draw: Draw = data.draw
    forms = {
        "the remainder by three": "%c = stablehlo.constant dense<3> : tensor<i32>\n"
        "%a = stablehlo.remainder %x0, %c : tensor<i32>\n%b = stablehlo.remainder %y0, %c : tensor<i32>\n"
        + compare("p", "LT", "%a", "%b", "i32"),
        "a function of both sides": "%c = stablehlo.constant dense<0> : tensor<i32>\n"
        "%a = stablehlo.subtract %x0, %y0 : tensor<i32>\n" + compare("p", "LT", "%a", "%c", "i32"),
        "a negation": compare("q", "GE", "%x0", "%y0", "i32") + "%p = stablehlo.not %q : tensor<i1>",
        "the same expression of other arguments": compare("p", "LT", "%x0", "%y1", "i32"),
        "a region": compare("q", "LT", "%x0", "%y0", "i32")
        + compare("s", "GT", "%x0", "%y0", "i32")
        + '%p = "stablehlo.if"(%q) ({stablehlo.return %q : tensor<i1>}, {%n = stablehlo.not %s : tensor<i1>\n'
        "%m = stablehlo.and %n, %q : tensor<i1>\n stablehlo.return %m : tensor<i1>}) : (tensor<i1>) -> tensor<i1>",
    }
    form = draw(st.sampled_from(sorted(forms)))
    if form != "the same expression of other arguments":
        assert_sorted_same(draw, ["i32", "f32"], forms[form], tame=True)
        return
    # That one orders nothing. Whatever it comes to, elements must stay together and none be lost.
    operands = [values(draw, [17], "i32"), np.arange(17, dtype=np.int32)]
    text = program(operands, ["i32"] * 2, [tensor([17], "i32")] * 2, sort_text(["i32"] * 2, forms[form], 0))
    keys, places = run(text, operands)
    assert sorted(places.tolist()) == list(range(17))
    assert np.array_equal(operands[0][places], keys)
