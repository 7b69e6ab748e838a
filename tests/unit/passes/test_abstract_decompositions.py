"""Decompositions compute what their ops do, have the op's types, and leave nothing of it."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

import numpy as np
import pytest

import stablehlo_py
from stablehlo_py.bindings import ir, make_context
from stablehlo_py.bindings.walk import operations
from stablehlo_py.passes.decomposition.decompose import checked_parameters
from stablehlo_py.passes.pipeline import run_pipeline
from stablehlo_py.shapes.errors import LibraryError
from stablehlo_py.shapes.library import activate, library
from stablehlo_py.shapes.registry import BUILT_IN

CONTEXT = make_context()
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


def parsed(text: str) -> ir.Module:
    """The program, read in this process: children take most of the time."""
    return ir.Module.parse(text, CONTEXT)


def names(module: ir.Module) -> list[str]:
    return [op.name for op in operations(module.operation)]


def test_every_decomposition_has_a_program():
    found = {key[1] for key in BUILT_IN.registrations if key[0] == "decomposition"}
    assert found == set(PROGRAMS)


@pytest.mark.parametrize("op", PROGRAMS)
def test_signatures(op):
    assert checked_parameters(BUILT_IN.registrations["decomposition", op, ""])


@pytest.mark.parametrize("op", PROGRAMS)
def test_computes_the_same(op):
    module = parsed(program(op))
    expected = stablehlo_py.interpret(module, arguments_of(op)) if op != "stablehlo.einsum" else None
    run_pipeline(module, "stablehlo-decompose")
    assert op not in names(module)
    found = stablehlo_py.interpret(module, arguments_of(op))
    if expected is None:  # the interpreter has no kernel for an op outside the spec; numpy has one
        expected = [np.einsum("bij,bjk->kbi", *arguments_of(op))]
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, other, rtol=2e-4, atol=2e-5)


def test_only_the_ops_named():
    module = parsed(program("stablehlo.logistic"))
    run_pipeline(module, "stablehlo-decompose{ops=stablehlo.tan}")
    assert "stablehlo.logistic" in str(module)


@pytest.mark.parametrize("op", ["stablehlo.logistic", "stablehlo.tan"])
@pytest.mark.parametrize("mode", ["DEFAULT", "HIGHEST", "TOLERANCE"])
def test_a_stated_accuracy_is_kept(op, mode):
    accuracy = (
        f"#stablehlo.result_accuracy<ulps = {int(mode == 'TOLERANCE')}, mode = #stablehlo.result_accuracy_mode<{mode}>>"
    )
    text = program(op).replace("(%a)", f"(%a) {{result_accuracy = {accuracy}}}")
    module = parsed(text)
    run_pipeline(module, "stablehlo-decompose")
    assert (op in names(module)) == (mode != "DEFAULT")
    if mode != "DEFAULT":
        assert mode in str(module)


def test_a_stated_precision_is_kept():
    text = program("stablehlo.dot").replace(
        "(%a, %b)", "(%a, %b) {precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision DEFAULT>]}"
    )
    module = parsed(text)
    run_pipeline(module, "stablehlo-decompose")
    assert "precision = [HIGHEST, DEFAULT]" in str(module)


def test_unknown_sizes():
    text = program("stablehlo.logistic").replace("tensor<5xf32>", "tensor<?xf32>")
    module = parsed(text)
    run_pipeline(module, "stablehlo-decompose")
    assert "chlo.constant_like" in str(module)
    norm = program("stablehlo.batch_norm_training").replace("tensor<4x3x2xf32>", "tensor<?x3x2xf32>")
    module = parsed(norm)
    run_pipeline(module, "stablehlo-decompose")
    assert "batch_norm_training" in str(module)


def test_a_decomposition_that_does_not_come_to_an_end_is_an_error_and_changes_nothing(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(
        "from stablehlo_py.shapes.registry import decomposition\n"
        '@decomposition("stablehlo.negate")\ndef negate(hlo, operand):\n    return hlo.negate(operand)\n'
    )
    activate(library([path]))
    try:
        module = parsed(
            "func.func @f(%a: tensor<f32>) -> tensor<f32> {\n %0 = stablehlo.negate %a : tensor<f32>\n"
            " return %0 : tensor<f32>\n}"
        )
        before = str(module)
        with pytest.raises(stablehlo_py.PassError, match="do not come to an end; the last was decompose"):
            run_pipeline(module, "stablehlo-decompose")
        assert str(module) == before
    finally:
        activate(None)


def test_an_op_with_effects_is_decomposed(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(
        "from stablehlo_py.shapes.registry import decomposition\n"
        '@decomposition("stablehlo.cross-replica-sum")\ndef alone(hlo, operand, replica_groups):\n'
        "    return hlo.negate(operand)\n"
    )
    activate(library([path]))
    try:
        module = parsed(
            "func.func @f(%a: tensor<f32>) -> tensor<f32> {\n"
            ' %0 = "stablehlo.cross-replica-sum"(%a) {replica_groups = dense<0> : tensor<1x1xi64>}'
            " : (tensor<f32>) -> tensor<f32>\n return %0 : tensor<f32>\n}"
        )
        run_pipeline(module, "stablehlo-decompose")
        assert names(module)[2:] == ["stablehlo.negate", "func.return"]
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
        module = parsed("func.func @f(%a: tensor<f32>) { %0 = stablehlo.negate %a : tensor<f32>\n return }")
        with pytest.raises(stablehlo_py.PassError, match=r"has to take \(hlo, operand\), it takes \(hlo, x\)"):
            run_pipeline(module, "stablehlo-decompose")
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
    module = parsed(f"func.func @main(%a: {image}, %b: {vector}) {{\n %0 = {op}\n return\n}}")
    before = str(module)
    run_pipeline(module, "builtin.module(stablehlo-decompose)")
    assert str(module) == before


@pytest.mark.parametrize("op", ["stablehlo.logistic", "stablehlo.dot", "stablehlo.batch_norm_training"])
def test_results_keep_the_types_that_they_declare(op: str) -> None:
    head, line, *rest = program(op).splitlines()
    inferred = line.rpartition("-> ")[2].strip("()")
    declared = re.sub(r"<\d+x", "<?x", inferred)
    lines = [each.replace(inferred, declared) if "->" not in each else each for each in rest]
    left, right = line.rpartition("-> ")[0], line.rpartition("-> ")[2].replace(inferred, declared)
    text = "\n".join([f"{head.rpartition('-> ')[0]}-> ({declared}) {{", f"{left}-> {right}", *lines])
    module = parsed(text)
    assert "?" in text
    run_pipeline(module, "stablehlo-decompose")
    assert op not in names(module)
    assert module.operation.verify()
    for found, wanted in zip(
        stablehlo_py.interpret(module, arguments_of(op)),
        stablehlo_py.interpret(parsed(program(op)), arguments_of(op)),
        strict=True,
    ):
        np.testing.assert_allclose(found, wanted, rtol=2e-4, atol=2e-5)


NEEDS = {
    "stablehlo.logistic": {"f32": True, "f16": True, "bf16": True, "complex<f32>": True, "f8E5M2": True,
                           "f8E4M3FN": False, "f8E8M0FNU": False},
    "stablehlo.tan": {"f32": True, "f8E4M3": True, "complex<f32>": False, "f8E4M3FN": False},
    "stablehlo.clamp": {"f32": True, "i8": True, "ui8": True, "f4E2M1FN": True},
    "stablehlo.broadcast": {"f32": True, "i1": True, "complex<f64>": True, "f8E8M0FNU": True},
    "stablehlo.dot": {"f32": True, "i32": True, "complex<f64>": True},
    "stablehlo.einsum": {"f32": True, "i32": True, "f8E8M0FNU": True},
    "stablehlo.batch_norm_inference": {"f32": True, "f64": True, "f8E4M3FN": False},
    "stablehlo.batch_norm_training": {"f32": True, "f8E4M3FN": False},
    "stablehlo.batch_norm_grad": {"f32": True, "f8E4M3FN": False},
}  # fmt: skip


@pytest.mark.parametrize(("op", "element"), [(op, element) for op, needs in NEEDS.items() for element in needs])
def test_the_element_types_of_each_decomposition(op: str, element: str) -> None:
    text = re.sub(r"(?<=[x<])f32>", f"{element}>", program(op))
    module = parsed(text)
    run_pipeline(module, "stablehlo-decompose")
    assert (op not in names(module)) == NEEDS[op][element], module


def test_quantized_ops_are_not_decomposed() -> None:
    for op in ("stablehlo.clamp", "stablehlo.broadcast", "stablehlo.logistic"):
        text = (
            program(op)
            .replace("xf32>", "x!quant.uniform<i8:f32, 0.5:1>>")
            .replace("<f32>", "<!quant.uniform<i8:f32, 0.5:1>>")
        )
        module = parsed(text)
        run_pipeline(module, "stablehlo-decompose")
        assert op in names(module), module


@pytest.mark.parametrize("op", ["stablehlo.logistic", "stablehlo.batch_norm_inference", "stablehlo.clamp"])
def test_ops_of_unknown_sizes_compute_the_same(op: str) -> None:
    expected = stablehlo_py.interpret(parsed(program(op)), arguments_of(op))
    module = parsed(program(op).replace("tensor<4x3x2xf32>", "tensor<?x3x?xf32>").replace(
        "tensor<5xf32>", "tensor<?xf32>"))  # fmt: skip
    run_pipeline(module, "stablehlo-decompose")
    assert op not in names(module)
    for one, other in zip(stablehlo_py.interpret(module, arguments_of(op)), expected, strict=True):
        np.testing.assert_allclose(one, other, rtol=2e-6)


HEAD = """import numpy as np
from stablehlo_py.passes.decomposition.ops import NotDecomposableError
from stablehlo_py.shapes.registry import decomposition

