"""The engine `iree` with a compiler and a runtime that stand in for IREE's: what these are given, and what is made of
their answers."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

from stablehlo_py.bindings.types import TensorType, element_type
from stablehlo_py.engines import iree as engine_module
from stablehlo_py.engines.iree import backend
from stablehlo_py.engines.outcome import EngineCrashError
from stablehlo_py.errors import InterpreterError, UnsupportedOpError, UsageError

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the compiler is a script with a first line")
COMPILER = f"""#!{sys.executable} -S
import json, os, sys
*flags, source, dash, target = sys.argv[1:]
text = open(source).read()
for mark, code, printed in (
    ("lacks", 1, "note: x\\n/tmp/y/module.mlir:3:4: error: failed to legalize operation 'a.b'\\nmore"),
    ("fails", 1, "/tmp/y/module.mlir:3:4: error: no such thing"),
    ("asserts", 2, "Assertion `x' failed.\\nStack dump:\\n0. a"),
    ("quiet", 3, ""),
    ("aborts", -1, ""),
):
    if repr(mark).replace("'", '"') in text:
        sys.stderr.write(printed)
        sys.stderr.flush()
        os.abort() if code < 0 else sys.exit(code)
assert dash == "-o"
open(target, "w").write(json.dumps([flags, text]))
"""
RUNTIME = """
import json
import numpy as np
from types import SimpleNamespace
from stablehlo_py.bindings import ir, make_context
from stablehlo_py.interpreter.program import Program

made, lent = [], []


class Config:
    def __init__(self, device):
        self.device = device


class VmModule:
    @staticmethod
    def copy_buffer(instance, data):
        assert instance == "instance"
        flags, text = json.loads(data)
        made.append(SimpleNamespace(flags=flags, text=text))
        return Program(ir.Module.parse(text, make_context()))


class SystemContext:
    def __init__(self, config):
        self.instance, self.modules, self.device = "instance", SimpleNamespace(), config.device

    def add_vm_module(self, program):
        made[-1].device = self.device

        def main(*arrays):
            made[-1].given = [(array.dtype.name, array.flags.c_contiguous) for array in arrays]
            results = [np.array(each) for each in program.run(list(arrays))]
            for memory in lent:  # IREE takes it back
                memory.fill(0)
            lent[:] = results
            results = [each.view(np.int8) if each.dtype == bool else each for each in results]  # as IREE gives booleans
            return None if not results else results[0] if len(results) == 1 else tuple(results)

        self.modules.module = {"main": main}
