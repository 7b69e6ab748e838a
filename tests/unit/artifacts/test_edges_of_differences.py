"""Differences and explanations in words, at their edges."""

from __future__ import annotations

from html import escape

import pytest
from parsed import parsed

from stablehlo_py.artifacts.difference import first_difference
from stablehlo_py.artifacts.explanation import explain
from stablehlo_py.artifacts.versions import Version

PROGRAM = """func.func @main(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.custom_call @f(%x, %y) {OF} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}"""


def difference(first: str, second: str) -> tuple[str, str, str]:
    # Both modules have to live while they are compared.
    modules = [parsed(first), parsed(second)]
    found = first_difference(*(module.operation for module in modules))
    assert found is not None
    return found.what, str(found.first), str(found.second)


def test_the_number_of_operands_comes_before_the_operands() -> None:
    one = PROGRAM.replace("(%x, %y) {", "(%x) {").replace("(tensor<2xf32>, tensor<2xf32>) ->", "(tensor<2xf32>) ->")
    assert difference(PROGRAM, one) == ("the number of operands", "2", "1")
    assert difference(one, PROGRAM) == ("the number of operands", "1", "2")


def test_attributes_that_one_op_has_alone_are_in_alphabetical_order() -> None:
    names = ["zebra", "ant", "mole", "bear", "owl", "cat", "yak", "dog"]
    more = PROGRAM.replace("{OF}", "{" + ", ".join(f"x.{name} = 1 : i8" for name in names) + "}")
    plain = PROGRAM.replace(" {OF}", "")
    all_of_them = "also " + ", ".join(f"x.{name}" for name in sorted(names))
    assert difference(more, plain)[:2] == ("the set of attributes", all_of_them)
    assert difference(plain, more)[::2] == ("the set of attributes", all_of_them)
    assert difference(more, more.replace("1 : i8", "2 : i8"))[0] == "attribute x.ant"


def test_an_explanation_shows_as_a_table_with_what_it_is_about() -> None:
    module = parsed("""func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
      %0 = stablehlo.tan %x : tensor<2xf32>
      %1 = stablehlo.tan %0 : tensor<2xf32>
      %2 = stablehlo.tan %1 : tensor<2xf32>
      %3 = stablehlo.tan %2 : tensor<2xf32>
      return %3 : tensor<2xf32>
    }""")
    found = explain(module, Version(1, 0, 0))
    assert str(found.minimum) == "1.4.0"
    page = found._repr_html_()
    assert "Explanation: 1 blockers of 1.0.0, the oldest that fits is 1.4.0</caption>" in page
    assert "<th>what</th><th>needs</th><th>to lift it</th><th>places</th>" in page
    (need,) = found.blockers
    assert len(need.places) == 4
    assert [escape(str(place)) in page for place in need.places] == [True, True, True, False]


def test_every_field_of_an_op_has_both_of_its_values_in_order() -> None:
    two = PROGRAM.replace("{OF}", "").replace("%0 =", "%0:2 =").replace("return %0", "return %0#0")
    two = two.replace(", tensor<2xf32>) -> tensor<2xf32>\n", ", tensor<2xf32>) -> (tensor<2xf32>, tensor<3xf32>)\n")
    other = two.replace("tensor<3xf32>", "tensor<3xi32>")
    pair = "tensor<2xf32>, {}"
    changed = ("the result types", pair.format("tensor<3xf32>"), pair.format("tensor<3xi32>"))
    assert difference(two, other) == changed
    assert difference(other, two) == (changed[0], *changed[:0:-1])
    swapped = PROGRAM.replace(" {OF}", "").replace("(%x, %y) :", "(%y, %x) :")
    what, first, second = difference(PROGRAM.replace(" {OF}", ""), swapped)
    assert (what, first != second) == ("operand 0", True)
    assert difference(swapped, PROGRAM.replace(" {OF}", "")) == (what, second, first)
    named = [PROGRAM.replace("{OF}", f"{{x.a = {number} : i8}}") for number in (1, 2)]
    assert difference(*named) == ("attribute x.a", "1 : i8", "2 : i8")
    call = "custom_call @f(%x, %y) {OF} : (tensor<2xf32>, tensor<2xf32>) ->"
    ops = [PROGRAM.replace(call, f"{name} %x :") for name in ("negate", "tanh")]
    assert difference(*ops) == ("the op", "stablehlo.negate", "stablehlo.tanh")


def test_an_attribute_of_either_module_is_a_difference() -> None:
    plain, noted = "module { }", "module attributes {mhlo.a = 1 : i32} { }"
    assert difference(plain, noted) == ("attribute mhlo.a", "absent", "1 : i32")
    assert difference(noted, plain) == ("attribute mhlo.a", "1 : i32", "absent")
    both = "module attributes {mhlo.a = 1 : i32, mhlo.b = 2 : i32} { }"
    assert difference(noted, both) == ("attribute mhlo.b", "absent", "2 : i32")
    modules = [parsed(noted), parsed(noted.replace("module", "module @m"))]  # a name that says nothing
    assert first_difference(*(module.operation for module in modules)) is None


BRANCHES = """func.func @main(%p: i1) -> i32 {
  %a = arith.constant 1 : i32
  cf.cond_br %p, ^one, ^two
^one:
  return %a : i32
^two:
  %b = arith.constant 2 : i32
  return %b : i32
}"""


def test_branches_to_other_blocks_differ() -> None:
    swapped = BRANCHES.replace("^one, ^two", "^two, ^one")
    twice = BRANCHES.replace("^one, ^two", "^two, ^two")
    for one, other in ((BRANCHES, swapped), (swapped, BRANCHES), (swapped, twice), (twice, swapped)):
        assert difference(one, other)[0] == "the successor blocks"
    modules = [parsed(swapped), parsed(swapped)]
    assert first_difference(*(module.operation for module in modules)) is None


@pytest.mark.parametrize(
    ("first", "second", "is_same"),
    [
        ("relu", "relu_0", True),
        ("relu", "relu.1", True),
        ("relu", "relu7", True),
        ("relu", "relu_0_1", True),
        ("relu", "relu.12_345", True),
        ("relu_3", "relu_0_1.2", True),
        ("relu", "relu_", False),
        ("relu", "relu_a", False),
        ("relu", "relu_1_a", False),
        ("relu_1", "gelu_1", False),
    ],
)
def test_numbers_behind_names_of_functions_say_nothing(first: str, second: str, is_same: bool) -> None:
    text = "func.func @main() {{ call @{0}() : () -> () return }} func.func private @{0}() {{ return }}"
    modules = [parsed(text.format(name)) for name in (first, second)]
    for pair in (modules, modules[::-1]):
        found = first_difference(*(module.operation for module in pair))
        assert (found is None) == is_same, found
