"""A pass of C++ adds booleans modulo two; here it gives what the interpreter gives, however it is asked for."""

from __future__ import annotations

import numpy as np
import pytest

import stablehlo_py

PROGRAM = """func.func @main(%x: tensor<?xi1>) -> (tensor<4xi1>, tensor<2xi1>, tensor<?xi1>) {
  %a = stablehlo.constant dense<[false, false, true, true]> : tensor<4xi1>
  %b = stablehlo.constant dense<[false, true, false, true]> : tensor<4xi1>
  %t = stablehlo.constant dense<true> : tensor<2xi1>
  %0 = stablehlo.add %a, %b : tensor<4xi1>
  %1 = stablehlo.add %t, %t : tensor<2xi1>
  %2 = stablehlo.add %x, %x {mhlo.sharding = "kept"} : tensor<?xi1>
  return %0, %1, %2 : tensor<4xi1>, tensor<2xi1>, tensor<?xi1>
}"""
REFINE = "stablehlo-refine-shapes"


@pytest.mark.parametrize(
    "pipeline",
    [f"builtin.module({REFINE})", f"builtin.module(composite-fixed-point-pass{{pipeline={REFINE}}},{REFINE},cse)"],
)
@pytest.mark.parametrize("trust", [True, False])
def test_refinement_adds_booleans_as_the_interpreter_does(pipeline: str, trust: bool) -> None:
    module = stablehlo_py.parse(PROGRAM)
    argument = np.array([True, False])
    expected = stablehlo_py.interpret(module, [argument])
    stablehlo_py.run_passes(module, pipeline, trust_input=trust)
    for found, wanted in zip(stablehlo_py.interpret(module, [argument]), expected, strict=True):
        np.testing.assert_array_equal(found, wanted)
    text = str(module)
    assert text.count("stablehlo.add") == 1  # of an argument, so there is nothing to fold
    assert 'mhlo.sharding = "kept"' in text
    assert "stablehlo.or" not in text
    assert "stands_for" not in text


def test_an_addition_that_becomes_known_while_shapes_are_refined_is_right() -> None:
    module = stablehlo_py.parse("""func.func @main(%x: tensor<7xf32>) -> tensor<i1> {
      %seven = stablehlo.constant dense<7> : tensor<i32>
      %size = stablehlo.get_dimension_size %x, dim = 0 : (tensor<7xf32>) -> tensor<i32>
      %equal = stablehlo.compare EQ, %size, %seven : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %sum = stablehlo.add %equal, %equal : tensor<i1>
      return %sum : tensor<i1>
    }""")
    stablehlo_py.run_passes(module, f"builtin.module({REFINE})")
    assert "dense<true>" in str(module)
    assert "dense<false>" not in str(module)


def test_additions_come_back_where_the_pass_fails() -> None:
    module = stablehlo_py.parse(PROGRAM.replace("@main", "@other"))
    before = str(module)
    module.operation.regions[0].blocks[0].append(module.operation.regions[0].blocks[0].operations[0].clone())
    with pytest.raises(stablehlo_py.StablehloError):
        stablehlo_py.run_passes(module, f"builtin.module({REFINE})", trust_input=True)
    assert "stands_for" not in str(module)
    assert str(module).count("stablehlo.add") == 2 * before.count("stablehlo.add")


@pytest.mark.parametrize(
    ("type_", "sum_"), [("i1", "true"), ("i2", "-2"), ("i8", "2"), ("i32", "2"), ("ui8", "2"), ("f32", "2.000000e+00")]
)
def test_ones_of_each_type_are_added(type_: str, sum_: str) -> None:
    one = "true" if type_ == "i1" else "1.0" if type_ == "f32" else "1"
    module = stablehlo_py.parse(f"""func.func @main(%x: tensor<{type_}>) -> (tensor<{type_}>, tensor<{type_}>) {{
      %one = stablehlo.constant dense<{one}> : tensor<{type_}>
      %sum = stablehlo.add %one, %one : tensor<{type_}>
      %other = stablehlo.add %x, %sum : tensor<{type_}>
      return %sum, %other : tensor<{type_}>, tensor<{type_}>
    }}""")
    stablehlo_py.run_passes(module, f"builtin.module({REFINE})", trust_input=True)
    text = str(module)
    if "i" in type_:
        assert f"dense<{sum_}>" in text
    assert text.count("stablehlo.add") == (1 if "i" in type_ else 2)
    assert "stablehlo.or" not in text
