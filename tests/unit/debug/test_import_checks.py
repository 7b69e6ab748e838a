"""Imported programs are compared with the framework that they come from, and the node that differs is named."""

from __future__ import annotations

import re
import subprocess
import warnings

import numpy as np
import pytest
from warm_tools import tool

import stablehlo_py
from stablehlo_py.artifacts.formats.original import Node, Original
from stablehlo_py.debug import imports
from stablehlo_py.debug.imports import ImportCheck
from stablehlo_py.errors import InputError, ResourceError, UsageError
from stablehlo_py.isolation import policy
from stablehlo_py.program import CHECK_VARIABLE, import_check

PROGRAM = b"""func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %two = stablehlo.constant dense<2.5> : tensor<4xf32>
  %0 = stablehlo.remainder %x, %two : tensor<4xf32>
  %1 = stablehlo.add %0, %two : tensor<4xf32>
  return %1 : tensor<4xf32>
}"""
EXPANDED = PROGRAM.replace(b"-> tensor<4xf32> {", b"-> (tensor<4xf32>, tensor<4xf32>) {").replace(
    b"return %1 : tensor<4xf32>", b"return %0, %1 : tensor<4xf32>, tensor<4xf32>"
)
NODES = [Node("rest (remainder)", "model.py:3:1"), Node("sum (add)", "model.py:4:1")]


def original(function, *, examples=(), values=None):
    """The original of PROGRAM: a function of the argument and the seed; `values` gives those of both nodes."""

    def expanded():
        if values is None:
            raise InputError("cannot be expressed")
        return EXPANDED, Original("theirs", lambda arguments, _: values(*arguments), expanded), NODES

    return Original("theirs", lambda arguments, seed: [function(*arguments, seed)], expanded, examples)


def remainder(x, _seed):
    return np.float32(2.5) + np.fmod(x, np.float32(2.5))


def floored(x, _seed):
    return np.float32(2.5) + np.remainder(x, np.float32(2.5))


def test_a_program_that_agrees_is_taken():
    assert ImportCheck()(PROGRAM, original(remainder)) == ""
    assert ImportCheck(everything=True)(PROGRAM, original(remainder)) == ""


def test_what_the_original_computes_by_numpy_warns_of_nothing():
    def divided(x, seed):
        return remainder(x, seed) + np.zeros(4, np.float32) * (x / np.float32(0)).clip(-1, 1)

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert ImportCheck()(PROGRAM, original(divided)) == ""


def test_a_difference_names_the_first_node_and_its_place():
    def values(x):
        rest = np.remainder(x, np.float32(2.5))
        return [rest, rest + np.float32(2.5)]

    with pytest.raises(InputError, match=r"node 'rest \(remainder\)' is -\S+ in place of \S+ at \[\d\]") as error:
        ImportCheck()(PROGRAM, original(floored, values=values))
    assert error.value.location == "model.py:3:1"
    assert "the program that theirs runs" in error.value.message
    assert "check_import=False" in error.value.notes[0]


def test_a_difference_that_no_node_shows_names_the_result():
    with pytest.raises(InputError, match="runs: result 0 is"):
        ImportCheck()(PROGRAM, original(floored))
    with pytest.raises(InputError, match="runs: result 0 is 4xf32 in place of 4xf64"):
        ImportCheck()(PROGRAM, original(lambda x, seed: remainder(x, seed).astype(np.float64)))
    with pytest.raises(InputError, match="runs: result 0 is 4xf32 in place of 2x2xf32"):
        ImportCheck()(PROGRAM, original(lambda x, seed: remainder(x, seed).reshape(2, 2)))
    more = Original("theirs", lambda arguments, seed: [remainder(*arguments, seed)] * 2, original(remainder).expanded)
    with pytest.raises(InputError, match="runs: result 1 is one of 1 results in place of 2"):
        ImportCheck()(PROGRAM, more)


def test_arguments_that_came_with_the_program_count():
    def wrong_at_a_thousand(x, seed):
        return remainder(x, seed) + (x == 1000)

    ImportCheck()(PROGRAM, original(wrong_at_a_thousand))
    with pytest.raises(InputError, match=r"at \[2\]"):
        ImportCheck()(PROGRAM, original(wrong_at_a_thousand, examples=[[np.float32([1, 2, 1000, 3])]]))


def refuse(x, _seed):
    raise IndexError(f"index {x.size} is out of range")


def program_of(op, shape="4"):
    type_ = f"tensor<{shape}xf32>"
    return f"func.func @main(%x: {type_}) -> {type_} {{\n%0 = {op} : {type_}\nreturn %0 : {type_}\n}}".encode()


