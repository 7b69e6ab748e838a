"""Decompositions compute what their ops do, have the op's types, and leave nothing of it."""

from __future__ import annotations

import numpy as np
import pytest

import stablehlo_py
from stablehlo_py.passes.decomposition.decompose import checked_parameters
from stablehlo_py.shapes.errors import LibraryError
from stablehlo_py.shapes.library import activate, library
from stablehlo_py.shapes.registry import BUILT_IN

VECTOR = "tensor<3xf32>"
IMAGE = "tensor<4x3x2xf32>"
NORM = "{epsilon = 1.0e-2 : f32, feature_index = 1 : i64}"

PROGRAMS = {
    "stablehlo.logistic": ("%a: tensor<5xf32>", '"stablehlo.logistic"(%a) : (tensor<5xf32>) -> tensor<5xf32>'),
    "stablehlo.tan": ("%a: tensor<5xf32>", '"stablehlo.tan"(%a) : (tensor<5xf32>) -> tensor<5xf32>'),
    "stablehlo.clamp": (
        "%a: tensor<f32>, %b: tensor<5xf32>, %c: tensor<5xf32>",
        '"stablehlo.clamp"(%a, %b, %c) : (tensor<f32>, tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>',
    ),
    "stablehlo.broadcast": (
        "%a: tensor<3xf32>",
        '"stablehlo.broadcast"(%a) {broadcast_sizes = array<i64: 2, 4>} : (tensor<3xf32>) -> tensor<2x4x3xf32>',
    ),
    "stablehlo.dot": (
        "%a: tensor<2x3xf32>, %b: tensor<3x4xf32>",
        '"stablehlo.dot"(%a, %b) : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>',
    ),
    "stablehlo.einsum": (
        "%a: tensor<2x3x4xf32>, %b: tensor<2x4x5xf32>",
        '"stablehlo.einsum"(%a, %b) {einsum_config = "bij,bjk->kbi"} : '
        "(tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<5x2x3xf32>",
    ),
    "stablehlo.batch_norm_inference": (
        f"%a: {IMAGE}, %b: {VECTOR}, %c: {VECTOR}, %d: {VECTOR}, %e: {VECTOR}",
        f'"stablehlo.batch_norm_inference"(%a, %b, %c, %d, %e) {NORM} : '
        f"({IMAGE}, {VECTOR}, {VECTOR}, {VECTOR}, {VECTOR}) -> {IMAGE}",
    ),
    "stablehlo.batch_norm_training": (
        f"%a: {IMAGE}, %b: {VECTOR}, %c: {VECTOR}",
        f'"stablehlo.batch_norm_training"(%a, %b, %c) {NORM} : '
        f"({IMAGE}, {VECTOR}, {VECTOR}) -> ({IMAGE}, {VECTOR}, {VECTOR})",
    ),
    "stablehlo.batch_norm_grad": (
        f"%a: {IMAGE}, %b: {VECTOR}, %c: {VECTOR}, %d: {VECTOR}, %e: {IMAGE}",
        f'"stablehlo.batch_norm_grad"(%a, %b, %c, %d, %e) {NORM} : '
        f"({IMAGE}, {VECTOR}, {VECTOR}, {VECTOR}, {IMAGE}) -> ({IMAGE}, {VECTOR}, {VECTOR})",
    ),
}


def program(op: str) -> str:
    arguments, line = PROGRAMS[op]
    types = line.rpartition("-> ")[2].strip("()")
    count = len(types.split(", "))
    names = ", ".join(f"%r#{i}" for i in range(count)) if count > 1 else "%r"
    head = f"%r:{count}" if count > 1 else "%r"
    return f"func.func @main({arguments}) -> ({types}) {{\n  {head} = {line}\n  return {names} : {types}\n}}"


def arguments_of(op: str) -> list[np.ndarray]:
    random = np.random.default_rng(7)
    shapes = [part.split("tensor<")[1].split("f32>")[0] for part in PROGRAMS[op][0].split("%")[1:]]
    return [random.uniform(0.5, 1.5, [int(n) for n in shape.split("x") if n]).astype(np.float32) for shape in shapes]


def test_every_decomposition_has_a_program():
    found = {key[1] for key in BUILT_IN.registrations if key[0] == "decomposition"}
    assert found == set(PROGRAMS)


@pytest.mark.parametrize("op", PROGRAMS)
def test_signatures(op):
    assert checked_parameters(BUILT_IN.registrations["decomposition", op, ""])


@pytest.mark.parametrize("op", PROGRAMS)
def test_computes_the_same(op):
    module = stablehlo_py.parse(program(op))
    expected = stablehlo_py.interpret(module, arguments_of(op)) if op != "stablehlo.einsum" else None
    stablehlo_py.run_passes(module, "stablehlo-decompose")
    assert f"{op} " not in str(module)
    found = stablehlo_py.interpret(module, arguments_of(op))
    if expected is None:  # the interpreter has no kernel for an op outside the spec; numpy has one
        expected = [np.einsum("bij,bjk->kbi", *arguments_of(op))]
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, other, rtol=2e-4, atol=2e-5)


