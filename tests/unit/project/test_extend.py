"""What users add by decorators: every tool takes it, and what is registered late wins."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from importlib.machinery import PathFinder
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from warm_tools import tool

import stablehlo_py
from stablehlo_py import extensions
from stablehlo_py.bindings.op_signatures import op_names, op_signature
from stablehlo_py.errors import InputError, UsageError
from stablehlo_py.extend import Pass, custom_call_handler, op_kernel, pattern, register_pass, shape_function
from stablehlo_py.extensions import ENTRY_POINTS, load_file
from stablehlo_py.passes import catalog
from stablehlo_py.program import CHECK_VARIABLE, import_check
from stablehlo_py.shapes import registry as library_functions
from stablehlo_py.shapes.library import library

ROOT = Path(__file__).parents[3]
MINE = """
from stablehlo_py.extend import Pass, Shape, custom_call_handler, defining_op, op_kernel
from stablehlo_py.extend import pattern, register_pass, shape_function


@pattern("stablehlo.negate", of="my-simplifications")
def negate_of_negate(op, rewriter):
    inner = defining_op(op.operands[0], "negate")
    return inner is not None and rewriter.forward(op, inner.operands[0])


@register_pass
class Visibility(Pass):
    name = "my-visibility"
    summary = "Set the visibility of every function"
    anchor = "func.func"
    to: str = "public"

    def run(self, op):
        from stablehlo_py.bindings import ir

        op.attributes["sym_visibility"] = ir.StringAttr.get(self.to, op.context)


@custom_call_handler("my_scale")
def scale(call, x):
    return x * call.backend_config["factor"]


@shape_function("stablehlo.custom_call", target="my_scale")
def scale_shape(operand: Shape) -> Shape:
    return operand


@op_kernel("my.triple")
def triple(op):
    return lambda x: x + x + x
"""
PYTHON = """
import stablehlo_py
from stablehlo_py.extend import load_file

