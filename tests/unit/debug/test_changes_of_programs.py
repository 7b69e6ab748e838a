"""The changes between two programs in words: ops, attributes, constants, regions, operands and conversions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from swapped_engine import program

from stablehlo_py.debug import examine, trace_against
from stablehlo_py.debug.allowed.spread import Local
from stablehlo_py.debug.programs.subject import Subject
from stablehlo_py.debug.tracing.changes import OpChange, cause, changes, element_types, is_conversion, match
from stablehlo_py.errors import InputError

T, H = "tensor<4xf32>", "tensor<4xf16>"
SAME = ("%a = stablehlo.sine %x", "%b = stablehlo.cosine %a")


def subject(ops: Sequence[str], **parameters: str) -> Subject:
    return examine(program(*ops, **(parameters or {"x": T})))


def said(first: Sequence[str], second: Sequence[str], **parameters: str) -> list[str]:
    """The changes, without the source lines."""
    one, two = subject(first, **parameters), subject(second, **parameters)
    found = changes(match(one, two), one, two)
    assert [change.number for change in found] == sorted(change.number for change in found)
    return [
        " ".join(word for word in change.text.split() if "<string>" not in word).replace(" at ", " ")
        for change in found
    ]


REDUCE = """%r = "stablehlo.reduce"(%b, %z) ({{
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    {body}
    stablehlo.return %s : tensor<f32>
  }}) {{dimensions = array<i64: 0>}} : (tensor<4xf32>, tensor<f32>) -> tensor<f32>"""
ZERO = "%z = stablehlo.constant dense<0.0> : tensor<f32>"
OUT = "%o = stablehlo.broadcast_in_dim %r, dims = [] : (tensor<f32>) -> tensor<4xf32>"


def reducing(body: str) -> list[str]:
    return [*SAME, ZERO, REDUCE.format(body=body), OUT]


@pytest.mark.parametrize(
    ("first", "second", "texts"),
    [
        (SAME, SAME, []),
        ([*SAME, "%c = stablehlo.abs %b"], SAME, ["#2 stablehlo.abs is in this program only"]),
        (SAME, [*SAME, "%c = stablehlo.abs %b"], ["#2 stablehlo.abs is in the other program only"]),
        ([*SAME, "%c = stablehlo.abs %b"], [*SAME, "%c = stablehlo.negate %b"],
         ["#2 stablehlo.abs stands where the other program has #2 stablehlo.negate"]),
        ([*SAME, "%c = stablehlo.slice %b [0:2] : (tensor<4xf32>) -> tensor<2xf32>",
          "%d = stablehlo.concatenate %c, %c, dim = 0 : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>"],
         [*SAME, "%c = stablehlo.slice %b [1:3] : (tensor<4xf32>) -> tensor<2xf32>",
          "%d = stablehlo.concatenate %c, %c, dim = 0 : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>"],
         ["#2 stablehlo.slice has limit_indices = array<i64: 2> where #2 stablehlo.slice of the other program has "
          "array<i64: 3>",
          "#2 stablehlo.slice has start_indices = array<i64: 0> where #2 stablehlo.slice of the other program has "
          "array<i64: 1>"]),
        ([*SAME, f"%c = stablehlo.abs %b {{mine = 7 : i64}} : {T}"], [*SAME, "%c = stablehlo.abs %b"],
         ["#2 stablehlo.abs has mine = 7 : i64 where #2 stablehlo.abs of the other program has none"]),
        (reducing("%s = stablehlo.add %p, %q : tensor<f32>"), reducing("%s = stablehlo.maximum %p, %q : tensor<f32>"),
         ["#3 stablehlo.reduce has stablehlo.add in a region where #3 stablehlo.reduce of the other program has "
          "stablehlo.maximum"]),
        (reducing("%t = stablehlo.add %p, %q : tensor<f32>\n%s = stablehlo.negate %t : tensor<f32>"),
         reducing("%s = stablehlo.add %p, %q : tensor<f32>"),
         ["#3 stablehlo.reduce has stablehlo.negate in a region where #3 stablehlo.reduce of the other program has "
          "stablehlo.return"]),
        ([*SAME, "%c = stablehlo.add %a, %b"], [*SAME, "%c = stablehlo.clamp %a, %b, %x"],
         ["#2 stablehlo.add is in this program only", "#2 stablehlo.clamp is in the other program only"]),
        ([*SAME, "%c = stablehlo.clamp %a, %b, %x"], [*SAME, "%c = stablehlo.add %a, %b"],
         ["#2 stablehlo.clamp is in this program only", "#2 stablehlo.add is in the other program only"]),
        ([*SAME, "%c = stablehlo.add %a, %b"], [*SAME, "%c = stablehlo.add %a, %a"],
         ["#2 stablehlo.add takes other values than #2 stablehlo.add of the other program"]),
        ([*SAME, "%c = stablehlo.reduce_precision %b, format = e5m10"], SAME,
         ["#2 stablehlo.reduce_precision converts in this program only"]),
        (SAME, [*SAME, f"%c = stablehlo.convert %b : ({T}) -> {H}", f"%d = stablehlo.convert %c : ({H}) -> {T}"],
         ["#2 stablehlo.convert rounds from f32 to f16 in the other program only",
          "#3 stablehlo.convert converts from f16 to f32 in the other program only"]),
        *[(*((ops, SAME) if whose == "this" else (SAME, ops)),
           [f"#2 stablehlo.convert rounds from f32 to f16 in {whose} program only",
            f"#3 stablehlo.convert converts from f16 to f32 in {whose} program only",
            f"#4 stablehlo.abs is in {whose} program only"])
          for whose in ("this", "the other")
          for ops in [[*SAME, f"%c = stablehlo.convert %b : ({T}) -> {H}", f"%d = stablehlo.convert %c : ({H}) -> {T}",
                       "%e = stablehlo.abs %d"]]],
    ],
)  # fmt: skip
def test_changes_are_told_in_words_and_in_order(first: list[str], second: list[str], texts: list[str]) -> None:
    assert said(first, second) == texts


@pytest.mark.parametrize(
    ("one", "other", "told"),
    [
        ("dense<0.5>", "dense<0.25>", True), ("dense<0x7FC00000>", "dense<0x7FC00001>", False),
        ("dense<0.5>", "dense<0.5>", False), ("dense<0.0>", "dense<-0.0>", False),
        ("dense<[1.0, 2.0, 3.0, 4.0]>", "dense<[1.0, 2.0, 3.0, 5.0]>", True),
    ],
)  # fmt: skip
def test_constants_are_changed_if_their_values_are(one: str, other: str, told: bool) -> None:
    sides = [[f"%c = stablehlo.constant {text} : {T}", "%a = stablehlo.add %x, %c"] for text in (one, other)]
    found = said(*sides)
    assert bool(found) == told
    assert all(" where #0 stablehlo.constant of the other program is [" in text for text in found)


def test_long_values_are_cut_in_sentences() -> None:
    sides = [[f"%c = stablehlo.constant dense<{number}> : tensor<30xf32>", "%a = stablehlo.add %x, %c : tensor<30xf32>"]
             for number in ("1.25", "2.25")]  # fmt: skip
    (text,) = said(*sides, x="tensor<30xf32>")
    shown = [str([number] * 30)[:60] + " …" for number in (1.25, 2.25)]
    assert text == f"#0 stablehlo.constant is {shown[0]} where #0 stablehlo.constant of the other program is {shown[1]}"


@pytest.mark.parametrize("between", [5, 6, 7])
def test_a_few_ops_are_looked_at_for_one_that_another_stands_for(between: int) -> None:
    """Those that take other values, or give other shapes, stand for none."""
    names = ("abs", "negate", "floor", "ceil", "tanh", "exponential", "sqrt")[:between]
    second = [f"%n{number} = stablehlo.{name} %y" for number, name in enumerate(names)]
    found = said(["%a = stablehlo.sine %x"], [*second, "%a = stablehlo.cosine %x"], x=T, y=T)
    assert any("stands where" in text for text in found) == (between < 6)
    sliced = f"%c = stablehlo.slice %x [0:4] : ({T}) -> {T}"
    shapes = said(["%a = stablehlo.sine %x", "%b = stablehlo.abs %a"], [sliced, "%b = stablehlo.abs %c"])
    assert shapes[0] == "#0 stablehlo.sine stands where the other program has #0 stablehlo.slice"


def test_conversions_are_from_one_float_type_to_another() -> None:
    lines = [f"%a = stablehlo.convert %x : ({T}) -> {H}", f"%b = stablehlo.convert %x : ({T}) -> tensor<4xi32>",
             "%c = stablehlo.reduce_precision %x, format = e5m2", "%d = stablehlo.abs %x"]  # fmt: skip
    found = subject(lines)
    assert [is_conversion(op) for op in found.ops] == [True, False, True, False]
    assert [str(dtype) for dtype in element_types(found.ops[0])] == ["float32", "float16"]
    taking = "%t = stablehlo.create_token : !stablehlo.token"
    for one, two in (("!stablehlo.token", H), (T, "!stablehlo.token")):
        operand = "%t" if one.startswith("!") else "%x"
        ops = (taking, f"%0 = stablehlo.custom_call @f({operand}) : ({one}) -> {two}")
        other = subject([*ops, "%r = stablehlo.negate %x"])
        with pytest.raises(TypeError, match="custom_call converts no tensors"):
            element_types(other.ops[1])


def test_conversions_of_one_value_between_the_same_types_are_partners_in_order() -> None:
    lines = [f"%a = stablehlo.convert %x : ({T}) -> {H}", f"%b = stablehlo.convert %x : ({T}) -> tensor<4xbf16>",
             f"%c = stablehlo.convert %x : ({T}) -> {H}", f"%d = stablehlo.convert %a : ({H}) -> {T}",
             f"%e = stablehlo.convert %c : ({H}) -> {T}", "%f = stablehlo.add %d, %e"]  # fmt: skip
    one, two = subject(lines), subject(lines)
    assert match(one, two).partners == {number: number for number in range(6)}
    other = subject([lines[1], *lines[2:3], "%f = stablehlo.add %x, %x"])
    assert match(one, other).partners.items() >= {5: 2}.items()


def test_what_takes_other_arguments_cannot_be_matched() -> None:
    one, two = subject(SAME), subject(SAME, x=T, y="tensor<2xi8>")
    with pytest.raises(InputError, match="the programs take different arguments") as caught:
        match(one, two)
    assert list(caught.value.notes) == ["1: [4]float", "2: [4]float, [2]i8"]
    narrow = subject([f"%a = stablehlo.sine %x : {H}"], x=H)
    assert match(subject(["%a = stablehlo.sine %x"]), narrow).partners == {0: 0}


def test_the_results_that_part_are_told_with_their_difference() -> None:
    """Of the first that does; so are other numbers of them and other shapes."""
    ops, x = ("%a = stablehlo.sine %x", "%b = stablehlo.abs %x"), np.float32([0.5, 1, 2, 3])
    given = (f"%a: {T}", f"%b: {T}")

    def apart(second: Sequence[str], results: Sequence[str] = given) -> str:
        one, two = (examine(program(*each, x=T, results=names)) for each, names in ((ops, given), (second, results)))
        return trace_against(one, two, [x], Local(), Local(), cuts=0).apart

    assert apart(ops) == ""
    lines = apart((ops[0], "%b = stablehlo.negate %x")).splitlines()
    assert lines[0].startswith("result 1 differs (allowed: 4 ulp or 0.000")
    assert lines[1].startswith("  4 of 4 elements; largest difference 6 absolute, 2 relative")
    assert apart(ops, given[:1]) == "the program has 2 results, the other one 1"
    sliced = (*ops, "%c = stablehlo.slice %b [0:2] : (tensor<4xf32>) -> tensor<2xf32>")
    assert apart(sliced, (f"%a: {T}", "%c: tensor<2xf32>")) == "result 1 has shape [4], that of the other program [2]"


@pytest.mark.parametrize("length", [58, 59, 60, 61, 62])
def test_values_of_up_to_sixty_characters_are_whole_in_sentences(length: int) -> None:
    one, other = "x" * (length - 2), "y" * (length - 2)
    bodies = [[f'%a = stablehlo.abs %x {{mine = "{text}"}}'] for text in (one, other)]
    (text,) = said(*bodies, x="tensor<2xf32>")
    shown = [f'"{each}"' if length <= 60 else f'"{each}"'[:60] + " …" for each in (one, other)]
    assert f"has mine = {shown[0]} where " in text
    assert text.endswith(f" has {shown[1]}")


CHANGES = [OpChange(2, "alone", 2), OpChange(3, "rounds", 3), OpChange(1, "changed", 5), OpChange(0, "replaced", 7)]


@pytest.mark.parametrize(
    ("wrong", "parting", "text"),
    [
        (None, None, "replaced"),
        (None, 8, "replaced"),
        (None, 7, "replaced"),
        (None, 6, "changed"),
        (None, 5, "changed"),
        (None, 4, "alone"),
        (None, 2, "alone"),
        (None, 1, ""),
        (3, None, "rounds"),
        (3, 3, "rounds"),
        (3, 9, "rounds"),
        (3, 2, "alone"),
        (5, None, "changed"),
        (4, 9, ""),
        (9, 9, ""),
        (9, 5, "changed"),
    ],
)
def test_a_cause_comes_no_later_than_its_effect_and_an_op_is_wrong_by_its_own_change(
    wrong: int | None, parting: int | None, text: str
) -> None:
    same, narrow = subject(SAME), subject(SAME, x=H)
    assert cause(CHANGES, same, same, wrong, parting) == text
    assert cause(CHANGES, same, narrow, wrong, parting) == text.replace("rounds", "")
    assert cause(CHANGES[::-1], narrow, narrow, wrong, parting) == text
    assert cause([], same, same, wrong, parting) == ""


@pytest.mark.parametrize("types", [(T, T), (T, H), (H, T), (H, H)])
@pytest.mark.parametrize(("values", "is_changed"), [((0.1, 0.1), False), ((0.5, 0.5), False), ((0.1, 0.2), True)])
def test_constants_of_different_float_types_are_equal_if_they_are_in_either(
    types: tuple[str, str], values: tuple[float, float], is_changed: bool
) -> None:
    one, two = (subject((f"%c = stablehlo.constant dense<{value}>", "%a = stablehlo.add %x, %c"), x=type_)
                for value, type_ in zip(values, types, strict=True))  # fmt: skip
    matching = match(one, two)
    found = changes(matching, one, two)
    assert [" is [0." in change.text for change in found] == [True] * is_changed, found
    is_exact = not is_changed and (values[0] == 0.5 or types[0] == types[1])
    assert len(matching.shared) == 2 * is_exact


@pytest.mark.parametrize("branches", [(2, 3), (3, 2)])
def test_regions_that_only_one_of_two_ops_has_are_told(branches: tuple[int, int]) -> None:
    one, two = (
        f'%r = "stablehlo.case"(%i) ({", ".join(["{stablehlo.return %x : tensor<f32>}"] * count)}) '
        ": (tensor<i32>) -> tensor<f32>" for count in branches
    )  # fmt: skip
    words = ["stablehlo.return", "nothing"] if branches[0] > branches[1] else ["nothing", "stablehlo.return"]
    assert said([one], [two], x="tensor<f32>", i="tensor<i32>") == [
        f"#0 stablehlo.case has {words[0]} in a region where #0 stablehlo.case of the other program has {words[1]}"
    ]


def test_conversions_in_regions_are_no_changes() -> None:
    plain = reducing("%s = stablehlo.add %p, %q : tensor<f32>")
    converting = reducing(
        "%t = stablehlo.convert %p : (tensor<f32>) -> tensor<f16>\n"
        "%u = stablehlo.convert %t : (tensor<f16>) -> tensor<f32>\n%s = stablehlo.add %u, %q : tensor<f32>"
    )
    assert said(plain, converting) == said(converting, plain) == []


def test_a_value_that_only_one_program_has_is_no_other_value() -> None:
    first = [*SAME, "%d = stablehlo.add %a, %b"]
    second = [*SAME, "%c = stablehlo.tanh %b", "%d = stablehlo.add %a, %c"]
    assert said(first, second) == ["#2 stablehlo.tanh is in the other program only"]
    assert said(second, first) == ["#2 stablehlo.tanh is in this program only"]
