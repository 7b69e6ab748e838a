"""ONNX models, programs of torch.export and MHLO as input: from Python, from files and from the command line."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest
from installed import needs_dialect
from warm_tools import tool

import stablehlo_py
from stablehlo_py.artifacts import formats
from stablehlo_py.artifacts.formats.onnx import is_model_object
from stablehlo_py.errors import InputError, ProviderError
from stablehlo_py.isolation import policy

MHLO = """
module @m {
  func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
    %0 = mhlo.add %x, %x : tensor<2xf32>
    %1 = "mhlo.erf"(%0) : (tensor<2xf32>) -> tensor<2xf32>
    return %0 : tensor<2xf32>
  }
}
"""


def translate(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    command = [tool("stablehlo-translate"), *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def onnx_model(*op_types: str):
    """A model that applies ops of one operand one after the other, to which a matrix is added in front."""
    onnx = pytest.importorskip("onnx", reason="the extra `onnx` is not installed")
    pytest.importorskip("torch_mlir", reason="the extra `onnx` is not installed")
    helper, number = onnx.helper, onnx.TensorProto.FLOAT
    bias = helper.make_tensor("bias", number, [4], [0.0, -10.0, 1.0, 2.0])
    nodes = [helper.make_node("Gemm", ["x", "w", "bias"], ["v0"], name="dense")]
    for index, op_type in enumerate(op_types):
        nodes.append(helper.make_node(op_type, [f"v{index}"], [f"v{index + 1}"]))
    inputs = [helper.make_tensor_value_info(name, number, shape) for name, shape in (("x", [2, 3]), ("w", [3, 4]))]
    results = [helper.make_tensor_value_info(f"v{len(op_types)}", number, None)]
    graph = helper.make_graph(nodes, "graph", inputs, results, [bias])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])


def test_onnx_loads_as_model_bytes_and_file(tmp_path):
    model = onnx_model("Relu", "Neg")
    path = tmp_path / "dense.onnx"
    path.write_bytes(model.SerializeToString())
    x, w = np.arange(6, dtype=np.float32).reshape(2, 3), np.ones((3, 4), np.float32)
    expected = -np.maximum(x @ w + np.float32([0, -10, 1, 2]), 0)
    for program in (stablehlo_py.load(model), stablehlo_py.load(path)):
        assert list(program.signature.parameters) == ["x", "w"]
        np.testing.assert_array_equal(program(x, w), expected)
        np.testing.assert_array_equal(program(w=w, x=x), expected)
    assert "stablehlo.dot_general" in str(stablehlo_py.parse(model))


def test_what_onnx_cannot_say_in_stablehlo_names_the_node():
    with pytest.raises(InputError, match=r"node 'StringNormalizer_2' cannot be expressed in StableHLO: failed to leg"):
        stablehlo_py.load(onnx_model("Relu", "StringNormalizer"))
    with pytest.raises(InputError, match="cannot be read as ONNX"):
        formats.to_mlir(b"damaged", "onnx")


def test_onnx_runs_on_the_command_line(tmp_path):
    (tmp_path / "dense.onnx").write_bytes(onnx_model("Relu").SerializeToString())
    (tmp_path / "dense").write_bytes(onnx_model("StringNormalizer").SerializeToString())
    arguments = "--args=[dense<1.0> : tensor<2x3xf32>, dense<2.0> : tensor<3x4xf32>]"
    completed = translate("--interpret", arguments, "dense.onnx", folder=tmp_path)
    assert "[6.000000e+00, 0.000000e+00, 7.000000e+00, 8.000000e+00]" in completed.stdout, completed.stderr
    completed = translate("--import=onnx", "--interpret", arguments, "dense", folder=tmp_path)
    assert completed.returncode == 1, completed.stderr
    assert "node 'StringNormalizer_1' cannot be expressed in StableHLO" in completed.stderr


@pytest.mark.parametrize(
    "name", ["add", "softmax_axis_0", "conv_with_strides_padding", "gather_1", "transpose_default"]
)
def test_a_node_test_of_the_onnx_package_agrees(name):
    pytest.importorskip("torch_mlir", reason="the extra `onnx` is not installed")
    pytest.importorskip("onnx", reason="the extra `onnx` is not installed")
    from onnx_node_tests import AGREES, judge, node_tests

    (case,) = [case for case in node_tests(name) if case.name == f"test_{name}"]
    assert judge(case).outcome == AGREES


def test_the_counts_of_node_tests_are_by_cause():
    from onnx_node_tests import AGREES, DIFFERS, Verdict, summary

    verdicts = [Verdict("a", AGREES), Verdict("b", DIFFERS), Verdict("c", "torch-mlir does not lower onnx.X")]
    assert list(summary(verdicts)) == [
        "3 tests: 1 agree, 1 differ, 1 cannot run",
        "     1  differs",
        "     1  torch-mlir does not lower onnx.X",
    ]


def test_torch_export_loads_as_program_and_file(tmp_path):
    torch = pytest.importorskip("torch", reason="the extra `pytorch` is not installed")
    pytest.importorskip("torch_mlir", reason="the extra `pytorch` is not installed")

    class Model(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.dense = torch.nn.Linear(3, 4)

        def forward(self, x):
            return torch.relu(self.dense(x)).softmax(-1), x + 1

    model, x = Model(), torch.randn(2, 3)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # torch's own
        exported = torch.export.export(model, (x,))
        torch.export.save(exported, tmp_path / "model.pt2")
        programs = [stablehlo_py.load(exported), stablehlo_py.load(tmp_path / "model.pt2")]
    expected = [value.detach().numpy() for value in model(x)]
    for program in programs:
        for given in (x, x.numpy()):
            for result, wanted in zip(program(given), expected, strict=True):
                np.testing.assert_allclose(result, wanted, rtol=1e-5, atol=1e-6)


def test_a_damaged_export_of_torch_is_an_error():
    pytest.importorskip("torch", reason="the extra `pytorch` is not installed")
    pytest.importorskip("torch_mlir", reason="the extra `pytorch` is not installed")
    with pytest.raises(InputError, match=r"cannot be read as a program of torch\.export"):
        formats.to_mlir(b"damaged", "torch-export")


@pytest.mark.parametrize(("form", "package"), [("onnx", "onnx"), ("torch-export", "torch")])
def test_a_missing_package_is_named_with_its_extra(form, package, monkeypatch):
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.setattr(policy, "_expendable", True)  # so that it happens in this process
    with pytest.raises(ProviderError, match=r"pip install 'stablehlo-py\[(onnx|pytorch)\]'"):
        formats.to_mlir(b"", form)


PAGE = (Path(__file__).parents[3] / "docs" / "programs.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^\$ stablehlo-translate (.*(?:onnx|pt2).*)$", PAGE, re.MULTILINE)


def test_the_commands_of_the_page_run_for_onnx(tmp_path):
    assert len(COMMANDS) == 2
    (tmp_path / "model.onnx").write_bytes(onnx_model("Relu").SerializeToString())
    np.savez(tmp_path / "arguments.npz", x=np.ones((2, 3), np.float32), w=np.ones((3, 4), np.float32))
    completed = translate(*shlex.split(COMMANDS[0]), folder=tmp_path)
    assert "[3.000000e+00, 0.000000e+00, 4.000000e+00, 5.000000e+00]" in completed.stdout, completed.stderr


def test_the_commands_of_the_page_run_for_torch(tmp_path):
    torch = pytest.importorskip("torch", reason="the extra `pytorch` is not installed")
    pytest.importorskip("torch_mlir", reason="the extra `pytorch` is not installed")

    class Model(torch.nn.Module):
        def forward(self, x):
            return x + 1

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # torch's own
        torch.export.save(torch.export.export(Model(), (torch.ones(2, 3),)), tmp_path / "model.pt2")
    completed = translate(*shlex.split(COMMANDS[1]), folder=tmp_path)
    assert "[2.000000e+00, 2.000000e+00, 2.000000e+00]" in completed.stdout, completed.stderr


@needs_dialect("mhlo")
def test_mhlo_is_read(tmp_path):
    (tmp_path / "m.mlir").write_text(MHLO)
    completed = translate(
        "--import=mhlo", "--interpret", "--args=[dense<[1.0, 2.0]> : tensor<2xf32>]", "m.mlir", folder=tmp_path
    )
    assert "[2.000000e+00, 4.000000e+00]" in completed.stdout, completed.stderr
    completed = translate("--import=mhlo", "--interpret", "m.mlir", folder=tmp_path)
    assert completed.returncode == 1, completed.stderr
    (tmp_path / "m.mlir").write_text(MHLO.replace("mhlo.add", "mhlo.nope"))
    completed = translate("--import=mhlo", "--interpret", "m.mlir", folder=tmp_path)
    assert completed.returncode == 1, completed.stderr
    assert "cannot be read as MHLO" in completed.stderr
    assert "mhlo.nope" in completed.stderr


@pytest.mark.parametrize(
    ("module", "name", "is_model"),
    [
        ("onnx.onnx_ml_pb2", "ModelProto", True),
        ("onnx", "ModelProto", True),
        ("onnx.onnx_ml_pb2", "GraphProto", False),
        ("tensorflow.core", "ModelProto", False),
        ("builtins", "str", False),
    ],
)
def test_objects_of_onnx_are_told_by_their_class(module, name, is_model):
    assert is_model_object(type(name, (), {"__module__": module})()) is is_model