load_file("mine.py")
module = stablehlo_py.parse(open("program.mlir").read())
stablehlo_py.run_passes(module, "my-simplifications,my-visibility{to=private},stablehlo-shape-refinement-pipeline")
assert "negate" not in str(module)
assert stablehlo_py.load(module)([1.0, 2.0]).tolist() == [3.0, 6.0]
"""
COMMANDS = r"""
stablehlo-opt --load=mine.py --my-simplifications --my-visibility=to=private program.mlir
stablehlo-opt --load=mine.py program.mlir --pass-pipeline='builtin.module(func.func(my-simplifications,my-visibility{to=private}))'
stablehlo-opt --load=mine.py --stablehlo-shape-refinement-pipeline program.mlir
stablehlo-opt --load=mine.py --list-passes
stablehlo-translate --load=mine.py --interpret --args='[dense<[1.0, 2.0]> : tensor<2xf32>]' program.mlir
stablehlo-translate --interpret --allow-unregistered-dialect --load=mine.py --args="[dense<2.0>: tensor<f32>]" triple.mlir
stablehlo run --load=mine.py --args='[dense<[1.0, 2.0]> : tensor<2xf32>]' program.mlir
stablehlo-compat minimum --load=mine.py program.mlir
""".strip().splitlines()  # noqa: E501
PROGRAM = """
func.func @main(%x: tensor<2xf32>) -> tensor<?xf32> {
  %0 = stablehlo.negate %x : tensor<2xf32>
  %1 = stablehlo.negate %0 : tensor<2xf32>
  %2 = stablehlo.custom_call @my_scale(%1) {mhlo.backend_config = {factor = 3.0 : f32}}
    : (tensor<2xf32>) -> tensor<?xf32>
  return %2 : tensor<?xf32>
}
"""
TRIPLE = """
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %0 = "my.triple"(%x) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
"""
# What each command prints.
PRINTED = (
    ["func.func private @main", "custom_call @my_scale(%arg0)"],
    ["func.func private @main", "custom_call @my_scale(%arg0)"],
    ["-> tensor<2xf32>"],
    ["--my-simplifications [func.func]", "--my-visibility [func.func]", "to=public"],
    ["3.000000e+00, 6.000000e+00"],
    ["6.000000e+00"],
    ["3.000000e+00, 6.000000e+00"],
    ["."],
)


def run_tool(command: str, folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    name, *arguments = shlex.split(command)
    return subprocess.run(
        [tool(name), *arguments], cwd=folder, capture_output=True, text=True, check=False, env=os.environ | variables
    )  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "mine.py").write_text(MINE)
    (tmp_path / "program.mlir").write_text(PROGRAM)
    (tmp_path / "triple.mlir").write_text(TRIPLE)
    return tmp_path


@pytest.mark.parametrize(("command", "printed"), list(zip(COMMANDS, PRINTED, strict=True)))
def test_every_tool_loads_a_file(command, printed, folder):
    completed = run_tool(command, folder)
    assert completed.returncode == 0, completed.stderr
    assert all(text in completed.stdout for text in printed), completed.stdout


def test_python_loads_a_file(folder):
    completed = subprocess.run([sys.executable, "-c", PYTHON], cwd=folder, capture_output=True, text=True, check=False)
    assert completed.returncode == 0, completed.stderr


def test_an_installed_package_extends_all_tools(folder):
    metadata = folder / "mine-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: mine\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text("[stablehlo_py.extensions]\nmine = mine\n")
    path = f"{folder}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"
    completed = run_tool("stablehlo-opt --my-visibility=to=private program.mlir", folder, PYTHONPATH=path)
    assert "func.func private @main" in completed.stdout, completed.stderr


@pytest.mark.parametrize(
    ("contents", "message"),
    [
        (None, "error: cannot read the extension mine.py: there is no such file"),
        ("x = 1\nraise KeyError(3)\n", "mine.py:2:1: error: the extension raises KeyError: 3"),
        ("x = (\n", "mine.py:1:1: error: the extension raises SyntaxError: '(' was never closed"),
    ],
)
def test_a_file_that_cannot_be_loaded_is_one_error(contents, message, folder):
    (folder / "mine.py").unlink()
    if contents is not None:
        (folder / "mine.py").write_text(contents)
    completed = run_tool("stablehlo-translate --load=mine.py --interpret program.mlir", folder)
    assert completed.returncode == 1, completed.stderr
    assert message in completed.stderr
    assert completed.stderr.count("\n") == 1


def test_a_file_of_another_kind_is_no_python_file(tmp_path):
    path = tmp_path / "mine.txt"
    path.write_text("x = 1\n")
    with pytest.raises(InputError) as raised:
        load_file(path)
    assert raised.value.message == f"cannot read the extension {path}: it is no Python file"


def test_a_file_is_run_once_and_its_own_errors_stay(tmp_path, monkeypatch):
    path = tmp_path / "counted.py"
    path.write_text("import sys\nsys.times_run = getattr(sys, 'times_run', 0) + 1\n")
    monkeypatch.setattr(sys, "times_run", 0, raising=False)
    monkeypatch.chdir(tmp_path)
    load_file(path)
    load_file("counted.py")
    assert sys.times_run == 1
    path = tmp_path / "own.py"
    path.write_text("from stablehlo_py.errors import UsageError\nraise UsageError('mine', notes=['a'])\n")
    with pytest.raises(UsageError) as raised:
        load_file(path)
    assert (raised.value.message, raised.value.location, raised.value.notes) == ("mine", "", ("a",))
    path = tmp_path / "deep.py"
    path.write_text("def f():\n    int('x')\n\nf()\n")
    with pytest.raises(InputError) as raised:
        load_file(path)
    assert raised.value.location == f"{path}:2:1"


@pytest.mark.parametrize(
    ("names", "text", "there"),
    [
        (("a.dist-info",), f"[{ENTRY_POINTS}]", True),
        (("a.dist-info",), "[others]", False),
        (("a.egg-info",), ENTRY_POINTS, True),
        (("A.EGG", "EGG-INFO"), ENTRY_POINTS, True),
        (("a.egg",), ENTRY_POINTS, False),
        (("a.folder",), ENTRY_POINTS, False),
    ],
)
def test_packages_that_extend_are_found_by_their_files(names, text, there, tmp_path, monkeypatch):
    folder = tmp_path.joinpath(*names)
    folder.mkdir(parents=True)
    (folder / "entry_points.txt").write_text(text)
    monkeypatch.setattr(sys, "path", [str(tmp_path / "none"), str(tmp_path)])
    monkeypatch.setattr(sys, "meta_path", [PathFinder])
    assert extensions._may_have_entry_points() == there
    monkeypatch.setattr(sys, "path", [""])
    monkeypatch.chdir(tmp_path)
    assert extensions._may_have_entry_points() == there
    monkeypatch.setattr(sys, "path", [])
    for finder, may in ((SimpleNamespace(), False), (SimpleNamespace(find_distributions=list), True)):
        monkeypatch.setattr(sys, "meta_path", [finder, PathFinder])
        assert extensions._may_have_entry_points() == may, "another finder may know of more packages"
    monkeypatch.setattr(sys, "meta_path", [PathFinder])
    (tmp_path / "a.zip").touch()
    monkeypatch.setattr(sys, "path", [str(tmp_path / "a.zip")])
    assert extensions._may_have_entry_points()


def test_an_entry_point_that_cannot_be_loaded_is_named():
    def raises(error):
        def load():
            raise error

        return SimpleNamespace(value="mine:it", load=load)

    with pytest.raises(InputError) as raised:
        extensions.load_entry_point(raises(ImportError("why")), "extension", InputError)
    assert raised.value.message == "the extension 'mine:it' raises ImportError: why"
    with pytest.raises(UsageError, match="mine"):
        extensions.load_entry_point(raises(UsageError("mine")), "extension", InputError)


def test_function_passes_nest_as_their_flags_do():
    module = stablehlo_py.parse(PROGRAM)
    with pytest.raises(stablehlo_py.UsageError, match="did you intend to nest"):
        stablehlo_py.run_passes(module, "builtin.module(stablehlo-aggressive-simplification)")
    for trust_input in (False, True):
        module = stablehlo_py.parse(PROGRAM)
        stablehlo_py.run_passes(module, "cse,stablehlo-aggressive-simplification", trust_input=trust_input)
        assert "negate" not in str(module)


def test_a_handler_registered_after_planning_wins():
    text = """
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.custom_call @late(%x) : (tensor<f32>) -> tensor<f32>
  %1 = func.call @inner(%0) : (tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}
