"""Library functions for torch ops, run by torch-mlir's own refinement, and on to StableHLO and the interpreter.

Needs the extra `torch`; what can be said without it is tested without it.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from stablehlo_py.errors import ParseError, ProviderError
from stablehlo_py.shapes.errors import LibraryError
from stablehlo_py.shapes.library import load_file
from stablehlo_py.shapes.torch import refine_torch, torch_library_text, torch_to_stablehlo

HAS_TORCH_MLIR = importlib.util.find_spec("torch_mlir") is not None
needs_torch_mlir = pytest.mark.skipif(not HAS_TORCH_MLIR, reason="torch-mlir is not installed: the extra 'torch'")

LIBRARY = """from __future__ import annotations

from stablehlo_py.shapes.language import DType, Shape
from stablehlo_py.shapes.registry import dtype_function, shape_function


def doubled(size: int) -> int:
    return size * 2


@shape_function("torch.my.double")
def double(operand: Shape) -> Shape:
    assert len(operand) > 0, f"a scalar cannot be doubled, this has rank {len(operand)}"
    result: Shape = []
    for i in range(len(operand)):
        result.append(doubled(operand[i]) if i == 0 else operand[i])
    return result


@dtype_function("torch.my.double")
def double_dtype(operand: DType) -> DType:
    return operand


@shape_function("torch.my.halve")
def halve(operand: Shape) -> Shape:
    n = operand[0]
    for _ in range(2):
        if n % 2 == 0 and n > 2:
            n = n // 2
    operand[0] = n
    return operand + [1] if n == 1 else operand[:]


@dtype_function("torch.my.halve")
def halve_dtype(operand: DType) -> DType:
    return operand


@shape_function("torch.my.first")
def first(operand: Shape, count: int | None) -> Shape:
    if count is None:
        return operand[1:]
    return [count] + operand[1:]


@dtype_function("torch.my.first")
def first_dtype(operand: DType, count: int | None) -> DType:
    return operand
"""

PROGRAM = """func.func @main(%x: !torch.vtensor<[3,4],f32>) -> !torch.vtensor {
  %0 = torch.aten.relu %x : !torch.vtensor<[3,4],f32> -> !torch.vtensor
  %1 = torch.operator "my.double"(%0) : (!torch.vtensor) -> !torch.vtensor
  %2 = torch.aten.neg %1 : !torch.vtensor -> !torch.vtensor
  return %2 : !torch.vtensor
}"""


@pytest.fixture
def my_ops(tmp_path: Path) -> Path:
    path = tmp_path / "my_torch_ops.py"
    path.write_text(LIBRARY)
    return path


def test_the_library_has_the_form_of_torch_mlir_s(my_ops):
    text = torch_library_text([load_file(my_ops)])
    assert 'func.func @"__torch_mlir_shape_fn.my.double"(%operand: !torch.list<int>) -> !torch.list<int> {' in text
    assert '@"__torch_mlir_dtype_fn.my.double"(%operand.packed: !torch.tuple<int, int>) -> !torch.int {' in text
    assert '@"my_torch_ops.doubled"(%size: !torch.int) -> !torch.int {' in text
    assert "%count.packed: !torch.optional<int>" in text


def test_a_library_without_torch_ops(tmp_path):
    path = tmp_path / "empty.py"
    for other in ("", LIBRARY.partition("torch.my.double")[0] + 'my.op")\ndef op(x: Shape) -> Shape:\n    return x\n'):
        path.write_text(other)
        with pytest.raises(LibraryError, match="no function for an op of the torch dialect"):
            torch_library_text([load_file(path)])


def test_while_is_an_error_with_its_line(tmp_path):
    path = tmp_path / "endless.py"
    body = "def op(x: Shape) -> Shape:\n    n = 9\n    while n > 3:\n        n -= 1\n    return [n]\n"
    path.write_text(LIBRARY.partition("def doubled")[0] + '@shape_function("torch.my.op")\n' + body)
    with pytest.raises(LibraryError, match="cannot use while") as caught:
        torch_library_text([load_file(path)])
    assert caught.value.location.startswith(str(path))


@pytest.mark.skipif(HAS_TORCH_MLIR, reason="torch-mlir is installed")
def test_without_torch_mlir_one_clear_error(my_ops):
    with pytest.raises(ProviderError, match=r"needs the package torch-mlir: pip install 'stablehlo-py\[torch\]'"):
        refine_torch(PROGRAM, [my_ops])


@needs_torch_mlir
def test_refinement_by_torch_mlir_s_own_pipeline(my_ops):
    refined = refine_torch(PROGRAM, [my_ops])
    assert 'torch.operator "my.double"(%0) : (!torch.vtensor<[3,4],f32>) -> !torch.vtensor<[6,4],f32>' in refined
    assert "-> !torch.vtensor<[6,4],f32> {" in refined


@needs_torch_mlir
@pytest.mark.parametrize(
    ("op", "operands", "types", "expected"),
    [
        ("my.halve", "%x", "!torch.vtensor<[12,4],f32>", "[3,4]"),
        ("my.first", "%x, %two", "!torch.vtensor<[12,4],f32>, !torch.int", "[2,4]"),
        ("my.first", "%x, %none", "!torch.vtensor<[12,4],f32>, !torch.none", "[4]"),
    ],
)
def test_loops_slices_and_optional_arguments_simplify(my_ops, op, operands, types, expected):
    program = f"""func.func @main(%x: !torch.vtensor<[12,4],f32>) -> !torch.vtensor {{
      %two = torch.constant.int 2
      %none = torch.constant.none
      %0 = torch.operator "{op}"({operands}) : ({types}) -> !torch.vtensor
      return %0 : !torch.vtensor
    }}"""
    assert f"!torch.vtensor<{expected},f32>" in refine_torch(program, [my_ops]).split("->")[1]


@needs_torch_mlir
def test_end_to_end_on_to_stablehlo_and_the_interpreter(my_ops):
    import stablehlo_py

    text = torch_to_stablehlo(PROGRAM, [my_ops])
    assert "stablehlo.custom_call @my.double(%1) : (tensor<3x4xf32>) -> tensor<6x4xf32>" in text

    @stablehlo_py.custom_call_handler("my.double")
    def double(call: object, operand: np.ndarray) -> np.ndarray:
        return np.concatenate([operand, operand])

    x = np.arange(-4, 8, dtype=np.float32).reshape(3, 4)
    (result,) = stablehlo_py.interpret(stablehlo_py.parse(text), [x])
    np.testing.assert_array_equal(result, -np.maximum(np.concatenate([x, x]), 0))


# Runs in a process of its own: a process has one provider.
WITHOUT_OP_CLASSES = """
import stablehlo_py
from stablehlo_py.bindings.op_signatures import op_names, op_signature
from stablehlo_py.bindings.provider import provider