"""


@pytest.fixture
def iree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """The stand-in's runtime."""
    tool = tmp_path / "iree-compile"
    tool.write_text(COMPILER)
    tool.chmod(0o755)
    files = {
        "iree/__init__.py": "", "iree/compiler/__init__.py": "", "iree/compiler/tools/__init__.py": "",
        "iree/runtime/__init__.py": RUNTIME,
        "iree/compiler/tools/binaries.py": f"def find_tool(name):\n    return {str(tmp_path)!r} + '/' + name\n",
        "iree_base_compiler-3.7.dist-info/METADATA": "Metadata-Version: 2.1\nName: iree-base-compiler\nVersion: 3.7\n",
    }  # fmt: skip
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    for name in [name for name in sys.modules if name.partition(".")[0] == "iree"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.syspath_prepend(str(tmp_path))
    import iree.runtime as runtime  # pyright: ignore[reportMissingImports]

    yield runtime
    for name in [name for name in sys.modules if name.partition(".")[0] == "iree"]:
        del sys.modules[name]


def text_of(types: list[str]) -> bytes:
    parameters = ", ".join(f"%{n}: tensor<{type_}>" for n, type_ in enumerate(types))
    results, values = ", ".join(f"tensor<{type_}>" for type_ in types), ", ".join(f"%{n}" for n in range(len(types)))
    returned = f"return {values} : {results}" if types else "return"
    return f"func.func @main({parameters}) -> ({results}) {{ {returned} }}".encode()


@pytest.mark.parametrize(
    ("types", "entering"),
    [
        (["2x3xf32"], ["float32"]),
        (["2xf32", "3xi1"], ["float32", "bool"]),
        (["2xbf16", "2xi4", "2xui2", "f32", "2xf8E5M2"], ["uint16", "int8", "uint8", "float32", "uint8"]),
        ([], []),
    ],
)
def test_arrays_enter_by_carriers_and_come_back_as_they_were(types: list[str], entering: list[str], iree) -> None:
    dtypes = {"f32": "f4", "i1": "?", "bf16": ml_dtypes.bfloat16, "i4": ml_dtypes.int4, "ui2": ml_dtypes.uint2,
              "f8E5M2": ml_dtypes.float8_e5m2}  # fmt: skip
    shapes = [tuple(map(int, type_.split("x")[:-1])) for type_ in types]
    arguments = [(np.arange(np.prod(shape, dtype=int)) % 2).reshape(shape).astype(dtypes[type_.rpartition("x")[2]])
                 for shape, type_ in zip(shapes, types, strict=True)]  # fmt: skip
    run = backend().load(text_of(types))
    turned = [np.array(each, order="F") for each in arguments]
    found = run(turned)
    assert [(each.dtype, each.tolist()) for each in found] == [(each.dtype, each.tolist()) for each in arguments]
    assert iree.made[-1].given == [(name, True) for name in entering]
    assert not any(np.shares_memory(one, other) for one, other in zip(found, turned, strict=True))
    needs = entering != [np.dtype(dtypes[type_.rpartition("x")[2]]).name for type_ in types]
    text = iree.made[-1].text
    assert ("iree.program" in text) == needs
    assert text.count("private") == needs


@pytest.mark.parametrize(
    ("options", "flags", "device"),
    [
        ((), ["--iree-hal-target-backends=llvm-cpu", "--iree-input-type=stablehlo",
              "--iree-input-demote-f64-to-f32=false", "--iree-llvmcpu-target-cpu=host"], "local-sync"),
        (("target=vmvx", "device=local-task"),
         ["--iree-hal-target-backends=vmvx", "--iree-input-type=stablehlo", "--iree-input-demote-f64-to-f32=false"],
         "local-task"),
        (("flags=--a=1+--b", "target=cuda"),
         ["--iree-hal-target-backends=cuda", "--iree-input-type=stablehlo", "--iree-input-demote-f64-to-f32=false",
          "--a=1", "--b"], "local-sync"),
    ],
)  # fmt: skip
def test_options_are_flags_of_the_compiler_and_the_device(options, flags, device, iree) -> None:
    made = backend(*options)
    made.load(text_of(["f32"]))
    assert (iree.made[-1].flags, iree.made[-1].device) == (flags, device)
    assert made.release == "IREE 3.7"


@pytest.mark.parametrize(
    ("option", "said"), [("target", "expected KEY=VALUE, found 'target'"), ("what=1", "unknown option 'what'")]
)
def test_wrong_options_are_refused(option: str, said: str, iree) -> None:
    with pytest.raises(UsageError, match=f"engine iree: {said}") as caught:
        backend("device=x", option)
    assert list(caught.value.notes) == (["the options are target, device and flags"] if "=" in option else [])


@pytest.mark.parametrize(
    ("mark", "error", "said"),
    [
        ("lacks", UnsupportedOpError, "failed to legalize operation 'a.b'"),
        ("fails", InterpreterError, "no such thing"),
        ("asserts", EngineCrashError, "IREE's compiler crashed with exit code 2: Assertion `x' failed."),
        ("quiet", InterpreterError, "nothing was printed"),
        ("aborts", EngineCrashError, "IREE's compiler crashed with exit code -6"),
    ],
)
def test_what_the_compiler_says_is_an_error_of_its_kind(mark: str, error: type, said: str, iree) -> None:
    program = f"""func.func @main(%x: tensor<f32>) -> tensor<f32> {{
      %0 = stablehlo.custom_call @{mark}(%x) : (tensor<f32>) -> tensor<f32>
      return %0 : tensor<f32> }}"""
    with pytest.raises(error) as caught:
        backend().load(program.encode())
    assert type(caught.value) is error
    assert caught.value.message == said
    assert not iree.made


def test_tokens_are_not_taken(iree) -> None:
    text = b"func.func @main(%t: !stablehlo.token) -> !stablehlo.token { return %t : !stablehlo.token }"
    with pytest.raises(UnsupportedOpError, match="devices take and give tensors"):
        backend().load(text)
    assert not iree.made


@pytest.mark.parametrize(
    ("element", "given", "expected"),
    [
        ("i1", np.int8([1, 0]), [True, False]),
        ("i1", np.int32([1, 0]), [True, False]),
        ("i32", np.int32([-5, 7]), [-5, 7]),
        ("i32", np.int64([-5, 7]), [-5, 7]),
        ("ui8", np.int8([-1, 7]), [255, 7]),
        ("f32", np.float64([0.5, 2]), [0.5, 2]),
        ("bf16", np.array([1.5, 2], ml_dtypes.bfloat16).view(np.uint16), [1.5, 2]),
        ("i4", np.int8([-8, 7]), [-8, 7]),
    ],
)
def test_results_of_another_type_are_read_as_bits_or_as_numbers(
    element: str, given: np.ndarray, expected: list[float]
) -> None:
    """Of the same size they are the bits; of another size, the numbers."""
    type_ = TensorType((2,), element_type(element))
    found = engine_module._result(given, type_)
    assert found.dtype == type_.dtype
    assert found.tolist() == expected


@pytest.mark.parametrize("types", [["3xf32"], ["2xi32", "f32"], ["2xi1", "3xbf16", "2xi8"]])
def test_results_stay_what_they_are_in_later_runs(types: list[str], iree) -> None:
    run = backend().load(text_of(types))
    given = []
    for type_ in types:
        *sizes, element = type_.split("x")
        given.append(np.ones([int(size) for size in sizes], element_type(element).dtype))
    first = list(run(given))
    run([np.zeros_like(array) for array in given])
    for found, array in zip(first, given, strict=True):
        np.testing.assert_array_equal(found, array, strict=True)