func.func private @inner(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.custom_call @late(%x) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
"""
    custom_call_handler("late")(lambda _, x: x + np.float32(1))
    program, module = stablehlo_py.load(text), stablehlo_py.parse(text)
    for _ in range(3):  # the third run is of compiled plans
        assert program(1.0) == 3
        assert stablehlo_py.interpret(module, [np.float32(1)]) == [3]
    custom_call_handler("late")(lambda _, x: x * np.float32(10))
    assert program(1.0) == 100
    assert stablehlo_py.interpret(module, [np.float32(1)]) == [100]


def test_a_kernel_wins_over_the_package_and_is_used_at_once(monkeypatch):
    from stablehlo_py.interpreter import registry

    program = stablehlo_py.load(
        "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
        "%0 = stablehlo.negate %x : tensor<2xf32>\nreturn %0 : tensor<2xf32>}"
    )
    assert program([1.0, 2.0]).tolist() == [-1, -2]
    monkeypatch.setattr(registry, "_USERS", {})
    op_kernel("stablehlo.negate")(lambda op: lambda x: x * np.float32(op.tensor_result().static_shape[0]))
    assert program([1.0, 2.0]).tolist() == [2, 4]
    monkeypatch.undo()
    registry.registered()
    assert program([1.0, 2.0]).tolist() == [-1, -2]


def test_passes_that_cannot_be_registered_say_why(monkeypatch):
    monkeypatch.setattr(catalog, "_USERS", {})
    with pytest.raises(ValueError, match="has no summary"):
        register_pass(type("Nameless", (Pass,), {"name": "nameless"}))
    with pytest.raises(ValueError, match="the package has a pass 'cse' already"):
        register_pass(type("Cse", (Pass,), {"name": "cse", "summary": "…"}))
    with pytest.raises(ValueError, match="the pass 'cse' takes no patterns"):
        pattern("stablehlo.add", of="cse")(lambda op, rewriter: False)


def test_a_pattern_joins_an_optimization_pass(monkeypatch):
    from stablehlo_py.passes import users_patterns

    monkeypatch.setattr(users_patterns, "_PATTERNS", {})

    @pattern("stablehlo.cosine", of="stablehlo-aggressive-simplification")
    def cosine(op, rewriter):
        return rewriter.forward(op, op.operands[0])

    module = stablehlo_py.parse(
        "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
        "%0 = stablehlo.cosine %x : tensor<2xf32>\nreturn %0 : tensor<2xf32>}"
    )
    stablehlo_py.run_passes(module, "stablehlo-aggressive-simplification")
    assert "cosine" not in str(module)


def test_the_example_of_the_page_on_shapes_loads_as_written(tmp_path):
    """`how-to/shape-functions.md` has the one for an op of one's own, which its test runs."""
    text = (ROOT / "docs" / "abstract-interpretation.md").read_text(encoding="utf-8")
    example = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)[0]
    (tmp_path / "own.py").write_text(example)
    found = library([tmp_path / "own.py"]).find("shape", "stablehlo.transpose", "")
    assert found is not None
    assert found.function.__code__.co_filename == str(tmp_path / "own.py")