UNHEARD = program_of("stablehlo.custom_call @unheard(%x) : (tensor<4xf32>) -> tensor<4xf32>").replace(
    b": (tensor<4xf32>) -> tensor<4xf32> : tensor<4xf32>", b": (tensor<4xf32>) -> tensor<4xf32>"
)


@pytest.mark.parametrize(
    ("program", "function", "reason"),
    [
        (PROGRAM, lambda x, seed: remainder(x, seed) + seed, "its results are random"),
        (PROGRAM, refuse, "that refuses the arguments: index 4 is out of range"),
        (program_of("stablehlo.abs %x", "?"), remainder, "arguments cannot be drawn for dynamic shapes"),
        (UNHEARD, remainder, "the interpreter does not run it: .*unheard"),
    ],
)
def test_what_cannot_be_compared_is_said_and_refused_where_all_are_to_be(program, function, reason):
    assert re.match(f"it is not compared with theirs: {reason}", ImportCheck()(program, original(function)))
    with pytest.raises(InputError, match=f"the import cannot be checked: it is not compared with theirs: {reason}"):
        ImportCheck(everything=True)(program, original(function))


def test_a_large_program_is_compared_on_demand(monkeypatch):
    monkeypatch.setattr(imports, "_SMALL_BYTES", len(PROGRAM))
    assert ImportCheck()(PROGRAM, original(floored)) == ""
    with pytest.raises(InputError, match="result 0 is"):
        ImportCheck(everything=True)(PROGRAM, original(floored))


@pytest.mark.parametrize("more", [0, -1])
def test_the_limit_of_small_programs_is_the_last_size_that_is_compared(more, monkeypatch):
    size = len(PROGRAM) + 2 * np.zeros(4, np.float32).nbytes  # with two sets of arguments
    monkeypatch.setattr(imports, "_SMALL_BYTES", size + more)
    if more:
        assert ImportCheck()(PROGRAM, original(floored)) == ""
    else:
        with pytest.raises(InputError, match="result 0 is"):
            ImportCheck()(PROGRAM, original(floored))


def test_a_program_that_takes_long_counts_as_large(monkeypatch):
    loop = b"""func.func @main(%x: tensor<f32>) -> tensor<f32> {
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %0 = stablehlo.while(%a = %x) : tensor<f32>
        cond { %more = stablehlo.compare GE, %zero, %zero : (tensor<f32>, tensor<f32>) -> tensor<i1>
               stablehlo.return %more : tensor<i1> }
        do { %sum = stablehlo.add %a, %zero : tensor<f32>
             stablehlo.return %sum : tensor<f32> }
      return %0 : tensor<f32>
    }"""
    monkeypatch.setattr(imports, "_SMALL_SECONDS", 0.05)
    assert ImportCheck()(loop, original(remainder)) == ""


def test_the_environment_and_the_keyword_choose(monkeypatch):
    assert import_check("onnx") == ImportCheck(everything=False)
    assert import_check("jax-export") is None
    assert import_check("jax-export", True) == ImportCheck(everything=True)
    assert import_check("onnx", False) is None
    monkeypatch.setenv(CHECK_VARIABLE, "all")
    assert import_check("torch-export") == ImportCheck(everything=True)
    assert import_check("hlo-text") is None
    monkeypatch.setenv(CHECK_VARIABLE, "none")
    assert import_check("onnx") is None
    monkeypatch.setenv(CHECK_VARIABLE, "some")
    with pytest.raises(UsageError, match="STABLEHLO_PY_CHECK_IMPORT=some: expected one of all, small, none"):
        import_check("onnx")


# The frameworks -------------------------------------------------------------------------------------------------------


def onnx_model(*op_types, **attributes):
    onnx = pytest.importorskip("onnx", reason="the extra `onnx` is not installed")
    pytest.importorskip("torch_mlir", reason="the extra `onnx` is not installed")
    helper, number = onnx.helper, onnx.TensorProto.FLOAT
    nodes = [
        helper.make_node(op_type, [f"v{index}"], [f"v{index + 1}"], name=f"{op_type.lower()}_{index}", **attributes)
        for index, op_type in enumerate(op_types)
    ]
    ends = [helper.make_tensor_value_info(name, number, [3, 4]) for name in ("v0", f"v{len(op_types)}")]
    graph = helper.make_graph(nodes, "graph", ends[:1], ends[1:])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def lowering_that_swaps(monkeypatch, module, old, new):
    """Let the import go wrong in this process, as a lowering of torch-mlir might."""
    lower = module.lower
    monkeypatch.setattr(policy, "_expendable", True)
    monkeypatch.setattr(module, "lower", lambda *given: lower(*given).replace(old, new))


