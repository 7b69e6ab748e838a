"""Programs in HLO and in jax's exports, in and out, from Python and from the command line."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from installed import needs_dialect
from warm_tools import tool

import stablehlo_py
from stablehlo_py.artifacts import formats
from stablehlo_py.errors import InputError, UsageError
from stablehlo_py.syntax import Source

HLO = """HloModule scaled
ENTRY main {
  x = f32[2,3] parameter(0)
  two = f32[] constant(2)
  twos = f32[2,3] broadcast(two), dimensions={}
  ROOT product = f32[2,3] multiply(x, twos)
}
"""
X = np.arange(6, dtype=np.float32).reshape(2, 3)


def translate(*arguments, **options):
    return subprocess.run([tool("stablehlo-translate"), *arguments], capture_output=True, check=False, **options)


def test_hlo_loads_as_text_bytes_and_file(tmp_path):
    path = tmp_path / "scaled.hlo"
    path.write_text(HLO)
    module = stablehlo_py.parse(path)
    proto = tmp_path / "scaled.hlo.pb"
    proto.write_bytes(formats.export(module, "hlo-proto"))
    for source in (HLO, HLO.encode(), path, proto, formats.export(module, "hlo-text")):
        np.testing.assert_array_equal(stablehlo_py.load(source)(X), 2 * X)


def test_an_export_and_hlo_are_recognized():
    assert formats.recognize(Source("-", HLO.encode())) == "hlo-text"
    assert formats.recognize(Source("a.hlo.pb", b"\x01")) == "hlo-proto"
    assert formats.recognize(Source("a.mlir", b"module {}")) == ""


def test_what_an_importer_rejects_has_its_reason():
    with pytest.raises(InputError, match=r"cannot be read as HLO: Syntax error(.|\n)*2:"):
        stablehlo_py.load("HloModule x\n garbage")
    with pytest.raises(InputError, match="cannot be expressed in StableHLO: Failed to deserialize"):
        formats.to_mlir(b"damaged", "hlo-proto")
    with pytest.raises(UsageError, match="no exporter for 'onnx'"):
        formats.export(stablehlo_py.parse("module {}"), "onnx")


def test_the_command_line_translates_both_ways(tmp_path):
    path, back, proto = tmp_path / "scaled.hlo", tmp_path / "back.hlo", tmp_path / "anything"
    path.write_text(HLO)
    artifact = tmp_path / "scaled.mlir.bc"
    assert translate("--serialize", path, "-o", artifact).returncode == 0
    assert translate("--export=hlo-text", artifact, "-o", back).returncode == 0
    assert translate("--export=hlo-proto", back, "-o", proto).returncode == 0
    arguments = "--args=[dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]> : tensor<2x3xf32>]"
    first, last = (
        translate("--interpret", path, arguments),
        translate("--interpret", "--import=hlo-proto", proto, arguments),
    )
    assert first.returncode == 0, first.stderr
    assert first.stdout == last.stdout
    assert b"1.000000e+01" in first.stdout
    wrong = translate("--interpret", "--import=tflite", path)
    assert wrong.returncode == 1, wrong.stderr
    assert b"no importer for 'tflite'" in wrong.stderr


MHLO = """module {
  func.func @main(%arg0: tensor<2xf32> {mhlo.sharding = "{replicated}"}) -> tensor<2xf32> {
    %0 = mhlo.add %arg0, %arg0 : tensor<2xf32>
    %1 = chlo.erf %0 : tensor<2xf32> -> tensor<2xf32>
    return %0 : tensor<2xf32>
  }
}
"""


@needs_dialect("mhlo")
def test_mhlo_is_read_and_written(tmp_path):
    path, back = tmp_path / "old.mlir", tmp_path / "back.mlir"
    path.write_text(MHLO)
    for source in (path, MHLO, MHLO.encode()):
        assert stablehlo_py.load(source)([1.0, 2.0]).tolist() == [2.0, 4.0]
        assert "stablehlo.add" in str(stablehlo_py.parse(source))
    module = stablehlo_py.parse(path, form="mhlo")
    assert "stablehlo.add" in str(module)
    assert stablehlo_py.export(module, "mhlo").decode() == MHLO
    for flag in (
        "--export=mhlo",
        "--import=mhlo --export=mhlo",
        "--import=mhlo --serialize --allow-other-dialects --export=mhlo",
    ):
        assert translate(*flag.split(), path, "-o", back).returncode == 0
        assert back.read_text() == MHLO
    arguments = "--args=[dense<[1.0, 2.0]> : tensor<2xf32>]"
    assert b"4.000000e+00" in translate("--interpret", arguments, path).stdout


@needs_dialect("mhlo")
def test_what_mhlo_cannot_say_has_its_place(tmp_path):
    path = tmp_path / "einsum.mlir"
    einsum = """%0 = "stablehlo.unary_einsum"(%x) {einsum_config = "i->i"} : (tensor<2xf32>) -> tensor<2xf32>"""
    path.write_text(f"func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {{\n{einsum}\nreturn %0 : tensor<2xf32>\n}}")
    with pytest.raises(InputError, match="cannot be expressed in MHLO") as error:
        stablehlo_py.export(stablehlo_py.parse(path), "mhlo")
    assert error.value.location == f"{path}:2:6"
    path.write_text(MHLO.replace("%arg0, %arg0", "%arg0, %other"))
    with pytest.raises(InputError, match="cannot be read as MHLO: use of undeclared SSA value") as error:
        stablehlo_py.load(path)
    assert error.value.location.startswith(f"{path}:3:")


RECURSION = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = call @main(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}"""