assert provider.optional_module("dialects._stablehlo_ops_gen") is None
assert "stablehlo.select" in op_names("stablehlo")
assert op_signature("stablehlo.unheard_of") is None
assert [operand.name for operand in op_signature("stablehlo.select").operands] == ["pred", "on_true", "on_false"]
text = '''func.func @main(%p: tensor<2xi1>, %x: tensor<2xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.select %p, %x, %y : (tensor<2xi1>, tensor<2xf32>, tensor<?xf32>) -> tensor<?xf32>
  %1 = stablehlo.reverse %0, dims = [0] : tensor<?xf32>
  return %1 : tensor<?xf32>
}'''
module = stablehlo_py.parse(text)
for pipeline in ("stablehlo-shape-refinement-pipeline", "stablehlo-dtype-refinement-pipeline"):
    stablehlo_py.run_passes(module, f"builtin.module({pipeline})")
assert "dims = [0] : tensor<2xf32>" in str(module), module
"""


@needs_torch_mlir
def test_a_provider_without_op_classes_refines_by_the_signatures_written_down():
    environment = os.environ | {"STABLEHLO_PY_PROVIDER": "torch_mlir"}
    command = [sys.executable, "-c", WITHOUT_OP_CLASSES]
    completed = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert completed.returncode == 0, completed.stderr


EXPLAIN = """
from stablehlo_py.analysis.op_description import describe
from stablehlo_py.dialect.catalog import contract

for op in ("add", "batch_norm_training", "dynamic_iota", "reduce", "case"):
    print(describe(contract(op)))
"""


@needs_torch_mlir
def test_an_op_is_explained_alike_by_every_provider():
    pages = []
    for name in ("jaxlib", "torch_mlir"):
        environment = os.environ | {"STABLEHLO_PY_PROVIDER": name}
        completed = subprocess.run(
            [sys.executable, "-c", EXPLAIN], env=environment, capture_output=True, text=True, check=False
        )
        assert completed.returncode == 0, completed.stderr
        pages.append(completed.stdout)
    assert "batch_mean" in pages[0]
    assert pages[0] == pages[1]


@needs_torch_mlir
def test_an_op_that_no_library_knows(tmp_path, my_ops):
    with pytest.raises(LibraryError, match=r"the shape or element type of 'my\.unheard_of' is unknown"):
        torch_to_stablehlo(PROGRAM.replace("my.double", "my.unheard_of"), [my_ops])


@needs_torch_mlir
def test_a_program_that_is_none(my_ops):
    with pytest.raises(ParseError):
        refine_torch("func.func @main(", [my_ops])