def test_a_wrong_lowering_of_onnx_names_its_node(monkeypatch):
    model = onnx_model("Neg", "Relu", "Abs")
    assert stablehlo_py.load(model, check_import=True)(np.ones((3, 4), np.float32)).max() == 0
    from stablehlo_py.artifacts.formats import onnx

    lowering_that_swaps(monkeypatch, onnx, b"stablehlo.maximum", b"stablehlo.minimum")
    with pytest.raises(InputError, match=r"the program that onnx\.reference runs: node 'relu_1 \(Relu\)' is"):
        stablehlo_py.load(model)
    program = stablehlo_py.load(model, check_import=False)
    assert "stablehlo.minimum" in str(program.module)


def test_random_numbers_of_onnx_are_told():
    model = onnx_model("RandomNormalLike")
    with pytest.warns(UserWarning, match=r"it is not compared with onnx\.reference: its results are random"):
        stablehlo_py.load(model)
    with pytest.raises(InputError, match="its results are random"):
        stablehlo_py.load(model, check_import=True)


def test_the_command_line_warns_and_refuses(tmp_path):
    (tmp_path / "random.onnx").write_bytes(onnx_model("RandomNormalLike").SerializeToString())
    code, said = translate(tmp_path, "random.onnx")
    assert code == 0
    assert "warning: importing random.onnx: it is not compared with onnx.reference: its results are random" in said
    assert translate(tmp_path, "random.onnx", "--check-import=none") == (0, "")
    code, said = translate(tmp_path, "random.onnx", "--check-import")
    assert code == 1
    assert "error: the import cannot be checked: it is not compared with onnx.reference" in said


def test_the_command_line_knows_the_choices(tmp_path):
    code, said = translate(tmp_path, "random.onnx", "--check-import=some")
    assert code == 1
    assert "flag --check-import expects one of all, small, none, found 'some'" in said


def translate(folder, *arguments):
    command = [tool("stablehlo-translate"), "--serialize", "-o", "out.mlirbc", *arguments]
    completed = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return completed.returncode, completed.stderr


def test_an_export_of_jax_is_compared_on_demand(tmp_path):
    jax = pytest.importorskip("jax", reason="the package jax is not installed")
    given = {"a": np.ones((2, 3), np.float32), "unused": np.float32(0)}
    exported = jax.export.export(jax.jit(lambda w, *, x: {"y": w["a"] @ x}))(given, x=np.ones(3, np.float32))
    path = tmp_path / "model.jax_export"
    path.write_bytes(exported.serialize())
    for source in (exported, path):
        program = stablehlo_py.load(source, check_import=True)
        assert program(given, x=np.ones(3, np.float32))["y"].tolist() == [3, 3]
    elsewhere = jax.export.export(jax.jit(jax.numpy.negative), platforms=["tpu"])(np.float32(1))
    with pytest.raises(InputError, match=r"it is not compared with jax: that refuses the arguments: .*tpu"):
        stablehlo_py.load(elsewhere, check_import=True)
    assert stablehlo_py.load(elsewhere)(1.0) == -1


@pytest.mark.parametrize("refused", [(), (0,), (1,), (2,), (0, 1), (1, 2), (0, 1, 2)])
def test_a_program_is_compared_if_the_original_takes_any_of_the_arguments(refused: tuple[int, ...]) -> None:
    calls = list[int]()

    def sometimes(x, seed):
        calls.append(seed)
        if (len([each for each in calls if each == 0]) - 1) in refused:
            raise ValueError(f"no {len(calls)}")
        return remainder(x, seed)

    given = original(sometimes, examples=[[np.float32([1, 2, 3, 4])]])
    found = ImportCheck()(PROGRAM, given)
    assert found == ("it is not compared with theirs: that refuses the arguments: no 1" if len(refused) == 3 else "")


def test_a_program_beyond_the_limits_is_told_where_all_are_to_be_compared(monkeypatch):
    class Large:
        def __init__(self, module, settings):
            self.timeout = settings.timeout

        def run(self, arguments):
            raise ResourceError(f"too large, in {self.timeout} s")

    monkeypatch.setattr(imports, "Program", Large)
    assert ImportCheck()(PROGRAM, original(remainder)) == ""
    with pytest.raises(InputError, match="cannot be checked: it is not compared with theirs: too large, in None s"):
        ImportCheck(everything=True)(PROGRAM, original(remainder))


def test_of_a_long_error_of_a_framework_the_beginning_is_told():
    def refuses(x, seed):
        raise ValueError("too\n long " * 100)

    told = ImportCheck()(PROGRAM, original(refuses))
    assert told == f"it is not compared with theirs: that refuses the arguments: {('too long ' * 100)[:200]}"
