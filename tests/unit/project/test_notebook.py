"""In a notebook programs, costs, differences and reports show themselves, and a cell can be a program."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from installed import needs

import stablehlo_py
from stablehlo_py.errors import InputError, UsageError
from stablehlo_py.interpreter.progress import state, watch
from stablehlo_py.notebook import run_cell

ROOT = Path(__file__).parents[3]
MEAN = ROOT / "examples" / "mean.mlir"
ADD = """func.func @main(%a: tensor<2xf32>, %b: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.add %a, %b : tensor<2xf32>
  return %0 : tensor<2xf32>
}"""


class Shell:
    """What a cell sees of IPython."""

    def __init__(self, **variables) -> None:
        self.user_ns = dict(variables)
        self.user_global_ns = self.user_ns


def test_a_cell_is_kept_run_and_shown():
    shell = Shell(x=np.float32([1, 2]), y=np.float32([10, 20]))
    assert run_cell("add x y", ADD, shell).tolist() == [11, 22]
    assert shell.user_ns["add"](np.float32([0, 0]), np.float32([1, 1])).tolist() == [1, 1]
    assert run_cell("add x 2*x", ADD, shell).tolist() == [3, 6]
    assert repr(run_cell("add", ADD, shell)).startswith("<stablehlo_py.Program @main(")
    assert "<iframe" in run_cell("--view add", ADD, shell)._repr_html_()
    other = ADD.replace("@main", "@other")
    assert run_cell("--function=other add x y", f"{ADD.replace('add %a', 'subtract %a')}\n{other}", shell).tolist() == [
        11,
        22,
    ]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("add z x", "argument 'z': name 'z' is not defined"),
        ("--fast", "unknown flag '--fast'"),
        ("add x +", "argument '+'"),
    ],
)
def test_lines_that_are_not_understood_say_why(line, message):
    with pytest.raises(UsageError, match=message.replace("+", r"\+")):
        run_cell(line, ADD, Shell(x=np.float32([1, 2])))


def test_the_extension_works_in_ipython():
    """In a process of its own, since IPython changes what it is loaded into."""
    pytest.importorskip("IPython", reason="the magic is one of IPython's")
    script = f"""
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell()
shell.run_line_magic("load_ext", "stablehlo_py")
shell.user_ns["x"] = [1.0, 2.0]
print(shell.run_cell_magic("stablehlo", "add x x", {ADD!r}))
print(shell.user_ns["add"])
shell.run_cell_magic("stablehlo", "", {ADD.replace("stablehlo.add", "stablehlo.ad")!r})
"""
    completed = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT)
    assert completed.stdout.splitlines()[0] == "[2. 4.]"
    assert "<stablehlo_py.Program @main(" in completed.stdout
    assert "<string>:2:8: error: custom op 'stablehlo.ad' is unknown" in completed.stderr
    assert "Traceback" not in completed.stderr


def test_programs_tell_their_cost_and_their_differences():
    program = stablehlo_py.load(MEAN)
    assert program.cost().flops == 4
    assert program.diff(stablehlo_py.load(MEAN)) == []
    assert program.diff(MEAN) == []
    changed = program.diff(MEAN.read_text().replace("divide", "multiply"))
    assert {change.op for change in changed} == {"stablehlo.divide", "stablehlo.multiply", "func.return"}
    assert program.view().title == "@main"


def test_a_bar_shows_how_far_a_run_is():
    pytest.importorskip("rich", reason="rich draws the bar")
    with watch(stderr=True) as bar:
        stablehlo_py.load(MEAN, listeners=[bar])(np.float32([1, 2, 3, 6]))
    assert bar.done == 4
    assert state(1234, "stablehlo.add", 7) == "1,234 ops done, now stablehlo.add, iteration 7"


def test_without_rich_the_error_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "rich.console", None)
    with pytest.raises(InputError) as caught, watch():
        pass
    assert "stablehlo-py[progress]" in str(caught.value.notes)


def test_probes_and_explanations_show_themselves(tmp_path):
    from stablehlo_py.artifacts.explanation import explain
    from stablehlo_py.artifacts.versions import resolve_version
    from stablehlo_py.interpreter.probe import read_probes

    text = """func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
      %0 = interpreter.probe %a, probe_id = "<x>" : tensor<2xf32>
      %1 = stablehlo.tan %0 : tensor<2xf32>
      return %1 : tensor<2xf32> }"""
    program = stablehlo_py.load(text, probe_directory=tmp_path)
    program(np.float32([0, 1]))
    program(np.float32([2, 3]))
    probes = read_probes(tmp_path)
    assert repr(probes) == "<Probes: <x> (2)>"
    assert [value.tolist() for value in probes["<x>"]] == [[0, 1], [2, 3]]
    assert "<td>&lt;x&gt;</td><td>1</td><td>float32[2]</td><td>[2. 3.]</td>" in probes._repr_html_()
    with pytest.raises(InputError, match="no probe has written"):
        read_probes(tmp_path / "nothing")

    module = stablehlo_py.parse(text.replace('interpreter.probe %a, probe_id = "<x>"', "stablehlo.sine %a"))
    found = explain(module, resolve_version("1.0.0"))
    assert repr(found) == "<Explanation: 1 blockers of 1.0.0, the oldest that fits is 1.4.0>"
    assert "<td>1.4.0</td>" in found._repr_html_()


@needs("partition")
def test_a_partition_shows_itself():
    from stablehlo_py.spmd import partition

    spread = partition(stablehlo_py.parse(ADD), mesh={"x": 2}, in_shardings={0: '[{"x"}]'})
    assert repr(spread).startswith("<Partition over x=2: ")
    assert "<td>argument 0</td>" in spread._repr_html_()


@pytest.mark.parametrize(("size", "shown"), [(8, "[0 1 2 3 4 5 6 7]"), (9, "[0 1 2 ... 6 7 8]")])
def test_long_values_of_probes_are_shortened_on_a_page(size: int, shown: str) -> None:
    from stablehlo_py.interpreter.probe import Probes

    assert f"<td>int64[{size}]</td><td>{shown}</td>" in Probes({"p": [np.arange(size)]})._repr_html_()