def test_shape_functions_of_a_script_count_without_loading(monkeypatch):
    monkeypatch.setattr(library_functions, "USERS", library_functions.Collection(replaces=True, count=-1))
    globals_ = {"__name__": "script"}
    source = "def twice(operand: list[int]) -> list[int]:\n    return [2 * operand[0]]\n"
    exec(compile(source, "script.py", "exec"), globals_)
    shape_function("stablehlo.custom_call", target="twice")(globals_["twice"])
    assert ("shape", "stablehlo.custom_call", "twice") in library_functions.USERS.registrations


def test_every_stub_loads(tmp_path):
    from stablehlo_py.shapes.signatures import stub_file

    texts = {op: stub_file(op) for op in op_names("stablehlo") if op_signature(op) is not None}
    assert len(texts) > 100
    for op, text in texts.items():
        file = tmp_path / f"{op.replace('.', '_')}.py"
        file.write_text(text)
        found = library([file]).find("shape", op)
        assert found is not None, op
        assert found.function.__code__.co_filename == str(file)


@pytest.mark.parametrize("form", ["onnx", "torch-export", "jax-export", "hlo-text", ""])
@pytest.mark.parametrize("variable", ["", "all", "small", "none"])
@pytest.mark.parametrize("wanted", [None, True, False])
def test_which_imports_are_checked(
    form: str, variable: str, wanted: bool | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Translated programs are, small ones by default; exports of jax only where all are asked for."""
    monkeypatch.setenv(CHECK_VARIABLE, variable) if variable else monkeypatch.delenv(CHECK_VARIABLE, raising=False)
    asked = {None: variable if variable else "small", True: "all", False: "none"}[wanted]
    checked = {"all": ("onnx", "torch-export", "jax-export"), "small": ("onnx", "torch-export"), "none": ()}[asked]
    found = import_check(form, wanted)
    assert (found is not None) == (form in checked)
    assert found is None or found.everything == (asked == "all")


@pytest.mark.parametrize("may", [True, False])
def test_what_is_installed_is_loaded_once_in_a_process(may, tmp_path, monkeypatch):
    asked, loaded = [], []
    paths = [tmp_path / "a.py", tmp_path / "b.py"]
    for path in paths:
        text = f"with open({str(tmp_path / 'ran')!r}, 'a') as file:\n    file.write('{path.stem}')\n"
        path.write_text(text, encoding="utf-8")
    monkeypatch.setenv(extensions.LOAD_VARIABLE, os.pathsep.join(["", *map(str, paths), str(paths[0])]))
    monkeypatch.setattr(extensions, "_loaded", set())
    monkeypatch.setattr(extensions, "_may_have_entry_points", lambda: (asked.append("files"), may)[1])
    entries = [SimpleNamespace(load=lambda: loaded.append("it"))] * 2
    monkeypatch.setattr("importlib.metadata.entry_points", lambda *, group: (asked.append(group), entries)[1])
    for _ in range(3):
        extensions.load_installed()
    assert asked == ["files", *([ENTRY_POINTS] if may else [])]
    assert loaded == (["it"] * 2 if may else [])
    assert (tmp_path / "ran").read_text() == "ab"
