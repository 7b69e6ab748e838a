"""The tools start quickly: a command imports what it needs. `benchmarks/startup.py` measures how long that takes."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Collection

import pytest

from stablehlo_py.bindings.provider import provider

PROGRAM = """func.func @main() -> tensor<2xf32> {
  %0 = stablehlo.constant dense<1.0> : tensor<2xf32>
  return %0 : tensor<2xf32>
}
"""
# Runs a tool in this process, and prints which of some modules were imported.
RUN = """
import json, sys
modules, tool = sys.argv[1], sys.argv[2]
sys.argv[1:] = sys.argv[3:]
import stablehlo_py.cli
try:
    getattr(stablehlo_py.cli, tool)()
except SystemExit as end:
    assert not end.code, end.code
print(json.dumps([name for name in modules.split(",") if name in sys.modules]), file=sys.stderr)
"""
# What takes long to import, and what stands for arrays.
ARRAYS = ("numpy", "ml_dtypes")
COMMAND_LINES = ("click",)


def imported(modules: Collection[str], tool: str, *arguments: str) -> list[str]:
    command = [sys.executable, "-c", RUN, ",".join(modules), tool, "--trust-input", *arguments]
    completed = subprocess.run(command, capture_output=True, check=False)
    assert completed.returncode == 0, completed.stderr.decode()
    return json.loads(completed.stderr)


@pytest.fixture(scope="module")
def program(tmp_path_factory) -> str:
    path = tmp_path_factory.mktemp("startup") / "program.mlir"
    path.write_text(PROGRAM)
    return str(path)


@pytest.fixture(scope="module")
def artifact(program) -> str:
    path = program.replace(".mlir", ".mlirbc")
    assert imported(ARRAYS, "stablehlo_translate", "--serialize", program, "-o", path) == []
    return path


def test_opt_imports_no_arrays(program):
    assert imported(ARRAYS + COMMAND_LINES, "stablehlo_opt", program) == []
    assert imported(ARRAYS + COMMAND_LINES, "stablehlo_opt", "--canonicalize", "--cse", program) == []


def test_opt_reports_errors_without_arrays(program):
    arguments = ("--verify-diagnostics", "--split-input-file", "--mlir-print-op-generic")
    assert imported(ARRAYS + COMMAND_LINES, "stablehlo_opt", *arguments, program) == []


def test_artifacts_are_exchanged_without_arrays(artifact):
    assert imported(ARRAYS, "stablehlo_translate", "--deserialize", artifact) == []
    assert imported((*ARRAYS, f"{provider.root}.ir"), "stablehlo", "info", artifact) == []


def test_the_interpreter_has_arrays(program):
    assert imported(ARRAYS, "stablehlo_translate", "--interpret", program) == ["numpy", "ml_dtypes"]


# numpy held back ----------------------------------------------------------------------------------------------------

BUILDERS = """
import sys
if sys.argv[1] == "numpy first":
    import numpy
from stablehlo_py.bindings import ir, make_context
assert ("numpy" in sys.modules) == (sys.argv[1] == "numpy first")
assert not [finder for finder in sys.meta_path if "stablehlo_py" in type(finder).__module__]
with make_context() as context:
    for kind in ("F64ElementsAttr", "I32ElementsAttr", "I64ElementsAttr", "IndexElementsAttr"):
        try:
            print(kind, ir.AttrBuilder.get(kind)([1, 2, 3], context))
        except Exception as error:
            print(kind, type(error).__name__, str(error).splitlines()[0])
    import numpy as np
    print(ir.DenseElementsAttr.get(np.float32([1, 2])), np.array(ir.Attribute.parse("dense<[1, 2]> : tensor<2xi32>")))
"""


def test_what_the_bindings_build_from_arrays_is_the_same_without_numpy_at_first():
    def output(order: str) -> str:
        return subprocess.run(
            [sys.executable, "-c", BUILDERS, order], capture_output=True, text=True, check=True
        ).stdout  # fmt: skip

    assert output("numpy later") == output("numpy first")
    assert output("numpy later").count("ElementsAttr") == 4
    assert "dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32> [1 2]" in output("numpy later")


def test_numpy_is_held_back_from_one_thread_only():
    code = """
import sys, threading
from stablehlo_py.lean import held_back
with held_back("numpy"):
    try:
        import numpy
    except ImportError as error:
        print(error)
    thread = threading.Thread(target=lambda: __import__("numpy"))
    thread.start()
    thread.join()
print("numpy" in sys.modules)
"""
    completed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert completed.stdout == "numpy is held back while another module is imported\nTrue\n"


NUMPY = """
import sys
from stablehlo_py.cli.startup import import_numpy, library_loading
with library_loading():
    if "plainly" in sys.argv:
        import numpy
    else:
        import_numpy()
import inspect, numpy, numpy.typing, pickle, threading
print(inspect.signature(pickle.loads), numpy.add(1, 2), numpy.linalg.qr(numpy.eye(2)).Q.tolist())
print(numpy.typing.NDArray, pickle.loads(pickle.dumps(numpy.arange(3))), numpy.dtype("f4,i8").names)
print(numpy.array2string(numpy.float32([1.5, 2])), threading.active_count())
from jaxlib.mlir import ir
print(ir.Context())
"""


def test_numpy_is_the_same_without_what_people_read():
    def output(*arguments: str) -> list[str]:
        command = [sys.executable, "-c", NUMPY, *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[:-1]

    assert output() == output("plainly")
    assert output()[-1].endswith("1")


def test_interpreting_imports_no_library_for_what_nobody_asks(tmp_path):
    program = tmp_path / "program.mlir"
    program.write_text(
        "func.func @main() -> tensor<i1> { %0 = stablehlo.constant dense<true> : tensor<i1> return %0 : tensor<i1> }"
    )
    code = """
import os, sys
from stablehlo_py.cli.translation import translate
from stablehlo_py.cli.translate import read_simple
code = translate(*read_simple(["--interpret", sys.argv[1]]))
spared = {"click", "decimal", "logging", "pathlib", "zipfile"}
print(sorted(spared & sys.modules.keys()), code)
"""
    completed = subprocess.run([sys.executable, "-c", code, str(program)], capture_output=True, text=True, check=True)
    assert completed.stdout.splitlines()[-1] == "[] 0"
