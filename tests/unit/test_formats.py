"""Programs in HLO and in jax's exports, in and out, from Python and from the command line."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

import stablehlo_py
from stablehlo_py import formats
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
    command = [sys.executable, "-c", "from stablehlo_py.cli import stablehlo_translate; stablehlo_translate()"]
    return subprocess.run([*command, *arguments], capture_output=True, check=False, **options)


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
    assert wrong.returncode == 1
    assert b"no importer for 'tflite'" in wrong.stderr