def test_an_exporter_that_crashes_is_an_error_here_and_on_the_command_line(tmp_path):
    module = stablehlo_py.parse(RECURSION)
    for form in ("hlo-text", "hlo-proto"):
        with pytest.raises(InputError, match=f"the exporter to {form} crashes: SIG"):
            stablehlo_py.export(module, form)
    path, output = tmp_path / "recursion.mlir", tmp_path / "out.hlo"
    path.write_text(RECURSION)
    completed = translate("--export=hlo-text", path, "-o", output)
    assert completed.returncode == 1, completed.stderr
    assert b"error" in completed.stderr
    assert not output.exists()


def test_a_program_without_main_is_a_short_error():
    module = stablehlo_py.parse(RECURSION.replace("@main", "@other"))
    with pytest.raises(InputError) as error:
        stablehlo_py.export(module, "hlo-text")
    assert error.value.message == "cannot be expressed in HLO: conversion requires module with `main` function"


def test_the_form_can_be_named(tmp_path):
    path = tmp_path / "scaled"
    path.write_bytes(stablehlo_py.export(stablehlo_py.parse(HLO), "hlo-proto"))
    np.testing.assert_array_equal(stablehlo_py.load(path, form="hlo-proto")(X), 2 * X)
    assert "stablehlo.multiply" in str(stablehlo_py.parse(path.read_bytes(), form="hlo-proto"))
    for wrong, error in (("tflite", UsageError), ("hlo-text", InputError), ("jax-export", InputError)):
        with pytest.raises(error):
            stablehlo_py.load(path, form=wrong)
    with pytest.raises(InputError, match="expected text, bytes or a path"):
        stablehlo_py.load(stablehlo_py.parse(HLO), form="mhlo")


# The verifier of some releases divides by the number of groups.
CRASHES_ON_SOME = """func.func @main(%x: tensor<4xf32>) {
  %0 = "stablehlo.all_to_all"(%x) {split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 2 : i64,
    replica_groups = dense<> : tensor<0x0xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}"""


def test_text_is_read_by_a_child_whatever_takes_it():
    code = "import sys, stablehlo_py as s\nfor f in (s.load, s.verify, s.interpret):\n  try: f(sys.argv[1])\n"
    code += "  except s.StablehloError as e: print(type(e).__name__)\n"
    completed = subprocess.run([sys.executable, "-c", code, CRASHES_ON_SOME], capture_output=True, check=False)
    assert completed.returncode == 0, completed.stderr
    assert len(completed.stdout.split()) == 3


TUPLES = """HloModule step, input_output_alias={ {1,0}: (1, {1,1}, may-alias), {0}: (2, {}, must-alias) }
ENTRY main {
  a = f32[2] parameter(0)
  p = (f32[2], (f32[2], f32[3])) parameter(1)
  c = f32[2] parameter(2)
  q = (f32[2], f32[3]) get-tuple-element(p), index=1
  r = f32[3] get-tuple-element(q), index=1
  t = (f32[3], f32[2]) tuple(r, a)
  ROOT both = (f32[2], (f32[3], f32[2])) tuple(c, t)
}
"""


def test_aliases_follow_the_parameters_out_of_tuples():
    module = stablehlo_py.parse(TUPLES)
    exported = stablehlo_py.export(module, "hlo-text")
    assert b"input_output_alias={ {0}: (4, {}, must-alias), {1}: (3, {}, may-alias) }" in exported
    again = stablehlo_py.parse(stablehlo_py.export(module, "hlo-proto"), form="hlo-proto")
    assert stablehlo_py.export(again, "hlo-text") == exported
    single = TUPLES.replace("{0}: (2, {}, must-alias)", "").replace("may-alias), ", "may-alias)")
    single = single.replace("{1,0}:", "{0}:").replace("  t =", "  ROOT t =").replace("tuple(r, a)", "tuple(r)")
    single = single.replace("t = (f32[3], f32[2])", "t = (f32[3])").split("\n  ROOT both")[0] + "\n}"
    assert b"input_output_alias={ {}: (3, {}, may-alias) }" in stablehlo_py.export(single, "hlo-text")


CONVOLUTION = """HloModule m
ENTRY main {
  x = f32[1,4,4,2]{3,2,1,0} parameter(0)
  k = f32[3,3,1,5]{3,2,1,0} parameter(1)
  ROOT c = f32[1,4,4,5]{3,2,1,0} custom-call(x, k), custom_call_target="window_of", dim_labels=b01f_01io->b01f,
    window={size=3x3 pad=1_1x1_1}, feature_group_count=2, frontend_attributes={x="y"}
}
"""


def test_windows_of_custom_calls_reach_their_handler():
    seen = []

    @stablehlo_py.custom_call_handler("window_of")
    def _handler(call, *_):
        seen.append(call.frontend_attributes)
        return np.zeros((1, 4, 4, 5), np.float32)

    arguments = [np.zeros((1, 4, 4, 2), np.float32), np.zeros((3, 3, 1, 5), np.float32)]
    hlo = pytest.importorskip("jaxlib._hlo")
    if not hasattr(getattr(hlo, "HloInstruction", None), "set_frontend_attribute"):
        pytest.skip("this release of jaxlib cannot add attributes to HLO")
    stablehlo_py.load(CONVOLUTION)(*arguments)
    proto = hlo.hlo_module_from_text(CONVOLUTION).as_serialized_hlo_module_proto()
    stablehlo_py.load(proto, form="hlo-proto")(*arguments)
    window = {"dim_labels": "b01f_01io->b01f", "feature_group_count": "2", "window": "{size=3x3 pad=1_1x1_1}"}
    assert seen == [{**window, "x": "y"}] * 2