def test_only_the_ops_named():
    module = stablehlo_py.parse(program("stablehlo.logistic"))
    stablehlo_py.run_passes(module, "stablehlo-decompose{ops=stablehlo.tan}")
    assert "stablehlo.logistic" in str(module)


@pytest.mark.parametrize("op", ["stablehlo.logistic", "stablehlo.tan"])
@pytest.mark.parametrize("mode", ["DEFAULT", "HIGHEST", "TOLERANCE"])
def test_a_stated_accuracy_is_kept(op, mode):
    accuracy = (
        f"#stablehlo.result_accuracy<ulps = {int(mode == 'TOLERANCE')}, mode = #stablehlo.result_accuracy_mode<{mode}>>"
    )
    text = program(op).replace("(%a)", f"(%a) {{result_accuracy = {accuracy}}}")
    module = stablehlo_py.parse(text)
    stablehlo_py.run_passes(module, "stablehlo-decompose")
    assert (f"{op} " in str(module)) == (mode != "DEFAULT")
    if mode != "DEFAULT":
        assert mode in str(module)


def test_a_stated_precision_is_kept():
    text = program("stablehlo.dot").replace(
        "(%a, %b)", "(%a, %b) {precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision DEFAULT>]}"
    )
    module = stablehlo_py.parse(text)
    stablehlo_py.run_passes(module, "stablehlo-decompose")
    assert "precision = [HIGHEST, DEFAULT]" in str(module)


def test_unknown_sizes():
    text = program("stablehlo.logistic").replace("tensor<5xf32>", "tensor<?xf32>")
    module = stablehlo_py.parse(text)
    stablehlo_py.run_passes(module, "stablehlo-decompose")
    assert "chlo.constant_like" in str(module)
    norm = program("stablehlo.batch_norm_training").replace("tensor<4x3x2xf32>", "tensor<?x3x2xf32>")
    module = stablehlo_py.parse(norm)
    stablehlo_py.run_passes(module, "stablehlo-decompose")
    assert "batch_norm_training" in str(module)


def test_a_decomposition_that_does_not_come_to_an_end_is_an_error_and_changes_nothing(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(
        "from stablehlo_py.shapes.registry import decomposition\n"
        '@decomposition("stablehlo.negate")\ndef negate(hlo, operand):\n    return hlo.negate(operand)\n'
    )
    activate(library([path]))
    try:
        module = stablehlo_py.parse(
            "func.func @f(%a: tensor<f32>) -> tensor<f32> {\n %0 = stablehlo.negate %a : tensor<f32>\n"
            " return %0 : tensor<f32>\n}"
        )
        before = str(module)
        with pytest.raises(stablehlo_py.PassError, match="do not come to an end; the last was decompose"):
            stablehlo_py.run_passes(module, "stablehlo-decompose")
        assert str(module) == before
    finally:
        activate(None)


def test_a_wrong_signature(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(
        "from stablehlo_py.shapes.registry import decomposition\n"
        '@decomposition("stablehlo.negate")\ndef negate(hlo, x):\n    return x\n'
    )
    activate(library([path]))
    try:
        module = stablehlo_py.parse("func.func @f(%a: tensor<f32>) { %0 = stablehlo.negate %a : tensor<f32>\n return }")
        with pytest.raises(stablehlo_py.PassError, match=r"has to take \(hlo, operand\), it takes \(hlo, x\)"):
            stablehlo_py.run_passes(module, "stablehlo-decompose")
    finally:
        activate(None)
    assert issubclass(LibraryError, stablehlo_py.StablehloError)


@pytest.mark.parametrize(
    ("element", "epsilon"), [("f8E8M0FNU", "1.0e-2"), ("f4E2M1FN", "1.0e-2"), ("f8E4M3FN", "1.0e-5")]
)
def test_what_an_element_type_cannot_express_is_not_decomposed(element: str, epsilon: str) -> None:
    image, vector = f"tensor<4x3x2x{element}>", f"tensor<3x{element}>"
    op = (
        '"stablehlo.logistic"(%b) : (' + vector + ") -> " + vector
        if element == "f8E8M0FNU"
        else f'"stablehlo.batch_norm_inference"(%a, %b, %b, %b, %b) {{epsilon = {epsilon} : f32, '
        f"feature_index = 1 : i64}} : ({image}, {vector}, {vector}, {vector}, {vector}) -> {image}"
    )
    module = stablehlo_py.parse(f"func.func @main(%a: {image}, %b: {vector}) {{\n %0 = {op}\n return\n}}")
    before = str(module)
    stablehlo_py.run_passes(module, "builtin.module(stablehlo-decompose)")
    assert str(module) == before