@decomposition("stablehlo.sine")
"""
ROWS = """func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %r = stablehlo.sine %x : tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}"""
X = np.array([[1, 2, 3], [4, 5, 6]], np.float32)
WRITTEN: dict[str, tuple[str, np.ndarray]] = {
    "a number of the same shape": ("hlo.add(operand, hlo.constant_like(0.5, operand))", X + 0.5),
    "a scalar that is spread": (
        "hlo.add(operand, hlo.broadcast_in_dim(hlo.scalar(2.0, operand), broadcast_dimensions=[], "
        "result=operand.type))",
        X + 2,
    ),
    "sums along the last dimension": (
        'hlo.along("subtract", operand, hlo.sum(operand, [1]), 0)',
        X - X.sum(1)[:, None],
    ),
    "sums along the first dimension": ('hlo.along("divide", operand, hlo.sum(operand, [0]), 1)', X / X.sum(0)),
    "sums along no dimension": ("hlo.sum(operand, [])", X),
    "a type of another shape": (
        "hlo.reshape(hlo.reshape(operand, result=hlo.tensor_type([3, 2], operand)), result=hlo.result_type())",
        X,
    ),
    "sizes": ("hlo.multiply(operand, hlo.constant_like(float(hlo.shape(operand)[1]), operand))", X * 3),
    "ops of CHLO": ("hlo.chlo.broadcast_add(operand, hlo.chlo.square(operand), result=operand.type)", X + X * X),
    "attributes as text": (
        'hlo.convert(hlo.compare(operand, hlo.constant_like(3.0, operand), comparison_direction='
        '"#stablehlo<comparison_direction GT>"), result=operand.type)',
        (X > 3).astype(np.float32),
    ),
    "names that Python has": (
        "hlo.convert(hlo.or_(*[hlo.compare(operand, hlo.constant_like(number, operand), comparison_direction="
        "'#stablehlo<comparison_direction EQ>') for number in (2.0, 5.0)]), result=operand.type)",
        ((X == 2) | (X == 5)).astype(np.float32),
    ),
}  # fmt: skip


def decomposed(tmp_path: Path, body: str) -> tuple[str, ir.Module]:
    """The program before and after a decomposition of the sine, a function body of lines."""
    path = tmp_path / "mine.py"
    path.write_text(HEAD + "def sine(hlo, operand, result_accuracy):\n" + textwrap.indent(body, "    ") + "\n")
    activate(library([path]))
    try:
        module = parsed(ROWS)
        before = str(module)
        run_pipeline(module, "stablehlo-decompose{ops=stablehlo.sine}")
        return before, module
    finally:
        activate(None)


@pytest.mark.parametrize("name", WRITTEN)
def test_what_decompositions_can_write(name: str, tmp_path: Path) -> None:
    expression, expected = WRITTEN[name]
    _, module = decomposed(tmp_path, f"return {expression}")
    assert "sine" not in str(module)
    (found,) = stablehlo_py.interpret(module, [X])
    np.testing.assert_array_equal(found, expected.astype(np.float32))


def test_a_decomposition_that_gives_up_leaves_nothing(tmp_path: Path) -> None:
    lines = ("hlo.negate(hlo.scalar(1.0, operand))", "hlo.sum(operand, [0])", "hlo.chlo.square(operand)")
    before, module = decomposed(tmp_path, "\n".join([*lines, "raise NotDecomposableError"]))
    assert str(module) == before


def test_a_decomposition_that_writes_a_wrong_op_is_an_error_at_the_op(tmp_path: Path) -> None:
    with pytest.raises(stablehlo_py.PassError) as raised:
        decomposed(tmp_path, "return hlo.add(operand, hlo.scalar(1.0, operand))")
    found = raised.value.diagnostics[-1]
    assert found.message.startswith("'stablehlo.sine' op its decomposition creates an op that is wrong: ")
    assert found.location.endswith(":2:8")
